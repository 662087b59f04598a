#!/usr/bin/env python3
"""tests/models/partial.py [--only TEXT] BINARY: the engines for partial symmetry, and what auto picks, say about every
property of every model in this folder and in examples/ what plain exploration says, or refuse the model."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

from run import listed_cases

# Larger state spaces are left to the differential tests and the benchmark.
STATES = 3000
SECONDS = 30
ENGINES = ("adaptive", "complete", "auto")
LEAST_TAKEN = 10  # models, by each engine


def ask(binary, case, engine, *options):
    defines = [word for define in case.defines for word in ("-D", define)]
    done = subprocess.run([binary, "check", str(case.model), "--engine", engine, "--json", "-", "--keep-going", "--deadlock",
                           case.deadlock, *defines, *options], capture_output=True, text=True, timeout=patience.seconds(SECONDS), check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr.strip()


def verdicts(answer):
    return [(result["name"], result["kind"], result["verdict"]) for result in answer["results"]]


def lengths(answer):
    """Of the runs that the engine shows; None where there is none."""
    return [result["trace"] and len(result["trace"]) for result in answer["results"]]


def complaint(expected, engine, status, answer, error):
    """What is wrong with an answer; "" when the engine refuses the model, None when all is well."""
    if status == 2 and error:
        return "" if engine != "auto" else f"refused: {error}"
    if status not in (0, 1) or not answer:
        return f"exit status {status}: {error}"
    if verdicts(answer) != verdicts(expected):
        return f"{verdicts(answer)} instead of {verdicts(expected)}"
    if engine == "adaptive" and lengths(answer) != lengths(expected):
        return f"runs of {lengths(answer)} states instead of {lengths(expected)}"
    return None


def run_case(binary, case):
    """By engine: what is wrong; nothing where the model is too large."""
    try:
        status, expected, _ = ask(binary, case, "explicit", "--symmetry", "off", "--states", str(STATES))
        if status == 3 or not expected:
            return {}
        return {engine: complaint(expected, engine, *ask(binary, case, engine)) for engine in ENGINES}
    except subprocess.TimeoutExpired as late:
        return {"time": f"more than {SECONDS} s: {' '.join(late.cmd)}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--only", default="", help="models whose name contains this")
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    cases = listed_cases(arguments.only)
    passed = failed = 0
    taken = dict.fromkeys(ENGINES, 0)
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for case, found in zip(cases, pool.map(lambda case: run_case(binary, case), cases)):
            for engine, wrong in found.items():
                taken[engine] = taken.get(engine, 0) + (wrong is None)
                failed += bool(wrong)
                passed += not wrong
                if wrong:
                    print(f"FAILED {case.name()} ({engine}): {wrong}", flush=True)
    for engine in ENGINES:
        if not arguments.only and taken[engine] < LEAST_TAKEN:
            print(f"FAILED: the engine {engine} takes {taken[engine]} of the models only")
            failed += 1
    print(", ".join(f"{engine} took {count}" for engine, count in taken.items()))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
