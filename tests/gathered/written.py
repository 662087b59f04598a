"""Random models of two or three processes that are written out: variables and rules of their own, in any order. Half of them
are symmetric; in the others one process differs in something. Each is a text and a transition system of its own, which is
explored here with no code of the program."""
import itertools
import random

NAMES = (("a", "b", "c"), ("left", "mid", "right"), ("p1", "p2", "p3"))
PLACES = ("N", "T", "C")


class Model:
    """States are (places, flags, lock, turn); turn is a number of a process, or 0 for none."""

    def __init__(self, seed):
        self.random = rng = random.Random(seed)
        self.count = rng.choice((2, 3, 3))
        self.names = rng.choice(NAMES)[:self.count]
        self.has_flags = rng.random() < 0.6
        self.has_turn = rng.random() < 0.6
        self.is_record = self.has_flags and rng.random() < 0.4
        self.first_number = rng.choice((1, 1, 2)) if self.has_turn else 1
        cycle = [self.template(PLACES[k], PLACES[(k + 1) % 3]) for k in range(3)]
        templates = cycle + [self.template(rng.choice(PLACES), rng.choice(PLACES)) for _ in range(rng.randint(0, 2))]
        self.rules = [(f"{name}.{number}", process, *template) for number, template in enumerate(templates)
                      for process, name in enumerate(self.names)]
        self.start = (("N",) * self.count, (False,) * self.count, False, 0)
        self.odd = rng.choice(("rule", "start", "property", "property", "missing", "missing")) if rng.random() < 0.5 else None
        if self.odd == "rule":
            number = rng.randrange(len(self.rules))
            self.rules[number] = (*self.rules[number][:2], *self.template(rng.choice(PLACES), rng.choice(PLACES)))
        elif self.odd == "missing":
            self.rules.pop(rng.randrange(len(self.rules)))
        elif self.odd == "start":
            places = ["N"] * self.count
            places[rng.randrange(self.count)] = "T"
            self.start = (tuple(places), *self.start[1:])
        rng.shuffle(self.rules)
        self.properties = [rng.choice((self.exclusive, self.never_all, self.free))() for _ in range(rng.randint(0, 2))]
        if self.odd == "property":
            self.properties.append(self.named())

    def template(self, place, next):
        """A guard and updates of a process, as lists of words: what is said of itself and of others."""
        rng = self.random
        guard = [("at", place)]
        choices = ["lock", "unlock", "others"] + ["flag", "noflag"] * self.has_flags + ["turn", "noturn"] * self.has_turn
        for kind in rng.sample(choices, rng.choice((0, 0, 1, 2))):
            guard.append((kind, rng.choice(PLACES)))
        updates = [("at", next)]
        choices = ["lock", "unlock"] + ["flag", "noflag", "clear"] * self.has_flags + ["turn", "noturn"] * self.has_turn
        for kind in rng.sample(choices, rng.randint(0, 2)):
            if {kind, *(update[0] for update in updates)} not in ({"at", "lock", "unlock"}, {"at", "turn", "noturn"}):
                updates.append((kind, None))
        if {"flag", "noflag", "clear"} & {update[0] for update in updates}:
            updates = [u for i, u in enumerate(updates) if u[0] not in ("flag", "noflag", "clear") or
                       not any(v[0] in ("flag", "noflag", "clear") for v in updates[:i])]
        if {"lock", "unlock"} <= {update[0] for update in updates}:
            updates = [u for u in updates if u[0] != "unlock"]
        return guard, updates

    # --- properties: a text and a function of the state

    def pairs(self):
        return list(itertools.combinations(range(self.count), 2))

    def exclusive(self):
        place, pairs = self.random.choice(PLACES[1:]), self.pairs()
        text = self.shuffled([f"!({self.both(x, y, place)})" for x, y in pairs], " & ")
        return text, lambda s: all(not (s[0][x] == place and s[0][y] == place) for x, y in pairs)

    def both(self, x, y, place):
        return self.shuffled([f"{self.place(x)} = {place}", f"{self.place(y)} = {place}"], " & ")

    def never_all(self):
        place = self.random.choice(PLACES)
        text = self.shuffled([f"{self.place(x)} != {place}" for x in range(self.count)], " | ")
        return text, lambda s: any(at != place for at in s[0])

    def free(self):
        return "lock -> lock", lambda s: True

    def named(self):
        process, place = self.random.randrange(self.count), self.random.choice(PLACES[1:])
        return f"{self.place(process)} != {place}", lambda s: s[0][process] != place

    # --- text

    def shuffled(self, parts, between):
        parts = list(parts)
        self.random.shuffle(parts)
        return between.join(parts)

    def place(self, process):
        return f"{self.names[process]}.at" if self.is_record else self.names[process]

    def flag(self, process):
        return f"{self.names[process]}.flag" if self.is_record else f"{self.names[process]}_flag"

    def number(self, process):
        return self.first_number + process

    def condition(self, process, kind, place):
        return {"at": f"{self.place(process)} = {place}", "lock": "lock", "unlock": "!lock", "flag": self.flag(process),
                "noflag": f"!{self.flag(process)}", "turn": f"turn = {self.number(process)}", "noturn": "turn = 0",
                "others": self.shuffled([f"{self.place(x)} != {place}" for x in range(self.count) if x != process], " & ")}[kind]

    def update(self, process, kind, place):
        return {"at": f"{self.place(process)} := {place};", "lock": "lock := true;", "unlock": "lock := false;",
                "flag": f"{self.flag(process)} := true;", "noflag": f"{self.flag(process)} := false;",
                "clear": self.shuffled([f"{self.flag(x)} := false;" for x in range(self.count)], " "),
                "turn": f"turn := {self.number(process)};", "noturn": "turn := 0;"}[kind]

    def text(self):
        lines = ["type L: enum {N, T, C};"]
        if self.is_record:
            lines.append("type R: record at: L; flag: boolean; end;")
        variables = [f"{name}: {'R' if self.is_record else 'L'};" for name in self.names] + ["lock: boolean;"]
        if self.has_flags and not self.is_record:
            variables += [f"{self.flag(x)}: boolean;" for x in range(self.count)]
        if self.has_turn:
            variables.append(f"turn: 0..{self.number(self.count - 1)};")
        lines.append("var " + self.shuffled(variables, " "))
        sets = [f"{self.place(x)} := {self.start[0][x]};" for x in range(self.count)] + ["lock := false;"]
        sets += [f"{self.flag(x)} := false;" for x in range(self.count) if self.has_flags]
        sets += ["turn := 0;"] if self.has_turn else []
        lines.append("startstate begin " + self.shuffled(sets, " ") + " end;")
        for name, process, guard, updates in self.rules:
            condition = self.shuffled([self.condition(process, *part) for part in guard], " & ")
            lines.append(f'rule "{name}" {condition} ==> begin {" ".join(self.update(process, *u) for u in updates)} end;')
        lines += [f'invariant "{number}" {text};' for number, (text, _) in enumerate(self.properties)]
        return "\n".join(lines) + "\n"

    # --- meaning

    def is_enabled(self, state, process, guard):
        places, flags, lock, turn = state
        tests = {"lock": lock, "unlock": not lock, "flag": flags[process], "noflag": not flags[process],
                 "turn": turn == process + 1, "noturn": turn == 0}
        for kind, place in guard:
            if kind == "at":
                holds = places[process] == place
            elif kind == "others":
                holds = all(at != place for x, at in enumerate(places) if x != process)
            else:
                holds = tests[kind]
            if not holds:
                return False
        return True

    def fire(self, state, process, updates):
        places, flags, lock, turn = list(state[0]), list(state[1]), state[2], state[3]
        for kind, place in updates:
            if kind == "at":
                places[process] = place
            elif kind in ("lock", "unlock"):
                lock = kind == "lock"
            elif kind in ("flag", "noflag"):
                flags[process] = kind == "flag"
            elif kind == "clear":
                flags = [False] * self.count
            else:
                turn = process + 1 if kind == "turn" else 0
        return tuple(places), tuple(flags), lock, turn

    def explore(self):
        """Each reachable state, with its successors."""
        graph, todo = {}, [self.start]
        while todo:
            state = todo.pop()
            if state in graph:
                continue
            graph[state] = {self.fire(state, process, updates) for _, process, guard, updates in self.rules
                            if self.is_enabled(state, process, guard)}
            todo += graph[state]
        return graph

    def permuted(self, state, image):
        """The image is a permutation of places, one of flags and one of numbers: these may be exchanged apart from each other."""
        (places, flags, lock, turn), (of_places, of_flags, of_numbers) = state, image
        return (tuple(places[x] for x in of_places), tuple(flags[x] for x in of_flags), lock,
                of_numbers.index(turn - 1) + 1 if turn else 0)

    def candidates(self):
        all, same = list(itertools.permutations(range(self.count))), [tuple(range(self.count))]
        return itertools.product(all, all if self.has_flags else same, all if self.has_turn else same)

    def automorphisms(self, graph):
        """The permutations that map the reachable graph to itself and change no property."""
        def is_one(image):
            return self.permuted(self.start, image) == self.start and all(
                self.permuted(state, image) in graph and
                {self.permuted(next, image) for next in after} == graph[self.permuted(state, image)] and
                all(holds(state) == holds(self.permuted(state, image)) for _, holds in self.properties)
                for state, after in graph.items())
        return [image for image in self.candidates() if is_one(image)]

    def processes(self):
        """The permutations of whole processes."""
        return [(image, image if self.has_flags else tuple(range(self.count)),
                 image if self.has_turn else tuple(range(self.count)))
                for image in itertools.permutations(range(self.count))]

    def orbit_count(self, graph, group):
        return len({min(self.permuted(state, image) for image in group) for state in graph})


MOST_ELEMENTS = 6  # of a group whose subgroups are listed


def subgroups(group):
    """All subgroups of a group with at most MOST_ELEMENTS elements: sets that are closed. Of a larger one, the group itself."""
    found = [group]
    for size in range(1, len(group) + 1) if len(group) <= MOST_ELEMENTS else ():
        for chosen in itertools.combinations(group, size):
            if all(product(x, y) in chosen for x in chosen for y in chosen):
                found.append(chosen)
    return found


def product(left, right):
    return tuple(tuple(x[i] for i in y) for x, y in zip(left, right))
