"""What the models of a run are like: one generator, and a profile of how often it uses what.

A model takes some constructs and leaves out others, at random (a model that has everything is refused by most engines, and one
construct hides the bugs of another). FEATURES: how probable it is that a model may use a construct. A profile overrides
some of these numbers, so that most of its models are taken by the engines it is for; nothing is left out altogether
that they might take, or should refuse properly.

| profile | models | for |
|---|---|---|
| plain | scalarsets, unions, multisets, loops of all kinds | explicit, all steppers |
| crowd | processes that are interchangeable, with local and shared variables and references | counter, generic, auto |
| partial | processes with numbers, nearly interchangeable | adaptive, complete, auto |
| sat | small ones without formulas about the future | the methods of the sat engine |
| symbolic | small ones without multisets, with properties of branching time | all methods of the symbolic engine, CTL |
"""

FEATURES = {
    # types
    "union": 0.4, "multiset": 0.45, "record": 0.6, "array": 0.4, "matrix": 0.6, "second name": 0.2, "single": 0.15,
    "constant": 0.4, "range index": 0.5,
    # statements
    "undefine": 0.7, "undefined": 0.4, "clear": 0.6, "copy": 0.6, "step": 0.8, "call": 0.7, "assert": 0.4, "error": 0.3,
    "assume": 0.2, "cover": 0.3, "return": 0.3, "put": 0.4, "if": 0.9, "elsif": 0.5, "switch": 0.5, "for": 0.7,
    "numbers": 0.5, "while": 0.4, "alias": 0.6, "value alias": 0.4, "shaped": 0.7, "several": 0.3, "dropped": 0.3,
    "early": 0.3, "local": 0.5, "local names": 0.2, "swap": 0.5,
    # expressions
    "conditional": 0.5, "quantifier": 0.8, "bounds": 0.4, "isundefined": 0.6, "ismember": 0.7, "arithmetic": 0.7,
    "bits": 0.25, "undefined equality": 0.5, "aggregate": 0.4, "element": 0.5, "slots": 0.8,
    # functions
    "function": 0.6, "effect": 0.55, "reference": 0.7, "aggregate result": 0.45, "search": 0.3, "recursion": 0.15,
    # rules and properties
    "parameters": 0.9, "bounded parameters": 0.3, "alias rule": 0.3, "choose": 0.8, "priority": 0.08, "starts": 0.3,
    "start parameters": 0.5, "start block": 0.2, "start pick": 0.15, "nameless": 0.2, "guardless": 0.2, "liveness": 0.2, "assumption": 0.15,
    "goal": 0.25, "ruleset property": 0.2, "ctl": 0.0, "ltl": 0.025, "fairness": 0.03, "past": 0.3, "deadlock": 0.2, "final": 0.15, "file": 0.1,
    # temper
    "wild": 0.35, "order": 0.3, "breach": 0.2, "spelling": 0.25, "rumur": 0.2,
    # shape
    "processes": 0.25, "numbered": 0.2,
}

PROFILES = {
    "plain": {},
    "crowd": {"put": 0.7, "processes": 0.97, "numbered": 0.03, "multiset": 0.04, "union": 0.12, "matrix": 0.03, "array": 0.2, "order": 0.04, "breach": 0.12,
              "effect": 0.25, "search": 0.1, "shaped": 0.12, "swap": 0.1, "early": 0.1, "copy": 0.4, "aggregate": 0.15, "aggregate result": 0.4,
              "clear": 0.3, "while": 0.25, "bits": 0.15, "wild": 0.3, "rumur": 0.1, "ctl": 0.5, "ltl": 0.25, "past": 0.05, "assume": 0.1,
              "cover": 0.2, "priority": 0.05, "element": 0.3},
    "partial": {"put": 0.7, "processes": 1.0, "numbered": 0.9, "multiset": 0.02, "union": 0.16, "order": 0.5, "rumur": 0.1, "priority": 0.04, "liveness": 0.02,
                "ctl": 0.02, "ltl": 0.0, "assume": 0.1, "cover": 0.04, "assumption": 0.03, "effect": 0.5, "aggregate result": 0.35, "array": 0.15, "breach": 0.2},
    "sat": {"multiset": 0.2, "assumption": 0.05, "ltl": 0.0, "liveness": 0.02, "processes": 0.5, "numbered": 0.2, "priority": 0.04},
    "symbolic": {"multiset": 0.02, "ctl": 0.6, "ltl": 0.4, "processes": 0.5, "numbered": 0.2, "union": 0.4},
}


class Temper:
    """What one model may do, and how often it does something dubious."""

    def __init__(self, random, profile):
        self.profile = profile
        own = PROFILES[profile]
        self.features = {name for name, probability in FEATURES.items() if random.random() < own.get(name, probability)}
        self.rumur = self.has("rumur")  # only what rumur accepts
        if self.rumur:
            self.features -= {"union", "multiset", "priority", "effect", "several", "undefined", "spelling", "ctl", "ltl", "fairness", "file", "value alias",
                              "aggregate result", "bounds", "alias rule", "constant", "single", "dropped", "local names"}
        self.wild = random.choice([0.03, 0.3]) if self.has("wild") else 0.0  # undefined values, ranges overrun
        self.order = 0.3 if self.has("order") else 0.0  # loops over scalarsets with arbitrary bodies
        self.calls = random.choice([0.15, 0.4, 0.7])  # functions, wherever an expression may stand
        self.breach = 0.3 if self.has("breach") else 0.0  # clear of a scalarset
        budgets = {"plain": [300, 3000, 10000, 60000], "crowd": [2000, 20000], "partial": [3000, 30000]}
        self.budget = random.choice(budgets.get(profile, [100, 500, 2000]))  # values that the variables may take
        # A rule of a crowd becomes one for each place of a process and each way in which references coincide.
        self.places, self.references = (random.choice([6, 12, 24]), 3) if profile == "crowd" else (10 ** 9, 10 ** 9)
        self.counts = profile == "crowd" and random.random() < 0.35  # functions that count processes

    def has(self, feature):
        assert feature in FEATURES, feature
        return feature in self.features
