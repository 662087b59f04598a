#!/usr/bin/env python3
"""Checks PRISM's own examples against the values of ../shared/reference/prism-results.tsv.

    tests/public/prism.py NOETHER EXAMPLES [RESULTS]

EXAMPLES is the folder prism-examples of PRISM's repository; none of its models is kept here. What Noether does not
support yet is counted apart; the exit status is 1 when a value differs."""
import fractions
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 60


# Names of the table that are not those of the files, and a formula the table uses.
FILES = {"leader_async3": "leader_async/leader3.nm", "leader_async4": "leader_async/leader4.nm",
         "leader_sync3_2": "leader_sync/leader3_2.pm", "cluster4": "cluster/cluster.sm"}
FAIR = ("phil3", "mutual4 -fair")


def add_formula(model, folder):
    """The number of processes of the mutual exclusion that are in 10..15 (the model's own formula is vacuous)."""
    text = model.read_text()
    count = len(re.findall(r"module\s+process\d+", text))
    terms = "+".join(f"(p{i}>=10 & p{i}<=15 ? 1 : 0)" for i in range(1, count + 1))
    path = pathlib.Path(folder) / model.name
    path.write_text(f"{text}\nformula ncrit = {terms};\n")
    return path


def find_model(examples, name):
    if name in FILES:
        return next(iter(examples.rglob(FILES[name])), None)
    for extension in ("nm", "pm", "sm", "prism"):
        found = sorted(examples.rglob(f"{name}.{extension}"))
        if found:
            return found[0]
    return None


def declared(text, name):
    return re.search(rf"^\s*const\s+(int\s+|double\s+)?{name}\b", text, re.M)


def properties_file(folder, model, constants, prop):
    """The property, with the constants that are its own."""
    lines, defines = [], []
    text = model.read_text()
    for name, value in constants:
        if declared(text, name):
            defines += ["-D", f"{name}={value}"]
        else:
            lines.append(f"const {'int' if value.isdigit() else 'double'} {name} = {value};")
    neighbour = next((p for p in sorted(model.parent.glob("*.pctl")) + sorted(model.parent.glob("*.csl"))
                      if "label" in p.read_text()), None)
    if neighbour and '"' in prop:
        lines += re.findall(r'^\s*label\s+"[^"]+"\s*=[^;]*;', neighbour.read_text(), re.M)
    path = pathlib.Path(folder) / "one.props"
    path.write_text("\n".join(lines + [prop]) + "\n")
    return path, defines


def expected_value(text):
    if text in ("true", "false"):
        return text == "true"
    return math.inf if text.lower().startswith("inf") else float(fractions.Fraction(text))


def agrees(result, expected, quality):
    if isinstance(expected, bool):
        return (result["verdict"] == "holds") == expected
    bounds = [float(result["value"]["lower"]), float(result["value"]["upper"])]
    slack = (1e-5 if quality == "num" else 1e-9) * abs(expected) if math.isfinite(expected) else 0
    return bounds[0] - slack <= expected <= bounds[1] + slack


def check(binary, examples, row, folder):
    name, constants, _, states, _, _, _, prop, expected, quality = row
    model = find_model(examples, name.split()[0].rstrip("_"))
    if not model:
        return "skipped", "no such model"
    if name in FAIR:
        return "skipped", "fairness is not supported yet"
    if "ncrit" in prop:
        model = add_formula(model, folder)
    pairs = [tuple(pair.split("=")) for pair in constants.split(",") if "=" in pair]
    path, defines = properties_file(folder, model, pairs, prop)
    answer = pathlib.Path(folder) / "answer.json"
    answer.unlink(missing_ok=True)
    run = subprocess.run([binary, "check", str(model), str(path), "-q", "--json", str(answer), *defines],
                         capture_output=True, text=True, timeout=SECONDS)
    if not answer.exists():
        return "skipped", (run.stderr or run.stdout).strip().splitlines()[0]
    document = json.loads(answer.read_text())
    result = document["results"][-1]
    if document["statistics"]["states"] != int(states):
        return "failed", f"{document['statistics']['states']} states, not {states}"
    if result["verdict"] == "unknown":
        return "skipped", result["reason"]
    if agrees(result, expected_value(expected), quality):
        return "passed", ""
    return "failed", f"{result.get('value', result['verdict'])}, not {expected}"


def main():
    binary, examples = sys.argv[1], pathlib.Path(sys.argv[2])
    table = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else ROOT.parent / "shared/reference/prism-results.tsv")
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory() as folder:
        for line in table.read_text().splitlines()[1:]:
            row = line.split("\t")
            outcome, why = check(binary, examples, row, folder)
            counts[outcome] += 1
            if outcome != "passed":
                print(f"{outcome}: {row[0]} {row[1]} {row[7]}: {why}")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
