#!/usr/bin/env python3
"""tests/public/murphi.py [--seconds N] [--table FILE] [--prefix PATH] [--list] [--before BINARY] BINARY DIR

Checks every Murphi model (*.m) below a folder of models that are not ours to distribute, and sums up: how many are accepted, what is
refused and why, which verdicts and numbers of states differ from a table of what the peers say, and which scalarsets are
not used as a symmetry and why. The table has tab-separated columns: path (relative to the folder), verdict (`holds`, or
`violated: ` and the peer's message), states, canonical; PATH is put before its paths. A verdict that is open at the limit is not compared. With --before, instead, a table in Markdown of
the models with scalarsets, copies left out: which of these an older program lost, which are lost now, and the states with the declared symmetry and without. The exit
status is 1 when a verdict or number differs, or a check ends in no regular way."""
import argparse
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT.parent / "shared" / "reference" / "murphi-public.tsv"
SHOWN = 6 # models named for each reason
MOST_STATES = 100000 # of the table of two versions: no more are counted


def check(binary, model, seconds):
    """The answer as JSON; else the message of a refusal, or None when the check ended in no regular way."""
    command = [binary, "check", str(model), "--json", "-", "--time", str(seconds), "--warnings", "off", "--threads", "1"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1, 2, 3):
        return None
    if done.returncode != 2:
        return json.loads(done.stdout)
    message = next((line for line in done.stderr.splitlines() if " error: " in line), done.stderr.strip())
    return message.partition(" error: ")[2] or message


def reason(message):
    """What many models have in common: without names and numbers."""
    return re.sub(r"\d+", "N", re.sub(r'"[^"]*"|`[^`]*`|\b[A-Z]\w*\b', "...", message))


class Survey:
    def __init__(self, binary, folder, rows, seconds):
        self.binary, self.folder, self.rows, self.seconds = binary, folder, rows, seconds
        self.models = self.accepted = self.compared = self.open = self.with_scalarsets = 0
        self.refused, self.lost = collections.defaultdict(list), collections.defaultdict(list)
        self.wrong, self.broken, self.losers = [], [], set()

    def compare(self, name, answer):
        row = self.rows.get(name)
        if not row or answer["verdict"] == "unknown":
            return
        self.compared += 1
        expected, figures = row["verdict"].partition(":")[0], answer["statistics"]
        if answer["verdict"] != expected:
            self.wrong.append(f"{name}: {answer['verdict']}, expected {row['verdict']}")
        elif expected == "holds" and row.get("states") and str(figures["represented"]) != row["states"]:
            self.wrong.append(f"{name}: stands for {figures['represented']} states, expected {row['states']}")

    def note_symmetry(self, name, answer):
        declared = declared_in(self.folder / name)
        self.with_scalarsets += bool(declared)
        for excluded in answer["symmetry"]["excluded"]:
            if str(excluded["type"]).lower() not in declared:
                continue
            self.losers.add(name)
            first = excluded["reasons"][0] if excluded["reasons"] else {"line": 0, "message": "no reason given"}
            self.lost[reason(first["message"])].append(f"{name}:{first['line']} ({excluded['type']})")

    def run(self, name):
        self.models += 1
        answer = check(self.binary, self.folder / name, self.seconds)
        if answer is None:
            self.broken.append(name)
        elif isinstance(answer, str):
            self.refused[reason(answer)].append(name)
        else:
            self.accepted += 1
            self.open += answer["verdict"] == "unknown"
            self.compare(name, answer)
            self.note_symmetry(name, answer)
        return answer


def declared_in(path):
    """The names of its scalarsets, in small letters."""
    return set(re.findall(r"(\w+)\s*:\s*scalarset\s*\(", path.read_text(errors="replace").lower()))


def ask(binary, model, seconds, *more):
    """The answer with the declared symmetry, or as `more` says; None: refused, or no answer."""
    command = [binary, "check", str(model), "--json", "-", "--time", str(seconds), "--threads", "1", "--engine", "explicit", *more]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=20 * seconds)
        return json.loads(done.stdout) if done.returncode in (0, 1, 3) else None
    except subprocess.TimeoutExpired:
        return None


def lost_in(answer, declared):
    if answer is None:
        return None
    return sorted(str(row["type"]) for row in answer["symmetry"]["excluded"] if str(row["type"]).lower() in declared)


def figure(answer):
    """The number of states of a whole search."""
    if answer is None or answer["verdict"] == "violated":
        return "-" if answer is None else "violated"
    return f"{'' if answer['verdict'] == 'holds' else '> '}{answer['statistics']['states']:,}"


def compare_versions(options):
    """The table; the exit status."""
    print("| model | scalarsets | lost before | lost now | states | without symmetry |\n|---|---|---|---|---:|---:|")
    seen, counts = set(), collections.Counter()
    for path in sorted(options.folder.rglob("*.m")):
        declared, text = declared_in(path), path.read_bytes()
        if not declared or text in seen:
            continue
        seen.add(text)
        now = ask(options.binary, path, options.seconds, "--symmetry", "declared", "--states", str(MOST_STATES))
        if now is None:
            counts["refused"] += 1
            continue
        before = lost_in(ask(options.before, path, options.seconds, "--symmetry", "declared", "--states", "2"), declared)
        lost = lost_in(now, declared)
        without = ask(options.binary, path, options.seconds, "--symmetry", "off", "--states", str(MOST_STATES))
        counts.update(models=1, before=bool(before), now=bool(lost), unread=before is None)
        words = lambda names: "-" if names is None else ", ".join(names)
        print(f"| {path.relative_to(options.folder)} | {', '.join(sorted(declared))} | {words(before)} | {words(lost)} | {figure(now)} | "
              f"{figure(without)} |", flush=True)
    print(f"\n{counts['models']} models, {counts['before']} lost a scalarset before ({counts['unread']} had no answer), {counts['now']} lose one now; "
          f"{counts['refused']} are refused")
    return 0


def show(title, groups, is_long):
    print(f"\n{title}")
    for words, names in sorted(groups.items(), key=lambda item: -len(item[1])):
        more = "" if is_long or len(names) <= SHOWN else f", and {len(names) - SHOWN} more"
        print(f"{len(names):5}  {words}\n       {', '.join(names if is_long else names[:SHOWN])}{more}")


def sum_up(survey, is_long):
    print(f"{survey.models} models: {survey.accepted} accepted ({survey.open} open at the limit), "
          f"{survey.models - survey.accepted - len(survey.broken)} refused, {len(survey.broken)} broke")
    print(f"{survey.compared} compared with the table, {len(survey.wrong)} differ")
    print(f"{survey.with_scalarsets} accepted models have scalarsets, {len(survey.losers)} lose one")
    for line in survey.wrong:
        print("  differs:", line)
    for name in survey.broken:
        print("  broke:", name)
    show("refused, by reason:", survey.refused, is_long)
    show("symmetry lost, by reason:", survey.lost, is_long)


def read_table(path, prefix):
    if not path.exists():
        return {}
    with open(path, newline="", encoding="utf-8") as table:
        return {prefix + row["path"]: row for row in csv.DictReader(table, delimiter="\t")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("binary")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path, default=TABLE)
    parser.add_argument("--prefix", default="", help="put before the paths of the table")
    parser.add_argument("--seconds", type=int, default=20, help="limit for each model")
    parser.add_argument("--list", action="store_true", help="name all models of a group, and say what becomes of each")
    parser.add_argument("--before", help="an older program, to compare the symmetry with")
    options = parser.parse_args()
    if options.before:
        return compare_versions(options)
    survey = Survey(options.binary, options.folder, read_table(options.table, options.prefix), options.seconds)
    for path in sorted(options.folder.rglob("*.m")):
        answer = survey.run(str(path.relative_to(options.folder)))
        if options.list:
            words = answer if isinstance(answer, str) else answer and f"{answer['verdict']} {answer['statistics']['states']}"
            print(f"{path.relative_to(options.folder)}: {words}", flush=True)
    sum_up(survey, options.list)
    return 1 if survey.wrong or survey.broken else 0


if __name__ == "__main__":
    sys.exit(main())
