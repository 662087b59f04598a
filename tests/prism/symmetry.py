#!/usr/bin/env python3
"""Checks what symmetry PRISM models have, and that their properties have the same values with and without it.

    tests/prism/symmetry.py NOETHER

Those properties of tests/prism and of the examples that say so in a comment // SYMMETRY: order O, R of S states: the order of
the group, the orbits, the states they stand for. A comment // PARTS: 2x3 says that three properties are decided with a
group of order 2 instead. Their model has their name, or stands in a comment // MODEL: PATH. Values are those of the
comments // RESULT: (see run.py). A comment // BREAKS: 12 14 gives the lines that `noether symmetry` blames."""
import json
import pathlib
import re
import subprocess
import sys

from run import expectations, problem

ROOT = pathlib.Path(__file__).resolve().parents[2]


def find_model(properties):
    """The model, and the expected group, orbits and states (nothing: not said)."""
    text = properties.read_text()
    model = re.search(r"^// MODEL: *(\S+)", text, re.M)
    symmetry = re.search(r"^// SYMMETRY: order (\d+), (\d+) of (\d+) states", text, re.M)
    path = properties.parent / model.group(1) if model else properties.with_suffix(".prism")
    return path, [int(number) for number in symmetry.groups()] if symmetry else None


def parts(answer):
    return sorted(f"{part['order']}x{len(part['properties'])}" for part in answer["symmetry"].get("parts", []))


def wrong_group(answer, expected):
    found = [int(answer["symmetry"]["order"]), answer["statistics"]["states"], int(answer["statistics"]["represented"])]
    return "" if found == expected else "order {}, {} of {} states, not {}, {} of {}".format(*found, *expected)


def check(binary, properties, model, group, *options):
    run = subprocess.run([binary, "check", str(model), str(properties), "--json", "-", *options], capture_output=True,
                         text=True)
    name, expected = f"{properties.name} {' '.join(options)}", expectations(properties)
    if run.returncode == 2 or not run.stdout:
        return [f"{name}: {run.stderr.strip()}"]
    answer = json.loads(run.stdout)
    results = [r for r in answer["results"] if r["kind"] == "quantity"]
    if len(results) != len(expected):
        return [f"{name}: {len(results)} results for {len(expected)} expectations"]
    found = [f"{name}:{result['line']}: {problem(result, wanted)}"
             for result, wanted in zip(results, expected) if problem(result, wanted)]
    wrong = wrong_group(answer, group)
    expected_parts = sorted(" ".join(re.findall(r"^// PARTS: (.*)", properties.read_text(), re.M)).split())
    if not options and parts(answer) != expected_parts:
        found.append(f"{name}: parts {parts(answer)}, not {expected_parts}")
    return found + ([f"{name}: {wrong}"] if wrong else [])


def explain(binary, properties, model):
    """The audit, and the lines that are blamed."""
    run = subprocess.run([binary, "symmetry", str(model), str(properties), "--audit", "--json", "-"],
                         capture_output=True, text=True)
    if run.returncode:
        return [f"{properties.name}: {run.stderr.strip()}"]
    expected = re.search(r"^// BREAKS:(.*)", properties.read_text(), re.M)
    lines = sorted({reason["line"] for type_ in json.loads(run.stdout)["excluded"] for reason in type_["reasons"]})
    if expected and lines != [int(line) for line in expected.group(1).split()]:
        return [f"{properties.name}: the lines {lines} are blamed, not{expected.group(1)}"]
    return []


def main():
    binary = sys.argv[1]
    files = [*(ROOT / "tests/prism").rglob("*.props"), *(ROOT / "examples").glob("*.props")]
    passed = failed = 0
    for properties in sorted(files):
        model, group = find_model(properties)
        if not group:
            continue
        problems = check(binary, properties, model, group)
        problems += check(binary, properties, model, [1, group[2], group[2]], "--symmetry", "off")
        problems += explain(binary, properties, model)
        passed, failed = passed + (not problems), failed + bool(problems)
        print("\n".join(problems), end="\n" if problems else "")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
