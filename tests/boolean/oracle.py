"""An interpreter of Boolean programs, as the trees of generate.py: threads with call stacks, explored breadth first.

It shares nothing with the front end: procedures are called, not inlined; a state is the globals and the multiset (or
list) of threads, and a thread that ends is no more in it."""
import collections
import itertools
import math


class Violation(Exception):
    pass


def choices_in(tree):
    if tree is None or not isinstance(tree, tuple):
        return 0
    own = tree[0] in ("any", "schoose")
    return own + sum(choices_in(part) for part in tree[1:])


class Code:
    """A procedure as instructions (operation, ..., next); labels are their numbers."""

    def __init__(self, procedure):
        self.procedure = procedure
        self.items, self.labels = [], {}
        self.block(procedure.body)
        self.items.append(("return", []))
        for i, item in enumerate(self.items):
            if item[0] == "jump":  # a goto behind "then" is no step of its own
                target = item[1]
                self.items[i] = ("pass", self.labels[target] if isinstance(target, str) else target)

    def block(self, statements):
        for statement in statements:
            self.statement(*statement)

    def statement(self, labels, kind, *rest):
        for label in labels:
            self.labels[label] = len(self.items)
        if kind == "if":
            self.branch(*rest)
        elif kind == "while":
            top = len(self.items)
            self.items.append(None)
            self.block(rest[1])
            self.items.append(("back", top))
            self.items[top] = ("branch", rest[0], top + 1, len(self.items))
        else:
            self.items.append((kind, *rest))

    def branch(self, condition, then, other):
        top = len(self.items)
        self.items.append(None)
        if len(then) == 1 and then[0][1] == "goto" and not then[0][0] and len(then[0][2]) == 1:
            self.items.append(("jump", then[0][2][0]))
        else:
            self.block(then)
        over = len(self.items)
        if other:
            self.items.append(None)
        self.items[top] = ("branch", condition, top + 1, len(self.items))
        if other:
            self.block(other)
            self.items[over] = ("pass", len(self.items))

    def settle(self, at):
        while self.items[at][0] == "pass":
            at = self.items[at][1]
        return at


def orders(threads, count):
    """The number of ways to give `count` numbers to these threads and to those that have ended."""
    number = math.factorial(count) // math.factorial(count - len(threads))
    for equal in collections.Counter(threads).values():
        number //= math.factorial(equal)
    return number


class Oracle:
    def __init__(self, program):
        self.program = program
        self.codes = {name: Code(procedure) for name, procedure in program["procedures"].items()}
        self.globals = [name for name, _ in program["globals"]]
        self.read = self.find_read()
        self.has_starts = any(item[0].startswith("start") for code in self.codes.values()
                              for item in code.items)

    def variables(self, procedure):
        return procedure.parameters + [name for name, _ in procedure.locals]

    def find_read(self):
        """(procedure or None, variable) that some expression reads: others have no value here."""
        found = set()

        def walk(procedure, tree):
            if isinstance(tree, tuple) and tree and tree[0] in ("read", "next"):
                is_local = tree[1] in self.variables(procedure)
                found.add((procedure.name if is_local else None, tree[1]))
            elif isinstance(tree, (tuple, list)):
                for part in tree:
                    walk(procedure, part)

        for procedure in self.program["procedures"].values():
            walk(procedure, procedure.enforced)
            for item in self.codes[procedure.name].items:
                walk(procedure, [part for part in item[1:] if isinstance(part, (tuple, list))])
        return found

    # A thread is (stack, atomic, waiting); a frame is (procedure, at, values). at = -1: not called yet.

    def value(self, env, tree, chosen, after=None):
        kind = tree[0]
        sub = lambda part: self.value(env, part, chosen, after)
        if kind == "const":
            return tree[1]
        if kind == "read":
            return env[tree[1]]
        if kind == "next":
            return (after or env)[tree[1]] if after is None or tree[1] in after else env[tree[1]]
        if kind == "any":
            return next(chosen)
        if kind == "schoose":
            left, right, choice = sub(tree[1]), sub(tree[2]), next(chosen)
            return left or (not right and choice)
        if kind == "not":
            return not sub(tree[1])
        if kind == "cond":
            condition, left, right = sub(tree[1]), sub(tree[2]), sub(tree[3])
            return left if condition else right
        left, right = sub(tree[1]), sub(tree[2])
        return {"and": left and right, "or": left or right, "xor": left != right, "eq": left == right,
                "ne": left != right, "implies": not left or right}[kind]

    def ways(self, trees):
        """All values of * in the trees."""
        count = sum(choices_in(tree) for tree in trees)
        return itertools.product((False, True), repeat=count)

    def env(self, shared, frame):
        env = dict(zip(self.globals, shared))
        env.update(zip(self.variables(self.program["procedures"][frame[0]]), frame[2]))
        return env

    def store(self, shared, frame, updates):
        procedure = self.program["procedures"][frame[0]]
        names = self.variables(procedure)
        values = dict(zip(names, frame[2]))
        shared = dict(zip(self.globals, shared))
        for name, value in updates.items():
            if name in values:
                values[name] = value and (procedure.name, name) in self.read
            else:
                shared[name] = value and (None, name) in self.read
        return tuple(shared[name] for name in self.globals), (frame[0], frame[1], tuple(values[n] for n in names))

    def frames(self, name, at, arguments):
        """The frames a procedure may begin with."""
        procedure = self.program["procedures"][name]
        kept = lambda variable, value: value and (name, variable) in self.read
        fixed = [kept(variable, value) for variable, value in zip(procedure.parameters, arguments)]
        options = [([False, True] if (name, variable) in self.read else [False]) if initial is None
                   else [kept(variable, bool(initial))] for variable, initial in procedure.locals]
        for values in itertools.product(*options):
            yield (name, self.codes[name].settle(at), (*fixed, *values))

    def waiting(self, name, arguments):
        """A thread that is to call the procedure."""
        procedure = self.program["procedures"][name]
        fixed = [value and (name, variable) in self.read for variable, value in zip(procedure.parameters, arguments)]
        return (((name, -1, (*fixed, *[False] * len(procedure.locals))),), False, False)

    def starts(self, count):
        options = [[False, True] if initial is None else [bool(initial)] for _, initial in self.program["globals"]]
        options = [values if (None, name) in self.read else [False] for name, values in zip(self.globals, options)]
        for shared in itertools.product(*options):
            yield shared, (self.waiting("main", ()),) * (1 if self.has_starts else count)

    def steps(self, shared, thread, room):
        """What a thread can do: (shared, its next form or None, started thread or None, is it a broadcast)."""
        stack, atomic, waits = thread
        if waits:
            return
        frame, below = stack[-1], stack[:-1]
        name, at, values = frame
        code = self.codes[name]
        if at == -1:
            for entered in self.frames(name, 0, values):
                yield shared, ((*below, entered), atomic, False), None, False
            return
        env = self.env(shared, frame)
        if not all(self.value(env, tree, iter(())) for tree in code.procedure.enforced):
            return
        kind, *rest = code.items[at]

        def go(target, frame=frame, atomic=atomic, waits=False):
            return (*below, (name, code.settle(target), frame[2])), atomic, waits

        following = at + 1
        if kind in ("skip", "back"):
            yield shared, go(rest[0] if kind == "back" else following), None, False
        elif kind == "assign":
            targets, trees, condition = rest
            for way in self.ways(trees + [condition]):
                chosen = iter(way)
                after = {target: self.value(env, tree, chosen) for target, tree in zip(targets, trees)}
                if condition is None or self.value(env, condition, chosen, after):
                    changed, own = self.store(shared, frame, after)
                    yield changed, go(following, own), None, False
        elif kind == "dead":
            for way in itertools.product((False, True), repeat=len(rest[0])):
                changed, own = self.store(shared, frame, dict(zip(rest[0], way)))
                yield changed, go(following, own), None, False
        elif kind in ("assume", "abortif", "assert"):
            for way in self.ways(rest):
                holds = self.value(env, rest[0], iter(way)) != (kind == "abortif")
                if kind == "assert" and not holds:
                    raise Violation("assert")
                if holds:
                    yield shared, go(following), None, False
        elif kind == "branch":
            for way in self.ways(rest[:1]):
                yield shared, go(rest[1] if self.value(env, rest[0], iter(way)) else rest[2]), None, False
        elif kind == "goto":
            for target in rest[0]:
                yield shared, go(code.labels[target]), None, False
        elif kind == "call":
            targets, callee, arguments = rest
            if sum(other[0] == callee for other in stack) >= self.program["recursion"]:
                raise Violation("recursion")
            for way in self.ways(arguments):
                chosen = iter(way)
                given = [self.value(env, tree, chosen) for tree in arguments]
                for entered in self.frames(callee, 0, given):
                    yield shared, ((*stack, entered), atomic, False), None, False
        elif kind == "return":
            yield from self.returns(shared, thread, env, rest[0])
        elif kind == "end_thread":
            yield shared, None, None, False
        elif kind in ("atomic_begin", "atomic_end"):
            yield shared, go(following, atomic=kind == "atomic_begin"), None, False
        elif kind == "wait":
            yield shared, ((*below, frame), atomic, True), None, False
        elif kind == "broadcast":
            yield shared, go(following), None, True
        elif kind == "start_goto" and room:
            started = ((*below, (name, code.settle(code.labels[rest[0]]), values)), False, False)
            yield shared, go(following), started, False
        elif kind == "start_call" and room:
            for way in self.ways(rest[1]):
                chosen = iter(way)
                given = [self.value(env, tree, chosen) for tree in rest[1]]
                yield shared, go(following), self.waiting(rest[0], given), False

    def returns(self, shared, thread, env, trees):
        stack, atomic, _ = thread
        if len(stack) == 1:
            yield shared, None, None, False
            return
        caller, below = stack[-2], stack[:-2]
        code = self.codes[caller[0]]
        targets = code.items[caller[1]][1]
        missing = len(targets) if not trees else 0  # the end without return: any values
        for way in itertools.product((False, True), repeat=sum(map(choices_in, trees)) + missing):
            chosen = iter(way)
            values = [self.value(env, tree, chosen) for tree in trees] or list(chosen)
            updates = {target: value for target, value in zip(targets, values) if target != "_"}
            changed, own = self.store(shared, caller, updates)
            at = code.settle(caller[1] + 1)
            yield changed, ((*below, (own[0], at, own[2])), atomic, False), None, False

    def wake(self, thread):
        stack, atomic, waits = thread
        if not waits:
            return thread
        name, at, values = stack[-1]
        return (*stack[:-1], (name, self.codes[name].settle(at + 1), values)), atomic, False

    def successors(self, state, count):
        shared, threads = state
        holder = [i for i, thread in enumerate(threads) if thread[1]]
        for i in holder or range(len(threads)):
            for changed, moved, started, wakes in self.steps(shared, threads[i], len(threads) < count):
                others = threads[:i] + threads[i + 1:]
                if wakes:
                    others = tuple(map(self.wake, others))
                yield changed, others[:i] + ((moved,) if moved else ()) + others[i:] + ((started,) if started else ())

    def is_bad(self, state):
        label = self.program["unreachable"]
        return label and any(frame[1] == self.codes[frame[0]].labels.get(label) and not waits
                             for stack, _, waits in state[1] for frame in stack[-1:])

    def explore(self, count, limit, ordered=False):
        """("holds" or "violated", number of states, number of them with numbered threads); None: more than the
        limit. Ordered: threads are in the order in which they were started; else multisets of them."""
        form = (lambda state: state) if ordered else (lambda state: (state[0], tuple(sorted(state[1]))))
        seen = set(map(form, self.starts(count)))
        todo = list(seen)
        while todo:
            state = todo.pop()
            if self.is_bad(state):
                return "violated", 0, 0
            try:
                for successor in map(form, self.successors(state, count)):
                    if successor not in seen:
                        seen.add(successor)
                        todo.append(successor)
            except Violation:
                return "violated", 0, 0
            if len(seen) > limit:
                return None
        return "holds", len(seen), sum(orders(threads, count) for _, threads in seen)
