"""Random Murphi models in which orders of steps matter little: processes that go through places of their own, with local variables,
some shared ones, a queue, tests of all of them, and what can go wrong at the end of it."""
import random

PLACES = ["A", "B", "C", "D"]


class Model:
    def __init__(self, seed):
        self.random = random.Random(f"por {seed}")
        self.processes = self.random.randint(2, 4)
        self.loops = self.random.random() < 0.6  # else places are only left forwards: there are deadlocks
        self.deadlock = self.random.choice(["off", "stuck", "stuttering"])
        self.has_queue = self.random.random() < 0.5
        self.capacity = self.random.randint(1, 2)
        self.is_symmetric = self.random.random() < 0.4

    def condition(self):
        some = [f"local[i] = {self.random.randint(0, 2)}", f"local[i] != {self.random.randint(0, 2)}", "local[i] < 2", f"shared[{self.random.randint(0, 1)}]",
                f"!shared[{self.random.randint(0, 1)}]", f"turn = {self.random.randint(0, 2)}", "turn > 0",
                f"(forall j: proc do j != i -> at[j] != {self.random.choice(PLACES)} end)", f"(exists j: proc do at[j] = {self.random.choice(PLACES)} end)",
                "shared[local[i] % 2]", "(shared[0] | local[i] = 1)", "!(shared[1] & turn = 2)"]
        if self.has_queue:
            some += ["q.length = 0", f"q.length < {self.capacity}", "(q.length > 0 & q.message[0].v = local[i])"]
        return self.random.choice(some)

    def effect(self):
        some = ["local[i] := (local[i] + 1) % 3;", f"local[i] := {self.random.randint(0, 2)};", f"shared[{self.random.randint(0, 1)}] := {self.random.choice(['true', 'false'])};",
                "turn := (turn + 1) % 3;", "if local[i] > 0 then turn := local[i]; end;", "shared[local[i] % 2] := !shared[local[i] % 2];", "if turn < 2 then turn := turn + 1; end;"]
        if self.random.random() < 0.1:
            some += [f'assert "one" turn < 2;', f'assert "two" local[i] != 1;', 'undefine local[i];', "local[i] := local[i] + 1;", "for j: proc do local[j] := 0; end;"]
        return self.random.choice(some)

    def move(self):
        start = self.random.randint(0, len(PLACES) - 1 if self.loops else len(PLACES) - 2)
        end = self.random.choice(PLACES) if self.loops else self.random.choice(PLACES[start + 1:])
        return PLACES[start], end

    def rule(self, number):
        start, end = self.move()
        guard, body = [f"at[i] = {start}"], []
        kind = self.random.choice(["send", "receive"]) if self.has_queue and self.random.random() < 0.4 else "local"
        if kind == "send":
            guard.append(f"q.length < {self.capacity}")
            body += ["q.message[q.length].v := local[i];", "q.length := q.length + 1;"]
        elif kind == "receive":
            guard.append("q.length > 0")
            if self.random.random() < 0.4:
                guard.append(f"q.message[0].v = {self.random.randint(0, 2)}")
            body.append("local[i] := q.message[0].v;")
            if self.capacity > 1:
                body.append(f"for k := 0 to {self.capacity - 2} do q.message[k] := q.message[k + 1]; end;")
            body += [f"undefine q.message[{self.capacity - 1}];", "q.length := q.length + -1;"]
        guard += [self.condition() for _ in range(self.random.choice([0, 0, 1, 1, 2]))]
        body += [self.effect() for _ in range(self.random.choice([0, 1, 1, 2]))]
        body.append(f"at[i] := {end};")
        return f'  rule "r{number}" {" & ".join(guard)} ==> begin {" ".join(body)} end;\n'

    def properties(self):
        place = self.random.choice(PLACES)
        some = [f'invariant "apart" forall i: proc do forall j: proc do i != j -> !(at[i] = {place} & at[j] = {place}) end end;',
                f'invariant "not both" !(shared[0] & turn = {self.random.randint(0, 2)});', 'invariant "turn" turn < 2 | shared[1];',
                f'invariant "all" !(forall i: proc do at[i] = {place} end);', f'cover "goal" exists i: proc do at[i] = {place} & local[i] = 2 end;']
        if self.has_queue:
            some.append(f'invariant "short" q.length < {self.capacity};')
        return "".join(text + "\n" for text in self.random.sample(some, self.random.randint(0, 2)))

    def text(self):
        kind = f"scalarset({self.processes})" if self.is_symmetric else f"0..{self.processes - 1}"
        queue = f"q: record length: 0..{self.capacity}; message: array [0..{self.capacity - 1}] of record v: 0..2; end; end;" if self.has_queue else ""
        rules = "".join(self.rule(number) for number in range(self.random.randint(3, 7)))
        return (f"type proc: {kind};\nvar at: array[proc] of enum {{ A, B, C, D }}; local: array[proc] of 0..2; shared: array[0..1] of boolean; turn: 0..2; {queue}\n"
                f"startstate begin for i: proc do at[i] := A; local[i] := 0; end; shared[0] := false; shared[1] := true; turn := 0; "
                f"{'q.length := 0;' if self.has_queue else ''} end;\nruleset i: proc do\n{rules}end;\n{self.properties()}")


def generate(seed):
    model = Model(seed)
    return model.text(), ["--deadlock", model.deadlock]
