#!/usr/bin/env python3
"""Chances and rewards in sets of states: values that are known, with arrays and with diagrams, the same as state by state; what is
refused; which engine is taken by default; runs of counted models.

    tests/prism/chances.py NOETHER
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import protocols  # noqa: E402

BINARY = str(pathlib.Path(sys.argv[1]).resolve())
FOLDER = pathlib.Path(tempfile.mkdtemp())
problems = []

# A die from coins (Knuth and Yao).
DIE = """dtmc
module die
  s : [0..7] init 0;
  d : [0..6] init 0;
  [] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);
  [] s=1 -> 0.5:(s'=3) + 0.5:(s'=4);
  [] s=2 -> 0.5:(s'=5) + 0.5:(s'=6);
  [] s=3 -> 0.5:(s'=1) + 0.5:(s'=7)&(d'=1);
  [] s=4 -> 0.5:(s'=7)&(d'=2) + 0.5:(s'=7)&(d'=3);
  [] s=5 -> 0.5:(s'=7)&(d'=4) + 0.5:(s'=7)&(d'=5);
  [] s=6 -> 0.5:(s'=2) + 0.5:(s'=7)&(d'=6);
  [] s=7 -> true;
endmodule
rewards "flips" s<7 : 1; endrewards
"""
# Two states between which a scheduler may go round for ever, and more of them behind.
ROUND = """mdp
module a
  s : [0..6] init 0;
  [] s=0 -> (s'=1);
  [] s=1 -> (s'=0);
  [] s=0 -> 0.25:(s'=2) + 0.75:(s'=3);
  [] s=1 -> 0.3:(s'=2) + 0.5:(s'=3) + 0.2:(s'=4);
  [] s=4 -> (s'=5);
  [] s=5 -> (s'=4);
  [] s=5 -> 0.1:(s'=2) + 0.9:(s'=6);
  [] s=4 -> (s'=4);
  [] s=6 -> 0.5:(s'=0) + 0.5:(s'=3);
endmodule
rewards "steps" true : 1; endrewards
"""
# Probabilities that depend on the state; all enabled commands of a dtmc are as likely.
URN = """dtmc
module urn
  x : [0..4] init 2;
  y : [0..2] init 0;
  [] x>0 & x<4 -> x/4:(x'=x+1) + 1-x/4:(x'=x-1);
  [a] y<2 -> 1/3:(y'=y+1) + 2/3:true;
endmodule
rewards [a] true : x; y=1 : 2; endrewards
"""
QUEUE = """ctmc
module queue
  q : [0..5] init 1;
  [come] q<5 -> 1.5:(q'=q+1);
  [go] q>0 -> 2*q:(q'=q-1);
endmodule
rewards q>0 : q; [go] true : 3; endrewards
"""
# What has the chance 0 does not happen, whatever it is multiplied with; nor may it go wrong.
NEVER = """dtmc
module a
  x : [0..2] init 1;
  [go] true -> (x+1)/4:(x'=0) + 1-(x+1)/4:(x'=1);
endmodule
module b
  y : [0..2] init 1;
  [go] y=1 -> 0:(y'=y) + 1:(y'=0);
  [] y=0 -> 0:(y'=y+3) + 1:(y'=0);
endmodule
rewards true : 1; endrewards
"""

# model, property, its value or None: what the probabilistic engine says
VALUES = [
    (DIE, "P=? [ F s=7 & d=6 ]", 1 / 6), (DIE, "P=? [ F<=6 s=7 & d=1 ]", None), (DIE, "P=? [ X s=1 ]", 0.5),
    (DIE, "P=? [ G d!=1 ]", 5 / 6), (DIE, "P=? [ d=0 W d>4 ]", 1 / 3), (DIE, "R=? [ F s=7 ]", 11 / 3),
    (DIE, "R=? [ F d=6 ]", float("inf")), (DIE, "R=? [ C<=5 ]", None), (DIE, "R=? [ I=4 ]", None),
    (DIE, "filter(min, P=? [ F d=6 ], s<7 & s>1)", 0), (DIE, "filter(max, P=? [ F d=6 ], s<3)", 1 / 3),
    (DIE, "filter(max, R=? [ F s=7 ], true)", 11 / 3), (DIE, "filter(max, R=? [ F d=6 ], s>2)", float("inf")),
    (DIE, "R=? [ F true ]", 0), (DIE, "P=? [ F<=0 s=0 ]", 1), (DIE, "R>=3.7 [ F s=7 ]", False), (DIE, "R<4 [ F s=7 ]", True),
    (DIE, "P>=0.16 [ F d=6 ]", True), (DIE, "P>0.17 [ F d=6 ]", False), (DIE, "P=? [ F P>=0.3 [ F d=6 ] ]", 0.5),
    (DIE, "filter(forall, P<=0.7 [ F d=6 ] | s=7 | s=6)", True),
    (ROUND, "Pmax=? [ F s=2 ]", None), (ROUND, "Pmin=? [ F s=2 ]", 0), (ROUND, "Pmax=? [ F<=7 s=2 ]", None),
    (ROUND, "Pmin=? [ F<=7 s=3 ]", None), (ROUND, "Pmax=? [ G s!=3 ]", 1), (ROUND, "Pmin=? [ s<4 U s=3 ]", 0),
    (ROUND, "Rmax=? [ F s=2 | s=3 ]", float("inf")), (ROUND, "Rmin=? [ F s=2 | s=3 ]", 1),
    (ROUND, "filter(min, Pmax=? [ F s=2 ], s>3)", None),
    (URN, "P=? [ F x=4 & y<2 ]", None), (URN, "P=? [ F x=0 | y=2 ]", None), (URN, "R=? [ F y=2 ]", None),
    (URN, "P=? [ F<=9 x=4 ]", None), (URN, "R=? [ C<=6 ]", None),
    (NEVER, "A [ F y!=1 ]", True), (NEVER, "R=? [ F y!=1 ]", 1), (NEVER, "P=? [ F x=0 & y=0 ]", 0.5),
    (QUEUE, "P=? [ q>0 U q=4 ]", None), (QUEUE, "R=? [ F q=0 ]", None),
    (QUEUE.replace("true : 3", "true : q-1").replace("q>0 : q;", ""), "R=? [ F q!=1 ]", 0), # a reward of 0 at a rate
    (DIE, "P=? [ F (s=7 ? d=6 : d=1) ]", 1 / 6), (DIE, "filter(exists, P>=0.3 [ F d=6 ] ? s=7 : s=0)", True),
    (QUEUE, "filter(max, P=? [ q>0 U q=5 ], q<4)", None),
]

# model, property, options, part of what is said
REFUSED = [
    (DIE, "P=? [ F d=6 ]", ["--exact"], "no exact values"), (QUEUE, "P=? [ F<=2 q=5 ]", [], "a bound on time"),
    (QUEUE, "S=? [ q=0 ]", [], "the long run"), (DIE, "P=? [ F>=3 d=6 ]", [], "a bound on steps from below"),
    (ROUND.replace("true : 1", "s=6 : 1"), "Rmin=? [ F s=2 | s=3 ]", [], "end components without reward"),
    (QUEUE, "R=? [ F q=0 ]", ["--vectors", "diagrams"], "only probabilities"),
]


def check(model, asked, *options):
    (FOLDER / "m.prism").write_text(model)
    answer = FOLDER / "answer.json"
    answer.unlink(missing_ok=True)
    done = subprocess.run([BINARY, "check", str(FOLDER / "m.prism"), "--property", asked, "--json", str(answer), *options],
                          capture_output=True, text=True, timeout=patience.seconds(120))
    found = json.loads(answer.read_text()) if answer.exists() and done.returncode != 2 else None
    return found and [r for r in found["results"] if r["kind"] == "quantity"][-1], done.stdout + done.stderr, found


def expect(condition, *what):
    if not condition:
        problems.append(" ".join(map(str, what)))


def bounds(result):
    return float(result["value"]["lower"]), float(result["value"]["upper"])


def compare(asked, options, found, value):
    if isinstance(value, bool):
        expect(found["verdict"] == ("holds" if value else "violated"), asked, options, found)
        return
    if "value" not in found or found["verdict"] != "holds":
        problems.append(f"{asked} {options}: {found['verdict']}, {found.get('reason')}")
        return
    lower, upper = bounds(found)
    least, most = value if isinstance(value, tuple) else (value, value)
    slack = 1e-12
    expect(lower <= most + slack and upper >= least - slack, asked, options, f"[{lower}, {upper}], not [{least}, {most}]")
    expect(lower == upper or upper - lower <= 1.0001e-6 * upper, asked, options, f"[{lower}, {upper}] is wide")


def check_values():
    for model, asked, value in VALUES:
        plain, text, _ = check(model, asked, "--engine", "probabilistic")
        if value is None:
            value = bounds(plain)
        compare(asked, ["--engine", "probabilistic"], plain, value)
        for vectors in ("arrays", "diagrams"):
            options = ["--engine", "symbolic", "--vectors", vectors]
            found, text, _ = check(model, asked, *options)
            if vectors == "diagrams" and found and found["verdict"] == "unknown":
                expect("this many states" in found["reason"], asked, found["reason"])
                continue
            expect(found, asked, text)
            if found:
                compare(asked, options, found, value)


# A walk until it is at an end, beside a wheel that turns meanwhile: 24,750 states in one component, and thousands of sweeps.
WALK = """ctmc
module walk
  x : [0..100] init 30;
  [] x>0 & x<100 -> 1:(x'=x+1) + 1:(x'=x-1);
endmodule
module wheel
  w : [0..249] init 0;
  [] x>0 & x<100 -> 3:(w'=mod(w+1,250));
endmodule
rewards x>0 & x<100 : 1; endrewards
"""


def check_walk():
    found, text, _ = check(WALK, "R=? [ F x=0 | x=100 ]", "--engine", "probabilistic", "--deadlock", "off")
    expect(found, "a walk beside a wheel", text)
    if found:
        compare("a walk beside a wheel", [], found, 1050)


SLOW = """dtmc
module m
  x : [0..2] init 0;
  [] x=0 -> 1e-9:(x'=1) + 2e-9:(x'=2) + 1-3e-9:true;
endmodule
"""


def check_limits():
    """All diagrams are in the cache after a step, and a billion steps are to come."""
    found, text, _ = check(SLOW, "P=? [ F x=1 ]", "--engine", "symbolic", "--vectors", "diagrams", "--time", "0.5")
    expect(found["verdict"] == "unknown" and "time limit" in text, text)


def check_refusals():
    for model, asked, options, words in REFUSED:
        found, text, _ = check(model, asked, "--engine", "symbolic", *options)
        expect((found is None or found["verdict"] == "unknown") and words in text, asked, options, text)


def check_protocols():
    """Counted: the paper's models, with values from reference runs."""
    for count, value in ((10, 0.134854999315628), (20, 0.00530258058381199)):
        for vectors in ("arrays", "diagrams"):
            options = ["--engine", "symbolic", "--vectors", vectors]
            found, text, whole = check(protocols.leader(count, "dtmc"), f'P=? [ F<={2 * count} "elected" ]', *options)
            compare(f"leader {count}", options, found, (value * (1 - 1e-9), value * (1 + 1e-9)))
            expect(whole["statistics"]["states"] == (count + 1) * (count + 2) // 2, whole["statistics"])
    # counted in sets, whatever the vectors, is what the quotient says
    asked = 'Pmax=? [ F<=14 "critical" ]'
    value = bounds(check(protocols.mutex(4), asked, "--engine", "probabilistic")[0])
    for vectors in ("arrays", "diagrams"):
        options = ["--engine", "symbolic", "--vectors", vectors]
        compare(asked, options, check(protocols.mutex(4), asked, *options)[0], value)


def check_default():
    """Which engine is taken, and why."""
    for model, asked, engine in ((protocols.leader(20), protocols.LEADER_MDP, "counter"),
                                 (protocols.leader(6), protocols.LEADER_MDP, "probabilistic"),
                                 (protocols.mutex(12), protocols.MUTEX, "symbolic")):
        found, text, whole = check(model, asked.strip().rstrip(";"), "-v")
        expect(whole and whole["engine"] == engine and f"engine: {engine}, since" in text, engine, text)
        expect(found["verdict"] == "holds" and bounds(found) == (1, 1), found)


def ring(count):
    """A ring cannot be counted; this one has 6^count states, or nearly so."""
    lines = ["mdp", "module a1", "  x1 : [0..5];", f"  [] x1=0 & x{count}<3 -> 0.5 : (x1'=1) + 0.5 : (x1'=2);",
             f"  [] x1=1 -> (x1'=0);", f"  [] x1=2 & x{count}!=2 -> (x1'=3);",
             *(f"  [] x1={k} -> (x1'={(k + 1) % 6});" for k in (3, 4, 5)), "endmodule"]
    lines += [f"module a{i} = a1 [ x1=x{i}, x{count}=x{i - 1} ] endmodule" for i in range(2, count + 1)]
    return "\n".join(lines), " | ".join(f"x{i}=5" for i in range(1, count + 1))


def check_rival():
    """Too many states to be taken one by one: after a while sets of states have the answer, and no other where there is one."""
    for count, engine in ((16, "symbolic"), (4, "probabilistic")):
        model, goal = ring(count)
        found, text, whole = check(model, f"Pmax=? [ F {goal} ]", "-v")
        expect(whole and whole["engine"] == engine, "a ring of", count, text)
        expect(found["verdict"] == "holds" and bounds(found) == (1, 1), found)
        expect("which had" in text and "by counters only" in text if count == 16 else "which had" not in text, text)


# Three modules that count down from 2; what is asked of them is a product.
DOWN = """dtmc
module a1
  x1 : [0..2] init 2;
  [] x1>0 -> 0.5 : (x1'=x1-1) + 0.5 : true;
  [] x1=0 -> true;
endmodule
module a2 = a1 [x1=x2] endmodule
module a3 = a1 [x1=x3] endmodule
rewards "values" true : FACTORS; endrewards
rewards "signs" true : (x1>0?1:0)*(x2>0?1:0)*(x3>0?1:0); endrewards
"""


def check_products():
    """A product over modules is counted if all factors are 0 or 1, and refused else."""
    for factors in ("x1*x2*x3", "(2-x1)*(2-x2)*(2-x3)"):
        _, text, _ = check(DOWN.replace("FACTORS", factors), 'R{"values"}=? [ C<=4 ]', "--engine", "counter")
        expect("in a way that numbers of modules cannot tell" in text, "a product of values", text)
    model = DOWN.replace("FACTORS", "0")
    found = [bounds(check(model, 'R{"signs"}=? [ C<=4 ]', "--engine", engine)[0]) for engine in ("counter", "probabilistic")]
    expect(max(low for low, _ in found) <= min(high for _, high in found), "a product of signs", found)


def check_runs():
    """Runs of a counted model are runs of the model, replayed."""
    model = protocols.mutex(4)
    found, text, _ = check(model, 'P<=0 [ F "critical" ]', "--engine", "counter")
    expect(found["verdict"] == "violated" and found.get("trace"), "no run", text)
    found, text, _ = check(model, 'P>=1 [ F "critical" ]', "--engine", "counter")
    expect(found["verdict"] == "violated" and found.get("trace"), "no loop", text)
    found, text, _ = check(protocols.leader(5), 'Pmax=? [ F "elected" ]', "--engine", "counter")
    expect(found["verdict"] == "holds", text)


if __name__ == "__main__":
    check_values()
    check_walk()
    check_limits()
    check_refusals()
    check_protocols()
    check_default()
    check_rival()
    check_products()
    check_runs()
    print("\n".join(problems) or "numbers in sets of states: fine")
    sys.exit(1 if problems else 0)
