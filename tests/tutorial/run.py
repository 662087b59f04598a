#!/usr/bin/env python3
"""tests/tutorial/run.py BINARY [--update]: runs every command of docs/tutorial.md and docs/symmetry-in-ten-minutes.md and compares the output.

A block of the language `murphi`, `prism` or `promela` whose first line is a comment with a file name is that file. In other blocks the lines that begin with
"$ " are commands for the shell (continued by "> "); what follows is what they print, on both outputs. A line "..." stands for
any number of lines. Times and amounts of memory are not compared. `--update` writes what was printed into the page.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs/tutorial.md", ROOT / "docs/symmetry-in-ten-minutes.md"]
BINARY = pathlib.Path(sys.argv[1]).resolve()
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"(?:--|//|/\*) (\S+\.(?:m|props|prism|pml))\b")
VOLATILE = [
    (re.compile(r"\b\d+ min \d+ s\b|\b[\d.]+ s\b"), "_ s"),
    (re.compile(r"\b[\d.]+ (?:bytes|KiB|MiB|GiB)(?:/state)?"), "_ bytes"),
]


def mask(line):
    for pattern, word in VOLATILE:
        line = pattern.sub(word, line)
    return line.rstrip()


def read_session(text):
    """The commands of a block, each with the lines it should print."""
    commands = []
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append([line[2:], []])
        elif line.startswith("> ") and commands and not commands[-1][1]:
            commands[-1][0] += "\n" + line[2:]
        elif commands:
            commands[-1][1].append(line)
    return commands


def run_command(command, folder):
    path = f"{folder}/.bin:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=patience.seconds(120), env={**os.environ, "PATH": path, "NO_COLOR": "1"})
    lines = done.stdout.splitlines()
    while lines and not lines[-1]:
        lines.pop()
    return lines


def matches(expected, printed):
    """Line by line; "..." takes any number of lines."""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(matches(expected[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and mask(expected[0]) == mask(printed[0]) and matches(expected[1:], printed[1:])


def print_session(commands):
    lines = []
    for command, output in commands:
        lines += ["$ " + command.replace("\n", "\n> "), *output]
    return "\n".join(lines) + "\n"


def run_page(path, update):
    """How many commands of the page print what it says, and how many do not."""
    page, passed, failed = path.read_text(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / ".bin").mkdir()
        (pathlib.Path(folder) / ".bin/noether").symlink_to(BINARY)
        (pathlib.Path(folder) / "examples").symlink_to(ROOT / "examples")

        def visit(block):
            nonlocal passed, failed
            language, text = block.groups()
            name = FILE.match(text)
            if language in ("murphi", "prism", "promela") and name:
                (pathlib.Path(folder) / name.group(1)).write_text(text)
            if language:
                return block.group(0)
            commands = read_session(text)
            for pair in commands:
                expected = list(pair[1])
                while expected and not expected[-1]:
                    expected.pop()
                printed = run_command(pair[0], folder)
                if matches(expected, printed):
                    passed += 1
                elif update and "..." not in expected:
                    pair[1] = printed
                else:
                    failed += 1
                    print(f"$ {pair[0]}\nshould print:\n" + "\n".join(expected) + "\nprints:\n" + "\n".join(printed) + "\n")
            return f"```{language}\n{print_session(commands)}```" if update and commands else block.group(0)

        changed = BLOCK.sub(visit, page)
    if update:
        path.write_text(changed)
    return passed, failed


def main():
    counts = [run_page(path, "--update" in sys.argv) for path in PAGES]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not all(ran for ran, _ in counts) else 0


sys.exit(main())
