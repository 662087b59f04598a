#!/usr/bin/env python3
"""Certificates of random models (tests/differential): whenever the explicit engine says that a model holds, with and without
symmetry, noether-verify accepts the certificate. The certificate of a search that did not ask for deadlocks is made one of a model
without deadlocks: it is accepted if the engine finds none, and rejected if it finds one.

    random_models.py NOETHER [--count N] [--seed S] [--profile P] [--promela N]

It may say that it cannot decide about a group (exit status 3), for a few models. The last line is "N passed, N failed"."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent / "differential")]
import common
import patience
from generate import generate, write

PROMELA = "import sys; from generate import generate; from tree import text_of; print(text_of(generate(int(sys.argv[1]))[0]))"

MOST_OPEN = 0.05  # of the certificates
TRAILER = 16
WAYS = (["--symmetry", "auto"], ["--symmetry", "declared"], ["--symmetry", "off"])


def arguments_of(text, path):
    """The constants and the file of properties that the model is checked with."""
    defines = [word for line in text.splitlines() if line.startswith("-- -D ") for word in ("-D", line[6:])]
    return defines, ([str(path.with_suffix(".props"))] if path.with_suffix(".props").exists() else [])


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=patience.seconds(60))


def try_way(binary, model, defines, properties, way, certificate):
    """None: no certificate. Else the exit status of the verifier, and what it says."""
    certificate.unlink(missing_ok=True)
    answer = run([binary, "check", "-q", str(model), *properties, *defines, *way, "--states", "20000", "--time", "20",
         "--deadlock", "off", "--certificate", str(certificate)])
    if answer.returncode == 2 and "error:" not in answer.stderr:  # else it is one of the few that are no models
        raise SystemExit(answer.stderr)
    if not certificate.exists():
        return None
    answer = run([binary + "-verify", "--time", "20", "--deadlock", "off", str(model), *properties, str(certificate)])
    return 0 if common.is_accepted(answer) else answer.returncode, answer.stdout + answer.stderr


def try_deadlock(binary, model, defines, properties, way, certificate):
    """None: it is as it should be; else what is wrong."""
    report = certificate.with_suffix(".json")
    run([binary, "check", "-q", str(model), *properties, *defines, *way, "--states", "20000", "--time", "20", "--keep-going",
         "--deadlock", "stuck", "--json", str(report)])
    found = [result["verdict"] for result in json.loads(report.read_text())["results"] if result["kind"] == "deadlock"]
    head, states = certificate.read_bytes()[:-TRAILER].split(b"\n", 1)
    head = head.replace(b'"deadlock":"off"', b'"deadlock":"stuck"')
    words = re.search(rb'"words":(\d+)', head).group(1).decode()
    certificate.write_bytes(head + b"\n" + states)
    run([str(pathlib.Path(binary).parent / "tests" / "certificate" / "seal"), str(certificate), words])
    answer = run([binary + "-verify", "--time", "20", "--deadlock", "stuck", str(model), *properties, str(certificate)])
    if (found, 0 if common.is_accepted(answer) else answer.returncode) in ((["holds"], 0), (["violated"], 1), (["unknown"], 0), (["unknown"], 1)):
        return None
    return f"deadlocks: noether says {found}, the verifier {answer.returncode}: {answer.stdout[:300]}"


def try_promela(binary, seed, folder):
    """Steps of several rules, and timeouts: the exit status of the verifier and what it says, by way."""
    model = folder / "model.pml"
    model.write_text(subprocess.run([sys.executable, "-c", PROMELA, str(seed)], capture_output=True, text=True, check=True, cwd=HERE.parent / "promela").stdout)
    return [try_way(binary, model, [], [], way, folder / "certificate") for way in WAYS]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=patience.many(75))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--promela", type=int, default=patience.many(30), help="so many models in Promela besides")
    parser.add_argument("--profile", nargs="*", default=["plain", "crowd", "partial"])
    options = parser.parse_args()
    passed = failed = undecided = 0
    with tempfile.TemporaryDirectory() as folder:
        model, certificate = pathlib.Path(folder) / "model.m", pathlib.Path(folder) / "certificate"
        for number in range(options.count):
            if patience.is_time_up() and number >= options.count // 4:
                break
            seed, profile = options.seed + number, options.profile[number % len(options.profile)]
            text = generate(seed, profile)
            model.with_suffix(".props").unlink(missing_ok=True)
            write(str(model), text)
            defines, properties = arguments_of(text, model)
            for way in WAYS:
                answer = try_way(options.binary, model, defines, properties, way, certificate)
                if answer is None:
                    continue
                undecided += answer[0] == 3
                passed += answer[0] in (0, 3)
                if answer[0] not in (0, 3):
                    failed += 1
                    print(f"profile {profile}, seed {seed}, {' '.join(way)}: {answer[0]}: {answer[1].strip()[:400]}")
                elif answer[0] == 0:
                    wrong = try_deadlock(options.binary, model, defines, properties, way, certificate)
                    passed, failed = passed + (not wrong), failed + bool(wrong)
                    if wrong:
                        print(f"profile {profile}, seed {seed}, {' '.join(way)}: {wrong}")
                else:
                    print(f"profile {profile}, seed {seed}, {' '.join(way)}: {answer[1].strip()[:200]}")
        for seed in range(options.seed, options.seed + options.promela):
            for answer in filter(None, try_promela(options.binary, seed, pathlib.Path(folder))):
                undecided += answer[0] == 3
                passed += answer[0] in (0, 3)
                failed += answer[0] not in (0, 3)
                if answer[0]:
                    print(f"Promela, seed {seed}: {answer[0]}: {answer[1].strip()[:300]}")
    if undecided > MOST_OPEN * max(passed, 20):
        print(f"{undecided} certificates were not decided")
        failed += 1
    print(f"{undecided} not decided")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
