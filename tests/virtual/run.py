#!/usr/bin/env python3
"""tests/virtual/run.py NOETHER: the number of states and of orbits of models with a virtual symmetry, and verdicts.

Steps of these models distinguish processes. Where the orbits of all permutations are a bisimulation all the same, the
quotient has one state for each of them; where they are none, the quotient would hide a violation."""
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

HERE = pathlib.Path(__file__).resolve().parent


def waiting(n):
    """All may wait, and one of them is in: 2^n + n 2^(n-1) states."""
    return 2 ** n + n * 2 ** (n - 1)


# Model: states and orbits with n processes.
FAMILY = {
    "least": (waiting, lambda n: 2 * n + 1),
    "near": (waiting, lambda n: 2 * n + 1),
    "ranks": (waiting, lambda n: 2 * n + 1),
    "yield": (waiting, lambda n: 2 * n + 1),
    "owner": (waiting, lambda n: 2 * n + 1),
    "exchange": ({3: 16, 4: 40, 5: 96, 6: 224, 8: 1152, 10: 5632}.get, lambda n: 2 * n + 1),
    "slots": ({3: 26, 4: 72, 5: 192, 6: 496, 8: 3072, 10: 17664}.get, lambda n: 3 * n),
    "never-enabled": ({3: 44, 4: 112, 5: 272, 6: 640}.get, lambda n: 4 * n + 1),
    "sorted-exchange": (lambda n: 2 * n, lambda n: 3),
}
# Model, properties, processes -> exit status, how many states at most, and is the symmetry virtual?
VERDICTS = [
    ("least", "enter", 20, 0, 41, True), ("near", "enter", 20, 0, 41, True), ("slots", "enter", 10, 0, 30, True),
    ("ranks", "enter", 8, 0, 17, True), ("yield", "enter", 8, 0, 17, True), ("owner", "enter", 20, 0, 41, True),
    ("least", "exclusion", 14, 0, 29, True), ("readers", "join", 6, 1, None, False), ("barred", "enter", 6, 1, None, False),
    # In an orbit of all permutations some states violate it, and others do not: the group is smaller.
    ("least", "first", 5, 1, None, False),
    # Processes are followed from step to step, which the orbits do not allow.
    ("least", "each", 5, 1, None, False), ("least", "past", 5, 0, None, False),
]


def answer(noether, arguments):
    done = subprocess.run([noether, "check", *arguments, "--deadlock", "off", "--json", "-"], cwd=HERE, capture_output=True,
                          text=True, timeout=patience.seconds(120), check=False)
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        return done.returncode, {"broken": done.stdout + done.stderr}


def count_wrong(noether, model, n, options, expected, is_virtual):
    status, found = answer(noether, [f"{model}.m", "-D", f"n={n}", *options])
    if status != 0 or int(found["statistics"]["states"]) != expected:
        return f"{model} n={n} {' '.join(options)}: exit {status}, {found.get('statistics', found)}, not {expected} states"
    if any(factor.get("is_virtual", False) for factor in found["symmetry"]["factors"]) != is_virtual:
        return f"{model} n={n} {' '.join(options)}: {found['symmetry']}"
    return None


def verdict_wrong(noether, model, properties, n, expected, most, is_virtual):
    status, found = answer(noether, [f"{model}.m", f"{properties}.props", "-D", f"n={n}", "--keep-going"])
    if status != expected or (most and int(found["statistics"]["states"]) > most):
        return f"{model} {properties} n={n}: exit {status}, {found.get('statistics', found)}"
    if any(factor.get("is_virtual", False) for factor in found["symmetry"]["factors"]) != is_virtual:
        return f"{model} {properties} n={n}: {found['symmetry']}"
    _, plain = answer(noether, [f"{model}.m", f"{properties}.props", "-D", f"n={min(n, 10)}", "--keep-going", "--symmetry", "off"])
    left, right = ({entry["name"]: entry["verdict"] for entry in side["results"]} for side in (found, plain))
    return None if left == right else f"{model} {properties} n={n}: {left}, without symmetry {right}"


def main():
    noether = pathlib.Path(sys.argv[1]).resolve()
    _, found = answer(noether, ["least.m", "--engine", "sat"])
    if "built without" in str(found):
        print("skipped: without a SAT solver no virtual symmetry is proved\n0 passed, 0 failed, 1 skipped")
        return 0
    wrong, tests = [], 0
    for model, (states, orbits) in FAMILY.items():
        for n in (3, 4, 5, 6, 8, 10):
            wrong.append(count_wrong(noether, model, n, [], orbits(n), True))
            wrong.append(states(n) and count_wrong(noether, model, n, ["--symmetry", "off"], states(n), False))
            tests += 2
    for row in VERDICTS:
        wrong.append(verdict_wrong(noether, *row))
        tests += 1
    wrong = [line for line in wrong if line]
    for line in wrong:
        print("FAILED", line)
    print(f"{tests - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
