#!/usr/bin/env python3
"""tests/every-n/run.py NOETHER [--count N] [--seed S] [--time T]: what noether prove says of models for every size.

- Protocols are proved; each query that is kept as evidence is answered again, by z3 and, if it is there, cvc5.
- The invariant that was found is put into the model, and holds there: explicit, symbolic, and by rumur.
- Cutoffs: they answer each question of a proof as the solvers do, or say why there is none; without any solver they prove the same.
- What cannot be proved is not claimed, and the line that stands in the way is named.
- Mutants of the protocols: what is proved for every size holds with 2, 3 and 4 elements by plain exploration; what is
  violated is so at the size that is named. --count 200 is the long form."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import mutants
import patience

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
# model, the constant that is a size, what is not proved
PROTOCOLS = [
    (EXAMPLES / "semaphore-mutex.m", "N", []),
    (EXAMPLES / "token-mutex.m", "N", []),
    (EXAMPLES / "two-phase-commit.m", "PARTICIPANTS", []),
    (HERE / "mesi.m", "CACHES", []),
    (HERE / "moesi.m", "CACHES", []),
    (HERE / "token-ring.m", "N", []),
    (HERE / "ticket-order.m", "N", ["deadlock"]),
    (HERE / "german.m", "NODE_NUM", []),
    (EXAMPLES / "german.m", "NODE_NUM", ["deadlock"]),
]
SHORT = ("semaphore-mutex", "mesi", "token-ring", "two-phase-commit")
WITHOUT_DEADLOCK = ("german",)  # with one node it has one
# What stands in the way of a cutoff. All other questions have one.
WITHOUT_CUTOFF = {
    HERE / "token-ring.m": 'token-ring.m:10:3: "successor[]": it leads from elements to others of the same type',
    EXAMPLES / "german.m": "more elements would have to be examined",
}
failures = []
passed = []


def fail(words):
    failures.append(words)
    print("FAILED:", words, flush=True)


def run(binary, *words, timeout=600, environment=None):
    return subprocess.run([binary, *map(str, words)], capture_output=True, text=True, timeout=patience.seconds(timeout), env=environment)


def without_solvers(work):
    (work / "nothing").mkdir(exist_ok=True)
    return {**os.environ, "PATH": str(work / "nothing")}


def answer(binary, *words, environment=None):
    done = run(binary, *words, "--json", "-", "--warnings", "off", environment=environment)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None


def verdicts(document):
    return {entry["name"]: entry["verdict"] for entry in document["results"]}


def deadlock(path):
    return ["--deadlock", "off"] if path.stem in WITHOUT_DEADLOCK else []


def answers_again(folder):
    files = sorted(folder.glob("*.smt2"))
    if not files:
        fail(f"{folder}: no evidence")
    for file in files:
        asked = file.read_text().count("(check-sat)")
        for command in (["z3", "-T:60"], ["cvc5", "--incremental", "--tlimit=60000"]):
            if not shutil.which(command[0]):
                continue
            said = subprocess.run([*command, str(file)], capture_output=True, text=True).stdout.split()
            if command[0] == "z3" and said != ["unsat"] * asked:
                fail(f"{file.name}: z3 answers {said}")
            if "sat" in said:
                fail(f"{file.name}: {command[0]} finds a counterexample")


def holds_elsewhere(binary, written, constant):
    for engine in ("explicit", "symbolic"):
        done = run(binary, "check", written, "--engine", engine, "--deadlock", "off", "-D", f"{constant}=3", "-q", "--warnings", "off")
        if done.returncode != 0:
            fail(f"{written.name} with its invariant, {engine}: {done.stdout}{done.stderr}")
    if not shutil.which("rumur") or not shutil.which("cc"):
        return
    text = re.sub(rf"(?m)^(\s*{constant}\s*:\s*)\d+", r"\g<1>2", written.read_text(), count=1)
    small = written.with_suffix(".small.m")
    small.write_text(text)
    checker = small.with_suffix(".c")
    made = subprocess.run(["rumur", "--deadlock-detection", "off", "--output", str(checker), str(small)], capture_output=True, text=True)
    if made.returncode:
        fail(f"rumur does not read {written.name} with its invariant: {made.stderr}")
        return
    subprocess.run(["cc", "-std=c11", "-O1", "-w", "-march=native", "-o", str(checker.with_suffix("")), str(checker), "-lpthread", "-latomic"], check=True)
    said = subprocess.run([str(checker.with_suffix(""))], capture_output=True, text=True)
    if said.returncode:
        fail(f"rumur: {written.name} with its invariant: {said.stdout[-500:]}")


def proves(binary, path, constant, open_properties, work):
    evidence, written = work / f"{path.parent.name}-{path.stem}", work / f"{path.parent.name}-{path.name}"
    document = answer(binary, "prove", path, "--engine", "every", "--evidence", evidence, "--write", written, *deadlock(path))
    if not document:
        return fail(f"{path.name}: no answer")
    for name, verdict in verdicts(document).items():
        if verdict != ("unknown" if name in open_properties else "holds"):
            fail(f"{path.name}: {name}: {verdict}")
    answers_again(evidence)
    holds_elsewhere(binary, written, constant)
    size = document["statistics"]["every_size"]
    agrees(path, size["cutoffs"])
    passed.append(path.name)
    print(f"{path.name}: {size['clauses']} clauses, {size['queries']} queries, small sizes up to {size['explored']}", flush=True)


def agrees(path, said):
    """What the cutoffs say of the proof: an answer against it would have withdrawn it."""
    found = re.search(r"cutoffs answer (\d+) of (\d+) questions", said)
    if not found or not int(found.group(1)):
        return fail(f"{path.name}: cutoffs: {said}")
    missing = int(found.group(2)) - int(found.group(1))
    if missing == 1 and "no cutoff: deadlock: for any element there is another one" in said:
        return  # that some rule can fire is a question of this kind, if a guard has a quantifier
    if bool(missing) != (path in WITHOUT_CUTOFF) or WITHOUT_CUTOFF.get(path, "") not in said:
        fail(f"{path.name}: cutoffs: {said}")


def proves_by_cutoffs(binary, path, work):
    if path.parent == EXAMPLES and path.stem == "german":
        return  # the data would need too many elements
    document = answer(binary, "prove", path, "--engine", "every", *deadlock(path), environment=without_solvers(work))
    for entry in document["results"] if document else ():
        if path in WITHOUT_CUTOFF:
            if entry["verdict"] != "unknown" or WITHOUT_CUTOFF[path] not in entry["reason"]:
                fail(f"{path.name}, without solvers: {entry}")
        elif entry["kind"] != "deadlock" and entry["verdict"] != "holds":
            fail(f"{path.name}, without solvers: {entry}")
    if not document:
        fail(f"{path.name}, without solvers: no answer")
    passed.append(f"{path.name} by cutoffs")


# True with up to five elements, false with six. The rule and the invariant mention one element, so that one who counts these
# would look at two of them.
SIX = """const N: 3;
type P: scalarset(N); Slot: 1..6;
var slot: array [Slot] of P; other: array [P] of boolean;
startstate begin undefine slot; for p: P do other[p] := false; end; end;
ruleset s: Slot; p: P do
  rule "take" isundefined(slot[s]) & forall t: Slot do isundefined(slot[t]) | slot[t] != p end ==> begin slot[s] := p; other[p] := true; end;
end;
invariant "some slot is empty" exists s: Slot do isundefined(slot[s]) end;
"""
# The same with a number for each element: each points to the one before it.
CHAIN = """const N: 3;
type P: scalarset(N); Length: 0..6;
var before: array [P] of P; last: P; length: Length; used: array [P] of boolean;
startstate begin for p: P do used[p] := false; undefine before[p]; end; undefine last; length := 0; end;
ruleset p: P do
  rule "append" !used[p] & length < 6 ==> begin if !isundefined(last) then before[p] := last; end; last := p; used[p] := true; length := length + 1; end;
end;
invariant "short" length < 6;
"""


# No array has elements as its index: only pointers. Violated with four.
POINTERS = """const N: 2;
type P: scalarset(N); Slot: 1..4;
var slot: array [Slot] of P;
startstate begin undefine slot; end;
ruleset s: Slot; p: P do
  rule "take" isundefined(slot[s]) & forall t: Slot do isundefined(slot[t]) | slot[t] != p end ==> begin slot[s] := p; end;
end;
invariant "some slot is empty" exists s: Slot do isundefined(slot[s]) end;
"""


def varies(binary, work):
    """Sizes change also where no array has elements as its index."""
    path = work / "pointers.m"
    path.write_text(POINTERS)
    document = answer(binary, "prove", path, "--engine", "every", "--deadlock", "off", "--time", 60)
    if not document or document["statistics"]["every_size"]["violated_with"] != 4:
        fail(f"pointers: {document and document['results']}")
    passed.append("pointers")


def needs_six(binary, work):
    for name, text in (("six", SIX), ("chain", CHAIN)):
        path = work / f"{name}.m"
        path.write_text(text)
        for environment in (None, without_solvers(work)):
            document = answer(binary, "prove", path, "--engine", "every", "--deadlock", "off", "--time", 60, environment=environment)
            if not document or any(entry["kind"] == "invariant" and entry["verdict"] == "holds" for entry in document["results"]):
                fail(f"{name}: it is proved")
        there = run(binary, "check", path, "-D", "N=6", "--deadlock", "off", "-q", "--warnings", "off")
        if there.returncode != 1:
            fail(f"{name}: not violated with six elements: {there.stdout}")
        passed.append(name)


MULTISET = """const N: 2;
type P: scalarset(N);
var bag: multiset [2] of P; x: array [P] of boolean;
startstate begin for p: P do x[p] := false; end; end;
ruleset p: P do rule "flip" begin x[p] := !x[p]; end; end;
invariant "good" forall p: P do x[p] | !x[p] end;
"""


# False with three elements: what a function in a quantifier writes to a local counts. Without the rule that does it nothing is
# proved either, since it cannot be followed.
WRITTEN = """const N: 2;
type P: scalarset(N);
var b: boolean;
function f(var z: boolean): boolean; begin z := true; return true; end;
function g(): boolean; var k: boolean; begin k := false; if exists i: P do f(k) end then return k; end; return false; end;
startstate begin b := false; end;
ruleset i: P; j: P; l: P do rule "y" i != j & j != l & i != l ==> begin b := g(); end; end;
invariant "x" !b;
"""
# False with N = 6, where M is 6, too.
DERIVED = """const N: 2; M: N;
type P: scalarset(M);
var m: array [P] of boolean; c: 0..20;
startstate begin for k: P do m[k] := false; end; c := N; end;
ruleset i: P do rule true ==> begin m[i] := !m[i]; end; end;
invariant "good" c != 6;
"""


def refuses(binary, work):
    """Not proved, with the line that stands in the way."""
    texts = {"bag": MULTISET, "written": WRITTEN.replace("i != l ==>", "i != l & i = j ==>"), "derived": DERIVED, "three": WRITTEN}
    for name, text in texts.items():
        (work / f"{name}.m").write_text(text)
    for path, words in ((EXAMPLES / "ticket-lock.m", "is not only the size of Process"), (work / "bag.m", '"bag" is, or has, a multiset'),
                        (work / "written.m", "a function that changes its argument"), (work / "derived.m", "the constant M is not only the size of P")):
        said = run(binary, "prove", path, "--engine", "every", "--time", 5, "--deadlock", "off", "--warnings", "off")
        text = said.stdout + said.stderr
        if said.returncode != 3 or words not in text or not re.search(rf"{path.name}:\d+:\d+", text):
            fail(f"{path.name}: {said.returncode}: {text[-400:]}")
        passed.append(path.name)
    document = answer(binary, "prove", work / "three.m", "--engine", "every", "--deadlock", "off", "--time", 60)
    if not document or document["statistics"]["every_size"]["violated_with"] != 3:
        fail(f"three.m: {document and document['results']}")


AT_SOME_SIZE = """const N: 2; type P: scalarset(N); S: enum {idle, crit}; C: 0..6;
var st: array [P] of S; c: C;
startstate begin for p: P do st[p] := idle; end; c := 0; end;
ruleset p: P do rule "in" st[p] = idle & c < 6 ==> begin st[p] := crit; c := c + 1; end; end;
invariant "three" c < 3; invariant "five" c < 5; cover "four" c = 4;
"""


def leaves_open(binary, work):
    """With the size at which one property fails, another still holds: that says nothing of every size."""
    path = work / "some-size.m"
    path.write_text(AT_SOME_SIZE)
    said = verdicts(answer(binary, "prove", path, "--engine", "every", "--deadlock", "off", "--keep-going"))
    expected = {"three": "violated", "five": "unknown", "four": "unknown"}
    if {name: said.get(name) for name in expected} == expected:
        passed.append("leaves open")
    else:
        fail(f"some-size.m: {said}")


def judge_mutant(binary, path, constant, about, text, work, limit):
    """What became of it."""
    mutant = work / "mutant.m"
    mutant.write_text(text)
    document = answer(binary, "prove", mutant, "--engine", "every", "--deadlock", "off", "--time", limit)
    if not document or "results" not in document:
        return "refused"
    said = verdicts(document)
    small = answer(binary, "prove", mutant, "--engine", "every", "--deadlock", "off", "--time", limit, environment=without_solvers(work))
    both = [*said.items(), *(verdicts(small).items() if small and "results" in small else ())]
    proved = sorted({name for name, verdict in both if verdict == "holds"})
    size = document.get("statistics", {}).get("every_size", {}).get("violated_with")
    if size:
        there = run(binary, "check", mutant, "--deadlock", "off", "-D", f"{constant}={size}", "-q", "--warnings", "off", "--engine", "explicit")
        if there.returncode != 1:
            fail(f"{path.name}, {about}: violated with {size}, but not by plain exploration")
        if any(verdict == "violated" and said[name] == "holds" or verdict == "holds" and said[name] == "violated" for name, verdict in both):
            fail(f"{path.name}, {about}: solvers and cutoffs contradict each other")
        return "violated"
    for number in (2, 3, 4) if proved else ():
        plain = answer(binary, "check", mutant, "--engine", "explicit", "--deadlock", "off", "--keep-going", "-D", f"{constant}={number}", "--time", 60)
        for name in proved:
            if plain and verdicts(plain).get(name) == "violated":
                fail(f"{path.name}, {about}: {name} is proved for every size, and violated with {number}")
                shutil.copy(mutant, f"false-proof-{path.stem}.m")
    return "proved" if proved else "open"


def judge_mutants(binary, count, seed, limit, work):
    table = {}
    models = [(path, constant) for path, constant, _ in PROTOCOLS if count >= 200 or path.stem in SHORT]
    for path, constant in models:
        # The larger models have more places: a share each, by the size of the text.
        share = max(1, count // len(models))
        for about, text in mutants.mutants(path.read_text(), share, f"{seed}-{path.stem}"):
            passed.append(about)
            outcome = judge_mutant(binary, path, constant, about, text, work, limit)
            table[outcome] = table.get(outcome, 0) + 1
    print(f"{sum(table.values())} mutants:", ", ".join(f"{number} {word}" for word, number in sorted(table.items())), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=8, help="mutants; 200: of all protocols")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--time", default="60", help="seconds for each mutant")
    parser.add_argument("--all", action="store_true", help="prove all protocols, not only the quick ones")
    arguments = parser.parse_args()
    has_solver = shutil.which("z3")
    if not has_solver:
        print("there is no z3: cutoffs alone")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for path, constant, open_properties in PROTOCOLS:
            if arguments.all or path.stem in SHORT:
                if has_solver:
                    proves(arguments.binary, path, constant, open_properties, work)
                proves_by_cutoffs(arguments.binary, path, work)
        refuses(arguments.binary, work)
        needs_six(arguments.binary, work)
        varies(arguments.binary, work)
        leaves_open(arguments.binary, work)
        judge_mutants(arguments.binary, arguments.count, arguments.seed, arguments.time, work)
    print(f"{len(passed)} passed, {len(failures)} failed")
    sys.exit(bool(failures))


main()
