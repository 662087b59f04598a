"""Random models of all languages: each source makes a text, and perhaps a file of properties, from a seed alone."""
import random
from dataclasses import dataclass, field

import rooms
from dressed import dressed


@dataclass
class Made:
    text: str
    extension: str  # with its dot
    properties: str = ""
    words: set = field(default_factory=set)  # the constructs that it has, where the generator says so


def murphi(profile):
    def make(seed):
        with rooms.entered("differential") as room:
            generate = room("generate")
            text, _, properties = generate.generate(seed, profile).partition(generate.PROPERTIES + "\n")
        return Made(text, ".m", properties)
    return make


def fair(seed):
    """Formulas of linear and branching time under fairness."""
    with rooms.entered("ltl") as room:
        models = room("random_models")
        model = models.Model(seed)
        return Made(models.model_text(model, models.branching(model, seed)), ".m")


def guarded(seed):
    with rooms.entered("guarded") as room:
        return Made(room("run").Model(seed).text(), ".m")


def independent(seed):
    """Steps that commute, for the partial-order reduction."""
    with rooms.entered("por") as room:
        return Made(room("generate").generate(seed)[0], ".m")


def threads(seed):
    with rooms.entered("cover") as room:
        maker = room("random_models").Maker(seed)
        text = maker.model()
        return Made(text, ".m", words=maker.used)


def promela(seed):
    """Some formulas are about fair runs only."""
    with rooms.entered("promela") as room:
        model, words = room("generate").generate(seed)
        text = room("tree").text_of(model)
    fairness = random.Random(f"fairness {seed}").choice(("weak", "strong", "", "", "", "")) if model.formulas else ""
    head, more = (f"// --property fairness {fairness};\n", {f"{fairness} fairness"}) if fairness else ("", set())
    return Made(head + text, ".pml", words=words | more)


def boolean(seed):
    with rooms.entered("boolean") as room:
        program, words = room("generate").make(seed)
        text = room("generate").text_of(program, seed)
    head = f"// --threads-of-model {1 + seed % 3} --recursion {program['recursion']}\n"
    if program["unreachable"]:
        head += f"// --property unreachable {program['unreachable']}\n"
    return Made(head + text, ".bp", words=words)


def chain(module, maker="Model"):
    def make(seed):
        with rooms.entered("differential") as room:
            model = getattr(room(module), maker)(seed)
            text = model.text()
            return Made(text, ".prism", model.properties())
    return make


def dressed_chain(seed):
    with rooms.entered("differential") as room:
        model = dressed(room("prism").Model)(seed)
        text = model.text()
        return Made(text, ".prism", model.properties())


# Name -> (language, maker, share of the models in percent).
SOURCES = {
    "plain": ("murphi", murphi("plain"), 14),
    "crowd": ("murphi", murphi("crowd"), 9),
    "partial": ("murphi", murphi("partial"), 9),
    "sat": ("murphi", murphi("sat"), 4),
    "symbolic": ("murphi", murphi("symbolic"), 6),
    "fair": ("murphi", fair, 6),
    "guarded": ("murphi", guarded, 7),
    "independent": ("murphi", independent, 7),
    "threads": ("murphi", threads, 5),
    "promela": ("promela", promela, 11),
    "boolean": ("boolean", boolean, 15),
    "modules": ("prism", chain("prism"), 1),
    "dressed": ("prism", dressed_chain, 3),
    "walks": ("prism", chain("prism_intervals", "Walk"), 3),
    "tiny": ("prism", chain("prism_slow"), 2),
}


def draw(name, number):
    """Of the sources, by their shares."""
    dice, at = random.Random(f"source {name} {number}").random() * sum(share for _, _, share in SOURCES.values()), 0
    for source, (_, _, share) in SOURCES.items():
        at += share
        if dice < at:
            return source
    return source
