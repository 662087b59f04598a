#!/usr/bin/env python3
"""tests/cli/run.py BINARY: the program as its users meet it: exit codes, messages, files, help."""
import csv
import json
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

import sarif

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = str(pathlib.Path(sys.argv[1]).resolve())
PARTIAL, COMPLETE = ROOT / "tests/models/adaptive", ROOT / "tests/models/complete"
GERMAN, BUG = "examples/german.m", "examples/german-bug.m"
TESTS = []

# Big enough to be still running when a signal or a limit arrives: 25 million states.
LONG = """
var x: 0..5000; y: 0..5000;
startstate begin x := 0; y := 0; end;
rule x < 5000 ==> begin x := x + 1; end;
rule y < 5000 ==> begin y := y + 1; end;
rule x = 5000 & y = 5000 ==> begin x := 0; end;
"""
FAULTY = """
const N: 3;
type node: scalarset(N);
var a: array [node] of 0..2;
startstate "go" begin for i: node do a[i] := 0; end; end;
ruleset i: node do rule "up" begin a[i] := a[i] + 1; end; end;
"""
STUCK = """
var x: 0..3;
startstate begin x := 0; end;
rule "up" x < 3 ==> begin x := x + 1; end;
"""
MULTISET = """
type node: scalarset(2); msg: record from: node; level: -2..2; end;
var net: multiset [3] of msg; done: boolean;
startstate begin undefine net; done := false; end;
ruleset n: node do
  rule "send" MultiSetCount(i: net, true) < 3 ==>
  var m: msg;
  begin m.from := n; m.level := -1; MultiSetAdd(m, net); end;
end;
choose i: net do
  rule "take" net[i].level = -1 ==> begin MultiSetRemove(i, net); done := true; end;
end;
invariant "never done" !done;
"""
# Two alike parts that are always in the same state: nothing to reduce.
IDLE = """
type node: scalarset(2);
var a: array [node] of boolean; x: 0..3000; y: 0..3;
startstate begin for i: node do a[i] := false; end; x := 0; y := 0; end;
rule "x" x < 3000 ==> begin x := x + 1; for i: node do a[i] := x % 2 = 0; end; end;
rule "y" begin y := (y + 1) % 4; end;
"""
# The loop keeps the last element: not symmetric.
# Nearly symmetric on the face of it; but the start states leave nothing alike.
CROWD = """type P: 1..6; var s: array [P] of 0..2; d: array [P] of 0..100;
startstate begin for i: P do s[i] := 0; d[i] := i * i; end; end;
ruleset i: P do rule "up" s[i] < 2 ==> begin s[i] := s[i] + 1; d[i] := 100 - d[i]; end;
  rule "down" s[i] > 0 ==> begin s[i] := s[i] - 1; end;
  rule "first" s[i] = 2 & i < 3 ==> begin s[i] := 0; end; end;
invariant "number" forall i: P do d[i] < 100 end;
"""
ORDERED = """
type node: scalarset(3);
var a: node;
startstate begin undefine a; end;
rule begin for i: node do a := i; end; end;
"""
UNDEFINED_IN_INVARIANT = """
var x: 0..3; y: boolean;
startstate begin x := 0; undefine y; end;
rule x < 3 ==> begin x := x + 1; end;
invariant "y from two on" x = 2 -> y;
"""
COVER = """
var x: 0..3;
startstate begin x := 0; end;
rule begin x := (x + 1) % 4; end;
cover "reaches three" x = 3;
cover "reaches nothing" x = 0 & x = 1;
"""


# Which assertion fails depends on which element of the multiset is looked at first.
DISPUTED = """
type N: scalarset(3);
var a: array [N] of 0..2; m: multiset [3] of N;
function f(v: 0..2): boolean; begin assert "A" v != 1; assert "B" v != 2; return false; end;
startstate begin for i: N do a[i] := 0; end; undefine m; end;
ruleset i: N; v: 1..2 do rule "set" a[i] = 0 ==> begin a[i] := v; multisetadd(i, m); end; end;
rule "fail" exists i: N do a[i] = 1 end & exists i: N do a[i] = 2 end ==> begin
  multisetremovepred(k: m, f(a[m[k]]));
end;
"""


def test(function):
    TESTS.append(function)
    return function


class Answer:
    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr


def run(*words, text=None, environment=None):
    return Answer(subprocess.run([BINARY, *words], cwd=ROOT, capture_output=True, text=True, timeout=patience.seconds(120), input=text,
                                 errors="replace", env={**os.environ, **(environment or {})}))


def model(folder, text, name="model.m"):
    path = pathlib.Path(folder) / name
    path.write_text(text)
    return str(path)

# Elements are named, so all of them are in the graph: seconds.
SLOW_TO_ANALYSE = """const N: 1000; type P: 1..N; var a: array [P] of array [P] of boolean; b: array [P] of 0..2;
startstate begin for p: P do b[p] := 0; for q: P do a[p][q] := false; end; end; end;
ruleset p: P; q: P do rule b[p] = 0 & p < q & !a[p][q] ==> begin a[p][q] := true; b[q] := 1; end; end;
rule b[3] = 1 ==> begin b[3] := 0; end;"""


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def expect_code(answer, code):
    expect(answer.code == code, f"exit status {answer.code}, not {code}\n{answer.out}{answer.err}")


@test
def help_teaches_with_files_that_exist(folder):
    answer = run("--help")
    expect_code(answer, 0)
    for name in re.findall(r"examples/\S+\.m", answer.out):
        expect((ROOT / name).exists(), f"{name} does not exist")
    for command in ("check", "symmetry", "replay"):
        expect_code(run("help", command), 0)
        expect_code(run(command, "--help"), 0)
    expect(run("help").out == answer.out, "help and --help differ")


@test
def defines_in_help_exist(folder):
    for name, constant in re.findall(r"check (examples/\S+\.m) -D (\w+)=", run("--help").out):
        expect(re.search(rf"\b{constant}\s*:", (ROOT / name).read_text()), f"{name} has no constant {constant}")


@test
def manual_page_is_up_to_date(folder):
    expect(run("help", "man").out == (ROOT / "docs/noether.1").read_text(),
           "docs/noether.1 is old: build/noether help man > docs/noether.1")


def complete(script, *words):
    """What bash offers for the last of the words."""
    program = f"""source {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _noether; printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "-c", program, "bash", *words], cwd=ROOT, capture_output=True, text=True, timeout=patience.seconds(60))
    expect(done.returncode == 0 and not done.stderr, f"{words}: {done.stderr}")
    return done.stdout.split()


@test
def completions_offer_every_option(folder):
    script = model(folder, run("help", "bash").out, "noether.bash")
    commands = complete(script, "noether", "")
    expect({"check", "symmetry", "replay", "help"} <= set(commands), commands)
    for command in set(commands) - {"--help", "--version"}:
        options = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", run("help", command).out, re.M)) | {"--help"}
        expect(set(complete(script, "noether", command, "--")) == options, f"options of {command}")
    expect(complete(script, "noether", "check", "--search", "") == ["bfs", "dfs", "backward"], "values")
    expect(complete(script, "noether", "check", "--search", "=", "d") == ["dfs"], "values after =")
    files = sorted(complete(script, "noether", "check", "examples/german"))
    expect(files == ["examples/german-bug.m", "examples/german.m"], files)
    expect("zsh" in complete(script, "noether", "help", "z"), "topics of help")
    zsh = run("help", "zsh").out
    for option in complete(script, "noether", "check", "--"):
        expect(f"'{option}[" in zsh or f"{option}=[" in zsh, f"zsh: {option}")
    if shutil.which("zsh"):
        done = subprocess.run(["zsh", "-n", model(folder, zsh, "_noether")], capture_output=True, text=True, timeout=patience.seconds(60))
        expect(done.returncode == 0, done.stderr)


@test
def editors_know_the_keywords(folder):
    table = (ROOT / "src/lang/murphi/lexer.c").read_text()
    keywords = set(re.findall(r'\{"([a-z]+)", (?:KEY|SOFT)_', table))
    expect(len(keywords) > 60, "the table of keywords was not found")
    vim = (ROOT / "editors/vim/syntax/murphi.vim").read_text()
    known = set(" ".join(re.findall(r"syntax keyword murphi(?!Todo)\w+\s+(.*)", vim)).split())
    expect(known == keywords, f"vim: {known ^ keywords}")
    grammar = json.loads((ROOT / "editors/textmate/murphi.tmLanguage.json").read_text())
    known = set()
    for pattern in grammar["repository"]["words"]["patterns"]:
        known |= set(re.findall(r"[a-z]{2,}", pattern["match"])) if pattern["match"].startswith("(?i)") else set()
    expect(known == keywords, f"TextMate: {known ^ keywords}")
    page = (ROOT / "src/report/web/source.js").read_text()
    known = set(re.findall(r"[a-z]+", re.search(r"MURPHI_WORDS = (.*?);", page, re.S).group(1)))
    expect(known == keywords, f"report page: {known ^ keywords}")


@test
def editors_know_the_words_of_prism(folder):
    table = re.search(r"words\[\] = \{(.*?)\};", (ROOT / "src/lang/prism/lexer.c").read_text(), re.S).group(1)
    words = set(re.findall(r'"(\w+)"', table))
    expect(len(words) > 40, "the table of words was not found")
    vim = (ROOT / "editors/vim/syntax/prism.vim").read_text()
    known = set(" ".join(re.findall(r"syntax keyword prism(?!Todo)\w+\s+(.*)", vim)).split())
    expect(known == words, f"vim: {known ^ words}")
    grammar = json.loads((ROOT / "editors/textmate/prism.tmLanguage.json").read_text())
    known = {word for pattern in grammar["repository"]["words"]["patterns"] for word in re.findall(r"\w+", pattern["match"][2:])} - {"b"}
    expect(known == words, f"TextMate: {known ^ words}")
    page = (ROOT / "src/report/web/source.js").read_text()
    known = set(re.findall(r"\w+", re.search(r"PRISM_WORDS = (.*?);", page, re.S).group(1)))
    expect(known == words, f"report page: {known ^ words}")


@test
def editors_know_the_words_of_promela(folder):
    table = re.search(r"words\[\] = \{(.*?)\};", (ROOT / "src/lang/promela/lexer.c").read_text(), re.S).group(1)
    words = set(re.findall(r'"(\w+)"', table))
    expect(len(words) > 60, "the table of words was not found")
    vim = (ROOT / "editors/vim/syntax/promela.vim").read_text()
    known = set(" ".join(re.findall(r"syntax keyword promela(?!Todo)\w+\s+(.*)", vim)).split())
    expect(known == words, f"vim: {known ^ words}")
    grammar = json.loads((ROOT / "editors/textmate/promela.tmLanguage.json").read_text())
    known = {word for pattern in grammar["repository"]["words"]["patterns"] for word in re.findall(r"\w+", pattern["match"][2:])} - {"b"}
    expect(known == words, f"TextMate: {known ^ words}")


@test
def promela_differs_from_spin_where_its_page_says(folder):
    violated, holds, unknown = 1, 0, 3
    for text, code, words in (
            ("active proctype P() { do :: skip od }", holds, "1 state,"),
            ("byte n; active proctype P() { n = 1 } ltl f { X (n == 1) }", holds, 'ltl "f"'),
            ("byte x, y; active proctype P() { x = 1 / y }", violated, "division by zero"),
            ("chan q = [2] of { byte }; proctype P() { skip; q?7 } init { bool v; run P(); do :: q?v :: q!(~v); q!v od }", violated, "no rule is enabled"),
            ("chan c; byte n; active proctype P() { if :: c!n :: n = 1 fi }", violated, "no bad use of a channel"),
            ("chan g; byte d; proctype C() { chan c = [1] of { byte }; g = c } "
             "active proctype P() { run C(); _nr_pr == 1; if :: g!1 -> assert(len(g) == 1) :: d = 2 fi }", violated, "no bad use of a channel"),
            ("chan c = [0] of { byte }; active proctype P() { if :: c?[1] -> assert(false) :: else fi }", violated, "no bad use of a channel"),
            ("hidden byte h; byte n; active proctype P() { h = 1; n = h; assert(n == 1); h = 0 }", holds, "6 states"),
            ("proctype Q() { end: false } active proctype P() { do :: run Q() od }", unknown, "room for 25 processes only"),
            ("byte n; active proctype P() { n = 1 } ltl f { <>(n == 1) } ltl g { [](n == 0) }", violated, 'ok        ltl "f"'),
            ("byte n; active proctype P() { n == 1 }", violated, "no deadlock"),
            ("byte n; active proctype P() { end: n == 1 }", holds, "no deadlock"),
            ("byte n; active proctype P() { atomic { n = 1; n = 0 } } ltl f { [](n == 0) }", holds, 'ltl "f"'),
            ("byte n; active proctype P() { n = 1 } ltl f { <>[](n == 1) }", holds, "runs that end repeat their last state")):
        answer = run("check", model(folder, text, "differs.pml"))
        expect_code(answer, code)
        expect(words in answer.out, f"{text}: {answer.out}")
    for words in (["--property", "[](n == 0)"], ["--final", "n == 0"]):
        answer = run("check", model(folder, "byte n; active proctype P() { n == 1 }", "asked.pml"), *words)
        expect_code(answer, 2)
        expect("stand in the model" in answer.err, answer.err)


@test
def promela_warnings_are_about_statements(folder):
    answer = run("check", model(folder, """chan c = [0] of { byte }; chan d = [0] of { byte };
active proctype P() { if :: c!1 :: d!2 fi; c!3 }
active [2] proctype Q() { byte v; if :: c?v :: d?v; if :: v == 7 -> skip :: else fi fi }
""", "dead.pml"), "--deadlock", "off")
    expect_code(answer, 0)
    found = re.findall(r"warning +(.*?)  \(", answer.out)
    expect(found == [f'statement "{text}" is executed in no reachable state' for text in ("Q: v == 7", "Q: skip")], found)
    answer = run("check", "examples/snoopy-cache.pml")  # its d_steps never block, and its init is unrolled
    expect("warning" not in answer.out, answer.out)


@test
def vim_knows_the_files(folder):
    if not shutil.which("vim") or "+syntax" not in subprocess.run(["vim", "--version"], capture_output=True, text=True, timeout=patience.seconds(60)).stdout:
        return  # nothing to ask
    shown = pathlib.Path(folder) / "shown"
    script = model(folder, f"""set nocompatible runtimepath^={ROOT}/editors/vim
syntax on
filetype on
redir! > {shown}
""" + "".join(f"""edit {ROOT}/examples/{name}
echo &filetype synIDattr(synID({line}, {column}, 1), 'name')
""" for name, line, column in (("leader.prism", 8, 1), ("leader.props", 3, 12), ("german.m", 27, 9), ("peterson.pml", 21, 1))) + "redir END\nqa!\n", "ask.vim")
    subprocess.run(["vim", "-es", "-N", "-u", "NONE", "-S", script], stdin=subprocess.DEVNULL, capture_output=True, timeout=patience.seconds(60))
    words = shown.read_text()
    for expected in ("prism prismKind", "prism prismProperty", "murphi murphiType", "promela promelaType"):
        expect(expected in words, words)


@test
def sarif_has_findings_with_places(folder):
    answer = run("check", BUG, "--format", "sarif")
    expect_code(answer, 1)
    log = json.loads(answer.out)
    expect(log["version"] == "2.1.0" and log["runs"][0]["tool"]["driver"]["name"] == "noether", "head")
    violated = [item for item in log["runs"][0]["results"] if item["ruleId"] == "property"]
    expect(len(violated) == 1 and violated[0]["level"] == "error", violated)
    place = violated[0]["locations"][0]["physicalLocation"]
    expect(place["artifactLocation"]["uri"] == BUG and place["region"]["startLine"] == 194, place)
    steps = violated[0]["codeFlows"][0]["threadFlows"][0]["locations"]
    expect(len(steps) == 10 and "Cache[NODE_2].State" in steps[9]["location"]["message"]["text"], steps[9])
    ids = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
    for item in log["runs"][0]["results"]:
        expect(ids[item["ruleIndex"]] == item["ruleId"], item)
    bad = run("check", model(folder, "var x: 0..3;\nstartstate begin /* \u00fc */ y := 1; end;\nrule begin end;\n"), "--format", "sarif")
    expect_code(bad, 2)
    first = json.loads(bad.out)["runs"][0]
    expect(not first["invocations"][0]["executionSuccessful"], "an error is a success")
    region = first["results"][0]["locations"][0]["physicalLocation"]["region"]
    expect(first["results"][0]["ruleId"] == "model" and (region["startLine"], region["startColumn"]) == (2, 26), region)
    dead = model(folder, "var x: 0..3;\nstartstate begin x := 0; end;\nrule begin x := 1 - x; end;\n"
                         'rule "dead" x = 3 ==> begin x := 2; end;\n')
    answer = run("check", dead, "--format=sarif")
    expect_code(answer, 0)
    expect([item["ruleId"] for item in json.loads(answer.out)["runs"][0]["results"]] == ["never-fired"], answer.out)
    chain = model(folder, "dtmc\nmodule m\n s : [0..3];\n [] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);\n"
                          " [] s=3 -> 0.5:(s'=1) + 0.5:(s'=0);\nendmodule\n", "dead.prism")
    found = json.loads(run("check", chain, "--property", "P>=1 [ F s=3 ]", "--format=sarif").out)["runs"][0]["results"]
    expect([item["ruleId"] for item in found] == ["property", "never-fired"], found)
    expect(found[1]["locations"][0]["physicalLocation"]["region"]["startLine"] == 5, found)
    expect_code(run("check", BUG, "--format", "sarif", "--json", "-"), 2)


@test
def sarif_is_as_specified(folder):
    odd = model(folder, STUCK, "a <b> 50% [c] \u00fc.m")
    chain = model(folder, "dtmc\nmodule m\n s : [0..3];\n [] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);\nendmodule\n", "m.prism")
    runs = ([BUG], [GERMAN, "-D", "NODE_NUM=2"], [model(folder, FAULTY)], [model(folder, ORDERED, "o.m")], [odd],
            [model(folder, LONG, "long.m"), "--states", "50"], [model(folder, "var x: 0..3;\n", "bad.m")],
            [chain, "--property", "P>=1 [ F s=3 ]"], ["examples/mcs-lock.m", "--engine", "counter"], [GERMAN, "--fair"], ["nowhere.m"])
    for words in runs:
        found = sarif.complaints(json.loads(run("check", *words, "--format", "sarif").out))
        expect(not found, f"{words}: {found[:5]}")
    good = run("check", BUG, "--format", "sarif").out
    for before, after in (('"2.1.0"', '"2.1"'), ('"ruleIndex":0', '"ruleIndex":1'), ('"startLine":', '"startLine":-'),
                          ('"message":', '"massage":'), ('"level":"error"', '"level":"fatal"'), ("german-bug", "german bug"),
                          ('"executionOrder":2', '"executionOrder":9')):
        bad = re.sub(r"\s*([:,])\s*(?=[\"\d{\[])", r"\1", good)
        expect(before in bad and sarif.complaints(json.loads(bad.replace(before, after))), f"{after} is no complaint")


@test
def what_engines_do_with_symmetry_is_said(folder):
    order = model(folder, """type P: 1..3; var x: array [P] of 0..1;
startstate begin for p: P do x[p] := 0; end; end;
ruleset p: P do
  rule "up" forall q: P do q < p -> x[q] = 1 end ==> begin x[p] := 1; end;
  rule "down" x[p] = 1 ==> begin x[p] := 0; end;
end;
invariant "i" x[1] = 0 | x[2] = 0;
""")
    done = run("check", order, "--engine", "complete")
    expect(done.out.startswith("symmetry: what is learned of a state is used again under permutations"), done.out)
    expect("not a shortest run" in done.out, done.out)
    expect(run("check", order, "--engine", "complete", "--permutations", "none").out.startswith("symmetry: none: --perm"), "none")
    expect(f"and where: noether symmetry {order}\n" in run("check", order, "-v", "--engine", "explicit").out, "where to look")
    pairs = model(folder, "type P: scalarset(3); var x: array [P] of array [P] of boolean;\nstartstate begin clear x; end;\n"
                          "ruleset p: P; q: P do rule begin x[p][q] := !x[p][q]; end; end;\n")
    refused = run("check", pairs, "--engine", "counter")
    expect_code(refused, 2)
    expect(re.search(r"model\.m:\d+:\d+: error: .*\n +\d+ \| .*\n +\| +\^", refused.err), refused.err)


@test
def readme_commands_work(folder):
    """Every command of the README and of docs/overview.md, in order, on the examples; what it shows is printed (but for times and memory)."""
    mask = lambda line: re.sub(r"[\d.]+ (s|MiB|bytes/state)\b", "_", line).strip()
    shell = 'noether() { "%s" "$@"; }; cd "%s"; ' % (BINARY, folder)
    shutil.copytree(ROOT / "examples", pathlib.Path(folder) / "examples")
    shutil.copy(ROOT / "examples/german.m", pathlib.Path(folder) / "repaired.m")
    checked = 0
    for block in re.findall(r"^```\n(.*?)^```$", (ROOT / "README.md").read_text() + (ROOT / "docs/overview.md").read_text(), re.M | re.S):
        out = ""
        for line in block.splitlines():
            if line.startswith("$ build/noether"):
                done = subprocess.run(["bash", "-c", shell + line[8:]], capture_output=True, text=True, timeout=patience.seconds(100), stdin=subprocess.DEVNULL)
                expect(done.returncode in (0, 1), f"{line}: {done.stderr}")
                out, checked = [mask(shown) for shown in done.stdout.splitlines()], checked + 1
            elif out and line.strip() not in ("", "...") and not line.startswith("$"):
                expect(mask(line) in out, f"README shows {line!r}")
    expect(checked >= 9, f"{checked} commands")


@test
def report_page(folder):
    page = pathlib.Path(folder) / "report.html"
    expect_code(run("check", BUG, "--report", str(page)), 1)
    text = page.read_text()
    expect("german-bug.m: violated</title>" in text and "{{" not in text.split("<script", 1)[0], "title")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
    expect(len(data["traces"]) == 1 and len(data["traces"][0]["steps"]) == 10, "trace")
    expect(data["traces"][0]["explanation"]["outcome"] == "false", "explanation")
    answer = run("check", BUG, "--report", "-")
    expect_code(answer, 1)
    expect(answer.out.startswith("<!DOCTYPE html>") and answer.out.endswith("</html>\n"), "page alone")
    bad = pathlib.Path(folder) / "bad.html"
    expect_code(run("check", model(folder, "var x: 0..3; y\n"), "--report", str(bad)), 2)
    expect("model.m: not checked</title>" in bad.read_text(), "report of a bad model")
    expect_code(run("check", "nowhere.m", "--report", str(bad)), 2)
    expect("nowhere.m: not checked</title>" in bad.read_text(), "report of no model")
    expect_code(run("check", BUG, "--report", BUG), 2)


@test
def version(folder):
    expect(re.fullmatch(r"noether \d+\.\d+\.\d+\n", run("--version").out), "version line")


@test
def wrong_usage_gets_a_suggestion(folder):
    cases = [
        ([], "usage:"), (["chek", GERMAN], 'did you mean "check"'), ([GERMAN], "noether check"),
        (["check"], "wants MODEL"), (["check", GERMAN, "--serch", "bfs"], "did you mean --search"),
        (["check", GERMAN, "--search", "best"], "bfs|dfs"), (["check", GERMAN, "--time", "soon"], "10m"),
        (["check", GERMAN, "--bound", "3"], "did you mean --depth?"),
        (["check", GERMAN, "-sim"], "no option -sim; values are computed"), (["check", GERMAN, "-exact"], "-exact; use --exact"),
        (["check", GERMAN, "-N", "f"], "no option -N; every formula is checked"),
        (["check", GERMAN, "--engine", "explict"], 'did you mean "explicit"?'),
        (["check", "examples/mutex.prism", "--fairness", "weak"], "--fairness is for Murphi and Promela models; see --fair"),
        (["check", "examples/mutex.prism", "--undefined", "error"], "mutex.prism: error: --undefined is for Murphi models, not for PRISM models"),
        (["check", "examples/mutex.prism", "--dialect", "rumur"], "--dialect is for Murphi models, not for PRISM models"),
        (["check", GERMAN, "--process-death", "any"], "--process-death is for Promela models, not for Murphi models"),
        (["check", GERMAN, "--recursion", "3"], "--recursion is for Boolean program models, not for Murphi models"),
        (["check", "examples/mutex.prism", "-D", "M=3"], 'mutex.prism: error: -D M=3: the model declares no constant "M"'),
        (["check", "examples/peterson.pml", "-D", "M=3"], 'peterson.pml: error: the model does not use "M" of -D'),
        (["check", "examples/mutex.props", GERMAN, "examples/mutex.prism"], "properties stand behind their model: noether check MODEL examples/mutex.props"),
        (["check", GERMAN, "-D", "N"], "NAME=VALUE"), (["check", "nowhere.m"], "cannot read nowhere.m"),
        (["check", "examples"], "cannot read examples: it is a folder"),
        (["check", "README.md"], "--language"), (["check", GERMAN, "--json", "nowhere/out.json"], "cannot write"),
        (["check", GERMAN, "--json", "-", "--trace", "-"], "cannot both go to standard output"),
        (["replay", GERMAN], "wants MODEL [PROPERTIES] TRACE"), (["check", GERMAN, "--json", "examples"], "cannot write"),
        (["check", GERMAN, "-D", "NODE_NUMBER=3"], 'no constant "NODE_NUMBER"'), (["help", "me"], "no command"),
        (["check", GERMAN, "-D", "NODENUM=3"], 'did you mean "NODE_NUM"?'),
        (["check", GERMAN, "-D", "Shared=3"], "its constants: NODE_NUM, DATA_NUM"),
    ]
    for words, message in cases:
        answer = run(*words)
        expect_code(answer, 2)
        expect(message in answer.err, f"{words}: {message!r} is not in {answer.err!r}")
        expect(answer.out == "", f"{words}: printed {answer.out!r}")


@test
def holds(folder):
    answer = run("check", GERMAN)
    expect_code(answer, 0)
    expect("every property holds" in answer.out, answer.out)
    expect("28,088 states (for 1,105,434 without symmetry)" in answer.out, answer.out)
    expect("\033" not in answer.out and answer.err == "", "colours or progress without a terminal")


@test
def profile(folder):
    for stepper in ("auto", "vm", "evaluator"):
        text = run("check", GERMAN, "-DNODE_NUM=2", "--profile", "--stepper", stepper)
        expect_code(text, 0)
        expect(re.search(r"%\s+[\d.]+ s\s+\d+ ns\s+[\d,]+\s+[\d,]+  Store\n", text.out), text.out)
        answer = json.loads(run("check", GERMAN, "-DNODE_NUM=2", "--profile", "--stepper", stepper, "--json", "-").out)
        fired = {rule["name"]: rule["fired"] for rule in answer["statistics"]["rules"]}
        expect({rule["name"]: rule["fired"] for rule in answer["profile"]["rules"]} == fired, answer["profile"])
        expect(all(rule["enabled"] == rule["fired"] and rule["tried"] == answer["statistics"]["states"]
                   for rule in answer["profile"]["rules"]), answer["profile"])
        # not of states that differ from others in nothing that formulas read
        expect(all(0 < row["evaluated"] <= answer["statistics"]["states"] for row in answer["profile"]["properties"]),
               answer["profile"])
    for formula, evaluated in ("x < 9 | y | !y", 20), ("x < 10", 10):  # states that read alike are not evaluated again
        path = model(folder, f"""var x: 0..9; y: boolean; startstate x := 0; y := false; end;
            rule x < 9 ==> x := x + 1; end; rule y := !y; end; invariant {formula};""")
        answer = json.loads(run("check", path, "--profile", "--engine", "explicit", "--threads", "1", "--json", "-").out)
        expect(answer["statistics"]["states"] == 20, answer["statistics"])
        expect(all(row["evaluated"] == evaluated for row in answer["profile"]["properties"]), answer["profile"])
    expect("profile" not in json.loads(run("check", GERMAN, "-DNODE_NUM=2", "--json", "-").out), "not asked for")


def is_without_sat(folder):
    """A program that was built without a SAT solver says so."""
    path = model(folder, "var x: 0..3; startstate begin x := 0; end; rule x < 2 ==> begin x := x + 1; end; invariant x < 3;\n")
    answer = run("check", path, "--engine", "sat", "--deadlock", "off")
    is_without = "built without a SAT solver" in answer.err
    expect_code(answer, 2 if is_without else 0)
    expect_code(run("check", path, "--deadlock", "off"), 0)
    return is_without


@test
def the_sat_engine_is_there_or_refused(folder):
    is_without_sat(folder)


@test
def native_code(folder):
    program = run("check", GERMAN, "--dump=c").out
    expect('/* rule "Store", german.m:' in program and "noether_program" in program, "no program")
    if not shutil.which("cc"):
        return
    cache = dict(XDG_CACHE_HOME=str(folder))
    for origin in ("compiled by this run", "from the cache"):
        answer = run("check", GERMAN, "-DNODE_NUM=2", "--stepper", "native", "-v", environment=cache)
        expect_code(answer, 0)
        expect(f"native code, {origin}" in answer.out or f"native code {origin}" in answer.out, answer.out)
    answer = run("check", GERMAN, "-DNODE_NUM=2", "--stepper", "native", environment=dict(NOETHER_NO_NATIVE="1"))
    expect_code(answer, 3)
    expect("NOETHER_NO_NATIVE is set" in answer.out, answer.out)
    answer = run("check", GERMAN, "-DNODE_NUM=2", "-v", environment=dict(NOETHER_NO_NATIVE="1"))
    expect_code(answer, 0)
    expect("no native code: NOETHER_NO_NATIVE is set" in answer.out, answer.out)


@test
def sleep_sets_change_no_figure(folder):
    """Successors that are not made are counted, with every stepper and any number of threads; --store plain makes all."""
    def figures(*words):
        answer = run("check", GERMAN, "--engine", "explicit", "-v", *words)
        expect_code(answer, 0)
        counts = re.search(r"([\d,]+ states\b.*, [\d,]+ rules fired, depth \d+)", answer.out).group(1)
        return counts, "of the successors were not made" in answer.out
    for model in (("-DNODE_NUM=3", "--symmetry", "off"), ("-DNODE_NUM=5", "--representative", "canonical")):
        plain, is_asleep = figures(*model, "--store", "plain")
        expect(not is_asleep, "asleep in a numbered search")
        for stepper in ("vm", "native") if shutil.which("cc") else ("vm",):
            for threads in ("1", "3"):
                answer = figures(*model, "--stepper", stepper, "--threads", threads)
                expect(answer == (plain, True), f"{stepper}, {threads} threads: {answer}, {plain}")


TWINS_THAT_FAIL = """
type P: scalarset(5);
var a: array[P] of 0..3; b: array[P] of 0..2;
startstate begin for p: P do a[p] := 0; b[p] := 0; end; end;
ruleset p: P do
  rule "up" a[p] < 3 ==> begin a[p] := a[p] + 1; end;
  rule "fails" a[p] = 2 & b[p] > 0 ==> begin assert b[p] = 1; b[p] := 0; end;
  rule "is discarded" a[p] = 1 ==> begin assume b[p] > 0; b[p] := 2; end;
end;
ruleset p: P; q: P do
  rule "pair" p != q & a[p] = 0 & a[q] = 0 & b[q] < 2 ==> begin b[q] := b[q] + 1; assert b[p] < 2 | b[q] < 2; end;
end;
"""


@test
def twins_that_are_passed_over_change_no_figure(folder):
    """Of instances that twins make the same one is fired, and all are counted; not those that fail, or are discarded."""
    path = model(folder, TWINS_THAT_FAIL)
    def figures(*words):
        answer = run("check", path, "--engine", "explicit", "--keep-going", "--deadlock", "off", "-v", *words)
        expect_code(answer, 1)
        return re.search(r"([\d,]+ states\b.*, [\d,]+ rules fired, depth \d+)", answer.out).group(1), \
            re.findall(r"counterexample to .*", answer.out)
    plain = figures("--store", "plain", "--stepper", "vm")
    for stepper in ("vm", "native") if shutil.which("cc") else ("vm",):
        for threads in ("1", "3"):
            answer = figures("--representative", "canonical", "--stepper", stepper, "--threads", threads)
            expect(answer == plain, f"{stepper}, {threads} threads: {answer}, {plain}")


SHARED_FAILURE = """
var w: 0..30000; a, b, c: 0..1; d: 0..3; u: 0..1;
startstate begin w := 0; a := 0; b := 0; c := 0; d := 0; undefine u; end;
rule "w" w < 30000 ==> begin w := w + 1; end;
rule "a" w = 30000 & a = 0 ==> begin a := 1; end;
rule "b" w = 30000 & b = 0 ==> begin b := 1; end;
rule "c" w = 30000 & c = 0 ==> begin c := 1; end;
ruleset i: 0..2 do
  rule "fails" a = 1 & u = 0 & i > 0 ==> begin c := 0; end;
end;
rule "d" a = 1 & d < 3 ==> begin d := d + 1; end;
invariant "D" d < 3;
"""


@test
def instances_that_share_a_failure_leave_the_log_alone(folder):
    """All instances fail at once where others are asleep; the run to a later violation is found in the log."""
    path = model(folder, SHARED_FAILURE)
    for stepper in ("vm", "native") if shutil.which("cc") else ("vm",):
        answer = run("check", path, "--engine", "explicit", "--keep-going", "--deadlock", "off", "--stepper", stepper)
        expect_code(answer, 1)
        expect('violated  invariant "D"' in answer.out, answer.out)


@test
def quiet_prints_one_line(folder):
    expect(run("check", GERMAN, "-q", "-DNODE_NUM=2").out == f"{GERMAN}: every property holds\n", "not one line")


@test
def violated_with_a_trace_of_changes(folder):
    answer = run("check", BUG)
    expect_code(answer, 1)
    expect("counterexample to invariant" in answer.out and "(9 steps)" in answer.out, answer.out)
    expect(re.search(r"^ +\S+ +\S+ -> \S+$", answer.out, re.M), "no change shown")
    full = run("check", BUG, "--full-states")
    expect(len(full.out.splitlines()) > 3 * len(answer.out.splitlines()), "--full-states shows no more")


EXPERIMENT = """dtmc
const int N;
const double p;
module m
  s : [0..N];
  [] s<N -> p:(s'=s+1) + 1-p:(s'=0);
  [] s=N -> true;
endmodule
"""


@test
def ranges_of_constants_make_a_table(folder):
    path, props = model(folder, EXPERIMENT, "m.prism"), model(folder, 'const int k;\n"soon": P=? [ F<=k s=N ];\nP>=0.5 [ F<=k s=N ];\n', "m.props")
    files = {name: os.path.join(folder, name) for name in ("t.csv", "t.json", "t.html")}
    answer = run("check", path, props, "-const", "N=1:2:5,p=1/2:1/4:1,k=10", "--csv", files["t.csv"], "--json", files["t.json"],
                 "--report", files["t.html"])
    expect_code(answer, 1)
    lines = answer.out.splitlines()
    expect(lines[0].split()[:3] == ["N", "p", "soon"] and len(lines) == 10, answer.out)
    expect(lines[7].split() == ["5", "0.5", "0.109375", "false", "6"], lines[7])
    with open(files["t.csv"], newline="") as file:
        rows = list(csv.DictReader(file))
    expect(len(rows) == 9 and rows[6]["soon"] == "0.109375" and rows[6]["soon lower"] == "0.109375", rows[6])
    with open(files["t.json"]) as file:
        document = json.load(file)
    expect(document["constants"] == ["N", "p"] and document["asked"] == 9 and document["stopped_by"] is None, document["constants"])
    expect(document["rows"][6]["constants"] == {"N": "5", "p": "0.5"}, document["rows"][6]["constants"])
    expect(document["rows"][6]["answer"]["results"][1]["value"]["lower"] == "0.109375", "the value")
    with open(files["t.html"]) as file:
        page = file.read()
    expect(page.count("<polyline") == 3 and page.count("<tr>") == 10, "the page")
    keys = re.findall(r'<li><span style="background: ([^"]*)"></span>([^<]*)</li>', page)
    expect([key[1] for key in keys] == ["p=0.5", "p=0.75", "p=1"] and all(f'stroke="{key[0]}"' in page for key in keys), f"the legend: {keys}")
    expect("N=1:2:9" in run("help", "check").out, "help")


@test
def ranges_are_compared_with_what_is_expected(folder):
    path = model(folder, EXPERIMENT, "m.prism")
    props = model(folder, '// RESULT (N=1): 1/2\n// RESULT (N=2): 0.3\n"soon": P=? [ F<=N s=N ];\n', "m.props")
    answer = run("check", path, props, "-D", "N=1:3", "-D", "p=1/2", "--results")
    expect_code(answer, 1)
    expect("differs   N=2: soon: expected 0.3" in answer.out and "1 agree, 1 differ, 0 unknown" in answer.out, answer.out)
    rows = list(csv.DictReader(run("check", path, props, "-D", "N=1:3", "-D", "p=1/2", "--results", "--csv", "-").out.splitlines()))
    expect([(row["soon expected"], row["soon agreement"]) for row in rows] == [("1/2", "agrees"), ("0.3", "differs"), ("", "")], rows)


@test
def ranges_show_what_no_property_has(folder):
    path = model(folder, "const N: 1;\nvar x: 0..3;\nstartstate x := 0; end;\nrule x < N ==> x := x + 1; end;\nrule x = N ==> x := 0; end;\n"
                         'invariant "small" x < 9;\n')
    answer = run("check", path, "-D", "N=2:4")
    expect_code(answer, 1)
    expect(re.search(r"^N=4: run-time error: .*", answer.out, re.M) and "N=3:" not in answer.out, answer.out)
    table = run("check", path, "-D", "N=2:4", "--csv", "-")
    rows = list(csv.DictReader(table.out.splitlines()))
    expect("x0d" not in table.out and "\r" not in table.out, repr(table.out))
    expect(rows[0]["errors"] == "" and rows[2]["errors"].startswith("run-time error"), rows)
    with open("/dev/full", "w") as full:
        for more in ([], ["--csv", "-"]):
            done = subprocess.run([BINARY, "check", path, "-D", "N=2:3", *more], stdout=full, stderr=subprocess.PIPE)
            expect(done.returncode == 2 and b"No space" in done.stderr, f"{more}: {done.returncode} {done.stderr}")


@test
def filters_print_states(folder):
    module = "module p1\n x1 : [0..2];\n [] x1=0 -> 0.25:(x1'=1) + 0.75:(x1'=2);\n [] x1>0 -> true;\nendmodule\n"
    path = model(folder, "mdp\n" + module + "module p2 = p1 [x1=x2] endmodule\n", "m.prism")
    done = run("check", path, "--property", "filter(print, Pmax=? [ F x1+x2=2 ], x1=0)", "--exact")
    for line in ("x1=0, x2=0: 13/16", "x1=0, x2=1: 1/4", "x1=0, x2=2: 1"):
        expect(line in done.out, done.out)
    expect("x1=1" not in done.out, done.out)
    asked = "filter(printall, x1=2, x2=0)"
    states = json.loads(run("check", path, "--property", asked, "--json", "-").out)["results"][1]["states"]
    expect([(each["state"]["x1"], each["value"]) for each in states] == [(0, False), (1, False), (2, True)], states)


@test
def experiments_say_errors_and_warnings_once(folder):
    path = model(folder, "dtmc\nconst int N;\nmodule m\n  x : [0..N] init 0;\n  y : [0..1] init 0;\n  [] x<N -> (x'=x+1);\nendmodule\n",
                 "m.prism")
    answer = run("check", path, "--property", "P=? [ F z=2 ]", "-D", "N=1:2:9")
    expect_code(answer, 2)
    expect(answer.err.count('unknown name "z"') == 1 and not answer.out, answer.out + answer.err)
    answer = run("check", path, "--property", "P=? [ F x=2 ]", "-D", "N=1:2:9")
    expect_code(answer, 0)
    expect(answer.out.count('the variable "y" is never read') == 1 and "there are" not in answer.out, answer.out)
    answer = run("check", path, "--property", "P=? [ F x=2 ]", "-D", "N=1:2:9", "--warnings", "error")
    expect_code(answer, 1)
    expect(answer.out.endswith(f"{path}: there are warnings\n"), answer.out)
    expect("warning" not in run("check", path, "-D", "N=1:3", "--warnings", "off").out, "off")
    answer = run("check", path, "-D", "N=1", "--warnings", "error", "--format", "junit")
    expect_code(answer, 1)
    expect('failures="1"' in answer.out and 'message="there are warnings"' in answer.out and "never read" in answer.out, answer.out)
    broken = model(folder, "dtmc\nconst int N;\nmodule m\n  x : [0..3] init N;\n  [] x<3 -> (x'=x+1);\nendmodule\n", "n.prism")
    answer = run("check", broken, "--property", "P=? [ F x=3 ]", "-D", "N=3:5")
    expect_code(answer, 2)
    expect(re.search(r"^4 +- ", answer.out, re.M), f"a table, where some rows have values: {answer.out}")


@test
def experiments_keep_fractions(folder):
    path = model(folder, "dtmc\nconst int N;\nmodule m\n x : [0..2];\n [] x=0 -> 1/(N*1000003):(x'=1) + 1-1/(N*1000003):(x'=2);\n [] x>0 -> true;\nendmodule\n", "f.prism")
    words = ["check", path, "-const", "N=1:2", "--property", "P=? [ F x=1 ]", "--exact"]
    rows = list(csv.DictReader(run(*words, "--csv", "-").out.splitlines()))
    expect([row["P=? [ F x=1 ]"] for row in rows] == ["1/1000003", "1/2000006"], rows)
    expect("1/2000006" in run(*words).out, run(*words).out)


@test
def a_graph_of_a_chain_can_be_built_again(folder):
    text = ("mdp\nmodule m\n x : [0..3];\n [a] x=0 -> 1/3:(x'=1) + 2/3:(x'=2);\n [] x=0 -> 1/7:(x'=1) + 6/7:(x'=2);\n [] x>0 -> (x'=3);\nendmodule\n"
            'label "end" = x=3;\n')
    path = model(folder, text, "g.prism")
    graph = json.loads(run("graph", path, "--as", "json").out)
    expect(graph["complete"] and graph["chain"] == "mdp" and graph["shown"] == 4, graph)
    choices = {}
    for edge in graph["edges"]:
        choices.setdefault((edge["from"], edge["choice"], edge["action"]), []).append(edge["exact"])
    expect(sorted(choices[0, 0, "a"]) == ["1/3", "2/3"] and sorted(choices[0, 1, None]) == ["1/7", "6/7"], choices)
    expect([node["labels"] for node in graph["nodes"] if node["state"]["x"] == 3] == [["end"]], graph["nodes"])
    part = json.loads(run("graph", path, "--as", "json", "--max-nodes", "2").out)
    expect(not part["complete"] and part["shown"] == 2 and part["explored"] == 4, part)
    expect(json.loads(run("graph", GERMAN, "--as", "json", "--max-nodes", "2").out)["chain"] is None, "no probabilities")


@test
def a_pareto_curve_is_in_the_json_of_counters_too(folder):
    module = "module p1\n x1 : [0..2];\n [] x1=0 -> 0.5:(x1'=1) + 0.5:(x1'=2);\n [] x1=0 -> 0.3:(x1'=1) + 0.7:(x1'=2);\n [] x1>0 -> true;\nendmodule\n"
    path = model(folder, "mdp\n" + module + "module p2 = p1 [x1=x2] endmodule\nmodule p3 = p1 [x1=x3] endmodule\n", "m.prism")
    asked = "multi(Pmax=? [ F x1=1&x2=1&x3=1 ], Pmax=? [ F x1=2&x2=2&x3=2 ])"
    for more in ([], ["--exact"]):
        curves = [json.loads(run("check", path, "--property", asked, "--engine", engine, "--json", "-", *more).out)["results"][1]["pareto"]
                  for engine in ("counter", "probabilistic")]
        expect(len(curves[0]) > 1 and len(curves[0]) == len(curves[1]), curves)
    table = run("check", model(folder, "mdp\nconst int N;\n" + module, "n.prism"), "-const", "N=1:2", "--property", "multi(Pmax=? [ F x1=1 ], Pmax=? [ F x1=2 ])")
    expect(table.out.count("corners: (0.5, 0.5), (0.3, 0.7)") == 2, table.out)


@test
def reduce_keeps_a_properties_file(folder):
    out, other = os.path.join(folder, "out.prism"), pathlib.Path(folder) / "out.props"
    words = ("reduce", "examples/mutex.prism", "-p", "examples/mutex.props", "-o", out)
    other.write_text("P=? [ F true ]")
    answer = run(*words)
    expect_code(answer, 2)
    expect("it exists" in answer.err and other.read_text() == "P=? [ F true ]" and not os.path.exists(out), answer.err)
    other.unlink()
    for _ in range(2):  # what it wrote, it may write again
        expect_code(run(*words), 0)
        expect(other.exists(), "no properties")
    answer = run("reduce", out, "-p", str(other), "-o", os.path.join(folder, "out.pm"))
    expect_code(answer, 2)
    expect(other.exists(), answer.err)


@test
def ranges_end_with_the_rows_so_far(folder):
    path = model(folder, EXPERIMENT, "m.prism")
    rows = []
    for seconds in ("0.5", "2", "8", "32"):  # on a busy machine, and under an emulator, the first row takes that long
        answer = run("check", path, "--property", "P=? [ F<=9 s=N ]", "-D", "N=2:100000", "-D", "p=1/3", "--time", seconds, "--csv", "-")
        expect_code(answer, 3)
        rows = rows or list(csv.DictReader(answer.out.splitlines()))
        if rows:
            break
    expect(0 < len(rows) < 99999 and rows[0]["N"] == "2", rows[:1])
    for wrong, word in (("N=1:2:x", "no range"), ("N=5:1", "empty"), ("N=1:0:5", "no range"), ("N=1:1000000", "100000"), ("N=1:9999,p=0:0.001:1", "100000")):
        answer = run("check", path, "-D", wrong)
        expect_code(answer, 2)
        expect(word in answer.err, answer.err)
    answer = run("check", path, "-D", "N=-1:1", "-D", "p=1/2", "--property", "P=? [ F s=N ]")
    expect_code(answer, 2)  # for some values the model has errors
    expect("error" in answer.err and answer.out.splitlines()[3].split()[0] == "1", answer.out)


@test
def json_has_the_documented_members(folder):
    out = os.path.join(folder, "out.json")
    expect_code(run("check", BUG, "--json", out, "-D", "NODE_NUM=3"), 1)
    document = json.load(open(out))
    expect(document["version"] == 1 and document["model"] == BUG and document["defines"] == {"NODE_NUM": "3"}, document)
    expect(document["verdict"] == "violated" and document["options"]["search"] == "bfs", "verdict, options")
    expect(document["symmetry"]["order"] == "12", document["symmetry"])
    expect(document["symmetry"]["factors"][0] ==
           {"kind": "full", "type": "NODE", "degree": 3, "order": "6",
            "generators": ["(NODE_1 NODE_2)", "(NODE_2 NODE_3)"]}, document["symmetry"])
    statistics = document["statistics"]
    for name in ("states", "transitions", "rules_fired", "depth", "peak_bytes"):
        expect(isinstance(statistics[name], int), name)
    for name in ("seconds", "cpu_seconds", "bytes_per_state"):
        expect(isinstance(statistics[name], (int, float)), name)
    expect(isinstance(statistics["represented"], str), "represented is no string")
    violated = [result for result in document["results"] if result["verdict"] == "violated"]
    expect(len(violated) == 1 and violated[0]["kind"] == "invariant" and violated[0]["reason"], violated)
    trace = violated[0]["trace"]
    expect(len(trace) == 10 and trace[0]["parameters"] == [{"name": "d", "value": "DATA_1"}], "trace")
    expect(any(step["parameters"] and step["parameters"][0]["value"].startswith("NODE_") for step in trace), "parameters")
    expect(all(set(step["state"]) == set(trace[0]["state"]) for step in trace), "states")
    text = (ROOT / "docs/json.md").read_text()
    for name in list(document) + list(statistics) + list(violated[0]) + list(trace[0]) + list(document["symmetry"]):
        expect(f"`{name}`" in text, f"docs/json.md does not mention {name}")
    expect(os.listdir(folder) == ["out.json"], "temporary files left behind")


@test
def json_to_standard_output_is_alone(folder):
    answer = run("check", GERMAN, "--json", "-", "-DNODE_NUM=2")
    expect_code(answer, 0)
    expect(json.loads(answer.out)["verdict"] == "holds", "verdict")
    expect(json.loads(run("symmetry", GERMAN, "--json", "-").out)["order"] == "48", "order")


@test
def errors_of_the_model_are_in_the_json(folder):
    out, trace = os.path.join(folder, "out.json"), os.path.join(folder, "trace.json")
    answer = run("check", model(folder, "var x: nothing;\nstartstate x = 0; end;"), "--json", out, "--trace", trace)
    expect_code(answer, 2)
    expect(not os.path.exists(trace), "a trace was written")
    document = json.load(open(out))
    first = document["diagnostics"][0]
    expect(document["verdict"] == "error" and document["results"] == [] and len(document["diagnostics"]) == 2, document)
    expect((first["line"], first["column"], first["severity"], first["hint"]) == (1, 8, "error", None), first)
    expect(first["file"].endswith("model.m") and "nothing" in first["message"], first)
    text = (ROOT / "docs/json.md").read_text()
    expect(all(f"`{name}`" in text for name in [*document, *first]), "docs/json.md does not mention all members")
    refused = json.loads(run("check", GERMAN, "--engine", "probabilistic", "--json", "-").out)
    expect(refused["verdict"] == "error" and refused["refusal"], refused)
    expect(json.loads(run("check", "nowhere.m", "--json", "-").out)["diagnostics"][0]["line"] == 0, "no file")
    expect(re.match(r"\S+model\.m:1:8: error: ", answer.err) and "^" in answer.err, answer.err)


@test
def a_leading_zero_is_read_as_the_dialect_says(folder):
    path = model(folder, "var x: 0..010;\nstartstate x := 0; end;\nrule x < 010 ==> x := x + 1; end; rule x > 0 ==> x := 0; end;\n")
    for dialect, states in (("rumur", 9), ("cmurphi", 11)):
        answer = json.loads(run("check", path, "--dialect", dialect, "--json", "-").out)
        expect(answer["statistics"]["states"] == states, answer["statistics"])
    expect_code(run("check", path), 2)
    bad = run("check", model(folder, "const N: 09;\n" + STUCK), "--dialect", "rumur")
    expect("the number 09 is not octal" in bad.err, bad.err)


@test
def a_binary_file_is_one_error(folder):
    for name in ("binary.m", "binary.prism"):
        path = pathlib.Path(folder) / name
        path.write_bytes(bytes(range(1, 256)) * 4 + b"\0")
        answer = run("check", str(path))
        expect_code(answer, 2)
        expect(answer.err.count("error:") == 1 and "this is not a text file" in answer.err, answer.err)


@test
def the_model_is_never_overwritten(folder):
    path = model(folder, STUCK)
    for words in (["check", path, "--trace", path], ["check", path, "--json", path], ["symmetry", path, "--json", path]):
        answer = run(*words)
        expect_code(answer, 2)
        expect("it is the model" in answer.err and open(path).read() == STUCK, answer.err)


@test
def traces_replay(folder):
    trace = os.path.join(folder, "trace.json")
    expect_code(run("check", BUG, "--trace", trace, "-D", "NODE_NUM=3"), 1)
    answer = run("replay", BUG, trace)
    expect_code(answer, 0)
    expect('replays, 9 steps: counterexample to invariant "An exclusive' in answer.out, answer.out)
    verbose = run("replay", BUG, trace, "-v").out
    expect(len(verbose.splitlines()) > 20 and "here it is false: invariant" in verbose, "-v shows the run")
    expect_code(run("replay", GERMAN, trace), 1)
    other = run("replay", BUG, trace, "-D", "NODE_NUM=4")
    expect_code(other, 2)
    expect(f"is a trace of {BUG} -D NODE_NUM=3" in other.err, other.err)
    other = run("replay", BUG, trace, "-D", "NODE_NUM=2")
    expect_code(other, 2)
    expect('no variable "Cache[NODE_3].State"' in other.err, other.err)


@test
def of_two_defines_the_last_one_counts(folder):
    answer = run("check", GERMAN, "-D", "NODE_NUM=3", "-D", "NODE_NUM=2", "--json", "-")
    expect_code(answer, 0)
    document = json.loads(answer.out)
    expect(document["defines"] == {"NODE_NUM": "2"} and document["statistics"]["states"] == 852, document["defines"])


@test
def a_property_that_fails_is_not_called_false(folder):
    path, trace = model(folder, UNDEFINED_IN_INVARIANT), os.path.join(folder, "trace.json")
    for answer in (run("check", path, "--trace", trace), run("replay", path, trace, "-v")):
        expect('here "y" is undefined' in answer.out, answer.out)


@test
def damaged_traces_do_not_replay(folder):
    trace = os.path.join(folder, "trace.json")
    run("check", BUG, "--trace", trace)

    def damaged(change, code, message):
        document = json.load(open(trace))
        change(document["result"]["trace"])
        path = os.path.join(folder, "damaged.json")
        json.dump(document, open(path, "w"))
        answer = run("replay", BUG, path)
        expect_code(answer, code)
        expect(message in answer.out + answer.err, f"{message!r} is not in {answer.out}{answer.err}")

    def swap_values(steps):
        cell = next(name for name in steps[4]["state"] if steps[4]["state"][name] != steps[0]["state"][name])
        steps[4]["state"][cell] = steps[0]["state"][cell]

    damaged(lambda steps: steps.pop(3), 1, "step 3")
    damaged(swap_values, 1, "step 4")
    damaged(lambda steps: steps.pop(), 1, "last state")
    damaged(lambda steps: steps[2].pop("state"), 2, "step 2")
    damaged(lambda steps: steps[1].update(rule="no such rule"), 2, "no such rule")
    damaged(lambda steps: steps.clear(), 2, "not a list of steps")
    for content in ("", "{", "[]", '{"version": 1}', '{"version": 99, "result": {}}', '{"version": 1, "result": {}}'):
        path = model(folder, content, "bad.json")
        expect_code(run("replay", BUG, path), 2)
    expect_code(run("replay", BUG, os.path.join(folder, "none.json")), 2)


@test
def faults_have_a_place_and_replay(folder):
    path, trace = model(folder, FAULTY), os.path.join(folder, "trace.json")
    answer = run("check", path, "--trace", trace)
    expect_code(answer, 1)
    expect('model.m:6:44: error: "a[i] + 1" is 3, outside 0..2' in answer.out, answer.out)
    expect_code(run("replay", path, trace), 0)


@test
def deadlock_modes(folder):
    path, trace = model(folder, STUCK), os.path.join(folder, "trace.json")
    for mode, code in (("stuttering", 1), ("stuck", 1), ("off", 0)):
        expect_code(run("check", path, "--deadlock", mode, "--trace", trace), code)
        expect_code(run("replay", path, trace), 0)


DUBIOUS = """
type P: scalarset(2); Unused: 0..3; Colour: enum { red, green };
var x: 0..2; never: 0..1; written: 0..1; unset: 0..1; hue: 0..1; y: array [P] of boolean;
function unasked(passed: 0..1): boolean; begin return true; end;
startstate begin x := 0; hue := 0; written := 0; for p: P do y[p] := false end; end;
rule "step" begin x := (x + 1) % 3; if red = red then written := 1 - hue end; end;
rule "dead" x > 2 & unset = 0 ==> begin x := 0; end;
ruleset p: P; q: P do rule "local" y[p] ==> var x: 0..1; left: 0..1; begin x := 1; end; end;
ruleset p: P do invariant "vacuous" y[p] -> x = 1; end;
invariant "not vacuous" x = 2 -> hue = 0;
"""


NOTHING = """var x: boolean;
startstate begin x := false; end;
rule "go" !x ==> begin x := true end;
invariant "i" x -> x;
assume "a" x;
"""


@test
def nothing_is_checked_where_assumptions_leave_out_every_start_state(folder):
    path = model(folder, NOTHING)
    said = 'every start state breaks assumption "a": nothing was checked'
    for engine in ("explicit", "symbolic"):
        answer = run("check", path, "--engine", engine)
        expect_code(answer, 0)
        expect(f"  warning   {said}  ({path}:5:1)\n" in answer.out and answer.out.count("  warning") == 1, answer.out)
        expect(answer.out.endswith(f"{path}: {said}\n") and "every property holds" not in answer.out, answer.out)
    document = json.loads(run("check", path, "--json", "-").out)
    expect([(w["line"], w["message"]) for w in document["warnings"]] == [(5, said)] and document["verdict"] == "holds", document)
    expect_code(run("check", path, "--warnings", "error"), 1)
    expect(said in run("check", path, "--warnings", "off", "-q").out, "the last line says so in any case")
    path = model(folder, NOTHING + 'assume "b" x;')
    expect('breaks each of the assumptions "a", "b": nothing' in run("check", path).out, "several")
    path = model(folder, NOTHING.replace("begin x := false; end", 'begin x := false; end; startstate begin x := true; end'))
    expect("nothing was checked" not in run("check", path).out, "another start state")


@test
def mistakes_are_warned_of(folder):
    path = model(folder, DUBIOUS)
    answer = run("check", path, "-v")
    expect_code(answer, 0)
    wanted = ['the variable "never" is never used', 'the variable "written" is never read', 'the variable "unset" is never assigned',
              'the type "Unused" is never used', 'the function "unasked" is never called', 'rule "dead" fires in no reachable state',
              'rule "local" fires in no', 'the local variable "left" is never used', '"x" hides the variable that is declared in line 3',
              'the parameter "q" is never used by a rule', 'the parameter "passed" is never used', 'invariant "vacuous" is vacuous']
    expect(all(words in answer.out for words in wanted), [words for words in wanted if words not in answer.out])
    expect(answer.out.count("  warning ") == len(wanted), f"no more than {len(wanted)} warnings: {answer.out}")
    expect(len(json.loads(run("check", path, "--json", "-").out)["warnings"]) == len(wanted), "in JSON, too")
    shown = [line for line in run("check", path).out.splitlines() if line.startswith("  warning")]
    expect(all(words in line for words, line in zip(("is vacuous", '"dead" fires', '"local" fires', "is never"), shown)),
           f"names that are not used come last: {shown}")
    lines = [int(re.search(r":(\d+):\d+\)$", line)[1]) for line in shown[3:]]
    expect(lines == sorted(lines), f"of one kind, by line: {lines}")
    expect("and 4 more" in run("check", path).out and "warning" not in run("check", path, "--warnings", "off").out, "fewer")
    answer = run("check", path, "-q", "--warnings", "error")
    expect_code(answer, 1)
    expect("there are warnings" in answer.out, answer.out)
    expect_code(run("check", GERMAN, "-D", "NODE_NUM=2", "--warnings", "error"), 0)


VACUOUS = """
type P: scalarset(12); S: enum { A, B, C, D };
var s: array [P] of S;
startstate begin for p: P do s[p] := A; end; end;
ruleset p: P do
  rule "b" s[p] = A ==> s[p] := B; end;
  rule "c" s[p] = B ==> s[p] := C; end;
  rule "a" s[p] = C ==> s[p] := A; end;
end;
invariant "vacuous" forall p: P do s[p] = D -> forall q: P do s[q] = D end end;
invariant "not vacuous" forall p: P do s[p] = C -> exists q: P do s[q] = C end end;
"""


@test
def all_kinds_of_search_warn_of_vacuity(folder):
    path = model(folder, VACUOUS)
    backward = ["symbolic", "--search", "backward", "--deadlock", "off"]
    for options in (["explicit"], ["symbolic"], ["symbolic", "--method", "none"], ["symbolic", "--method", "dynamic"], ["counter"],
                    backward, [*backward, "--method", "none"]):
        answer = run("check", path, "--engine", *options)
        expect_code(answer, 0)
        expect(answer.out.count("is vacuous") == 1 and 'invariant "vacuous" is vacuous' in answer.out, f"{options}: {answer.out}")


# Formulas of time that say nothing: each engine that decides them says so, and of no other.
VACUOUS_IN_TIME = [('ltl "forgotten" forall p: P do s[p] = B -> F s[p] = C end', "without G it is about the start states only"),
                   ('ltl "never" forall p: P do G (s[p] = D -> F s[p] = A) end', "its antecedent is true in no reachable state"),
                   ('ctl "forgotten too" forall p: P do s[p] = B -> AF s[p] = C end', "without AG it is about the start states only"),
                   ('ctl "never there" AG (exists p: P do s[p] = D end -> EF forall p: P do s[p] = A end)', "true in no reachable state"),
                   ('ltl "now" forall p: P do s[p] = A end', "has no temporal operator"),
                   ('ctl "here" forall p: P do s[p] = A end', "has no temporal operator"),
                   ('invariant "constant" 1 < 2', "true whatever the state is")]
MEANT_IN_TIME = ['ltl "starts" forall p: P do s[p] = A -> F (s[p] = A | s[p] = B) end', 'ltl "goes on" forall p: P do G (s[p] = B -> F true) end',
                 'ctl "can" forall p: P do AG (s[p] = B -> EF s[p] = C) end', 'ctl "first" forall p: P do s[p] = A -> EF s[p] = C end']


@test
def formulas_of_time_that_say_nothing_are_warned_of(folder):
    path = model(folder, VACUOUS.replace("scalarset(12)", "scalarset(3)").split("invariant")[0])
    asked = [formula for formula, _ in VACUOUS_IN_TIME] + MEANT_IN_TIME
    for engine in ("explicit", "symbolic", "counter"):
        answer = run("check", path, "-v", "--engine", engine, *[word for formula in asked for word in ("--property", formula)])
        expect_code(answer, 0)
        warnings = [line for line in answer.out.splitlines() if line.startswith("  warning")]
        for formula, words in VACUOUS_IN_TIME:
            name = formula.split('"')[1]
            expect(any(f'"{name}" ' in line and words in line for line in warnings), f"{engine} {name}: {answer.out}")
        expect(len(warnings) == len(VACUOUS_IN_TIME), f"{engine}: no others: {warnings}")


@test
def promela_formulas_that_say_nothing_are_warned_of(folder):
    text = "byte x; active proctype p() { do :: x < 3 -> x++ :: x = 0 od }\nltl %s\n"
    for formula, words in (("{ x == 2 -> <> (x == 3) }", "without G"), ("{ [] (x == 9 -> <> (x == 3)) }", "no reachable state"),
                           ("{ x == 0 -> <> (x == 0) }", None)):
        answer = run("check", model(folder, text % formula, "vacuous.pml"), "-v")
        expect(("is vacuous" in answer.out) == (words is not None) and (words or "") in answer.out, f"{formula}: {answer.out}")


@test
def what_was_explored_is_said_where_nothing_is_decided(folder):
    path = model(folder, VACUOUS)
    for limit, words in ((["--depth", "2"], "depth limit (2); no violation within 2 steps)"), (["--states", "5"], "; no violation in ")):
        answer = run("check", path, *limit)
        expect_code(answer, 3)
        expect(words in answer.out, f"{limit}: {answer.out}")
    answer = run("check", path, "--depth", "1", "--property", 'invariant "first" forall p: P do s[p] = A end')
    expect_code(answer, 1)
    expect("no violation" not in answer.out, answer.out)


@test
def a_number_is_computed_and_does_not_hold(folder):
    path = model(folder, "dtmc module m x: [0..1]; [] x=0 -> 0.5:(x'=1) + 0.5:(x'=0); endmodule", "m.prism")
    answer = run("check", path, "--property", "P=? [ F x=1 ]")
    expect("  value     P=? [ F x=1 ]      = 1\n" in answer.out and answer.out.rstrip().endswith(": 1 value computed"), answer.out)
    answer = run("check", path, "--property", "P=? [ F x=1 ]", "--property", "P>=1 [ F x=1 ]")
    expect("  ok        P>=1" in answer.out and answer.out.rstrip().endswith("every property holds, 1 value computed"), answer.out)


@test
def a_proof_says_what_it_is_about(folder):
    expect_code(run("init", "murphi", os.path.join(folder, "begin.m")), 0)
    answer = run("prove", os.path.join(folder, "begin.m"))
    expect_code(answer, 0)
    expect('met       cover "someone gets in"' in answer.out and "with the sizes of the model" in answer.out, answer.out)
    expect("every property holds for every size (deadlocks are not looked for)" in answer.out, answer.out)
    text = pathlib.Path(folder, "begin.m").read_text() + 'cover "never" forall p: Process do at[p] = Critical end;'
    answer = run("prove", model(folder, text))
    expect_code(answer, 3)
    expect("not met with the sizes of the model" in answer.out, answer.out)
    expect("unknown (2 of 2 properties are proved for every size; deadlocks are not looked for)" in answer.out, answer.out)


@test
def the_time_is_that_of_the_whole_process(folder):
    """Of a model whose symmetry takes far longer than its search. Processor time: that does not depend on other programs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = run("check", "tests/findings/claims/large-group.pml", "--deadlock", "off", "--json", "-")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    expect_code(answer, 0)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = json.loads(answer.out)["statistics"]
    expect(used / 2 < said["cpu_seconds"] <= used + 0.1, f"{said['cpu_seconds']} s of {used} s")


@test
def a_goal_beside_a_proof_keeps_the_limit_of_states(folder):
    path = model(folder, """const N: 3; type Id: scalarset(N); var step: 0..50; x: array [Id] of boolean;
        startstate begin step := 0; for i: Id do x[i] := false; end; end;
        ruleset i: Id do rule "go" !x[i] & step < 50 ==> begin step := step + 1; end; end;
        cover "far" step = 40;""")
    expect('met       cover "far"        with the sizes of the model' in run("prove", path).out, "it is met")
    answer = run("prove", path, "--states", "20")
    expect_code(answer, 3)
    expect('unknown   cover "far"' in answer.out, answer.out)


@test
def hints_fit_the_language_and_the_place(folder):
    expect_code(run("init", "prism", os.path.join(folder, "begin.prism")), 0)
    path = os.path.join(folder, "begin.prism")
    hint = f"hint: {folder}/begin.props is beside it: noether check {path} {folder}/begin.props"
    expect(hint in run("check", path).out and hint not in run("check", path, "--property", "P=? [ F true ]").out, "properties beside a model")
    expect_code(run("init", "murphi", os.path.join(folder, "begin.m")), 0)
    answer = run("check", os.path.join(folder, "begin.m"), "-D", "N=2..6")
    expect("one value after the other: -D N=2:6" in answer.err, answer.err)
    answer = run("check", os.path.join(folder, "begin.m"), "--property", "at[1] = Idle")
    expect("write invariant" in answer.err and answer.err.count("error:") == 1, answer.err)
    text = """type P: scalarset(3); var o: array [0..1] of P; startstate begin undefine o; end;
        ruleset p: P do rule "t" o[0] = p | isundefined(o[0]) ==> begin o[0] := p; end; rule "c" true ==> begin clear o[1]; end; end;"""
    answer = run("symmetry", model(folder, text))
    expect("clear picks the first element of P" in answer.out and "hint: undefine leaves it without a value" in answer.out, answer.out)
    text = "byte x; chan c = [1] of { byte }; active [2] proctype w() { c!_pid; x = x * 2 + _pid }"
    answer = run("check", model(folder, text, "two.pml"))
    expect("no type of the model" not in answer.out and "parameter of the rule" not in answer.out, answer.out)


@test
def what_init_writes_has_the_layout(folder):
    for language, name in (("murphi", "a.m"), ("prism", "chain.prism"), ("promela", "a.pml")):
        path = os.path.join(folder, name)
        expect_code(run("init", language, path), 0)
        expect_code(run("format", "--check", path), 0)
        expect_code(run("check", path), 0)
    expect_code(run("format", "--check", os.path.join(folder, "chain.props")), 0)
    expect("group of order 6" in run("check", os.path.join(folder, "a.pml")).out, "the model in Promela has symmetry")
    answer = run("init", "prism", os.path.join(folder, "b.pml"))
    expect_code(answer, 2)
    expect("is named as models of promela are" in answer.err and not os.path.exists(os.path.join(folder, "b.pml")), answer.err)


@test
def commands_say_their_own_exit_status(folder):
    for command, words in (("init", "a file is there already"), ("format", "1 with --check"), ("lsp", "0 the editor")):
        help = run("help", command).out
        expect(words in help and "every property holds" not in help, f"{command}: {help}")
    expect("takes no file" in run("lsp", "extra").err, "a server takes no file")
    expect("no option" not in run("lsp", "--stdio").err, "as editors call it")
    run("init", "promela", os.path.join(folder, "a.pml"))
    answer = run("prove", os.path.join(folder, "a.pml"))
    expect("the number of processes is fixed" in answer.err and "scalarset" not in answer.err, answer.err)


@test
def format_keeps_modes_and_links(folder):
    path, link = os.path.join(folder, "a.m"), os.path.join(folder, "link.m")
    pathlib.Path(path).write_text("var   x: 0..1; startstate begin x := 0; end;")
    os.chmod(path, 0o640)
    os.symlink("a.m", link)
    expect_code(run("format", "--check", link), 1)
    expect_code(run("format", "-w", link), 0)
    expect(os.path.islink(link) and os.stat(path).st_mode & 0o777 == 0o640, "the link and the mode are kept")
    expect(pathlib.Path(path).read_text().startswith("var\n") or "var x" in pathlib.Path(path).read_text(), pathlib.Path(path).read_text())
    expect_code(run("format", "--check", path, link), 0)


@test
def a_protocol_may_end(folder):
    path, trace = model(folder, STUCK), os.path.join(folder, "trace.json")
    answer = run("check", path, "--trace", trace)
    expect("`--final CONDITION`, or `--deadlock off`" in answer.out, "what to do about an end that is meant")
    expect_code(run("check", path, "--final", "x = 2", "--final", "x = 3"), 0)
    expect_code(run("replay", path, trace, "--final", "x = 3"), 1)
    answer = run("check", path, "--final", "x = 2", "--trace", trace)
    expect_code(answer, 1)
    expect("no final condition is true here" in answer.out, "the final condition is named")
    expect_code(run("replay", path, trace), 0)  # the final condition is that of the trace file
    expect("the final condition is false" in run("explain", path, trace).out, "explained with the condition of the trace file")
    answer = run("explain", path, trace, "--final", "x = 2")
    expect("the final condition is false" in answer.out and "x is 3" in answer.out, "explained")
    answer = run("check", path, "--final", "x = ")
    expect_code(answer, 2)


@test
def multisets_are_shown_by_what_came_and_went(folder):
    path, trace = model(folder, MULTISET), os.path.join(folder, "trace.json")
    answer = run("check", path, "--trace", trace)
    expect_code(answer, 1)
    expect(re.search(r"net +\+ \{from: node_\d, level: -1\}", answer.out), answer.out)
    expect(re.search(r"net +- \{from: node_\d, level: -1\}", answer.out), answer.out)
    expect_code(run("replay", path, trace), 0)


@test
def broken_symmetry_is_explained(folder):
    path = model(folder, ORDERED)
    for answer in (run("symmetry", path), run("check", path, "--deadlock", "off")):
        expect_code(answer, 0)
        expect("not used" in answer.out and "model.m:5:12: note:" in answer.out and "^" in answer.out, answer.out)


@test
def lines_that_cost_a_ring_its_rotations(folder):
    ring = """const N: 5; type P: 0..N - 1;
var tok: P; busy: array [P] of boolean;
startstate begin
  tok := 0;
  for p: P do busy[p] := false; end;
end;
ruleset p: P do
  rule "take" tok = p & !busy[p] ==> begin busy[p] := true; end;
  rule "pass" tok = p & busy[p] ==> begin busy[p] := false; tok := (p + 1) % N; end;
end;
"""
    answer = run("symmetry", model(folder, ring))
    expect("model.m:4:10: note: without this, P would have more symmetry: rotations of the ring of 5 (5)" in answer.out, answer.out)
    larger = json.loads(run("symmetry", model(folder, ring), "--json", "-").out)["excluded"][0]["larger_without"]
    expect({"lines": [4], "group": "rotations of the ring of 5 (5)", "order": "5"} in larger, larger)


@test
def rules_are_listed_with_what_they_tell_apart(folder):
    answer = run("symmetry", PARTIAL / "readers-writers.m")
    expect_code(answer, 0)
    for words in ('symmetric   rule "try"', 'partly      rule "join the readers"\n      Proc: 1, 2 | 3\n',
                  "readers-writers.m:30:38: note: here 1 and 3 are distinguished", "|                                      ^~~~~~"):
        expect(words in answer.out, answer.out)
    answer = run("symmetry", PARTIAL / "resource-controller.m", "-D", "PROCS=6", "-D", "CLASSES=3")
    expect("Proc: 1, 2 | 3, 4 | 5, 6   where i = 3, 4" in answer.out, answer.out)
    rules = json.loads(run("symmetry", PARTIAL / "readers-writers.m", "--json", "-").out)["rules"]
    expect([rule["name"] for rule in rules] == ["try", "enter alone", "join the readers", "leave", "a writer is alone"], rules)
    join = rules[2]["classes"][0]
    expect(join["cells"] == {"Proc": [["1", "2"], ["3"]]} and join["actors"] == {"i": ["1", "2"]}, join)
    expect(join["boundaries"] == [{"between": ["1", "3"], "line": 30, "column": 38}], join)
    text = (ROOT / "docs/json.md").read_text()
    for name in list(rules[0]) + list(join) + list(join["boundaries"][0]):
        expect(f"`{name}`" in text, f"docs/json.md does not mention {name}")


@test
def a_function_that_ends_without_a_value_is_named_once(folder):
    text = """var x: 0..3; function f(a: 0..3): 0..3; begin if a < 2 then return a; end; end;
startstate begin x := 0; end; rule "r" begin x := f(x) + 1; end;
"""
    answer = run("check", model(folder, text))
    expect_code(answer, 1)
    expect('violated  error "function f ended without returning a value"' in answer.out, answer.out)


@test
def the_assumption_that_cuts_everything_is_named(folder):
    text = """var x: 0..3;
ruleset i: 0..2 do startstate begin x := i; end; end;
rule "up" x < 3 ==> begin x := x + 1; end;
assume "small" x < 3;
assume "large" x > LEAST;
assume "odd" x = 1;
"""
    for least, words in (("2", 'assumption "large"'), ("1", 'one of the assumptions "large", "odd"'), ("0", None)):
        answer = run("check", model(folder, text.replace("LEAST", least)), "--deadlock", "off")
        expect_code(answer, 0)
        said = f"every start state breaks {words}: nothing was checked"
        expect(said in answer.out if words else "every start state" not in answer.out, answer.out)
    both = text.replace("LEAST", "2").replace("x = 1", "x = 3")
    expect('breaks each of the assumptions "large", "odd": nothing' in run("check", model(folder, both)).out, "both")


@test
def a_record_without_fields_hides_no_use(folder):
    text = """type R: record end; var r: R; s: R; x: boolean;
startstate begin x := false; end; rule "flip" begin x := !x; end;
"""
    answer = run("check", model(folder, text))
    warned = re.findall(r'the variable "(.*)" is never used', answer.out)
    expect(warned == ["r", "s"], f"a record without fields has the address of what follows it: {warned}")


@test
def warnings_have_a_kind(folder):
    text = """type T: 0..1; P: scalarset(2); var x: 0..3; y: 0..1; p: P; q: P;
startstate begin x := 0; y := 0; undefine p; undefine q; end;
rule "up" x < 2 ==> var y: 0..1; begin y := 0; x := x + 1; if p = q then x := 2; end; end;
rule "dead" x = 3 ==> begin x := 0; end;
invariant "empty" x = 3 -> x = 2;
liveness always eventually x >= 0;
"""
    answer = json.loads(run("check", model(folder, text), "--deadlock", "off", "--json", "-").out)
    kinds = [warning["kind"] for warning in answer["warnings"]]
    expect(set(kinds) == {"reading", "undefined", "vacuous", "dead-rule", "unused", "hides"}, answer["warnings"])
    documented = (ROOT / "docs/json.md").read_text()
    expect(all(f'`"{kind}"`' in documented for kind in kinds), kinds)


@test
def a_rule_is_not_blamed_for_the_loop_of_another(folder):
    loops = """type P: scalarset(3);
var s: array [P] of 0..2; last: P; c: 0..3;
startstate begin for p: P do s[p] := 0; end; undefine last; c := 0; end;
ruleset p: P do
  rule "count" s[p] = 0 ==> begin s[p] := 1; for q: P do if s[q] = 1 then c := (c + 1) % 4; end; end; end;
  rule "pick" s[p] = 1 ==> begin s[p] := 2; for q: P do if s[q] = 2 then last := q; end; end; end;
end;
"""
    answer = run("symmetry", model(folder, loops))
    expect('symmetric   rule "count"' in answer.out and 'partly      rule "pick"' in answer.out, answer.out)


@test
def a_loop_that_is_not_followed_says_where(folder):
    calls = """type P: scalarset(3);
var net: multiset [9] of P; x: array [P] of boolean; c: 0..9;
procedure drop(p: P);
begin
  if c > 0 then
    multisetremovepred(i: net, net[i] != p);
  end;
end;
startstate begin undefine net; for p: P do x[p] := false; end; c := 0; end;
rule "drop" begin for p: P do drop(p); multisetadd(p, net); end; end;
"""
    answer = run("symmetry", model(folder, calls))
    expect("model.m:10:19: note:" in answer.out and ": it removes elements of a multiset, in line 6" in answer.out, answer.out)


@test
def auto_picks_an_engine_and_says_why(folder):
    def engine(*words):
        answer = run("check", *words, "-v")
        expect(answer.code in (0, 1) or "--time" in words, answer.err)
        return next(line for line in answer.out.splitlines() if line.startswith("engine: "))
    # A sanitizer slows the engines down by different factors: whoever wins, the race was for this reason.
    limit = ["--time", "3"]
    expect(engine(PARTIAL / "readers-writers.m", "-D", "R=6", "-D", "W=3") == "engine: explicit, since it is done with 133 states",
           "a short search")
    expect(engine(PARTIAL / "resource-controller.m", "-D", "PROCS=40", "-D", "CLASSES=10", *limit).startswith(
        'engine: adaptive, since the processes of Proc are symmetric except for rule "grant"'), "the explicit engine loses the race")
    expect("is not known (the analysis would take too long)" in
           engine(PARTIAL / "resource-controller.m", "-D", "PROCS=100", "-D", "CLASSES=30", *limit), "what was not analysed may race")
    expect(engine(GERMAN, "-D", "NODE_NUM=2").startswith("engine: explicit, since a group of the whole model"), "german")
    expect(engine(COMPLETE / "sum-of-ids.m", "-D", "N=5").startswith("engine: explicit, since no family"), "sum of ids")
    # Many processes without symmetry: the complete engine has a moment. A sanitizer may slow it down too much.
    said = engine(COMPLETE / "sum-of-ids.m", "-D", "N=60", "--time", "3")
    expect(said.startswith("engine: complete, since it is faster than ") or "not known" in said or "no family" in said, said)
    plan = run("check", COMPLETE / "sum-of-ids.m", "-D", "N=60", "--dump=plan").out
    expect("before a search goes on, for a moment: no symmetry, engine complete" in plan, plan)
    expect("for a moment" not in run("check", COMPLETE / "sum-of-ids.m", "-D", "N=5", "--dump=plan").out, "few processes")
    expect("symmetry is off" in engine(PARTIAL / "readers-writers.m", "--symmetry", "off"), "symmetry off")
    expect("options given" in engine(PARTIAL / "readers-writers.m", "--search", "dfs"), "dfs")
    crowd = ["examples/semaphore-mutex.m", "-D", "N=100", "-D", "L=2"]
    said = engine(*crowd)
    expect(said.startswith("engine: counter, since 100 processes are interchangeable"), said)
    expect(json.loads(run("check", *crowd, "--json", "-").out)["engine"] == "counter", "engine")
    expect("options given" in engine(*crowd[:1], "-D", "N=64", "-D", "L=2", "--store", "plain"), "not against the options")
    # A search of many millions of states is overtaken by decision diagrams on counters.
    said = engine("examples/semaphore-mutex.m", "-D", "N=23", "-D", "L=10")
    expect(said.startswith("engine: symbolic, since it is faster than explicit"), said)
    # A trial that does not come to an end is given up, and the explicit engine is asked.
    crowd = model(folder, CROWD)
    answer = json.loads(run("check", crowd, "--json", "-").out)
    is_overtaken = answer["engine"] in ("symbolic", "adaptive")  # where these are quicker by far, or explicit is slow (a sanitizer)
    expect(is_overtaken or re.search(r"; after a trial with \d+ states, explicit$", answer["engine_reason"]), answer["engine_reason"])
    expect(answer["complete"] and (answer["engine"] == "adaptive" or answer["statistics"]["states"] == 46656), answer["engine"])
    expect(is_overtaken or answer["engine"] == "explicit", answer["engine"])
    expect("engine:" not in run("check", crowd, "--engine", "explicit", "-v").out, "no choice, no reason")


@test
def undefined_values_in_temporal_properties_are_told(folder):
    text = """type P: scalarset(2);
var s, t: P; b: boolean;
startstate begin undefine s; undefine t; b := false; end;
ruleset p: P do rule begin s := p; b := !b; end; end;
"""
    temporal = run("check", model(folder, text + "ctl AG EF (s != t);\nltl F (s = t | b);\nctl forall p: P do EF (p = t) end;\n"))
    expect_code(temporal, 1)
    for line in ("5:11", "6:8", "7:23"):
        expect(re.search(rf"an undefined value is compared, first .*:{line}\)", temporal.out), temporal.out)
    expect("compared" not in run("check", model(folder, text + "ctl AG EF b;\n")).out, "nothing is compared")


@test
def undefined_values_are_told_as_they_are_taken(folder):
    text = """type P: scalarset(2); U: union { P, enum { Home } };
var s, t: P; u: U; n: 0..1;
startstate begin n := 0; end;
ruleset p: P do rule n = 0 ==> begin t := p; n := 1; end; end;
rule s = t ==> begin n := 1 - n; end;
ruleset p: P do rule s != p ==> begin n := 0; end; end;
rule ismember(u, P) ==> begin n := 0; end;
ruleset p: P do rule n = 0 ==> begin switch s case p: n := 1; else n := 0; end; end; end;
"""
    told = run("check", model(folder, text), "-v").out
    for line, outcome in ((5, "both are undefined, so equal in CMurphi, an error in rumur"),
                          (6, "the two differ in CMurphi, an error in rumur"),
                          (7, "it is no member in CMurphi"),
                          (8, "the two differ in CMurphi, an error in rumur")):
        expect(re.search(rf"compared, first in a start state: {outcome}  \(.*:{line}:\d+\)", told), told)
    expect(told.count("--undefined error stops here") == 1, "the hint stands once:\n" + told)


@test
def covers_are_met_or_not(folder):
    answer = run("check", model(folder, COVER), "-v")
    expect_code(answer, 1)
    expect(re.search(r"  met .*reaches three", answer.out) and re.search(r"  not met .*reaches nothing", answer.out),
           answer.out)
    expect('witness of cover "reaches three"' in answer.out, "-v shows the witness")


def little_memory(limit):
    """Too little for a search. The memory of an emulator (script/cross) counts: what it needs itself must be there."""
    return "20M" if "NOETHER_EMULATED" in os.environ else limit


@test
def limits_are_unknown(folder):
    path = model(folder, LONG)
    for words in (["--states", "1000"], ["--depth", "20"], ["--time", "0.05"], ["--memory", little_memory("1M")]):
        answer = run("check", path, *words)
        expect_code(answer, 3)
        expect("unknown" in answer.out and "search stopped:" in answer.out, answer.out)


def interrupted_run(path, number):
    process = subprocess.Popen([BINARY, "check", path, "--engine", "explicit", "--stepper", "evaluator"], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    patience.listens(process.pid)
    time.sleep(0.3)
    process.send_signal(number)
    out, err = process.communicate(timeout=patience.seconds(60))
    return process.returncode, out + err


@test
def limits_of_sets_of_states(folder):
    words = ("check", "examples/german.m", "--engine", "symbolic", "--method", "none", "-D", "NODE_NUM=10")  # seconds, where it has them
    for limit, said in (("--memory", little_memory("3M")), "memory limit"), (("--time", "0.3"), "time limit (0.3 s)"):
        answer = run(*words, *limit)
        expect_code(answer, 3)
        expect(said in answer.out.splitlines()[-1], answer.out)
    expect("symmetry: off" in answer.out, answer.out)


@test
def options_without_meaning_are_refused(folder):
    murphi, chain, mdp = "examples/german.m", "examples/leader.prism", "examples/mutex.prism"
    symbolic, counter, complete = (["--engine", name] for name in ("symbolic", "counter", "complete"))
    cases = [(murphi, "--fair"), (murphi, "--exact"), (murphi, "--epsilon", "0.1"), (murphi, "--permutations", "none"),
             (murphi, "--location", "pc"), (murphi, "--dead", "keep"), (murphi, "--method", "orbit"),
             (murphi, "--frontier", "5"), (murphi, "--search", "backward"),
             (mdp, "--depth", "3"), (mdp, "--profile"), (mdp, "--hash-compact"), (mdp, "--store", "plain"),
             (mdp, "--search", "dfs"), (mdp, "--deadlock", "stuck"), (mdp, "--dead", "keep", *counter),
             (mdp, "--search", "backward", *symbolic), (mdp, "--method", "orbit", *symbolic), (mdp, "--states", "9", *symbolic),
             (chain, "--fair"), (chain, "--witness"),
             (murphi, "--hash-compact", *symbolic), (murphi, "--profile", *symbolic), (murphi, "--search", "dfs", *symbolic),
             (murphi, "--stepper", "vm", *symbolic), (murphi, "--states", "9", *symbolic), (murphi, "--store", "plain", *symbolic),
             (murphi, "--dead", "keep", "--method", "none", *symbolic), (murphi, "--representative", "first", *counter),
             (murphi, "--search", "dfs", *counter), (murphi, "--threads", "3", *counter), (murphi, "--threads", "3", *complete),
             (murphi, "--method", "dynamic", "--symmetry", "off", *symbolic), (murphi, "--symmetry", "off", *counter),
             (murphi, "--vectors", "arrays"), (mdp, "--representative", "first"), (mdp, "--location", "pc"),
             (murphi, "--frontier", "5", *symbolic), (mdp, "--frontier", "5", *symbolic), (mdp, "--method", "standard")]
    for path, option, *more in cases:
        answer = run("check", path, option, *more)
        expect_code(answer, 2)
        expect(answer.err.startswith(f"noether: {path}: ") and option in answer.err, f"{option} {more}: {answer.err}")


@test
def refusals_name_what_uses_the_option(folder):
    murphi, mdp, symbolic = "examples/german.m", "examples/mutex.prism", ["--engine", "symbolic"]
    cases = [([murphi, "--epsilon", "0.1"], "--epsilon is for PRISM models\n"), ([mdp, "--depth", "3"], "--depth is for models without probabilities\n"),
             ([murphi, "--search", "dfs", *symbolic], "--search dfs is for the explicit engine\n"),
             ([murphi, "--search", "backward"], "--search backward is for the symbolic engine\n"),
             ([mdp, "--store", "plain"], "--store is for models without probabilities and the explicit engine\n"),
             ([murphi, "--stepper", "vm", *symbolic], "--stepper is for the explicit, counter and probabilistic engines\n"),
             ([mdp, "--method", "orbit", *symbolic],
              "--method orbit is for models without probabilities and the symbolic engine: for PRISM models there are none and generic\n")]
    for words, said in cases:
        answer = run("check", *words)
        expect_code(answer, 2)
        expect(answer.err == f"noether: {words[0]}: {said}", f"{words}: {answer.err}")
    for words in ([murphi, "-D", "NODE_NUM=2", "--threads", "1", "--engine", "adaptive"], [mdp, "--deadlock", "off"]):
        expect_code(run("check", *words), 0)


@test
def help_has_what_compares_methods_apart(folder):
    usual, comparing = run("help", "check").out.split("\nfor comparing methods:\n")
    for option in ("frontier", "vectors", "permutations", "location"):
        expect(f"  --{option} " in comparing and f"  --{option} " not in usual, option)
    expect("  --method auto|adaptive|none|onthefly|dynamic|generic|bmc|induction|ic3|views\n" in usual, usual)
    expect("  --method standard|orbit|multiple " in comparing, comparing)
    expect("  --representative auto|canonical " in usual and "  --representative sorted|" in comparing, comparing)
    expect(".SS For comparing methods" in run("help", "man").out, "the manual page has no such section")
    expect("for comparing methods" not in run("help", "graph").out, "graph compares no methods")


# One property that counters cannot take, and others that they can.
PARTLY = """type P: scalarset(3);
var x: array [P] of 0..1;
startstate begin for p: P do x[p] := 0; end; end;
ruleset p: P do
  rule "up" x[p] = 0 ==> begin x[p] := 1; end;
  rule "down" x[p] = 1 ==> begin x[p] := 0; end;
end;
invariant "small" forall p: P do x[p] < 2 end;
ctl "begun" AG (exists p: P do x[p] = 1 end -> EP forall p: P do x[p] = 0 end);
ctl "can rise" AG EF forall p: P do x[p] = 1 end;
"""


@test
def what_cannot_be_counted_does_not_refuse_the_rest(folder):
    path, out = model(folder, PARTLY), os.path.join(folder, "out.m")
    for words in (["--engine", "counter"], ["--engine", "symbolic", "--method", "generic"]):
        answer = json.loads(run("check", path, "--json", "-", *words).out)
        found = {result["name"]: result for result in answer["results"]}
        expect([found[name]["verdict"] for name in ("small", "begun", "can rise")] == ["holds", "unknown", "holds"], found)
        expect("line 9: " in found["begun"]["reason"] and "look back" in found["begun"]["reason"], found["begun"])
        expect_code(run("check", path, *words), 3)
        expect_code(run("check", path, *words, "--property", 'invariant "low" forall p: P do x[p] = 0 end;'), 1)
    expect_code(run("check", path, "--engine", "symbolic"), 0)
    answer = run("reduce", path, "-o", out)
    expect_code(answer, 3)
    expect('model.m:9:' in answer.err and 'warning: ctl "begun" is left out' in answer.err and "1 property is left out" in answer.err, answer.err)
    written = open(out).read()
    expect('invariant "small"' in written and 'ctl "can rise"' in written and "-- Note: line 9: " in written, written)
    expect('ctl "begun"' not in written.replace('-- Note: line 9: ctl "begun"', ""), written)
    expect_code(run("check", out), 0)
    assumed = model(folder, PARTLY.replace("ctl \"begun\" AG (exists p: P do x[p] = 1 end -> EP forall p: P do x[p] = 0 end)",
                                           'assume "odd" forall p: P do forall q: P do x[p] + x[q] < 5 | p = q end end'))
    expect(run("check", assumed, "--engine", "counter").code in (0, 2), "an assumption is not left out")


# The conditional expression reads g, which is undefined; a rule with a priority does not let it happen at once.
UNDEFINED_READ = """type S: scalarset(2); E: enum { a, b };
var p: array [S] of E; g: E; h: E;
startstate begin for i: S do p[i] := a; end; undefine g; h := a; end;
ruleset i: S do rule 1 "read" p[i] = a ==> begin p[i] := b; h := (p[i] = b ? g : g); end; end;
ruleset i: S do rule "first" h = a & p[i] = a ==> begin h := b; end; end;
"""


@test
def a_limit_while_the_model_is_read_is_an_answer(folder):
    text = "var\n" + "".join(f"  v{i}: array [0..1] of record a: 0..3; b: boolean; end;\n" for i in range(200000))
    answer = run("check", model(folder, text + "startstate begin end;\nrule true ==> begin end;\n"), "--time", "0.02", "--json", "-")
    expect_code(answer, 3)
    found = json.loads(answer.out)
    expect(found["verdict"] == "unknown" and found["stopped_kind"] == "time" and not found["results"], answer.out[:2000])


@test
def what_reduce_writes_reads_undefined_values_where_the_model_does(folder):
    out = os.path.join(folder, "out.m")
    expect_code(run("reduce", model(folder, UNDEFINED_READ), "-o", out), 0)
    for path in (os.path.join(folder, "model.m"), out):
        answer = run("check", path, "--engine", "explicit")
        expect_code(answer, 1)
        expect('"g" is undefined' in answer.out and "2 steps" in answer.out, answer.out)


@test
def chains_are_counted_without_what_cannot_be(folder):
    words = ["check", "examples/mutex.prism", "--engine", "counter", "--json", "-", "-p",
             model(folder, 'Pmin=? [ F "critical" ];\nfilter(count, "critical");\n"one": Pmax=? [ F "critical" ];\n', "m.props")]
    answer = json.loads(run(*words).out)
    found = [(r["verdict"], r["reason"]) for r in answer["results"] if r["kind"] == "quantity"]
    expect([verdict for verdict, _ in found] == ["holds", "unknown", "holds"], found)
    expect("line 2: " in found[1][1] and "single states" in found[1][1], found)
    expect(float(answer["results"][-1]["value"]["lower"]) > 0.9, answer["results"][-1])
    expect_code(run(*words), 3)


# A range that is interchangeable, and a rule that fails.
FAILING = """type P: 1..3; var x: array [P] of 0..1; y: 0..9;
startstate begin for p: P do x[p] := 0; end; undefine y; end;
ruleset p: P do rule "up" x[p] = 0 ==> begin x[p] := 1; y := y + 1; end; end;
"""


@test
def symmetry_that_was_set_aside_is_not_denied(folder):
    path = model(folder, FAILING)
    answer = run("check", path)
    expect_code(answer, 1)
    expect("symmetry: none used: that of ranges and enums is set aside" in answer.out, answer.out)
    expect('"y" is undefined (rule "up", line 3)' in answer.out, answer.out)
    answer = run("check", path, "--engine", "counter")
    expect_code(answer, 3)
    expect('"y" is undefined (rule "up", line 3)' in answer.out, answer.out)
    answer = run("check", "examples/polling.prism", "examples/polling.props", "--engine", "symbolic")
    expect("symmetry: none used: the symbolic engine supports symmetry by counters only, and line " in answer.out, answer.out)
    expect("symmetry: off" in run("check", "examples/polling.prism", "--engine", "symbolic", "--method", "none").out, "off")


@test
def several_properties_are_all_checked(folder):
    chain = model(folder, "dtmc\nconst int N;\nconst int K;\nmodule m\n  s : [0..N] init K;\n"
                          "  [] s<N -> 0.5:(s'=s+1) + 0.5:true;\n  [] s=N -> true;\nendmodule\n", "chain.prism")
    for words in (["-D", "N=3,K=1"], ["-const", "N=3,K=1"], ["--const=N=3", "-DK=1"], ["--const", "N=3,K=1"]):
        answer = run("check", chain, *words, "--property", "P=? [ F<=2 s=N ]", "--property", "P>=1 [ F s=0 ]", "--exact")
        expect_code(answer, 1)
        expect("= 1/4" in answer.out and "violated  P>=1 [ F s=0 ]" in answer.out, answer.out)
    for words in (["-D", "N=3,"], ["-const", "N=3,K"], ["-D", "N=3,=1"], ["-const"]):
        expect_code(run("check", chain, *words), 2)
    answer = run("check", chain, "-D", "N=3,K=1", "--witness", "--property", "E [ F s=N ]", "-v")
    expect_code(answer, 0)
    expect("witness of E [ F s=N ] (2 steps)" in answer.out and "[] m  (line 6)" in answer.out, answer.out)
    answer = run("check", GERMAN, "-D", "NODE_NUM=2,DATA_NUM=1", "--property", 'invariant "a" true;', "--property", 'cover "b" true;')
    expect('invariant "a"' in answer.out and 'cover "b"' in answer.out, answer.out + answer.err)


@test
def numbers_are_as_short_as_they_may_be(folder):
    path = model(folder, "dtmc\nmodule m\n  s : [0..10] init 5;\n  [] s>0 & s<10 -> 0.5:(s'=s+1) + 0.5:(s'=s-1);\n"
                         "  [] s=0 | s=10 -> true;\nendmodule\nrewards s>0 & s<10 : 1; endrewards\n", "short.prism")
    answer = run("check", path, "--property", "R=? [ F s=0 | s=10 ]")
    expect(re.search(r"= 25$", answer.out, re.M), answer.out)
    path = model(folder, "dtmc\nmodule m\n  s : [0..5] init 5;\n  [] s>0 -> 0.3:true + 0.7:(s'=s-1);\n"
                         "  [] s=0 -> true;\nendmodule\n", "short.prism")
    answer = run("check", path, "--property", "P=? [ F<=5 s=0 ]")
    expect("= 0.16807\n" in answer.out, answer.out)
    answer = json.loads(run("check", path, "--property", "P=? [ F<=5 s=0 ]", "--json", "-").out)["results"][1]["value"]
    expect(Fraction(answer["lower"]) < Fraction(16807, 100000) < Fraction(answer["upper"]), answer)


@test
def initial_states_that_differ_have_no_value_between(folder):
    path = model(folder, "dtmc\nmodule m\n  x : [0..3];\n  [] x<3 -> 0.5:(x'=x+1) + 0.5:true;\n  [] x=3 -> true;\n"
                         "endmodule\ninit x<3 endinit\n", "starts.prism")
    for words in ([], ["--exact"], ["--engine", "symbolic"]):
        answer = run("check", path, "--property", "P=? [ F<=2 x=3 ]", "--property", "P=? [ F x=3 ]", *words)
        expect("from 0 to 0.75, depending on the state" in answer.out and "P=? [ F x=3 ]      = 1\n" in answer.out, answer.out)
    answer = json.loads(run("check", path, "--property", "P=? [ F<=2 x=3 ]", "--json", "-").out)["results"][1]
    expect(answer["value"] == {"lower": "0", "upper": "0.75", "shown": "0..0.75", "range": True}, answer)
    for expected, code in (("0.25", 1), ("[0,0.75]", 0), ("[0,0.5]", 1)):
        props = model(folder, f"// RESULT: {expected}\nP=? [ F<=2 x=3 ]\n", "starts.props")
        expect_code(run("check", path, props, "--results"), code)


@test
def nothing_expected_is_not_as_expected(folder):
    answer = run("check", "examples/mutex.prism", "--property", "Pmax=? [ F p1=10 ]", "--results")
    expect_code(answer, 3)
    expect("no property says what to expect" in answer.out, answer.out)


@test
def what_cannot_be_checked_does_not_keep_results_from_being_compared(folder):
    path = model(folder, "dtmc\nmodule m x : [0..1]; [] true -> 0.5:(x'=0)+0.5:(x'=1); endmodule\n", "m.prism")
    wanted = model(folder, "// RESULT: 1/2 (a coin)\nP=? [ X x=1 ];\n// RESULT: 1\nP=? [ x+1 ];\n"
                   "// RESULT: Error\nP=? [ F<=(-1) x=1 ];\n", "m.props")
    expect_code(run("check", path, wanted), 2)
    answer = run("check", path, wanted, "--results")
    expect_code(answer, 3)
    expect("2 agree, 0 differ, 1 unknown" in answer.out and "path formula" in answer.out, answer.out)


@test
def interrupts_give_the_partial_result(folder):
    for number in (signal.SIGINT, signal.SIGTERM):
        code, output = interrupted_run(model(folder, LONG), number)
        expect(code == 3 and "search stopped: interrupted" in output, f"{code}: {output}")


@test
def an_analysis_ends_with_what_is_proved(folder):
    """What is said is no error, and the answer says that it is a part."""
    path = model(folder, SLOW_TO_ANALYSE)
    for command in ("symmetry", "check"):
        for attempt in range(12):  # a loaded machine may not give it the time to read the model, or to wind up
            size, seconds = (1000, 600, 300)[attempt % 3], f"{0.4 * 1.5 ** (attempt // 3 * 2):.2g}"
            answer = run(command, path, "-D", f"N={size}", "--time", seconds)
            if f"the analysis ended early (time limit ({seconds} s))" in answer.out:
                break
        else:
            raise AssertionError(answer.out[:1000] + answer.err)
        expect_code(answer, 3)
    for size in (1000, 600, 300):
        code, output = interrupted_run(model(folder, SLOW_TO_ANALYSE.replace("1000", str(size))), signal.SIGINT)
        if "the analysis ended early (interrupted)" in output:
            break
    expect(code == 3 and "the analysis ended early (interrupted)" in output and "search stopped" in output, f"{code}: {output}")


@test
def terminals_get_colour_and_progress(folder):
    def on_terminal(**environment):
        master, slave = pty.openpty()
        process = subprocess.Popen([BINARY, "check", model(folder, LONG), "--engine", "explicit", "--time", "1.5"], stdout=slave, stderr=slave, cwd=ROOT,
                                   env={**os.environ, "TERM": "xterm", **environment})
        os.close(slave)
        output = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            output += piece
        os.close(master)
        process.wait()
        return output.decode()

    output = on_terminal(NO_COLOR="")
    expect("\033[33m" in output and "states, " in output and "frontier" in output, repr(output[:500]))
    expect("\033[33m" not in on_terminal(NO_COLOR="1"), "NO_COLOR is not respected")


@test
def a_model_comes_from_standard_input(folder):
    expect_code(run("check", "-", "--language", "murphi", text=STUCK), 1)


@test
def ctl_runs_go_round_and_replay(folder):
    out, trace = os.path.join(folder, "out.json"), os.path.join(folder, "trace.json")
    overtaken = "tests/models/ctl-overtaken.m"
    answer = run("check", overtaken, "--json", out, "--trace", trace)
    expect_code(answer, 1)
    expect("and so on for ever, as after step 1" in answer.out, answer.out)
    expect("state[p] = In is false for ever (p: Process_1)" in answer.out, answer.out)
    violated = [result for result in json.load(open(out))["results"] if result["verdict"] == "violated"]
    expect(len(violated) == 1 and violated[0]["kind"] == "ctl" and violated[0]["loop"] == 1, violated)
    expect(violated[0]["trace"][1]["state"] == violated[0]["trace"][-1]["state"], "the loop does not close")
    expect("`loop`" in (ROOT / "docs/json.md").read_text(), "docs/json.md does not mention loop")
    expect_code(run("replay", overtaken, trace), 0)
    document = json.load(open(trace))
    document["result"]["loop"] = 0
    json.dump(document, open(trace, "w"))
    answer = run("replay", overtaken, trace)
    expect_code(answer, 1)
    expect("the last state is not that of step 0" in answer.out, answer.out)
    del document["result"]["loop"]
    document["result"]["verdict"] = "holds"
    document["result"]["id"] += 3  # two may try at once: that is not what this run shows
    json.dump(document, open(trace, "w"))
    expect_code(run("replay", overtaken, trace), 0)


@test
def properties_from_a_file(folder):
    more = model(folder, 'ctl "can try" forall p: Process do EF state[p] = Try end;\n'
                         'ctl "never in" AG forall p: Process do state[p] != In end;\n'
                         'invariant "free" !taken;\n', "more.props")
    trace = os.path.join(folder, "trace.json")
    overtaken = "tests/models/ctl-overtaken.m"
    answer = run("check", overtaken, more, "--keep-going", "--witness")
    expect_code(answer, 1)
    expect('witness of ctl "can try"' not in answer.out, "a witness of all processes")
    expect('ok        ctl "can try"' in answer.out and 'violated  ctl "never in"' in answer.out, answer.out)
    expect('violated  invariant "free"' in answer.out and "more.props:2:1" in answer.out, answer.out)
    expect('witness of ctl "two may try at once" (3 steps)' in answer.out, answer.out)
    expect_code(run("check", overtaken, more, "--trace", trace), 1)
    expect_code(run("replay", overtaken, more, trace), 0)
    expect_code(run("replay", overtaken, trace), 0)  # the trace names the file of properties
    os.remove(more)
    expect(f"was written with the properties of {more}" in run("replay", overtaken, trace).err, "without the file of properties")
    wrong = model(folder, 'rule "no" true ==> begin end;\n', "wrong.props")
    answer = run("check", overtaken, wrong)
    expect_code(answer, 2)
    expect('wrong.props:1:1: error: expected a property, found "rule"' in answer.err, answer.err)
    expect_code(run("check", overtaken, os.path.join(folder, "none.props")), 2)
    expect("does not end in .props" in run("check", overtaken, "README.md").err, "a file of no known kind")
    for engine in ("adaptive", "complete"):
        answer = run("check", overtaken, "--engine", engine)
        expect_code(answer, 2)
        expect("CTL" in answer.err, answer.err)
    limited = run("check", overtaken, "--states", "5")
    expect_code(limited, 3)


@test
def dumps(folder):
    for form in ("ir", "bytecode"):
        answer = run("check", GERMAN, "--dump", form)
        expect_code(answer, 0)
        expect(len(answer.out.splitlines()) > 50, f"--dump {form} is short")
    plan = "1. detected symmetry, engine explicit\n"
    answer = run("check", GERMAN, "--dump", "plan")
    expect_code(answer, 0)
    beside = "while that grows, for a part of its time:"
    steps = plan + f"2. {beside} detected symmetry, engine symbolic\n"
    sat = f"3. {beside} declared symmetry, engine sat\n"
    expect(answer.out == steps + ("" if is_without_sat(folder) else sat), answer.out)
    answer = run("check", GERMAN, "-D", "NODE_NUM=1", "-v")
    expect("plan:\n  " + plan in answer.out, answer.out)


@test
def odd_bytes_are_survived(folder):
    path = os.path.join(folder, "odd.m")
    with open(path, "wb") as file:
        file.write(b'var x: 0..1;\nstartstate begin x := 0; end;\nrule "caf\xe9" begin x := 1 - x; end;\n'
                   b'invariant "na\xefve" x = 0;\n')
    trace = os.path.join(folder, "trace.json")
    answer = run("check", path, "--json", "-", "--trace", trace)
    expect_code(answer, 1)
    expect("na\\xefve" in [result["name"] for result in json.loads(answer.out)["results"]], "name")
    expect_code(run("replay", path, trace), 0)


@test
def long_lines_are_cut(folder):
    answer = run("check", model(folder, f"var x: 0..1; {' ' * 100000} startstate x := miss; end; {'-' * 100000}"))
    expect_code(answer, 2)
    message, line, marks = answer.err.splitlines()[:3]
    expect(len(line) < 200 and line.index("miss") == marks.index("^"), f"{line}\n{marks}")
    answer = run("check", model(folder, 'startstate put "\u00e9\u2265"; miss := 1; end;'))
    line, marks = answer.err.splitlines()[1:3]
    expect(line.index("miss") == marks.index("^") and marks.endswith(" ^~~~"), f"{line}\n{marks}")


@test
def which_of_two_failures_comes_first_is_decided_without_symmetry(folder):
    path = model(folder, DISPUTED)
    for words, verdict in (["--symmetry", "off"], "violated"), ([], "violated"), (["--states", "10", "--threads", "1"], "unknown"):
        answer = run("check", path, "--keep-going", "--json", "-", *words)
        verdicts = {result["name"]: result["verdict"] for result in json.loads(answer.out)["results"]}
        expect(verdicts["A"] == "violated" and verdicts["B"] == verdict, verdicts)
        expect(verdicts["runtime"] == ("unknown" if verdict == "unknown" else "holds"), verdicts)


@test
def ways_to_representatives(folder):
    figures = {}
    for way in ("canonical", "sorted", "flood"):
        answer = run("check", GERMAN, "-D", "NODE_NUM=2", "--representative", way, "--json", "-")
        expect_code(answer, 0)
        parsed = json.loads(answer.out)
        figures[way] = parsed["statistics"]["states"]
        expect(parsed["representative"] == way, f"representative is {parsed['representative']}, not {way}")
    expect(figures["canonical"] == 852 and figures["flood"] == 3390, f"{figures}")
    expect(figures["canonical"] <= figures["sorted"] <= figures["flood"], f"{figures}")
    # Four graphs of six nodes have the same marker as another: not missed without a word.
    graphs = ["check", "tests/models/scalarset-graphs.m", "-D", "N=6", "--representative", "markers"]
    answer = run(*graphs)
    expect_code(answer, 0)
    expect("holds up to marker collisions" in answer.out, "the doubt is not in the summary")
    refused = [(["--representative", "flood", "--search", "dfs"], "need --search bfs"),
               (["--representative", "enumerate", "-D", "NODE_NUM=9"], "more than 50,000 elements"),
               (["--representative", "sorted", "--engine", "adaptive"], "for the explicit engine")]
    for words, reason in refused:
        answer = run("check", GERMAN, *words)
        expect_code(answer, 2)
        expect(reason in answer.err, f"no \"{reason}\" in {answer.err}")


@test
def guards_that_break_the_symmetry(folder):
    answer = run("check", PARTIAL / "resource-controller.m", "--symmetry", "guarded", "-v")
    expect_code(answer, 0)
    expect("without the guards of 1 rule that break the symmetry\n" in answer.out and "73 states," in answer.out, answer.out)
    answer = run("check", PARTIAL / "readers-writers.m", "-D", "R=8", "-D", "W=4", "--symmetry", "guarded", "-v")
    expect_code(answer, 0)
    expect("after 30 states of that, which leave a property open, on the model itself" in answer.out and "261 states" in answer.out, answer.out)
    for words, reason in ((["check", GERMAN, "--engine", "symbolic"], "for the explicit engine"), (["graph", GERMAN], "is for check")):
        answer = run(*words, "--symmetry", "guarded")
        expect_code(answer, 2)
        expect(reason in answer.err, answer.err)


@test
def symmetry_that_does_not_pay_is_dropped(folder):
    path = model(folder, IDLE)
    figures = []
    for words in ([], ["--representative", "canonical"], ["--symmetry", "off"]):
        answer = run("check", path, "-v", "--engine", "explicit", "--deadlock", "off", *words)
        expect_code(answer, 0)
        expect(("symmetry does not pay" in answer.out) == (not words), f"{words}: {answer.out}")
        expect(("symmetry: none used: it does not pay (group of order" in answer.out) == (not words), f"{words}: {answer.out}")
        expect(("  used  " in answer.out) == (words == ["--representative", "canonical"]), f"{words}: {answer.out}")
        figures.append(re.search(r"([\d,]+) states", answer.out).group(1))
    expect(figures == ["12,004"] * 3, f"{figures}")


def main():
    failed = 0
    wanted = sys.argv[2:]
    chosen = [function for function in TESTS if not wanted or function.__name__ in wanted]
    for function in chosen:
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(folder)
            except (AssertionError, KeyError, ValueError, OSError, IndexError, subprocess.SubprocessError) as problem:
                failed += 1
                print(f"FAIL {function.__name__}: {type(problem).__name__}: {problem}")
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
