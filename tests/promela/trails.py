"""Trails of SPIN: the run that pan has found is replayed by `noether check --trail`, and violates what pan says.

    trails.py NOETHER --record                   writes trails/: those of models of this repository, for where SPIN is not installed
    trails.py NOETHER FIRST LAST [FOLDER]        random models of these seeds; trails that cannot be replayed are kept in the folder"""
import pathlib
import re
import shutil
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
RECORDED = HERE / "trails"
# How spin writes pan, how pan is compiled, and its options.
SAFETY = ["-DSAFETY", "-DNOCLAIM"]
MANNERS = {"plain": (["-o1", "-o2", "-o3"], ["-DNOREDUCE", *SAFETY], []), "merged": ([], SAFETY, []), "breadth-first": ([], [*SAFETY, "-DBFS"], [])}
CLAIMS = {"plain-claim": (["-o1", "-o2", "-o3"], ["-DNOREDUCE"], ["-a"]), "claim": ([], [], ["-a"])}
# What pan says, and what the answer must then say.
WORDS = {"assertion": "counterexample to assertion", "deadlock": "deadlock", "index": "run-time error", "d_step-blocks": "no d_step blocks",
         "d_step-rendezvous": "no rendezvous inside a d_step"}

# Trails of pan -a and pan -l, without a claim; they stay as they are.
CYCLES = ['accept-cycle.trail\ttests/models/promela/accept.pml\tltl "no acceptance cycle"',
          'progress-cycle.trail\ttests/models/promela/progress.pml\tltl "no non-progress cycle"']


def run(folder, command, seconds=30):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=patience.seconds(seconds))
    except (subprocess.TimeoutExpired, OSError):
        return ""
    return done.stdout + done.stderr


def write_trail(folder, manner, formula=None):
    """The kind of violation that pan has found in model.pml of the folder, with its trail there; or "" where there is none."""
    words, compiled, options = {**MANNERS, **CLAIMS}[manner]
    for old in [*folder.glob("model.pml*.trail"), *folder.glob("pan*")]:
        old.unlink()
    run(folder, ["spin", "-a", *words, "model.pml"])
    if not (folder / "pan.c").exists():
        return ""
    run(folder, ["cc", "-w", "-O0", "-DMEMLIM=200", *compiled, "-o", "pan", "pan.c"], 60)
    found = run(folder, ["./pan", "-m20000", *options, *(["-N", formula] if formula else [])], 10)
    lines = [line for line in found.splitlines() if re.match(r"pan:\d+: ", line)]
    return spin.kind_of(lines[0]) if lines and (folder / "model.pml.trail").exists() else ""


def replay(noether, model, trail):
    done = subprocess.run([noether, "check", str(model), str(trail), "--trail"], capture_output=True, text=True, timeout=patience.seconds(60))
    return done.returncode, (done.stdout + done.stderr).strip().splitlines() or [""]


def complaint(noether, model, trail, words):
    """What is wrong, or ""; "refused" where the model has something that is not supported."""
    code, lines = replay(noether, model, trail)
    if code == 2 and any("not supported" in line for line in lines):
        return "refused"
    return "" if code == 1 and words in lines[-1] else f"expected {words}, the answer is {code}: {' / '.join(lines[-2:])}"


def judge(noether, folder, manner):
    """(a word for the tally, what is wrong or "")"""
    kind = write_trail(folder, manner)
    if kind not in WORDS:
        return "of another kind" if kind else "no violation", ""
    wrong = complaint(noether, folder / "model.pml", folder / "model.pml.trail", WORDS[kind])
    return ("refused", "") if wrong == "refused" else ("wrong" if wrong else kind, wrong)


def run_random(noether, seeds, keep=None):
    passed = failed = 0
    tally = {}
    for seed in seeds if spin.is_there() else []:
        model, _ = generate(seed)
        for manner in MANNERS:
            with tempfile.TemporaryDirectory(prefix="trail-") as name:
                folder = pathlib.Path(name)
                (folder / "model.pml").write_text(text_of(model))
                word, wrong = judge(noether, folder, manner)
                tally[word] = tally.get(word, 0) + 1
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"FAILED trail of seed {seed}, {manner}: {wrong}", flush=True)
                if wrong and keep:
                    shutil.copy(folder / "model.pml", pathlib.Path(keep) / f"{seed}-{manner}.pml")
                    shutil.copy(folder / "model.pml.trail", pathlib.Path(keep) / f"{seed}-{manner}.pml.trail")
    print("trails: " + (", ".join(f"{value} {key}" for key, value in sorted(tally.items())) or "spin is not installed"))
    return passed, failed


def run_recorded(noether):
    """Each row of trails.tsv: the trail, its model, what it violates."""
    passed = failed = 0
    for line in (RECORDED / "trails.tsv").read_text().splitlines()[1:]:
        trail, model, words = line.split("\t")
        wrong = complaint(noether, ROOT / model, RECORDED / trail, words)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"FAILED {trail}: {wrong}")
    return passed, failed


def record(most_lines=80):
    rows = ["trail\tmodel\tviolates", *CYCLES]
    for old in RECORDED.glob("*"):
        if not old.stem.endswith("-cycle"):
            old.unlink()
    for path in [*sorted((ROOT / "tests/models/promela").glob("*.pml")), *sorted((ROOT / "examples").glob("*.pml"))]:
        text = path.read_text()
        formulas = re.findall(r"^ltl (\w+)", text, re.M)
        asked = [("plain", None), ("merged", None), *[("claim", name) for name in formulas]]
        for manner, formula in asked:
            with tempfile.TemporaryDirectory(prefix="trail-") as name:
                folder = pathlib.Path(name)
                (folder / "model.pml").write_text(text)
                kind = write_trail(folder, manner, formula)
                words = f'ltl "{formula}"' if formula and kind else WORDS.get(kind)
                if not words or len((folder / "model.pml.trail").read_text().splitlines()) > most_lines:
                    continue
                trail = f"{path.stem}-{formula + '-' if formula else ''}{manner}.trail"
                RECORDED.mkdir(exist_ok=True)
                shutil.copy(folder / "model.pml.trail", RECORDED / trail)
                rows.append(f"{trail}\t{path.relative_to(ROOT)}\t{words}")
                (RECORDED / "trails.tsv").write_text("\n".join(rows) + "\n")
    print(f"{len(rows) - 1} trails")


if __name__ == "__main__":
    if "--record" in sys.argv:
        record()
    else:
        print(run_random(sys.argv[1], range(int(sys.argv[2]), int(sys.argv[3])), sys.argv[4] if len(sys.argv) > 4 else None))
