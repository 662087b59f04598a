#!/usr/bin/env python3
"""tests/cover/random_models.py NOETHER [--count N] [--seed S]: random Murphi models of the shape that cover takes (docs/engines.md):
guards that ask for other threads, broadcasts, threads that start others, records, aliases, undefined values, assertions.
What cover says holds must hold with 1 to 4 threads, and what it says is violated with k threads must be violated with k and
hold with fewer, by plain exploration."""
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

MOST = 4  # threads explored
KINDS = ["exists", "forall", "implies", "broadcast", "start", "alias", "undefine", "clear", "assert", "division", "chosen", "pair"]


class Maker:
    """A model as text, and which constructs it has."""

    def __init__(self, seed):
        self.random, self.used = random.Random(seed), set()

    def use(self, kind, chance):
        chosen = self.random.random() < chance
        self.used |= {kind} if chosen else set()
        return chosen

    def local(self, thread):
        return self.random.choice([f"pc[{thread}] = {self.random.randrange(3)}", f"pc[{thread}] != {self.random.randrange(3)}",
                                   f"r[{thread}].on", f"!r[{thread}].on"])

    def shared(self):
        return self.random.choice([f"s = {self.random.randrange(3)}", f"s != {self.random.randrange(3)}", "k", "!k"])

    def test(self, thread):
        return " & ".join(self.random.sample([self.local(thread), self.shared(), self.local(thread)], self.random.randint(1, 2)))

    def guard(self, threads):
        parts = [f"({self.test(thread)})" for thread in threads]
        if len(threads) > 1:
            parts.append(f"{threads[0]} != {threads[1]}")
        if self.use("exists", 0.25):
            parts.append(f"exists w: Thread do w != {threads[0]} & {self.local('w')} end")
        if self.use("forall", 0.1):
            parts.append(f"!forall w: Thread do w = {threads[0]} | {self.local('w')} end")
        if self.use("implies", 0.1):
            parts.append(f"({self.shared()} -> {self.local(threads[-1])})")
        self.random.shuffle(parts)
        return " & ".join(parts)

    def change(self, thread):
        kind = self.random.randrange(6)
        if kind == 0:
            return f"s := {self.random.randrange(3)};"
        if kind == 1:
            return self.random.choice(["k := !k;", "k := true;", f"k := r[{thread}].on;"])
        if kind == 2:
            return f"if {self.test(thread)} then pc[{thread}] := {self.random.randrange(3)}; else r[{thread}].on := !r[{thread}].on; end;"
        if self.use("alias", 0.2):
            return f"alias me: r[{thread}] do me.on := {self.shared()}; end;"
        return f"pc[{thread}] := {self.random.randrange(3)};"

    def special(self, threads):
        """At most one of the statements that are not about one thread, or may fail."""
        thread = threads[0]
        if self.use("broadcast", 0.2):
            return (f"for w: Thread do if {self.local('w')} then pc[w] := {self.random.randrange(3)}; "
                    f"{self.random.choice(['', 'r[w].on := k;'])} end; end;")
        if self.use("undefine", 0.08):
            return f"undefine v[{thread}];"
        if self.use("clear", 0.05):
            return "clear v;"
        if self.use("assert", 0.12):
            return f'assert {self.random.choice([self.local(thread), self.shared()])} "asserted";'
        if self.use("division", 0.06):
            return "s := 2 / (s + 1);"
        return f"v[{thread}] := {self.random.randrange(2)};" if self.random.random() < 0.2 else ""

    def rule(self, number):
        threads = ["t", "u"] if self.use("start", 0.3) else ["t"]
        body = [self.change(self.random.choice(threads)) for _ in range(self.random.randint(1, 3))] + [self.special(threads)]
        self.random.shuffle(body)
        return (f"ruleset {'; '.join(f'{name}: Thread' for name in threads)} do rule \"r{number}\" {self.guard(threads)} ==> begin "
                f"{' '.join(body)} end; end;")

    def invariant(self, number):
        if self.use("pair", 0.4):
            formula = f"!exists t: Thread do exists u: Thread do t != u & {self.test('t')} & {self.local('u')} end end"
        else:
            formula = f"forall t: Thread do {self.local('t')} | {self.shared()} end"
        return f'invariant "i{number}" {formula};'

    def model(self):
        chosen = self.use("chosen", 0.4)
        start = "s := 0; k := false; for t: Thread do pc[t] := 0; r[t].on := false; v[t] := 0; end;"
        start += f" pc[m] := {self.random.randint(1, 2)};" if chosen else ""
        return "\n".join([
            "const N: 3; type Thread: scalarset(N);",
            "var s: 0..2; k: boolean; pc: array [Thread] of 0..2; r: array [Thread] of record on: boolean; end; v: array [Thread] of 0..1;",
            f"{'ruleset m: Thread do ' if chosen else ''}startstate begin {start} end;{' end;' if chosen else ''}",
            *(self.rule(number) for number in range(self.random.randint(2, 5))),
            *(self.invariant(number) for number in range(self.random.randint(1, 2))), ""])


def check(binary, path, *words):
    """Verdicts by name of property, and the least number of threads; None: refused."""
    done = subprocess.run([binary, "check", str(path), "--deadlock", "off", "--time", "20", "--json", "-", *words],
                          capture_output=True, text=True, timeout=patience.seconds(120), check=False)
    if done.returncode == 2:
        return None
    answer = json.loads(done.stdout)
    return ({entry["name"]: entry["verdict"] for entry in answer["results"]},
            answer["statistics"].get("every_size", {}).get("violated_with"))


def compare(binary, path):
    """What is wrong, or None; the verdict, and that of decision diagrams alone."""
    found = check(binary, path, "--engine", "cover")
    if not found:
        return None, "refused", "refused"
    explored = {size: check(binary, path, "-D", f"N={size}", "--engine", "explicit", "--keep-going")[0] for size in range(1, MOST + 1)}
    by_views = check(binary, path, "--engine", "cover", "--method", "views", "--time", "3")
    wrong, verdict = judge(*found, explored)
    wrong_by_views, verdict_by_views = judge(*by_views, explored)
    if not wrong and {verdict, verdict_by_views} == {"holds", "violated"}:
        wrong = f"{verdict}, but {verdict_by_views} by views"
    return wrong or wrong_by_views and f"by views: {wrong_by_views}", verdict, verdict_by_views


def judge(verdicts, least, explored):
    """What is wrong, or None; and the verdict."""
    for name, verdict in verdicts.items():
        if verdict == "holds" and any(plain[name] == "violated" for plain in explored.values()):
            return f"{name} holds, but not with {[size for size in explored if explored[size][name] == 'violated']}", verdict
        if verdict == "violated" and least <= MOST and explored[least][name] not in ("violated", "unknown"):
            return f"{name} is violated with {least}, but plain exploration says {explored[least][name]}", verdict
        if verdict == "violated" and any(explored[size][name] == "violated" for size in range(1, min(least, MOST + 1))):
            return f"{name} is violated with fewer than {least}", verdict
    return None, "violated" if least else "unknown" if "unknown" in verdicts.values() else "holds"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=patience.many(40))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tally, by_views, used, failed = collections.Counter(), collections.Counter(), set(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.m")
        for seed in range(options.seed, options.seed + options.count):
            maker = Maker(seed)
            path.write_text(maker.model())
            used |= maker.used
            wrong, outcome, outcome_by_views = compare(options.binary, path)
            tally[outcome] += 1
            by_views[outcome_by_views] += 1
            if wrong:
                failed += 1
                print(f"seed {seed}: {wrong}\n{path.read_text()}")
    for title, counts in (("", tally), ("by views: ", by_views)):
        print(title + ", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    never = sorted(set(KINDS) - used)
    if tally["unknown"]:
        failed += 1
        print("some are open")
    if by_views["unknown"] > options.count / 10:
        failed += 1
        print("views leave too many open")
    if options.count >= 60 and (never or min(tally["holds"], tally["violated"]) < options.count / 20):
        failed += 1
        print(f"too few of some outcome, or never made: {never}")
    print(f"{options.count - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
