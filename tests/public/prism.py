#!/usr/bin/env python3
"""Checks PRISM's own examples against the values of ../shared/reference/prism-results.tsv.

    tests/public/prism.py NOETHER EXAMPLES [RESULTS] [--exact]

EXAMPLES is the folder prism-examples of PRISM's repository; none of its models is kept here. What Noether does not
support yet is counted apart; the exit status is 1 when a value differs. The states that the orbits stand for must be as many
as the table says; of each model alone, without properties, the group must have at least the symmetry of the table, and no more
orbits than that. What has more is listed. With --exact the values that the
table knows exactly must be those fractions."""
import fractions
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 40


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
    return math.inf if text.lower().startswith("inf") else fractions.Fraction(text)


def agrees(result, expected, quality):
    if "exact" in result.get("value", {}) and quality == "exact" and expected.denominator < 10**12:
        return result["value"]["exact"] == str(expected)
    if isinstance(expected, bool):
        return (result["verdict"] == "holds") == expected
    bounds = [float(result["value"]["lower"]), float(result["value"]["upper"])]
    expected = float(expected)
    slack = (1e-5 if quality == "num" else 1e-9) * abs(expected) if math.isfinite(expected) else 0
    return bounds[0] - slack <= expected <= bounds[1] + slack


def group_order(name):
    """Of S4, C5+id(s), C3 by-name, ...: all permutations, or the rotations."""
    number = int(re.match(r"[CS](\d+)", name).group(1))
    return math.factorial(number) if name[0] == "S" else number


def check_group(binary, model, row, pairs):
    """Whether the group of the model alone is that of the table ("same", "more" or "wrong"), and which it is."""
    text = model.read_text()
    defines = [word for name, value in pairs if declared(text, name) for word in ("-D", f"{name}={value}")]
    run = subprocess.run([binary, "check", str(model), "--json", "-", *defines], capture_output=True, text=True,
                         timeout=SECONDS)
    if run.returncode == 2 or not run.stdout:
        return "wrong", (run.stderr or "no answer").strip().splitlines()[0]
    answer = json.loads(run.stdout)
    found = [int(answer["symmetry"]["order"]), answer["statistics"]["states"]]
    wanted = [group_order(row[5]), int(row[6])]
    text = f"group of order {found[0]}, {found[1]} orbits; in the table {wanted[0]}, {wanted[1]}"
    if found == wanted:
        return "same", text
    return "more" if found[0] % wanted[0] == 0 and found[1] <= wanted[1] else "wrong", text


def check(binary, examples, row, folder, more):
    name, constants, _, states, _, _, _, prop, expected, quality = row
    model = find_model(examples, name.split()[0].rstrip("_"))
    if not model:
        return "skipped", "no such model"
    if name in FAIR:
        more = [*more, "--fair"]
    if "ncrit" in prop:
        model = add_formula(model, folder)
    pairs = [tuple(pair.split("=")) for pair in constants.split(",") if "=" in pair]
    path, defines = properties_file(folder, model, pairs, prop)
    answer = pathlib.Path(folder) / "answer.json"
    answer.unlink(missing_ok=True)
    try:
        run = subprocess.run([binary, "check", str(model), str(path), "-q", "--json", str(answer), *defines, *more],
                             capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "skipped", f"more than {SECONDS} s"
    if not answer.exists():
        return "skipped", (run.stderr or run.stdout).strip().splitlines()[0]
    document = json.loads(answer.read_text())
    result = document["results"][-1]
    if states.isdigit() and int(document["statistics"]["represented"]) != int(states):
        return "failed", f"{document['statistics']['represented']} states, not {states}"
    if result["verdict"] == "unknown":
        return "skipped", result["reason"]
    if agrees(result, expected_value(expected), quality):
        return "passed", ""
    return "failed", f"{result.get('value', result['verdict'])}, not {expected}"


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    more = [word for word in sys.argv[1:] if word.startswith("--")]
    binary, examples = words[0], pathlib.Path(words[1])
    table = pathlib.Path(words[2] if len(words) > 2 else ROOT.parent / "shared/reference/prism-results.tsv")
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    groups = {}  # by model and constants
    with tempfile.TemporaryDirectory() as folder:
        for line in table.read_text().splitlines()[1:]:
            row = line.split("\t")
            outcome, why = check(binary, examples, row, folder, more)
            model = find_model(examples, row[0].split()[0].rstrip("_"))
            if model and row[5] and (row[0], row[1]) not in groups:
                pairs = [tuple(pair.split("=")) for pair in row[1].split(",") if "=" in pair]
                groups[row[0], row[1]] = check_group(binary, model, row, pairs)
            counts[outcome] += 1
            if outcome != "passed":
                print(f"{outcome}: {row[0]} {row[1]} {row[7]}: {why}")
    for (name, constants), (outcome, text) in groups.items():
        if outcome != "same":
            print(f"{outcome}: {name} {constants}: {text}")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    kinds = [outcome for outcome, _ in groups.values()]
    print(f"{len(groups)} models: {kinds.count('same')} with the group and orbits of the table, "
          f"{kinds.count('more')} with a larger group and fewer orbits, {kinds.count('wrong')} others")
    return 1 if counts["failed"] or "wrong" in kinds else 0


if __name__ == "__main__":
    sys.exit(main())
