#!/usr/bin/env python3
"""Runs every test and prints `N passed, N failed` at the end.

    script/test            everything, as in CI
    script/test quick      without the sanitizer builds (one of them clang's) and fuzzing
    script/test STEP...    only these steps (script/test --list shows them)

The log of each step is in build/test-logs/STEP.log."""
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOGS = ROOT / "build" / "test-logs"
BINARY = str(ROOT / "build" / "noether")
# At most so many seconds for each target; a fixed seed and number of inputs, so that a run can be repeated.
FUZZ_LIMITS = ["20", "1", "10000"]
SECONDS_A_COMMAND = 1800
WITH_THREADS = "adaptive|api|dd_|explicit|native|numeric|report|session|store_|symbolic"
SUMMARY = re.compile(r"(\d+) passed, (\d+) failed")
CTEST_SUMMARY = re.compile(r"(\d+) tests failed out of (\d+)")


def ctest(folder):
    return ["ctest", "--test-dir", folder, "--output-on-failure", "--timeout", "600", "--parallel", "2"]


def with_threads():
    """The unit tests that the thread sanitizer watches; nothing else is built for it."""
    names = sorted(path.stem for path in (ROOT / "tests/unit").glob("*_test.c"))
    return [name for name in names if re.search(WITH_THREADS, name)]


def python(*words):
    return ["python3", *words]


def without_leak_check(command):
    """The leak checker takes seconds for each process where tracing is slow: it watches the unit tests (which load,
    check and report whole models, too), not hundreds of small runs."""
    return ["env", "ASAN_OPTIONS=detect_leaks=0", *command]


# name, commands, the folder it needs (else it is skipped, with a message), part of `quick`
STEPS = [
    ("release", [["script/build", "release"]], None, True),
    ("unit", [ctest("build")], "tests/unit", True),
    ("layering", [python("tests/layering/run.py"), python("tests/layering/selftest.py"),
                  python("tests/layering/symbols.py", "build")], None, True),
    ("cli", [python("tests/cli/run.py", BINARY)], None, True),
    ("step", [python("tests/step/run.py", BINARY)], "tests/step/run.py", True),
    ("tutorial", [python("tests/tutorial/run.py", BINARY)], "tests/tutorial/run.py", True),
    ("errors", [python("tests/errors/run.py", BINARY), python("tests/errors/prism.py", BINARY)], "tests/errors/run.py", True),
    ("findings", [python("tests/findings/run.py", BINARY)], "tests/findings", True),
    ("models", [python("tests/models/run.py", BINARY), python("tests/models/representatives.py", BINARY)], "tests/models/run.py", True),
    ("models-partial", [python("tests/models/partial.py", BINARY)], "tests/models/partial.py", True),
    ("models-symbolic", [python("tests/models/symbolic.py", BINARY)], "tests/models/symbolic.py", True),
    ("prism", [python("tests/prism/run.py", BINARY), python("tests/prism/reduce.py", BINARY), python("tests/prism/symmetry.py", BINARY), python("tests/prism/chances.py", BINARY), python("tests/prism/within_time.py", BINARY)], "tests/prism/run.py", True),
    ("web", [python("tests/web/run.py", BINARY)], "tests/web/run.py", True),
    ("tables", [python("tests/tables/adaptive.py", BINARY), python("tests/tables/complete.py", BINARY), python("tests/tables/counter.py", BINARY), python("tests/tables/generic.py", BINARY)], "tests/tables", True),
    ("detection", [python("tests/detection/run.py", BINARY)], "tests/detection/run.py", True),
    ("differential", [python("tests/differential/run.py", BINARY)], "tests/differential/run.py", True),
    ("differential-partial", [python("tests/differential/run_partial.py", BINARY)],
     "tests/differential/run_partial.py", True),
    ("differential-complete", [python("tests/differential/complete.py", BINARY)],
     "tests/differential/complete.py", True),
    ("differential-symbolic", [python("tests/differential/symbolic.py", BINARY)],
     "tests/differential/symbolic.py", True),
    ("differential-ctl", [python("tests/differential/ctl.py", BINARY)], "tests/differential/ctl.py", True),
    ("differential-counter", [python("tests/differential/counters.py", BINARY)], "tests/differential/counters.py", True),
    ("differential-prism", [python("tests/differential/prism.py", BINARY), python("tests/differential/prism_counters.py", BINARY), python("tests/differential/prism_peer.py", BINARY)], "tests/differential/prism.py", True),
    # With the other compiler, so that its warnings are seen, too.
    ("asan", [["script/build", "clang-asan"], ctest("build-clang-asan"),
              without_leak_check(python("tests/cli/run.py", "build-clang-asan/noether"))], None, False),
    ("asan-errors", [without_leak_check(python("tests/errors/run.py", "build-clang-asan/noether"))],
     "tests/errors/run.py", False),
    ("tsan", [["script/build", "tsan", *with_threads()], [*ctest("build-tsan"), "--tests-regex", WITH_THREADS]], None, False),
    ("fuzz", [["script/fuzz", *FUZZ_LIMITS]], "script/fuzz", False),
]


def count(output, status):
    """Passed and failed of one command: its own summary when it has one, else itself."""
    passed = failed = 0
    found = SUMMARY.findall(output)
    if found:
        passed, failed = map(int, found[-1])
    ctest_found = CTEST_SUMMARY.findall(output)
    if ctest_found:
        failed, total = map(int, ctest_found[-1])
        passed = total - failed
    if status and not failed:
        failed = 1
    return (passed, failed) if passed or failed else (1, 0)


def run_command(command):
    """Output and exit status; a command that hangs is a failure, not a wait for ever."""
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=SECONDS_A_COMMAND)
        return done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        so_far = late.stdout or b""
        so_far = so_far.decode(errors="replace") if isinstance(so_far, bytes) else so_far
        return f"{so_far}\nstopped after {SECONDS_A_COMMAND} s\n", 124


def run_step(name, commands):
    passed = failed = 0
    begin = time.time()
    with open(LOGS / f"{name}.log", "w") as log:
        for command in commands:
            output, status = run_command(command)
            log.write(f"$ {' '.join(command)}\n{output}(exit status {status})\n")
            more_passed, more_failed = count(output, status)
            passed, failed = passed + more_passed, failed + more_failed
            if status:
                print("".join("    " + line + "\n" for line in output.splitlines()[-40:]), end="")
                if command[0] == "script/build":
                    break
    print(f"{'FAIL' if failed else 'ok':4} {name:14} {passed} passed, {failed} failed  ({time.time() - begin:.0f} s)",
          flush=True)
    return passed, failed


def main():
    wanted = sys.argv[1:]
    if wanted == ["--list"]:
        print("\n".join(step[0] for step in STEPS))
        return 0
    unknown = set(wanted) - {step[0] for step in STEPS} - {"quick"}
    if unknown:
        print(f"script/test: no step {', '.join(sorted(unknown))}; try --list", file=sys.stderr)
        return 2
    LOGS.mkdir(parents=True, exist_ok=True)
    passed = failed = 0
    for name, commands, needs, is_quick in STEPS:
        if wanted and not (name in wanted or (wanted == ["quick"] and is_quick)):
            continue
        if needs and not (ROOT / needs).exists():
            print(f"skip {name:14} there is no {needs}")
            continue
        more_passed, more_failed = run_step(name, commands)
        passed, failed = passed + more_passed, failed + more_failed
        if more_failed and name == "release":
            break  # nothing to test
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
