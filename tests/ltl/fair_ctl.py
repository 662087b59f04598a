"""CTL over fair paths on a small system: an independent answer for random models, with neither symmetry nor components.

The states with a fair path inside a set are a fixed point, after Kesten, Pnueli and Raviv ("Algorithmic verification of
linear temporal logic specifications", ICALP 1998): a state goes if no successor stays, or if it obliges a requirement
that no state which it leads to meets. What stays when no more go has a fair path to go on with, and every fair cycle stays.

A formula is a tuple: ("atom", function of a state), ("not", f), ("and", f, g), ("EX", f), ("EG", f), ("EU", f, g).
"""


def lead_to(edges, through, goal):
    """The states of `through` from which steps inside `through` lead to one of `goal`; and those themselves."""
    back = {}
    for state in through:
        for target, _ in edges[state]:
            back.setdefault(target, []).append(state)
    found, work = set(goal), list(goal)
    while work:
        for state in back.get(work.pop(), ()):
            if state not in found:
                found.add(state)
                work.append(state)
    return found


def with_fair_path(edges, inside, pairs):
    """The states of `inside` with a fair infinite path there. pairs: (obliges, meets, meets_with_step)."""
    left, before = set(inside), None
    while left != before:
        before = set(left)
        left = {state for state in left if any(target in left for target, _ in edges[state])}
        for obliges, meets, step in pairs:
            goal = {state for state in left
                    if meets(state) or any(target in left and step(state, label) for target, label in edges[state])}
            can = lead_to(edges, left, goal)
            left = {state for state in left if state in can or not obliges(state)}
    return lead_to(edges, set(inside), left)


class Checker:
    def __init__(self, system, pairs):
        self.system, self.pairs = system, pairs
        self.all = set(range(len(system.states)))
        self.fair = with_fair_path(system.edges, self.all, pairs)

    def where(self, f):
        kind = f[0]
        if kind == "atom":
            return {state for state in self.all if f[1](self.system.states[state])}
        if kind == "not":
            return self.all - self.where(f[1])
        if kind == "and":
            return self.where(f[1]) & self.where(f[2])
        if kind == "EX":  # a state that is repeated since the run ends there has no next state
            goal = self.where(f[1]) & self.fair
            return {state for state in self.all
                    if any(label is not None and target in goal for target, label in self.system.edges[state])}
        if kind == "EU":
            return lead_to(self.system.edges, self.where(f[1]), self.where(f[2]) & self.fair)
        return with_fair_path(self.system.edges, self.where(f[1]), self.pairs)

    def holds(self, f):
        return set(self.system.starts) <= self.where(f)


def negation(f):
    return f[1] if f[0] == "not" else ("not", f)


def conjunction(f, g):
    return ("and", f, g)


def disjunction(f, g):
    return negation(conjunction(negation(f), negation(g)))


TRUE = ("atom", lambda state: True)


def exists_finally(f):
    return ("EU", TRUE, f)


def for_all_next(f):
    return negation(("EX", negation(f)))


def for_all_finally(f):
    return negation(("EG", negation(f)))


def for_all_globally(f):
    return negation(exists_finally(negation(f)))


def for_all_until(f, g):
    no = ("EU", negation(g), conjunction(negation(f), negation(g)))
    return conjunction(negation(no), for_all_finally(g))


UNARY = [("EX", lambda f: ("EX", f)), ("AX", for_all_next), ("EF", exists_finally), ("AF", for_all_finally),
         ("EG", lambda f: ("EG", f)), ("AG", for_all_globally), ("AF", for_all_finally), ("AG", for_all_globally)]
UNTIL = [("E", lambda f, g: ("EU", f, g)), ("A", for_all_until)]


class Formulas:
    """Random formulas over the conditions of a model of generate.py: text, and a function from values to a formula."""

    def __init__(self, model, random, text, evaluate):
        self.model, self.random, self.text, self.evaluate = model, random, text, evaluate
        self.quantified = 0

    def formula(self, names, depth):
        pick = self.random.random()
        if depth == 0 or pick < 0.12:
            condition = self.model.condition(names, 1)
            return f"({self.text(condition)})", lambda env: ("atom", lambda state: self.evaluate(condition, state, env))
        if pick < 0.2:
            inner, make = self.formula(names, depth - 1)
            return f"(!{inner})", lambda env: negation(make(env))
        if pick < 0.62:
            word, function = self.random.choice(UNARY)
            inner, make = self.formula(names, depth - 1)
            return f"({word} {inner})", lambda env: function(make(env))
        if pick < 0.72:
            return self.quantifier(names, depth, self.random.choice(["forall", "exists"]))
        left, make_left = self.formula(names, depth - 1)
        right, make_right = self.formula(names, depth - 1)
        if pick < 0.86:
            word, function = self.random.choice(UNTIL)
            return f"{word}[{left} U {right}]", lambda env: function(make_left(env), make_right(env))
        word, function = self.random.choice([("&", conjunction), ("|", disjunction),
                                             ("->", lambda f, g: disjunction(negation(f), g))])
        return f"({left} {word} {right})", lambda env: function(make_left(env), make_right(env))

    def quantifier(self, names, depth, word):
        self.quantified += 1
        name = f"c{self.quantified}"
        inner, make = self.formula([*names, name], depth - 1)

        def write_out(env):
            join = conjunction if word == "forall" else disjunction
            whole = make({**env, name: 0})
            for process in range(1, self.model.count):
                whole = join(whole, make({**env, name: process}))
            return whole

        return f"({word} {name}: Proc do {inner} end)", write_out

    def property(self):
        if self.random.random() < 0.4:
            return self.quantifier([], 3, self.random.choice(["forall", "forall", "exists"]))
        return self.formula([], 3)
