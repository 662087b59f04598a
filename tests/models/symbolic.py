#!/usr/bin/env python3
"""tests/models/symbolic.py [--only TEXT] [--all] BINARY: the symbolic engine, with every method, does on every model in this
folder and in examples/ what the model's header says (expectation.py). A run that ends at its time limit says nothing; a
method may be too slow for a model, but hardly any may be so for the plain one."""
import json
import pathlib
import sys

from methods import LATE, Methods, read_arguments
from run import check, compare_violation, listed_cases, replay

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

# Larger state spaces are left to the benchmark.
STATES = 150000
MOST_UNDECIDED = 10
SECONDS = 2
METHODS = ("none", "dynamic", "orbit", "multiple", "onthefly", "auto")
UNIQUE = ("dynamic", "orbit")


def complaints(binary, case, method, folder):
    """What is wrong with one run: a list of sentences; a string: why it says nothing."""
    trace = pathlib.Path(folder) / "trace.json"
    options = {"engine": "symbolic", "method": method, "search": "bfs", "time": str(SECONDS)}
    done = check(binary, case, options, trace)
    if done.returncode == 3 and is_excused(json.loads(done.stdout)["stopped_by"] or "", method):
        return LATE
    if done.returncode != {"holds": 0, "violated": 1}[case.verdict]:
        return [f"exit status {done.returncode}, expected {case.verdict}: {(done.stderr or done.stdout)[-600:].strip()}"]
    answer = json.loads(done.stdout)
    figures = answer["statistics"]
    if case.verdict == "violated":
        has_run = all(result["trace"] for result in answer["results"] if result["verdict"] == "violated")
        if case.trace_length is not None and not has_run and figures["seconds"] > SECONDS / 2:
            return LATE  # there was no time for the run
        return compare_violation(case, options, answer) + replay(binary, case, answer, trace)
    # The answer may be in time, and the counts of rules and of what it stands for not.
    is_late = figures["represented"] is None and figures["seconds"] > SECONDS / 2
    if method != "auto" and (is_late or not figures["rules_fired_is_exact"]):
        return LATE
    return compare_figures(case, method, figures)


def is_excused(stopped_by, method):
    if "values, which the symbolic engine would have to distinguish" in stopped_by:  # said with its line
        return True
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


def is_worth(_, method, excuses):
    """Where the plain method does not end in time, hardly any other does."""
    return "none" not in excuses or method == "auto"


def main():
    arguments = read_arguments(__doc__)
    methods = Methods("symbolic", METHODS, lambda *run: complaints(arguments.binary, *run), is_worth, arguments.all)
    passed, failed, said = methods.run(listed_cases(arguments.only, STATES))
    undecided = said["none", LATE]
    if undecided > MOST_UNDECIDED and patience.seconds(1) == 1:
        print(f"FAILED: {undecided} models are too hard for the plain method, at most {MOST_UNDECIDED} should be")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
