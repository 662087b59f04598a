"""What SPIN says about a Promela model: states and kinds of violations of the plain search, and verdicts of its formulas.

Plain: no statement merging, no dead-variable resetting, no partial-order reduction, claims left out. The search goes on behind
violations, so that the states are all there are, and every kind of violation is seen. pan ends with status 0 after errors:
what counts is what it prints. A search that is cut short (time, depth, memory) is not complete, and its figures mean nothing."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

SPIN = ["spin", "-a", "-o1", "-o2", "-o3"]
OPTIONS = ["-w", "-DNOREDUCE", "-DMEMLIM=48"]  # MiB: models that need more are too large in any case
# tcc takes 0.02 s for a pan, cc 0.4 s, and small searches take no longer. cc is for searches that are long, and where tcc fails.
QUICK, THOROUGH = ["tcc"], ["cc", "-O0"]
TABLE = "-w18"  # pan clears its table of hashes, by default 128 MiB, which takes longer than a small search
SECONDS = 10
DEPTH = 200000  # a chain of unstored states this long is an atomic that never ends

# What pan prints, and the kind it is.
KINDS = [("assertion violated - invalid array index", "index"),
         ("assertion violated", "assertion"),
         ("invalid end state", "deadlock"),
         ("block in d_step seq", "d_step-blocks"),
         ("blocking sel in d_step", "d_step-blocks"),
         ("rv-attempt in d_step", "d_step-rendezvous"),
         ("error to poll rendezvous channel", "rendezvous-polled"),
         ("bad queue", "channel"),
         ("uninitialized chan", "channel"),
         ("ref to unknown chan", "channel"),
         ("used: enabled(pid=thisproc)", "own-question"),
         ("aborting", "assertion"),
         ("acceptance cycle", "cycle"),
         ("accept stutter", "cycle"),
         ("non-progress cycle", "cycle"),
         ("event_trace error", "trace"),
         ("non-determinism in event-trace", "trace-choice"),
         ("non-determinism in D_proctype", "choice"),
         ("end state in claim reached", "claim")]
CUT = ("max search depth too small", "Search not completed", "out of memory", "pan: reached -DMEMLIM bound")


@dataclass
class Answer:
    refused: str = ""  # why there is no answer
    states: int = 0
    complete: bool = False
    kinds: set = field(default_factory=set)

    def verdict(self):
        return "violated" if self.kinds else "holds"


def is_there():
    return bool(shutil.which("spin") and shutil.which("cc"))


def kind_of(line):
    return next((kind for text, kind in KINDS if text in line), "unknown: " + line)


def read(output):
    """The answer in what pan printed."""
    states = re.search(r"^\s*([\d.e+]+) states, stored", output, re.M)
    errors = re.search(r"errors: (\d+)", output)
    if not states or not errors:
        return Answer(refused=f"pan: {output.strip()[:200]}")
    complaints = [line for line in output.splitlines() if re.match(r"pan:\d+: ", line)]
    return Answer("", int(float(states[1])), not any(text in output for text in CUT),
                  {kind_of(line) for line in complaints} if int(errors[1]) else set())


class Spin:
    """One model in a folder of its own, for `with`."""

    def __init__(self, text, seconds=SECONDS, compilers=(QUICK, THOROUGH), depth=DEPTH):
        self.text, self.seconds, self.compilers, self.depth = text, seconds, compilers, depth
        self.refused = ""

    def __enter__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="spin-")
        self.folder = pathlib.Path(self.holder.name)
        (self.folder / "model.pml").write_text(self.text)
        done = self.run([*SPIN, "model.pml"])
        if not (self.folder / "pan.c").exists() or not (self.folder / "pan.m").exists() or "syntax error" in done:
            self.refused = f"spin: {done.strip()[:300]}"
        return self

    def __exit__(self, *_):
        self.holder.cleanup()

    def run(self, words, seconds=None):
        try:
            done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                  timeout=patience.seconds(seconds or self.seconds))
        except subprocess.TimeoutExpired:
            return "Search not completed: out of time"
        return done.stdout + done.stderr

    def pan(self, name, defines, words):
        """Compiles pan once for each name, and runs it."""
        if self.refused:
            return Answer(refused=self.refused)
        if not (self.folder / name).exists():
            if "priority" in self.text:  # pan masks bytes of the state, and misses states; cycles need a mask, or hashes
                defines = [*defines, "-DNOCOMP" if "-DSAFETY" in defines else "-DHC4"]
            done = self.compile(name, defines)
            if done:
                return Answer(refused=f"cc: {done.strip()[:300]}")
        return read(self.run([f"./{name}", f"-m{self.depth}", TABLE, *words]))

    def compile(self, name, defines):
        """With the first compiler that can; else what the last one says."""
        done = "there is no compiler"
        for compiler in self.compilers:
            if shutil.which(compiler[0]):
                done = self.run([*compiler, *OPTIONS, *defines, "-o", f"{name}.new", "pan.c"], seconds=60)
                if not done and (self.folder / f"{name}.new").exists():
                    (self.folder / f"{name}.new").rename(self.folder / name)
                    return ""
        return done or "it has made nothing"

    def plain(self):
        return self.pan("plain", ["-DSAFETY", "-DNOCLAIM"], ["-c0"])

    def formula(self, name, fair=False):
        return self.pan("claim", [], ["-c1", "-a", *(["-f"] if fair else []), "-N", name])

    def accept(self):
        """A never claim, or acceptance labels."""
        return self.pan("claim", [], ["-c1", "-a"])

    def progress(self):
        return self.pan("progress", ["-DNP", "-DNOCLAIM"], ["-c1", "-l"])
