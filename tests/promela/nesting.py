"""Choices at the head of an option, with `else` at any level, put into models that are there: random numbers of their own (later.py).

pan refuses two `else` that can be taken at one place. In a d_step each choice has its own, and a choice without one may block."""
import random
import re

NESTED = 0.12


def basic(text):
    return ("basic", text)


def exposed(statement):
    """The number of `else` among the first moves of the statement."""
    kind = statement[0]
    if kind == "basic":
        return int(statement[1] == "else")
    if kind in ("if", "do"):
        return sum(exposed(option[0]) for option in statement[1] if option)
    if kind in ("atomic", "block"):
        return exposed(statement[1][0]) if statement[1] else 0
    if kind == "unless":
        return sum(exposed(part[0]) for part in statement[1:] if part)
    return exposed(statement[2]) if kind == "label" else 0


def has_else(sequence):
    return "'else'" in repr(sequence)


class Nesting:
    def __init__(self, seed, model):
        self.random = random.Random(f"nesting {seed}")
        self.bits = [found[2] for text in model.declarations for found in [re.match(r"(bit|bool) (\w+)( = \d)?;$", text)] if found]
        self.used = set()

    def chance(self, probability):
        return self.random.random() < probability

    def condition(self):
        return basic(f"({self.random.choice(self.bits)} == {self.random.choice([0, 1])})")

    def change(self):
        name = self.random.choice(self.bits)
        return basic(self.random.choice([f"{name} = 1 - {name}", f"{name} = {self.random.choice([0, 1])}"]))

    def otherwise(self):
        return [basic("else"), *([self.change()] if self.chance(0.7) else [])]

    def inner(self, head, may_else, is_dstep, depth, may_loop=True):
        """A choice one of whose options begins with the statement."""
        options = [[head, *([self.change()] if self.chance(0.4) else [])]]
        if self.chance(0.7):
            options.append([self.condition(), self.change()])
        self.random.shuffle(options)
        if depth and self.chance(0.25):
            place = self.random.randrange(len(options))
            options[place][0] = self.inner(options[place][0], may_else and self.chance(0.4), is_dstep, depth - 1, may_loop)
        if (may_else and not any(exposed(option[0]) for option in options)) or (is_dstep and self.chance(0.7)):
            self.used.add("else in an inner choice")
            options.insert(self.random.randrange(len(options) + 1), self.otherwise())
        if may_loop and self.chance(0.25):
            return ("do", [[*option, basic("break")] for option in options])
        return ("if", options)

    def is_simple(self, statement):
        return statement[0] == "basic" and statement[1] not in ("else", "break") and not statement[1].startswith("goto")

    def choice(self, kind, options, inside):
        options = [self.sequence(option, inside) for option in options]
        places = [i for i, option in enumerate(options) if option and self.is_simple(option[0])]
        if not places or not self.chance(0.6):
            return (kind, options)
        place = self.random.choice(places)
        others = sum(exposed(option[0]) for option in options if option)
        is_dstep = inside == "d_step"
        nested = self.inner(options[place][0], others == 0 and self.chance(0.6), is_dstep, 1)
        if inside == "" and self.chance(0.2):
            nested = (self.random.choice(["atomic", "block"]), [nested])
        options[place] = [nested, *options[place][1:]]
        self.used.add("choice first in an option of d_step" if is_dstep else "choice in a choice")
        if not any(option and option[0] == basic("else") for option in options) and self.chance(0.5) and (is_dstep or others + exposed(nested) == 0):
            self.used.add("else beside an inner choice")
            options.insert(self.random.randrange(len(options) + 1), [basic("else"), *([self.change()] if kind == "if" else [basic("break")])])
        return (kind, options)

    def statement(self, statement, inside):
        kind = statement[0]
        if kind in ("if", "do"):
            return self.choice(kind, statement[1], inside)
        if kind == "label":
            return ("label", statement[1], self.statement(statement[2], inside))
        if kind in ("atomic", "block"):
            return (kind, self.sequence(statement[1], "atomic" if kind == "atomic" else inside))
        if kind == "d_step":
            return (kind, self.sequence(statement[1], "d_step"))
        if kind == "unless":
            return self.unless(statement, inside)
        return statement

    def unless(self, statement, inside):
        """Where the escape begins with an `else`, nothing in the body may. An escape that begins with a loop is entered by pan at any time, from in front
        of an atomic sequence (docs/languages/promela.md)."""
        _, main, escape = statement
        if inside == "" and escape and self.is_simple(escape[0]) and self.chance(0.5) and not has_else(main):
            self.used.add("else in an escape")
            return ("unless", main, [self.inner(escape[0], True, False, 1, may_loop=False), *escape[1:]])
        return ("unless", self.sequence(main, inside), escape)

    def sequence(self, statements, inside):
        return [self.statement(statement, inside) for statement in statements]


def nest(seed, model, text):
    """The constructs that were put in. Processes that are asked about have no else (generate.py), those that leave an unless by a choice neither."""
    nesting = Nesting(seed, model)
    if random.Random(f"nests {seed}").random() >= NESTED or not nesting.bits or "enabled(" in text:
        return set()
    for process in model.processes:
        process.body = nesting.sequence(process.body, "")
    return nesting.used
