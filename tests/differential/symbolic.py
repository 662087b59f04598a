#!/usr/bin/env python3
"""The symbolic engine, with every method, against the explicit one, on the random models of generate.py.

    symbolic.py BINARY [--count N] [--seed S]

Model number i is made from seed S + i alone. Every property must get the same verdict, and the figures of a complete
search must be the same; the program itself replays every counterexample. The last line is "N passed, N failed"."""
import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

from generate import Model
from vocabulary import Root, Scope

STATES = 1500
SECONDS = 60
MOST_SHOWN = 5
METHODS = ("none", "dynamic", "orbit", "multiple", "onthefly", "frontier", "auto")
UNIQUE = ("dynamic", "orbit")


class TemporalModel(Model):
    """Half of the models have CTL properties, too, over conditions of any kind."""

    def formula(self, scope, depth, bound=0):
        r = self.random
        if depth == 0:
            return f"({self.make.boolean(scope, r.choice([1, 2]))})" if r.random() < 0.93 else "deadlock"
        left, right = (self.formula(scope, depth - 1, bound) for _ in range(2))
        shape = r.random()
        if shape < 0.5:
            return f"{r.choice(('EX', 'EF', 'EG', 'AX', 'AF', 'AG', 'EY', 'EP'))} ({left})"
        if shape < 0.62:
            return f"{r.choice('AE')}[{left} U {right}]"
        if shape < 0.68:
            return f"!({left})"
        if shape < 0.8 or bound > 1:
            return f"({left} {r.choice(('&', '|', '->'))} {right})"
        variable = Root(self.make.fresh("c"), r.choice(self.scalars()), False)
        body = self.formula(scope.extend(variable), depth - 1, bound + 1)
        return f"({r.choice(('forall', 'exists'))} {variable.text}: {variable.type} do {body} end)"

    def properties(self):
        lines, scope = super().properties(), Scope(self.globals)
        if self.seed % 2:
            depths = [self.random.choice([1, 2, 3]) for _ in range(2)]
            lines += [f'ctl "{"flat" if d == 1 else "nested"}{i}" {self.formula(scope, d)};' for i, d in enumerate(depths)]
        return lines


def options_of(method):
    return ["onthefly", "--frontier", "12"] if method == "frontier" else [method]


def ask(binary, model, *options):
    command = [binary, "check", model, "--json", "-", *options]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=patience.seconds(SECONDS), check=False)


def verdicts(answer):
    return [(result["name"], result["kind"], result["verdict"]) for result in answer["results"]]


def differences(expected, answer, keys):
    """What a complete search says otherwise. With symmetry a failure may hide another one: unknown."""
    wrong = [f"{one} instead of {other[2]}" for one, other in zip(verdicts(answer), verdicts(expected))
             if one != other and "unknown" not in (one[2], other[2])]
    if expected["stopped_by"] is None and answer["stopped_by"] is None:
        for key in keys:
            if answer["statistics"][key] != expected["statistics"][key]:
                wrong.append(f"{key} is {answer['statistics'][key]}, not {expected['statistics'][key]}")
    return wrong


def shortest_differences(expected, answer):
    """Of a search that stops at the first violation: the run must be as short. (Nested formulas are shown by a run, not by a
    shortest one.)"""
    lengths = [[len(result["trace"] or []) for result in one["results"]
                if result["verdict"] == "violated" and not result["name"].startswith("nested")] for one in (expected, answer)]
    return [] if lengths[0] == lengths[1] else [f"runs of {lengths[1]} steps, not {lengths[0]}"]


def examine_method(binary, model, method, common):
    """The same questions to the explicit engine, with the symmetry that the method uses."""
    symmetry = ["--symmetry", "off" if method == "none" else "declared"]
    keys = ("states", "rules_fired", "represented") if method == "none" or method in UNIQUE else ("represented",)
    if method == "auto":  # counters know nothing of what they stand for
        keys = ()
    for more in (["--keep-going"], []):
        reference = json.loads(ask(binary, model, "--engine", "explicit", *symmetry, *common, *more).stdout)
        done = ask(binary, model, "--engine", "symbolic", "--method", *options_of(method), *symmetry, *common, *more)
        if done.returncode not in (0, 1, 3) or not done.stdout:
            return f"{more}: exit status {done.returncode}: {done.stderr[-1500:]}"
        answer = json.loads(done.stdout)
        if "multiset" in (answer["stopped_by"] or ""):
            continue
        if not more and method == "frontier":  # its runs are not shortest
            continue
        wrong = differences(reference, answer, keys) if more else shortest_differences(reference, answer)
        if wrong:
            return f"{more}: {wrong}"
    return ""


def examine(binary, seed, folder):
    """What became of one model: (word, detail)."""
    model = os.path.join(folder, f"{seed}.m")
    with open(model, "w", encoding="ascii") as file:
        file.write(TemporalModel(seed).text())
    chance = random.Random(seed)
    common = ["--deadlock", chance.choice(["off", "stuck", "stuttering"])]
    plain = ask(binary, model, "--engine", "explicit", "--symmetry", "off", "--keep-going", "--states", str(STATES), *common)
    if plain.returncode == 2:
        return "invalid", plain.stderr
    if json.loads(plain.stdout)["stopped_by"] not in (None, "every property is decided"):
        return "large", ""
    for method in METHODS:
        wrong = examine_method(binary, model, method, common)
        if wrong:
            return "FAIL", f"{method} {' '.join(common)}: {wrong}"
    os.unlink(model)
    return "violated" if plain.returncode else "holds", ""


def examine_safely(binary, seed, folder):
    try:
        return examine(binary, seed, folder)
    except subprocess.TimeoutExpired as late:
        return "FAIL", f"took more than {SECONDS} s: {' '.join(late.cmd)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    print(f"seeds {seeds.start} to {seeds.stop - 1}", flush=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = list(pool.map(lambda seed: (seed, *examine_safely(arguments.binary, seed, folder)), seeds))
    for seed, _, detail in [outcome for outcome in outcomes if outcome[1] == "FAIL"][:MOST_SHOWN]:
        print(f"seed {seed}: {detail.strip()}")
    words = collections.Counter(word for _, word, _ in outcomes)
    print(", ".join(f"{count} {word}" for word, count in sorted(words.items())))
    print(f"{len(outcomes) - words['FAIL']} passed, {words['FAIL']} failed")
    return 1 if words["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
