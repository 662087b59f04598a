"""The rules and start states of a random model."""

from statements import Body, indent
from vocabulary import Root, Scope, Slot


class Rules:
    """The second part of a model."""

    def everything(self):
        return Scope(self.globals + self.constants)

    # Parameters

    def parameters(self, most):
        found = []
        for _ in range(self.random.randint(0, most) if self.may("parameters") else 0):
            head, root, _ = self.make.domain(Scope(), "i", is_constant=True)
            root.head = head
            if self.families and self.chance(0.5):
                root = self.parameter(self.random.choice(self.families))
            found.append(root)
        return found

    def parameter(self, type_):
        root = Root(self.make.fresh("i"), type_, False)
        root.head = f"{root.text}: {type_}"
        return root

    def wrap(self, parameters, lines):
        """Puts the lines under one or several rulesets."""
        if len(parameters) > 1 and self.chance(0.3):
            return self.wrap(parameters[:1], self.wrap(parameters[1:], lines))
        if not parameters:
            return lines
        lines = [f"ruleset {'; '.join(p.head for p in parameters)} do"] + indent(lines) + ["end;"]
        return self.make.hide(parameters[0].text, self.everything(), lines)

    def aliases(self, scope):
        """Around rules: (head, scope). Of a place, or of an expression's value; what it needs is tested nowhere."""
        heads = []
        for _ in range(2 if self.may("several", 0.4) else 1):
            name = self.make.fresh("a")
            if self.may("value alias", 0.4):
                type_ = self.random.choice(self.scalars())
                value = self.make.value(type_, scope, 1)
                if value and (not value[1] or self.chance(self.temper.wild)) and not value[0].replace("_", "").isalnum():
                    heads.append(f"{name}: {value[0]}")
                    scope = scope.extend(Root(name, type_, False))
                continue
            takes_multisets = self.chance(0.3)
            around = type(scope)(scope.roots[-1:]) if heads and self.chance(0.5) else scope
            found = self.make.designator(around, lambda t: takes_multisets or not t.has_multiset(), writable=True)
            inner = [need for need in found[2] if need != found[0]] if found else []
            if found and (not inner or self.chance(self.temper.wild)):
                heads.append(f"{name}: {found[0]}")
                scope = scope.extend(Root(name, found[1], True, found[3].undefined))
        return "; ".join(heads), scope

    # Rules

    def title(self, stem):
        name = self.make.fresh(stem)
        return "" if self.may("nameless", 0.3) else f'"{name}"'

    def rule(self, scope, guard=None, first=()):
        body = Body()
        head, inner = self.local_names(scope)
        guard = guard or self.make.boolean(scope, self.random.choice([1, 2, 2, 3]))
        lines = list(first) + self.make.block(inner, body, 2)
        priority = f"{self.random.choice([1, 2, 0])} " if self.may("priority", 0.5) else ""
        lines = head + self.locals(body) + ["begin"] + indent(lines) + ["end;"]
        if self.may("guardless", 0.2):
            return [f"rule {priority}{self.title('r')}"] + lines
        return [f"rule {priority}{self.title('r')}", f"  {guard}", "==>"] + lines

    def rules(self):
        parameters = self.parameters(2)
        scope = self.everything().extend(*parameters)
        multisets = self.make.multisets(scope)
        if multisets and self.may("choose", 0.6):
            slot = Slot(self.make.fresh("c"), self.random.choice(multisets))
            inner = scope.extend(slot)
            second = Slot(self.make.fresh("c"), self.random.choice(multisets)) if self.chance(0.3) else None
            lines = self.rule(inner.extend(second) if second else inner)
            if second:
                lines = [f"choose {second.text}: {second.multiset.text} do"] + indent(lines) + ["end;"]
            lines = [f"choose {slot.text}: {slot.multiset.text} do"] + indent(lines) + ["end;"]
        elif self.may("alias rule", 0.5):
            head, inner = self.aliases(scope)
            lines = self.rule(inner) + (self.rule(inner) if self.chance(0.2) else [])
            lines = [f"alias {head} do"] + indent(lines) + ["end;"] if head else lines
        else:
            lines = self.rule(scope)
            if self.chance(0.15):
                lines += self.rule(scope)
        return self.wrap(parameters, lines) + [""]

    def mover(self, root):
        """A rule that lets a variable take many values: what makes a state space."""
        parameters = self.parameters(1)
        text, type_ = root.text, root.type
        while not type_.is_scalar():
            if type_.kind == "array":
                parameters.append(self.parameter(type_.index))
                text, type_ = f"{text}[{parameters[-1].text}]", type_.element
            elif type_.kind == "record" and type_.fields:
                name, type_ = self.random.choice(type_.fields)
                text = f"{text}.{name}"
            else:
                return []
        scope = self.everything().extend(*parameters)
        value = self.make.value(type_, scope, 1)
        if not value or self.chance(0.5):
            parameters.append(self.parameter(type_))
            value = parameters[-1].text, []
            scope = scope.extend(parameters[-1])
        lines = self.make.when(value[1], [f"{text} := {value[0]};"])
        if root.undefined and self.chance(0.2):
            lines = [f"undefine {text};"]
        body = Body()
        if self.chance(0.3):
            lines += self.make.block(scope, body, 0, 1)
        guard = self.make.boolean(scope, self.random.choice([1, 1, 2]))
        if self.chance(0.4):
            guard = f"({guard} | {self.make.boolean(scope, 1)})"
        if self.chance(0.3):
            guard = "true"
        lines = [f'rule "{self.make.fresh("move ")}"', f"  {guard}", "==>"] + self.locals(body) + [
            "begin"] + indent(lines) + ["end;"]
        return self.wrap(parameters, lines) + [""]

    def place_of(self, n, parameter):
        """Where the process is: text, and its labels."""
        for root in self.globals:
            name = f"at{n}" if n else "at"
            if root.text == name:
                return f"{name}[{parameter.text}]", root.type.element.labels
            if root.text == f"p{n}":
                return f"p{n}[{parameter.text}].{name}", root.type.element.fields[0][1].labels
        return None, []

    def process_rules(self):
        """From each place to the next one, so that there is something to explore, with more conditions and more to do."""
        lines = []
        for n, family in enumerate(self.families):
            parameter = self.parameter(family)
            text, labels = self.place_of(n, parameter)
            for here, there in zip(labels, labels[1:] + labels[:1]):
                if not self.chance(0.8):
                    continue
                parameters = [parameter] + (self.parameters(1) if self.chance(0.3) else [])
                scope = self.everything().extend(*parameters)
                guard = f"({text} = {here})"
                if self.chance(0.5):
                    guard = f"({guard} & {self.make.boolean(scope, self.random.choice([1, 2]))})"
                step = [f"{text} := {there};"]
                if self.chance(0.5):
                    rule = self.rule(scope, guard, step)
                else:
                    rule = [f"rule {self.title('r')}", f"  {guard}", "==>", "begin"] + indent(step) + ["end;"]
                lines += self.wrap(parameters, rule) + [""]
        return lines

    # Start states

    def initial(self, text, type_, root, parameters, elements):
        """Statements that give a first value."""
        if type_.kind == "multiset":
            return []
        if type_.kind == "record":
            return [line for name, field in type_.fields
                    for line in self.initial(f"{text}.{name}", field, root, parameters, elements)]
        if type_.kind == "array":
            name = self.make.fresh("f")
            lines = self.initial(f"{text}[{name}]", type_.element, root, parameters,
                                 elements + [Root(name, type_.index, False)])
            return [f"for {name}: {type_.index} do"] + indent(lines) + ["end;"] if lines else []
        if root.undefined and self.chance(0.6):
            return self.random.choice([[f"undefine {text};"], []])
        candidates = [p for p in parameters + elements if p.type is type_]
        if type_.kind == "union":
            candidates += [p for p in parameters if p.type in type_.members]
        if candidates and (type_.kind in ("index", "union") or self.chance(0.4)):
            return [f"{text} := {self.random.choice(candidates).text};"]
        if type_.kind == "index" or (type_.kind == "union" and not any(m.labels for m in type_.members)):
            if root.undefined:
                return []
            parameters.append(self.parameter(type_ if type_.kind == "index" else self.random.choice(type_.members)))
            return [f"{text} := {parameters[-1].text};"]
        if type_.kind == "union":
            enum = next(m for m in type_.members if m.labels)
            return [f"{text} := {self.random.choice(enum.labels)};"]
        return [f"{text} := {self.make.constant(type_)[0]};"]

    def pick(self, scope, body):
        """What a start state may do with the order of elements: take the last, or clear; and loops of all shapes."""
        names = [r for r in self.globals if r.type.kind == "index"]
        lines = []
        if names and self.chance(0.7):
            root, name = self.random.choice(names), self.make.fresh("f")
            lines += [f"for {name}: {root.type} do {root.text} := {name}; end;"]
        for _ in range(2):
            lines += (self.make.shaped_loop(scope, body, 1) if self.chance(0.5) else None) or []
        return lines

    def start(self):
        parameters = self.parameters(1) if self.may("start parameters", 0.5) else []
        lines = []
        for root in self.globals:
            lines += self.initial(root.text, root.type, root, parameters, [])
        body = Body(is_start=True)
        scope = self.everything().extend(*parameters)
        if self.may("start block"):
            lines += self.make.block(scope, body, 1)
        if self.may("start pick"):
            lines += self.pick(scope, body)
        head = [f"startstate {self.title('start ')}"] + self.locals(body) + ["begin"]
        lines = head + indent(lines) + ["end;"]
        if self.may("alias rule", 0.2):
            found = [r for r in self.globals if not r.type.has_multiset()]
            lines = [f"alias {self.make.fresh('a')}: {self.random.choice(found).text} do"] + indent(lines) + ["end;"]
        return self.wrap(parameters, lines) + [""]
