"""Models and constructs with random numbers of their own, so that all other models of the generator stay as they were (recorded.tsv).

A dispatcher chooses one of several workers, at places that may be alike: an exchange of the workers exchanges the places. D_proctype: where a
process has a choice, that is an error."""
import random

from tree import Model, Process

DISPATCHERS, DETERMINISTIC = 0.06, 0.04


class Dispatching:
    def __init__(self, seed):
        self.random = random.Random(f"dispatching {seed}")
        self.channels = [f"c{i}" for i in range(self.random.choice([2, 2, 3]))]
        self.is_broken = self.random.random() < 0.3  # one option is not like the others
        self.uses_clients = self.random.random() < 0.3
        self.middle = self.random.choice(["", "", "x = (x + 1) % 3", "skip", "(x < 3)"])
        self.behind = self.random.choice(["", "", "x = 1 - (x & 1)", "skip"])
        self.around = self.random.choice(["", "", "", "atomic", "d_step"])
        self.guard = self.random.choice(["least", "least", "true", "room", "none"])
        self.used = {"dispatcher", "do", "send", "receive", "len"}

    def guard_of(self, channel):
        others = [other for other in self.channels if other != channel]
        self.random.shuffle(others)
        if self.guard == "least":
            return "(" + " && ".join(f"len({channel}) <= len({other})" for other in others) + ")"
        return {"true": "(true)", "room": f"(len({channel}) < 1)", "none": ""}[self.guard]

    def option(self, channel, number):
        texts = [self.guard_of(channel), self.middle, f"{channel}!{'j' if self.uses_clients else 1}", self.behind]
        if self.is_broken and number == 1:
            texts.insert(self.random.choice([1, 3, 4]), self.random.choice(["x = 2", "x = 0", "skip"]))
        steps = [("basic", text) for text in texts if text]
        return [(self.around, steps)] if self.around and len(steps) > 1 else steps

    def dispatcher(self):
        choice = [self.option(channel, number) for number, channel in enumerate(self.channels)]
        if self.uses_clients:
            return Process("active proctype Dispatcher()", ["byte j"], [("label", "end", ("do", [[("basic", "jobs?j"), ("if", choice), ("basic", "j = 0")]]))])
        return Process("active proctype Dispatcher()", [], [("label", "end", ("do", choice))])

    def worker(self):
        work = self.random.choice([["x = (x + v) % 4"], ["v = 0"], ["skip", "v = 0"], ["assert(x < 2 || v < 2)", "v = 0"], [f"assert(len({self.channels[0]}) + len({self.channels[1]}) < 2)"]])
        return Process("proctype Worker(chan in)", ["byte v"], [("label", "end", ("do", [[("basic", "in?v"), *(("basic", text) for text in work)]]))])

    def formulas(self):
        first, second = self.channels[:2]
        some = [f"[] (len({first}) + len({second}) < 2)", f"<> (len({first}) + len({second}) > 0)", f"[] <> (len({first}) == 0)", f"[] (len({first}) == 1 -> <> (len({first}) == 0))",
                "[] <> (x != 1)", f"<> [] (len({second}) == len({first}))"]
        return [(f"f{number}", text) for number, text in enumerate(self.random.sample(some, self.random.choice([0, 0, 1, 2])))]

    def make(self):
        model = Model()
        model.declarations += ["byte x", *(f"chan {channel} = [{self.random.choice([1, 1, 2])}] of {{ byte }}" for channel in self.channels[:1])]
        capacity = model.declarations[-1].split("[")[1][0]
        model.declarations += [f"chan {channel} = [{capacity}] of {{ byte }}" for channel in self.channels[1:]]
        if self.uses_clients:
            model.declarations.append("chan jobs = [1] of { byte }")
            model.processes.append(Process(f"active [{self.random.choice([1, 2])}] proctype Client()", [], [("label", "end", ("do", [[("basic", "jobs!1")]]))]))
        starts = [("basic", f"run Worker({channel})") for channel in self.channels]
        model.processes += [self.dispatcher(), self.worker(), Process("init", [], [("atomic", starts)])]
        model.formulas = self.formulas()
        return model, self.used | {"run in atomic", "channel as a parameter"}


def determine(seed, model, text):
    """One of the processes must not have a choice. Two receives of a rendezvous are refused there, and pan takes a question (enabled) for a choice."""
    own = random.Random(f"determined {seed}")
    processes = [process for process in model.processes if "proctype" in process.head]
    if own.random() >= DETERMINISTIC or not processes or "[0] of" in text or "enabled(" in text:
        return set()
    process = own.choice(processes)
    process.head = process.head.replace("proctype", "D_proctype")
    return {"D_proctype"}


def dispatching(seed):
    """A model and its constructs; None: this seed has another one."""
    return Dispatching(seed).make() if random.Random(f"dispatches {seed}").random() < DISPATCHERS else None
