"""A run over random chains: every seed is compared, and what that came to is added up."""
import argparse
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor


def run(compare, count, summary):
    """compare(binary, seed, folder) gives what is wrong with a model, and numbers to add up; summary(count, *sums) what to say of
    them, and whether they are enough: a run that compared little fails. Returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("binary")
    arguments = parser.parse_args()
    failed, rows = 0, []
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = arguments.keep or temporary
        seeds = range(arguments.seed, arguments.seed + arguments.count)
        for seed, (found, *numbers) in zip(seeds, pool.map(lambda s: compare(arguments.binary, s, folder), seeds)):
            rows.append(numbers)
            failed += bool(found)
            for why in found:
                print(f"seed {seed}: {why}")
    passed = len(rows) - failed
    line, is_enough = summary(arguments.count, *map(sum, zip(*rows)))
    print(line)
    if not is_enough:
        print("that is too few to mean anything")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
