#!/usr/bin/env python3
"""tests/memory/sweep.py NOETHER [--only NAME] [--seconds LIMIT] [-v]: every engine, command and phase keeps to --memory.

The peak is what the kernel says of the process when it has ended, not what the program says of itself. Models are made so that they
need far more than the limits within a second or two."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOUND = ROOT / "tests/findings/memory"
SECONDS = 60
SMALL = 100_000_000  # bytes: below, 10% are allowed, else 5%

# States that have nothing in common, and many of them at once.
WALK = """var a: array[0..39] of 0..1000002;
startstate begin for i: 0..39 do a[i] := i * 1000; end; end;
ruleset i: 0..39 do rule "inc" true ==> begin
  a[i] := (a[i] * 5 + i * 7 + 1) % 1000003; a[(i * 7 + 3) % 40] := (a[i] * 3 + a[(i + 1) % 40]) % 1000003; end; end;
"""
# The same with a liveness property.
LIVE = WALK + 'liveness "comes back" a[0] = 0;\n'
# Bits that are multiplied: every set of states is a large diagram.
PRODUCT = """type n: 0..65535;
var x, y, z: n;
startstate begin x := 1; y := 1; z := 0; end;
rule x < 65535 ==> begin x := x + 1; end;
rule y < 65535 ==> begin y := y + 1; end;
rule true ==> begin z := (x * y) % 65521; end;
"""
# Processes with many local states, for counters.
CROWD = """const N: 6;
type p: scalarset(N); l: 0..39;
var a: array[p] of l; s: l;
startstate begin for i: p do a[i] := 0; end; s := 0; end;
ruleset i: p do
  rule true ==> begin a[i] := (a[i] * 7 + s + 1) % 40; s := (s + a[i]) % 40; end;
  rule a[i] > 3 ==> begin a[i] := a[i] - 1; end;
end;
"""
GRID = """dtmc
module m
 x : [0..1500] init 0; y : [0..1500] init 0;
 [] x<1500 & y<1500 -> 0.5 : (x'=x+1) + 0.3 : (y'=y+1) + 0.2 : (x'=0);
 [] x=1500 | y=1500 -> true;
endmodule
"""
# A violation at once, and far more states than fit behind it.
EARLY = WALK + 'invariant "here" a[0] = 0;\n'
# Processes that move between many places, with a condition on all of them.
MANY = """const N: 7;
type p: scalarset(N); l: enum { A, B, C, D, E, F, G, H };
var at: array[p] of l; owner: array[p] of p;
startstate begin for i: p do at[i] := A; owner[i] := i; end; end;
ruleset i: p; j: p do
  rule "give" at[i] != at[j] ==> begin owner[i] := owner[j]; owner[j] := i; at[i] := B; end;
  rule "go" at[i] = A & owner[j] = i ==> begin at[i] := C; at[j] := D; end;
  rule "on" at[i] = C & owner[i] = j ==> begin at[i] := E; end;
  rule "back" at[i] = E ==> begin at[i] := A; owner[i] := j; end;
end;
"""
# Any number of processes, by one location; what they share has many values.
ENDLESS = """const N: 20;
type p: scalarset(N); l: enum { Idle, Ask, Wait, In };
var at: array[p] of l; s: 0..400; t: 0..400; u: 0..400;
startstate begin for i: p do at[i] := Idle; end; s := 0; t := 0; u := 0; end;
ruleset i: p do
  rule at[i] = Idle ==> begin at[i] := Ask; s := (s * 5 + 1) % 401; end;
  rule at[i] = Ask & s > 3 ==> begin at[i] := Wait; t := (t * 3 + s) % 401; end;
  rule at[i] = Wait ==> begin at[i] := In; u := (u * 7 + t) % 401; end;
  rule at[i] = In ==> begin at[i] := Idle; s := (s + u) % 401; end;
end;
"""
# The relation and the numbers are large diagrams.
MIXED = """dtmc
module m
 x : [0..250] init 1; y : [0..250] init 1;
 [] true -> 1/2 : (x'=mod(x*y+1,251)) + 1/3 : (y'=mod(y*3+x,251)) + 1/6 : (x'=mod(x*x+y,251));
endmodule
"""
FACTORS = """dtmc
module m
 x : [0..4000] init 0; y : [0..4000] init 0;
 [] x<4000 & y<4000 -> 1/3 : (x'=x+1) + 2/7 : (y'=y+1) + 8/21 : (x'=max(x-1,0)) & (y'=max(y-1,0));
 [] x=4000 | y=4000 -> true;
endmodule
"""


def chained(count):
    """Modules of a chain: the reduction to counters has much to write."""
    first = ("module p1\n s1 : [0..9] init 0;\n [] s1<9 -> 0.5 : (s1'=s1+1) + 0.5 : (s1'=0);\n"
             " [] s1=9 -> (s1'=0);\nendmodule\n")
    return "dtmc\n" + first + "".join(f"module p{i} = p1 [ s1=s{i} ] endmodule\n" for i in range(2, count + 1))


def branches(count):
    updates = " + ".join(f"1/{count} : (s'={i + 1})" for i in range(count))
    return f"dtmc\nmodule m\n s : [0..{count}] init 0;\n [] s=0 -> {updates};\n [] s>0 -> (s'=0);\nendmodule\n"


def text_of(count):
    """A model whose text is long."""
    rules = "".join(f'rule "r{i}" x = {i} & y != {i % 7} ==> begin x := x + 1; y := (y + {i}) % 100; end;\n' for i in range(count))
    return f"var x: 0..{count}; y: 0..99;\nstartstate begin x := 0; y := 0; end;\n{rules}"


MODELS = {"walk.m": WALK, "live.m": LIVE, "product.m": PRODUCT, "crowd.m": CROWD, "grid.prism": GRID,
          "branches.prism": branches(100000), "long.m": text_of(60000), "early.m": EARLY, "many.m": MANY,
          "endless.m": ENDLESS, "factors.prism": FACTORS, "mixed.prism": MIXED, "chained.prism": chained(40), "ctl.m": WALK + 'ctl "c" AG EF a[0] = 0;\n'}
GRID_ASKS = ["--property", "P=? [ F x=1500 ]"]
# name, command and model, options, limits in MiB
CASES = [
    ("explicit", ["check", "walk.m"], ["--stepper", "vm"], [40]),
    ("beside a rival", ["check", "walk.m"], ["-v", "--stepper", "vm"], [40, 200]),
    ("threads", ["check", "walk.m"], ["--threads", "4", "--stepper", "vm"], [40]),
    ("plain", ["check", "walk.m"], ["--store", "plain", "--stepper", "vm"], [40, 100]),
    ("depth first", ["check", "walk.m"], ["--search", "dfs", "--stepper", "vm"], [50]),
    ("liveness", ["check", "live.m"], ["--stepper", "vm"], [60]),
    ("adaptive", ["check", "walk.m"], ["--engine", "adaptive"], [50, 100]),
    ("symbolic", ["check", "product.m"], ["--engine", "symbolic", "--symmetry", "off"], [40, 100]),
    ("symbolic threads", ["check", "product.m"], ["--engine", "symbolic", "--symmetry", "off", "--threads", "2"], [60]),
    ("relation", ["check", "walk.m"], ["--engine", "symbolic"], [60]),
    ("counter", ["check", "crowd.m"], ["--engine", "counter"], [40, 100]),
    ("generic", ["check", "crowd.m"], ["--engine", "symbolic", "--method", "generic"], [60]),
    ("chain", ["check", "grid.prism"], GRID_ASKS, [40, 110]),
    ("branches", ["check", "branches.prism"], ["--property", "P=? [ F<=3 s=5 ]"], [40, 100]),
    ("long text", ["check", "long.m"], [], [40, 60]),
    ("cells", ["check", str(FOUND / "arr1m.m")], [], [60, 100]),
    ("cells and symmetry", ["symmetry", str(FOUND / "arr1m.m")], [], [60, 100]),
    ("rules", ["check", str(FOUND / "arr1mb.m")], [], [60]),
    ("rules and symmetry", ["symmetry", str(FOUND / "arr1mb.m")], [], [60]),
    ("graph", ["graph", "walk.m"], ["--states", "1000000", "--as", "json", "-o", "/dev/null"], [40]),
    ("page", ["check", "long.m"], ["--report", "/dev/null"], [60]),
    ("complete", ["check", "endless.m"], ["--engine", "complete", "--deadlock", "off", "--location", "at"], [40, 100]),
    ("ctl", ["check", "ctl.m"], ["--stepper", "vm"], [40, 100]),
    ("exact", ["check", "factors.prism"], ["--exact", "--property", "P=? [ F x=4000 ]"], [40, 100]),
    ("symbolic chain", ["check", "grid.prism"], ["--engine", "symbolic", *GRID_ASKS], [60, 110]),
    ("symbolic chain of steps", ["check", "mixed.prism"],
     ["--engine", "symbolic", "--property", "P=? [ F<=2000 x=40 ]"], [40, 60, 110]),
    ("orbit", ["check", "many.m"], ["--representative", "flood", "--stepper", "vm"], [40]),
    ("sorted", ["check", "many.m"], ["--representative", "sorted", "--stepper", "vm"], [40]),
    ("counters of a chain", ["check", "chained.prism"], ["--engine", "counter"], [40]),
    ("simulate", ["simulate", "walk.m"], ["--random", "300000"], [40]),
    ("reduce", ["reduce", "crowd.m"], ["-o", "/dev/null"], [40]),
    ("reduce a chain", ["reduce", "chained.prism"], ["-o", "/dev/null"], [40]),
    ("a violation", ["check", "early.m"], ["--keep-going", "--stepper", "vm"], [40]),
]
# These must still say so.
VIOLATED = {"a violation"}


def peak_of(command, folder, output):
    """Status and peak in bytes. ru_maxrss survives exec, so the launcher must be small: it is env, not this interpreter."""
    child = subprocess.Popen(["timeout", "-s", "KILL", str(patience.seconds(SECONDS)), "env", *command], cwd=folder, stdin=subprocess.DEVNULL,
                             env={**os.environ, "NOETHER_CC": "/bin/false"},  # the compiler is a child, and larger
                             stdout=output, stderr=subprocess.STDOUT)
    _, status, usage = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024


def fault_of(name, status, peak, limit, output):
    if name in VIOLATED and (status != 1 or "violated" not in output):
        return "the violation is lost"
    most = limit * (1.1 if limit < SMALL else 1.05)
    if status not in (0, 1, 3):
        return f"exit status {status}"
    if "internal error" in output:
        return "internal error"
    if status == 3 and not re.search("(memory|time|state) limit", output):
        return "no reason"
    return f"peak {peak / 2**20:.1f} MiB" if peak > most else None


def main():
    words = sys.argv[1:]
    seconds = words[words.index("--seconds") + 1] if "--seconds" in words else "3"  # most need their memory within two
    only = words[words.index("--only") + 1] if "--only" in words else None
    binary = os.path.abspath(words[0])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in MODELS.items():
            pathlib.Path(folder, name).write_text(text)
        for name, command, options, limits in CASES:
            for mib in limits if only in (None, name) else []:
                timed = ["--time", seconds] if command[0] != "graph" else []
                line = [binary, *command, *options, *timed, "--memory", f"{mib}M"]
                with open(os.path.join(folder, "output"), "w+") as output:
                    status, peak = peak_of(line, folder, output)
                    output.seek(0)
                    said = output.read()
                fault = fault_of(name, status, peak, mib << 20, said)
                passed, failed = passed + (not fault), failed + bool(fault)
                if "-v" in words or fault:
                    print(f"{'FAIL' if fault else 'ok  '} {name}, {mib} MiB: {fault or f'peak {peak / 2**20:.1f} MiB'}, exit {status}, "
                          f"{said.strip().splitlines()[-1][-100:] if said.strip() else ''}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
