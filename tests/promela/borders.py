"""Random Promela models whose ints are at and around the ends of their range: seeds from BORDERS on (generate.py).

An int gets a constant, the value of another int, or a sum of a constant and a narrow variable, so that values stay few. The literal
2147483648 is a long in pan (docs/languages/promela.md): it is compared, assigned, sent and received, and not multiplied."""
from vocabulary import NARROW, Channel, Variable

BORDERS = 1_000_000
INTS = ["2147483647", "2147483646", "(-2147483647 - 1)", "(-2147483647 - 1)", "(-2147483647)", "(-2147483646)", "4294967295", "(-1)"]
LONGS = ["2147483648", "(-2147483648)"]


def bordering(maker_class):
    """The maker of such models, made of the maker of the others."""

    class Maker(maker_class):
        in_number = is_plain = False

        def constant(self):
            if self.is_plain or self.chance(0.45):
                return super().constant()
            self.use("wrap-around")
            return self.pick(INTS if self.in_number else INTS + LONGS)

        def atom(self, scope, narrow=False):
            before, self.in_number = self.in_number, True
            text = super().atom(scope, narrow)
            self.in_number = before
            return text

        def plainly(self, make, *arguments):
            """Without such constants."""
            self.is_plain = True
            made = make(*arguments)
            self.is_plain = False
            return made

        def select(self, scope):
            return self.plainly(super().select, scope)

        def ints(self, scope):
            return [self.place(scope, variable) for variable in scope.variables if variable.type == "int"]

        def int_value(self, scope):
            ints = self.ints(scope)
            if ints and self.chance(0.35):
                return self.pick(["{}", "-{}", "~{}", "{} / 2"]).format(self.pick(ints))
            narrow = [variable.name for variable in scope.variables if variable.type in NARROW and not variable.size]
            if narrow and self.chance(0.4):
                return f"{self.pick(narrow)} {self.pick(['+', '-'])} {self.pick(INTS)}"
            return self.pick(INTS + LONGS)

        def assign(self, scope):
            ints = self.ints(scope)
            return ("basic", f"{self.pick(ints)} = {self.int_value(scope)}") if ints and self.chance(0.5) else super().assign(scope)

        def make_variable(self, prefix, where):
            if not self.chance(0.5):
                return super().make_variable(prefix, where)
            size, name = self.pick([0, 0, 2]), self.fresh(prefix)
            self.use("int", *(["local array"] if size and where == "local" else []))
            start = f" = {self.pick(INTS + LONGS)}" if self.chance(0.5) else ""
            return Variable(name, "int", size), f"int {name}" + (f"[{size}]" if size else "") + start

        def declare_channels(self):
            super().declare_channels()
            fields, capacity = self.pick([["int"], ["int", "bit"], ["int", "int"]]), self.pick([0, 1, 2])
            channel = Channel(self.fresh("q"), capacity, fields)
            self.use(f"capacity {capacity}")
            self.channels = [channel, *self.channels[1:]]
            self.declare(f"chan {channel.name} = [{capacity}] of {{ {', '.join(fields)} }}")

        def value(self, scope, kind):
            return f"({self.int_value(scope)})" if kind == "int" else super().value(scope, kind)

        def pattern(self, scope, kind, poll=False):
            if kind != "int":
                return self.plainly(super().pattern, scope, kind, poll)
            ints = self.ints(scope)
            if ints and not poll and self.chance(0.7):
                return self.pick(ints)
            return self.pick(["2147483648", "-2147483648", "2147483647", "eval(-2147483647 - 1)", "eval(-2147483648)", *(f"eval({name})" for name in ints)])

    return Maker
