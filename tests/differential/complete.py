#!/usr/bin/env python3
"""The engine `complete`, and what `auto` picks, against plain exploration, on random models of processes that are nearly alike: by turns those of
processes.py and of partial.py.

    complete.py BINARY [--count N] [--seed S]

Model number i is made from seed S + i alone. Every property must get the same verdict, under every method; the program
itself replays every counterexample. The last line is "N passed, N failed"."""
import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import traceback
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

import partial
import processes

STATES = 2000
SECONDS = 60
MOST_SHOWN = 5
LEAST_COMPARED = 2000  # of a run as long as that


def make_model(seed):
    return partial.generate(seed) if seed % 2 else processes.make_model(seed)


def ask(binary, model, *options):
    command = [binary, "check", model, "--json", "-", "--keep-going", *options]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=patience.seconds(SECONDS), check=False)


def verdicts(done):
    return [(result["name"], result["kind"], result["verdict"]) for result in json.loads(done.stdout)["results"]]


def examine(binary, seed, folder):
    """What became of one model: (word, detail)."""
    model = os.path.join(folder, f"{seed}.m")
    with open(model, "w", encoding="ascii") as file:
        text = make_model(seed)
        file.write(text)
    deadlock = random.Random(seed).choice(["off", "stuck", "stuttering"])
    plain = ask(binary, model, "--symmetry", "off", "--deadlock", deadlock, "--states", str(STATES))
    if plain.returncode == 2:
        return "invalid", plain.stderr
    if json.loads(plain.stdout)["stopped_by"] not in (None, "every property is decided"):
        return "large", ""
    expected = verdicts(plain)
    word = "violated" if plain.returncode else "holds"
    location = [] if seed % 2 else ["--location", "p.at" if "p: array" in text else "at"]
    methods = [["--engine", "auto"]] + [["--engine", "complete", "--permutations", permutations, *location]
                                        for permutations in ("all", "rotation", "none")]
    for method in methods:
        options = [*method, "--deadlock", deadlock]
        done = ask(binary, model, *options)
        if done.returncode == 2 and ("control location" in done.stderr or "liveness" in done.stderr):
            return "refused", ""
        if done.returncode not in (0, 1, 3) or not done.stdout:
            return "FAIL", f"{' '.join(options)}: exit status {done.returncode}: {done.stderr[:1500]}"
        if verdicts(done) != expected:
            wrong = [f"{one} instead of {other[2]}" for one, other in zip(verdicts(done), expected) if one != other]
            return "FAIL", f"{' '.join(options)}: {wrong}"
    os.unlink(model)
    return word, ""


def examine_safely(binary, seed, folder):
    try:
        return examine(binary, seed, folder)
    except subprocess.TimeoutExpired as late:
        return "FAIL", f"took more than {SECONDS} s: {' '.join(late.cmd)}"
    except Exception:  # of the generator, or an answer that cannot be read
        return "FAIL", traceback.format_exc(limit=-3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=2100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    print(f"seeds {seeds.start} to {seeds.stop - 1}", flush=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = list(pool.map(lambda seed: (seed, *examine_safely(arguments.binary, seed, folder)), seeds))
    shown = [(seed, detail) for seed, word, detail in outcomes if word in ("FAIL", "invalid")]
    for seed, detail in shown[:MOST_SHOWN]:
        print(f"seed {seed}: {detail.strip()}")
    words = collections.Counter(word for _, word, _ in outcomes)
    print(", ".join(f"{count} {word}" for word, count in sorted(words.items())))
    failed = words["FAIL"] + words["invalid"]
    compared = words["holds"] + words["violated"]
    if arguments.count >= LEAST_COMPARED and compared < LEAST_COMPARED:
        print(f"only {compared} models were compared: the generators make too many that are large or refused")
        failed += 1
    print(f"{len(outcomes) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
