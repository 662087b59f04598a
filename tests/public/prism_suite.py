#!/usr/bin/env python3
"""Runs PRISM's regression suite: every property against the //RESULT: comment before it.

    tests/public/prism_suite.py NOETHER FOLDER [--verbose]

FOLDER is prism-tests of PRISM's repository, or a part of it; nothing of it is kept here. Constants come from the .args
files, else from the comments. A property that Noether does not support is counted as refused, with the reason; the exit
status is 1 when a result differs."""
import collections
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SECONDS = 20
OTHER_TYPES = {"-mdp", "-dtmc", "-ctmc", "-sim", "-param", "-nofix", "-noprobchecks", "-importmodel", "-importtrans"}


def model_of(properties):
    name = properties.name
    while "." in name:
        name = name.rsplit(".", 1)[0]
        path = properties.with_name(name)
        if path.suffix in (".nm", ".pm", ".sm", ".prism") and path.exists():
            return path
    return None


def expand(pair):
    """N=1:2:5 is N=1, N=3, N=5."""
    name, _, value = pair.partition("=")
    parts = value.split(":")
    if len(parts) == 1:
        return [(name, value)]
    try:
        low, high = float(parts[0]), float(parts[-1])
        step = float(parts[1]) if len(parts) == 3 else 1
    except ValueError:
        return [(name, value)]
    count = int(round((high - low) / step)) + 1
    values = [low + i * step for i in range(min(count, 50))]
    return [(name, f"{v:g}") for v in values]


def constant_sets(text):
    pairs = [expand(pair.strip()) for pair in text.split(",") if "=" in pair]
    return [dict(chosen) for chosen in itertools.product(*pairs)]


def runs(model, properties):
    """Constants and options, from the .args files or the comments."""
    found = []
    for path in sorted(set(properties.parent.glob(f"{properties.name}.args")) | set(model.parent.glob(f"{model.name}.args"))):
        for line in path.read_text().splitlines():
            words = line.split()
            if not words or OTHER_TYPES & set(words):
                continue
            more = ["--fair"] if "-fair" in words else []
            text = ",".join(words[i + 1] for i, word in enumerate(words[:-1]) if word == "-const")
            for constants in constant_sets(text) or [{}]:
                if (constants, more) not in found:
                    found.append((constants, more))
    for text in re.findall(r"//\s*RESULT\s*\(([^)]*)\)", properties.read_text()):
        for constants in constant_sets(text):
            if all(name.isidentifier() for name in constants) and not any(constants == f[0] for f in found):
                found.append((constants, []))
    if any(constants for constants, _ in found):  # options of the model without constants say nothing of the properties
        found = [(constants, more) for constants, more in found if constants or more]
    return found or [({}, [])]


def undefined(text):
    return {name for _, name in re.findall(r"^\s*const\s+(int\s+|double\s+|bool\s+)?(\w+)\s*;", text, re.M)}


def blocks(text):
    """What is common to all properties, and each property with its comments."""
    common, found, comments, current = [], [], [], []
    statement = False
    for line in text.splitlines():
        bare = line.strip()
        if statement or re.match(r"(const|label|formula)\b", bare):
            common.append(line)
            statement = not bare.split("//")[0].rstrip().endswith(";")
        elif bare.startswith("//") or not bare:
            if current:
                found.append("\n".join(comments + current))
                comments, current = [], []
            comments.append(line)
        else:
            current.append(line)
    if current:
        found.append("\n".join(comments + current))
    return "\n".join(common), [block for block in found if "RESULT" in block]


def answer(binary, model, properties, defines, more):
    command = [binary, "check", str(model), str(properties), "--json", "-", "--time", str(SECONDS), *more]
    for name, value in defines.items():
        command += ["-D", f"{name}={value}"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=2 * SECONDS)
    except subprocess.TimeoutExpired:
        return None, "time"
    if run.returncode == 2 or not run.stdout:
        return None, (run.stderr.strip().splitlines() or ["no output"])[0]
    document = json.loads(run.stdout)
    answers = [row["answer"] for row in document["rows"] if row["answer"]] if "rows" in document else [document]
    return [r for found in answers for r in found["results"] if r["kind"] == "quantity"], ""


def message(line):
    return re.sub(r"^\S+:\d+:\d+: ", "", line)


def tally_file(binary, model, properties, folder, report):
    text = model.read_text(errors="replace")
    for constants, more in runs(model, properties):
        names = undefined(text) | undefined(properties.read_text())
        defines = {k: v for k, v in constants.items() if k in names}
        results, why = answer(binary, model, properties, defines, more)
        if results is not None:
            for result in results:
                report(properties, result, "")
            continue
        common, items = blocks(properties.read_text())
        for item in items:
            single = pathlib.Path(folder) / "one.props"
            single.write_text(f"{common}\n{item}\n")
            results, why = answer(binary, model, single, {k: v for k, v in defines.items()}, more)
            if results:
                report(properties, results[-1], "")
            else:
                wanted = re.search(r"RESULT[^:]*:\s*(.*)", item).group(1)
                report(properties, {"name": item.splitlines()[-1], "line": 0, "expected": wanted}, message(why))


def main():
    binary, folder, verbose = sys.argv[1], pathlib.Path(sys.argv[2]), "--verbose" in sys.argv
    counts, reasons, distinct = collections.Counter(), collections.Counter(), {}

    def report(path, result, refused):
        expected = result.get("expected")
        if refused:
            outcome = "agrees" if (expected or "").startswith("Error") else "refused"
            reasons[refused] += outcome == "refused"
        else:
            outcome = result.get("agreement", "none")
            if outcome == "differs" and (expected or "").startswith("Error"):
                outcome = "beyond"  # what PRISM refuses has an answer
        counts[outcome] += 1
        distinct.setdefault((path, result["name"].strip().rstrip(";"), result["line"] if not refused else 0), set()).add(outcome)
        if outcome == "unknown":
            reasons[result["reason"]] += 1
        if outcome == "differs" or (verbose and outcome in ("unknown", "refused", "none")):
            found = result.get("value", result.get("verdict"))
            print(f"{outcome}: {path}:{result['line']}: {result['name']}: {found}, expected {expected}; {refused or result.get('reason')}")

    with tempfile.TemporaryDirectory() as scratch:
        for properties in sorted(folder.rglob("*.props")):
            model = model_of(properties)
            if model:
                tally_file(binary, model, properties, scratch, report)
    for reason, count in reasons.most_common(40):
        print(f"{count:5} {reason}")
    print(", ".join(f"{count} {name}" for name, count in counts.most_common()))
    answered = sum(not outcomes & {"refused", "unknown"} for outcomes in distinct.values())
    print(f"{answered} distinct properties answered, {len(distinct) - answered} not")
    return 1 if counts["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
