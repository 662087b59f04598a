#!/usr/bin/env python3
"""tests/detection/run.py BINARY: symmetry is found where nobody declared it.

The models in models/ say in their heads which group they have: its order, and for each factor the elements it moves
("*": all of the type) and its kind. The states stored represent as many as there are without symmetry.

Random models (generate.py): no generator that is found is wrong, and in most cases all of the group is found; exhaust.c
tries all permutations on all states.

Every model of tests/models and examples/ with scalarsets is rewritten with ranges in their place: the group found is at
least as large, the same number of states is stored and represented."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

import generate

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATES = "20000"
LEAST_MODELS = 30
RANDOM_MODELS = 2000
LEAST_WHOLE = 0.95
MOST_AUDITED = 100000
SMALL = {"german.m": "NODE_NUM=2", "peterson.m": "N=4", "mcs-lock.m": "N=4"}  # orbits counted by brute force


def ask(binary, *words):
    done = subprocess.run([binary, *map(str, words), "--json", "-"], capture_output=True, text=True, timeout=patience.seconds(60))
    return json.loads(done.stdout) if done.stdout and done.returncode != 2 else None


def check(binary, model, *words):
    answer = ask(binary, "check", model, "--threads", "1", "--states", STATES, "--deadlock", "off",
                 "--representative", "canonical", *words,  # else processor time decides which
                 "--store", "plain")  # else it depends on what is asleep which states are the first ones
    if not answer:
        return None
    verdicts = [(p["name"], p["verdict"]) for p in answer["results"]]
    return int(answer["symmetry"]["order"]), answer["statistics"]["states"], answer["statistics"]["represented"], verdicts


def count_orbits(binary, model, *words):
    """By joining each state with its images under the generators; None: too many states for that."""
    done = subprocess.run([binary, "symmetry", model, "--audit", *words], capture_output=True, text=True, timeout=patience.seconds(60))
    found = re.search(r"audit: .*; (\d+) orbits", done.stderr)
    return int(found.group(1)) if found else None


def compare_orbits(binary, model, *words):
    """As many states are stored as there are orbits."""
    orbits = count_orbits(binary, model, *words)
    answer = ask(binary, "check", model, "--deadlock", "off", "--engine", "explicit", "--representative", "canonical", "--symmetry", "detected", *words)
    if orbits is None:
        return ["the audit fails"]
    stored = answer["statistics"]["states"]
    return [f"{stored} states stored for {orbits} orbits"] if answer["complete"] and stored != orbits else []


def compare_unannotated(binary, model, folder):
    """None: no range can take the place of a scalarset here (unions). Else what is wrong, or an empty list."""
    text = model.read_text()
    plain = re.sub(r"(?i)scalarset\s*\(([^)]*)\)", r"1..\1", text)
    if plain == text:
        return None
    path = pathlib.Path(folder) / model.name
    path.write_text(plain)
    found, declared = check(binary, path), check(binary, model, "--symmetry", "declared")
    if not found or not declared:
        return None
    problems = []
    order = int(ask(binary, "symmetry", path)["order"])
    if order < declared[0]:
        problems.append(f"group of order {order}, declared {declared[0]}")
    if found[0] == declared[0] and found[1:] != declared[1:]:
        problems.append(f"{found[1:]}, with scalarsets {declared[1:]}")
    if model.name in SMALL:
        problems += compare_orbits(binary, path, "-D", SMALL[model.name])
    return problems


def read_expected(model):
    """Order, and factors as {sets: kind} with sets like "Proc{1,2,3}" or "Client{*}+Box{*}"."""
    words = re.search(r"-- detect: (.*)", model.read_text()).group(1).split()
    order = words[0].removeprefix("order=")
    return order, sorted(words[1:])


def describe_set(part):
    elements = ",".join(part["elements"])
    if len(part["elements"]) > 20:
        elements = f'{part["elements"][0]}..{part["elements"][-1]}'
    return f'{part["type"]}{{{"*" if part["is_whole"] else elements}}}'


def describe(symmetry):
    factors = []
    for factor in symmetry["factors"]:
        sets = "+".join(map(describe_set, factor["sets"])) if "sets" in factor else factor["type"] + "{*}"
        factors.append(f"{sets}={factor['kind']}")
    return symmetry["order"], sorted(factors)


def compare_example(binary, model):
    expected = read_expected(model)
    found = describe(ask(binary, "symmetry", model))
    is_right = found[1] == expected[1] and expected[0] in (found[0], "*")
    problems = [] if is_right else [f"found {found}, expected {expected}"]
    words = ["check", model, "--deadlock", "off"]
    reduced, plain = ask(binary, *words, "--symmetry", "detected"), ask(binary, *words, "--symmetry", "off")
    if reduced["complete"] and reduced["statistics"]["represented"] != str(plain["statistics"]["states"]):
        problems.append(f'represents {reduced["statistics"]["represented"]} of {plain["statistics"]["states"]} states')
    if plain["complete"] and plain["statistics"]["states"] <= MOST_AUDITED:
        problems += compare_orbits(binary, model)
    if [r["verdict"] for r in reduced["results"]] != [r["verdict"] for r in plain["results"]]:
        problems.append("another verdict than without symmetry")
    if reduced["verdict"] == "violated":
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace.json"
            subprocess.run([binary, *map(str, words), "--trace", trace], capture_output=True, timeout=patience.seconds(60))
            if subprocess.run([binary, "replay", model, trace], capture_output=True, timeout=patience.seconds(60)).returncode:
                problems.append("its trace is no run of the model")
    return problems


def compare_random(exhaust):
    """Problems, how many were compared, how many of them had their whole group found."""
    problems, whole, compared = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for seed in range(RANDOM_MODELS):
            paths.append(pathlib.Path(folder) / f"random-{seed}.m")
            paths[-1].write_text(generate.model(seed))
        for first in range(0, RANDOM_MODELS, 250):
            done = subprocess.run([exhaust, *paths[first:first + 250]], capture_output=True, text=True, timeout=patience.seconds(600))
            for line in done.stdout.splitlines():
                words = line.split()
                if words[1] == "found":
                    compared += 1
                    whole += words[2] == words[4]
                elif words[1] == "WRONG":
                    problems.append(line)
            if done.returncode not in (0, 1) or done.stderr:
                problems.append(f"exhaust ended with {done.returncode}: {done.stderr[-300:]}")
    if whole < LEAST_WHOLE * compared or compared < RANDOM_MODELS / 2:
        problems.append(f"the whole group is found in {whole} of {compared} models only")
    return problems, compared, whole


def main():
    binary = sys.argv[1]
    examples = sorted((ROOT / "tests/detection/models").glob("*.m"))
    failed = 0
    for model in examples:
        for problem in compare_example(binary, model):
            print(f"FAIL {model.relative_to(ROOT)}: {problem}")
            failed += 1
    models = sorted((ROOT / "tests/models").glob("*.m")) + sorted((ROOT / "examples").glob("*.m"))
    # A liveness property for each number of a range is a property of its own, and distinguishes it.
    models = [model for model in models if not model.name.startswith("liveness-ruleset")]
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            problems = compare_unannotated(binary, model, folder)
            compared += problems is not None
            for problem in problems or []:
                print(f"FAIL {model.relative_to(ROOT)} without scalarsets: {problem}")
                failed += 1
    if compared < LEAST_MODELS:
        print(f"FAIL only {compared} models without scalarsets")
        failed += 1
    exhaust = pathlib.Path(binary).resolve().parent / "tests/detection/exhaust"
    problems, random_models, whole = compare_random(exhaust)
    for problem in problems:
        print(f"FAIL {problem}")
    failed += len(problems)
    print(f"{RANDOM_MODELS} random models audited; the whole group found in {whole} of {random_models} "
          f"({100 * whole / random_models:.1f}%)")
    print(f"{len(examples)} examples, {compared} models without scalarsets")
    print(f"{len(examples) + compared + 1 - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
