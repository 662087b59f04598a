#!/usr/bin/env python3
"""script/hunt: a campaign on random models of all languages, in random configurations, against oracles outside the engines.

    script/hunt --minutes 10 --jobs 8         goes on with the campaign of this seed (build/hunt/results.jsonl)
    script/hunt --hours 8 --seed 7            another one
    script/hunt --count 2000 --fresh          2,000 models, from the beginning
    script/hunt --report                      only the tables and the models that were found, of the results so far
    script/hunt --coverage                    every construct, with the number of models that have it
    script/hunt --only promela,spin           only these sources and lanes (--list names them)

Most models go through the program hunt, which checks many of them in one process (tests/hunt/hunt.c); the others through whole programs
(tests/hunt/outer.py). A batch of models follows from the seed and its number alone. What is found is made small and written to build/hunt/found:
a model, a row for tests/findings, and finding.json with the seed and the command. Exit status 1 if something was found."""
import argparse
import collections
import concurrent.futures
import concurrent.futures.process
import dataclasses
import json
import os
import pathlib
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback

import coverage
import found
import inner
import outer
import sources

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZE = 100  # models of a batch of the program hunt
OF_HUNT = 0.75  # of the batches
COMPILED, COMPILED_SIZE = 0.015, 6  # batches of it whose rules are compiled
WITH_CONSTRUCTS = 10  # of so many batches of Murphi models one is looked at for its constructs
WHOLE_TEXTS = 3  # models that one process keeps of each symptom
FEW = 3  # of a lane, with --each
GRACE = 20  # seconds for batches under way, when the time is over
SEEDS = 1000  # of a batch: no other has these


def plan_each(seed, number, only, models):
    """The same of all sources and lanes in turn: so many models, and a few of each lane."""
    names = [name for name in [*sources.SOURCES, *outer.LANES] if not only or name in only]
    name, first = names[number % len(names)], (seed * 10**7 + number) * SEEDS
    if name in sources.SOURCES:
        return "inner", name, range(first, first + models), []
    return "outer", name, range(first, first + min(outer.LANES[name][1], FEW)), []


def plan(seed, number, only):
    """(lane, source or name, seeds, options)"""
    dice = random.Random(f"{seed} {number}")
    first = (seed * 10**7 + number) * SEEDS
    of_hunt, of_lanes = ({name: row[2] for name, row in table.items() if not only or name in only} for table in (sources.SOURCES, outer.LANES))
    if of_hunt and (dice.random() < OF_HUNT or not of_lanes):
        source = dice.choices(list(of_hunt), list(of_hunt.values()))[0]
        if dice.random() < COMPILED:
            return "inner", source, range(first, first + COMPILED_SIZE), ["--native", "100", "--draws", "2", "--milliseconds", "2000"]
        return "inner", source, range(first, first + SIZE), []
    name = dice.choices(list(of_lanes), list(of_lanes.values()))[0]
    return "outer", name, range(first, first + outer.LANES[name][1]), []


class Worker:
    """What a process keeps between batches."""

    def __init__(self, programs, plant, folder):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.programs = pathlib.Path(programs)
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        os.environ.update(NOETHER_CFLAGS="-O0", XDG_CACHE_HOME=str(self.folder / "cache"), TMPDIR=str(self.folder), CI="1")
        tempfile.tempdir = str(self.folder)
        self.hunter = inner.Hunter(self.programs / "tests/hunt/hunt", self.folder / "models", ["--plant", str(plant)] if plant else [])
        self.context = outer.Context(str(self.programs / "noether"), self.folder, str(self.programs / "tests/differential/compare"))
        self.seen = collections.Counter()

    def constructs(self, source, seeds):
        language, make, _ = sources.SOURCES[source]
        words = collections.Counter()
        if language == "prism":
            for seed in seeds:
                words.update(f"prism {name}" for name in coverage.of_prism(make(seed)))
        elif language == "murphi":
            paths = [self.hunter.write(f"{source}-{seed}", make(seed)) for seed in seeds]
            words = {f"murphi {name}": number for name, number in coverage.of_murphi(self.programs / "tests/differential/constructs", paths).items()}
            for path in paths:
                path.unlink()
                path.with_suffix(".props").unlink(missing_ok=True)
        return words

    def run(self, seed, number, only, each):
        lane, name, seeds, options = plan_each(seed, number, only, each) if each else plan(seed, number, only)
        begin, before = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            batch = inner.run(self.hunter, name, seeds, *options) if lane == "inner" else outer.run_lane(self.context, name, seeds)
        except Exception:  # pylint: disable=broad-except  # a generator that fails: the campaign goes on
            batch = inner.Batch(findings=[inner.Findings(name, seeds.start, "generator", "any", "the generator fails", traceback.format_exc(limit=-3), "", "", ".txt")])
        words = dict(batch.words)
        if lane == "inner" and (sources.SOURCES[name][0] == "prism" or each or number % WITH_CONSTRUCTS == 0):
            words |= self.constructs(name, seeds)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = time.process_time() - begin + sum(getattr(after, part) - getattr(before, part) for part in ("ru_utime", "ru_stime"))
        for each in batch.findings:
            self.seen[each.symptom] += 1
            if self.seen[each.symptom] > WHOLE_TEXTS and lane == "inner":
                each.text = each.properties = ""
        return {"batch": number, "lane": lane, "name": name, "first": seeds.start, "models": batch.models, "runs": batch.runs, "cpu": round(cpu, 3),
                "tally": dict(batch.tally), "words": words, "refusals": dict(batch.refusals), "findings": [dataclasses.asdict(each) for each in batch.findings]}


worker = None


def begin(*arguments):
    global worker  # pylint: disable=global-statement
    worker = Worker(*arguments)


def work(*arguments):
    return worker.run(*arguments)


class Results:
    """The lines of a file: one for the campaign, then one for each batch."""

    def __init__(self, path, seed, is_fresh):
        self.path, self.done, self.lines = pathlib.Path(path), set(), []
        self.path.parent.mkdir(parents=True, exist_ok=True)
        old = self.path.read_text().splitlines() if self.path.exists() and not is_fresh else []
        for text in old:
            try:
                self.lines.append(json.loads(text))
            except json.JSONDecodeError:  # the last line of a run that was killed
                continue
        if self.lines and self.lines[0].get("seed") != seed:
            sys.exit(f"{path}: this is a campaign with seed {self.lines[0].get('seed')}: give that seed, or --fresh")
        self.head = self.lines[0] if self.lines else {"seed": seed}
        self.lines = self.lines[1:]
        self.done = {line["batch"] for line in self.lines}
        self.file = self.path.open("w")
        for line in (self.head, *self.lines):
            self.file.write(json.dumps(line) + "\n")

    def add(self, line):
        self.lines.append(line)
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def total(self, key):
        return sum(line[key] for line in self.lines)

    def counted(self, key):
        counter = collections.Counter()
        for line in self.lines:
            counter.update(line[key])
        return counter

    def findings(self):
        return [each for line in self.lines for each in line["findings"]]


def stop(pool, waiting):
    """Batches under way are lost: they are made again when the campaign goes on."""
    for each in waiting:
        each.cancel()
    for process in list(pool._processes.values()):  # pylint: disable=protected-access
        process.terminate()


def hunt(arguments, results):
    """Until the time is over, or there are as many models."""
    until = time.monotonic() + (arguments.minutes * 60 + arguments.hours * 3600 or float("inf"))
    enough = results.total("models") + arguments.count if arguments.count else 0
    only = set(filter(None, arguments.only.split(",")))
    unknown = only - {*sources.SOURCES, *outer.LANES}
    if unknown:
        sys.exit(f"hunt: there is no source or lane {', '.join(sorted(unknown))}; --list names them")
    last = len([name for name in [*sources.SOURCES, *outer.LANES] if not only or name in only]) if arguments.each else 10**7
    numbers = (number for number in range(last) if number not in results.done)
    is_over = lambda: time.monotonic() > until or (enough and results.total("models") >= enough)  # noqa: E731
    with tempfile.TemporaryDirectory(prefix="noether-hunt-") as folder:
        while not run_pool(arguments, results, numbers, only, is_over, until + GRACE, folder):
            print("a process was killed: others take its place", flush=True)


def run_pool(arguments, results, numbers, only, is_over, end, folder):
    """False: one of its processes has died, and there is more to do."""
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs, initializer=begin, initargs=(arguments.programs, arguments.plant, folder)) as pool:
        waiting, told = set(), time.monotonic()
        try:
            while True:
                while not is_over() and len(waiting) < arguments.jobs + 2 and (number := next(numbers, None)) is not None:
                    waiting.add(pool.submit(work, arguments.seed, number, only, arguments.each))
                if not waiting:
                    return True
                if time.monotonic() > end:
                    stop(pool, waiting)
                    return True
                done, waiting = concurrent.futures.wait(waiting, timeout=1, return_when=concurrent.futures.FIRST_COMPLETED)
                for each in done:
                    results.add(each.result())
                if time.monotonic() > told + 60:
                    told = time.monotonic()
                    print(f"{results.total('models'):,} models, {results.total('runs'):,} runs, {len(results.findings())} findings", flush=True)
        except concurrent.futures.process.BrokenProcessPool:
            return is_over()
        except KeyboardInterrupt:
            stop(pool, waiting)
            return True


def verdict_table(results):
    """Models, runs and verdicts by language; runs by setting."""
    tally, names = results.counted("tally"), ("murphi", "prism", "promela", "boolean")
    yield "| language | models in one process | violated | hold | too large | invalid |\n|---|---|---|---|---|---|"
    for name in names:
        count = lambda word, name=name: f"{tally[f'{name} {word}']:,}"  # noqa: E731
        models = sum(tally[f"{name} model {word}"] for word in ("ok", "FAIL", "skip", "invalid"))
        yield f"| {name} | {models:,} | {count('verdict violated')} | {count('verdict holds')} | {count('model skip')} | {count('model invalid')} |"
    yield "\n| setting | runs that agree | refused | late | differ |\n|---|---|---|---|---|"
    settings = collections.defaultdict(collections.Counter)
    for key, value in tally.items():
        name, *setting, word = key.split(" ")
        if name in names and word in ("agrees", "refused", "late", "FAIL") and setting and setting[0][0] in "-(":
            settings[" ".join(setting)][word] += value
    for setting, counts in sorted(settings.items()):
        yield f"| `{setting}` | " + " | ".join(f"{counts[word]:,}" for word in ("agrees", "refused", "late", "FAIL")) + " |"
    yield "\n| lane | models | outcomes |\n|---|---|---|"
    for lane in outer.LANES:
        counts = {key[len(lane) + 1:]: value for key, value in tally.items() if key.startswith(lane + " ") and not re.match(rf"{lane} (-|\(|model|verdict)", key)}
        models = sum(line["models"] for line in results.lines if line["name"] == lane)
        yield f"| {lane} | {models:,} | {', '.join(f'{value:,} {key}' for key, value in sorted(counts.items()))} |"


def tell(arguments, results):
    cpu = results.total("cpu")
    print(*verdict_table(results), sep="\n")
    print(*coverage.table(results.counted("words")), sep="\n")
    for reason, count in results.counted("refusals").most_common(12):
        print(f"{count:9,} refused: {reason}")
    findings = results.findings()
    for line in found.write(findings, pathlib.Path(arguments.results) / "found", pathlib.Path(arguments.programs) / "tests/hunt/hunt",
                            ["--plant", str(arguments.plant)] if arguments.plant else [], 0 if arguments.no_shrink else arguments.shrink_seconds):
        print(line, flush=True)
    print(f"{results.total('models'):,} models, {results.total('runs'):,} runs, {cpu:,.0f} CPU s, {results.total('models') / max(cpu, 1e-9):.1f} models per CPU second, "
          f"{len(found.group(findings))} kinds of findings in {len(findings)} runs")
    if arguments.each:
        print(f"{results.total('models')} passed, {len(found.group(findings))} failed")
    return 1 if findings else 0


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0], epilog=__doc__.split("\n", maxsplit=1)[1], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=0)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--count", type=int, default=0, help="so many models more")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="sources and lanes, with commas")
    parser.add_argument("--each", type=int, default=0, help="so many models of each source, a few of each lane, and no more")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--report", action="store_true", help="only the tables")
    parser.add_argument("--coverage", action="store_true", help="only the constructs, all of them")
    parser.add_argument("--list", action="store_true", help="the sources and lanes")
    parser.add_argument("--no-shrink", action="store_true", help="models that were found stay as they are")
    parser.add_argument("--shrink-seconds", type=float, default=40, help="for each kind of finding")
    parser.add_argument("--plant", type=int, default=0, help="a self-test: every so many-th answer is made wrong")
    parser.add_argument("--results", default=str(ROOT / "build/hunt"))
    parser.add_argument("--programs", default=str(ROOT / "build"))
    return parser.parse_args()


def main():
    arguments = parse()
    arguments.programs = os.path.abspath(arguments.programs)
    if arguments.list:
        print(*sources.SOURCES, *outer.LANES, sep="\n")
        return 0
    results = Results(pathlib.Path(arguments.results) / "results.jsonl", arguments.seed, arguments.fresh)
    if arguments.coverage:
        print(*coverage.full_table(results.counted("words")), sep="\n")
        return 0
    if not arguments.report:
        if not (arguments.count or arguments.minutes or arguments.hours or arguments.each):
            arguments.hours = 1
        hunt(arguments, results)
    return tell(arguments, results)


if __name__ == "__main__":
    sys.exit(main())
