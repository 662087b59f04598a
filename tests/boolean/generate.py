"""Random Boolean programs: as trees, and as text in one of the two dialects.

A program is {"globals": [(name, initial)], "numbered": bool, "recursion": int, "procedures": {name: Procedure}}; a
statement is (labels, kind, ...), an expression a tuple. `generate.py SEED` prints the program of a seed."""
import random
import sys
from dataclasses import dataclass, field

# Every construct of docs/languages/boolean.md; run.py fails when one is never generated.
STATEMENTS = ("skip", "assign", "constrain", "call", "results", "assume", "abortif", "assert", "goto", "gotos", "if", "else",
              "elsif", "while", "return", "values", "start_call", "async", "arguments", "start_goto", "end_thread", "atomic",
              "wait", "broadcast", "dead", "enforce", "initial", "recursion", "numbered", "unreachable", "drop")
EXPRESSIONS = ("const", "read", "any", "schoose", "not", "and", "or", "xor", "eq", "ne", "implies", "cond", "next")


@dataclass
class Procedure:
    name: str
    results: int
    parameters: list
    locals: list  # (name, initial)
    enforced: list = field(default_factory=list)
    body: list = field(default_factory=list)


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.used = set()
        self.labels = []
        self.count = 0

    def chance(self, share):
        return self.random.random() < share

    def use(self, word):
        self.used.add(word)
        return word

    def expression(self, names, depth, choices=True, ticks=()):
        kinds = ["read"] * 5 + ["const"] if names else ["const"]
        if depth:
            kinds += ["not", "and", "or", "xor", "eq", "ne"]
            kinds += ["cond"] if self.numbered else ["implies"]
            kinds += ["schoose"] if choices and self.choices else []
        if choices and self.choices:
            kinds += ["any"]
        if ticks:
            kinds += ["next"] * 3
        kind = self.use(self.random.choice(kinds))
        part = lambda: self.expression(names, depth - 1, choices, ticks)
        if kind == "const":
            return ("const", self.random.random() < 0.5)
        if kind == "read":
            return ("read", self.random.choice(names))
        if kind == "next":
            return ("next", self.random.choice(ticks))
        if kind == "any":
            self.choices -= 1
            return ("any",)
        if kind == "not":
            return ("not", part())
        if kind == "schoose":
            self.choices -= 1
            return ("schoose", part(), part())
        if kind == "cond":
            return ("cond", part(), part(), part())
        return (kind, part(), part())

    def fresh(self, names, depth=2, **options):
        self.choices = 2
        return self.expression(names, depth, **options)

    def label(self):
        self.count += 1
        return f"L{self.count}"

    def assignment(self, names):
        targets = self.random.sample(names, self.random.randint(1, min(2, len(names))))
        self.choices = 3
        values = [self.expression(names, 1) for _ in targets]
        condition = None
        if self.chance(0.3):
            self.use("constrain")
            self.choices = 0
            condition = self.expression(names, 2, ticks=tuple(targets))
        return ("assign", targets, values, condition)

    def call(self, kind):
        callee = self.program["procedures"][self.random.choice(self.callable)]
        self.choices = 2
        arguments = [self.expression(self.names, 1) for _ in callee.parameters]
        if arguments:
            self.use("arguments")
        if kind == "start_call":
            return ("start_call", callee.name, arguments, self.use("async") if self.chance(0.3) else None)
        targets = []
        if callee.results and len(self.names) >= callee.results and self.chance(0.8):
            self.use("results")
            targets = self.random.sample(self.names, callee.results)
            if self.chance(0.2):
                self.use("drop")
                targets[0] = "_"
        return ("call", targets, callee.name, arguments)

    def simple(self, kinds):
        kind = self.random.choice(kinds)
        if kind in ("assign", "dead") and not self.names:
            kind = "skip"
        if kind in ("call", "start_call") and not self.callable:
            kind = "assume"
        self.use(kind)
        if kind == "assign":
            return self.assignment(self.names)
        if kind == "dead":
            return ("dead", [self.random.choice(self.names)])
        if kind in ("call", "start_call"):
            return self.call(kind)
        if kind in ("assume", "abortif", "assert"):
            return (kind, self.fresh(self.names))
        if kind == "return":
            self.choices = 2
            values = [self.expression(self.names, 1) for _ in range(self.procedure.results)]
            if values:
                self.use("values")
            return ("return", values)
        if kind == "goto":
            targets = [None] * self.random.randint(1, 2)
            if len(targets) > 1:
                self.use("gotos")
            return ("goto", targets)
        if kind == "start_goto":
            return ("start_goto", None)
        return (kind,)

    KINDS = (["assign"] * 7 + ["skip", "assume", "abortif", "assert", "assert", "goto", "dead", "return", "call", "call"])

    def statement(self, depth):
        labels = [self.label()] if self.chance(0.3) else []
        self.labels += labels
        kinds = self.KINDS + self.thread_kinds
        if depth and self.chance(0.25):
            if self.chance(0.4):
                self.use("while")
                return (labels, "while", self.fresh(self.names, 1), self.block(depth - 1, 2))
            self.use("if")
            then, other = self.block(depth - 1, 2), None
            if self.chance(0.5):
                self.use("else")
                other = self.block(depth - 1, 2)
                if self.chance(0.3):
                    self.use("elsif")
                    other = [([], "if", self.fresh(self.names, 1), self.block(0, 1), other)]
            return (labels, "if", self.fresh(self.names, 1), then, other)
        return (labels, *self.simple(kinds))

    def block(self, depth, most):
        statements = []
        for _ in range(self.random.randint(1, most)):
            if self.chance(0.1):
                self.use("atomic")
                statements += [([], "atomic_begin"), *self.block(0, 2), ([], "atomic_end")]
            else:
                statements.append(self.statement(depth))
        return statements

    def settle(self, statements):
        """Jumps get their labels once all are known."""
        done = []
        for labels, kind, *rest in statements:
            if kind == "goto":
                rest = [[self.random.choice(self.labels) for _ in rest[0]]] if self.labels else None
            elif kind == "start_goto":
                rest = [self.random.choice(self.labels)] if self.labels else None
            elif kind == "if":
                rest = [rest[0], self.settle(rest[1]), rest[2] and self.settle(rest[2])]
            elif kind == "while":
                rest = [rest[0], self.settle(rest[1])]
            done.append((labels, "skip") if rest is None else (labels, kind, *rest))
        return done

    def fill(self, procedure):
        self.procedure = procedure
        shared = [name for name, _ in self.program["globals"]]
        self.names = shared + procedure.parameters + [name for name, _ in procedure.locals]
        self.labels = []
        if self.chance(0.15):
            self.use("enforce")
            procedure.enforced.append(self.fresh(self.names, 1, choices=False))
        body = self.block(2, 4)
        procedure.body = self.settle(body)

    def initial(self):
        if self.chance(0.3):
            self.use("initial")
            return self.random.randint(0, 1)
        return None

    def named(self):
        self.numbered = False
        names = ["main"] + [f"p{i}" for i in range(self.random.randint(0, 2))]
        self.program = {"globals": [(f"g{i}", self.initial()) for i in range(self.random.randint(1, 2))],
                        "numbered": False, "recursion": 2, "procedures": {}}
        for name in names:
            is_main = name == "main"
            parameters = [] if is_main else [f"a{i}" for i in range(self.random.randint(0, 1))]
            self.program["procedures"][name] = Procedure(name, 0 if is_main else self.random.randint(0, 2), parameters,
                                                         [(f"x{i}", self.initial())
                                                          for i in range(self.random.randint(0, 1))])
        threads = self.chance(0.7)
        for i, name in enumerate(names):
            self.thread_kinds = ["start_call", "start_goto", "end_thread", "wait", "broadcast"] if threads else []
            self.thread_kinds = self.thread_kinds if self.chance(0.6) else ["start_call"] * threads
            recursive = self.chance(0.15)
            self.callable = names[i + 1:] + ([name] if recursive and name != "main" else [])
            if recursive and name != "main":
                self.use("recursion")
            self.fill(self.program["procedures"][name])
        return self.program

    def numbered_program(self):
        self.use("numbered")
        self.numbered = True
        self.program = {"globals": [(f"g{i}", self.initial()) for i in range(self.random.randint(1, 2))],
                        "numbered": True, "recursion": 2, "procedures": {}}
        main = Procedure("main", 0, [], [(f"x{i}", self.initial()) for i in range(self.random.randint(0, 1))])
        self.program["procedures"]["main"] = main
        self.procedure = main
        self.callable = []
        self.names = [name for name, _ in self.program["globals"] + main.locals]
        kinds = (["assign"] * 6 + ["skip", "assume", "assert", "assert", "goto", "goto"] +
                 (["start_goto", "start_goto", "end_thread", "wait", "broadcast"] if self.chance(0.8) else []))
        size = self.random.randint(3, 8)
        body = []
        for i in range(size):
            self.labels.append(str(i))
            if self.chance(0.2):
                self.use("if")
                body.append(([str(i)], "if", self.fresh(self.names, 2), [([], "goto", [None])], None))
            elif self.chance(0.1) and i:
                body.append(([str(i)], self.random.choice(["atomic_begin", "atomic_end"])))
            else:
                body.append(([str(i)], *self.simple(kinds)))
        main.body = self.settle(body)
        return self.program


def make(seed):
    """The program of a seed, and the constructs in it."""
    maker = Maker(seed)
    program = maker.numbered_program() if maker.chance(0.3) else maker.named()
    labels = [label for procedure in program["procedures"].values() for label in all_labels(procedure.body)]
    program["unreachable"] = None
    if labels and not program["numbered"] and maker.chance(0.2):
        program["unreachable"] = maker.random.choice(labels)
        maker.use("unreachable")
    return program, maker.used


def all_labels(statements):
    for labels, kind, *rest in statements:
        yield from labels
        for part in rest[1:] if kind in ("if", "while") else []:
            yield from all_labels(part or [])


# Text. How tightly operators bind: parentheses stand only where the dialect needs them, or by chance.
NAMED = {"implies": 1, "eq": 1, "ne": 1, "xor": 2, "or": 3, "and": 4}
NUMBERED = {"cond": 0, "or": 1, "xor": 2, "and": 3, "eq": 4, "ne": 4}
SIGNS = {"implies": "=>", "eq": "=", "ne": "!=", "xor": "^", "or": "|", "and": "&"}


class Printer:
    def __init__(self, program, seed):
        self.program = program
        self.levels = NUMBERED if program["numbered"] else NAMED
        self.random = random.Random(seed)
        self.started = 0

    def expression(self, tree, least=0):
        kind = tree[0]
        if kind == "const":
            return self.random.choice("T1" if tree[1] else "F0")
        if kind == "read":
            return tree[1]
        if kind == "next":
            return "'" + tree[1]
        if kind == "any":
            return "*"
        if kind == "schoose":
            return f"schoose[{self.expression(tree[1])}, {self.expression(tree[2])}]"
        if kind == "not":
            return self.random.choice("!~") + self.expression(tree[1], 9)
        if kind == "cond":
            text = f"({self.expression(tree[1])}) ? {self.expression(tree[2], 1)} : {self.expression(tree[3], 0)}"
            return f"({text})" if least else text
        level = self.levels[kind]
        # "=>" and comparisons without numbered lines group to the right, all others to the left.
        right = not self.program["numbered"] and level == 1
        text = (f"{self.expression(tree[1], level + right)} {SIGNS[kind]} "
                f"{self.expression(tree[2], level + (not right))}")
        return f"({text})" if level < least or self.random.random() < 0.1 else text

    def list(self, trees):
        return ", ".join(self.expression(tree) for tree in trees)

    def statement(self, labels, kind, *rest, indent):
        pad = "  " * indent
        head = pad + "".join(f"{label}: " for label in labels)
        if kind == "assign":
            condition = f" constrain {self.expression(rest[2])}" if rest[2] else ""
            return f"{head}{', '.join(rest[0])} := {self.list(rest[1])}{condition};"
        if kind == "dead":
            return f"{head}dead {', '.join(rest[0])};"
        if kind == "call":
            results = ", ".join(rest[0]) + " := " if rest[0] else ""
            return f"{head}{results}{rest[1]}({self.list(rest[2])});"
        if kind == "start_call":
            self.started += 1
            return f"{head}{f'ASYNC_{self.started}: ' if rest[2] else 'start_thread '}{rest[0]}({self.list(rest[1])});"
        if kind == "start_goto":
            return f"{head}start_thread goto {rest[0]};"
        if kind in ("assume", "assert", "abortif"):
            return f"{head}{kind}({self.expression(rest[0])});"
        if kind == "return":
            return f"{head}return {self.list(rest[0])};"
        if kind == "goto":
            return f"{head}goto {', '.join(rest[0])};"
        if kind == "while":
            return f"{head}while {self.expression(rest[0])} do\n{self.block(rest[1], indent + 1)}\n{pad}od;"
        if kind == "if":
            text = f"{head}if {self.expression(rest[0])} then\n{self.block(rest[1], indent + 1)}\n"
            while rest[2] and len(rest[2]) == 1 and rest[2][0][1] == "if" and not rest[2][0][0]:
                rest = rest[2][0][2:]
                text += f"{pad}elsif {self.expression(rest[0])} then\n{self.block(rest[1], indent + 1)}\n"
            if rest[2]:
                text += f"{pad}else\n{self.block(rest[2], indent + 1)}\n"
            return text + f"{pad}fi;"
        return f"{head}{kind};"

    def block(self, statements, indent):
        return "\n".join(self.statement(*statement, indent=indent) for statement in statements)

    def declaration(self, variables):
        return ", ".join(name if initial is None else f"{name} := {initial}" for name, initial in variables)

    def procedure(self, procedure):
        results = {0: "void", 1: "bool"}.get(procedure.results, f"bool<{procedure.results}>")
        lines = [f"{results} {procedure.name}({', '.join(procedure.parameters)}) begin"]
        if procedure.locals:
            lines.append(f"  decl {self.declaration(procedure.locals)};")
        lines += [f"  enforce {self.expression(tree)};" for tree in procedure.enforced]
        return "\n".join(lines + [self.block(procedure.body, 1), "end"])

    def print(self):
        head = f"decl {self.declaration(self.program['globals'])};\n"
        return head + "\n".join(map(self.procedure, self.program["procedures"].values())) + "\n"


def text_of(program, seed):
    return Printer(program, seed).print()


if __name__ == "__main__":
    print(text_of(make(int(sys.argv[1]))[0], int(sys.argv[1])), end="")
