#!/usr/bin/env python3
"""tests/cross/run.py part|full FOLDER RUNNER: the tests of a build for the other architecture, under its emulator (script/cross
makes both). FOLDER is the build, RUNNER what runs its program. `part` takes those that depend on the machine: arithmetic, the order of
evaluation, layouts of memory, code that is compiled while a model is checked; within a few minutes of an emulated processor.

tests/cross/run.py targets part|full: what has to be built for them."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNITS = ("rounding|numeric|dd_real|dd_arithmetic|evaluate|vm_|native|ir_|prism_read|symmetry_discipline|rule_partition|reduce|"
         "group_test|result_trace|report_test|json|options|api|ctl_test|adaptive|explain")
# Named in full, as tests/cli/run.py prints them.
COMMANDS = ["help_teaches_with_files_that_exist", "manual_page_is_up_to_date", "the_sat_engine_is_there_or_refused", "holds",
            "native_code", "violated_with_a_trace_of_changes", "traces_replay", "faults_have_a_place_and_replay",
            "broken_symmetry_is_explained", "several_properties_are_all_checked", "numbers_are_as_short_as_they_may_be",
            "odd_bytes_are_survived", "rules_are_listed_with_what_they_tell_apart"]
MODELS = ["arithmetic", "bitwise", "scalarset-ring"]
# Of `full`: threads, files, code that is loaded, random models.
MORE = [["tests/differential/run.py", "--profile", "plain", "--count", "40"], ["tests/por/run.py", "--count", "5", "--only-random"],
        ["tests/disk/run.py", "--count", "20"], ["tests/checkpoint/run.py", "--count", "20"], ["tests/certificate/run.py"]]
SUMMARY = re.compile(r"(\d+) passed, (\d+) failed")
CTEST_SUMMARY = re.compile(r"(\d+) tests failed out of (\d+)")
SECONDS_A_COMMAND = 3600


def targets(amount):
    """What has to be built; nothing: all."""
    names = sorted(path.stem for path in (ROOT / "tests/unit").glob("*_test.c"))
    return ["noether", *(name for name in names if re.search(UNITS, f"unit/{name}"))] if amount == "part" else []


def ctest(folder, is_part):
    words = ["ctest", "--test-dir", folder, "--output-on-failure", "--timeout", "1200", "--parallel", "2"]
    return words + (["--tests-regex", UNITS] if is_part else [])


def commands(amount, folder, runner):
    is_part = amount == "part"
    yield ctest(folder, is_part)
    yield ["python3", "tests/cli/run.py", runner, *(COMMANDS if is_part else [])]
    yield ["python3", "tests/tutorial/run.py", runner]
    for model in MODELS if is_part else [""]:
        yield ["python3", "tests/models/run.py", runner, "--no-rumur", "--only", model]
    for words in [] if is_part else MORE:
        yield ["python3", words[0], runner, *words[1:]]


def run(words):
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          timeout=SECONDS_A_COMMAND)
    print(f"$ {' '.join(words)}\n{done.stdout}", flush=True)
    units, others = CTEST_SUMMARY.findall(done.stdout), SUMMARY.findall(done.stdout)
    passed = failed = 0
    if units:
        failed, total = map(int, units[-1])
        passed = total - failed
    elif others:
        passed, failed = map(int, others[-1])
    if not passed + failed or (done.returncode and not failed):
        failed += 1  # it tested nothing, or says that something is wrong
    return passed, failed


def main():
    if sys.argv[1] == "targets":
        print(*targets(sys.argv[2]))
        return 0
    amount, folder, runner = sys.argv[1:]
    results = [run(words) for words in commands(amount, folder, runner)]
    passed, failed = (sum(numbers) for numbers in zip(*results))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
