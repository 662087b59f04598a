#!/usr/bin/env python3
"""Random small Murphi models, the same for the same seed and profile (profiles.py).

    generate.py PROFILE SEED            prints one model
    generate.py PROFILE SEED COUNT DIR  writes DIR/SEED.m, DIR/SEED+1.m, ...

Properties behind a line "-- properties" belong in a file of their own (.props): with it, and the constants that a first line
"-- -D NAME=VALUE" sets, the model is checked."""

import os
import random
import sys

from declarations import Declarations
from formulas import Formulas
from loops import Loops
from profiles import Temper
from rows import ROWS, Rows
from rules import Rules
from spelling import respell
from statements import indent

PROPERTIES = "-- properties"


class Model(Declarations, Rows, Rules, Formulas):
    def __init__(self, seed, profile):
        self.random = random.Random(f"{profile} {seed}")
        self.seed, self.profile = seed, profile
        self.temper = Temper(self.random, profile)
        self.types, self.declared, self.globals, self.functions = [], [], [], []
        self.families, self.constants, self.defines, self.routines = [], [], [], []
        self.has_rows = random.Random(f"rows {profile} {seed}").random() < ROWS.get(profile, 0)
        self.has_processes = self.temper.has("processes") and not self.has_rows
        self.make = Loops(self.random, self.temper, self.types, self.functions)

    def text(self):
        if self.has_rows:
            self.make_row_types()
            self.make_row_globals()
        else:
            self.make_types()
            self.make_globals()
        constants = self.make_constants()
        lines = constants + ["type"] + indent([line for t in self.declared for line in self.declaration(t)]) + ["", "var"]
        self.make_functions()
        lines += indent([f"{g.text}: {g.type};" for g in self.globals]) + [""] + self.routines
        for _ in range(2 if self.may("starts") else 1):
            lines += self.start()
        if self.has_processes:
            lines += self.process_rules()
        if self.has_rows:
            lines += self.row_rules()
        for _ in range(self.random.choice([0, 0, 0, 1] if self.has_rows else [0, 1, 1, 2] if self.has_processes else [1, 2, 3, 3, 4])):
            lines += self.rules()
        for root in self.globals:
            if self.chance(0.03 if self.has_rows else 0.25 if self.has_processes else 0.75):
                lines += self.mover(root)
        if self.may("file"):
            lines.append(PROPERTIES)
        lines += self.row_properties() if self.has_rows else self.properties()
        if self.may("spelling"):
            lines = respell(lines, self.random, self.temper.has("bits"))
        head = [f"-- -D {define}" for define in self.defines]
        head.append(f"-- random model, profile {self.profile}, seed {self.seed}{self.manner()}")
        return "\n".join(head + lines) + "\n"


    def manner(self):
        """Whose rules for undefined values it is read with, as input.c finds them."""
        manners = ["", "", ", --undefined error", ", --dialect cmurphi", ", --dialect rumur"]
        return random.Random(f"{self.seed} {self.temper.rumur}").choice(manners[3:] * 2 if self.temper.rumur else manners)


def generate(seed, profile="plain"):
    return Model(seed, profile).text()


def write(path, text):
    """The model, and its file of properties beside it."""
    model, _, properties = text.partition(PROPERTIES + "\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write(model)
    beside = path[:-2] + ".props"
    if properties:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(properties)
    elif os.path.exists(beside):
        os.unlink(beside)


def main(arguments):
    if len(arguments) == 2:
        sys.stdout.write(generate(int(arguments[1]), arguments[0]))
    elif len(arguments) == 4:
        for seed in range(int(arguments[1]), int(arguments[1]) + int(arguments[2])):
            write(os.path.join(arguments[3], f"{seed}.m"), generate(seed, arguments[0]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
