#!/usr/bin/env python3
"""tests/differential/prism_counters.py [--count N] [--seed S] [--keep FOLDER] BINARY: random small chains of replicated
modules (prism.py), counted. Where a model can be counted: every property has the value it has without counters, state by
state and (what is 0, 1, true or false) in sets of states, with and without counters; what `noether reduce` writes, read
again, says the same. And PRISM would take it as it is: with every state of its variables as an initial one, reachable or
not, no update leaves a range and all probabilities add up to one."""
import json
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

import tally
from prism import SECONDS, Model, differs

MOST_STATES = 100000


class Alike(Model):
    """Copies that may be exchanged, more often than in prism.py; no numbers of modules in variables."""

    def __init__(self, seed):
        super().__init__(seed)
        self.has_turn = False
        self.is_ring = self.is_ring and self.random.random() < 0.2
        self.has_bus = self.has_bus and self.random.random() < 0.3
        if self.spoiled in ("command", "reward", "start") and self.random.random() < 0.7:
            self.spoiled = None
        self.has_shared = self.random.random() < 0.4

    def guard(self):
        guard = super().guard()
        return guard + self.random.choice((" & g=0", " & g>0", "")) if self.has_shared else guard

    def update(self, may_write_turn):
        update = super().update(may_write_turn)
        if self.has_shared and may_write_turn and self.random.random() < 0.5:
            update += "&(g'=" + self.random.choice(("0", "min(g+1,2)", "s1", f"min({self.count(1)},2)")) + ")"
        return update

    def properties(self):
        """Most of them without filters over single states, which counted models do not have."""
        lines = super().properties().splitlines()
        if self.random.random() < 0.9:
            lines = [line for line in lines if not re.match(r"filter\((count|sum|avg|first)", line)]
        return "\n".join(lines) + "\n"

    def text(self):
        text = super().text()
        if not self.has_shared:
            return text
        text = text.replace("module p1\n", "global g : [0..2];\nmodule p1\n", 1)
        return re.sub(r"^init ", "init g=0 & ", text, flags=re.M)


def check(binary, folder, model, properties, *options):
    answer = folder / ("answer" + "".join(options) + model + ".json")
    answer.unlink(missing_ok=True)
    done = subprocess.run([binary, "check", str(folder / model), str(folder / properties), "-q", "--json", str(answer), *options],
                          capture_output=True, text=True, timeout=patience.seconds(SECONDS))
    return (json.loads(answer.read_text()) if answer.exists() and done.returncode != 2 else None), (done.stderr or done.stdout).strip()


def values(answer):
    return [r for r in answer["results"] if r["kind"] == "quantity"]


def all_states(text):
    """The same model, beginning in every state of its variables."""
    text = re.sub(r" init (\d+|true|false);", ";", text)
    text = re.sub(r"\ninit\n.*?\nendinit\n", "\n", text, flags=re.S)
    return text + "\ninit true endinit\n"


def size(text):
    states = 1
    for low, high in re.findall(r": \[(-?\d+)\.\.(-?\d+)\]", text):
        states *= int(high) - int(low) + 1
    return states * 2 ** len(re.findall(r" : bool", text))


def check_written(binary, folder, plain):
    """What is wrong with the text that was written."""
    done = subprocess.run([binary, "reduce", str(folder / "model.prism"), str(folder / "model.props"), "-o",
                           str(folder / "counted.prism")], capture_output=True, text=True, timeout=patience.seconds(SECONDS))
    if "left out" in done.stderr or "a division towards zero cannot be written" in done.stderr:
        return []  # the test for a divisor of 0 in a comparison of quotients: counted, but not written
    if done.returncode:
        return [f"reduce: {done.stderr}"]
    again, problem = check(binary, folder, "counted.prism", "counted.props", "--symmetry", "off")
    if again is None:
        return [f"what reduce writes is not read: {problem}"]
    found = [why for a, b in zip(values(plain), values(again)) for why in [differs("written: " + a["name"], a, b)] if why]
    text = (folder / "counted.prism").read_text()
    if size(text) > MOST_STATES:
        return found
    (folder / "everywhere.prism").write_text(all_states(text))
    (folder / "none.props").write_text("")
    everywhere, problem = check(binary, folder, "everywhere.prism", "none.props", "--symmetry", "off")
    if everywhere is None or everywhere["verdict"] != "holds":
        found.append(f"PRISM would not take it: {problem}")
    return found


def compare(binary, seed, keep):
    """What is wrong, how many values were compared, was it counted, and were some values found in sets of states."""
    model = Alike(seed)
    folder = pathlib.Path(keep) / str(seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.prism").write_text(model.text())
    (folder / "model.props").write_text(model.properties())
    plain, problem = check(binary, folder, "model.prism", "model.props", "--symmetry", "off")
    if plain is None:
        return [] if "error:" in problem else [problem or "no answer"], 0, False, 0
    found, compared, in_sets = [], 0, 0
    if plain.get("stopped_by"):
        return [], 0, False, 0
    runs = [("--engine", "symbolic", "--method", "none"), ("--engine", "symbolic", "--method", "generic"),
            ("--engine", "counter"), ("--vectors", "diagrams", "--engine", "symbolic", "--method", "none")]
    counted = None
    for options in runs:
        answer, problem = check(binary, folder, "model.prism", "model.props", *options)
        if answer is None:
            if "counter abstraction" not in problem:
                found.append(f"{options}: {problem}")
            continue
        counted = answer if options[-1] == "counter" else counted
        for a, b in zip(values(plain), values(answer)):
            found += [f"{options}: {why}" for why in [differs(a["name"], a, b)] if why]
            in_sets += "symbolic" in options and b["verdict"] != "unknown"
            compared += b["verdict"] != "unknown"
            is_left_out = "counter abstraction" in (b["reason"] or "")
            if options[-1] == "counter" and b["verdict"] == "unknown" and a["verdict"] != "unknown" and not is_left_out:
                found.append(f"{options}: {a['name']}: {b['reason']}")
    if counted:
        found += check_written(binary, folder, plain)
        states, figures = int(plain["statistics"]["states"]), counted["statistics"]
        represented, is_exact = int(figures["represented"]), figures["represented_is_exact"]
        if represented < states or (is_exact and represented != states):
            found.append(f"{represented} states represented, there are {states}")
    return found, compared, counted is not None, in_sets


def summary(count, compared, counted, in_sets):
    return (f"{compared} values compared, {in_sets} of them in sets of states; {counted} of {count} models were counted",
            counted >= count // 4 and in_sets >= count // 2)


if __name__ == "__main__":
    sys.exit(tally.run(compare, 40, summary))
