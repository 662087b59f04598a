#!/usr/bin/env python3
"""Random models of the idioms in which Promela models hide their symmetry, with near misses of all of them.

    tests/promela/idioms.py NOETHER [--count N] [--seed S] [--spin N]

Loops over the others inside a step, processes that end, choices of a number, processes started in a loop with a number of their own,
a number that stands for nobody, owners stored as _pid + 1. Each model is checked with the symmetry that is found and without: the
verdicts agree, the orbits stand for all states (for at most so many more where the start state picks), and the audit of the group finds
nothing. SPIN counts the states of the first N models."""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import spin

SIZE = re.compile(r"([\d,]+) states?(?: \(for (about |at most )?([\d,]+) without symmetry\))?")
MOST_STATES = 4000
STAY = "processes that have ended stay"


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.n = self.random.choice([2, 3, 3])
        self.me = self.random.choice(["_pid", "me"])
        self.nil = self.random.choice([str(self.n), "255", "0"])
        self.is_ending = self.random.random() < 0.3
        self.loops = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def condition(self, i):
        me = self.me
        return self.pick(f"a[{i}]", f"!a[{i}]", f"{i} != {me}", f"{i} == {me}", f"b[{i}] == 1", f"{i} != {me} && a[{i}]", "x == 1", "own == " + i)

    def effect(self, i):
        """What commutes, and what does not."""
        me = self.me
        return self.pick(f"a[{i}] = true", f"a[{i}] = !a[{i}]", f"b[{i}] = x", f"b[{i}] = (b[{i}] + 1) % 3", "x = 1", "n++", f"n = n + b[{i}]",
                         f"b[{i}] = b[{me}]", f"own = {i}", f"x = b[{i}]", f"a[{me}] = a[{i}]", f"x = 1 - x", "skip", f"assert(b[{i}] < 3)")

    def body(self, i):
        kind = self.random.random()
        if kind < 0.5:
            return f"if :: {self.condition(i)} -> {self.effect(i)} :: else fi"
        if kind < 0.7:
            return f"if :: {self.condition(i)} -> {self.effect(i)} :: else -> {self.effect(i)} fi"
        if kind < 0.75:
            return f"if :: {self.effect(i)} :: {self.effect(i)} fi"
        return self.effect(i)

    def loop(self, depth=0):
        i = "ij"[depth]
        bodies = "; ".join([self.body(i) for _ in range(self.pick(1, 1, 2))] +
                           ([self.loop(1)] if not depth and self.random.random() < 0.15 else []))
        after = self.pick("", f"; {i} = 0", f"; {i} = 0", "")
        if self.random.random() < 0.5:
            return f"for ({i} : 0 .. {self.n - 1}) {{ {bodies} }}{after}"
        leaving = self.pick(f"{i} == {self.n} -> break", f"{i} >= {self.n} -> break", "else -> break", "else -> break",
                            f"{i} == {self.n - 1} -> break")
        guard = f"{i} < {self.n}" + (f" && {self.condition(i)}" if self.random.random() < 0.2 else "")
        options = [f"{guard} -> {bodies}; {i}++", leaving]
        if self.random.random() < 0.15:
            options.insert(0, f"{guard} && {self.condition(i)} -> {self.effect(i)}; {self.pick('break', i + '++')}")
        if self.random.random() < 0.3:
            options.reverse()
        return f"{i} = 0; do :: " + " :: ".join(options) + f" od{after}"

    def option(self):
        me, step = self.me, self.pick("d_step", "atomic")
        kind = self.random.random()
        if kind < 0.4:
            return f"{step} {{ {self.pick('x == 0', 'a[' + me + ']', 'true')} -> {self.loop()} }}"
        if kind < 0.5:
            return f"atomic {{ select(i : 0 .. {self.n - 1}); {self.pick(f'a[i] = true; i = 0', f'b[i] = 2', f'own = i; i = 0')} }}"
        if kind < 0.6:
            return f"atomic {{ own == {self.nil} -> own = {self.pick(me, me, '_pid + 1')} }}"
        if kind < 0.7:
            return f"atomic {{ own == {self.pick(me, me, '_pid + 1')} -> own = {self.nil}; x = 0 }}"
        if kind < 0.8:
            return f"a[{me}] -> a[{me}] = false"
        return self.pick(f"a[{me}] = !a[{me}]", f"b[{me}] = x", "x == 1 -> x = 0", f"n > 1 -> n = 0", f"b[{me}] == 2 -> b[{me}] = 0")

    def model(self):
        n, parameter = self.n, "byte me" if self.me == "me" else ""
        options = "\n\t:: ".join(self.option() for _ in range(self.pick(2, 3)))
        leave = "\n\t:: " + self.pick("x == 1 -> break", f"a[{self.me}] -> break") if self.is_ending else ""
        run = "" if not parameter else f"init {{ byte k; atomic {{ for (k : 0 .. {n - 1}) {{ run p(k) }} }} }}\n"
        return (f"bool a[{n}];\nbyte b[{n}], x, n, own = {self.nil};\n"
                f"{'' if parameter else f'active [{n}] '}proctype p({parameter})\n{{\n\tbyte i, j;\n\tdo\n\t:: {options}{leave}\n\tod\n}}\n{run}")


def figures(noether, path, *words):
    done = subprocess.run([noether, "check", path, "--keep-going", "--states", str(MOST_STATES), "--symmetry", *words],
                          capture_output=True, text=True)
    size = SIZE.search(done.stdout)
    verdicts = sorted(line.split("  ")[1].strip() + line[12:60].split("  ")[0] for line in done.stdout.splitlines() if re.match(r"  (ok|violated|unknown) ", line))
    return done.returncode, size, verdicts, done.stdout + done.stderr


def number(text):
    return int(text.replace(",", ""))


def is_certified(noether, path):
    certificate = path.with_suffix(".certificate")
    subprocess.run([noether, "check", path, "--symmetry", "detected", "--certificate", certificate], capture_output=True)
    return subprocess.run([f"{noether}-verify", path, certificate], capture_output=True).returncode == 0


def wrong(noether, path, text, asks_spin, tally):
    plain, found = figures(noether, path, "off"), figures(noether, path, "detected")
    if plain[0] not in (0, 1) or not plain[1] or number(plain[1][1]) >= MOST_STATES:
        tally["too large"] += 1
        return "" if plain[1] else plain[3]
    states = number(plain[1][1])
    if plain[0] != found[0] or plain[2] != found[2] or not found[1]:
        return f"without symmetry:\n{plain[3]}\nwith:\n{found[3]}"
    represented = number(found[1][3] or found[1][1])
    if STAY in found[3]:
        tally["stay"] += 1
        never = figures(noether, path, "off", "--process-death", "never")
        if never[2] != plain[2] or not never[1] or number(never[1][1]) > states:
            return f"as in SPIN:\n{plain[3]}\nprocesses stay:\n{never[3]}"
        states = number(never[1][1])
    if represented != states and not (found[1][2] and represented >= states):
        return f"{states} states, {represented} represented\n{found[3]}"
    if "group of order" in found[3]:
        tally["symmetric"] += 1
        audit = subprocess.run([noether, "symmetry", "--audit", path], capture_output=True, text=True)
        if audit.returncode or "every generator takes states to states" not in audit.stderr:
            return audit.stdout + audit.stderr
        if found[0] == 0 and not is_certified(noether, path):
            return f"the certificate is not accepted\n{found[3]}"
        tally["certified"] += found[0] == 0
    if asks_spin:
        with spin.Spin(text, 5) as peer:
            answer = peer.plain()
        tally["spin"] += 1
        if not answer.refused and answer.complete and answer.states != number(plain[1][1]):
            return f"{states} states, SPIN {answer.states}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--spin", type=int, default=6)
    arguments = parser.parse_args()
    tally, passed, failed = {"symmetric": 0, "stay": 0, "certified": 0, "too large": 0, "spin": 0}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.pml"
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            text = Maker(seed).model()
            path.write_text(text)
            why = wrong(arguments.noether, path, text, spin.is_there() and seed - arguments.seed < arguments.spin, tally)
            passed, failed = passed + (not why), failed + bool(why)
            if why:
                print(f"FAIL seed {seed}\n{text}\n{why}")
    if arguments.count >= 30 and not tally["symmetric"]:
        print("no model is symmetric: nothing was tested")
        failed += 1
    print(f"{arguments.count} models: " + ", ".join(f"{count} {what}" for what, count in tally.items()))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
