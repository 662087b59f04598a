#!/usr/bin/env python3
"""tests/ltl/claims.py BINARY: never claims of Promela models, with the verdicts that SPIN 6.5.2 gives (pan -a), by every
engine that decides formulas of linear time. The runs that show violations replay."""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

STEPS = "byte x; active proctype A() { x = 1; x = 2; x = 3 }\n"
FLIP = "bit p; active proctype A() { do :: p = 1 - p od }\n"
TWO = "byte x, y; active proctype A() { do :: x = (x + 1) % 3 od } active proctype B() { y = 1; atomic { y = 2; y = 3 }; x == 2; y = 4 }\n"
CLAIMS = (
    ("a condition for ever", FLIP, "T: do :: p -> goto acc :: true od; acc: accept: do :: p od", "holds"),
    ("again and again", FLIP, "do :: true :: !p -> break od; accept: do :: p -> !p od", "violated"),
    ("the end is reached", STEPS, "x == 0; x == 1; x == 2; x == 3; x == 3; x == 3", "violated"),
    ("the end is not", STEPS, "x == 0; x == 1; x == 1; x == 3", "holds"),
    ("no accepting state", FLIP, "do :: true od", "holds"),
    ("one state in atomic", STEPS, "do :: atomic { x == 1 -> x == 2 } -> break :: true od; accept: do :: true od", "holds"),
    ("an assertion of the same state", STEPS, "do :: atomic { x == 1 -> assert(!(x == 1)) } :: true od", "violated"),
    ("an assertion that holds", STEPS, "do :: atomic { x == 1 -> assert(x == 1) } :: true od", "holds"),
    ("an assertion of the next state", STEPS, "do :: x == 1 -> assert(x == 2) :: true od", "holds"),
    ("d_step", STEPS, "do :: d_step { x == 1 -> x == 1 } -> break :: true od", "violated"),
    ("else, and goto as a move", STEPS, "do :: x == 9 :: x == 1 -> goto L :: else od; L: if :: goto M :: x == 8 fi; M: x == 3", "violated"),
    ("else of two", STEPS, "S: if :: x == 0 -> goto S :: x == 1 -> goto S :: else -> goto T fi; T: x == 2", "holds"),
    ("a run that ends repeats its last state", STEPS, "do :: true :: x == 3 -> break od; accept: do :: x == 3 od", "violated"),
    ("not inside atomic", TWO, "do :: true :: y == 2 -> break od", "holds"),
    ("behind atomic", TWO, "do :: true :: y == 3 -> break od", "violated"),
    ("one process goes on for ever", TWO, "do :: true :: y == 0 -> break od; accept: do :: y == 0 od", "violated"),
    ("where control stands", TWO, "do :: !(x == 2) :: else -> break od; accept_a: do :: x == 2 && y == 3 :: x != 2 od", "violated"),
)
# Of a process that is gone, or that never was: no label, and 0. They end in a deadlock, with as many states as SPIN has.
REMOTE = (
    ("byte x, p; proctype W(byte k) { byte v = 7; L: x = 1; M: x = 2 }\n"
     "init { pid a; a = run W(3); if :: W[a]@L -> x = 9 :: else fi; p = a; (W[p]:v == 7);\n"
     "assert(W[200]:v == 0); assert(!W[77]@M); assert(!W[0]@L) }\n", 53),
    ("byte x; active [2] proctype W() { byte v; v = _pid + 1; L: x == 5; M: v = 9; N: x = 7 }\n"
     "active proctype Q() { W@L -> x = 5; (W:v == 9); assert(W@N || x == 7) }\n", 59),
)
WAYS = ((), ("--symmetry", "off"), ("--engine", "symbolic", "--method", "none"))
REFUSED = (("x = 1", "only looks"), ("x == 1 unless x == 2", "unless"), ("atomic { do :: true :: x == 1 -> break od; true }; true", "need not end"))
passed = failed = 0


def expect(condition, what):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f"FAILED: {what}")


def run(binary, *words):
    return subprocess.run([binary, *map(str, words)], capture_output=True, text=True, timeout=patience.seconds(60), check=False)


def check_claim(binary, model, name, wanted, way):
    trace, page = model.with_suffix(".json"), model.with_suffix(".html")
    done = run(binary, "check", model, "--deadlock", "off", "--json", "-", "--trace", trace, "--report", page, *way)
    results = {entry["name"]: entry for entry in json.loads(done.stdout)["results"]} if done.returncode < 2 else {}
    found = results.get("never claim", {}).get("verdict")
    expect(found == wanted, f"{name} {way}: {found}, not {wanted} {done.stderr}")
    if found == "violated":
        done = run(binary, "replay", model, trace)
        expect(done.returncode == 0, f"{name} {way} replays: {done.stdout}{done.stderr}")


def main(binary):
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "claim.pml"
        for name, program, claim, wanted in CLAIMS:
            model.write_text(f"{program}never {{ {claim} }}\n")
            for way in WAYS[:2] if "atomic" in program else WAYS: # steps of several rules are for the explicit engine
                check_claim(binary, model, name, wanted, way)
        for text, states in REMOTE:
            model.write_text(text)
            found = json.loads(run(binary, "check", model, "--keep-going", "--symmetry", "off", "--json", "-").stdout)
            wrong = [entry["name"] for entry in found["results"] if entry["verdict"] == "violated"]
            expect(wrong == ["deadlock"], f"{text}: {wrong}")
            expect(found["statistics"]["states"] == states, f"{text}: {found['statistics']}")
        for claim, words in REFUSED:
            model.write_text(f"{STEPS}never {{ {claim} }}\n")
            done = run(binary, "check", model)
            expect(done.returncode == 2 and words in done.stderr and "claim.pml:2:" in done.stderr, f"{claim}: {done.stdout}{done.stderr}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
