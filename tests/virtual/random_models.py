#!/usr/bin/env python3
"""tests/virtual/random_models.py NOETHER [--count N] [--seed S]: random models whose steps distinguish processes, checked
by default and without symmetry: the same verdicts, and for violated invariants runs of the same length.

Many of them have a virtual symmetry; some look as if they had one, and have none. Both must occur."""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

LOCATIONS = ["N", "T", "C"]


class Model:
    """Processes that try, enter and leave, perhaps with an owner and a counter."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.size = self.random.randint(3, 4)
        self.has_owner = self.random.random() < 0.3
        self.has_count = self.random.random() < 0.4
        self.has_holes = self.random.random() < 0.1  # a process may be without a state
        self.deadlock = self.random.choice(["off", "stuck", "stuttering"])

    def formula(self, process):
        """A condition about a process that names nobody."""
        here, other = self.random.choice(LOCATIONS), self.random.choice(LOCATIONS)
        texts = [f"st[{process}] = {here}", f"st[{process}] != {here}", f"forall q: P do st[q] != {other} end",
                 f"exists q: P do q != {process} & st[q] = {other} end"]
        if self.has_count:
            texts.append(f"k < {self.random.randint(1, 3)}")
        if self.has_owner:
            texts += ["isundefined(owner)", f"!isundefined(owner) & owner = {process}"]
        return "(" + self.random.choice(texts) + ")"

    def choice(self, here):
        """A condition on p by which one of several in the same place is chosen, or one that is left out for ever."""
        some = self.random.randint(1, self.size)
        rank = self.random.choice(["{}", "{} / 2", "({} + 1) % 3", "-{}"])
        mine, other = rank.format("p"), rank.format("q")
        if self.random.random() < 0.6:
            return f"(forall q: P do ({other}) < ({mine}) -> st[q] != {here} end)"
        return self.random.choice([
            f"(forall q: P do q > p -> st[q] != {here} end)",
            f"(p != {some} | forall q: P do q = {some} | st[q] != {here} end)",
            f"(p = {some} | exists q: P do st[q] != {here} end)",
            f"(p = {some} | st[{some}] != {here})",
            f"(exists q: P do q < p & st[q] = {here} end | p = {some})",
            f"p != {some}",
            f"(forall q: P do q != p -> st[q] != {here} end | p < {some})",
        ])

    def effect(self, here):
        there = self.random.choice(LOCATIONS)
        if there == here:
            there = LOCATIONS[(LOCATIONS.index(here) + 1) % 3]
        lines = [f"st[p] := {there};"]
        a, b = self.random.randint(1, self.size), self.random.randint(1, self.size)
        if self.random.random() < 0.15:
            lines.append(f"if p = {a} then x := st[{a}]; st[{a}] := st[{b}]; st[{b}] := x; end;")
        if self.random.random() < 0.05:
            lines.append(f"if st[{a}] = {here} then st[{a}] := {there}; end;")
        if self.has_owner and self.random.random() < 0.6:
            lines.append(self.random.choice(["owner := p;", "undefine owner;", f"if p != {a} then owner := p; end;"]))
        if self.has_count and self.random.random() < 0.5:
            lines.append(self.random.choice(["k := (k + 1) % 4;", "k := 0;", f"if p = {a} then k := 1; else k := 1; end;"]))
        if self.has_holes and self.random.random() < 0.2:
            lines.append("undefine st[p];")
        if self.random.random() < 0.1:
            lines.append(f"assert \"room\" exists q: P do st[q] != {there} end;")
        return " ".join(lines)

    def rule(self, number):
        here = LOCATIONS[number % 3]
        guard = [f"st[p] = {here}"]
        if self.random.random() < 0.4:
            guard.append(self.formula("p"))
        if self.random.random() < 0.6:
            guard.insert(self.random.randint(0, len(guard)), self.choice(here))
        return f'  rule "r{number}" {" & ".join(guard)} ==> var x: L; begin {self.effect(here)} end;\n'

    def claim(self):
        """A condition without a free process."""
        bad, n = self.random.choice(LOCATIONS), self.random.choice(["forall", "exists"])
        return self.random.choice([
            f"({n} p: P do {self.formula('p')} end)",
            f"(forall p: P do forall q: P do p = q | st[p] != {bad} | st[q] != {bad} end end)",
            f"(exists p: P do exists q: P do p != q & st[p] = {bad} & st[q] = {bad} end end)",
        ])

    def properties(self):
        one, two = self.claim(), self.claim()
        texts = [f"invariant \"a\" {one} | {two};", f"ctl \"b\" AG ({one} -> EX {two});", f"ctl \"c\" AG EF {one};",
                 f"ltl \"d\" G ({one} -> X {two});", f"ltl \"e\" G F {one};", f"ctl \"f\" EG {one};",
                 f"ctl \"g\" AG ({one} -> AX {two} | EX {one});", f"ltl \"h\" {one} W {two};",
                 f"ctl \"i\" AG (EY {one} -> {two});", f"ltl \"j\" forall p: P do G ({self.formula('p')} -> F {self.formula('p')}) end;",
                 f"ctl \"k\" forall p: P do AG ({self.formula('p')} -> EX {self.formula('p')}) end;"]
        return "\n".join(self.random.sample(texts, self.random.randint(1, 4))) + "\n"

    def text(self):
        rules = "".join(self.rule(number) for number in range(self.random.randint(2, 5)))
        start = "begin for p: P do st[p] := N; end; " + "k := 0; " * self.has_count + "end"
        if self.random.random() < 0.2:
            start = "begin for p: P do st[p] := T; end; st[1] := N; " + "k := 0; " * self.has_count + "end"
        return (f"const n: {self.size};\ntype P: 1..n; L: enum {{N, T, C}};\n"
                "var st: array [P] of L;" + " owner: P;" * self.has_owner + " k: 0..3;" * self.has_count + "\n"
                f"startstate {start};\nruleset p: P do\n{rules}end;\n{self.properties()}")


def answer(noether, path, model, options):
    command = [noether, "check", path, "--deadlock", model.deadlock, "--warnings", "off", "--keep-going", "--json", "-", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=patience.seconds(120), check=False)
    if done.returncode not in (0, 1):
        return f"exit status {done.returncode}: {done.stderr}{done.stdout[-1000:]}"
    return json.loads(done.stdout)


def verdicts(found):
    """By property; with the length of the run where that is the shortest."""
    return {(entry["kind"], entry["name"]): (entry["verdict"], len(entry["trace"]) if entry["kind"] in ("invariant", "deadlock")
                                             and entry.get("trace") else None) for entry in found["results"]}


def is_virtual(found):
    return any(factor.get("is_virtual") for factor in found["symmetry"]["factors"])


def problem(plain, reduced):
    """None: the answers agree."""
    if isinstance(plain, str) or isinstance(reduced, str):
        return f"{plain if isinstance(plain, str) else ''} {reduced if isinstance(reduced, str) else ''}"
    left, right = verdicts(plain), verdicts(reduced)
    if left != right:
        return f"{left} without symmetry, {right} with it"
    counts = [int(found["statistics"]["states"]) for found in (reduced, plain)]
    most = reduced["statistics"]["represented"]
    if is_virtual(reduced) and (counts[0] > counts[1] or (most and int(most) < counts[1])):
        return f"{counts[0]} states for at most {most}, but there are {counts[1]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("--count", type=int, default=patience.many(150))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    outcomes, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "model.m")
        for seed in range(options.seed, options.seed + options.count):
            model = Model(seed)
            text = model.text()
            pathlib.Path(path).write_text(text)
            plain = answer(options.noether, path, model, ["--symmetry", "off", "--engine", "explicit", "--stepper", "evaluator"])
            reduced = answer(options.noether, path, model, [])
            wrong = problem(plain, reduced)
            if wrong:
                failed += 1
                print(f"FAILED seed {seed} (--deadlock {model.deadlock}): {wrong}\n{text}")
            else:
                outcomes["virtual" if is_virtual(reduced) else "not virtual"] += 1
    for word, count in outcomes.most_common():
        print(f"  {count} {word}")
    if options.count >= 300 and min(outcomes["virtual"], outcomes["not virtual"]) * 10 < options.count:
        failed += 1
        print("FAILED: too few models with a virtual symmetry, or without")
    print(f"{sum(outcomes.values())} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
