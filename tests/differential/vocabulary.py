"""What the random models are made of: types, variables in scope, functions."""


class Type:
    """A Murphi type. `name` None: anonymous, written out where it is used."""

    def __init__(self, kind, name=None, **details):
        self.kind = kind
        self.name = name
        self.size = self.low = self.high = self.capacity = 0
        self.labels, self.members, self.fields = [], [], []
        self.index = self.element = None
        self.constant, self.second_name, self.written, self.uses = None, None, None, 0
        self.__dict__.update(details)

    def is_scalar(self):
        return self.kind in ("bool", "range", "enum", "index", "union")

    def is_single(self):
        """A scalarset whose only element can be named."""
        return self.kind == "index" and self.size == 1 and self.name is not None and not self.constant

    def values(self):
        """The number of values of a scalar."""
        if self.kind == "bool":
            return 2
        if self.kind == "range":
            return self.high - self.low + 1
        if self.kind == "enum":
            return len(self.labels)
        if self.kind == "index":
            return self.size
        return sum(member.values() for member in self.members)

    def volume(self, undefined):
        """How many different values a variable of this type may take."""
        if self.is_scalar():
            return self.values() + (1 if undefined else 0)
        if self.kind == "array":
            return self.element.volume(undefined) ** self.index.values()
        if self.kind == "record":
            product = 1
            for _, field in self.fields:
                product *= field.volume(undefined)
            return product
        ways, element = 1, self.element.volume(False)
        for taken in range(1, self.capacity + 1):
            ways = ways * (element + taken) // taken
        return ways

    def mentions_index(self):
        if self.is_scalar():
            return self.kind == "index" or any(member.kind == "index" for member in self.members)
        if self.kind == "array":
            return self.index.mentions_index() or self.element.mentions_index()
        if self.kind == "record":
            return any(field.mentions_index() for _, field in self.fields)
        return self.element.mentions_index()

    def has_multiset(self):
        if self.kind == "array":
            return self.element.has_multiset()
        return self.kind == "multiset" or any(field.has_multiset() for _, field in self.fields)

    def body(self):
        """The type expression, as in a declaration."""
        if self.kind == "bool":
            return "boolean"
        if self.kind == "range":
            return f"{self.low}..{self.high}"
        if self.kind == "enum":
            return "enum { " + ", ".join(self.labels) + " }"
        if self.kind == "index":
            return f"scalarset({self.constant or self.size})"
        if self.written:
            return self.written
        if self.kind == "union":
            return "union { " + ", ".join(str(member) for member in self.members) + " }"
        if self.kind == "array":
            return f"array [{self.index}] of {self.element}"
        if self.kind == "record":
            return "record " + " ".join(f"{name}: {field};" for name, field in self.fields) + " end"
        return f"multiset [{self.capacity}] of {self.element}"

    def __str__(self):
        """As it is written where it is used; a type with two names goes by either in turn."""
        self.uses += 1
        if self.second_name and self.uses % 2:
            return self.second_name
        return self.name or self.body()


BOOLEAN = Type("bool", "boolean")


class Root:
    """Something a designator can start with: a variable, parameter, alias or multiset element."""

    def __init__(self, text, type_, writable=True, undefined=False, is_global=False):
        self.text, self.type = text, type_
        self.writable, self.undefined, self.is_global = writable, undefined, is_global


class Slot:
    """A slot number of a multiset, bound by choose or a count."""

    def __init__(self, text, multiset):
        self.text, self.multiset = text, multiset


class Scope:
    """The roots and slots visible at a point. Extending it makes a new one."""

    def __init__(self, roots=(), slots=()):
        self.roots, self.slots = list(roots), list(slots)

    def extend(self, *items):
        scope = Scope(self.roots, self.slots)
        for item in items:
            (scope.slots if isinstance(item, Slot) else scope.roots).append(item)
        return scope


class Function:
    """A function (result is a type) or procedure (result None). Parameters: (name, type, is_var)."""

    def __init__(self, name, parameters, result):
        self.name, self.parameters, self.result = name, parameters, result
        self.has_effect = False


def small_range(low, high):
    return Type("range", None, low=low, high=high)
