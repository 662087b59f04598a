#!/usr/bin/env python3
"""tests/por/run.py NOETHER [--count N] [--seed S] [--jobs J]: partial-order reduction and plain exploration say the same.

Every model of tests/models and examples (Murphi and Promela), and N random ones of each generator (generate.py here, those of
tests/promela, tests/differential and tests/guarded): with --keep-going, the verdict of each property, with and without symmetry, with one
and with two threads, and for every order of the search. The reduction must also reduce something."""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

from generate import generate

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path.append(str(TESTS))
import patience

SECONDS, STATES = 20, 30000
WAYS = {"one thread": ["--threads", "1"], "two threads": ["--threads", "2"], "numbered": ["--store", "plain"], "depth first": ["--search", "dfs"]}

# What is refused with a reason.
STATED = ("--reduction por keeps", "--reduction por is for")


class Refused(Exception):
    pass


def ask(noether, path, *options):
    words = [noether, "check", str(path), "--engine", "explicit", "--json", "-", "--keep-going", "--time", str(SECONDS), "--states", str(STATES), *options]
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=patience.seconds(4 * SECONDS), stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1, 3):
        raise Refused(f"exit status {done.returncode}: {(done.stderr or done.stdout).strip()[:400]}")
    return json.loads(done.stdout)


def verdicts(answer):
    return {entry["id"]: (entry["kind"], entry["name"], entry["verdict"]) for entry in answer["results"]}


def is_cut(answer):
    return "limit" in str(answer["stopped_by"])


def difference(plain, reduced):
    """With symmetry, which of the failures in a loop over a scalarset comes first depends on the order of the search; the others are left open then."""
    left, right = verdicts(plain), verdicts(reduced)
    if is_cut(reduced):
        return None
    for each in (entry["id"] for entry in reduced["results"] if "may hide this one" in str(entry.get("reason"))):
        del left[each], right[each]
    return None if left == right else f"plain {sorted(set(left.values()) - set(right.values()))}, reduced {sorted(set(right.values()) - set(left.values()))}"


def warnings(known, reduced):
    """What is only said of the reduced search."""
    return [entry["message"] for entry in reduced["warnings"] if entry not in known]


def judge(noether, path, options, ways):
    """(tally, problems)"""
    tally, problems, true_warnings = collections.Counter(), [], []
    for symmetry in (["--symmetry", "off"], []):
        try:
            plain = ask(noether, path, *options, *symmetry)
        except Refused:
            tally["not for the explicit engine"] += 1
            continue
        if is_cut(plain):  # then there is nothing to compare with
            tally["too large"] += 1
            continue
        true_warnings += plain["warnings"]  # virtual symmetry, which the reduction sets aside, says less than none
        for way in ways:
            name = f"{way}{'' if symmetry else ', with symmetry'}"
            try:
                reduced = ask(noether, path, *options, *symmetry, *WAYS[way], "--reduction", "por")
            except Refused as reason:
                tally["refused"] += 1
                if not any(text in str(reason) for text in STATED):
                    problems.append(f"{name}: {reason}")
                continue
            wrong = difference(plain, reduced)
            if wrong:
                problems.append(f"{name}: {wrong}")
            if not wrong and warnings(true_warnings, reduced):
                problems.append(f"{name}: warns of {warnings(true_warnings, reduced)}")
            if way == ways[0]:
                tally["compared"] += 1
                tally["states"] += plain["statistics"]["states"]
                tally["reduced states"] += reduced["statistics"]["states"]
                tally["violated"] += any(entry[2] == "violated" for entry in verdicts(plain).values())
                tally["smaller"] += reduced["statistics"]["states"] < plain["statistics"]["states"]
                tally["nothing left out"] += not reduced["statistics"]["is_partial_order_reduced"]
    return tally, problems


def of_other(script, folder, first, count):
    """Models that a generator of another folder writes, whose modules have the same names as those here."""
    done = subprocess.run([sys.executable, "-c", script, str(folder), str(first), str(count)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"a generator fails: {done.stderr}")


PROMELA = ("import pathlib, sys\nsys.path.insert(0, {folder!r})\nfrom generate import generate\nfrom tree import text_of\n"
           "for seed in range(int(sys.argv[2]), int(sys.argv[2]) + int(sys.argv[3])):\n"
           "    (pathlib.Path(sys.argv[1]) / f'promela-{{seed}}.pml').write_text(text_of(generate(seed)[0]))\n")
MURPHI = ("import pathlib, sys\nsys.path.insert(0, {folder!r})\nfrom generate import generate, write\n"
          "for seed in range(int(sys.argv[2]), int(sys.argv[2]) + int(sys.argv[3])):\n"
          "    profile = ('plain', 'crowd', 'partial')[seed % 3]\n"
          "    write(str(pathlib.Path(sys.argv[1]) / f'{{profile}}-{{seed}}.m'), generate(seed, profile))\n")
GUARDED = ("import pathlib, sys\nsys.path.insert(0, {folder!r})\nimport run\n"
           "for seed in range(int(sys.argv[2]), int(sys.argv[2]) + int(sys.argv[3])):\n"
           "    (pathlib.Path(sys.argv[1]) / f'guarded-{{seed}}.m').write_text(run.Model(seed).text())\n")


def random_models(folder, first, count):
    jobs = []
    for seed in range(first, first + count):
        text, options = generate(seed)
        path = folder / f"por-{seed}.m"
        path.write_text(text)
        jobs.append((path, options))
    for script, name in ((PROMELA, "promela"), (MURPHI, "differential"), (GUARDED, "guarded")):
        of_other(script.format(folder=str(TESTS / name)), folder, first, count)
    jobs += [(path, []) for path in sorted(folder.iterdir()) if path.suffix in (".m", ".pml") and not path.name.startswith("por-")]
    return jobs


def stored_models():
    examples = TESTS.parent / "examples"
    paths = [*sorted((TESTS / "models").glob("*.m")), *sorted((TESTS / "models/promela").glob("*.pml")), *sorted(examples.glob("*.m")), *sorted(examples.glob("*.pml"))]
    return [(path, []) for path in paths]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noether")
    parser.add_argument("--count", type=int, default=patience.many(18))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only-random", action="store_true")
    options = parser.parse_args()
    total, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = random_models(pathlib.Path(name), options.seed, options.count)
        jobs = [(path, words, ["one thread", "two threads", "numbered", "depth first"]) for path, words in ([] if options.only_random else stored_models()) + jobs]
        for (path, words, _), (tally, problems) in zip(jobs, pool.map(lambda job: judge(options.noether, *job), jobs)):
            total += tally
            for problem in problems:
                failed += 1
                print(f"FAILED {path.name} {' '.join(words)}: {problem}", flush=True)
            if problems and str(path).startswith(name):
                print(path.read_text(), flush=True)
    print(", ".join(f"{count} {word}" for word, count in total.items()))
    if total["smaller"] * 5 < total["compared"]:
        failed += 1
        print("FAILED: hardly any model has fewer states with the reduction")
    print(f"{total['compared'] - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
