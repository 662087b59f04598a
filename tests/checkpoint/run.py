#!/usr/bin/env python3
"""Searches that are cut and resumed give the answers of searches that are not.

    tests/checkpoint/run.py NOETHER [--count N] [--seed N] [--only NUMBER] [--jobs N]

Each case draws a model, options, and numbers of states after which the search is cut (--states); it is resumed until it is
done, with other numbers of threads. Verdicts, lengths of runs and all counts must be those of the search in one piece, and
nothing may be left behind. Then checkpoints that must not be resumed: each is refused with a sentence about what is wrong,
exit status 2, and stays as it is. The seed is printed; --only repeats one case."""
import concurrent.futures
import ctypes
import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from answers import REFUSED, ROOT, UNKNOWN, Folder, Lost, arguments_of, attempt, cut_and_resume, essence, patience, run, safety_models, tell

MOST_STATES = 100000
CHOICES = [
    [], [], ["--symmetry", "off"], ["--symmetry", "declared"], ["--keep-going"], ["--keep-going", "--symmetry", "off"],
    ["--stepper", "vm"], ["--stepper", "evaluator"], ["--hash-compact"], ["--representative", "canonical"],
    ["--representative", "sorted"], ["--representative", "greedy"], ["--deadlock", "stuck"], ["--deadlock", "off"],
]


def draw_case(draw, models):
    words = list(draw.choice(CHOICES))
    if draw.random() < 0.3:
        words += [word for word in draw.choice(CHOICES) if word == "--keep-going"]
    return draw.choice(models), words


def draw_way(draw):
    return [], ["--threads", str(draw.choice((1, 1, 2, 3)))], []


def try_case(noether, number, seed):
    """None: it passed or does not apply; else what is wrong."""
    draw = random.Random(f"{seed} {number}")
    model, words = draw_case(draw, safety_models())
    label = f"{model.relative_to(ROOT)} {' '.join(words)}"
    try:
        with Folder() as folder:
            status, said, answer = run([noether, "check", str(model), *words, "--engine", "explicit", "--threads", "1",
                                        "--states", str(MOST_STATES)], folder)
            if status not in (0, 1) or answer is None or answer["stopped_kind"] == "states":
                return label, False, None # not a model for it
            status, said, _ = run([noether, "check", str(model), *words, "--engine", "explicit", "--checkpoint", "kept",
                                   "--states", str(MOST_STATES)], folder)
            if status == REFUSED and "--checkpoint" in said:
                return label, False, None
            cut_and_resume(noether, draw, [str(model), *words], essence(answer), folder, draw_way)
            return label, True, None
    except Lost as wrong:
        return label, True, str(wrong)


# --- what is found when the end comes ---

# The violation is among the first successors of a level that is cut by --states.
WIDE = """var a: 0..9; b: 0..99;
startstate a := 0; b := 0; endstartstate;
ruleset i: 0..99 do rule a = 0 & b = 0 ==> b := i; endrule; endruleset;
ruleset i: 1..9 do rule b > 0 ==> a := i; endrule; endruleset;
invariant "small" a != 1;
"""

# Two steps to a violation that are taken fast enough, and followed (by the evaluator, several times) slowly.
SLOW = """var a: 0..9; s: 0..1;
startstate a := 0; s := 0; endstartstate;
rule a < 5 ==> for i: 0..999 do for j: 0..999 do for k: 0..9 do s := 1 - s; endfor; endfor; endfor; a := a + 1; endrule;
invariant "small" a < 2;
"""


def verdict_of(answer, name="small"):
    return next(result for result in answer["results"] if name in result["name"])


def try_found_at_limit(noether):
    """A violation that was found before the limit was reached is reported, with its run."""
    with Folder() as folder:
        (folder / "model.m").write_text(WIDE)
        status, said, answer = run([noether, "check", "model.m", "--engine", "explicit", "--deadlock", "off", "--threads", "1",
                                    "--states", "150"], folder)
        result = answer and verdict_of(answer)
        if status != 1 or result["verdict"] != "violated" or len(result["trace"]) != 3:
            raise Lost(f"exit status {status}: {result} {said.strip()}")


def try_unmade(noether):
    """How many successors were not made is counted over all runs together: those of the last one alone are fewer."""
    with Folder() as folder:
        shutil.copy(ROOT / "examples/german.m", folder / "model.m")
        words = ["check", "model.m", "--engine", "explicit", "--symmetry", "off", "--threads", "1", "-D", "NODE_NUM=3"]
        _, _, whole = run([noether, *words], folder)
        _, _, cut = run([noether, *words, "--checkpoint", "kept", "--states", "40000"], folder)
        _, said, resumed = run([noether, "resume", "kept", "--states", "1000000"], folder)
        if resumed is None:
            raise Lost(said)
        counts = [answer["statistics"]["unmade"] for answer in (whole, cut, resumed)]
        if not 0 < counts[1] < counts[2] <= whole["statistics"]["transitions"] or counts[2] < counts[0] / 2:
            raise Lost(f"in one piece, before and behind the cut: {counts}")


def has_found(kept):
    """Has the search that is kept found something? (It may have the state, and have had no time to judge it.)"""
    if not (kept / "manifest").exists():
        return False
    manifest = json.loads((kept / "manifest").read_text().split("\n", 1)[1])
    return any(part["found"] for part in manifest["search"]["parts"])


def try_found_too_late(noether):
    """Where there was time to find it, and not to follow its run, it is named all the same; resumed, it has its run."""
    for seconds in ("0.5", "1", "2"):
        with Folder() as folder:
            (folder / "model.m").write_text(SLOW)
            status, said, answer = run([noether, "check", "model.m", "--engine", "explicit", "--deadlock", "off", "--threads", "1",
                                        "--stepper", "vm", "--time", seconds, "--checkpoint", "kept"], folder)
            result = answer and verdict_of(answer)
            if result is None:
                raise Lost(f"exit status {status}: {said.strip()}")
            if result["verdict"] == "unknown" and has_found(folder / "kept") and "found after 2 steps" not in result["reason"]:
                raise Lost(f"nothing is said of it: {result}")
            if not (folder / "kept").exists(): # it was confirmed, or not found
                continue
            _, said, answer = run([noether, "resume", "kept", "--time", "1000"], folder)
            result = answer and verdict_of(answer)
            if result is None or result["verdict"] != "violated" or len(result["trace"]) != 3:
                raise Lost(f"resumed: {result} {said.strip()}")


# --- what is refused ---

def write_manifest(folder, change):
    """The manifest with another body, and the hash of the one that was there."""
    path = folder / "kept/manifest"
    head, body = path.read_text().split("\n", 1)
    path.write_text(head + "\n" + change(body))


def flip(path, place):
    data = bytearray(path.read_bytes())
    data[place % len(data)] ^= 0x10
    path.write_bytes(data)


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-1])


def other_model(folder):
    model = folder / "model.m"
    model.write_text(model.read_text().replace("NODE_NUM: 3", "NODE_NUM: 4"))


def other_version(folder):
    path = folder / "kept/manifest"
    path.write_text(path.read_text().replace("noether checkpoint 2 ", "noether checkpoint 1 ", 1))


SPOILERS = {
    "another model": (other_model, "are not what they were"),
    "another version": (other_version, "version 1"),
    "the model is gone": (lambda folder: (folder / "model.m").unlink(), "model.m"),
    "the manifest is damaged": (lambda folder: flip(folder / "kept/manifest", 700), "damaged"),
    "the manifest has another number": (lambda folder: write_manifest(folder, lambda body: body.replace('"depth":', '"depth":1', 1)), "damaged"),
    "the manifest is cut": (lambda folder: cut_short(folder / "kept/manifest"), "damaged"),
    "the manifest is empty": (lambda folder: (folder / "kept/manifest").write_text(""), "not one of a checkpoint"),
    "the manifest is gone": (lambda folder: (folder / "kept/manifest").unlink(), "no checkpoint"),
    "a segment is damaged": (lambda folder: flip(folder / "kept/segment-0-000001", 4000), "kept: segment-0-000001: it is damaged"),
    "a head in a segment is damaged": (lambda folder: flip(folder / "kept/segment-0-000001", 17), "kept: segment-0-000001: it is damaged"),
    "a segment is cut": (lambda folder: cut_short(folder / "kept/segment-0-000001"), "shorter"),
    "a segment is gone": (lambda folder: (folder / "kept/segment-0-000001").unlink(), "kept: segment-0-000001: "),
    "fewer states are allowed": (lambda folder: None, "more states"),
}


def contents(folder):
    return {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))}


def try_spoiler(noether, name):
    spoil, words = SPOILERS[name]
    try:
        with Folder() as folder:
            shutil.copy(ROOT / "examples/german.m", folder / "model.m")
            (folder / "model.m").write_text((folder / "model.m").read_text().replace("NODE_NUM: 4", "NODE_NUM: 3"))
            status, said, _ = run([noether, "check", "model.m", "--checkpoint", "kept", "--states", "1500"], folder)
            if status != UNKNOWN:
                raise Lost(f"it was not cut: {said}")
            spoil(folder)
            before = contents(folder / "kept")
            limit = ["--states", "5"] if words == "more states" else ["--states", "100000"]
            status, said, _ = run([noether, "resume", "kept", *limit], folder)
            if status != REFUSED or words not in said:
                raise Lost(f"exit status {status}: {said.strip()}")
            if contents(folder / "kept") != before:
                raise Lost("the checkpoint has changed")
            return name, True, None
    except Lost as wrong:
        return name, True, str(wrong)


# An assumption that cannot be evaluated where a is 5: such a state is not stored, but written down with the finding.
UNMET = """var a: 0..99; b: 0..99; c: 0..3;
startstate a := 0; b := 0; undefine c; endstartstate;
rule a < 99 ==> a := a + 1; endrule;
rule b < 99 ==> b := b + 1; endrule;
assume "known" a < 5 | c < 3;
"""
BEYOND = '"beyond":[5,0,-2147483648]'
FORGED = {
    "is as it was": (BEYOND, None),
    "has a value beyond its type": ('"beyond":[100,0,-2147483648]', "damaged"),
    "has a value below its type": ('"beyond":[5,-1,-2147483648]', "damaged"),
    "has a value that no cell holds": ('"beyond":[5,0,4294967296]', "damaged"),
    "has a word for a value": ('"beyond":[5,0,"0"]', "damaged"),
    "lacks a cell": ('"beyond":[5,0]', "damaged"),
    "has one cell more": ('"beyond":[5,0,-2147483648,0]', "damaged"),
    "is a state that meets the assumption": ('"beyond":[4,0,-2147483648]', "damaged"),
}


def hash_of(body):
    hash_bytes = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
    hash_bytes.restype, hash_bytes.argtypes = ctypes.c_uint64, [ctypes.c_char_p, ctypes.c_size_t]
    return f"{hash_bytes(body.encode(), len(body.encode())):016x}"


def try_forged(noether, name):
    """Someone has written other cells, and the hash that belongs to them."""
    cells, wanted = FORGED[name]
    with Folder() as folder:
        (folder / "model.m").write_text(UNMET)
        run([noether, "check", "model.m", "--engine", "explicit", "--deadlock", "off", "--keep-going", "--states", "200", "--checkpoint", "kept"], folder)
        head, body = (folder / "kept/manifest").read_text().split("\n", 1)
        if BEYOND not in body:
            raise Lost(f"there is no such finding: {body}")
        body = body.replace(BEYOND, cells)
        (folder / "kept/manifest").write_text(f"{head.rsplit(' ', 1)[0]} {hash_of(body)}\n{body}")
        before = contents(folder / "kept")
        status, said, answer = run([noether, "resume", "kept", "--states", "100000"], folder)
        if wanted and (status != REFUSED or wanted not in said or contents(folder / "kept") != before):
            raise Lost(f"exit status {status}: {said.strip()}")
        if not wanted and (status != 1 or verdict_of(answer, "known")["verdict"] != "violated"):
            raise Lost(f"exit status {status}: {said.strip()}")


USES = {
    "a folder with a checkpoint": (["check", "model.m", "--checkpoint", "kept"], "holds a checkpoint"),
    "a file": (["check", "model.m", "--checkpoint", "model.m"], "Not a directory"),
    "a folder in a folder that is not there": (["check", "model.m", "--checkpoint", "no/where"], "No such file"),
    "depth first": (["check", "model.m", "--checkpoint", "new", "--search", "dfs", "--engine", "explicit"], "--checkpoint needs --search bfs\n"),
    "whole states": (["check", "model.m", "--checkpoint", "new", "--store", "plain"], "--checkpoint needs --store compact\n"),
    "the first of an orbit": (["check", "model.m", "--checkpoint", "new", "--representative", "first"], "needs another --representative than first\n"),
    "liveness": (["check", str(ROOT / "examples/readers-writers.m"), "--checkpoint", "new"], 'liveness "It can always get quiet" is decided on'),
    "LTL": (["check", str(ROOT / "examples/ring-election.pml"), "--checkpoint", "new"], 'ltl "one_leader" is decided on'),
    "another engine": (["check", "model.m", "--checkpoint", "new", "--engine", "symbolic"], "--checkpoint is for"),
    "a table": (["check", "model.m", "--checkpoint", "new", "-D", "NODE_NUM=2:3"], "one check"),
    "every without a checkpoint": (["check", "model.m", "--every", "10m"], "--every"),
    "no checkpoint": (["resume", "."], "no checkpoint"),
    "no folder": (["resume", "nothing"], "No such file"),
}


def try_advice(noether):
    """The limit that ended the search is named where it must be raised; the time is that of a run."""
    for limit, value, more in (("--states", "1500", "--states N, with more than now,"), ("--depth", "5", "--depth N, with more than now,"), ("--time", "0.05", "")):
        with Folder() as folder:
            shutil.copy(ROOT / "examples/german.m", folder / "model.m")
            status, said, _ = run([noether, "check", "model.m", "-D", "NODE_NUM=6", "--checkpoint", "kept", limit, value], folder)
            if status != UNKNOWN or ("bytes: " in said and f"noether resume kept{' ' * bool(more)}{more} goes on" not in said):
                return "advice", True, f"{limit}: exit status {status}: {said.strip()}"
    return "advice", True, None


def try_early(noether):
    """The first commit comes before the ten minutes of --every are over: a process that is killed leaves something."""
    with Folder() as folder:
        shutil.copy(ROOT / "examples/german.m", folder / "model.m")
        process = subprocess.Popen([noether, "check", "model.m", "-D", "NODE_NUM=5", "--engine", "explicit", "--symmetry", "off", "--threads", "1",
                                    "--stepper", "evaluator", "--checkpoint", "kept", "-q"], cwd=folder, stdout=subprocess.DEVNULL)
        begin = time.monotonic()
        while not (folder / "kept/manifest").exists() and process.poll() is None and time.monotonic() < begin + patience.seconds(60):
            time.sleep(0.1)
        process.kill()
        if process.wait() != -signal.SIGKILL or not (folder / "kept/manifest").exists():
            raise Lost("nothing was kept")
        manifest = json.loads((folder / "kept/manifest").read_text().split("\n", 1)[1])
        kept = sum(segment["states"] for part in manifest["files"] for segment in part["segments"])
        _, said, answer = run([noether, "resume", "kept", "--stepper", "vm", "--states", str(kept + 1000)], folder)
        if answer is None or not 1000 < kept < answer["statistics"]["states"]:
            raise Lost(f"{kept} states were kept: {said}")


def try_in_use(noether):
    """Another process has the folder: it is refused, by resume and by a new check, and stays as it is."""
    with Folder() as folder:
        shutil.copy(ROOT / "examples/german.m", folder / "model.m")
        run([noether, "check", "model.m", "--checkpoint", "kept", "--states", "1500"], folder)
        before = contents(folder / "kept")
        holder = os.open(folder / "kept", os.O_RDONLY)
        fcntl.flock(holder, fcntl.LOCK_EX)
        try:
            for words in (["resume", "kept"], ["check", "model.m", "--checkpoint", "kept"]):
                status, said, _ = run([noether, *words], folder)
                if status != REFUSED or "another process uses" not in said or contents(folder / "kept") != before:
                    return "in use", True, f"exit status {status}: {said.strip()}"
        finally:
            os.close(holder)
    return "in use", True, None


def try_in_use_for_a_moment(noether):
    """A process that was killed has the folder until it is gone: resume waits for it."""
    with Folder() as folder:
        shutil.copy(ROOT / "examples/german.m", folder / "model.m")
        run([noether, "check", "model.m", "--checkpoint", "kept", "--states", "1500"], folder)
        holder = subprocess.Popen(["flock", "kept", "sleep", "0.5"], cwd=folder)
        while subprocess.run(["flock", "-n", "kept", "true"], cwd=folder, check=False).returncode == 0 and holder.poll() is None:
            pass
        status, said, _ = run([noether, "resume", "kept"], folder)
        holder.wait()
        return "in use for a moment", True, f"exit status {status}: {said.strip()}" if status == REFUSED else None


def try_uses(noether):
    yield try_advice(noether)
    yield try_in_use(noether)
    yield try_in_use_for_a_moment(noether)
    with Folder() as folder:
        shutil.copy(ROOT / "examples/german.m", folder / "model.m")
        run([noether, "check", "model.m", "--checkpoint", "kept", "--states", "1500"], folder)
        for name, (words, wanted) in USES.items():
            status, said, _ = run([noether, *words], folder)
            wrong = None if status == REFUSED and wanted in said else f"exit status {status}: {said.strip()}"
            if (folder / "new").exists():
                wrong = "it has made a folder"
            yield name, True, wrong


def main():
    arguments = arguments_of(150, os.cpu_count())
    noether = arguments.noether
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = [(f"case {number}", *outcome) for number, outcome in
                    zip(arguments.cases, pool.map(lambda number: try_case(noether, number, arguments.seed), arguments.cases))]
        if arguments.only is None:
            outcomes += [("refused", *outcome) for outcome in pool.map(lambda name: try_spoiler(noether, name), SPOILERS)]
            outcomes += [("a cell of a finding", *outcome) for outcome in pool.map(lambda name: attempt(name, try_forged, noether, name), FORGED)]
            outcomes += [("refused", *outcome) for outcome in try_uses(noether)]
            outcomes += [("kept early", *attempt("before it is killed", try_early, noether))]
            outcomes += [("not made", *attempt("all runs", try_unmade, noether))]
            outcomes += [("found", *attempt("at a limit", try_found_at_limit, noether)), ("found", *attempt("too late", try_found_too_late, noether))]
    return tell(outcomes)


if __name__ == "__main__":
    sys.exit(main())
