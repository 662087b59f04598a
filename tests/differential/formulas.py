"""The properties of a random model: invariants, goals, assumptions, liveness, and formulas of branching and linear time."""

from statements import indent
from vocabulary import Root

UNARY = ("EX", "EF", "EG", "AX", "AF", "AG")


class Formulas:
    """The last part of a model."""

    def property(self, word, formula):
        name = f'"{self.make.fresh(word + " ")}"'
        if word == "invariant" and self.chance(0.1) and not self.temper.rumur:
            word = "assert"
        if self.may("nameless", 0.2):
            return [f"{word} {formula};"]
        return [f"{word} {formula} {name};"] if self.chance(0.1) and word not in ("ctl", "ltl") else [f"{word} {name} {formula};"]

    def properties(self):
        scope, lines = self.everything(), []
        for _ in range(self.random.choice([0, 1, 1, 2, 3])):
            formula = self.make.boolean(scope, 3)
            if self.chance(0.5):
                formula = f"({formula} -> ({formula} | {self.make.boolean(scope, 2)}))"
            elif self.chance(0.5):
                formula = f"({formula} | ({self.make.boolean(scope, 2)} | {self.make.boolean(scope, 2)}))"
            lines += self.property("invariant", formula)
        if self.may("goal"):
            lines += self.property("cover", self.make.boolean(scope, 2))
        if self.may("liveness"):
            lines += self.property("liveness", self.make.boolean(scope, 2))
        if self.may("assumption", 0.6):
            lines += self.property("assume", f"({self.make.boolean(scope, 2)} | {self.make.boolean(scope, 1)})")
        if self.may("final", 0.8) and not self.temper.rumur:
            lines += self.property("final", self.make.boolean(scope, 2))
        if self.may("ruleset property"):
            lines += self.under_ruleset(scope)
        if self.may("ctl"):
            for _ in range(self.random.choice([1, 1, 2, 3])):
                lines += self.property("ctl", self.temporal(scope))
        if self.may("ltl"):
            for _ in range(self.random.choice([1, 2])):
                lines += self.property("ltl", self.linear(scope))
        elif self.may("fairness") and not self.temper.has("ctl"):
            lines += self.fairness(scope)
        return lines

    def under_ruleset(self, scope):
        """For all parameters, or for some; perhaps under an alias, too."""
        words = ["invariant"] * 3 + ["cover", "assume", "liveness", "final"] + ["ctl"] * self.may("ctl")
        word = self.random.choice(words)
        parameter = self.parameters(1)
        parameter = parameter[0] if parameter else self.parameter(self.random.choice(self.scalars()))
        if word == "liveness" and (parameter.type.mentions_index() and not self.may("ctl") or ":=" in parameter.head) or self.temper.rumur:
            word = "invariant"
        inner, head = scope.extend(parameter), ""
        if self.may("alias rule", 0.4):
            head, inner = self.aliases(inner)
        formula = self.temporal(inner) if word == "ctl" else self.make.boolean(inner, 3)
        lines = self.property(word, formula)
        if head:
            lines = [f"alias {head} do"] + indent(lines) + ["end;"]
        return self.wrap([parameter], lines)

    # Linear time

    def linear(self, scope):
        """What says the same as with A before each operator: so it can be compared with a formula of branching time."""
        r, roots = self.random, []
        if self.chance(0.5):
            roots = [Root(self.make.fresh("l"), r.choice(self.families or self.scalars()), False)]
        f, g, h = (self.condition(scope.extend(*roots)) for _ in range(3))
        text = r.choice((f"G {f}", f"F {f}", f"({f} U {g})", f"G F {f}", f"({f} leadsto {g})", f"G ({f} -> ({g} U {h}))",
                         f"G ({f} & F {g})", f"G ({f} | F {g})"))
        for root in roots:
            text = f"(forall {root.text}: {root.type} do {text} end)"
        return text

    def fairness(self, scope):
        """Without a temporal formula it must not matter."""
        when = f"{self.condition(scope)} => " if self.chance(0.5) else ""
        return [f"fair {when}{self.condition(scope)};"]

    # Branching time

    def temporal(self, scope):
        shape = self.random.random()
        if shape < 0.35:
            return self.of_processes(scope)
        if shape < 0.45:
            return self.of_pair(scope)
        return self.formula(scope, self.random.choice([1, 2, 2, 3, 4]))

    def condition(self, scope):
        return f"({self.make.boolean(scope, self.random.choice([0, 1, 1, 2]))})"

    def formula(self, scope, depth, bound=0):
        r = self.random
        if depth == 0:
            return "deadlock" if self.may("deadlock", 0.15) else self.condition(scope)
        left, right = (self.formula(scope, depth - 1, bound) for _ in range(2))
        shape = r.random()
        if shape < 0.5:
            past = ("EY", "EP") if self.temper.has("past") else ()
            return f"{r.choice(UNARY + past)} ({left})"
        if shape < 0.62:
            return f"{r.choice('AE')}[{left} U {right}]"
        if shape < 0.68:
            return f"!({left})"
        if shape < 0.8 or bound > 1:
            return f"({left} {r.choice(('&', '|', '->'))} {right})"
        if shape < 0.83:
            low = r.randint(-1, 1)
            variable = Root(self.make.fresh("c"), self.number_type(low, low + 1), False)
            head = f"{variable.text} := {low} to {low + 1}"
        else:
            variable = Root(self.make.fresh("c"), r.choice(self.scalars() + self.families * 2), False)
            head = f"{variable.text}: {variable.type}"
        body = self.formula(scope.extend(variable), depth - 1, bound + 1)
        return f"({r.choice(('forall', 'exists'))} {head} do {body} end)"

    def number_type(self, low, high):
        return type(self.types[0])("range", None, low=low, high=high)

    def of_processes(self, scope):
        """For all processes, always: what can be said of one or two of them. These quantifiers can come to the front."""
        heads = []
        for _ in range(self.random.choice([1, 1, 2])):
            family = self.random.choice(self.families or self.scalars())
            heads.append(Root(self.make.fresh("u"), family, False))
        text = self.formula(scope.extend(*heads), self.random.choice([1, 2]), 2)
        for root in reversed(heads):
            text = self.random.choice((f"AG (forall {root.text}: {root.type} do {text} end)", f"(forall {root.text}: {root.type} do {text} end)",
                                       f"!EF (exists {root.text}: {root.type} do {text} end)"))
        return text

    def of_pair(self, scope):
        """Two variables of one type that the formula treats differently: to take one for the other shows. Or one quantifier
        inside the other, each around operators about its own variable."""
        r = self.random
        family = r.choice(self.families or self.scalars())
        a, b = Root(self.make.fresh("u"), family, False), Root(self.make.fresh("u"), family, False)
        f, g = self.condition(scope.extend(a)), self.condition(scope.extend(b))
        words = [r.choice(("forall", "exists")) for _ in range(2)]
        if r.random() < 0.5:
            inner = f"({words[1]} {b.text}: {family} do {r.choice(('', '!'))}({r.choice(UNARY)} {g}) end)"
            return f"({words[0]} {a.text}: {family} do {r.choice(UNARY)} ({f} {r.choice(('&', '|', '->'))} {inner}) end)"
        body = r.choice((f"EF ({f} & EX {g})", f"E[{f} U {g}]", f"A[{f} U {g}]", f"AG ({f} -> EF {g})", f"((EX {f}) & AX {g})",
                         f"((EF ({f} & {g})) -> AG {f})", f"EG ({f} | {g})", f"AG ({f} -> AX ({g} | !{f}))",
                         f"EF (({f} & ({a.text} != {b.text})) & EG {g})"))
        first, second = (a, b) if r.random() < 0.5 else (b, a)
        inner = f"({words[1]} {second.text}: {family} do {body} end)"
        return f"{r.choice(('', 'AG ', 'EF '))}({words[0]} {first.text}: {family} do {r.choice(('', '', 'AG ', 'EX '))}{inner} end)"
