#!/usr/bin/env python3
"""Promela models against SPIN.

    tests/promela/run.py NOETHER                            the models of tests/models/promela, and random ones with recorded answers
    tests/promela/run.py NOETHER --random --count N --seed S --jobs J [--keep FOLDER] [--ways plain,symmetry] [--only CONSTRUCTS]
    tests/promela/run.py NOETHER --random --seed 1000000    the same with ints at the ends of their range (borders.py)
    tests/promela/run.py NOETHER --record --count N         writes recorded.tsv: what SPIN says of N models
    tests/promela/run.py NOETHER --reference FOLDER         models with a table of counts: FOLDER/micro and FOLDER/micro.tsv

What is compared: the verdict and the kind of violation; the number of states without symmetry; how many states the
representatives stand for with symmetry; the verdict of each formula. A model on which they differ is made smaller, and printed."""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience
import spin
from asked import check_asked
import trails
from compare import WAYS, compare
from constructs import CONSTRUCTS
from generate import generate
from micro import check_folder, check_reference
from shrink import shrink
from traces import check_traces
from tree import text_of
from truth import digest, measure, read_row, write_row

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded.tsv"


def differences(noether, model, truth, ways):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "random.pml"
        path.write_text(text_of(model))
        return list(compare(noether, path, model, truth, ways))


def family(text):
    """What a difference is about, so that a smaller model shows the same."""
    return "refused" if "refused" in text else "states" if "states, SPIN" in text else text.split(":")[0] + ("holds" in text.split(",")[0]) * " holds"


def made_smaller(noether, model, found, ways):
    wanted = {family(text) for text in found}

    def disagrees(smaller):
        truth = measure(smaller, seconds=5, compilers=(spin.THOROUGH,))
        return not isinstance(truth, str) and bool(wanted & {family(text) for text in differences(noether, smaller, truth, ways)})

    return shrink(model, disagrees)


def but_late(found):
    """Without answers that a limit of time has cut off."""
    return [text for text in found if not text.endswith(": late")]


def judge(noether, seed, ways, small, wanted, unwanted):
    """(seed, constructs, a word for the tally, differences, model)"""
    model, used = generate(seed)
    if used & unwanted or (wanted and not used & wanted):
        return seed, used, "left out", [], model
    truth = measure(model, seconds=5)
    if isinstance(truth, str):
        return seed, used, "cut short" if truth == "cut short" or "out of time" in truth else truth if truth == "too large" else "not for SPIN", [], model
    found = differences(noether, model, truth, ways)
    if but_late(found):  # a quick compiler may be wrong about large expressions
        truth = measure(model, seconds=60, compilers=(spin.THOROUGH,))
        found = found if isinstance(truth, str) else differences(noether, model, truth, ways)
    is_late, found = len(but_late(found)) < len(found), but_late(found)
    if found and small:
        model = made_smaller(noether, model, found, ways)
    return seed, used, "late" if is_late and not found else truth.verdict(), found, model


def run_random(arguments):
    ways = arguments.ways.split(",") if arguments.ways else list(WAYS)
    if not spin.is_there():
        print("note: spin is not installed; the random models are not compared with it")
        return 0, 0
    used, tally, failed = set(), collections.Counter(), 0
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        chosen = [set(filter(None, text.split(","))) for text in (arguments.only, arguments.without)]
        work = [pool.submit(judge, arguments.noether, seed, ways, not arguments.whole, *chosen) for seed in seeds]
        for done in concurrent.futures.as_completed(work):
            seed, words, word, found, model = done.result()
            used |= words
            tally[word] += 1
            failed += bool(found)
            if found:
                report(arguments, seed, found, model)
            if sum(tally.values()) % 100 == 0:
                print(f"{sum(tally.values())} models so far", flush=True)
    print("random: " + ", ".join(f"{value} {key}" for key, value in sorted(tally.items())))
    failed += complain_of_missing(used, arguments.count)
    return len(seeds) - failed, failed


def report(arguments, seed, found, model):
    print(f"FAILED seed {seed}: {'; '.join(found)}\n{text_of(model)}", flush=True)
    if arguments.keep:
        path = pathlib.Path(arguments.keep) / f"{seed}.pml"
        path.write_text(f"/* {'; '.join(found)} */\n".replace("\n", " ") + "\n" + text_of(model))


def complain_of_missing(used, count):
    never = [name for name in CONSTRUCTS if name not in used]
    if count < 1000 or not never:
        return 0
    print("FAILED never generated: " + ", ".join(never))
    return 1


def record(arguments):
    """A row for each seed that has an answer, until there are enough. Models that are as they were are not asked about again."""
    rows, known = [], {line.split("\t")[0]: line for line in RECORDED.read_text().splitlines()[1:]} if RECORDED.exists() else {}
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        for start in range(1, 2 * arguments.count, 20):
            seeds = list(range(start, start + 20))
            rows += filter(None, pool.map(row_of_seed, seeds, [known.get(str(seed)) for seed in seeds]))
            RECORDED.write_text("\n".join(["seed\tdigest\tstates\tcomplete\tkinds\tverdicts", *rows[:arguments.count]]) + "\n")
            if len(rows) >= arguments.count:
                break
    print(f"{len(rows[:arguments.count])} models in {RECORDED.name}")


def row_of_seed(seed, known):
    """None: there is no answer."""
    model = generate(seed)[0]
    if known and read_row(known)[1] == digest(model):
        return known
    truth = measure(model)
    return None if isinstance(truth, str) else write_row(seed, model, truth)


def run_recorded(arguments):
    passed = failed = 0
    for number, line in enumerate(RECORDED.read_text().splitlines()[1:]):
        seed, code, truth = read_row(line)
        model, _ = generate(seed)
        found = ["the generator makes another model now: --record"] if digest(model) != code else \
            but_late(differences(arguments.noether, model, truth, ["plain", ["symmetry", "evaluator", "native"][number % 3]]))
        passed, failed = passed + (not found), failed + bool(found)
        if found:
            print(f"FAILED seed {seed}: {'; '.join(found)}")
    return passed, failed


def run_constructs(count=1500):
    """The generator makes everything: no program is needed to see that."""
    used = set()
    for seed in range(1, count + 1):
        used |= generate(seed)[1]
        if seed % 100 == 0 and used >= set(CONSTRUCTS):
            break
    unknown = used - set(CONSTRUCTS)
    if unknown:
        print(f"FAILED not in constructs.py: {', '.join(sorted(unknown))}")
    failed = complain_of_missing(used, count) + bool(unknown)
    return int(not failed), failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--reference", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=patience.many(150))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the models that differ")
    parser.add_argument("--ways", default="", help="some of " + ", ".join(WAYS))
    parser.add_argument("--only", default="", help="only models with one of these constructs (constructs.py)")
    parser.add_argument("--without", default="", help="models with one of these constructs (constructs.py) are left out")
    parser.add_argument("--whole", action="store_true", help="models that differ are not made smaller")
    arguments = parser.parse_args()
    os.environ.setdefault("NOETHER_CFLAGS", "-O0")  # the models are small: compiling them is most of the work
    if arguments.record:
        return record(arguments)
    if arguments.random:
        totals = [run_random(arguments)]
    elif arguments.reference:
        totals = [check_reference(arguments.noether, arguments.reference)]
    else:
        totals = [check_folder(arguments.noether), check_asked(arguments.noether), run_recorded(arguments), run_constructs(),
                  check_traces(arguments.noether), trails.run_recorded(arguments.noether), trails.run_random(arguments.noether, range(1, 13))]
    passed, failed = map(sum, zip(*totals))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
