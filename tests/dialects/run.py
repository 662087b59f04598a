#!/usr/bin/env python3
"""tests/dialects/run.py NOETHER [--no-rumur]: undefined values under every option, and in rumur (rows.toml); loops that count down
(directions.py)."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "models"))
from directions import compare
from rumur import rumur_ask

LOOPS = 8  # random models

TABLE = HERE.parents[1] / "docs/languages/murphi.md"
OPTIONS = {"auto": [], "error": ["--undefined", "error"], "cmurphi": ["--dialect", "cmurphi"], "rumur": ["--dialect", "rumur"]}
ENGINES = [["--engine", "explicit"], ["--engine", "symbolic"], ["--engine", "counter"]]
MODEL = """type
  P: scalarset(2);
  E: enum {{ A, B }};
  R: 0..1;{union}
  M: record f: R; s: P; end;
var
  s, t: P; e: E; y, z: R; r, q: M; a: array [P] of R; b: boolean;{variable}
function unknown(v: R): boolean; begin return isundefined(v); end;
function given(v: R): R; begin return v; end;
function chosen(v: E): E; begin return v; end;
startstate begin
  undefine s; undefine t; undefine e; undefine y; undefine r; undefine q;{undefine}
  z := 0; b := false;
  for i: P do a[i] := 0; end;
end;
ruleset p: P do
  rule "the row" begin {rule} b := !b; end;
end;
"""


def write_model(row, folder):
    has_union = row["peer"] == "none"
    text = MODEL.format(rule=row["rule"], union=" N: union { P, E };" if has_union else "", variable=" o: N;" if has_union else "",
                        undefine=" undefine o;" if has_union else "")
    path = pathlib.Path(folder) / "row.m"
    path.write_text(text, encoding="ascii")
    return path


def outcome(binary, model, options):
    done = subprocess.run([binary, "check", str(model), *options], capture_output=True, text=True, errors="replace")
    if done.returncode not in (0, 1):
        return "refused"
    return "error" if done.returncode else "holds"


def complaints(binary, row, with_rumur):
    """What is wrong with a row: a list of sentences."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        model = write_model(row, folder)
        for name, options in OPTIONS.items():
            said = {outcome(binary, model, options + engine) for engine in ENGINES} - {"refused"}
            if said != {row[name]}:
                found.append(f"{name}: {sorted(said)}, expected {row[name]}")
        if with_rumur and row["peer"] != "none":
            answer = rumur_ask(model, "off", 60)
            if answer[0] != {"error": "violated"}.get(row["peer"], row["peer"]):
                found.append(f"rumur: {answer}, expected {row['peer']}")
    return found


def main():
    binary, with_rumur = sys.argv[1], "--no-rumur" not in sys.argv and shutil.which("rumur")
    rows = tomllib.loads((HERE / "rows.toml").read_text())["row"]
    text = TABLE.read_text(encoding="utf-8")
    begin = text.index("## Undefined values")
    documented = [re.split(r" \| ", line[2:])[0] for line in text[begin:text.index("\n## ", begin)].splitlines() if line.startswith("| `")]
    failed = [f"the table has {what}, but there is no such test" for what in documented if what not in [row["what"] for row in rows]]
    for row in rows:
        found = complaints(binary, row, with_rumur)
        if row["what"] not in documented:
            found.append("it is not in the table")
        failed += [f"{row['what']}: {sentence}" for sentence in found]
    for sentence in failed:
        print(f"FAIL {sentence}")
    print(f"{len(rows) - len({s.split(': ')[0] for s in failed})} passed, {len(failed)} failed")
    return 1 if failed or (with_rumur and compare(binary, range(1, LOOPS + 1))[1]) else 0


sys.exit(main())
