#!/usr/bin/env python3
"""Random small Promela models in which processes meet: over shared variables, channels, rendezvous, atomic steps.

    generate.py SEED        prints the model

Each model has a theme or two, so that it is small and yet something happens; constructs.py lists all that the themes make."""
import random
import re
import sys
from dataclasses import dataclass, field, replace

from additions import add, pooling
from borders import BORDERS, bordering
from events import add_trace
from later import determine, dispatching
from nesting import nest
from properties import add_properties
from statements import Statements
from themes import BASE, THEMES
from tree import Model, Process, text_of
from vocabulary import EDGES, MTYPES, NARROW, SUBTYPES, WIDE, Channel, Variable


@dataclass
class Scope:
    """What a statement can name, and where it stands."""
    variables: list
    channels: list = field(default_factory=list)
    local_channels: list = field(default_factory=list)
    records: list = field(default_factory=list)
    in_process: bool = True
    in_formula: bool = False
    may_fail: bool = False
    polls: bool = True
    counts_processes: bool = False
    remote: object = None
    labels: list = field(default_factory=list)
    targets: list = field(default_factory=list)
    loops: int = 0  # around the statement
    inside: str = ""  # "atomic", "d_step" or nothing
    depth: int = 2


class Maker(Statements):
    """Makes one model."""

    def __init__(self, seed):
        super().__init__(random.Random(seed))
        self.weights, self.themes = dict(BASE), self.random.sample(list(THEMES), self.pick([1, 1, 2]))
        for theme in self.themes:
            self.weights.update(THEMES[theme])
        self.model, self.counter, self.inlines, self.workers = Model(), 0, [], []
        self.fails = self.has("assertions")
        self.shared, self.channels, self.record, self.macros = [], [], None, []
        self.remotes, self.pids, self.asked = [], 0, 0  # processes that others may look at; instances so far, and of these such that do not ask

    def has(self, theme):
        return theme in self.themes

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    # --- declarations ---

    def declare(self, text):
        self.model.declarations.append(text + ";")

    def make_variable(self, prefix, where):
        kind = self.pick([*NARROW, *NARROW, *WIDE, "mtype", "mtype:way", "pid"] if self.has("types") else [*NARROW, *NARROW, "byte", "byte", "mtype"])
        size = self.pick([0, 0, 0, 2, 3]) if kind in ("bit", "bool", "byte", "mtype") else 0
        name = self.fresh(prefix)
        self.use(kind if kind != "mtype:way" else "mtype subtype", *(["local array"] if size and where == "local" else []))
        text = f"unsigned {name} : 2" if kind == "unsigned" else f"{kind} {name}" + (f"[{size}]" if size else "")
        if kind in NARROW and self.chance(0.2):
            text += f" = {self.pick([0, 1])}"
        elif kind == "byte" and size and self.chance(0.4):
            self.use("list of initial values")
            text += f" = {{ {', '.join(self.constant() for _ in range(size))} }}"
        elif kind in WIDE and self.chance(0.4):
            text += f" = {self.pick([*(str(i) for i in range(4)), *self.edges(kind)])}"
        elif kind == "mtype" and not size and self.chance(0.5):
            text += f" = {self.pick(MTYPES)}"
        return Variable(name, kind, size), text

    def edges(self, kind):
        self.use("wrap-around")
        return EDGES[kind]

    def declare_shared(self):
        self.declare(f"mtype = {{ {', '.join(MTYPES)} }}")
        self.declare(f"mtype:way = {{ {', '.join(SUBTYPES)} }}")
        for _ in range(self.pick([1, 2, 2, 3])):
            variable, text = self.make_variable("g", "shared")
            prefix = self.pick(["show ", "local "]) if self.chance(0.08) and "mtype" not in text else ""
            self.use(*([prefix.strip()] if prefix else []))
            self.shared.append(variable)
            self.declare(prefix + text)
        if not any(variable.is_narrow() and not variable.size for variable in self.shared):
            self.shared.append(Variable("flag", "bit"))
            self.declare("bit flag")
        if self.has("hidden"):
            self.use("hidden")
            self.declare("hidden byte unseen")
        if self.has("macros"):
            self.make_macros()

    def make_macros(self):
        self.use("macro", "macro with parameters", "conditional compilation")
        narrow = next(variable for variable in self.shared if variable.is_narrow() and not variable.size)
        self.model.declarations += ["#define LAST 1", "#define NEXT(a) ((a + LAST) % 2)", "#ifdef NEVER_DEFINED", "byte nothing = ;", "#else",
                                    f"#define LOW ({narrow.name} == 0)", "#endif"]
        self.macros = ["LOW", f"NEXT({narrow.name}) == 1"]

    def declare_record(self):
        self.use("typedef", "array in a record", "bit", "byte")
        self.declare("typedef Inner { bit low; bit row[2] }")
        if self.chance(0.5) and not self.has("parcels"):
            self.use("typedef in typedef")
            self.declare("typedef Record { bit high; Inner inner; unsigned part : 2 }")
            parts = [("high", "bit", 0), ("inner.low", "bit", 0), ("inner.row", "bit", 2), ("part", "unsigned", 0)]
        else:
            self.declare("typedef Record { bit high; byte wide; bit row[2] }")
            parts = [("high", "bit", 0), ("wide", "byte", 0), ("row", "bit", 2)]
        self.record = parts
        size = self.pick([0, 2])
        self.use(*(["array of records"] if size else []))
        self.declare(f"Record rec{f'[{size}]' if size else ''}")
        for number in range(size) if size else [None]:
            where = "rec" if number is None else f"rec[{number}]"
            self.shared += [Variable(f"{where}.{part}", kind, length) for part, kind, length in parts]

    def declare_channels(self):
        for _ in range(self.pick([1, 1, 2])):
            capacity = self.pick([0, 0, 1, 1, 2, 3]) if not self.has("rendezvous") else self.pick([0, 0, 0, 1])
            capacity = max(1, capacity) if self.has("order") else capacity
            fields = self.pick([["byte"], ["bit"], ["mtype"], ["byte", "bit"], ["mtype", "byte"], ["byte", "byte"], ["bit", "short"]])
            size = 2 if self.chance(0.2) else 0
            channel = Channel(self.fresh("q"), capacity, fields, size)
            self.use(f"capacity {capacity}", *(["several fields"] if len(fields) > 1 else []), *(["mtype field"] if "mtype" in fields else []))
            self.channels.append(channel)
            self.declare(f"chan {channel.name}{'[2]' if size else ''} = [{capacity}] of {{ {', '.join(fields)} }}")

    def declare_boxes(self):
        """Records with channels in them, which are global ones."""
        fields = self.pick([["byte"], ["bit"], ["byte", "bit"]])
        capacity, size = self.pick([0, 1, 1, 2]), self.pick([0, 2])
        self.use("channel in a record", "typedef", f"capacity {capacity}", "channel variable", *(["channel in an array of records"] if size else []))
        self.declare(f"chan line = [{capacity}] of {{ {', '.join(fields)} }}")
        self.declare(f"chan wire = [{capacity}] of {{ {', '.join(fields)} }}")
        self.declare("typedef Box { chan c; bit used }")
        self.declare(f"Box box{f'[{size}]' if size else ''}")
        self.boxes = [f"box[{i}]" for i in range(size)] or ["box"]
        self.channels.append(Channel("line", capacity, fields))
        self.channels += [Channel(f"{box}.c", capacity, fields, is_reference=True) for box in self.boxes]
        self.shared += [Variable(f"{box}.used", "bit") for box in self.boxes]

    def fill_boxes(self):
        """First of all."""
        fill = [("basic", f"{box}.c = {self.pick(['line', 'wire'])}") for box in self.boxes]
        self.declare("bit filled")
        self.model.processes[0].body.insert(0, ("atomic", [*fill, ("basic", "filled = 1")]))
        for process in self.model.processes[1:]:
            process.body.insert(0, ("basic", "(filled)"))

    def declare_inlines(self):
        scope = Scope(self.shared, in_process=False)
        narrow = [variable for variable in self.shared if variable.is_narrow() and not variable.size]
        self.use("inline", "inline with parameters", "inline with a local")
        other = self.pick(narrow).name
        self.model.declarations += [
            f"inline bump(to, by) {{ to = to + by; if :: to == {self.constant()} -> {other} = 1 - {other} :: else fi }}",
            "inline swap(left, right) { bit kept; kept = left; left = right; right = kept }",
            "inline wait_for(what) { (what) }",
            f"inline rest() {{ if :: {self.condition(scope, 1)} -> goto out :: else fi; skip; out: skip }}"]
        self.inlines = [lambda: f"bump({self.pick(narrow).name}, {self.pick([1, 2])})", lambda: f"swap({self.pick(narrow).name}, {self.pick(narrow).name})",
                        lambda: f"wait_for({self.pick(narrow).name} == {self.pick([0, 1])})", lambda: "rest()"]

    # --- processes ---

    def locals_of(self, scope):
        """Declarations at the head of a process."""
        texts = []
        for _ in range(self.pick([0, 1, 1, 2])):
            variable, text = self.make_variable("v", "local")
            self.use("local variable", *(["initial values of locals"] if "=" in text else []))
            if variable.type in NARROW and "=" not in text and not variable.size and self.chance(0.15):
                self.use("local that reads a global")
                text += f" = {self.number(replace(scope, variables=self.shared), 1, narrow=True)}"
            scope.variables.append(variable)
            texts.append(text)
        if self.record and self.chance(0.3):
            self.use("local record")
            texts.append("Record mine")
            scope.variables += [Variable(f"mine.{part}", kind, length) for part, kind, length in self.record]
            scope.records.append("mine")
        return texts

    def scope(self):
        return Scope(list(self.shared), list(self.channels), may_fail=self.fails, counts_processes=self.has("creation"), depth=self.pick([2, 2, 2, 3]))

    def process(self, head, extra=(), channels=(), loops=None):
        """A process with a body of its own; extra: variables that are its parameters."""
        scope = self.scope()
        scope.variables += extra
        scope.channels += channels
        texts = self.locals_of(scope)
        if (self.has("remote") or self.has("gone")) and self.model.processes:
            scope.remote = self.remote_reference
        if self.has("own channels"):
            self.own_channel(scope, texts)
        if self.has("for") and "byte i" not in texts:
            texts.append("byte i")
        self.model.processes.append(Process(head, texts, self.body(scope, loops)))
        self.note_remote(head, scope)

    def make_exclusive(self):
        """xr and xs, where one process alone receives from a channel or sends to it."""
        for channel in self.channels:
            for word, sign in (("xs", "!"), ("xr", "?")):
                texts = [text_of(Model(processes=[process])) for process in self.model.processes]
                users = [i for i, text in enumerate(texts) if f"{channel.name}{sign}" in text]
                asked = any(f"({channel.name})" in text for text in texts)
                if len(users) == 1 and not asked and not channel.size and "proctype" in texts[users[0]] and self.instances(texts[users[0]]) == 1:
                    self.use(word)
                    self.model.processes[users[0]].declarations.append(f"{word} {channel.name}")

    def own_channel(self, scope, texts):
        """It goes with its process; nothing else has it."""
        self.use("local channel", "channel of a process that ends", "capacity 1")
        texts.append("chan mine = [1] of { bit }")
        scope.channels.append(Channel("mine", 1, ["bit"]))

    def note_remote(self, head, scope):
        """Processes of lower pids, which others may look at: they end later. Theme gone: any, before it is there or after."""
        if "active proctype" in head:
            name = head.split("proctype ")[1].split("(")[0]
            locals_ = [variable for variable in scope.variables if variable.name.startswith("v") and not variable.size and variable.type != "mtype:way"]
            labels = [label for label in scope.labels if label.startswith("L")]
            self.remotes.append((name, self.pids, locals_, labels))
        self.pids += self.instances(head)

    @staticmethod
    def instances(head):
        if head.startswith("active ["):
            return int(head[8])
        return 1 if head.startswith(("active", "init")) else 0

    def remote_reference(self):
        name, number, locals_, labels = self.pick(self.remotes) if self.remotes else (None, 0, [], [])
        if self.has("gone") and name:
            return self.remote_of_none(name, number, locals_, labels)
        if name and labels and (not locals_ or self.chance(0.5)):
            if self.chance(0.5):
                self.use("remote label with a pid")
                return f"{name}[{number}]@{self.pick(labels)}"
            self.use("remote label")
            return f"{name}@{self.pick(labels)}"
        if name and locals_:
            self.use("remote variable")
            variable = self.pick(locals_)
            value = self.pick(MTYPES) if variable.type == "mtype" else self.constant()
            return f"{name}{self.pick(['', f'[{number}]'])}:{variable.name} == {value}"
        return f"{self.atom(Scope(self.shared))} == 1"

    def remote_of_none(self, name, number, locals_, labels):
        """Under a pid that may be free, or always is; never another proctype's: pan would read what is in its place there."""
        pid = self.pick([number, number, 9])
        if labels and (not locals_ or self.chance(0.5)):
            self.use("remote label with a pid", "remote label of no process")
            return f"{name}[{pid}]@{self.pick(labels)}"
        if not locals_:
            return f"{self.atom(Scope(self.shared))} == 1"
        self.use("remote variable", "remote variable of no process")
        variable = self.pick(locals_)
        return f"{name}[{pid}]:{variable.name} == {self.pick(MTYPES) if variable.type == 'mtype' else self.constant()}"

    def head(self, name, parameters=""):
        count = self.pick([1, 1, 2]) if not self.has("crowd") else self.pick([2, 2, 3])
        self.use("active" if count == 1 else "active [N]")
        text = f"active{f' [{count}]' if count > 1 else ''} proctype {name}({parameters})"
        if self.has("priority"):
            self.use("priority")
            text += f" priority {self.pick([1, 2, 3])}"
        elif self.has("provided") and self.chance(0.7):
            self.use("provided")
            text += f" provided {self.condition(Scope(self.shared, in_process=False), 1)}"
        return text

    def make_asker(self):
        """A process that asks whether others can move; they do not ask. Behind them, so that their pids are known."""
        self.use("enabled", "do", "active")
        scope, self.asked = self.scope(), self.pids
        options = [[("basic", f"({self.pick(['', '!'])}enabled({self.random.randrange(self.pids)}))"), *self.sequence(scope, 1)]
                   for _ in range(self.pick([1, 2]))]
        clause = ""
        if self.chance(0.2) and not self.has("priority") and not self.model.fair:
            self.use("enabled in provided", "provided")
            clause = f" provided (enabled({self.random.randrange(self.pids)}))"
        self.model.processes.append(Process(f"active proctype Asker(){clause}", [], [("do", options)]))
        self.pids += 1

    def make_active(self):
        for _ in range(1 if self.has("crowd") else self.pick([2, 2, 3])):
            self.process(self.head(self.fresh("P")))
        if self.has("gone"):
            self.process(self.head(self.fresh("P")), loops=None if self.model.fair else False)  # looks at others, and ends itself
        if self.asks():
            self.make_asker()
        elif self.chance(0.1) and not self.has("priority"):
            self.use("init", "init with other processes")
            self.process("init")

    def asks(self):
        """SPIN refuses enabled() beside rendezvous channels. Processes that are asked about have no else: pan then answers by
        what the process that asks has tried before."""
        return self.has("asking") and all(channel.capacity for channel in self.channels)

    def make_created(self):
        """init, and processes that it or others start."""
        self.use("init", "run", "process ends")
        for _ in range(self.pick([1, 1, 2])):
            self.make_worker()
        order = list(self.model.processes)
        self.model.processes = []
        if self.chance(0.3):
            self.use("init with other processes")
            self.process(self.head(self.fresh("P")))
        self.model.processes += order
        self.model.processes.append(Process("init", ["byte started"] if self.chance(0.5) else [], []))
        self.model.processes[-1].body = self.starts(self.model.processes[-1])

    def make_worker(self):
        name = self.fresh("W")
        parameters, extra, channels = [], [], []
        if self.chance(0.6):
            self.use("parameter")
            extra.append(Variable("k", "bit"))
            parameters.append("bit k")
        if self.channels and not self.channels[0].size and self.chance(0.5):
            self.use("channel as a parameter")
            channels.append(replace(self.channels[0], name="c", is_reference=True))
            parameters.append("chan c")
        self.use(*(["several parameters"] if len(parameters) > 1 else []))
        self.workers.append((name, [Variable("k", "bit")] if extra else [], bool(channels)))
        self.process(f"proctype {name}({'; '.join(parameters)})", extra, channels, loops=False if self.chance(0.7) else None)

    def run_of(self, scope):
        name, values, channels = self.pick(self.workers)
        items = [self.pick(["0", "1", self.number(scope, 1, narrow=True)]) for _ in values] + ([self.channels[0].name] if channels else [])
        more = f" priority {self.pick([1, 2])}" if self.has("priority") else ""
        return f"run {name}({', '.join(items)}){more}"

    def starts(self, process):
        scope = replace(self.scope(), in_process=True)
        count = self.pick([2, 2, 3])
        shape = self.random.random()
        if shape < 0.35:
            self.use("run in atomic", "atomic")
            return [("atomic", [("basic", self.run_of(scope)) for _ in range(count)]), *self.sequence(scope, 1)]
        if shape < 0.6:
            self.use("run in a loop", "do", "pid reused", "_nr_pr")
            return [("do", [[("basic", f"(_nr_pr < {self.pick([2, 3])})"), ("basic", self.run_of(scope)), *self.sequence(scope, 1)],
                            [("basic", self.condition(scope, 1)), ("basic", "break")]])]
        if shape < 0.8 and process.declarations:
            self.use("run in an assignment")
            return [("basic", f"started = {self.run_of(scope)}"), ("basic", "(started > 0)"), ("basic", self.run_of(scope))]
        if shape < 0.9:
            self.use("run as a guard", "if")
            return [("if", [[("basic", self.run_of(scope)), *self.sequence(scope, 1)], [("basic", self.run_of(scope))]])]
        return [item for _ in range(count) for item in (("basic", self.run_of(scope)), *self.sequence(scope, self.pick([0, 1])))]

    def make_passing(self):
        """Clients send channels of their own to a server."""
        self.use("channel field", "local channel", "channel variable", "active [N]", "end label", "label", "capacity 1", "send", "receive", "do")
        capacity, mine = self.pick([0, 1, 2]), self.pick([0, 1])
        self.use(f"capacity {capacity}", f"capacity {mine}")
        kind = self.pick(["chan", "chan", "byte"])
        self.use(*(["channel in a byte"] if kind == "byte" else []))
        self.declare(f"chan server = [{capacity}] of {{ {kind}, bit }}")
        scope = self.scope()
        clients = self.pick([1, 2])
        client = [("basic", f"server!own,{self.value(scope, 'bit')}"), *self.sequence(scope, self.pick([0, 1])), ("basic", "own?answer")]
        if self.chance(0.5):
            client = [("do", [client])]
        serve = [("basic", "server?who,ask"), *self.sequence(replace(scope, depth=1), self.pick([0, 1])), ("basic", f"who!{self.pick(['ask', '1 - ask', '1'])}")]
        self.model.processes += [
            Process(f"active{f' [{clients}]' if clients > 1 else ''} proctype Client()",
                    [f"chan own = [{mine}] of {{ bit }}", "bit answer"], client),
            Process("active proctype Server()", ["chan who", "bit ask"], [("label", "end", ("do", [serve]))])]

    def make_records_in_channels(self):
        self.use("record field", "for in channel", "send", "receive", "active", "capacity 2")
        self.declare("chan parcels = [2] of { Record }")
        scope = self.scope()
        fill = [("basic", f"mine.{part} = {self.number(scope, 1, narrow=True)}") for part, _, length in self.record if not length]
        pour = [("basic", "parcels?mine"), *self.sequence(scope, 1)] if self.chance(0.5) else \
            [("for", "for (mine in parcels)", self.sequence(scope, 1) or [("basic", "skip")])]
        self.model.processes += [Process("active proctype Sender()", ["Record mine"], [*fill[:2], ("basic", "parcels!mine")]),
                                 Process("active proctype Taker()", ["Record mine"], pour)]

    def make(self):
        # Where processes end, or others hold them back, SPIN's fairness misses violations.
        self.model.fair = self.has("fairness") and not any(self.has(theme) for theme in ("parcels", "priority", "provided"))
        self.declare_shared()
        if self.has("records") or self.has("parcels"):
            self.declare_record()
        if self.weights["send"]:
            self.declare_channels()
        if self.has("boxes"):
            self.declare_boxes()
        if self.has("inlines"):
            self.declare_inlines()
        if self.has("passing"):
            self.make_passing()
        elif self.has("parcels"):
            self.make_records_in_channels()
        elif self.has("creation") or self.has("started with channels"):
            self.make_created()
        else:
            self.make_active()
        if self.has("boxes"):
            self.fill_boxes()
        if self.has("trace"):
            add_trace(self)
        if self.has("exclusive"):
            self.make_exclusive()
        add_properties(self)
        return self.model


def generate(seed):
    """The model of a seed, and the constructs in it."""
    found = seed < BORDERS and (dispatching(seed) or pooling(seed))
    if found:
        return found
    maker = Maker(seed) if seed < BORDERS else bordering(Maker)(seed)
    model = maker.make()
    maker.used |= nest(seed, model, text_of(model))
    maker.used |= add(seed, model, text_of(model))
    maker.used |= determine(seed, model, text_of(model))
    text = text_of(model)
    maker.use(*(["arrow"] if " ->\n" in text else []), *(["statement without a separator"] if re.search(r"\}\n +\w", text) else []))
    return model, maker.used


if __name__ == "__main__":
    print(text_of(generate(int(sys.argv[1]))[0]), end="")
