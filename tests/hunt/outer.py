"""Models that are checked by whole programs: oracles outside the engines (SPIN, rumur, interpreters in Python, exact fractions), and what needs
processes: certificates, checkpoints, disks, ranks, proofs for every size. Most lanes are the tests of other folders, with seeds of ours.

A lane is a function of the context and a seed. It returns a Judged, or None where the model is not one for it."""
import contextlib
import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
from dataclasses import dataclass, field

import rooms
import sources
from inner import Batch, Findings, patience, symptom_of

SECONDS = 60
LARGE = 600000  # states


@dataclass
class Context:
    noether: str
    folder: pathlib.Path
    compare: str  # the program `compare` of tests/differential
    cache: dict = field(default_factory=dict)


@dataclass
class Judged:
    language: str
    runs: int
    verdict: str
    problems: list = field(default_factory=list)
    made: object = None
    words: set = field(default_factory=set)
    command: str = ""


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", timeout=patience.seconds(SECONDS), check=False,
                          stdin=subprocess.DEVNULL, **options)


def check(context, *words):
    """The exit status and the answer, or None."""
    done = run(context.noether, "check", *words, "-q", "--json", "-")
    return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else None, done.stderr


def spin(context, seed):
    """Promela against SPIN: states without symmetry, kinds of violations, formulas, fairness, cycles, claims."""
    if not shutil.which("spin"):
        return None
    with rooms.entered("promela") as room:
        ways = ["plain", ["symmetry", "evaluator"][seed % 2]]
        _, used, word, found, model = room("run").judge(context.noether, seed, ways, False, set(), set())
        made = sources.Made(room("tree").text_of(model), ".pml")
    return Judged("promela", 2, word, found, made, used, "noether check (two ways) against SPIN")


def rumur(context, seed):
    """Murphi against rumur: verdict, states, rules fired. Most models are not for rumur."""
    if not shutil.which("rumur") or not shutil.which("gcc"):
        return None
    with rooms.entered("differential") as room:
        differential = room("run")
        text = room("generate").generate(seed)
        if re.search(r"union|multiset|ctl", text):
            return None
        path = context.folder / "rumur.m"
        room("generate").write(str(path), text)
        comparer = differential.Comparer(context.compare, differential.Plan(0, 3000, 0, 0, {"explicit": 1.0}))
        outcome = next(iter(comparer.run([str(path)])))[1]
        answer = room("rumur").compare_one(seed, outcome) if outcome.word == "ok" else None
    if answer is None:
        return None
    return Judged("murphi", 2, "violated" if outcome.violated else "holds", [answer] if answer else [], sources.Made(text, ".m"), set(), "rumur")


def interpreter(context, seed):
    """Boolean programs against an interpreter, with some threads and with any number."""
    with rooms.entered("boolean") as room:
        program, words = room("generate").make(seed)
        text, path = room("generate").text_of(program, seed), context.folder / "random.bp"
        path.write_text(text)
        complaint, word = room("run").compare_any(context.noether, path, program)
        problems, count = [complaint] if complaint else [], 1 + seed % 4
        found = room("oracle").Oracle(program).explore(count, room("run").LIMIT)
        ways = ["explicit", ["no symmetry", "evaluator", "counter", "symbolic"][seed % 4]]
        if found:
            problems += [f"{count} threads, {way}: {what}" for way, what in room("run").compare(context.noether, path, program, count, ways, found) if what]
    return Judged("boolean", 3, found[0] if found else word or "left out", problems, sources.Made(text, ".bp"), words,
                  f"noether check --threads-of-model {count} --recursion {program['recursion']}")


def fairness(context, seed):
    """LTL and CTL with fairness against an oracle in Python."""
    said, tally = io.StringIO(), {}
    with rooms.entered("ltl") as room, contextlib.redirect_stdout(said):
        models = room("random_models")
        is_good = models.check(context.noether, seed, str(context.folder), tally)
        model = models.Model(seed)
        made = sources.Made(models.model_text(model, models.branching(model, seed)), ".m")
        words = {word.strip() for word in models.WORDS if tally.get(word)}
    return Judged("murphi", 6, "violated" if tally.get("violated") else "holds", [] if is_good else said.getvalue().splitlines(), made, words,
                  "tests/ltl/random_models.py")


def super_structure(context, seed):
    """--symmetry guarded against no symmetry."""
    with rooms.entered("guarded") as room:
        guarded = room("run")
        model, path = guarded.Model(seed), context.folder / "guarded.m"
        path.write_text(model.text())
        plain, other = (guarded.answer(context.noether, str(path), model, symmetry) for symmetry in ("off", "guarded"))
        wrong = guarded.problem(model, plain, other)
        word = "refused" if wrong else guarded.outcome(other)
    return Judged("murphi", 2, word[:30], [wrong] if wrong else [], sources.Made(model.text(), ".m"), set(), f"noether check --symmetry guarded --deadlock {model.deadlock}")


def partial_order(context, seed):
    """--reduction por against plain exploration, by the command line, with threads."""
    source = ("independent", "promela", "plain", "guarded")[seed % 4]
    made, way = sources.SOURCES[source][1](seed), ["one thread", "two threads", "numbered", "depth first"][seed // 4 % 4]
    path = context.folder / f"por{made.extension}"
    path.write_text(made.text)
    with rooms.entered("por") as room:
        tally, problems = room("run").judge(context.noether, path, room("generate").generate(seed)[1] if source == "independent" else [], [way])
    return Judged(sources.SOURCES[source][0], 4, "violated" if tally["violated"] else "holds" if tally["compared"] else "left out", problems, made,
                  made.words, f"noether check --reduction por ({way})")


def any_threads(context, seed):
    """The engine cover against plain exploration with 1 to 4 threads."""
    with rooms.entered("cover") as room:
        maker, path = room("random_models").Maker(seed), context.folder / "cover.m"
        path.write_text(maker.model())
        wrong, outcome, _ = room("random_models").compare(context.noether, path)
    return Judged("murphi", 6, outcome, [wrong] if wrong else [], sources.Made(path.read_text(), ".m"), maker.used, "noether check --engine cover")


def verdicts(answer):
    """By name, and the number among those of the same name."""
    said = {}
    for row in answer["results"]:
        number = sum(name == row["name"] for name, _ in said)
        said[row["name"], number] = row["verdict"]
    return said


def prove(context, seed):
    """noether prove: what is violated is so with the size it names and with no smaller one; what is proved holds with 1 to 4."""
    made, path = sources.threads(seed), context.folder / "prove.m"
    path.write_text(made.text)
    done = run(context.noether, "prove", path, "--engine", ("every", "auto")[seed % 2], "--time", "3", "--deadlock", "off", "--keep-going", "--json", "-")
    if done.returncode == 2 or not done.stdout.startswith("{"):
        return None
    answer, problems = json.loads(done.stdout), []
    least = (answer["statistics"].get("every_size") or {}).get("violated_with")
    said = verdicts(answer)
    for size in range(1, 5):
        _, plain, _ = check(context, path, "-D", f"N={size}", "--engine", "explicit", "--symmetry", "off", "--keep-going", "--deadlock", "off", "--stepper", "vm")
        found = verdicts(plain)
        problems += [f"{name[0]} is proved, and violated with {size}" for name in said if said[name] == "holds" and found.get(name) == "violated"]
        is_violated = any(found.get(name) == "violated" for name in said)
        if least and size < least and is_violated:
            problems.append(f"violated with {least}, but already with {size}")
        if least == size and not is_violated:
            problems.append(f"violated with {least}, but plain exploration says holds")
    word = "violated" if "violated" in said.values() else "proved" if set(said.values()) == {"holds"} else "unknown"
    return Judged("murphi", 5, word, problems, made, made.words, "noether prove --deadlock off")


def certificate(context, seed):
    """noether-verify accepts the certificate of what holds, and rejects one that is about deadlocks where there are some."""
    source = ("plain", "crowd", "partial")[seed % 3]
    made = sources.SOURCES[source][1](seed)
    path, file = context.folder / "certified.m", context.folder / "certificate"
    with rooms.entered("certificate") as room:
        certificates = room("random_models")
        with rooms.entered("differential") as other:
            text = other("generate").generate(seed, source)
            other("generate").write(str(path), text)
        defines, properties = certificates.arguments_of(text, path)
        way = certificates.WAYS[seed // 3 % 3]
        answer = certificates.try_way(context.noether, path, defines, properties, way, file)
        problems = [] if answer is None or answer[0] in (0, 3) else [f"noether-verify: {answer[0]}: {answer[1][:300]}"]
        if answer and answer[0] == 0:
            wrong = certificates.try_deadlock(context.noether, path, defines, properties, way, file)
            problems += [wrong] if wrong else []
    return Judged("murphi", 3, "no certificate" if answer is None else "accepted" if answer[0] == 0 else "open", problems, made, set(),
                  f"noether check --certificate {' '.join(way)}")


def fractions(module):
    """PRISM: intervals and exact values, with and without symmetry, against fractions that the test computes itself where it can."""
    def lane(context, seed):
        with rooms.entered("differential") as room:
            folder = context.folder / module
            problems, *_ = room(module).compare(context.noether, seed, str(folder))
        kept = next(iter(folder.rglob("*.prism")), None)
        made = sources.Made(kept.read_text(), ".prism", "".join(each.read_text() for each in kept.parent.glob("*.props"))) if kept else None
        shutil.rmtree(folder, ignore_errors=True)
        return Judged("prism", 4, "compared", list(problems), made, set(), f"tests/differential/{module}.py")
    return lane


def composition(context, seed):
    """system ... endsystem against a composition of the test's own."""
    with rooms.entered("differential") as room:
        model = room("prism_system").Model(seed)
        wrong, _ = room("prism_system").compare(context.noether, context.folder, model)
    return Judged("prism", 2, "compared", [wrong] if wrong else [], sources.Made("\n".join(model.lines) + "\n", ".prism"), set(), "tests/differential/prism_system.py")


class References(dict):
    """Answers in one piece, asked for when they are needed."""

    def __init__(self, faults, noether):
        super().__init__()
        self.faults, self.noether = faults, noether

    def __missing__(self, key):
        self[key] = self.faults.refer(self.noether, key[0], list(key[1:]))
        return self[key]


def faults(context, seed):
    """Searches that are killed, or whose disk is full, and are resumed; with --disk, and by ranks."""
    if not shutil.which("pgrep"):
        return None
    with rooms.entered("checkpoint") as room:
        module = room("faults")
        references = context.cache.setdefault("references", References(module, context.noether))
        label, _, wrong = module.try_fault(context.noether, ("kill", "full")[seed % 2], seed, seed, references)
    return Judged("murphi", 3, "resumed", [f"{label}: {wrong}"] if wrong else [], None, set(), label)


def kept(context, seed):
    """A random model: cut after numbers of states and resumed, in memory and on the disk, each time with another number of threads."""
    source = ("plain", "independent", "promela", "boolean", "guarded")[seed % 5]
    made, draw = sources.SOURCES[source][1](seed), random.Random(f"kept {seed}")
    path = context.folder / f"kept{made.extension}"
    path.write_text(made.text)
    with rooms.entered("checkpoint") as room:
        answers = room("answers")
        words = draw.choice(([], ["--symmetry", "off"], ["--keep-going"], ["--keep-going", "--symmetry", "off"], ["--representative", "sorted"],
                             ["--deadlock", "stuck"], ["--hash-compact"])) + ["--stepper", "vm"]
        words += [] if "--symmetry" in words else ["--symmetry", "detected"]  # a virtual one is for searches in one piece
        has_disk = draw.random() < 0.5 and "--hash-compact" not in words
        command = ["check", str(path), *words, "--engine", "explicit", "--threads", "1"]

        def way(each):
            return ["env", f"NOETHER_DISK_STATES={each.choice((3, 20, 150, 700))}"], ["--threads", str(each.choice((1, 1, 2, 3))), *(["--disk", "disk"] if has_disk else [])], []

        try:
            with answers.Folder() as folder:
                (folder / "disk").mkdir()
                status, _, answer = answers.run([context.noether, *command, "--states", "20000"], folder)
                if status not in (0, 1) or answer["stopped_kind"] == "states":
                    return None
                status, said, _ = answers.run([context.noether, *command, *(["--disk", "disk"] if has_disk else []), "--checkpoint", "kept"], folder)
                if status == answers.REFUSED:
                    return Judged(sources.SOURCES[source][0], 1, "refused", [], made, made.words)
                answers.cut_and_resume(context.noether, draw, [str(path), *words], answers.essence(answer), folder, way)
                problems = []
        except answers.Lost as wrong:
            problems = [str(wrong)]
    return Judged(sources.SOURCES[source][0], 4, "resumed", problems, made, made.words, f"noether {' '.join(command)} --checkpoint kept --states N; noether resume kept")


def ranks(context, seed):
    """--distributed against one process."""
    if not shutil.which("mpirun") or not os.path.exists(os.path.join(os.path.dirname(context.noether), "noether-mpi.so")):
        return None
    with rooms.entered("distributed") as room:
        module = room("run")
        os.environ.update(module.ENVIRONMENT)
        label, applies, wrong = (module.try_kept if seed % 3 == 0 else module.try_case)(context.noether, seed, seed)
    return Judged("murphi", 2, "compared" if applies else "left out", [f"{label}: {wrong}"] if wrong else [], None, set(), label)


WAYS_OF_LARGE = (["--threads", "1"], ["--threads", "4"], ["--reduction", "por", "--threads", "4"], ["--store", "plain", "--threads", "1"],
                 ["--search", "dfs"], ["--hash-compact", "--threads", "4"], ["--disk", "DISK", "--threads", "2"], ["--symmetry", "declared", "--threads", "2"],
                 ["--symmetry", "auto", "--threads", "4"], ["--symmetry", "guarded", "--threads", "2"])


def with_digits(text, factor):
    """A Murphi model beside digits that count up on their own: so many times as many states, about. None: it has no place for them."""
    count = max(1, round(factor ** 0.25))
    digits = [f"digit{i}" for i in range(4)]
    if text.count("\nvar\n") != 1 or "multiset" in text:
        return None
    text = text.replace("\nvar\n", "\nvar\n" + "".join(f"  {digit}: 0..{count};\n" for digit in digits), 1)
    return text + "".join(f'rule "{digit}" isundefined({digit}) ==> begin {digit} := 1; end;\nrule "{digit}, on" !isundefined({digit}) & {digit} < {count} ==> '
                          f"begin {digit} := {digit} + 1; end;\n" for digit in digits)


def enlarged(context, source, seed, words, draw):
    """A model with more than 600,000 states, about; or None."""
    made, path = sources.SOURCES[source][1](seed), context.folder / "large.m"
    if made.properties or re.search(r"\b(ctl|ltl|liveness|fair)\b|-- -D", made.text, re.I):
        return None
    path.write_text(made.text)
    _, plain, _ = check(context, path, *words, "--symmetry", "off", "--threads", "1")
    if not plain or not plain.get("complete") or plain["statistics"]["states"] < 8:
        return None
    text = with_digits(made.text, draw.uniform(1.2, 3) * LARGE / plain["statistics"]["states"])
    return text and sources.Made(text, made.extension)


def wrong_count(plain, other):
    """Represented states that are not exact are at most so many: start states or rules that are not symmetric."""
    count, states, is_exact = int(other["represented"] or 0), plain["states"], other["represented_is_exact"]
    if not count or count == states or (not is_exact and count > states):
        return ""
    return f"{'' if is_exact else 'at most '}{count} states, {states} without symmetry"


def large(context, seed):
    """Models of more than 600,000 states: in several ways."""
    source, draw = ("plain", "crowd", "partial")[seed % 3], random.Random(f"large {seed}")
    path, disk = context.folder / "large.m", context.folder / "disk"
    disk.mkdir(exist_ok=True)
    options = ["--engine", "explicit", "--stepper", "vm", "--keep-going", "--states", "6000000", "--time", "20", "--memory", "3G", "--deadlock", draw.choice(("stuck", "stuttering", "off"))]
    made = enlarged(context, source, seed, options, draw)
    if not made:
        return None
    path.write_text(made.text)
    words = [path, *options]
    _, plain, said = check(context, *words, "--symmetry", "off", "--threads", "2")
    if not plain or "statistics" not in plain or not plain["complete"] or plain["statistics"]["states"] < LARGE:
        return None
    problems, runs = [], 1
    for way in draw.sample(WAYS_OF_LARGE, 3):
        way = [str(disk) if word == "DISK" else word for word in way] + ([] if "--symmetry" in way else ["--symmetry", "off"])
        status, other, said = check(context, *words, *way)
        if status == 2 and "internal" not in said:
            continue
        runs += 1
        if not other:
            problems.append(f"{' '.join(way)}: exit status {status}: {said[:300]}")
            continue
        wrong = [row["name"] for row, mine in zip(plain["results"], other["results"]) if {row["verdict"], mine["verdict"]} == {"holds", "violated"}]
        problems += [f"{' '.join(way)}: other verdicts of {wrong}"] if wrong else []
        wrong = wrong_count(plain["statistics"], other["statistics"]) if other["complete"] and "--reduction" not in way else ""
        problems += [f"{' '.join(way)}: {wrong}"] if wrong else []
    return Judged(sources.SOURCES[source][0], runs, "violated" if any(row["verdict"] == "violated" for row in plain["results"]) else "holds", problems, made, made.words, "noether check")


# Name -> (the function, seeds of a batch, share of the batches in percent). A batch takes one to three seconds.
LANES = {
    "spin": (spin, 10, 5), "rumur": (rumur, 6, 1), "interpreter": (interpreter, 12, 3), "fairness": (fairness, 10, 2), "super-structure": (super_structure, 30, 2),
    "partial-order": (partial_order, 12, 2), "cover": (any_threads, 15, 2), "prove": (prove, 2, 3), "certificate": (certificate, 12, 3),
    "prism": (fractions("prism"), 4, 2), "prism_counters": (fractions("prism_counters"), 3, 1), "prism_intervals": (fractions("prism_intervals"), 8, 1),
    "prism_slow": (fractions("prism_slow"), 6, 1), "prism_multi": (fractions("prism_multi"), 6, 1), "prism_multi_linear": (fractions("prism_multi_linear"), 6, 1),
    "prism_linear": (fractions("prism_linear"), 4, 1), "composition": (composition, 12, 1), "faults": (faults, 1, 1), "kept": (kept, 6, 3), "ranks": (ranks, 2, 1),
    "large": (large, 2, 0.5),
}


def run_lane(context, name, seeds):
    """A batch."""
    batch, function = Batch(), LANES[name][0]
    for seed in seeds:
        try:
            judged = function(context, seed)
        except Exception as wrong:  # pylint: disable=broad-except  # whatever it is: the campaign goes on
            judged = Judged("murphi", 0, "no answer", [f"{type(wrong).__name__}: {str(wrong)[:600]}"])
        if judged is None:
            batch.tally[f"{name} not for it"] += 1
            continue
        batch.models += 1
        batch.runs += judged.runs
        batch.tally[f"{name} {judged.verdict}"] += 1
        batch.words.update(f"{judged.language} {word}" for word in judged.words)
        made = judged.made or sources.Made("", ".txt")
        batch.findings += [Findings(name, seed, name, judged.language, symptom_of(problem), problem, judged.command, made.text, made.extension, made.properties)
                           for problem in judged.problems]
    return batch
