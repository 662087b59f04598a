#!/usr/bin/env python3
"""tests/cover/run.py NOETHER [--count N] [--seed S]: the models beside it, whose first line says what is true of them for every
number of threads; and random thread transition systems as Murphi models. The engine cover,
a plain backward search in Python, and plain exploration with growing numbers of threads give the same answers, and the
same least number of threads."""
import argparse
import collections
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience
import thread_system

MOST = 5  # threads explored
VIEWS = collections.Counter()  # answers by decision diagrams: the verdict, and how many threads a view has


def check(binary, path, *words):
    done = subprocess.run([binary, "check", str(path), "--deadlock", "off", "--json", "-", *words], capture_output=True, text=True, timeout=patience.seconds(120))
    try:
        return json.loads(done.stdout)
    except ValueError:
        sys.exit(f"{path} {words}: {done.stdout}{done.stderr}")


def verdict(answer):
    found = {entry["name"]: entry["verdict"] for entry in answer["results"]}
    return found.get("safe", "missing")


def compare_views(binary, path, said, least):
    """Decision diagrams only: the same answer, or none."""
    answer = check(binary, path, "--engine", "cover", "--method", "views")
    found, size = verdict(answer), answer["statistics"]["every_size"]
    VIEWS[found, size["views"]] += 1
    if found not in (said, "unknown") or size["violated_with"] not in (None, least) or (found == "violated") != bool(size["violated_with"]):
        return f"by views: {found} with {size['violated_with']}, where {said} with {least}"
    return None


def compare(binary, path, system):
    """What is wrong, or None; and the least number of threads."""
    least = system.least()
    answer = check(binary, path, "--engine", "cover")
    said = verdict(answer)
    if said != ("holds" if least is None else "violated"):
        return f"cover says {said}, the backward search {least}", least
    if least is not None and answer["statistics"]["every_size"]["violated_with"] != least:
        return f"cover: {answer['statistics']['every_size']['violated_with']} threads, the backward search {least}", least
    by_views = compare_views(binary, path, said, least)
    if by_views:
        return by_views, least
    cutoff = answer["statistics"]["every_size"]["cutoff"]
    for pair in itertools.product(range(system.shared), ((local,) for local in range(system.locals))) if cutoff else ():
        if (system.least(pair) or 0) > cutoff:
            return f"cutoff {cutoff}, but {pair} takes {system.least(pair)} threads", least
    sizes = {MOST} if least is None or least > MOST else {least, least - 1} - {0}
    for size in sorted(sizes):
        explored = verdict(check(binary, path, "-D", f"N={size}", "--engine", "explicit"))
        if explored != ("holds" if least is None or size < least else "violated"):
            return f"with {size} threads plain exploration says {explored}, the least number is {least}", least
    return None, (least, bool(cutoff))


def violated(answer):
    return any(entry["verdict"] == "violated" for entry in answer["results"])


def judge_model(binary, path):
    """What is wrong, or None: the first line says `holds`, `violated THREADS`, `unknown` or `refused [LINE]`."""
    word, *number = path.read_text().splitlines()[0].split()[1:]
    answer = check(binary, path, "--engine", "cover")
    if word == "refused":
        lines = [entry["line"] for entry in answer["diagnostics"]] if "diagnostics" in answer else []
        return None if "refusal" in answer and (not number or int(number[0]) in lines) else f"refused in {lines}"
    least = answer["statistics"]["every_size"]["violated_with"]
    verdicts = {entry["verdict"] for entry in answer["results"]}
    if word != "violated":
        return None if (word == "unknown") == ("unknown" in verdicts) and "violated" not in verdicts else f"{verdicts}"
    if least != int(number[0]) or not violated(answer) or answer["defines"] != {"N": number[0]}:
        return f"violated with {least}, {answer['defines']}"
    if any(entry["verdict"] == "violated" and not entry["trace"] for entry in answer["results"]):
        return "there is no run"
    for size in (least - 1, least):
        if size and violated(check(binary, path, "-D", f"N={size}", "--engine", "explicit")) != (size == least):
            return f"plain exploration disagrees with {size} threads"
    return None


KEEP_GOING = """const N: 1; type Thread: scalarset(N); var pc: array [Thread] of 0..1; full: boolean;
startstate begin full := false; for t: Thread do pc[t] := 0; end; end;
ruleset t: Thread do rule "on" pc[t] = 0 ==> pc[t] := 1; end; end;
invariant "none" forall t: Thread do pc[t] = 0 end;
invariant "not three" !exists t: Thread do exists u: Thread do exists v: Thread do
  t != u & t != v & u != v & pc[t] = 1 & pc[u] = 1 & pc[v] = 1 end end end;
invariant "fine" !full;
"""


def keeps_going(binary, path):
    """Runs with different least numbers of threads, in one answer: the larger number shows both."""
    path.write_text(KEEP_GOING)
    answer = check(binary, path, "--engine", "cover", "--keep-going")
    found = {entry["name"]: (entry["verdict"], entry["reason"] or "") for entry in answer["results"]}
    ok = found["none"][0] == found["not three"][0] == "violated" and found["fine"][0] == "holds"
    return None if ok and "with 1 element" in found["none"][1] and "with 3 elements" in found["not three"][1] else found


def proves(binary, path):
    """The command, its exit codes, and limits."""
    path.write_text(KEEP_GOING)
    folder = pathlib.Path(__file__).parent / "models"
    codes = [subprocess.run([binary, "prove", *map(str, words)], capture_output=True).returncode
             for words in ([folder / "lock.m", "--threads", "any"], [folder / "lock-late.m"], [folder / "universal-guard.m", "--engine", "cover"],
                           [folder / "semaphore.m", "--states", "2"], [folder / "lock.m", "--engine", "explicit"])]
    return None if codes == [0, 1, 2, 3, 2] else codes


def given(binary, folder):
    """The number of failures of all that is not random."""
    failed = 0
    models = sorted((pathlib.Path(__file__).parent / "models").glob("*.m"))
    tests = [(path.name, judge_model(binary, path)) for path in models]
    for test in (keeps_going, proves):
        tests.append((test.__name__, test(binary, pathlib.Path(folder, "model.m"))))
    for name, wrong in tests:
        if wrong:
            failed += 1
            print(f"{name}: {wrong}")
    return len(tests), failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=patience.many(60))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seen = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        tests, failed = given(options.binary, folder)
        for seed in range(options.seed, options.seed + options.count):
            path = pathlib.Path(folder, "model.m")
            system = thread_system.random_system(seed)
            path.write_text(system.model())
            wrong, outcome = compare(options.binary, path, system)
            seen[outcome] += 1
            if wrong:
                failed += 1
                print(f"seed {seed}: {wrong}\n{system.model()}")
    counts = collections.Counter()
    for outcome, count in seen.items():
        least, has_cutoff = outcome if isinstance(outcome, tuple) else (outcome, False)
        counts["safe" if least is None else f"violated with {least}"] += count
        counts["with a cutoff"] += count * has_cutoff
    print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    print(", ".join(f"{said}{f' by views of {size}' if size else ''}: {count}" for (said, size), count in sorted(VIEWS.items(), key=str)))
    if options.count >= 100 and (len(counts) < 5 or counts["with a cutoff"] < options.count / 10):
        failed += 1
        print("the systems do not meet every outcome")
    print(f"{tests + options.count - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
