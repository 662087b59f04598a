#!/usr/bin/env python3
"""Random models that are only nearly symmetric: processes indexed by a range, ids compared and used as data.

    partial.py SEED       prints one model

What run.py does with general models, run_partial.py does with these."""

import random
import sys


class Family:
    def __init__(self, name, array, size, index):
        self.name, self.array, self.size, self.index = name, array, size, index


class Nearly:
    def __init__(self, seed):
        self.random = random.Random(seed * 7919 + 13)
        self.seed = seed
        r = self.random
        self.is_scalarset = r.random() < 0.1
        self.places = ["A", "B", "C", "D"][:r.choice([2, 3, 3, 4])]
        self.families = [Family("Proc", "s", r.choice([2, 3, 3, 4, 5]), "i")]
        if r.random() < 0.2:
            self.families.append(Family("Node", "t", r.choice([2, 3]), "m"))
        self.size = self.families[0].size
        self.has_level = r.random() < 0.3 and self.size < 5
        self.has_level_undefined = self.has_level and r.random() < 0.3
        self.has_owner = r.random() < 0.35
        self.has_prio = r.random() < 0.4
        self.has_count = r.random() < 0.2
        self.has_link = r.random() < 0.15 and self.size < 4
        self.has_function = r.random() < 0.3
        self.fresh = 0

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *items):
        return self.random.choice(items)

    def place(self):
        return self.random.choice(self.places)

    def name(self):
        self.fresh += 1
        return f"j{self.fresh}"

    # Conditions

    def ids(self, i, j):
        """A condition on two ids: what breaks the symmetry."""
        if self.is_scalarset:
            return f"{j} != {i}"
        options = [f"{j} < {i}", f"{j} != {i}", f"{j} > {i}", f"{j} > {self.random.randint(1, self.size)}",
                   f"{j} = {i} % {self.size} + 1", f"{j} % 2 = 0", "true", "true"]
        if self.has_prio:
            options += [f"prio[{j}] < prio[{i}]", f"prio[{j}] >= prio[{i}]"] * 2
        return self.random.choice(options)

    def local(self, i, array="s"):
        r = self.random
        options = [f"{array}[{i}] = {self.place()}", f"{array}[{i}] != {self.place()}"]
        if array == "s" and self.has_level:
            test = f"level[{i}] {self.pick('=', '<', '>=')} {r.randint(0, 2)}"
            if self.has_level_undefined:
                test = f"(isundefined(level[{i}]) | {test})" if self.chance(0.8) else test
            options.append(test)
        if array == "s" and self.has_link:
            options.append(f"link[{i}] = {i}")
        if array == "s" and self.has_owner:
            options.append(self.owner(i))
        return r.choice(options)

    def owner(self, i):
        return self.pick(f"(!isundefined(owner) & owner = {i})", f"(isundefined(owner) | owner != {i})",
                         "isundefined(owner)", "!isundefined(owner)",
                         f"(!isundefined(owner) & s[owner] = {self.place()})")

    def shared(self):
        options = ["flag", "!flag"]
        if self.has_count:
            options += ["count = 0", "count > 0", f"count < {self.size}"]
        return self.random.choice(options)

    def others(self, i):
        family = self.random.choice(self.families)
        j, word = self.name(), self.pick("forall", "exists", "forall")
        test = self.local(j, family.array)
        if self.chance(0.2):
            test = f"({test} {self.pick('&', '|')} {self.local(j, family.array)})"
        ids = self.ids(i, j) if family.name == "Proc" else self.pick("true", f"{j} = {self.random.randint(1, family.size)}")
        if self.is_scalarset and family.name == "Proc" and ids == "true":
            ids = "true"
        glue = "->" if word == "forall" else "&"
        return f"({word} {j}: {family.name} do {ids} {glue} {test} end)"

    def atom(self, i):
        kinds = [lambda: self.local(i), self.shared, lambda: self.others(i), lambda: self.others(i)]
        if not self.is_scalarset:
            kinds.append(lambda: f"{i} {self.pick('<', '<=', '=', '!=')} {self.random.randint(1, self.size)}")
        if self.has_function:
            kinds.append(lambda: f"{self.pick('busy', 'busy', '!busy')}({i})")
        if self.chance(0.3):  # what can only be found out state by state
            kinds.append(lambda: f"(tally({i}) {self.pick('<', '=', '>')} {self.random.randint(0, 2)})")
            kinds.append(self.pairs)
        return self.random.choice(kinds)()

    def pairs(self):
        j, k = self.name(), self.name()
        return (f"(forall {j}: Proc do forall {k}: Proc do {self.ids(j, k)} & {j} != {k} -> "
                f"{self.pick('', '!')}(s[{j}] = s[{k}]) end end)")

    def guard(self, i):
        atoms = [f"s[{i}] = {self.place()}"] + [self.atom(i) for _ in range(self.pick(0, 1, 1, 2))]
        text = atoms[0]
        for atom in atoms[1:]:
            text = f"{text} & {atom}" if self.chance(0.85) else f"({text} | {atom})"
        return text

    # Bodies

    def statement(self, i, depth=0):
        r = self.random
        options = [lambda: f"s[{i}] := {self.place()};"] * 4 + [lambda: f"flag := {self.shared()};"]
        if self.has_level:
            options.append(lambda: f"level[{i}] := {r.randint(0, 2)};")
            if self.has_level_undefined:
                options.append(lambda: f"undefine level[{i}];")
        if self.has_owner:
            options += [lambda: f"owner := {i};", lambda: "undefine owner;"]
        if self.has_link:
            options.append(lambda: f"link[{i}] := {i};")
        if self.has_count:
            options.append(lambda: f"count := {self.pick('0', 'tally(' + i + ')')};")
        if len(self.families) > 1:
            options.append(lambda: f"for k: Node do if {self.local('k', 't')} then t[k] := {self.place()}; end; end;")
        if depth == 0:
            options += [lambda: self.broadcast(i), lambda: self.branch(i), lambda: self.branch(i)]
        if not self.is_scalarset:
            options.append(lambda: f"s[{r.randint(1, self.size)}] := {self.place()};")
        if self.chance(0.05):
            options.append(lambda: f'assert {self.atom(i)} "claim";')
        return r.choice(options)()

    def broadcast(self, i):
        j = self.name()
        test = f"{self.ids(i, j)} & {self.local(j)}"
        return f"for {j}: Proc do if {test} then {self.statement(j, 1)} end; end;"

    def branch(self, i):
        tail = f" else {self.statement(i, 1)}" if self.chance(0.4) else ""
        return f"if {self.atom(i)} then {self.statement(i, 1)}{tail} end;"

    def rule(self):
        r = self.random
        domain = "Proc"
        if not self.is_scalarset and self.chance(0.15):
            domain = f"1..{r.randint(1, self.size)}"
        parameters, guard = f"i: {domain}", self.guard("i")
        body = [self.statement("i") for _ in range(self.pick(1, 1, 2, 3))]
        if self.chance(0.15):
            parameters += "; k: Proc"
            guard += f" & {self.ids('i', 'k')} & {self.local('k')}"
            body.append(self.statement("k", 1))
        elif len(self.families) > 1 and self.chance(0.4):
            parameters += "; k: Node"
            guard += f" & t[k] = {self.place()}"
            body.append(f"t[k] := {self.place()};")
        lines = "\n".join("    " + line for line in body)
        return f'ruleset {parameters} do\n  rule "{self.name()}" {guard} ==>\n  begin\n{lines}\n  end;\nend;\n'

    def cycle(self):
        """Rules that lead from each place to the next one, so that there is something to explore."""
        rules = []
        for here, there in zip(self.places, self.places[1:] + self.places[:1]):
            if self.chance(0.8):
                extra = f" & {self.atom('i')}" if self.chance(0.4) else ""
                rules.append(f'ruleset i: Proc do\n  rule "{self.name()}" s[i] = {here}{extra} ==>\n  begin\n'
                             f"    s[i] := {there};\n  end;\nend;\n")
        return rules

    # The model

    def declarations(self):
        bounds = f"scalarset({self.size})" if self.is_scalarset else f"1..{self.size}"
        lines = [f"type Proc: {bounds};", f"  Place: enum {{ {', '.join(self.places)} }};"]
        if len(self.families) > 1:
            lines.append(f"  Node: 1..{self.families[1].size};")
        lines += ["var s: array [Proc] of Place;", "  flag: boolean;"]
        lines += ["  t: array [Node] of Place;"] * (len(self.families) > 1)
        lines += ["  level: array [Proc] of 0..2;"] * self.has_level
        lines += ["  owner: Proc;"] * self.has_owner
        lines += ["  prio: array [Proc] of 1..3;"] * self.has_prio
        lines += [f"  count: 0..{self.size};"] * self.has_count
        lines += ["  link: array [Proc] of Proc;"] * self.has_link
        return lines

    def functions(self):
        j, k = self.name(), self.name()
        return [f"function busy(i: Proc): boolean;", "begin",
                f"  for {j}: Proc do if {self.ids('i', j)} & s[{j}] = {self.place()} then return true; end; end;",
                "  return false;", "end;",
                f"function tally(i: Proc): 0..{self.size};", f"var sum: 0..{self.size};", "begin", "  sum := 0;",
                f"  for {k}: Proc do if {self.ids('i', k)} & s[{k}] = {self.place()} then sum := sum + 1; end; end;",
                "  return sum;", "end;"]

    def start(self):
        lines = [f"for i: Proc do s[i] := {self.places[0]}; end;", "flag := false;"]
        if self.chance(0.2) and not self.is_scalarset:
            lines.append(f"s[{self.random.randint(1, self.size)}] := {self.place()};")
        lines += [f"for k: Node do t[k] := {self.places[0]}; end;"] * (len(self.families) > 1)
        if self.has_level and not self.has_level_undefined:
            lines.append("for i: Proc do level[i] := 0; end;")
        if self.has_prio:
            prio = "1" if self.is_scalarset else self.pick("1 + i % 2", "1 + (i - 1) / 2", "i > 2 ? 2 : 1")
            lines.append(f"for i: Proc do prio[i] := {prio}; end;")
        lines += ["count := 0;"] * self.has_count
        lines += ["for i: Proc do link[i] := i; end;"] * self.has_link
        if self.chance(0.15):
            return [f"ruleset k: Proc do startstate begin {' '.join(lines)} s[k] := {self.place()}; end; end;"]
        return ["startstate begin"] + ["  " + line for line in lines] + ["end;"]

    def properties(self):
        texts = []
        for _ in range(self.pick(0, 1, 1, 2)):
            i = self.name()
            body = self.pick(f"({self.atom(i)} -> {self.atom(i)})", f"!({self.guard(i)} & {self.atom(i)})", self.atom(i))
            texts.append(f'invariant "{self.name()}" forall {i}: Proc do {body} end;')
        if self.chance(0.3):
            i = self.name()
            texts.append(f'cover "{self.name()}" exists {i}: Proc do {self.guard(i)} end;')
        if self.chance(0.3) and not self.is_scalarset:
            texts.append(f'invariant "{self.name()}" s[{self.random.randint(1, self.size)}] != {self.place()} | flag;')
        return texts

    def text(self):
        rules = self.cycle() + [self.rule() for _ in range(self.pick(1, 2, 3, 4))]
        return "\n".join([f"-- seed {self.seed}"] + self.declarations() + self.functions() + self.start() + rules +
                         self.properties()) + "\n"


def generate(seed):
    return Nearly(seed).text()


if __name__ == "__main__":
    print(generate(int(sys.argv[1])), end="")
