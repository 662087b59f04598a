"""What the tests of checkpoints, disks and ranks have in common: searches, what counts of their answers, models for them, and the report."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import children  # noqa: E402,F401
import patience  # noqa: E402

HANG = 60
CUTS = 6 # of one search, at most
MANY_STATES = 1000000
REFUSED = 2
UNKNOWN = 3
COUNTS = ("states", "represented", "represented_is_exact", "transitions", "rules_fired", "depth", "rules")


class Lost(Exception):
    """Something that should be there is not, or something that should not is."""


def run(words, folder, limits=None):
    """Exit status, what was said to standard error, and the answer, or None. The folder is the working directory."""
    answer = folder / "answer.json"
    answer.unlink(missing_ok=True)
    with subprocess.Popen([*words, "--json", "answer.json", "-q"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, errors="replace", preexec_fn=limits) as child:
        try:
            said = patience.communicate(child, HANG)[1]
        except subprocess.TimeoutExpired:
            child.kill()
            raise
    if child.returncode < 0:
        raise Lost(f"ended by signal {-child.returncode}: {said.strip()}")
    return child.returncode, said, json.loads(answer.read_text()) if answer.exists() else None


def essence(answer):
    """What must be the same with and without interruption: verdicts, lengths of runs, counts."""
    statistics = answer["statistics"]
    results = [(result["name"], result["verdict"], result["reason"], result.get("vacuous"),
                len(result["trace"]) if result.get("trace") else None) for result in answer["results"]]
    counts = {key: statistics.get(key) for key in COUNTS}
    counts["levels"] = [level["states"] for level in statistics.get("levels") or []]
    return {"results": results, "complete": answer["complete"], "stopped": answer["stopped_kind"], **counts}


def differences(expected, got):
    return "; ".join(f"{key}: {expected[key]} became {got[key]}" for key in expected if expected[key] != got[key])


def insist_same(expected, answer):
    if answer is None:
        raise Lost("there is no answer")
    wrong = differences(expected, essence(answer))
    if wrong:
        raise Lost(wrong)


def insist_nothing_left(folder, kept="kept"):
    """The checkpoint is gone, and no other file was left beside it."""
    left = sorted(name for name in os.listdir(folder) if name not in ("answer.json", "random.m", "disk"))
    left += os.listdir(folder / "disk") if (folder / "disk").exists() else []
    if left:
        raise Lost(f"left behind: {left}" + (f" with {sorted(os.listdir(folder / kept))}" if kept in left else ""))


class Folder:
    """A temporary one; temporary files of the program go there, too."""

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="noether-checkpoint-"))
        return self.path

    def __exit__(self, *error):
        shutil.rmtree(self.path, ignore_errors=True)


def cut_and_resume(noether, draw, words, expected, folder, way):
    """A check with checkpoints, cut after numbers of states and resumed until it is done. `way` draws how each of the runs is made: what
    stands before the program, options of check and resume alike, and those of resume alone. How often it was resumed."""
    states = expected["states"]
    points = sorted(draw.randrange(1, states + 1) for _ in range(draw.randrange(1, CUTS))) if states > 1 else [1]
    every = draw.choice([[], ["--every", "0.001"]])
    command, is_resumed, ways = ["check", *words, "--engine", "explicit", "--checkpoint", "kept"], False, []
    for number, most in enumerate([*points, MANY_STATES]):
        before, more, of_resume = way(draw)
        status, said, answer = run([*before, noether, *command, *more, *(of_resume if is_resumed else []), *every, "--states", str(most)], folder)
        ways.append(" ".join([*before[-1:], *more, str(most)]))
        if "more states than --states allows" in said and most < MANY_STATES: # ranks have rounded it up
            continue
        if answer is None:
            raise Lost(f"exit status {status} ({'; '.join(ways)}): {said.strip()}")
        if answer["stopped_kind"] != "states":
            try:
                insist_same(expected, answer)
            except Lost as wrong:
                raise Lost(f"{wrong} ({'; '.join(ways)})") from None
            insist_nothing_left(folder)
            return number
        if "before its first level" in said: # while the start states were found
            insist_nothing_left(folder)
            continue
        if "noether resume" not in said:
            raise Lost(f"nothing is said of the checkpoint: {said.strip()}")
        command, is_resumed = ["resume", "kept"], True
    raise Lost("it does not come to an end")


def safety_models():
    """The test models and examples of all languages that have states one by one."""
    folders = (("tests/models", "*.m"), ("tests/models/promela", "*.pml"), ("tests/models/boolean", "*.bp"), ("examples", "*.m"),
               ("examples", "*.pml"))
    return sorted(path for folder, pattern in folders for path in (ROOT / folder).glob(pattern))


def arguments_of(count, jobs):
    """Of the command line; `count` and `jobs` unless it says others."""
    parser = argparse.ArgumentParser()
    parser.add_argument("noether", type=os.path.abspath)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1 if os.environ.get("CI") else int(time.strftime("%Y%m%d")))
    parser.add_argument("--only", type=int)
    parser.add_argument("--jobs", type=int, default=jobs)
    arguments = parser.parse_args()
    arguments.cases = range(arguments.count) if arguments.only is None else [arguments.only]
    print(f"seed {arguments.seed}")
    return arguments


def attempt(label, work, *arguments):
    """(label, whether it applies, what is wrong or None)"""
    try:
        work(*arguments)
    except Lost as wrong:
        return label, True, str(wrong)
    except subprocess.TimeoutExpired:
        return label, True, "it does not end"
    return label, True, None


def tell(outcomes):
    """Of (title, label, whether it applies, what is wrong or None) each. Returns the exit status."""
    failed = sum(bool(wrong) for _, _, _, wrong in outcomes)
    for title, label, _, wrong in outcomes:
        if wrong:
            print(f"FAILED {title}: {label}: {wrong}")
    print(f"{sum(applies for _, _, applies, _ in outcomes)} of {len(outcomes)} apply")
    print(f"{len(outcomes) - failed} passed, {failed} failed")
    return 1 if failed else 0
