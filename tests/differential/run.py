#!/usr/bin/env python3
"""The differential test: random models, every engine and option against plain exploration.

    run.py COMPARE [--count N] [--seed S] [--native N]

COMPARE: the program `compare`, or a build directory or binary beside which it is found. Model number i of a run is made
from seed S + i alone. A failing model is shrunk and printed with its seed. The last line is "N passed, N failed"."""

import argparse
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience
from generate import generate
from rumur import compare_with_rumur
from shrink import shrink

BATCH = 20
SECONDS_A_BATCH = 120
MOST_INVALID = 0.02  # of the models, before the generator is thought broken
MOST_SHOWN = 5
CI_SEED = 1


def find_compare(path):
    if os.path.isfile(path) and os.path.basename(path) == "compare":
        return os.path.abspath(path)
    folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
    for candidate in ("compare", "tests/differential/compare"):
        found = os.path.join(folder, candidate)
        if os.path.isfile(found):
            return os.path.abspath(found)
    sys.exit(f"run.py: no program `compare` in {folder}: build the target `compare` first")


class Outcome:
    """What compare said of one model."""

    def __init__(self, word, states=0, rules=0, violated=False, order=1, detail=""):
        self.word, self.states, self.rules, self.violated = word, states, rules, violated
        self.order, self.detail = order, detail

    def signature(self):
        """The kind of the failure without names and numbers, so that shrinking does not wander off to another."""
        return re.sub(r'"[^"]*"|\([^()]*\)|\d+', "", self.detail.split(": ", 1)[-1]).strip()[:120]


class Comparer:
    """native: every that many-th model is compiled, too (0: none)."""

    more = []  # options of compare

    def __init__(self, path, states=3000, native=0, cache=None):
        self.path, self.states, self.native = find_compare(path), states, native
        self.environment = dict(os.environ, NOETHER_CFLAGS="-O0")
        if cache:
            self.environment["XDG_CACHE_HOME"] = cache

    def run(self, files, seconds=SECONDS_A_BATCH):
        """Yields (file, outcome); a model that kills the program is a failure, and the rest goes on."""
        files = list(files)
        while files:
            command = [self.path, "--states", str(self.states), "--native", str(self.native), *self.more] + files
            try:
                done = subprocess.run(command, capture_output=True, timeout=patience.seconds(seconds), text=True, errors="replace",
                                      check=False, env=self.environment)
                output, died = done.stdout, f"died with status {done.returncode}: {done.stderr[-2000:]}"
            except subprocess.TimeoutExpired as expired:
                output, died = (expired.stdout or b"").decode(errors="replace"), f"took more than {seconds} s"
            finished = self.parse(output)
            yield from finished
            files = files[len(finished):]
            if files:
                yield files[0], Outcome("FAIL", detail=f"compare: {died}")
                files = files[1:]

    def parse(self, output):
        finished = []
        for line in output.split("\n"):
            words = line.split(" ")
            if words[0] in ("ok", "skip", "invalid", "FAIL") and len(words) == 6:
                finished.append((words[1], Outcome(words[0], int(words[2]), int(words[3]), words[4] == "violated",
                                                   int(words[5]))))
            elif line and finished and not line.startswith("begin "):
                finished[-1][1].detail += line.strip() + "\n"
        return finished

    def signature(self, text):
        """Of the failure of one model; None when it does not fail."""
        with tempfile.NamedTemporaryFile("w", suffix=".m", encoding="ascii") as file:
            file.write(text)
            file.flush()
            outcome = next(iter(self.run([file.name], 20)))[1]  # the first of its batch: native code is included
        return outcome.signature() if outcome.word == "FAIL" else None


class Run:
    """A run over consecutive seeds, by several threads."""

    def __init__(self, comparer, first, count):
        self.comparer, self.first, self.next, self.end = comparer, first, first, first + count
        self.outcomes, self.lock = {}, threading.Lock()

    def take(self):
        with self.lock:
            seeds = range(self.next, min(self.next + BATCH, self.end))
            self.next = seeds.stop
        return seeds

    def work(self):
        with tempfile.TemporaryDirectory() as folder:
            while seeds := self.take():
                names = {}
                for seed in seeds:
                    name = os.path.join(folder, f"{seed}.m")
                    if self.write(name, seed):
                        names[name] = seed
                for name, outcome in self.comparer.run(names):
                    with self.lock:
                        self.outcomes[names[name]] = outcome

    def write(self, name, seed):
        """The model, in a file. A generator that fails is a failure of its seed, not the end of the thread."""
        try:
            text = generate(seed)
        except Exception:  # whatever it is
            with self.lock:
                self.outcomes[seed] = Outcome("FAIL", detail=f"the generator: {traceback.format_exc(limit=-3)}")
            return False
        with open(name, "w", encoding="ascii") as file:
            file.write(text)
        return True

    def all(self, threads):
        workers = [threading.Thread(target=self.work) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for seed in range(self.first, self.end):  # a thread that died has left some out
            self.outcomes.setdefault(seed, Outcome("FAIL", detail="it was never compared"))

    def seeds(self, word):
        return sorted(seed for seed, outcome in self.outcomes.items() if outcome.word == word)


def show_failure(comparer, seed, outcome, shrinks):
    print(f"\nFAILED: the model of seed {seed}\n  {outcome.detail.strip()}")
    if outcome.detail.startswith("the generator:"):
        return
    text = generate(seed)
    if shrinks:
        wanted = outcome.signature()
        if comparer.signature(text) == wanted:
            text = shrink(text, lambda candidate: comparer.signature(candidate) == wanted)
            print("shrunk to:")
    print("----\n" + text.rstrip() + "\n----", flush=True)


def show_invalid(run, seeds):
    print(f"\n{len(seeds)} models were refused by the front end, for example that of seed {seeds[0]}:")
    print(run.outcomes[seeds[0]].detail)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("compare")
    parser.add_argument("--count", type=int, default=2100)
    parser.add_argument("--seed", type=int, default=None, help="default: made from the date; always the same where CI is set")
    parser.add_argument("--states", type=int, default=3000, help="larger models are skipped")
    parser.add_argument("--native", type=int, default=10, metavar="N",
                        help="compile every N-th to native code, too; 0: none (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--rumur", type=int, default=0, metavar="N", help="compare N of them with rumur, too")
    options = parser.parse_args()
    first = options.seed
    if first is None and os.environ.get("CI"):
        first = CI_SEED
    if first is None:
        first = int(datetime.date.today().strftime("%Y%m%d")) * 100000
    print(f"differential test: {options.count} models from seed {first}", flush=True)

    cache = tempfile.TemporaryDirectory()
    native = options.native if shutil.which(os.environ.get("NOETHER_CC", "cc")) else 0
    comparer = Comparer(options.compare, options.states, native, cache.name)
    run = Run(comparer, first, options.count)
    run.all(options.jobs)
    failed, invalid, skipped = run.seeds("FAIL"), run.seeds("invalid"), run.seeds("skip")
    for seed in failed[:MOST_SHOWN]:
        show_failure(comparer, seed, run.outcomes[seed], not options.no_shrink)
    if len(failed) > MOST_SHOWN:
        print("\nmore failures:", *(f"{s}: {run.outcomes[s].detail.strip()[:100]}" for s in failed[MOST_SHOWN:]), sep="\n  ")
    if invalid:
        show_invalid(run, invalid)
    failures = len(failed) + (1 if len(invalid) > MOST_INVALID * options.count else 0)
    passed = run.seeds("ok")
    if options.rumur:
        failures += compare_with_rumur({s: run.outcomes[s] for s in passed}, options.rumur, options.jobs)
    states = sum(run.outcomes[seed].states for seed in passed)
    print(f"{states} states in all, {sum(run.outcomes[s].violated for s in passed)} models with a violation, "
          f"{sum(run.outcomes[s].order > 1 for s in passed)} with symmetry, "
          f"{len(skipped)} skipped (too many states), {len(invalid)} refused")
    print(f"{len(passed)} passed, {failures} failed")
    sys.exit(1 if failures or not passed else 0)


if __name__ == "__main__":
    main()
