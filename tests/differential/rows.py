"""Models whose processes touch rows through an index that is held in a variable: which row, the state decides.

Several instances of a rule are enabled together, most go one way through few places and leave values that depend on who came
last: a step that is left out where it must not be (sleep sets) leaves a state unfound."""

from statements import indent
from vocabulary import BOOLEAN, Root, Type

# How many of the models of a profile are such. (It is drawn apart: the other models stay what they were.)
ROWS = {"plain": 0.45, "crowd": 0.04}


class Rows:
    """The types, variables and rules of such a model."""

    def make_row_types(self):
        r = self.random
        self.is_shared = self.chance(0.6)  # most steps touch a row that another may touch
        few = r.choice([2, 2, 3] if self.is_shared else [2, 3, 3])
        self.workers = self.new_index_type("W", few)
        self.row_index = self.workers if self.chance(0.6) else self.new_index_type("I", r.choice([2, 2, 3]))
        self.places = Type("enum", "E0", labels=[f"e0{letter}" for letter in "abcde"[:r.choice([2, 3, 3]) if few == 3 else r.choice([3, 4, 5])]])
        range_ = Type("range", "R0", low=0, high=2 if self.is_shared else r.choice([1, 1, 2]))
        self.held = r.choice([range_, range_, self.workers] if self.is_shared else [range_, BOOLEAN, self.workers, self.row_index])
        for type_ in (self.workers, self.row_index, self.places, self.held):
            if type_ not in self.types and type_ is not BOOLEAN:
                self.declare(type_)
        self.types.append(BOOLEAN)

    def new_index_type(self, name, size):
        kind = self.random.choice(["index", "index", "index", "range", "enum"])
        if kind == "range":
            low = self.random.choice([0, 1, -1])
            return Type("range", name, low=low, high=low + size - 1)
        type_ = Type(kind, name, size=size, labels=[f"{name.lower()}{letter}" for letter in "abc"[:size]] if kind == "enum" else [])
        self.families += [type_] if kind == "index" else []
        return type_

    def make_row_globals(self):
        """Where a process is and what it points to, in arrays or in one of records; the rows, perhaps in a record; perhaps one index for all."""
        self.is_spread = self.chance(0.6 if self.is_shared else 0.25)
        undefined = self.has_holes = self.may("undefine", 0.3)
        parts = [("pc", self.places), ("at", self.row_index)]
        if self.may("record", 0.4):
            self.add_rows("w", Type("array", index=self.workers, element=Type("record", fields=parts)))
            self.part = lambda name, who: f"w[{who}].{name}"
        else:
            for name, type_ in parts:
                self.add_rows(name, Type("array", index=self.workers, element=type_), undefined and name == "at")
            self.part = lambda name, who: f"{name}[{who}]"
        row = Type("array", index=self.row_index, element=self.held)
        if self.may("record", 0.3):
            self.add_rows("r", Type("record", fields=[("f", row), ("b", BOOLEAN)]))
            self.row = "r.f"
        else:
            self.add_rows("row", row, self.may("undefine", 0.05))
            self.row = "row"
        self.add_rows("rested", BOOLEAN)
        self.common = "x" if self.chance(0.3) else None
        if self.common:
            self.add_rows("x", self.row_index, undefined)

    def add_rows(self, name, type_, undefined=False):
        self.globals.append(Root(name, type_, True, undefined, True))

    def initial(self, text, type_, root, parameters, elements):
        if self.has_rows and type_ is self.places:
            return [f"{text} := {type_.labels[0]};"]
        if self.has_rows and elements and self.is_spread and type_ is self.row_index:
            return self.spread(text, type_, parameters, elements[-1])
        return super().initial(text, type_, root, parameters, elements)

    def spread(self, text, type_, parameters, element):
        """One value for one element, another for the others. (A search that begins with many states counts who is asleep less often.)"""
        one, first, second = self.parameter(element.type), self.parameter(type_), self.parameter(type_)
        parameters += [one, first, second]
        return [f"if {element.text} = {one.text} then", f"  {text} := {first.text};", "else", f"  {text} := {second.text};", "end;"]

    # What the rules do. Text; who: the process.

    def held_index(self, who):
        """An index that the state holds."""
        own = self.part("at", who)
        found = [own] * 8 + ([self.common] * 2 if self.common else [])
        found += [self.part("at", own)] if self.row_index is self.workers else []
        found += [f"{self.row}[{own}]"] if self.held is self.row_index else []
        return self.random.choice(found)

    def row_value(self, type_, who, names):
        """What a row or an index is set to, or compared with: most depend on who it is, or where."""
        found = [name for name, other in names if other is type_] * 2
        found += [self.part("at", who)] + ([self.common] if self.common else []) if type_ is self.row_index else []
        found += [f"{self.row}[{self.held_index(who)}]"] if type_ is self.held and not (found and self.is_shared) else []
        constant = self.make.constant(type_)
        found += [constant[0]] * 4 if constant else []
        return self.random.choice(found)

    def row_write(self, who, names):
        return [f"{self.row}[{self.held_index(who)}] := {self.row_value(self.held, who, names)};"]

    def index_write(self, who, names):
        text = self.common if self.common and self.chance(0.3) else self.part("at", who)
        if self.has_holes and self.chance(0.15):
            return [f"undefine {text};"]
        return [f"{text} := {self.row_value(self.row_index, who, names)};"]

    def row_test(self, who, names):
        text = f"({self.row}[{self.held_index(who)}] {self.random.choice(['=', '!='])} {self.row_value(self.held, who, names)})"
        return f"({self.is_whole(who)} & {text})" if self.has_holes and self.chance(0.5) else text

    def is_whole(self, who):
        return f"!isundefined({self.part('at', who)})" + (f" & !isundefined({self.common})" if self.common else "")

    def row_statement(self, who, names):
        lines = self.row_write(who, names) if self.chance(0.8) else self.index_write(who, names)
        if self.may("if", 0.2):
            other = self.index_write(who, names) if self.chance(0.5) else self.row_write(who, names)
            return [f"if {self.row_test(who, names)} then"] + indent(lines) + (["else"] + indent(other) if self.chance(0.5) else []) + ["end;"]
        return lines

    def row_rule(self, here, there):
        parameter = self.parameter(self.workers)
        parameters, who = [parameter], parameter.text
        guard, parts = f"({self.part('pc', who)} = {here})", [[f"{self.part('pc', who)} := {there};"]]
        if self.chance(0.2 if self.is_shared else 0.3):
            parameters.append(self.parameter(self.random.choice([self.row_index, self.row_index, self.held])))
        names = [(p.text, p.type) for p in parameters]
        if parameters[-1].type is self.row_index and len(parameters) > 1 and self.chance(0.8):
            parts.append([f"{self.part('at', who)} := {parameters[-1].text};"])
        if (len(parts) < 2 and self.chance(0.9 if self.is_shared else 0.7)) or self.chance(0.2):
            parts += [self.row_statement(who, names) for _ in range(self.random.choice([1, 1, 1, 2]))]
        if self.chance(0.15):
            guard, self.may_stick = f"({guard} & {self.row_test(who, names)})", True
        if self.has_holes and self.chance(0.85):
            guard, self.may_stick = f"({self.is_whole(who)} & {guard})", True
        self.random.shuffle(parts)
        lines = [f"rule {self.title('r')}", f"  {guard}", "==>", "begin"] + indent([line for part in parts for line in part]) + ["end;"]
        return self.wrap(parameters, lines) + [""]

    def row_rules(self):
        """From each place to the next; few go back, so that states are found in few ways."""
        labels, lines, self.may_stick = self.places.labels, [], False
        steps = list(zip(labels, labels[1:])) + ([(labels[-1], labels[0])] if self.chance(0.3) else [])
        for here, there in steps:
            for _ in range(self.random.choice([1, 1, 2])):
                lines += self.row_rule(here, there)
        return lines + (self.rest() if self.may_stick or len(steps) < len(labels) else [])

    def rest(self):
        """So that nothing is stuck: nothing is asleep any more once something has failed."""
        name = self.make.fresh("q")
        guard = f"forall {name}: {self.workers} do {self.part('pc', name)} = {self.places.labels[-1]} end"
        guard = "true" if self.may_stick else guard
        return [f"rule {self.title('r')}", f"  {guard}", "==>", "begin", "  rested := !rested;", "end;", ""]

    def row_properties(self):
        return [] if self.chance(0.7) else self.properties()
