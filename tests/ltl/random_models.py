"""Random systems, formulas and fairness: the program, with and without symmetry, against oracle.py.

usage: random_models.py NOETHER [--count N] [--seed S]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import oracle
from generate import Model

MOST_STATES = 120


# What the random models must contain, in some model each.
WORDS = ("(X ", "(F ", "(G ", ") U (", ") W (", ") R (", ") M (", " leadsto ", "fairness weak Proc", "fairness strong Proc",
         'fairness weak "', 'fairness strong "', "fair ", " => ", "do fair ", "(forall y", "(exists y")


# Ways to check, by engine; those of a seed are the explicit ones, two of the symbolic engine's and one with counters.
EXPLICIT = (["--engine", "explicit", "--symmetry", "auto"], ["--engine", "explicit", "--symmetry", "off"])
SYMBOLIC = tuple(["--engine", "symbolic", "--method", method] for method in ("none", "dynamic", "orbit", "multiple", "onthefly"))
# What cannot be counted is refused, all of it or the formula, with a reason.
COUNTERS = (["--engine", "counter"], ["--engine", "symbolic", "--method", "generic"])
WRITTEN = ["noether", "reduce"]

def verdicts(noether, model, path, way):
    command = [noether, "check", path, *way, "--deadlock", "off", "--keep-going", "--warnings", "off", "--json", "-"]
    if model.drops_finite:
        command += ["--finite-runs", "drop"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if way in COUNTERS and done.returncode == 2 and "counter" in json.loads(done.stdout)["refusal"]:
        return {}
    if done.returncode not in (0, 1) and not (way in COUNTERS and done.returncode == 3):
        return f"exit status {done.returncode}: {done.stderr.strip()}{done.stdout[-2000:]}"
    answer = json.loads(done.stdout)
    return {entry["name"]: ("violated without a run" if entry["verdict"] == "violated" and not entry.get("trace")
                            else entry["verdict"], entry.get("reason")) for entry in answer["results"]
            if entry["kind"] == "ltl"}


def written(noether, model, path):
    """The verdicts of the model that `noether reduce` writes: of the formulas that can be written with counters."""
    with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
        done = subprocess.run([noether, "reduce", path], capture_output=True, text=True, timeout=120, check=False)
        file.write(done.stdout)
        file.flush()
        return verdicts(noether, model, file.name, EXPLICIT[0]) if done.stdout else {}


def expected(model):
    """None: the model or all its formulas are too large for the oracle."""
    system = model.system(MOST_STATES)
    uses_processes = any(item[0] != "fair" and item[1] is None for item in model.fairness)
    if system is None or (uses_processes and not model.has_processes()):
        return None
    pairs = model.pairs(system)
    out = {}
    for number, (_, make) in enumerate(model.formulas):
        try:
            out[f"f{number}"] = "holds" if oracle.holds(system, make({}), pairs) else "violated"
        except oracle.TooLarge:
            continue
    return out


def compare(seed, way, found, wanted, tally):
    """Counts verdicts, and says which are wrong; those that counters do not give are left out."""
    is_good, has_counters = True, way in COUNTERS or way == WRITTEN
    for name, verdict in wanted.items():
        if has_counters and (name not in found or "counter abstraction: " in str(found[name][1])):
            continue
        for word in (verdict, *(["counted"] if has_counters else [])):
            tally[word] = tally.get(word, 0) + 1
        if found[name][0] != verdict:
            print(f"seed {seed}, {' '.join(way)}, {name}: {found[name]}, expected {verdict}")
            is_good = False
    return is_good


def check(noether, seed, folder, tally):
    model = Model(seed)
    wanted = expected(model)
    if not wanted:
        return True
    path = os.path.join(folder, "model.m")
    text = model.text()
    for word in WORDS:
        tally[word] = tally.get(word, 0) + (word in text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    is_good = True
    for way in EXPLICIT + (SYMBOLIC[0], SYMBOLIC[1 + seed % 4], (*COUNTERS, WRITTEN)[seed // 4 % 3]):
        found = written(noether, model, path) if way == WRITTEN else verdicts(noether, model, path, way)
        if isinstance(found, str):
            print(f"seed {seed}, {' '.join(way)}: {found}")
            return False
        is_good &= compare(seed, way, found, wanted, tally)
    return is_good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the model of the seed")
    arguments = parser.parse_args()
    if arguments.show:
        print(Model(arguments.seed).text())
        return 0
    tally, bad = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            bad += not check(arguments.noether, seed, folder, tally)
    print(f"{arguments.count} models: {tally.get('holds', 0)} verdicts holds, {tally.get('violated', 0)} violated, "
          f"{tally.get('counted', 0)} of them with counters, {bad} models disagree")
    missing = [word for word in WORDS if not tally.get(word)] if arguments.count >= 100 else []
    if missing:
        print(f"no model has: {missing}")
    is_dull = (min(tally.get("holds", 0), tally.get("violated", 0)) < arguments.count / 5
               or tally.get("counted", 0) < arguments.count / 5)
    print(f"{arguments.count - bad} passed, {bad + bool(missing) + is_dull} failed")
    return 1 if bad or missing or is_dull else 0


if __name__ == "__main__":
    sys.exit(main())
