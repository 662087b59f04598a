#!/usr/bin/env python3
"""Runs what once went wrong again: every row of tests/findings/ROOM/rows.toml.

    tests/findings/run.py NOETHER [ROOM...] [--only NAME]

A row is a command with its expected outcome:

    [[row]]
    name = "alias_is_captured_when_met"       # unique in its room
    run = "check alias.m --engine counter"    # words after `noether`; the working directory is the room
    exit = 1                                  # expected exit status (a list: any of them)
    expect = ["violated", "1 step"]           # regular expressions that the output must match
    never = ["internal error"]                # regular expressions that it must not match
    env = { NOETHER_CC = "./slow-compiler" }  # optional
    seconds = 3                               # optional: the limit of the command; it must end within MARGIN of it
    peak_mib = 105                            # optional: the process's own peak memory, at most
    ulimit_v_kib = 400000                     # optional: the limit of its address space
    values = { "P=? [ F s=2 ]" = [0.5, 1e-6] }  # optional: property -> value that its interval contains, width at most
                                              # (relative to the value; a string is an exact fraction or "Infinity")

An internal error or a death by signal fails every row."""
import fractions
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

HERE = pathlib.Path(__file__).resolve().parent
# A limit is kept within one second on a quiet machine; a loaded one gets more, and a hang is still seen.
MARGIN = float(os.environ.get("NOETHER_TEST_MARGIN", "8"))
SECONDS_A_ROW = 120
ATTEMPTS = 5  # of a row with a limit, on a loaded machine: work that has no processor does not wind up in time


def limit_addresses(kib):
    return kib and (lambda: resource.setrlimit(resource.RLIMIT_AS, (kib * 1024, kib * 1024)))


def run_row(binary, room, row, json_file):
    command = [binary, *shlex.split(row["run"])]
    if "values" in row:
        command += ["--json", json_file]
    begin = time.time()
    child = subprocess.Popen(command, cwd=room, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors="replace", preexec_fn=limit_addresses(row.get("ulimit_v_kib")), env={**os.environ, **row.get("env", {})}, start_new_session=True)
    try:
        output, _ = child.communicate(timeout=patience.seconds(SECONDS_A_ROW))
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        output, _ = child.communicate()
        output += f"\nstopped after {SECONDS_A_ROW} s"
    return output, child.returncode, time.time() - begin


def as_number(text):
    text = str(text)
    if text.lower() in ("infinity", "inf"):
        return float("inf")
    return fractions.Fraction(text)


def wrong_value(answer, property_text, value, width):
    """What is wrong with the interval of this property, or None."""
    for found in answer.get("results", []):
        if found.get("name") == property_text:
            break
    else:
        return f"no property {property_text!r} in the answer"
    value_found = found.get("value")
    if not value_found:
        return f"{property_text}: no value"
    low, high, wanted = (as_number(x) for x in (value_found["lower"], value_found["upper"], value))
    if not low <= wanted <= high:
        return f"{property_text}: {value} is not between {value_found['lower']} and {value_found['upper']}"
    if high != low and not high - low <= as_number(width) * abs(wanted):
        return f"{property_text}: between {value_found['lower']} and {value_found['upper']} is too wide"
    return None


def faults_of(row, output, status, seconds, json_file):
    faults = []
    exits = row["exit"] if isinstance(row["exit"], list) else [row["exit"]]
    if status not in exits:
        faults.append(f"exit status {status}, expected {row['exit']}")
    if re.search("internal error|Sanitizer", output):
        faults.append("internal error")
    faults += [f"no match of {text!r}" for text in row.get("expect", []) if not re.search(text, output)]
    faults += [f"a match of {text!r}" for text in row.get("never", []) if re.search(text, output)]
    if "seconds" in row and seconds > row["seconds"] + patience.seconds(MARGIN):
        faults.append(f"{seconds:.1f} s, with a limit of {row['seconds']} s")
    if "peak_mib" in row:
        found = re.search(r"depth .*, ([\d,.]+) MiB", output)  # the line of figures, not the words about a limit
        peak = float(found[1].replace(",", "")) if found else float("inf")
        if peak > row["peak_mib"]:
            faults.append(f"peak {peak} MiB, expected at most {row['peak_mib']}")
    if row.get("values"):
        try:
            answer = json.loads(pathlib.Path(json_file).read_text())
            checks = (wrong_value(answer, text, *wanted) for text, wanted in row["values"].items())
            faults += [fault for fault in checks if fault]
        except (OSError, ValueError) as error:
            faults.append(f"no answer as JSON: {error}")
    return faults


def try_row(binary, room, row):
    """What was printed, and what is wrong with it."""
    for _ in range(ATTEMPTS):
        with tempfile.TemporaryDirectory() as folder:
            json_file = os.path.join(folder, "answer.json")
            output, status, seconds = run_row(binary, room, row, json_file)
            faults = faults_of(row, output, status, seconds, json_file)
        if not faults or "seconds" not in row or not patience.is_loaded():
            break
    return output, faults


def main():
    words = sys.argv[1:]
    only = words.pop(words.index("--only") + 1) if "--only" in words else None
    words = [word for word in words if word != "--only"]
    binary, rooms = os.path.abspath(words[0]), words[1:]
    passed = failed = 0
    for table in sorted(HERE.glob("*/rows.toml")):
        room = table.parent
        if rooms and room.name not in rooms:
            continue
        for row in tomllib.loads(table.read_text()).get("row", []):
            if only and row["name"] != only:
                continue
            output, faults = try_row(binary, room, row)
            passed, failed = passed + (not faults), failed + bool(faults)
            if faults:
                print(f"FAIL {room.name}/{row['name']}: noether {row['run']}")
                print("".join(f"  {fault}\n" for fault in faults) + "".join(
                    f"  | {line}\n" for line in output.splitlines()[-15:]), end="")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
