"""Mutants of Murphi models: a comparison negated, a conjunct or an assignment left out, a label exchanged for another of its enum."""
import random
import re


def split(text):
    """The text before the first property, and from there on: properties stay as they are."""
    at = re.search(r"(?m)^(invariant|fairness|ltl)\b", text).start()
    return text[:at], text[at:]


def enums(text):
    return [re.split(r"\s*,\s*", labels.strip()) for labels in re.findall(r"enum\s*\{([^}]*)\}", text)]


def sites(text):
    """(begin, end, replacement) of each possible change."""
    begin = text.index("startstate")
    found = []
    for match in re.finditer(r" (=|!=) ", text):
        found.append((match.start(), match.end(), " != " if match.group(1) == "=" else " = "))
    for match in re.finditer(r"(?m)^\s*[\w\[\].]+ := [^;\n]*;", text):
        found.append((match.start(), match.end(), ""))
    for match in re.finditer(r" & [\w\[\]. ]+?( =| !=) \w+|!\w+ & ", text):
        found.append((match.start(), match.end(), " " if match.group(0).startswith(" &") else ""))
    for match in re.finditer(r"\b(true|false)\b", text):
        found.append((match.start(), match.end(), "false" if match.group(1) == "true" else "true"))
    for labels in enums(text):
        for match in re.finditer(r"\b(" + "|".join(labels) + r")\b", text):
            for other in labels:
                if other != match.group(1):
                    found.append((match.start(), match.end(), other))
    return [site for site in found if site[0] > begin]


def mutants(text, count, seed):
    """(what was changed, text)"""
    choice = random.Random(seed)
    model, properties = split(text)
    places = sites(model)
    choice.shuffle(places)
    for begin, end, new in places[:count]:
        line = model.count("\n", 0, begin) + 1
        yield f"line {line}: {model[begin:end].strip()!r} -> {new.strip()!r}", model[:begin] + new + model[end:] + properties
