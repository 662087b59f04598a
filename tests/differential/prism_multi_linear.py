#!/usr/bin/env python3
"""tests/differential/prism_multi_linear.py [--count N] [--seed S] [--keep FOLDER] BINARY: formulas of LTL in multi(...) on random
small mdps, against all schedulers that stop.

A run ends in an end component, and a scheduler can visit all states of one again and again. So each set of nodes of the product
that is an end component (by the definition, set by set) is an action that stops, with what the formulas of LTL say of such a
run. What schedulers attain is the convex hull of what the deterministic ones attain that are certain to stop. No automata, no
maximal end components: the formulas are of kinds whose meaning is written here by hand."""
import itertools
import math
import random
import sys

import prism_multi
import tally
from prism_multi import F, Mdp, Path, Total

MOST_POLICIES = 3000
MOST_NODES = 11


class Linear:
    """What was seen so far is its status; `pays` says what it is worth to visit these nodes again and again."""
    is_inverse = False
    TEXTS = {"again": "G F {a}", "stays": "F G {a}", "both again": "(G F {a}) & (G F {b})", "or": "(G F {a}) | (F G {b})",
             "answer": "G ({a} => (F {b}))", "and": "(F {a}) & (G {b})", "then": "F ({a} & (X {b}))", "next": "(X {a}) & (G F {b})",
             "strict": "({a} U {b}) => (G F {a})"}

    def __init__(self, r, n):
        self.kind = r.choice(sorted(self.TEXTS))
        self.a, self.b = (set(r.sample(range(n + 1), r.randrange(1, n + 1))) for _ in "ab")

    def text(self):
        a, b = ("(" + "|".join(f"s={s}" for s in sorted(part)) + ")" for part in (self.a, self.b))
        return "(" + self.TEXTS[self.kind].format(a=a, b=b) + ")"

    def first(self, state):
        a, b = state in self.a, state in self.b
        return {"answer": a and not b, "and": (a, b), "then": "after" if a else "", "next": "start",
                "strict": "yes" if b else "open" if a else "no"}.get(self.kind)

    def enter(self, status, state):
        a, b = state in self.a, state in self.b
        if self.kind == "answer":  # is an answer due?
            return (status or a) and not b
        if self.kind == "and":
            return status[0] or a, status[1] and b
        if self.kind == "then":
            return "met" if status == "met" or (status == "after" and b) else "after" if a else ""
        if self.kind == "next":
            return ("good" if a else "bad") if status == "start" else status
        if self.kind == "strict" and status == "open":
            return "yes" if b else "open" if a else "no"
        return status

    def pays(self, states, statuses):
        a, b = states & self.a, states & self.b
        return {"again": bool(a), "stays": states <= self.a, "both again": bool(a and b), "or": bool(a) or states <= self.b,
                "answer": bool(b) or (not a and not any(statuses)), "and": all(x == (True, True) for x in statuses),
                "then": all(x == "met" for x in statuses), "next": bool(b) and all(x == "good" for x in statuses),
                "strict": bool(a) or all(x != "yes" for x in statuses)}[self.kind]


def product(mdp, objectives):
    """The reachable nodes, a state and the statuses, with the successors of each choice."""
    begin = lambda o: o.first(0) if isinstance(o, Linear) else o.enter(prism_multi.OPEN, 0)
    start = (0, tuple(begin(o) for o in objectives))
    found, order = {}, [start]
    for node in order:
        found[node] = []
        for choice in mdp.choices[node[0]]:
            after = {(t, tuple(o.enter(s, t) for o, s in zip(objectives, node[1]))): p for t, p in choice.items()}
            found[node].append(after)
            order += [target for target in after if target not in order]
    return start, found, order


def reaches(edges, begin):
    seen, rest = {begin}, [begin]
    while rest:
        more = [t for t in edges[rest.pop()] if t not in seen]
        seen.update(more)
        rest += more
    return seen


def is_end(found, nodes):
    """Can a scheduler stay in the set, and visit all of it again and again?"""
    edges = {node: [t for choice in found[node] if set(choice) <= nodes for t in choice] for node in nodes}
    return all(edges.values()) and all(reaches(edges, node) == nodes for node in nodes)


def stops_of(objectives, found, order):
    """By node: what each end component with it is worth."""
    stops = {node: set() for node in order}
    for size in range(1, len(order) + 1):
        for chosen in itertools.combinations(order, size):
            nodes = set(chosen)
            if is_end(found, nodes):
                states = {state for state, _ in nodes}
                worth = tuple(isinstance(o, Linear) and o.pays(states, [statuses[i] for _, statuses in nodes])
                              for i, o in enumerate(objectives))
                for node in nodes:
                    stops[node].add(worth)
    return stops


def points_of(mdp, objectives):
    """What each deterministic scheduler attains that is certain to stop, or nothing if there are too many."""
    start, found, order = product(mdp, objectives)
    if len(order) > MOST_NODES:
        return None
    stops = stops_of(objectives, found, order)
    options = [[(choice, None) for choice in found[node]] + [({}, worth) for worth in sorted(stops[node])] for node in order]
    if math.prod(map(len, options)) > MOST_POLICIES:
        return None
    points = set()
    for picks in itertools.product(*options):
        steps = {node: pick[0] for node, pick in zip(order, picks)}
        if any(not any(not steps[t] for t in reaches(steps, node)) for node in reaches(steps, start)):
            continue  # it may go on for ever
        worth = {node: pick[1] for node, pick in zip(order, picks)}
        points.add(tuple(value(start, order, steps, worth, i, o) for i, o in enumerate(objectives)))
    return points


def value(start, order, steps, worth, number, objective):
    if isinstance(objective, Linear):
        gains = {node: F(bool(worth[node] and worth[node][number])) for node in order}
    else:
        gains = {node: prism_multi.gain(objective, number, node) for node in order}
    total = prism_multi.solve(order, steps, gains).get(start, F(0))
    return 1 - total if objective.is_inverse else total


def compare(binary, seed, keep):
    r = random.Random(seed)
    mdp = Mdp(r)
    others = [lambda k: Linear(r, mdp.n), lambda k: Path(r, mdp.n), lambda k: Total(mdp, k) if mdp.has_drain else Linear(r, mdp.n)]
    objectives = [Linear(r, mdp.n), r.choice(others)(1)]
    if r.random() < 0.5:
        objectives = [r.choice(others[:2])(0), Linear(r, mdp.n)]
    points = points_of(mdp, objectives)
    return prism_multi.ask(binary, seed, keep, mdp, list(prism_multi.queries(r, objectives, points))) if points else ([], 0)


def summary(count, compared):
    return f"{compared} answers compared", compared >= count


if __name__ == "__main__":
    sys.exit(tally.run(compare, 60, summary))
