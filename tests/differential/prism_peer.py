#!/usr/bin/env python3
"""tests/differential/prism_peer.py [--count N] [--seed S] [--keep FOLDER] BINARY: the same random chains as prism.py and
prism_counters.py, checked by PRISM itself, where `prism` is on the PATH (else nothing is done): the number of states, and the values of
the properties that PRISM supports, must be the same. What `noether reduce` writes is checked by PRISM as it is: it must be accepted, and
have as many states and the same values."""
import pathlib
import re
import shutil
import subprocess
import sys

import tally
from prism import SECONDS, Model
from prism_counters import Alike, check, values

PRISM_OPTIONS = ("-ex", "-epsilon", "1e-9", "-maxiters", "100000")
TOLERANCE = 1e-6
# Long runs of decision processes; bounds of the least or greatest value, which PRISM cannot parse.
NOT_KNOWN = r"S(min|max)|R\{.*\}(min|max)=\? \[ S|.*P(min|max)[<>]"


def ask(model, properties):
    """The number of states; what PRISM says of each property, None where it has no answer; and why there is nothing at all."""
    done = subprocess.run(["prism", str(model), str(properties), *PRISM_OPTIONS], capture_output=True, text=True, timeout=SECONDS * 2)
    states = re.search(r"^States: +(\d+)", done.stdout, re.M)
    parts = re.split(r"^Model checking: ", done.stdout, flags=re.M)
    answers = [re.search(r"^Result: (\[.*?\]|\S+)", part, re.M) for part in parts[1:]]
    problem = "" if parts[1:] else next(iter(re.findall(r"^Error: .*", done.stdout, re.M)), "no answer")
    return int(states[1]) if states else None, [answer[1] if answer else None for answer in answers], problem


def number(text):
    return float("inf") if text in ("Infinity", "inf") else float(text)


def is_near(ours, theirs):
    return ours == theirs or abs(ours - theirs) <= TOLERANCE * max(1, abs(ours))


def differs(result, answer):
    """Why our result and PRISM's cannot both be right; nothing when they can, or when one of them is missing."""
    if answer in (None, "NaN") or result["verdict"] == "unknown":
        return ""
    if answer in ("true", "false"):
        return "" if (result["verdict"] == "holds") == (answer == "true") else f"{result['verdict']}, PRISM says {answer}"
    if "value" not in result:
        return f"no value, PRISM says {answer}"
    low, high = (number(result["value"][end].replace("infinity", "inf")) for end in ("lower", "upper"))
    if answer.startswith("["):
        least, greatest = (number(end.strip()) for end in answer[1:-1].split(","))
        is_right = is_near(low, least) and is_near(high, greatest)
    else:
        theirs = number(answer)
        is_right = is_near(low, theirs) or is_near(high, theirs) or low <= theirs <= high
    return "" if is_right else f"{low}..{high}, PRISM says {answer}"


def compare_answers(name, results, answers):
    found = [f"{name}: {result['name']}: {why}" for result, answer in zip(results, answers)
             for why in [differs(result, answer)] if why]
    return found, sum(answer is not None and result["verdict"] != "unknown" for result, answer in zip(results, answers))


def compare_counted(binary, folder):
    """What is wrong with the counted model; how many values were compared."""
    done = subprocess.run([binary, "reduce", str(folder / "model.prism"), str(folder / "model.props"), "-o",
                           str(folder / "counted.prism")], capture_output=True, text=True, timeout=SECONDS)
    if done.returncode:
        return [], 0
    ours, problem = check(binary, folder, "counted.prism", "counted.props", "--symmetry", "off")
    if ours is None:
        return [f"counted: {problem}"], 0
    states, answers, problem = ask(folder / "counted.prism", folder / "counted.props")
    if problem:
        return [f"counted: PRISM: {problem}"], 0
    found, compared = compare_answers("counted", values(ours), answers)
    if states is not None and states != int(ours["statistics"]["states"]):
        found.append(f"counted: {ours['statistics']['states']} states, PRISM finds {states}")
    return found, compared


def compare(binary, seed, keep):
    """What is wrong, and how many values were compared."""
    model = (Alike if seed % 2 else Model)(seed)
    folder = pathlib.Path(keep) / str(seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.prism").write_text(model.text())
    known = [line for line in model.properties().splitlines() if not re.match(NOT_KNOWN, line)]
    (folder / "model.props").write_text("".join(f"{line};\n" for line in known))
    ours, problem = check(binary, folder, "model.prism", "model.props")
    if ours is None:
        return [] if "error:" in problem else [problem or "no answer"], 0
    states, answers, problem = ask(folder / "model.prism", folder / "model.props")
    if problem or ours.get("stopped_by"):
        return [f"PRISM: {problem}"] if problem else [], 0
    found, compared = compare_answers("original", values(ours), answers)
    figures = ours["statistics"]
    if states is not None and figures["represented_is_exact"] and states != int(figures["represented"]):
        found.append(f"{figures['represented']} states, PRISM finds {states}")
    more, counted = compare_counted(binary, folder)
    return found + more, compared + counted


def summary(count, compared):
    return f"{compared} values compared with PRISM's", compared >= 2 * count


if __name__ == "__main__":
    if not shutil.which("prism"):
        print("prism is not on the PATH: nothing is compared with it")
        sys.exit(0)
    sys.exit(tally.run(compare, 8, summary))
