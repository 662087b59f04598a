#!/usr/bin/env python3
"""tests/exchange/run.py BINARY: what goes to other programs and comes from them: traces in other formats, JSON against its
schemas, JUnit, several models, --watch, init."""
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

try:
    import jsonschema
except ImportError:
    jsonschema = None

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import children
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = str(pathlib.Path(sys.argv[1]).resolve())
BUG, GERMAN = "examples/german-bug.m", "examples/german.m"
TESTS = []

STUCK = 'var x: 0..3;\nstartstate begin x := 0; end;\nrule "up" x < 3 ==> begin x := x + 1; end;\n'
FAULTY = """type node: scalarset(3); var a: array [node] of 0..2;
startstate "go" begin for i: node do a[i] := 0; end; end;
ruleset i: node do rule "up; <b> #1" begin a[i] := a[i] + 1; end; end;
"""
MULTISET = """type node: scalarset(2); msg: record from: node; level: -2..2; end;
var net: multiset [3] of msg; done: boolean;
startstate begin undefine net; done := false; end;
ruleset n: node do rule "send" MultiSetCount(i: net, true) < 3 ==>
  var m: msg; begin m.from := n; m.level := -1; MultiSetAdd(m, net); end; end;
choose i: net do rule "take" net[i].level = -1 ==> begin MultiSetRemove(i, net); done := true; end; end;
invariant "never done" !done;
"""
LASSO = """type p: scalarset(2); var at: array [p] of 0..1;
startstate begin for i: p do at[i] := 0; end; end;
ruleset i: p do rule "go" begin at[i] := 1 - at[i]; end; end;
ltl "all come" forall i: p do F at[i] = 1 end;
"""


def test(function):
    TESTS.append(function)
    return function


def run(*words, folder=ROOT):
    return subprocess.run([BINARY, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=patience.seconds(120))


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def expect_code(answer, code):
    expect(answer.returncode == code, f"exit status {answer.returncode}, not {code}: {answer.args}\n{answer.stdout}{answer.stderr}")


def model(folder, text, name="model.m"):
    path = folder / name
    path.write_text(text)
    return path


def violated_models(folder):
    """Models with a violation, of every language and kind of run."""
    yield ROOT / BUG, []
    for number, text in enumerate((STUCK, FAULTY, MULTISET, LASSO)):
        yield model(folder, text, f"v{number}.m"), []
    yield model(folder, "chan q = [1] of {byte}; active proctype a() { q!1; q!2 } active proctype b() { byte x; q?x; assert(x == 2) }",
                "v.pml"), []
    yield model(folder, "dtmc module m x:[0..2] init 0; [] x<2 -> 0.5:(x'=x+1)+0.5:(x'=0); [] x=2 -> true; endmodule", "v.prism"), \
        ["--property", "A [ G x<2 ]"]


def write_trace(folder, path, more, form):
    out = folder / f"trace.{form}"
    out.unlink(missing_ok=True)
    answer = run("check", path, *more, "--trace", out, "--trace-format", form, "-q")
    expect_code(answer, 1)
    return out


@test
def itf_comes_back_as_the_same_run(folder):
    for path, more in violated_models(folder):
        ours, itf, again = write_trace(folder, path, more, "json"), write_trace(folder, path, more, "itf"), folder / "again.json"
        document = json.loads(itf.read_text())
        names = set(document["vars"])
        expect(document["#meta"]["format"] == "ITF" and names, f"{path}: no ITF")
        for index, state in enumerate(document["states"]):
            expect(set(state) == names | {"#meta"} and state["#meta"]["index"] == index, f"{path}: state {index} has other variables")
        answer = run("replay", path, itf, "--trace", again)
        expect_code(answer, 0)
        left, right = json.loads(ours.read_text()), json.loads(again.read_text())
        for step in left["result"]["trace"] + right["result"]["trace"]:
            step.get("fault", {}).pop("message", None)  # the words are made anew
        expect(left["result"]["trace"] == right["result"]["trace"], f"{path}: the run differs")
        expect(left["defines"] == right["defines"] and left["options"] == right["options"], f"{path}: other constants or options")
        expect(left["result"].get("loop") == right["result"].get("loop"), f"{path}: the cycle differs")
        expect_code(run("explain", path, itf), 0)


@test
def itf_of_a_multiset_comes_back(folder):
    path = folder / "bag.itf"
    run("check", ROOT / "tests/models/multiset-overflow.m", "--trace", path, "--trace-format", "itf")
    again = run("replay", ROOT / "tests/models/multiset-overflow.m", path)
    expect(again.returncode == 0 and "replays" in again.stdout, again.stdout + again.stderr)


@test
def itf_has_arrays_and_records(folder):
    document = json.loads(write_trace(folder, ROOT / BUG, [], "itf").read_text())
    cache = dict(map(tuple, ((key, value["State"]) for key, value in document["states"][-1]["Cache"]["#map"])))
    expect(sorted(cache.values()) == ["Exclusive", "Invalid", "Invalid", "Shared"], f"the caches are {cache}")
    expect(document["states"][0]["CurPtr"] == {"#unserializable": "undefined"}, "undefined is not marked")


@test
def itf_that_is_damaged_is_refused(folder):
    itf = write_trace(folder, ROOT / BUG, [], "itf")
    good = itf.read_text()

    def changed(change):
        document = json.loads(good)
        change(document)
        itf.write_text(json.dumps(document))
        return run("replay", BUG, itf)

    cases = [
        (lambda d: d["#meta"].pop("noether"), 2, "only those that noether has written"),
        (lambda d: d["states"][2]["#meta"].pop("rule"), 2, "state 2: its \"#meta\" names no rule"),
        (lambda d: d["states"][2].pop("CurCmd"), 2, "lacks \"CurCmd\""),
        (lambda d: d["states"][2].update(Cache={"#set": []}), 2, "no sets"),
        (lambda d: d["states"][2].update(Cache=3), 2, "Cache"),
        (lambda d: d["states"][2].update(ExGntd={"#bigint": "x"}), 2, "no integer"),
        (lambda d: d["states"][2].update(ExGntd=True), 1, "does not replay"),
        (lambda d: d["states"].pop(3), 1, "does not replay"),
        (lambda d: d["states"].clear(), 2, "not a list of steps"),
    ]
    for number, (change, code, message) in enumerate(cases):
        answer = changed(change)
        expect_code(answer, code)
        expect(message in answer.stdout + answer.stderr, f"case {number}: {answer.stdout}{answer.stderr}")


@test
def sequence_diagrams_have_a_note_for_each_step(folder):
    for path, more in violated_models(folder):
        steps = json.loads(write_trace(folder, path, more, "json").read_text())["result"]["trace"]
        for form, note, first, last in (("mermaid", "  Note over ", "sequenceDiagram", None), ("plantuml", "note over ", "@startuml", "@enduml")):
            lines = write_trace(folder, path, more, form).read_text().splitlines()
            expect(lines[0] == first and (last is None or lines[-1] == last), f"{path}: {lines[0]!r} ... {lines[-1]!r}")
            numbers = [int(found[1]) for line in lines if (found := re.match(rf"{note}p\d+: (\d+) ", line))]
            expect(numbers == list(range(len(steps))), f"{path}: the steps are {numbers}")
            known = {found[0] for line in lines if line.lstrip().startswith("participant") and (found := re.findall(r"\bp\d+\b", line))}
            used = {name for line in lines if re.match(r"\s*(note|p\d)", line, re.I) for name in re.findall(r"^[^:]*?\b(p\d+)\b", line)}
            expect(used <= known, f"{path}: {used - known} are no participants")
            expect(sum(line.strip().startswith("loop") for line in lines) == sum(line.strip() == "end" for line in lines), f"{path}: loop")
    text = write_trace(folder, folder / "v1.m", [], "mermaid").read_text()
    expect("<b>" not in text and "#60;b#62;" in text, "what Mermaid reads as its own is not escaped")
    text = write_trace(folder, ROOT / BUG, [], "mermaid").read_text()
    expect("p0 -) p4: ReqShared (received in step 3)" in text and "p4 --) p0: Invalidate (not received)" in text, "messages are missing")


@test
def shiviz_clocks_are_clocks(folder):
    for path, more in violated_models(folder):
        lines = write_trace(folder, path, more, "shiviz").read_text().splitlines()
        expect(lines and len(lines) % 2 == 0, f"{path}: {len(lines)} lines")
        last = {}
        for head, event in zip(lines[::2], lines[1::2]):
            found = re.fullmatch(r"(\S*) (\{.*\})", head)
            expect(found and event, f"{path}: {head!r}")
            host, clock = found[1], json.loads(found[2])
            expect(clock.get(host) == last.get(host, {}).get(host, 0) + 1, f"{path}: {head}: its own clock")
            for other, value in clock.items():
                expect(value >= last.get(host, {}).get(other, 0), f"{path}: {head}: goes back")
                expect(other == host or value <= last.get(other, {}).get(other, 0), f"{path}: {head}: from the future")
            last[host] = clock


@test
def tables_have_the_states(folder):
    for path, more in violated_models(folder):
        steps = json.loads(write_trace(folder, path, more, "json").read_text())["result"]["trace"]
        with open(write_trace(folder, path, more, "csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        expect(len(rows) == len(steps), f"{path}: {len(rows)} rows")
        for row, step in zip(rows, steps):
            for name, value in step.get("state", {}).items():
                wanted = "" if value is None else value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
                expect(row[name] == wanted, f"{path}: {name} is {row[name]!r}, not {wanted!r}")
            expect(bool(row["fault"]) == ("fault" in step), f"{path}: fault")


@test
def names_are_no_syntax_of_diagrams(folder):
    path = model(folder, """var x: 0..2;
startstate "%getenv(HOME)" x := 0; end;
rule "!include /etc/passwd <img:/etc/passwd> [[http://x]]" x = 0 ==> x := 1; end;
rule "%%{init: {'securityLevel': 'loose'}}%% <script>" x = 1 ==> x := 2; end;
invariant "%load_json('/etc/passwd')" x < 2;
""")
    told = write_trace(folder, path, [], "plantuml").read_text()
    expect("%" not in told and "~<img:" in told and "~[[" in told and not re.search(r"^!", told, re.M), f"PlantUML: {told}")
    told = write_trace(folder, path, [], "mermaid").read_text()
    expect("%" not in told and not re.search("<(?!br/>)", told), f"Mermaid: {told}")
    answer = run("check", path, "--format", "junit")
    expect(xml.fromstring(answer.stdout).tag == "testsuites", f"JUnit: {answer.stdout}")


@test
def tables_have_no_formulas(folder):
    path = model(folder, """type e: enum { a, b };
var x: e; n: -9..9; t: array [0..1] of -3..3;
startstate "=1+1" x := a; n := -3; t[0] := -2; t[1] := 0; end;
rule "=HYPERLINK(1)" x = a ==> x := b; end;
rule "@x" x = b & n < 0 ==> n := 4; end;
rule "+1+cmd|' /C calc'!A0" x = b & n > 0 ==> n := -9; end;
invariant "-2+3" n != -9;
""")
    with open(write_trace(folder, path, [], "csv"), newline="") as file:
        text = file.read()
    rows = list(csv.DictReader(text.splitlines()))
    expect([row["rule"] for row in rows] == ["'=1+1", "'=HYPERLINK(1)", "'@x", "'+1+cmd|' /C calc'!A0"], f"rules: {text}")
    expect([row["n"] for row in rows] == ["-3", "-3", "4", "-9"], f"numbers: {text}")
    chain = model(folder, """dtmc
const int N; const double q;
module m
  s : [-3..3] init -3;
  [] s < N -> q : (s' = s + 1) + 1 - q : (s' = s);
endmodule
""", "model.prism")
    asked = model(folder, """"=cmd|' /C calc'!A0": P=? [ F s=N ];
"@SUM(1;2)": P=? [ F s=3 ];
""", "model.props")
    answer = run("check", chain, asked, "-D", "N=-1:1", "-D", "q=0.5", "--csv", "-", "--exact")
    names, *rows = list(csv.reader(answer.stdout.splitlines()))
    expect([name for name in names if name[0] not in "=+-@"] == names and "'=cmd|' /C calc'!A0" in names and "'@SUM(1;2) lower" in names, f"names: {names}")
    expect('"\'@SUM(1;2)"' in answer.stdout, f"a semicolon separates fields, too, in some places: {answer.stdout}")
    expect([row[0] for row in rows] == ["-1", "0", "1"], f"constants: {answer.stdout}")


@test
def a_trace_goes_to_standard_output_alone(folder):
    answer = run("check", BUG, "--trace", "-", "--trace-format", "mermaid")
    expect_code(answer, 1)
    expect(answer.stdout.startswith("sequenceDiagram"), answer.stdout[:80])
    trace = write_trace(folder, ROOT / BUG, [], "json")
    answer = run("replay", BUG, trace, "--trace", "-", "--trace-format", "csv")
    expect_code(answer, 0)
    expect(answer.stdout.startswith("step,rule"), answer.stdout[:80])


def closed(schema):
    """The schema without room for members that it does not name: what is written is documented."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if made.get("type") == "object" and "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def validator(name):
    folder = ROOT / "docs/schema"
    store = {(folder / path.name).as_uri(): closed(json.loads(path.read_text())) for path in folder.glob("*.json")}
    address = (folder / f"{name}.schema.json").as_uri()
    resolver = jsonschema.RefResolver(address, store[address], store=store)
    jsonschema.Draft202012Validator.check_schema(store[address])
    return jsonschema.Draft202012Validator(store[address], resolver=resolver)


def validate(name, path):
    document = json.loads(path.read_text())
    for error in validator(name).iter_errors(document):
        raise AssertionError(f"{path.name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
    return document


@test
def json_is_as_its_schemas_say(folder):
    if not jsonschema:
        print("skipped: there is no python3-jsonschema")
        return
    out = folder / "out.json"
    model(folder, STUCK, "stuck.m")
    model(folder, LASSO, "lasso.m")
    model(folder, "rule x", "broken.m")
    checks = [
        [GERMAN], [BUG], [GERMAN, "--engine", "symbolic", "-D", "NODE_NUM=2"], ["examples/mcs-lock.m"], [GERMAN, "--profile", "-D", "NODE_NUM=2"],
        [GERMAN, "--states", "100"], ["examples/leader.prism", "examples/leader.props"], ["examples/peterson.pml"],
        ["examples/leader.prism", "examples/leader.props", "--exact", "--witness"], ["examples/philosophers.prism", "examples/philosophers.props", "--witness"],
        ["examples/ring-election.m"], ["tests/models/boolean/bell.bp"], ["tests/models/boolean/taken.bp"], [GERMAN, "--hash-compact"],
        ["examples/readers-writers.m", "--engine", "sat"], ["examples/token-mutex.m", "--engine", "complete"], [folder / "stuck.m"],
        ["examples/token-mutex.m", "--engine", "adaptive"], ["examples/peterson.m"], [folder / "lasso.m"], [folder / "broken.m"],
        ["examples/peterson.pml", "--reduction", "por"], ["examples/semaphore-mutex.m", "--engine", "counter"],
        ["examples/leader.prism", "examples/leader.props", "--results"], ["examples/polling.prism", "examples/polling.props"],
    ]
    members = set()
    for words in checks:
        out.unlink(missing_ok=True)
        run("check", *words, "--json", out, "-q")
        expect(out.exists(), f"{words}: no answer")
        document = validate("answer", out)
        members |= set(document) | {key for result in document["results"] for key in result}
    expect({"automaton", "fails", "loop", "value", "diagnostics", "profile"} <= members,
           f"the runs have {sorted(members)} only")
    for words in ([GERMAN], ["examples/peterson.m"], ["examples/ring-election.m"], ["examples/leader.prism"], ["examples/token-mutex.m"]):
        run("symmetry", *words, "--json", out)
        validate("symmetry", out)
    run("check", "examples/leader.prism", "examples/leader.props", "-D", "N=2:3", "--json", out)
    validate("experiment", out)
    for words in ([BUG], ["examples/leader.prism"], ["examples/peterson.pml"]):
        run("graph", *words, "--as", "json", "-o", out)
        validate("graph", out)
    for path, more in violated_models(folder):
        validate("trace", write_trace(folder, path, more, "json"))


@test
def junit_has_a_case_for_each_property(folder):
    answer = run("check", BUG, "--format", "junit")
    expect_code(answer, 1)
    suite = xml.fromstring(answer.stdout).find("testsuite")
    expect(suite.get("tests") == "5" and suite.get("failures") == "1" and suite.get("skipped") == "4", str(suite.attrib))
    failure = suite.find("testcase/failure")
    expect("counterexample to invariant" in failure.text and "(9 steps)" in failure.text, "the run is missing")
    answer = run("check", model(folder, STUCK), "--format", "junit", "--keep-going")
    suite = xml.fromstring(answer.stdout).find("testsuite")
    expect(suite.get("failures") == str(len(suite.findall("testcase/failure"))) and suite.get("errors") == "0", str(suite.attrib))
    answer = run("check", GERMAN, "--format", "junit", "--states", "50")
    expect_code(answer, 3)
    suite = xml.fromstring(answer.stdout).find("testsuite")
    expect(int(suite.get("errors")) == len(suite.findall("testcase/error")) > 0, str(suite.attrib))
    answer = run("check", model(folder, "rule x", "broken.m"), "--format", "junit")
    expect_code(answer, 2)
    expect("broken.m:1:" in xml.fromstring(answer.stdout).find("testsuite/testcase/error").text, answer.stdout)


@test
def a_check_that_dies_has_no_verdict(folder):
    """Each of several models has a process of its own. One that ends without an answer, as by a library that calls exit, is unknown."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    for status in (0, 1):
        (folder / "dies.c").write_text(f"#include <unistd.h>\npid_t getppid(void) {{ _exit({status}); }}\n")
        library = folder / f"dies{status}.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, folder / "dies.c"], check=True)
        os.environ["LD_PRELOAD"] = str(library)
        try:
            answer = run("check", "-q", GERMAN, BUG)
        finally:
            del os.environ["LD_PRELOAD"]
        expect_code(answer, 3)
        expect("2 models: 2 unknown" in answer.stdout, answer.stdout)
        expect(f"without an answer, with exit status {status}" in answer.stderr, answer.stderr)


@test
def several_models_have_one_answer(folder):
    broken = model(folder, "rule x", "broken.m")
    leader = ["examples/leader.prism", "examples/leader.props"]
    cases = [([GERMAN, *leader], 0), ([GERMAN, BUG], 1), ([BUG, broken, GERMAN], 2), ([GERMAN, "examples/peterson.pml", "--states", "9"], 3),
             ([GERMAN, BUG, "--states", "99999"], 1)]
    for words, code in cases:
        answer = run("check", "-q", *words)
        expect_code(answer, code)
        models = [word for word in map(str, words) if word.endswith((".m", ".pml", ".prism"))]
        table = answer.stdout.split("\n\n")[-1].splitlines()
        expect([line.split()[-1] for line in table[:-1]] == models, f"{words}: {table}")
        expect(table[-1].startswith(f"{len(models)} models: "), table[-1])
    answer = run("check", GERMAN, BUG, broken, "--format", "junit")
    expect_code(answer, 2)
    expect([suite.get("name") for suite in xml.fromstring(answer.stdout)] == [GERMAN, BUG, str(broken)], "the suites")
    answer = run("check", GERMAN, BUG, "--json", folder / "{}.json")
    expect_code(answer, 1)
    expect(json.loads((folder / "german-bug.m.json").read_text())["verdict"] == "violated", "the answers")
    for words, message in (([GERMAN, BUG, "--json", "x.json"], "{} in the name"), ([GERMAN, BUG, "--format", "sarif"], "one model"),
                           ([*leader, GERMAN, "-p", "x.props"], "behind its model"), ([GERMAN, "x.txt"], "does not end in .props")):
        answer = run("check", *words)
        expect_code(answer, 2)
        expect(message in answer.stderr, answer.stderr)


def lines_until(stream, wanted, limit=None):
    """What is printed, up to a line that has the text."""
    lines, end = [], time.time() + patience.seconds(limit or 20)
    while time.time() < end:
        line = stream.readline()
        lines.append(line)
        if wanted in line or not line:
            break
    expect(lines and wanted in lines[-1], f"{wanted!r} is not printed: {lines}")
    return lines


def replace(path, text):
    """All at once: nobody sees a part of it."""
    beside = path.with_suffix(".new")
    beside.write_text(text)
    beside.rename(path)


@test
def watching_checks_again(folder):
    path = folder / "watched.m"
    expect_code(run("init", "murphi", path), 0)
    child = subprocess.Popen([BINARY, "check", path, "--watch", "-q"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        lines_until(child.stdout, "every property holds")
        lines_until(child.stdout, "watching")
        replace(path, path.read_text().replace("!locked & ", ""))
        lines_until(child.stdout, "violated")
        lines_until(child.stdout, "watching")
        # A check that is running when the file changes is ended, and begun again.
        replace(path, "var x: 0..60000; y: 0..60000; startstate begin x := 0; y := 0; end;\n"
                        "rule x < 60000 ==> begin x := x + 1; end; rule y < 60000 ==> begin y := y + 1; end;")
        time.sleep(1)
        replace(path, "rule x")
        lines_until(child.stdout, "error")
        lines_until(child.stdout, "watching")
        child.send_signal(signal.SIGINT)
        expect(child.wait(patience.seconds(10)) == 2, f"exit status {child.returncode}")
    finally:
        child.kill()
        child.stdout.close()


def write_piecewise(path, text):
    """Empties the file, then writes it in pieces. False: with a pause that is as good as an end."""
    end, longest = None, 0
    with open(path, "w") as file:
        for piece in ("", *text.splitlines(keepends=True)):
            file.write(piece)
            file.flush()
            now = time.monotonic()
            end, longest = now, max(longest, now - (end or now))
            time.sleep(0.02)
    return longest < 0.08


def write_emptied(path, text):
    path.write_text("")
    begin = time.monotonic()
    time.sleep(0.5)
    path.write_text(text)
    return time.monotonic() - begin < 1.5


@test
def watching_waits_for_the_end_of_a_file(folder):
    """Nothing is checked while a file is being written: neither when it is empty, nor when a part of it is there."""
    path = folder / "watched.m"
    expect_code(run("init", "murphi", path), 0)
    text = path.read_text()
    for write in (write_emptied, write_piecewise):
        for _ in range(10):  # on a loaded machine the first may be too slow
            path.write_text(text)
            child = subprocess.Popen([BINARY, "check", path, "--watch", "-q"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            try:
                lines_until(child.stdout, "watching")
                is_in_time = write(path, text)
                lines = lines_until(child.stdout, "watching")
            finally:
                child.kill()
                child.wait()
                child.stdout.close()
            if is_in_time:
                expect(not any("error" in line for line in lines), f"{write.__name__}: {lines}")
                break


@test
def a_signal_ends_all_of_several(folder):
    long = model(folder, "var x: 0..60000; y: 0..60000; startstate begin x := 0; y := 0; end;\n"
                         "rule x < 60000 ==> begin x := x + 1; end; rule y < 60000 ==> begin y := y + 1; end;", "long.m")
    child = subprocess.Popen([BINARY, "check", long, GERMAN, "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while child.poll() is None and not children.started_by(child.pid):
        time.sleep(0.01)
    patience.listens(children.started_by(child.pid)[0])
    time.sleep(1)
    child.send_signal(signal.SIGTERM)
    out, _ = child.communicate(timeout=patience.seconds(20))
    expect(child.returncode == 3 and "1 models" not in out and "interrupted" in out, f"{child.returncode}: {out}")
    expect("long.m: unknown" in out and "german.m" not in out, out)


@test
def every_template_is_accepted(folder):
    for language, file, more in (("murphi", "model.m", []), ("prism", "model.prism", ["model.props"]), ("promela", "model.pml", []),
                                 ("boolean", "model.bp", [])):
        answer = run("init", language, folder=folder)
        expect_code(answer, 0)
        expect(f"noether check {' '.join([file, *more])}" in answer.stdout, answer.stdout)
        answer = run("check", file, *more, "--warnings", "error", folder=folder)
        expect_code(answer, 0)
        answer = run("init", language, folder=folder)
        expect_code(answer, 2)
        expect("is there already" in answer.stderr, answer.stderr)
        text = (folder / file).read_text()
        expect("FILE" not in text, f"{file}: a name is missing")
        for page in re.findall(r"docs/[\w/-]+\.md", text):
            expect((ROOT / page).exists(), f"{file}: there is no {page}")
    expect_code(run("init", folder / "other.pml"), 0)
    expect_code(run("init", "cobol"), 2)
    expect_code(run("init", "murphi", "-"), 0)
    broken = (folder / "model.m").read_text().replace("!locked & ", "")
    expect_code(run("check", model(folder, broken)), 1)


def main():
    failed = 0
    os.environ.setdefault("XDG_CACHE_HOME", tempfile.gettempdir())
    wanted = sys.argv[2:]
    for function in [each for each in TESTS if not wanted or each.__name__ in wanted]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(pathlib.Path(folder))
            except (AssertionError, subprocess.TimeoutExpired, KeyError, ValueError) as error:
                failed += 1
                print(f"FAIL {function.__name__}: {type(error).__name__} {error}")
    count = len([each for each in TESTS if not wanted or each.__name__ in wanted])
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
