#!/usr/bin/env python3
"""tests/symmetry/procedures.py NOETHER [--count N] [--seed S]: random models in which a loop over a scalarset stands in a procedure
that is called from several places, with different arguments: elements of the arrays that it loops over, aliases, values that
may be undefined, in other loops, in start states. What is proved of the loop at one call must not be used at another where
it does not stand. With symmetry and without, every property has the same verdict, and the numbers of states are the same."""
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

HEAD = """type P: scalarset(3); V: 0..2; A: array [P] of V;
var a: A; b: A; x: V; y: V; o: P;
"""
CALLS = ["plain", "element", "alias", "in a loop", "twice the same", "from a start state"]


class Maker:
    def __init__(self, seed):
        self.random, self.used = random.Random(seed), set()

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self, loop):
        return self.pick("m", "n", "c[i]", "a[i]", "b[i]", "v", "0", "1", "2", "x") if loop else self.pick("x", "y", "0", "1", "2")

    def test(self):
        return self.pick(f"{self.number(True)} {self.pick('<', '>', '=', '!=')} {self.number(True)}", f"{self.number(True)} = {self.pick('0', '1', '2')}",
                         "i = q", "i != q", "!isundefined(c[i])")

    def step(self, depth=0):
        kind = self.random.randrange(8)
        if kind < 3 and depth < 2:
            otherwise = f" else {self.step(depth + 1)}" if self.random.random() < 0.3 else ""
            return f"if {self.test()} then {self.step(depth + 1)}{otherwise} end;"
        if kind == 3:
            return f'assert {self.test()} "{self.pick("one", "two")}";'
        if kind == 4:
            return self.pick("undefine c[i];", 'error "never";', "if m < 2 then m := m + 1; end;")
        return f"{self.pick('m', 'n', 'c[i]', 'b[i]')} := {self.number(True)};"

    def procedure(self, name, inner):
        body = " ".join(self.step() for _ in range(self.random.randint(1, 2)))
        if inner and self.random.random() < 0.5:
            body += f" {inner}(m, n, c, q, v);"
        early = self.pick("", "", "", "if x = 2 then return; end;")
        return (f"procedure {name}(var m: V; var n: V; var c: A; q: P; v: V); begin {early} for i: P do {body} end; end;\n")

    def call(self, scope):
        """A call; `scope` names elements of P there."""
        element = self.pick(*scope)
        kind = self.pick(*CALLS[:5])
        places = ["x", "y"]
        if kind in ("element", "twice the same"):
            places += [f"a[{element}]", f"b[{element}]"]
        first = self.pick(*places)
        second = first if kind == "twice the same" else self.pick(*(place for place in places if place != first))
        self.used.add(kind)
        words = [first, second, self.pick("a", "b"), element, self.pick("x", "0", f"a[{element}]")]
        if kind == "alias":
            return f"alias z: {first} do {self.name()}(z, {', '.join(words[1:])}); end;"
        if kind == "in a loop":
            return f"for j: P do {self.name()}({words[0]}, {words[1]}, {words[2]}, j, {words[4]}); end;"
        return f"{self.name()}({', '.join(words)});"

    def name(self):
        return self.pick(*self.names)

    def rule(self, number):
        calls = " ".join(self.call(["p", "p", "o"]) for _ in range(self.random.randint(1, 2)))
        guard = self.pick("true", "a[p] = 0", "x < 2", "p = o", "b[p] != x")
        return f'ruleset p: P do rule "r{number}" {guard} ==> begin {calls} end; end;\n'

    def model(self):
        self.names = ["f"] if self.random.random() < 0.6 else ["f", "g"]
        text = HEAD + self.procedure("f", None)
        if len(self.names) > 1:
            text += self.procedure("g", "f")
        start = "x := 0; y := 1; o := s; for p: P do a[p] := 0; b[p] := 0; end;"
        if self.random.random() < 0.2:
            start += self.call(["s"])
            self.used.add(CALLS[5])
        text += f"ruleset s: P do startstate begin {start} end; end;\n"
        text += "".join(self.rule(number) for number in range(self.random.randint(2, 3)))
        text += f'ruleset p: P; v: V do rule "set" {self.pick("a[p] = 0", "p = o")} ==> begin a[p] := v; end; end;\n'
        return text + f'invariant "i" {self.pick("x != 2", "y < 2", "forall p: P do isundefined(a[p]) | a[p] != 2 | x = 0 end")};\n'


def check(binary, path, *words):
    done = subprocess.run([binary, "check", str(path), "--keep-going", "--deadlock", "off", "--threads", "1", "--time", "5", "--json", "-",
                           "--stepper", "vm", "--engine", "explicit", *words], capture_output=True, text=True, timeout=patience.seconds(120), check=False)
    return json.loads(done.stdout)


def differs(reduced, plain):
    """A failure that another one hides may be open with symmetry, never decided otherwise."""
    for one, other in zip(reduced["results"], plain["results"]):
        if one["verdict"] != other["verdict"] and not (one["verdict"] == "unknown" and "may hide" in (one["reason"] or "")):
            return f"{one['kind']} {one['name']}: {one['verdict']}, without symmetry {other['verdict']}"
    states, represented = plain["statistics"]["states"], reduced["statistics"]["represented"]
    if reduced["statistics"]["represented_is_exact"] and int(represented) != states:
        return f"stands for {represented} states, there are {states}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tally, used, failed = collections.Counter(), set(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.m")
        for seed in range(options.seed, options.seed + options.count):
            maker = Maker(seed)
            path.write_text(maker.model())
            used |= maker.used
            reduced, plain = check(options.binary, path), check(options.binary, path, "--symmetry", "off")
            if "results" not in reduced or not (reduced["complete"] and plain["complete"]):
                tally["refused" if "results" not in reduced else "too large"] += 1
                continue
            tally["with symmetry" if reduced["symmetry"]["order"] != "1" else "without"] += 1
            wrong = differs(reduced, plain)
            if wrong:
                failed += 1
                print(f"seed {seed}: {wrong}\n{path.read_text()}")
    print(", ".join(f"{name}: {count}" for name, count in sorted(tally.items())))
    never = sorted(set(CALLS) - used)
    if options.count >= 100 and (never or tally["with symmetry"] < options.count / 5):
        failed += 1
        print(f"too few keep the symmetry, or never made: {never}")
    print(f"{options.count - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
