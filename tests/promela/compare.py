"""Asks noether about a model in several ways, and compares with the truth."""
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

SECONDS = 20
OFF = ["--symmetry", "off"]
WAYS = {"plain": [*OFF, "--stepper", "vm"], "evaluator": [*OFF, "--stepper", "evaluator"], "native": [*OFF, "--stepper", "native"], "symmetry": []}
# The kinds of noether that mean what SPIN says.
SAME = {"assertion": {"assertion"}, "deadlock": {"deadlock"}, "index": {"runtime", "error"}, "d_step-blocks": {"runtime", "error"},
        "d_step-rendezvous": {"runtime", "error"}, "rendezvous-polled": {"runtime", "error"}, "channel": {"runtime", "error"},
        "trace": {"error"}, "trace-choice": {"error"}, "choice": {"error"}, "own-question": {"error"}}


class Refused(Exception):
    """The model is not checked: a diagnostic, or a limit."""


class Late(Refused):
    """A limit of time: no answer, and no difference either."""


def ask(noether, path, *options):
    words = [noether, "check", str(path), "--language", "promela", "--json", "-", "--threads", "1", "--time", str(int(patience.seconds(SECONDS))), *options]
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=patience.seconds(3 * SECONDS), stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as late:
        raise Refused("it does not end") from late
    if done.returncode == 3 and "time limit" in done.stdout + done.stderr:
        raise Late("the time limit is reached")
    if done.returncode not in (0, 1):
        raise Refused(f"exit status {done.returncode}: {(done.stderr or done.stdout).strip()[:400]}")
    return json.loads(done.stdout)


def violated(answer, kinds=None):
    return [result for result in answer["results"] if result["verdict"] == "violated" and (kinds is None or result["kind"] in kinds)]


def safety(answer):
    """The violations that the plain search of SPIN is about."""
    return violated(answer, {"assertion", "deadlock", "runtime", "error"})


def compare_safety(answer, truth, way):
    found = safety(answer)
    if bool(found) != bool(truth.kinds):
        yield f"{way}: {[result['kind'] for result in found] or 'holds'}, SPIN says {truth.kinds or 'holds'}"
    elif found and truth.complete and not any(found[0]["kind"] in SAME.get(kind, ()) for kind in truth.kinds):
        yield f"{way}: violated {found[0]['kind']} ({found[0]['reason']}), SPIN says {truth.kinds}"


def compare_states(answer, truth, way, reduced):
    figures = answer["statistics"]
    states = figures["represented"] if reduced else figures["states"]
    if reduced and (not figures["represented_is_exact"] or answer["options"].get("process-death") == "never"):
        return  # where processes stay when they have ended there are fewer states than SPIN's: idioms.py compares these
    if int(states) != truth.states:
        yield f"{way}: {states} states, SPIN has {truth.states}"


def name_of(result):
    """Of a formula, or the word for what is asked about labels and claims."""
    return next((word for word, text in (("claim", "never claim"), ("accept", "accept"), ("progress", "progress")) if text in result["name"]), result["name"])


def compare_formulas(answer, truth, way, suffix=""):
    for result in answer["results"]:
        wanted = truth.verdicts.get(name_of(result) + suffix) if result["kind"] == "ltl" else None
        if wanted and result["verdict"] != wanted and result["verdict"] != "unknown":
            yield f"{way}: {result['name']}{suffix} {result['verdict']}, SPIN says {wanted}"


def compare_fair(noether, path, truth, way):
    try:
        answer = ask(noether, path, *WAYS[way], "--deadlock", "off", "--keep-going", "--fairness", "weak")
        yield from compare_formulas(answer, truth, f"{way}, weak fairness", " fair")
    except Late:
        yield f"{way}: late"
    except Refused as reason:
        yield f"{way}, weak fairness: refused: {reason}"


def compare_way(noether, path, model, truth, way):
    """What differs: texts."""
    options = WAYS[way]
    answer = ask(noether, path, *options)
    if violated(answer) and not safety(answer):  # a cycle was found first
        answer = ask(noether, path, *options, "--keep-going")
    yield from compare_safety(answer, truth, way)
    if truth.complete and set(truth.kinds) <= {"deadlock"}:
        answer = ask(noether, path, *options, "--deadlock", "off", "--keep-going")
        yield from compare_states(answer, truth, way, reduced=way == "symmetry")
        yield from compare_formulas(answer, truth, way)
        if any(name.endswith(" fair") for name in truth.verdicts):
            yield from compare_fair(noether, path, truth, way)


def compare(noether, path, model, truth, ways=WAYS):
    """All that differs; a refusal is one."""
    for way in ways:
        try:
            yield from compare_way(noether, path, model, truth, way)
        except Late:
            yield f"{way}: late"
        except Refused as reason:
            yield f"{way}: refused: {reason}"
