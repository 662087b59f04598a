#!/usr/bin/env python3
"""tests/cover/run.py NOETHER [--count N] [--seed S]: random thread transition systems as Murphi models. The engine cover,
a plain backward search in Python, and plain exploration with growing numbers of threads give the same answers, and the
same least number of threads."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import thread_system

MOST = 5  # threads explored


def check(binary, path, *words):
    done = subprocess.run([binary, "check", str(path), "--deadlock", "off", "--json", "-", *words], capture_output=True, text=True, timeout=120)
    try:
        return json.loads(done.stdout)
    except ValueError:
        sys.exit(f"{path} {words}: {done.stdout}{done.stderr}")


def verdict(answer):
    found = {entry["name"]: entry["verdict"] for entry in answer["results"]}
    return found.get("safe", "missing")


def compare(binary, path, system):
    """What is wrong, or None; and the least number of threads."""
    least = system.least()
    answer = check(binary, path, "--engine", "cover")
    said = verdict(answer)
    if said != ("holds" if least is None else "violated"):
        return f"cover says {said}, the backward search {least}", least
    if least is not None and answer["statistics"]["every_size"]["violated_with"] != least:
        return f"cover: {answer['statistics']['every_size']['violated_with']} threads, the backward search {least}", least
    sizes = {MOST} if least is None or least > MOST else {least, least - 1} - {0}
    for size in sorted(sizes):
        explored = verdict(check(binary, path, "-D", f"N={size}", "--engine", "explicit"))
        if explored != ("holds" if least is None or size < least else "violated"):
            return f"with {size} threads plain exploration says {explored}, the least number is {least}", least
    return None, least


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed, seen = 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            path = pathlib.Path(folder, "model.m")
            system = thread_system.random_system(seed)
            path.write_text(system.model())
            wrong, least = compare(options.binary, path, system)
            seen[least] += 1
            if wrong:
                failed += 1
                print(f"seed {seed}: {wrong}\n{system.model()}")
    counts = ", ".join(f"{'safe' if least is None else least}: {count}" for least, count in sorted(seen.items(), key=str))
    print(f"least numbers of threads: {counts}")
    if options.count >= 100 and len(seen) < 4:
        failed += 1
        print("the systems do not meet every outcome")
    print(f"{options.count - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
