"""The types, constants, variables and functions of a random model."""

import random

from expressions import reaches
from statements import Body, indent
from vocabulary import BOOLEAN, Function, Root, Scope, Type, small_range

EXTREME = 0.06  # of the ranges end at the largest number, or begin at the least
LARGEST, LEAST = 2**31 - 1, -2**31 + 1  # -2**31 is the mark of what is undefined


class Declarations:
    """The first part of a model; `self.make` makes statements and expressions."""

    def chance(self, probability):
        return self.random.random() < probability

    def may(self, feature, probability=1.0):
        return self.make.may(feature, probability)

    # Types

    def make_types(self):
        r = self.random
        self.make_families()
        for i in range(r.choices([0, 1, 2], [2, 6, 2])[0] or (not self.families) or self.has_processes):
            labels = [f"e{i}{letter}" for letter in "abcd"[:r.choice([2, 2, 3, 4])]]
            self.declare(Type("enum", f"E{i}", labels=labels))
        for i in range(r.choice([0, 1, 1, 2])):
            low = r.choice([0, 0, 1, -1, -2])
            high = low + r.choice([0, 1, 2, 2, 3])
            shift = self.extreme(low, high)
            self.declare(Type("range", f"R{i}", low=low + shift, high=high + shift))
        if self.temper.counts and self.families and self.families[0].kind == "index":
            self.declare(Type("range", "C0", low=0, high=self.families[0].values() + r.choice([0, 0, 1])))
        self.types.append(BOOLEAN)
        self.make_unions()
        if self.may("record"):
            fields = [(name, self.field_type()) for name in "xyz"[:r.choice([1, 2, 2, 3])]]
            fields = [] if self.chance(0.06) else fields
            self.declare(Type("record", "Rec", fields=fields))
        if self.may("array"):
            self.declare(Type("array", "Arr", index=r.choice(self.indices()), element=self.any_type(0)))

    def extreme(self, low, high):
        """Some ranges are moved to an end of the numbers. (With random numbers of its own: other models stay as they were.)"""
        r = random.Random(f"extreme {self.profile} {self.seed} {low} {high}")
        return r.choice([LARGEST - high, LEAST - low]) if r.random() < EXTREME else 0

    def make_families(self):
        """What the processes, or other things of which there are several, are numbered with."""
        r = self.random
        few = self.has_processes
        for i in range(r.choices([0, 1, 2, 3], [0, 8, 3, 0.3] if few else [1, 7, 5, 1])[0]):
            size = r.choices([1, 2, 3, 4], [0.3, 6, 6, 2 if i == 0 else 0])[0]
            size = 1 if self.may("single", 0.4) else size
            if self.temper.has("numbered"):
                low = r.choice([0, 1, 1])
                size = r.choice([2, 3, 3, 4]) if i == 0 else 2
                type_ = Type("enum", f"P{i}", labels=[f"p{i}{k}" for k in range(size)]) if self.chance(0.15) else Type(
                    "range", f"P{i}", low=low, high=low + size - 1)
            else:
                type_ = Type("index", f"S{i}", size=size, constant=f"N{i}" if self.may("constant", 0.4) else None)
            self.families.append(type_)
            self.declare(type_)

    def make_unions(self):
        members = [t for t in self.types if t.kind in ("index", "enum")]
        if not self.may("union") or not members:
            return
        self.declare(Type("union", "U0", members=self.random.sample(members, min(len(members), self.random.choice([1, 2, 2, 2])))))
        if self.chance(0.2):
            first = self.types[-1]
            rest = [t for t in members if t not in first.members]
            if rest:
                self.declare(Type("union", "U1", members=first.members + rest[:1], written=f"union {{ U0, {rest[0].name} }}"))

    def field_type(self):
        if self.may("matrix", 0.2):
            small = [t for t in self.scalars() if t.values() <= 3]
            return Type("array", index=self.random.choice(self.indices()), element=self.random.choice(small or [BOOLEAN]))
        if self.chance(0.1):
            return Type("record", fields=[("v", self.random.choice(self.scalars())), ("w", BOOLEAN)])
        if self.has_processes and self.chance(0.8):
            return self.random.choice([t for t in self.scalars() if t not in self.families and not t.mentions_index()])
        return self.random.choice(self.scalars())

    def declare(self, type_):
        self.types.append(type_)
        self.declared.append(type_)

    def declaration(self, type_):
        lines = [f"{type_.name}: {type_.body()};"]
        if self.may("second name", 0.3):
            lines.append(f"{type_.name}x: {type_.name};")
            type_.second_name = f"{type_.name}x"
        return lines

    def scalars(self):
        return [t for t in self.types if t.is_scalar()]

    def indices(self):
        """What arrays range over: families above all."""
        others = [t for t in self.scalars() if t.kind != "range" or t.values() <= 3] if self.temper.has("range index") else []
        return self.families * 4 + others or self.scalars()

    def any_type(self, depth):
        kinds = ["scalar"] * 4 + (["array"] * 4 if depth > 0 else []) + ["named"]
        kind = self.random.choice(kinds)
        if kind == "array":
            element = self.field_type() if self.has_processes and self.chance(0.8) else self.any_type(depth - 1)
            return Type("array", index=self.random.choice(self.indices()), element=element)
        named = [t for t in self.types if t.kind in ("record", "array") and t.name]
        if kind == "named" and named:
            return self.random.choice(named)
        preferred = [t for t in self.types if t in self.families or t.kind == "union"] * 2
        return self.random.choice(self.scalars() + preferred)

    # Constants and variables

    def make_constants(self):
        """Some are set by -D: the value in the text is not the one that counts."""
        lines = []
        for type_ in self.declared:
            if type_.constant:
                written = type_.size
                if not self.defines and self.chance(0.4):
                    self.defines.append(f"{type_.constant}={type_.size}")
                    written = self.random.choice([1, 2, 3])
                lines.append(f"const {type_.constant}: {written};")
        if self.may("constant", 0.5):
            value = self.random.randint(0, 2)
            self.constants.append(Root("K", Type("range", low=value, high=value), False))
            lines.append(f"const K: {'(1 + 1) - ' + str(2 - value) if self.chance(0.3) else value};")
        if self.may("constant", 0.3):
            self.constants.append(Root("B", BOOLEAN, False))
            lines.append(f"const B: {self.random.choice(['true', 'false'])};")
        return lines

    def make_globals(self):
        budget, wanted = self.temper.budget, self.random.choice([2, 3, 4, 5, 6])
        if self.has_processes:
            budget = self.make_processes(budget)
            wanted += len(self.globals)
        if self.may("multiset"):
            budget = self.make_multiset(budget)
        for _ in range(20):
            depth = 2 if self.temper.has("matrix") else 1
            type_ = self.any_type(0 if self.has_processes and self.chance(0.8) else depth)
            undefined = self.may("undefine", 0.4)
            volume = type_.volume(undefined)
            if type_ in self.families and sum(g.type in self.families for g in self.globals) >= self.temper.references:
                continue
            if len(self.globals) < wanted and volume <= max(budget, 16 if not self.globals else 1):
                budget //= volume
                self.globals.append(Root(f"g{len(self.globals)}", type_, True, undefined, True))
        if not [g for g in self.globals if not g.type.has_multiset()]:
            self.globals.append(Root("g9", BOOLEAN, is_global=True))

    def make_processes(self, budget):
        """Each family has a place, and perhaps more, one array each or records of all; and some process may be pointed to."""
        place = next(t for t in self.types if t.kind == "enum" and t not in self.families)
        for n, family in enumerate(self.families):
            parts = [(f"at{n}" if n else "at", place)]
            for k in range(self.random.choice([0, 0, 1, 1, 2])):
                parts.append((f"h{n}{k}", self.field_type()))
            while len(parts) > 1 and self.is_too_large(parts, family, budget):
                parts.pop()
            undefined = self.may("undefine", 0.15)
            budget //= max(1, Type("record", fields=parts).volume(undefined) ** family.values())
            if self.may("record", 0.4):
                type_ = Type("array", index=family, element=Type("record", fields=parts))
                self.globals.append(Root(f"p{n}", type_, True, undefined, True))
            else:
                self.globals += [Root(name, Type("array", index=family, element=type_), True, undefined and k > 0, True)
                                 for k, (name, type_) in enumerate(parts)]
            if self.chance(0.5):
                self.globals.append(Root(f"d{n}", family, True, self.may("undefine", 0.6), True))
                budget //= family.values() + 1
        return budget

    def is_too_large(self, parts, family, budget):
        places = Type("record", fields=parts).volume(False)
        return places > self.temper.places or places ** family.values() > max(budget, 30)

    def make_multiset(self, budget):
        element = self.random.choice([t for t in self.types if t.is_scalar() or t.kind in ("record", "array")])
        type_ = Type("multiset", capacity=self.random.choice([1, 2, 3]), element=element)
        if self.families and self.chance(0.2):
            type_ = Type("array", index=self.random.choice(self.families), element=type_)
        if type_.volume(False) <= 3000:
            budget //= type_.volume(False)
            self.globals.append(Root("bag", type_, is_global=True))
        return budget

    # Functions

    def count(self, type_):
        """How many processes there are with a certain property, by a loop over them."""
        function, name = Function("count", [], type_), self.make.fresh("f")
        scope = Scope(self.globals + self.constants).extend(Root(name, self.families[0], False))
        step = f"c := c {self.random.choice(['+', '+', '+', '-'])} {self.random.choice([1, 1, 1, 2])};"
        test = self.make.quiet(lambda: self.make.boolean(scope, self.random.choice([0, 1, 1])))
        self.functions.append(function)
        self.routines += [f"function count(): {type_};", f"var c: {type_};", "begin", f"  c := {self.random.choice([0, 0, 0, 1])};",
                          f"  for {name}: {self.families[0]} do", f"    if {test} then", f"      {step}", "    end;", "  end;",
                          "  return c;", "end;", ""]

    def make_functions(self):
        counted = [t for t in self.types if t.name == "C0"]
        if counted:
            self.count(counted[0])
        if not self.may("function"):
            return
        aggregates = [t for t in self.types if t.kind in ("record", "array") and t.name]
        for i in range(self.random.choices([1, 2, 3], [5, 3, 1])[0]):
            is_function = self.chance(0.6)
            parameters, chosen = [], [t for _, t, is_var in self.functions[-1].parameters if is_var] if self.functions else []
            for k in range(self.random.choice([0, 1, 1, 2])):
                named = [t for t in self.types if t.name and (self.chance(0.4) or self.is_held(t))] or [BOOLEAN]
                by_reference = self.may("reference", 0.3 if is_function else 0.6) and not (is_function and self.temper.rumur)
                type_ = self.random.choice(chosen if chosen and by_reference and self.chance(0.6) else named)
                parameters.append((f"y{k}", type_, by_reference))
            earlier = [f.result for f in self.functions if f.result in aggregates]
            if earlier and self.chance(0.5):  # so that two results stand side by side
                parameters = [(f"y{k}", earlier[-1], False) for k in range(2)]
            held = [t for t in self.scalars() if self.is_held(t)]
            result = self.random.choice(held if held and self.chance(0.7) else self.scalars()) if is_function else None
            if is_function and aggregates and self.may("aggregate result", 0.5):
                result = self.random.choice(aggregates)
            function = Function(f"fun{i}" if is_function else f"proc{i}", parameters, result)
            lines = self.routine(function)
            if lines:
                self.functions.append(function)
                self.routines += lines

    def is_held(self, type_):
        """Does some variable have a part of this type?"""
        return any(reaches(root.type, lambda t: t is type_) or (root.type.kind == "multiset" and root.type.element is type_)
                   for root in self.globals)

    def recursion(self, function):
        """The function calls itself first, a few times: (its counter, the lines)."""
        if not self.may("recursion", 0.5):
            return []
        counter = self.make.fresh("n")
        arguments = ", ".join([f"{counter} - 1"] + [name for name, _, _ in function.parameters])
        function.parameters.insert(0, (counter, small_range(0, 2), False))
        word = "return " if function.result and self.chance(0.6) else ""
        call = f"{word}{function.name}({arguments});"
        if function.result and not word and not self.temper.has("dropped"):
            return []
        return [f"if !isundefined({counter}) & {counter} > 0 then", f"  {call}", "end;"]

    def routine(self, function):
        recursion = self.recursion(function)
        roots = [Root(name, type_, is_var, True) for name, type_, is_var in function.parameters]
        writes = self.may("effect", 0.7) if function.result else self.chance(0.5)
        writes = writes or any(is_var for _, _, is_var in function.parameters)
        function.has_effect = writes
        body = Body(result=function.result, may_write=writes)
        scope = Scope(self.globals + self.constants).extend(*roots)
        head, scope = self.local_names(scope)
        lines = self.make.block(scope, body, 1) if function.result is None or writes or self.chance(0.4) else []
        if function.result:
            lines = self.returning(function, scope, body, lines)
            if lines is None:
                return None
        parameters = "; ".join(
            f"{'var ' if is_var else ''}{name}: {type_}" for name, type_, is_var in function.parameters)
        word, result = ("function", f": {function.result}") if function.result else ("procedure", "")
        return [f"{word} {function.name}({parameters}){result};"] + head + self.locals(body) + ["begin"] + indent(recursion + lines) + ["end;", ""]

    def returning(self, function, scope, body, lines):
        if not function.result.is_scalar():
            found = self.make.designator(scope, lambda t: t is function.result)
            name = self.make.local(body, function.result)
            return lines + self.make.when(found[2], [f"return {found[0]};"] if self.chance(0.5) else [
                f"{name} := {found[0]};", f"return {name};"]) if found else lines + [f"undefine {name};", f"return {name};"]
        was, self.make.is_pure = self.make.is_pure, not body.may_write
        result = self.make.value(function.result, scope, 2)
        self.make.is_pure = was
        if not result:
            return None
        if self.may("search", 0.5) and function.result.kind == "index":
            lines += self.search_loop(function, scope)
        if self.may("search", 0.8) and function.result.kind in ("bool", "enum"):
            lines += self.constant_search(function, scope, 2)
        return lines + self.make.when(result[1], [f"return {result[0]};"])

    def search_loop(self, function, scope):
        """The first match wins: depends on the order, unless nothing matches twice."""
        name = self.make.fresh("f")
        test = self.make.boolean(scope.extend(Root(name, function.result, False)), 2)
        if not self.chance(self.temper.order):
            found = self.make.designator(scope, lambda t: t is function.result)
            if not found or found[2]:
                return []
            test = f"(({name} = {found[0]}) & {test})"
        return [f"for {name}: {function.result} do", f"  if {test} then", f"    return {name};", "  end;", "end;"]

    def constant_search(self, function, scope, depth):
        """Every match gives the same answer (or, by a hair, not); the element that fails may come before it or after."""
        sets = [t for t in self.types if t.is_scalar() and t.mentions_index()]
        if not sets:
            return []
        type_, name = self.random.choice(sets), self.make.fresh("f")
        scope = scope.extend(Root(name, type_, False))
        answer, lines = self.make.constant(function.result)[0], []
        for _ in range(self.random.choice([1, 1, 2, 3])):
            if depth > 1 and self.chance(0.3):
                lines += self.constant_search(function, scope, depth - 1)
            if self.chance(0.1):
                answer = self.make.constant(function.result)[0]
            lines += [f"if {self.careless(scope)} then", f"  return {answer};", "end;"]
        return [f"for {name}: {type_} do"] + indent(lines) + ["end;"]

    def careless(self, scope):
        """A condition that may read an undefined value."""
        found = self.make.designator(scope, lambda t: t is BOOLEAN) if self.chance(0.5) else None
        return found[0] if found else self.make.boolean(scope, 2)

    def local_names(self, scope):
        """Constants, types and variables of a rule's or function's own: (lines, scope)."""
        lines = []
        if self.may("local names", 0.5):
            name, value = self.make.fresh("k"), self.random.randint(0, 2)
            lines.append(f"const {name}: {value};")
            scope = scope.extend(Root(name, Type("range", low=value, high=value), False))
        if self.may("local names", 0.5):
            type_ = Type("range", self.make.fresh("T"), low=0, high=self.random.randint(1, 2))
            lines.append(f"type {type_.name}: {type_.body()};")
            name = self.make.fresh("v")
            lines.append(f"var {name}, {name}x: {type_.name};")
            scope = scope.extend(Root(name, type_, True, True), Root(f"{name}x", type_, True, True))
        if self.may("local", 0.4):
            name, type_ = self.make.fresh("v"), self.random.choice([t for t in self.types if t.name])
            lines.append(f"var {name}: {type_};")
            scope = scope.extend(Root(name, type_, True, True))
        return lines, scope

    def locals(self, body):
        return ["var " + f"{name}: {type_};" for name, type_ in body.locals]
