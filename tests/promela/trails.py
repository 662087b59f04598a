"""Trails of SPIN: the run that pan has found is replayed by `noether check --trail`, and violates what pan says.

Without SPIN's help: the recorded trails of trails/, each beside the model that it is of (a copy of its text is not needed: the
first line of a .expected file names the model of this repository, the others what the last line of the answer says)."""
import pathlib
import re
import subprocess
import sys
import tempfile

import spin
from generate import generate
from tree import text_of

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# How spin writes pan, how pan is compiled, and its options.
MANNERS = {"plain": (["-o1", "-o2", "-o3"], ["-DNOREDUCE", "-DSAFETY", "-DNOCLAIM"], []),
           "merged": ([], ["-DNOCLAIM", "-DSAFETY"], []),
           "breadth-first": ([], ["-DNOCLAIM", "-DSAFETY", "-DBFS"], [])}
# What pan says, and what the answer must then say.
WORDS = {"assertion": "counterexample to assertion", "deadlock": "deadlock", "index": "run-time error", "d_step-blocks": "no d_step blocks",
         "d_step-rendezvous": "no rendezvous inside a d_step"}


def write_trail(folder, manner, defines=()):
    """The kind of violation that pan has found in model.pml of the folder, with its trail there; or "" where there is none."""
    words, compiled, options = MANNERS[manner]

    def run(command, seconds=30):
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=patience.seconds(seconds))
        except (subprocess.TimeoutExpired, OSError):
            return ""
        return done.stdout + done.stderr

    for old in folder.glob("model.pml*.trail"):
        old.unlink()
    for old in folder.glob("pan*"):
        old.unlink()
    run(["spin", "-a", *words, *[f"-D{define}" for define in defines], "model.pml"])
    if not (folder / "pan.c").exists():
        return ""
    run(["cc", "-w", "-O0", "-DMEMLIM=200", *compiled, "-o", "pan", "pan.c"], 60)
    found = run(["./pan", "-m20000", *options], 10)
    lines = [line for line in found.splitlines() if re.match(r"pan:\d+: ", line)]
    return spin.kind_of(lines[0]) if lines and (folder / "model.pml.trail").exists() else ""


def replay(noether, folder, defines=()):
    words = [word for define in defines for word in ("-D", define if "=" in define else define + "=1")]
    done = subprocess.run([noether, "check", "model.pml", "--trail", *words], cwd=folder, capture_output=True, text=True, timeout=patience.seconds(60))
    return done.returncode, (done.stdout + done.stderr).strip().splitlines() or [""]


def judge(noether, folder, manner, defines=()):
    """(a word for the tally, what is wrong or "")"""
    kind = write_trail(folder, manner, defines)
    if not kind:
        return "no violation", ""
    if kind not in WORDS:
        return "of another kind", ""
    code, lines = replay(noether, folder, defines)
    if code == 2 and any("not supported" in line for line in lines):
        return "refused", ""
    if code == 1 and WORDS[kind] in lines[-1]:
        return kind, ""
    return "wrong", f"pan says {kind}, the answer is {code}: {' / '.join(lines[-2:])}"


def run_random(noether, seeds, keep=None):
    passed = failed = 0
    tally = {}
    for seed in seeds:
        model, _ = generate(seed)
        for manner in MANNERS:
            with tempfile.TemporaryDirectory(prefix="trail-") as name:
                folder = pathlib.Path(name)
                (folder / "model.pml").write_text(text_of(model))
                word, wrong = judge(noether, folder, manner)
                tally[word] = tally.get(word, 0) + 1
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"FAILED seed {seed}, {manner}: {wrong}", flush=True)
                if wrong and keep:
                    (pathlib.Path(keep) / f"{seed}-{manner}.pml").write_text(text_of(model))
                    (pathlib.Path(keep) / f"{seed}-{manner}.pml.trail").write_text((folder / "model.pml.trail").read_text())
    print("trails: " + ", ".join(f"{value} {key}" for key, value in sorted(tally.items())))
    return passed, failed


if __name__ == "__main__":
    print(run_random(sys.argv[1], range(int(sys.argv[2]), int(sys.argv[3])), sys.argv[4] if len(sys.argv) > 4 else None))
