"""Runs of Promela models as users see them: in text, in trace files that replay, in simulate."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

HERE = pathlib.Path(__file__).resolve().parent
MODELS = pathlib.Path(__file__).resolve().parents[1] / "models" / "promela"
TALK = """#define LIMIT 2
mtype = { msg, ack };
typedef pair { byte a; bool b[2] };
chan q = [2] of { mtype, byte };
chan r = [0] of { byte }; chan plain = [1] of { byte };
chan lines[2] = [1] of { bit };
byte n, list[2];
bool fin;
pair both;
proctype S(byte me; chan out) {
  byte k = 1;
  q!msg,k;
  do
  :: k < LIMIT -> k++
  :: else -> break
  od;
  r!k;
  atomic { n = 1; n++; list[1] = n; q!ack,n };
  d_step { both.a = 3; both.b[1] = true; out!1 }
}
active proctype R() {
  byte x, y; mtype m;
  q?m,x;
  r?y;
  q?m,x;
wait: lines[1]?y;
  plain!list[1] + both.a + both.b[1];
  fin = true;
  assert(!fin || x == 0)
}
init { run S(3, lines[1]) }
"""
# The run that is found: what changes, step by step.
EXPECTED = """    0  start: start
         n                   0
         list[*]             0
         fin                 false
         both.a              0
         both.b[*]           false
         q                   []
         plain               []
         lines[0], lines[1]  []
         R(0)                line 23
         R(0).x              0
         R(0).y              0
         R(0).m              0
         init(1)             line 31
    1  init(1):31 run S(3, lines[1])
         S(2)      starts: line 12
         S(2).me   3
         S(2).out  lines[1]
         S(2).k    1
         init(1)   line 31 -> ended
    2  S(2):12 q!msg,k
         q     [] -> [[msg, 1]]
         S(2)  line 12 -> line 13
    3  S(2):14 k < LIMIT
         S(2)  line 13 -> line 14
    4  S(2):14 k++
         S(2)    line 14 -> line 13
         S(2).k  1 -> 2
    5  S(2):15 else
         S(2)  line 13 -> line 17
    6  R(0):23 q?m,x
         q       [[msg, 1]] -> []
         R(0)    line 23 -> line 24
         R(0).x  0 -> 1
         R(0).m  0 -> msg
    7  S(2):17 r!k -> R(0):24 r?y
         S(2)    line 17 -> line 18
         R(0)    line 24 -> line 25
         R(0).y  0 -> 2
    8  S(2):18 n = 1; n++; list[1] = n
         n        0 -> 2
         list[1]  0 -> 2
         S(2)     line 18 -> line 18b
    9  S(2):18 q!ack,n
         q     [] -> [[ack, 2]]
         S(2)  line 18b -> line 19
"""
# What is typed, and what must be printed then.
TYPED = [("print S(2).k", "S(2).k = there is no such process now"), ("take 1", "S(2)      starts: line 12"), ("print S(2).k", "S(2).k = 1"),
         ("take 1", "q     [] -> [[msg, 1]]"), ("print q", "q = [[msg, 1]]"), ("print S(2)", "S(2) = line 13"), ("print len(q) + 1", "len(q) + 1 = 2"),
         ("print S(2).k + LIMIT", "S(2).k + LIMIT = 3"), ("print S(2).out", "S(2).out = lines[1]"), ("print R@wait", "R@wait = false"), ("print list", "list = [0: 0, 1: 0]"),
         ("watch R(0).m", "watch 1: R(0).m = 0"), ("until S(2).k == LIMIT", "S(2).k  1 -> 2"), ("until R(0)@wait", "R(0)    line 25 -> line 26, wait"),
         ("print n = 2", 'expected the end of the expression, found "="'), ("print lst[0]", 'did you mean "list"?'), ("why fin", "false: fin")]


def noether_says(noether, words, given=""):
    done = subprocess.run([noether, *map(str, words)], input=given, capture_output=True, text=True, timeout=patience.seconds(60))
    return done.returncode, done.stdout + done.stderr


def check_text(noether, folder):
    path = folder / "talk.pml"
    path.write_text(TALK)
    code, text = noether_says(noether, ["check", path, "--trace", folder / "talk.json"])
    if code != 1 or EXPECTED not in text:
        yield f"the run reads otherwise (exit {code}):\n{text}"
    steps = json.loads((folder / "talk.json").read_text())["result"]["trace"]
    state = steps[9]["state"]
    if steps[7]["step"] != "S(2):17 r!k -> R(0):24 r?y" or state["q"] != [["ack", 2]] or state["R(0).m"] != "msg" or state["fin"] is not False \
            or state["S(2).out"] != "lines[1]" or state["S(2)"] != "line 19" or state["lines[0]"] != []:
        yield f"the trace file has other names: {json.dumps(steps[9])}"


def check_replay(noether, folder):
    """Every run that is found, written, read and replayed; and one that is not a run."""
    for path in [folder / "talk.pml", *sorted(MODELS.glob("*.pml"))]:
        code, _ = noether_says(noether, ["check", path, "--trace", folder / "t.json", "--keep-going"])
        if code != 1:
            continue
        code, text = noether_says(noether, ["replay", path, folder / "t.json"])
        if code or "replays" not in text:
            yield f"{path.name}: {text}"
    document = json.loads((folder / "talk.json").read_text())
    for change, words in [({"q": [["ack", 2]]}, "differs in"), ({"S(2)": "line 99"}, "not of its type"), ({"S(7).k": 1}, "no variable"), ({"n": None}, "lacks")]:
        changed = json.loads(json.dumps(document))
        state = changed["result"]["trace"][4]["state"]
        state.update(change)
        if None in change.values():
            del state["n"]
        (folder / "changed.json").write_text(json.dumps(changed))
        code, text = noether_says(noether, ["replay", folder / "talk.pml", folder / "changed.json"])
        if not code or words not in text:
            yield f"a state with {change}: {text}"


def check_simulate(noether, folder):
    for count in range(1, len(TYPED) + 1):
        command, words = TYPED[count - 1]
        _, text = noether_says(noether, ["simulate", folder / "talk.pml"], "".join(line + "\n" for line, _ in TYPED[:count]) + "quit\n")
        if words not in text:
            yield f"simulate, {command}: no {words!r} in\n{text}"


def check_warnings(noether, folder):
    path = folder / "else.pml"
    path.write_text("byte x;\nactive proctype P() {\n  else;\n  if\n  :: x == 0 -> else\n  :: else\n  fi;\n  x = 1;\n  (x == 1)\n}\n")
    _, text = noether_says(noether, ["check", path])
    places = re.findall(r'(\d+:\d+): warning: this "else" begins no option|this "else" begins no option.*?\(\S*?(\d+:\d+)\)', text)
    if sorted(filter(None, sum(places, ()))) != ["3:3", "5:16"]:
        yield f"which else begins no option: {text}"


def check_truths(noether, folder):
    """A field of a message that is declared as a bool reads as one; a bit does not."""
    path = folder / "truths.pml"
    path.write_text("chan q = [1] of { bool, bit };\nactive proctype P() { q!true,1; assert(false) }\n")
    _, text = noether_says(noether, ["check", path])
    if "q     [] -> [[true, 1]]" not in text:
        yield f"a bool in a message: {text}"


def check_deaths(noether, folder):
    """Counts that are not SPIN's are said to be others."""
    path = folder / "deaths.pml"
    path.write_text("byte n;\nactive [2] proctype P() { n++ }\n")
    words = "disappear in any order (--process-death any)"
    for options, is_said in (([], False), (["--process-death", "any"], True)):
        _, text = noether_says(noether, ["check", path, *options])
        if (words in text) != is_said:
            yield f"{options}: {text}"


def check_trail_name(noether, folder):
    """The name that SPIN gives to the trail of accept.pml."""
    (folder / "accept.pml").write_text((MODELS / "accept.pml").read_text())
    (folder / "_accept.pml.trail").write_text((HERE / "trails" / "accept-cycle.trail").read_text())
    code, text = noether_says(noether, ["check", folder / "accept.pml", "--trail"])
    if code != 1 or 'counterexample to ltl "no acceptance cycle"' not in text:
        yield f"_accept.pml.trail (exit {code}): {text}"


def check_traces(noether):
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        for check in (check_text, check_replay, check_simulate, check_warnings, check_truths, check_deaths, check_trail_name):
            found = list(check(noether, pathlib.Path(name)))
            for wrong in found:
                print(f"FAILED {check.__name__}: {wrong}")
            passed, failed = passed + (not found), failed + len(found)
    return passed, failed


if __name__ == "__main__":
    print(check_traces(sys.argv[1]))
