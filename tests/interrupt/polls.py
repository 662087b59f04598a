#!/usr/bin/env python3
"""Ends the time at a poll that is given by its number: every engine and language, without the clock.

    tests/interrupt/polls.py NOETHER [--count N] [--seed N] [--only TEXT] [--at POLL] [--time]

With NOETHER_POLLS=n the program works until it has asked n times whether its time is over, then it is (docs/testing.md). A
run that is not cut says how many polls there are; N of them are drawn for each case. Half of the runs have a time limit, the
others end by a signal. The answer of a run that was cut must be well-formed and say why it is no more; none of its verdicts,
values, counts and groups may claim more than the run that was not cut. A failure prints how to repeat it: --only and --at."""
import argparse
import concurrent.futures
import fractions
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import patience  # noqa: E402

UNCUT = 10 ** 15
HANG = 60
VERDICTS = {"holds": 0, "violated": 1, "unknown": 3}
CUT = {"interrupted", "time"}

# Name, command: {out} is a file that it writes, and {kept} the folder of a checkpoint.
CASES = [
    ("explicit", "check examples/german.m -D NODE_NUM=2 --engine explicit"),
    ("explicit-violated", "check examples/german-bug.m -D NODE_NUM=2 --engine explicit"),
    ("explicit-keep-going", "check examples/survey-semaphore.m --engine explicit --keep-going"),
    ("explicit-searched", "check tests/interrupt/models/permutations.m --engine explicit --representative canonical"),
    ("explicit-refined", "check tests/models/scalarset-graphs.m -D N=4 --engine explicit --representative canonical"),
    ("explicit-functional", "check tests/models/scalarset-functional-graphs.m -D N=4 --engine explicit"),
    ("explicit-dfs", "check examples/mesi.m -D CACHES=2 --engine explicit --search dfs"),
    ("explicit-off", "check examples/ticket-lock.m -D N=2 --engine explicit --symmetry off"),
    ("explicit-guarded", "check tests/models/scalarset-ring.m --engine explicit --symmetry guarded"),
    ("explicit-liveness", "check tests/models/liveness-symmetric.m --engine explicit"),
    ("explicit-cover", "check tests/models/cover.m --engine explicit"),
    ("explicit-plain", "check examples/mesi.m -D CACHES=2 --engine explicit --store plain"),
    ("explicit-compact", "check examples/mesi.m -D CACHES=2 --engine explicit --hash-compact"),
    ("explicit-boolean", "check tests/models/boolean/slam.bp --engine explicit"),
    ("explicit-promela", "check examples/client-server.pml --engine explicit"),
    ("explicit-atomic", "check tests/models/promela/atomic-chain.pml --engine explicit"),
    ("explicit-faults", "check tests/models/violated-undefined.m --engine explicit --keep-going"),
    ("detected", "check tests/detection/models/readers-writers.m --engine explicit --symmetry detected"),
    ("detected-ring", "check tests/detection/models/ring-if.m --engine explicit"),
    ("detected-many", "check tests/detection/models/many.m --engine explicit"),
    ("virtual", "check tests/virtual/exchange.m --engine explicit"),
    ("por", "check examples/peterson.m -D N=2 --engine explicit --reduction por"),
    ("por-promela", "check examples/philosophers.pml --engine explicit --reduction por"),
    ("adaptive", "check tests/models/adaptive/readers-writers.m --engine adaptive"),
    ("adaptive-violated", "check examples/german-bug.m --engine adaptive"),
    ("complete", "check examples/token-mutex.m --engine complete"),
    ("complete-lemmas", "check examples/peterson.m -D N=3 --engine complete"),
    ("complete-violated", "check tests/models/complete/philosophers.m --engine complete"),
    ("symbolic", "check examples/mcs-lock.m -D N=2 --engine symbolic"),
    ("symbolic-none", "check examples/ticket-lock.m -D N=3 --engine symbolic --method none"),
    ("symbolic-onthefly", "check examples/two-phase-commit.m --engine symbolic --method onthefly"),
    ("symbolic-dynamic", "check examples/token-mutex.m --engine symbolic --method dynamic"),
    ("symbolic-generic", "check examples/token-mutex.m --engine symbolic --method generic"),
    ("symbolic-backward", "check examples/german-bug.m -D NODE_NUM=2 --engine symbolic --search backward"),
    ("symbolic-violated", "check examples/german-bug.m -D NODE_NUM=2 --engine symbolic"),
    ("symbolic-cover", "check tests/models/cover.m --engine symbolic"),
    ("counter", "check examples/two-phase-commit.m --engine counter"),
    ("counter-peterson", "check examples/peterson.m -D N=3 --engine counter"),
    ("sat", "check examples/mcs-lock.m -D N=2 --engine sat"),
    ("sat-violated", "check tests/models/violated-assert.m --engine sat --method bmc"),
    ("sat-induction", "check examples/token-mutex.m --engine sat --method induction"),
    ("sat-ic3", "check examples/two-phase-commit.m --engine sat --method ic3"),
    ("cover", "check tests/models/boolean/nursery.tts -p tests/models/boolean/nursery.prop --engine cover"),
    ("prove-cover", "prove tests/models/boolean/bell.bp"),
    ("prove-every", "prove examples/token-mutex.m"),
    ("ctl", "check tests/models/ctl-turns.m --engine explicit"),
    ("ctl-witness", "check tests/models/ctl-mixed.m --engine explicit --witness --keep-going"),
    ("ctl-permuted", "check tests/models/ctl-loop-permuted.m --engine explicit --keep-going"),
    ("ctl-searched", "check tests/interrupt/models/permutations.m tests/interrupt/models/permutations.props --engine explicit --keep-going --witness"),
    ("ctl-searched-fair", "check tests/interrupt/models/permutations.m tests/interrupt/models/permutations.props --engine explicit --keep-going --fairness weak"),
    ("ctl-fair", "check examples/survey-semaphore.m --engine explicit --fairness weak --keep-going"),
    ("ctl-symbolic", "check tests/models/ctl-overtaken.m --engine symbolic --keep-going"),
    ("ltl", "check tests/models/promela/ltl-mutex.pml --engine explicit"),
    ("ltl-fair", "check tests/models/promela/ltl-fair.pml --engine explicit --keep-going"),
    ("ltl-exchanged", "check tests/models/promela/ltl-exchanged.pml --engine explicit --keep-going"),
    ("ltl-symbolic", "check examples/ticket-lock.m -D N=2 --engine symbolic"),
    ("ltl-counter", "check examples/ticket-lock.m -D N=2 --engine counter"),
    ("never", "check tests/models/promela/never-accept.pml --engine explicit"),
    ("chain", "check examples/herman.prism examples/herman.props --engine probabilistic"),
    ("chain-exact", "check examples/herman.prism examples/herman.props --engine probabilistic --exact"),
    ("mdp", "check examples/shared-coin.prism examples/shared-coin.props --engine probabilistic"),
    ("ctmc", "check examples/polling.prism examples/polling.props --engine probabilistic"),
    ("chain-symbolic", "check examples/leader.prism examples/leader.props --engine symbolic"),
    ("chain-counter", "check examples/mutex.prism examples/mutex.props --engine counter"),
    ("auto", "check examples/mcs-lock.m -D N=2"),
    ("auto-prism", "check examples/leader.prism examples/leader.props"),
    ("auto-promela", "check examples/alternating-bit.pml"),
    ("auto-boolean", "check tests/models/boolean/taken.bp"),
    ("certificate", "check examples/two-phase-commit.m --engine explicit --certificate {out}"),
    ("resumed", "check tests/interrupt/models/permutations.m --engine explicit --checkpoint {kept}"),
    ("resumed-mesi", "check examples/mesi.m -D CACHES=2 --engine explicit --checkpoint {kept}"),
    ("reduce", "reduce examples/two-phase-commit.m --output {out}"),
    ("reduce-prism", "reduce examples/mutex.prism examples/mutex.props --output {out}"),
    ("graph", "graph tests/interrupt/models/permutations.m --as json --max-nodes 1000 --output {out}"),
    ("symmetry", "symmetry tests/detection/models/torus.m"),
    ("symmetry-tree", "symmetry tests/detection/models/tree.m"),
]


class Run:
    """A run of the program that works until the given poll."""

    def __init__(self, binary, folder, words, polls, with_time):
        self.answer_path, self.out_path, kept = (pathlib.Path(folder) / name for name in ("answer.json", "out", "kept"))
        self.answer_path.write_text("an answer of another run\n")
        for path in self.out_path.parent.glob("out*"):
            path.unlink()
        if words[0] != "resume":
            shutil.rmtree(kept, ignore_errors=True)
        words = [binary, *(word.format(out=self.out_path, kept=kept) for word in words)]
        if words[1] not in ("reduce", "graph"):
            words += ["--json", str(self.answer_path)]
        if words[1] == "check" and ("--engine" not in words or "explicit" in words or "symbolic" in words):
            words += ["--threads", "1"]
        if with_time:
            words += ["--time", "100000"]
        begin = time.monotonic()
        child = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True, errors="replace", env=os.environ | {"NOETHER_POLLS": str(polls), "NOETHER_NO_NATIVE": "1"})
        try:
            self.out, self.err = patience.communicate(child, HANG)
            self.status = child.returncode
        except subprocess.TimeoutExpired:
            child.kill()
            self.out, self.err = child.communicate()
            self.status = "hangs"
        self.seconds = time.monotonic() - begin
        self.written = self.out_path.read_bytes() if self.out_path.exists() else None
        try:
            self.answer = json.loads(self.answer_path.read_text())
        except (OSError, ValueError):
            self.answer = None

    def polls(self):
        return [int(line.split()[0]) for line in self.err.splitlines() if line.endswith(" polls")][-1]


def number(value):
    return fractions.Fraction(value)


def wrong_counts(cut, whole):
    """Counts that are higher than those of the run that was not cut."""
    for name in ("states", "transitions", "rules_fired", "depth"):
        if (cut.get(name) or 0) > (whole.get(name) or 0) and whole.get(name) is not None:
            yield f"{name}: {cut[name]}, of {whole[name]}"
    if cut.get("represented") is not None and whole.get("represented") is not None:
        if cut["represented_is_exact"] and whole["represented_is_exact"] and number(cut["represented"]) > number(whole["represented"]):
            yield f"represented: {cut['represented']}, of {whole['represented']}"
    if len(cut.get("levels") or []) > len(whole.get("levels") or []):
        yield f"levels: {len(cut['levels'])}, of {len(whole['levels'])}"


def wrong_value(cut, whole):
    """Is an interval of the run that was cut beside that of the other?"""
    if cut is None or whole is None or not isinstance(cut, dict):
        return False
    low, high = cut.get("lower"), cut.get("upper")
    if low is None or high is None or whole.get("lower") is None:
        return False
    return float(low) > float(whole["upper"]) or float(high) < float(whole["lower"])


def wrong_results(run, whole):
    """Results that contradict those of the run that was not cut, or say no reason."""
    before = {entry["id"]: entry for entry in whole["results"]}
    for entry in run["results"]:
        other = before.get(entry["id"])
        if entry["verdict"] == "unknown":
            if not entry.get("reason"):
                yield f"{entry['name']}: unknown without a reason"
        elif other is None:
            yield f"{entry['name']}: {entry['verdict']}, but not asked for in the whole run"
            continue
        elif other["verdict"] != entry["verdict"]:
            yield f"{entry['name']}: {entry['verdict']}, but the whole run says {other['verdict']}"
        if other and wrong_value(entry.get("value"), other.get("value")):
            yield f"{entry['name']}: value {entry['value']}, but the whole run says {other['value']}"
        if entry["verdict"] == "violated" and other["trace"] and not entry.get("trace"):
            yield f"{entry['name']}: violated, without its run"


def wrong_symmetry(cut, whole):
    """A group that is no subgroup, by its order."""
    if cut and whole and number(whole["order"]) % number(cut["order"]):
        yield f"a group of order {cut['order']}, where there is one of order {whole['order']}"


def wrong_check(run, whole):
    answer = run.answer
    if answer["verdict"] not in VERDICTS or VERDICTS[answer["verdict"]] != run.status:
        yield f"exit status {run.status} with verdict {answer['verdict']}"
    if answer["verdict"] == "unknown" and not answer["complete"] and answer["stopped_kind"] not in CUT:
        if answer["stopped_kind"] != whole.answer["stopped_kind"]:
            yield f"stopped by {answer['stopped_by']}"
    if answer["complete"] and (not whole.answer["complete"] or
                               answer["statistics"]["states"] != whole.answer["statistics"]["states"]):
        yield f"complete, with {answer['statistics']['states']} states"
    if answer["verdict"] != "unknown" and answer["verdict"] != whole.answer["verdict"]:
        yield f"{answer['verdict']}, but the whole run says {whole.answer['verdict']}"
    if answer["abandoned"]:
        yield "the work did not wind up"
    yield from wrong_results(answer, whole.answer)
    yield from wrong_counts(answer.get("statistics") or {}, whole.answer["statistics"])
    yield from wrong_symmetry(answer.get("symmetry"), whole.answer.get("symmetry"))


def wrong_file(command, run, whole):
    """A file that is not the one of the whole run, and does not say so."""
    if run.status == whole.status and run.written != whole.written:
        yield "another file is written"
    if run.status == whole.status or run.written is None:
        return
    if command != "graph":
        yield "a file is written"
        return
    graph, other = json.loads(run.written), json.loads(whole.written)
    names = {name for node in other["nodes"] for name in node["state"]}
    if any(set(node["state"]) != names for node in graph["nodes"]):
        yield "a node lacks variables"
    if graph["complete"] and graph != other:
        yield "the graph claims to be complete"
    if graph["explored"] > other["explored"] or len(graph["edges"]) > len(other["edges"]):
        yield f"{graph['explored']} nodes, {len(graph['edges'])} edges, of {other['explored']} and {len(other['edges'])}"


def wrong_resumed(binary, run, whole, folder):
    """The answer of a search that goes on from what the cut one kept is that of one in one piece."""
    if run.status != 3 or not (folder / "kept").exists():
        return
    resumed = Run(binary, folder, ["resume", "{kept}"], UNCUT, False)
    if resumed.answer is None or resumed.status != whole.status:
        yield f"resumed: exit status {resumed.status}\n{resumed.err}"
        return
    names = ("states", "represented", "represented_is_exact", "transitions", "rules_fired", "depth")
    for name in names:
        if resumed.answer["statistics"][name] != whole.answer["statistics"][name]:
            yield f"resumed: {name} {resumed.answer['statistics'][name]}, not {whole.answer['statistics'][name]}"
    yield from wrong_results(resumed.answer, whole.answer)


def wrong(case, run, whole):
    """What is wrong with the answer of the run that was cut."""
    if run.status not in (whole.status, 3):
        yield f"exit status {run.status}"
    if any(word in run.out + run.err for word in ("internal error", "Sanitizer", "runtime error:")):
        yield "internal error"
    yield from wrong_file(case[1].split()[0], run, whole)
    if case[1].startswith(("reduce", "graph")):
        return
    if run.answer is None:
        yield "no answer in JSON"
    elif case[1].startswith("symmetry"):
        yield from wrong_symmetry(run.answer, whole.answer)
        if run.answer["order"] != whole.answer["order"] and not run.answer["cut_short"]:
            yield f"a group of order {run.answer['order']}, of {whole.answer['order']}, which is not said to be cut short"
    else:
        yield from wrong_check(run, whole)


def moments(name, seed, count, total):
    """Numbers of polls: half of them early, where models are read and engines begin."""
    draw = random.Random(f"{seed}/{name}")
    return [(int(total * draw.random()) if i % 2 else int((total + 1) ** draw.random()) - 1, draw.random() < 0.5)
            for i in range(count)]


def examine(case, options, folder):
    name, command = case
    folder = pathlib.Path(folder) / name
    folder.mkdir()
    begin = time.monotonic()
    whole = Run(options.binary, folder, command.split(), UNCUT, False)
    if whole.answer is None and not command.startswith(("reduce", "graph")):
        return 0, [f"{name}: {command}: the whole run has no answer\n{whole.err}"], ""
    if whole.answer and whole.answer.get("refusal"):
        return 0, [f"{name}: {command}: refused: {whole.answer['refusal']}"], ""
    total = whole.polls()
    drawn = moments(name, options.seed, options.count, total) if options.at is None else [(options.at, options.time)]
    faults, cut = [], 0
    for polls, with_time in drawn:
        run = Run(options.binary, folder, command.split(), polls, with_time)
        cut += run.status == 3
        for fault in [*wrong(case, run, whole), *wrong_resumed(options.binary, run, whole, folder)]:
            how = f"--only {name} --at {polls}{' --time' if with_time else ''}"
            faults.append(f"{name}: {fault}\n    {how}: noether {command}\n"
                          + "".join(f"    | {line}\n" for line in (run.out + run.err).splitlines()[-6:]))
    shutil.rmtree(folder)
    return cut, faults, f"{name:22} {whole.seconds:6.2f} s, {total:10} polls, {cut:4} of {len(drawn)} cut, {time.monotonic() - begin:.2f} s"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--count", type=int, default=patience.many(4))
    parser.add_argument("--seed", default="2026")
    parser.add_argument("--only")
    parser.add_argument("--at", type=int)
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--jobs", type=int, default=patience.PROCESSORS)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    cases = [case for case in CASES if options.only in (None, case[0])]
    begin, failed, cut = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for were_cut, faults, line in pool.map(lambda case: examine(case, options, folder), cases):
            cut += were_cut
            failed += len(faults)
            for fault in faults:
                print(f"FAILED: {fault}", flush=True)
            if options.verbose:
                print(line, flush=True)
    print(f"seed {options.seed}: {len(cases)} cases, {cut} runs cut, {time.monotonic() - begin:.0f} s")
    print(f"{len(cases) * options.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
