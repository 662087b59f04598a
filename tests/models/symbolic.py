#!/usr/bin/env python3
"""tests/models/symbolic.py [--only TEXT] BINARY: the symbolic engine, with every method, does on every model in this
folder and in examples/ what the model's header says (expectation.py). A run that ends at its time limit says nothing; a
method may be too slow for a model, but hardly any may be so for the plain one."""
import argparse
import json
import os
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from run import check, compare_violation, listed_cases, replay

# Larger state spaces are left to the benchmark.
STATES = 150000
MOST_UNDECIDED = 10
SECONDS = 2
METHODS = ("none", "dynamic", "orbit", "multiple", "onthefly", "auto")
UNIQUE = ("dynamic", "orbit")


def complaints(binary, case, method, folder):
    """What is wrong with one run: a list of sentences."""
    trace = pathlib.Path(folder) / "trace.json"
    options = {"engine": "symbolic", "method": method, "search": "bfs", "time": str(SECONDS)}
    done = check(binary, case, options, trace)
    if done.returncode == 3 and is_excused(json.loads(done.stdout)["stopped_by"] or "", method):
        return None
    if done.returncode != {"holds": 0, "violated": 1}[case.verdict]:
        return [f"exit status {done.returncode}, expected {case.verdict}: {(done.stderr or done.stdout)[-600:].strip()}"]
    answer = json.loads(done.stdout)
    if case.verdict == "violated":
        return compare_violation(case, options, answer) + replay(binary, case, answer, trace)
    figures = answer["statistics"]
    if figures["represented"] is None and figures["seconds"] > SECONDS / 2 and method != "auto":
        return None  # the answer was in time, the count of what it stands for was not
    return compare_figures(case, method, figures)


def is_excused(stopped_by, method):
    return stopped_by.startswith("time limit") or (method in ("orbit", "multiple") and "multiset" in stopped_by)


def compare_figures(case, method, figures):
    if method == "auto":  # counters know nothing of what they stand for
        return []
    reduced = method in UNIQUE
    expected = {"represented": None if case.states is None else str(case.states)}
    if reduced or method == "none":
        expected["states"] = case.canonical if reduced else case.states
        expected["rules_fired"] = case.canonical_rules if reduced else case.rules
    return [f"{key} is {figures[key]}, expected {value}" for key, value in expected.items()
            if value is not None and figures[key] != value]


def run_case(binary, case):
    """Sentences about what is wrong, and the methods that did not end in time."""
    failures, late = [], []
    with tempfile.TemporaryDirectory() as folder:
        for method in METHODS:
            if "none" in late and method != "auto":  # then hardly any other ends in time
                continue
            found = complaints(binary, case, method, folder)
            if found is None:
                late.append(method)
            failures += [f"{case.name()} ({method}): {sentence}" for sentence in found or []]
    return failures, late


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--only", default="", help="models whose name contains this")
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    cases = listed_cases(arguments.only, STATES)
    passed = failed = undecided = 0
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for case, (failures, late) in zip(cases, pool.map(lambda case: run_case(binary, case), cases)):
            for sentence in failures:
                print("FAILED", sentence, flush=True)
            if late:
                print(f"{case.name()}: undecided with {', '.join(late)}", flush=True)
            undecided += "none" in late
            failed += bool(failures)
            passed += not failures
    if undecided > MOST_UNDECIDED:
        print(f"FAILED: {undecided} models are too hard for the plain method, at most {MOST_UNDECIDED} should be")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
