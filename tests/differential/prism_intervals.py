#!/usr/bin/env python3
"""tests/differential/prism_intervals.py [--count N] [--seed S] [--keep FOLDER] BINARY: every interval contains the value.

Random chains and decision processes, small enough for exact arithmetic, whose values are fractions that no double is: steps
with denominators like 3, 7 and 10, on their own or multiplied (modules that synchronise), or with powers of two, many
steps long. Every property is computed in exact arithmetic, and must lie in the interval of every engine: state by state,
and of sets of states with numbers in arrays and in diagrams. An interval that is one double wide must still contain
it: a rounding that goes the wrong way once is seen. Fails also when few intervals were compared."""
import json
import pathlib
import random
import subprocess
import sys

import tally
from prism import SECONDS, outside

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

DENOMINATORS = (3, 5, 6, 7, 9, 10, 11, 13, 100)
REWARDS = ("0.1", "1/3", "2.7", "1e-3", "7/11", "123.456")
# Doubles hold these as they are, and no margin for them hides a rounding: after some steps values have too many digits.
SHORT_DENOMINATORS = (4, 8, 16, 32)
SHORT_REWARDS = ("0.25", "1.375", "3")
RUNS = {
    "explicit": (),
    "arrays": ("--engine", "symbolic", "--method", "none", "--vectors", "arrays"),
    "diagrams": ("--engine", "symbolic", "--method", "none", "--vectors", "diagrams"),
    "narrow": ("--epsilon", "1e-13"),
}


class Walk:
    """A walk over 0..top that ends at 0 or at the top; perhaps another module goes with it."""

    def __init__(self, seed):
        self.random = r = random.Random(seed)
        self.kind = r.choice(("dtmc", "dtmc", "mdp", "ctmc"))
        self.top = r.randrange(3, 9)
        self.is_short = r.random() < 0.5
        self.rewards = SHORT_REWARDS if self.is_short else REWARDS
        self.has_other = self.kind != "ctmc" and r.random() < 0.4

    def parts(self, count):
        """Fractions that add up to one, as text: 3/7 or, of tenths and hundredths, 0.3."""
        r = self.random
        below = r.choice([d for d in (SHORT_DENOMINATORS if self.is_short else DENOMINATORS) if d > count])
        cuts = sorted(r.sample(range(1, below), count - 1))
        numbers = [b - a for a, b in zip([0, *cuts], [*cuts, below])]
        is_decimal = below in (10, 100)
        return [f"{n / below:g}" if is_decimal else f"{n}/{below}" for n in numbers]

    def command(self, variable, value, top, action):
        r = self.random
        others = [v for v in range(top + 1) if v != value or r.random() < 0.3]
        targets = r.sample(others, min(len(others), r.choice((2, 2, 3))))
        if r.random() < 0.7:  # it gets on
            targets[0] = min(top, value + 1)
        targets = list(dict.fromkeys(targets))
        updates = " + ".join(f"{p}:({variable}'={t})" for p, t in zip(self.parts(len(targets)), targets)) \
            if len(targets) > 1 else f"({variable}'={targets[0]})"
        return f"  [{action}] {variable}={value} -> {updates};"

    def text(self):
        r = self.random
        action = "t" if self.has_other else ""
        lines = [self.kind, "module walk", f"  x : [0..{self.top}] init {r.randrange(1, self.top)};"]
        for value in range(1, self.top):
            lines += [self.command("x", value, self.top, action)
                      for _ in range(r.choice((1, 2)) if self.kind == "mdp" else 1)]
        lines += [f"  [{action}] x=0 | x={self.top} -> true;", "endmodule"]
        if self.has_other:
            lines += ["module other", "  y : [0..2];"] + [self.command("y", v, 2, action) for v in range(3)] + ["endmodule"]
        lines += ['rewards "r"', f"  x>0 & x<{self.top} : {r.choice(self.rewards)};",
                  f"  x={r.randrange(1, self.top)} : {r.choice(self.rewards)};"]
        lines += [f"  [t] y=1 : {r.choice(self.rewards)};"] * (self.has_other and r.random() < 0.5)
        return "\n".join(lines + ["endrewards"]) + "\n"

    def properties(self):
        r, top = self.random, self.top
        m = r.choice(("min", "max")) if self.kind == "mdp" else ""
        bound = f"<={r.randrange(1, 60)}" if self.kind != "ctmc" else ""
        also = " & y=1" if self.has_other else ""
        formulas = [f"P{m}=? [ F x={top} ]", f"P{m}=? [ x!={r.randrange(1, top)} U x={top}{also} ]", f"P{m}=? [ G x!={top} ]",
                    f"P{m}=? [ F{bound} x={top}{also} ]", f"P{m}=? [ G{bound} x!=0 ]", f"P{m}=? [ X x={r.randrange(top + 1)} ]",
                    f'R{{"r"}}{m}=? [ F x=0 | x={top} ]']
        if self.kind != "ctmc":
            formulas += [f'R{{"r"}}{m}=? [ C<={r.randrange(1, 60)} ]', f'R{{"r"}}{m}=? [ I={r.randrange(40)} ]']
        return "\n".join(formulas) + "\n"


def check(binary, folder, name, *options):
    answer = folder / f"{name}.json"
    done = subprocess.run([binary, "check", str(folder / "model.prism"), str(folder / "model.props"), "-q", "--json", str(answer), *options],
                          capture_output=True, text=True, timeout=patience.seconds(SECONDS))
    return (json.loads(answer.read_text())["results"] if answer.exists() and done.returncode != 2 else None), (done.stderr or done.stdout).strip()


def is_inner(exact, result):
    """Is there an exact value that rounding may miss, and an interval for it?"""
    value = exact.get("value", {}).get("exact")
    return bool(value) and value not in ("0", "1", "infinity") and result["verdict"] != "unknown"


def compare_runs(binary, folder, model, runs, mistakes, is_counted):
    """The model in exact arithmetic and in each of the runs: the mistakes, and how many results of each run count."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.prism").write_text(model.text())
    (folder / "model.props").write_text(model.properties())
    exact, problem = check(binary, folder, "exact", "--exact")
    if exact is None:
        return [f"exact: {problem or 'no answer'}"], *([0] * len(runs))
    found, counts = [], []
    for name, options in runs.items():
        results, problem = check(binary, folder, name, *options)
        if results is None:
            found.append(f"{name}: {problem or 'no answer'}")
            results = []
        found += [f"{name}: {why}" for a, b in zip(exact, results) for mistake in mistakes for why in [mistake(a, b)] if why]
        counts.append(sum(is_counted(a, b) for a, b in zip(exact, results)))
    return found, *counts


def compare(binary, seed, keep):
    return compare_runs(binary, pathlib.Path(keep) / str(seed), Walk(seed), RUNS, [outside], is_inner)


def summary(count, *inner):
    told = ", ".join(f"{number} {name}" for name, number in zip(RUNS, inner))
    return f"values that are not 0 or 1, in intervals: {told}", all(number >= 2 * count for number in inner)


if __name__ == "__main__":
    sys.exit(tally.run(compare, 120, summary))
