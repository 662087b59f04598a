#!/usr/bin/env python3
"""noether reduce of PRISM models: the listing of the paper (A. F. Donaldson, A. Miller, ATVA 2006, section 5.1), what else
translates, and what does not: the construct and its line are named.

    tests/prism/reduce.py NOETHER
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import protocols  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = str(pathlib.Path(sys.argv[1]).resolve())

# The paper's, with the counters' upper bounds guarded, which PRISM wants today.
LISTING = """\
  no_0 : [0..3] init 0; // s1=0
  no_1 : [0..3] init 0; // s1=1
  no_2 : [0..3] init 3; // s1=2

  [] no_2>0 & no_0<3 -> (no_2'=no_2-1)&(no_0'=no_0+1);
  [] no_2>0 & no_1<3 -> (no_2'=no_2-1)&(no_1'=no_1+1);
  [] no_0>0 & no_0=3 & no_1<3 -> 0.5:true + 0.5:(no_0'=no_0-1)&(no_1'=no_1+1);
  [] no_0>0 & no_1>0 & no_2=0 -> true;
  [] no_1>0 & no_2=0 & no_1>1 & no_0<3 -> 0.5:(no_1'=no_1-1)&(no_0'=no_0+1) + 0.5:true;
  [] no_1>0 & no_0=2 -> true;
endmodule

label "elected" = no_2=0 & no_1=1;
"""


def model(body, copies=3, kind="mdp", variables="s1 : [0..2];", before="", after="", names="s"):
    """Copies of a module: those names are renamed with it."""
    lines = [kind, before, "module p1", f"  {variables}", f"  {body}", "endmodule"]
    for i in range(2, copies + 1):
        renamed = ", ".join(f"{n}1={n}{i}, {n}{i}={n}1" for n in names.split())
        lines.append(f"module p{i} = p1 [ {renamed} ] endmodule")
    return "\n".join(lines + [after]) + "\n"


# name, model, properties, what the counted model or its properties contain
TRANSLATED = [
    ("several variables", model("[] s1=0 & !b1 -> (b1'=true);", variables="s1 : [0..1]; b1 : bool;", names="s b"), "",
     ["no_0_false : [0..3] init 3;", "[] no_0_false>0 & no_0_true<3 -> (no_0_false'=no_0_false-1)&(no_0_true'=no_0_true+1);"]),
    ("a global", model("[] s1=0 & g<2 -> (s1'=1)&(g'=g+1);", before="global g : [0..2];"), "",
     ["[] no_0>0 & g<2 & no_1<3 -> (no_0'=no_0-1)&(no_1'=no_1+1)&(g'=g+1);"]),
    ("a value of a global", model("[] s1=0 -> (s1'=g); [] s1=1 -> (g'=1);", before="global g : [0..1];"), "",
     ["[] no_0>0 & g=0 -> true;", "[] no_0>0 & g=1 & no_1<3 ->"]),
    ("bounds for some scheduler", model("[] s1=0 -> (s1'=1); [] s1=0 -> true;"),
     "Pmax>=1 [ F s1=1&s2=1&s3=1 ]; Pmin<0.5 [ F s1=1&s2=1&s3=1 ]; Pmin>0 [ F s1=1&s2=1&s3=1 ];",
     ["(!P<1 [ F (no_0=0) ]);", "(!P>=0.5 [ F (no_0=0) ]);", "\nP>0 [ F (no_0=0) ];"]),
    ("names that are no identifiers",
     model("[] s1=0 -> (s1'=1);", after='rewards "how many" true : 1; endrewards\nlabel "who is in" = s1+s2+s3>0;\n'
           'rewards "how_many" true : 2; endrewards'),
     '"at last": Pmax=? [ F s1+s2+s3=1 ]; "at_last": Pmin=? [ F "who is in" ]; "at, last": Rmax=? [ C ];\n'
     '"3 in": Pmax=? [ F s1+s2+s3=3 ]; "max": R{"how many"}max=? [ C<=3 ];',
     ['rewards "how_many_2"', 'rewards "how_many"', 'label "who_is_in"', '"at_last_2": Pmax', '"at_last": Pmin',
      '"at_last_3": R', '"_3_in": ', '"_max": R{"how_many_2"}max=? [ C<=3 ]']),
    ("a property named like a label",
     model("[] s1=0 -> (s1'=1);", after='label "idle" = s1+s2+s3=0; label "busy" = s1+s2+s3>0;'),
     '"idle": Pmax=? [ G "idle" ]; "idle_2": Pmin=? [ F "busy" ];',
     ['label "idle" = ', '"idle_3": Pmax', '"idle_2": Pmin']),
    ("rates", model("[] s1=0 -> 0.5:(s1'=1); [] s1=1 -> 2:(s1'=0);", kind="ctmc"), "",
     ["0.5*no_0:(no_0'=no_0-1)", "2*no_1:(no_1'=no_1-1)"]),
    ("a chain", model("[] s1=0 -> (s1'=1);", kind="dtmc"), "",
     ["[] no_0>0 & no_1<3", "[] no_0>1 & no_1<3", "[] no_0>2 & no_1<3"]),
    ("together with another module",
     model("[a1] s1=0 -> (s1'=1);", names="s a",
           after="module q\n  x : [0..3];\n  [a1] x<3 -> (x'=x+1);\n  [a2] x<3 -> (x'=x+1);\n  [a3] x<3 -> (x'=x+1);\nendmodule"),
     "", ["x : [0..3] init 0;", "[a1] no_0>0 & x<3 & no_1<3 -> (no_0'=no_0-1)&(no_1'=no_1+1)&(x'=x+1);"]),
    ("all together", model("[tick] s1=0 -> (s1'=1);"), "", ["[tick] no_0>2 & no_1<1 -> (no_0'=no_0-3)&(no_1'=no_1+3);"]),
    ("two kinds of modules",
     model("[] s1=0 & t1+t2>0 -> (s1'=1);",
           after="module q1\n  t1 : [0..1];\n  [] t1=0 -> (t1'=1);\nendmodule\nmodule q2 = q1 [ t1=t2, t2=t1 ] endmodule"),
     "", ["no_p1_0 : [0..3] init 3;", "no_q1_1 : [0..2] init 0;", "[] no_p1_0>0 & no_q1_1>0 & no_p1_1<3"]),
    ("a property about one module", model("[] s1=0 -> (s1'=1);"), "Pmax=? [ F s1=1 ];\n",
     ["s1 : [0..2] init 0;", "how many of p2 .. p3", "Pmax=? [ F (s1=1) ];"]),
    ("one alone", model("[] s1=0 -> (s1'=1);"), "E [ F (s1=1&s2!=1&s3!=1)|(s2=1&s1!=1&s3!=1)|(s3=1&s1!=1&s2!=1) ];\n",
     ["(no_1>0 & no_1=1)"]),
    ("rewards", model("[] s1=0 -> (s1'=1);", after="rewards\n  s1=1 : 2; s2=1 : 2; s3=1 : 2;\n  [] true : 1;\nendrewards"),
     "Rmax=? [ C<=4 ];\n", ["no_1>0 : 2*no_1;", "[] true : 1;"]),
    ("initial states", model("[] s1=0 -> (s1'=1);", after="init s1+s2+s3<=1 endinit"), "",
     ["no_0 : [0..3];", "no_1+2*no_2<=1 & no_0+no_1+no_2=3"]),
]

# name, model, properties, the message, the line
REFUSED = [
    ("no copies", "mdp\nmodule a\n x : bool;\n [] true -> (x'=!x);\nendmodule\n", "", "no module has a copy", 2),
    ("other constants", model("[] s1=0 -> w1:(s1'=1) + 1-w1:(s1'=0);", copies=2, names="s w",
                              before="const double w1=0.5; const double w2=0.25;"), "",
     "are not interchangeable: nothing does for one what this command does for the other", 5),
    ("a ring", model("[] s1=0 & s2=1 -> (s1'=1);", copies=1) +
     "module p2 = p1 [ s1=s2, s2=s3 ] endmodule\nmodule p3 = p1 [ s1=s3, s2=s1 ] endmodule\n", "", "are not interchangeable", 5),
    ("a property", model("[] s1=0 -> (s1'=1);", copies=2), "Pmax=? [ F s1=1 ];\n", 'tell "p1" from "p2"', 3),
    ("a product", model("[] s1=2 & s2*s3=4 -> (s1'=1);", variables="s1 : [0..2] init 2;"), "", "the guard depends on \"s2\"", 5),
    ("another's value", model("[] s1=0 & s2=1 & s3=1 -> (s1'=max(s2*s3,0));"), "", "the new value depends on", 5),
    ("a range", model("[] s1=0 -> (s1'=g);", before="global g : [0..5];"), "", "may leave the range [0..2]", 5),
    ("a wrong value", model("[] s1>=0 & g=1 -> (s1'=s1+1);", before="global g : [0..1];"), "", '"s1" may become 3', 5),
    ("local states", model("[] true -> (s1'=mod(s1+1,6000));", variables="s1 : [0..5999];"), "", "more than 5000 local states", 3),
    ("a logarithm", model("[] s1=0 -> log(3,2):(s1'=1) + 1-log(3,2):(s1'=0);"), "", "a logarithm or a root", 5),
]


# name, model, properties, the warning, its line, what is written all the same
LEFT_OUT = [
    ("a filter that counts", model("[] s1=0 -> (s1'=1);"), "filter(count, s1+s2+s3=1);\nPmax=? [ F s1+s2+s3=1 ];\n",
     "this filter is about single states", 1, "Pmax=? ["),
    ("the first state", model("[] s1=0 -> (s1'=1);"), "filter(first, Pmax=? [ X s1+s2+s3=2 ]);\nPmax=? [ F s1+s2+s3=1 ];\n",
     "this filter is about single states", 1, "Pmax=? ["),
]


def reduce(folder, text, properties):
    (folder / "m.prism").write_text(text)
    (folder / "m.props").write_text(properties)
    for name in ("out.prism", "out.props"):
        (folder / name).unlink(missing_ok=True)
    return subprocess.run([BINARY, "reduce", "m.prism", "-p", "m.props", "-o", "out.prism"], cwd=folder, capture_output=True,
                          text=True, check=False)


def translated(folder, text, properties, wanted):
    done = reduce(folder, text, properties)
    if done.returncode:
        return f"exit status {done.returncode}: {done.stderr.strip()}"
    written = (folder / "out.prism").read_text()
    if properties:
        written += (folder / "out.props").read_text()
    missing = [part for part in wanted if part not in written]
    if missing:
        return f"no {missing[0]!r} in\n{written}"
    words = [BINARY, "check", "out.prism"] + (["out.props"] if properties else [])
    again = subprocess.run(words + ["--json", "-"], cwd=folder, capture_output=True, text=True, check=False)
    if again.returncode == 2 or not again.stdout or json.loads(again.stdout)["stopped_by"]:
        return f"what was written is not read: {(again.stderr or again.stdout).strip()}"
    return ""


def refused(folder, text, properties, message, line):
    done = reduce(folder, text, properties)
    if done.returncode != 2 or (folder / "out.prism").exists():
        return f"exit status {done.returncode}, not refused"
    first = done.stderr.splitlines()[0]
    if message not in first or f":{line}:" not in first:
        return f"expected {message!r} in line {line}, not {first!r}"
    return ""


def left_out(folder, text, properties, message, line, wanted):
    done = reduce(folder, text, properties)
    first = done.stderr.splitlines()[0]
    if done.returncode != 3 or message not in first or f":{line}:" not in first or "warning" not in first:
        return f"exit status {done.returncode}: {done.stderr}"
    written = (folder / "out.props").read_text()
    return "" if wanted in written and "filter" not in written else f"no {wanted!r} in {written}"


def names_of_examples():
    """What PRISM refuses as the name of a property."""
    names = [(path.name, name) for path in sorted((ROOT / "examples").glob("*.props"))
             for name in re.findall(r'^"([^"]*)":', path.read_text(), re.M)]
    wrong = [f"{path}: {name}" for path, name in names if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name)]
    return ", ".join(wrong) if names else "no properties"


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        results = [("listing", translated(folder, protocols.leader(3), protocols.LEADER_MDP,
                                          [LISTING, "Pmax=? [ F (no_2=0 & no_1=1) ];"]))]
        results.append(("examples", names_of_examples()))
        results += [(title, translated(folder, *rest)) for title, *rest in TRANSLATED]
        results += [(title, refused(folder, *rest)) for title, *rest in REFUSED]
        results += [(title, left_out(folder, *rest)) for title, *rest in LEFT_OUT]
        fair = subprocess.run([BINARY, "check", "m.prism", "--engine", "counter", "--fair"], cwd=folder, capture_output=True,
                              text=True, check=False)
        results.append(("fairness", "" if fair.returncode == 2 and "fairness" in fair.stderr else fair.stderr))
    for title, problem in results:
        passed += not problem
        failed += bool(problem)
        if problem:
            print(f"{title}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
