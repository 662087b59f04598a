"""Are all fair runs of a small system runs of the formula? An independent answer for the tests of ltl properties.

It shares nothing with the program: quantifiers are written out, the formula becomes the tableau of Clarke, Grumberg and
Hamaguchi (its elementary formulas are guessed in every state), and a fair cycle is looked for in the whole product with
the states of the system, process by process, as for Streett automata. There is no symmetry.

A formula is a tuple: ("atom", function of a state), ("not", f), ("and", f, g), ("X", f), ("U", f, g).
A system has `states`, `starts` (numbers of states) and `edges`: for each state a list of (target, label).
"""


def truth(value):
    return ("atom", lambda state: value)


def negation(f):
    return f[1] if f[0] == "not" else ("not", f)


def conjunction(f, g):
    return ("and", f, g)


def disjunction(f, g):
    return negation(conjunction(negation(f), negation(g)))


def until(f, g):
    return ("U", f, g)


def eventually(f):
    return until(truth(True), f)


def always(f):
    return negation(eventually(negation(f)))


def release(f, g):
    return negation(until(negation(f), negation(g)))


def weak_until(f, g):
    return release(g, disjunction(f, g))


def strong_release(f, g):
    return until(g, conjunction(f, g))


class TooLarge(Exception):
    pass


class Tableau:
    """Subformulas by number; each X f, and each U, has an elementary formula that is guessed."""

    def __init__(self, formula, most):
        self.nodes, self.numbers = [], {}
        self.elementary, self.untils = [], []
        self.root = self.add(formula)
        if len(self.elementary) > most:
            raise TooLarge

    def add(self, f):
        if f in self.numbers:
            return self.numbers[f]
        kind = f[0]
        parts = () if kind == "atom" else tuple(self.add(part) for part in f[1:])
        guess = None
        if kind in ("X", "U"):
            guess = len(self.elementary)
        number = len(self.nodes)
        self.nodes.append((kind, parts, f[1] if kind == "atom" else None, guess))
        if kind in ("X", "U"):
            self.elementary.append(parts[0] if kind == "X" else number)
        if kind == "U":
            self.untils.append((number, parts[1]))
        self.numbers[f] = number
        return number

    def evaluate(self, state):
        """For each subformula the set of guesses under which it is true, as bits."""
        size = 1 << len(self.elementary)
        full = (1 << size) - 1
        values = []
        for kind, parts, function, guess in self.nodes:
            if kind == "atom":
                value = full if function(state) else 0
            elif kind == "not":
                value = full & ~values[parts[0]]
            elif kind == "and":
                value = values[parts[0]] & values[parts[1]]
            elif kind == "X":
                value = guesses_with(guess, size)
            else:
                value = values[parts[1]] | values[parts[0]] & guesses_with(guess, size)
            values.append(value)
        return values


PATTERNS = {}


def guesses_with(guess, size):
    if (guess, size) not in PATTERNS:
        PATTERNS[guess, size] = sum(1 << e for e in range(size) if e >> guess & 1)
    return PATTERNS[guess, size]


def components(nodes, edges):
    """Strongly connected components of the nodes (a set), by Tarjan's algorithm."""
    index, low, number = {}, {}, {}
    found, stack, clock = [], [], 0
    for root in nodes:
        if root in index:
            continue
        path = [(root, iter(edges[root]))]
        index[root] = low[root] = clock
        clock += 1
        stack.append(root)
        while path:
            node, rest = path[-1]
            for target, _ in rest:
                if target not in nodes:
                    continue
                if target not in index:
                    index[target] = low[target] = clock
                    clock += 1
                    stack.append(target)
                    path.append((target, iter(edges[target])))
                    break
                if target not in number:
                    low[node] = min(low[node], index[target])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    component = set()
                    while True:
                        member = stack.pop()
                        number[member] = len(found)
                        component.add(member)
                        if member == node:
                            break
                    found.append(component)
    return found


def has_fair_cycle(nodes, edges, pairs):
    """pairs: (obliges(node), meets(node), meets_step(node, label))."""
    work = [nodes]
    while work:
        for component in components(work.pop(), edges):
            inner = [(node, label) for node in component for target, label in edges[node] if target in component]
            if not inner:
                continue
            bad = set()
            for obliges, meets, step in pairs:
                if any(meets(node) for node in component) or any(step(node, label) for node, label in inner):
                    continue
                bad |= {node for node in component if obliges(node)}
            if not bad:
                return True
            if bad != component:
                work.append(component - bad)
    return False


def holds(system, formula, fairness, most=7):
    """fairness: pairs as above, over states in place of nodes."""
    tableau = Tableau(negation(formula), most)
    size = 1 << len(tableau.elementary)
    values = [tableau.evaluate(state) for state in system.states]
    wanted = []  # for each state and guess: the guess that a predecessor must have made
    for value in values:
        wanted.append([sum((value[f] >> e & 1) << i for i, f in enumerate(tableau.elementary)) for e in range(size)])
    edges = {s * size + e: [] for s in range(len(system.states)) for e in range(size)}
    for s, out in enumerate(system.edges):
        for target, label in out:
            for e in range(size):
                edges[s * size + wanted[target][e]].append((target * size + e, label))
    reached = {s * size + e for s in system.starts for e in range(size) if values[s][tableau.root] >> e & 1}
    work = list(reached)
    while work:
        for target, _ in edges[work.pop()]:
            if target not in reached:
                reached.add(target)
                work.append(target)

    def never(*_):
        return False

    def ever(*_):
        return True

    def kept(number, end):
        return lambda node: not values[node // size][number] >> node % size & 1 or values[node // size][end] >> node % size & 1

    pairs = [(ever, kept(number, end), never) for number, end in tableau.untils]
    for obliges, meets, step in fairness:
        pairs.append((lambda node, f=obliges: f(node // size), lambda node, f=meets: f(node // size),
                      lambda node, label, f=step: f(node // size, label)))
    return not has_fair_cycle(reached, edges, pairs)
