"""Variables, channels and expressions of random Promela models.

Values stay few: what is assigned to a wide variable (byte, short, int) depends on narrow ones (bit, bool, unsigned) only, so no
counter runs through thousands of values; yet constants are near the bounds of the types, so they wrap around."""
import re
from dataclasses import dataclass

NARROW = ["bit", "bool", "unsigned"]
WIDE = ["byte", "short", "int"]
EDGES = {"byte": ["255", "256", "-1", "300"], "short": ["32767", "32768", "-32769", "65536"], "int": ["2147483647", "-2147483647 - 1", "70000"]}
MTYPES = ["red", "green", "blue"]
SUBTYPES = ["north", "south"]


@dataclass
class Variable:
    name: str
    type: str
    size: int = 0  # of an array

    def is_narrow(self):
        return self.type in NARROW


@dataclass
class Channel:
    name: str
    capacity: int
    fields: list
    size: int = 0
    is_reference: bool = False  # a variable or parameter


class Words:
    """Draws, and notes what was drawn."""

    def __init__(self, random):
        self.random, self.used = random, set()

    def use(self, *names):
        self.used.update(names)

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, items):
        return self.random.choice(items)

    # --- places ---

    def index(self, scope, size):
        """Of an array: in bounds, but for a rare one."""
        if scope.may_fail and self.chance(0.02):
            self.use("index out of bounds")
            return str(size)
        narrow = [variable for variable in scope.variables if variable.is_narrow() and not variable.size]
        if scope.in_process and self.chance(0.35):
            self.use("_pid")
            return f"_pid % {size}"
        if narrow and self.chance(0.4):
            return f"{self.pick(narrow).name} % {size}"
        return str(self.random.randrange(size))

    def place(self, scope, variable):
        if not variable.size:
            return variable.name
        self.use("array")
        return f"{variable.name}[{self.index(scope, variable.size)}]"

    def channel(self, scope, channel):
        if not channel.size:
            return channel.name
        self.use("array of channels")
        return f"{channel.name}[{self.index(scope, channel.size)}]"

    # --- expressions ---

    def constant(self):
        return str(self.pick([0, 0, 0, 1, 1, 1, 2, 3]))

    def atom(self, scope, narrow=False):
        choices = [variable for variable in scope.variables if variable.type in NARROW or (not narrow and variable.type in WIDE + ["pid"])]
        if choices and self.chance(0.7):
            return self.place(scope, self.pick(choices))
        if scope.in_process and not narrow and self.chance(0.15):
            self.use("_pid")
            return "_pid"
        return self.constant()

    def number(self, scope, depth=2, narrow=False):
        """Text of an expression, in parentheses if it has operators."""
        if not depth or self.chance(0.4):
            return self.atom(scope, narrow)
        left = self.number(scope, depth - 1, narrow)
        if self.chance(0.1):
            sign = self.pick(["~", "-"])
            self.use("~" if sign == "~" else "unary -")
            return f"({sign}{left})"
        if not scope.in_formula and self.chance(0.08):
            self.use("conditional")
            return f"({self.condition(scope, 1, probes=False)} -> {left} : {self.number(scope, depth - 1, narrow)})"
        sign = self.pick(["+", "-", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])
        self.use(sign)
        if sign in ("/", "%"):
            return f"({left} {sign} {self.pick([2, 3])})"
        if sign in ("<<", ">>"):
            return f"({left} {sign} {self.pick([1, 2])})"
        return f"({left} {sign} {self.number(scope, depth - 1, narrow)})"

    def poll(self, scope, channel, probes):
        """A condition on a channel. The words full, empty, ... do not stand below a negation, nor in formulas."""
        name = self.channel(scope, channel)
        if channel.capacity and (not probes or self.chance(0.45)):
            word = self.pick(["?", "??"])
            self.use("poll" if word == "?" else "random poll")
            items = [self.pattern(scope, kind, poll=True) for kind in channel.fields]
            return f"{name}{word}[{','.join(items)}]"
        if not probes or self.chance(0.3):
            self.use("len")
            return f"len({name}) {self.compare()} {self.random.randrange(channel.capacity + 1)}"
        word = self.pick(["full", "empty", "nfull", "nempty"])
        self.use(word)
        return f"{word}({name})"

    def compare(self):
        sign = self.pick(["==", "==", "!=", "<", "<=", ">", ">="])
        self.use(sign)
        return sign

    def mtypes(self, scope):
        return [variable for variable in scope.variables if variable.type.startswith("mtype")]

    def condition(self, scope, depth=2, probes=True):
        """Text in parentheses."""
        probes = probes and not scope.in_formula
        if depth and self.chance(0.25):
            sign = self.pick(["&&", "||"])
            self.use(sign)
            return f"({self.condition(scope, depth - 1, probes)} {sign} {self.condition(scope, depth - 1, probes)})"
        if depth and self.chance(0.1):
            self.use("!")
            return f"(!{self.condition(scope, depth - 1, probes=False)})"
        if scope.polls and scope.channels and self.chance(0.25):
            return f"({self.poll(scope, self.pick(scope.channels), probes)})"
        if scope.remote and self.chance(0.35):
            return f"({scope.remote()})"
        if self.has("last") and self.chance(0.3) and not scope.in_formula:
            self.use("_last")
            return f"(_last {self.pick(['==', '!='])} {self.pick([0, 1, 2])})"
        if self.has("priority") and scope.in_process and not scope.in_formula and self.chance(0.2):
            return self.schedule()
        if self.mtypes(scope) and self.chance(0.3):
            variable = self.pick(self.mtypes(scope))
            self.use(variable.type if variable.type == "mtype" else "mtype subtype")
            return f"({self.place(scope, variable)} {self.pick(['==', '!='])} {self.pick(self.names_of(variable))})"
        if self.chance(0.04):
            word = self.pick(["true", "false"])
            self.use(word)
            return f"({word} || {self.atom(scope)} == 1)"
        if scope.counts_processes and self.chance(0.15):
            self.use("_nr_pr")
            return f"(_nr_pr {self.compare()} {self.pick([1, 2, 3])})"
        return f"({self.subject(scope)} {self.compare()} {self.constant()})"

    def schedule(self):
        """A condition about who may move."""
        pid = self.pick([0, 1, 2])
        name, text = self.pick([("get_priority", f"(get_priority({pid}) {self.compare()} 2)"), ("_priority", f"(_priority {self.compare()} 2)"),
                                ("_last", f"(_last == {pid})")])
        self.use(name)
        return text

    def subject(self, scope):
        """Of a comparison: not a constant alone, if there is a variable."""
        for _ in range(4):
            text = self.number(scope, 1)
            if any(variable.name in text for variable in scope.variables):
                break
        return text

    def names_of(self, variable):
        return MTYPES if variable.type == "mtype" else SUBTYPES

    # --- messages ---

    def patterns(self, scope, channel):
        """Of a receive: no variable twice. pan puts a message back, when it goes on from an earlier state, from the variables
        that it was received into: so nothing is compared or indexed with a variable that is received beside it."""
        items, names = [], set()
        for kind in channel.fields:
            text = self.pattern(scope, kind)
            found = set(re.findall(r"[a-z]\w*", text)) - {"eval"}
            items.append("_" if found & names else text)
            names |= found
        return ",".join(items)

    def value(self, scope, kind):
        """What is sent in a field."""
        if kind == "mtype":
            mine = [variable for variable in self.mtypes(scope) if variable.type == "mtype" and not variable.size]
            return self.pick(mine).name if mine and self.chance(0.3) else self.pick(MTYPES)
        if kind == "chan":
            return self.pick(scope.local_channels or scope.channels).name
        return f"({self.number(scope, 1, narrow=True)} & {1 if kind == 'bit' else 3})"

    def pattern(self, scope, kind, poll=False):
        """What a field is received into or compared with; the variable is not narrower than what is sent, for the same reason."""
        types = {"mtype": ["mtype"], "bit": NARROW + WIDE}.get(kind, WIDE + ["unsigned"])
        mine = [variable for variable in scope.variables if variable.type in types]
        if mine and self.chance(0.15):
            self.use("eval")
            return f"eval({self.place(scope, self.pick(mine))})"
        if not poll and self.chance(0.1):
            self.use("_ in a receive")
            return "_"
        if not poll and mine and self.chance(0.65):
            variable = self.pick(mine)
            self.use(*(["receive into an array"] if variable.size else []))
            return self.place(scope, variable)
        self.use("constant in a receive")
        return self.pick(MTYPES) if kind == "mtype" else self.constant()
