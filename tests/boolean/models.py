#!/usr/bin/env python3
"""tests/boolean/models.py NOETHER: the Boolean programs and thread transition systems of tests/models/boolean do what their
head comments say, with every engine; and the figures of the literature for a lock (threads in the order of their start)
come out of the oracle.

    // noether: threads=3 recursion=2 verdict=holds canonical=423
    // noether: verdict=violated steps=16          the number of steps of the shortest run, the one that fails included
    // noether: threads=any verdict=violated least=3    however many threads there are; the least number that shows it"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

from generate import Procedure, text_of
from oracle import Oracle

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "models" / "boolean"
ENGINES = (["--engine", "explicit"], ["--engine", "explicit", "--symmetry", "off"], ["--engine", "counter"],
           ["--engine", "symbolic"], [])
KNOWN = {"threads", "recursion", "verdict", "canonical", "steps", "least"}
ORDERED = {3: 713, 4: 6688}  # states of taken.bp by number of threads


def cases(path):
    for line in re.findall(r"^(?://|#) noether: (.*)$", path.read_text(), re.M):
        case = dict(word.split("=") for word in line.split())
        assert case["verdict"] in ("holds", "violated", "unknown") and set(case) <= KNOWN, f"{path}: {line}"
        yield case


def options(case):
    for option, key in (("--threads-of-model", "threads"), ("--recursion", "recursion")):
        if case.get(key, "any") != "any":
            yield from (option, case[key])


def check(noether, path, case, engine, trace):
    words = [noether, "check", str(path), "--json", "-", "--trace", str(trace), *engine, *options(case)]
    return subprocess.run(words, capture_output=True, text=True, timeout=patience.seconds(60))


def replay(noether, path, case, trace):
    words = [noether, "replay", str(path), str(trace)]  # the trace has the options
    done = subprocess.run(words, capture_output=True, text=True, timeout=patience.seconds(60))
    return None if done.returncode == 0 else f"the trace does not replay: {done.stdout}{done.stderr}"


def complaints(noether, path, case, engine, folder):
    trace = pathlib.Path(folder) / "trace.json"
    done = check(noether, path, case, engine, trace)
    if done.returncode != {"holds": 0, "violated": 1, "unknown": 3}[case["verdict"]]:
        yield f"exit status {done.returncode}: {(done.stderr or done.stdout)[:400]}"
        return
    answer = json.loads(done.stdout)
    if "canonical" in case and engine == ENGINES[0] and answer["statistics"]["states"] != int(case["canonical"]):
        yield f"{answer['statistics']['states']} states, expected {case['canonical']}"
    if case.get("threads") == "any":
        every = answer["statistics"].get("every_size", {})
        if str(every.get("violated_with", "?")) != case.get("least", "None"):
            yield f"{every}, expected {case}"
    if case["verdict"] == "violated":
        runs = [result["trace"] for result in answer["results"] if result["verdict"] == "violated"]
        length = len(runs[0]["steps"]) - 1 if isinstance(runs[0], dict) else len(runs[0]) - 1
        if "steps" in case and length != int(case["steps"]):
            yield f"a run of {length} steps, expected {case['steps']}"
        wrong = replay(noether, path, case, trace)
        if wrong:
            yield wrong


def lock():
    """taken.bp as a tree."""
    free = lambda *items: [([], *item) for item in items]
    const, read = (lambda value: ("const", value)), (lambda name: ("read", name))
    main = free(("assign", ["up", "inside"], [const(False), const(False)], None),
                ("while", ("any",), free(("start_call", "guest", [], None))))
    guest = free(("assign", ["mine"], [const(False)], None),
                 ("while", ("not", read("mine")), free(("assign", ["mine", "up"], [("not", read("up")), const(True)], None))),
                 ("assert", ("not", read("inside"))), ("assign", ["inside"], [const(True)], None),
                 ("assign", ["inside"], [const(False)], None), ("assign", ["up"], [const(False)], None))
    return {"globals": [("up", None), ("inside", None)], "numbered": False, "recursion": 1, "unreachable": None,
            "procedures": {"main": Procedure("main", 0, [], [], [], main),
                           "guest": Procedure("guest", 0, [], [("mine", None)], [], guest)}}


def main():
    noether = sys.argv[1]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted([*FOLDER.glob("*.bp"), *FOLDER.glob("*.tts")]):
            found = list(cases(path))
            if not found:
                print(f"FAILED {path.name}: it does not say what is expected")
                failed += 1
            for case in found:
                for engine in ENGINES if case.get("threads") != "any" else [[], ["--engine", "cover"]]:
                    wrong = list(complaints(noether, path, case, engine, folder))
                    passed, failed = passed + (not wrong), failed + bool(wrong)
                    for problem in wrong:
                        print(f"FAILED {path.name} {case} {' '.join(engine)}: {problem}")
    for count, expected in ORDERED.items():
        found = Oracle(lock()).explore(count, 10**6, ordered=True)[:2]
        if found != ("holds", expected):
            print(f"FAILED the lock with {count} threads: {found}, expected {expected}")
            failed += 1
        passed += found == ("holds", expected)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
