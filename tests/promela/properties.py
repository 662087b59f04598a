"""Formulas, claims and labels of random Promela models."""
from vocabulary import MTYPES


def atom(maker):
    """A condition on global things, in parentheses."""
    from generate import Scope
    choices = []
    if maker.remotes and maker.chance(0.25):
        name, number, locals_, labels = maker.pick(maker.remotes)
        if labels:
            maker.use("remote label in ltl")
            choices.append(f"({name}@{maker.pick(labels)})")
        if locals_:
            variable = maker.pick(locals_)
            maker.use("remote variable in ltl")
            value = maker.pick(MTYPES) if variable.type == "mtype" else maker.constant()
            choices.append(f"({name}[{number}]:{variable.name} == {value})")
    if choices:
        return maker.pick(choices)
    if maker.asks() and maker.asked and maker.chance(0.2):
        maker.use("enabled in a claim")
        return f"(enabled({maker.random.randrange(maker.asked)}))"
    if maker.has("last") and maker.chance(0.3):
        maker.use("_last in a claim")
        return f"(_last == {maker.pick([0, 1])})"
    buffers = [channel for channel in maker.channels if channel.capacity]
    return maker.condition(Scope(maker.shared, buffers, in_process=False, in_formula=True, polls=maker.chance(0.3)), 1)


UNARY = [("[]", "always", "ltl []"), ("<>", "eventually", "ltl <>"), ("!", "!", "ltl !")]
BINARY = [("U", "until", "ltl U"), ("W", "weakuntil", "ltl W"), ("V", "release", "ltl V"), ("&&", "&&", "ltl &&"), ("||", "||", "ltl ||"),
          ("->", "implies", "ltl ->"), ("<->", "equivalent", "ltl <->")]


def formula(maker, depth, words):
    if not depth or maker.chance(0.15):
        return atom(maker)
    if maker.chance(0.55):
        sign, word, name = maker.pick([*UNARY, *UNARY[:2], *UNARY[:2]])
        maker.use(name)
        return f"({word if words else sign} {formula(maker, depth - 1, words)})"
    sign, word, name = maker.pick(BINARY)
    maker.use(name)
    return f"({formula(maker, depth - 1, words)} {word if words else sign} {formula(maker, depth - 1, words)})"


def claim(maker):
    """Some claim: it waits, then accepts as long as a condition is met; or its end is reached."""
    first, second = atom(maker), atom(maker)
    if maker.chance(0.5):
        return f"never {{\nwaiting:\n  do\n  :: {first} -> goto accept_here\n  :: true\n  od;\naccept_here:\n  do\n  :: {second}\n  od\n}}"
    return f"never {{\n  do\n  :: {first} -> break\n  :: !({second})\n  od\n}}"


def add_label(maker, word):
    """To some statement of some process that is a step of its own."""
    maker.use(f"{word} label", "label")
    process = maker.pick(maker.model.processes)
    places = [i for i, item in enumerate(process.body) if item[0] in ("basic", "do", "if")]
    loops = [item for item in process.body if item[0] == "do"]
    if loops and maker.chance(0.7):
        sequence = maker.pick(maker.pick(loops)[1])
        places = [i for i in range(1, len(sequence)) if sequence[i][0] in ("basic", "if", "do") and sequence[i][1] != "break"]
    else:
        sequence = process.body
    if places:
        place = maker.pick(places)
        sequence[place] = ("label", maker.fresh(word), sequence[place])


def add_properties(maker):
    """Not beside assertions and indices that fail: the answers of pan would be about these."""
    model = maker.model
    if maker.fails or maker.has("passing"):
        return
    if maker.has("formulas") or maker.has("fairness") or maker.chance(0.08):
        words = maker.chance(0.2)
        maker.use("ltl", *(["ltl with words"] if words else []))
        model.formulas = [(f"f{i}", formula(maker, maker.pick([1, 2, 2, 3]), words)) for i in range(maker.pick([1, 2, 3]))]
    elif maker.has("claims"):
        maker.use("never")
        model.claim = claim(maker)
        if maker.chance(0.3):
            maker.use("never with accept labels")
            add_label(maker, "accept")
    elif maker.has("labels"):
        model.cycles = maker.pick(["accept", "progress"])
        add_label(maker, model.cycles)
