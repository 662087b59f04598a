"""A batch of models through the program hunt, which checks them in drawn configurations in one process (hunt.c)."""
import collections
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass, field

import sources

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

SECONDS = 120  # for a batch, besides the limits that the program has itself
OUT_OF_TIME = "ends with status SIGPROF"  # of a model; while plain exploration is under way that is no finding
WITH_VALUE = {"--engine", "--symmetry", "--method", "--stepper", "--store", "--search", "--reduction", "--representative", "--vectors", "--permutations",
              "--dead", "--deadlock", "--finite-runs", "--threads"}


@dataclass
class Findings:
    """One way in which a model is judged wrongly."""
    source: str
    seed: int
    lane: str
    language: str
    symptom: str  # what differs, without names and numbers
    detail: str
    command: str
    text: str
    extension: str
    properties: str = ""


@dataclass
class Batch:
    models: int = 0
    runs: int = 0
    tally: collections.Counter = field(default_factory=collections.Counter)  # "murphi verdict holds", "murphi --engine explicit agrees", ...
    words: collections.Counter = field(default_factory=collections.Counter)  # "promela atomic"
    refusals: collections.Counter = field(default_factory=collections.Counter)
    findings: list = field(default_factory=list)

    def add(self, other):
        self.models += other.models
        self.runs += other.runs
        self.tally += other.tally
        self.words += other.words
        self.refusals += other.refusals
        self.findings += other.findings


def symptom_of(text):
    """Without names, numbers and what stands in parentheses."""
    return re.sub(r"\s+", " ", re.sub(r'"[^"]*"|\([^()]*\)|0x[0-9a-f]+|[-\d.e+]*\d[-\d.e+]*', "", text)).strip()[:120]


def settings_of(options):
    """The parts of a configuration that are counted: "--engine explicit", "--hash-compact", "(crowd)"."""
    words, found = options.replace("(crowd 1)", "(crowd)").replace("(crowd 2)", "(crowd)").split(" "), []
    for at, word in enumerate(words):
        if word in WITH_VALUE and at + 1 < len(words):
            found.append(f"{word} {words[at + 1]}")
        elif word.startswith("--"):
            found.append(word)
    return found + (["(crowd)"] if "(crowd)" in options else [])


class Hunter:
    def __init__(self, program, folder, options=()):
        self.program, self.folder, self.options = str(program), pathlib.Path(folder), list(options)
        (self.folder / "disk").mkdir(parents=True, exist_ok=True)
        self.environment = dict(os.environ, NOETHER_DISK_STATES="50", TMPDIR=str(self.folder))

    def write(self, name, made):
        path = self.folder / f"{name}{made.extension}"
        path.write_text(made.text)
        beside = path.with_suffix(".props")
        if made.properties:
            beside.write_text(made.properties)
        elif beside.exists():
            beside.unlink()
        return path

    def events(self, paths, *options):
        """Lines of the program as lists of words; when it dies, ["died", PATH, why], and it goes on with the next model."""
        paths = list(map(str, paths))
        while paths:
            command = [self.program, "--disk", str(self.folder / "disk"), *self.options, *options, *paths]
            try:
                done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=patience.seconds(SECONDS), check=False, env=self.environment,
                                      stdin=subprocess.DEVNULL)
                name = signal.Signals(-done.returncode).name if done.returncode < 0 else done.returncode
                output, why = done.stdout, f"ends with status {name}: {done.stderr[-600:]}"
            except subprocess.TimeoutExpired as late:
                output, why = (late.stdout or b"").decode(errors="replace"), "does not come to an end"
            lines = output.split("\n")
            yield from (line.split(" ") for line in lines if line)
            ended = sum(line.startswith("end ") for line in lines)
            if ended < len(paths) and why.startswith(OUT_OF_TIME) and lines[-2:-1] == ["explore"]:
                yield ["end", paths[ended], "skip"]
            elif ended < len(paths):
                yield ["died", paths[ended], why]
            paths = paths[ended + 1:]

    def symptoms(self, made, salt, *options):
        """Of one model, as it would be in a batch with this name."""
        path = self.write("candidate", made)
        found, invalid = set(), False
        for event in self.events([path], "--salt", salt, *options):
            if event[0] == "run" and event[2] == "FAIL":
                found.add(symptom_of(" ".join(event[4:])))
            elif event[0] == "end" and event[2] == "FAIL" and len(event) > 3 and event[3]:
                found.add(symptom_of(" ".join(event[3:])))
            elif event[0] == "died":
                found.add(symptom_of(event[2]))
        return found


class Reader:
    """Takes the events of a batch."""

    def __init__(self, source, models):
        self.source, self.language, self.models, self.batch = source, sources.SOURCES[source][0], models, Batch()
        self.seed, self.options = None, {}

    def find(self, text, options):
        made = self.models[self.seed]
        command = f"noether check {self.source}-{self.seed}{made.extension} {options}".strip()
        self.batch.findings.append(Findings(self.source, self.seed, "inner", self.language, symptom_of(text), text, command, made.text, made.extension,
                                            made.properties))

    def run(self, number, word, text):
        options = self.options.get(number, "")
        self.batch.runs += 1
        for setting in settings_of(options):
            self.batch.tally[f"{self.language} {setting} {word}"] += 1
        if word == "refused":
            self.batch.refusals[re.sub(r'"[^"]*"|line \d+: |\d+', "", text)[:100]] += 1
        if word == "FAIL":
            self.find(text, options)

    def take(self, event):
        kind = event[0]
        if kind == "begin":
            self.seed, self.options = int(pathlib.Path(event[1]).stem.split("-")[1]), {}
        elif kind == "truth":
            self.batch.tally[f"{self.language} verdict {event[2]}"] += 1
        elif kind == "try":
            self.options[event[1]] = " ".join(event[2:]).strip()
        elif kind == "run":
            self.run(event[1], event[2], " ".join(event[4:]))
        elif kind == "end":
            self.end(event[2], " ".join(event[3:]).strip())
        elif kind == "died":
            self.batch.models += 1
            self.find(event[2], list(self.options.values())[-1] if self.options else "")

    def end(self, word, text):
        self.batch.models += 1
        self.batch.tally[f"{self.language} model {word}"] += 1
        self.batch.words.update(f"{self.language} {name}" for name in self.models[self.seed].words)
        if word == "FAIL" and text:
            self.find(text, "")


def run(hunter, source, seeds, *options):
    """A batch of consecutive seeds."""
    make = sources.SOURCES[source][1]
    models = {seed: make(seed) for seed in seeds}
    paths = [hunter.write(f"{source}-{seed}", made) for seed, made in models.items()]
    reader = Reader(source, models)
    for event in hunter.events(paths, *options):
        reader.take(event)
    for path in paths:
        path.unlink()
        path.with_suffix(".props").unlink(missing_ok=True)
    return reader.batch


def quoted(words):
    return " ".join(map(shlex.quote, map(str, words)))
