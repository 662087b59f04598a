#!/usr/bin/env python3
"""Counter abstraction: Table 2 of Emerson and Wahl (CHARME 2003) in small, to the last state, and what noether reduce
writes.

    counter.py BINARY
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "models"))
from rumur import rumur_ask  # noqa: E402

BINARY = sys.argv[1]
EXAMPLES = ROOT / "examples"
MCS = {3: 340, 4: 1452, 8: 67072}
passed = failed = 0


def note(name, found, expected):
    global passed, failed
    if found == expected:
        passed += 1
    else:
        failed += 1
        print(f"{name}: expected {expected}, found {found}")


def check(path, *options):
    done = subprocess.run([BINARY, "check", str(path), "--json", "-", *options], capture_output=True, text=True,
                          timeout=patience.seconds(300))
    if done.returncode == 2 or not done.stdout:
        return done.stderr.strip()
    answer = json.loads(done.stdout)
    return answer["verdict"], answer["statistics"]["states"]


def defines(**values):
    return [word for name, value in values.items() for word in ("-D", f"{name}={value}")]


def reduce(path, out, *options):
    return subprocess.run([BINARY, "reduce", str(path), "-o", str(out), *options], capture_output=True, text=True)


def mcs_lock():
    """28 local states; the reachable counter states of the reference."""
    model = EXAMPLES / "mcs-lock-counted.m"
    for n, states in MCS.items():
        size = defines(N=n)
        note(f"mcs {n}, counter", check(model, *size, "--engine", "counter", "--dead", "keep"), ("holds", states))
        if n <= 4:
            note(f"mcs {n}, explicit", check(model, *size, "--engine", "explicit"), ("holds", states))
            note(f"mcs {n}, generic", check(model, *size, "--engine", "symbolic", "--method", "generic", "--dead", "keep"),
                 ("holds", states))
    note("28 local states", "28 counters" in reduce(model, "/dev/null", "--dead", "keep").stderr, True)


def broken_mutex(model):
    """Too many states to count, and not to be excluded from behind: counting finds it."""
    with tempfile.TemporaryDirectory() as folder:
        broken = pathlib.Path(folder) / "broken.m"
        broken.write_text(model.read_text().replace("place[p] = L - 1 & !taken", "place[p] = L - 1"))
        return check(broken, *defines(N=64, L=8))


def semaphore_mutex():
    model = EXAMPLES / "semaphore-mutex.m"
    for n, l in ((8, 4), (6, 5), (16, 16)):
        answer = check(model, *defines(N=n, L=l), "--engine", "symbolic", "--method", "generic", "--search", "backward",
                       "--deadlock", "off")
        note(f"mutex ({n}, {l}) backward", answer[0], "holds")
    for n, l in ((8, 4), (16, 16), (64, 64)):
        answer = check(model, *defines(N=n, L=l), "--engine", "symbolic", "--method", "generic", "--search", "backward")
        note(f"mutex ({n}, {l}) backward, with deadlocks", answer[0], "holds")
    note("mutex (256, 64), all by default", check(model, *defines(N=256, L=64)), ("holds", 1))
    note("mutex (64, 8), broken", broken_mutex(model)[0], "violated")
    for n, l in ((8, 4), (6, 5)):
        expected = check(model, *defines(N=n, L=l), "--engine", "explicit")
        for engine in (["counter"], ["symbolic", "--method", "generic"]):
            note(f"mutex ({n}, {l}) {engine}", check(model, *defines(N=n, L=l), "--engine", *engine), expected)
    note("ten thousand processes", check(model, *defines(N=10000, L=4), "--engine", "counter", "--states", "3000")[1], 3000)


def violation_with_many():
    """A run of a large model is lifted and replayed."""
    text = (EXAMPLES / "semaphore-mutex.m").read_text().replace("place[p] = L - 1 & !taken", "place[p] = L - 1")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "broken.m"
        path.write_text(text)
        trace = pathlib.Path(folder) / "trace.json"
        size = defines(N=500)
        note("broken mutex", check(path, *size, "--engine", "counter", "--trace", str(trace))[0], "violated")
        done = subprocess.run([BINARY, "replay", str(path), str(trace), *size], capture_output=True, text=True)
        note("its trace replays", done.returncode, 0)
        note("broken mutex, generic",
             check(path, *defines(N=12), "--engine", "symbolic", "--method", "generic")[0], "violated")


def written_models():
    """What noether reduce writes is taken by the explicit engine and by rumur, with the same states."""
    for name in ("semaphore-mutex", "token-mutex", "mcs-lock-counted", "resource-controller", "readers-writers"):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "reduced.m"
            done = reduce(EXAMPLES / f"{name}.m", out, "--dead", "keep")
            note(f"{name} is reduced", done.returncode, 0)
            expected = check(EXAMPLES / f"{name}.m", "--engine", "explicit", "--symmetry", "declared")
            note(f"{name}, written", check(out, "--engine", "explicit", "--symmetry", "off"), expected)
            rumur(name, out, expected)


def rumur(name, path, expected):
    if shutil.which("rumur"):
        answer = rumur_ask(path, "stuttering", 60)
        note(f"{name}, rumur", answer if isinstance(answer, str) else answer[:2], expected)


def refusals():
    """Outside the class: the construct and its line."""
    for name, words in (("mcs-lock", "next is a local variable that holds an element of a scalarset"),
                        ("ring-election", "counter abstraction")):
        done = reduce(EXAMPLES / f"{name}.m", "/dev/null")
        note(f"{name} is refused", (done.returncode, words in done.stderr), (2, True))


for part in (mcs_lock, semaphore_mutex, violation_with_many, written_models, refusals):
    part()
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
