"""Random Promela models whose processes are equal but for some guards: started by `active`, at once, in a loop, one after another;
with arrays indexed by _pid, channels with and without room, steps of several statements."""
import random


class Model:
    suffix = "pml"

    def __init__(self, seed):
        self.random = random.Random(f"processes {seed}")
        self.processes = self.random.randint(2, 3)
        self.deadlock = self.random.choice(["off", "stuck", "stuck"])
        self.keeps_going = self.random.random() < 0.7
        self.start = self.random.choice(["active", "at once", "loop", "one by one"])
        self.first = 0 if self.start == "active" else 1  # the least _pid of a P
        self.buffered = self.random.randint(0, 1)

    def pick(self, *texts):
        return self.random.choice(texts)

    def condition(self):
        other = self.random.randint(self.first, self.first + self.processes - 1)
        return self.pick("flag[_pid]", "!flag[_pid]", "mine[_pid] < 1", "mine[_pid] != 0", "y == 0", "y < 2", "l != 1", "x == 0", "true", f"_pid != {other}", f"_pid == {other}",
                         f"_pid <= {other}", "_pid > y", f"!flag[{other}] || _pid == {other}", "_nr_pr == 2", f"mine[{other}] == 0")

    def effect(self):
        return self.pick("flag[_pid] = !flag[_pid]", "mine[_pid] = (mine[_pid] + 1) % 3", "y = (y + 1) % 3", "l = 1 - l", "x = 1 - x", "skip",
                         "rec[1].w[0] = (rec[1].w[0] + 1) % 3", "flag[_pid] = true", "assert(y < 2)", "assert(mine[_pid] < 2)")

    def statement(self, depth):
        kind = self.random.random()
        if kind < 0.25:
            return f"({self.condition()})"
        if kind < 0.6 or depth == 0:
            return self.effect()
        if kind < 0.68:
            return self.pick("q!_pid", "q?l", "q!1", "q?1", "end1: q?l")
        if kind < 0.76:
            return f"atomic {{ ({self.condition()}); {self.effect()} }}"
        if kind < 0.8:
            return f"d_step {{ ({self.condition()}) -> {self.effect()}; {self.effect()} }}"
        options = [f":: {self.condition()} -> {self.sequence(depth - 1)}" for _ in range(self.random.randint(1, 2))]
        if self.random.random() < 0.5:
            options.append(f":: else -> {self.pick('skip', self.effect())}")
        if kind < 0.9:
            return f"if {' '.join(options)} fi"
        return f"do {' '.join(options)} :: {self.condition()} -> break od"

    def sequence(self, depth):
        return "; ".join(self.statement(depth) for _ in range(self.random.randint(1, 2)))

    def init(self):
        count = self.processes
        after = self.pick("", "; x = 1", "; _nr_pr == 1; y = 0", "; y = 2; assert(!flag[1])")
        if self.start == "at once":
            return f"init {{ atomic {{ {'; '.join(['run P()'] * count)} }}{after} }}\n"
        if self.start == "loop":
            return f"init {{ byte k; do :: k < {count} -> k++; run P() :: else -> break od{after} }}\n"
        return f"init {{ {'; '.join(['run P()'] * count)}{after} }}\n"

    def text(self):
        properties = [f"ltl never_two {{ [] (y < 2) }}", "ltl at_last { <> (x == 1) }", "ltl again { [] <> (y == 0) }", "ltl leads { [] (x == 1 -> <> (y != 1)) }"]
        chosen = self.random.sample(properties, self.random.choice([0, 0, 1]))
        active = f"active [{self.processes}] " if self.start == "active" else ""
        body = self.sequence(2)
        if self.random.random() < 0.5:
            body = f"do :: {body} :: {self.condition()} -> {self.sequence(1)} od"
        return ("typedef T { byte v; byte w[2] };\nT rec[2];\nbyte x, y;\nbool flag[6];\nbyte mine[6];\n"
                f"chan q = [{self.buffered}] of {{ byte }};\n{active}proctype P() {{\n  byte l;\n  {body}\n}}\n"
                + (self.init() if self.start != "active" else "") + "".join(f"{text}\n" for text in chosen))
