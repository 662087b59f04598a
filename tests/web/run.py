#!/usr/bin/env python3
"""The report page in a real browser.

    python3 tests/web/run.py build/noether

Makes reports of runs of every kind, then drives them in headless Chromium (pages.mjs). Chromium, node and npm come from
Debian (script/bootstrap); playwright-core and axe-core from npm, into tests/web/node_modules. Where Chromium cannot be
had the tests are skipped, with a message."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "web"
BINARY = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/noether").resolve()

BAD = "type N: scalarset(3);\nvar x: array [N] of boolean;\nstartstate begin y := 1; end;\nrule true ==> begin x := 3; end;\n"
# Names and texts of a model are anybody's: none of this may become part of the page itself.
HOSTILE = """-- </script><script>window.broken = 1</script><!-- <img src=x onerror="window.broken = 2">
var x: 0..3;
startstate "</script><script>window.broken = 3</script>" begin x := 0; end;
rule "<img src=x onerror='window.broken = 4'>" x < 3 ==> begin x := x + 1; end;
invariant "<b onmouseover=alert(1)>&amp; {{script}} \\u003c" x < 3;
"""
LONG = """type P: scalarset(4);
var at: array [P] of 0..30; turn: 0..120;
startstate begin for p: P do at[p] := 0; end; turn := 0; end;
ruleset p: P do
  rule "step" at[p] < 30 & turn < 110 ==> begin at[p] := at[p] + 1; turn := turn + 1; end;
end;
invariant "ends early" turn < 100;
"""
DEAD = """type P: scalarset(2);
var x: array [P] of boolean;
startstate begin for p: P do x[p] := false; end; end;
ruleset p: P do rule "flip" begin x[p] := !x[p]; end; end;
ruleset p: P do rule "never" isundefined(x[p]) ==> begin x[p] := true; end; end;
invariant "something" exists p: P do x[p] | !x[p] end;
"""

NETWORK = """type P: scalarset(3); K: enum {Ask, Answer};
  M: record kind: K; src: P; dst: P; end;
var net: multiset [3] of M; asked, told: array [P] of boolean; rounds: 0..3;
startstate begin for p: P do asked[p] := false; told[p] := false; end; rounds := 0; end;
ruleset p: P; q: P do
  rule "ask" p != q & !asked[p] & multisetcount(i: net, true) = 0 ==> var m: M;
  begin m.kind := Ask; m.src := p; m.dst := q; multisetadd(m, net); asked[p] := true; end;
end;
choose i: net do
  rule "answer" net[i].kind = Ask ==> var m: M;
  begin m.kind := Answer; m.src := net[i].dst; m.dst := net[i].src; multisetremove(i, net); multisetadd(m, net); end;
  rule "hear" net[i].kind = Answer ==> begin told[net[i].dst] := true; rounds := rounds + 1; multisetremove(i, net); end;
end;
invariant "nobody asks again" rounds = 1 -> multisetcount(i: net, true) = 0;
"""

# Both kinds of channels; a process that is started, and one that goes away.
CHANNELS = """mtype = { work, done };
chan q = [2] of { mtype, byte };
chan hand = [0] of { byte };
bool seen[3];
proctype Helper(byte n) { hand!n }
active proctype Sender() { byte x; q!work,1; hand?x; q!work,2 }
active proctype Receiver() { mtype m; byte v; run Helper(7); q?m,v; q?m,v; seen[_pid] = true; assert(v != 2) }
"""

STUCK = """type P: 0..2;
var fork: array [P] of boolean; has: array [P] of boolean;
startstate begin for p: P do fork[p] := true; has[p] := false; end; end;
ruleset p: P do
  rule "left" !has[p] & fork[p] ==> begin fork[p] := false; has[p] := true; end;
  rule "right" has[p] & fork[(p + 1) % 3] ==> begin fork[p] := true; has[p] := false; end;
end;
"""
# What an assertion says is wrong in the middle of a step.
FAILS = """type P: scalarset(3); S: enum {Out, In};
var s: array [P] of S; last: P; n: 0..3;
startstate begin for p: P do s[p] := Out; end; n := 0; end;
ruleset p: P do
  rule "go" s[p] = Out ==> begin s[p] := In; n := n + 1; last := p; assert "few" n < 2; end;
  rule "back" s[p] = In ==> begin s[p] := Out; n := n - 1; undefine last; end;
end;
invariant "last is in" isundefined(last) | s[last] = In;
"""
UNDEFINED = """type P: scalarset(2);
var last: P; on: array [P] of boolean;
startstate begin for p: P do on[p] := false; end; end;
ruleset p: P do rule "on" !on[p] ==> begin on[p] := true; last := p; end; end;
rule "off" exists p: P do on[p] end ==> begin on[last] := false; undefine last; end;
"""
WAITS = """type P: scalarset(2);
var at: array [P] of enum {Out, Waits, In};
startstate begin for p: P do at[p] := Out; end; end;
ruleset p: P do
  rule "ask" at[p] = Out ==> begin at[p] := Waits; end;
  rule "enter" at[p] = Waits & forall q: P do at[q] != In end ==> begin at[p] := In; end;
  rule "leave" at[p] = In ==> begin at[p] := Out; end;
end;
ltl "whoever waits gets in" forall p: P do at[p] = Waits leadsto at[p] = In end;
"""
# Everybody can get in at any time, but after a break nobody comes back.
BROKEN = """type P: scalarset(3);
var in: array [P] of boolean; broken: boolean;
startstate begin for p: P do in[p] := false; end; broken := false; end;
ruleset p: P do
  rule "enter" !broken ==> begin in[p] := true; end;
  rule "leave" in[p] ==> begin in[p] := false; end;
end;
rule "break" exists p: P do in[p] end ==> begin broken := true; end;
ctl "always possible" AG (broken -> forall p: P do EF (in[p] & !broken) end);
"""
CROWD = """type P: scalarset(200);
var at: array [P] of record in: boolean; rounds: 0..3; end; count: 0..200;
startstate begin for p: P do at[p].in := false; at[p].rounds := 0; end; count := 0; end;
ruleset p: P do
  rule "join" !at[p].in ==> begin at[p].in := true; count := count + 1; end;
end;
invariant "not a hundred" count < 100;
"""
DEEP = """var x: 0..10000; y: 0..2;
startstate begin x := 0; y := 0; end;
rule "up" x < 10000 ==> begin x := x + 1; y := x % 3; end;
invariant "never" x < 10000;
"""
# Quotes, markup, line separators and other scripts, wherever a model may have them.
STRANGE = """-- \u2028 \u2029 \u202e <!-- ]]> \u00e4\u00f6 \U0001f600 \\u0000
type P: scalarset(2);
var x: array [P] of 0..3;
startstate "\u00fcber 'start' & \u2028" begin for p: P do x[p] := 0; end; end;
ruleset p: P do rule "step \U0001f600 (p: P_9) <b>" x[p] < 3 ==> begin x[p] := x[p] + 1; end; end;
invariant "\u4e2d\u6587 {{data}} $& $1 \\" forall p: P do x[p] < 3 end;
"""
# The scheduler chooses between a safe and a risky way; a loop makes the bounds converge slowly.
CHOICE = """mdp
const double p = 0.25;
module walker
  s : [0..4] init 0;
  [safe]  s=0 -> p:(s'=1) + 1-p:(s'=0);
  [risky] s=0 -> 0.5:(s'=2) + 0.3:(s'=3) + 0.2:(s'=0);
  [on]    s=1 -> 0.8:(s'=2) + 0.1:(s'=3) + 0.1:(s'=0);
  [back]  s=1 -> 1:(s'=0);
  [stay]  s>=2 -> true;
endmodule
rewards "time" s<2 : 1; endrewards
label "home" = s=2;
"""
CHOICE_ASKED = """// what is asked
"best": Pmax=? [ F "home" ];
"worst": Pmin=? [ F "home" ];
R{"time"}min=? [ F s>=2 ];
P>=0.99 [ F s=3 ];
"""

SENDER = """dtmc
const int tries;
module sender
  s : [0..2]; n : [0..tries];
  [send] s=0 & n<tries -> 0.9:(s'=1) + 0.1:(n'=n+1);
  [stop] s=0 & n=tries -> (s'=2);
endmodule
rewards "sent <b>" [send] true : 1; endrewards
"""
SENDER_ASKED = """// what is asked
P=? [ F s=1 ];
R{"sent <b>"}=? [ F s>0 ];
P=? [ F s=0 ];
"""

# Names of files may be anything, too.
NAMES = {"hostile": "<img src=x onerror='window.broken = 5'> & \"quoted\" {{data}}"}

# name, model (a path, or a text), more options (a text: a file of properties), exit status
RUNS = [
    ("holds", "examples/german.m", [], 0),
    ("violated", "examples/german-bug.m", [], 1),
    ("deadlock", "examples/needham-schroeder.m", [], 1),
    ("stuck", STUCK, [], 1),
    ("fails", FAILS, [], 1),
    ("undefined", UNDEFINED, [], 1),
    ("waits", WAITS, [], 1),
    ("attack", "examples/needham-schroeder.m", ["--deadlock", "off"], 1),
    ("liveness", "tests/models/liveness-missed.m", [], 1),
    ("limit", "examples/flash.m", ["--states", "200"], 3),
    ("symmetric", "examples/mesi.m", ["--search", "dfs"], 0),
    ("broken-symmetry", "tests/models/clear-scalarset.m", [], None),
    ("bad", BAD, [], 2),
    ("hostile", HOSTILE, [], 1),
    ("long", LONG, [], 1),
    ("lasso", "tests/models/ctl-turns.m", [], 1),
    ("ring", "examples/survey-token.m", [], 0),
    ("elsewhere", "examples/german.m", ['invariant "of its own file"\n  !ExGntd;\n'], 1),
    ("network", NETWORK, [], 1),
    ("channels", CHANNELS, [], 1),
    ("broken", BROKEN, ["--deadlock", "off"], 1),
    ("crowd", CROWD, [], 1),
    ("deep", DEEP, ["--deadlock", "off"], 1),
    ("deeper", DEEP.replace("10000", "30000"), ["--deadlock", "off"], 1),
    ("strange", STRANGE, [], 1),
    ("values", "examples/leader.prism", ["examples/leader.props"], 0),
    ("coin", "examples/shared-coin.prism", ["examples/shared-coin.props"], 0),
    ("choice", CHOICE, [CHOICE_ASKED, "--witness"], 1),
    ("given", "examples/leader.prism", ["examples/leader.props", "--property", 'P=? [ X s1=0 ]'], 0),
    ("asked-badly", "examples/german.m", ['-- a comment\ninvariant "x"\n  Nonsense = 3;\n'], 2),
    ("refused", "examples/survey-token.m", ["--engine", "counter"], 2),
    ("complete", "examples/peterson.m", ["-D", "N=3", "--engine", "complete"], 0),
    ("dead", DEAD, [], 0),
    ("experiment", SENDER, [SENDER_ASKED, "-D", "tries=1:9"], 0),
]


def skip(reason):
    print(f"skipped: {reason}\n1 passed, 0 failed")
    sys.exit(0)


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    skip("there is no Chromium (script/bootstrap installs it where it can be had)")


def install_packages():
    if (HERE / "node_modules" / "playwright-core").exists() and (HERE / "node_modules" / "axe-core").exists():
        return
    if not shutil.which("node") or not shutil.which("npm"):
        skip("there is no node or npm")
    done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=HERE,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(done.stdout)
        print("0 passed, 1 failed")
        sys.exit(1)


def make_reports(folder):
    problems = 0
    for name, model, options, code in RUNS:
        if "\n" in model:
            path = folder / (NAMES.get(name, name) + (".prism" if model.startswith(("mdp", "dtmc")) else ".pml" if model.startswith("mtype") else ".m"))
            path.write_text(model)
        else:
            path = ROOT / model
        for at, option in enumerate(options):
            if "\n" in option:  # a file of properties
                (folder / f"{name}.props").write_text(option)
                options = [*options[:at], folder / f"{name}.props", *options[at + 1:]]
        command = [BINARY, "check", path, "--report", folder / f"{name}.html", "-q", *options]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if code is not None and done.returncode != code:
            print(f"FAIL {name}: exit status {done.returncode} instead of {code}: {done.stderr}")
            problems += 1
        size = (folder / f"{name}.html").stat().st_size
        if size >= 1_000_000:
            print(f"FAIL {name}: the page has {size} bytes")
            problems += 1
    return problems


def main():
    browser = find_browser()
    install_packages()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        problems = make_reports(folder)
        done = subprocess.run(["node", "pages.mjs", browser, folder], cwd=HERE, stdout=subprocess.PIPE, text=True,
                              timeout=patience.seconds(600))
    print(done.stdout, end="")
    if problems:
        print(f"0 passed, {problems} failed")
    return 1 if problems or done.returncode else 0


sys.exit(main())
