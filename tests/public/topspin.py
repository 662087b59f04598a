#!/usr/bin/env python3
"""Checks the groups and quotients of TopSPIN's own suite.

    tests/public/topspin.py NOETHER FOLDER [TABLE] [--only TEXT] [--seconds N]

FOLDER is a copy of afd/symmetrytools; none of its files is kept here. TABLE is ../shared/reference/promela/topspin.tsv. A row "detect": the order
of the group, which may be a multiple: of values that no state has, too. A row "reduce": the number of representatives, too, where TopSPIN searches the whole model and keeps one state of each orbit. The exit
status is 1 when an answer differs, unless the reason is known (DIFFERENT)."""
import argparse
import collections
import csv
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))
import patience

TABLE = ROOT.parent / "shared" / "reference" / "promela" / "topspin.tsv"
WHOLE = 100000  # a limit of the depth that no model reaches
OTHER = ("flatten", "markers")  # quotients of other models, or with several states of an orbit
# Path, and why the answer is another one.
DIFFERENT = {"fail_trace": "SPIN refuses the trace assertion, too", "fail_notrace": "SPIN refuses the trace assertion, too",
             "reordered_larger_struct": "the quotient of the model with merged statements: 730 states, and 2,745 without merging"}
# Processes can end, and the order in which they disappear sets them apart: the group is there without that order.
DYING = ("soil/", "fail_never")
# Not in the table. The exact quotient: TopSPIN's permutations leave places of control as they are, and it has 4,880 representatives.
MORE = [("examples/loadbalancer.p", "order", "48"), ("examples/loadbalancer.p", "states", "4767")]


def ask(noether, words, seconds):
    """The answer, or a text: why there is none."""
    try:
        done = subprocess.run([noether, *words, "--json", "-", "--time", str(seconds)], capture_output=True, text=True, errors="replace",
                              timeout=patience.seconds(2 * seconds), stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "it does not end"
    return json.loads(done.stdout) if done.returncode in (0, 1, 3) and done.stdout.startswith("{") else (done.stderr or done.stdout).strip()[:200]


def check_order(noether, model, order, seconds):
    more = ["--process-death", "any"] if any(part in str(model) for part in DYING) else []
    answer = ask(noether, ["symmetry", str(model), *more], seconds)
    if isinstance(answer, str):
        yield answer
    elif int(answer["order"]) % int(order):
        yield f"a group of order {answer['order']}, TopSPIN has {order}"


def check_states(noether, model, states, seconds):
    answer = ask(noether, ["check", str(model), "--deadlock", "off", "--keep-going"], seconds)
    if isinstance(answer, str):
        yield answer
    elif answer["stopped_by"] and "limit" in str(answer["stopped_by"]):
        yield f"stopped: {answer['stopped_by']}"
    elif str(answer["statistics"]["states"]) != states:
        yield f"{answer['statistics']['states']} representatives, TopSPIN has {states}"


def questions(rows):
    """(path, what, value), each once."""
    asked = set()
    for row in rows:
        kind, path, order, states, _, limit = row[:6]
        asked.add((path, "order", order))
        is_whole = not limit or int(limit) >= WHOLE
        if kind == "reduce" and is_whole and not any(word in path for word in OTHER):
            asked.add((path, "states", states))
    return sorted(asked) + MORE


def judge(noether, folder, path, what, value, seconds):
    model = folder / path
    if not model.exists():
        return "not there", []
    check = check_order if what == "order" else check_states
    wrong = list(check(noether, model, value, seconds))
    reason = next((reason for part, reason in DIFFERENT.items() if part in path), None)
    return ("agree" if not wrong else "known" if reason else "differ"), wrong + ([reason] if wrong and reason else [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path, nargs="?", default=TABLE)
    parser.add_argument("--only", default="", help="models whose path contains this")
    parser.add_argument("--seconds", type=int, default=300, help="limit for each run")
    arguments = parser.parse_args()
    if not arguments.table.exists():
        print("skipped: this test needs the table of TopSPIN's suite")
        return 0
    with open(arguments.table, newline="") as table:
        rows = list(csv.reader(table, delimiter="\t"))[1:]
    tally = collections.Counter()
    for path, what, value in questions(rows):
        if arguments.only in path:
            word, texts = judge(arguments.noether, arguments.folder, path, what, value, arguments.seconds)
            tally[word] += 1
            print(f"{word:10} {path}, {what} {value}{': ' if texts else ''}{'; '.join(texts)}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in sorted(tally.items())))
    return 1 if tally["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
