#!/usr/bin/env python3
"""Random fully symmetric models: counter abstraction against plain exploration with symmetry.

For every model in the class: the counter engine with all local values kept has the states and verdicts of the explicit
engine; with dead ones forgotten the verdicts, and no more states; so has the symbolic engine with counters; the model that
`noether reduce` writes has the states and verdicts of the counter engine, also for rumur. CTL and liveness properties are
among them. Counterexamples are replayed by the tool itself.

    counters.py BINARY [COUNT [SEED [RUMUR]]]      RUMUR: how many of the written models rumur is asked about
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import patience

BINARY = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 60
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
RUMUR = int(sys.argv[4]) if len(sys.argv) > 4 else 3
STATES = "60000"
SECONDS = 30
SECONDS_OF_SETS = 5  # they say nothing then
MOST_FOR_RUMUR = 20000  # characters: it takes minutes to compile a hundred thousand
LEFT_OUT = ("counter abstraction", "exchange processes")  # in the reason why a property is unknown

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "models"))
from rumur import rumur_ask  # noqa: E402


class Model:
    """One family, or two; local variables, shared ones, pointers."""

    def __init__(self, rng):
        self.rng = rng
        self.families = ["P"] if rng.random() < 0.7 else ["P", "Q"]
        self.sizes = {f: rng.choice([1, 2, 2, 3, 3, 4] if len(self.families) == 1 else [1, 2, 2, 3]) for f in self.families}
        self.labels = ["A", "B", "C", "D"][: rng.randint(2, 4)]
        self.locals = {f: self.local_variables(f) for f in self.families}
        self.shared = [("v", "bool"), ("w", "range")][: rng.randint(0, 2)]
        self.pointers = [
            (f"d{i}", rng.choice(self.families), rng.random() < 0.3) for i in range(rng.choice([0, 0, 1, 1, 2, 3]))
        ]
        self.as_records = rng.random() < 0.3
        self.has_count = rng.random() < 0.4

    def local_variables(self, family):
        variables = [(f"s{family}", "enum")]
        if self.rng.random() < 0.5:
            variables.append((f"b{family}", "bool"))
        if self.rng.random() < 0.2:
            variables.append((f"r{family}", "range"))
        return variables

    def type_of(self, kind):
        return {"enum": "S", "bool": "boolean", "range": "0..2"}[kind]

    def cell(self, family, name, index):
        return f"rec{family}[{index}].{name}" if self.as_records else f"{name}[{index}]"

    def constant(self, kind):
        if kind == "enum":
            return self.rng.choice(self.labels)
        return self.rng.choice(["true", "false"]) if kind == "bool" else str(self.rng.randint(0, 2))

    def element(self, family, scope):
        """An element in scope, or one that a pointer holds."""
        names = [n for n, f in scope if f == family]
        names += [p for p, f, may_miss in self.pointers if f == family and not may_miss]
        return self.rng.choice(names) if names else None

    def atom(self, scope):
        rng = self.rng
        choice = rng.random()
        family = rng.choice(self.families)
        name, kind = rng.choice(self.locals[family])
        element = self.element(family, scope)
        if choice < 0.5 and element:
            return f"{self.cell(family, name, element)} {rng.choice(['=', '=', '!='])} {self.constant(kind)}"
        if choice < 0.62 and element:
            other = self.element(family, scope)
            return f"{element} {rng.choice(['=', '!='])} {other}"
        if choice < 0.7 and self.pointers:
            pointer, _, may_miss = rng.choice(self.pointers)
            if may_miss:
                return f"isundefined({pointer})"
        if choice < 0.85 and self.shared:
            name, kind = rng.choice(self.shared)
            if kind == "bool":
                return rng.choice([name, f"!{name}"])
            return f"{name} {rng.choice(['=', '<', '>='])} {self.constant(kind)}"
        if self.has_count and not any(n == "inside" for n, _ in scope) and rng.random() < 0.5:
            return f"number() {rng.choice(['=', '<', '>='])} {rng.randint(0, 3)}"
        return rng.choice(["true", "true", "false"])

    def formula(self, scope, depth=2):
        rng = self.rng
        choice = rng.random()
        if depth == 0 or choice < 0.35:
            return self.atom(scope)
        if choice < 0.75:
            return f"({self.formula(scope, depth - 1)} {rng.choice(['&', '|', '->'])} {self.formula(scope, depth - 1)})"
        if choice < 0.8:
            return f"!({self.formula(scope, depth - 1)})"
        family = rng.choice(self.families)
        variable = f"q{len(scope)}"
        body = self.formula(scope + [(variable, family)], depth - 1)
        return f"({rng.choice(['forall', 'exists'])} {variable}: {family} do {body} end)"

    def assignment(self, scope):
        rng = self.rng
        choice = rng.random()
        family = rng.choice(self.families)
        element = self.element(family, scope)
        if choice < 0.55 and element:
            name, kind = rng.choice(self.locals[family])
            value = self.constant(kind)
            same = [n for n, k in self.shared if k == kind]
            if same and rng.random() < 0.3:
                value = rng.choice(same)
            if rng.random() < 0.07:
                return f"undefine {self.cell(family, name, element)};"
            return f"{self.cell(family, name, element)} := {value};"
        if choice < 0.75 and self.pointers:
            pointer, family, may_miss = rng.choice(self.pointers)
            if may_miss and rng.random() < 0.4:
                return f"undefine {pointer};"
            element = self.element(family, scope)
            if element:
                return f"{pointer} := {element};"
        if self.shared:
            name, kind = rng.choice(self.shared)
            if kind == "bool" and element and rng.random() < 0.4:
                cells = [n for n, k in self.locals[family] if k == "bool"]
                if cells:
                    return f"{name} := {self.cell(family, rng.choice(cells), element)};"
            if kind == "range" and rng.random() < 0.3:
                return f"{name} := ({name} + 1) % 3;"
            return f"{name} := {self.constant(kind)};"
        return ""

    def loop(self, scope, outer):
        """A loop that the discipline can see to be harmless: it writes the element's own cells, or a constant."""
        rng = self.rng
        family = rng.choice(self.families)
        name, kind = rng.choice(self.locals[family])
        own = self.cell(family, name, "l")
        test_name, test_kind = rng.choice(self.locals[family])
        test = f"{self.cell(family, test_name, 'l')} = {self.constant(test_kind)}"
        bools = [n for n, k in self.shared if k == "bool"]
        if bools and rng.random() < 0.3:
            test += f" & {rng.choice(bools)}"
        others = [n for n, f in outer if f == family]
        if others and rng.random() < 0.4:
            test += f" & l != {rng.choice(others)}"
        return f"for l: {family} do if {test} then {own} := {self.constant(kind)}; end; end;"

    def statements(self, scope, depth=1):
        rng = self.rng
        lines = []
        for _ in range(rng.randint(1, 3)):
            choice = rng.random()
            if choice < 0.65 or depth == 0:
                lines.append(self.assignment(scope))
            elif choice < 0.8:
                lines.append(self.loop(scope, scope))
            elif choice < 0.85:
                lines.append(f'assert {self.formula(scope, 1)} "asserted";')
            else:
                lines.append(f"if {self.formula(scope, 1)} then {self.statements(scope, depth - 1)} "
                             f"else {self.statements(scope, depth - 1)} end;")
        return " ".join(lines)

    def declarations(self):
        lines = ["type S: enum {" + ", ".join(self.labels) + "};"]
        for family in self.families:
            lines.append(f"{family}: scalarset({self.sizes[family]});")
        lines.append("var")
        for family in self.families:
            cells = [f"{name}: {self.type_of(kind)};" for name, kind in self.locals[family]]
            if self.as_records:
                lines.append(f"rec{family}: array [{family}] of record {' '.join(cells)} end;")
            else:
                lines += [f"{name}: array [{family}] of {self.type_of(kind)};" for name, kind in self.locals[family]]
        lines += [f"{name}: {self.type_of(kind)};" for name, kind in self.shared]
        lines += [f"{name}: {family};" for name, family, _ in self.pointers]
        if self.has_count:
            name, kind = self.locals["P"][0]
            lines.append("function number(): 0..20; var c: 0..20; begin c := 0; for inside: P do if "
                         f"{self.cell('P', name, 'inside')} = {self.constant(kind)} then c := c + 1; end; end; "
                         "return c; end;")
        return lines

    def start(self):
        lines, parameters = [], []
        for family in self.families:
            for name, kind in self.locals[family]:
                if self.rng.random() > 0.08:
                    lines.append(f"for i: {family} do {self.cell(family, name, 'i')} := {self.constant(kind)}; end;")
        lines += [f"{name} := {self.constant(kind)};" for name, kind in self.shared]
        for name, family, may_miss in self.pointers:
            if may_miss and self.rng.random() < 0.7:
                continue
            parameters.append(f"x{name}: {family}")
            lines.append(f"{name} := x{name};")
        body = f"startstate begin {' '.join(lines)} end;"
        return f"ruleset {'; '.join(parameters)} do {body} end;" if parameters else body

    def rule(self, number):
        rng = self.rng
        scope = [(f"p{i}", rng.choice(self.families)) for i in range(rng.choice([0, 1, 1, 1, 2, 2]))]
        parameters = [f"{n}: {f}" for n, f in scope]
        extra = ""
        if rng.random() < 0.15:
            parameters.append("k: 0..2")
            ranges = [(f, n) for f in self.families for n, kind in self.locals[f] if kind == "range"]
            if ranges and scope:
                family, name = rng.choice(ranges)
                element = self.element(family, scope)
                extra = f"{self.cell(family, name, element)} := k;" if element else ""
        text = f'rule "r{number}" {self.formula(scope)} ==> begin {self.statements(scope)} {extra} end;'
        return f"ruleset {'; '.join(parameters)} do {text} end;" if parameters else text

    def closed_ctl(self, depth, scope=()):
        """Temporal operators around formulas that name no process but those in scope."""
        rng = self.rng
        if depth == 0:
            return f"({self.formula(list(scope), 1)})"
        inner = [self.closed_ctl(depth - 1, scope) for _ in range(2)]
        return rng.choice((f"{rng.choice(('EX', 'EF', 'EG', 'AX', 'AF', 'AG'))} {inner[0]}",
                           f"{rng.choice('AE')}[{inner[0]} U {inner[1]}]", f"({inner[0]} {rng.choice(('&', '|', '->'))} {inner[1]})",
                           f"!({inner[0]})"))

    def quantified_ctl(self):
        """For all processes, always: what can be said of one of them."""
        scope = [(f"u{i}", self.rng.choice(self.families)) for i in range(self.rng.choice([1, 1, 2]))]
        text = self.closed_ctl(self.rng.choice([1, 2]), scope)
        for name, family in reversed(scope):
            text = self.rng.choice((f"AG forall {name}: {family} do {text} end", f"forall {name}: {family} do {text} end",
                                    f"!EF exists {name}: {family} do {text} end"))
        return text

    def text(self):
        lines = self.declarations() + [self.start()]
        lines += [self.rule(i) for i in range(self.rng.randint(1, 5))]
        lines += [f'invariant "i{i}" {self.formula([], 3)};' for i in range(self.rng.randint(0, 2))]
        if self.rng.random() < 0.15:
            lines.append(f'liveness "l" {self.formula([], 2)};')
        lines += [f'ctl "c{i}" {self.closed_ctl(self.rng.randint(1, 3))};' for i in range(self.rng.choice([0, 1, 2]))]
        lines += [f'ctl "q{i}" {self.quantified_ctl()};' for i in range(self.rng.choice([0, 0, 1, 2]))]
        return "\n".join(lines) + "\n"


def check(path, *options):
    one_by_one = [] if "symbolic" in options else ["--states", STATES, "--stepper", "vm"]
    command = [BINARY, "check", str(path), "--json", "-", "--keep-going", *one_by_one, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=patience.seconds(120))
    if not done.stdout:
        return None, done
    answer = json.loads(done.stdout)
    wrong = [r["reason"] for r in answer["results"] if "internal" in (r["reason"] or "")]
    if wrong:
        return {"internal": wrong}, done
    verdicts = {r["name"]: r["verdict"] for r in answer["results"]}
    left = [r["name"] for r in answer["results"] if r["verdict"] == "unknown" and any(w in (r["reason"] or "") for w in LEFT_OUT)]
    return {"states": answer["statistics"]["states"], "verdicts": verdicts, "stopped": answer["stopped_by"],
            "violated": answer["verdict"] == "violated", "left": left}, done


def agree(answer, plain):
    """Where a step fails in several ways at once, the explicit engine may leave one of them open. Counters may leave open a
    property that cannot be translated or factored, and as decision diagrams the deadlocks where processes may be exchanged."""
    return answer.get("verdicts") is not None and all(
        plain["verdicts"][name] in (verdict, "unknown")
        or (verdict == "unknown" and (name == "deadlock" or name[0] == "q" or name in answer["left"]))
        for name, verdict in answer["verdicts"].items()
    )


def compare(path, folder):
    """None: outside the class (why); else a list of complaints."""
    kept, done = check(path, "--engine", "counter", "--dead", "keep")
    if kept is None:
        if done.returncode != 2:
            return [f"exit code {done.returncode}: {done.stderr[:300]}"], None
        return None, done.stderr
    plain, done = check(path, "--engine", "explicit", "--symmetry", "declared")
    if plain is None:
        return [done.stderr], None
    if plain["stopped"] and "limit" in plain["stopped"]:
        return None, "too many states"
    complaints = []
    is_whole = not plain["stopped"] and not kept["stopped"]
    if not agree(kept, plain) or (is_whole and kept["states"] != plain["states"]):
        complaints.append(f"explicit {plain}\n  counter {kept}")
    cleared, _ = check(path, "--engine", "counter")
    if not agree(cleared, plain) or (is_whole and cleared["states"] > plain["states"]):
        complaints.append(f"explicit {plain}\n  counter, dead values cleared {cleared}")
    if random.Random(path.read_text()).random() < 0.5:  # it takes longest
        generic, _ = check(path, "--engine", "symbolic", "--method", "generic", "--dead", "keep", "--time", str(SECONDS_OF_SETS))
        is_late = generic is not None and "time limit" in (generic["stopped"] or "")
        if generic is not None and not is_late and (not agree(generic, plain) or (is_whole and not generic["stopped"] and generic["states"] != plain["states"])):
            complaints.append(f"explicit {plain}\n  symbolic, generic {generic}")
    return complaints + compare_written(path, folder, plain, is_whole), None


def compare_written(path, folder, plain, is_whole):
    """The model that is written. Quantifiers around temporal operators cannot be."""
    global RUMUR
    out, model = folder / "reduced.m", folder / "to-reduce.m"
    model.write_text("".join(line for line in path.read_text().splitlines(True) if not line.startswith('ctl "q')))
    done = subprocess.run([BINARY, "reduce", str(model), "--dead=keep", "-o", str(out)], capture_output=True, text=True)
    deadlock = "off" if "exchange" in done.stderr else "stuttering"
    reduced, done_check = check(out, "--engine", "explicit", "--symmetry", "off", "--deadlock", deadlock)
    if reduced is None:
        return [f"the reduced model: {done_check.stderr[:300]}"]
    if not is_whole or reduced["stopped"]:
        return []
    names = [name for name in reduced["verdicts"] if name[0] in "cil" and plain["verdicts"].get(name) is not None]
    if reduced["states"] != plain["states"] or any(reduced["verdicts"][n] != plain["verdicts"][n] for n in names):
        return [f"explicit {plain}\n  written model {reduced}"]
    text = out.read_text()
    if RUMUR and len(text) < MOST_FOR_RUMUR and "ctl" not in text and "liveness" not in text:
        RUMUR -= 1
        rumur = rumur_ask(out, deadlock, SECONDS)
        if rumur[0] != ("violated" if reduced["violated"] else "holds") or (rumur[0] == "holds" and rumur[1] != reduced["states"]):
            return [f"rumur says {rumur} of the written model, not {reduced}"]
    return []


def examine(root, i):
    """The model, what is wrong with it, and why it is not compared."""
    folder = pathlib.Path(root) / str(i)
    folder.mkdir()
    path = folder / "model.m"
    path.write_text(Model(random.Random(SEED * 1000003 + i)).text())
    return (path.read_text(), *compare(path, folder))


def main():
    compared = failed = 0
    reasons = {}
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for i, (text, complaints, why) in enumerate(pool.map(lambda i: examine(name, i), range(COUNT))):
            if complaints is None:
                key = why.strip().splitlines()[0].split("counter abstraction: ")[-1].split(":")[-1] if why else "?"
                reasons[key] = reasons.get(key, 0) + 1
                continue
            compared += 1
            if complaints:
                failed += 1
                print(f"model {i} of seed {SEED}:\n{text}")
                print("\n".join("  " + c for c in complaints))
    for key, count in sorted(reasons.items(), key=lambda item: -item[1])[:8]:
        print(f"  {count} outside the class: {key[:110]}")
    if compared < COUNT // 3:
        print(f"only {compared} of {COUNT} models are in the class")
        failed += 1
    print(f"{compared - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
