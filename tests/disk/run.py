#!/usr/bin/env python3
"""Searches whose visited states are on the disk give the answers of searches in memory.

    tests/disk/run.py NOETHER [--count N] [--seed N] [--only NUMBER] [--jobs N]

Each case draws a model, options, a number of threads, and after how many states the visited set counts as full (the environment
variable NOETHER_DISK_STATES). Verdicts, lengths of runs and all counts must be those of the search in memory, and nothing may be
left in the folder. The same of searches
that are cut, and resumed from a checkpoint. Then searches with a memory limit that is too small without --disk, full disks, signals, and options that are
refused. The seed is printed; --only repeats one case."""
import concurrent.futures
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/checkpoint"))
from answers import REFUSED, UNKNOWN, Folder, Lost, arguments_of, attempt, cut_and_resume, essence, insist_same, patience, run, safety_models, tell  # noqa: E402

MOST_STATES = 8000
CHOICES = [
    [], [], ["--symmetry", "off"], ["--symmetry", "declared"], ["--keep-going"], ["--keep-going", "--symmetry", "off"],
    ["--stepper", "vm"], ["--stepper", "evaluator"], ["--representative", "canonical"], ["--representative", "sorted"],
    ["--representative", "greedy"], ["--deadlock", "stuck"], ["--deadlock", "off"], ["--depth", "5"],
]
CAPACITIES = (3, 20, 150, 700, 5000)


def with_capacity(states):
    return ["env", f"NOETHER_DISK_STATES={states}"]


def insist_empty(folder):
    left = os.listdir(folder)
    if left:
        raise Lost(f"left on the disk: {left}")


def try_case(noether, number, seed):
    """What it is, whether it applies, and what is wrong (None: nothing)."""
    draw = random.Random(f"{seed} {number}")
    model, words = draw.choice(safety_models()), list(draw.choice(CHOICES))
    capacity, threads = draw.choice(CAPACITIES), draw.choice((1, 1, 2, 3))
    label = f"{model.relative_to(ROOT)} {' '.join(words)} --threads {threads}, {capacity} states at a time"
    command = [noether, "check", str(model), *words, "--engine", "explicit"]
    try:
        with Folder() as folder:
            status, said, answer = run([*command, "--threads", "1", "--states", str(MOST_STATES)], folder)
            depth_only = answer is not None and answer["stopped_kind"] == "depth"
            if status not in (0, 1) and not depth_only or answer is None or answer["stopped_kind"] == "states":
                return label, False, None # not a model for it
            (folder / "disk").mkdir()
            status, said, got = run([*with_capacity(capacity), *command, "--threads", str(threads), "--disk", "disk"], folder)
            if status == REFUSED and "--disk" in said:
                return label, False, None
            insist_same(essence(answer), got)
            insist_empty(folder / "disk")
            return label, True, None
    except Lost as wrong:
        return label, True, str(wrong)


def try_kept(noether, number, seed):
    """Cut and resumed, each time with another number of states at a time: the answer is that of the search in memory."""
    draw = random.Random(f"{seed} kept {number}")
    model, words = draw.choice(safety_models()), [word for word in draw.choice(CHOICES) if word not in ("--depth", "5")]
    label = f"kept: {model.relative_to(ROOT)} {' '.join(words)}"
    has_disk = draw.random() < 0.7 # from the beginning, or when it is resumed

    def way(draw):
        disk = ["--disk", "disk"]
        return (with_capacity(draw.choice(CAPACITIES)), ["--threads", str(draw.choice((1, 1, 2, 3))), *(disk if has_disk else [])],
                [] if has_disk else disk)

    try:
        with Folder() as folder:
            command = [noether, "check", str(model), *words, "--engine", "explicit"]
            status, said, answer = run([*command, "--threads", "1", "--states", str(MOST_STATES)], folder)
            if status not in (0, 1) or answer is None or answer["stopped_kind"] == "states":
                return label, False, None # not a model for it
            (folder / "disk").mkdir()
            status, said, _ = run([*command, "--disk", "disk", "--checkpoint", "kept", "--states", str(MOST_STATES)], folder)
            if status == REFUSED and ("--disk" in said or "--checkpoint" in said):
                return label, False, None
            cut_and_resume(noether, draw, [str(model), *words], essence(answer), folder, way)
            return label, True, None
    except Lost as wrong:
        return label, True, str(wrong)


def german(folder, nodes):
    text = (ROOT / "examples/german.m").read_text().replace("NODE_NUM: 4", f"NODE_NUM: {nodes}")
    (folder / "model.m").write_text(text)
    (folder / "disk").mkdir()
    return ["check", "model.m", "--symmetry", "off", "--engine", "explicit", "--stepper", "vm", "--threads", "1"]


def try_memory(noether):
    """A limit that is too small without the disk; the search goes on with it."""
    if "NOETHER_EMULATED" in os.environ:
        return # an emulator (script/cross) needs more itself
    with Folder() as folder:
        words = german(folder, 4)
        limits = ["--memory", "4M", "--states", "800000"]
        status, said, answer = run([noether, *words, *limits], folder)
        if answer["stopped_kind"] != "memory":
            raise Lost(f"the limit is not too small: {answer['stopped_kind']}")
        status, said, answer = run([noether, *words, *limits, "--disk", "disk"], folder)
        if answer["stopped_kind"] != "states" or answer["statistics"]["states"] != 800000:
            raise Lost(f"exit status {status}, {answer['stopped_by']}, {answer['statistics']['states']} states: {said}")
        insist_empty(folder / "disk")


WIDE = """
const N: 16; M: 16;
type node: 0..N - 1; part: 0..M - 1; number: 0..2147483647;
var is_set: array [node] of boolean; word: array [node] of array [part] of number;
startstate begin
  for n: node do is_set[n] := false; for m: part do word[n][m] := 0; end; end;
end;
ruleset n: node do
  rule !is_set[n] ==> begin
    is_set[n] := true;
    for m: part do word[n][m] := 1234567890 + 100 * n + m; end;
  end;
end;
rule true ==> begin end;
"""


def try_wide(noether):
    """Levels larger than memory, of states of a kilobyte: what the search takes beside its budget (buffers, code, gaps in the heap)
    counts, too, so that the frontier goes to the disk before the limit ends the search."""
    if "NOETHER_EMULATED" in os.environ:
        return
    with Folder() as folder:
        (folder / "model.m").write_text(WIDE)
        (folder / "disk").mkdir()
        words = ["check", "model.m", "--symmetry", "off", "--engine", "explicit", "--stepper", "vm", "--threads", "1", "--deadlock", "off"]
        status, said, answer = run([*with_capacity(5000), noether, *words, "--memory", "18M", "--disk", "disk"], folder)
        if status or answer["statistics"]["states"] != 1 << 16:
            raise Lost(f"exit status {status}, {answer['stopped_by']}, {answer['statistics']['states']} states: {said}")
        insist_empty(folder / "disk")


def try_useless(noether):
    """A disk that is full at once is no reason to end while memory suffices; in /proc no file can be made at all."""
    with Folder() as folder:
        words = [noether, *german(folder, 3)]
        status, said, answer = run([*words, "--disk", "disk", "--disk-limit", "1000"], folder)
        if status or answer["statistics"]["states"] != 58104:
            raise Lost(f"exit status {status}, {answer['stopped_by']}: {said}")
        if not os.path.isdir("/proc/self"):
            return
        status, said, _ = run([*words, "--disk", "/proc"], folder)
        if status != REFUSED or "no file can be made there" not in said:
            raise Lost(f"/proc: exit status {status}: {said.strip()}")


def try_shallow(noether):
    """Resumed with a depth that was reached before: nothing is expanded, and what was held back stays in the checkpoint."""
    with Folder() as folder:
        words = [*with_capacity(3000), noether]
        run([*words, *german(folder, 3), "--disk", "disk", "--checkpoint", "kept", "--states", "20000"], folder)
        if not list((folder / "kept").glob("held-*")):
            raise Lost("nothing was held back")
        run([*words, "resume", "kept", "--disk", "disk", "--depth", "3", "--states", "1000000"], folder)
        status, said, answer = run([*words, "resume", "kept", "--disk", "disk", "--depth", "1000", "--states", "1000000"], folder)
        if status or answer["statistics"]["states"] != 58104:
            raise Lost(f"exit status {status}, {answer and answer['statistics']['states']} states: {said}")


def try_full(noether, seed):
    """Disks that are full after some bytes: a partial answer that says so, or the whole one."""
    draw = random.Random(f"{seed} full")
    for _ in range(12):
        with Folder() as folder:
            words = [*with_capacity(700), noether, *german(folder, 3), "--disk", "disk"]
            limit = draw.randrange(1, 3 << 20)
            status, said, answer = run([*words, "--disk-limit", str(limit)], folder)
            if answer["complete"]:
                if answer["statistics"]["states"] != 58104:
                    raise Lost(f"{answer['statistics']['states']} states")
            elif status != UNKNOWN or answer["stopped_kind"] != "memory" or "disk limit" not in answer['stopped_by']:
                raise Lost(f"--disk-limit {limit}: exit status {status}, {answer['stopped_by']}: {said}")
            insist_empty(folder / "disk")


def try_signals(noether, seed):
    draw = random.Random(f"{seed} signals")
    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with Folder() as folder:
            words = [*with_capacity(5000), noether, *german(folder, 4), "--disk", "disk", "-q"]
            child = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(draw.uniform(0.1, 0.6))
            child.send_signal(kind)
            child.wait(patience.seconds(60))
            insist_empty(folder / "disk")


USES = {
    "no folder": (["--disk", "nowhere"], "No such file"),
    "a file": (["--disk", "model.m"], "Not a directory"),
    "a limit alone": (["--disk-limit", "1G"], "--disk-limit is for --disk"),
    "depth first": (["--disk", "disk", "--search", "dfs"], "--disk needs"),
    "whole states": (["--disk", "disk", "--store", "plain"], "--disk needs"),
    "markers": (["--disk", "disk", "--representative", "markers"], "--disk needs"),
    "fingerprints": (["--disk", "disk", "--hash-compact"], "--hash-compact"),
    "partial-order reduction": (["--disk", "disk", "--reduction", "por"], "--reduction por"),
    "checkpoints of fingerprints": (["--disk", "disk", "--checkpoint", "kept", "--hash-compact"], "--hash-compact"),
    "another engine": (["--disk", "disk", "--engine", "symbolic"], "--disk is for"),
    "CTL": (["--disk", "disk", "--property", "ctl AG EF true;"], "--disk is for safety"),
}


def try_use(noether, name):
    words, wanted = USES[name]
    with Folder() as folder:
        shutil.copy(ROOT / "examples/german.m", folder / "model.m")
        (folder / "disk").mkdir()
        engine = [] if "--engine" in words else ["--engine", "explicit"]
        status, said, _ = run([noether, "check", "model.m", *engine, *words], folder)
        if status != REFUSED or wanted not in said:
            raise Lost(f"exit status {status}: {said.strip()}")
        if (folder / "kept").exists():
            raise Lost("it has made a folder")


def main():
    arguments = arguments_of(60, os.cpu_count())
    noether = arguments.noether
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting = [(f"case {number}", pool.submit(try_case, noether, number, arguments.seed)) for number in arguments.cases]
        waiting += [(f"case {number}", pool.submit(try_kept, noether, number, arguments.seed)) for number in arguments.cases]
        if arguments.only is None:
            waiting += [("too little memory", pool.submit(attempt, "german 4", try_memory, noether)),
                        ("wide levels", pool.submit(attempt, "states of a kilobyte", try_wide, noether)),
                        ("useless disks", pool.submit(attempt, "german 3", try_useless, noether)),
                        ("less depth", pool.submit(attempt, "german 3", try_shallow, noether)),
                        ("full disks", pool.submit(attempt, "german 3", try_full, noether, arguments.seed)),
                        ("signals", pool.submit(attempt, "german 4", try_signals, noether, arguments.seed))]
            waiting += [("refused", pool.submit(attempt, name, try_use, noether, name)) for name in USES]
        outcomes = [(title, *done.result()) for title, done in waiting]
    return tell(outcomes)


if __name__ == "__main__":
    sys.exit(main())
