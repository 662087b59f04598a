#!/usr/bin/env python3
"""tests/hunt/selftest.py BUILD: does script/hunt find what is wrong?

Answers of the program hunt are made wrong (--plant), in each language. For the lanes of whole programs a wrapper stands in the place of noether: it
turns some verdicts round. All must be found, made smaller and written; a campaign that is killed must go on where it was."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = {"plain": ".m", "guarded": ".m", "boolean": ".bp", "walks": ".prism", "promela": ".pml"}
LANES = ["interpreter", "cover", "prove", "super-structure", "fairness", "prism_slow"]
SECONDS = 300
WRAPPER = """#!/usr/bin/env python3
import re, subprocess, sys
done = subprocess.run(["{noether}", *sys.argv[1:]], capture_output=True, text=True, errors="replace")
is_chain = any(word.endswith(".prism") for word in sys.argv)
is_wrong = "--exact" not in sys.argv if is_chain else any(word in sys.argv for word in ("explicit", "guarded", "prove", "auto"))
other = {{"holds": "violated", "violated": "holds"}}
text = re.sub(r'"verdict": "(holds|violated)"', lambda match: '"verdict": "%s"' % other[match[1]], done.stdout) if is_wrong else done.stdout
for index, word in enumerate(sys.argv[:-1]):
    if word == "--json" and sys.argv[index + 1] != "-" and is_wrong:
        path = sys.argv[index + 1]
        answer = open(path).read()
        open(path, "w").write(re.sub(r'"lower": [^,]*', '"lower": 1e300', re.sub(r'"upper": [^,\\n}}]*', '"upper": 1e300', answer)))
sys.stdout.write(text)
sys.stderr.write(done.stderr)
sys.exit({{0: 1, 1: 0}}.get(done.returncode, done.returncode) if is_wrong else done.returncode)
"""
passed = failed = 0


def expect(condition, what):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f"FAILED: {what}")


def hunt(programs, results, *words):
    return subprocess.run([sys.executable, str(HERE / "run.py"), "--programs", str(programs), "--results", str(results), "--seed", "1", "--jobs", "2", *words],
                          capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)


def lines_of(results):
    return [json.loads(line) for line in (pathlib.Path(results) / "results.jsonl").read_text().splitlines()][1:]


def finds_planted(build, folder):
    done = hunt(build, folder, "--each", "6", "--only", ",".join(SOURCES), "--plant", "3", "--no-shrink")
    expect(done.returncode == 1, f"planted errors: exit status {done.returncode}: {done.stderr[-600:]}")
    for line in lines_of(folder):
        expect(line["findings"], f"{line['name']}: no planted error was found")
    for home in (folder / "found").iterdir():
        about = json.loads((home / "finding.json").read_text())
        expect(list(home.glob(f"{home.name}{SOURCES[about['source']]}")) and (home / "row.toml").exists(), f"{home.name}: {list(home.iterdir())}")
        expect(about["seeds"] and about["detail"], f"{home.name}: {about}")


def makes_smaller(build, folder):
    """The first answer is always wrong: little of the model is needed to see it."""
    hunt(build, folder, "--each", "1", "--only", "guarded", "--plant", "1", "--shrink-seconds", "4")
    sizes = [(len(model.read_text()), json.loads((model.parent / "finding.json").read_text())) for model in (folder / "found").glob("*/*.m")]
    whole = max(len(finding["text"]) for line in lines_of(folder) for finding in line["findings"])
    expect(min([size for size, about in sizes if about["is_small"]], default=whole) < whole, f"nothing was made smaller: {sizes}, {whole}")


def finds_in_lanes(build, folder):
    programs = folder / "programs"
    (programs / "tests").mkdir(parents=True)
    for name in ("differential", "hunt", "certificate"):
        (programs / "tests" / name).symlink_to(build / "tests" / name)
    (programs / "noether").write_text(WRAPPER.format(noether=build / "noether"))
    (programs / "noether").chmod(0o755)
    done = hunt(programs, folder, "--each", "3", "--only", ",".join(LANES), "--no-shrink")
    expect(done.returncode == 1, f"wrong answers in lanes: exit status {done.returncode}: {done.stderr[-600:]}")
    for line in lines_of(folder):
        expect(line["findings"] and not any("Error: " in each["detail"][:30] for each in line["findings"]),
               f"{line['name']}: {line['findings'][:1] or 'no wrong answer was found'}")


def goes_on(build, folder):
    """Killed in the middle of a line, and resumed: no batch is made twice, none is left out."""
    words = ["--each", "5", "--only", "guarded,boolean,walks,tiny,independent", "--no-shrink"]
    child = subprocess.Popen([sys.executable, str(HERE / "run.py"), "--programs", str(build), "--results", str(folder), "--seed", "1", "--jobs", "1", *words],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    end = time.monotonic() + SECONDS
    while child.poll() is None and time.monotonic() < end and not ((folder / "results.jsonl").exists() and (folder / "results.jsonl").read_text().count("\n") > 2):
        time.sleep(0.02)
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    with (folder / "results.jsonl").open("a") as file:
        file.write('{"batch": 99, "lane"')
    done = hunt(build, folder, *words)
    numbers = [line["batch"] for line in lines_of(folder)]
    expect(sorted(numbers) == list(range(5)), f"batches {numbers}: {done.stderr[-600:]}")
    expect("25 models" in done.stdout, f"not 25 models: {done.stdout[-300:]}")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    for test in (finds_planted, makes_smaller, finds_in_lanes, goes_on):
        with tempfile.TemporaryDirectory() as folder:
            test(build, pathlib.Path(folder))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
