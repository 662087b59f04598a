#!/usr/bin/env python3
"""tests/differential/prism_linear.py [--count N] [--seed S] [--keep FOLDER] BINARY: LTL under P and R on random small chains and
mdps, in exact arithmetic and in intervals, against algorithms without automata.

- The probability in a chain: operators are eliminated one by one, from the inside, each by splitting the states into those where
  it will hold and those where it will not (Courcoubetis and Yannakakis, JACM 1995, section 3.1), in fractions.
- Of an mdp: a scheduler without memory makes it a chain. What each of them attains lies between the least and the greatest value.
  For combinations of G F p and of formulas that a prefix decides the greatest value is computed: what can occur again and again
  is an end component, tried for every set of the G F p; prefixes are decided by rewriting the formula letter by letter.
- A reward of a co-safe formula in a chain: by rewriting the formula, until all letters lead to true. In some states nothing is
  enabled: the chain takes a self-loop, in a ctmc of rate 1.
- E and A: lassos of the graph that have the formula, or do not.

Fails also when few values were compared."""
import fractions
import itertools
import json
import pathlib
import random
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

import tally

F = fractions.Fraction
SECONDS = 60
TRUE, FALSE = ("true",), ("false",)

# --- formulas: tuples; ("atom", name) is the state formula of that name ---


def random_formula(r, size, atoms):
    if size <= 1:
        return r.choice(atoms) if r.random() < 0.95 else r.choice((TRUE, FALSE))
    if size == 2 or r.random() < 0.35:
        return (r.choice(("!", "X", "F", "G", "F", "G")), random_formula(r, size - 1, atoms))
    left = r.randrange(1, size - 1)
    return (r.choice(("&", "|", "=>", "<=>", "U", "U", "W", "R")), random_formula(r, left, atoms),
            random_formula(r, size - 1 - left, atoms))


def text(formula):
    if formula[0] == "atom":
        return f'"{formula[1]}"'
    if formula in (TRUE, FALSE):
        return formula[0]
    if len(formula) == 2:
        return f"{formula[0]} ({text(formula[1])})"
    return f"(({text(formula[1])}) {formula[0]} ({text(formula[2])}))"


def bounded(r, formula):
    """The text with some bounds, and the formula that they stand for."""
    if formula[0] not in ("F", "G", "U") or r.random() < 0.3:
        parts = [bounded(r, part) for part in formula[1:]] if formula[0] not in ("atom", "true", "false") else []
        if not parts:
            return text(formula), formula
        words = [f"({word})" for word, _ in parts]
        made = (formula[0], *(part for _, part in parts))
        return f"{formula[0]} {words[0]}" if len(parts) == 1 else f"({words[0]} {formula[0]} {words[1]})", made
    low = r.choice((0, 0, 1, 2))
    high = low + r.choice((0, 1, 2))
    window = f"[{low},{high}]" if low else f"<={high}"
    parts = [bounded(r, part) for part in formula[1:]]
    left, right = (TRUE, parts[0][1]) if len(parts) == 1 else (parts[0][1], parts[1][1])
    if formula[0] == "G":
        right = ("!", right)
    made = right
    for _ in range(high - low):
        made = ("|", right, ("&", left, ("X", made)))
    for _ in range(low):
        made = ("&", left, ("X", made))
    if formula[0] == "G":
        made = ("!", made)
    words = [f"({word})" for word, _ in parts]
    return (f"{formula[0]}{window} {words[0]}" if len(words) == 1 else f"({words[0]} {formula[0]}{window} {words[1]})"), made


def basic(formula):
    """With true, !, &, X and U only."""
    kind = formula[0]
    if kind in ("atom", "true"):
        return formula
    if kind == "false":
        return ("!", TRUE)
    parts = [basic(part) for part in formula[1:]]
    if kind in ("!", "X", "&", "U"):
        return (kind, *parts)
    no = [("!", part) for part in parts]
    if kind == "F":
        return ("U", TRUE, parts[0])
    if kind == "G":
        return ("!", ("U", TRUE, no[0]))
    if kind == "|":
        return ("!", ("&", *no))
    if kind == "=>":
        return ("!", ("&", parts[0], no[1]))
    if kind == "<=>":
        return ("&", ("!", ("&", parts[0], no[1])), ("!", ("&", no[0], parts[1])))
    if kind == "R":
        return ("!", ("U", *no))
    return ("!", ("U", ("&", parts[0], no[1]), ("&", *no)))  # W


# --- chains: lists of {target: probability}, labels: a set of names by state ---


def eliminate(chain, unknown, constants):
    """x = constant + chain * x for the unknown states, the others being 0: by Gauss and Jordan."""
    place = {s: i for i, s in enumerate(unknown)}
    rows = []
    for s, constant in zip(unknown, constants):
        row = [F(0)] * len(unknown) + [constant]
        row[place[s]] += 1
        for t, p in chain[s].items():
            if t in place:
                row[place[t]] -= p
        rows.append(row)
    for i in range(len(rows)):
        pivot = next(k for k in range(i, len(rows)) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(len(rows)):
            if k != i and rows[k][i]:
                rows[k] = [x - rows[k][i] * y for x, y in zip(rows[k], rows[i])]
    return {s: rows[place[s]][-1] for s in unknown}


def solve(chain, left, goal):
    """Of left U goal, by state, exactly."""
    n = len(chain)
    can = set(goal)
    while more := [s for s in range(n) if s not in can and s in left and any(t in can for t in chain[s])]:
        can |= set(more)
    unknown = [s for s in range(n) if s in can and s not in goal]
    values = eliminate(chain, unknown, [sum((p for t, p in chain[s].items() if t in goal), F(0)) for s in unknown])
    return [F(1) if s in goal else values.get(s, F(0)) for s in range(n)]


def holds(formula, labels):
    kind = formula[0]
    if kind == "atom":
        return formula[1] in labels
    if kind == "!":
        return not holds(formula[1], labels)
    return kind == "true" or all(holds(part, labels) for part in formula[1:])


def innermost(formula):
    if formula[0] in ("atom", "true"):
        return None
    for part in formula[1:]:
        if (found := innermost(part)) is not None:
            return found
    return formula if formula[0] in ("X", "U") else None


def replace(formula, old, new):
    if formula == old:
        return new
    return formula if formula[0] in ("atom", "true") else (formula[0], *(replace(part, old, new) for part in formula[1:]))


def probability(chain, labels, start, formula):
    """Of the paths from the start that have the formula."""
    formula, fresh = basic(formula), itertools.count()
    weights = {start: F(1)}
    while (operator := innermost(formula)) is not None:
        name, n = f"_{next(fresh)}", len(chain)
        if operator[0] == "X":
            right = {s for s in range(n) if holds(operator[1], labels[s])}
            value = [sum((p for t, p in chain[s].items() if t in right), F(0)) for s in range(n)]
        else:
            left, right = ({s for s in range(n) if holds(part, labels[s])} for part in operator[1:])
            value = solve(chain, left, right)
        share = lambda s, yes: value[s] if yes else 1 - value[s]
        pairs = [(s, yes) for s in range(n) for yes in (True, False) if share(s, yes)]
        number = {pair: i for i, pair in enumerate(pairs)}

        def goes(s, yes, t, then):
            """May the state that will have it (or not) be followed by that one?"""
            if operator[0] == "X":
                return (t in right) == yes
            return then == yes if s in left and s not in right else True

        def scale(s, yes):
            return share(s, yes) if operator[0] == "X" or (s in left and s not in right) else F(1)

        chain = [{number[t, then]: p * share(t, then) / scale(s, yes) for t, p in chain[s].items() for then in (True, False)
                  if (t, then) in number and goes(s, yes, t, then)} for s, yes in pairs]
        labels = [labels[s] | ({name} if yes else set()) for s, yes in pairs]
        weights = {number[s, yes]: w * share(s, yes) for s, w in weights.items() for yes in (True, False) if (s, yes) in number}
        formula = replace(formula, operator, ("atom", name))
    return sum((w for s, w in weights.items() if holds(formula, labels[s])), F(0))


# --- formulas that a prefix decides, rewritten letter by letter ---


def negate(formula):
    duals = {"&": "|", "|": "&", "X": "X", "U": "R", "R": "U", "F": "G", "G": "F"}
    kind = formula[0]
    if kind in ("true", "false"):
        return FALSE if kind == "true" else TRUE
    if kind == "atom":
        return ("!", formula)
    return formula[1] if kind == "!" else (duals[kind], *(negate(part) for part in formula[1:]))


def positive(formula):
    """Negations at the atoms."""
    kind = formula[0]
    if kind in ("atom", "true", "false"):
        return formula
    parts = [positive(part) for part in formula[1:]]
    if kind == "!":
        return negate(parts[0])
    if kind == "=>":
        return ("|", negate(parts[0]), parts[1])
    if kind == "<=>":
        return ("|", ("&", *parts), ("&", *map(negate, parts)))
    if kind == "W":
        return ("R", parts[1], ("|", *parts))
    return (kind, *parts)


def join(kind, parts):
    """A conjunction or disjunction of a set of formulas, in some order."""
    unit, zero = (TRUE, FALSE) if kind == "&" else (FALSE, TRUE)
    flat = set()
    for part in parts:
        flat |= set(part[1]) if part[0] == kind + kind else {part}
    flat.discard(unit)
    if zero in flat:
        return zero
    return unit if not flat else next(iter(flat)) if len(flat) == 1 else (kind + kind, frozenset(flat))


def rewrite(formula, letter):
    """What the rest of the word must have."""
    kind = formula[0]
    if kind in ("true", "false"):
        return formula
    if kind == "atom":
        return TRUE if formula[1] in letter else FALSE
    if kind == "!":
        return FALSE if formula[1][1] in letter else TRUE
    if kind in ("&&", "||"):
        return join(kind[0], [rewrite(part, letter) for part in formula[1]])
    if kind in ("&", "|"):
        return join(kind, [rewrite(part, letter) for part in formula[1:]])
    if kind == "X":
        return formula[1]
    if kind in ("F", "G"):
        return join("|" if kind == "F" else "&", [rewrite(formula[1], letter), formula])
    left, right = (rewrite(part, letter) for part in formula[1:])
    if kind == "U":
        return join("|", [right, join("&", [left, formula])])
    return join("&", [right, join("|", [left, formula])])


def strict_next(formula):
    """X a is X (a & now): the next letter has to be there."""
    if formula[0] in ("atom", "true", "false"):
        return formula
    parts = [strict_next(part) for part in formula[1:]]
    return ("X", ("&", parts[0], ("atom", "now"))) if formula[0] == "X" else (formula[0], *parts)


def monitor(formula, letters, most=200):
    """The formulas that letters make of it, with what each letter does; None: too many."""
    found, order = {}, [formula]
    for state in order:
        found[state] = {letter: rewrite(state, letter) for letter in letters}
        order += [after for after in set(found[state].values()) if after not in found and after not in order]
        if len(order) > most:
            return None
    return found


def certain(steps):
    """The formulas from which all letters lead to true."""
    open_ones = {state for state in steps if state != TRUE}
    while gone := {state for state in open_ones if not any(after in open_ones for after in steps[state].values())}:
        open_ones -= gone
    return set(steps) - open_ones


def reward(chain, labels, rewards, start, formula):
    """What is expected until the formula is certain; None: infinite; 0 > : too large for this."""
    formula = strict_next(positive(formula))
    names = sorted({name for label in labels for name in label} | {"a", "b", "c"})
    letters = [frozenset(l) for k in range(len(names) + 1) for l in itertools.combinations(names, k)]
    letters += [letter | {"now"} for letter in letters]
    steps = monitor(formula, letters)
    if steps is None:
        return F(-1)
    sure = certain(steps)
    begin, order, after = (start, formula), [(start, formula)], {}
    for state, rest in order:
        then = steps[rest][frozenset(labels[state] | {"now"})]
        after[state, rest] = None if then in sure else {(t, then): p for t, p in chain[state].items()}
        order += [node for node in after[state, rest] or {} if node not in after and node not in order]
    number = {node: i for i, node in enumerate(order)}
    flat = [{number[t]: p for t, p in (after[node] or {node: F(1)}).items()} for node in order]
    goal = {number[node] for node in order if after[node] is None}
    if solve(flat, set(range(len(order))), goal)[number[begin]] != 1:
        return None
    return total(flat, [rewards[state] for state, _ in order], goal)[number[begin]]


def total(chain, rewards, goal):
    """What is expected until the goal, which is reached for certain."""
    unknown = [s for s in range(len(chain)) if s not in goal]
    values = eliminate(chain, unknown, [rewards[s] for s in unknown])
    return [values.get(s, F(0)) for s in range(len(chain))]


# --- mdps ---


def end_components(choices, inside):
    """Maximal ones, by throwing out what leads outside until nothing changes: a set for each."""
    rows = {s: [i for i in range(len(choices[s]))] for s in inside}
    while True:
        reach = {}
        for s in rows:
            seen, work = {s}, [s]
            while work:
                u = work.pop()
                for i in rows[u]:
                    for t in choices[u][i]:
                        if t in rows and t not in seen:
                            seen.add(t)
                            work.append(t)
            reach[s] = seen
        same = lambda s, t: t in rows and t in reach[s] and s in reach[t]
        new = {s: [i for i in rows[s] if all(same(s, t) for t in choices[s][i])] for s in rows}
        new = {s: kept for s, kept in new.items() if kept}
        if new == rows:
            return {frozenset(t for t in rows if same(s, t)) for s in rows}
        rows = new


def greatest(choices, goal):
    """Of reaching the goal: the best of all policies, improved until none is better."""
    n = len(choices)
    policy = [0] * n
    can = set(goal)
    while more := [(s, i) for s in range(n) if s not in can for i, row in enumerate(choices[s]) if any(t in can for t in row)]:
        for s, i in more:
            if s not in can:
                policy[s] = i
        can |= {s for s, _ in more}
    while True:
        value = solve([choices[s][policy[s]] for s in range(n)], set(range(n)), goal)
        better = False
        for s in range(n):
            if s in goal:
                continue
            worth = [sum((p * value[t] for t, p in row.items()), F(0)) for row in choices[s]]
            best = max(range(len(worth)), key=lambda i: worth[i])
            if worth[best] > value[s]:
                policy[s], better = best, True
        if not better:
            return value


class Combination:
    """A propositional formula over items: G F p, or a co-safe formula."""

    def __init__(self, r, atoms):
        state = lambda: r.choice([*atoms, ("&", *r.sample(atoms, 2)), ("!", r.choice(atoms))])
        shapes = (lambda: ("F", state()), lambda: ("U", state(), state()), lambda: ("X", state()),
                  lambda: ("F", ("&", state(), ("X", state()))), lambda: ("F", ("&", state(), ("F", state()))))
        self.repeated = [state() for _ in range(r.randrange(1, 4))]
        self.finite = [r.choice(shapes)() for _ in range(r.randrange(0, 3))]
        items = [("item", i) for i in range(len(self.repeated) + len(self.finite))]
        r.shuffle(items)
        self.tree = items[0] if r.random() < 0.7 else ("!", items[0])
        for item in items[1:]:
            self.tree = (r.choice("&|"), self.tree, item if r.random() < 0.6 else ("!", item))

    def formula(self, tree=None):
        tree = tree or self.tree
        if tree[0] == "item":
            number = tree[1]
            return ("G", ("F", self.repeated[number])) if number < len(self.repeated) else self.finite[number - len(self.repeated)]
        return (tree[0], *(self.formula(part) for part in tree[1:]))

    def decides(self, truths, tree=None):
        tree = tree or self.tree
        if tree[0] == "item":
            return truths[tree[1]]
        parts = [self.decides(truths, part) for part in tree[1:]]
        return not parts[0] if tree[0] == "!" else all(parts) if tree[0] == "&" else any(parts)

    def greatest(self, mdp, start):
        """On the product with what is left of the co-safe formulas before the state is read."""
        begin = (start, tuple(positive(f) for f in self.finite))
        order, choices, seen = [begin], [], {begin: 0}
        for state, rests in order:
            letter = frozenset(mdp.labels[state])
            after, rows = tuple(rewrite(rest, letter) for rest in rests), []
            for choice in mdp.choices[state]:
                row = {}
                for t, p in choice.items():
                    node = (t, after)
                    if node not in seen:
                        seen[node] = len(order)
                        order.append(node)
                    row[seen[node]] = p
                rows.append(row)
            choices.append(rows)
        goal = set()
        for wanted in itertools.product((False, True), repeat=len(self.repeated)):
            has = [{i for i, (s, _) in enumerate(order) if holds_state(p, mdp.labels[s])} for p in self.repeated]
            inside = set(range(len(order)))
            for yes, states in zip(wanted, has):
                inside -= set() if yes else states
            for component in end_components(choices, inside):
                rests = {order[i][1] for i in component}
                truths = [*wanted, *(all(rest[k] == TRUE for rest in rests) for k in range(len(self.finite)))]
                if all(not yes or component & states for yes, states in zip(wanted, has)) and self.decides(truths):
                    goal |= component
        return greatest(choices, goal)[0]


def holds_state(formula, labels):
    kind = formula[0]
    if kind == "atom":
        return formula[1] in labels
    return not holds_state(formula[1], labels) if kind == "!" else all(holds_state(part, labels) for part in formula[1:])


class Model:
    def __init__(self, r):
        self.kind = r.choice(("dtmc", "mdp", "mdp", "ctmc"))
        self.n = r.choice((2, 3, 3, 4))
        most = 2 if self.kind == "mdp" else 1
        self.choices = [[self.distribution(r) for _ in range(r.randrange(1, most + 1))] for _ in range(self.n)]
        self.labels = [{name for name in "abc" if r.random() < 0.5} for _ in range(self.n)]
        self.rewards = [F(r.choice((0, 1, 2, 5)), r.choice((1, 2))) for _ in range(self.n)]
        self.dead = {s for s in range(self.n) if r.random() < (0.4 if self.kind == "ctmc" else 0.15)}
        for s in self.dead:
            self.choices[s] = [{s: F(1)}]

    def distribution(self, r):
        targets = r.sample(range(self.n), r.randrange(1, min(3, self.n) + 1))
        weights = [r.choice((1, 1, 2, 3)) for _ in targets]
        return {t: F(w, sum(weights)) for t, w in zip(targets, weights)}

    def text(self):
        lines = [self.kind, "module m", f"  s : [0..{self.n - 1}];"]
        for state, choices in enumerate(self.choices):
            for choice in choices if state not in self.dead else ():
                scale = 3 if self.kind == "ctmc" else 1
                lines.append(f"  [] s={state} -> " + " + ".join(f"{p * scale}:(s'={t})" for t, p in choice.items()) + ";")
        lines.append("endmodule")
        for name in "abc":
            states = " | ".join(f"s={s}" for s in range(self.n) if name in self.labels[s]) or "false"
            lines.append(f'label "{name}" = {states};')
        lines += ['rewards "r"'] + [f"  s={s} : {x};" for s, x in enumerate(self.rewards)] + ["endrewards"]
        return "\n".join(lines) + "\n"

    def schedulers(self):
        for rows in itertools.product(*(range(len(choices)) for choices in self.choices)):
            yield [self.choices[s][i] for s, i in enumerate(rows)]

    def earned(self):
        return [x / 3 if self.kind == "ctmc" and s not in self.dead else x for s, x in enumerate(self.rewards)]


def lasso_holds(formula, labels, lasso, loop):
    """By the definition, at the first place."""
    after = lambda i: i + 1 if i + 1 < len(lasso) else loop

    def places(f):
        kind = f[0]
        if kind in ("atom", "true"):
            return [kind == "true" or f[1] in labels[s] for s in lasso]
        parts = [places(part) for part in f[1:]]
        if kind == "!":
            return [not x for x in parts[0]]
        if kind == "&":
            return [x and y for x, y in zip(*parts)]
        if kind == "X":
            return [parts[0][after(i)] for i in range(len(lasso))]
        found = list(parts[1])
        for _ in lasso:
            found = [found[i] or (parts[0][i] and found[after(i)]) for i in range(len(lasso))]
        return found

    return places(basic(formula))[0]


def lassos(r, model, count):
    graph = [sorted({t for choice in choices for t in choice}) for choices in model.choices]
    for _ in range(count):
        path = [0]
        while len(path) < r.randrange(2, 9):
            path.append(r.choice(graph[path[-1]]))
        loops = [i for i in range(len(path)) if path[i] in graph[path[-1]]]
        if loops:
            yield path, r.choice(loops)


# --- comparison ---


def run(binary, folder, *more):
    answer = folder / f"answer{len(more)}.json"
    done = subprocess.run([binary, "check", str(folder / "model.prism"), str(folder / "model.props"), "-q", "--json", str(answer),
                           *more], capture_output=True, text=True, timeout=patience.seconds(SECONDS))
    return json.loads(answer.read_text())["results"][1:] if answer.exists() else (done.stderr or done.stdout).strip()


def queries(r, model):
    """Pairs of a property and what is wrong with an exact answer (None: infinite), if anything is."""
    atoms = [("atom", name) for name in "abc"]
    chains = list(model.schedulers())

    def between(formula, extreme):
        values = [probability(chain, model.labels, 0, formula) for chain in chains]
        limit = (min if extreme == "min" else max)(values)
        return lambda x: x is not None and (x == limit if model.kind != "mdp" else x <= limit if extreme == "min" else x >= limit)

    extremes = ("min", "max") if model.kind == "mdp" else ("",)
    for _ in range(3):
        words, formula = bounded(r, random_formula(r, r.randrange(2, 7), atoms)) if model.kind != "ctmc" and r.random() < 0.4 \
            else (lambda f: (text(f), f))(random_formula(r, r.randrange(2, 7), atoms))
        extreme = r.choice(extremes)
        yield f"P{extreme}=? [ {words} ]", between(formula, extreme)
    combination = Combination(r, atoms)
    best = combination.greatest(model, 0)
    yield f"P{extremes[-1]}=? [ {text(combination.formula())} ]", lambda x: x == best
    yield f"P{extremes[0]}=? [ {text(('!', combination.formula()))} ]", lambda x: x == 1 - best
    yield earnings(r, model, atoms, chains, r.choice(extremes))
    for quantifier in "EA":
        formula = random_formula(r, r.randrange(2, 7), atoms)
        seen = {lasso_holds(formula, model.labels, *lasso) for lasso in lassos(r, model, 30)}
        decisive = (True if quantifier == "E" else False) in seen
        yield f"{quantifier} [ {text(formula)} ]", (lambda x, q=quantifier, d=decisive: not d or x == (q == "E"))


def earnings(r, model, atoms, chains, extreme):
    def cosafe(size):
        if size <= 1:
            return r.choice([*atoms, ("!", r.choice(atoms)), TRUE])
        if size == 2 or r.random() < 0.4:
            return (r.choice("XFXF"), cosafe(size - 1))
        left = r.randrange(1, size - 1)
        return (r.choice("&|UU"), cosafe(left), cosafe(size - 1 - left))

    formula = cosafe(r.randrange(2, 6))
    if r.random() < 0.5:
        formula = ("|", ("X", cosafe(1)), ("F", cosafe(1)))
    formula = ("F", formula) if formula[0] in ("atom", "!", "true") else formula
    values = [reward(chain, model.labels, model.earned(), 0, formula) for chain in chains]

    def is_right(x):
        if F(-1) in values:
            return True
        if model.kind != "mdp":
            return x == values[0]
        finite = [v for v in values if v is not None]
        if extreme == "max":
            return x is None if None in values else x is None or x >= max(finite)
        return not finite or (x is not None and x <= min(finite))

    return f'R{{"r"}}{extreme}=? [ {text(formula)} ]', is_right


def value_of(result):
    if "value" not in result:
        return result["verdict"] == "holds"
    exact = result["value"]["exact"]
    return None if exact == "infinity" else F(exact)


def is_near(exact, result):
    """Does the interval have the exact value?"""
    if "value" not in result:
        return (result["verdict"] == "holds") == value_of(exact)
    value, low, high = value_of(exact), *(float(result["value"][end]) for end in ("lower", "upper"))
    return low == float("inf") if value is None else low <= value <= high


def compare(binary, seed, keep):
    r = random.Random(seed)
    model = Model(r)
    asked = list(queries(r, model))
    folder = pathlib.Path(keep) / str(seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.prism").write_text(model.text())
    (folder / "model.props").write_text("".join(f"{words};\n" for words, _ in asked))
    exact, near = run(binary, folder, "--exact"), run(binary, folder, "--symmetry", "off")
    if isinstance(exact, str) or isinstance(near, str):
        return [exact if isinstance(exact, str) else near], 0, False
    found, compared = [], 0
    for (words, is_right), result, other in zip(asked, exact, near):
        if "unknown" in (result["verdict"], other["verdict"]):
            found.append(f"{words}: {result.get('reason')}, {other.get('reason')}")
        elif not is_right(value_of(result)):
            found.append(f"{words}: {result.get('value', result['verdict'])} cannot be")
        elif not is_near(result, other):
            found.append(f"{words}: exactly {result.get('value')}, else {other.get('value')}")
        compared += 1
    return found, compared, model.kind == "mdp"


def summary(count, compared, mdps):
    return f"{compared} values compared, {mdps} of {count} models are mdps", compared >= 6 * count and mdps >= count // 4


if __name__ == "__main__":
    sys.exit(tally.run(compare, 40, summary))
