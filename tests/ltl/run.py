#!/usr/bin/env python3
"""tests/ltl/run.py BINARY: formulas of linear time with known verdicts, without fairness, with weak and with strong
fairness of processes; with and without symmetry. The table is that of known systems (tests/ltl/table.tsv),
beside those of bench/liveness in their smallest sizes."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

FOLDER = pathlib.Path(__file__).resolve().parent
SYMBOLIC = ("--engine", "symbolic", "--method", "none")
WAYS = (("--symmetry", "auto"), ("--symmetry", "off"), SYMBOLIC, ("--engine", "symbolic", "--method", "dynamic"))
passed = failed = 0


def expect(condition, what):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f"FAILED: {what}")


def run(binary, *words):
    return subprocess.run([binary, *map(str, words)], capture_output=True, text=True, timeout=patience.seconds(120), check=False)


def answer(binary, model, *options):
    done = run(binary, "check", model, "--deadlock", "off", "--keep-going", "--json", "-", *options)
    if done.returncode == 2:
        return {"error": done.stderr}
    return {entry["name"]: entry for entry in json.loads(done.stdout)["results"] if entry["kind"] in ("ctl", "ltl")}


def verdict(results, name):
    return results[name]["verdict"] if name in results else results


def check_table(binary):
    lines = (FOLDER / "table.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines[1:]]
    for model in dict.fromkeys(row[0] for row in rows):
        for column, fairness in ((2, []), (3, ["--fairness", "weak"]), (4, ["--fairness", "strong"])):
            for way in WAYS:
                results = answer(binary, FOLDER / "models" / f"{model}.m", *way, *fairness)
                for row in rows:
                    if row[0] == model:
                        found = verdict(results, row[1])
                        expect(found == row[column], f"{model} {row[1]} {fairness} {way}: {found}, not {row[column]}")
                        has_run = found != "violated" or results[row[1]]["trace"]
                        expect(has_run, f"{model} {row[1]} {fairness} {way}: violated, with a run")


def check_product(binary):
    """The size of the product is that of all processes, or of orbits; a barrier without sense is caught."""
    models = FOLDER.parents[1] / "bench/liveness_models"
    for symmetry, states in (("auto", 156), ("off", 894)):
        found = answer(binary, models / "queue-lock.m", "--symmetry", symmetry, "--fairness", "weak")["served"]
        expect(found["product_states"] == states, f"queue-lock.m {symmetry}: {found}, not {states}")
        for fairness in ("weak", "strong"):
            found = answer(binary, models / "barrier.m", "--symmetry", symmetry, "-D", "SENSE=false", "--fairness", fairness)
            expect(verdict(found, "passed") == "violated", f"barrier.m without sense, {symmetry} {fairness}: {found}")


def check_ends(binary):
    """A run that ends repeats its last state, or does not count; the answer says which."""
    for options, done, words in ((["--finite-runs", "repeat"], "violated", "repeat"),
                                 (["--finite-runs", "drop"], "holds", "do not count")):
        for engine in ("explicit", "symbolic"):
            results = answer(binary, FOLDER / "models/ends.m", "--engine", engine, *options)
            expect(verdict(results, "done") == done, f"ends.m {engine} {options}: {results}")
            expect(words in results["rest"]["reason"], f"ends.m {engine} {options} says how runs that end are taken: {results['rest']}")


def check_vacuity(binary):
    """Where no run is fair every formula holds, and the answer warns."""
    for fair, is_vacuous in (("fair false", True), ("fair true", False)):
        for engine in ("explicit", "symbolic"):
            done = run(binary, "check", FOLDER / "models/semaphore.m", "--deadlock", "off", "--keep-going", "--property", fair,
                       "--property", 'ltl "nothing" G true', "--engine", engine)
            expect(('ltl "nothing" is vacuous' in done.stdout) == is_vacuous, f"{engine} {fair}: {done.stdout[-600:]}")


def check_lasso(binary):
    """The cycle is one of states, not of orbits, and each process that may move has moved in it."""
    for way in WAYS:
        results = answer(binary, FOLDER / "models/semaphore.m", "--fairness", "weak", *way)
        trace = results["live"]["trace"]
        first = re.search(r"steps (\d+) to (\d+) repeat", results["live"]["reason"])
        expect(first and int(first[2]) == len(trace) - 1, f"{way}: the reason names the cycle: {results['live']['reason']}")
        expect(first and trace[int(first[1]) - 1]["state"] == trace[-1]["state"], f"{way}: the cycle is closed")
        expect("weak fairness of Proc" in results["live"]["reason"], f"{way}: the reason names the fairness")
        short = answer(binary, FOLDER / "models/ordered.m", *way)["sorted"]
        expect(len(short["trace"]) == 2 and "whatever follows" in short["reason"], f"{way}: a shortest finite run: {short}")


def check_symmetry(binary):
    """The symbolic engine says where it does without symmetry, and why."""
    model = FOLDER / "models/semaphore.m"
    for options, words in ((["--fairness", "weak"], "fairness is about single processes"),
                           (["--property", 'ltl "all" F forall p: Proc do G at[p] = Idle end'], "stays inside the formula")):
        done = run(binary, "check", model, "--engine", "symbolic", "--method", "dynamic", *options)
        expect("given up  symmetry for " in done.stdout and words in done.stdout, f"{options}: {done.stdout}{done.stderr}")
    done = run(binary, "check", model, "--engine", "symbolic", "--method", "dynamic", "-v", "--property", "fair exists p: Proc do at[p] = Crit end")
    expect("given up" not in done.stdout and "ltl" in done.stdout, f"a fair condition: {done.stdout}{done.stderr}")


COUNTERS = (("--engine", "counter"), ("--engine", "symbolic", "--method", "generic"))


ENDS = """
type P: scalarset(100);
var done: array [P] of boolean;
startstate begin for p: P do done[p] := false end end;
ruleset p: P do rule !done[p] ==> begin done[p] := true end end;
ltl "all" F forall p: P do done[p] end;
ltl "some" G exists p: P do !done[p] end;
"""


def check_counted_ends(binary, way):
    """All runs end: they repeat their last state, or none is left."""
    with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
        file.write(ENDS)
        file.flush()
        for choice, some in (("repeat", "violated"), ("drop", "holds")):
            results = answer(binary, file.name, *way, "--finite-runs", choice)
            expect((verdict(results, "all"), verdict(results, "some")) == ("holds", some), f"{way} {choice}: {results}")


def check_counters(binary):
    """On counters: formulas of no process, of tracked processes, fair conditions; runs are runs of the processes."""
    model = FOLDER / "models/semaphore.m"
    rows = [line.split("\t") for line in (FOLDER / "table.tsv").read_text().splitlines() if line.startswith("semaphore")]
    fair = "fair (exists p: Proc do at[p] = Want end) => exists p: Proc do at[p] = Crit end"
    for way in (*COUNTERS, ()):
        results = answer(binary, model, "-D", "N=200", *way)
        for row in rows:
            expect(verdict(results, row[1]) == row[2], f"{way} {row[1]} of 200 processes: {results.get(row[1], results)}")
        live = results["live"]
        first = re.search(r"\(p: Proc_\d+\): steps (\d+) to (\d+) repeat", live["reason"])
        expect(first and live["trace"][int(first[1]) - 1]["state"] == live["trace"][-1]["state"], f"{way}: the cycle is closed: {live['reason']}")
        results = answer(binary, model, "-D", "N=100", *way, "--property", fair, "--property", 'ltl "never" F G forall p: Proc do at[p] = Idle end')
        expect("infinitely often exists p: Proc" in results["some"]["reason"], f"{way}: the condition as it was written: {results['some']}")
        expect(verdict(results, "never") == "violated" and results["never"]["trace"], f"{way}: {results['never']}")
        check_counted_ends(binary, way)
    done = run(binary, "check", model, "-D", "N=200", "--deadlock", "off", "-v")
    expect("engine counter" in done.stdout, f"the plan takes counters: {done.stdout[:600]}")
    done = run(binary, "check", model, "-D", "N=80", "--deadlock", "off", "--fairness", "weak", "--dump", "plan")
    expect("engine explicit" in done.stdout, f"and the explicit engine for fairness of processes: {done.stdout[:600]}")


def check_large_counters(binary):
    """Too many states of counters to be stored: after a trial, symbolically; the same verdicts as of few processes."""
    model = FOLDER / "models/rounds.m"
    wanted = {"again": "holds", "once": "holds", "each": "violated"}
    for size in (3, 64):
        results = answer(binary, model, "-D", f"N={size}")
        expect({name: verdict(results, name) for name in wanted} == wanted, f"{size} processes: {results}")
        expect(results["each"]["trace"] and "repeat for ever" in results["each"]["reason"], f"{size} processes: {results['each']}")
    done = run(binary, "check", model, "--deadlock", "off", "-v")
    expect("after a trial with 300000 states, symbolic" in done.stdout, f"the plan: {done.stdout[:600]}")
    done = run(binary, "check", model, "--dump", "plan", "--states", "1000")
    expect("symbolic" not in done.stdout, f"a limit of the user is no trial: {done.stdout}")


def check_limits(binary):
    """Limits end the fixpoints, with the reason; a limit is no verdict."""
    for seconds in ("0.01", "0.05", "0.2"):
        done = run(binary, "check", FOLDER / "models/semaphore.m", "-D", "N=60", "--deadlock", "off", "--keep-going", "--fairness", "strong",
                   "--json", "-", "--time", seconds, *SYMBOLIC)
        results = {entry["name"]: entry for entry in json.loads(done.stdout)["results"] if entry["kind"] == "ltl"}
        wrong = [entry for entry in results.values() if entry["verdict"] != "holds" and "time" not in str(entry["reason"])]
        expect(not wrong, f"--time {seconds}: {wrong}")


def check_report(binary):
    """Text and page show the run, the cycle and the formula; a trace file replays."""
    model = FOLDER / "models/semaphore.m"
    with tempfile.TemporaryDirectory() as folder:
        page, trace = pathlib.Path(folder) / "page.html", pathlib.Path(folder) / "trace.json"
        done = run(binary, "check", model, "--report", page, "--trace", trace)
        expect("and so on for ever" in done.stdout, f"the text shows the cycle: {done.stdout}{done.stderr}")
        expect("leads" in page.read_text() or "F " in page.read_text(), "the page shows the formula")
        expect(run(binary, "replay", model, trace).returncode == 0, "the trace replays")
        done = run(binary, "explain", model, trace)
        expect(done.returncode in (0, 1) and "live" in done.stdout, f"explain: {done.stdout}{done.stderr}")


def check_story(binary):
    """What fails, by which step each process is treated fairly, and the automaton beside the run: text, JSON, page."""
    model = FOLDER / "models/semaphore.m"
    entry = answer(binary, model, "--fairness", "weak")["live"]
    steps, trace = {event["values"]: event for event in entry["fairness"]}, entry["trace"]
    expect(entry["fails"] == "at[p] = Crit is false for ever from step 1 on (p: Proc_1)", f"what fails: {entry['fails']}")
    expect(len(steps) == 3 and all(event["requirement"] == "weak fairness of Proc" for event in steps.values()), f"{steps}")
    for values, event in steps.items():
        process = values.removeprefix("process: ")
        own = [parameter["value"] for parameter in trace[event["step"]]["parameters"]]
        expect(event["step"] > entry["loop"], f"a step of the cycle: {event}")
        is_own = event["how"] == "moves" and own == [process]
        expect(event["how"] == "disabled" or (is_own and process != "Proc_1"), f"{event}")
    expect(sum(event["how"] == "moves" for event in steps.values()) == 1 and len(trace) == 8, f"one moves: {steps}")
    run_states = entry["automaton"]["run"]
    expect(len(run_states) == len(trace) and run_states[entry["loop"]] == run_states[-1], f"a cycle of both: {run_states}")
    expect(run_states[0] == 0 and len(entry["automaton"]["states"]) == 2, f"the automaton: {entry['automaton']}")
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        text = run(binary, "check", model, "--fairness", "weak", "-v", "--report", page).stdout
        for words in ("what fails: at[p] = Crit is false for ever", "[automaton: state 1]",
                      "weak fairness of Proc (process: Proc_1): cannot move after step"):
            expect(words in text, f"{words}: {text}")
        expect('"how":"moves"' in page.read_text().replace(" ", ""), "the page has the steps that are fair")
    condition = "fair exists p: Proc do at[p] = Crit end"
    entry = answer(binary, model, "--property", condition)["live"]
    states = {event["how"] for event in entry["fairness"]}
    expect(states == {"true"}, f"a condition: {entry['fairness']}")


def check_claims(binary):
    """A run that is not fair, or does not violate the formula that it is said to violate, does not replay."""
    model = FOLDER / "models/independent.m"
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        run(binary, "check", model, "--trace", trace)
        claim = json.loads(trace.read_text())
        expect(claim["result"]["name"] == "each", f"the first violation: {claim['result']}")
        expect(run(binary, "replay", model, trace).returncode == 0, "without fairness it is a counterexample")
        done = run(binary, "replay", model, trace, "--fairness", "weak")
        expect(done.returncode != 0 and "not fair" in done.stdout + done.stderr, f"unfair: {done.stdout}{done.stderr}")
        trace.write_text(json.dumps(claim | {"options": claim["options"] | {"property": "fairness weak;"}}))
        for command in ("replay", "explain"):
            done = run(binary, command, model, trace)
            expect(done.returncode == 1 and "not fair" in done.stdout + done.stderr,
                   f"{command} with the fairness of the trace file: {done.stdout}{done.stderr}")
        claim["result"] |= {"name": "one", "id": claim["result"]["id"] + 1}
        trace.write_text(json.dumps(claim))
        done = run(binary, "replay", model, trace)
        expect(done.returncode != 0, f"another formula: {done.stdout}{done.stderr}")


def check_recorded(binary):
    """A formula of the command line is read from the trace file, unless the command line has another."""
    model = FOLDER / "models/independent.m"
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        run(binary, "check", model, "--fairness", "weak", "--property", 'ltl "asked" X X X false', "--trace", trace)
        claim = json.loads(trace.read_text())["result"]
        claim["id"], claim["name"] = claim["id"] + 1, "asked"  # "zero" is the first that is violated
        trace.write_text(json.dumps(json.loads(trace.read_text()) | {"result": claim}))
        done = run(binary, "replay", model, trace)
        expect(done.returncode == 0 and "asked" in done.stdout, f"of the trace file: {done.stdout}{done.stderr}")
        device = pathlib.Path(folder) / "device.json"
        device.write_text(json.dumps(json.loads(trace.read_text()) | {"properties": "/dev/zero"}))
        expect(run(binary, "replay", model, device).returncode == 0, "a device is no file of properties")
        done = run(binary, "replay", model, trace, "--property", 'ltl "asked" X X X true')
        expect(done.returncode == 1, f"of the command line: {done.stdout}{done.stderr}")


def check_early(binary):
    """A violation is found before all states are known, also where a limit ends the search."""
    model = FOLDER / "models/large.m"
    done = run(binary, "check", model, "--symmetry", "off", "--deadlock", "off", "--json", "-")
    results = json.loads(done.stdout)
    states = results["statistics"]["states"]
    expect(done.returncode == 1 and states < 100000, f"a violation in the first states: {states}")
    expect(any(entry["reason"] == "the search stopped at the first violation" for entry in results["results"]),
           f"why other properties are not decided: {results['results']}")
    for limit in (["--states", "3000"], ["--memory", "6M"]):
        for fairness in ([], ["--fairness", "weak"]):
            results = answer(binary, model, "--symmetry", "off", *limit, *fairness)
            expect(verdict(results, "mutex") == "unknown", f"mutex is not decided {limit}: {results}")
            expect(verdict(results, "early") == "violated", f"a finite run {limit} {fairness}: {results}")
            expect(fairness or verdict(results, "live") == "violated", f"a cycle {limit} {fairness}: {results}")
    results = answer(binary, model, "--states", "16384", "--fairness", "weak")
    expect(verdict(results, "live") == "violated", f"a fair cycle: {results}")
    expect(len(results["live"]["trace"]) == 17, f"a short one: {results['live']['reason']}")
    results = answer(binary, model, "--states", "3000", "--fairness", "strong")
    expect(verdict(results, "live") == "unknown", f"no fair cycle: {results}")


# model, formula, fairness or options, verdict
FAIR_CTL = [
    ("semaphore", "AG forall p: Proc do at[p] = Want -> AF at[p] = Crit end", [], "violated"),
    ("semaphore", "AG forall p: Proc do at[p] = Want -> AF at[p] = Crit end", ["--fairness", "weak"], "violated"),
    ("semaphore", "AG forall p: Proc do at[p] = Want -> AF at[p] = Crit end", ["--fairness", "strong"], "holds"),
    ("semaphore", "EF exists p: Proc do at[p] = Want & EG at[p] = Want end", ["--fairness", "weak"], "holds"),
    ("semaphore", "EF exists p: Proc do at[p] = Want & EG at[p] = Want end", ["--fairness", "strong"], "violated"),
    ("semaphore", "exists p: Proc do E[at[p] = Idle U EG at[p] = Want] end", ["--fairness", "strong"], "violated"),
    ("semaphore", "AG !(AX false)", ["--fairness", "strong"], "holds"),
    ("semaphore", "forall p: Proc do A[at[p] != Crit U at[p] = Crit] end", [], "violated"),
    ("semaphore", "forall p: Proc do A[at[p] != Crit U at[p] = Crit] end",
     ["--property", "ruleset p: Proc do fair at[p] = Crit end;"], "holds"),
    ("semaphore", "forall p: Proc do A[at[p] != Crit U at[p] = Crit] end",
     ["--property", "ruleset p: Proc do fair at[p] = Want => at[p] = Crit end;"], "violated"),
    ("semaphore", "AG EF forall p: Proc do at[p] = Idle end", ["--property", "fair forall p: Proc do at[p] = Want end"],
     "holds"),
    ("semaphore", "EX true", ["--property", "fair false"], "violated"),
    ("semaphore", "AG false", ["--property", "fair false"], "holds"),
    ("ends", "AF n = 2", ["--property", "fair true"], "violated"),
    ("ends", "AF n = 2", ["--property", "fair true", "--finite-runs", "drop"], "holds"),
    ("ends", "EF n = 1", ["--property", "fair true", "--finite-runs", "drop"], "violated"),
    ("ends", "EF n = 1", ["--property", "fair n != 1"], "violated"),
    ("ends", "EF (n = 1 & EX true)", ["--property", "fair true"], "violated"),
    ("ends", "EF (n = 1 & AX false)", ["--property", "fair true"], "holds"),
    ("ends", "AG (n = 1 -> EP n = 0)", ["--property", "fair n != 1"], "holds"),
]


def check_fair_ctl(binary):
    """Formulas of branching time are about fair paths; the answer says of which runs, and shows one that is fair."""
    for model, formula, options, wanted in FAIR_CTL:
        for symmetry in ("auto", "off"):
            results = answer(binary, FOLDER / f"models/{model}.m", "--property", f'ctl "f" {formula}', "--symmetry", symmetry,
                             "--witness", *options)
            expect(verdict(results, "f") == wanted, f"{model} {formula} {options} {symmetry}: {results.get('f', results)}")
    model = FOLDER / "models/semaphore.m"
    live = 'ctl "f" AG forall p: Proc do at[p] = Want -> AF at[p] = Crit end'
    entry = answer(binary, model, "--property", live, "--fairness", "weak")["f"]
    expect("the run has weak fairness of Proc" in entry["reason"] and entry["loop"] is not None, f"a fair run: {entry}")
    entry = answer(binary, model, "--property", live, "--fairness", "strong")["f"]
    expect(entry["reason"] == "on runs with strong fairness of Proc", f"the answer says what it is about: {entry}")
    entry = answer(binary, model, "--property", 'ctl "f" EF exists p: Proc do at[p] = Want end', "--witness", "--property",
                   "fair forall p: Proc do at[p] = Crit | at[p] = Idle end")["f"]
    expect(entry["loop"] is not None, f"a witness goes on fairly: {entry}")


def check_fair_ctl_claims(binary):
    """A cycle that is not fair shows nothing of a formula with fairness; nor does a run that ends, where none count."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        text = pathlib.Path(folder) / "model.m"
        text.write_text("type P: scalarset(2); var x: array [P] of 0..1; startstate begin for p: P do x[p] := 0 end end; "
                        "ruleset p: P do rule begin x[p] := 1 - x[p] end end; "
                        'ctl "all" forall p: P do AF x[p] = 1 end;')
        run(binary, "check", text, "--trace", trace)
        expect(run(binary, "replay", text, trace).returncode == 0, "without fairness it replays")
        for command in ("replay", "explain"):
            done = run(binary, command, text, trace, "--fairness", "weak")
            expect(done.returncode == 1 and "not fair" in done.stdout + done.stderr, f"unfair: {done.stdout}{done.stderr}")
        done = run(binary, "check", text, "--fairness", "weak", "--engine", "symbolic")
        expect("with fairness are decided by the explicit engine" in done.stdout + done.stderr, f"symbolic: {done.stdout}")
        done = run(binary, "check", text, "--fairness", "weak", "--engine", "counter")
        expect("with fairness are not translated" in done.stdout + done.stderr, f"counter: {done.stdout}{done.stderr}")
        expect(run(binary, "check", text, "--fairness", "weak").returncode == 0, "with fairness it holds")
        run(binary, "check", FOLDER / "models/ends.m", "--deadlock", "off", "--trace", trace)
        claim = json.loads(trace.read_text())
        expect(run(binary, "replay", FOLDER / "models/ends.m", trace).returncode == 0, "a run that ends replays")
        trace.write_text(json.dumps(claim | {"options": claim["options"] | {"finite-runs": "drop"}}))
        for command in ("replay", "explain"):
            done = run(binary, command, FOLDER / "models/ends.m", trace)
            expect(done.returncode == 1 and "does not count" in done.stdout + done.stderr,
                   f"{command}: runs that end do not count: {done.stdout}{done.stderr}")


# options, exit status, what is said
REFUSED = [
    (["--engine", "adaptive"], "LTL properties"),
    (["--engine", "complete"], "LTL properties"),
    (["--engine", "counter", "--fairness", "weak"], "fairness of processes or rules cannot be written with counters"),
    (["--engine", "counter", "--fairness", 'strong "enter"'], "fairness of processes or rules cannot be written with counters"),
    (["--engine", "symbolic", "--method", "generic", "--property", "ruleset p: Proc do fair at[p] != Crit end"],
     "a fair condition with parameters cannot be written with counters"),
    (["--engine", "counter", "--property", 'ltl "each" F exists p: Proc do G at[p] = Idle end'],
     "a quantifier around temporal operators cannot be written with counters"),
    (["--fairness", "weak Loc"], 'no rule has a parameter of type "Loc"'),
    (["--fairness", 'weak "nothing"'], 'there is no rule "nothing"'),
    (["--fairness", 'weak "nothing"'], "--fairness:1:1: error"),
    (["--fairness", 'weak "ente"'], 'did you mean "enter"?'),
    (["--fairness", "sometimes"], '--fairness takes weak or strong'),
    (["--fairness", "weka"], 'did you mean "weak"?'),
    (["--fair"], "--fair is for PRISM models: Murphi and Promela models have --fairness"),
]


def check_refusals(binary):
    for options, words in REFUSED:
        done = run(binary, "check", FOLDER / "models/semaphore.m", *options)
        expect(done.returncode != 0 and words in done.stdout + done.stderr,
               f"{options}: status {done.returncode}: {done.stdout}{done.stderr}")
    wide = "G F " + " & G F ".join(f"(exists p: Proc do exists q: Proc do X at[p] = Crit & X X at[q] = Want end end)"
                                   for _ in range(3))
    results = answer(binary, FOLDER / "models/semaphore.m", "--property", f'ltl "wide" {wide}')
    expect(verdict(results, "wide") in ("holds", "violated", "unknown"), f"a wide formula: {results}")
    many = " & ".join(f"F G X X (x = {i} W y = {i})" for i in range(14))
    text = f"var x, y: 0..20; startstate begin x := 0; y := 0 end; rule begin x := y end; ltl \"many\" !({many});"
    with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
        file.write(text)
        file.flush()
        entry = answer(binary, file.name, "--time", "20").get("many", {})
        expect(entry.get("verdict") in ("holds", "violated") or "more than" in str(entry.get("reason")) or
               "time" in str(entry.get("reason")), f"a formula with a large automaton: {entry}")


FAULTS = """
var x: 0..1; y: 0..1;
startstate begin x := 0; undefine y end;
rule x = 0 ==> begin x := 1; y := 1 end;
ltl "matters" G y = 1;
ltl "guarded" G (isundefined(y) | y = 1);
ltl "later" F (x = 1 & y = 1);
ltl "either" x = 0 | G y = 1;
"""


def check_faults(binary):
    """A condition that cannot be evaluated matters, or it does not."""
    with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
        file.write(FAULTS)
        file.flush()
        for way in ((), SYMBOLIC):
            check_fault_verdicts(answer(binary, file.name, *way), way)


def check_fault_verdicts(results, way):
    for name, wanted in (("matters", "violated"), ("guarded", "holds"), ("later", "holds"), ("either", "holds")):
        expect(verdict(results, name) == wanted, f"faults {way}, {name}: {results.get(name)}")
    expect("undefined" in results["matters"]["reason"], f"the failure is the reason {way}: {results['matters']}")


FAIR_FAULTS = """
var x: 0..2; y: 0..1;
startstate begin x := 0; undefine y end;
rule x < 2 ==> begin x := x + 1 end;
rule x = 2 ==> begin x := 0 end;
rule x = 2 ==> begin x := 0; y := 1 end;
fair y = 1;
ltl "safe" G x <= 2;
ltl "unsafe" G x <= 1;
ltl "often" G F x = 0;
ltl "defined" F G isundefined(y);
ltl "depends" F !isundefined(y);
ctl "branching" AG x <= 2;
"""


def check_fair_faults(binary):
    """A fairness condition that cannot be evaluated matters where it decides which runs are fair."""
    with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
        file.write(FAIR_FAULTS)
        file.flush()
        results = answer(binary, file.name)
        for name, wanted in (("safe", "holds"), ("unsafe", "violated"), ("often", "holds"), ("defined", "violated"),
                             ("depends", "unknown"), ("branching", "unknown")):
            expect(verdict(results, name) == wanted, f"fair faults, {name}: {results.get(name)}")
        expect("cannot be evaluated" in results["depends"]["reason"], f"why: {results['depends']}")


def check_hints(binary):
    """The older words of liveness are told the formula that says more."""
    with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
        file.write("var x: boolean; startstate begin x := false end; rule begin x := !x end; liveness always eventually x;")
        file.flush()
        done = run(binary, "check", file.name)
        expect("ltl G F (...)" in done.stdout, f"ALWAYS EVENTUALLY: {done.stdout}{done.stderr}")
        expect(verdict(answer(binary, file.name, "--property", 'ltl "often" G F x'), "often") == "holds", "as the hint says")


def main():
    binary = sys.argv[1]
    for check in (check_table, check_product, check_ends, check_story, check_vacuity, check_lasso, check_symmetry, check_counters,
                  check_large_counters, check_limits, check_report, check_claims, check_recorded, check_refusals, check_faults,
                  check_fair_faults, check_hints, check_fair_ctl, check_fair_ctl_claims, check_early):
        check(binary)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
