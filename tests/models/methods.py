"""One engine by all of its methods, on every model of this folder and of examples/: what sat.py and symbolic.py share.

Some methods are too slow for some models: a run that ends at its time limit says nothing. Those that are known to (too-hard.txt) are left
out, and count as late; --all tries them, too."""
import argparse
import collections
import os
import pathlib
import tempfile
from concurrent.futures import ThreadPoolExecutor

LIST = pathlib.Path(__file__).resolve().parent / "too-hard.txt"
LATE = "late"


def read_arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("binary")
    parser.add_argument("--only", default="", help="models whose name contains this")
    parser.add_argument("--all", action="store_true", help="also the runs that are known to end at their time limit")
    arguments = parser.parse_args()
    arguments.binary = str(pathlib.Path(arguments.binary).resolve())
    return arguments


def hard_runs(engine):
    """By the name of a case: the methods that do not end in time."""
    found = collections.defaultdict(set)
    for line in LIST.read_text().splitlines():
        if not line.startswith("#"):
            by, methods, name = line.split(" ", 2)
            found[name] |= set(methods.split(",")) if by == engine else set()
    return found


class Methods:
    """The methods of an engine. wrong(case, method, folder): what is wrong with a run, a list of sentences, or why it says nothing, a
    string. is_worth(case, method, excuses): is it worth trying, after what the methods before it said?"""

    def __init__(self, engine, names, wrong, is_worth, tries_all):
        self.names, self.wrong, self.is_worth = names, wrong, is_worth
        self.hard = {} if tries_all else hard_runs(engine)

    def run_case(self, case):
        """Sentences about what is wrong, and why methods say nothing."""
        failures, excuses = [], {}
        with tempfile.TemporaryDirectory() as folder:
            for method in self.names:
                if not self.is_worth(case, method, excuses):
                    continue
                is_hard = method in self.hard.get(case.name(), ())
                found = LATE if is_hard else self.wrong(case, method, folder)
                if isinstance(found, str):
                    excuses[method] = found
                else:
                    failures += [f"{case.name()} ({method}): {sentence}" for sentence in found]
        return failures, excuses

    def run(self, cases):
        """Passed, failed, and how often which method had which excuse."""
        passed = failed = 0
        said = collections.Counter()
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            for case, (failures, excuses) in zip(cases, pool.map(self.run_case, cases)):
                for sentence in failures:
                    print("FAILED", sentence, flush=True)
                if excuses:
                    print(f"{case.name()}: {', '.join(f'{method} {why}' for method, why in excuses.items())}", flush=True)
                said.update(excuses.items())
                failed += bool(failures)
                passed += not failures
        return passed, failed, said
