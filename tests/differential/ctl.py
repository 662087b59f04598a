#!/usr/bin/env python3
"""tests/differential/ctl.py [--count N] [--seed S] [--keep FOLDER] BINARY: random models with random CTL properties; every
engine that decides them, with and without symmetry, must say the same of each. The explicit engine without symmetry
and the symbolic one share nothing but the front end."""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

SECONDS = 60
CONFIGURATIONS = [
    ("explicit", "--symmetry", "off", "--stepper", "vm"),
    ("explicit", "--symmetry", "off", "--stepper", "evaluator", "--witness"),
    ("explicit", "--symmetry", "auto", "--stepper", "vm", "--witness"),
    ("symbolic", "--method", "none", "--witness"),
    ("symbolic", "--method", "dynamic", "--witness"),
    ("symbolic", "--method", "multiple", "--witness"),
    ("symbolic", "--method", "onthefly", "--witness"),
    ("counter", "--witness"),
    ("symbolic", "--method", "generic", "--witness"),
]
COUNTING = CONFIGURATIONS[-2:]  # what they cannot translate they refuse


class Model:
    """A few interchangeable processes, perhaps things of another kind, shared variables, some of them ids."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        r = self.random
        self.processes = r.choice((2, 2, 3, 3, 4))
        self.kind = r.choice(("scalarset({})", "scalarset({})", "scalarset({})", "0..{}-1")).format(self.processes)
        self.items = r.choice((0, 0, 0, 2))
        self.has_id = r.random() < 0.6
        self.has_flag = r.random() < 0.7
        self.has_count = r.random() < 0.3
        self.undefined = r.random() < 0.3
        self.locations = r.choice((2, 3))
        self.names = 0
        self.is_counted = r.random() < 0.4
        if self.is_counted:
            self.items = 0

    # conditions

    def atom(self, processes, items):
        r = self.random
        choices = [] if processes or self.has_flag else ["true"]
        if self.has_flag:
            choices += ["flag"] * 2
        if self.has_count:
            choices += [f"count {r.choice(('=', '<', '>'))} {r.randrange(3)}"]
        for p in processes:
            choices += [f"at[{p}] = L{r.randrange(self.locations)}"] * 3
            if self.has_id:
                known = "" if r.random() < 0.15 else "!isundefined(owner) & "
                choices += [f"({known}owner = {p})"]
            for q in processes:
                if p < q:
                    choices += [f"{p} = {q}", f"{p} != {q}"]
            if self.items:
                choices += [f"has[{p}][{i}]" for i in items]
        if self.has_id:
            choices += ["isundefined(owner)", "!isundefined(owner) & at[owner] = L1"]
        return r.choice(choices)

    def condition(self, depth, processes, items):
        r = self.random
        if depth == 0 or r.random() < 0.3:
            return self.atom(processes, items)
        shape = r.randrange(6)
        if shape == 0:
            return f"!({self.condition(depth - 1, processes, items)})"
        if shape < 4:
            left, right = (self.condition(depth - 1, processes, items) for _ in range(2))
            return f"({left} {('&', '|', '->')[shape - 1]} {right})"
        self.names += 1
        name = f"v{self.names}"
        word = "forall" if shape == 4 else "exists"
        if self.items and r.random() < 0.4:
            return f"{word} {name}: Item do {self.condition(depth - 1, processes, items + [name])} end"
        return f"{word} {name}: Process do {self.condition(depth - 1, processes + [name], items)} end"

    # rules

    def statements(self, location):
        r = self.random
        lines = [f"at[p] := L{(location + r.choice((1, 1, 1, 2))) % self.locations};"]
        if self.has_flag and r.random() < 0.5:
            lines.append(f"flag := {r.choice(('true', 'false', '!flag'))};")
        if self.has_count and r.random() < 0.6:
            lines.append(r.choice(("if count < 2 then count := count + 1; end;", "count := 0;")))
        if self.has_id and r.random() < 0.5:
            lines.append(r.choice(("owner := p;", "undefine owner;" if self.undefined else "owner := p;")))
        if self.items and r.random() < 0.6:
            lines.append(f"has[p][i] := {r.choice(('true', 'false'))};")
        if r.random() < 0.1:
            lines = ["-- nothing"]
        return "\n    ".join(lines)

    def rule(self, number):
        r = self.random
        item = "; i: Item" if self.items else ""
        items = ["i"] if self.items else []
        location = number % self.locations
        guard = f"at[p] = L{location}" + (f" & {self.condition(1, ['p'], items)}" if r.random() < 0.6 else "")
        return (f"ruleset p: Process{item} do\n  rule \"r{number}\" {guard} ==> begin\n    {self.statements(location)}\n"
                f"  end;\nend;")

    def text(self):
        r = self.random
        lines = [f"type Process: {self.kind};"]
        if self.items:
            lines.append(f"  Item: scalarset({self.items});")
        lines.append("  Location: enum {%s};" % ", ".join(f"L{i}" for i in range(self.locations)))
        lines.append("var at: array [Process] of Location;")
        start = ["for p: Process do at[p] := L0; end;"]
        if self.has_flag:
            lines.append("  flag: boolean;")
            start.append("flag := false;")
        if self.has_count:
            lines.append("  count: 0..2;")
            start.append("count := 0;")
        if self.has_id:
            lines.append("  owner: Process;")
            start.append("undefine owner;" if self.undefined or r.random() < 0.5 else "owner := first;")
        if self.items:
            lines.append("  has: array [Process] of array [Item] of boolean;")
            start.append("for p: Process do for i: Item do has[p][i] := false; end; end;")
        lines.append("ruleset first: Process do startstate begin\n  " + "\n  ".join(start) + "\nend; end;")
        lines += [self.rule(i) for i in range(r.randrange(2, 6))]
        if r.random() < 0.15:
            lines.append(f"assume \"a\" {self.condition(2, [], [])} | forall p: Process do at[p] = L0 end;")
        formulas = [self.formula(r.choice((2, 3, 4, 5)), [], []) for _ in range(4)]
        formulas += [self.pair(False), self.pair(False), self.apart(), self.apart()]
        if self.is_counted:
            formulas = [self.closed() for _ in range(3)] + [self.pair(True) for _ in range(3)]
        lines += [f"ctl \"c{i}\" {formula};" for i, formula in enumerate(formulas)]
        return "\n".join(lines) + "\n"

    # properties

    def closed(self):
        """Temporal operators around conditions that name no process."""
        r = self.random
        operator = lambda inner: f"{r.choice(('EX', 'EF', 'EG', 'AX', 'AF', 'AG'))} ({inner})"
        return operator(f"({self.condition(2, [], [])}) {r.choice(('&', '|', '->'))} {operator(self.condition(2, [], []))}")

    def apart(self):
        """One quantifier inside the other, each around temporal operators about its own variable: states are pointed to by
        either of them."""
        r = self.random
        self.names += 2
        a, b = f"v{self.names - 1}", f"v{self.names}"
        first, second = (r.choice(("EX", "EF", "EG", "AX", "AF", "AG")) for _ in range(2))
        f, g = (f"at[{v}] = L{r.randrange(self.locations)}" for v in (a, b))
        if self.has_id and r.random() < 0.4:
            f, g = f"({f} | !isundefined(owner) & owner = {a})", f"{g} & (isundefined(owner) | owner != {b})"
        inner = f"{r.choice(('forall', 'exists'))} {b}: Process do {r.choice(('', '!'))}{second} ({g}) end"
        return f"{r.choice(('forall', 'exists'))} {a}: Process do {first} ({f} {r.choice(('&', '|', '->'))} {inner}) end"

    def pair(self, is_universal):
        """Two variables of one type that the formula treats differently: to take one for the other shows. Universal ones can
        be brought to the front of the formula."""
        r = self.random
        self.names += 2
        a, b = f"v{self.names - 1}", f"v{self.names}"
        first, second = r.sample(range(self.locations), 2)
        f, g = f"at[{a}] = L{first}", f"at[{b}] = L{second}"
        if self.has_id and r.random() < 0.4:
            f = f"!isundefined(owner) & owner = {a}"
        body = r.choice((f"EF ({f} & EX ({g}))", f"E[{f} U {g}]", f"A[{f} U {g}]", f"AG (({f}) -> EF ({g}))",
                         f"(EX ({f})) & AX ({g})", f"(EF ({f} & {g})) -> AG ({f})", f"EG (({f}) | {g})",
                         f"AG (({f}) -> AX (({g}) | !({f})))", f"EF ({f} & {a} != {b} & EG ({g}))"))
        words = r.choice((("forall", "exists"), ("exists", "forall"), ("forall", "forall"), ("exists", "exists")))
        if r.random() < 0.5:
            a, b = b, a
        if is_universal:
            known = f"AG ({f} -> forall {b}: Process do {body} end)" if b not in f else f"forall {b}: Process do AG ({body}) end"
            return r.choice((f"forall {a}: Process do {known} end",
                             f"!EF (exists {a}: Process do {f if a in f else g} & exists {b}: Process do {body} end end)"))
        inner = f"{words[1]} {b}: Process do {body} end"
        return f"{r.choice(('', 'AG ', 'EF '))}({words[0]} {a}: Process do {r.choice(('', '', 'AG ', 'EX '))}({inner}) end)"

    def formula(self, depth, processes, items):
        r = self.random
        if depth == 0:
            return f"({self.condition(1, processes, items)})" if r.random() < 0.92 else "deadlock"
        shape = r.random()
        inner = lambda: self.formula(depth - 1, processes, items)
        if shape < 0.5:
            return f"{r.choice(('EX', 'EF', 'EG', 'AX', 'AF', 'AG', 'AG', 'EY', 'EP'))} ({inner()})"
        if shape < 0.6:
            return f"{r.choice('AE')}[{inner()} U {inner()}]"
        if shape < 0.65:
            return f"!({inner()})"
        if shape < 0.75:
            return f"({inner()} {r.choice(('&', '|', '->'))} {inner()})"
        self.names += 1
        name, word = f"v{self.names}", r.choice(("forall", "exists"))
        if len(processes) + len(items) > 1:
            return inner()
        if r.random() < 0.5:
            processes, items = [], []  # what is inside knows the new variable only
        if self.items and r.random() < 0.4:
            return f"{word} {name}: Item do {self.formula(depth - 1, processes, items + [name])} end"
        return f"{word} {name}: Process do {self.formula(depth - 1, processes + [name], items)} end"


def is_explained(node):
    """Are the parts of the formula what it takes to make it what it is? (Conditions are explained by the evaluator.)"""
    outcomes = [part["outcome"] for part in node["parts"] if "step" in part]
    if not outcomes or "fails" in [node["outcome"], *outcomes]:
        return True
    other = {"true": "false", "false": "true"}[node["outcome"]]
    allowed = [[node["outcome"]] * len(outcomes)]
    if node["text"].startswith("!"):
        allowed += [[other]]
    if "->" in node["text"]:
        allowed += [["true", "false"], ["false"]]
    return outcomes in allowed and all(map(is_explained, node["parts"]))


def find_bad_reason(page):
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))
    for run in data["traces"]:
        if run["explanation"] and not is_explained(run["explanation"]):
            return json.dumps(run["explanation"])
    return None


def ask(binary, path, configuration, deadlock):
    """The verdicts of the CTL properties; a sentence when there are none."""
    engine, *options = configuration
    page = f"{path}.html"
    words = [binary, "check", path, "--report", page, "--engine", engine, *options, "--deadlock", deadlock, "--keep-going", "--json", "-",
             "--time", str(SECONDS), "--memory", "500M"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=patience.seconds(2 * SECONDS))
    except subprocess.TimeoutExpired:
        return f"{' '.join(words)}: no answer"
    if done.returncode == 2 and configuration in COUNTING:
        return None
    if done.returncode not in (0, 1, 3):
        return f"{' '.join(words)}: exit status {done.returncode}: {done.stderr[-400:]}"
    results = json.loads(done.stdout)["results"]
    broken = [result["reason"] for result in results if "internal error" in (result["reason"] or "")]
    if broken:
        return f"{' '.join(words)}: {broken[0]}"
    bad = find_bad_reason(pathlib.Path(page).read_text())
    if bad:
        return f"{' '.join(words)}: reasons do not fit together: {bad}"
    return {result["name"]: result["verdict"] for result in results if result["kind"] == "ctl"}


def compare(binary, folder, seed):
    model = Model(seed)
    path = os.path.join(folder, f"ctl-{seed}.m")
    pathlib.Path(path).write_text(model.text())
    deadlock = model.random.choice(("off", "stuttering", "stuck"))
    answers = [ask(binary, path, configuration, deadlock) for configuration in CONFIGURATIONS]
    wrong = [answer for answer in answers if isinstance(answer, str)]
    if not wrong and "unknown" in answers[0].values():
        wrong = ["the explicit engine is undecided"]
    for configuration, answer in zip(CONFIGURATIONS[1:], answers[1:]):
        if wrong or answer is None or answer == answers[0]:
            continue
        if configuration in COUNTING and all(verdict in ("unknown", answers[0][name]) for name, verdict in answer.items()):
            continue
        names = [name for name in answers[0] if answers[0][name] != answer[name]]
        wrong = [f"{' '.join(configuration)} says {answer[names[0]]} of {names[0]}, not {answers[0][names[0]]}"]
    if not wrong:
        os.remove(path)
    return seed, wrong, list(answers[0].values()) if not wrong else [], answers[-1] is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=patience.many(60))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the models that fail")
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    passed = failed = counted = 0
    verdicts = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.count)
        for seed, wrong, found, is_counted in pool.map(lambda s: compare(binary, arguments.keep or folder, s), seeds):
            passed += not wrong
            failed += bool(wrong)
            verdicts += found
            counted += is_counted
            for sentence in wrong:
                print(f"FAILED model {seed}: {sentence}", flush=True)
    holds = verdicts.count("holds")
    if passed and not 0.1 < holds / len(verdicts) < 0.9:
        print(f"FAILED the models say little: {holds} of {len(verdicts)} properties hold")
        failed += 1
    if passed > 20 and counted < passed / 8:
        print(f"FAILED the models are hardly ever counted: {counted} of {passed}")
        failed += 1
    print(f"{len(verdicts)} properties, {holds} hold; {counted} models were counted")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
