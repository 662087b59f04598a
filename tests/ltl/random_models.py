"""Random systems, formulas and fairness: the program, with and without symmetry, against oracle.py (LTL) and fair_ctl.py
(CTL).

usage: random_models.py NOETHER [--count N] [--seed S]
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import fair_ctl
import oracle
import patience
from generate import Model, evaluate, text

MOST_STATES = 120


# What the random models must contain, in some model each.
WORDS = ("(X ", "(F ", "(G ", ") U (", ") W (", ") R (", ") M (", " leadsto ", "fairness weak Proc", "fairness strong Proc",
         'fairness weak "', 'fairness strong "', "fair ", " => ", "do fair ", "(forall y", "(exists y",
         "(EX ", "(AX ", "(EF ", "(AF ", "(EG ", "(AG ", "E[", "A[", "(forall c", "(exists c")


# Ways to check, by engine; those of a seed are the explicit ones, two of the symbolic engine's and one with counters.
EXPLICIT = (["--engine", "explicit", "--symmetry", "auto"], ["--engine", "explicit", "--symmetry", "off"])
SYMBOLIC = tuple(["--engine", "symbolic", "--method", method] for method in ("none", "dynamic", "orbit", "multiple", "onthefly"))
# What cannot be counted is refused, all of it or the formula, with a reason.
COUNTERS = (["--engine", "counter"], ["--engine", "symbolic", "--method", "generic"])
WRITTEN = ["noether", "reduce"]


def verdicts(noether, model, path, way, may_stop=False):
    command = [noether, "check", path, *way, "--deadlock", "off", "--keep-going", "--warnings", "off", "--json", "-"]
    if "explicit" in way:
        command.append("--witness")
    if model.drops_finite:
        command += ["--finite-runs", "drop"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=patience.seconds(120), check=False)
    if way in COUNTERS and done.returncode == 2 and "counter" in json.loads(done.stdout)["refusal"]:
        return {}
    if done.returncode not in (0, 1) and not ((way in COUNTERS or may_stop) and done.returncode == 3):
        return f"exit status {done.returncode}: {done.stderr.strip()}{done.stdout[-2000:]}"
    answer = json.loads(done.stdout)
    return {entry["name"]: ("violated without a run" if entry["kind"] == "ltl" and entry["verdict"] == "violated" and
                            not entry.get("trace") else entry["verdict"], entry.get("reason")) for entry in answer["results"]
            if entry["kind"] in ("ctl", "ltl")}


def written(noether, model, path):
    """The verdicts of the model that `noether reduce` writes: of the formulas that can be written with counters."""
    with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
        done = subprocess.run([noether, "reduce", path], capture_output=True, text=True, timeout=patience.seconds(120), check=False)
        file.write(done.stdout)
        file.flush()
        return verdicts(noether, model, file.name, EXPLICIT[0]) if done.stdout else {}


def branching(model, seed):
    """Formulas of branching time, with names."""
    formulas = fair_ctl.Formulas(model, random.Random(seed), text, evaluate)
    return [(f"c{number}", *formulas.property()) for number in range(3)]


def expected(model, ctl):
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
    checker = fair_ctl.Checker(system, pairs)
    if model.fairness or not model.drops_finite:  # without fairness, paths that end count for CTL
        out.update((name, "holds" if checker.holds(make({})) else "violated") for name, _, make in ctl)
    return out


def model_text(model, ctl):
    return model.text() + "".join(f'ctl "{name}" {formula};\n' for name, formula, _ in ctl)


def check_part(noether, seed, model, path, wanted, tally):
    """In a part of the states a violation is found, or nothing is said."""
    limit = random.Random(seed).randint(1, 30)
    found = verdicts(noether, model, path, [*EXPLICIT[seed % 2], "--states", str(limit)], True)
    if isinstance(found, str):
        print(f"seed {seed}, --states {limit}: {found}")
        return False
    is_good, is_part = True, any(verdict == "unknown" for verdict, _ in found.values())
    for name, verdict in wanted.items():
        tally["early"] = tally.get("early", 0) + (is_part and found[name][0] == "violated")
        if found[name][0] not in (verdict, "unknown") or "internal" in str(found[name][1]):
            print(f"seed {seed}, --states {limit}, {name}: {found[name]}, expected {verdict}")
            is_good = False
    return is_good


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
    ctl = branching(model, seed)
    wanted = expected(model, ctl)
    if not wanted:
        return True
    path = os.path.join(folder, "model.m")
    whole = model_text(model, ctl)
    for word in WORDS:
        tally[word] = tally.get(word, 0) + (word in whole)
    with open(path, "w", encoding="utf-8") as file:
        file.write(whole)
    is_good = True
    # CTL with fairness is for the explicit engine.
    rest, others = os.path.join(folder, "rest.m"), {name: verdict for name, verdict in wanted.items() if name[0] == "f" or not model.fairness}
    with open(rest, "w", encoding="utf-8") as file:
        file.write(model_text(model, [] if model.fairness else ctl))
    for way in EXPLICIT + (SYMBOLIC[0], SYMBOLIC[1 + seed % 4], (*COUNTERS, WRITTEN)[seed // 4 % 3]):
        file = path if way in EXPLICIT else rest
        found = written(noether, model, file) if way == WRITTEN else verdicts(noether, model, file, way)
        if isinstance(found, str):
            print(f"seed {seed}, {' '.join(way)}: {found}")
            return False
        is_good &= compare(seed, way, found, wanted if way in EXPLICIT else others, tally)
    return check_part(noether, seed, model, path, wanted, tally) and is_good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("--count", type=int, default=patience.many(60))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the model of the seed")
    arguments = parser.parse_args()
    if arguments.show:
        model = Model(arguments.seed)
        print(model_text(model, branching(model, arguments.seed)))
        return 0
    tally, bad = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            bad += not check(arguments.noether, seed, folder, tally)
    print(f"{arguments.count} models: {tally.get('holds', 0)} verdicts holds, {tally.get('violated', 0)} violated, "
          f"{tally.get('early', 0)} of these in a part of the states, {tally.get('counted', 0)} with counters, {bad} models disagree")
    missing = [word for word in WORDS if not tally.get(word)] if arguments.count >= 100 else []
    if missing:
        print(f"no model has: {missing}")
    is_dull = min(tally.get(word, 0) for word in ("holds", "violated", "early", "counted")) < arguments.count / 5
    print(f"{arguments.count - bad} passed, {bad + bool(missing) + is_dull} failed")
    return 1 if bad or missing or is_dull else 0


if __name__ == "__main__":
    sys.exit(main())
