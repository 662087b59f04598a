#!/usr/bin/env python3
"""Trails of SPIN on public Promela models: the run that pan has found is replayed by `noether check --trail`, and violates what pan says.

    tests/public/promela_trails.py NOETHER FOLDER [TABLE] [--only TEXT]

FOLDER and TABLE are those of tests/public/promela.py; the models that violate an assertion or have an invalid end state are taken, and formulas that are
violated. Needs SPIN. The exit status is 1 when a trail is not replayed."""
import argparse
import csv
import pathlib
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "promela"))
import spin
import trails

TABLE = ROOT.parent / "shared" / "reference" / "promela" / "public.tsv"


def judge(noether, path, manner, formula=None):
    """A word for the tally, and what the answer says."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "models"
        shutil.copytree(path.parent, folder, ignore=lambda at, names: [one for one in names if not (pathlib.Path(at) / one).is_file()])
        model = folder / "model.pml"
        model.write_text(path.read_text(errors="replace"))
        kind = trails.write_trail(folder, manner, formula)
        if not kind:
            return "no trail", ""
        status, lines = trails.replay(noether, model, folder / "model.pml.trail")
        text = next((line for line in lines if "counterexample" in line or "deadlock" in line or "run-time error" in line), lines[-1])
        return ("replayed" if status == 1 else "FAILED"), f"{kind}: {text}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path, nargs="?", default=TABLE)
    parser.add_argument("--only", default="", help="models whose path contains this")
    arguments = parser.parse_args()
    if not arguments.table.exists() or not spin.is_there():
        print("skipped: this test needs the table of public models, and SPIN")
        return 0
    noether, failed = str(pathlib.Path(arguments.noether).resolve()), 0
    with open(arguments.table, newline="") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if "violated" in row["verdict"] and arguments.only in row["path"]]
    for row in rows:
        path = arguments.folder / row["repo"].replace("/", "+") / row["path"]
        is_formula = row["property"].startswith("ltl ")
        if not path.exists() or not (is_formula or row["property"].startswith("assertions")):
            continue
        for manner in ["plain-claim", "claim"] if is_formula else list(trails.MANNERS):
            word, text = judge(noether, path, manner, row["property"].split()[1] if is_formula else None)
            failed += word == "FAILED"
            print(f"{word:9} {row['path']}, {row['property']}, {manner}: {text}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
