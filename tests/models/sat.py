#!/usr/bin/env python3
"""tests/models/sat.py [--only TEXT] [--all] BINARY: the sat engine, with every method, agrees with what every model in this folder
and in examples/ says in its header (expectation.py). A run that ends at its time limit says nothing, and hardly any may; a
property that the engine leaves out, or a model that it refuses, is named with the reason. Bounded model checking proves
nothing: it must find every violation, and the shortest run to it."""
import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile

from methods import LATE, Methods, read_arguments
from run import check, compare_violation, listed_cases, replay

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

# Larger state spaces are left to the benchmark.
STATES = 20000
MOST_UNDECIDED = 0.3  # of the models, by the default method
SECONDS = 2  # of a run
METHODS = ("auto", "ic3", "induction", "bmc")


def complaints(binary, case, method, folder):
    """What is wrong with one run: a list of sentences; a string: why it says nothing."""
    trace = pathlib.Path(folder) / "trace.json"
    options = {"engine": "sat", "method": method, "time": str(SECONDS)}
    done = check(binary, case, options, trace)
    if done.returncode == 2 and "refused" in done.stderr + done.stdout:
        return "refused: " + (done.stderr or done.stdout).strip().splitlines()[-1]
    if done.returncode not in (0, 1, 3):
        return [f"exit status {done.returncode}: {(done.stderr or done.stdout)[-600:].strip()}"]
    answer = json.loads(done.stdout)
    verdicts = {result["verdict"] for result in answer["results"]}
    if case.verdict == "holds" and "violated" in verdicts or case.verdict == "violated" and done.returncode == 0:
        return [f"exit status {done.returncode}, expected {case.verdict}"]
    if done.returncode == 3:
        return unknown_reason(answer)
    if case.verdict == "holds":
        return []
    if method in ("bmc", "induction"):
        return compare_violation(case, {"search": "bfs"}, answer) + replay(binary, case, answer, trace)
    # Another property may be violated, too, and found first.
    return compare_violation(dataclasses.replace(case, kind=""), {"search": "dfs"}, answer) + replay(binary, case, answer, trace)


def unknown_reason(answer):
    if any("the sat engine checks" in (result.get("reason") or "") for result in answer["results"]):
        return "left out"
    stopped = answer["stopped_by"] or ""
    if stopped.startswith("time limit"):
        return LATE
    return "refused" if "sat engine" in stopped else [f"unknown, since {stopped or 'nothing is said'}"]


def is_worth(case, method, excuses):
    """A model that one method refuses is refused by all; bounded model checking has nothing to say where all is well."""
    return all(why == LATE for why in excuses.values()) and (method != "bmc" or case.verdict == "violated")


# More starts than the engine lists, nearly all of them the same state.
MANY_STARTS = """var x: boolean;
ruleset i: 0..1000001 do startstate begin x := (i = 1000001); end; end;
rule "r" begin x := x; end;
invariant "i" !x;
"""


def many_starts(binary):
    """What is wrong where not all starts can be listed: nothing must be said to hold."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "starts.m"
        model.write_text(MANY_STARTS)
        done = subprocess.run([binary, "check", str(model), "--engine", "sat", "--deadlock", "off"], capture_output=True, text=True)
    return [] if done.returncode in (1, 3) else [f"a million starts: exit status {done.returncode}"]


def is_built(binary, case):
    """Does the program have the engine?"""
    return "built without" not in check(binary, case, {"engine": "sat"}, "/dev/null").stderr


def main():
    arguments = read_arguments(__doc__)
    cases = listed_cases(arguments.only, STATES)
    if cases and not is_built(arguments.binary, cases[0]):
        print("skipped: this program was built without a SAT solver\n0 passed, 0 failed")
        return 0
    wrong = many_starts(arguments.binary)
    print("".join(f"FAILED {sentence}\n" for sentence in wrong), end="")
    methods = Methods("sat", METHODS, lambda *run: complaints(arguments.binary, *run), is_worth, arguments.all)
    passed, failed, said = methods.run(cases)
    passed, failed = passed + int(not wrong), failed + len(wrong)
    if said["auto", LATE] > MOST_UNDECIDED * len(cases) and patience.seconds(1) == 1:
        print(f"FAILED: {said['auto', LATE]} of {len(cases)} models are too hard")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
