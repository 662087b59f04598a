#!/usr/bin/env python3
"""tests/layering/symbols.py BUILD: no name is defined in two rooms. The linker would take the first one it meets in a
static library and say nothing."""
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


def main():
    places = collections.defaultdict(list)
    for library in sorted(pathlib.Path(sys.argv[1]).glob("lib*.a")):
        for name in defined(library):
            places[name].append(library.name)
    double = {name: where for name, where in places.items() if len(where) > 1}
    for name, where in sorted(double.items()):
        print(f"{name} is defined in {', '.join(where)}")
    print(f"{len(places) - len(double)} passed, {len(double)} failed")
    return 1 if double or not places else 0


if __name__ == "__main__":
    sys.exit(main())
