"""Thread transition systems, random or read from .tts files; the Murphi models that mean the same; and a plain backward search.

A system has shared states 0..S-1 and local states 0..L-1. A step takes a thread from (s, l) to (s', l'), and may
- need another thread whose local state is in a set,
- start a thread: one that is unborn (the last local state) goes to a local state,
- take every other thread from its local state to the one that a map says (a broadcast).
All threads begin in local state 0; where threads are started, one does and the rest are unborn."""
import dataclasses
import itertools
import random


@dataclasses.dataclass(frozen=True)
class Step:
    before: tuple  # shared, local
    after: tuple
    needs: frozenset = None
    starts: int = None
    moves: tuple = None  # by local state


@dataclasses.dataclass
class System:
    shared: int
    locals: int
    steps: list
    bad: tuple  # shared (None: any), the local states that are there at once
    has_unborn: bool
    asserts: bool = False  # the property is an assertion in a rule

    @property
    def unborn(self):
        return self.locals - 1 if self.has_unborn else None

    # --- as a model ---

    def condition(self, shared, local, thread="t"):
        return f"s = {shared} & pc[{thread}] = {local}"

    def rule(self, number, step):
        (s, l), (s2, l2) = step.before, step.after
        parameters, guard, body = "t: Thread", [self.condition(s, l)], []
        if step.needs is not None:
            some = " | ".join(f"pc[v] = {x}" for x in sorted(step.needs))
            guard.append(f"exists v: Thread do v != t & ({some}) end")
        if step.starts is not None:
            parameters += "; u: Thread"
            guard.append(f"pc[u] = {self.unborn}")
            body.append(f"pc[u] := {step.starts};")
        if step.moves is not None:
            moves = [(x, y) for x, y in enumerate(step.moves) if x != y]
            cases = " els".join(f"if v != t & pc[v] = {x} then pc[v] := {y};" for x, y in moves)
            if cases:
                # the new local state of t is not there yet: its threads are those before the step
                body.insert(0, f"for v: Thread do {cases} end; end;")
        body += [f"s := {s2};", f"pc[t] := {l2};"]
        return f'ruleset {parameters} do rule "r{number}" {" & ".join(guard)} ==> {" ".join(body)} end; end;'

    def property(self):
        shared, bad = self.bad
        where = "" if shared is None else f"s = {shared} & "
        names = [f"t{i}" for i in range(len(bad))]
        differ = " & ".join(f"{a} != {b}" for a, b in itertools.combinations(names, 2))
        there = " & ".join(f"pc[{name}] = {local}" for name, local in zip(names, bad))
        if self.asserts:
            # it violates its assertion where it is about to move: the same threads, one of them named
            return f'ruleset t0: Thread do rule "bad" {where}{there} ==> assert "safe" false; end; end;'
        text = f"!({where}{differ + ' & ' if differ else ''}{there})"
        for name in reversed(names):
            text = f"forall {name}: Thread do {text} end"
        return f'invariant "safe" {text};'

    def model(self):
        start = "for t: Thread do pc[t] := 0; end; s := 0;"
        begin, end = 'startstate "init"', ""
        if self.has_unborn:
            start = f"for t: Thread do pc[t] := {self.unborn}; end; pc[one] := 0; s := 0;"
            begin, end = 'ruleset one: Thread do startstate "init"', " end;"
        return "\n".join([
            "const N: 3;", "type Thread: scalarset(N);", f"  Local: 0..{self.locals - 1};",
            f"var s: 0..{self.shared - 1}; pc: array [Thread] of Local;",
            f"{begin} begin {start} end;{end}",
            *(self.rule(i, step) for i, step in enumerate(self.steps)), self.property(), ""])

    # --- backward ---

    def predecessors(self, shared, threads):
        """Of all configurations above this one: what is above these."""
        for step in self.steps:
            if step.after[0] != shared:
                continue
            before, after = [step.before[1]], [step.after[1]]
            if step.starts is not None:
                before.append(self.unborn)
                after.append(step.starts)
            for witness in sorted(step.needs) if step.needs is not None else [None]:
                moved = step.moves[witness] if witness is not None and step.moves else witness
                extra = [] if witness is None else [witness]
                rest = list(threads)
                for local in after + ([] if witness is None else [moved]):
                    if local in rest:
                        rest.remove(local)
                sources = [[x for x in range(self.locals) if step.moves[x] == y] for y in rest] if step.moves else [[y] for y in rest]
                for chosen in itertools.product(*sources):
                    yield step.before[0], tuple(sorted(before + extra + list(chosen)))

    def least(self, target=None):
        """The least number of threads with which the configuration (else the bad one) can be covered; None: with none."""
        shared, bad = target or self.bad
        waiting = [(s, tuple(sorted(bad))) for s in (range(self.shared) if shared is None else [shared])]
        minimal = {}
        while waiting:
            s, threads = waiting.pop(0)
            if any(below(other, threads) for other in minimal.get(s, [])):
                continue
            minimal[s] = [other for other in minimal.get(s, []) if not below(threads, other)] + [threads]
            waiting.extend(self.predecessors(s, threads))
        costs = [cost for threads in minimal.get(0, []) if (cost := self.needed(threads)) is not None]
        return min(costs, default=None)

    def needed(self, threads):
        """Threads of the start state that is above, or None."""
        rest = list(threads)
        if not self.has_unborn:
            return len(rest) if all(x == 0 for x in rest) else None
        if 0 in rest:
            rest.remove(0)
        return 1 + len(rest) if all(x == self.unborn for x in rest) else None


def below(part, whole):
    whole = list(whole)
    for local in part:
        if local not in whole:
            return False
        whole.remove(local)
    return True


def random_system(seed):
    rng = random.Random(seed)
    has_unborn = rng.random() < 0.4
    shared, alive = rng.randint(1, 3), rng.randint(3, 6)
    total = alive + has_unborn
    kinds = rng.choice([["step"], ["step", "needs"], ["step", "moves"], ["step", "needs", "moves"]])
    if has_unborn:
        kinds = kinds + ["starts"]
    steps = []
    for _ in range(rng.randint(3, 14)):
        kind = rng.choice(kinds)
        before, after = (rng.randrange(shared), rng.randrange(alive)), (rng.randrange(shared), rng.randrange(alive))
        needs = starts = moves = None
        if kind == "needs" or (kind == "moves" and rng.random() < 0.2):
            needs = frozenset(rng.sample(range(alive), rng.randint(1, 2)))
        if kind == "starts":
            starts = rng.randrange(alive)
        if kind == "moves":
            moves = tuple(rng.randrange(alive) if x < alive and rng.random() < 0.5 else x for x in range(total))
        steps.append(Step(before, after, needs, starts, moves))
    bad = (rng.choice([None, rng.randrange(shared)]), tuple(rng.randrange(alive) for _ in range(rng.choice([1, 1, 2, 3, 4]))))
    return System(shared, total, steps, bad, has_unborn, len(bad[1]) == 1 and rng.random() < 0.3)


def read_tts(text, prop):
    """A .tts file and its .prop: steps `s l -> s' l'`, starts of threads `s l +> s' l'` (the thread that starts it stays in l)."""
    lines = [line.split("#")[0].split() for line in text.splitlines()]
    lines = [line for line in lines if line]
    shared, count = map(int, lines[0])
    steps = [(tuple(map(int, line[:2])), line[2], tuple(map(int, line[3:5]))) for line in lines[1:]]
    s, l = map(int, prop.strip().split("|"))
    return shared, count, steps, (s, l)
