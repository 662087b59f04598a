"""Random models of processes that are alike but not the same: they compare their numbers, look at neighbours, keep
numbers of each other. Small enough to explore plainly; with and without cycles."""
import random


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.n = self.pick([2, 3, 3, 4])
        self.low = self.pick([0, 1])
        self.is_scalarset = self.chance(0.15)
        self.places = self.pick([2, 3, 3, 4])
        self.is_acyclic = self.chance(0.4)
        self.has_undefined = self.chance(0.2)
        self.has_function = self.chance(0.3)
        self.has_matrix = self.chance(0.15)
        self.has_records = self.chance(0.25)
        self.top = self.pick([2, 3, 9, 70])

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, probability):
        return self.random.random() < probability

    # Cells of process i
    def at(self, i):
        return f"p[{i}].at" if self.has_records else f"at[{i}]"

    def flag(self, i):
        return f"p[{i}].flag" if self.has_records else f"flag[{i}]"

    def value(self, i):
        return f"p[{i}].val" if self.has_records else f"val[{i}]"

    def process(self, names):
        """An expression that is a process; in range if the model is no scalarset."""
        options = list(names) * 3
        if not self.is_scalarset:
            i = self.pick(list(names)) if names else str(self.low)
            options += [f"(({i} - {self.low} + 1) % N + {self.low})", f"(({i} - {self.low} + N - 1) % N + {self.low})",
                        str(self.low + self.random.randrange(self.n))]
            if self.has_function and names:
                options.append(f"Next({i})")
        options += ["turn"]
        if names and self.chance(0.2):
            options.append(f"link[{self.pick(list(names))}]")
        return self.pick(options)

    def number(self, names, depth=2):
        kind = self.random.randrange(8)
        if kind == 0 or depth == 0:
            return str(self.random.randrange(4))
        if kind <= 2:
            return "x"
        if kind <= 4:
            return self.value(self.process(names))
        if kind == 5 and names and not self.is_scalarset:
            return self.pick(list(names))
        operator = self.pick(["+", "-", "+", "*"])
        return f"({self.number(names, depth - 1)} {operator} {self.number(names, depth - 1)})"

    def truth(self, names, depth=2):
        kind = self.random.randrange(11)
        if kind <= 1:
            return f"{self.at(self.process(names))} {self.pick(['=', '!='])} {self.place()}"
        if kind == 2:
            return self.flag(self.process(names))
        if kind <= 4:
            return f"{self.number(names)} {self.pick(['=', '!=', '<', '<=', '>', '>='])} {self.number(names)}"
        if kind == 5:
            return f"{self.process(names)} {self.pick(['=', '!='])} {self.process(names)}"
        if kind == 6 and self.has_matrix:
            return f"m[{self.process(names)}][{self.process(names)}]"
        if kind == 7 and self.has_undefined:
            return f"isundefined({self.value(self.process(names))})"
        if depth == 0:
            return self.pick(["b", "!b"])
        if kind == 8:
            k = f"k{depth}{len(names)}"
            word = self.pick(["forall", "exists"])
            return f"({word} {k}: Process do {self.truth(list(names) + [k], depth - 1)} end)"
        if kind == 9:
            return f"!({self.truth(names, depth - 1)})"
        return f"({self.truth(names, depth - 1)} {self.pick(['&', '|', '->'])} {self.truth(names, depth - 1)})"

    def place(self):
        return "L" + str(self.random.randrange(self.places))

    def bounded(self, names):
        """A number that fits, most of the time."""
        number = self.number(names)
        return number if self.chance(0.25) else f"(({number}) % {min(self.top, 3) + 1} + {min(self.top, 3) + 1}) % " \
                                                f"{min(self.top, 3) + 1}"

    def statement(self, names, depth=1):
        kind = self.random.randrange(13)
        if kind <= 2:
            return f"x := {self.bounded(names)};"
        if kind <= 4:
            return f"{self.value(self.process(names))} := {self.bounded(names)};"
        if kind <= 6:
            return f"{self.flag(self.process(names))} := {self.truth(names, 1)};"
        if kind == 7:
            return f"turn := {self.process(names)};"
        if kind == 8 and self.has_matrix:
            return f"m[{self.process(names)}][{self.process(names)}] := {self.truth(names, 0)};"
        if kind == 8 and self.has_undefined:
            return f"undefine {self.value(self.process(names))};"
        if kind == 9 and self.has_function:
            return f"Bump({self.value(self.process(names))}, {self.bounded(names)});"
        if kind == 10:
            return f"link[{self.process(names)}] := {self.process(names)};"
        if depth == 0:
            return f"b := {self.truth(names, 1)};"
        if kind == 11:
            other = f" else {self.statement(names, 0)}" if self.chance(0.5) else ""
            return f"if {self.truth(names, 1)} then {self.statement(names, 0)}{other} end;"
        k = f"f{len(names)}"
        return f"for {k}: Process do {self.statement(list(names) + [k], 0)} end;"

    def rule(self, number):
        names = ["i", "j"] if self.chance(0.2) else ["i"]
        source = self.random.randrange(self.places - (1 if self.is_acyclic else 0)) if number else 0
        target = self.random.randrange(source + 1, self.places) if self.is_acyclic \
            else self.random.randrange(self.places)
        more = self.pick([0, 1, 1, 2]) if number else 0
        guard = [f"{self.at('i')} = L{source}"] + [self.truth(names) for _ in range(more)]
        if self.chance(0.1):
            self.random.shuffle(guard)
        body = [self.statement(names) for _ in range(self.pick([0, 1, 1, 2, 3]))]
        if self.is_acyclic or self.chance(0.9):
            body.insert(self.random.randrange(len(body) + 1), f"{self.at('i')} := L{target};")
        if self.chance(0.05):
            body.append(f"assert {self.truth(names)};")
        if self.chance(0.04):
            body.append(f"{self.at(self.process(names))} := {self.place()};")
        declared = "; ".join(f"{name}: Process" for name in names)
        return (f"ruleset {declared} do\n  rule \"r{number}\" {' & '.join(f'({part})' for part in guard)} ==>\n"
                f"  begin\n" + "".join(f"    {line}\n" for line in body) + "  end;\nend;\n")

    def declarations(self):
        process = "scalarset(N)" if self.is_scalarset else f"{self.low}..N{self.low - 1:+d}"
        lines = [f"const N: {self.n};", "type", f"  Process: {process};",
                 "  Place: enum { " + ", ".join(f"L{k}" for k in range(self.places)) + " };",
                 f"  Value: 0..{self.top};"]
        if self.has_records:
            lines += ["  State: record at: Place; flag: boolean; val: Value; end;", "var",
                      "  p: array [Process] of State;"]
        else:
            lines += ["var", "  at: array [Process] of Place;", "  flag: array [Process] of boolean;",
                      "  val: array [Process] of Value;"]
        lines += ["  x: Value;", "  b: boolean;", "  turn: Process;", "  link: array [Process] of Process;"]
        if self.has_matrix:
            lines.append("  m: array [Process] of array [Process] of boolean;")
        return "\n".join(lines) + "\n"

    def functions(self):
        if not self.has_function:
            return ""
        text = "procedure Bump(var v: Value; up: Value);\nbegin\n  if v < up then v := up; else v := 0; end;\nend;\n"
        if not self.is_scalarset:
            text += (f"function Next(i: Process): Process;\nbegin\n  if i = N{self.low - 1:+d} then return {self.low}; "
                     f"end;\n  return i + 1;\nend;\n")
        return text

    def start(self):
        lines = [f"{self.at('i')} := L0;", f"{self.flag('i')} := false;", "link[i] := i;"]
        if not self.has_undefined or self.chance(0.5):
            lines.append(f"{self.value('i')} := 0;")
        if self.has_matrix:
            lines.append("for j: Process do m[i][j] := false; end;")
        turn = "" if self.is_scalarset else f"turn := {self.low};"
        text = "begin\n  for i: Process do " + " ".join(lines) + " end;\n  x := 0; b := false; "
        if self.is_scalarset or self.chance(0.2):
            return f"ruleset t: Process do\nstartstate\n{text}turn := t;\nend;\nend;\n"
        return f"startstate\n{text}{turn}\nend;\n"

    def properties(self):
        lines = []
        for number in range(self.pick([1, 1, 2, 3])):
            kind = self.random.randrange(6)
            if kind == 0:
                truth = f"x != {self.random.randrange(4)}"
            elif kind == 1:
                truth = f"forall i: Process do {self.truth(['i'], 1)} end"
            elif kind == 2:
                truth = (f"forall i: Process do forall j: Process do i != j & {self.at('i')} = {self.place()} -> "
                         f"{self.truth(['i', 'j'], 1)} end end")
            elif kind == 3:
                truth = f"!({self.truth([], 2)} & {self.truth([], 2)} & {self.truth([], 2)})"
            else:
                truth = (f"!(exists i: Process do {self.truth(['i'], 1)} & {self.truth(['i'], 1)} & "
                         f"{self.truth(['i'], 1)} end)")
            word = self.pick(["invariant"] * 5 + ["cover"])
            lines.append(f"{word} \"q{number}\" {truth};")
        if self.chance(0.1):
            lines.append(f"assume \"granted\" {self.truth([], 2)};")
        return "\n".join(lines) + "\n"

    def model(self):
        rules = "".join(self.rule(number) for number in range(self.pick([2, 3, 4, 5])))
        return self.declarations() + self.functions() + rules + self.start() + self.properties()


def make_model(seed):
    return Maker(seed).model()


if __name__ == "__main__":
    import sys
    print(make_model(int(sys.argv[1])), end="")
