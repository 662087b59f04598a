#!/usr/bin/env python3
"""tests/step/run.py BINARY: looking at a model: graph, simulate, explain."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = str(pathlib.Path(sys.argv[1]).resolve())
TESTS = []

FAULTY = """
const N: 3;
type node: scalarset(N);
var a: array [node] of 0..2;
startstate "go" begin for i: node do a[i] := 0; end; end;
ruleset i: node do rule "up" begin a[i] := a[i] + 1; end; end;
"""
# Names that DOT must not take for syntax; symmetry that nobody declared; a state that an assumption rules out.
QUOTES = r"""
type place: enum { low, mid, high }; id: 1..3;
var at: array [id] of place; x: 0..3;
startstate "a \"b\" go" begin for i: id do at[i] := low; end; x := 0; end;
ruleset i: id do rule "up \ and on" at[i] = low ==> begin at[i] := high; end; end;
rule "count" x < 3 ==> begin x := x + 1; end;
rule "back" exists i: id do at[i] = high end ==> begin for i: id do at[i] := low; end; x := 0; end;
assume "small" x < 3;
"""


def test(function):
    TESTS.append(function)
    return function


def noether(*words, code=None, **more):
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, cwd=ROOT, timeout=120, **more)
    if code is not None:
        assert done.returncode == code, f"exit {done.returncode}, not {code}: {words}\n{done.stdout}{done.stderr}"
    return done


def model(folder, text, name="model.m"):
    path = pathlib.Path(folder) / name
    path.write_text(text)
    return path


def graph(*words):
    return json.loads(noether("graph", *words, "--as", "json", code=0).stdout)


def answer(*words):
    return json.loads(noether("check", *words, "--json", "-").stdout)


@test
def graph_has_what_check_counts(folder):
    own = model(folder, QUOTES)
    for path, *defines in ("examples/survey-semaphore.m",), ("examples/peterson.m", "-D", "N=3"), (own,):
        for symmetry in "auto", "declared", "off":
            drawn = graph(path, *defines, "--symmetry", symmetry, "--max-nodes", 100000)
            checked = answer(path, *defines, "--symmetry", symmetry, "--engine", "explicit")["statistics"]
            assert drawn["complete"] and len(drawn["nodes"]) == checked["states"], (path, symmetry)
            assert sum(int(node["orbit"]) for node in drawn["nodes"]) == int(checked["represented"]), (path, symmetry)
            if path != own:  # states that are assumed away are no nodes
                assert sum(edge["instances"] for edge in drawn["edges"]) == checked["rules_fired"], (path, symmetry)
            assert [node["number"] for node in drawn["nodes"]] == list(range(len(drawn["nodes"])))
            assert drawn["reduced"] == any(node["orbit"] != "1" for node in drawn["nodes"])


@test
def graph_marks_the_counterexample(folder):
    drawn = graph("examples/german-bug.m", "--max-nodes", 3)
    nodes = {node["number"] for node in drawn["nodes"]}
    assert nodes >= set(drawn["path"]["nodes"]) and "counterexample to" in drawn["path"]["claim"]
    marked = {(edge["from"], edge["to"]) for edge in drawn["edges"] if edge["path"]}
    assert marked == set(zip(drawn["path"]["nodes"], drawn["path"]["nodes"][1:]))
    done = noether("graph", "examples/german-bug.m", "--max-nodes", 3, code=0)
    assert "#c92a2a" in done.stdout and "of at least 20,000 shown" in done.stdout
    assert "--states N explores more" in done.stderr


@test
def graph_shows_failures(folder):
    drawn = graph(model(folder, FAULTY))
    assert any(edge["to"] is None and edge["path"] for edge in drawn["edges"])
    assert "-> fault" in noether("graph", model(folder, FAULTY), code=0).stdout


@test
def graph_around(folder):
    path = "examples/survey-semaphore.m"
    drawn = graph(path, "--around", 3, "--max-nodes", 3)
    assert drawn["around"] == 3 and [node["number"] for node in drawn["nodes"]] == [1, 3, 5]
    by_condition = graph(path, "--around", "exists p: Process do state[p] = C end", "--max-nodes", 1)
    assert by_condition["around"] == 3 and len(by_condition["nodes"]) == 1
    # The elements of a scalarset go by the names they are printed with; and of a type that was found to be symmetric.
    assert graph(path, "--around", "state[Process_1] = C")["around"] == 3
    own = graph(model(folder, QUOTES), "--around", "x = 1 & at[1] = at[2] & at[2] != at[3]")
    state = next(node for node in own["nodes"] if node["number"] == own["around"])["state"]
    assert own["reduced"] and state["x"] == 1 and state["at[1]"] == state["at[2]"] != state["at[3]"], state
    for wrong, message in [("9", "there is no state 9"), ("s & !s", "true in none of the 9 states explored"),
                           ("state", "must be boolean, not"), ("s = ", "expression:1:"), ("t", 'unknown name "t"'),
                           ("s s", "end of the expression")]:
        done = noether("graph", path, "--around", wrong, code=2)
        assert message in done.stderr and not done.stdout, (wrong, done.stderr)


@test
def graph_is_drawn_by_graphviz(folder):
    target = pathlib.Path(folder) / "graph.svg"
    if shutil.which("dot"):
        noether("graph", model(folder, QUOTES), "-o", target, code=0)
        assert xml.dom.minidom.parse(str(target)).documentElement.tagName == "svg"
        target.unlink()
    else:
        print("  (Graphviz is not installed: SVG not tested)")
    done = noether("graph", model(folder, QUOTES), "-o", target, code=2, env={**os.environ, "PATH": folder})
    assert "install graphviz" in done.stderr and not target.exists()


def main():
    failed = 0
    for function in TESTS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(folder)
            except Exception as problem:
                failed += 1
                print(f"{function.__name__}: {type(problem).__name__}: {problem}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
