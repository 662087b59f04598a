"""A run over random chains: every seed is compared, and what that came to is added up."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience


def compare_in_time(compare, binary, seed, folder):
    """A model that takes too long fails by itself: the others are compared all the same."""
    try:
        return compare(binary, seed, folder)
    except subprocess.TimeoutExpired as late:
        return [f"took more than {late.timeout:.0f} s: {' '.join(map(str, late.cmd))}"],


def run(compare, count, summary):
    """compare(binary, seed, folder) gives what is wrong with a model, and numbers to add up; summary(count, *sums) what to say of
    them, and whether they are enough: a run that compared little fails. Returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=patience.many(count))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("binary")
    arguments = parser.parse_args()
    failed, passed, rows = 0, 0, []
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = arguments.keep or temporary
        seeds = range(arguments.seed, arguments.seed + arguments.count)
        for seed, (found, *numbers) in zip(seeds, pool.map(lambda s: compare_in_time(compare, arguments.binary, s, folder), seeds)):
            rows += [numbers] if numbers else []
            failed += bool(found)
            passed += not found
            for why in found:
                print(f"seed {seed}: {why}")
    line, is_enough = summary(arguments.count, *map(sum, zip(*rows))) if rows else ("nothing was compared", False)
    print(line)
    if not is_enough:
        print("that is too few to mean anything")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
