#!/usr/bin/env python3
"""tests/terminal/run.py BINARY: what people see on a terminal: lines that fit, progress, a conversation with simulate, drawings."""
import json
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = str(pathlib.Path(sys.argv[1]).resolve())
BUG, GERMAN = "examples/german-bug.m", "examples/german.m"
TESTS = []
LONG = """var x: 0..60000; y: 0..60000; startstate begin x := 0; y := 0; end;
rule "right" x < 60000 ==> begin x := x + 1; end; rule "up" y < 60000 ==> begin y := y + 1; end;
"""


def test(function):
    TESTS.append(function)
    return function


def run(*words, environment=None):
    return subprocess.run([BINARY, *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=patience.seconds(60),
                          env=os.environ | (environment or {}))


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


@test
def verdict_lines_fit_80_columns(folder):
    model = folder / "wide.m"
    words = "a name of many words that goes on and on so that no terminal of eighty columns can show it on one line"
    model.write_text(f'{LONG} invariant "{words}" x < 3; invariant "other" x >= 0;')
    talk = Talk("check", model)
    text = re.sub(r"\x1b\[[0-9;]*[mK]", "", talk.wait_for("keep-going")).replace("\r", "")
    talk.end()
    verdicts = text.split("\n\n")[-2].splitlines()
    expect(any(line.startswith("  violated") for line in verdicts), text)
    expect(all(len(line) <= 80 for line in verdicts if str(folder) not in line), "\n".join(verdicts))
    joined = " ".join(" ".join(verdicts).split())
    expect(words in joined, joined)
    answer = run("check", model)
    expect(re.search(rf'^  violated  invariant "{words}" .*{model.name}', answer.stdout, re.M), "a program gets whole lines: " + answer.stdout)
    expect(answer.stdout.count("first violation") == 1, "why the search stopped is said more than once:\n" + answer.stdout)
    answer = run("check", GERMAN, "--states", "100")
    expect(answer.stdout.count("100 states") <= 2 and answer.stdout.count("search stopped") == 1, answer.stdout)


@test
def errors_lead_to_the_docs(folder):
    for file in ("broken.m", "broken.prism", "broken.pml", "broken.bp", "broken.tts"):
        (folder / file).write_text("?")
        talk = Talk("check", folder / file)
        talk.wait_for("the language: ")
        page = talk.wait_for(".md") + ".md"
        talk.end()
        expect((ROOT / page).exists(), f"{file}: there is no {page}")
        expect("the language" not in run("check", folder / file).stderr, "a program gets the errors alone")


@test
def a_search_without_a_terminal_has_a_heartbeat(folder):
    model = folder / "long.m"
    model.write_text(LONG)
    answer = run("check", model, "--engine", "explicit", "--time", str(patience.seconds(3)), "--memory", "2G", environment={"NOETHER_HEARTBEAT": "1"})
    expect(answer.returncode == 3, answer.stderr)
    lines = [line for line in answer.stderr.splitlines() if line.startswith("noether: ")]
    form = re.compile(r"noether: [\d,]+ states, \d+[kMG]?/s, frontier [\d,]+, depth [\d,]+, [\d,]+ MiB \(\d+%\), \d+ s \(\d+%\)")
    expect(any(form.fullmatch(line) for line in lines), answer.stderr)
    answer = run("check", ROOT / "examples/german.m", "-D", "NODE_NUM=7", "--engine", "explicit", "--time", str(patience.seconds(4)), environment={"NOETHER_HEARTBEAT": "1"})
    expect(re.search(r"noether: [\d,]+ states \(for \d+[kMG]?\), ", answer.stderr), "without the states that they stand for: " + answer.stderr)
    answer = run("check", model, "--engine", "explicit", "--time", "2")
    expect("frontier" not in answer.stderr, "a heartbeat after less than 30 seconds")


class Talk:
    """A conversation on a terminal."""

    def __init__(self, *words):
        self.seen = ""
        self.child, self.terminal = pty.fork()
        if not self.child:
            os.chdir(ROOT)
            os.execve(BINARY, [BINARY, *map(str, words)], os.environ | {"TERM": "xterm"})

    def wait_for(self, wanted, limit=20):
        end = time.time() + patience.seconds(limit)
        while wanted not in self.seen:
            left = end - time.time()
            expect(left > 0 and select.select([self.terminal], [], [], left)[0], f"{wanted!r} is not shown: {self.seen[-500:]!r}")
            try:
                self.seen += os.read(self.terminal, 4096).decode(errors="replace")
            except OSError:
                expect(False, f"it ended before {wanted!r}: {self.seen[-500:]!r}")
        before, _, self.seen = self.seen.partition(wanted)
        return before

    def type(self, text):
        os.write(self.terminal, text.encode())

    def end(self):
        """The exit status."""
        try:
            while os.read(self.terminal, 4096):
                pass
        except OSError:
            pass
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


@test
def ctrl_c_ends_the_command_not_the_session(folder):
    model = folder / "long.m"
    model.write_text("var x: 0..1; startstate begin x := 0; end;\nrule begin x := 1 - x; end;")
    talk = Talk("simulate", model)
    talk.wait_for("noether> ")
    talk.type("random 2000000000\n")
    patience.works(talk.child, 0.5)
    talk.type("\x03")
    talk.wait_for("interrupted")
    talk.wait_for("noether> ")
    talk.type("restart\n")
    talk.wait_for("noether> ")
    talk.type("print x\n")
    talk.wait_for("x = 0")
    talk.type("quit\n")
    expect(talk.end() == 0, "exit status")


@test
def the_tabulator_completes(folder):
    model = folder / "m.m"
    model.write_text('var remarkable: 0..3; startstate begin remarkable := 0; end;\nrule "singular" begin remarkable := 1; end;')
    talk = Talk("simulate", model)
    talk.wait_for("noether> ")
    talk.type("pri\trem\t\n")
    talk.wait_for("remarkable = 0")
    talk.type("take sing\t\n")
    talk.wait_for("0 -> 1")
    talk.type("quit\n")
    talk.end()


@test
def many_random_steps_are_summed_up(folder):
    model = folder / "long.m"
    model.write_text(LONG)
    answer = subprocess.run([BINARY, "simulate", model], input="random 100\nrandom 3\ntake up\ntake nowhere\n", capture_output=True, text=True)
    out = answer.stdout
    expect("100 steps (trace shows them)" in out, out)
    counts = dict((name, int(number)) for number, name in re.findall(r"^ +(\d+)  (right|up)$", out, re.M))
    expect(counts["right"] + counts["up"] >= 100, out)
    expect(len(re.findall(r"^ +(?:98|99|100|101|102|103)  ", out, re.M)) >= 4, "the last steps are shown: " + out)
    expect("no choice begins with" in answer.stderr, answer.stderr)


@test
def graphs_show_the_counterexample_and_what_is_beside_it(folder):
    out = folder / "graph.json"
    run("graph", BUG, "-o", out)
    graph = json.loads(out.read_text())
    path, shown = set(graph["path"]["nodes"]), {node["number"] for node in graph["nodes"]}
    near = {edge["to"] for edge in graph["edges"] if edge["from"] in path} | {edge["from"] for edge in graph["edges"] if edge["to"] in path}
    expect(path <= shown and shown <= near | path and len(shown) <= 200, f"{len(shown)} nodes are shown")
    run("graph", BUG, "-o", out, "--max-nodes", "5")
    shown = {node["number"] for node in json.loads(out.read_text())["nodes"]}
    expect(shown == path or shown >= path and len(shown) <= max(5, len(path)), "the first nodes")
    run("graph", GERMAN, "-o", out)
    expect(len(json.loads(out.read_text())["nodes"]) == 200, "200 nodes of a model without a counterexample")


def main():
    failed = 0
    wanted = sys.argv[2:]
    chosen = [each for each in TESTS if not wanted or each.__name__ in wanted]
    for function in chosen:
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(pathlib.Path(folder))
            except (AssertionError, subprocess.TimeoutExpired, KeyError, ValueError) as error:
                failed += 1
                print(f"FAIL {function.__name__}: {type(error).__name__} {error}")
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
