#!/usr/bin/env python3
"""Checks public Boolean programs and thread transition systems against a table of verdicts.

    tests/public/boolean.py NOETHER TABLE [--satabs FOLDER] [--petrinizer FOLDER]

TABLE is ../shared/reference/boolprog/suites.tsv; the folders are those of martin-cs/SATABS and meyerphi/petrinizer, none of
whose files is kept here. Boolean programs are checked with as many threads as they start. Thread transition systems are
about any number of threads. The exit status is 1 when a verdict differs or is open."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import time

SECONDS = 60
SYMBOLIC = ("Threads7",)  # 10 threads that have nothing to do with each other: 11,593,726 orbits


def check(noether, model, *options):
    begin = time.time()
    run = subprocess.run([noether, "check", str(model), "-q", "--time", str(SECONDS), *options], capture_output=True, text=True)
    verdict = {0: "SAFE", 1: "UNSAFE"}.get(run.returncode, f"unknown ({run.returncode}: {(run.stderr or run.stdout)[:200].strip()})")
    return verdict, time.time() - begin


def check_program(noether, model, options, expected):
    words = options.split()
    asked = ["--property", f"unreachable {words[words.index('-l') + 1]}"] if "-l" in words else []
    engine = ["--engine", "symbolic"] if model.parent.name in SYMBOLIC else []
    verdict, seconds = check(noether, model, *asked, *engine)
    return verdict if verdict == expected else f"DIFFERS: {verdict}", seconds


def check_system(noether, model, expected):
    """Any number of threads, and how many a violation takes."""
    begin = time.time()
    run = subprocess.run([noether, "check", str(model), "--time", str(SECONDS), "--json", "-"], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        return f"UNKNOWN: {(run.stderr or run.stdout)[:200].strip()}", time.time() - begin
    every = json.loads(run.stdout)["statistics"]["every_size"]
    verdict = "UNSAFE" if run.returncode else "SAFE"
    return f"{verdict if verdict == expected else 'DIFFERS: ' + verdict}, least number {every['violated_with']}, basis {every['basis']}", time.time() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--satabs", type=pathlib.Path)
    parser.add_argument("--petrinizer", type=pathlib.Path)
    arguments = parser.parse_args()
    folders = {"martin-cs/SATABS": arguments.satabs, "meyerphi/petrinizer": arguments.petrinizer}
    tally = collections.Counter()
    for line in arguments.table.read_text().splitlines()[1:]:
        suite, path, options, expected = line.split("\t")
        if not folders.get(suite):
            continue
        model = folders[suite] / path.split()[0]
        answer, seconds = (check_program(arguments.noether, model, options, expected) if model.suffix == ".bp"
                           else check_system(arguments.noether, model, expected))
        print(f"{model.parent.name:36} {seconds:7.2f} s  {answer}", flush=True)
        tally["differ" if "DIFFERS" in answer else "open" if "nknown" in answer or "UNKNOWN" in answer else "agree"] += 1
    print(", ".join(f"{value} {key}" for key, value in tally.items()))
    return tally["differ"] + tally["open"] > 0 or not tally


if __name__ == "__main__":
    sys.exit(main())
