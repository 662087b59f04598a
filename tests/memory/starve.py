#!/usr/bin/env python3
"""tests/memory/starve.py NOETHER [--only NAME] [--dense]: requests for memory are refused (refuse.c), of the program and of all
libraries it uses, one at a time, each N-th, or all from some point on. The program ends with the right exit status or with 3,
with a reason; what it writes is whole; it never crashes, and never says anything that is not so. A program that uses the library (host.c)
goes on, and its next check is right. --dense: at more points."""
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 60
OLD = "the answer of an earlier run\n"
# name, command, exit status with memory
CASES = [
    ("explicit", ["check", "tests/fuzz/subjects/desk.m", "--engine", "explicit", "--keep-going", "--stepper", "vm"], 1),
    ("symbolic", ["check", "tests/fuzz/subjects/desk.m", "--engine", "symbolic", "--keep-going"], 1),
    ("threads", ["check", "tests/models/scalarset-matrices.m", "--threads", "3", "--symmetry", "off", "--stepper", "vm"], 0),
    ("graphs", ["check", "tests/models/scalarset-graphs.m", "--stepper", "vm"], 0),
    ("detected", ["check", "examples/peterson.m", "--stepper", "vm"], 0),
    ("counter", ["check", "examples/semaphore-mutex.m", "--engine", "counter"], 0),
    ("adaptive", ["check", "tests/models/adaptive/readers-writers.m", "--engine", "adaptive"], 0),
    ("chain", ["check", "tests/fuzz/subjects/choice.prism", "tests/fuzz/subjects/choice.props", "--keep-going"], 1),
    ("exact", ["check", "tests/fuzz/subjects/coin.prism", "tests/fuzz/subjects/coin.props", "--exact", "--keep-going"], 1),
    ("diagrams", ["check", "tests/fuzz/subjects/choice.prism", "tests/fuzz/subjects/choice.props", "--engine", "symbolic", "--vectors",
                  "diagrams", "--keep-going"], 1),
    ("symmetry", ["symmetry", "examples/peterson.m"], 0),
    ("reduce", ["reduce", "examples/semaphore-mutex.m"], 0),
    ("graph", ["graph", "tests/fuzz/subjects/desk.m", "--as", "dot"], 0),
    ("page", ["check", "tests/fuzz/subjects/desk.m", "--report", "{out}", "--stepper", "vm"], 1),
]

# models for the program with the library, and their verdicts
HOSTED = [("tests/models/scalarset-graphs.m", 0), ("examples/peterson.m", 0), ("tests/fuzz/subjects/desk.m", 1), ("tests/models/scalarset-matrices.m", 0)]


def points(dense):
    number = 1
    while True:
        yield number
        number += 1 + number // (40 if dense else 2)


def run(binary, command, folder, refuse):
    """Exit status (negative: a signal), what was said, the JSON answer or None, the number of requests."""
    answer = pathlib.Path(folder, "answer.json")
    answer.write_text(OLD)
    words = [word.replace("{out}", str(pathlib.Path(folder, "out.html"))) for word in command]
    words += ["--json", str(answer)] if command[0] == "check" else []
    environment = os.environ | {"LD_PRELOAD": str(pathlib.Path(folder, "refuse.so")), "REFUSE": refuse, "NOETHER_CC": "/bin/false"}
    try:
        done = subprocess.run([binary, *words], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=patience.seconds(SECONDS))
    except subprocess.TimeoutExpired:
        return None, "", None
    return done.returncode, done.stdout + done.stderr, answer.read_text() if answer.exists() else None


def fault_of(status, said, answer, right, is_asked):
    if status is None:
        return "it does not end"
    if status not in (right, 3):
        return f"exit status {status}"
    if "internal error" in said:
        return "internal error"
    if status == 3 and "memory" not in said:
        return "no reason"
    if answer == OLD:
        return "the JSON answer of an earlier run is left in place" if is_asked else None
    if answer is not None:
        try:
            verdict = json.loads(answer)["verdict"]
        except (ValueError, KeyError):
            return "the JSON answer is not whole"
        if verdict not in ({0: "holds", 1: "violated"}[right], "unknown"):
            return f"the JSON answer says {verdict}"
    return None


def starve(binary, name, command, right, folder, dense):
    """Until no request is refused any more. Runs and the faults of them."""
    runs, faults = 0, []
    for how in ("one", "every", "rest"):
        clean = 0
        for number in points(dense):
            status, said, answer = run(binary, command, folder, f"{how}:{number}")
            runs += 1
            if fault := fault_of(status, said, answer, right, command[0] == "check"):
                faults.append(f"FAIL {name}, {how}:{number}: {fault}; {said.strip().splitlines()[-1:]}")
            clean = clean + 1 if status == right else 0
            if clean == 6 or len(faults) > 5:  # a request that may be refused is no end
                break
    return runs, faults


def starve_host(folder, model, right, dense):
    """As starve; the end is not seen from outside: so many points."""
    faults, runs = [], 0
    for how in ("one", "every", "rest"):
        for number in itertools.islice(points(dense), 250 if dense else 32):
            environment = os.environ | {"LD_PRELOAD": os.path.join(folder, "refuse.so"), "REFUSE": f"{how}:{number}"}
            try:
                done = subprocess.run([os.path.join(folder, "host"), model, str(right)], cwd=ROOT, env=environment, capture_output=True, text=True,
                                      errors="replace", timeout=patience.seconds(SECONDS))
                fault = done.returncode and f"exit status {done.returncode}; {done.stderr.strip()[-200:]}"
            except subprocess.TimeoutExpired:
                fault = "it does not end"
            runs += 1
            faults += [f"FAIL host {model}, {how}:{number}: {fault}"] if fault else []
    return runs, faults


def build_host(folder, library):
    if not library.exists():
        print(f"skipped: there is no {library}")
        return False
    subprocess.run(["cc", "-o", os.path.join(folder, "host"), ROOT / "tests/memory/host.c", "-I", ROOT / "include", library,
                    f"-Wl,-rpath,{library.parent}"], check=True)
    return True


def main():
    words = sys.argv[1:]
    only = words[words.index("--only") + 1] if "--only" in words else None
    binary = os.path.abspath(words[0])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", os.path.join(folder, "refuse.so"), ROOT / "tests/memory/refuse.c"], check=True)
        for name, command, right in CASES:
            if only not in (None, name):
                continue
            status, said, _ = run(binary, command, folder, "one:1000000000")
            if status != right:
                print(f"FAIL {name}: exit status {status} with memory: {said[-300:]}")
                failed += 1
                continue
            runs, faults = starve(binary, name, command, right, folder, "--dense" in words)
            print("\n".join(faults), end="\n" if faults else "")
            print(f"{'FAIL' if faults else 'ok  '} {name}: {runs} runs", flush=True)
            passed, failed = passed + runs - len(faults), failed + len(faults)
        has_host = only in (None, "host") and build_host(folder, pathlib.Path(binary).parent / "libnoether.so")
        for model, right in HOSTED if has_host else []:
            runs, faults = starve_host(folder, model, right, "--dense" in words)
            print("\n".join(faults), end="\n" if faults else "")
            print(f"{'FAIL' if faults else 'ok  '} host {model}: {runs} runs", flush=True)
            passed, failed = passed + runs - len(faults), failed + len(faults)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
