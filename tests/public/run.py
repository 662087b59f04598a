#!/usr/bin/env python3
"""tests/public/run.py [--unreduced] [--only TEXT] [--seconds N] [--table FILE] BINARY DIR

Checks public models that are not ours to distribute against a table of what the peers say of them. DIR is a checkout of
the public repository (it contains ex/). The table has tab-separated columns: name, path, verdict (`holds`, or
`violated: ` and the peer's message), states, canonical, rules, canonical_rules. Skipped when either is absent."""
import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT.parent / "shared" / "reference" / "murphi-public.tsv"
KINDS = [("Deadlocked", "deadlock"), ("Invariant", "invariant"), ("Assertion", "assertion"), ("Error", "error")]


def number(text):
    return int(text) if text else None


def check(binary, model, symmetry, seconds):
    done = subprocess.run([binary, "check", str(model), "--engine", "explicit", "--json", "-", "--symmetry", symmetry, "--time", str(seconds)],
                          capture_output=True, text=True, errors="replace")
    return json.loads(done.stdout) if done.stdout and done.returncode != 2 else done.stderr.strip().split("\n")[0]


def compare(answer, row, symmetry):
    expected = row["verdict"].partition(":")[0]
    if answer["verdict"] != expected:
        return [f"{answer['verdict']}, expected {row['verdict']} ({answer['stopped_by']})"]
    if expected == "violated":
        return compare_violation(answer, row["verdict"])
    prefix = "canonical" if symmetry == "declared" else "states"
    rules = "canonical_rules" if symmetry == "declared" else "rules"
    figures = answer["statistics"]
    wrong = []
    for key, value in (("states", number(row[prefix])), ("rules_fired", number(row[rules]))):
        if value is not None and figures[key] != value:
            wrong.append(f"{key} {figures[key]}, expected {value}")
    if row["states"] and figures["represented"] != row["states"]:
        wrong.append(f"represented {figures['represented']}, expected {row['states']}")
    return wrong


def compare_violation(answer, message):
    found = next(result for result in answer["results"] if result["verdict"] == "violated")
    kind = next((kind for word, kind in KINDS if word in message), None)
    if kind and found["kind"] != kind:
        return [f"violated {found['kind']} \"{found['name']}\", expected {message}"]
    quoted = re.search(r'Invariant "(.*)" failed', message)
    if quoted and not quoted.group(1).startswith("Invariant ") and found["name"] != quoted.group(1):
        return [f"violated \"{found['name']}\", expected {message}"]
    return []


def run_row(binary, folder, row, symmetry, seconds):
    model = folder / row["path"]
    label = f"{row['path']} (symmetry {symmetry})"
    if not model.exists():
        return label, ["the model is not there"], ""
    answer = check(binary, model, symmetry, seconds)
    if isinstance(answer, str):
        return label, [answer], ""
    figures = answer["statistics"]
    return label, compare(answer, row, symmetry), f"{figures['states']:,} states, {figures['cpu_seconds']:.2f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path, default=TABLE)
    parser.add_argument("--unreduced", action="store_true", help="also without symmetry, which takes longer")
    parser.add_argument("--only", default="", help="models whose path contains this")
    parser.add_argument("--seconds", type=int, default=120, help="limit for each run")
    arguments = parser.parse_args()
    if not arguments.table.exists() or not (arguments.folder / "ex").is_dir():
        print("skipped: this test needs the table of public models and a checkout of their repository")
        return 0
    with open(arguments.table, newline="") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if arguments.only in row["path"]]
    jobs = [(row, symmetry) for row in rows for symmetry in ("declared", "off")
            if symmetry == "declared" or (arguments.unreduced and (row["states"] or row["verdict"] != "holds"))]
    passed = failed = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for label, wrong, remark in pool.map(
                lambda job: run_row(arguments.binary, arguments.folder, job[0], job[1], arguments.seconds), jobs):
            failed += bool(wrong)
            passed += not wrong
            print(f"{'FAILED' if wrong else 'ok':6} {label} {'; '.join(wrong) or remark}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
