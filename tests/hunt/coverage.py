"""Constructs of the languages: which the models of a campaign have, and which were never made."""
import re
import subprocess

import rooms

# PRISM: by what stands in the model or its properties (docs/languages/prism.md).
PRISM = {
    "dtmc": r"^(dtmc|probabilistic)\b", "mdp": r"^(mdp|nondeterministic)\b", "ctmc": r"^(ctmc|stochastic)\b",
    "probabilistic (old word)": r"^(probabilistic|nondeterministic|stochastic)\b", "constant": r"^const (int|double|bool)", "constant without a value": r"^const \w+ \w+;",
    "const bool": r"^const bool", "rate or prob (old)": r"^(rate|prob) ", "formula": r"^formula ", "label": r"^label ", "global variable": r"^global ",
    "renamed module": r"= \w+ ?\[", "init ... endinit": r"^init ", "system ||": r"\|\|", "system |||": r"\|\|\|", "system |[a]|": r"\|\[", "hidden action": r"/ ?\{",
    "renamed action": r"<-", "synchronised commands": r"^ *\[\w+\]", "boolean variable": r": bool", "state reward": r"^ *[^\[\n]+ : ", "transition reward": r"^ *\[\w*\] [^-\n]+ : [^-\n]+;$",
    "min": r"\bmin\(", "max": r"\bmax\(", "floor": r"\bfloor\(", "ceil": r"\bceil\(", "round": r"\bround\(", "pow": r"\bpow\(", "mod": r"\bmod\(", "log": r"\blog\(",
    "func (old)": r"\bfunc\(", "power": r"\)\^", "quotient of integers": r"\w/\(", "conditional": r"\?[^=]", "implication": r"=>", "equivalence": r"<=>",
    "P=?": r"\bP=\?", "Pmin=?": r"\bPmin=\?", "Pmax=?": r"\bPmax=\?", "bound on P": r"\bP(min|max)?[<>]", "S": r"\bS(min|max)?(=\?|[<>])", "R=?": r"\bR(\{[^}]*\})?(min|max)?=\?",
    "bound on R": r"\bR(\{[^}]*\})?(min|max)?[<>]", "reward by name": r'R\{"', "reward by number": r"R\{\d", "X": r"\[ *\(?X ", "F": r"\bF\b", "G": r"\bG\b", "U": r"\bU\b", "W": r"\bW\b",
    "R path": r"\) R\b", "<= bound": r"[FGUWR]<=", "< bound": r"[FGUWR]<\d", "= bound": r"[FGUWR]=\d", ">= bound": r"[FGUWR]>=", "interval bound": r"[FGUWR]\[", "R F": r"R[^\n]*=\? \[ F",
    "R C": r"\[ C \]", "R C<=": r"\[ C<=", "R I=": r"\[ I=", "R S": r"R[^\n]*\[ S \]", "co-safe reward": r"R[^\n]*\[ (F \(|\()", "E": r"\bE \[", "A": r"\bA \[", "LTL": r"\[ [^\]]*([XFG] \([XFG]|[XFG] [XFG] |\) [&|U] \()",
    **{f"filter {kind}": rf"filter\({kind}\b" for kind in ("min", "max", "argmin", "argmax", "avg", "sum", "count", "forall", "exists", "first", "range", "print", "printall", "state")},
    "old filter": r"\{[^}\"]*\}\{(min|max)\}", "multi, achievable": r"multi\([PR][^?]*\)$", "multi, best": r"multi\([^\n]*=\?", "multi, Pareto": r"multi\([^\n]*=\?[^\n]*=\?", "multi with LTL": r"multi\([^\n]*[FG] [FG] ",
    "named property": r'^"\w+":', "property in a property": r'^(?!"p\d":)[^\n]*"p\d"', '"init"': r'"init"', '"deadlock"': r'"deadlock"', "label in a property": r'"l\d"', "nested P": r"\[ [^\]]*\bP(min|max)?[<>=]",
    "functions of results": r"^(max|min|pow|floor|ceil|mod|log|\()[^\n]*P[^\n]*=\?", "initial value": r"\binit \w+;",
}
PRISM = {name: re.compile(pattern, re.M) for name, pattern in PRISM.items()}


def of_prism(made):
    text = made.text + "\n" + made.properties
    return {name for name, pattern in PRISM.items() if pattern.search(text)}


# Murphi: what the program constructs does not tell apart.
MURPHI = {"range that ends at the largest number": r"\.\. ?2147483647\b", "range that begins at the least number": r"-2147483647 ?\.\."}


def of_murphi(program, paths):
    """Counts by name: models that have it."""
    done = subprocess.run([program, *map(str, paths)], capture_output=True, text=True, errors="replace", check=False)
    rows = [line.split(" ", 1) for line in done.stdout.splitlines()]
    texts = [path.read_text() for path in paths]
    return {name: int(number) for number, name in rows} | {name: sum(bool(re.search(pattern, text)) for text in texts) for name, pattern in MURPHI.items()}


def expected(language, counts):
    """All constructs of the language."""
    if language == "promela":
        with rooms.entered("promela") as room:
            return {*room("constructs").CONSTRUCTS, "weak fairness", "strong fairness"}
    if language == "boolean":
        with rooms.entered("boolean") as room:
            return set(room("generate").STATEMENTS + room("generate").EXPRESSIONS)
    if language == "prism":
        return set(PRISM)
    with rooms.entered("differential") as room:
        refused = set(room("constructs").REFUSED)
    return {name for name in counts if name not in refused}


def table(words):
    """Lines: for each language how many constructs were made, the rarest, and those that never were."""
    for language in ("murphi", "prism", "promela", "boolean"):
        counts = {name.split(" ", 1)[1]: number for name, number in words.items() if name.startswith(language + " ")}
        all_of_them = expected(language, counts)
        made = {name: counts.get(name, 0) for name in all_of_them}
        never = sorted(name for name, number in made.items() if not number)
        rare = sorted((number, name) for name, number in made.items() if number)[:8]
        yield f"{language}: {len(made) - len(never)} of {len(made)} constructs made" + ("; in fewest models: " + ", ".join(f"{name} ({number})" for number, name in rare) if rare else "")
        if never:
            yield f"  never: {', '.join(never)}"


def full_table(words):
    for language in ("murphi", "prism", "promela", "boolean"):
        counts = {name.split(" ", 1)[1]: number for name, number in words.items() if name.startswith(language + " ")}
        for name in sorted(expected(language, counts) | set(counts)):
            yield f"{counts.get(name, 0):9} {language}: {name}"
