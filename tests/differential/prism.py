#!/usr/bin/env python3
"""tests/differential/prism.py [--count N] [--seed S] [--keep FOLDER] BINARY: random small chains of replicated modules,
some of them nearly symmetric. With the symmetry that is found every property must have the value it has without, the
states must stand for as many as there are, and the audit must find nothing. In exact arithmetic the values with and
without symmetry must be the same, and lie in the intervals. Modules that act together are written out one combination at
a time in some of these runs, and combined in each state in the others, by the seed. Fails also when few models were
compared, or when few of them became smaller."""
import fractions
import json
import os
import pathlib
import random
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

import tally

SECONDS = 60
KINDS = ("dtmc", "mdp", "ctmc")
PROBABILITIES = ("1/2", "1/4", "0.3", "2/3")
RATES = ("1", "2.5", "1/3")
# Some models have numbers that are hard on doubles.
EXTREME_PROBABILITIES = ("1e-12", "0.999999999999", "1e-7", "1/3", "0.5")
EXTREME_RATES = ("1e-6", "1000", "1/7")
EXTREME_REWARDS = ("1e9", "1/3e9", "123456789.123456789", "1e-9")


# Of numbers: what a property makes of results.
FUNCTIONS = ("max({x}, {y})", "min({x}, {y}, 1/3)", "pow({x}, 3)", "({x})^2 - {y}", "floor(3*{x})", "ceil({x}) + round({y})",
             "mod(round(10*{x}), 3)", "pow(2, ceil({x}))", "pow(1+{x}, 0.5)", "log(1+{x}, 2)")
WINDOWS = ("<=3", "<=5", "[2,4]", "[1,3]", "=2", "<4")
PATHS = ("F {a}", "G {a}", "X {a}", "({a}) U ({b})", "({a}) W ({b})", "({a}) R ({b})")


class Model:
    """Copies of a module (any of them may be exchanged, or they stand in a ring), perhaps a variable that holds the number
    of one of them, perhaps another module with a variable for each, perhaps something that spoils the symmetry."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        r = self.random
        self.kind = r.choice(KINDS)
        self.n = r.choice((2, 3, 3, 3, 4))
        self.is_ring = self.n > 2 and r.random() < 0.4
        self.has_bit = r.random() < 0.5
        self.has_turn = r.random() < 0.4
        self.has_bus = r.random() < 0.4
        self.has_start = r.random() < 0.15
        self.top = r.choice((1, 2))
        self.is_joint = r.random() < 0.4
        self.is_extreme = r.random() < 0.25
        self.is_synchronous = random.Random(-seed).random() < 0.15  # all modules move at once, in one way
        if self.is_synchronous:
            self.kind, self.is_joint, self.has_turn, self.has_bus = "dtmc", True, False, False
        self.spoiled = r.choice((None, None, None, "weight", "weight", "property", "reward", "command", "start"))

    def numbers(self):
        return range(1, self.n + 1)

    # conditions about the module 1

    def count(self, value, variable="s"):
        terms = [f"({variable}{i}={value}?1:0)" for i in self.numbers()]
        self.random.shuffle(terms)
        return "(" + "+".join(terms) + ")"

    def others(self):
        """A test of all the others, in any order; of the neighbours in a ring."""
        r = self.random
        value = r.randrange(self.top + 1)
        if self.is_ring:
            return f"s{r.choice((2, self.n))}={value}"
        numbers = list(self.numbers())[1:]
        r.shuffle(numbers)
        if r.random() < 0.2:
            names = ",".join(f"s{i}" for i in numbers + [1])
            return f"{r.choice(('min', 'max'))}({names}){r.choice(('=', '<', '>='))}{value}"
        return "(" + r.choice((" & ", " | ")).join(f"s{i}{r.choice(('=', '='))}{value}" for i in numbers) + ")"

    def symmetric(self):
        """A condition that treats all alike."""
        r = self.random
        choices = [f"{self.count(r.randrange(self.top + 1))}{r.choice(('=', '>=', '<'))}{r.randrange(self.n + 1)}"] * 2
        if self.has_turn:
            choices += ["turn=0", "turn>0"]
        if self.has_bus:
            choices += [f"{self.count(1, 'q')}>={r.randrange(1, self.n + 1)}"]
        return r.choice(choices)

    def guard(self):
        r = self.random
        parts = [f"s1={r.randrange(self.top + 1)}"]
        for _ in range(r.randrange(3)):
            parts.append(r.choice((self.others, self.symmetric))())
        if self.has_bit and r.random() < 0.5:
            parts.append(r.choice(("b1", "!b1")))
        if self.has_turn and r.random() < 0.5:
            parts.append(r.choice(("turn=id1", "turn!=id1", "turn=0")))
        if self.has_bus and r.random() < 0.3:
            parts.append(f"q1={r.randrange(2)}")
        return " & ".join(parts)

    def update(self, may_write_turn):
        r = self.random
        writes = [f"(s1'={r.choice(('mod(s1+1,%d)' % (self.top + 1), str(r.randrange(self.top + 1))))})"]
        if self.has_bit and r.random() < 0.5:
            writes.append(r.choice(("(b1'=!b1)", "(b1'=true)", "(b1'=(s1=0))")))
        if self.has_turn and may_write_turn and r.random() < 0.5:
            writes.append(r.choice(("(turn'=id1)", "(turn'=0)", "(turn'=id1)")))
        return "&".join(writes)

    def weights(self):
        r = self.random
        own = ("w1",) * (9 if self.spoiled == "weight" else 1)
        rates, probabilities = ((EXTREME_RATES, EXTREME_PROBABILITIES) if self.is_extreme else (RATES, PROBABILITIES))
        if self.kind == "ctmc":
            return [r.choice(rates + own) for _ in range(r.choice((1, 2)))]
        if r.random() < (0.2 if self.spoiled == "weight" else 0.5):
            return ["1"]
        weight = r.choice(probabilities + own + (self.varying("1/2"), self.varying("1/3")))
        return [weight, f"1-{weight}"]

    def varying(self, base):
        """A number up to 1 that depends on the state."""
        return self.random.choice((f"pow({base},s1+1)", f"({base})^(2-s1+{self.top})", f"min(1,{base}*2/(1+s1))",
                                   f"pow({base},{self.count(0)})"))

    def command(self):
        r = self.random
        action = r.choice(("", "", "go1", "all")) if self.has_bus or r.random() < 0.3 else ""
        action = r.choice(("all", "all", "tick", action)) if self.is_joint else action
        updates = " + ".join(f"{w}:{self.update(not action)}" for w in self.weights())
        return f"  [{action}] {self.guard()} -> {updates};"

    def renaming(self, k):
        names = ["s", "w", "id", "go"] + ["b"] * self.has_bit + ["q"] * self.has_bus
        if self.is_ring:
            pairs = [f"{x}{i}={x}{(i + k - 2) % self.n + 1}" for x in names for i in self.numbers()]
        else:
            pairs = [f"{x}{a}={x}{b}" for x in names for a, b in ((1, k), (k, 1))]
        return ", ".join(pairs)

    def modules(self):
        r = self.random
        lines = ["module p1", f"  s1 : [0..{self.top}];"] + ["  b1 : bool;"] * self.has_bit
        lines += [self.command() for _ in range(0 if self.is_synchronous else r.randrange(2, 5))]
        if self.is_joint:  # or they rarely all have a command
            action = r.choice(("all", "tick"))
            lines += [f"  [{action}] s1={value} -> " + " + ".join(f"{w}:{self.update(False)}" for w in self.weights()) + ";"
                      for value in range(self.top + 1)]
        lines.append("endmodule")
        lines += [f"module p{k} = p1 [ {self.renaming(k)} ] endmodule" for k in self.numbers() if k > 1]
        if self.has_bus:
            lines += ["module bus"] + [f"  q{i} : [0..1];" for i in self.numbers()]
            value = r.choice(("1-q{}", "1", "0"))
            lines += [f"  [go{i}] true -> (q{i}'={value.format(i)});" for i in self.numbers()]
            if r.random() < 0.5:
                lines += [f"  [] q{i}=1 -> (q{i}'=0);" for i in self.numbers()]
            lines.append("endmodule")
        if self.spoiled == "command":
            lines += ["module other", "  z : [0..1];", f"  [] z=0 & s1={self.top} -> (z'=1);",
                      "  [] z=1 -> (z'=0);", "endmodule"]
        return lines

    def text(self):
        r = self.random
        weight = r.choice(RATES if self.kind == "ctmc" else PROBABILITIES)
        lines = [self.kind]
        lines += [f"const double w{i} = {'3/7' if self.spoiled == 'weight' and i == self.n else weight};"
                  for i in self.numbers()]
        lines += [f"const int id{i} = {i};" for i in self.numbers()]
        lines += [f"global turn : [0..{self.n}];"] * self.has_turn + self.modules()
        if self.has_start or self.spoiled == "start":
            which = "s1=0" if self.spoiled == "start" else f"{self.count(0)}>={self.n - 1}"
            others = " & ".join(["!b%d" % i for i in self.numbers()] if self.has_bit else [])
            more = [f"turn=0"] * self.has_turn + ([f"q{i}=0" for i in self.numbers()] if self.has_bus else [])
            more += ["z=0"] * (self.spoiled == "command") + ([others] if others else [])
            lines.append("init " + " & ".join([which] + more) + " endinit")
        for name in ("a", "b"):
            lines.append(f'rewards "{name}"')
            amount = r.choice(EXTREME_REWARDS) if self.is_extreme else "2"
            item = r.choice(("true : 1;", f"{self.symmetric()} : {amount};", "each", f"true : pow(2,{self.count(1)});",
                             f"true : max(1/3,1/(1+{self.count(0)}));"))
            lines += [f"  s{i}={self.top} : 1/{self.n};" for i in self.numbers()] if item == "each" else [f"  {item}"]
            if self.has_bus and r.random() < 0.5:
                lines += [f"  [go{i}] true : 3;" for i in self.numbers() if self.spoiled != "reward" or i > 1]
            elif self.spoiled == "reward":
                lines.append("  s2=1 : 5;")
            lines.append("endrewards")
        return "\n".join(lines) + "\n"

    # properties

    def state_formula(self):
        r = self.random
        if self.spoiled == "property" and r.random() < 0.5:
            return f"s{r.randrange(1, self.n + 1)}={r.randrange(self.top + 1)}"
        return self.symmetric()

    def properties(self):
        r = self.random
        extremes = ("min", "max") if self.kind == "mdp" else ("",)
        formulas = []
        for _ in range(3):
            a, b, m = self.state_formula(), self.state_formula(), r.choice(extremes)
            bound = r.choice(("", "", "<=3", "<=7", "[2,4]", ">=2"))
            formulas.append(r.choice((
                f"P{m}=? [ F{bound} {a} ]", f"P{m}=? [ !({b}) U{bound} {a} ]", f"P{m}=? [ G{bound} {a} ]",
                f"P{m}=? [ ({b}) W{bound} {a} ]", f"P{m}=? [ X {a} ]")))
        a, b, m = self.state_formula(), self.state_formula(), r.choice(extremes)
        formulas.append(f'R{{"{r.choice("ab")}"}}{m}=? [ {r.choice((f"F {a}", f"F {a}", "C<=4", "C", "I=3", "S"))} ]')
        formulas.append(r.choice((
            f"filter(count, {a})", f"filter(avg, P{m}=? [ X {b} ], {a} | true)", f"filter(sum, P{m}=? [ X {b} ])",
            f"filter(max, P{m}=? [ F<=2 {b} ])", f"filter(forall, {a} => P>0 [ F {b} ])",
            f"filter(first, P{m}=? [ X {b} ])", f"filter(count, P>0 [ X {b} ], {a})",
            f"filter(range, P{m}=? [ X {b} ])", f"E [ {r.choice(PATHS).format(a=a, b=b)} ]",
            f"A [ {r.choice(PATHS).format(a=a, b=b)} ]")))
        formulas.append(r.choice((f"P>=1 [ F {a} ]", f"P<=0 [ F {a} ]", f"A [ F {a} ]", f"filter(forall, {a})",
                                  f"P>=1 [ G {a} ]", f"P<=0 [ {b} U {a} ]")))
        formulas.append(f"S{m}=? [ {a} ]")
        x, y = (f"P{r.choice(extremes)}=? [ F{r.choice(('', '<=2'))} {self.state_formula()} ]" for _ in range(2))
        formulas.append(r.choice(FUNCTIONS).format(x=x, y=y))
        formulas.append(self.linear(r.choice(extremes)))
        if self.kind != "ctmc":
            formulas.append(self.identity(a, b))
        if self.kind == "mdp" and not self.has_start and self.spoiled != "start":
            formulas.append(self.objectives(a, b))
        return "\n".join(formulas) + "\n"


    def linear_formula(self, size):
        r = self.random
        if size <= 1:
            return f"({self.state_formula()})"
        if size == 2 or r.random() < 0.4:
            return f"({r.choice('XFGFG!')} {self.linear_formula(size - 1)})"
        left = r.randrange(1, size - 1)
        return f"({self.linear_formula(left)} {r.choice('&|UWR')} {self.linear_formula(size - 1 - left)})"

    def linear(self, extreme):
        """LTL, or a reward until a co-safe formula holds."""
        r, a, b = self.random, self.state_formula(), self.state_formula()
        formula = self.linear_formula(r.randrange(3, 7))
        return r.choice((f"P{extreme}=? [ {formula} ]", f"P{extreme}=? [ {formula} ]", f"P>=0.5 [ {formula} ]", f"A [ {formula} ]",
                         f"filter(max, P{extreme}=? [ F ({a} & (X {b})) ])",
                         f'R{{"{r.choice("ab")}"}}{extreme}=? [ F ({a} & (F {b})) ]',
                         f'R{{"{r.choice("ab")}"}}{extreme}=? [ (X {a}) | (F {b}) ]'))

    def objectives(self, a, b):
        """Of one scheduler: a value within a bound, both bounds, or the Pareto curve."""
        r = self.random
        paths = [f"F {a}", f"G {b}", f"F<=3 {a}", f"({a}) U<=2 ({b})", f"({b}) W ({a})"]
        first, second = (r.choice((f"P{{}} [ {r.choice(paths)} ]", f'R{{{{"{r.choice("ab")}"}}}}{{}} [ C<=3 ]')) for _ in range(2))
        extreme, other = r.choice(("max=?", "min=?")), r.choice(("max=?", "min=?"))
        bounds = r.choice((">=1/3", "<=0.25", ">=0.9", "<=1", ">=0"))
        return r.choice((f"multi({first.format(extreme)}, {second.format(bounds)})",
                         f"multi({first.format('>=0.2')}, {second.format(bounds)})",
                         f"multi({first.format(extreme)}, {second.format(other)})", f"multi({first.format(extreme)})"))

    def identity(self, a, b):
        """Some path, and all paths, within bounds are what probabilities above 0, and of 1, say."""
        r = self.random
        window = r.choice(WINDOWS)
        path = r.choice(PATHS[:2] + PATHS[3:]).format(a=a, b=b)
        path = re.sub(r"^[FG]|(?<=\)) [UWR](?= \()", lambda match: match.group(0) + window, path)
        some, every = ("Pmax>0", "Pmin>=1") if self.kind == "mdp" else ("P>0", "P>=1")
        return r.choice((f"(E [ {path} ]) <=> ({some} [ {path} ])", f"(A [ {path} ]) <=> ({every} [ {path} ])"))


FEW, MANY = 1, 4096  # so many ways to act together are written out


def environment(seed, run_number):
    """Of four runs, some write combinations out."""
    most = FEW if (seed >> run_number) % 2 else MANY if seed % 3 == 0 else None
    return dict(os.environ, **({"NOETHER_COMBINED": str(most)} if most else {}))


def run(binary, folder, symmetry, settings, *more):
    answer = folder / f"{symmetry}{'-exact' if '--exact' in more else ''}.json"
    done = subprocess.run([binary, "check", str(folder / "model.prism"), str(folder / "model.props"), "-q",
                           "--symmetry", symmetry, "--json", str(answer), *more], capture_output=True, text=True,
                          timeout=patience.seconds(SECONDS), env=settings)
    if not answer.exists():
        return None, (done.stderr or done.stdout).strip()
    return json.loads(answer.read_text()), ""


def differs(name, plain, reduced):
    """Why two results of a property cannot both be right; nothing when they can."""
    if "unknown" in (plain["verdict"], reduced["verdict"]):
        return ""  # a value too near to a threshold, or a bound that was not reached
    if plain["verdict"] != reduced["verdict"]:
        return f"{name}: {plain['verdict']}, with symmetry {reduced['verdict']}"
    if ("value" in plain) != ("value" in reduced):
        return "" if plain["verdict"] == "violated" else f"{name}: a value on one side only"  # else it is a bonus
    if "value" not in plain:
        return ""
    low, high = (float(plain["value"][end]) for end in ("lower", "upper"))
    low2, high2 = (float(reduced["value"][end]) for end in ("lower", "upper"))
    slack = 1e-12 * max(1, abs(low)) if low < float("inf") else 0
    if low > high2 + slack or low2 > high + slack:
        return f"{name}: {low}..{high}, with symmetry {low2}..{high2}"
    return ""


def outside(exact, result):
    """Why a result cannot be right, given the exact one; nothing when it can."""
    if "unknown" in (exact["verdict"], result["verdict"]):
        return ""
    value = exact.get("value", {}).get("exact")
    if "value" not in result:  # a bound: only some say by how much it is violated
        return "" if result["verdict"] == exact["verdict"] else f"{exact['name']}: exactly {exact['verdict']}, else {result}"
    if value and value != "infinity":
        low, high = (float(result["value"][end]) for end in ("lower", "upper"))  # their digits stand for doubles
        if not low <= fractions.Fraction(value) <= high:
            return f"{exact['name']}: exactly {value}, not in {low!r}..{high!r}"
    elif (result["value"]["lower"] != "infinity" if value else result["verdict"] != exact["verdict"]):
        return f"{exact['name']}: exactly {value or exact['verdict']}, else {result}"
    return ""


def exact_differs(plain, reduced, exact, exact_reduced):
    """Why exact values cannot be right; nothing when they can."""
    if "unknown" in (exact["verdict"], exact_reduced["verdict"]):
        return ""  # what lies between times, or a comparison
    values = [result.get("value", {}).get("exact") for result in (exact, exact_reduced)]
    if exact["verdict"] != exact_reduced["verdict"] or values[0] != values[1]:
        return f"{exact['name']}: exactly {values[0] or exact['verdict']}, with symmetry {values[1] or exact_reduced['verdict']}"
    return outside(exact, plain) or outside(exact, reduced)


def rows(*answers):
    """The results of each property, one of each answer; what is wrong when an answer has others."""
    quantities = [[result for result in answer["results"] if result["kind"] == "quantity"] for answer in answers]
    names = [[result["name"] for result in results] for results in quantities]
    return list(zip(*quantities)), [f"the answers are about {names}"] * any(those != names[0] for those in names)


def compare(binary, seed, keep):
    """What is wrong, how many values were compared, and whether there were fewer states."""
    model = Model(seed)
    folder = pathlib.Path(keep) / str(seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.prism").write_text(model.text())
    (folder / "model.props").write_text(model.properties())
    limit = ("--time", "2") * model.is_extreme  # a chain that hardly ever moves takes long
    plain, problem = run(binary, folder, "off", environment(seed, 0), *limit)
    if plain is None:
        return [] if "error:" in problem else [problem or "no answer"], 0, False
    reduced, problem = run(binary, folder, "auto", environment(seed, 1), *limit)
    if reduced is None:
        return [f"only with symmetry: {problem}"], 0, False
    if plain["results"] and "stopped_by" in plain and plain["stopped_by"]:
        return [], 0, False
    found, compared = [], 0
    found += [f"{result['name']}: {result['reason']}" for answer in (plain, reduced) for result in answer["results"]
              if "internal error" in (result["reason"] or "")]
    found += [f"{result['name']}: {result['verdict']}" for answer in (plain, reduced) for result in answer["results"]
              if " <=> " in result["name"] and result["verdict"] != "holds"]
    pairs, strange = rows(plain, reduced)
    found += strange
    for before, after in pairs:
        found += [why for why in [differs(before["name"], before, after)] if why]
        compared += "unknown" not in (before["verdict"], after["verdict"])
    exactly = ("--exact", "--time", "5")  # fractions may grow
    exact, _ = run(binary, folder, "off", environment(seed, 2), *exactly)
    exact_reduced, _ = run(binary, folder, "auto", environment(seed, 3), *exactly)
    if not exact or not exact_reduced:
        return [*found, "no answer in exact arithmetic"], compared, False
    fours, strange = rows(plain, reduced, exact, exact_reduced)
    found += strange
    for results in fours:
        found += [why for why in [exact_differs(*results)] if why]
    if reduced["statistics"]["represented"] is None:  # the time was over before they were counted
        return found, compared, False
    states, represented = int(plain["statistics"]["states"]), int(reduced["statistics"]["represented"])
    is_complete = not any(r["verdict"] == "unknown" and r["kind"] != "quantity" for answer in (plain, reduced) for r in answer["results"])
    is_exact = reduced["statistics"]["represented_is_exact"]
    if is_complete and (states > represented or (is_exact and states != represented)):
        found.append(f"{represented} states represented, there are {states}")
    audit = subprocess.run([binary, "symmetry", str(folder / "model.prism"), str(folder / "model.props"), "--audit"],
                           capture_output=True, text=True, timeout=patience.seconds(SECONDS), env=environment(seed, 1))
    if audit.returncode:
        found.append(f"audit: {(audit.stderr or audit.stdout).strip()}")
    return found, compared, int(reduced["statistics"]["states"]) < states


def summary(count, compared, smaller):
    return (f"{compared} values compared, {smaller} of {count} models became smaller",
            compared >= 2 * count and smaller >= count // 4)


if __name__ == "__main__":
    sys.exit(tally.run(compare, 80, summary))
