#!/usr/bin/env python3
"""tests/models/run.py [--no-rumur] [--record] [--only TEXT] BINARY: every model in this folder and in examples/ does what its
header says (expectation.py), under every combination of options, and rumur agrees where it accepts the model. Rumur is asked about
models that have changed since its answers were recorded (rumur-answers.txt), with --record about all of them."""
import argparse
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

from expectation import read_model
from rumur import rumur_ask, rumur_digest, rumur_record, rumur_recorded

FOLDER = pathlib.Path(__file__).resolve().parent
EXAMPLES = FOLDER.parents[1] / "examples"
# Larger state spaces are left to the benchmark: what each option explores at most.
LIMITS = {"vm": 150000, "native": 150000, "evaluator": 15000, "rumur": 30000}
STEPPERS = ("vm", "evaluator") + (("native",) if shutil.which(os.environ.get("NOETHER_CC", "cc")) else ())
SECONDS = 60


def check(binary, case, options, trace):
    words = [binary, "check", str(case.model), "--engine", "explicit", "--json", "-", "--trace", str(trace),
             "--deadlock", case.deadlock]
    for define in case.defines:
        words += ["-D", define]
    words += [word for key, value in options.items() for word in (f"--{key}", value) if word is not None]
    return subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=patience.seconds(SECONDS))


def complaints(binary, case, options, folder):
    """What is wrong with one run: a list of sentences."""
    trace = pathlib.Path(folder) / "trace.json"
    try:
        done = check(binary, case, options, trace)
    except subprocess.TimeoutExpired:
        return [f"takes more than {SECONDS} s"]
    if done.returncode != {"holds": 0, "violated": 1}[case.verdict]:
        return [f"exit status {done.returncode}, expected {case.verdict}: {(done.stderr or done.stdout)[:600].strip()}"]
    answer = json.loads(done.stdout)
    wrong = compare_figures(case, options, answer)
    if case.verdict == "violated":
        wrong += compare_violation(case, options, answer)
        wrong += replay(binary, case, answer, trace)
    return wrong


def compare_figures(case, options, answer):
    reduced = options["symmetry"] == "detected"
    figures = answer["statistics"]
    expected = {"states": case.canonical if reduced else case.states,
                "rules_fired": case.canonical_rules if reduced else case.rules,
                "represented": None if case.states is None else str(case.states)}
    wrong = [f"{key} is {figures[key]}, expected {value}" for key, value in expected.items()
             if value is not None and figures[key] != value]
    if answer["verdict"] != case.verdict:
        wrong.append(f"verdict {answer['verdict']} but exit status of {case.verdict}")
    if case.verdict == "holds" and not answer["complete"]:
        wrong.append("holds, but the search was not complete")
    return wrong


def compare_violation(case, options, answer):
    violated = [result for result in answer["results"] if result["verdict"] == "violated"]
    if len(violated) != 1:
        return [f"{len(violated)} properties violated"]
    result = violated[0]
    wrong = []
    if case.kind and result["kind"] != case.kind:
        wrong.append(f"kind {result['kind']}, expected {case.kind}")
    # Depth first may come upon another property first; the shortest run leads to this one.
    if options["search"] == "dfs":
        return wrong
    if case.property and result["name"] != case.property:
        wrong.append(f"property \"{result['name']}\", expected \"{case.property}\"")
    if case.trace_length is not None and len(result["trace"]) - 1 != case.trace_length:
        wrong.append(f"a trace of {len(result['trace']) - 1} steps, the shortest has {case.trace_length}")
    return wrong


def replay(binary, case, answer, trace):
    if not any(result["trace"] for result in answer["results"] if result["verdict"] == "violated"):
        return []  # a goal that is never met has no run to show
    words = [binary, "replay", str(case.model), str(trace)]
    for define in case.defines:
        words += ["-D", define]
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=patience.seconds(SECONDS))
    return [] if done.returncode == 0 else [f"the trace does not replay: {(done.stderr or done.stdout)[:300].strip()}"]


# How states are kept and by how many threads: options that only a breadth-first search has.
STORES = [{"threads": "1"}, {"threads": "2"}, {"threads": "3", "hash-compact": None}, {"store": "plain"}]


def combinations(case):
    for options in plain_combinations(case):
        stores = STORES if options["search"] == "bfs" and options["stepper"] == "vm" else STORES[:1]
        for store in stores:
            yield {**options, **store}


def plain_combinations(case):
    """The order of the search does not concern the stepper: one stepper is enough for the second order."""
    reductions = ("off",) if case.model.suffix == ".pml" and case.canonical is None else ("off", "detected")
    for symmetry, search, stepper in itertools.product(reductions, ("bfs", "dfs"), STEPPERS):
        if search == "dfs" and stepper != "vm":
            continue
        if case.verdict == "holds":
            size = case.canonical if symmetry == "detected" else case.states
            if size is None or size > LIMITS[stepper]:
                continue
        yield {"symmetry": symmetry, "search": search, "stepper": stepper}
    if len(reductions) == 1:  # whatever symmetry is found, the verdict is the same
        yield {"symmetry": "auto", "search": "dfs", "stepper": "vm"}


def run_case(binary, case):
    failures, runs = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for options in combinations(case):
            runs += 1
            for sentence in complaints(binary, case, options, folder):
                failures.append(f"{case.name()} ({' '.join(value or key for key, value in options.items())}): {sentence}")
    return runs, failures


def run_rumur(case, answers):
    answer = answers.get(rumur_digest(case.model, case.deadlock)) or rumur_ask(case.model, case.deadlock, SECONDS)
    if isinstance(answer, str):
        return 1, [f"{case.name()}: {answer}"]
    verdict, states, rules = answer
    wrong = []
    if verdict != case.verdict:
        wrong.append(f"rumur says {verdict}, expected {case.verdict}")
    elif verdict == "holds":
        for what, got, expected in (("states", states, case.states), ("rules", rules, case.rules)):
            if expected is not None and got != expected:
                wrong.append(f"rumur has {got} {what}, expected {expected}")
    return 1, [f"{case.name()}: {sentence}" for sentence in wrong]


def listed_cases(only, states=None):
    """The Murphi models of this folder and of examples/ whose name contains this; of those that hold, those of fewer states than `states`."""
    models = sorted(FOLDER.glob("*.m")) + sorted(EXAMPLES.glob("*.m"))
    return [case for model in models if only in model.name for case in read_model(model)[0]
            if states is None or case.verdict == "violated" or (case.states or states) < states]


def cases_of(models):
    """(case, does rumur have an opinion)"""
    for model in models:
        cases, rumur = read_model(model)
        for case in cases:
            is_small = case.verdict == "violated" or (case.states or 0) <= LIMITS["rumur"]
            yield case, rumur == "yes" and not case.defines and is_small


def jobs_of(models, binary, with_rumur, is_installed):
    answers = rumur_recorded()
    for case, is_for_rumur in cases_of(models):
        yield run_case, (binary, case)
        if with_rumur and is_for_rumur and (is_installed or rumur_digest(case.model, case.deadlock) in answers):
            yield run_rumur, (case, answers)


def record(models):
    asked = [case for case, is_for_rumur in cases_of(models) if is_for_rumur]
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        answers = list(pool.map(lambda case: (case.model, case.deadlock, rumur_ask(case.model, case.deadlock, SECONDS)), asked))
    rumur_record([answer for answer in answers if not isinstance(answer[2], str)])
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--no-rumur", action="store_true", help="do not compare with rumur")
    parser.add_argument("--record", action="store_true", help="only ask rumur about all models, and keep its answers")
    parser.add_argument("--only", default="", help="models whose name contains this")
    arguments = parser.parse_args()
    is_installed = shutil.which("rumur") is not None
    if not is_installed and not arguments.no_rumur:
        print("rumur is not installed: only models that it was asked about are compared")
    binary = str(pathlib.Path(arguments.binary).resolve())
    models = sorted(FOLDER.glob("*.m")) + sorted(EXAMPLES.glob("*.m")) + sorted(EXAMPLES.glob("*.pml"))
    models = [model for model in models if arguments.only in model.name]
    if arguments.record:
        return record(models)
    jobs = list(jobs_of(models, binary, not arguments.no_rumur, is_installed))
    passed = failed = 0
    os.environ["NOETHER_CFLAGS"] = "-O0"  # each model is compiled once
    with tempfile.TemporaryDirectory() as cache, ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        os.environ["XDG_CACHE_HOME"] = cache
        for runs, failures in pool.map(lambda job: job[0](*job[1]), jobs):
            for sentence in failures:
                print("FAILED", sentence, flush=True)
            failed += bool(failures)
            passed += max(0, runs - bool(failures))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
