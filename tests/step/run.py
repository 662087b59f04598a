#!/usr/bin/env python3
"""tests/step/run.py BINARY: looking at a model: graph, simulate, explain."""
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

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
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, cwd=ROOT, timeout=patience.seconds(120), **more)
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
def chains_are_drawn_and_stepped_through(folder):
    drawn = graph("tests/prism/dice.prism")
    assert drawn["complete"] and not drawn["reduced"] and drawn["explored"] == 13, drawn["explored"]
    around = graph("tests/prism/dice.prism", "--around", "s = 7 & d = 3", "--max-nodes", 2)
    assert next(node for node in around["nodes"] if node["number"] == around["around"])["state"] == {"s": 7, "d": 3}
    done = simulate("tests/prism/dice.prism", 'watch s + d\nuntil "done" & d = 6\nprint d\nprint d > 5\nwhy d = 5 | s = 1\n')
    for expected in ("watch 1: s + d = 0", "watch 1: s + d = 13", "d = 6\n", "d > 5 = true", "false: d = 5  (d is 6)"):
        assert expected in done.stdout, (expected, done.stdout)
    done = simulate("examples/leader.prism", "1\nwhy s2=1 & s3=1\n")
    assert "  false: s2 = 1 & s3 = 1\n    false: s2 = 1  (s2 is 2)\n" in done.stdout, done.stdout
    for wrong, message in [("print x", "x"), ("until s", "must be boolean"), ("print P=? [ F s=1 ]", "only conditions and integers"),
                           ("until s = ", "expression:1:"), ("print 1/2", "only conditions and integers")]:
        assert message in simulate("tests/prism/dice.prism", wrong + "\n", code=2).stderr, wrong
    assert all(edge["weight"] in (0.5, 1) for edge in drawn["edges"]), drawn["edges"]
    assert '[label="[flip] die 0.5"' in noether("graph", "tests/prism/dice.prism", code=0).stdout
    done = noether("simulate", "tests/prism/dice.prism", "--random", 100, code=0)
    assert "  [flip] die (line 9)" in done.stdout, done.stdout
    done = simulate("tests/prism/dice.prism", "2\n")
    assert "1) [flip] die  0.5: s 2 -> 5\n" in done.stdout and "2) [flip] die  0.5: s 2 -> 6\n" in done.stdout, done.stdout


@test
def the_quotient_of_a_chain_is_drawn(folder):
    path = "tests/prism/symmetry/rewards.prism"
    drawn, whole = graph(path), graph(path, "--symmetry", "off")
    assert drawn["reduced"] and drawn["explored"] == 10 and not whole["reduced"] and whole["explored"] == 27
    assert sum(int(node["orbit"]) for node in drawn["nodes"]) == 27, drawn["nodes"]
    around = graph(path, "--around", "x1 = 2 & x2 = 2 & x3 = 1")
    state = next(node for node in around["nodes"] if node["number"] == around["around"])["state"]
    assert state == {"x1": 2, "x2": 2, "x3": 1}, state


@test
def explain_says_what_the_scheduler_does(folder):
    path, trace = model(folder, """mdp
module m
  s : [0..3];
  [a] s=0 -> 0.25:(s'=1) + 0.75:(s'=2);
  [b] s=0 -> (s'=2);
  [c] s=1 -> (s'=3);
endmodule
""", "m.prism"), pathlib.Path(folder) / "run.json"
    noether("check", path, "--property", "P<=0 [ F s=3 ]", "--trace", trace, code=1)
    done = noether("explain", path, "--property", "P<=0 [ F s=3 ]", trace, code=0)
    for expected in ("under a scheduler that takes these choices, with probability 0.25 in total",
                     "step 1: of 2 choices the scheduler takes [a] m of line 4; this happens with probability 0.25",
                     "step 2: the only choice is [c] m of line 6; what happens then is certain"):
        assert expected in done.stdout, done.stdout


@test
def chance_goes_by_the_weights(folder):
    path = model(folder, """dtmc
module m
  s : [0..3] init 0; n : [0..9] init 0;
  [] s<3 -> 0.999:(n'=mod(n+1,10)) + 0.001:(s'=3) + 0:(s'=7);
endmodule
""", "m.prism")
    done = simulate(path, "list\n")
    assert "0.999: n 0 -> 1" in done.stdout and "0.001: s 0 -> 3" in done.stdout and "3)" not in done.stdout, done.stdout
    ends = sum("s  0 -> 3" in simulate(path, "random 20\n", "--seed", seed).stdout for seed in range(1, 11))
    assert ends <= 3, ends  # one in fifty would be usual; half and half would end every one

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


def simulate(path, script, *words, code=0):
    return noether("simulate", path, *words, code=code, input=script)


BUG = "examples/german-bug.m"
BAD = "exists a: NODE do exists b: NODE do a != b & Cache[a].State = Shared & Cache[b].State = Exclusive end end"


@test
def simulate_steps_and_goes_back(folder):
    done = simulate("examples/survey-semaphore.m", "1\nenter\n", code=2)
    assert "0  start: startstate 1" in done.stdout and "1  try (p: Process_1)" in done.stdout
    assert "    4) enter (p: Process_1)" in done.stdout and 'there is no command "enter"' in done.stderr
    done = simulate("examples/survey-semaphore.m", "# a comment\n\n take 1\n4\nundo\nu 5\n1\nrestart\nlist\nquit\n1\n")
    steps = [line for line in done.stdout.splitlines() if line[:7].strip().isdigit()]
    assert [line.split(" ", 1)[1].split("  ")[-1] for line in steps] == [
        "start: startstate 1", "try (p: Process_1)", "enter (p: Process_1)", "try (p: Process_1)",
        "start: startstate 1", "start: startstate 1"], done.stdout
    for script, message in [("9\n", "there are 4 choices: 1 to 4"), ("undo x\n", "is no number"), ("prnt\n", 'mean "print"'),
                            ("u\nu\n", "no step to undo"), ("u\nprint\n", "choose a start state first"),
                            ("unwatch 3\n", "no watch 3"), ("seed\n", "wants a number"), ("save\n", "name of a file"),
                            ("load nowhere.json\n", "cannot read nowhere.json"), ("until\n", "wants a condition"),
                            ("until s & !s\n", "no state that can be reached"), ("watch y\n", 'unknown name "y"'),
                            ("until state\n", "must be boolean"), ("print state[Process_9]\n", "unknown name")]:
        done = simulate("examples/survey-semaphore.m", script, code=2)
        assert message in done.stderr, (script, done.stderr)


@test
def simulate_answers_questions(folder):
    done = simulate(BUG, f"1\nwatch ExGntd\nuntil {BAD}\nprint Cache[NODE_2].State\nprint Cache\nprint 2 + 3\n"
                    f"print CurPtr\nprint Chan2[NODE_1].Data = DATA_1\nprint Cache[CurPtr].State\nwhy {BAD}\nwhy\nprint\n", code=1)
    for expected in ("watch 1: ExGntd = false", "watch 1: ExGntd = true", "   9  Cache receives the exclusive copy (n: NODE_2)",
                     "here it is false: invariant", "Cache[NODE_2].State = Exclusive", "Cache = [NODE_1: {State: Shared",
                     "2 + 3 = 5", "CurPtr = undefined", "Chan2[NODE_1].Data = DATA_1 = false", "fails: ", "with a = NODE_1  true: exists b: NODE",
                     "is false after step 9:", "AuxData              DATA_1"):
        assert expected in done.stdout, (expected, done.stdout)
    assert "it is true here" in simulate(BUG, f"1\nuntil {BAD}\nuntil {BAD}\n", code=1).stdout


@test
def simulate_talks_to_a_terminal(folder):
    """Prompt, editing and history: the line before is recalled with the arrow key and taken again."""
    process, terminal = pty.fork()
    if not process:
        os.environ.update(TERM="xterm", NO_COLOR="1")
        os.chdir(ROOT)
        os.execv(BINARY, ["noether", "simulate", "examples/survey-semaphore.m"])
    shown = b""

    def await_prompt():
        nonlocal shown
        before = shown.count(b"noether> ")
        while shown.count(b"noether> ") == before:
            shown += os.read(terminal, 4096)

    await_prompt()
    for keys in b"2x\x7f\n", b"\x1b[A\n":
        os.write(terminal, keys)
        await_prompt()
    os.write(terminal, b"quit\n")
    try:
        while piece := os.read(terminal, 4096):
            shown += piece
    except OSError:
        pass  # how a terminal says that nobody is left
    assert os.waitpid(process, 0)[1] == 0
    assert b"1  try (p: Process_2)" in shown and b"2  try (p: Process_3)" in shown, shown


@test
def simulate_saves_and_loads(folder):
    trace = pathlib.Path(folder) / "run.json"
    simulate(BUG, f"1\nuntil {BAD}\nsave {trace}\n", code=1)
    assert 'replays, 9 steps: counterexample to invariant "An excl' in noether("replay", BUG, trace, code=0).stdout
    done = simulate(BUG, f"load {trace}\nundo\n")
    assert "9  Cache receives" in done.stdout and done.stdout.count("8  Home grants") == 2
    noether("check", BUG, "--trace", trace, code=1)
    assert "here it is false" in simulate(BUG, f"load {trace}\n", code=1).stdout
    damaged = json.loads(trace.read_text())
    damaged["result"]["trace"][3]["state"]["ExGntd"] = True
    trace.write_text(json.dumps(damaged))
    assert "does not replay" in simulate(BUG, f"load {trace}\n", code=2).stderr
    for text, claim, code in (FAULTY, "run-time error", 1), (QUOTES, "a run of the model", 0):
        path = model(folder, text)
        simulate(path, f"random 30\nsave {trace}\n", "--seed", 7, code=code)
        assert claim in noether("replay", path, trace, code=0).stdout
        noether("replay", path, trace, "-v", code=0)


@test
def random_runs_are_runs(folder):
    trace = pathlib.Path(folder) / "run.json"
    for path in sorted(ROOT.glob("examples/*.m")):
        if simulate(path, f"random 40\nsave {trace}\n", code=None).returncode in (0, 1):
            noether("replay", path, trace, code=0)


def small_models():
    """The models with an expectation that needs no options: path and what is expected, as a dictionary."""
    for path in sorted(ROOT.glob("tests/models/*.m")):
        found = re.search(r"^-- noether: (verdict=.*)$", path.read_text(errors="replace"), re.M)
        if found:
            yield path, dict(word.split("=", 1) for word in found.group(1).split() if "=" in word)


@test
def random_walks_agree_with_verdicts(folder):
    found = 0
    for path, expected in small_models():
        code = noether("simulate", path, "--random", 300, "--deadlock", "off").returncode
        assert code in ((0,) if expected["verdict"] == "holds" else (0, 1)), (path, expected, code)
        found += code
    assert found > 15, found  # violations of one step or two are found by any walk


@test
def graphs_have_the_expected_states(folder):
    for path, expected in small_models():
        if expected["verdict"] == "holds" and "states" in expected and int(expected["states"]) < 5000:
            drawn = graph(path, "--symmetry", "off", "--deadlock", "off", "--max-nodes", 5000)
            assert drawn["complete"] and drawn["explored"] == int(expected["states"]), (path, expected)


@test
def random_walks_are_repeated_by_their_seed(folder):
    trace = pathlib.Path(folder) / "run.json"
    first, second, other = (noether("simulate", BUG, "--random", 20000, "--seed", seed, "--trace", trace, code=1).stdout
                            for seed in (3, 3, 4))
    assert first == second != other and "violated, found by walk" in first
    noether("replay", BUG, trace, code=0)
    done = noether("simulate", "examples/german.m", "--random", 3, code=0)
    assert "nothing went wrong in 3 steps" in done.stdout and "never taken: " in done.stdout
    assert "goes with --random" in noether("simulate", BUG, "--trace", trace, code=2).stderr
    stuck = model(folder, "var x: 0..1; startstate begin x := 0; end; rule x = 0 ==> begin x := 1; end;")
    assert "from here no rule leads to another state" in noether("simulate", stuck, "--random", 9, code=1).stdout
    noether("simulate", stuck, "--random", 9, "--deadlock", "off", code=0)


@test
def explain_shows_what_is_false(folder):
    trace = pathlib.Path(folder) / "run.json"
    noether("check", BUG, "--trace", trace, code=1)
    done = noether("explain", BUG, trace, code=0)
    assert "is false after step 9:" in done.stdout and "with a = NODE_" in done.stdout
    assert "false: Cache[b].State = Invalid  (Cache[NODE_" in done.stdout
    damaged = json.loads(trace.read_text())
    damaged["result"]["trace"].pop()
    trace.write_text(json.dumps(damaged))
    assert "does not replay" in noether("explain", BUG, trace, code=1).stderr
    assert "cannot read" in noether("explain", BUG, "nowhere.json", code=2).stderr
    path = model(folder, FAULTY)
    noether("check", path, "--trace", trace, code=1)
    assert "the last step fails:" in noether("explain", path, trace, code=0).stdout
    path = model(folder, "var x: 0..1; startstate begin x := 0; end; rule x = 0 ==> begin x := 1; end;")
    noether("check", path, "--trace", trace, code=1)
    done = noether("explain", path, trace, code=0)
    assert "deadlock: from here no rule leads to another state" in done.stdout
    assert "  rule 1 is not enabled:\n    false: x = 0  (x is 1)\n" in done.stdout, done.stdout
    path = model(folder, """type P: scalarset(2); var x: array [P] of 0..1;
        startstate begin for p: P do x[p] := 0; end; end;
        ruleset p: P do rule "up" x[p] = 0 ==> begin x[p] := 1; end; rule "stay" x[p] = 1 ==> begin x[p] := 1; end; end;""")
    noether("check", path, "--trace", trace, code=1)
    done = noether("explain", path, trace, code=0)
    assert "up (p: P_1) is not enabled:\n    false: x[p] = 0  (x[P_1] is 1)" in done.stdout, done.stdout
    assert "stay (p: P_1) changes nothing" in done.stdout


UNDEFINED = """const N: 3; type P: scalarset(N); var leader: P; n: 0..N;
startstate begin n := 0; end;
ruleset p: P; q: P do rule "x" p != q & n < N - 2 & leader = p ==> begin leader := p; n := n + 1; end; end;
%s
"""


@test
def explain_has_the_text_of_the_model(folder):
    """Not the tests that comparisons imply, nor constants in place of their names; what is undefined is named."""
    trace = pathlib.Path(folder) / "run.json"
    path = model(folder, UNDEFINED % 'invariant "one leader" exists p: P do leader = p end;')
    assert '"one leader" (leader is undefined)' in noether("check", path, "--deadlock", "off", "--trace", trace, code=1).stdout
    done = noether("explain", path, trace, code=0)
    assert "  false: exists p: P do leader = p end\n    with p = P_1  false: leader = p  (leader is undefined)\n" in done.stdout, done.stdout
    path = model(folder, UNDEFINED % 'invariant "all the same"\n  forall p: P do\n    leader != p\n    -> n > N / 2\n  end;')
    noether("check", path, "--deadlock", "off", "--trace", trace, code=1)
    done = noether("explain", path, trace, code=0)
    assert "forall p: P do leader != p -> n > 1\n" in done.stdout and "isundefined" not in done.stdout, done.stdout
    assert "false: n > N / 2  (n is 0, N / 2 is 1)" in done.stdout, done.stdout
    path = model(folder, UNDEFINED % "")
    noether("check", path, "--trace", trace, code=1)
    done = noether("explain", path, trace, code=0)
    assert "x (p: P_1, q: P_2) is not enabled:" in done.stdout, done.stdout
    assert "false: leader = p  (leader is undefined)" in done.stdout, done.stdout


@test
def explain_goes_through_branching_time(folder):
    trace, path = pathlib.Path(folder) / "run.json", "tests/models/ctl-turns.m"
    noether("check", path, "--trace", trace, code=1)
    done = noether("explain", path, trace, code=0)
    assert done.stdout.startswith('counterexample to ctl "everybody gets it": busy[p] is false for ever (p: P_'), done.stdout
    lines = [re.sub(r"P_\d", "P", line) for line in done.stdout.splitlines()[1:]]
    assert lines == ["  false after step 0: AG forall p: P do AF busy[p] end", "    false: forall p: P do AF busy[p] end",
                     "      with p = P  false: AF busy[p]  (for ever: the run is a cycle, the state after step 2 is that after step 0)",
                     "        false: busy[p]  (busy[P] is false)",
                     "        false after step 1: busy[p]  (busy[P] is false)"], done.stdout


@test
def simulate_begins_where_a_run_ends(folder):
    trace = pathlib.Path(folder) / "run.json"
    noether("check", BUG, "-D", "NODE_NUM=2", "--trace", trace, code=1)
    done = simulate(BUG, "why\nundo 2\n", "--load", trace)  # with the constants of the run
    assert "9  Cache receives" in done.stdout and "is false after step 9:" in done.stdout
    assert "7  Home invalidates" in done.stdout.split("is false after step 9:")[1]
    assert "NODE_3" not in done.stdout
    assert "cannot read" in noether("simulate", BUG, "--load", "nowhere.json", code=2).stderr
    assert "--load is for stepping" in noether("simulate", BUG, "--load", trace, "--random", 3, code=2).stderr
    damaged = json.loads(trace.read_text())
    damaged["result"]["trace"][3]["state"]["ExGntd"] = True
    trace.write_text(json.dumps(damaged))
    assert "does not replay" in simulate(BUG, "", "--load", trace, code=2).stderr


@test
def strange_names_survive(folder):
    path = model(folder, "type P: scalarset(2);\nvar x: array [P] of 0..3;\n"
                 "startstate \"\u00fcber 'start' & \u2028\" begin for p: P do x[p] := 0; end; end;\n"
                 "ruleset p: P do rule \"step \U0001f600 (p: P_9) <b> \\\\ \\\"\" x[p] < 3 ==> begin x[p] := x[p] + 1; end; end;\n"
                 "invariant \"\u4e2d\u6587 {{data}} %s \\\\\" forall p: P do x[p] < 3 end;\n", "<img src=x> & 'q' %s.m")
    trace, drawn = pathlib.Path(folder) / "a b.json", pathlib.Path(folder) / "a <b>.svg"
    done = noether("check", path, "--trace", trace, code=1)
    assert "step \U0001f600" in done.stdout and "\u4e2d\u6587 {{data}} %s" in done.stdout, done.stdout
    assert "replays, 3 steps" in noether("replay", path, trace, code=0).stdout
    assert "is false after step 3" in noether("explain", path, trace, code=0).stdout
    assert "here it is false" in simulate(path, "", "--load", trace, code=1).stdout
    assert graph(path)["path"]["claim"].count("\u4e2d\u6587") == 1
    json.loads(noether("check", path, "--format", "sarif", code=1).stdout)
    if shutil.which("dot"):
        noether("graph", path, "-o", drawn, code=0)
        assert "step \U0001f600" in drawn.read_text() and xml.dom.minidom.parse(str(drawn))


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
