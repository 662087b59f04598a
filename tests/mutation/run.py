#!/usr/bin/env python3
"""Plants mutations in the rooms of src/, one at a time, and runs tests: a mutant that no test notices survives.

    script/mutate [--count N] [--seed S] [--by-lines] [--room ROOM]... [--only TEXT] [--minutes M] [--jobs J] [--list] [--first]

    --count N     so many mutants, spread evenly over the rooms (default 100)
    --seed S      which of them (default 1): the same seed, source and count give the same mutants
    --by-lines    drawn from all files, larger ones more often, instead of evenly over the rooms
    --room ROOM   only this one (numeric, engine/symbolic, ...); may be given several times
    --only TEXT   of all mutants of these rooms, those whose description contains the text
    --minutes M   stop after that time; the next run goes on where this one stopped
    --jobs J      so many mutants at a time (default: processors)
    --list        print the mutants, run nothing
    --first       only the room's own short tests, not the wider ones

It needs the release build as it is now (script/mutate makes it). A mutant is killed by the first test that fails or ends for
another reason, or that takes far longer than it does with the unchanged program (a timeout). One that compiles to the same
code is equivalent; one that does not compile is none, and another takes its place. What was found is kept in
build/mutate/results.json, by mutant and text of its file, and not done again. Exit status 0: none survived; 1: some did."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import threading
import time

import mutants
import table
from build import Builder, Unbuildable

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import children
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
WORK = BUILD / "mutate"
MEMORY = 4 << 30  # a mutant may ask for anything
WEIGHTS = {"comparison": 3, "negation": 3, "dropped": 3, "operator": 2, "side": 2, "constant": 2, "swapped": 1, "result": 1}
EVERYWHERE = ""  # in place of a room: any of them, by lines
OUTCOMES = ("killed", "timeout", "equivalent", "survived")


class Book:
    """What was found out in this and earlier runs."""

    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        self.rows = json.loads(path.read_text()) if path.exists() else {}

    def key(self, mutant):
        return f"{mutant.name()} {hashlib.sha256((ROOT / mutant.file).read_bytes()).hexdigest()[:16]}"

    def get(self, mutant):
        return self.rows.get(self.key(mutant))

    def put(self, mutant, row):
        with self.lock:
            self.rows[self.key(mutant)] = row
            fresh = self.path.with_suffix(".new")
            fresh.write_text(json.dumps(self.rows, indent=0))
            os.replace(fresh, self.path)


class Tests:
    """Runs tests on a folder of programs; knows how long each takes with the unchanged ones."""

    def __init__(self, builder):
        self.builder, self.seconds, self.lock = builder, {}, threading.Lock()

    def run(self, test, mutated, folder, seconds):
        """None: it passed; else "killed" or "timeout"."""
        binary = folder / "noether"
        if test[0] != "python3":
            words = [str(self.link(test[0], mutated, folder))]
        else:
            self.link("noether", mutated, folder)
            beside = {"tests/differential/run.py": "tests/differential/compare", "tests/detection/run.py": "tests/detection/exhaust"}.get(test[1])
            if beside and not self.links(beside, mutated, folder):
                return None  # it has no part of that room
            words = [word.replace("{binary}", str(binary)) for word in test]
        child = children.start(words, cwd=ROOT if test[0] == "python3" else folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=dict(os.environ, XDG_CACHE_HOME=str(folder / "cache")),  # what it compiles is for nobody else
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        try:
            return "killed" if child.wait(timeout=patience.seconds(seconds)) else None
        except subprocess.TimeoutExpired:
            return "timeout"
        finally:
            children.stop(child.pid)
            child.wait()
            children.ended(child.pid)

    def links(self, program, mutated, folder):
        try:
            return bool(self.link(program, mutated, folder))
        except Unbuildable:
            return False

    def link(self, program, mutated, folder):
        if not (folder / program).exists():
            self.builder.link(program, mutated, folder)
        return folder / program

    def baseline(self, test):
        """Seconds with the unchanged program; None: it fails there, and proves nothing."""
        with self.lock:
            if test not in self.seconds:
                folder = WORK / "unchanged"
                begin = time.time()
                fails = self.run(test, None, folder, 900)
                self.seconds[test] = None if fails else (time.time() - begin) / patience.load()
                if fails:
                    print(f"passed over, since it fails without a mutation: {' '.join(test)}", file=sys.stderr)
            return self.seconds[test]

    def judge(self, mutant, tests, folder, mutated):
        """The outcome and the test that decided it."""
        known = [(self.baseline(test), test) for test in tests]
        for seconds, test in sorted(pair for pair in known if pair[0] is not None):
            outcome = self.run(test, mutated, folder, 10 + 5 * seconds)
            if outcome:
                return outcome, " ".join(word for word in test if word not in ("python3", "{binary}"))
        return "survived", ""


def room_of(file):
    folder = file[len("src/"):].rsplit("/", 1)[0]
    return max((room for room in table.ROOMS if folder == room or folder.startswith(room + "/")), key=len)


class Source:
    """Mutants in a fixed random order, by room: each is of a file (larger ones more often), then of a kind."""

    def __init__(self, builder, seed):
        self.builder, self.seed, self.known = builder, seed, {}

    def of_file(self, file):
        if file not in self.known:
            self.known[file] = mutants.find(ROOT, file, self.builder.flags(file))
        return self.known[file]

    def of_room(self, room):
        return self.drawn(room, self.builder.files(room))

    def by_lines(self, rooms):
        """From all rooms together: files with more lines more often."""
        return self.drawn("lines", {file: self.builder.lines(file) for room in rooms for file in self.builder.files(room)})

    def drawn(self, name, files):
        generator, seen = random.Random(f"{self.seed} {name}"), set()
        for _ in range(100000):
            file = generator.choices(list(files), list(files.values()))[0]
            kinds = {}
            for mutant in self.of_file(file):
                kinds.setdefault(mutant.kind, []).append(mutant)
            if not kinds:
                continue
            names = sorted(kinds)
            kind = generator.choices(names, [WEIGHTS[name] for name in names])[0]
            mutant = generator.choice(kinds[kind])
            if mutant.name() not in seen:
                seen.add(mutant.name())
                yield mutant


class Campaign:
    def __init__(self, arguments):
        self.arguments = arguments
        self.builder = Builder(ROOT, BUILD)
        self.tests, self.book = Tests(self.builder), Book(WORK / "results.json")
        self.source = Source(self.builder, arguments.seed)
        self.deadline = time.time() + 60 * arguments.minutes if arguments.minutes else None
        self.lock, self.rows, self.draws = threading.Lock(), [], {}

    def draw(self, room):
        return self.source.by_lines(table.ROOMS) if room is EVERYWHERE else self.source.of_room(room)

    def is_over(self):
        return self.deadline is not None and time.time() > self.deadline

    def examine(self, mutant):
        """The row of a mutant; None: it is none."""
        row = self.book.get(mutant)
        if row is None or (row["outcome"] == "survived" and not row["wide"] and not self.arguments.first):
            row = self.build_and_judge(mutant)
            self.book.put(mutant, row)
        return None if row["outcome"] == "none" else row

    def build_and_judge(self, mutant):
        folder = WORK / f"job-{threading.get_ident()}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        mutated, room, begin = folder / "mutated.o", room_of(mutant.file), time.time()
        text = (ROOT / mutant.file).read_bytes()
        after = mutant.after.encode("latin-1")
        try:
            self.builder.compile(mutant.file, text[:mutant.begin] + after + text[mutant.end:], mutated)
            if self.builder.is_equivalent(mutant.file, mutated):
                outcome, test = "equivalent", ""
            else:
                outcome, test = self.tests.judge(mutant, table.FIRST[room], folder, mutated)
                if outcome == "survived" and not self.arguments.first:
                    outcome, test = self.tests.judge(mutant, table.WIDER.get(room, table.EVERYTHING), folder, mutated)
        except Unbuildable as problem:
            outcome, test = "none", str(problem)[-1000:]
        shutil.rmtree(folder, ignore_errors=True)
        return {"text": mutant.describe(), "room": room, "outcome": outcome, "test": test, "seconds": round(time.time() - begin, 1),
                "wide": not self.arguments.first}

    def run_next(self, room):
        """The next mutant of a room that is one."""
        row = None
        while row is None and not self.is_over():
            with self.lock:
                mutant = next(self.draws.setdefault(room, self.draw(room)))
            row = self.examine(mutant)
        if row:
            self.take(row)

    def run_one(self, mutant):
        row = None if self.is_over() else self.examine(mutant)
        if row:
            self.take(row)

    def take(self, row):
        with self.lock:
            self.rows.append(row)
            print(f"{row['outcome']:10} {row['text']}" + (f"   [{row['test']}]" if row["test"] else ""), flush=True)


def shares(rooms, count):
    """How many mutants each room gets."""
    return [(room, count // len(rooms) + (i < count % len(rooms))) for i, room in enumerate(rooms)]


def in_turn(pairs):
    """The rooms, each as often as it has mutants, in turn: a run that is cut short has seen some of all."""
    return [room for i in range(max(count for _, count in pairs)) for room, count in pairs if i < count]


def chosen_by_text(campaign, rooms, text):
    return [mutant for room in rooms for file in campaign.builder.files(room) for mutant in campaign.source.of_file(file)
            if text in mutant.describe()]


def print_list(campaign, rooms, arguments):
    if arguments.only:
        found = chosen_by_text(campaign, rooms, arguments.only)
    else:
        found = [mutant for room, count in shares(rooms, arguments.count) for _, mutant in zip(range(count), campaign.draw(room))]
    print("\n".join(mutant.describe() for mutant in found))


def report(rows):
    print(f"\n{'room':22}" + "".join(f"{name:>12}" for name in OUTCOMES))
    for room in table.ROOMS:
        own = [row for row in rows if row["room"] == room]
        if own:
            print(f"{room:22}" + "".join(f"{sum(row['outcome'] == name for row in own):12}" for name in OUTCOMES))
    print(f"{'all':22}" + "".join(f"{sum(row['outcome'] == name for row in rows):12}" for name in OUTCOMES))
    survivors = sorted(row["text"] for row in rows if row["outcome"] == "survived")
    print("\n".join(["", "survivors:", *survivors]) if survivors else "\nno survivors")
    return 1 if survivors else 0


def main():
    parser = argparse.ArgumentParser(prog="script/mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by-lines", action="store_true")
    parser.add_argument("--room", action="append", choices=table.ROOMS)
    parser.add_argument("--only", default="")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--jobs", type=int, default=patience.PROCESSORS)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--first", action="store_true")
    arguments = parser.parse_args()
    children.end_with_us()
    WORK.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(WORK / "unchanged", ignore_errors=True)
    campaign, rooms = Campaign(arguments), [EVERYWHERE] if arguments.by_lines and not arguments.only else arguments.room or list(table.ROOMS)
    if arguments.list:
        print_list(campaign, rooms, arguments)
        return 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        if arguments.only:
            list(pool.map(campaign.run_one, chosen_by_text(campaign, rooms, arguments.only)))
        else:
            list(pool.map(campaign.run_next, in_turn(shares(rooms, arguments.count))))
    if campaign.is_over():
        print("\nthe time is over: run it again to go on")
    return report(campaign.rows)


if __name__ == "__main__":
    sys.exit(main())
