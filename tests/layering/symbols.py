#!/usr/bin/env python3
"""tests/layering/symbols.py BUILD: what the libraries of the rooms define and use.

- No name is defined in two rooms. The linker would take the first one it meets in a static library and say nothing.
- A room uses what its row in the table allows (run.py), also where a header brought the name along from further below.
- The heap is asked by base/memory.c only, where every block is counted.
- A function that rooms can use is used in src/, not by its tests alone.
- A function that only its own file uses, and no test, is static.
- noether-verify, which checks what the engines say, has no code of theirs."""
import collections
import functools
import pathlib
import re
import subprocess
import sys

from run import allowed


def defined(library, kinds="TDRB"):
    listing = subprocess.run(["nm", "--defined-only", str(library)], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        parts = line.split()
        if len(parts) == 3 and parts[1] in kinds:
            yield parts[2]


HEAP = {"malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "strdup", "strndup", "mmap", "munmap"}
# The table of blocks cannot stand in itself; lines that people type come from a library, and the words that complete them go there, as blocks of the C library.
ASKS_THE_HEAP = {"memory.c.o": HEAP, "registry.c.o": HEAP, "line.c.o": {"free", "strdup"}, "json.c.o": {"malloc"}}


@functools.cache
def table_of(path):
    """The symbols of a library or an object."""
    return subprocess.run(["readelf", "-sW", str(path)], capture_output=True, text=True, check=True).stdout


def heap_users(library):
    """The objects that name a function of the heap (nm does not show those of objects that are optimised when linked)."""
    listing = table_of(library)
    member = ""
    for line in listing.splitlines():
        parts = line.split()
        if line.startswith("File: "):
            member = line[line.index("(") + 1:line.rindex(")")]
        elif len(parts) >= 8 and parts[6] == "UND" and parts[7] in HEAP - ASKS_THE_HEAP.get(member, set()):
            yield f"{library.name}: {member} calls {parts[7]}; base/memory.h does, and counts"


def symbols(library):
    """The global names that a room defines, and those it uses. readelf: nm does not show what objects that are optimised
    when linked use."""
    listing = table_of(library)
    own, used = set(), set()
    for parts in map(str.split, listing.splitlines()):
        if len(parts) >= 8 and parts[4] in ("GLOBAL", "WEAK"):
            (used if parts[6] == "UND" else own).add(parts[7])
    return own, used


def room_of(library):
    return re.sub("^(engine|lang)_", r"\1/", library.stem.removeprefix("lib"))


def breaches(libraries):
    """Sentences about names that a room may not use."""
    tables = {room_of(library): symbols(library) for library in libraries}
    homes = {name: room for room, (own, _) in tables.items() for name in own}
    for room, (_, used) in tables.items():
        for name in sorted(used):
            home = homes.get(name, room)
            if home != room and not allowed(f"{room}/x.c", f"{home}/x.h"):
                yield f"{room} may not use {name} of {home}"


SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"
# What the tests and benchmarks see of a room, and what nauty calls; beside the functions of the C API.
FOR_OTHERS = {"alloc_error", "canon_set_budget", "dd_collect", "dd_evaluate", "dd_evaluate_leaf",
              "dd_size_plain", "group_has", "logic_print", "model_load", "orbit_relation_full", "prism_reader_network"}
NO_CODE = re.compile(r"""/\*.*?\*/|"(\\.|[^"\\\n])*"|'(\\.|[^'\\\n])+'""", re.S)


def unused(libraries):
    """Sentences about functions that are written down, perhaps declared, and never named again."""
    named = {".c": collections.Counter(), ".h": collections.Counter()}
    for path in SOURCE.rglob("*.[ch]"):
        code = NO_CODE.sub(" ", path.read_text())
        named[path.suffix].update(re.findall(r"\b[A-Za-z_]\w*\b", code))
    for library in libraries:
        for name in sorted(set(defined(library, "T")) - FOR_OTHERS):
            if named[".c"][name] <= 1 and named[".h"][name] <= 1 and not name.startswith("noether_"):
                yield f"{room_of(library)}: nothing in src/ uses {name}"


def members(path):
    """The objects of a library, or an object: its name, the functions it defines, and the names it uses."""
    listing = table_of(path)
    for part in re.split(r"^File: ", listing, flags=re.M):
        rows = [row for row in map(str.split, part.splitlines()) if len(row) >= 8 and row[4] in ("GLOBAL", "WEAK")]
        own = {row[7] for row in rows if row[6] != "UND" and row[3] == "FUNC"}
        yield part.split("\n", 1)[0], own, {row[7] for row in rows if row[6] == "UND"}


def not_static(build, libraries):
    """Sentences about functions that no other file uses: of src/, of the tests, of the fuzz targets (which may not be built)."""
    folder = SOURCE.parent / "tests"
    used = set().union(*(set(re.findall(r"\b[a-z_]\w*\b", path.read_text())) for path in folder.rglob("*.c")))
    programs = pathlib.Path(build).glob("CMakeFiles/*noether*.dir/src/**/*.o")  # and the shared library
    used |= set().union(*(names for path in [*libraries, *programs] for _, _, names in members(path)))
    for library in libraries:
        for member, own, _ in members(library):
            for name in sorted(own - used - FOR_OTHERS):
                if not name.startswith("noether_"):
                    yield f"{member.strip()}: only its own file uses {name}, which is not static"


# What certificates are made with: the program that checks them has nothing of it.
MAKES_CERTIFICATES = re.compile(r"engine/|(symmetry|canon|detect|group|store|explore|stubborn|portrait|reduce|dd|numeric|result|report|cli)$")


def shared_with_engines(build, libraries):
    program = pathlib.Path(build) / "noether-verify"
    inside = set(defined(program, "TtDdRrBb")) if program.exists() else set()
    for library in libraries:
        if MAKES_CERTIFICATES.match(room_of(library)):
            for name in sorted(inside & set(defined(library, "TD"))):
                yield f"noether-verify has {name} of {room_of(library)}"


def main():
    libraries = sorted(pathlib.Path(sys.argv[1]).glob("lib*.a"))
    strays = list(breaches(libraries))
    strays += [text for library in libraries for text in heap_users(library)]
    strays += unused(libraries)
    strays += not_static(sys.argv[1], libraries)
    strays += shared_with_engines(sys.argv[1], libraries)
    print("".join(f"{text}\n" for text in sorted(strays)), end="")
    places = collections.defaultdict(list)
    for library in libraries:
        for name in defined(library):
            places[name].append(library.name)
    double = {name: where for name, where in places.items() if len(where) > 1}
    for name, where in sorted(double.items()):
        print(f"{name} is defined in {', '.join(where)}")
    print(f"{len(places) - len(double)} passed, {len(double) + len(strays)} failed")
    return 1 if double or strays or not places else 0


if __name__ == "__main__":
    sys.exit(main())
