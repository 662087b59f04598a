"""Statements of random Promela models, as trees (tree.py)."""
import re
from dataclasses import replace

from vocabulary import MTYPES, NARROW, WIDE, EDGES, Variable, Words


def basic(text):
    return ("basic", text)


class Statements(Words):
    """The words, and sequences of statements made of them; weights say how often."""

    # --- one step each ---

    def prioritize(self):
        """Of a process that is there: pan restores a wrong value else."""
        own = self.chance(0.4)
        self.use("_priority assigned" if own else "set_priority")
        value = self.pick([1, 2, 3])
        return basic(f"_priority = {value}" if own else f"set_priority({self.pick([0, '_pid'])}, {value})")

    def assign(self, scope):
        if self.has("priority") and scope.in_process and self.chance(0.15):
            return self.prioritize()
        choices = [variable for variable in scope.variables if variable.type != "pid" or scope.in_process]
        if not choices:
            return basic("skip")
        variable = self.pick(choices)
        place = self.place(scope, variable)
        if variable.type.startswith("mtype"):
            self.use("mtype assigned")
            return basic(f"{place} = {self.pick(self.names_of(variable))}")
        if variable.type == "pid":
            self.use("pid", "_pid")
            return basic(f"{place} = _pid")
        if variable.is_narrow() and self.chance(0.25):
            sign = self.pick(["++", "--"])
            self.use(sign)
            return basic(place + sign)
        if variable.type in WIDE and self.chance(0.3):
            self.use("wrap-around")
            return basic(f"{place} = {self.pick(EDGES[variable.type])}")
        return basic(f"{place} = {self.number(scope, 2, narrow=variable.type in WIDE)}")

    def wait(self, scope):
        if self.macros and self.chance(0.5):
            return basic(f"({self.pick(self.macros)})")
        if self.chance(0.03):
            self.use("false as a guard")
            return basic("(false)")
        return basic(self.condition(scope))

    def message(self, scope, channel, sorted_too=True):
        sign = "!!" if sorted_too and channel.capacity and self.chance(0.5 if self.has("order") else 0.08) else "!"
        self.use("sorted send" if sign == "!!" else "send")
        values = [self.value(scope, kind) for kind in channel.fields]
        if len(values) > 1 and self.chance(0.3):
            self.use("send in parentheses")
            return f"{self.channel(scope, channel)}{sign}{values[0]}({','.join(values[1:])})"
        return f"{self.channel(scope, channel)}{sign}{','.join(values)}"

    def send(self, scope):
        channels = self.buffers(scope)
        if not channels:
            return self.assign(scope)
        channel = self.pick(channels)
        if not channel.capacity:
            self.use("rendezvous", *([f"rendezvous in {scope.inside}"] if scope.inside else []))
        return basic(self.message(scope, channel))

    def buffers(self, scope):
        """In a d_step a rendezvous is an error."""
        return [channel for channel in scope.channels if channel.capacity or scope.inside != "d_step" or self.chance(0.2)]

    def source(self, scope, channel, items):
        """The channel to receive from. Where the receive changes its index, SPIN loses states when it goes back (docs/languages/promela.md)."""
        place = self.channel(scope, channel)
        index = re.search(r"\[([A-Za-z]\w*)", place)
        return f"{channel.name}[0]" if index and re.search(rf"\b{index[1]}\b", items) and index[1] != "_pid" else place

    def receive(self, scope):
        channels = self.buffers(scope)
        if not channels:
            return self.assign(scope)
        channel = self.pick(channels)
        sign = "??" if channel.capacity and self.chance(0.4 if self.has("order") else 0.1) else "?"
        items = self.patterns(scope, channel)
        self.use(*(["rendezvous in d_step"] if scope.inside == "d_step" and not channel.capacity else []))
        if channel.capacity and self.chance(0.15):
            self.use("peek" if sign == "?" else "random peek")
            return basic(f"{self.source(scope, channel, items)}{sign}<{items}>")
        self.use("receive" if sign == "?" else "random receive")
        return basic(f"{self.source(scope, channel, items)}{sign}{items}")

    def step(self, scope):
        return self.assign(scope)

    def skip(self, scope):
        if self.has("hidden"):
            return basic(f"unseen = {self.number(scope, 1, narrow=True)}")
        self.use("skip")
        return basic("skip")

    def printf(self, scope):
        self.use("printf")
        return basic(f'printf("%d\\n", {self.atom(scope)})')

    def assertion(self, scope):
        self.use("assert")
        return basic(f"assert({self.condition(scope, 2)} || {self.condition(scope, 1)})")

    def timeout(self, scope):
        self.use("timeout", *(["timeout in atomic"] if scope.inside else []))
        if self.chance(0.2):
            self.use("timeout in a condition")
            return basic(f"(timeout && {self.condition(scope, 1)})")
        return basic("timeout")

    def inline(self, scope):
        return basic(self.pick(self.inlines)()) if self.inlines and scope.inside != "d_step" else self.assign(scope)

    def declaration(self, scope):
        """In the middle of a sequence: a step."""
        self.use("declaration in the middle" if scope.depth == 2 else "declaration in a block")
        name = self.fresh("m")
        scope.variables.append(Variable(name, "bit"))
        return ("decl", f"bit {name}" + (f" = {self.number(replace(scope, variables=scope.variables[:-1]), 1)}" if self.chance(0.5) else ""))

    # --- jumps ---

    def jump(self, scope):
        """To a label of the process, which may come before or after; or out of a loop."""
        if scope.loops and self.chance(0.4):
            self.use("break", *(["break out of atomic"] if scope.inside else []))
            return basic("break")
        label = self.pick(scope.targets)
        self.use("goto", *(["goto out of atomic"] if scope.inside == "atomic" else []))
        return basic(f"goto {label}")

    # --- statements with statements inside ---

    def deeper(self, scope, **more):
        return replace(scope, depth=scope.depth - 1, variables=list(scope.variables), **more)

    def guard(self, scope):
        """The first statement of an option."""
        pick = self.random.random()
        if scope.channels and self.weights["send"] and pick < 0.5:
            return self.send(scope) if pick < 0.22 else self.receive(scope)
        if pick < 0.15 and scope.inside != "d_step" and scope.targets and self.weights["goto"]:
            jump = self.jump(scope)
            self.use("goto first in an option" if "goto" in jump[1] else "break first in an option")
            return jump
        if pick < 0.25:
            return self.assign(scope)
        if scope.depth > 0 and scope.inside == "" and pick < 0.31:
            return self.first_nested(scope)
        return self.wait(scope)

    def first_nested(self, scope):
        pick = self.random.random()
        inner = self.deeper(scope)
        if pick < 0.4:
            self.use("atomic first in an option", "atomic")
            return ("atomic", [self.guard(replace(inner, inside="atomic", loops=0)), *self.sequence(replace(inner, inside="atomic"), 1)])
        if pick < 0.6 and self.weights["d_step"]:
            self.use("d_step first in an option")
            return self.d_step(scope)
        if pick < 0.85:
            self.use("choice in a choice")
            return ("if", [self.option(inner), self.option(inner)])
        self.use("loop in a choice", "break")
        return ("do", [self.option(replace(inner, loops=1)), [basic(self.condition(inner, 1)), basic("break")]])

    def option(self, scope):
        inner = self.deeper(scope)
        body = [self.guard(scope), *self.sequence(inner, self.pick([0, 1, 1, 2]))]
        if scope.targets and scope.inside != "d_step" and self.chance(0.02 * self.weights["goto"]) and body[-1][1] not in ("break",):
            body.append(self.jump(inner))
        return body

    def choice(self, scope):
        self.use("if")
        options = [self.option(scope) for _ in range(self.pick([1, 2, 2, 3]))]
        if self.chance(0.55) and not self.begins_with_choice(options) and not self.asks():
            self.use("else", *(["else beside a send"] if any("!" in str(option[0][1])[:6] for option in options) else []))
            options.append([basic("else"), *self.sequence(self.deeper(scope), self.pick([0, 1]))])
            if self.chance(0.2):
                options.insert(0, options.pop())
        return ("if", options)

    @staticmethod
    def begins_with_choice(options):
        return any(option[0][0] in ("if", "do", "atomic", "d_step", "unless") for option in options)

    def loop(self, scope, ends=True):
        self.use("do")
        if scope.inside:
            return self.counting_loop(scope)
        inner = replace(scope, loops=scope.loops + 1)
        options = [self.option(inner) for _ in range(self.pick([1, 2, 2]))]
        if ends:
            self.use("break")
            is_else = self.chance(0.3) and not self.begins_with_choice(options) and not self.asks()
            guard = basic("else") if is_else else basic(self.condition(scope, 1))
            more = self.sequence(self.deeper(scope), self.pick([0, 0, 1]))
            self.use(*(["break behind statements"] if more else []))
            options.append([guard, *more, basic("break")])
        return ("do", options)

    def counting_loop(self, scope):
        """One that comes to an end by itself."""
        narrow = [variable for variable in scope.variables if variable.type in NARROW and not variable.size]
        self.use("do", "else", "break", "--", *(["d_step that loops"] if scope.inside == "d_step" else ["do in atomic"]))
        name = self.pick(narrow).name if narrow and not self.asks() else None
        if not name:
            return self.assign(scope)
        return ("do", [[basic(f"({name} > 0)"), basic(f"{name}--")], [basic("else"), basic("break")]])

    def atomic(self, scope):
        self.use("nested atomic" if scope.inside == "atomic" else "atomic")
        inner = self.deeper(scope, inside="atomic", loops=scope.loops)
        body = self.sequence(inner, self.pick([2, 2, 3])) or [self.assign(inner)]
        if self.chance(0.15):
            self.use("if at the end of atomic")
            body.append(self.choice(inner))
        if any(item[0] == "basic" and item[1].startswith("(") for item in body[1:]):
            self.use("atomic that blocks")
        if self.weights["goto"] and scope.inside in ("", "atomic") and scope.targets and self.chance(0.25):
            body.append(self.jump(inner))
            self.use(*(["goto out of nested atomic"] if scope.inside == "atomic" and "goto" in body[-1][1] else []))
        if self.weights["goto"] and scope.inside == "" and len(body) > 1 and body[1][0] == "basic" and self.chance(0.2):
            label = self.fresh("L")
            self.use("goto into atomic", "label")
            scope.targets.append(label)
            scope.labels.append(label)
            body[1] = ("label", label, body[1])
        return ("atomic", body)

    def d_step(self, scope):
        self.use("d_step", *(["d_step in atomic"] if scope.inside == "atomic" else []))
        inner = self.deeper(scope, inside="d_step", loops=0)
        first = self.assign(inner) if self.chance(0.5) else self.guard(inner)
        body = [first]
        for _ in range(self.pick([1, 2])):
            pick = self.random.random()
            if pick < 0.25:
                self.use("d_step that chooses", "if", "else")
                body.append(("if", [[basic(self.condition(inner, 1)), self.assign(inner)], [basic("else"), *self.sequence(inner, self.pick([0, 1]))]]))
            elif pick < 0.4:
                body.append(self.counting_loop(inner))
            elif pick < 0.46:
                self.use("d_step that blocks")
                body.append(basic(self.condition(inner, 1)))
            else:
                body.append(self.assign(inner))
        return ("d_step", body)

    def unless(self, scope):
        inner = self.deeper(scope)
        self.use("unless", *(["unless in atomic"] if scope.inside == "atomic" else []))
        main = self.sequence(inner, self.pick([1, 2])) or [self.assign(inner)]
        if scope.depth > 1 and self.chance(0.25):
            self.use("nested unless")
            main = [("unless", main, [basic(self.condition(inner, 1)), *self.sequence(inner, 1)])]
        first = basic(self.condition(inner, 1))
        if self.weights["send"] and self.chance(0.4):
            first = self.receive(inner) if self.chance(0.6) else self.send(inner)
            self.use(*(["rendezvous in an escape"] if any(not channel.capacity and first[1].startswith(channel.name) for channel in scope.channels) else []))
        escape = [first, *self.sequence(inner, self.pick([0, 1]))]
        if self.has("escapes from blocks") and scope.inside == "":
            return self.unless_of_blocks(inner, main, escape)
        return ("unless", main, escape)

    def unless_of_blocks(self, inner, main, escape):
        """Escapes lead out of atomic sequences, but not out of d_steps; they may be such themselves."""
        pick = self.random.random()
        if pick < 0.4:
            self.use("atomic in unless")
            main = [self.atomic(inner), *main]
        elif pick < 0.7:
            self.use("d_step in unless")
            main = [*main, self.d_step(inner)]
        if self.chance(0.3):
            self.use("atomic as an escape")
            escape = [("atomic", [*escape, self.assign(inner)])]
        elif self.chance(0.3):
            self.use("d_step as an escape")
            escape = [self.d_step(inner), *escape[1:]]
        return ("unless", main, escape)

    def block(self, scope):
        self.use("block")
        inner = self.deeper(scope)
        return ("block", [self.declaration(inner), *self.sequence(inner, 2)])

    def count(self, scope):
        """for, over numbers or an array; i is not assigned in the body."""
        inner = self.deeper(scope, loops=0)
        arrays = [variable for variable in self.shared if variable.size and "." not in variable.name]
        body = self.sequence(inner, 1) or [self.assign(inner)]
        if arrays and self.chance(0.4):
            self.use("for in array")
            return ("for", f"for (i in {self.pick(arrays).name})", body)
        self.use("for")
        upper = self.pick(["1", "2", self.atom(scope, narrow=True)])
        return ("for", f"for (i : {self.pick(['0', '1'])} .. {upper})", body)

    def select(self, scope):
        if self.chance(0.5):
            self.use("select with expressions")
            first = self.atom(scope, narrow=True)
            return basic(f"select (i : {'2' if first == '3' else first} .. 2)")  # an empty range is refused
        self.use("select")
        return basic(f"select (i : 0 .. {self.pick([1, 2])})")

    # --- sequences ---

    PLAIN = {"assign", "wait", "skip", "step", "printf", "send", "receive", "assert"}

    def statement(self, scope):
        makers = {"assign": self.assign, "wait": self.wait, "if": self.choice, "do": self.loop, "skip": self.skip, "atomic": self.atomic,
                  "d_step": self.d_step, "unless": self.unless, "block": self.block, "for": self.count, "select": self.select, "send": self.send,
                  "receive": self.receive, "printf": self.printf, "assert": self.assertion, "timeout": self.timeout, "inline": self.inline,
                  "step": self.step, "declaration": self.declaration}
        allowed = {name: weight for name, weight in self.weights.items() if name in makers and weight and self.is_allowed(scope, name)}
        return makers[self.random.choices(list(allowed), list(allowed.values()))[0]](scope)

    def is_allowed(self, scope, name):
        if scope.inside == "d_step":
            return name in ("assign", "step", "skip") or (name in ("send", "receive") and self.chance(0.3))
        if scope.depth <= 0:
            return name in self.PLAIN | {"timeout", "inline"}
        if scope.inside == "atomic":
            return name not in ("for", "select", "declaration", "block") or self.chance(0.3)
        return True

    def sequence(self, scope, length):
        return [self.statement(scope) for _ in range(length)]

    def body(self, scope, loops):
        """Of a process: some steps that come to an end, or a loop for ever, perhaps with labels to jump to."""
        count = self.pick([2, 3, 3, 4]) if scope.depth else 3
        names = [self.fresh("L") for _ in range(self.pick([1, 2]))] if self.weights["goto"] else []
        scope.targets = list(names)
        if loops is None:
            loops = self.model.fair or self.chance(0.6)
        if loops:
            ends = not self.model.fair and self.chance(0.4)
            body = [*self.sequence(scope, self.pick([0, 1])), self.loop(scope, ends), *self.sequence(scope, 1 if ends else 0)]
        else:
            self.use("process ends")
            body = self.sequence(scope, count)
        return self.with_labels(scope, body, names)

    def with_labels(self, scope, body, names):
        places = [i for i, item in enumerate(body) if item[0] != "decl"]
        for name in names:
            if len(places) > 1 and self.chance(0.9) or not places:
                if not places:
                    body.append(("label", name, basic("skip")))
                    continue
                place = places.pop(self.random.randrange(len(places)))
                body[place] = ("label", name, body[place])
            else:
                self.use("label at the end")
                body.append(("label", name, basic("skip")))
            self.use("label", "goto back")
            scope.labels.append(name)
        if self.chance(0.15):
            self.use("end label", "label")
            place = self.random.randrange(len(body))
            if body[place][0] not in ("decl", "label"):
                body[place] = ("label", self.fresh("end"), body[place])
        return body
