"""Which tests a room's mutants meet: first the room's own, in short forms, the cheapest first; those that survive them
meet the wider ones. `{binary}` is the mutated program; compare and exhaust are found beside it."""


def unit(*names):
    return [(f"tests/{name}_test",) for name in names]


def python(script, *words):
    return ("python3", f"tests/{script}.py", "{binary}", *words)


FINDINGS = python("findings/run")
FAIR_RUNS = [python("ltl/run"), python("ltl/random_models", "--count", "60")]
GENERATED = python("differential/run", "--profile", "plain", "--count", "40", "--seed", "1", "--native", "0", "--no-shrink")
CROWDS = python("differential/run", "--profile", "crowd", "--count", "40", "--seed", "1", "--native", "0", "--no-shrink")
PARTIAL = python("differential/run", "--profile", "partial", "--count", "40", "--seed", "1", "--native", "0", "--no-shrink")
SYMBOLIC = python("differential/run", "--profile", "symbolic", "--count", "40", "--seed", "1", "--native", "0", "--no-shrink")
BRANCHING = python("differential/ctl", "--count", "40")
INTERVALS = python("differential/prism_intervals", "--count", "40")
CHAINS = python("differential/prism", "--count", "40")
LINEAR_CHAINS = python("differential/prism_linear", "--count", "60")
COUNTED = python("differential/prism_counters", "--count", "20")
MODELS = python("models/run")
CLI = python("cli/run")
PRISM = [python("prism/run"), python("prism/within_time"), python("prism/chances")]
STEPS = python("step/run")
ERRORS = [python("errors/run"), python("errors/prism")]
BOOLEAN = [python("boolean/models"), python("boolean/run", "--count", "30")]
PROMELA = python("promela/run")
CERTIFICATES = [python("certificate/run"), python("certificate/random_models")]
SAT = python("differential/run", "--profile", "sat", "--count", "40", "--seed", "1", "--native", "0", "--no-shrink")
SERVER = [python("lsp/run"), python("lsp/hostile")]

# The longest prefix of a file's folder counts.
FIRST = {
    "symmetry": unit("symmetry_discipline", "canon_brute", "explicit_symmetry", "group_brute") + [GENERATED, PARTIAL],
    "canon": unit("canon_brute", "canon_generated", "canon_large", "explicit_symmetry", "group_brute") + [GENERATED],
    "detect": unit("symmetry_discipline", "canon_generated", "explicit_symmetry") + [GENERATED, PARTIAL],
    "portrait": unit("rule_partition", "adaptive") + [PARTIAL],
    "rewrite": unit("symmetry_discipline", "rule_partition", "ctl") + [GENERATED, BRANCHING],
    "reduce": unit("reduce") + [CROWDS, python("tables/counter")],
    "logic": unit("logic") + [LINEAR_CHAINS, *FAIR_RUNS],
    "linear": FAIR_RUNS,
    "numeric": unit("numeric", "poisson", "likely") + [INTERVALS, CHAINS],
    "dd": unit("dd_blocks", "dd_boolean", "dd_deep", "dd_parallel", "dd_real", "dd_relation", "dd_store", "dd_failing", "orbit_relation")
    + [SYMBOLIC, INTERVALS],
    "store": unit("store_blocks", "store_insert", "store_quotient", "store_visited", "explicit_search", "explicit_threads") + [GENERATED],
    "explore": unit("explore", "ctl") + [BRANCHING, CHAINS, python("step/run")],
    "exec": unit("evaluate", "evaluate_step", "evaluate_stmt", "vm", "native", "profile", "explicit_search") + [GENERATED],
    "result": unit("result_trace", "confirm", "explain_formula", "report", "api", "ctl", "stop") + [CROWDS, BRANCHING, python("step/run")],
    "engine/explicit": unit("explicit_search", "explicit_symmetry", "explicit_threads", "reached", "stop") + [GENERATED],
    "engine/adaptive": unit("adaptive") + [PARTIAL, python("tables/adaptive")],
    "engine/complete": unit("survey") + [PARTIAL],
    "engine/symbolic": unit("symbolic_machine", "orbit_relation") + [SYMBOLIC, INTERVALS, COUNTED, *FAIR_RUNS],
    "engine/counter": unit("reduce") + [CROWDS, python("tables/counter")],
    "engine/ctl": unit("ctl") + [*FAIR_RUNS, BRANCHING],
    "engine/probabilistic": [INTERVALS, CHAINS, LINEAR_CHAINS, *PRISM],
    "engine/sat": unit("sat_representative", "definite") + [SAT, python("models/sat")],
    "engine/every": [python("every-n/run")],
    "engine/cover": [python("cover/run"), python("cover/random_models")],
    "base": unit("bigint", "json", "locale", "printable", "rounding", "starving") + [CLI],
    "ir": unit("ir_build", "ir_layout", "ir_reads", "ir_validate", "evaluate") + [GENERATED],
    "bits": unit("bits", "circuit") + [SAT],
    "smt": unit("smt") + [python("every-n/run")],
    "group": unit("group", "group_brute") + [GENERATED],
    "stubborn": unit("stubborn") + [python("por/run"), python("guarded/run")],
    "population": [python("cover/run"), python("every-n/run")],
    "pass": unit("plan") + [GENERATED],
    "pctl": unit("pctl_number") + [CHAINS, LINEAR_CHAINS],
    "observe": unit("watch") + [STEPS],
    "report": unit("report", "page_parts") + [CLI, STEPS],
    "verify": CERTIFICATES,
    "ranks": [python("distributed/run")],
    "lang/murphi": unit("syntax", "macro") + [python("format/run"), *ERRORS, python("dialects/run"), python("virtual/run")],
    "lang/prism": unit("prism_read", "prism_write") + [*ERRORS, CHAINS, *PRISM],
    "lang/promela": unit("promela_read") + [PROMELA],
    "lang/boolean": BOOLEAN,
    "driver": unit("api", "plan", "options") + [CLI, STEPS],
    "lsp": unit("lsp", "session") + SERVER,
    "cli": unit("options") + [CLI, STEPS, python("terminal/run")],
}
MURPHI = [FINDINGS, MODELS, CLI]
CHANCES = [FINDINGS, *PRISM, COUNTED, CLI]
BOTH = [FINDINGS, MODELS, *PRISM, SYMBOLIC, COUNTED, CLI]
WIDER = {
    "symmetry": BOTH + [python("detection/run")], "canon": BOTH + [python("detection/run")],
    "detect": BOTH + [python("detection/run")], "portrait": BOTH, "rewrite": BOTH + [python("detection/run")], "reduce": MURPHI + [SYMBOLIC], "logic": CHANCES, "linear": MURPHI, "numeric": CHANCES, "dd": BOTH + [BRANCHING], "store": BOTH, "explore": BOTH, "exec": BOTH, "result": BOTH,
    "engine/explicit": MURPHI, "engine/adaptive": MURPHI + [python("models/partial")], "engine/complete": MURPHI + [python("tables/complete")],
    "engine/symbolic": BOTH + [python("models/symbolic"), BRANCHING], "engine/counter": MURPHI, "engine/ctl": MURPHI, "engine/probabilistic": CHANCES,
}
# Mutants of the other rooms meet all of these.
EVERYTHING = [*BOTH, STEPS, *ERRORS, *BOOLEAN, PROMELA, *CERTIFICATES, SAT, BRANCHING, CHAINS, LINEAR_CHAINS, *FAIR_RUNS, python("exchange/run"),
              python("models/partial"), python("models/symbolic"), python("models/sat"), python("every-n/run"), python("por/run"), python("python/run")]
ROOMS = tuple(FIRST)
