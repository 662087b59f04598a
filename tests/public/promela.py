#!/usr/bin/env python3
"""Checks public Promela models against what SPIN says of them.

    tests/public/promela.py NOETHER FOLDER [TABLE] [--only TEXT] [--seconds N] [--unreduced]

FOLDER has the repositories as OWNER+NAME; none of their files is kept here. TABLE is ../shared/reference/promela/public.tsv.
For a model that holds, the number of states is SPIN's: of those stored without symmetry (--unreduced), and of those that the
representatives stand for. A violation is of a kind that SPIN names. Formulas and cycles have SPIN's verdicts. The exit status is 1 when an answer differs, or a model is refused."""
import argparse
import collections
import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "promela"))
import compare
from truth import Truth

TABLE = ROOT.parent / "shared" / "reference" / "promela" / "public.tsv"
KINDS = [("assertion", "assertion"), ("deadlock", "deadlock")]


def truth_of(row):
    kinds = [kind for word, kind in KINDS if word in row["verdict"]]
    return Truth(int(next(value for key, value in row.items() if key.startswith("states NOREDUCE plain"))), not kinds, kinds)


def check_safety(noether, model, row, symmetry):
    truth = truth_of(row)
    answer = compare.ask(noether, model, "--symmetry", symmetry, *(["--keep-going"] if not truth.kinds else []))
    yield from compare.compare_safety(answer, Truth(truth.states, True, truth.kinds), symmetry)
    if not truth.kinds and not compare.safety(answer):
        yield from compare.compare_states(answer, truth, symmetry, reduced=symmetry == "auto")


def check_formula(noether, model, row, symmetry):
    name = row["property"].split()[1]
    answer = compare.ask(noether, model, "--symmetry", symmetry, "--deadlock", "off", "--keep-going")
    result = next((result for result in answer["results"] if result["kind"] == "ltl" and result["name"] == name), None)
    if not result or result["verdict"] != row["verdict"]:
        yield f"{symmetry}: {name} {result and result['verdict']}, SPIN says {row['verdict']}"


def check_cycles(noether, model, row, symmetry):
    """What pan -l or pan -a looks for: with a claim, or a formula, that is what counts."""
    is_progress = "pan -l" in row["property"]
    asked = ["--property", f"no {'non-progress' if is_progress else 'acceptance'} cycle"]
    answer = compare.ask(noether, model, "--symmetry", symmetry, "--deadlock", "off", "--keep-going", *asked)
    found = [result["verdict"] for result in answer["results"] if result["kind"] == "ltl" and is_progress == ("non-progress" in result["name"])]
    verdict = "violated" if "violated" in found else "holds" if set(found) == {"holds"} else "unknown"
    if verdict != row["verdict"]:
        yield f"{symmetry}: {verdict}, SPIN says {row['verdict']}"


def check_row(noether, folder, row, symmetries):
    """A word for the tally, and what is wrong."""
    model = folder / row["repo"].replace("/", "+") / row["path"]
    check = check_formula if row["property"].startswith("ltl ") else check_safety if row["property"].startswith("assertions") else check_cycles
    if not model.exists():
        return "not there", []
    try:
        wrong = [text for symmetry in symmetries for text in check(noether, model, row, symmetry)]
    except compare.Refused as reason:
        return "refused", [str(reason)]
    return ("differ" if wrong else "agree"), wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path, nargs="?", default=TABLE)
    parser.add_argument("--only", default="", help="models whose path contains this")
    parser.add_argument("--seconds", type=int, default=60, help="limit for each run")
    parser.add_argument("--unreduced", action="store_true", help="without symmetry, too")
    arguments = parser.parse_args()
    compare.SECONDS = arguments.seconds
    if not arguments.table.exists():
        print("skipped: this test needs the table of public models")
        return 0
    tally = collections.Counter()
    with open(arguments.table, newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if arguments.only not in row["path"]:
                continue
            word, wrong = check_row(arguments.noether, arguments.folder, row, ["auto", "off"] if arguments.unreduced else ["auto"])
            tally[word] += 1
            print(f"{word:10} {row['path']}, {row['property']}{': ' if wrong else ''}{'; '.join(wrong)[:500]}", flush=True)
    print(", ".join(f"{value} {key}" for key, value in tally.items()))
    return tally["differ"] + tally["refused"] > 0


if __name__ == "__main__":
    sys.exit(main())
