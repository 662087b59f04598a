#!/usr/bin/env python3
"""tests/differential/prism_system.py [--count N] [--seed S] [--keep FOLDER] BINARY: random small models whose modules are composed by
`system ... endsystem`, in all its ways (`||`, `|||`, `|[a]|`, `/{a}`, `{a<-b}`), beside a composition of their commands that is written down
here from PRISM's manual. The numbers of states must be the same, and the values those fractions, in exact arithmetic, in doubles and by
diagrams."""
import argparse
import fractions
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

SECONDS = 60
ACTIONS = ("a", "b", "c")
STEPS = 3
WAYS = (("--exact",), (), ("--engine", "symbolic"), ("--symmetry", "off"))


class Command:
    """One command, or several that act together. guard and updates are functions of a state, a dictionary."""

    def __init__(self, action, guard, branches):
        self.action, self.guard, self.branches = action, guard, branches

    def called(self, action):
        return Command(action, self.guard, self.branches)

    def together(self, other):
        both = [(p * q, one + two) for (p, one), (q, two) in itertools.product(self.branches, other.branches)]
        return Command(self.action, lambda s: self.guard(s) and other.guard(s), both)


class Process:
    """A part of the composition: its text, its commands, and the actions that stand in it."""

    def __init__(self, text, commands, actions):
        self.text, self.commands, self.actions = text, commands, actions

    def beside(self, sign, other, shared):
        alone = [c for p in (self, other) for c in p.commands if c.action not in shared]
        both = [c.together(d) for c in self.commands for d in other.commands if c.action == d.action and c.action in shared]
        return Process(f"({self.text} {sign} {other.text})", alone + both, self.actions | other.actions)

    def hidden(self, names):
        commands = [c.called("" if c.action in names else c.action) for c in self.commands]
        return Process(f"({self.text})/{{{','.join(sorted(names))}}}", commands, self.actions - names)

    def renamed(self, names):
        commands = [c.called(names.get(c.action, c.action)) for c in self.commands]
        text = ",".join(f"{old}<-{new}" for old, new in names.items())
        return Process(f"({self.text}){{{text}}}", commands, {names.get(a, a) for a in self.actions})


class Model:
    def __init__(self, seed):
        self.random = r = random.Random(seed)
        self.kind = r.choice(("dtmc", "mdp", "ctmc"))
        self.tops = [r.choice((1, 2, 2)) for _ in range(r.choice((2, 3, 3, 4)))]
        self.lines = [self.kind]
        parts = [self.module(m) for m in range(len(self.tops))]
        self.known = set().union(*(part.actions for part in parts))  # another one is an error
        while len(parts) > 1:
            i = r.randrange(len(parts) - 1)
            parts[i:i + 2] = [self.altered(self.composed(self.altered(parts[i]), self.altered(parts[i + 1])))]
        self.system = parts[0]
        self.lines += [f"system {self.system.text} endsystem", 'rewards "r"'] + self.rewards() + ["endrewards"]
        self.goal = {m: r.randint(0, top) for m, top in enumerate(self.tops) if r.random() < 0.7} or {0: 1}

    def module(self, m):
        self.lines += [f"module m{m}", f"  x{m} : [0..{self.tops[m]}];"]
        commands = []
        for _ in range(self.random.choice((1, 2, 2, 3))):
            commands.append(self.command(m))
        self.lines.append("endmodule")
        return Process(f"m{m}", commands, {c.action for c in commands} - {""})

    def command(self, m):
        r = self.random
        action = r.choice(ACTIONS + ("a", ""))
        own, other = r.randint(0, self.tops[m]), r.randrange(len(self.tops))
        value, tests_other = r.randint(0, self.tops[other]), r.random() < 0.3
        weights = r.choice(((1,), (1,), ("1/2", "1/2"), ("1/3", "2/3"))) if self.kind != "ctmc" else r.choice(((1,), ("5/2",), (1, "1/3")))
        branches, words = [], []
        for weight in weights:
            change, reads = r.randint(0, self.tops[m]), r.random() < 0.3
            read = f"mod(x{m}+x{other},{self.tops[m] + 1})" if reads else str(change)
            update = (lambda s, n=other: (m, (s[m] + s[n]) % (self.tops[m] + 1))) if reads else (lambda s, v=change: (m, v))
            branches.append((fractions.Fraction(weight), [update]))
            words.append(f"{weight}:(x{m}'={read})")
        text = f"x{m}={own}" + f" & x{other}!={value}" * tests_other
        self.lines.append(f"  [{action}] {text} -> {' + '.join(words)};")
        return Command(action, lambda s: s[m] == own and not (tests_other and s[other] == value), branches)

    def composed(self, one, two):
        sign = self.random.choice(("||", "||", "|||", "|[" if self.known else "||"))
        if sign == "||":
            return one.beside(sign, two, one.actions & two.actions)
        if sign == "|||":
            return one.beside(sign, two, set())
        shared = set(self.random.sample(sorted(self.known), min(len(self.known), self.random.choice((1, 1, 2)))))
        return one.beside(f"|[{','.join(sorted(shared))}]|", two, shared)

    def altered(self, process):
        r, names = self.random, sorted(process.actions)
        if not names or r.random() < 0.7:
            return process
        if r.random() < 0.4:
            return process.hidden({r.choice(names)})
        old = r.choice(names)
        new = r.choice([a for a in ACTIONS if a != old])
        self.known.add(new)
        return process.renamed({old: new})

    def rewards(self):
        """By action, with a test; the action "" is of steps that have none."""
        r = self.random
        self.paid = [(action, r.randrange(len(self.tops)), r.randint(1, 3)) for action in r.sample(sorted(self.known | {""}), min(2, len(self.known) + 1))]
        return [f"  [{action}] x{m}=0 : {amount};" for action, m, amount in self.paid]

    # what it means

    def steps(self, state):
        """A list of choices: an action and a list of (weight, state)."""
        choices = []
        for command in self.system.commands:
            if command.guard(state):
                targets = []
                for weight, updates in command.branches:
                    new = list(state)
                    for update in updates:
                        m, value = update(state)
                        new[m] = value
                    targets.append((weight, tuple(new)))
                choices.append((command.action, targets))
        return choices

    def explore(self):
        start = (0,) * len(self.tops)
        found, queue = {start: self.steps(start)}, [start]
        for state in queue:
            for _, targets in found[state]:
                for _, new in targets:
                    if new not in found:
                        found[new] = self.steps(new)
                        queue.append(new)
        return start, found

    def is_goal(self, state):
        return all(state[m] == value for m, value in self.goal.items())

    def expectations(self, state, choices, value):
        """Of each choice, with the reward of its step."""
        if not choices:
            return [(value[state], 0)]
        pay = lambda action: sum(amount for name, m, amount in self.paid if name == action and state[m] == 0)
        if self.kind == "mdp":
            return [(sum(w * value[s] for w, s in targets), pay(action)) for action, targets in choices]
        rows = [(w, s, pay(action)) for action, targets in choices for w, s in targets]
        whole = sum(w for w, _, _ in rows)
        return [(sum(w * value[s] for w, s, _ in rows) / whole, sum(w * p for w, _, p in rows) / whole)]

    def answers(self):
        start, found = self.explore()
        goal = "&".join(f"x{m}={value}" for m, value in self.goal.items())
        asked = {}
        for extreme, pick in ((("min", min), ("max", max)) if self.kind == "mdp" else (("", max),)):
            reached = {s: fractions.Fraction(self.is_goal(s)) for s in found}
            asked[f"P{extreme}=? [ X {goal} ]"] = pick(v for v, _ in self.expectations(start, found[start], reached))
            if self.kind == "ctmc":
                continue
            gained = {s: fractions.Fraction(0) for s in found}
            for _ in range(STEPS):
                reached = {s: reached[s] if self.is_goal(s) else pick(v for v, _ in self.expectations(s, found[s], reached)) for s in found}
                gained = {s: pick(v + p for v, p in self.expectations(s, found[s], gained)) for s in found}
            asked[f"P{extreme}=? [ F<={STEPS} {goal} ]"] = reached[start]
            asked[f'R{{"r"}}{extreme}=? [ C<={STEPS} ]'] = gained[start]
        return len(found), asked


def compare(binary, folder, model):
    """What is wrong, or nothing; and how many values were compared."""
    count, asked = model.answers()
    path, properties = folder / "model.prism", folder / "model.props"
    path.write_text("\n".join(model.lines) + "\n")
    properties.write_text("".join(f"{name};\n" for name in asked))
    compared = 0
    for way in WAYS:
        done = subprocess.run([binary, "check", str(path), str(properties), "--deadlock", "off", "--warnings", "off", "-q", "--json", "-", *way],
                              capture_output=True, text=True, timeout=patience.seconds(SECONDS))
        if done.returncode != 0:
            return f"{' '.join(way)}: exit {done.returncode}: {done.stderr.strip()[:300]}", compared
        answer = json.loads(done.stdout)
        states = int(answer["statistics"].get("represented") or answer["statistics"]["states"])
        if states != count:
            return f"{' '.join(way)}: {states} states instead of {count}", compared
        values = {row["name"]: row.get("value") for row in answer["results"] if row["kind"] == "quantity"}
        for name, value in asked.items():
            found = values.get(name)
            if not found or not ("exact" in found and fractions.Fraction(found["exact"]) == value or
                                 float(found["lower"]) - 1e-12 <= value <= float(found["upper"]) + 1e-12 and "--exact" not in way):
                return f"{' '.join(way)}: {name}: {found} instead of {value}", compared
            compared += 1
    return "", compared


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=patience.many(30))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("binary")
    options = parser.parse_args()
    failed = compared = 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as folder:
            folder = options.keep or pathlib.Path(folder)
            wrong, more = compare(options.binary, folder, Model(seed))
            compared += more
            if wrong:
                failed += 1
                print(f"FAILED seed {seed}: {wrong}", flush=True)
    if compared < options.count * len(WAYS):
        failed += 1
        print(f"FAILED: only {compared} values were compared")
    print(f"{compared} values compared")
    print(f"{options.count - min(failed, options.count)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
