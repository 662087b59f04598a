#!/usr/bin/env python3
"""Runs every test and prints `N passed, N failed` at the end.

    script/test            everything, as in CI
    script/test quick      without the sanitizer builds (one of them clang's) and fuzzing
    script/test thorough   everything, with ten times as many random models and inputs, however long it takes
    script/test STEP...    only these steps (script/test --list shows them)

Steps run side by side on the processors there are, the longest first. The log of each step is in build/test-logs/STEP.log.
A step that takes much longer than the processors were busy for it is slow, because the machine is loaded: it is reported
as slow. One that has to be stopped for this reason has neither passed nor failed; the exit status is then 3.

The steps on random models come last. When everything together has taken BUDGET minutes they take no more models than the fewest that
mean something, and say how many they took."""
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import children
import patience

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOGS = ROOT / "build" / "test-logs"
BINARY = str(ROOT / "build" / "noether")
# At most so many seconds for each target; a fixed seed and number of inputs, so that a run can be repeated.
FUZZ_LIMITS = ["3", "1", "10000"]
THOROUGH = 10  # times as many random models and inputs
SECONDS_A_COMMAND = 1800
BUDGET = 11  # minutes
LONGEST = 12  # steps that are named at the end, by the time of processors
WITH_THREADS = "adaptive|api_|dd_deep|dd_failing|dd_parallel|explicit_threads|native|numeric|store_quotient|store_visited|store_whole|watch"
OF_NUMBERS = ["rounding_test", "numeric_test", "dd_real_test"]
ENVIRONMENT = os.environ | {"NOETHER_WERROR": "ON"}  # what is built here is built without a warning
SUMMARY = re.compile(r"(\d+) passed, (\d+) failed")
CTEST_SUMMARY = re.compile(r"(\d+) tests failed out of (\d+)")


def ctest(folder, seconds=600):
    return ["ctest", "--test-dir", folder, "--output-on-failure", "--timeout", str(seconds), "--parallel", "2"]


def with_threads():
    """The unit tests that the thread sanitizer watches; nothing else is built for it."""
    names = sorted(path.stem for path in (ROOT / "tests/unit").glob("*_test.c"))
    return [name for name in names if re.search(WITH_THREADS, name)]


def python(*words):
    return ["python3", *words]


def system_python(*words):
    """The interpreter that Debian's modules are installed for."""
    return ["/usr/bin/python3", *words]


def without_leak_check(command):
    """The leak checker takes seconds for each process where tracing is slow: it watches the unit tests (which load,
    check and report whole models, too), not hundreds of small runs."""
    return ["env", "ASAN_OPTIONS=detect_leaks=0", *command]


BORROWED = ["script/build", "release", "noether"]  # rooms that a build takes from there are up to date, whichever steps are run
# name, commands, the folder it needs (else it is skipped, with a message), part of `quick`
STEPS = [
    ("release", [["script/build", "release"]], None, True),
    ("unit", [ctest("build")], "tests/unit", True),
    ("layering", [python("tests/layering/run.py"), python("tests/layering/selftest.py"),
                  python("tests/layering/symbols.py", "build"), python("tests/layering/together.py")], None, True),
    ("style", [python("tests/style/run.py")], "tests/style/run.py", True),
    ("sequencing", [system_python("tests/sequencing/run.py"), system_python("tests/sequencing/selftest.py")], None, True),
    ("cli", [python("tests/cli/run.py", BINARY)], None, True),
    ("exchange", [system_python("tests/exchange/run.py", BINARY)], "tests/exchange", True),
    ("terminal", [python("tests/terminal/run.py", BINARY)], "tests/terminal", True),
    ("python", [python("tests/python/run.py", BINARY)], "tests/python", True),
    ("docs", [python("tests/docs/run.py")], "tests/docs", True),
    ("install", [python("tests/install/run.py", "build")], "tests/install", True),
    ("parts", [python("tests/parts/run.py")], "tests/parts", True),
    ("step", [python("tests/step/run.py", BINARY)], "tests/step/run.py", True),
    ("tutorial", [python("tests/tutorial/run.py", BINARY)], "tests/tutorial/run.py", True),
    ("boolean", [python("tests/boolean/models.py", BINARY), python("tests/boolean/run.py", BINARY, "--count", "100")], "tests/boolean", True),
    ("promela", [python("tests/promela/run.py", BINARY), python("tests/promela/idioms.py", BINARY)], "src/lang/promela/lower.c", True),
    ("errors", [python("tests/errors/run.py", BINARY), python("tests/errors/prism.py", BINARY)], "tests/errors/run.py", True),
    ("memory", [python("tests/memory/sweep.py", BINARY), python("tests/memory/starve.py", BINARY)], "tests/memory", True),
    ("findings", [python("tests/findings/run.py", BINARY)], "tests/findings", True),
    ("ltl", [python("tests/ltl/run.py", BINARY), python("tests/ltl/random_models.py", BINARY), python("tests/ltl/claims.py", BINARY)], "tests/ltl", True),
    ("por", [python("tests/por/run.py", BINARY)], "tests/por", True),
    ("guarded", [python("tests/guarded/run.py", BINARY)], "tests/guarded", True),
    ("virtual", [python("tests/virtual/run.py", BINARY), python("tests/virtual/random_models.py", BINARY)], "tests/virtual", True),
    ("cover", [python("tests/cover/run.py", BINARY), python("tests/cover/random_models.py", BINARY)], "tests/cover", True),
    ("every-n", [python("tests/every-n/run.py", BINARY)], "tests/every-n", True),
    ("symmetry", [python("tests/symmetry/procedures.py", BINARY)], "tests/symmetry", True),
    ("dialects", [python("tests/dialects/run.py", BINARY)], "tests/dialects", True),
    ("interrupt", [python("tests/interrupt/run.py", BINARY), python("tests/interrupt/polls.py", BINARY)], "tests/interrupt", True),
    ("checkpoint", [python("tests/checkpoint/run.py", BINARY), python("tests/checkpoint/faults.py", BINARY)], "tests/checkpoint", True),
    ("disk", [python("tests/disk/run.py", BINARY)], "tests/disk", True),
    ("distributed", [python("tests/distributed/run.py", BINARY)], "tests/distributed", True),
    ("hostile", [python("tests/hostile/cache.py", BINARY), python("tests/hostile/terminal.py", BINARY), python("tests/hostile/files.py", BINARY),
                 python("tests/hostile/deep.py", BINARY), python("tests/hostile/pipes.py", BINARY)], "tests/hostile", True),
    ("models", [python("tests/models/run.py", BINARY), python("tests/models/representatives.py", BINARY),
                python("tests/models/drift.py", BINARY)], "tests/models/run.py", True),
    ("models-partial", [python("tests/models/partial.py", BINARY)], "tests/models/partial.py", True),
    ("models-symbolic", [python("tests/models/symbolic.py", BINARY)], "tests/models/symbolic.py", True),
    ("models-sat", [python("tests/models/sat.py", BINARY)], "tests/models/sat.py", True),
    ("prism", [python("tests/prism/run.py", BINARY), python("tests/prism/reduce.py", BINARY), python("tests/prism/symmetry.py", BINARY), python("tests/prism/chances.py", BINARY), python("tests/prism/within_time.py", BINARY), python("tests/prism/long_run.py", BINARY)], "tests/prism/run.py", True),
    ("lsp", [python("tests/lsp/run.py", BINARY), python("tests/lsp/hostile.py", BINARY), python("tests/lsp/extension.py")], "tests/lsp", True),
    ("format", [python("tests/format/run.py", BINARY)], "tests/format", True),
    ("web", [python("tests/web/run.py", BINARY)], "tests/web/run.py", True),
    ("tables", [python("tests/tables/adaptive.py", BINARY), python("tests/tables/complete.py", BINARY), python("tests/tables/counter.py", BINARY), python("tests/tables/generic.py", BINARY)], "tests/tables", True),
    ("detection", [python("tests/detection/run.py", BINARY)], "tests/detection/run.py", True),
    ("generators", [python("tests/generators/run.py", BINARY)], "tests/generators/run.py", True),
    ("gathered", [python("tests/gathered/run.py", BINARY)], "tests/gathered", True),
    *((f"differential-{profile}", [python("tests/differential/run.py", BINARY, "--profile", profile)],
       "tests/differential/run.py", True) for profile in ("plain", "partial", "symbolic", "sat")),
    ("differential-crowd", [python("tests/differential/run.py", BINARY, "--profile", "crowd", "--rumur", "5")],
     "tests/differential/run.py", True),
    ("certificate", [python("tests/certificate/run.py", BINARY), python("tests/certificate/faults.py", BINARY), python("tests/certificate/measures.py", BINARY), python("tests/certificate/limits.py", BINARY), python("tests/certificate/size.py"),
                     python("tests/certificate/random_models.py", BINARY)], "tests/certificate", True),
    ("constructs", [python("tests/differential/constructs.py", BINARY)], "tests/differential/constructs.py", True),
    ("differential-ctl", [python("tests/differential/ctl.py", BINARY)], "tests/differential/ctl.py", True),
    ("differential-prism", [python("tests/differential/prism.py", BINARY), python("tests/differential/prism_counters.py", BINARY), python("tests/differential/prism_intervals.py", BINARY), python("tests/differential/prism_slow.py", BINARY), python("tests/differential/prism_multi.py", BINARY), python("tests/differential/prism_multi_linear.py", BINARY), python("tests/differential/prism_linear.py", BINARY), python("tests/differential/prism_system.py", BINARY), python("tests/differential/prism_peer.py", BINARY)], "tests/differential/prism.py", True),
    ("hunt", [python("tests/hunt/run.py", "--each", "16", "--seed", "3", "--fresh", "--results", "build/hunt/test"), python("tests/hunt/selftest.py", "build")],
     "tests/hunt", True),
    ("mutation", [python("tests/mutation/selftest.py")], "tests/mutation", True),
    # With the other compiler, so that its warnings are seen, too. Many unit tests are one program there.
    ("asan", [["script/build", "clang-asan"], ctest("build-clang-asan", 1500)], None, False),
    ("asan-cli", [without_leak_check(python("tests/cli/run.py", "build-clang-asan/noether"))], None, False),
    ("asan-errors", [without_leak_check(python("tests/errors/run.py", "build-clang-asan/noether"))],
     "tests/errors/run.py", False),
    # Numbers by the optimiser of the other compiler: bounds must be bounds there, too. The other rooms are those of `release`.
    ("clang", [BORROWED, ["env", "NOETHER_BORROW=build", "script/build", "clang-release", "noether", *OF_NUMBERS],
               [*ctest("build-clang-release"), "--tests-regex", "|".join(OF_NUMBERS)],
               python("tests/prism/run.py", "build-clang-release/noether"),
               python("tests/prism/chances.py", "build-clang-release/noether")], "tests/prism/run.py", False),
    ("cross", [["script/cross"]], "script/cross", False),
    # A model is read by one thread: what reads it is taken from `release`, too.
    ("tsan", [BORROWED, ["env", "NOETHER_BORROW=build", "script/build", "tsan", *with_threads()], [*ctest("build-tsan"), "--tests-regex", WITH_THREADS]], None, False),
    ("fuzz", [["script/fuzz", *FUZZ_LIMITS]], "script/fuzz", False),
]


def count(output, status):
    """Passed and failed of one command: its own summary when it has one, else itself."""
    passed = failed = 0
    found = SUMMARY.findall(output)
    if found:
        passed, failed = map(int, found[-1])
    ctest_found = CTEST_SUMMARY.findall(output)
    if ctest_found:
        failed, total = map(int, ctest_found[-1])
        passed = total - failed
    if status and not failed:
        failed = 1
    return (passed, failed) if passed or failed else (1, 0)


# On two quiet processors: the seconds of a step (the longest are begun first), and how many processors it keeps busy; less than
# one where it waits more than it computes. A step without an entry counts as a minute of one processor. Most of what the browser of `web`
# does is not in the time that is shown: nobody waits for its processes.
COSTS = {
    "release": (87, 2), "asan": (150, 1.8), "cross": (60, 1.6), "tsan": (58, 1.9), "fuzz": (42, 2), "unit": (36, 2), "clang": (20, 1.5),
    "differential-crowd": (60, 2), "differential-plain": (40, 2), "differential-sat": (30, 2), "differential-partial": (25, 2),
    "differential-symbolic": (10, 2), "differential-prism": (24, 1.4), "differential-ctl": (7, 1.4), "models": (28, 1.6),
    "models-symbolic": (13, 2), "models-sat": (15, 2), "models-partial": (2, 2), "sequencing": (15, 2), "por": (17, 1.7),
    "checkpoint": (20, 1), "interrupt": (9, 2), "disk": (7, 1.4),
    "memory": (90, 0.4), "web": (50, 1.6), "distributed": (85, 0.4), "lsp": (7, 0.2),
    "findings": (60, 1), "promela": (52, 1), "certificate": (50, 1), "every-n": (16, 1), "asan-cli": (25, 1), "ltl": (16, 1),
    "prism": (16, 1), "detection": (12, 1), "gathered": (3, 1), "terminal": (11, 1), "cli": (9, 1), "tables": (9, 1), "constructs": (8, 1),
    "exchange": (8, 1), "hostile": (7, 1), "style": (6, 1), "boolean": (6, 1), "asan-errors": (6, 1), "step": (5, 1),
    "mutation": (5, 1), "docs": (4, 1), "layering": (4, 1), "guarded": (4, 1), "virtual": (9, 1), "errors": (4, 1), "dialects": (4, 1),
    "hunt": (14, 1.8), "cover": (4, 1), "python": (3, 1), "symmetry": (2, 1), "generators": (3, 1), "format": (1, 1), "install": (1, 1), "parts": (6, 1), "tutorial": (1, 1),
}
# How many processors more than there are may be wanted at a time. Every step waits now and then, for the disk or its last test. When
# no step is left that wants so little, those that use all processors run in pairs.
BESIDE = 1
# Random models: as many as there is time for.
LAST = {"differential-crowd", "differential-plain", "differential-partial", "differential-symbolic", "differential-sat"}
# What a step needs to have been run, if it is run at all. Everything else needs `release` only.
AFTER = {"asan-cli": ["asan"], "asan-errors": ["asan"], "fuzz": ["asan"]}


def cost(name):
    """Seconds and processors. What uses more than one takes as many as there are."""
    seconds, processors = COSTS.get(name, (60, 1))
    return seconds, processors * patience.PROCESSORS / 2 if processors > 1 else min(processors, patience.PROCESSORS)


class Command:
    """A command that was run: its output, its exit status, the time it took and what of it processors were busy for. One
    that hangs is stopped, with everything it started."""

    def __init__(self, words):
        begin = time.time()
        self.is_late = False
        child = children.start(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               env=ENVIRONMENT)
        timer = threading.Timer(SECONDS_A_COMMAND, self.stop, [child.pid])
        timer.start()
        self.output = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)  # it was waited for
        timer.cancel()
        children.ended(child.pid)
        child.stdout.close()
        self.status = 124 if self.is_late else child.returncode
        if self.is_late:
            self.output += f"\nstopped after {SECONDS_A_COMMAND} s\n"
        self.seconds, self.busy = time.time() - begin, used.ru_utime + used.ru_stime

    def stop(self, group):
        self.is_late = True
        children.stop(group)


class Step:
    """A step that was run."""

    def __init__(self, name, commands):
        self.name, self.passed, self.failed, self.seconds, self.busy, self.is_stopped = name, 0, 0, 0, 0, False
        self.shown = ""  # the ends of what failed
        with open(LOGS / f"{name}.log", "w") as log:
            for words in commands:
                done = Command(words)
                log.write(f"$ {' '.join(words)}\n{done.output}(exit status {done.status})\n")
                self.seconds, self.busy = self.seconds + done.seconds, self.busy + done.busy
                if done.is_late and patience.is_loaded():
                    self.is_stopped = True
                    continue
                passed, failed = count(done.output, done.status)
                self.passed, self.failed = self.passed + passed, self.failed + failed
                self.shown += "".join(f"     {self.name}: {line}\n" for line in done.output.splitlines() if "skipped: " in line)
                if done.status:
                    self.shown += "".join("    " + line + "\n" for line in done.output.splitlines()[-40:])
                    if "script/build" in words:
                        break

    def is_slow(self):
        """Did it take long because others were busy?"""
        return self.is_stopped or (self.seconds > 3 * max(self.busy / cost(self.name)[1], cost(self.name)[0], 5))

    def show(self):
        word = "FAIL" if self.failed else "slow" if self.is_slow() else "ok"
        more = ", stopped: the machine is loaded" if self.is_stopped else ""
        print(f"{self.shown}{word:4} {self.name:22} {self.passed} passed, {self.failed} failed  ({self.seconds:.0f} s, "
              f"processors busy for {self.busy:.0f} s{more})", flush=True)


def run_all(steps):
    """Runs steps (name, commands, needed) side by side; yields each when it has ended. Stops where there is nothing to test."""
    waiting = sorted(steps, key=lambda step: (step[0] != "release", step[0] in LAST, -cost(step[0])[0]))
    names = {step[0] for step in steps}
    ended, changed, running = {}, threading.Condition(), {}

    def run(name, commands):
        done = Step(name, commands)
        with changed:
            ended[name] = done
            changed.notify()

    def may_begin(name):
        before = (set(AFTER.get(name, [])) | ({"release"} if name != "release" else set())) & names
        taken = sum(cost(other)[1] for other in running)
        most = patience.PROCESSORS + (BESIDE if any(cost(step[0])[1] <= BESIDE for step in waiting) else patience.PROCESSORS)
        return before <= set(shown) and taken + cost(name)[1] <= most

    shown = []
    with changed:
        while waiting or running:
            while ready := next((step for step in waiting if may_begin(step[0])), None):
                waiting.remove(ready)
                running[ready[0]] = threading.Thread(target=run, args=ready[:2])
                running[ready[0]].start()
            changed.wait_for(lambda: set(ended) - set(shown))
            for name in sorted(set(ended) - set(shown)):
                running.pop(name).join()
                shown.append(name)
                yield ended[name]
                if name == "release" and ended[name].failed:
                    return


def show_time(steps, seconds):
    """What the steps took together, and which of them kept processors busy the longest."""
    busy = sum(step.busy for step in steps)
    longest = sorted(steps, key=lambda step: -step.busy)[:LONGEST] if len(steps) > LONGEST else []
    if longest:
        print("processors were busy the longest for " + ", ".join(f"{step.name} {step.busy:.0f} s" for step in longest))
    print(f"{len(steps)} steps in {seconds / 60:.1f} min, processors busy for {busy / 60:.1f} min "
          f"({100 * busy / max(seconds, 0.1) / patience.PROCESSORS:.0f}% of {patience.PROCESSORS})")


def main():
    wanted = sys.argv[1:]
    if wanted == ["--list"]:
        print("\n".join(step[0] for step in STEPS))
        return 0
    is_thorough = "thorough" in wanted
    wanted = [word for word in wanted if word != "thorough"]
    unknown = set(wanted) - {step[0] for step in STEPS} - {"quick"}
    if unknown:
        print(f"script/test: no step {', '.join(sorted(unknown))}; try --list", file=sys.stderr)
        return 2
    children.end_with_us()
    LOGS.mkdir(parents=True, exist_ok=True)
    chosen = []
    for name, commands, needs, is_quick in STEPS:
        if wanted and not (name in wanted or (wanted == ["quick"] and is_quick)):
            continue
        if needs and not (ROOT / needs).exists():
            print(f"skip {name:22} there is no {needs}")
            continue
        chosen.append((name, commands))
    passed = failed = 0
    done = []
    begin = time.time()
    if is_thorough:
        ENVIRONMENT["NOETHER_TEST_TIMES"] = str(THOROUGH)
    elif not wanted:
        ENVIRONMENT["NOETHER_TEST_UNTIL"] = str(begin + 60 * BUDGET)
    for step in run_all(chosen):
        step.show()
        passed, failed = passed + step.passed, failed + step.failed
        done.append(step)
    show_time(done, time.time() - begin)
    stopped = [step.name for step in done if step.is_stopped]
    if stopped:
        print(f"not finished, because the machine is loaded: {', '.join(stopped)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 3 if stopped else 0


sys.exit(main())
