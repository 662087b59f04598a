#!/usr/bin/env python3
"""tests/cover/public.py NOETHER FOLDER [--time SECONDS]: public thread transition systems (FOLDER/NAME/main.tts and main.prop), as
Murphi models: verdict, least number of threads, sizes and time, a line for each.

A .tts file has the steps `s l -> s' l'` and the starts of threads `s l +> s' l'`: the thread in l stays there. Any number of
threads begin in local state 0."""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import thread_system


def model(shared, count, steps, bad):
    """All threads begin unborn if some can be started; any of them may become one in local state 0."""
    starts = any(arrow == "+>" for _, arrow, _ in steps)
    unborn = count
    first = unborn if starts else 0
    lines = ["const N: 3;", "type Thread: scalarset(N);", f"  Local: 0..{count - 1 + starts};",
             f"var s: 0..{shared - 1}; pc: array [Thread] of Local;",
             f'startstate "init" begin s := 0; for t: Thread do pc[t] := {first}; end; end;']
    if starts:
        lines.append(f'ruleset t: Thread do rule "begin" pc[t] = {unborn} ==> pc[t] := 0; end; end;')
    for (s, l), arrow, (s2, l2) in steps:
        if arrow == "->":
            lines.append(f"ruleset t: Thread do rule s = {s} & pc[t] = {l} ==> s := {s2}; pc[t] := {l2}; end; end;")
        else:
            lines.append(f"ruleset t: Thread; u: Thread do rule s = {s} & pc[t] = {l} & pc[u] = {unborn} ==> s := {s2}; pc[u] := {l2}; end; end;")
    lines.append(f'invariant "safe" forall t: Thread do !(s = {bad[0]} & pc[t] = {bad[1]}) end;')
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--time", default="60")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    names = options.names or sorted(path.parent.name for path in folder.glob("*/main.tts") if path.stat().st_size)
    for name in names:
        system = thread_system.read_tts((folder / name / "main.tts").read_text(), (folder / name / "main.prop").read_text())
        with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
            file.write(model(*system))
            file.flush()
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([options.binary, "check", file.name, "--engine", "cover", "--time", options.time, "--json", "-"],
                                  capture_output=True, text=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            print(name, "failed:", done.stdout[-200:], done.stderr[-400:])
            continue
        verdict = next((entry["verdict"] for entry in answer["results"] if entry["name"] == "safe"), "missing")
        every = answer["statistics"]["every_size"]
        print(f"{name}\t{system[0]}x{system[1]}\t{verdict}\t{every['violated_with']}\texplored {every['explored']}\tbasis {every['basis']}\t"
              f"steps {every['steps']}\tconfigurations {answer['statistics']['states']}\t{after.ru_utime - before.ru_utime:.2f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
