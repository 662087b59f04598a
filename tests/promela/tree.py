"""A Promela model as a tree, so that it can be made smaller: a statement is a tuple whose first item is its kind.

    ("basic", text)   ("decl", text)   ("label", name, statement)
    ("if", [sequence, ...])   ("do", [sequence, ...])   ("atomic", sequence)   ("d_step", sequence)   ("block", sequence)
    ("for", head, sequence)   ("unless", sequence, sequence)

A sequence is a list of statements; its first may be a guard, whose separator is an arrow."""
from dataclasses import dataclass, field

MARGIN = "  "
NESTED = {"atomic": "atomic {", "d_step": "d_step {", "block": "{"}


@dataclass
class Process:
    head: str  # "active [2] proctype P()"
    declarations: list
    body: list


@dataclass
class Model:
    declarations: list = field(default_factory=list)
    processes: list = field(default_factory=list)
    formulas: list = field(default_factory=list)  # (name, text)
    claim: str = ""
    trace: str = ""
    fair: bool = False  # every process runs for ever, so that SPIN's weak fairness is exact
    cycles: str = ""  # "accept" or "progress": labels whose cycles are asked for


def render_choice(word, options, depth):
    pad = MARGIN * depth
    lines = [pad + word]
    for option in options:
        inner = render_sequence(option, depth + 1)
        inner[0] = f"{pad}:: {inner[0].strip()}"
        lines += inner
    return [*lines, pad + ("fi" if word == "if" else "od")]


def render(statement, depth):
    pad, kind = MARGIN * depth, statement[0]
    if kind in ("basic", "decl"):
        return [pad + statement[1]]
    if kind == "label":
        lines = render(statement[2], depth)
        return [f"{pad}{statement[1]}: {lines[0].strip()}", *lines[1:]]
    if kind in ("if", "do"):
        return render_choice(kind, statement[1], depth)
    if kind == "for":
        return [pad + statement[1] + " {", *render_sequence(statement[2], depth + 1), pad + "}"]
    if kind == "unless":
        return [pad + "{", *render_sequence(statement[1], depth + 1), pad + "} unless {", *render_sequence(statement[2], depth + 1), pad + "}"]
    return [pad + NESTED[kind], *render_sequence(statement[1], depth + 1), pad + "}"]


def is_guard(statement):
    return statement[0] == "basic" and (statement[1].startswith("(") or statement[1] == "else")


def separator(statement, place):
    if statement[0] in ("atomic", "d_step", "for"):
        return ""  # none is needed behind a brace
    return " ->" if place == 0 and is_guard(statement) else ";"


def render_sequence(sequence, depth):
    lines = []
    for i, statement in enumerate(sequence):
        lines += render(statement, depth)
        if i + 1 < len(sequence):
            lines[-1] += separator(statement, i)
    return lines or [MARGIN * depth + "skip"]


def text_of(model):
    lines = list(model.declarations)
    for process in model.processes:
        lines += [process.head + " {", *(MARGIN + text + ";" for text in process.declarations), *render_sequence(process.body, 1), "}"]
    lines += [model.trace] if model.trace else []  # behind the processes: pan takes process 0 for a trace that is the first of all
    lines += [f"ltl {name} {{ {text} }}" for name, text in model.formulas]
    return "\n".join([*lines, *([model.claim] if model.claim else [])]) + "\n"


# --- smaller ones ---


def smaller_statements(statement):
    """What may stand instead of a statement: sequences."""
    kind = statement[0]
    if kind in ("if", "do"):
        for i, option in enumerate(statement[1]):
            if len(statement[1]) > 1:
                yield [(kind, statement[1][:i] + statement[1][i + 1:])]
            yield option
        for i, option in enumerate(statement[1]):
            for less in smaller_sequences(option):
                if less:
                    yield [(kind, [*statement[1][:i], less, *statement[1][i + 1:]])]
    elif kind == "label":
        yield [statement[2]]
        for less in smaller_statements(statement[2]):
            if less:
                yield [("label", statement[1], less[0]), *less[1:]]
    elif kind == "unless":
        yield statement[1]
        for part in (1, 2):
            for less in smaller_sequences(statement[part]):
                if less:
                    yield [statement[:part] + (less,) + statement[part + 1:]]
    elif kind in NESTED or kind == "for":
        yield statement[-1]
        for less in smaller_sequences(statement[-1]):
            if less:
                yield [(*statement[:-1], less)]


def smaller_sequences(sequence):
    for i in range(len(sequence)):
        yield sequence[:i] + sequence[i + 1:]
    for i, statement in enumerate(sequence):
        for less in smaller_statements(statement):
            yield [*sequence[:i], *less, *sequence[i + 1:]]


def smaller_processes(process):
    head = process.head.replace("active [2]", "active").replace("active [3]", "active [2]")
    if head != process.head:
        yield Process(head, process.declarations, process.body)
    for body in smaller_sequences(process.body):
        yield Process(process.head, process.declarations, body)
    for i in range(len(process.declarations)):
        yield Process(process.head, process.declarations[:i] + process.declarations[i + 1:], process.body)


def smaller_models(model):
    """Models with something less; SPIN refuses those that mean nothing."""
    def changed(**parts):
        return Model(**{**model.__dict__, **parts})

    for i, process in enumerate(model.processes):
        rest = model.processes[:i] + model.processes[i + 1:]
        if rest:
            yield changed(processes=rest)
        for less in smaller_processes(process):
            yield changed(processes=[*model.processes[:i], less, *model.processes[i + 1:]])
    for i in range(len(model.formulas)):
        yield changed(formulas=model.formulas[:i] + model.formulas[i + 1:])
    if model.trace:
        yield changed(trace="")
    for i in range(len(model.declarations)):
        yield changed(declarations=model.declarations[:i] + model.declarations[i + 1:])
