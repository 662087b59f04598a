#!/usr/bin/env python3
"""Which files cmake/batches.py compiles together: those whose names do not clash, and no others. The last line is "N passed, N failed"."""
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake"))
import batches

# name, the texts of two files, what headers there are, may they be together
CASES = [
    ("nothing in common", "static int one(void)\n{\n    return 1;\n}\n", "static int two(void)\n{\n    return 2;\n}\n", {}, True),
    ("locals of one name", "int one(int x)\n{\n    int sum = x;\n    return sum;\n}\n", "int two(int x)\n{\n    int sum = x;\n    return sum;\n}\n", {}, True),
    ("a name in a comment", "static int same;\n", "/* same */ // same\nconst char *two = \"same\";\n", {}, True),
    ("functions", "static int same(void)\n{\n    return 1;\n}\n", "static char *same(int x)\n{\n    return 0;\n}\n", {}, False),
    ("a function and a local", "static int same(void)\n{\n    return 1;\n}\n", "int two(int same)\n{\n    return same;\n}\n", {}, False),
    ("functions with attributes", "static __attribute__((noinline)) int same(void)\n{\n    return 1;\n}\n", "static int same(void)\n{\n    return 2;\n}\n", {}, False),
    ("structures", "struct same {\n    int a;\n};\n", "struct same {\n    char b;\n};\n", {}, False),
    ("constants", "enum { SAME = 1 };\n", "enum kind { FIRST, SAME };\n", {}, False),
    ("types", "typedef int (*same)(void);\n", "typedef VEC(int) same;\n", {}, False),
    ("functions by a macro", "LOOP(same, a + b)\n", "static void same(void)\n{\n}\n", {}, False),
    ("a macro and a word", "#define same(x) x\n", "int two(int same)\n{\n    return same;\n}\n", {}, False),
    ("a static variable and a local", "static int same = 1;\n", "int two(int same)\n{\n    return same;\n}\n", {}, False),
    ("a function of a header", '#include "one.h"\n', "static int same(void)\n{\n    return 1;\n}\n", {"one.h": "void same(int);\n"}, False),
    ("a macro of a header", '#include "one.h"\n', "int two(int same)\n{\n    return same;\n}\n", {"one.h": '#include "inner.h"\n', "inner.h": "#define same 1\n"}, False),
    ("two headers", '#include "one.h"\n', '#include "two.h"\n', {"one.h": "static inline int same(void)\n{\n    return 1;\n}\n", "two.h": "static inline char same(void)\n{\n    return 2;\n}\n"}, False),
    ("one header", '#include "one.h"\nstatic int a;\n', '#include "one.h"\nstatic int b;\n', {"one.h": "static inline int same(void)\n{\n    return 1;\n}\n"}, True),
]


def are_together(first, second, headers):
    with tempfile.TemporaryDirectory() as name:
        batches.ROOT = pathlib.Path(name)
        for file, text in {"first.c": first, "second.c": second, **headers}.items():
            (batches.ROOT / file).write_text(text)
        return len(batches.batches(batches.ROOT, 1000)) == 1


def main():
    failed = [name for name, first, second, headers, expected in CASES if are_together(first, second, headers) != expected]
    for name in failed:
        print(f"FAIL {name}")
    print(f"{len(CASES) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


sys.exit(main())
