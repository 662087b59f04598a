#!/usr/bin/env python3
"""tests/differential/prism_slow.py [--count N] [--seed S] [--keep FOLDER] BINARY: small chains with tiny probabilities.

Random chains and decision processes of a few states that are left with probabilities down to 1e-12: components that no
iteration leaves in time, end components, with and without rewards, averages of runs that hardly ever move, invariants over many
steps. Every property is computed in exact arithmetic; the interval of doubles must contain the value and be as narrow as asked
for: unknown is a failure here. Fails also when few intervals were compared."""
import fractions
import pathlib
import random
import sys

import tally
from prism import outside
from prism_intervals import compare_runs

TINY = ("1e-3", "1e-6", "1e-9", "1e-12", "1/3", "1/2", "1/2")
RATES = ("1e-6", "1/3", "1", "1000", "1e9")
REWARDS = ("0", "0", "1", "1/3", "1000000", "1e-6")
EPSILON = fractions.Fraction(1, 10**6)


class Model:
    def __init__(self, seed):
        self.random = r = random.Random(seed)
        self.kind = r.choice(("dtmc", "mdp", "mdp", "ctmc"))
        self.top = r.randrange(2, 8)

    def command(self, state):
        r = self.random
        count = r.choice((1, 2, 2, 2, 3))
        targets = [r.randrange(self.top + 1) for _ in range(count)]
        if self.kind == "ctmc":
            return f"  [] s={state} -> " + " + ".join(f"{r.choice(RATES)}:(s'={t})" for t in targets) + ";"
        weights = [r.choice(TINY) for _ in range(count - 1)]
        if count == 3:  # together less than 1
            weights = [f"({w})/4" for w in weights]
        weights.append("-".join(["1", *(f"({w})" for w in weights)]))
        return f"  [] s={state} -> " + " + ".join(f"{w}:(s'={t})" for w, t in zip(weights, targets)) + ";"

    def text(self):
        r = self.random
        lines = [self.kind, "module m", f"  s : [0..{self.top}] init 0;"]
        for state in range(self.top + 1):
            is_last = state >= self.top - 1 and r.random() < 0.7
            lines += [] if is_last else [self.command(state) for _ in range(r.choice((1, 2, 3)) if self.kind == "mdp" else 1)]
        lines += ["endmodule", "rewards"] + [f"  s={state} : {r.choice(REWARDS)};" for state in range(self.top + 1)]
        return "\n".join([*lines, "endrewards"]) + "\n"

    def set(self):
        r = self.random
        states = r.sample(range(self.top + 1), r.choice((1, 1, 2)))
        return "(" + "|".join(f"s={state}" for state in states) + ")"

    def properties(self):
        r = self.random
        m = r.choice(("min", "max")) if self.kind == "mdp" else ""
        a, b, k = self.set(), self.set(), r.choice((2, 7, 40, 200))
        formulas = [f"P{m}=? [ F s={self.top} ]", f"P{m}=? [ !{a} U {b} ]", f"P{m}=? [ G !{a} ]", f"P{m}=? [ {a} W {b} ]",
                    f"R{m}=? [ F {b} ]", f"R{m}=? [ F s>={self.top - 1} ]", f"R{m}=? [ S ]", f"S{m}=? [ {a} ]"]
        if self.kind != "ctmc":
            formulas += [f"P{m}=? [ G<={k} !{a} ]", f"P{m}=? [ {a} R<={k} !{b} ]", f"P{m}=? [ !{a} W[2,{k}] {b} ]",
                         f"R{m}=? [ C<={k} ]", f"P>0 [ G<={k} !{a} ]", f"P<1 [ F<={k} {a} ]"]
        return "\n".join(formulas + [f"R{m}=? [ C ]"] * (self.kind != "mdp")) + "\n"


def wide(exact, result):
    """Why a number is no answer; nothing when it is."""
    if exact["verdict"] == "unknown":
        return ""
    if result["verdict"] == "unknown" and "=?" in result["name"]:
        return f"{result['name']}: unknown, {result.get('reason')}"
    ends = [result["value"][end] for end in ("lower", "upper")] if "value" in result else ["infinity"]
    if "infinity" in ends:
        return ""
    low, high = (fractions.Fraction(end) for end in ends)
    is_wide = high - low > EPSILON * high and high > fractions.Fraction(1e-300)  # below it doubles lose their digits
    return f"{result['name']}: from {float(low)} to {float(high)} is too wide" if is_wide else ""


def is_number(exact, result):
    return "value" in exact and exact["verdict"] != "unknown"


def compare(binary, seed, keep):
    return compare_runs(binary, pathlib.Path(keep) / str(seed), Model(seed), {"near": ("--time", "40")}, [outside, wide], is_number)


def summary(count, compared):
    return f"{compared} numbers compared", compared >= 5 * count


if __name__ == "__main__":
    sys.exit(tally.run(compare, 60, summary))
