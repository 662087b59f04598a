#!/usr/bin/env python3
"""tests/guarded/run.py NOETHER [--count N] [--seed S]: random models that are symmetric but for some guards, with
`--symmetry guarded` and without symmetry: the same verdicts. Half of them are Promela models (processes.py).

The models must meet every outcome: decided without the guards, violated there and in the model, left open, and a structure
without the guards that is far larger than the model."""
import argparse
import collections
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience
import processes

LOCATIONS = ["Idle", "Wait", "Busy"]


class Model:
    """Processes with a location, a flag and a constant rank each, a lock, and a counter."""
    suffix = "m"

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.processes = self.random.randint(2, 4)
        self.has_holes = self.random.random() < 0.15  # some flags are undefined for some time
        self.deadlock = self.random.choice(["off", "stuck", "stuttering"])
        self.keeps_going = self.random.random() < 0.5
        self.ends = self.random.random() < 0.4  # few rules, most of them guarded, which only lead on

    def symmetric(self, process):
        location, other = self.random.choice(LOCATIONS), self.random.choice(LOCATIONS)
        return self.random.choice([
            f"at[{process}] = {location}", f"at[{process}] != {location}", f"flag[{process}]", f"!flag[{process}]", "lock", "!lock",
            "level < 2", f"(forall j: proc do at[j] != {other} end)",
            f"(exists j: proc do j != {process} & at[j] = {other} end)",
        ])

    def breaking(self, process):
        location, some = self.random.choice(LOCATIONS), self.random.randint(1, self.processes)
        return self.random.choice([
            f"{process} < {some}", f"{process} = {some}", f"{process} != {some}",
            f"(forall j: proc do j < {process} -> at[j] != {location} end)",
            f"(exists j: proc do j > {process} & at[j] = {location} end)",
            f"(forall j: proc do flag[j] -> {process} <= j end)",
            f"(level = 0 -> {process} != {some})",
            f"({process} + level <= {some})",
            f"(forall j: proc do rank[j] < rank[{process}] -> at[j] != {location} end)",
            f"rank[{process}] = 0",
        ])

    def rule(self, number):
        guard = [f"at[i] = {self.random.choice(LOCATIONS)}"] + [self.symmetric("i") for _ in range(self.random.randint(0, 1))]
        if self.random.random() < (0.8 if self.ends else 0.5):
            guard.insert(self.random.randint(0, len(guard)), self.breaking("i"))
        effects = [f"at[i] := {self.random.choice(LOCATIONS)};"]
        if self.ends:
            step = self.random.randint(0, 1)
            guard[guard.index(next(text for text in guard if text.startswith("at[i] =")))] = f"at[i] = {LOCATIONS[step]}"
            effects = [f"at[i] := {LOCATIONS[step + 1]};"]
        for text in ("flag[i] := !flag[i];", "lock := !lock;", "level := (level + 1) % 3;", "flag[i] := true;",
                     "assert \"level\" level < 2;", "for j: proc do flag[j] := false; end;"):
            if self.random.random() < 0.2:
                effects.append(text)
        if self.has_holes and self.random.random() < 0.3:
            effects.append("undefine flag[i];")
        return f'  rule "r{number}" {" & ".join(guard)} ==> begin {" ".join(effects)} end;\n'

    def properties(self):
        one, two = (self.symmetric("i") for _ in range(2))
        bad = self.random.choice(LOCATIONS)
        texts = [
            f"invariant \"exclusive\" forall i: proc do forall j: proc do i != j -> !(at[i] = {bad} & at[j] = {bad}) end end;",
            f"invariant \"all\" forall i: proc do {one} | {two} end;",
            f"invariant \"some\" exists i: proc do {one} | {two} end;",
            f"ltl \"leads\" forall i: proc do G ({one} -> F {two}) end;",
            f"ltl \"at last\" F forall i: proc do {two} end;",
            f"ltl \"next\" G ((exists i: proc do {one} end) -> X (exists i: proc do {two} end));",
            f"ltl \"again\" G F (exists i: proc do {one} end);",
            f"ltl \"order\" (forall i: proc do {one} end) W (exists i: proc do {two} end);",
            f"ctl \"branch\" AG (exists i: proc do {one} end -> AF (exists i: proc do {two} end));",
            f"ctl \"either\" (AF exists i: proc do {one} end) | (AF forall i: proc do {two} end);",
            f"ctl \"next\" AG (AX (exists i: proc do {one} end) | AF (forall i: proc do {two} end));",
            f"ctl \"until\" A[exists i: proc do {one} end U (forall i: proc do {two} end)];",
            f"ctl \"some run\" AG EF (exists i: proc do {one} end);",
        ]
        chosen = self.random.sample(texts[:-1], self.random.randint(1, 3))
        if self.random.random() < 0.05:
            chosen.append(texts[-1])
        if self.random.random() < 0.2:
            chosen.append(f"assume exists i: proc do {self.symmetric('i')} | {self.symmetric('i')} end;")
        if self.random.random() < (0.6 if self.ends else 0.2):
            chosen.append(f"final exists i: proc do {self.symmetric('i')} | {self.symmetric('i')} | {self.symmetric('i')} end;")
        if self.random.random() < 0.1:
            chosen.append("fair " + self.random.choice(["lock", "level = 0 => level = 1"]) + ";")
        return "\n".join(chosen) + "\n"

    def text(self):
        rules = "".join(self.rule(number) for number in range(self.random.randint(1, 2) if self.ends else self.random.randint(2, 5)))
        return (f"const N: {self.processes};\ntype proc: 1..N;\n"
                "var at: array[proc] of enum { Idle, Wait, Busy }; flag: array[proc] of boolean; lock: boolean; level: 0..2; rank: array[proc] of 0..3;\n"
                "startstate begin for i: proc do at[i] := Idle; flag[i] := false; rank[i] := i / 2; end; lock := false; level := 0; end;\n"
                f"ruleset i: proc do\n{rules}end;\n{self.properties()}")


def answer(noether, path, model, symmetry):
    command = [noether, "check", path, "--symmetry", symmetry, "--deadlock", model.deadlock, "--warnings", "off",
               "--json", "-"] + ["--keep-going"] * model.keeps_going
    done = subprocess.run(command, capture_output=True, text=True, timeout=patience.seconds(120), check=False)
    if done.returncode not in (0, 1):
        return f"exit status {done.returncode}: {done.stderr}{done.stdout[-1000:]}"
    return json.loads(done.stdout)


def verdicts(found):
    """By property; with the length of the run where that is the shortest."""
    return {(entry["kind"], entry["name"]): (entry["verdict"], len(entry["trace"]) if entry["kind"] in ("invariant", "deadlock")
                                             and entry.get("trace") else None) for entry in found["results"]}


def problem(model, plain, guarded):
    """NULL: the answers agree. Without --keep-going, which of several violations is found first may differ."""
    if isinstance(plain, str) or isinstance(guarded, str):
        return f"{plain if isinstance(plain, str) else ''} {guarded if isinstance(guarded, str) else ''}"
    left, right = verdicts(plain), verdicts(guarded)
    if model.keeps_going:
        return None if left == right else f"{left} without symmetry, {right} guarded"
    wrong = [name for name in left if {left[name][0], right[name][0]} == {"holds", "violated"}]
    same = any(verdict == "violated" for verdict, _ in left.values()) == any(verdict == "violated" for verdict, _ in right.values())
    return None if same and not wrong else f"{left} without symmetry, {right} guarded"


def outcome(guarded):
    why = guarded.get("engine_reason") or ""
    if "without the guards" not in why:
        return re.sub(r"^explicit, since ", "", why)
    if "and no end, on the model itself" in why:
        return "grows"
    if "on the model itself" in why:
        return "left open"
    return "violated" if any(entry["verdict"] == "violated" for entry in guarded["results"]) else "holds"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    outcomes, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed, make in itertools.product(range(options.seed, options.seed + options.count), (Model, processes.Model)):
            model = make(seed)
            text = model.text()
            path = str(pathlib.Path(folder) / f"model.{model.suffix}")
            pathlib.Path(path).write_text(text)
            plain, guarded = answer(options.noether, path, model, "off"), answer(options.noether, path, model, "guarded")
            wrong = problem(model, plain, guarded)
            if wrong:
                failed += 1
                print(f"FAILED seed {seed} (--deadlock {model.deadlock}): {wrong}\n{text}")
            else:
                outcomes[outcome(guarded)] += 1
    for word, count in outcomes.most_common():
        print(f"  {count} {word}")
    for word in ("holds", "violated", "left open", "grows"):
        if not outcomes[word] and options.count >= 150:
            failed += 1
            print(f"FAILED: no model with the outcome \"{word}\"")
    print(f"{sum(outcomes.values())} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
