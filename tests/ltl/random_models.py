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


# Ways to check, by engine; those of a seed are the explicit ones and one or two of the symbolic engine's, in turns.
EXPLICIT = (["--engine", "explicit", "--symmetry", "auto"], ["--engine", "explicit", "--symmetry", "off"])
SYMBOLIC = tuple(["--engine", "symbolic", "--method", method] for method in ("none", "dynamic", "orbit", "multiple", "onthefly"))

def verdicts(noether, model, path, way):
    command = [noether, "check", path, *way, "--deadlock", "off", "--keep-going", "--warnings", "off", "--json", "-"]
    if model.drops_finite:
        command += ["--finite-runs", "drop"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in (0, 1):
        return f"exit status {done.returncode}: {done.stderr.strip()}{done.stdout[-2000:]}"
    answer = json.loads(done.stdout)
    return {entry["name"]: ("violated without a run" if entry["verdict"] == "violated" and not entry.get("trace")
                            else entry["verdict"], entry.get("reason")) for entry in answer["results"]
            if entry["kind"] == "ltl"}


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
    for way in EXPLICIT + (SYMBOLIC[0], SYMBOLIC[1 + seed % 4]):
        found = verdicts(noether, model, path, way)
        if isinstance(found, str):
            print(f"seed {seed}, {' '.join(way)}: {found}")
            return False
        for name, verdict in wanted.items():
            tally[verdict] = tally.get(verdict, 0) + 1
            if found[name][0] != verdict:
                print(f"seed {seed}, {' '.join(way)}, {name}: {found[name]}, expected {verdict}")
                is_good = False
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
          f"{bad} models disagree")
    missing = [word for word in WORDS if not tally.get(word)] if arguments.count >= 100 else []
    if missing:
        print(f"no model has: {missing}")
    is_dull = min(tally.get("holds", 0), tally.get("violated", 0)) < arguments.count / 5
    print(f"{arguments.count - bad} passed, {bad + bool(missing) + is_dull} failed")
    return 1 if bad or missing or is_dull else 0


if __name__ == "__main__":
    sys.exit(main())
