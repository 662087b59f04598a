#!/usr/bin/env python3
"""Fuzzes what reads anything from outside: models, properties, traces, the command line; and all that `noether check` does.

    script/fuzz [SECONDS for each target, default 60] [SEED INPUTS]
    script/fuzz --hours N             a campaign: all targets in turns, N hours in all
    script/fuzz --replay VARIANT      the seeds and all that was found so far once more, in another build (asan, tsan: script/build)

With a seed and a number of inputs a run can be repeated: script/test asks for that. --only TARGET takes one target (may be
repeated), --jobs J runs J at a time. Inputs that were new are kept in build/fuzz/corpus, those that crashed in build/fuzz/found.
Exit status 1 when a target crashed."""
import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import children
import patience

import seeds

FOLDER = ROOT / "build" / "fuzz"
FOUND = FOLDER / "found"
TURN = 600  # seconds of one turn of a target in a campaign, at most: each begins with the seeds
MOST_BYTES = 16384
# The words of the language that a target reads.
WORDS = {"murphi_fuzz": "murphi", "pipeline_fuzz": "murphi", "prism_fuzz": "prism", "boolean_fuzz": "boolean", "promela_fuzz": "promela",
         "check_fuzz": "both", "properties_fuzz": "both", "generators_fuzz": "both", "trace_fuzz": "trace", "options_fuzz": "options",
         "certificate_fuzz": "certificate", "checkpoint_fuzz": "checkpoint"}
# They print as the command line does.
TALKATIVE = ["trace_fuzz"]
STATISTIC = re.compile(r"stat::(number_of_executed_units|new_units_added):\s*(\d+)")

Turn = collections.namedtuple("Turn", "target status seconds executed added log")


def build(variant, targets):
    made = subprocess.run(["script/build", variant, "noether", *targets], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if made.returncode:
        sys.exit(made.returncode)
    return ROOT / made.stdout.split()[-1]


# The search for leaks at the end of a process goes through the whole address space on aarch64, which takes seconds each time:
# campaigns have it; a run of fixed length has not, nor what makes the seeds (the unit tests look for leaks, all at once).
WITHOUT_LEAKS = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}


def fuzz(programs, target, seconds, repeatable):
    """One turn of libFuzzer."""
    corpus = FOLDER / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    log = FOLDER / f"{target}.log"
    command = [str(programs / target), *repeatable, f"-max_total_time={seconds}", f"-max_len={MOST_BYTES}",
               f"-timeout={int(patience.seconds(20))}", "-rss_limit_mb=2048", f"-dict={FOLDER / 'words' / WORDS[target]}.dict",
               f"-artifact_prefix={FOUND}/{target}-", "-print_final_stats=1", "-verbosity=0",
               *(["-close_fd_mask=3"] if target in TALKATIVE else []), str(corpus), str(FOLDER / "seeds" / target)]
    begin = time.time()
    with open(log, "w") as output:
        child = children.start(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, env=WITHOUT_LEAKS if repeatable else os.environ)
        status = child.wait()
        children.ended(child.pid)
    text = log.read_text(errors="replace")
    numbers = {name: int(number) for name, number in STATISTIC.findall(text)}
    return Turn(target, status, time.time() - begin, numbers.get("number_of_executed_units", 0), numbers.get("new_units_added", 0), text)


def replay(variant, targets):
    """The inputs there are, by a build without libFuzzer."""
    programs = build(variant, targets) / "tests/fuzz"
    failed = 0
    for target in targets:
        folders = [path for path in (FOLDER / "seeds" / target, FOLDER / "corpus" / target) if path.is_dir()]
        done = subprocess.run([str(programs / target), *map(str, folders)], cwd=ROOT, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, errors="replace")
        said = re.split("[\r\n]", done.stderr.strip())
        print(f"{'FAIL' if done.returncode else 'ok  '} {target}, {variant}: {said[-1]}", flush=True)
        if done.returncode:
            failed += 1
            print("\n".join(said[-60:]))
    print(f"{len(targets) - failed} passed, {failed} failed")
    return 1 if failed else 0


def show(turn):
    if turn.status:
        print("\n".join(turn.log.splitlines()[-60:]))
        print(f"a crashing input is in {FOUND.relative_to(ROOT)}")
    print(f"{'FAIL' if turn.status else 'ok  '} {turn.target}: {turn.executed} inputs in {turn.seconds:.0f} s, {turn.added} new ones kept",
          flush=True)


def turns_of(arguments, targets):
    """Targets with the seconds of their turn, until the hours are over."""
    if not arguments.hours:
        return ((target, arguments.seconds) for target in targets)
    end = time.time() + arguments.hours * 3600
    seconds = max(1, min(TURN, int(arguments.hours * 3600 * arguments.jobs / len(targets))))
    return itertools.takewhile(lambda _: time.time() < end, ((target, seconds) for target in itertools.cycle(targets)))


def run_all(programs, arguments, targets):
    repeatable = [f"-seed={arguments.seed}", f"-runs={arguments.inputs}"] if arguments.inputs else []
    waiting = iter(turns_of(arguments, targets))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(fuzz, programs, *turn, repeatable) for turn in itertools.islice(waiting, arguments.jobs)}
        while running:
            ended, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for turn in ended:
                yield turn.result()
            running |= {pool.submit(fuzz, programs, *turn, repeatable) for turn in itertools.islice(waiting, len(ended))}


def summarise(turns):
    total = collections.defaultdict(lambda: [0, 0, 0])
    for turn in turns:
        for i, number in enumerate((turn.executed, turn.seconds, bool(turn.status))):
            total[turn.target][i] += number
    print(f"{'target':18}{'inputs':>12}{'minutes':>9}{'crashes':>9}")
    for target, (executed, seconds, crashes) in sorted(total.items()):
        print(f"{target:18}{executed:12}{seconds / 60:9.1f}{crashes:9}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="script/fuzz")
    parser.add_argument("seconds", nargs="?", type=int, default=60)
    parser.add_argument("seed", nargs="?", type=int)
    parser.add_argument("inputs", nargs="?", type=int)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--replay", metavar="VARIANT")
    parser.add_argument("--only", action="append", metavar="TARGET")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    targets = sorted(path.stem for path in (ROOT / "tests/fuzz").glob("*_fuzz.c"))
    targets = [target for target in targets if not arguments.only or target in arguments.only]
    if not targets:
        parser.error("there is no such target")
    children.end_with_us()
    # The same build as for the tests with sanitizers.
    folder = build("clang-asan", targets)
    FOUND.mkdir(parents=True, exist_ok=True)
    seeds.write(FOLDER, folder / "noether", WITHOUT_LEAKS)
    if arguments.replay:
        return replay(arguments.replay, targets)
    turns = []
    for turn in run_all(folder / "tests/fuzz", arguments, targets):
        show(turn)
        turns.append(turn)
    summarise(turns)
    failed = sum(bool(turn.status) for turn in turns)
    print(f"{len(turns) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
