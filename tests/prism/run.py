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

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDING = 1e-12
WIDTH = 1.0001e-6
NO_EXACT_VALUE = ("there is no exact value", "in exact arithmetic")


def expectations(path):
    return re.findall(r"^// ?RESULT: *(\S+)", path.read_text(), re.M)


def options(path):
    return re.findall(r"^// OPTIONS: *(.*)", path.read_text(), re.M)[:1]


def problem(result, expected):
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
    value = fractions.Fraction(expected)
    slack = abs(value) * fractions.Fraction(ROUNDING)
    if not fractions.Fraction(lower) - slack <= value <= fractions.Fraction(upper) + slack:
        return f"{lower}..{upper} does not contain {expected}"
    return "" if upper - lower <= WIDTH * abs(upper) else f"{lower}..{upper} is too wide"


def exact_problem(result, near, expected):
    """A fraction must be the value; a decimal number is only near it."""
    if result["verdict"] == "unknown" and any(text in (result["reason"] or "") for text in NO_EXACT_VALUE):
        return ""
    if "value" not in result or near["verdict"] == "unknown":
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
    if run and not run["is_cut"] and not math.isclose(math.prod(s["chance"] for s in run["steps"]), run["chance"]):
        return "the chances of the run do not multiply to that of the whole"
    return ""


def answer(binary, model, *more):
    properties = model.with_suffix(".props")
    words = " ".join(options(properties)).split()
    run = subprocess.run([binary, "check", str(model), str(properties), "--json", "-", *words, *more],
                         capture_output=True, text=True)
    if not run.stdout:
        return None, run.stderr.strip()
    return [r for r in json.loads(run.stdout)["results"] if r["kind"] == "quantity"], run.returncode


def check(binary, model):
    expected = expectations(model.with_suffix(".props"))
    (results, error), (exact, _) = answer(binary, model), answer(binary, model, "--exact")
    if not results or not exact:
        return [f"{model.name}: {error}"], 0
    if len(results) != len(expected):
        return [f"{model.name}: {len(results)} results for {len(expected)} expectations"], 0
    found = []
    for result, precise, wanted in zip(results, exact, expected):
        why = problem(result, wanted) or exact_problem(precise, result, wanted) or evidence_problem(result)
        if not why and result.get("agreement") != "agrees":
            why = f"the expected {wanted} {result.get('agreement')}"
        if why:
            found.append(f"{model.name}:{result['line']}: {why}")
    results, code = answer(binary, model, "--results")
    if code != 0 and not found:
        found.append(f"{model.name}: --results ends with {code}")
    return found, len(expected) - len(found)


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
