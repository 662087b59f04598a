"""Random statements, one to a line, so that the shrinker can take them away one by one."""

from expressions import Expressions, number
from vocabulary import BOOLEAN, Root, Slot, small_range


class Body:
    """Where statements are put: the locals they ask for and what they may do."""

    def __init__(self, is_start=False, result=None, may_write=True):
        self.locals = []  # (name, type)
        self.is_start, self.result, self.may_write = is_start, result, may_write


def indent(lines):
    return ["  " + line for line in lines]


class Statements(Expressions):
    def block(self, scope, body, depth, count=None):
        lines, was_pure = [], self.is_pure
        self.is_pure = not body.may_write
        for _ in range(count or self.random.choice([1, 1, 1, 2, 2, 3])):
            lines += self.statement(scope, body, depth)
        self.is_pure = was_pure
        return lines

    def statement(self, scope, body, depth):
        simple = [(self.assign, 10, None), (self.undefine, 1.2, "undefine"), (self.clear, 0.8, "clear"), (self.copy, 1.2, "copy"),
                  (self.step, 3, "step"), (self.call_procedure, 2.5, "call"), (self.drop_result, 1, "dropped"),
                  (self.assert_, 1, "assert"), (self.error, 0.4, "error"), (self.assume, 0.5, "assume"),
                  (self.cover, 0.6, "cover"), (self.leave_rule, 0.5, "return"), (self.put, 0.7, "put"),
                  (self.return_early, 2, "early")]
        nested = [(self.if_, 3, "if"), (self.switch, 1.2, "switch"), (self.for_elements, 2.5, "for"),
                  (self.for_numbers, 0.8, "numbers"), (self.while_, 0.6, "while"), (self.alias, 2, "alias"),
                  (self.value_alias, 1, "value alias"), (self.shaped_loop, 6, "shaped")]
        bags = [(self.add, 3, None), (self.remove_if, 1, None), (self.remove, 4, None)]
        choices = simple + (nested if depth > 0 else []) + (bags if self.multisets(scope) else [])
        choices = [c for c in choices if c[2] is None or self.temper.has(c[2])]
        for _ in range(6):
            maker = self.random.choices([c[0] for c in choices], [c[1] for c in choices])[0]
            lines = maker(scope, body, depth - 1)
            if lines:
                return lines
        return self.assign(scope, body, 0) or []

    def when(self, needs, lines):
        """The lines under tests of their needs, unless the model is wild."""
        for need in reversed(list(dict.fromkeys(needs))):
            if not self.chance(self.temper.wild):
                lines = [f"if (!isundefined({need})) then"] + indent(lines) + ["end;"]
        return lines

    def target(self, scope, wanted, body):
        scope = scope if body.may_write else self.only_locals(scope)
        found = self.designator(scope, wanted, writable=True)
        if not found:
            return None
        text, type_, needs, root = found
        return text, type_, (needs[:-1] if needs[-1:] == [text] else needs), root

    def only_locals(self, scope):
        return type(scope)([r for r in scope.roots if not (r.is_global and r.writable)], [])

    def shaped_loop(self, scope, body, depth):
        return None  # see loops.py

    # Plain statements

    def assign(self, scope, body, depth):
        target = self.target(scope, lambda t: t.is_scalar(), body)
        if not target:
            return None
        text, type_, needs, root = target
        if type_.kind == "range" and self.chance(0.2):
            return self.assign_number(text, type_, needs, scope)
        if root.undefined and self.may("undefined", 0.15):
            return self.when(needs, [f"{text} := undefined;"])
        value = self.value(type_, scope, 2)
        if not value or value[0] == text:
            return None
        is_copy = value[1] and value[1][-1] == value[0]
        inner = value[1][:-1] if is_copy and root.undefined and self.chance(0.5) else value[1]
        return self.when(needs + inner, [f"{text} := {value[0]};"])

    def assign_number(self, text, type_, needs, scope):
        value, more = self.integer(scope, 2)
        lines = [f"{text} := {value};"]
        if not self.chance(self.temper.wild):
            test = f"(({value} >= {number(type_.low)}) & ({value} <= {number(type_.high)}))"
            lines = [f"if {test} then"] + indent(lines) + ["end;"]
        return self.when(needs + more, lines)

    def step(self, scope, body, depth):
        """x := x + 1, as models do."""
        target = self.target(scope, lambda t: t.kind == "range", body)
        if not target:
            return None
        text, type_, needs, root = target
        needs = needs + ([text] if root.undefined else [])
        sign, limit = self.random.choice([("+", type_.high), ("-", type_.low)])
        lines = [f"{text} := ({text} {sign} 1);"]
        if not self.chance(self.temper.wild):
            lines = [f"if ({text} != {number(limit)}) then"] + indent(lines) + ["end;"]
        return self.when(needs, lines)

    def undefine(self, scope, body, depth):
        target = self.target(scope, lambda t: True, body)
        if not target or not (target[3].undefined or target[1].kind == "multiset"):
            return None
        return self.when(target[2], [f"undefine {target[0]};"])

    def clear(self, scope, body, depth):
        target = self.target(scope, lambda t: True, body)
        if not target or (target[1].mentions_index() and not self.chance(self.temper.breach)):
            return None
        return self.when(target[2], [f"clear {target[0]};"])

    def copy(self, scope, body, depth):
        target = self.target(scope, lambda t: t.kind in ("record", "array") and t.name, body)
        if target and target[3].undefined and self.chance(0.3 + self.temper.calls):
            call = self.call_where(lambda t: t is target[1], scope, -1)
            if call:
                return self.when(target[2] + call[1], [f"{target[0]} := {call[0]};"])
        source = target and self.designator(scope, lambda t: t is target[1])
        if not source or source[0] == target[0] or (source[3].undefined and not target[3].undefined):
            return None
        return self.when(target[2] + source[2], [f"{target[0]} := {source[0]};"])

    def call_procedure(self, scope, body, depth):
        fit = [f for f in self.functions if f.result is None and (body.may_write or not f.has_effect)]
        visible = scope if body.may_write else self.only_locals(scope)
        call = fit and self.apply(self.random.choice(fit), visible, 1)
        return call and self.when(call[1], [f"{call[0]};"])

    def drop_result(self, scope, body, depth):
        """A function called for what it does."""
        call = self.call_where(lambda t: True, scope, 1) if body.may_write else None
        return call and self.when(call[1], [f"{call[0]};"])

    def assert_(self, scope, body, depth):
        test, label = self.boolean(scope, 2), self.fresh("check ")
        if self.chance(0.6):
            test = f"({test} | ({self.boolean(scope, 2)} | {self.boolean(scope, 2)}))"
        if self.chance(0.3) and not self.temper.rumur:
            return [f'assert "{label}" {test};']
        return [f'assert {test} "{label}";']

    def error(self, scope, body, depth):
        return [f"if {self.boolean(scope, 2)} then", f'  error "{self.fresh("check ")}";', "end;"]

    def assume(self, scope, body, depth):
        return [f'assume ({self.boolean(scope, 2)} | {self.boolean(scope, 1)}) "{self.fresh("check ")}";']

    def cover(self, scope, body, depth):
        return [f'cover {self.boolean(scope, 2)} "{self.fresh("check ")}";']

    def leave_rule(self, scope, body, depth):
        return None if body.result else [f"if {self.boolean(scope, 1)} then", "  return;", "end;"]

    def return_early(self, scope, body, depth):
        """In the middle of a function, perhaps of a loop."""
        value = body.result and body.result.is_scalar() and self.value(body.result, scope, 1)
        return value and [f"if {self.boolean(scope, 1)} then"] + indent(self.when(value[1], [f"return {value[0]};"])) + ["end;"]

    def put(self, scope, body, depth):
        shape = self.random.randrange(3)
        if shape == 0:
            return ['put "here";']
        is_whole = self.chance(0.5)
        found = self.designator(scope, lambda t: (t.kind in ("record", "array") if is_whole else t.is_scalar()) and not t.has_multiset())
        if found and shape == 1:  # undefined or not
            return self.when(found[2][:-1] if found[2][-1:] == [found[0]] else found[2], [f"put {found[0]};"])
        value, needs = (self.odd_call(scope) or self.integer(scope, 1))[:2]
        return self.when(needs, [f"put {value};"])

    # Statements with blocks

    def if_(self, scope, body, depth):
        lines = [f"if {self.boolean(scope, 2)} then"] + indent(self.block(scope, body, depth))
        while self.may("elsif", 0.3):
            lines += [f"elsif {self.boolean(scope, 1)} then"] + indent(self.block(scope, body, depth))
        if self.chance(0.4):
            lines += ["else"] + indent(self.block(scope, body, depth))
        return lines + ["end;"]

    def switch(self, scope, body, depth):
        found = self.designator(scope, lambda t: t.is_scalar())
        if not found:
            return None
        text, type_, needs, _ = found
        text, needs, type_ = self.odd_call(scope) or (text, needs, type_)
        if type_.kind in ("index", "union") and self.may("undefined equality", 0.6):
            needs = [need for need in needs if need != text]
        lines = [f"switch {text}"]
        for label, more in self.case_labels(type_, scope):
            lines += [f"case {label}:"] + indent(self.block(scope, body, depth))
            needs = needs + more
        if self.chance(0.5):
            lines += ["else"] + indent(self.block(scope, body, depth))
        return self.when(needs, lines + ["end;"])

    def case_labels(self, type_, scope):
        """(text, needs): constants, or expressions of any kind."""
        if self.chance(0.3 + self.temper.calls / 4):
            values = [self.value(type_, scope, 1) for _ in range(2)]
            return [value for value in values if value]
        if type_.kind == "bool":
            return self.random.choice([[("true", [])], [("false", []), ("true", [])]])
        if type_.kind == "range":
            values = self.random.sample(range(type_.low, type_.high + 1), min(2, type_.values()))
            return [(number(value), []) for value in values]
        if type_.kind == "enum":
            labels = self.random.sample(type_.labels, min(len(type_.labels), self.random.choice([1, 2, 3])))
            labels = [", ".join(labels[:2])] + labels[2:] if self.chance(0.3) else labels
            return [(label, []) for label in labels]
        enums = [label for member in type_.members for label in member.labels]
        simple = [r.text for r in scope.roots if r.type is type_ and not r.is_global and not r.writable]
        return [(label, []) for label in ([self.random.choice(enums)] if enums else simple[:1])]

    def for_elements(self, scope, body, depth):
        type_ = self.random.choice([t for t in self.types if t.is_scalar()])
        name = self.fresh("f")
        inner = scope.extend(Root(name, type_, False))
        if type_.mentions_index() and not self.chance(self.temper.order):
            lines = self.tame(name, type_, inner, body)
        elif self.may("several", 0.3):
            head, root, needs = self.domain(scope, "f")
            return self.when(needs, [f"for {name}: {type_}; {head} do"] + indent(self.block(inner.extend(root), body, depth)) + ["end;"])
        else:
            lines = self.block(inner, body, depth)
        if not lines:
            return None
        return self.hide(name, scope, [f"for {name}: {type_} do"] + indent(lines) + ["end;"])

    def tame(self, name, type_, scope, body):
        """A loop body whose result should not depend on the order: it writes only at [name]."""
        writable = [r for r in scope.roots if r.writable and (body.may_write or not r.is_global)
                    and r.type.kind == "array" and r.type.index is type_]
        if not writable:
            return None
        root = self.random.choice(writable)
        quiet = type(scope)([r for r in scope.roots if r is not root], scope.slots)
        own = Root(f"{root.text}[{name}]", root.type.element, True, root.undefined)
        lines = self.block(quiet.extend(own).__class__([r for r in quiet.roots if not r.writable] + [own]), body, 0)
        if self.chance(0.5):
            lines = [f"if {self.boolean(quiet.extend(own), 2)} then"] + indent(lines) + ["end;"]
        return lines

    def for_numbers(self, scope, body, depth):
        head, root, needs = self.domain(scope, "f")
        if ":=" not in head:
            return None
        lines = [f"for {head} do"] + indent(self.block(scope.extend(root), body, depth)) + ["end;"]
        return self.when(needs, self.hide(root.text, scope, lines))

    def while_(self, scope, body, depth):
        name, limit = self.fresh("w"), self.random.randint(1, 3)
        body.locals.append((name, small_range(0, limit)))
        inner = scope.extend(Root(name, small_range(0, limit), False))
        extra = f" & {self.guarded(*self.value(BOOLEAN, inner, 2))}" if self.chance(0.6) else ""
        return [f"{name} := 0;", f"while (({name} < {limit}){extra}) do"] + indent(
            self.block(inner, body, depth) + [f"{name} := ({name} + 1);"]) + ["end;"]

    def alias(self, scope, body, depth):
        """Of a variable, an element, a field, a parameter or an alias; perhaps two at once, the second of the first."""
        takes_scalars = self.chance(0.8)
        found = self.target(scope, lambda t: takes_scalars or not t.is_scalar(), body)
        if not found:
            return None
        text, type_, needs, root = found
        name = self.fresh("a")
        inner, head = scope.extend(Root(name, type_, True, root.undefined)), f"{name}: {text}"
        if self.may("several", 0.4):
            second = self.target(inner, lambda t: True, body)
            if second and not any(name in need for need in second[2]):
                needs, other = needs + second[2], self.fresh("a")
                inner, head = inner.extend(Root(other, second[1], True, second[3].undefined)), f"{head}; {other}: {second[0]}"
        lines = self.block(inner, body, depth)
        if text.endswith("]") and self.chance(0.4):  # what the index was made of changes
            lines = self.assign(scope, body, 0) or []
            lines += self.block(inner, body, depth)
        return self.when(needs, self.hide(name, scope, [f"alias {head} do"] + indent(lines) + ["end;"]))

    def value_alias(self, scope, body, depth):
        """Of an expression: its value at that moment."""
        type_ = self.random.choice([t for t in self.types if t.is_scalar()])
        value = self.value(type_, scope, 2)
        *value, type_ = self.odd_call(scope) or (*(value or ("x", [])), type_)
        if value[0].replace("_", "").isalnum():
            return None
        name = self.fresh("a")
        lines = self.block(scope.extend(Root(name, type_, False)), body, depth)
        return self.when(value[1], self.hide(name, scope, [f"alias {name}: {value[0]} do"] + indent(lines) + ["end;"]))

    # Multisets

    def add(self, scope, body, depth):
        multisets = self.multisets(scope) if body.may_write else []
        if not multisets:
            return None
        multiset = self.random.choice(multisets)
        name, element = self.fresh("t"), multiset.type.element
        body.locals.append((name, element))
        lines = self.fill(name, element, scope) + [f"multisetadd({name}, {multiset.text});"]
        if not self.chance(self.temper.wild):
            test = f"(multisetcount({self.fresh('m')}: {multiset.text}, true) < {multiset.type.capacity})"
            lines = [f"if {test} then"] + indent(lines) + ["end;"]
        return lines

    def fill(self, text, type_, scope):
        """Statements that give a value to (most of) a new element."""
        if type_.kind == "record":
            return [line for name, field in type_.fields for line in self.fill(f"{text}.{name}", field, scope)]
        value = self.value(type_, scope, 1) if type_.is_scalar() else None
        if not value or self.chance(0.1):
            return [f"undefine {text};"]
        return self.when(value[1], [f"{text} := {value[0]};"])

    def remove_if(self, scope, body, depth):
        multisets = self.multisets(scope)
        if not multisets or not body.may_write:
            return None
        multiset, name = self.random.choice(multisets), self.fresh("m")
        inner = scope.extend(Slot(name, multiset))
        return [f"multisetremovepred({name}: {multiset.text}, {self.boolean(inner, 2)});"]

    def remove(self, scope, body, depth):
        if not scope.slots or not body.may_write:
            return None
        if self.chance(0.4):
            return self.refill(scope, body)
        slot = self.random.choice(scope.slots)
        return [f"multisetremove({slot.text}, {slot.multiset.text});"]

    def refill(self, scope, body):
        """Slots are freed and filled, and then used: what lies there may depend on the order of the elements."""
        lines = [f"multisetremove({slot.text}, {slot.multiset.text});" for slot in scope.slots]
        lines += self.add(scope, body, 0) or []
        return lines + self.statement(scope, body, 0) + self.statement(scope, body, 0)
