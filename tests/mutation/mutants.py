"""The mutations of a C file, from its syntax tree (clang's, as JSON).

A mutation replaces a stretch of the text. What a macro expands to is left alone: so assertions (ENSURE, UNREACHABLE) and their
messages are, too. Offsets are those of bytes, and the sources are ASCII where it matters."""
import json
import re
import subprocess
from dataclasses import dataclass

FLIPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
SWAPPED = {"&&": "||", "||": "&&", "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "<<": ">>", ">>": "<<"}
ASSIGNED = {"+=": "-=", "-=": "+=", "|=": "=", "&=": "=", "*=": "=", "/=": "="}
# Names that say on which side of a value something lies.
SIDES = (("lower", "upper"), ("below", "above"), ("down", "up"), ("DOWNWARD", "UPWARD"), ("DOWN", "UP"), ("LOWER", "UPPER"), ("least", "greatest"),
         ("least", "most"), ("min", "max"), ("floor", "ceil"), ("first", "last"))
KINDS = ("comparison", "operator", "negation", "dropped", "constant", "swapped", "side", "result")


@dataclass(frozen=True)
class Mutant:
    file: str
    line: int
    kind: str
    begin: int
    end: int
    before: str
    after: str

    def name(self):
        return f"{self.file}:{self.line}:{self.begin}:{self.kind}:{self.after}"

    def describe(self):
        shorten = lambda text: re.sub(r"\s+", " ", text)[:110]
        return f"{self.file}:{self.line}: {self.kind}: {shorten(self.before)}  ->  {shorten(self.after) or '(nothing)'}"


class Finder:
    def __init__(self, root, file, flags):
        self.file, self.found = file, []
        self.text = (root / file).read_bytes().decode("latin-1")
        done = subprocess.run(["clang", "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", *flags, str(root / file)], cwd=root, capture_output=True,
                              text=True, check=True)
        for node in json.loads(done.stdout)["inner"]:
            place = node.get("loc", {})
            if node["kind"] == "FunctionDecl" and "includedFrom" not in place and "offset" in place:
                for inner in node.get("inner", []):
                    self.visit(inner, None)

    def stretch(self, node):
        """Where a node stands in the text of the file itself; None: it is in a macro."""
        begin, end = (node.get("range", {}).get(side, {}) for side in ("begin", "end"))
        if any("offset" not in place or "includedFrom" in place for place in (begin, end)):
            return None
        return begin["offset"], end["offset"] + end["tokLen"]

    def add(self, kind, begin, end, after):
        before = self.text[begin:end]
        if before != after:
            line = self.text.count("\n", 0, begin) + 1
            self.found.append(Mutant(self.file, line, kind, begin, end, before, after))

    def visit(self, node, parent):
        if self.stretch(node) is None and node["kind"] != "DeclStmt":
            if node.get("range", {}).get("begin", {}).get("expansionLoc"):
                return
        method = getattr(self, node["kind"], None)
        if method and self.stretch(node):
            method(node)
        if node["kind"] == "CompoundStmt":
            for inner in node.get("inner", []):
                self.drop(inner)
        for inner in node.get("inner", []):
            if inner:
                self.visit(inner, node)

    def between(self, node):
        """The operator of a binary node: its stretch."""
        left, right = (self.stretch(part) for part in node["inner"])
        if left is None or right is None:
            return None
        found = re.search(re.escape(node["opcode"]), self.text[left[1]:right[0]])
        return (left[1] + found.start(), left[1] + found.end()) if found else None

    def BinaryOperator(self, node):
        place = self.between(node)
        if not place:
            return
        if node["opcode"] in FLIPPED:
            self.add("comparison", *place, FLIPPED[node["opcode"]])
        elif node["opcode"] in SWAPPED:
            self.add("operator", *place, SWAPPED[node["opcode"]])

    def CompoundAssignOperator(self, node):
        place = self.between(node)
        if place and node["opcode"] in ASSIGNED:
            self.add("operator", *place, ASSIGNED[node["opcode"]])

    def negate(self, condition):
        place = self.stretch(condition)
        if place:
            self.add("negation", *place, f"!({self.text[slice(*place)]})")

    def IfStmt(self, node):
        self.negate(node["inner"][0])

    def ConditionalOperator(self, node):
        self.negate(node["inner"][0])

    def IntegerLiteral(self, node):
        begin, end = self.stretch(node)
        number = self.text[begin:end]
        if re.fullmatch(r"\d+", number):
            self.add("constant", begin, end, str(int(number) + 1))
        if number == "1":
            self.add("constant", begin, end, "0")

    def FloatingLiteral(self, node):
        begin, end = self.stretch(node)
        self.add("constant", begin, end, f"(0 * {self.text[begin:end]})")

    def CallExpr(self, node):
        arguments = node["inner"][1:]
        for one, other in zip(arguments, arguments[1:]):
            a, b = self.stretch(one), self.stretch(other)
            is_text = a and b and '"' in self.text[a[0]:b[1]]  # of a message
            if a and b and not is_text and one["type"]["qualType"] == other["type"]["qualType"]:
                self.add("swapped", a[0], b[1], self.text[slice(*b)] + self.text[a[1]:b[0]] + self.text[slice(*a)])

    def DeclRefExpr(self, node):
        begin, end = self.stretch(node)
        self.turn(begin, end)

    def MemberExpr(self, node):
        end = self.stretch(node)[1]
        self.turn(end - len(node["name"]), end)

    def turn(self, begin, end):
        """The other side of what a name says. Where there is no such name the file does not compile, and that is no mutant."""
        name = self.text[begin:end]
        for pair in SIDES:
            for one, other in (pair, pair[::-1]):
                if re.search(rf"(^|_){one}(_|$)", name):
                    self.add("side", begin, end, re.sub(rf"(^|_){one}(?=_|$)", rf"\1{other}", name))

    def ReturnStmt(self, node):
        found = re.match(r"return (true|false)\b", self.text[self.stretch(node)[0]:])
        if found:
            begin = self.stretch(node)[0] + len("return ")
            self.add("result", begin, begin + len(found[1]), "false" if found[1] == "true" else "true")

    def drop(self, statement):
        place = self.stretch(statement)
        is_dropped = statement["kind"] in ("CallExpr", "CompoundAssignOperator", "ContinueStmt", "BreakStmt") or \
            (statement["kind"] == "BinaryOperator" and statement["opcode"] == "=") or \
            (statement["kind"] == "UnaryOperator" and statement["opcode"] in ("++", "--"))
        if place and is_dropped and not re.match(r"(\w*_free|\w*_destroy|free|VEC_FREE|text_free)\(", self.text[place[0]:]):
            self.add("dropped", *place, "")


def roundings(file, text):
    """To nearest instead of up or down. The C library's directions are macros, whose names the tree does not have."""
    for found in re.finditer(r"\b(?:FE_(?:UPWARD|DOWNWARD)|ROUNDING_(?:UP|DOWN))\b", text):
        to_nearest = "FE_TONEAREST" if found[0].startswith("FE_") else "ROUNDING_NEAREST"
        yield Mutant(file, text.count("\n", 0, found.start()) + 1, "side", found.start(), found.end(), found[0], to_nearest)


def find(root, file, flags):
    finder = Finder(root, file, flags)
    every = {mutant.name(): mutant for mutant in [*finder.found, *roundings(file, finder.text)]}
    return sorted(every.values(), key=lambda mutant: (mutant.begin, mutant.kind, mutant.after))
