#!/usr/bin/env python3
"""Runs the Quantitative Verification Benchmark Set: its dtmc, ctmc and mdp models that were written for PRISM.

    tests/public/qvbs.py NOETHER FOLDER [--seconds S] [--states N] [--only KIND/NAME]

FOLDER is `benchmarks` of the repository ahartmanns/qcomp; nothing of it is kept here. Each instance of up to N states (10^7; those of an
unknown number, too) is run once with all its properties, one thread, for S seconds of CPU time (100). Values are compared with the
reference results of the index. KIND/NAME, or a part of that, chooses some. The table is Markdown; what has no value is listed with the reason. The exit status is 1 when a value
differs."""
import argparse
import collections
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

TYPES = ("dtmc", "ctmc", "mdp")
ENDINGS = (".prism", ".pm", ".nm", ".sm")
GAP = 1e-3  # relative; many references are themselves of a precision of 1e-3


def as_list(value):
    return [value] if isinstance(value, str) else value or []


def source(folder, entry):
    """The model and its properties, as PRISM has them, or None."""
    names = [folder / name for name in [*as_list(entry.get("original-file")), entry["file"]]]
    model = next((path for path in names if path.suffix in ENDINGS and path.exists()), None)
    properties = next((path for path in names if path.suffix in (".props", ".prctl", ".csl", ".pctl") and path.exists()), None)
    return model, properties


def states_of(instance):
    counts = [row["number"] for row in instance.get("states", []) if row.get("number")]
    return min((10**100 if isinstance(count, str) else int(count) for count in counts), default=None)  # a string: infinite


def constants_of(instance):
    text = lambda value: str(value).lower() if isinstance(value, bool) else str(value)
    return {row["name"]: text(row["value"]) for row in instance.get("values", [])}


def reference_of(instance):
    """By property: the values that the index has, as numbers."""
    found = {}
    for row in instance.get("results", []):
        value = row.get("value")
        value = value.get("approx", value.get("lower")) if isinstance(value, dict) else value
        try:
            found.setdefault(row["property"], []).append(float(value))
        except (TypeError, ValueError):
            continue
    return found


def limit_of(seconds):
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def check(binary, model, properties, constants, seconds):
    """The answer, CPU seconds, and why there is no answer."""
    with tempfile.TemporaryDirectory() as folder:
        path, errors = pathlib.Path(folder) / "answer.json", pathlib.Path(folder) / "errors"
        words = [binary, "check", str(model), "-p", str(properties), "--threads", "1", "-q", "--deadlock", "off", "--json", str(path)]
        for name, value in constants.items():
            words += ["-D", f"{name}={value}"]
        with errors.open("w") as output:
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=output, preexec_fn=limit_of(seconds))
            _, status, usage = os.wait4(process.pid, 0)
        spent = usage.ru_utime + usage.ru_stime
        answer = json.loads(path.read_text()) if path.exists() and path.stat().st_size else {}
        lines = errors.read_text(errors="replace").splitlines()
    if os.WIFSIGNALED(status):
        return None, spent, f"more than {seconds} s"
    if "statistics" in answer:
        return answer, spent, ""
    return None, spent, next((row["message"] for row in answer.get("diagnostics", [])), (lines or ["no answer"])[0])


def check_singly(binary, model, properties, constants, seconds):
    """All properties at once; if they are refused, one by one: the answers, CPU seconds, and why there are not more."""
    answer, spent, why = check(binary, model, properties, constants, seconds)
    if answer or why.startswith("more than"):
        return [answer] if answer else [], spent, [why] if why else []
    common, single = parted(properties.read_text())
    answers, reasons = [], []
    with tempfile.TemporaryDirectory() as folder:
        for text in single:
            path = pathlib.Path(folder) / "one.props"
            path.write_text(f"{common}\n{text};\n")
            answer, more, why = check(binary, model, path, constants, seconds)
            spent += more
            answers += [answer] if answer else []
            reasons += [f"{text}: {why}"] if why else []
    return answers, spent, reasons


def parted(text):
    """Constants and labels, and each of the properties."""
    bare = re.sub(r"//[^\n]*", "", text)
    parts = [part.strip() for part in bare.split(";") if part.strip()]
    is_common = lambda part: re.match(r"(const|label|formula)\b", part)
    return "\n".join(part + ";" for part in parts if is_common(part)), [part for part in parts if not is_common(part)]


def agrees(value, references):
    low, high = float(value["lower"]), float(value["upper"])
    return any(low - GAP * max(abs(r), 1e-12) <= r <= high + GAP * max(abs(r), 1e-12) or low == high == r for r in references)


def judge(answer, reference, report):
    """How many of the properties have a value, agree, or differ."""
    results = [row for row in answer["results"] if row["kind"] == "quantity"]
    counts = {"value": 0, "agrees": 0, "differs": 0, "all": len(results)}
    for row in results:
        value, references = row.get("value"), reference.get(row["name"], [])
        if not value and row["verdict"] == "unknown":
            report(f"{row['name']}: {row.get('reason')}")
            continue
        counts["value"] += 1
        if value and references:
            outcome = "agrees" if agrees(value, references) else "differs"
            counts[outcome] += 1
            if outcome == "differs":
                report(f"DIFFERS: {row['name']}: {value['lower']}..{value['upper']}, reference {references}")
    return counts


def instances(root, options):
    for kind in TYPES:
        for index in sorted((root / kind).glob("*/index.json")):
            if options.only in f"{kind}/{index.parent.name}":
                document = json.loads(index.read_text())
                for entry in document["files"]:
                    for instance in entry.get("open-parameter-values") or [{}]:
                        yield kind, index.parent, entry, instance


def line(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("noether")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=100)
    parser.add_argument("--states", type=int, default=10**7)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    sys.set_int_max_str_digits(0)  # the index has fractions with thousands of digits
    notes, wrong, answered, tried = [], 0, 0, 0
    line(["model", "constants", "states", "explored", "CPU s", "values", "as the reference"])
    print("|---|---|---:|---:|---:|---:|---:|")
    for kind, folder, entry, instance in instances(options.folder, options):
        model, properties = source(folder, entry)
        states = states_of(instance)
        if not model or not properties or (states or 0) > options.states:
            continue
        constants = constants_of(instance)
        title = ", ".join(f"{name}={value}" for name, value in constants.items())
        answers, spent, reasons = check_singly(options.noether, model, properties, constants, options.seconds)
        report = lambda text: notes.append(f"{model.name} {title}: {text}")
        counts = collections.Counter(all=len(reasons))
        for answer in answers:
            counts.update(judge(answer, reference_of(instance), report))
        explored = max((int(answer["statistics"]["states"]) for answer in answers), default=None)  # a string: a large number
        for reason in reasons:
            report(reason)
        wrong += counts["differs"]
        tried += 1
        answered += bool(counts["all"]) and counts["value"] == counts["all"]
        line([f"{kind} {model.stem}", title, f"{states:,}" if states else "-", f"{explored:,}" if explored else "-", f"{spent:.1f}",
              f"{counts['value']} of {counts['all']}", f"{counts['agrees']}{', %d differ' % counts['differs'] if counts['differs'] else ''}"])
    print(f"\n{tried} instances, {answered} with all values; {wrong} values differ")
    for note in notes:
        print(f"- {note}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
