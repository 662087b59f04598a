#!/usr/bin/env python3
"""tests/differential/prism_multi.py [--count N] [--seed S] [--keep FOLDER] BINARY: multi(...) on random small mdps against all
deterministic schedulers with memory.

What schedulers attain of two objectives is the convex hull of what these attain. Each of them is evaluated here, in fractions,
on a product that is built here: the state, and for each objective whether it is open, met or missed. From the points follow
the answers to all three queries; Noether's must be the same with --exact, and lie in its intervals without. Fails
also when few queries were compared."""
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
MOST_POLICIES = 400
OPEN, MET, MISSED = range(3)


class Mdp:
    """States 0 .. n-1, and a last one that is never left; a drain leads there, so that total rewards are finite."""

    def __init__(self, r):
        self.n = r.choice((3, 3, 4))
        self.has_drain = r.random() < 0.6
        self.choices = [[self.distribution(r) for _ in range(r.choice((1, 2, 2)))] for _ in range(self.n)] + [[{self.n: F(1)}]]
        self.rewards = [[F(r.choice((0, 1, 2, 3)), r.choice((1, 2))) if self.has_drain else F(0) for _ in range(self.n)] + [F(0)]
                        for _ in range(2)]

    def distribution(self, r):
        targets = [r.randrange(self.n + 1) for _ in range(r.choice((1, 2)))] + [self.n] * self.has_drain
        weights = [r.choice((1, 1, 2, 3)) for _ in targets]
        found = {}
        for target, weight in zip(targets, weights):
            found[target] = found.get(target, 0) + F(weight, sum(weights))
        return found

    def text(self):
        lines = ["mdp", "module m", f"  s : [0..{self.n}];"]
        for state, choices in enumerate(self.choices):
            for choice in choices:
                lines.append(f"  [] s={state} -> " + " + ".join(f"{p}:(s'={t})" for t, p in choice.items()) + ";")
        lines.append("endmodule")
        for name, rewards in zip("ab", self.rewards):
            lines += [f'rewards "{name}"'] + [f"  s={s} : {x};" for s, x in enumerate(rewards) if x] + ["  false : 0;", "endrewards"]
        return "\n".join(lines) + "\n"


class Path:
    """left U goal; inverse: the value is 1 minus its probability."""

    def __init__(self, r, n):
        states = range(n + 1)
        self.kind = r.choice("FFGUW")
        self.a = sorted(r.sample(states, r.randrange(1, n + 1)))
        self.b = sorted(r.sample(states, r.randrange(1, n)))
        inside = lambda wanted: {s for s in states if s in wanted}
        a, b, every = inside(self.a), inside(self.b), set(states)
        self.left, self.goal = {"F": (every, b), "G": (every, every - b), "U": (a, b), "W": (a - b, every - a - b)}[self.kind]
        self.is_inverse = self.kind in "GW"

    def text(self):
        a, b = ("(" + "|".join(f"s={s}" for s in part) + ")" for part in (self.a, self.b))
        return f"{self.kind} {b}" if self.kind in "FG" else f"{a} {self.kind} {b}"

    def enter(self, status, state):
        if status != OPEN:
            return MISSED
        return MET if state in self.goal else OPEN if state in self.left else MISSED


class Total:
    """R{"name"} [ C ]."""
    is_inverse = False

    def __init__(self, mdp, which):
        self.rewards, self.name = mdp.rewards[which], "ab"[which]

    def text(self):
        return "C"

    def enter(self, status, state):
        return OPEN


def product(mdp, objectives):
    """The reachable pairs of a state and what became of the objectives, with the successors of each choice."""
    start = (0, tuple(o.enter(OPEN, 0) for o in objectives))
    found, order = {}, [start]
    for node in order:
        state, statuses = node
        found[node] = []
        for choice in mdp.choices[state]:
            after = {(t, tuple(o.enter(s, t) for o, s in zip(objectives, statuses))): p for t, p in choice.items()}
            found[node].append(after)
            order += [target for target in after if target not in found and target not in order]
    return start, found, order


def gain(objective, number, node):
    state, statuses = node
    return objective.rewards[state] if isinstance(objective, Total) else F(statuses[number] == MET)


def solve(order, steps, gains):
    """Expected totals of a chain: x = gain + step * x, the least solution."""
    live, changed = {node for node in order if gains[node]}, True
    while changed:
        more = {node for node in order if node not in live and any(t in live for t in steps[node])}
        live, changed = live | more, bool(more)
    rows = {node: {**{t: p for t, p in steps[node].items() if t in live}} for node in live}
    constants, values = {node: gains[node] for node in live}, {}
    eliminated = []
    for node in sorted(live):  # x = (constant + others) / (1 - own), put into the others
        own = 1 - rows[node].pop(node, F(0))
        rows[node] = {t: p / own for t, p in rows[node].items()}
        constants[node] /= own
        eliminated.append(node)
        for other in live - set(eliminated):
            weight = rows[other].pop(node, F(0))
            if weight:
                constants[other] += weight * constants[node]
                for t, p in rows[node].items():
                    rows[other][t] = rows[other].get(t, F(0)) + weight * p
    for node in reversed(eliminated):
        values[node] = constants[node] + sum(p * values[t] for t, p in rows[node].items())
    return values


def points_of(mdp, objectives):
    """What each deterministic scheduler attains, or nothing if there are too many."""
    start, found, order = product(mdp, objectives)
    free = [node for node in order if len(found[node]) > 1]
    if 2 ** len(free) > MOST_POLICIES:
        return None
    points = set()
    for picks in itertools.product((0, 1), repeat=len(free)):
        policy = dict(zip(free, picks))
        steps = {node: found[node][policy.get(node, 0)] for node in order}
        point = []
        for number, objective in enumerate(objectives):
            values = solve(order, steps, {node: gain(objective, number, node) for node in order})
            total = values.get(start, F(0))
            point.append(1 - total if objective.is_inverse else total)
        points.add(tuple(point))
    return points


def best_within(points, bound):
    """The greatest first coordinate of a mixture whose second is at least the bound; nothing if there is none."""
    best = max((x for x, y in points if y >= bound), default=None)
    for (x, y), (u, v) in itertools.product(points, repeat=2):
        if y < bound < v:
            share = (bound - y) / (v - y)
            best = max(x + (u - x) * share, best) if best is not None else x + (u - x) * share
    return best


def corners(points):
    """Of the Pareto curve for large values of both."""
    front = sorted({p for p in points if not any(q != p and q[0] >= p[0] and q[1] >= p[1] for q in points)})
    kept = []
    for p in front:
        while len(kept) > 1 and (kept[-1][0] - kept[-2][0]) * (p[1] - kept[-2][1]) >= (p[0] - kept[-2][0]) * (kept[-1][1] - kept[-2][1]):
            kept.pop()
        kept.append(p)
    return kept


def formula(objective, bound):
    letter = f'R{{"{objective.name}"}}' if isinstance(objective, Total) else "P"
    return f"{letter}{bound} [ {objective.text()} ]"


def queries(r, objectives, points):
    """Formulas, and what they must answer."""
    signs = [r.choice((1, -1)) for _ in objectives]
    turned = {tuple(s * x for s, x in zip(signs, p)) for p in points}
    extremes = ["max=?" if s > 0 else "min=?" for s in signs]
    values = sorted({p[1] for p in turned})
    bound = r.choice(values + [(values[0] + values[-1]) / 2, values[-1] + F(1, 7), F(1, 3)])
    if not isinstance(objectives[1], Total):
        bound = max(F(0), min(F(1), bound * signs[1])) * signs[1]
    bound = bound if signs[1] > 0 or bound <= 0 else -bound
    limit = (">=" if signs[1] > 0 else "<=") + str(bound * signs[1])
    best = best_within(turned, bound)
    yield f"multi({formula(objectives[0], extremes[0])}, {formula(objectives[1], limit)})", None if best is None else best * signs[0]
    if best is not None:
        first = (">=" if signs[0] > 0 else "<=") + str(best * signs[0])
        yield f"multi({formula(objectives[0], first)}, {formula(objectives[1], limit)})", True
        beyond = (best + F(1, 1000)) * signs[0]
        if beyond >= 0 and (isinstance(objectives[0], Total) or beyond <= 1):
            first = (">=" if signs[0] > 0 else "<=") + str(beyond)
            yield f"multi({formula(objectives[0], first)}, {formula(objectives[1], limit)})", False
    curve = [tuple(s * x for s, x in zip(signs, p)) for p in corners(turned)]
    yield f"multi({formula(objectives[0], extremes[0])}, {formula(objectives[1], extremes[1])})", curve
    yield f"multi({formula(objectives[0], extremes[0])})", max(p[0] for p in turned) * signs[0]


def interval(value):
    return F(float(value["lower"])), F(float(value["upper"]))


def wrong(result, wanted, is_exact):
    """Why a result is not what it must be; nothing when it is."""
    if result["verdict"] == "unknown":
        return f"unknown: {result['reason']}" if is_exact else ""
    if wanted is None or wanted is False:
        return "" if result["verdict"] == "violated" else f"{result.get('value', result['verdict'])}, but no scheduler does that"
    if result["verdict"] == "violated":
        return f"violated, not {wanted}"
    if wanted is True:
        return ""
    if isinstance(wanted, list):
        found = result["pareto"]
        if is_exact:
            pairs = sorted(tuple(F(value["exact"]) for value in point) for point in found)
            return "" if pairs == sorted(wanted) else f"{pairs}, not {sorted(wanted)}"
        slack = F(1, 10**4)
        missing = [p for p in wanted if not any(all(low - slack <= x <= high + slack for x, (low, high) in
                                                    zip(p, map(interval, point))) for point in found)]
        return f"{missing} missing in {found}" if missing else ""
    if is_exact:
        return "" if result["value"]["exact"] == str(wanted) else f"{result['value']}, not {wanted}"
    low, high = interval(result["value"])
    return "" if low <= wanted <= high else f"{result['value']}, not {wanted}"


def compare(binary, seed, keep):
    """What is wrong, and how many answers were compared."""
    r = random.Random(seed)
    mdp = Mdp(r)
    objectives = [Total(mdp, k) if mdp.has_drain and r.random() < 0.4 else Path(r, mdp.n) for k in range(2)]
    points = points_of(mdp, objectives)
    return ask(binary, seed, keep, mdp, list(queries(r, objectives, points))) if points else ([], 0)


def ask(binary, seed, keep, mdp, asked):
    """The formulas, and what they must answer: what is wrong, and how many answers were compared."""
    folder = pathlib.Path(keep) / f"multi{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.prism").write_text(mdp.text())
    (folder / "model.props").write_text("".join(f"{text};\n" for text, _ in asked))
    found, compared = [], 0
    for more in ((), ("--exact",)):
        done = subprocess.run([binary, "check", str(folder / "model.prism"), str(folder / "model.props"), "--json", "-", *more],
                              capture_output=True, text=True, timeout=patience.seconds(SECONDS))
        if done.returncode == 2 or not done.stdout:
            return [done.stderr.strip() or f"exit status {done.returncode}"], compared
        results = [result for result in json.loads(done.stdout)["results"] if result["kind"] == "quantity"]
        for result, (text, wanted) in zip(results, asked):
            why = wrong(result, wanted, bool(more))
            found += [f"{text}{' exactly' if more else ''}: {why}"] if why else []
            compared += result["verdict"] != "unknown"
    return found, compared


def summary(count, compared):
    return f"{compared} answers compared", compared >= 4 * count


if __name__ == "__main__":
    sys.exit(tally.run(compare, 40, summary))
