#!/usr/bin/env python3
"""tests/boolean/run.py NOETHER [--count N] [--seed S] [--all]: random Boolean programs (generate.py), by an interpreter of
ours (oracle.py) and by every engine: verdicts, and numbers of states with symmetry, are the same. With --all each program
is run with 1 to 4 threads, else with a number that follows from its seed. Programs that start threads without bound are run
with any number, too: what holds must hold with up to 4 threads, what is violated with k must not be with fewer."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

from generate import EXPRESSIONS, STATEMENTS, make, text_of
from oracle import Oracle

LIMIT = 4000  # states; larger programs are left out
WAYS = {"explicit": ["--engine", "explicit", "--stepper", "vm"],
        "no symmetry": ["--engine", "explicit", "--stepper", "vm", "--symmetry", "off"],
        "evaluator": ["--engine", "explicit", "--stepper", "evaluator"],
        "counter": ["--engine", "counter", "--stepper", "vm"],
        "symbolic": ["--engine", "symbolic"],
        "auto": []}


def ask(noether, path, program, count, options):
    words = [noether, "check", str(path), *(["--threads-of-model", str(count)] if count else []), "--recursion",
             str(program["recursion"]), "--json", "-", "--threads", "1", "--time", "10", *options]
    if program["unreachable"]:
        words += ["--property", f"unreachable {program['unreachable']}"]
    return subprocess.run(words, capture_output=True, text=True, timeout=patience.seconds(60))


def compare(noether, path, program, count, ways, found):
    """What differs, and which ways answered."""
    for way in ways:
        done = ask(noether, path, program, count, WAYS[way])
        if done.returncode == 2 and way in ("counter", "symbolic") and "refused" in done.stderr + done.stdout:
            continue
        if done.returncode == 3:  # the time was over
            yield f"{way} late", None
            continue
        expected = {"holds": 0, "violated": 1}[found[0]]
        if done.returncode != expected:
            yield way, f"exit status {done.returncode}, the oracle says {found[0]}: {(done.stderr or done.stdout)[:300]}"
            continue
        yield way, None
        answer = json.loads(done.stdout)
        if found[0] == "holds" and way in ("explicit", "evaluator"):
            complaint = miscounts(answer, *found[1:])
            if complaint:
                yield way, complaint


def miscounts(answer, multisets, whole):
    """What is wrong with the number of states, which is that of multisets of threads; or, if variables are exchanged,
    too, with the number without symmetry; or False."""
    statistics = answer["statistics"]
    if all(factor["type"] == "Thread" for factor in answer["symmetry"]["factors"]):
        return statistics["states"] != multisets and f"{statistics['states']} states, the oracle has {multisets}"
    return int(statistics["represented"]) != whole and f"{statistics['represented']} without symmetry, the oracle has {whole}"


def compare_any(noether, path, program):
    """Any number of threads: what differs, or None; and a word for the tally, or None if their number is fixed."""
    done = ask(noether, path, program, 0, [])
    if done.returncode not in (0, 1):
        return None, "cover late" if done.returncode == 3 else "cover refused"
    every = json.loads(done.stdout)["statistics"].get("every_size")
    if not every:
        return None, None
    least = every["violated_with"]
    by_views = ask(noether, path, program, 0, ["--engine", "cover", "--method", "views"])
    if by_views.returncode != 3:
        size = json.loads(by_views.stdout)["statistics"]["every_size"]["violated_with"]
        if (by_views.returncode, size) != (done.returncode, least):
            return f"by views: exit status {by_views.returncode}, violated with {size}; else {done.returncode} with {least}", "cover"
    if (least is not None) != (done.returncode == 1):
        return f"exit status {done.returncode}, violated with {least}", "cover"
    for count in range(1, 5) if least is None else [least - 1, least]:
        found = Oracle(program).explore(count, LIMIT) if count and count < 6 else None
        expected = "violated" if count == least else "holds"
        if found and found[0] != expected:
            return f"any number: {least or 'holds'}, but the oracle says with {count}: {found[0]}", "cover"
    return None, f"cover {'holds' if least is None else 'violated'}{' by lists only' if by_views.returncode == 3 else ''}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    used, tally, wrong = set(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "random.bp"
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            program, words = make(seed)
            used |= words
            path.write_text(text_of(program, seed))
            ways = list(WAYS) if arguments.all else ["explicit", ["no symmetry", "evaluator", "auto"][seed % 3], "counter", "symbolic"]
            complaint, way = compare_any(arguments.noether, path, program)
            tally[way] += way is not None
            if complaint:
                wrong += 1
                print(f"seed {seed}: {complaint}")
            for count in range(1, 5) if arguments.all else [1 + seed % 4]:
                found = Oracle(program).explore(count, LIMIT)
                if not found:
                    tally["left out"] += 1
                    continue
                tally[found[0]] += 1
                for way, complaint in compare(arguments.noether, path, program, count, ways, found):
                    if complaint:
                        wrong += 1
                        print(f"seed {seed}, {count} threads, {way}: {complaint}")
                    else:
                        tally[way] += 1
    never = sorted(set(STATEMENTS + EXPRESSIONS) - used)
    if arguments.count >= 100 and never:
        print("never generated:", ", ".join(never))
        wrong += 1
    print(f"boolean: {arguments.count} programs, " + ", ".join(f"{key} {value}" for key, value in tally.items() if value) + f"; {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
