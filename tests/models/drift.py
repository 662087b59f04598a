#!/usr/bin/env python3
"""tests/models/drift.py BINARY [--count N] [--seed S]: values that come late do not confuse the visited set.

Random models of some thousand states, in which three counters run first, so that the visited set is planned after what they do; then variables beside
each other take values that none had before: below the others, far above, undefined, one by one or together, and in some models so many that a state no longer
fits in 64 bits. The compact store finds the states, the steps and the verdicts that the plain one finds, with one thread and with two, in bulk and
one by one, with symmetry or without, with the disk, and after a search that was stopped and resumed."""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

FIGURES = ("states", "rules_fired", "depth")
PLAIN = ["--engine", "explicit", "--deadlock", "off", "--keep-going"]
WAYS = {"one thread": ["--threads", "1"], "two threads": ["--threads", "2"], "the evaluator": ["--threads", "1", "--stepper", "evaluator"],
        "the disk": ["--threads", "2", "--disk", "{folder}"]}


class Model:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.ends = [self.random.randrange(*bounds) for bounds in ((18, 22), (18, 22), (18, 22))]
        self.end = " & ".join(f"{name} = {end}" for name, end in zip("xyz", self.ends))
        self.types = [self.random.choice(((0, 6), (0, 7), (-3, 4), (1, 30), (0, 1000000000), (0, 255))) for _ in range(self.random.randrange(2, 9))]

    def value(self, which):
        """One that the variable did not have before."""
        low, high = self.types[which]
        return self.random.choice((low, high, (low + high) // 2 + 1, self.random.randint(low, high)))

    def change(self, which):
        if self.random.random() < 0.3:
            return f"undefine v{which};"
        return f"v{which} := {self.value(which)};"

    def late_rule(self, number, narrow):
        changes = " ".join(self.change(which) for which in self.random.sample(range(len(self.types)), self.random.randrange(1, min(4, len(self.types) + 1))))
        return f'rule "late {number}" !late & {self.end}{narrow} ==> begin {changes} late := true; end;'

    def wide(self):
        """So many different values that a state does not fit in 64 bits any more; from half of the models."""
        count = self.random.choice((0, 5))
        variables = [f"w{i}: 0..1000000000; n{i}: 0..6;" for i in range(count)]
        starts = [f"w{i} := 0; n{i} := 0;" for i in range(count)]
        rules = [f'rule "wide {i}" !late & {self.end} & n{i} < 6 ==> begin n{i} := n{i} + 1; w{i} := (w{i} * 7 + {12345 + 77777 * i}) % 99999989; end;'
                 for i in range(count)]
        return variables, starts, rules, "".join(f" & n{i} = 0" for i in range(count))

    def text(self):
        variables, starts, rules, narrow = self.wide()
        start = [self.random.randint(low, high) for low, high in self.types]
        lines = [f"v{which}: {low}..{high};" for which, (low, high) in enumerate(self.types)] + variables
        self.random.shuffle(lines)
        lines = ["type P: scalarset(2);", "var", *(f"{name}: 0..{end};" for name, end in zip("xyz", self.ends)), "late: boolean;", *lines, "owner: array [P] of 0..1;"]
        lines += ["startstate begin x := 0; y := 0; z := 0; late := false; for p: P do owner[p] := 0; end;", *(f"v{which} := {value};" for which, value in enumerate(start)), *starts, "end;"]
        lines += [f'rule "{name}" !late & {name} < {end} ==> begin {name} := {name} + 1; end;' for name, end in zip("xyz", self.ends)]
        lines += rules + [self.late_rule(number, narrow) for number in range(self.random.randrange(2, 8))]
        lines += [f'rule "back {name}" late & {name} > 0 ==> begin {name} := {name} - 1; end;' for name in "xy"]
        # Values that go on changing: more strays than there is room for at first.
        which = self.random.randrange(len(self.types))
        low, high = self.types[which]
        step = max(1, (high - low) // 5)
        lines += [f'rule "on" late & !isundefined(v{which}) & x % 8 = 0 & y % 8 = 0 & v{which} <= {high - step} ==> begin v{which} := v{which} + {step}; end;']
        lines += ['ruleset p: P do rule "own" late & x + y = 0 & owner[p] < 1 ==> begin owner[p] := owner[p] + 1; end; end;']
        lines += [f'invariant "i{which}" !(late & x + y = 0 & isundefined(v{which}));' for which in range(len(self.types))]
        return "\n".join(lines) + "\n"


class Test:
    def __init__(self, binary):
        self.binary = str(pathlib.Path(binary).resolve())
        self.passed = self.failed = 0

    def ask(self, *words):
        done = subprocess.run([self.binary, *map(str, words), "--json", "-", "-q"], capture_output=True, text=True, timeout=patience.seconds(300))
        if done.returncode not in (0, 1, 3):
            return {"status": done.returncode, "said": done.stderr[-300:]}
        answer = json.loads(done.stdout)
        return {**{name: answer["statistics"][name] for name in FIGURES}, "verdicts": sorted((each["name"], each["verdict"]) for each in answer["results"])}

    def compare(self, name, found, expected):
        self.passed += found == expected
        self.failed += found != expected
        if found != expected:
            print(f"FAILED: {name}: {found}, in the plain store {expected}")

    def resumed(self, path, folder, symmetry, stop):
        kept = folder / f"kept-{stop}{len(symmetry)}"
        self.ask("check", path, *PLAIN, *symmetry, "--threads", "1", "--checkpoint", kept, "--states", stop)
        return self.ask("resume", kept, "--threads", "2", "--states", 10000000)

    def model(self, seed, folder):
        path = folder / f"drift-{seed}.m"
        path.write_text(Model(seed).text())
        before = self.failed
        for symmetry in (["--symmetry", "off"], []):
            expected = self.ask("check", path, *PLAIN, *symmetry, "--store", "plain", "--threads", "1")
            for way, options in WAYS.items():
                options = [word.format(folder=folder) for word in options]
                self.compare(f"seed {seed}, {way}, {symmetry}", self.ask("check", path, *PLAIN, *symmetry, *options), expected)
            self.compare(f"seed {seed}, resumed, {symmetry}", self.resumed(path, folder, symmetry, 7000), expected)
        if self.failed > before:
            print(path.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=patience.many(6))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    test = Test(arguments.binary)
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        with tempfile.TemporaryDirectory() as folder:
            test.model(seed, pathlib.Path(folder))
    print(f"{test.passed} passed, {test.failed} failed")
    return 1 if test.failed else 0


sys.exit(main())
