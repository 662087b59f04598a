"""What is true about a random model, as SPIN says: measured, or as it was recorded."""
import re
import zlib
from dataclasses import dataclass, field

from additions import sequences
from spin import Spin
from tree import text_of

LARGEST = 20000  # states; larger models are left out


@dataclass
class Truth:
    states: int = 0
    complete: bool = True  # else the states mean nothing, and there may be other kinds of violations
    kinds: list = field(default_factory=list)
    # Of formulas ("f0"), of these with weak fairness ("f0 fair"), of cycles ("accept", "progress"), of the claim ("claim").
    verdicts: dict = field(default_factory=dict)

    def verdict(self):
        return "violated" if self.kinds else "holds"


def begins(statement, meetings):
    """What an escape may begin with: "else", "meeting" (a send to a rendezvous channel)."""
    kind = statement[0]
    if kind == "label":
        yield from begins(statement[2], meetings)
    elif kind in ("if", "do"):
        for option in statement[1]:
            yield from begins(option[0], meetings) if option else ()
    elif kind in ("atomic", "d_step", "block"):
        yield from begins(statement[-1][0], meetings) if statement[-1] else ()
    elif kind == "basic":
        word = re.match(r"\w+", statement[1])
        yield "else" if statement[1] == "else" else "meeting" if word and word[0] in meetings and "!" in statement[1] else "other"


def is_tried_twice(model):
    """An `unless` whose escape begins with both `else` and a send to a rendezvous channel: pan takes the statements in front of it, too."""
    meetings = set(re.findall(r"chan (\w+)(?:\[\d+\])? = \[0\]", "\n".join(model.declarations)))
    return any(len(sequence[i]) > 2 and sequence[i][0] == "unless" and sequence[i][-1] and {"else", "meeting"} <= set(begins(sequence[i][-1][0], meetings))
               for process in model.processes for sequence, _ in sequences(process.body) for i in range(len(sequence)))


def questions(model, plain):
    """What is asked besides the plain search."""
    may_end = bool(re.search(r"\bend\w*:", text_of(model)))
    for name, _ in model.formulas:
        yield name, lambda spin, name=name: spin.formula(name)
        if model.fair and not plain.kinds and not may_end:  # where runs end SPIN's fairness misses violations
            yield f"{name} fair", lambda spin, name=name: spin.formula(name, fair=True)
    if model.claim:
        yield "claim", lambda spin: spin.accept()
    if model.cycles == "accept":
        yield "accept", lambda spin: spin.accept()
    if model.cycles == "progress":
        yield "progress", lambda spin: spin.progress()


def asked_of_claim(model, name, ask, options):
    """With a claim pan counts its process in _nr_pr."""
    with Spin(text_of(model).replace("_nr_pr", "(_nr_pr - 1)"), **options) as spin:
        return ask(spin)


def measure(model, **options):
    """The truth, or a text: why there is none."""
    if is_tried_twice(model):
        return "an escape with else and a rendezvous"
    with Spin(text_of(model), **options) as spin:
        plain = spin.plain()
        if plain.refused:
            return plain.refused
        if not plain.complete and not plain.kinds:
            return "cut short"
        if plain.states > LARGEST:
            return "too large"
        truth = Truth(plain.states, plain.complete, sorted(plain.kinds))
        for name, ask in questions(model, plain):
            answer = asked_of_claim(model, name, ask, options) if "_nr_pr" in spin.text and name != "accept" else ask(spin)
            if answer.kinds == {"channel"} and "channel" not in plain.kinds:  # pan evaluates conditions that the formula's value does not need
                continue
            if not answer.refused and (answer.complete or answer.kinds):
                truth.verdicts[name] = answer.verdict()
        return truth


def digest(model):
    return f"{zlib.crc32(text_of(model).encode()):08x}"


def write_row(seed, model, truth):
    verdicts = ",".join(f"{name}={verdict}" for name, verdict in truth.verdicts.items())
    return "\t".join([str(seed), digest(model), str(truth.states), str(truth.complete), ",".join(truth.kinds) or "-", verdicts or "-"])


def read_row(line):
    seed, code, states, complete, kinds, verdicts = line.split("\t")
    return int(seed), code, Truth(int(states), complete == "True", [] if kinds == "-" else kinds.split(","),
                                  {} if verdicts == "-" else dict(item.split("=") for item in verdicts.split(",")))
