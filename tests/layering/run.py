#!/usr/bin/env python3
"""Reads the #include lines under src/ and checks the plan of the house:

- a folder includes only what its row in RULES allows (the table of docs/architecture.md);
- no two folders include each other, directly or around a cycle, and neither do headers;
- a third-party header is included in exactly one .c file and in no header, and so is <fenv.h> (base/rounding.h says why);
- every header is reached by its full path from src/.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "src"

SYMMETRY = ["portrait", "detect", "canon", "symmetry", "group"]
ALL_BELOW_ENGINES = ["result", "reduce", *SYMMETRY, "exec", "explore", "store", "ranks", "dd", "bits", "smt", "numeric", "logic", "linear", "pctl", "population", "stubborn", "rewrite", "ir", "base"]
RULES = {
    "base": [],
    "ir": ["base"],
    "rewrite": ["ir", "base"],
    "lang": ["rewrite", "ir", "base"],
    "group": ["base"],
    "symmetry": ["group", "ir", "base"],
    "canon": ["symmetry", "group", "ir", "base"],
    "detect": ["symmetry", "group", "rewrite", "ir", "base"],
    "portrait": ["symmetry", "ir", "base"],
    "exec": ["ir", "base"],
    "reduce": ["symmetry", "group", "rewrite", "ir", "base"],
    "population": ["exec", "ir", "base"],
    "stubborn": ["canon", "symmetry", "exec", "ir", "base"],
    "store": ["base"],
    "ranks": ["base"],
    "dd": ["base"],
    "bits": ["ir", "base"],
    "smt": ["bits", "ir", "base"],
    "numeric": ["base"],
    "logic": ["base"],
    "linear": ["logic", "rewrite", "ir", "base"],
    "explore": ["canon", "symmetry", "exec", "store", "ir", "base"],
    "result": ["reduce", "canon", "symmetry", "exec", "ir", "base"],
    "pctl": ["logic", "result", "ir", "base"],
    "engine": ALL_BELOW_ENGINES,
    "pass": ALL_BELOW_ENGINES,
    "observe": ["result", "explore", "portrait", "canon", "symmetry", "store", "exec", "ir", "base"],
    "report": ["result", "portrait", "canon", "symmetry", "group", "exec", "ir", "base"],
    "verify": ["exec", "ir", "base"],
    "driver": ["verify", "report", "observe", "pass", "engine", "lang"] + ALL_BELOW_ENGINES,
    "lsp": ["driver", "pass", "detect", "symmetry", "ir", "base"],
    "cli": ["lsp", "driver", "ranks", "verify", "observe", "report", "result", "portrait", "detect", "symmetry", "exec", "ir", "base"],
    "main.c": ["cli"],
    "noether_verify.c": ["verify", "ir", "base"],
}
# Rooms within rooms: a language or an engine may use its own folder and, for engines and passes, engine/engine.h.
SHARED_ENGINE_HEADER = "engine/engine.h"
# The verifier of certificates loads a model as the driver does, and takes nothing else of it.
VERIFIER, ITS_LOADER = "noether_verify.c", "driver/model.h"

SYSTEM_HEADERS = set(
    """assert complex ctype errno float inttypes iso646 limits locale math setjmp signal stdalign stdarg
    stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings tgmath threads time uchar wchar wctype
    dirent dlfcn fcntl pthread poll sched semaphore spawn unistd termios getopt
    sys/mman sys/resource sys/stat sys/time sys/types sys/wait sys/ioctl sys/sysinfo sys/socket sys/uio""".split()
)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room(path):
    parts = path.split("/")
    if parts[0] in ("lang", "engine") and len(parts) > 2:
        return "/".join(parts[:2])
    return parts[0]


def includes(path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def allowed(source, target):
    if (source, target) == (VERIFIER, ITS_LOADER):
        return True
    if room(source) == room(target) or target == SHARED_ENGINE_HEADER and source.startswith(("engine/", "pass/")):
        return True
    return room(target).split("/")[0] in RULES.get(room(source).split("/")[0], []) and not (
        room(source).split("/")[0] == room(target).split("/")[0]
    )


def find_cycle(graph):
    """A cycle as a list of nodes, or None: depth first, three colours."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        path.append(node)
        for other in sorted(graph.get(node, ())):
            cycle = visit(other)
            if cycle:
                return cycle
        path.pop()
        done.add(node)
        return None

    for start in sorted(graph):
        cycle = visit(start)
        if cycle:
            return cycle
    return None


def main():
    problems, rooms, files, third_party = [], {}, {}, {}
    sources = sorted(SOURCE.rglob("*.[ch]"))
    for path in sources:
        name = path.relative_to(SOURCE).as_posix()
        if room(name).split("/")[0] not in RULES:
            problems.append(f"src/{name}: the folder has no row in the table of {pathlib.Path(__file__).name}")
        for number, bracket, target in includes(path):
            where = f"src/{name}:{number}"
            if bracket == "<":
                if target.removesuffix(".h") not in SYSTEM_HEADERS:
                    third_party.setdefault(target, []).append(name)
                continue
            if target.endswith("include/noether.h"):
                if not name.startswith("driver/"):
                    problems.append(f"{where}: only driver/ implements the public API")
                continue
            if not (SOURCE / target).exists():
                problems.append(f'{where}: "{target}" is not a path from src/')
                continue
            files.setdefault(name, set()).add(target)
            if room(name) != room(target):
                rooms.setdefault(room(name), set()).add(room(target))
            if not allowed(name, target):
                problems.append(f"{where}: {room(name)} may not include {target}")
    for header, users in sorted(third_party.items()):
        if len(users) > 1 or users[0].endswith(".h"):
            problems.append(f"<{header}> must be included in exactly one .c file, not in " + ", ".join(users))
    rooms.pop("engine", None)  # engine/engine.h is the interface, not a room
    for graph, what in ((rooms, "folders"), (files, "files")):
        cycle = find_cycle(graph)
        if cycle:
            problems.append(f"{what} include each other: " + " -> ".join(cycle))
    for problem in problems:
        print(problem)
    print(f"layering: {len(sources)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
