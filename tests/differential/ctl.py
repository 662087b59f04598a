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

SECONDS = 60
CONFIGURATIONS = [
    ("explicit", "--symmetry", "off", "--stepper", "vm"),
    ("explicit", "--symmetry", "off", "--stepper", "evaluator", "--witness"),
    ("explicit", "--symmetry", "auto", "--stepper", "vm", "--witness"),
    ("symbolic", "--method", "none", "--witness"),
    ("symbolic", "--method", "dynamic", "--witness"),
    ("symbolic", "--method", "multiple", "--witness"),
    ("symbolic", "--method", "onthefly", "--witness"),
]


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
        lines += [f"ctl \"c{i}\" {self.formula(r.choice((2, 3, 4, 5)), [], [])};" for i in range(8)]
        return "\n".join(lines) + "\n"

    # properties

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
        done = subprocess.run(words, capture_output=True, text=True, timeout=2 * SECONDS)
    except subprocess.TimeoutExpired:
        return f"{' '.join(words)}: no answer"
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
        if wrong or answer == answers[0]:
            continue
        names = [name for name in answers[0] if answers[0][name] != answer[name]]
        wrong = [f"{' '.join(configuration)} says {answer[names[0]]} of {names[0]}, not {answers[0][names[0]]}"]
    if not wrong:
        os.remove(path)
    return seed, wrong, list(answers[0].values()) if not wrong else []


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the models that fail")
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    passed = failed = 0
    verdicts = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.count)
        for seed, wrong, found in pool.map(lambda s: compare(binary, arguments.keep or folder, s), seeds):
            passed += not wrong
            failed += bool(wrong)
            verdicts += found
            for sentence in wrong:
                print(f"FAILED model {seed}: {sentence}", flush=True)
    holds = verdicts.count("holds")
    if passed and not 0.1 < holds / len(verdicts) < 0.9:
        print(f"FAILED the models say little: {holds} of {len(verdicts)} properties hold")
        failed += 1
    print(f"{len(verdicts)} properties, {holds} hold")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
