"""PRISM models with constructs that tests/differential/prism.py does not make: formulas, labels, constants without a value, named properties, old
words, initial values, compositions of modules, and all kinds of filters."""
import random
import re

OLD = {"dtmc": "probabilistic", "mdp": "nondeterministic", "ctmc": "stochastic"}
FILTERS = ("min", "max", "avg", "sum", "range", "first", "print", "printall", "state", "argmin", "argmax", "exists", "forall", "count")


def dressed(model_class):
    """The subclass; its base comes from a folder that is not ours."""

    class Dressed(model_class):
        def __init__(self, seed):
            super().__init__(seed)
            self.own = random.Random(f"dressed {seed}")
            self.formulas, self.labels, self.formulas_of_text = {}, {}, {}

        def chance(self, share):
            return self.own.random() < share

        def symmetric(self):
            text = super().symmetric()
            if not self.chance(0.3):
                return text
            name = f"f{len(self.formulas)}"
            self.formulas[name] = text
            return name

        def state_formula(self):
            text = super().state_formula()
            share = self.own.random()
            if share < 0.06:
                return self.own.choice(('"init"', '"deadlock"', '!"deadlock"'))
            if share < 0.3:
                name = f"l{len(self.labels)}"
                self.labels[name] = text
                return f'"{name}"'
            return text

        def composed(self, text):
            """Modules side by side in some way that all other models do not write out."""
            names = re.findall(r"^module (\w+)", text, re.M)
            whole, *rest = names
            for name in rest:
                whole = f"({whole} {self.own.choice(('||', '||', '|||', '|[all]|', '|[tick,all]|'))} {name})"
            if self.chance(0.2):
                whole = f"({whole}) / {{tick}}" if "[tick]" in text else whole
            elif self.chance(0.2) and "[tick]" in text:
                whole = f"({whole}) {{tick <- tock}}"
            return f"system {whole} endsystem\n"

        def text(self):
            text = super().text()
            if self.chance(0.15):
                text = re.sub(r"^\w+", lambda match: OLD[match.group()], text, count=1)
            if self.chance(0.15):
                text = re.sub(r"\bmod\(", "func(mod, ", text)
            if self.chance(0.25):
                text = re.sub(r"^const double w1 ", "rate w1 " if self.kind == "ctmc" else "prob w1 ", text, flags=re.M)
            if self.chance(0.3) and "init " not in text:
                text = re.sub(r"^  s1 : \[0\.\.(\d)\];", r"  s1 : [0..\1] init \1;", text, flags=re.M)
            if self.chance(0.2):
                text = re.sub(r"^(  \[\w*\]) ", r"\1 (cap>0) & is_on & ", text, count=2, flags=re.M).replace("\nconst ", "\nconst bool is_on = true;\nconst int cap;\nconst ", 1)
                text = "// -D cap=1\n" + text
            if self.chance(0.12):
                text += self.composed(text)
            for name, formula in self.formulas.items():
                text += f"formula {name} = {formula};\n"
            self.formulas_of_text = dict(self.formulas)
            return text

        def more(self, extreme):
            r = self.own
            a, b = self.state_formula(), self.state_formula()
            inner = f"P{extreme}=? [ {r.choice(('X', 'F<=2', 'F'))} {b} ]"
            yield f"filter({r.choice(FILTERS[:9])}, {inner}, {a} | true)" if r.random() < 0.7 else f"filter({r.choice(FILTERS[9:11])}, {inner})"
            yield f"filter({r.choice(FILTERS[11:])}, P>=0.5 [ {r.choice(('X', 'F<=3'))} {b} ], {a} | true)"
            yield f'"p0": P{extreme}=? [ F<=3 {a} ]'
            yield r.choice(('max("p0", 0.25)', '1 - "p0"', '"p0" <= 1', 'round(100 * "p0") / 100'))
            yield f"P{extreme}=? [ F P{r.choice(('>=0.5', '>0', '<1', '<=0.25'))} [ X {a} ] ]"
            yield f"R{{{r.choice((1, 2))}}}{extreme}=? [ C<=3 ]"
            yield f"P{extreme}=? [ F<=2 {a} {{{b} | true}}{{{r.choice(('min', 'max'))}}} ]"
            if self.kind == "mdp":
                yield f'multi(Pmax=? [ G F {a} ], P>=0.1 [ F G {b} ])'

        def properties(self):
            extreme = self.own.choice(("min", "max")) if self.kind == "mdp" else ""
            text, more = super().properties(), list(self.more(extreme))
            self.own.shuffle(more)
            if any(line.startswith('"p0"') for line in more):  # before it is used
                more.sort(key=lambda line: not line.startswith('"p0":'))
            lines = [line for line in text.splitlines() if self.chance(0.5)] + more[:1] + [line for line in more[1:] if self.chance(0.6)]
            for name, formula in reversed(self.formulas.items()):  # properties have no formulas of their own
                if name not in self.formulas_of_text:
                    lines = [re.sub(rf"\b{name}\b", lambda _, formula=formula: f"({formula})", line) for line in lines]
                    self.labels = {label: re.sub(rf"\b{name}\b", lambda _, formula=formula: f"({formula})", value) for label, value in self.labels.items()}
            return "".join(f'label "{name}" = {formula};\n' for name, formula in self.labels.items()) + "\n".join(lines) + "\n"

    return Dressed
