#!/usr/bin/env python3
"""batches.py LINES: which C files of each folder of src/ may be compiled together, for builds that only tests use (NOETHER_BATCHES): half of the
time of a compiler that does not optimise goes into reading the same headers for the next file of a room.

Prints commands of CMake that put files into groups of at most LINES lines. Two files are not in one group if both have a name that only they
know (a static function, a structure, a constant, a macro), if a macro or a static variable of one occurs in the other, or if one includes
a header that would change what a name means in the other. What is overlooked does not compile."""
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1] / "src"
SKIPPED = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|__attribute__\(\(.*?\)\)""", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.M)
TOKEN = re.compile(r"[A-Za-z_]\w*|[^\s\w]")
WORD = re.compile(r"[A-Za-z_]\w*")


class File:
    """What is to be known of a file: its words, the headers it includes (also through others), and the names that are its own: `loud` ones
    must not occur in another file at all. Those of a header are what it declares."""

    def __init__(self, path):
        text = path.read_text().replace("\\\n", " ")
        included = [ROOT / name for name in re.findall(r'^#include "(.*?)"', text, re.M)]
        text = SKIPPED.sub(" ", text)
        tokens = TOKEN.findall(DIRECTIVE.sub("", text)) + [";"]
        self.path, self.lines = path, text.count("\n")
        self.words = set(WORD.findall(" ".join(DIRECTIVE.findall(text)))) | {token for token in tokens if WORD.match(token)}
        self.loud = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M))
        self.quiet = set()
        self.find_names(tokens)
        self.own = self.loud | self.quiet
        if path.suffix == ".h":
            self.quiet |= set(re.findall(r"(\w+) \(", " ".join(tokens)))
        self.headers = {header for name in included if name.exists() for header in [name, *read(name).headers]}

    def find_names(self, tokens):
        depth = 0
        for i, token in enumerate(tokens):
            if token in "{}":
                depth += 1 if token == "{" else -1
            elif token in ("struct", "union", "enum"):
                self.find_structure(tokens, i)
            elif depth == 0 and token == "static":
                self.find_static(tokens, i + 1)
            elif depth == 0 and token == "typedef":
                words = " ".join(tokens[i:tokens.index(";", i)])
                self.quiet |= set(re.findall(r"\( \* (\w+)|([a-z_]\w*) \(|(\w+)$", words)[-1]) - {""}
            elif depth == 0 and token.isupper() and tokens[i + 1] == "(":  # a macro that may define what it is given
                self.quiet |= set(WORD.findall(" ".join(tokens[i + 2:tokens.index(")", i)])))

    def find_structure(self, tokens, i):
        """A structure that is defined, and the constants of an enumeration."""
        begin = next((j for j in (i + 1, i + 2) if tokens[j:j + 1] == ["{"]), None)
        if begin is None:
            return
        if begin == i + 2:
            self.quiet.add(" ".join(tokens[i:i + 2]))
        if tokens[i] == "enum":
            body = " ".join(tokens[begin + 1:tokens.index("}", begin)])
            self.quiet |= set(re.findall(r"(?:^|,) *([A-Za-z_]\w*)", body))

    def find_static(self, tokens, i):
        """The name is the last word before its parameters, its size or its value."""
        end = next(j for j in range(i, len(tokens)) if tokens[j] in "(=;[{")
        self.loud |= set(WORD.findall(" ".join(tokens[i:end]))[-1:])


@functools.cache
def read(path):
    return File(path)


class Batch:
    def __init__(self):
        self.files, self.lines = [], 0

    def has_room_for(self, file, lines):
        return self.lines + file.lines <= lines and all(are_friends(file, other) for other in self.files)

    def add(self, file):
        self.files.append(file)
        self.lines += file.lines


def are_friends(a, b):
    of_a, of_b = [[read(header) for header in headers] for headers in (a.headers - b.headers, b.headers - a.headers)]
    return not (a.quiet & b.quiet or a.loud & b.words or b.loud & a.words or changes(of_a, b) or changes(of_b, a) or
                any(one.own & other.own for one in of_a for other in of_b))


def changes(headers, file):
    """Do these headers, which it does not include, change what a name means in it?"""
    return any(header.loud & file.words or header.quiet & file.own for header in headers)


def batches(folder, lines):
    made = []
    for file in (read(path) for path in sorted(folder.glob("*.c"))):
        batch = next((batch for batch in made if batch.has_room_for(file, lines)), None)
        if batch is None:
            batch = Batch()
            made.append(batch)
        batch.add(file)
    return made


def main():
    lines = int(sys.argv[1])
    for folder in sorted({path.parent for path in ROOT.rglob("*.c")}):
        for i, batch in enumerate(batches(folder, lines)):
            if len(batch.files) > 1:
                paths = " ".join(f'"{file.path}"' for file in batch.files)
                print(f"set_source_files_properties({paths} PROPERTIES UNITY_GROUP {i})")


if __name__ == "__main__":
    main()
