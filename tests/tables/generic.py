#!/usr/bin/env python3
"""Table 2 of A. F. Donaldson and A. Miller, "Symmetry Reduction for Probabilistic Model Checking Using Generic Representatives"
(ATVA 2006): the states of the counted models, to the last one, and the results.

    tests/tables/generic.py NOETHER
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/prism"))
import protocols  # noqa: E402

BINARY = sys.argv[1]
LEADER = {20: 231, 40: 861, 60: 1891, 80: 3321}
# As a Markov chain: the chance that somebody is elected within 2n steps.
LEADER_CHANCE = {3: 0.7934027777777778, 5: 0.5310046875, 8: 0.2418050163832959, 10: 0.134854999315628,
                 20: 0.00530258058381199}
MUTEX = {4: (1691, 27600), 8: (68678, 390068480)}
# In sets of states; with the states of the model as it is written.
MUTEX_SETS = {12: (892542, 4909136957440), 20: (32706005, 708646900289424588800)}


def check(folder, model, properties, *options):
    (folder / "m.prism").write_text(model)
    (folder / "m.props").write_text(properties)
    done = subprocess.run([BINARY, "check", str(folder / "m.prism"), str(folder / "m.props"), "--json", "-", *options],
                          capture_output=True, text=True, check=False)
    if done.returncode == 2 or not done.stdout:
        return done.stderr.strip(), None
    answer = json.loads(done.stdout)
    value = next((r.get("value") for r in answer["results"] if r["kind"] == "quantity"), None)
    figures = answer["statistics"]
    represented = int(figures["represented"]) if figures["represented_is_exact"] else None
    return (figures["states"], represented), (float(value["lower"]), float(value["upper"])) if value else None


def cases():
    for count, states in LEADER.items():
        yield f"leader {count}", protocols.leader(count), protocols.LEADER_MDP, (states, 3**count), 1, "counter"
    for count, chance in LEADER_CHANCE.items():
        states = (count + 1) * (count + 2) // 2, 3**count
        yield f"leader {count} (dtmc)", protocols.leader(count, "dtmc"), protocols.leader_dtmc(count), states, chance, "counter"
    for count, states in MUTEX.items():
        yield f"mutex {count}", protocols.mutex(count), protocols.MUTEX, states, 1, "counter"
    for count, states in MUTEX_SETS.items():
        yield f"mutex {count}", protocols.mutex(count), protocols.MUTEX, states, 1, "symbolic"
    yield "mutex 4, not counted", protocols.mutex(4), protocols.MUTEX, (27600, 27600), 1, "probabilistic"


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        for title, model, properties, states, value, engine in cases():
            options = ["--engine", engine] + (["--symmetry", "off"] if engine == "probabilistic" else [])
            found, bounds = check(pathlib.Path(name), model, properties, *options)
            is_good = found == states and bounds and bounds[0] <= value * (1 + 1e-12) and bounds[1] >= value * (1 - 1e-12)
            passed += bool(is_good)
            failed += not is_good
            if not is_good:
                print(f"{title}: {found} states, value in {bounds}; expected {states} and {value}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
