#!/usr/bin/env python3
"""tests/hostile/deep.py BINARY: what is nested deeper than can be read is an error with its place, however small the stack is.

Each construct that nests, in each language, is nested as deep as it may be and a hundred times deeper. The stack of the
program is 256 KiB, as that of a thread in a small container."""
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

BINARY = str(pathlib.Path(sys.argv[1]).resolve())
TOO_DEEP = 30000
STACK = 256 << 10
PLACE = r":\d+:\d+: error: (nested more|more than|the expression has more|the formulas expand)"

MURPHI = "var x: boolean; y: 0..3; startstate x := true; y := 0; end;\nrule %s ==> %s end;\n%s"
PRISM = "dtmc\nmodule m\nx:[0..3] init 0;\n[] %s -> (x'=x);\nendmodule\n"
PROMELA = "byte x, a[2];\nactive proctype p() { %s }\n%s"
BOOLEAN = "decl g;\nvoid main() begin\n%s\nend\n"


def around(head, middle, tail=""):
    return lambda n: head * n + middle + tail * n


# Name, the text around, the construct, and how deep it may be (0: that is not tried).
MODELS = [
    ("parentheses.m", lambda it: MURPHI % (it, "x := x;", ""), around("(", "x", ")"), 900),
    ("not.m", lambda it: MURPHI % (it, "x := x;", ""), around("!", "x"), 900),
    ("minus.m", lambda it: MURPHI % ("y > " + it, "x := x;", ""), around("- ", "1"), 900),
    ("and.m", lambda it: MURPHI % (it, "x := x;", ""), around("x & ", "x"), 900),
    ("if.m", lambda it: MURPHI % ("x", it, ""), around("if x then ", "x := x; ", "end; "), 900),
    ("elsif.m", lambda it: MURPHI % ("x", "if x then " + it + " end;", ""), around("x := x; elsif x then ", "x := x;"), 900),
    ("choice.m", lambda it: MURPHI % (it, "x := x;", ""), around("x ? ", "x", " : x"), 900),
    ("index.m", lambda it: "type t: 0..1; var a: array[t] of t; startstate clear a; end;\nrule " + it + " = 0 ==> end;",
     around("a[", "0", "]"), 900),
    ("array.m", lambda it: "var a: " + it + "; startstate clear a; end;", around("array[0..0] of ", "boolean"), 0),
    ("record.m", lambda it: "var a: " + it + "; startstate clear a; end;", around("record a: ", "boolean", "; end"), 0),
    ("forall.m", lambda it: MURPHI % (it, "x := x;", ""), around("forall i: 0..1 do ", "x", " end"), 0),
    ("ruleset.m", lambda it: "var x: boolean; startstate x := true; end;\n" + it,
     around("ruleset i: 0..0 do ", "rule x ==> x := x; end; ", "end;"), 0),
    ("ltl.m", lambda it: MURPHI % ("x", "x := x;", 'ltl "a" ' + it + ";"), around("X ", "x"), 0),
    ("ctl.m", lambda it: MURPHI % ("x", "x := x;", 'ctl "a" ' + it + ";"), around("AX ", "x"), 300),
    ("parentheses.prism", lambda it: PRISM % it, around("(", "x=0", ")"), 900),
    ("not.prism", lambda it: PRISM % it, around("!", "x=0"), 900),
    ("minus.prism", lambda it: PRISM % (it + "=0"), around("-", "x"), 900),
    ("plus.prism", lambda it: PRISM % (it + "=0"), around("x + ", "x"), 900),
    ("choice.prism", lambda it: PRISM % it, around("(x=0 ? ", "true", " : false)"), 400),
    ("max.prism", lambda it: PRISM % (it + "=0"), around("max(", "x", ",x)"), 900),
    ("formula.prism", lambda it: it, lambda n: "dtmc\nformula f0 = 1;\n" + "".join(
        f"formula f{i + 1} = f{i} + 1;\n" for i in range(n)) + f"module m\nx:[0..3] init 0;\n[] f{n}>0 -> true;\nendmodule\n", 900),
    ("parentheses.pml", lambda it: PROMELA % ("x = " + it, ""), around("(", "1", ")"), 400),
    ("minus.pml", lambda it: PROMELA % ("x = " + it, ""), around("- ", "1"), 200),
    ("plus.pml", lambda it: PROMELA % ("x = " + it, ""), around("1 + ", "1"), 900),
    ("index.pml", lambda it: PROMELA % ("a[0] = " + it, ""), around("a[", "0", "]"), 200),
    ("block.pml", lambda it: PROMELA % (it, ""), around("{ ", "x = 1", " }"), 200),
    ("if.pml", lambda it: PROMELA % (it, ""), around("if :: ", "x = 1", " fi"), 200),
    ("do.pml", lambda it: PROMELA % (it, ""), around("do :: ", "x = 1", " od"), 200),
    ("ltl.pml", lambda it: PROMELA % ("x = 1", "ltl { " + it + " }"), around("(", "x == 0", ")"), 400),
    ("parentheses.bp", lambda it: BOOLEAN % ("g := " + it + ";"), around("(", "1", ")"), 900),
    ("not.bp", lambda it: BOOLEAN % ("g := " + it + ";"), around("!", "1"), 900),
    ("if.bp", lambda it: BOOLEAN % it, around("if (g) then ", "skip; ", "fi; "), 200),
    ("while.bp", lambda it: BOOLEAN % it, around("while (g) do ", "skip; ", "od; "), 200),
]
FORMULAS = [
    ("parentheses.props", around("(", "P=? [ F x=3 ]", ")")),
    ("not.props", lambda n: "P=? [ F " + "!" * n + "x=3 ]"),
    ("next.props", lambda n: "P=? [ " + "X " * n + "x=3 ]"),
    ("nested.props", around("P>=1 [ F ", "x=3", " ]")),
    ("filter.props", around("filter(max,", "P=? [ F x=3 ]", ")")),
]


def limited(words, folder):
    return subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=patience.seconds(120),
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK)))


def run(folder, *words):
    result = limited([BINARY, *words], folder)
    return result.returncode, result.stdout


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def is_certified(folder):
    """What `noether` reads with this stack, the verifier reads, too."""
    name = "certified.m"
    (folder / name).write_text(MURPHI % (around("(", "x", ")")(900), "x := x;", ""))
    run(folder, "check", name, "--deadlock", "off", "--certificate", "deep.noether", "--engine", "explicit")
    result = limited([str(pathlib.Path(BINARY).with_name("noether-verify")), name, "deep.noether", "--deadlock", "off"], folder)
    expect(result.returncode == 0, f"exit status {result.returncode} of noether-verify\n{result.stdout[:1000]}")


def is_refused_with_its_place(folder, *words):
    code, output = run(folder, *words)
    expect(code == 2 and re.search(PLACE, output), f"exit status {code}\n{output[:1000]}")


def models(folder):
    for name, embed, nest, depth in MODELS:
        yield name, lambda: ((folder / name).write_text(embed(nest(TOO_DEEP))),
                             is_refused_with_its_place(folder, "check", name))
        yield name + " (as deep as can be)", lambda: depth and (
            (folder / name).write_text(embed(nest(depth))), is_answered(folder, name))
    yield "noether-verify", lambda: is_certified(folder)
    (folder / "chain.prism").write_text(PRISM % "x<3")
    for name, nest in FORMULAS:
        yield name, lambda: ((folder / name).write_text(nest(TOO_DEEP) + "\n"),
                             is_refused_with_its_place(folder, "check", "chain.prism", name))
    yield "trace.json", lambda: ((folder / "trace.json").write_text('{"a":' * TOO_DEEP + "1" + "}" * TOO_DEEP),
                                 is_no_trace(folder))


def is_answered(folder, name):
    code, output = run(folder, "check", name, "--deadlock", "off", "--time", "20", "--threads", "2")
    expect(code in (0, 3), f"exit status {code}\n{output[:1000]}")


def is_no_trace(folder):
    code, output = run(folder, "replay", "chain.prism", "trace.json")
    expect(code == 2 and "not JSON" in output, f"exit status {code}\n{output[:1000]}")


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, test in models(pathlib.Path(folder)):
            try:
                test()
                passed += 1
            except (AssertionError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"FAIL {name}: {error}")
    print(f"{passed} passed, {failed} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
