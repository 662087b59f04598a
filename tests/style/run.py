#!/usr/bin/env python3
"""Checks that the tree obeys .clang-format and .editorconfig, that no file of src/ is too long, that no two structures, unions or
enumerations have one name, and that docs/adding-a-language.md knows where a new kind of statement or expression needs code.

The layout of C code depends on clang-format's version: only the one that the tree was formatted with is asked, and
where it is missing that part is skipped with a message. `tests/style/run.py --mend` formats the C code."""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMATTER = "clang-format-14"
MOST_COLUMNS = 120
MOST_LINES = 500  # of a file in src/: one idea
LONGER = {"src/engine/explicit/search.h": 600}
TAG = re.compile(r"^\s*(?:(?:typedef|static|const) )*(?:struct|union|enum) (\w+) \{", re.M)
# Models and expected outputs may be ugly on purpose.
FREE = re.compile(r"\.(m|prism|pm|nm|sm|props|txt|png)$|^tests/(errors|fuzz|findings)/")


def tracked():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    names = listed.stdout.split("\n") if listed.returncode == 0 else [
        str(path.relative_to(ROOT)) for folder in ("src", "include", "tests", "bench", "script", "docs")
        for path in (ROOT / folder).rglob("*") if path.is_file()]
    return [name for name in names if name and (ROOT / name).is_file()]


def formatter():
    for name in (FORMATTER, "clang-format"):
        try:
            said = subprocess.run([name, "--version"], stdout=subprocess.PIPE, text=True).stdout
        except FileNotFoundError:
            continue
        if re.search(r"version 14\.", said):
            return name
    return None


def wrong_layout(names, is_mending):
    command = formatter()
    if not command:
        print(f"skipped: there is no {FORMATTER}, so the layout of C code is not checked")
        return []
    mode = ["-i"] if is_mending else ["--dry-run"]
    done = subprocess.run([command, *mode, *names], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    found = re.findall(r"^(.+?):(\d+):\d+: warning: code should be clang-formatted", done.stderr, re.M)
    return [f"{name}:{line}: not as {command} lays it out" for name, line in found]


def wrong_text(name):
    text = (ROOT / name).read_text(errors="replace")
    wrong = [] if text.endswith("\n") or not text else [f"{name}: no newline at the end"]
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip():
            wrong.append(f"{name}:{number}: blanks at the end of the line")
        if "\r" in line or ("\t" in line and re.search(r"\.(c|h|py)$", name)):
            wrong.append(f"{name}:{number}: a tab or carriage return")
        is_table = line.endswith("\\")  # a table of macros may be wide
        if len(line) > MOST_COLUMNS and re.search(r"\.(c|h)$", name) and not is_table:
            wrong.append(f"{name}:{number}: {len(line)} columns, at most {MOST_COLUMNS}")
    return wrong


def long_files(names):
    for name in names:
        if re.match(r"src/.*\.[ch]$", name):
            count, most = (ROOT / name).read_text().count("\n"), LONGER.get(name, MOST_LINES)
            if count > most:
                yield f"{name}: {count} lines, at most {most}: it holds more than one idea"


def doubled_tags(names):
    """Structures, unions and enumerations of one name in several places: a reader, and a debugger, cannot tell which is meant."""
    places = collections.defaultdict(list)
    for name in names:
        if re.match(r"src/.*\.[ch]$", name):
            for tag in TAG.findall((ROOT / name).read_text()):
                places[tag].append(name)
    return [f"{where[1]}: {tag} is defined in {where[0]}, too" for tag, where in sorted(places.items()) if len(where) > 1]


SWITCH = re.compile(r"^( *)switch \([^\n]*\) \{\n(.*?)^\1\}", re.M | re.S)


def kinds_of(header, name):
    """The constants of an enumeration of the IR."""
    text = (ROOT / "src/ir" / header).read_text()
    body = text[text.index(f"enum {name} {{"):]
    return set(re.findall(r"^    (\w+)[,\s]", body[:body.index("\n};")], re.M))


def exhaustive(names, kinds):
    """The files with a switch that has a case for each of them, and no default: a new kind needs code there."""
    for name in names:
        for indent, body in SWITCH.findall((ROOT / name).read_text()):
            cases = set(re.findall(rf"^{indent}case (\w+):", body, re.M))
            if kinds <= cases and not re.search(rf"^{indent}default:", body, re.M):
                yield name


def wrong_sites(names):
    """Where a new kind of statement or expression needs code: as docs/adding-a-language.md says?"""
    page = "docs/adding-a-language.md"
    listed = {f"src/{path}" for path in re.findall(r"`((?:ir|exec|symmetry)/\w+_(?:stmt|expr)\.c)`", (ROOT / page).read_text())}
    sources = [name for name in names if re.match(r"src/.*\.c$", name)]
    found = {name for header, kind in (("stmt.h", "stmt_kind"), ("expr.h", "expr_kind")) for name in exhaustive(sources, kinds_of(header, kind))}
    found.add("src/exec/vm_emit_expr.c")  # its cases are in two files
    return [f"{page}: {name} is not in the table" for name in sorted(found - listed)] + [
        f"{page}: {name} has no switch over all kinds" for name in sorted(listed - found)]


def main():
    names = tracked()
    wrong = wrong_layout([name for name in names if re.search(r"\.(c|h)$", name)], "--mend" in sys.argv)
    wrong += [*long_files(names), *doubled_tags(names), *wrong_sites(names)]
    checked = [name for name in names if not FREE.search(name)]
    for name in checked:
        wrong += wrong_text(name)
    print("\n".join(wrong[:40]))
    if wrong:
        print(f"{len(wrong)} places; tests/style/run.py --mend lays out the C code")
    print(f"{len(checked) - len({text.split(':')[0] for text in wrong})} passed, {len(wrong)} failed")
    return 1 if wrong else 0


sys.exit(main())
