#!/usr/bin/env python3
"""tests/tables/adaptive.py BINARY: the figures of T. Wahl, "Adaptive Symmetry Reduction" (CAV 2007), and of the models
behind them, to the last state."""
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

MODELS = pathlib.Path(__file__).resolve().parents[1] / "models" / "adaptive"
# n = 80, k classes: the states of "1,1,...,rest" and of "2,2,...,rest" (Table 1).
TABLE_1 = {2: (558, 789), 3: (792, 1245), 5: (1251, 2121), 7: (1698, 2949), 10: (2346, 4101), 15: (3366, 5781),
           20: (4311, 7161), 25: (5181, 8241)}


def readers_writers(r, w):
    """States without reduction, with standard and with adaptive reduction."""
    n = r + w
    return (2**n + w * 2**(n - 1) + (3**r - 2**r) * 2**w, (r + 1) * (2 * w + 1) + r * (r + 1) // 2 * (w + 1),
            2 * n + 1 + r * (r - 1) // 2 * (w + 1))


def cases():
    """(model, constants, options, states, states represented or None)"""
    for r, w in [(2, 1), (4, 2), (6, 3), (8, 4), (10, 5), (20, 10)]:
        plain, standard, adaptive = readers_writers(r, w)
        constants = {"R": r, "W": w}
        yield "readers-writers", constants, [], adaptive, plain
        yield "readers-writers", constants, ["--method", "standard"], standard, plain
    nine, two = {"CLASSES": 9, "SIZE": 2}, {"CLASSES": 2, "SIZE": 9}
    yield "resource-controller", nine, [], 505, 1310716
    yield "resource-controller", two, [], 316, 3808000
    yield "resource-controller", nine, ["--method", "standard"], 78729, 1310716
    yield "resource-controller", two, ["--method", "standard"], 397, 3808000
    for k, row in TABLE_1.items():
        for size, states in zip((1, 2), row):
            yield "resource-controller", {"PROCS": 80, "CLASSES": k, "SIZE": size}, [], states, None


def complaint(binary, model, constants, options, states, represented):
    defines = [word for name, value in constants.items() for word in ("-D", f"{name}={value}")]
    done = subprocess.run([binary, "check", str(MODELS / f"{model}.m"), "--engine", "adaptive", "--json", "-", *defines,
                           *options], capture_output=True, text=True, timeout=patience.seconds(120))
    if done.returncode:
        return f"exit status {done.returncode}: {done.stderr.strip()}"
    figures = json.loads(done.stdout)["statistics"]
    if figures["states"] != states:
        return f"{figures['states']} states, expected {states}"
    if represented and (figures["represented"] != str(represented) or not figures["represented_is_exact"]):
        return f"stands for {figures['represented']} states, expected {represented}"
    return None


def main():
    binary, passed, failed = sys.argv[1], 0, 0
    for model, constants, options, states, represented in cases():
        wrong = complaint(binary, model, constants, options, states, represented)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"FAIL {model} {constants} {' '.join(options)}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
