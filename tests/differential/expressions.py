"""Random well-typed expressions and designators.

An expression comes with its *needs*: the designators in it that may be undefined, in the order in which
they have to be tested. A Boolean expression takes care of its own needs (most of the time: see Temper.wild)."""

import copy
import re

from vocabulary import BOOLEAN, Root, Slot, small_range


SHADOW = 0.08  # how often a name hides another one


def reaches(type_, wanted):
    if wanted(type_):
        return True
    if type_.kind == "array":
        return reaches(type_.element, wanted)
    if type_.kind == "record":
        return any(reaches(field, wanted) for _, field in type_.fields)
    return False


# In comparisons, in place of nearer numbers: no difference of codes can be added to them.
FAR = {"65536": "9223372036854775807", "31": "(-9223372036854775807)"}


class Expressions:
    def __init__(self, random, temper, types, functions):
        self.random, self.temper = random, temper
        self.types, self.functions = types, functions
        self.shadows = copy.copy(random)  # of its own: the rest of a model is the same without
        self.counter = 0
        self.is_pure = True  # in a guard or a property: no function with an effect
        self.is_quiet = False  # no call at all

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    def hide(self, name, scope, lines):
        """What binds `name`, now and then with the name of something around it that it does not mention: it means the same.
        Rumur writes C of that which does not compile."""
        text = "\n".join(lines)
        words = set(re.findall(r"\w+", text))
        free = [root.text for root in scope.roots if root.text.isidentifier() and root.text not in words]
        if not free or self.temper.rumur or self.shadows.random() >= SHADOW:
            return lines
        return re.sub(rf"\b{name}\b", self.shadows.choice(free), text).split("\n")

    def chance(self, probability):
        return self.random.random() < probability

    def may(self, feature, probability=1.0):
        return self.temper.has(feature) and self.chance(probability)

    # Designators

    def designator(self, scope, wanted, writable=False, depth=1):
        """A random path to a type that `wanted` accepts: (text, type, needs, root), or None."""
        roots = [r for r in scope.roots if (r.writable or not writable) and reaches(r.type, wanted)]
        for slot in scope.slots:
            multiset = slot.multiset
            if reaches(multiset.type.element, wanted):
                roots.append(Root(f"{multiset.text}[{slot.text}]", multiset.type.element, multiset.writable, True))
        if not roots:
            return None
        return self.path(self.random.choice(roots), scope, wanted, depth)

    def path(self, root, scope, wanted, depth):
        text, type_, needs = root.text, root.type, []
        while not (wanted(type_) and (type_.is_scalar() or self.chance(0.5) or not self.goes_deeper(type_, wanted))):
            if type_.kind == "array":
                index = self.index(type_.index, scope, depth)
                if index is None:
                    return None
                text, needs, type_ = f"{text}[{index[0]}]", needs + index[1], type_.element
            elif type_.kind == "record":
                fields = [f for f in type_.fields if reaches(f[1], wanted)]
                if not fields:
                    return None
                name, type_ = self.random.choice(fields)
                text = f"{text}.{name}"
            else:
                return None
        if type_.is_scalar() and root.undefined:
            needs = needs + [text]
        return text, type_, needs, root

    def goes_deeper(self, type_, wanted):
        if type_.kind == "array":
            return reaches(type_.element, wanted)
        return type_.kind == "record" and any(reaches(field, wanted) for _, field in type_.fields)

    def index(self, type_, scope, depth):
        simple = [r for r in scope.roots if r.type is type_ and not r.is_global and not r.writable]
        if simple and (depth < 0 or self.chance(0.8)):
            return self.random.choice(simple).text, []
        if depth < 0:
            return self.constant(type_)
        if type_.kind == "range" and self.chance(self.temper.wild):
            return self.integer(scope, depth - 1)
        return self.value(type_, scope, depth - 1)

    def constant(self, type_):
        if type_.kind == "bool":
            return self.random.choice(["true", "false"]), []
        if type_.kind == "range":
            return number(self.random.randint(type_.low, type_.high)), []
        if type_.kind == "index" and type_.is_single():
            return str(type_), []
        labels = type_.labels + [label for member in type_.members for label in member.labels]
        return (self.random.choice(labels), []) if labels else None

    # Values of scalar types: (text, needs) or None

    def value(self, type_, scope, depth):
        if depth >= 0 and self.chance(self.temper.calls):
            call = self.call(type_, scope, depth - 1)
            if call:
                return call
        if type_.kind == "bool":
            return self.boolean(scope, depth), []
        if depth > 0 and type_.kind != "union" and self.may("conditional", 0.15):
            left, right = self.value(type_, scope, depth - 1), self.value(type_, scope, depth - 1)
            if left and right:
                return f"({self.boolean(scope, depth - 1)} ? {left[0]} : {right[0]})", left[1] + right[1]
        if type_.kind == "range":
            return self.in_range(type_, scope, depth)
        if type_.kind == "enum" and self.chance(0.5):
            return self.random.choice(type_.labels), []
        if type_.is_single() and self.chance(0.3):
            return self.constant(type_)
        if type_.kind == "union" and self.chance(0.5):
            return self.value(self.random.choice(type_.members), scope, depth)
        found = self.designator(scope, lambda t: t is type_, depth=depth)
        if found:
            return found[0], found[2]
        if type_.kind == "index" and self.chance(0.5):  # it faults when the union holds something else
            found = self.designator(scope, lambda t: t.kind == "union" and type_ in t.members, depth=depth)
            if found:
                return f"{found[0]}", found[2]
        if type_.kind == "union":
            return self.value(self.random.choice(type_.members), scope, depth)
        return self.constant(type_)

    def in_range(self, type_, scope, depth):
        """An integer expression whose value, when defined, is in the range."""
        if depth > 0 and self.chance(0.6):
            found = self.designator(scope, lambda t: t.kind == "range", depth=depth)
            if found:
                text, source, needs, _ = found
                if source.low >= type_.low and source.high <= type_.high and self.chance(0.4):
                    return text, needs
                if source is type_:
                    step = self.random.choice([f"{text} + 1", f"{text} - 1"])
                    limit, turn = (type_.high, type_.low) if "+" in step else (type_.low, type_.high)
                    if self.may("arithmetic", 0.4) and "+" in step:  # the next one, in a ring
                        return f"((({text} - {number(type_.low)}) + 1) % {type_.values()} + {number(type_.low)})", needs
                    return f"({text} = {number(limit)} ? {number(turn)} : ({step}))", needs
        return number(self.random.randint(type_.low, type_.high)), []

    def integer(self, scope, depth):
        if depth > 0 and self.may("arithmetic", 0.5):
            return self.operation(scope, depth)
        if self.multisets(scope) and self.chance(0.3):
            return self.count(scope, depth), []
        if depth > 0 and self.chance(self.temper.calls / 2):
            call = self.call_where(lambda t: t.kind == "range", scope, depth - 1)
            if call:
                return call
        found = self.designator(scope, lambda t: t.kind == "range", depth=min(depth, 1))
        if found and self.chance(0.75):
            return found[0], found[2]
        if self.chance(self.temper.wild / 3):
            return number(self.random.choice([2147483647, -2147483647, 65536, 31, 63])), []
        return number(self.random.randint(-1, 3)), []

    def operation(self, scope, depth):
        left, right = self.integer(scope, depth - 1), self.integer(scope, depth - 1)
        operators = ["+", "+", "-", "-", "*", "/", "%"] + (["&", "|", "^", "<<", ">>"] * 2 if self.temper.has("bits") else [])
        op = self.random.choice(operators)
        if self.chance(0.1):
            return f"({self.random.choice('-+~' if self.temper.has('bits') else '-+')}({left[0]}))", left[1]
        if op in "/%" and not self.chance(self.temper.wild):
            return f"({left[0]} {op} {self.random.choice(['2', '3', '(-2)'])})", left[1]
        if op in ("<<", ">>") and self.chance(0.7):
            return f"({left[0]} {op} {self.random.choice(['1', '2', '(-1)', '64'] if self.chance(self.temper.wild) else ['1', '2'])})", left[1]
        return f"({left[0]} {op} {right[0]})", left[1] + right[1]

    def multisets(self, scope):
        """The multisets that can be named here: variables, and elements of arrays at an element in scope."""
        found = [root for root in scope.roots if root.type.kind == "multiset"]
        for root in scope.roots:
            if root.type.kind == "array" and root.type.element.kind == "multiset":
                found += [Root(f"{root.text}[{r.text}]", root.type.element, root.writable) for r in scope.roots
                          if r.type is root.type.index and not r.writable and not r.is_global]
        return found

    def count(self, scope, depth):
        multiset = self.random.choice(self.multisets(scope))
        name = self.fresh("m")
        body = self.boolean(scope.extend(Slot(name, multiset)), depth - 1) if self.chance(0.7) else "true"
        return f"multisetcount({name}: {multiset.text}, {body})"

    # Calls

    def call(self, type_, scope, depth):
        return self.call_where(lambda t: t is type_, scope, depth)

    def call_where(self, wanted, scope, depth):
        fit = [f for f in self.functions if f.result and wanted(f.result) and not (f.has_effect and self.is_pure)]
        if not fit or self.is_quiet:
            return None
        return self.apply(self.choose(fit), scope, depth)

    def choose(self, functions):
        """One that changes something, rather."""
        return self.random.choice(functions + 2 * [f for f in functions if f.has_effect])

    def odd_call(self, scope):
        """A call where a constant or a variable is more usual: (text, needs, type), or None."""
        fit = [f for f in self.functions if f.result and f.result.is_scalar() and not (f.has_effect and self.is_pure)]
        if not fit or self.is_quiet or not self.chance(self.temper.calls):
            return None
        function = self.choose(fit)
        made = self.apply(function, scope, 1)
        return made and (*made, function.result)

    def quiet(self, make):
        """What `make` makes, without a call in it."""
        was, self.is_quiet = self.is_quiet, True
        made = make()
        self.is_quiet = was
        return made

    def apply(self, function, scope, depth):
        texts, needs = [], []
        for _, type_, is_var in function.parameters:
            argument = self.argument(type_, is_var, scope, depth)
            if not argument:
                return None
            texts.append(argument[0])
            needs += argument[1]
        return f"{function.name}({', '.join(texts)})", needs

    def argument(self, type_, is_var, scope, depth):
        if is_var:
            found = self.designator(scope, lambda t: t is type_, writable=True, depth=depth)
            return found and (found[0], found[2][:-1] if found[2][-1:] == [found[0]] else found[2])
        if type_.is_scalar():
            if self.may("undefined", 0.07):
                return "undefined", []
            return self.value(type_, scope, depth)
        call = self.call(type_, scope, -1) if depth >= 0 and self.chance(0.5) else None
        found = not call and self.designator(scope, lambda t: t is type_, depth=depth)
        return call or (found and (found[0], found[2]))

    # Booleans

    def guarded(self, text, needs):
        """`text` with its needs tested first, unless the model is wild."""
        seen = []
        for need in needs:
            if need not in seen and not self.chance(self.temper.wild):
                seen.append(need)
        for need in reversed(seen):
            text = f"((!isundefined({need})) & {text})"
        return text

    def boolean(self, scope, depth):
        if depth > 0:
            makers = [(self.connective, 5, None), (self.negation, 2, None), (self.quantified, 3, "quantifier"),
                      (self.equality, 6, None), (self.comparison, 3, None), (self.variable, 3, None),
                      (self.undefinedness, 1, "isundefined"), (self.membership, 1, "ismember"), (self.boolean_call, 12 * self.temper.calls, None),
                      (self.aggregate_equality, 1, "aggregate"), (self.conditional, 0.7, "conditional")]
            makers = [m for m in makers if m[2] is None or self.temper.has(m[2])]
            for _ in range(3):
                maker = self.random.choices([m[0] for m in makers], [m[1] for m in makers])[0]
                made = maker(scope, depth - 1)
                if made:
                    return made
        if depth < 0:
            return self.random.choice(["true", "false"])
        leaves = [self.equality, self.variable, self.equality, self.comparison, self.undefinedness]
        self.random.shuffle(leaves)
        for leaf in leaves if self.chance(0.97) else []:
            made = leaf(scope, -1)
            if made:
                return made
        return self.random.choice(["true", "false"])

    def connective(self, scope, depth):
        op = self.random.choice(["&", "&", "|", "|", "->"])
        return f"({self.boolean(scope, depth)} {op} {self.boolean(scope, depth)})"

    def negation(self, scope, depth):
        return f"(!{self.boolean(scope, depth)})"

    def conditional(self, scope, depth):
        return f"({self.boolean(scope, depth)} ? {self.boolean(scope, depth)} : {self.boolean(scope, depth)})"

    def quantified(self, scope, depth):
        word, domains, outside = self.random.choice(["forall", "exists"]), [], scope
        for _ in range(2 if self.may("several", 0.3) else 1):
            head, root, needs = self.domain(scope, "q")
            domains.append((head, needs))
            scope = scope.extend(root)
        body = self.boolean(scope, depth)
        text = f"({word} {'; '.join(head for head, _ in domains)} do {body} end)"
        text = self.hide(scope.roots[-1].text, outside, [text])[0]
        return self.guarded(text, [need for _, needs in domains[:1] for need in needs])

    def domain(self, scope, stem, is_constant=False):
        """What a quantifier, loop or ruleset runs over: (head, variable, needs)."""
        name = self.fresh(stem)
        if not self.may("bounds" if not is_constant else "bounded parameters", 0.35):
            type_ = self.random.choice([t for t in self.types if t.is_scalar()] + [t for t in self.types if t.kind == "index"])
            if self.chance(0.06):
                type_ = small_range(self.random.randint(-1, 0), self.random.randint(0, 1))
            return f"{name}: {type_}", Root(name, type_, False), []
        low = self.random.randint(-1, 1)
        high, step = low + self.random.randint(0, 2), self.random.choice(["", "", " by 2", " by (-1)"])
        root = Root(name, small_range(low, high), False)
        if "-" in step:
            return f"{name} := {number(high)} to {number(low)}{step}", root, []
        if not is_constant and not step and self.chance(0.6):  # up to what a variable says
            bound = self.designator(scope, lambda t: t.kind == "range" and t.high <= high, depth=0)
            called = self.chance(self.temper.calls) and self.call_where(lambda t: t.kind == "range" and t.high <= 3, scope, 0)
            if called:
                return f"{name} := {number(low)} to {called[0]}", Root(name, small_range(low, 3), False), called[1]
            if bound:
                return f"{name} := {number(low)} to {bound[0]}", root, bound[2]
        if not is_constant and self.chance(0.2):
            is_wild = self.chance(self.temper.wild)
            bound = self.designator(scope, lambda t: t.kind == "range" and (t.low > 0 or is_wild), depth=0)
            if bound:
                return f"{name} := {number(low)} to {number(high)} by {bound[0]}", root, bound[2]
        return f"{name} := {number(low)} to {number(high)}{step}", root, []

    def equality(self, scope, depth):
        local = type(scope)([r for r in scope.roots if not r.is_global], scope.slots)
        scalar = lambda t: t.is_scalar() and t.kind != "bool"
        found = self.chance(0.4) and self.designator(local, scalar, depth=depth) or self.designator(
            scope, scalar, depth=depth)
        if not found:
            return None
        other_type = found[1]
        if other_type.kind == "union" and self.chance(0.5):
            other_type = self.random.choice(other_type.members)
        other = self.value(other_type, scope, depth)
        if not other or other[0] == found[0]:
            return None
        op = self.random.choice(["=", "=", "!="])
        needs = found[2] + other[1]
        if found[1].kind in ("index", "union") and self.may("undefined equality", 0.6):
            needs = [need for need in needs if need not in (found[0], other[0])]
        return self.guarded(f"({found[0]} {op} {other[0]})", needs)

    def comparison(self, scope, depth):
        left, right = self.integer(scope, depth), self.integer(scope, depth)
        if not left[1] and left[0].strip("()-").isdigit() and right[0].strip("()-").isdigit():
            return None
        op = self.random.choice(["<", "<=", ">", ">=", "=", "!="])
        sides = [FAR.get(side[0], side[0]) for side in (left, right)]
        return self.guarded(f"({sides[0]} {op} {sides[1]})", left[1] + right[1])

    def variable(self, scope, depth):
        found = self.designator(scope, lambda t: t.kind == "bool", depth=depth)
        return found and self.guarded(found[0], found[2])

    def undefinedness(self, scope, depth):
        found = self.designator(scope, lambda t: t.is_scalar(), depth=depth)
        if not found or not found[2] or not (found[3].writable or found[3].is_global):
            return None
        return self.guarded(f"(isundefined({found[0]}))", found[2][:-1])

    def membership(self, scope, depth):
        found = self.designator(scope, lambda t: t.kind == "union", depth=depth)
        if not found:
            return None
        needs = found[2][:-1] if found[2] and self.may("undefined equality", 0.6) else found[2]
        return self.guarded(f"(ismember({found[0]}, {self.random.choice(found[1].members)}))", needs)

    def boolean_call(self, scope, depth):
        made = self.call(BOOLEAN, scope, depth)
        return made and self.guarded(made[0], made[1])

    def aggregate_equality(self, scope, depth):
        """Only rumur knows it, and only for records and arrays; both sides of one named type."""
        aggregate = lambda t: t.kind in ("record", "array") and t.name and not t.has_multiset()
        left = self.designator(scope, aggregate, depth=depth)
        right = left and self.designator(scope, lambda t: t is left[1], depth=depth)
        if not right:
            return None
        left, right = (self.or_call(side, scope) for side in (left, right))
        return self.guarded(f"({left[0]} {self.random.choice(['=', '!='])} {right[0]})", left[2] + right[2])

    def or_call(self, found, scope):
        """The designator, or a call with a result of its type."""
        called = self.call(found[1], scope, -1) if self.chance(0.5) else None
        return (called[0], found[1], called[1], None) if called else found


def number(value):
    return str(value) if value >= 0 else f"({value})"
