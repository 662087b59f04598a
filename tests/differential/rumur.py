"""A second opinion on the front end, the evaluator, and what `noether reduce` writes: rumur, on the models it accepts.

With symmetry off both explore the same states; where nothing is violated the counts must be equal, and a violation
must be found by both or by neither. Two differences are the dialects': rumur refuses to copy or compare an undefined value,
CMurphi and Noether do it (with --dialect rumur this is no difference); and rumur computes in a type just large enough for the model's ranges, Noether in 64 bits."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import patience
from generate import generate, write

MOST_WRITTEN = 20000  # characters: rumur's C takes minutes to compile for a hundred thousand
STRAIGHT = str.maketrans("“”", '""')  # where there are two texts in other quotes, rumur takes all that is between them for one


def rumur_verdict(text, deadlock="stuttering"):
    """(violated, states, rules), or None when rumur refuses the model or the dialects differ."""
    with tempfile.TemporaryDirectory() as folder:
        model, code, program = (os.path.join(folder, name) for name in ("model.m", "model.c", "model"))
        with open(model, "w", encoding="utf-8") as file:
            file.write(text.translate(STRAIGHT))
        made = subprocess.run(["rumur", "--symmetry-reduction", "off", "--deadlock-detection", deadlock, "--threads",
                               "1", "--output", code, model], capture_output=True, check=False)
        if made.returncode:
            return None
        built = subprocess.run(["gcc", "-std=c11", "-O0", "-w", "-mcx16" if os.uname().machine == "x86_64" else "-O0", code, "-o",
                                program, "-lpthread", "-latomic"], check=False, capture_output=True)
        if built.returncode:  # it writes C that does not compile for some properties without a name
            return None
        done = subprocess.run([program], capture_output=True, text=True, errors="replace", timeout=patience.seconds(60), check=False)
    if "read of undefined value" in done.stdout and "--dialect rumur" not in text or "integer overflow" in done.stdout:
        return None
    states = re.findall(r"(\d+) states", done.stdout)
    rules = re.findall(r"(\d+) rules fired", done.stdout)
    return done.returncode != 0, int(states[-1]) if states else 0, int(rules[-1]) if rules else 0


def with_defines(text):
    """The model with its constants as "-- -D NAME=VALUE" sets them: rumur has no option for that. None: they are not found."""
    for name, value in re.findall(r"^-- -D (\w+)=(\S+)", text, re.M):
        text, count = re.subn(rf"\b{name}\s*:\s*[\w-]+\s*;", f"{name}: {value};", text, count=1)
        if not count:
            return None
    return text


def compare_one(seed, outcome):
    text = with_defines(generate(seed))
    verdict = rumur_verdict(text) if text else None
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


def write_reduced(noether, seed, profile, folder):
    """The file of the model that `noether reduce` writes, and how rumur is to understand deadlocks."""
    model, reduced = os.path.join(folder, "model.m"), os.path.join(folder, "reduced.m")
    text = generate(seed, profile)
    write(model, text)
    defines = [word for line in text.split("\n") if line.startswith("-- -D ") for word in ("-D", line[6:])]
    defines += re.search(r"seed \d+,?(.*)", text)[1].split()
    done = subprocess.run([noether, "reduce", model, "--dead", "keep", "-o", reduced, *defines], capture_output=True, text=True,
                          errors="replace", check=False)
    return (reduced, "off" if "exchange" in done.stderr else "stuttering") if done.returncode == 0 else (None, None)


def compare_written(noether, seed, profile):
    """None: rumur is not asked; "": it agrees; else how it does not."""
    with tempfile.TemporaryDirectory() as folder:
        reduced, deadlock = write_reduced(noether, seed, profile, folder)
        if not reduced:
            return None
        with open(reduced, encoding="utf-8") as file:
            text = file.read()
        if len(text) > MOST_WRITTEN or not text.isascii() or re.search(r"\b(ctl|final|liveness|rule \d)", text):
            return None
        done = subprocess.run([noether, "check", reduced, "--engine", "explicit", "--symmetry", "off", "--deadlock", deadlock,
                               "--keep-going", "--json", "-"], capture_output=True, text=True, check=False)
        answer = json.loads(done.stdout)
        verdict = rumur_verdict(text, deadlock)
    if verdict is None:
        return None
    violated, states, _ = verdict
    if violated != (answer["verdict"] == "violated"):
        return f"rumur says {'violated' if violated else 'holds'} of the written model"
    if not violated and states != answer["statistics"]["states"]:
        return f"rumur has {states} states of the written model, not {answer['statistics']['states']}"
    return ""


def compare_written_with_rumur(noether, profile, outcomes, count):
    """The first `count` that it accepts: the number of models on which rumur disagrees, or 1 when it accepts too few."""
    if not shutil.which("rumur"):
        print("rumur is not installed: not compared")
        return 0
    compared = failed = 0
    for seed in (seed for seed, outcome in outcomes.items() if outcome.ways["written"][0]):
        answer = compare_written(noether, seed, profile) if compared < count else None
        compared += answer is not None
        if answer:
            failed += 1
            print(f"\nFAILED: the model of profile {profile} and seed {seed}: {answer}", flush=True)
    print(f"{compared} written models compared with rumur, {failed} of them differ")
    return failed + (compared < count and 10 * count < len(outcomes))
