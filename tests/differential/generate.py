#!/usr/bin/env python3
"""Random small Murphi models, the same for the same seed.

    generate.py SEED            prints one model
    generate.py SEED COUNT DIR  writes DIR/SEED.m, DIR/SEED+1.m, ...
"""

import os
import random
import sys

from loops import Loops
from statements import Body, indent
from vocabulary import BOOLEAN, Function, Profile, Root, Scope, Slot, Type


class Model:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.profile = Profile(self.random)
        self.types, self.declared, self.globals, self.functions = [], [], [], []
        self.routines = []
        self.make = Loops(self.random, self.profile, self.types, self.functions)

    def chance(self, probability):
        return self.random.random() < probability

    # Types and variables

    def make_types(self):
        r = self.random
        families = r.choices([0, 1, 2, 3], [1, 7, 5, 1])[0]
        for i in range(families):
            size = r.choices([1, 2, 3, 4], [0.5, 6, 6, 1 if families == 1 else 0])[0]
            self.declare(Type("index", f"S{i}", size=size, constant=f"N{i}" if self.chance(0.2) else None))
        for i in range(r.choices([0, 1, 2], [2, 6, 2])[0] or (not families)):
            labels = [f"e{i}{letter}" for letter in "abcd"[:r.choice([2, 2, 3, 4])]]
            self.declare(Type("enum", f"E{i}", labels=labels))
        for i in range(r.choice([0, 1, 1, 2])):
            low = r.choice([0, 0, 1, -1, -2])
            self.declare(Type("range", f"R{i}", low=low, high=low + r.choice([0, 1, 2, 2, 3])))
        self.types.append(BOOLEAN)
        members = [t for t in self.types if t.kind in ("index", "enum")]
        if self.profile.union and len(members) >= 2:
            self.declare(Type("union", "U0", members=r.sample(members, 2)))
        if self.chance(0.5):
            fields = [(name, self.field_type()) for name in "xyz"[:r.choice([1, 2, 2, 3])]]
            self.declare(Type("record", "Rec", fields=fields))
        if self.chance(0.3):
            self.declare(Type("array", "Arr", index=r.choice(self.indices()), element=self.any_type(0)))

    def field_type(self):
        if self.chance(0.15):
            small = [t for t in self.scalars() if t.values() <= 3]
            return Type("array", index=self.random.choice(self.indices()), element=self.random.choice(small or [BOOLEAN]))
        return self.random.choice(self.scalars())

    def declare(self, type_):
        self.types.append(type_)
        self.declared.append(type_)

    def declaration(self, type_):
        lines = [f"{type_.name}: {type_.body()};"]
        if self.chance(0.1):
            lines.append(f"{type_.name}x: {type_.name};")
            type_.second_name = f"{type_.name}x"
        return lines

    def scalars(self):
        return [t for t in self.types if t.is_scalar()]

    def indices(self):
        """What arrays range over: scalarsets above all."""
        return [t for t in self.types if t.kind == "index"] * 4 + [t for t in self.scalars() if t.kind != "range"] + [
            t for t in self.types if t.kind == "range" and t.values() <= 3]

    def any_type(self, depth):
        kinds = ["scalar"] * 4 + (["array"] * 4 if depth > 0 else []) + ["named"]
        kind = self.random.choice(kinds)
        if kind == "array":
            return Type("array", index=self.random.choice(self.indices()), element=self.any_type(depth - 1))
        named = [t for t in self.types if t.kind in ("record", "array") and t.name]
        if kind == "named" and named:
            return self.random.choice(named)
        preferred = [t for t in self.types if t.kind in ("index", "union")] * 2
        return self.random.choice(self.scalars() + preferred)

    def make_globals(self):
        budget, wanted = self.profile.budget, self.random.choice([2, 3, 4, 5, 6])
        if self.profile.multiset:
            element = self.random.choice([t for t in self.types if t.is_scalar() or t.kind == "record"])
            type_ = Type("multiset", capacity=self.random.choice([1, 2, 3]), element=element)
            sets = [t for t in self.types if t.kind == "index"]
            if sets and self.chance(0.2):
                type_ = Type("array", index=self.random.choice(sets), element=type_)
            if type_.volume(False) <= 3000:
                budget //= type_.volume(False)
                self.globals.append(Root("bag", type_, is_global=True))
        for attempt in range(20):
            type_, undefined = self.any_type(2), self.chance(0.35)
            volume = type_.volume(undefined)
            if len(self.globals) < wanted and volume <= max(budget, 16 if not self.globals else 1):
                budget //= volume
                self.globals.append(Root(f"g{len(self.globals)}", type_, True, undefined, True))
        if not [g for g in self.globals if not g.type.has_multiset()]:
            self.globals.append(Root("g9", BOOLEAN, is_global=True))

    # Functions

    def make_functions(self):
        for i in range(self.random.choices([0, 1, 2], [5, 3, 2])[0]):
            is_function = self.chance(0.6)
            parameters = []
            for k in range(self.random.choice([0, 1, 1, 2])):
                named = [t for t in self.types if t.name]
                parameters.append((f"p{k}", self.random.choice(named), not is_function and self.chance(0.6)))
            result = self.random.choice(self.scalars()) if is_function else None
            function = Function(f"f{i}" if is_function else f"proc{i}", parameters, result)
            lines = self.routine(function)
            if lines:
                self.functions.append(function)
                self.routines += lines

    def routine(self, function):
        roots = [Root(name, type_, is_var, True) for name, type_, is_var in function.parameters]
        writes = self.chance(self.profile.effect if function.result else 0.5)
        function.has_effect = writes
        body = Body(result=function.result, may_write=writes)
        scope = Scope(self.globals).extend(*roots)
        lines = self.make.block(scope, body, 1) if function.result is None or writes or self.chance(0.4) else []
        if function.result:
            result = self.make.value(function.result, scope, 2)
            if not result:
                return None
            if self.chance(0.3) and function.result.kind == "index":
                lines += self.search_loop(function, scope)
            if self.chance(0.5) and function.result.kind in ("bool", "enum"):
                lines += self.constant_search(function, scope, 2)
            lines += self.make.when(result[1], [f"return {result[0]};"])
        head = ", ".join([]) + "; ".join(
            f"{'var ' if is_var else ''}{name}: {type_}" for name, type_, is_var in function.parameters)
        word, result = ("function", f": {function.result}") if function.result else ("procedure", "")
        return [f"{word} {function.name}({head}){result};"] + self.locals(body) + ["begin"] + indent(lines) + ["end;", ""]

    def search_loop(self, function, scope):
        """The first match wins: depends on the order, unless nothing matches twice."""
        name = self.make.fresh("f")
        test = self.make.boolean(scope.extend(Root(name, function.result, False)), 2)
        if not self.chance(self.profile.order):
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

    def locals(self, body):
        return ["var " + f"{name}: {type_};" for name, type_ in body.locals]

    # Rules

    def parameters(self, most):
        names = []
        for _ in range(self.random.randint(0, most)):
            preferred = [t for t in self.types if t.kind == "index"] * 3
            names.append(Root(self.make.fresh("i"), self.random.choice(self.scalars() + preferred), False))
        return names

    def wrap(self, parameters, lines):
        """Puts the lines under one or several rulesets."""
        if len(parameters) > 1 and self.chance(0.3):
            return self.wrap(parameters[:1], self.wrap(parameters[1:], lines))
        if not parameters:
            return lines
        head = "; ".join(f"{p.text}: {p.type}" for p in parameters)
        return [f"ruleset {head} do"] + indent(lines) + ["end;"]

    def rule(self, scope):
        body = Body()
        inner = scope
        for _ in range(self.random.choice([0, 0, 0, 1])):
            local = (self.make.fresh("v"), self.random.choice([t for t in self.types if t.name]))
            body.locals.append(local)
            inner = inner.extend(Root(local[0], local[1], True, True))
        guard = self.make.boolean(scope, self.random.choice([1, 2, 2, 3]))
        lines = self.make.block(inner, body, 2)
        priority = f"{self.random.choice([1, 2])} " if self.chance(self.profile.priority) else ""
        return [f'rule {priority}"{self.make.fresh("r")}"', f"  {guard}", "==>"] + self.locals(body) + [
            "begin"] + indent(lines) + ["end;"]

    def rules(self):
        parameters = self.parameters(2)
        scope = Scope(self.globals).extend(*parameters)
        multisets = self.make.multisets(scope)
        if multisets and self.chance(0.5):
            slot = Slot(self.make.fresh("c"), self.random.choice(multisets))
            inner = scope.extend(slot)
            second = Slot(self.make.fresh("c"), self.random.choice(multisets)) if self.chance(0.3) else None
            lines = self.rule(inner.extend(second) if second else inner)
            if second:
                lines = [f"choose {second.text}: {second.multiset.text} do"] + indent(lines) + ["end;"]
            lines = [f"choose {slot.text}: {slot.multiset.text} do"] + indent(lines) + ["end;"]
        elif self.chance(0.12):
            found = self.make.designator(scope, lambda t: not t.has_multiset(), writable=True)
            if not found or found[2][:-1] or (found[2] and found[1].is_scalar() and found[0] != found[2][-1]):
                return self.wrap(parameters, self.rule(scope))
            name = self.make.fresh("a")
            lines = self.rule(scope.extend(Root(name, found[1], True, found[3].undefined)))
            lines = [f"alias {name}: {found[0]} do"] + indent(lines) + ["end;"]
        else:
            lines = self.rule(scope)
            if self.chance(0.15):
                lines += self.rule(scope)
        return self.wrap(parameters, lines) + [""]

    def mover(self, root):
        """A rule that lets a variable take many values: what makes a state space."""
        parameters = self.parameters(1)
        text, type_ = root.text, root.type
        while not type_.is_scalar():
            if type_.kind == "array":
                parameters.append(Root(self.make.fresh("i"), type_.index, False))
                text, type_ = f"{text}[{parameters[-1].text}]", type_.element
            elif type_.kind == "record":
                name, type_ = self.random.choice(type_.fields)
                text = f"{text}.{name}"
            else:
                return []
        scope = Scope(self.globals).extend(*parameters)
        value = self.make.value(type_, scope, 1)
        if not value or self.chance(0.5):
            parameters.append(Root(self.make.fresh("i"), type_, False))
            value = parameters[-1].text, []
            scope = scope.extend(parameters[-1])
        lines = self.make.when(value[1], [f"{text} := {value[0]};"])
        if root.undefined and self.chance(0.2):
            lines = [f"undefine {text};"]
        body = Body()
        if self.chance(0.3):
            lines += self.make.block(scope, body, 0, 1)
        guard = self.make.boolean(scope, self.random.choice([1, 1, 2]))
        if self.chance(0.4):
            guard = f"({guard} | {self.make.boolean(scope, 1)})"
        if self.chance(0.3):
            guard = "true"
        lines = [f'rule "{self.make.fresh("move ")}"', f"  {guard}", "==>"] + self.locals(body) + [
            "begin"] + indent(lines) + ["end;"]
        return self.wrap(parameters, lines) + [""]

    def initial(self, text, type_, root, parameters, elements):
        """Statements that give a first value."""
        if type_.kind == "multiset":
            return []
        if type_.kind == "record":
            return [line for name, field in type_.fields
                    for line in self.initial(f"{text}.{name}", field, root, parameters, elements)]
        if type_.kind == "array":
            name = self.make.fresh("f")
            lines = self.initial(f"{text}[{name}]", type_.element, root, parameters,
                                 elements + [Root(name, type_.index, False)])
            return [f"for {name}: {type_.index} do"] + indent(lines) + ["end;"] if lines else []
        if root.undefined and self.chance(0.6):
            return self.random.choice([[f"undefine {text};"], []])
        candidates = [p for p in parameters + elements if p.type is type_]
        if type_.kind == "union":
            candidates += [p for p in parameters if p.type in type_.members]
        if candidates and (type_.kind in ("index", "union") or self.chance(0.4)):
            return [f"{text} := {self.random.choice(candidates).text};"]
        if type_.kind == "index" or (type_.kind == "union" and not any(m.labels for m in type_.members)):
            if not root.undefined:
                wanted = type_ if type_.kind == "index" else self.random.choice(type_.members)
                parameters.append(Root(self.make.fresh("i"), wanted, False))
                return [f"{text} := {parameters[-1].text};"]
            return []
        if type_.kind == "union":
            enum = next(m for m in type_.members if m.labels)
            return [f"{text} := {self.random.choice(enum.labels)};"]
        return [f"{text} := {self.make.value(type_, Scope(), 0)[0]};"]

    def start(self):
        parameters = self.parameters(1) if self.chance(0.5) else []
        lines = []
        for root in self.globals:
            lines += self.initial(root.text, root.type, root, parameters, [])
        body = Body(is_start=True)
        if self.chance(0.15):
            lines += self.make.block(Scope(self.globals).extend(*parameters), body, 1)
        lines = [f'startstate "{self.make.fresh("start ")}"'] + self.locals(body) + ["begin"] + indent(lines) + ["end;"]
        return self.wrap(parameters, lines) + [""]

    def properties(self):
        scope, lines = Scope(self.globals), []
        for _ in range(self.random.choice([0, 1, 1, 2, 3])):
            formula = self.make.boolean(scope, 3)
            if self.chance(0.5):
                formula = f"({formula} -> ({formula} | {self.make.boolean(scope, 2)}))"
            elif self.chance(0.5):
                formula = f"({formula} | ({self.make.boolean(scope, 2)} | {self.make.boolean(scope, 2)}))"
            lines.append(f'invariant "{self.make.fresh("inv ")}" {formula};')
        for word, probability in (("cover", 0.2), ("liveness", 0.2), ("assume", 0.08)):
            if self.chance(probability):
                lines.append(f'{word} "{self.make.fresh(word + " ")}" {self.make.boolean(scope, 2)};')
        if self.chance(0.1):
            parameter = Root(self.make.fresh("i"), self.random.choice(self.scalars()), False)
            formula = self.make.boolean(scope.extend(parameter), 3)
            lines += self.wrap([parameter], [f'invariant "{self.make.fresh("inv ")}" {formula};'])
        return lines

    def text(self):
        self.make_types()
        self.make_globals()
        lines = [f"-- random model, seed {self.seed}"]
        lines += [f"const {t.constant}: {t.size};" for t in self.declared if t.constant]
        lines += ["type"] + indent([line for t in self.declared for line in self.declaration(t)]) + ["", "var"]
        self.make_functions()
        lines += indent([f"{g.text}: {g.type};" for g in self.globals]) + [""] + self.routines
        for _ in range(self.random.choice([1, 1, 1, 2])):
            lines += self.start()
        for _ in range(self.random.choice([1, 2, 3, 3, 4])):
            lines += self.rules()
        for root in self.globals:
            if self.chance(0.75):
                lines += self.mover(root)
        return "\n".join(lines + self.properties()) + "\n"


def generate(seed):
    return Model(seed).text()


def main(arguments):
    if len(arguments) == 1:
        sys.stdout.write(generate(int(arguments[0])))
    elif len(arguments) == 3:
        for seed in range(int(arguments[0]), int(arguments[0]) + int(arguments[1])):
            with open(os.path.join(arguments[2], f"{seed}.m"), "w", encoding="ascii") as file:
                file.write(generate(seed))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
