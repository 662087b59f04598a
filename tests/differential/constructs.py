#!/usr/bin/env python3
"""Does the generator make everything that the language has?

    constructs.py BUILD_DIRECTORY [--count N] [--list] [--record]

Every construct that the program `constructs` knows (kinds of tokens, nodes of the syntax tree and of the IR, operators, properties, and
what they are combined with), and every spelling of an operator in docs/languages/murphi.md, must stand in some of the models
of each profile. EXCUSED: what the profile is not for. The seeds whose models have something new are kept (constructs-seeds.txt); where these no
longer have everything, because the generator has changed, all are made, and --record renews the list."""
import argparse
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from generate import generate, write
from profiles import PROFILES

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNT = 2000
STEP = 10
KEPT = pathlib.Path(__file__).resolve().parent / "constructs-seeds.txt"
# Words that the language reserves in order to refuse them, and what has no token of its own.
REFUSED = ["token externfun", "token externproc", "token pctl", "token real", "token a token"]
# Made by tests/ltl/generate.py, whose formulas are decided by an oracle of their own.
ELSEWHERE = ["token fairness"]
RARE = ["*multiset*", "*choose*", "*slot*", "two results *"]
EXCUSED = {
    "plain": ["ctl E*", "ctl A*", "ctl deadlock", "ctl exists", "ctl !", "token ctl", "property ctl", "syntax: expression temporal"],
    "crowd": RARE + ["clear of type union", "call that writes, in a while"],
    "partial": RARE + ["ctl *", "token ltl", "property ltl", "clear of type scalarset", "parameter by reference of type union"],
    "sat": RARE + ["ctl *", "token ctl", "token ltl", "property ctl", "property ltl", "call that writes, in a while",
                   "syntax: expression temporal"],
    "symbolic": RARE + ["call that writes, in a while"],
}


def documented_spellings():
    """The operators in the table of expressions."""
    text = (ROOT / "docs/languages/murphi.md").read_text(encoding="utf-8")
    begin = text.index("## Expressions")
    table = text[begin:text.index("\n## ", begin)]
    rows = [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| ")][1:]
    return sorted({spelling.replace("\\|", "|") for row in rows for spelling in re.findall(r"`([^` ]+)`", row)})


def find_program(path):
    folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
    for candidate in ("constructs", "tests/differential/constructs"):
        if os.path.isfile(os.path.join(folder, candidate)):
            return os.path.join(folder, candidate)
    sys.exit(f"constructs.py: no program `constructs` in {folder}: build the target `constructs` first")


def is_excused(profile, name):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in REFUSED + ELSEWHERE + EXCUSED[profile])


def count_some(program, profile, seeds):
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, f"{seed}.m") for seed in seeds]
        for seed, name in zip(seeds, names):
            write(name, generate(seed, profile))
        done = subprocess.run([program, *names], capture_output=True, text=True, check=True)
    rows = [line.split(" ", 1) for line in done.stdout.splitlines()]
    return {name: int(number) for number, name in rows}


def kept_seeds(profile):
    """The first seeds of steps that have something new."""
    rows = [line.split() for line in KEPT.read_text().splitlines() if not line.startswith("#")] if KEPT.exists() else []
    return [int(seed) for name, *seeds in rows if name == profile for seed in seeds]


def is_complete(profile, counts):
    return all(number or is_excused(profile, name) for name, number in counts.items())


def count_constructs(program, profile, firsts, takes_all):
    """How many models have each construct, from steps of seeds; unless all are to be counted, until none is missing. And the steps that had
    something new."""
    counts, useful = {f"spelling {spelling}": 0 for spelling in documented_spellings()}, []
    for first in firsts:
        some = count_some(program, profile, range(first, first + STEP))
        if any(number and not counts.get(name) for name, number in some.items()):
            useful.append(first)
        counts |= {name: number + counts.get(name, 0) for name, number in some.items()}
        if not takes_all and is_complete(profile, counts):
            break
    return counts, useful


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--list", action="store_true", help="print all of them, with their numbers")
    parser.add_argument("--record", action="store_true", help="keep the seeds whose models have something new")
    options = parser.parse_args()
    program, passed, failed = find_program(options.build), 0, 0
    everything, rows = {}, []
    for profile in PROFILES:
        counts, useful = {}, []
        if not options.list and not options.record:
            counts, useful = count_constructs(program, profile, kept_seeds(profile), False)
        if not useful or not is_complete(profile, counts):
            counts, useful = count_constructs(program, profile, range(1, options.count + 1, STEP), options.list)
        rows.append(" ".join([profile, *map(str, useful)]))
        for name, number in counts.items():
            everything[name] = everything.get(name, 0) + number
            if options.list:
                print(f"{number:8} {profile}: {name}")
            if number or is_excused(profile, name):
                passed += 1
            else:
                failed += 1
                print(f"FAILED profile {profile}: none of {options.count} models has: {name}")
    for name, number in everything.items():
        if not number and name not in REFUSED + ELSEWHERE:
            failed += 1
            print(f"FAILED no profile has: {name}")
    if options.record:
        KEPT.write_text(f"# By profile: the first of {STEP} seeds whose models have a construct that those before have not; see constructs.py.\n" + "\n".join(rows) + "\n")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
