"""Random small systems of symmetric (or nearly symmetric) processes, with formulas of linear time and fairness: as text
for the program, and as a system for oracle.py, by an interpreter of its own."""

import itertools
import random

from oracle import (always, conjunction, disjunction, eventually, negation, release, strong_release, truth, until,
                    weak_until)


class System:
    def __init__(self, states, starts, edges):
        self.states, self.starts, self.edges = states, starts, edges


# A state: (s, b, who, x_0, x_1, ...). A condition: a tuple whose last item is its text.


def evaluate(condition, state, env):
    kind = condition[0]
    if kind == "x":
        return state[3 + env[condition[1]]] == condition[2]
    if kind == "s":
        return state[0] == condition[1]
    if kind == "b":
        return bool(state[1])
    if kind == "who":
        return state[2] == env[condition[1]]
    if kind == "same":
        return env[condition[1]] == env[condition[2]]
    if kind == "first":
        return env[condition[1]] == 0
    if kind == "not":
        return not evaluate(condition[1], state, env)
    if kind == "and":
        return evaluate(condition[1], state, env) and evaluate(condition[2], state, env)
    if kind == "or":
        return evaluate(condition[1], state, env) or evaluate(condition[2], state, env)
    processes = range(len(state) - 3)
    inner = (evaluate(condition[2], state, {**env, condition[1]: p}) for p in processes)
    return any(inner) if kind == "exists" else all(inner)


def text(condition):
    kind = condition[0]
    if kind == "x":
        return f"x[{condition[1]}] = {condition[2]}"
    if kind == "s":
        return f"s = {condition[1]}"
    if kind == "b":
        return "b"
    if kind == "who":
        return f"who = {condition[1]}"
    if kind == "same":
        return f"{condition[1]} = {condition[2]}"
    if kind == "first":
        return f"{condition[1]} = 0"
    if kind == "not":
        return f"!({text(condition[1])})"
    if kind in ("and", "or"):
        return f"({text(condition[1])} {'&' if kind == 'and' else '|'} {text(condition[2])})"
    return f"({kind} {condition[1]}: Proc do {text(condition[2])} end)"


class Model:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = self.random.choice([2, 2, 3, 3, 3])
        self.is_scalarset = self.random.random() < 0.7
        self.is_broken = not self.is_scalarset and self.random.random() < 0.4
        self.quantified = 0
        self.rules = [self.rule(i) for i in range(self.random.randint(2, 4))]
        self.fairness = self.make_fairness()
        self.drops_finite = self.random.random() < 0.15
        self.formulas = [self.formula_of_property() for _ in range(3)]

    # --- conditions ---

    def condition(self, names, depth=2):
        pick = self.random.random()
        if depth and pick < 0.15:
            return ("not", self.condition(names, depth - 1))
        if depth and pick < 0.4:
            return (self.random.choice(["and", "or"]), self.condition(names, depth - 1), self.condition(names, depth - 1))
        if depth and pick < 0.5:
            self.quantified += 1
            name = f"z{self.quantified}"
            return (self.random.choice(["exists", "forall"]), name, self.condition([*names, name], depth - 1))
        if names and pick < 0.8:
            return ("x", self.random.choice(names), self.random.randrange(3))
        if names and pick < 0.88:
            return ("who", self.random.choice(names))
        if len(names) > 1 and pick < 0.92:
            return ("same", *self.random.sample(names, 2))
        if names and self.is_broken and pick < 0.97:
            return ("first", self.random.choice(names))
        return ("b",) if self.random.random() < 0.4 else ("s", self.random.randrange(2))

    # --- rules ---

    def rule(self, number):
        names = self.random.choice([["p"], ["p"], ["p"], ["p", "q"], []])
        actions = []
        for _ in range(self.random.randint(1, 2)):
            pick = self.random.random()
            if names and pick < 0.55:
                name = self.random.choice(names)
                actions.append(("x", name, self.random.choice([0, 1, 2, "next"])))
            elif names and pick < 0.7:
                actions.append(("who", self.random.choice(names)))
            elif pick < 0.85:
                actions.append(("s", self.random.choice([0, 1, "next"])))
            else:
                actions.append(("b",))
        return {"name": f"r{number}", "names": names, "guard": self.condition(names), "actions": actions}

    @staticmethod
    def fire(rule, state, env):
        state = list(state)
        for action in rule["actions"]:
            if action[0] == "x":
                place = 3 + env[action[1]]
                state[place] = (state[place] + 1) % 3 if action[2] == "next" else action[2]
            elif action[0] == "who":
                state[2] = env[action[1]]
            elif action[0] == "s":
                state[0] = 1 - state[0] if action[1] == "next" else action[1]
            else:
                state[1] = not state[1]
        return tuple(state)

    def successors(self, state):
        for rule in self.rules:
            for values in itertools.product(range(self.count), repeat=len(rule["names"])):
                env = dict(zip(rule["names"], values))
                if evaluate(rule["guard"], state, env):
                    yield self.fire(rule, state, env), (rule["name"], values)

    def starts(self):
        return [(0, False, who) + (0,) * self.count for who in range(self.count)]

    def system(self, most):
        states, numbers, edges = [], {}, []
        for start in self.starts():
            numbers[start] = len(states)
            states.append(start)
        done = 0
        while done < len(states):
            out = []
            for target, label in self.successors(states[done]):
                if target not in numbers:
                    numbers[target] = len(states)
                    states.append(target)
                    if len(states) > most:
                        return None
                out.append((numbers[target], label))
            if not out and not self.drops_finite:
                out.append((done, None))
            edges.append(out)
            done += 1
        return System(states, range(self.count), edges)

    # --- fairness ---

    def make_fairness(self):
        items = []
        while self.random.random() < (0.65 if not items else 0.25):
            pick = self.random.random()
            if pick < 0.5:
                items.append((self.random.choice(["weak", "strong"]), None))
            elif pick < 0.75:
                items.append((self.random.choice(["weak", "strong"]), self.random.choice(self.rules)["name"]))
            else:
                names = self.random.choice([[], ["p"], ["p", "q"]])
                when = self.condition(names, 1) if self.random.random() < 0.6 else None
                items.append(("fair", names, when, self.condition(names, 1)))
        return items

    def has_processes(self):
        return any(rule["names"] for rule in self.rules)

    def pairs(self, system):
        """What oracle.holds takes."""
        out = []
        for item in self.fairness:
            if item[0] == "fair":
                for values in itertools.product(range(self.count), repeat=len(item[1])):
                    out.append(self.condition_pair(system, item, dict(zip(item[1], values))))
            elif item[1] is None:
                for process in range(self.count):
                    out.append(self.move_pair(system, item[0], lambda label, p=process: p in label[1]))
            else:
                arity = next(len(rule["names"]) for rule in self.rules if rule["name"] == item[1])
                for values in itertools.product(range(self.count), repeat=arity):
                    out.append(self.move_pair(system, item[0], lambda label, v=(item[1], values): label == v))
        return out

    @staticmethod
    def condition_pair(system, item, env):
        def obliges(state):
            return item[2] is None or evaluate(item[2], system.states[state], env)

        return obliges, lambda state: evaluate(item[3], system.states[state], env), lambda state, label: False

    @staticmethod
    def move_pair(system, kind, is_own):
        def own(label):
            return label is not None and is_own(label)

        enabled = [any(own(label) for _, label in out) for out in system.edges]
        if kind == "weak":
            return lambda state: True, lambda state: not enabled[state], lambda state, label: own(label)
        return lambda state: enabled[state], lambda state: False, lambda state, label: own(label)

    # --- formulas: text, and a function from values of variables to a formula of oracle.py ---

    def formula(self, names, depth):
        pick = self.random.random()
        if depth == 0 or pick < 0.15:
            condition = self.condition(names, 1)
            return f"({text(condition)})", lambda env: ("atom", lambda state: evaluate(condition, state, env))
        if pick < 0.25:
            inner, make = self.formula(names, depth - 1)
            return f"(!{inner})", lambda env: negation(make(env))
        if pick < 0.6:
            word, function = self.random.choice([("X", lambda f: ("X", f)), ("F", eventually), ("G", always),
                                                 ("F", eventually), ("G", always)])
            inner, make = self.formula(names, depth - 1)
            return f"({word} {inner})", lambda env: function(make(env))
        if pick < 0.66:
            return self.quantified_formula(names, depth, self.random.choice(["forall", "exists"]))
        left, make_left = self.formula(names, depth - 1)
        right, make_right = self.formula(names, depth - 1)
        word, function = self.random.choice([
            ("U", until), ("W", weak_until), ("R", release), ("M", strong_release), ("&", conjunction),
            ("|", disjunction), ("->", lambda f, g: disjunction(negation(f), g)),
            ("leadsto", lambda f, g: always(disjunction(negation(f), eventually(g))))])
        return f"({left} {word} {right})", lambda env: function(make_left(env), make_right(env))

    def quantified_formula(self, names, depth, word):
        self.quantified += 1
        name = f"y{self.quantified}"
        inner, make = self.formula([*names, name], depth - 1)

        def write_out(env):
            parts = [make({**env, name: p}) for p in range(self.count)]
            whole = truth(word == "forall")
            for part in parts:
                whole = conjunction(whole, part) if word == "forall" else disjunction(whole, part)
            return whole

        return f"({word} {name}: Proc do {inner} end)", write_out

    def formula_of_property(self):
        if self.random.random() < 0.6:
            return self.quantified_formula([], 3, "forall" if self.random.random() < 0.85 else "exists")
        return self.formula([], 3)

    # --- text ---

    def text(self):
        kind = "scalarset(N)" if self.is_scalarset else "0..N-1"
        lines = [f"const N: {self.count};", "type", f"  Proc: {kind};", "var", "  s: 0..1;", "  b: boolean;",
                 "  who: Proc;", "  x: array [Proc] of 0..2;", "ruleset p: Proc do", "startstate begin",
                 "  s := 0; b := false; who := p; for q: Proc do x[q] := 0 end;", "end;", "end;"]
        for rule in self.rules:
            names = rule["names"]
            if names:
                lines.append("ruleset " + "; ".join(f"{name}: Proc" for name in names) + " do")
            body = " ".join(self.action_text(action) for action in rule["actions"])
            lines.append(f'rule "{rule["name"]}" {text(rule["guard"])} ==> begin {body} end;')
            if names:
                lines.append("end;")
        for item in self.fairness:
            lines.append(self.fairness_text(item))
        for number, (formula, _) in enumerate(self.formulas):
            lines.append(f'ltl "f{number}" {formula};')
        return "\n".join(lines) + "\n"

    @staticmethod
    def action_text(action):
        if action[0] == "x":
            place = f"x[{action[1]}]"
            return f"{place} := " + (f"({place} + 1) % 3;" if action[2] == "next" else f"{action[2]};")
        if action[0] == "who":
            return f"who := {action[1]};"
        if action[0] == "s":
            return "s := 1 - s;" if action[1] == "next" else f"s := {action[1]};"
        return "b := !b;"

    @staticmethod
    def fairness_text(item):
        if item[0] != "fair":
            return f"fairness {item[0]} " + ("Proc;" if item[1] is None else f'"{item[1]}";')
        when = f"{text(item[2])} => " if item[2] is not None else ""
        line = f"fair {when}{text(item[3])};"
        if not item[1]:
            return line
        return "ruleset " + "; ".join(f"{name}: Proc" for name in item[1]) + f" do {line} end;"
