#!/usr/bin/env python3
"""tests/gathered/run.py NOETHER [--count N] [--seed S]: symmetries that exchange variables.

Random models of processes that are written out one by one (written.py). The states that are stored are the orbits of a group of
automorphisms of the reachable graph, by brute force; of a symmetric model, of all permutations of its processes. The verdicts are
those without symmetry, runs are runs of the model, and noether-verify accepts certificates."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience
import written

LEAST_SYMMETRIC = 0.95  # of the models that are symmetric by construction: all permutations are found


def run(*words):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=patience.seconds(60))


def ask(binary, path, *words):
    done = run(binary, "check", path, "--deadlock", "off", "--keep-going", "--engine", "explicit", "--threads", "1", "--json", "-", *words)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{path}: exit {done.returncode}\n{done.stdout}{done.stderr}{path.read_text()}")
    return json.loads(done.stdout)


def verdicts(answer):
    return [(p["name"], p["verdict"]) for p in answer["results"]]


def state_of(model, cells):
    """A state of the program's answer as one of written.py."""
    turn = int(cells["turn"]) if model.has_turn else 0
    return (tuple(cells[model.place(x)] for x in range(model.count)),
            tuple(model.has_flags and cells[model.flag(x)] in (True, "true") for x in range(model.count)),
            cells["lock"] in (True, "true"), turn and turn - model.first_number + 1)


def check_run(model, graph, property):
    """The steps of a violation are steps of the model."""
    steps = [state_of(model, step["state"]) for step in property["trace"]]
    if steps[0] != model.start or any(b not in graph[a] for a, b in zip(steps, steps[1:])):
        return [f"the run for {property['name']} is none of the model"]
    holds = model.properties[int(property["name"])][1]
    return [f"the run for {property['name']} violates nothing"] if holds(steps[-1]) else []


def check_certificate(binary, path, folder):
    file = folder / "certificate"
    file.unlink(missing_ok=True)
    run(binary, "check", path, "--deadlock", "off", "--engine", "explicit", "--certificate", file)
    if not file.exists():
        return ["no certificate"]
    checked = run(binary.parent / "noether-verify", path, file)
    return [] if checked.stdout.startswith("accepted") else [f"certificate: {checked.stdout}{checked.stderr}"]


def check_model(binary, seed, folder):
    """Returns what is wrong, and whether all permutations were found where all are symmetries (None: they are not)."""
    model, path = written.Model(seed), folder / "written.m"
    path.write_text(model.text())
    graph = model.explore()
    group = model.automorphisms(graph)
    found, plain = ask(binary, path), ask(binary, path, "--symmetry", "off")
    stored, wrong = found["statistics"]["states"], []
    if plain["statistics"]["states"] != len(graph):
        wrong.append(f"{plain['statistics']['states']} states without symmetry for {len(graph)}")
    if verdicts(found) != verdicts(plain):
        wrong.append(f"{verdicts(found)} for {verdicts(plain)}")
    counts = {model.orbit_count(graph, part) for part in written.subgroups(group)}
    is_possible = stored in counts if len(group) <= written.MOST_ELEMENTS else min(counts) <= stored <= len(graph)
    if not is_possible:
        wrong.append(f"{stored} states are the orbits of no group of automorphisms")
    for property in found["results"]:
        if property["verdict"] == "violated" and property["name"].isdigit():
            wrong += check_run(model, graph, property)
    if seed % 5 == 0 and all(verdict == "holds" for _, verdict in verdicts(found)):
        wrong += check_certificate(binary, path, folder)
    return wrong, None if model.odd else stored <= model.orbit_count(graph, model.processes())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--count", type=int, default=70)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failures, symmetric, whole = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            wrong, is_whole = check_model(arguments.binary, seed, pathlib.Path(folder))
            symmetric += is_whole is not None
            whole += bool(is_whole)
            failures += bool(wrong)
            for words in wrong:
                print(f"seed {seed}: {words}\n{written.Model(seed).text()}")
    if whole < LEAST_SYMMETRIC * symmetric:
        failures += 1
        print(f"all permutations were found in {whole} of {symmetric} symmetric models")
    print(f"gathered: {arguments.count} models, {symmetric} symmetric, {whole} of them found whole, {failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
