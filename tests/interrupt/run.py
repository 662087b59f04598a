#!/usr/bin/env python3
"""Interrupts the program at random times: every command and engine, over the test models and the examples.

    tests/interrupt/run.py NOETHER [--count N] [--seed N] [--only NUMBER] [--jobs N]

Each interruption is a limit of time (--time), or a signal (SIGINT, SIGTERM, SIGHUP) that comes after a random time. The
program must end within a second of it and print a well-formed answer: exit status 3 and what is known, or the answer, if it
was done before. Work that did not wind up in time, and was given up by the command line (`abandoned` in the JSON), fails
the test, unless the same interruption passes when it is tried again: a loaded machine may let us wait for longer than the
program has. The seed is printed; --only repeats one interruption."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import patience  # noqa: E402

SECONDS = 1.0       # within which it must end
HANG = 60           # after which it is killed
TRIES = 4
ENGINES = ("auto", "explicit", "adaptive", "complete", "symbolic", "counter", "probabilistic", "cover", "sat")
METHODS = ("none", "orbit", "multiple", "onthefly", "dynamic", "generic")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GIVEN_UP = "did not wind up"

# Models with so many states that they are interrupted in the middle of something.
LARGE = [
    ("examples/german.m", ["-D", "NODE_NUM=7"]),
    ("examples/flash.m", ["-D", "NODES=4"]),
    ("examples/mesi.m", ["-D", "CACHES=5"]),
    ("examples/msi.m", ["-D", "CACHES=5"]),
    ("examples/mcs-lock.m", ["-D", "N=6"]),
    ("examples/peterson.m", ["-D", "N=7"]),
    ("examples/readers-writers.m", ["-D", "READERS=9", "-D", "WRITERS=6"]),
    ("examples/needham-schroeder.m", ["-D", "INITIATORS=2", "-D", "RESPONDERS=2"]),
    ("tests/models/scalarset-functional-graphs.m", ["-D", "N=8"]),
    ("tests/models/scalarset-graphs.m", ["-D", "N=7"]),
    ("tests/findings/limits/forbig.m", []),
    ("tests/findings/limits/rulesetbig.m", []),
    ("tests/findings/limits/sd65.m", []),
    ("tests/findings/limits/mutex-256-128.m", []),
]
LARGE_PRISM = [
    ("examples/herman.prism", ["examples/herman.props"]),
    ("examples/leader.prism", ["examples/leader.props"]),
    ("examples/mutex.prism", ["examples/mutex.props"]),
    ("examples/philosophers.prism", ["examples/philosophers.props"]),
    ("examples/polling.prism", ["examples/polling.props"]),
    ("tests/findings/limits/psync.prism", []),
]


def small_models():
    folders = (ROOT / "tests/models", ROOT / "tests/models/adaptive", ROOT / "tests/models/complete", ROOT / "examples")
    return sorted(str(path.relative_to(ROOT)) for folder in folders for path in folder.glob("*.m"))


def words_of(draw, models, trace):
    """A command with its operands and options; what it writes to standard output may be JSON."""
    is_prism = draw.random() < 0.2
    is_large = draw.random() < 0.8
    if is_prism:
        model, more = draw.choice(LARGE_PRISM)
    elif is_large:
        model, more = draw.choice(LARGE)
    else:
        model, more = draw.choice(models), []
    command = draw.choices(("check", "symmetry", "graph", "simulate", "reduce", "replay", "explain"),
                           (14, 2, 2, 1, 2, 1, 1))[0]
    if command in ("replay", "explain"):
        return [command, "examples/german-bug.m", trace]
    words = [command, model, *more]
    if command == "check":
        engine = draw.choice(ENGINES)
        words += ["--engine", engine]
        if engine == "symbolic" and draw.random() < 0.6:
            words += ["--method", draw.choice(METHODS)]
        if engine in ("auto", "explicit", "counter", "probabilistic"):
            words += ["--stepper", draw.choice(("auto", "vm", "evaluator"))]
        if engine == "explicit":
            words += ["--symmetry", draw.choice(("auto", "declared", "off")), "--threads", draw.choice(("1", "2"))]
            words += draw.choice(([], ["--search", "dfs"], ["--keep-going"], ["--store", "plain"]))
        if engine == "probabilistic" and draw.random() < 0.3:
            words += ["--exact"]
        words += draw.choice(([], ["--json", "-"], ["-v"], ["-q"]))
    elif command == "symmetry":
        words += draw.choice(([], ["--json", "-"], ["--audit"]))
    elif command == "graph":
        words += ["--as", draw.choice(("dot", "json"))]
    elif command == "simulate":
        words += ["--random", "1000000000"]
    return words


class Interruption:
    def __init__(self, number, seed, models, trace):
        draw = random.Random(f"{seed}/{number}")
        self.number = number
        self.words = words_of(draw, models, trace)
        self.signal = draw.choice(SIGNALS) if draw.random() < 0.5 else None
        self.after = 10 ** draw.uniform(-2.5, -0.5)
        if not self.signal:
            self.words += ["--time", f"{self.after:.4f}"]

    def __str__(self):
        how = f"{self.signal.name} after {self.after:.4f} s" if self.signal else "limit"
        return f"#{self.number} ({how}): noether {' '.join(self.words)}"


def interrupt(binary, case):
    """Exit status, output, messages, seconds from the interruption to the end."""
    begin = time.monotonic()
    process = subprocess.Popen([binary, *case.words], cwd=ROOT, text=True, errors="replace", stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    if case.signal:
        if patience.listens(process.pid, HANG):
            begin = time.monotonic() + case.after
            try:
                process.wait(case.after)
            except subprocess.TimeoutExpired:
                process.send_signal(case.signal)
    else:
        begin += case.after
    try:
        out, err = process.communicate(timeout=patience.seconds(HANG))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return "hangs", out, err, time.monotonic() - begin
    return process.returncode, out, err, time.monotonic() - begin


def wrong_form(case, status, out, err):
    """What is wrong with the answer, or None."""
    command, model = case.words[:2]
    if status == "hangs" or status < 0 or status not in (0, 1, 2, 3):
        return f"exit status {status}"
    if "internal error" in out + err or "Sanitizer" in err:
        return "internal error"
    if status == 2:  # refused by this engine, or options that do not go together
        return None if "noether: " in err or "error: " in err else "refused without a message"
    if "--json" in case.words or ("graph" == command and "json" in case.words):
        if not out and status == 3 and command != "check":
            return None if err else "nothing was said"
        try:
            answer = json.loads(out)
        except ValueError:
            return "not JSON"
        if command == "check" and (answer["verdict"] not in ("holds", "violated", "unknown") or
                                   {"holds": 0, "violated": 1, "unknown": 3}[answer["verdict"]] != status):
            return "verdict and exit status differ"
        return None
    if command == "check" and (out or status != 3):
        last = out.rstrip().rsplit("\n", 1)[-1]
        said = {0: r"every property holds|no run-time error|values? computed", 1: "violated", 3: "unknown"}[status]
        if not last.startswith(f"{model}: ") or not re.search(said, last):
            return f"the last line is {last!r}"
    if status == 3 and not out and not err:
        return "nothing was said"
    return None


def fault_of(case, binary):
    """None, or what is wrong each time it is tried; and whether the program was interrupted at all."""
    for attempt in range(TRIES):
        status, out, err, late = interrupt(binary, case)
        fault = wrong_form(case, status, out, err)
        if fault:  # that is no question of time
            break
        if GIVEN_UP in out + err:
            fault = "given up: it did not wind up in time"
        elif late > patience.seconds(SECONDS):
            fault = f"ended {late:.2f} s after it was interrupted"
        if not fault:
            break
        time.sleep(0.2 * attempt)
    text = f"{fault}\n    {case}\n" + "".join(f"    | {line}\n" for line in (out + err).splitlines()[-6:]) if fault else None
    return text, status == 3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=patience.many(600))
    parser.add_argument("--seed", default="2026")
    parser.add_argument("--only", type=int)
    parser.add_argument("--jobs", type=int, default=patience.PROCESSORS)
    options = parser.parse_args()
    binary = str(pathlib.Path(options.binary).resolve())
    models = small_models()
    with tempfile.TemporaryDirectory() as folder:
        trace = str(pathlib.Path(folder) / "trace.json")
        subprocess.run([binary, "check", "examples/german-bug.m", "--trace", trace, "-q"], cwd=ROOT, check=False,
                       stdout=subprocess.DEVNULL)
        numbers = range(options.count) if options.only is None else [options.only]
        cases = [Interruption(number, options.seed, models, trace) for number in numbers]
        begin, failed, stopped = time.monotonic(), 0, 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for fault, was_stopped in pool.map(lambda case: fault_of(case, binary), cases):
                stopped += was_stopped
                failed += fault is not None
                if fault:
                    print(f"FAILED: {fault}", flush=True)
    print(f"seed {options.seed}: {len(cases)} interruptions, {stopped} in the middle of something, "
          f"{time.monotonic() - begin:.0f} s")
    # On a fast machine much is done before it is interrupted; but if nearly all is, nothing was tested.
    if options.only is None and stopped < len(cases) // 10:
        print(f"FAILED: only {stopped} of {len(cases)} came before the end of what they interrupt")
        failed += 1
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
