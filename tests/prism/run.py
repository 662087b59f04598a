#!/usr/bin/env python3
"""Checks PRISM models against the //RESULT: comments of their properties.

    tests/prism/run.py NOETHER

The models are those here and the examples with a .props file of their name. A result is a fraction, a decimal number,
true, false, Infinity or Error (there is none); the interval Noether gives must contain it, up to the rounding of the
number, and be narrow. With --exact the value must be that fraction, and lie in the interval. Runs of schedulers must be what
they say. A first line "// OPTIONS: ..." of the properties gives options."""
import fractions
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDING = 1e-12
WIDTH = 1.0001e-6
ABSOLUTE = 1e-12
NO_EXACT_VALUE = ("there is no exact value", "in exact arithmetic")


def expectations(path):
    return re.findall(r"^// ?RESULT: *(\S+)", path.read_text(), re.M)


def options(path):
    return re.findall(r"^// OPTIONS: *(.*)", path.read_text(), re.M)[:1]


def pareto_problem(result, expected):
    """The corners of a Pareto curve, in any order: intervals contain them, fractions are the same."""
    wanted = {tuple(map(fractions.Fraction, pair.split(","))) for pair in re.findall(r"\(([^)]*)\)", expected)}
    found = result.get("pareto", [])
    slack = fractions.Fraction(ROUNDING)
    if found and "exact" in found[0][0]:
        points = {tuple(fractions.Fraction(value["exact"]) for value in point) for point in found}
        return "" if points == wanted else f"{points}, not {wanted}"
    missing = [p for p in wanted if not any(
        all(fractions.Fraction(v["lower"]) - slack <= x <= fractions.Fraction(v["upper"]) + slack for x, v in zip(p, point))
        for point in found)]
    return f"{missing} not in {found}" if missing or len(found) != len(wanted) else ""


def problem(result, expected):
    if expected.startswith("[("):
        return pareto_problem(result, expected)
    if expected == "NaN":
        return "" if result["verdict"] == "violated" and "value" not in result else f"{result['verdict']}, not NaN"
    if expected == "Error":
        return "" if result["verdict"] == "unknown" else f"{result['verdict']}, not refused"
    if expected in ("true", "false"):
        wanted = "holds" if expected == "true" else "violated"
        return "" if result["verdict"] == wanted else f"{result['verdict']} ({result['reason']}), not {expected}"
    if "value" not in result:
        return f"{result['verdict']} ({result['reason']}), not {expected}"
    lower, upper = float(result["value"]["lower"]), float(result["value"]["upper"])
    if expected == "Infinity":
        return "" if lower == upper == math.inf else f"{lower}..{upper}, not infinite"
    if expected.startswith("["):
        ends = [float(end) for end in expected[1:-1].split(",")]
        return "" if math.isclose(lower, ends[0]) and math.isclose(upper, ends[1]) else f"{lower}..{upper}, not {expected}"
    value = fractions.Fraction(expected)
    slack = abs(value) * fractions.Fraction(ROUNDING)
    if not fractions.Fraction(lower) - slack <= value <= fractions.Fraction(upper) + slack:
        return f"{lower}..{upper} does not contain {expected}"
    is_narrow = upper - lower <= WIDTH * abs(upper) or (result["name"].startswith("multi") and upper - lower <= ABSOLUTE)
    return "" if is_narrow else f"{lower}..{upper} is too wide"


def exact_problem(result, near, expected):
    """A fraction must be the value; a decimal number is only near it."""
    if result["verdict"] == "unknown" and any(text in (result["reason"] or "") for text in NO_EXACT_VALUE):
        return ""
    if expected in ("true", "false", "NaN") or "value" not in result or near["verdict"] == "unknown":
        return problem(result, expected)
    exact = result["value"]["exact"]
    if exact == "infinity":
        return "" if expected == "Infinity" else f"exactly infinite, not {expected}"
    lower, upper = (near["value"][end] for end in ("lower", "upper"))
    slack = abs(fractions.Fraction(exact)) * fractions.Fraction(ROUNDING)
    if not fractions.Fraction(lower) - slack <= fractions.Fraction(exact) <= fractions.Fraction(upper) + slack:
        return f"the exact value {exact} is not in {lower}..{upper}"
    is_decimal = "." in expected and len(expected) > 10
    return "" if is_decimal or fractions.Fraction(exact) == fractions.Fraction(expected) else f"{exact}, not {expected}"


def evidence_problem(result):
    """Bounds come nearer and end at the value; the chances of a run multiply to its own."""
    series = result.get("convergence", [])
    if series and not math.isclose(series[-1]["lower"] or math.inf, result["interval"][0] or math.inf, rel_tol=1e-12):
        return f"convergence ends at {series[-1]}, not {result['interval']}"
    if any(b["iteration"] < a["iteration"] for a, b in zip(series, series[1:])):
        return "the iterations of the convergence do not grow"
    run = result.get("scheduler_path")
    product = math.prod(s["chance"] for s in run["steps"]) if run else 0
    if run and not run["is_cut"] and not math.isclose(product, run["chance"], rel_tol=1e-7):  # they have nine digits
        return "the chances of the run do not multiply to that of the whole"
    return ""


def answer(binary, model, *more):
    properties = model.with_suffix(".props")
    words = " ".join(options(properties)).split()
    run = subprocess.run([binary, "check", str(model), str(properties), "--json", "-", *words, *more],
                         capture_output=True, text=True)
    if run.returncode == 2 or not run.stdout:
        return None, run.stderr.strip()
    return [r for r in json.loads(run.stdout)["results"] if r["kind"] == "quantity"], run.returncode


def check(binary, model):
    expected = expectations(model.with_suffix(".props"))
    results, error = answer(binary, model)
    is_symbolic = "--engine symbolic" in " ".join(options(model.with_suffix(".props"))) # which has no exact values
    exact = results if is_symbolic else answer(binary, model, "--exact")[0]
    if not results or not exact:
        return [f"{model.name}: {error}"], 0
    if len(results) != len(expected):
        return [f"{model.name}: {len(results)} results for {len(expected)} expectations"], 0
    found = []
    for result, precise, wanted in zip(results, exact, expected):
        why = problem(result, wanted) or (not is_symbolic and exact_problem(precise, result, wanted)) or evidence_problem(result)
        if not why and result.get("agreement") != "agrees":
            why = f"the expected {wanted} {result.get('agreement')}"
        if why:
            found.append(f"{model.name}:{result['line']}: {why}")
    results, code = answer(binary, model, "--results")
    if code != 0 and not found:
        found.append(f"{model.name}: --results ends with {code}")
    return found, len(expected) - len(found)


# Properties of robot.prism that one run can violate: how long the shortest is, and where it ends.
RUNS = [("P>=1 [ F at=N ]", 1, -1), ("P<=0 [ F at=-1 ]", 1, -1), ("A [ G at<3 ]", 2, 3), ("filter(forall, at<2)", 1, 2),
        ("P>=1 [ G at>=0 ]", 1, -1), ("P<=0 [ G at>=0 ]", 0, 0), ("P>=1 [ F at>=0 ] & A [ G at!=3 ]", 2, 3),
        ("P>=1 [ at<2 U at=2 ]", 0, 0), ("P<=0 [ at!=2 U at=4 ]", 3, 4)]


# Runs of what is false, and (with --witness) of what is true: where they pass, after which step they go round for ever.
PLACES = [("A [ F at=N ]", "violated", None, True), ("A [ X at=1 ]", "violated", [0, 0], False),
          ("A [ at<2 U at=3 ]", "violated", None, False), ("A [ at<4 W at=-1 ]", "violated", None, False),
          ("A [ at=2 R at<3 ]", "violated", None, False), ("! E [ F at=4 ]", "violated", None, False),
          ("E [ F at=3 ]", "holds", [0, 1, 3], False), ("E [ G at>=0 ]", "holds", None, True),
          ("E [ X at=2 ]", "holds", [0, 2], False), ("E [ at<2 U at=2 ]", "holds", [0, 2], False),
          ("E [ at<2 W at=9 ]", "holds", None, True), ("E [ at=9 R at<2 ]", "holds", None, True),
          ("Pmax>0 [ F at=3 ]", "holds", [0, 1, 3], False), ("P<=0 [ F<=3 at=3 ]", "violated", [0, 1, 3], False),
          ("P>=1 [ X at=1 ]", "violated", [0, 0], False), ("at=5 | E [ F at=2 ]", "holds", [0, 2], False),
          ("filter(exists, at=3)", "holds", [0, 1, 3], False), ("P<=0 [ G at>=0 ]", "violated", None, True)]


def check_runs(binary):
    """Runs that show why something is true or false; some that go on for ever."""
    model = ROOT / "tests/prism/robot.prism"
    found = []

    def ask(formula, *more):
        run = subprocess.run([binary, "check", str(model), "--property", formula, "--json", "-", *more],
                             capture_output=True, text=True)
        return json.loads(run.stdout)["results"][-1]

    for formula, steps, end in RUNS:
        result = ask(formula)
        places = [step["state"]["at"] for step in result["trace"] or []]
        if len(places) <= steps or places[steps] != end:
            found.append(f"{formula}: the run is {places} ({result['verdict']}, {result['reason']})")
    for formula, verdict, places, loops in PLACES:
        result = ask(formula, "--witness")
        seen = [step["state"]["at"] for step in result["trace"] or []]
        if result["verdict"] != verdict or not seen or (places and seen != places) or loops != ("loop" in result):
            found.append(f"{formula}: {result['verdict']}, the run is {seen}, going round from {result.get('loop')}")
    return found


NUMBERS = [("dice", "P>0.2 [ F d=6 ]", "it is 0.166667"), ("dice", 'R{"flips"}<=3 [ F s=7 ]', "it is 3.66667"),
           ("robot", "P>=0.99 [ F<=2 at=1 ]", "the least value is 0"), ("dice", "P>0.2 [ F d=6 ] & s=0", "an initial state does not satisfy it"),
           ("dice", "P>0.2 [ F d=6 ]", "it is 1/6 (0.166667)", "--exact"), ("dice", 'R{"flips"}<=3 [ F s=7 ]', "it is 11/3 (3.66667)", "--exact")]


def check_numbers(binary):
    """Of a bound that is violated, what the number is."""
    found = []
    for model, formula, wanted, *more in NUMBERS:
        run = subprocess.run([binary, "check", str(ROOT / f"tests/prism/{model}.prism"), "--property", formula, "--json", "-",
                              *more], capture_output=True, text=True)
        result = json.loads(run.stdout)["results"][-1]
        if result["verdict"] != "violated" or result["reason"] != wanted:
            found.append(f"{formula}: {result['verdict']}, {result['reason']}, not {wanted}")
    return found


def check_certain(binary):
    """What the graph decides is a number, and no interval: of a complement, too."""
    found = []
    for formula, wanted in (("P=? [ G s<7 ]", 0), ("P=? [ G s<=7 ]", 1)):
        run = subprocess.run([binary, "check", str(ROOT / "tests/prism/dice.prism"), "--property", formula, "--json", "-"],
                             capture_output=True, text=True)
        value = json.loads(run.stdout)["results"][-1]["value"]
        if not float(value["lower"]) == float(value["upper"]) == wanted:
            found.append(f"{formula}: {value}, not {wanted}")
    return found


INFINITE = """dtmc
module m
  s : [0..2] init 0;
  [] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);
endmodule
rewards true : 1; endrewards
"""


def check_printed(binary):
    """An infinite value of a state is printed as such, and `print` leaves out only those that are 0."""
    found = []
    for kind, wanted in (("print", {0: "infinity", 2: "infinity"}), ("printall", {0: "infinity", 1: "0", 2: "infinity"})):
        for more in ([], ["--exact"]):
            answer = answer_within(binary, INFINITE, f"filter({kind}, R=? [ F s=1 ])", 10, *more)
            for which in ("lower", "upper", "exact")[:2 + len(more)]:
                seen = {each["state"]["s"]: each[which] for each in answer["results"][-1].get("states", [])}
                if seen != wanted:
                    found.append(f"filter({kind}) {more}: {which} {seen}, not {wanted}")
    return found


def check_scheduler(binary):
    """What the best scheduler of the robot does where it can come to, and the likeliest run under it."""
    wanted = {"Pmin=? [ F at=N ]": ({0: "bold", 2: "bold", -1: "stay"}, [0, 2, 4], 0.5625),
              "Pmax=? [ F at=N ]": ({0: "careful", 1: "careful", 2: "careful", 3: "careful"}, [0, 1, 2, 3, 4], 0.0625)}
    found = []
    for formula, (choices, places, chance) in wanted.items():
        run = subprocess.run([binary, "check", str(ROOT / "tests/prism/robot.prism"), "--property", formula, "--witness",
                              "--json", "-"], capture_output=True, text=True)
        answer = json.loads(run.stdout)["results"][-1]
        scheduler, path = answer.get("scheduler", []), answer.get("scheduler_path", {"steps": [], "chance": None})
        if [step["state"]["at"] for step in path["steps"]] != places or path["chance"] != chance:
            found.append(f"{formula}: the likeliest run is {path}")
        if {item["state"]["at"]: item["action"] for item in scheduler} != choices:
            found.append(f"{formula}: the scheduler is {scheduler}")
    return found


WALK = """dtmc
module walk
  x : [0..20000] init 15000;
  [] x>0 & x<20000 -> 0.5:(x'=x-1) + 0.5:(x'=x+1);
  [] x=0 | x=20000 -> true;
endmodule
rewards x>0 & x<20000 : 1; endrewards
"""


# Two queues; what is earned is nearly all where both are full, which they hardly ever are.
FAR = """ctmc
module one
  x : [0..300] init 0;
  [] x<300 -> 1 : (x'=x+1);
  [] x>0 -> 1.02 : (x'=x-1);
endmodule
module two
  y : [0..300] init 0;
  [] y<300 -> 1 : (y'=y+1);
  [] y>0 -> 1.1 : (y'=y-1);
endmodule
rewards x=300 & y=300 : 1e18; true : 0.5; endrewards
"""


def share_full(rate):
    return (1 - 1 / rate) / rate**300 / (1 - 1 / rate**301)


# Exactly, a second or so: two ways to get on, one of which costs and the other of which may end it all.
COSTLY = """mdp
module walk
  x : [0..100] init 0;
  e : [0..3] init 0;
  [a] x<100 & e<3 -> 0.5+x/400 : (x'=x+1) + 0.5-x/400 : (x'=max(x-1,0)) & (e'=mod(e+1,3));
  [b] x<100 & e<3 -> 0.7 : (x'=x+1) + 0.2 : (x'=0) + 0.1-x/2000 : (e'=3) + x/2000 : true;
  [] x=100 | e=3 -> true;
endmodule
rewards [a] true : 1; endrewards
"""

# model, properties, values
SLOW = [(WALK, "P=? [ F x=20000 ]; P=? [ G x>0 ]; R=? [ F x=0 | x=20000 ]", (0.75, 0.75, 75000000)),
        (FAR, "R=? [ S ]", (0.5 + 1e18 * share_full(1.02) * share_full(1.1),)), (FAR, "S=? [ x=300 ]", (share_full(1.02),))]


def check_limits(binary):
    """A walk that takes 10^8 sweeps, and long runs: what is known when the time is up must be true."""
    found = []
    for text, asked, values in SLOW:
        found += wrong_at_limit(answer_within(binary, text, asked, 1), values)
    for seconds in (0.3, 0.6, 1.2):  # nothing is known before the second question
        document = answer_within(binary, COSTLY, "multi(Pmax=? [ F x=100 ], R<=30 [ C ])", seconds, "--exact")
        found += wrong_at_limit(document, (0.0664271992035187,)) if "value" in document["results"][-1] else []
    return found


def answer_within(binary, text, asked, seconds, *options):
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "slow.prism"
        model.write_text(text)
        run = subprocess.run([binary, "check", str(model), "--time", str(seconds), "--json", "-", "--property", asked, *options],
                             capture_output=True, text=True)
        return json.loads(run.stdout)


def wrong_at_limit(document, values):
    found = []
    results = document["results"][-len(values):] if document["complete"] else []  # else it was up before the states were known
    for result, wanted in zip(results, values):
        if "value" not in result or not float(result["value"]["lower"]) <= wanted <= float(result["value"]["upper"]):
            found.append(f"{result['name']}: {result.get('value')} when the time is up, not {wanted}")
        if result["verdict"] == "unknown" and not result["reason"].startswith("time limit"):
            found.append(f"{result['name']}: {result['reason']}")
    return found


# What goes wrong in a run: the body of a model, what is said, its line, and the steps to it.
BROKEN = [
    ("dtmc", "[] x=0 -> -0.5:(x'=1) + 1.5:(x'=2); [] x>0 -> true;", "a probability or rate is negative: -0.5", "negative", 0),
    ("dtmc", "[] x<2 -> (x'=x+1);  [] x=2 -> 0.5:(x'=0) + 0.4:(x'=1);", "the probabilities add up to 0.9", "probabilities", 2),
    ("dtmc", "[a] x<2 -> 0.5:(x'=x+1) + 0.1:(x'=0);  [] x=2 -> true; endmodule module n y:[0..1]; [a] true -> 0.5:(y'=0) + 0.5:(y'=1);",
     'the probabilities of module "m" add up to 0.6,', "probabilities", 0),
    ("mdp", "[a] x=0 -> (x'=1);  [] x>0 -> true; endmodule module n y:[0..9]; [a] true -> "
     + " + ".join(f"1/{n}:(y'={n % 10})" for n in [64] * 60) + "; endmodule module o=n[y=z] ", 'of module "n" add up to 0.9375,', "probabilities", 0),
    ("mdp", "[] x=0 -> (x'=1);  [] x=1 -> (x-1):(x'=2);  [] x=1 -> (x'=0);", "the probabilities add up to 0,", "probabilities", 1),
    ("dtmc", "[] x=0 -> 0:(x'=1) + 0:(x'=2);  [] x=0 -> (x'=1);", "the probabilities add up to 0,", "probabilities", 0),
    ("mdp", "[] x=0 -> (x'=1);  [] x>0 -> (x'=x+1);", "is 3, outside", "range", 2),
    ("ctmc", "[] x=0 -> 2:(x'=1);  [] x=1 -> (1/(x-1)):(x'=2);", "division by zero", "division", 1),
    ("ctmc", "[] x<2 -> (1-x):(x'=x+1);", "out of range in no run", None, None),
    ("dtmc", "[] x<2 -> (x'=x+1);  [] x=2 -> true;", "a reward is negative: -1", None, 2),
    ("dtmc", "[] x=0 -> 0:(x'=5) + 1:(x'=1);  [] x>0 -> true;", "what never happens may be wrong", None, None),
]


def check_broken(binary):
    """A run-time error is one finding, with a run that ends in it; nothing else is decided."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        model, trace = pathlib.Path(folder) / "broken.prism", pathlib.Path(folder) / "trace.json"
        for kind, body, wanted, fault, steps in BROKEN:
            rewards = "rewards x=2 : -1; endrewards" if "reward" in wanted else ""
            model.write_text(f"{kind}\nmodule m\n  x : [0..2] init 0;\n  {body}\nendmodule\n{rewards}\n")
            words = [binary, "check", str(model), "--property", "P>=1 [ F x>0 ]; P>=1 [ F x>=0 ]"]
            run = subprocess.run(words + ["--json", "-", "--trace", str(trace)], capture_output=True, text=True)
            results = json.loads(run.stdout)["results"]
            error = [r for r in results if r["kind"] == "runtime"][0]
            if steps is None:
                if error["verdict"] != "holds":
                    found.append(f"{wanted}: {error['verdict']} {error['reason']}")
                continue
            last = (error["trace"] or [{}])[-1]
            said = subprocess.run(words, capture_output=True, text=True).stdout
            why = [run.returncode != 1 and f"exit status {run.returncode}",
                   (error["verdict"] != "violated" or wanted not in error["reason"]) and str(error["reason"]),
                   len(error["trace"] or []) - 1 - bool(fault) != steps and f"the run is {error['trace']}",
                   fault and last.get("fault", {}).get("kind") != fault and f"it ends in {last}",
                   said.count(wanted) > 2 and "it is said again and again",
                   "^" not in said and "no line of the source",
                   any(r["verdict"] != "unknown" for r in results if r["kind"] == "quantity") and "something is decided",
                   subprocess.run([binary, "replay", str(model), str(trace)], capture_output=True).returncode and "no replay"]
            found += [f"{wanted}: {problem}" for problem in why if problem]
            run = subprocess.run(words + ["--engine", "symbolic", "--json", "-"], capture_output=True, text=True)
            if fault and any(r["verdict"] == "holds" for r in json.loads(run.stdout)["results"]):
                found.append(f"{wanted}: the symbolic engine says that something holds")
    return found


def check_names():
    """PRISM has the names of labels and properties in one space, and refuses what uses one twice."""
    found = []
    for model in (ROOT / "examples").glob("*.prism"):
        properties = model.with_suffix(".props")
        sources = model.read_text() + (properties.read_text() if properties.exists() else "")
        text = re.sub(r"//.*", "", sources)
        names = re.findall(r'\blabel\s+"([^"]*)"', text) + re.findall(r'"([^"]*)"\s*:', text)
        found += [f"{properties.name}: two labels or properties are \"{name}\"" for name in sorted(set(names)) if names.count(name) > 1]
    return found


def main():
    binary = sys.argv[1]
    models = sorted((ROOT / "tests/prism").glob("*.prism")) + sorted((ROOT / "examples").glob("*.prism"))
    problems = check_runs(binary) + check_numbers(binary) + check_scheduler(binary) + check_limits(binary)
    problems += check_broken(binary) + check_certain(binary) + check_printed(binary) + check_names()
    print("\n".join(problems), end="\n" if problems else "")
    passed, failed = len(RUNS + PLACES + NUMBERS + BROKEN) + 14 - len(problems), len(problems)
    for model in models:
        problems, good = check(binary, model)
        passed += good
        failed += len(problems)
        print("\n".join(problems), end="\n" if problems else "")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
