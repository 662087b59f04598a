"""Reads what a model is expected to do from its header comment.

    -- noether: verdict=holds states=112 canonical=34 rules=672 canonical_rules=203
    -- noether: with N=3 M=1 verdict=holds canonical=47
    -- noether: verdict=violated kind=invariant property="mutual exclusion" trace_length=4
    -- noether: rumur=yes

In a Promela model " * noether: ..." stands in its comment, and nothing of rumur. One line for each case. `states` and `rules` are of the unreduced system, `canonical...` with symmetry. `with` gives
constants other values (-D), `deadlock` is the mode (default stuttering), `trace_length` counts the rules
fired after the start state, the one that fails included. `rumur`: `yes`, it accepts the model and must agree;
`no`, it does not accept it (or never ends); `wrong`, it has a defect the model shows; `differs`, it means something else."""
import pathlib
import re
import shlex
from dataclasses import dataclass, field

LINE = re.compile(r"^(?:--| \*) noether: (.*)$", re.M)
NUMBERS = {"states", "canonical", "rules", "canonical_rules", "trace_length"}
WORDS = {"verdict": {"holds", "violated"}, "deadlock": {"stuttering", "stuck", "off"},
         "rumur": {"yes", "no", "wrong", "differs"}}


@dataclass
class Case:
    model: pathlib.Path
    verdict: str = ""
    deadlock: str = "stuttering"
    kind: str = ""
    property: str = ""
    states: int | None = None
    canonical: int | None = None
    rules: int | None = None
    canonical_rules: int | None = None
    trace_length: int | None = None
    defines: list = field(default_factory=list)

    def name(self):
        extra = "".join(f" -D {define}" for define in self.defines)
        extra += f" --deadlock {self.deadlock}" if self.deadlock != "stuttering" else ""
        return f"{self.model.stem}{extra}"


def read_case(model, words):
    case = Case(model)
    if words[0] == "with":
        words = words[1:]
        while words and words[0].split("=")[0] not in Case.__dataclass_fields__:
            case.defines.append(words.pop(0))
    for word in words:
        key, _, value = word.partition("=")
        if key not in Case.__dataclass_fields__ or value == "" or value not in WORDS.get(key, {value}):
            raise ValueError(f"{model}: what is \"{word}\"?")
        setattr(case, key, int(value) if key in NUMBERS else value)
    if not case.verdict:
        raise ValueError(f"{model}: a case without a verdict")
    return case


def read_model(model):
    """The cases of a model and what rumur makes of it."""
    cases, rumur = [], "no" if model.suffix == ".pml" else None
    for line in LINE.findall(model.read_text()):
        words = shlex.split(line)
        if words[0].startswith("rumur="):
            rumur = words[0].partition("=")[2]
            if rumur not in WORDS["rumur"]:
                raise ValueError(f"{model}: rumur={rumur}")
        else:
            cases.append(read_case(model, words))
    if not cases or rumur is None:
        raise ValueError(f"{model}: no expectations in its header")
    return cases, rumur
