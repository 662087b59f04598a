"""Constructs that are put into models that are there, and models of channel variables over several kinds of channels: random numbers of their own
(later.py). Nested choices are in nesting.py."""
import random
import re

from nesting import basic
from tree import Model, Process

PROVIDED, LABELLED, ASKED, COUNTED, POOLED = 0.3, 0.5, 0.15, 0.5, 0.04


def chance(word, seed, probability):
    """The random numbers of an addition; None: this seed is without it."""
    own = random.Random(f"{word} {seed}")
    return own if own.random() < probability else None


def provide(seed, model, text):
    """A condition of a process that has a d_step: it may turn false inside."""
    own = chance("provides", seed, PROVIDED)
    bits = re.findall(r"^(?:bit|bool) (\w+)(?: = \d)?;$", "\n".join(model.declarations), re.M)
    processes = [process for process in model.processes if process.head.endswith(")") and "proctype" in process.head and "'d_step'" in repr(process.body)]
    if not own or not bits or not processes or model.fair or "priority" in text or "enabled(" in text:
        return set()
    process = own.choice(processes)
    process.head += f" provided ({own.choice(bits)} == {own.choice([0, 1])})"
    return {"provided", "provided beside d_step"}


def sequences(statements, inside=""):
    """(sequence, what it is the body of), all that are in it."""
    yield statements, inside
    for statement in statements:
        kind = statement[0]
        if kind in ("if", "do"):
            for option in statement[1]:
                yield from sequences(option, "option" if inside in ("", "option") else inside)
        elif kind == "label":
            yield from sequences([statement[2]], "label")
        elif kind == "unless":
            for part in statement[1:]:
                yield from sequences(part, "unless")
        elif kind in ("atomic", "d_step", "block", "for"):
            yield from sequences(statement[-1], kind)


def label_inside(seed, model, text):
    """A label of a statement inside an atomic sequence or d_step, or in front of the first statement of an option. Not of the last one of an atomic
    sequence, where pan may find a cycle that it does not look for (docs/languages/promela.md)."""
    own = chance("labels", seed, LABELLED)
    if not own or model.formulas or model.claim or model.cycles or "assert(" in text:
        return set()
    word = own.choice(["accept", "progress", "progress"])
    places = []
    for process in model.processes:
        for sequence, inside in sequences(process.body):
            if inside in ("atomic", "d_step"):
                places += [(sequence, i, inside) for i in range(1, len(sequence) - 1) if sequence[i][0] in ("basic", "if") and sequence[i][1] != "break"]
            elif inside == "option" and sequence and sequence[0][0] in (("basic", "if", "do", "d_step", "atomic") if word == "progress" else ("basic", "if", "d_step")):
                places.append((sequence, 0, inside))
    inner = [place for place in places if place[2] != "option"]
    if not places:
        return set()
    if not inner and own.random() < 0.7:
        return set()
    sequence, place, inside = own.choice(inner or places)
    if own.random() < 0.15:
        word = "end"
    sequence[place] = ("label", f"{word}_inside", sequence[place])
    model.cycles = word if word != "end" else ""
    return {f"{word} label", "label first in an option" if inside == "option" else f"label inside {inside}"}


def instances(head):
    return int(head[8]) if head.startswith("active [") else 1 if head.startswith(("active", "init")) else 0


def unlabelled(statement):
    return unlabelled(statement[2]) if statement[0] == "label" else statement


def ask_oneself(seed, model, text):
    """enabled() of the process that asks."""
    own = chance("asks itself", seed, ASKED)
    if not own or "Asker" not in text or not model.processes[-1].head.startswith("active proctype Asker"):
        return set()
    pid = sum(instances(process.head) for process in model.processes[:-1])
    options = unlabelled(model.processes[-1].body[-1])[1]  # in front of it may stand a wait
    option = own.choice(options)
    asked = basic(re.sub(r"enabled\(\d+\)", f"enabled({pid})", unlabelled(option[0])[1]))
    option[0] = ("label", option[0][1], asked) if option[0][0] == "label" else asked
    return {"enabled of itself"}


def count_in_claims(seed, model, _):
    own = chance("counts", seed, COUNTED)
    if not own or not model.formulas:
        return set()
    shape = own.choice(["[] <> (_nr_pr == %d)", "<> (_nr_pr == %d)", "[] (_nr_pr != %d)", "<> [] (_nr_pr <= %d)"])
    model.formulas = [*model.formulas, ("counted", shape % own.choice([1, 2, 3]))]
    return {"_nr_pr in ltl"}


class Pooling:
    """Channels of several capacities, and processes that have one of them in a variable, parameter or array."""

    def __init__(self, seed):
        self.random = random.Random(f"pooling {seed}")
        count = self.random.choice([2, 2, 3])
        self.channels = [f"q{i}" for i in range(count)]
        self.capacities = [self.random.choice([0, 1, 1, 2]) for _ in self.channels]
        self.used = {"channel variable", "channels of several kinds", "send", "receive", "len", *(f"capacity {capacity}" for capacity in self.capacities)}

    def operation(self, name):
        value = self.random.choice(["0", "1", "x & 1"])
        texts = [f"{name}!{value}", f"{name}!{value}", f"{name}?x", f"{name}?x", f"{name}?{self.random.choice(['0', '1'])}", f"len({name}) {self.random.choice(['==', '<', '>='])} 1",
                 "x = 1 - (x & 1)", f"assert({name} != {self.random.choice(self.channels)} || len({self.random.choice(self.channels)}) < 2)"]
        if all(self.capacities):
            texts += [f"{name}?[{self.random.choice(['0', '1'])}]", f"full({name})", f"nempty({name})", f"{name}?<x>"]
        return basic(self.random.choice(texts))

    def body(self, name):
        steps = [self.operation(name) for _ in range(self.random.choice([1, 2, 2, 3]))]
        shape = self.random.random()
        if shape < 0.3:
            return [("do", [[step] for step in steps])]
        if shape < 0.45:
            return [("if", [[step] for step in steps] + [[basic("else")]])] if all(self.capacities) else [("atomic", steps)]
        return [("d_step", steps)] if shape < 0.52 and all(self.capacities) else steps

    def chooser(self):
        start = self.random.choice(["", f" = {self.random.choice(self.channels)}"])
        options = [[basic(f"c = {channel}")] for channel in self.random.sample(self.channels, self.random.choice([1, 2]))]
        if start:
            options.append([basic("skip")])
        return Process("active proctype Chooser()", [f"chan c{start}", "byte x"], [("if", options), *self.body("c")])

    def make(self):
        model = Model()
        model.declarations = [f"chan {channel} = [{capacity}] of {{ byte }}" + ";" for channel, capacity in zip(self.channels, self.capacities)]
        model.processes = [Process("proctype Worker(chan c)", ["byte x"], self.body("c"))]
        if self.random.random() < 0.7:
            model.processes.append(self.chooser())
        if self.random.random() < 0.4:
            model.processes.append(Process("active proctype Plain()", ["byte x"], self.body(self.random.choice(self.channels))))
        fill = [basic(f"{channel}!{self.random.choice([0, 1])}") for channel, capacity in zip(self.channels, self.capacities) if capacity and self.random.random() < 0.4]
        starts = [basic(f"run Worker({self.random.choice(self.channels)})") for _ in range(self.random.choice([2, 2, 3]))]
        model.processes.append(Process("init", [], [*fill, ("atomic", starts)]))
        return model, self.used | {"run in atomic", "channel as a parameter", "init", "run", "parameter"}


def pooling(seed):
    """A model and its constructs; None: this seed has another one."""
    return Pooling(seed).make() if chance("pools", seed, POOLED) else None


def add(seed, model, text):
    """The constructs that were put in."""
    return set().union(*(addition(seed, model, text) for addition in (provide, label_inside, ask_oneself, count_in_claims)))
