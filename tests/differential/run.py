#!/usr/bin/env python3
"""The differential test: random models, every engine and option against plain exploration.

    run.py COMPARE [--profile P] [--count N] [--seed S] [--native N]

COMPARE: the program `compare`, or a build directory or binary beside which it is found. Model number i of a run is made
from its profile (profiles.py) and seed S + i alone. A failing model is shrunk and printed with its seed. The run fails, too, when an
engine takes too few of the models. The last line is "N passed, N failed"."""

import argparse
import collections
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
from generate import generate, write
from profiles import PROFILES
from rumur import compare_with_rumur, compare_written_with_rumur
from shrink import shrink

BATCH = 20
LEAST = 0.25  # of the models, however little time there is
SECONDS_A_BATCH = 300
MOST_INVALID = 0.02  # of the models, before the generator is thought broken
MOST_LATE = 0.02  # of the ways, before an engine is thought too slow
MOST_SHOWN = 5
NOT_BUILT = "built without"  # a way that this program does not have
CI_SEED = 1


class Plan:
    """What the models of a profile are compared with. search: of the engines that store states one by one, run by
    themselves with all options: 0 none, 1 adaptive, 2 all. ways: through the driver; of these engines, which share of
    the models they must take at least."""

    def __init__(self, count, states, search, native, ways):
        self.count, self.states, self.search, self.native, self.ways = count, states, search, native, ways


PLANS = {
    "plain": Plan(500, 3000, 2, 10, {"explicit": 1.0}),
    "crowd": Plan(1200, 1500, 0, 0, {"explicit": 1.0, "counter": 0.5, "generic": 0.5, "symbolic-auto": 0.95, "auto": 1.0, "written": 0.5}),
    "partial": Plan(400, 2000, 1, 0, {"explicit": 1.0, "adaptive": 0.7, "complete": 0.5, "guarded": 1.0, "auto": 1.0}),
    "sat": Plan(200, 300, 0, 0, {"explicit": 1.0, "sat": 0.9}),
    "symbolic": Plan(200, 1000, 0, 0, {"explicit": 1.0, "symbolic": 0.9, "auto": 1.0}),
}


def find_compare(path):
    if os.path.isfile(path) and os.path.basename(path) == "compare":
        return os.path.abspath(path)
    folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
    for candidate in ("compare", "tests/differential/compare"):
        found = os.path.join(folder, candidate)
        if os.path.isfile(found):
            return os.path.abspath(found)
    sys.exit(f"run.py: no program `compare` in {folder}: build the target `compare` first")


def find_noether(path):
    """The program, beside `compare` or above it."""
    folders = pathlib.Path(path).resolve().parents
    folders = [pathlib.Path(path).resolve(), *folders] if os.path.isdir(path) else folders
    found = next((folder / "noether" for folder in folders if (folder / "noether").is_file()), None)
    return str(found) if found else sys.exit(f"run.py: no program `noether` beside {path}: --rumur asks it to write models")


class Outcome:
    """What compare said of one model."""

    def __init__(self, word, states=0, rules=0, violated=False, order=1, detail=""):
        self.word, self.states, self.rules, self.violated = word, states, rules, violated
        self.order, self.detail = order, detail
        self.ways = {}  # by group: how many were compared, how many were late, why it refuses

    def signature(self):
        """The kind of the failure without names and numbers, so that shrinking does not wander off to another."""
        return re.sub(r'"[^"]*"|\([^()]*\)|\d+', "", self.detail.split(": ", 1)[-1]).strip()[:120]


class Comparer:
    """native: every that many-th model is compiled, too (0: none)."""

    def __init__(self, path, plan, native=0, cache=None):
        self.path = find_compare(path)
        self.options = ["--states", str(plan.states), "--native", str(native), "--search", str(plan.search), "--ways",
                        ",".join(plan.ways)]
        self.environment = dict(os.environ, NOETHER_CFLAGS="-O0")
        if cache:
            self.environment["XDG_CACHE_HOME"] = cache

    def run(self, files, seconds=SECONDS_A_BATCH):
        """Yields (file, outcome); a model that kills the program is a failure, and the rest goes on."""
        files = list(files)
        while files:
            try:
                done = subprocess.run([self.path, *self.options, *files], capture_output=True, timeout=patience.seconds(seconds),
                                      text=True, errors="replace", check=False, env=self.environment)
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
            elif words[0] == "way" and finished:
                finished[-1][1].ways[words[1]] = int(words[2]), int(words[3]), " ".join(words[4:])
            elif line and finished and not line.startswith("begin "):
                finished[-1][1].detail += line.strip() + "\n"
        return finished

    def signature(self, text):
        """Of the failure of one model; None when it does not fail."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.m")
            write(path, text)
            outcome = next(iter(self.run([path], 20)))[1]  # the first of its batch: native code is included
        return outcome.signature() if outcome.word == "FAIL" else None


class Run:
    """A run over consecutive seeds, by several threads."""

    def __init__(self, comparer, profile, first, count):
        self.profile = profile
        self.least = first + count * LEAST
        self.comparer, self.first, self.next, self.end = comparer, first, first, first + count
        self.outcomes, self.lock = {}, threading.Lock()

    def take(self):
        with self.lock:
            if self.next >= self.least and patience.is_time_up():
                self.end = self.next
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
            write(name, generate(seed, self.profile))
        except Exception:  # whatever it is
            with self.lock:
                self.outcomes[seed] = Outcome("FAIL", detail=f"the generator: {traceback.format_exc(limit=-3)}")
            return False
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


def show_failure(run, seed, shrinks):
    outcome = run.outcomes[seed]
    print(f"\nFAILED: the model of profile {run.profile} and seed {seed}\n  {outcome.detail.strip()}")
    if outcome.detail.startswith("the generator:"):
        return
    text = generate(seed, run.profile)
    if shrinks:
        wanted = outcome.signature()
        if run.comparer.signature(text) == wanted:
            text = shrink(text, lambda candidate: run.comparer.signature(candidate) == wanted)
            print("shrunk to:")
    print("----\n" + text.rstrip() + "\n----", flush=True)


def show_failures(run, shrinks):
    """How many models failed."""
    failed, invalid = run.seeds("FAIL"), run.seeds("invalid")
    for seed in failed[:MOST_SHOWN]:
        show_failure(run, seed, shrinks)
    if len(failed) > MOST_SHOWN:
        print("\nmore failures:", *(f"{s}: {run.outcomes[s].detail.strip()[:150]}" for s in failed[MOST_SHOWN:]), sep="\n  ")
    if invalid:
        print(f"\n{len(invalid)} models were refused by the front end, for example that of seed {invalid[0]}:")
        print(run.outcomes[invalid[0]].detail)
    if len(invalid) > MOST_INVALID * len(run.outcomes):
        print("that are too many")
        return len(failed) + 1
    return len(failed)


def check_shares(run, plan):
    """Does every engine take its share of the models? The number of those that do not."""
    passed, wrong = [run.outcomes[seed] for seed in run.seeds("ok")], 0
    for way, least in plan.ways.items():
        found = [outcome.ways[way] for outcome in passed]
        compared = sum(1 for count, _, _ in found if count)
        taken = sum(1 for count, late, _ in found if count or late)  # a model that was only late is not refused
        late = sum(count for _, count, _ in found)
        reasons = collections.Counter(re.sub(r'"[^"]*"|line \d+: |\d+', "", why)[:100] for _, _, why in found if why)
        print(f"  {way}: {compared} of {len(passed)} models compared" + (f", {late} times late" if late else ""))
        for reason, count in reasons.most_common(3):
            print(f"    {count} refused: {reason}")
        if any(NOT_BUILT in reason for reason in reasons):
            print(f"  skipped: {way}")
            continue
        if taken < least * len(passed):
            print(f"    too few: at least {least:.0%} of them should be")
            wrong += 1
        if late > MOST_LATE * max(1, sum(count for count, _, _ in found)):
            print("    it is late too often")
            wrong += 1
    return wrong


def compare_profile(options, profile, first):
    """Passed and failed."""
    plan = PLANS[profile]
    count = patience.many(plan.count) if options.count is None else options.count
    print(f"profile {profile}: {count} models from seed {first}", flush=True)
    native = plan.native if options.native is None else options.native
    with tempfile.TemporaryDirectory() as cache:
        native = native if shutil.which(os.environ.get("NOETHER_CC", "cc")) else 0
        run = Run(Comparer(options.compare, plan, native, cache), profile, first, count)
        run.all(options.jobs)
        if len(run.outcomes) < count:
            print(f"  skipped: {count - len(run.outcomes)} of the {count} models: the time of script/test is up")
        failures = show_failures(run, not options.no_shrink)
    passed = [run.outcomes[seed] for seed in run.seeds("ok")]
    failures += check_shares(run, plan)
    if options.rumur and profile == "plain":
        failures += compare_with_rumur({s: run.outcomes[s] for s in run.seeds("ok")}, options.rumur, options.jobs)
    if options.rumur and "written" in plan.ways:
        failures += compare_written_with_rumur(find_noether(options.compare), profile, {s: run.outcomes[s] for s in run.seeds("ok")},
                                               options.rumur)
    print(f"  {sum(outcome.states for outcome in passed)} states in all, {sum(outcome.violated for outcome in passed)} models with a "
          f"violation, {sum(outcome.order > 1 for outcome in passed)} with symmetry, {len(run.seeds('skip'))} skipped (too many "
          f"states), {len(run.seeds('invalid'))} refused", flush=True)
    return len(passed), failures if passed else failures + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("compare")
    parser.add_argument("--profile", choices=[*PROFILES, "all"], default="all")
    parser.add_argument("--count", type=int, default=None, help="models of each profile")
    parser.add_argument("--seed", type=int, default=None, help="default: made from the date; always the same where CI is set")
    parser.add_argument("--native", type=int, default=None, metavar="N", help="compile every N-th to native code, too; 0: none")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--rumur", type=int, default=0, metavar="N", help="compare N of the plain ones, or of those that `noether reduce` writes, with rumur, too")
    options = parser.parse_args()
    first = options.seed
    if first is None and os.environ.get("CI"):
        first = CI_SEED
    if first is None:
        first = int(datetime.date.today().strftime("%Y%m%d")) * 100000
    results = [compare_profile(options, profile, first)
               for profile in (PROFILES if options.profile == "all" else [options.profile])]
    passed, failed = (sum(numbers) for numbers in zip(*results))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
