#!/usr/bin/env python3
"""Makes a failing model small: takes away lines and blocks, simplifies expressions, shrinks types, as long as the
same failure stays.

    shrink.py COMPARE PROFILE MODEL     prints the shrunk model

Works on the text as the generator lays it out (a statement to a line, blocks indented, expressions in parentheses);
what a deletion breaks is simply refused by the front end and undone."""

import re
import sys
import time

OPENERS = ("if ", "for ", "while ", "switch ", "alias ", "ruleset ", "rule ", "startstate ", "choose ", "function ",
           "procedure ")


def margin(line):
    return len(line) - len(line.lstrip())


def block_end(lines, start):
    """The index after the chunk that begins at `start`: one line, or up to its `end;`."""
    if not lines[start].lstrip().lower().startswith(OPENERS):
        return start + 1
    for i in range(start + 1, len(lines)):
        if margin(lines[i]) == margin(lines[start]) and lines[i].strip().lower().startswith("end"):
            return i + 1
    return start + 1


def without_blocks(lines):
    """Candidates: a chunk removed, or replaced by what is inside it."""
    for start in range(len(lines)):
        end = block_end(lines, start)
        yield lines[:start] + lines[end:]
        if end - start > 2:
            inside = [line for line in lines[start + 1:end - 1] if margin(line) > margin(lines[start])]
            if len(inside) < end - start:
                yield lines[:start] + inside + lines[end:]


def without_halves(lines):
    """Candidates: large runs of lines removed."""
    size = len(lines) // 2
    while size >= 4:
        for start in range(0, len(lines), size):
            yield lines[:start] + lines[start + size:]
        size //= 2


def groups(line):
    """The parenthesised parts of a line, outermost first."""
    open_at, found = [], []
    for i, char in enumerate(line):
        if char == "(":
            open_at.append(i)
        elif char == ")" and open_at:
            found.append((open_at.pop(), i + 1))
    return sorted(found, key=lambda span: span[0] - span[1])


def simpler(part):
    """Smaller expressions that might stand for this one."""
    yield "true"
    yield "false"
    yield "0"
    yield "1"
    depth, pieces, last = 0, [], 1
    for i in range(1, len(part) - 1):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(part[i], 0)
        if depth == 0 and part[i] == " ":
            pieces.append(part[last:i])
            last = i + 1
    pieces.append(part[last:-1])
    for piece in pieces:
        if len(piece) > 1 or piece.isalnum():
            yield piece.lstrip("!")


def simpler_expressions(lines):
    for number, line in enumerate(lines):
        for start, end in groups(line):
            for text in simpler(line[start:end]):
                yield lines[:number] + [line[:start] + text + line[end:]] + lines[number + 1:]
        for match in re.finditer(r"\[([^\[\]]*[^\[\]\w][^\[\]]*)\]", line):
            for text in ("true", "false"):
                yield lines[:number] + [line[:match.start(1)] + text + line[match.end(1):]] + lines[number + 1:]


def smaller_types(lines):
    for number, line in enumerate(lines):
        replaced = []
        for match in re.finditer(r"scalarset\((\d+)\)|multiset \[(\d+)\]", line):
            value = int(match.group(1) or match.group(2))
            if value > 1:
                replaced.append(match.group(0).replace(str(value), str(value - 1)))
                yield lines[:number] + [line.replace(match.group(0), replaced[-1])] + lines[number + 1:]
        for match in re.finditer(r"(, \w+ \}|(?<= )\w: \w+; )", line):
            rest = " }" if match.group(0).endswith("}") else ""
            yield lines[:number] + [line[:match.start()] + rest + line[match.end():]] + lines[number + 1:]
        for match in re.finditer(r"(\w+): [^;()]+; (?=\w+: )", line):  # a parameter
            yield lines[:number] + [line[:match.start()] + line[match.end():]] + lines[number + 1:]
        for match in re.finditer(r"array \[\w+\] of ", line):
            yield lines[:number] + [line[:match.start()] + line[match.end():]] + lines[number + 1:]


PASSES = (without_halves, without_blocks, simpler_expressions, smaller_types)


def shrink(text, still_fails, seconds=60):
    """`still_fails(text)` must hold for the text itself."""
    lines = [line for line in text.split("\n") if line.strip()]
    deadline, changed = time.monotonic() + seconds, True
    while changed:
        changed = False
        for candidates in PASSES:
            again = True
            while again:
                again = False
                for candidate in candidates(lines):
                    if time.monotonic() > deadline:
                        return "\n".join(lines) + "\n"
                    shorter = sum(map(len, candidate)) < sum(map(len, lines)) or candidates is smaller_types
                    if shorter and still_fails("\n".join(candidate) + "\n"):
                        lines, again, changed = candidate, True, True
                        break
    return "\n".join(lines) + "\n"


def main(arguments):
    from run import PLANS, Comparer

    if len(arguments) != 3:
        sys.exit(__doc__)
    comparer = Comparer(arguments[0], PLANS[arguments[1]])
    with open(arguments[2], encoding="utf-8") as file:
        text = file.read()
    wanted = comparer.signature(text)
    if wanted is None:
        sys.exit("this model does not fail")
    sys.stdout.write(shrink(text, lambda candidate: comparer.signature(candidate) == wanted))


if __name__ == "__main__":
    main(sys.argv[1:])
