#!/usr/bin/env python3
"""tests/models/symbolic.py [--only TEXT] BINARY: the symbolic engine, with every method, does on every model in this
folder and in examples/ what the model's header says (expectation.py)."""
import argparse
import json
import os
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from expectation import read_model
from run import EXAMPLES, FOLDER, check, compare_violation, replay

# Larger state spaces are left to the benchmark.
STATES = 150000
# Multisets with many slots, which are kept in order, make transition relations that are too large.
TOO_HARD = {"msi", "mesi", "needham-schroeder -D LOWE_FIX=1 -D INITIATORS=2 -D RESPONDERS=2 --deadlock off"}
METHODS = ("none",)


def complaints(binary, case, method, folder):
    """What is wrong with one run: a list of sentences."""
    trace = pathlib.Path(folder) / "trace.json"
    options = {"engine": "symbolic", "method": method, "search": "bfs", "time": "60"}
    done = check(binary, case, options, trace)
    if done.returncode != {"holds": 0, "violated": 1}[case.verdict]:
        return [f"exit status {done.returncode}, expected {case.verdict}: {(done.stderr or done.stdout)[-600:].strip()}"]
    answer = json.loads(done.stdout)
    if case.verdict == "violated":
        return compare_violation(case, options, answer) + replay(binary, case, answer, trace)
    return compare_figures(case, method, answer["statistics"])


def compare_figures(case, method, figures):
    expected = {"states": case.states, "rules_fired": case.rules,
                "represented": None if case.states is None else str(case.states)}
    return [f"{key} is {figures[key]}, expected {value}" for key, value in expected.items()
            if value is not None and figures[key] != value]


def run_case(binary, case):
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for method in METHODS:
            failures += [f"{case.name()} ({method}): {sentence}"
                         for sentence in complaints(binary, case, method, folder)]
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--only", default="", help="models whose name contains this")
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    models = sorted(FOLDER.glob("*.m")) + sorted(EXAMPLES.glob("*.m"))
    cases = [case for model in models
             if arguments.only in model.name and "\nctl " not in model.read_text() for case in read_model(model)[0]
             if (case.verdict == "violated" or (case.states or STATES) < STATES) and case.name() not in TOO_HARD]
    passed = failed = 0
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for failures in pool.map(lambda case: run_case(binary, case), cases):
            for sentence in failures:
                print("FAILED", sentence, flush=True)
            failed += bool(failures)
            passed += not failures
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
