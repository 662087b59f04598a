#!/usr/bin/env python3
"""Checks PRISM models against the //RESULT: comments of their properties.

    tests/prism/run.py NOETHER

The models are those here and the examples with a .props file of their name. A result is a fraction, a decimal number,
true, false or Infinity; the interval Noether gives must contain it, up to the rounding of the number, and be narrow."""
import fractions
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDING = 1e-12
WIDTH = 1.0001e-6


def expectations(path):
    return re.findall(r"^// ?RESULT: *(\S+)", path.read_text(), re.M)


def problem(result, expected):
    if expected in ("true", "false"):
        wanted = "holds" if expected == "true" else "violated"
        return "" if result["verdict"] == wanted else f"{result['verdict']} ({result['reason']}), not {expected}"
    if "value" not in result:
        return f"{result['verdict']} ({result['reason']}), not {expected}"
    lower, upper = float(result["value"]["lower"]), float(result["value"]["upper"])
    if expected == "Infinity":
        return "" if lower == upper == math.inf else f"{lower}..{upper}, not infinite"
    value = fractions.Fraction(expected)
    slack = abs(value) * fractions.Fraction(ROUNDING)
    if not fractions.Fraction(lower) - slack <= value <= fractions.Fraction(upper) + slack:
        return f"{lower}..{upper} does not contain {expected}"
    return "" if upper - lower <= WIDTH * abs(upper) else f"{lower}..{upper} is too wide"


def check(binary, model):
    properties = model.with_suffix(".props")
    run = subprocess.run([binary, "check", str(model), str(properties), "--json", "-"], capture_output=True, text=True)
    expected = expectations(properties)
    if not run.stdout:
        return [f"{model.name}: {run.stderr.strip()}"], 0
    results = [r for r in json.loads(run.stdout)["results"] if r["kind"] == "quantity"]
    if len(results) != len(expected):
        return [f"{model.name}: {len(results)} results for {len(expected)} expectations"], 0
    found = [f"{model.name}:{result['line']}: {problem(result, wanted)}"
             for result, wanted in zip(results, expected) if problem(result, wanted)]
    return found, len(results) - len(found)


def main():
    binary = sys.argv[1]
    models = sorted((ROOT / "tests/prism").glob("*.prism")) + sorted((ROOT / "examples").glob("*.prism"))
    passed = failed = 0
    for model in models:
        problems, good = check(binary, model)
        passed += good
        failed += len(problems)
        print("\n".join(problems), end="\n" if problems else "")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
