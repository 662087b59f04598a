#!/usr/bin/env python3
"""tests/models/representatives.py BINARY: every way to a representative (--representative) gives the verdict that the model's header
expects, and keeps as many states as it should: as many as there are orbits where representatives are unique, no fewer elsewhere,
never more with ties broken than without, and all states when images are stored, too."""
import json
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

from expectation import Case, read_model

FOLDER = pathlib.Path(__file__).resolve().parent
DETECTED = sorted((FOLDER.parent / "detection" / "models").glob("*.m"))  # rings, trees, hypercubes: found, not declared
MODELS = sorted(FOLDER.glob("*.m")) + sorted((FOLDER.parents[1] / "examples").glob("*.m"))
WAYS = ["canonical", "sorted", "segmented", "enumerate", "local", "first", "markers", "flood", "nauty", "greedy"]
MOST_STATES = 20000  # of the unreduced model
REFUSALS = ["the group has more than", "the group is not a product", "flood and markers need"]
DOUBT = "up to marker collisions"
# What is said of the numbers of states: less, more.
ORDER = [("canonical", "segmented"), ("canonical", "local"), ("canonical", "first"), ("canonical", "enumerate"),
         ("enumerate", "canonical"), ("canonical", "nauty"), ("nauty", "canonical"), ("segmented", "sorted"),
         ("local", "sorted"), ("sorted", "flood"), ("canonical", "greedy"), ("greedy", "flood"), ("markers", "canonical")]


def check(binary, case, *options):
    words = [binary, "check", str(case.model), "--json", "-", "--deadlock", case.deadlock, "--stepper", "vm",
             "--threads", "1", *options]
    for define in case.defines:
        words += ["-D", define]
    return subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=patience.seconds(60))


def is_refused(done, way):
    return done.returncode == 2 and way in ("enumerate", "first", "markers", "flood", "nauty") and \
        any(reason in done.stderr for reason in REFUSALS)


def complaints_of_doubt(answer, way):
    """A marker may hide a state: "holds" must not stand there alone; elsewhere there is no doubt. (CTL and LTL properties are decided
    afterwards, on a graph of their own.)"""
    is_certain = answer["representative"] != "markers"
    for result in answer["results"]:
        if result["kind"] not in ("ctl", "ltl") and result["verdict"] == "holds" and not result.get("trace") and (DOUBT in (result["reason"] or "")) == is_certain:
            yield f"{way}: \"{result['name']}\" holds, reason {result['reason']}"


def complaints(binary, case):
    states = {}
    for way in WAYS:
        done = check(binary, case, "--representative", way)
        if is_refused(done, way):
            continue
        if done.returncode != {"holds": 0, "violated": 1}[case.verdict]:
            yield f"{way}: exit status {done.returncode}, expected {case.verdict}: {(done.stderr or done.stdout)[:300].strip()}"
            continue
        answer = json.loads(done.stdout)
        yield from complaints_of_doubt(answer, way)
        if case.verdict == "holds":
            states[way] = answer["statistics"]["states"]
    expected = {"canonical": case.canonical, "flood": case.states}
    for way, count in expected.items():
        if count is not None and states.get(way, count) != count:
            yield f"{way}: {states[way]} states, expected {count}"
    for less, more in ORDER:
        if states.get(less, 0) > states.get(more, float("inf")):
            yield f"{less} keeps {states[less]} states, {more} {states[more]}"


def is_wanted(case):
    """Those with symmetry, as far as the header tells."""
    if case.states is None or case.canonical is None:
        return case.verdict == "violated"
    return case.canonical < case.states <= MOST_STATES


def explored(binary, model):
    """What plain exploration says of a model, as its header would."""
    case = Case(model)
    answer = json.loads(check(binary, case, "--symmetry", "off").stdout)
    case.verdict = answer["verdict"]
    case.states = answer["statistics"]["states"] if answer["complete"] else None
    return case


def main():
    binary = sys.argv[1]
    cases = [case for model in MODELS for case in read_model(model)[0] if is_wanted(case)]
    cases += [case for case in (explored(binary, model) for model in DETECTED) if (case.states or 0) <= MOST_STATES]
    failed = 0
    with ThreadPoolExecutor(2) as pool:
        for case, wrong in zip(cases, pool.map(lambda case: list(complaints(binary, case)), cases)):
            failed += bool(wrong)
            for sentence in wrong:
                print(f"FAIL {case.name()}: {sentence}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
