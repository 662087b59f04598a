"""Loops over scalarsets of the shapes that models use, and near misses of them.

Whether the result of such a loop depends on the order is what the symmetry room has to find out; each shape here comes in
variants that do and that do not, some by a hair. A wrong guess shows as a set of states that differs."""

from expressions import number, reaches
from statements import Statements, indent
from vocabulary import BOOLEAN, Root, Type


class Loops(Statements):
    def shaped_loop(self, scope, body, depth):
        if not body.may_write:
            return None
        sets = [t for t in self.types if t.is_scalar() and t.mentions_index()]
        if not sets:
            return None
        type_ = self.random.choice(sets)
        name = self.fresh("f")
        shape = self.random.choice([self.accumulate, self.flag, self.latch, self.point, self.pointwise, self.indirect,
                                    self.matrix, self.temporary, self.collect, self.drift, self.through_call,
                                    self.through_alias, self.leave, self.swap, self.search, self.two_writes,
                                    self.multicast, self.multicast, self.extreme, self.extreme, self.tally, self.purge])
        made = shape(name, type_, scope.extend(Root(name, type_, False)), body)
        if not made:
            return None
        before, inside, after = made
        return before + [f"for {name}: {type_} do"] + indent(inside) + ["end;"] + after

    def local(self, body, type_):
        name = self.fresh("l")
        body.locals.append((name, type_))
        return name

    def perhaps(self, scope, lines):
        """The lines, often under a condition on the element."""
        if self.chance(0.6):
            return [f"if {self.boolean(scope, 1)} then"] + indent(lines) + ["end;"]
        return lines

    def plain_root(self, scope, wanted):
        fit = [r for r in scope.roots if r.writable and r.is_global and wanted(r.type)]
        return self.random.choice(fit) if fit else None

    def own_array(self, type_, scope):
        return self.plain_root(scope, lambda t: t.kind == "array" and t.index is type_)

    def ranges(self):
        return [t for t in self.types if t.kind == "range"]

    # Shapes: (lines before, inside, after), or None

    def accumulate(self, name, type_, scope, body):
        """Counting; also products, and sums of signed things, which may leave the range half-way."""
        if not self.ranges():
            return None
        range_ = self.random.choice(self.ranges())
        target = self.plain_root(scope, lambda t: t is range_)
        low = min(max(0, range_.low), range_.high)
        text = target.text if target and self.chance(0.3) else self.local(body, range_)
        step = self.random.choice(["1", "1", "(-1)", f"({self.boolean(scope, 1)} ? 1 : (-1))"])
        update = f"{text} := ({text} {self.random.choice(['+', '+', '+', '*'])} {step});"
        if self.chance(0.4):
            update = f"if ({text} < {number(range_.high)}) then {update} end;"
        before, after = [f"{text} := {number(low)};"], self.use(text, range_, scope, body)
        return before, self.perhaps(scope, [update]), after

    def extreme(self, name, type_, scope, body):
        """The maximum or minimum, in the ways it is written; also of another value than the one compared, or with its owner."""
        if not self.ranges():
            return None
        range_ = self.random.choice(self.ranges())
        target = self.plain_root(scope, lambda t: t is range_)
        text = target.text if target and self.chance(0.5) else self.local(body, range_)
        others = type(scope)([r for r in scope.roots if not target or r is not target], scope.slots)
        own = [f for f in self.elements(name, type_, others, range_)]
        found = self.random.choice(own) if own and self.chance(0.8) else self.value(range_, others, 1)
        if not found:
            return None
        value, needs = found
        operator = self.random.choice([">", ">", "<", "<", ">=", "<="])
        taken = value
        if self.chance(0.15):
            other = self.value(range_, others, 1)
            taken, needs = (other[0], needs + other[1]) if other else (value, needs)
        test = f"({value} {operator} {text})" if self.chance(0.7) else f"(!({text} {operator} {value}))"
        if self.chance(0.2):
            test = f"({self.boolean(scope, 1)} {self.random.choice(['&', '&', '|'])} {test})"
        if self.chance(0.35) and not self.temper.rumur:
            lines = [f"{text} := ({test} ? {taken} : {text});"]
        else:
            lines = [f"if {test} then", f"  {text} := {taken};"]
            owner = self.plain_root(scope, lambda t: t is type_) if self.chance(0.2) else None
            lines += ([f"  {owner.text} := {name};"] if owner else []) + ["end;"]
        if self.chance(0.8):
            lines = self.when(needs, lines)
        if self.chance(0.3):
            lines = self.perhaps(scope, lines)
        before = [f"{text} := {number(self.random.choice([range_.low, range_.high]))};"] if self.chance(0.8) else []
        return before, lines, self.use(text, range_, scope, body) if not target or text != target.text else []

    def elements(self, name, type_, scope, wanted):
        """What the iteration's own elements of arrays hold of the type: (text, what must be defined)."""
        for root in scope.roots:
            if root.type.kind != "array" or root.type.index is not type_:
                continue
            element = f"{root.text}[{name}]"
            if root.type.element is wanted:
                yield element, [element] if root.undefined else []
            elif root.type.element.kind == "record":
                for field, t in root.type.element.fields:
                    if t is wanted:
                        yield f"{element}.{field}", [f"{element}.{field}"] if root.undefined else []

    def tally(self, name, type_, scope, body):
        """Commutes, but twice is not once: parities, sums modulo something, toggles, ends that meet."""
        if not self.ranges() or self.chance(0.4):
            target = self.plain_root(scope, lambda t: t is BOOLEAN)
            text = target.text if target and self.chance(0.5) else self.local(body, BOOLEAN)
            test = self.boolean(scope, 1)
            line = self.random.choice([f"{text} := ({text} != {test});", f"if {test} then {text} := (!{text}); end;",
                                       f"{text} := ({test} = {text});", f"{text} := ({test} -> {text});"])
            before = [f"{text} := {self.random.choice(['true', 'false'])};"] if self.chance(0.8) else []
            return before, [line], self.use(text, BOOLEAN, scope, body) if not target or text != target.text else []
        range_ = self.random.choice(self.ranges())
        low, span = range_.low, range_.high - range_.low + 1
        text = self.local(body, range_)
        test = self.boolean(scope, 1)
        step = self.random.choice(["1", "1", "2", f"({test} ? 1 : 0)"])
        lines = self.random.choice([
            [f"{text} := (({text} - {number(low)} + {step}) % {span}) + {number(low)};"],
            [f"if ({text} = {number(range_.high)}) then", f"  {text} := {number(low)};", "else", f"  {text} := ({text} + 1);", "end;"],
            [f"{text} := {number(range_.high)} - ({text} - {number(low)});"],
            [f"if ({text} < {number(range_.high)}) & {test} then {text} := ({text} + 1); end;"]])
        return ([f"{text} := {number(self.random.choice([low, range_.high]))};"], self.perhaps(scope, lines),
                self.use(text, range_, scope, body))

    def purge(self, name, type_, scope, body):
        """Removes the iteration's own elements from a multiset, or others too; perhaps after a look at them."""
        fit = []
        for root in self.multisets(scope):
            if root.type.element is type_:
                fit.append((root, ""))
            elif root.type.element.kind == "record":
                fit += [(root, f".{field}") for field, t in root.type.element.fields if t is type_]
        if not fit:
            return None
        root, field = self.random.choice(fit)
        slot = self.fresh("m")
        other = self.value(type_, scope, 1) if self.chance(0.2) else None
        key = f"({root.text}[{slot}]{field} = {other[0] if other else name})"
        test = self.random.choice([key, key, key, f"({key} & {self.boolean(scope, 1)})", f"({self.boolean(scope, 1)} & {key})",
                                   f"({key} | {self.boolean(scope, 1)})", f"({name} = {root.text}[{slot}]{field})"])
        lines = [f"multisetremovepred({slot}: {root.text}, {test});"]
        if self.chance(0.3):
            seen = f"(multisetcount({slot}: {root.text}, {self.random.choice([key, key, 'true'])}) > 0)"
            lines = [f"if {seen} then"] + indent(lines + (self.statement(scope, body, 0) if self.chance(0.4) else [])) + ["end;"]
        elif self.chance(0.2):
            lines += self.add(scope, body, 0) or []
        return [], self.when(other[1] if other else [], self.perhaps(scope, lines) if self.chance(0.3) else lines), []

    def use(self, text, type_, scope, body):
        """Makes a local value matter to the state, after the loop."""
        scope = type(scope)(scope.roots[:-1], scope.slots)
        target = self.target(scope, lambda t: t is type_, body)
        return self.when(target[2], [f"{target[0]} := {text};"]) if target else []

    def flag(self, name, type_, scope, body):
        """b := b & e, b | e, or a mixture."""
        text = self.local(body, BOOLEAN)
        first = self.random.choice(["&", "|"])
        lines = [f"{text} := ({text} {first} {self.boolean(scope, 1)});"]
        if self.chance(0.25):
            lines.append(f"{text} := ({text} {self.random.choice(['&', '|', '->'])} {self.boolean(scope, 1)});")
        return [f"{text} := {self.random.choice(['true', 'false'])};"], lines, self.use(text, BOOLEAN, scope, body)

    def latch(self, name, type_, scope, body):
        """x := c under a condition: independent when it is always the same c."""
        target = self.plain_root(scope, lambda t: t.kind in ("enum", "bool", "range"))
        if not target:
            return None
        first = self.constant(target.type)[0]
        lines = [f"if {self.boolean(scope, 1)} then", f"  {target.text} := {first};", "end;"]
        if self.chance(0.4):
            lines += self.perhaps(scope, [f"{target.text} := {self.constant(target.type)[0]};"])
        return [], lines, []

    def point(self, name, type_, scope, body):
        """Writes for the one element that equals something that does not change (or might)."""
        other = self.value(type_, scope, 1)
        inner = self.statement(scope, body, 0)
        if not other or not inner or other[0] == name:
            return None
        return [], self.when(other[1], [f"if ({name} = {other[0]}) then"] + indent(inner) + ["end;"]), []

    def pointwise(self, name, type_, scope, body):
        """A[i] := something that reads A, perhaps at other elements."""
        root = self.own_array(type_, scope)
        if not root:
            return None
        own = Root(f"{root.text}[{name}]", root.type.element, True, root.undefined)
        readable = scope if self.chance(0.4) else type(scope)([r for r in scope.roots if r is not root], scope.slots)
        target = self.path(own, readable, lambda t: t.is_scalar(), 0)
        value = target and self.value(target[1], readable.extend(own), 2)
        if not value:
            return None
        needs = (target[2][:-1] if root.undefined else target[2]) + value[1]
        return [], self.perhaps(readable, self.when(needs, [f"{target[0]} := {value[0]};"])), []

    def indirect(self, name, type_, scope, body):
        """A[B[i]] := ...: two iterations may meet."""
        root = self.own_array(type_, scope)
        index = root and self.designator(scope, lambda t: t is type_)
        if not index:
            return None
        own = Root(f"{root.text}[{index[0]}]", root.type.element, True, root.undefined)
        target = self.path(own, scope, lambda t: t.is_scalar(), 0)
        value = target and self.value(target[1], scope, 1)
        if not value:
            return None
        needs = index[2] + (target[2][:-1] if root.undefined else target[2]) + value[1]
        return [], self.perhaps(scope, self.when(needs, [f"{target[0]} := {value[0]};"])), []

    def matrix(self, name, type_, scope, body):
        """Two nested loops that write M[i][j], reading M[i][j] or M[j][i]."""
        root = self.plain_root(scope, lambda t: t.kind == "array" and t.index is type_ and t.element.kind == "array"
                               and t.element.index is type_ and t.element.element.is_scalar())
        if not root:
            return None
        other, element = self.fresh("f"), root.type.element.element
        inner = scope.extend(Root(other, type_, False))
        first = f"{root.text}[{name}][{other}]"
        second = self.random.choice([first, f"{root.text}[{other}][{name}]", f"{root.text}[{name}][{name}]"])
        value = (second, [second] if root.undefined else []) if self.chance(0.6) else self.value(element, inner, 1)
        if not value:
            return None
        lines = self.perhaps(inner, self.when(value[1], [f"{first} := {value[0]};"]))
        return [], [f"for {other}: {type_} do"] + indent(lines) + ["end;"], []

    def temporary(self, name, type_, scope, body):
        """t := A[i]; B[i] := t: fine when t is written before it is read in every iteration."""
        root = self.own_array(type_, scope)
        target = root and self.path(Root(f"{root.text}[{name}]", root.type.element, True, root.undefined), scope,
                                    lambda t: t.is_scalar(), 0)
        if not target:
            return None
        local = self.local(body, target[1])
        value = self.value(target[1], scope, 1)
        if not value:
            return None
        write, read = self.perhaps(scope, [f"{local} := {value[0]};"]), [f"{target[0]} := {local};"]
        lines = read + write if self.chance(0.2) else write + read
        start = self.value(target[1], type(scope)(scope.roots[:-1], scope.slots), 1)
        before = self.when(start[1], [f"{local} := {start[0]};"]) if start and self.chance(0.5) else []
        after = self.use(local, target[1], scope, body)
        return before, self.when(value[1], lines), after if self.chance(0.3) else []

    def collect(self, name, type_, scope, body):
        """multisetadd for each element: with or without a test that there is room (which depends on the order)."""
        lines = self.add(scope, body, 0) if self.multisets(scope) else None
        if lines and self.chance(0.5):
            counted = self.count_elements(name, type_, scope)
            lines = [f"if {counted} then"] + indent(lines) + ["end;"] if self.chance(0.6) else [f"assert {counted};"] + lines
        return ([], self.perhaps(scope, lines), []) if lines else None

    def count_elements(self, name, type_, scope):
        """How many elements of a multiset there are; all, those with the loop's element in them, or others."""
        root = self.random.choice(self.multisets(scope))
        slot = self.fresh("m")
        tests = ["true", self.boolean(scope, 1)]
        fields = [""] if root.type.element is type_ else []
        if root.type.element.kind == "record":
            fields = [f".{field}" for field, t in root.type.element.fields if t is type_]
        for field in fields:
            tests += [f"({root.text}[{slot}]{field} {sign} {name})" for sign in ("=", "=", "!=")]
        sign = self.random.choice(["<", "=", ">"])
        return f"(multisetcount({slot}: {root.text}, {self.random.choice(tests)}) {sign} {self.random.randint(0, 2)})"

    def drift(self, name, type_, scope, body):
        """x := x + A[i]: the sum is the same in any order, the partial sums are not."""
        if not self.ranges():
            return None
        range_ = self.random.choice(self.ranges())
        target = self.plain_root(scope, lambda t: t is range_)
        source = target and self.designator(type(scope)([r for r in scope.roots if r is not target]),
                                            lambda t: t.kind == "range")
        if not source:
            return None
        needs = source[2] + ([target.text] if target.undefined else [])
        return [], self.perhaps(scope, self.when(needs, [f"{target.text} := ({target.text} + {source[0]});"])), []

    def through_call(self, name, type_, scope, body):
        lines = self.call_procedure(scope, body, 0)
        return ([], self.perhaps(scope, lines), []) if lines else None

    def through_alias(self, name, type_, scope, body):
        root = self.own_array(type_, scope)
        if not root:
            return None
        alias = self.fresh("a")
        inner = scope.extend(Root(alias, root.type.element, True, root.undefined))
        lines = self.statement(inner, body, 0)
        return [], [f"alias {alias}: {root.text}[{name}] do"] + indent(lines) + ["end;"], []

    def leave(self, name, type_, scope, body):
        """A return, assertion, assumption or goal in the middle of the loop."""
        word = self.random.choice(["return", "assert", "assume", "cover", "error"])
        test, label = self.boolean(scope, 2), self.fresh("check ")
        if word in ("return", "error"):
            text = "return;" if word == "return" else f'error "{label}";'
            if word == "return" and body.result:
                return None
            lines = [f"if {test} then", f"  {text}", "end;"]
        else:
            lines = [f'{word} {test} "{label}";']
        return [], lines + (self.statement(scope, body, 0) if self.chance(0.6) else []), []

    def swap(self, name, type_, scope, body):
        root = self.own_array(type_, scope)
        other = root and self.value(type_, scope, 1)
        if not other or not (root.type.element.is_scalar() or root.type.element.name):
            return None
        local = self.local(body, root.type.element)
        mine, theirs = f"{root.text}[{name}]", f"{root.text}[{other[0]}]"
        return [], self.when(other[1], [f"{local} := {mine};", f"{mine} := {theirs};", f"{theirs} := {local};"]), []

    def search(self, name, type_, scope, body):
        """r := i for an i that fits: the last one wins, or the first."""
        target = self.plain_root(scope, lambda t: t is type_)
        if not target:
            return None
        test = self.boolean(scope, 2)
        if target.undefined and self.chance(0.5):
            test = f"((isundefined({target.text})) & {test})"
        return [], [f"if {test} then", f"  {target.text} := {name};", "end;"], []

    def two_writes(self, name, type_, scope, body):
        return [], self.statement(scope, body, 0) + self.statement(scope, body, 0), []

    # A record made outside the loop, partly filled there and partly in every iteration, or in some

    def multicast(self, name, type_, scope, body):
        outside = type(scope)(scope.roots[:-1], scope.slots)
        record = self.message_type(type_, scope)
        text = self.local(body, record)
        fields = [(f"{text}.{field}", t) for field, t in record.fields if t.is_scalar()]
        if not fields:
            return None
        hasty = 0.5 if self.chance(0.4) else 0.0
        before = [line for f in fields if self.chance(0.7) for line in self.set_field(f, None, outside)]
        filled = [f for f in fields if self.chance(0.7)]
        inside, late = [f"undefine {text};"] if self.chance(0.2) else [], []
        for field in filled:
            lines = self.set_field(field, (name, type_), scope)
            if self.chance(hasty / 2):
                lines = self.perhaps(scope, lines)
            (late if self.chance(hasty / 2) else inside).extend(lines)
        uses = self.message_uses(name, text, record, fields, type_, scope, body, hasty)
        if not uses:
            return None
        after = []
        if self.chance(0.3):
            field = self.random.choice(fields)
            after += self.set_field(field, None, outside) if self.chance(0.5) else []
            after += self.when([field[0]], self.use(field[0], field[1], scope, body))
        inside += uses + late
        if self.chance(0.2):
            inside = [line.replace(f"{text}.", f"{text}a.") for line in inside]
            inside = [f"alias {text}a: {text} do"] + indent(inside) + ["end;"]
        return before, inside, after

    def message_type(self, type_, scope):
        elements = [r.type.element for r in self.multisets(scope)] + [
            r.type.element for r in scope.roots if r.type.kind == "array"]
        fit = [t for t in self.types + elements if t.kind == "record"]
        if fit and self.chance(0.8):
            return self.random.choice(fit)
        kinds = [t for t in self.types if t.is_scalar()]
        return Type("record", fields=[("d", type_), ("e", self.random.choice(kinds)), ("f", self.random.choice(kinds))])

    def set_field(self, field, own, scope):
        """Often to the element of the iteration."""
        text, type_ = field
        if own and own[1] is type_ and self.chance(0.7):
            return [f"{text} := {own[0]};"]
        value = self.value(type_, scope, 1)
        return [f"{text} := {value[0]};"] if value and not value[1] else []

    def message_uses(self, name, text, record, fields, type_, scope, body, hasty):
        local, lines = Root(text, record, True, True), []
        for _ in range(self.random.choice([1, 1, 2])):
            field = self.random.choice(fields)
            found = [self.send(text, record, scope), self.keep(name, field, type_, scope),
                     self.deliver(text, record, field, scope), self.deliver(text, record, (name, type_), scope),
                     self.call_procedure(scope.extend(local), body, 0)]
            if self.chance(hasty):
                found.append(self.statement(scope.extend(local), body, 0))
            found = [use for use in found if use and any(text in line for line in use)]
            if found:
                use = self.random.choice(found)
                lines += self.perhaps(scope, use) if self.chance(0.3) else use
        return lines

    def send(self, text, record, scope):
        fit = [m for m in self.multisets(scope) if m.type.element is record]
        if not fit:
            return None
        multiset = self.random.choice(fit)
        return [f"multisetadd({text}, {multiset.text});"]

    def keep(self, name, field, type_, scope):
        """A field goes to the iteration's own element of an array."""
        def wanted(t):
            return t is field[1]

        root = self.plain_root(scope, lambda t: t.kind == "array" and t.index is type_ and reaches(t.element, wanted))
        own = root and self.path(Root(f"{root.text}[{name}]", root.type.element, True), scope, wanted, 0)
        return self.when(own[2] + [field[0]], [f"{own[0]} := {field[0]};"]) if own else None

    def deliver(self, text, record, field, scope):
        """To the element of an array that a field names."""
        root = self.plain_root(scope, lambda t: t.kind == "array" and t.index is field[1])
        if not root:
            return None
        element = f"{root.text}[{field[0]}]"
        needs = [field[0]] if "." in field[0] else []
        if root.type.element is record and root.undefined:
            return self.when(needs, [f"{element} := {text};"])
        target = self.path(Root(element, root.type.element, True), scope, lambda t: t.is_scalar(), 0)
        if not target:
            return None
        needs += target[2]
        fit = [f"{text}.{f}" for f, t in record.fields if t is target[1]]
        value = self.value(target[1], scope, 1)
        if fit and (not value or self.chance(0.7)):
            value = fit[0], [fit[0]]
        return self.when(needs + value[1], [f"{target[0]} := {value[0]};"]) if value else None
