#!/usr/bin/env python3
"""tests/layering/symbols.py BUILD: no name is defined in two rooms. The linker would take the first one it meets in a
static library and say nothing. And the heap is asked by base/memory.c only, where every block is counted."""
import collections
import pathlib
import subprocess
import sys


def defined(library):
    listing = subprocess.run(["nm", "--defined-only", str(library)], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        parts = line.split()
        if len(parts) == 3 and parts[1] in "TDRB":
            yield parts[2]


HEAP = {"malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "strdup", "strndup", "mmap", "munmap"}
# The table of blocks cannot stand in itself; lines that people type come from a library, as blocks of the C library.
ASKS_THE_HEAP = {"memory.c.o": HEAP, "registry.c.o": HEAP, "line.c.o": {"free"}, "json.c.o": {"malloc"}}


def heap_users(library):
    """The objects that name a function of the heap (nm does not show those of objects that are optimised when linked)."""
    listing = subprocess.run(["readelf", "-sW", str(library)], capture_output=True, text=True, check=True).stdout
    member = ""
    for line in listing.splitlines():
        parts = line.split()
        if line.startswith("File: "):
            member = line[line.index("(") + 1:line.rindex(")")]
        elif len(parts) >= 8 and parts[6] == "UND" and parts[7] in HEAP - ASKS_THE_HEAP.get(member, set()):
            yield f"{library.name}: {member} calls {parts[7]}; base/memory.h does, and counts"


def main():
    strays = [text for library in pathlib.Path(sys.argv[1]).glob("lib*.a") for text in heap_users(library)]
    print("".join(f"{text}\n" for text in sorted(strays)), end="")
    places = collections.defaultdict(list)
    for library in sorted(pathlib.Path(sys.argv[1]).glob("lib*.a")):
        for name in defined(library):
            places[name].append(library.name)
    double = {name: where for name, where in places.items() if len(where) > 1}
    for name, where in sorted(double.items()):
        print(f"{name} is defined in {', '.join(where)}")
    print(f"{len(places) - len(double)} passed, {len(double) + len(strays)} failed")
    return 1 if double or strays or not places else 0


if __name__ == "__main__":
    sys.exit(main())
