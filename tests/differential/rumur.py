"""A second opinion on the front end and the evaluator: rumur, on the models it accepts.

With symmetry off both explore the same states; where nothing is violated the counts must be equal, and a violation
must be found by both or by neither. Two differences are the dialects': rumur refuses to copy an undefined value, CMurphi and
Noether copy it; and rumur computes in a type just large enough for the model's ranges, Noether in 64 bits."""

import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from generate import generate


def rumur_verdict(text):
    """(violated, states, rules), or None when rumur refuses the model or the dialects differ."""
    with tempfile.TemporaryDirectory() as folder:
        model, code, program = (os.path.join(folder, name) for name in ("model.m", "model.c", "model"))
        with open(model, "w", encoding="ascii") as file:
            file.write(text)
        made = subprocess.run(["rumur", "--symmetry-reduction", "off", "--deadlock-detection", "stuttering", "--threads",
                               "1", "--output", code, model], capture_output=True, check=False)
        if made.returncode:
            return None
        subprocess.run(["gcc", "-std=c11", "-O0", "-w", "-mcx16" if os.uname().machine == "x86_64" else "-O0", code, "-o",
                        program, "-lpthread", "-latomic"], check=True, capture_output=True)
        done = subprocess.run([program], capture_output=True, text=True, errors="replace", timeout=60, check=False)
    if "read of undefined value" in done.stdout or "integer overflow" in done.stdout:
        return None
    states = re.findall(r"(\d+) states", done.stdout)
    rules = re.findall(r"(\d+) rules fired", done.stdout)
    return done.returncode != 0, int(states[-1]) if states else 0, int(rules[-1]) if rules else 0


def compare_one(seed, outcome):
    verdict = rumur_verdict(generate(seed))
    if verdict is None:
        return None
    violated, states, rules = verdict
    if violated != outcome.violated:
        return f"rumur says {'violated' if violated else 'holds'}"
    if not violated and (states, rules) != (outcome.states, outcome.rules):
        return f"rumur has {states} states and {rules} rules fired, not {outcome.states} and {outcome.rules}"
    return ""


def compare_with_rumur(outcomes, count, jobs):
    """The number of models on which rumur disagrees."""
    if not shutil.which("rumur"):
        print("rumur is not installed: not compared")
        return 0
    seeds = [seed for seed in outcomes if not re.search(r"union|multiset|ctl", generate(seed))][:count]
    compared = failed = 0
    with ThreadPoolExecutor(jobs) as pool:
        for seed, answer in zip(seeds, pool.map(lambda s: compare_one(s, outcomes[s]), seeds)):
            if answer is None:
                continue
            compared += 1
            if answer:
                failed += 1
                print(f"\nFAILED: the model of seed {seed}: {answer}\n----\n{generate(seed)}----", flush=True)
    print(f"{compared} models compared with rumur, {failed} of them differ")
    return failed
