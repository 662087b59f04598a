/* Every command and every option, once. Parsing, help, the manual page, completions, the "options" of the JSON answer,
 * the options of an engine (struct engine_options) and the refusal of options that it would ignore (driver/unused.h)
 * all come from these tables. */
#ifndef NOETHER_DRIVER_OPTION_TABLE_H
#define NOETHER_DRIVER_OPTION_TABLE_H

#include "driver/check.h"

/* id, name, operands (those in brackets may be missing), number of operands, summary */
/* clang-format off */
#define COMMANDS(COMMAND)                                                                                              \
    COMMAND(CHECK, "check", "MODEL [PROPERTIES]", 2,                                                                   \
            "check all properties of a model and of a .props file; of several models, one after the other")            \
    COMMAND(RESUME, "resume", "DIR", 1, "go on with a check from its checkpoint (check --checkpoint)")                 \
    COMMAND(PROVE, "prove", "MODEL [PROPERTIES]", 2, "prove the properties of a model for every number of its threads, or elements of its scalarsets") \
    COMMAND(SYMMETRY, "symmetry", "MODEL [PROPERTIES]", 2,                                                             \
            "show which elements are interchangeable, what each rule distinguishes, and where")                        \
    COMMAND(REPLAY, "replay", "MODEL [PROPERTIES] TRACE", 3, "check that a trace file is a real run of the model")     \
    COMMAND(REDUCE, "reduce", "MODEL [PROPERTIES]", 2, "write a model that counts processes by local state instead of naming them") \
    COMMAND(GRAPH, "graph", "MODEL [PROPERTIES]", 2,                                                                   \
            "draw the reachable states, or their orbits, with the steps between them and a counterexample")            \
    COMMAND(SIMULATE, "simulate", "MODEL [PROPERTIES]", 2, "step through a model, by hand or at random")               \
    COMMAND(EXPLAIN, "explain", "MODEL [PROPERTIES] TRACE", 3,                                                         \
            "explain why a trace violates a property: which subformulas are false, in which step, for which process")  \
    COMMAND(INIT, "init", "[LANGUAGE] [FILE]", 2,                                                                      \
            "write a small model to begin with: murphi, prism, promela or boolean")                                    \
    COMMAND(FORMAT, "format", "FILE...", 1, "write models and properties in one layout; nothing but blanks changes")     \
    COMMAND(LSP, "lsp", "", 0, "serve an editor: the language server protocol on standard input and output")           \
    COMMAND(HELP, "help", "[COMMAND]", 1, "show what a command does and its options")
/* clang-format on */

enum command_id {
#define COMMAND(id, name, operands, count, summary) COMMAND_##id,
    COMMANDS(COMMAND)
#undef COMMAND
        COMMAND_COUNT
};

enum { FOR_PROVE = 1 << COMMAND_PROVE, FOR_RESUME = 1 << COMMAND_RESUME };
enum { FOR_CHECK = 1 << COMMAND_CHECK, FOR_SYMMETRY = 1 << COMMAND_SYMMETRY, FOR_REPLAY = 1 << COMMAND_REPLAY };
enum { FOR_REDUCE = 1 << COMMAND_REDUCE, FOR_GRAPH = 1 << COMMAND_GRAPH };
enum { FOR_FORMAT = 1 << COMMAND_FORMAT, FOR_LSP = 1 << COMMAND_LSP };
enum { FOR_SIMULATE = 1 << COMMAND_SIMULATE, FOR_EXPLAIN = 1 << COMMAND_EXPLAIN };
#define FOR_ALL                                                                                                        \
    (FOR_CHECK | FOR_PROVE | FOR_SYMMETRY | FOR_REPLAY | FOR_REDUCE | FOR_GRAPH | FOR_SIMULATE | FOR_EXPLAIN)
enum { FOR_COMPARING = 1 << COMMAND_COUNT }; /* beside its commands: help shows it in a section of its own */
enum { IN_ANSWER = 2 << COMMAND_COUNT };     /* beside its commands: it is one of the "options" of the JSON answer */

/* The engines that use an option. */
enum {
    USED_BY_NONE = 0,
    USED_BY_EXPLICIT = 1 << ENGINE_EXPLICIT,
    USED_BY_ADAPTIVE = 1 << ENGINE_ADAPTIVE,
    USED_BY_COMPLETE = 1 << ENGINE_COMPLETE,
    USED_BY_SYMBOLIC = 1 << ENGINE_SYMBOLIC,
    USED_BY_COUNTER = 1 << ENGINE_COUNTER,
    USED_BY_COVER = 1 << ENGINE_COVER,
    USED_BY_SAT = 1 << ENGINE_SAT,
    USED_BY_EVERY = 1 << ENGINE_EVERY,
    USED_BY_PROBABILISTIC = 1 << ENGINE_PROBABILISTIC,
    USED_BY_ALL = (2 << ENGINE_PROBABILISTIC) - (1 << ENGINE_EXPLICIT),
    USED_BY_RULES = USED_BY_EXPLICIT | USED_BY_COUNTER | USED_BY_PROBABILISTIC /* engines that fire rules one by one */
};

enum option_kind {
    KIND_FLAG,
    KIND_CHOICE, /* the argument lists the values: "off|auto" */
    KIND_SIZE,   /* bytes: 512M, 4G */
    KIND_TIME,   /* seconds: 90, 10m, 2h */
    KIND_COUNT,
    KIND_SHARE, /* between 0 and 1: 1e-6 */
    KIND_TEXT,
    KIND_DEFINE /* NAME=VALUE, repeatable */
};

/* OPTION: id, letter, name, kind, argument, default (what the user would write, or NULL), commands, help.
 * SETTING: an option of engines: before the help also its field in struct engine_options (0 is the default), and the
 * engines that use it, for Murphi and for PRISM models. */
/* clang-format off */
#define OPTIONS(OPTION, SETTING)                                                                                       \
    OPTION(ENGINE, 0, "engine", KIND_CHOICE, "auto|explicit|adaptive|complete|symbolic|counter|cover|sat|every|probabilistic", \
           "auto", FOR_CHECK | IN_ANSWER,                                                                              \
           "explicit states (explicit), partial symmetry (adaptive, complete), decision diagrams (symbolic), "         \
           "counters of processes by local state (counter), any number of threads (cover), a SAT solver (sat), every size of scalarsets (every), "       \
           "probabilities and rewards (probabilistic), or "                                                            \
           "the engine that suits the model (auto; -v says why); see docs/engines.md")                                 \
    SETTING(METHOD, 0, "method", KIND_CHOICE,                                                                          \
            "auto|adaptive|standard|none|orbit|multiple|onthefly|dynamic|generic|bmc|induction|ic3|views", "auto",     \
            FOR_CHECK, method,                                                                                         \
            USED_BY_ADAPTIVE | USED_BY_SYMBOLIC | USED_BY_SAT | USED_BY_COVER, USED_BY_SYMBOLIC,                       \
            "how the engine reduces: adaptive (partitions that adapt to the run) for the adaptive engine; "            \
            "none, onthefly, dynamic or generic (counters) for the symbolic one; bounded model checking (bmc), "       \
            "k-induction (induction) or ic3 for the sat one, which takes turns by default; decision diagrams only "    \
            "(views) for the cover one, which takes turns, too")                                                       \
    SETTING(FRONTIER, 0, "frontier", KIND_COUNT, "N", NULL, FOR_CHECK | FOR_COMPARING, frontier,                       \
            USED_BY_SYMBOLIC, USED_BY_NONE,                                                                            \
            "with --method onthefly: expand at most N nodes of the decision diagram of new states at a time, "         \
            "the rest later: less memory, and runs that are not shortest")                                             \
    SETTING(VECTORS, 0, "vectors", KIND_CHOICE, "auto|arrays|diagrams", "auto", FOR_CHECK | FOR_COMPARING,             \
            vectors, USED_BY_NONE, USED_BY_ALL,                                                                        \
            "symbolic engine: the numbers of all states as arrays, or as diagrams with leaves, which may be "          \
            "small where no array fits (auto: arrays that fit into memory)")                                           \
    SETTING(PERMUTATIONS, 0, "permutations", KIND_CHOICE, "all|rotation|none", "all",                                  \
            FOR_CHECK | FOR_COMPARING, permutations, USED_BY_COMPLETE, USED_BY_NONE,                                   \
            "which permutations of the processes are tried")                                                           \
    SETTING(LOCATION, 0, "location", KIND_TEXT, "NAME", NULL, FOR_CHECK | FOR_COMPARING, location,                     \
            USED_BY_COMPLETE, USED_BY_NONE,                                                                            \
            "the control location, as in pc or process.state (default: inferred)")                                     \
    SETTING(DEAD, 0, "dead", KIND_CHOICE, "clear|keep", "clear", FOR_REDUCE | FOR_CHECK, keep_dead,                    \
            USED_BY_COUNTER | USED_BY_SYMBOLIC, USED_BY_NONE,                                                          \
            "counter abstraction: merge local states that differ only in values never read again (clear), or "         \
            "keep them apart")                                                                                         \
    OPTION(OUTPUT, 'o', "output", KIND_TEXT, "FILE", NULL, FOR_REDUCE | FOR_GRAPH,                                     \
           "where to write the model or the graph (default: standard output); the properties of a reduced "            \
           "PRISM model go to a file of the same name that ends in .props")                                            \
    OPTION(AS, 0, "as", KIND_CHOICE, "dot|svg|json", NULL, FOR_GRAPH,                                                  \
           "what is written: DOT for Graphviz, SVG (drawn by Graphviz), or JSON (default: by the extension "           \
           "of the output, else dot)")                                                                                 \
    OPTION(MAX_NODES, 0, "max-nodes", KIND_COUNT, "N", NULL, FOR_GRAPH,                                                \
           "show the first N nodes, and the counterexample; a note says what is left out (default: the "               \
           "counterexample and the nodes one step from it, at most 200; without one, the first 200)")                  \
    OPTION(AROUND, 0, "around", KIND_TEXT, "STATE", NULL, FOR_GRAPH,                                                   \
           "show the nodes nearest to this one: its number, or a condition of the model's language (the "              \
           "first node where it is true)")                                                                             \
    OPTION(RANDOM, 0, "random", KIND_COUNT, "N", NULL, FOR_SIMULATE,                                                   \
           "take N random steps, in walks from the start, and stop when something is wrong (exit status 1)")           \
    OPTION(LOAD, 0, "load", KIND_TEXT, "FILE", NULL, FOR_SIMULATE,                                                     \
           "begin at the end of a run, as check --trace or the command save writes it; undo goes back along "          \
           "it")                                                                                                       \
    OPTION(SEED, 0, "seed", KIND_COUNT, "N", "1", FOR_SIMULATE,                                                        \
           "seed of the random steps: the same seed, the same run")                                                    \
    OPTION(SYMMETRY, 0, "symmetry", KIND_CHOICE, "auto|declared|off|guarded|detected", "auto",                         \
           FOR_CHECK | FOR_GRAPH | IN_ANSWER,                                                                          \
           "use all symmetry that is found (auto), without virtual symmetry (detected), that of the scalarsets only "  \
           "(declared), or none; guarded: also what is broken by guards only, with these left out first")                                                                   \
    SETTING(REPRESENTATIVE, 0, "representative", KIND_CHOICE,                                                          \
            "auto|canonical|sorted|segmented|enumerate|local|first|markers|flood|nauty|greedy", "auto",                \
            FOR_CHECK, representative, USED_BY_EXPLICIT, USED_BY_NONE,                                                 \
            "which state represents an orbit (docs/symmetry.md): a canonical one always, or where it pays "            \
            "(auto)")                                                                                                  \
    SETTING(REDUCTION, 0, "reduction", KIND_CHOICE, "none|por", "none", FOR_CHECK, partial_order,                      \
            USED_BY_EXPLICIT, USED_BY_NONE,                                                                            \
            "leave out orders of independent steps (por: partial-order reduction, docs/engines.md): fewer states, "    \
            "the same verdicts; counterexamples may be longer")                                                        \
    SETTING(SEARCH, 0, "search", KIND_CHOICE, "bfs|dfs|backward", "bfs", FOR_CHECK, order,                             \
            USED_BY_EXPLICIT | USED_BY_SYMBOLIC, USED_BY_NONE,                                                         \
            "order of the search: breadth first finds shortest counterexamples, depth first deep ones early; "         \
            "backward from the violations, with the symbolic engine, where few states lead to them")                   \
    SETTING(DEADLOCK, 0, "deadlock", KIND_CHOICE, "stuttering|stuck|off", "stuttering",                                \
            FOR_CHECK | FOR_PROVE | FOR_GRAPH | FOR_SIMULATE, deadlock, USED_BY_ALL, USED_BY_ALL,                                  \
            "what a deadlock is: no rule leads to another state (stuttering), no rule is enabled (stuck)")             \
    OPTION(DEFINE, 'D', "define", KIND_DEFINE, "NAME=VALUE", NULL, FOR_ALL,                                            \
           "give a constant of the model another value; in a PRISM model, a constant that has none "                   \
           "(repeatable, or N=4,K=2; --const is the same); check also takes ranges, N=1:2:9 or p=0:0.1:1, and "        \
           "prints a table")                                                                                           \
    OPTION(PROPERTIES, 'p', "properties", KIND_TEXT, "FILE", NULL, FOR_ALL,                                            \
           "the properties file (same as the second operand; any extension)")                                          \
    OPTION(PROPERTY, 0, "property", KIND_TEXT, "TEXT", NULL, FOR_ALL | IN_ANSWER,                                      \
           "check this property, too: what could stand in a .props file (repeatable; "                                 \
           "docs/languages/properties.md)")                                                                            \
    OPTION(FINAL, 0, "final", KIND_TEXT, "CONDITION", NULL, FOR_ALL,                                                   \
           "no deadlock where this is true: the protocol may end there (as a final declaration of a Murphi model "     \
           "says; repeatable)")                                                                                        \
    OPTION(FAIRNESS, 0, "fairness", KIND_TEXT, "WHAT", NULL, FOR_CHECK | FOR_REPLAY | FOR_EXPLAIN,                     \
           "Murphi and Promela models: formulas are about fair runs only: weak or strong, in Murphi perhaps with the type of the "           \
           "processes, or a rule in quotes (as a fairness declaration says; repeatable; "                              \
           "docs/languages/properties.md)")                                                                            \
    SETTING(FINITE_RUNS, 0, "finite-runs", KIND_CHOICE, "repeat|drop", "repeat", FOR_CHECK, drops_finite,              \
            USED_BY_EXPLICIT | USED_BY_SYMBOLIC | USED_BY_COUNTER, USED_BY_NONE,                                       \
            "LTL, and CTL with fairness: a run that ends repeats its last state for ever, or does not count")          \
    OPTION(CERTIFICATE, 0, "certificate", KIND_TEXT, "FILE", NULL, FOR_CHECK,                                          \
           "write evidence that noether-verify checks: for \"holds\" the states and the group (explicit engine, safety " \
           "properties), for probabilities and rewards the states and bounds of each (docs/certificates.md)")          \
    OPTION(WARNINGS, 0, "warnings", KIND_CHOICE, "show|off|error", "show", FOR_CHECK | FOR_PROVE,                      \
           "what may be a mistake in the model: rules that never fire, what is declared and not used, names that "     \
           "hide others; show it, or not, or end with exit status 1")                                                  \
    OPTION(RESULTS, 0, "results", KIND_FLAG, NULL, NULL, FOR_CHECK,                                                    \
           "compare the answers with the //RESULT: comments of the properties (PRISM); exit status 0: all "            \
           "agree")                                                                                                    \
    SETTING(MEMORY, 0, "memory", KIND_SIZE, "SIZE", NULL, FOR_ALL | FOR_RESUME, limits.memory_bytes, USED_BY_ALL,                   \
            USED_BY_ALL,                                                                                               \
            "stop when the process needs more memory, as in 512M or 4G (default: 80% of what it may have)")            \
    SETTING(TIME, 0, "time", KIND_TIME, "TIME", NULL, FOR_ALL | FOR_RESUME, limits.seconds, USED_BY_ALL, USED_BY_ALL,               \
            "stop after this long, as in 90, 10m or 2h, with what is known by then")                                   \
    SETTING(STATES, 0, "states", KIND_COUNT, "N", NULL, FOR_CHECK | FOR_RESUME | FOR_PROVE | FOR_GRAPH, limits.states,              \
            USED_BY_ALL & ~(USED_BY_SYMBOLIC | USED_BY_SAT | USED_BY_EVERY), USED_BY_ALL & ~USED_BY_SYMBOLIC,                                          \
            "stop after storing N states (default of graph: 20000)")                                                   \
    SETTING(DEPTH, 0, "depth", KIND_COUNT, "N", NULL, FOR_CHECK | FOR_RESUME, limits.depth, USED_BY_ALL, USED_BY_NONE,              \
            "look no further than N steps from a start state")                                                         \
    SETTING(THREADS, 0, "threads", KIND_COUNT, "N", NULL, FOR_CHECK | FOR_RESUME, threads,                                          \
            USED_BY_EXPLICIT | USED_BY_SYMBOLIC, USED_BY_ALL,                                                          \
            "search with N threads (default: one for each processor); for models without "                 \
            "probabilities, the explicit and symbolic engines")                                                                                        \
    OPTION(PROVE_ENGINE, 0, "engine", KIND_CHOICE, "auto|cover|every", "auto", FOR_PROVE | IN_ANSWER,                  \
           "a search of thread transition systems, which decides (cover), or an inductive invariant of small sizes, "  \
           "proved for all (every, docs/every-n.md); auto: cover where the model is made of threads, else every")      \
    SETTING(PARAMETER, 0, "parameter", KIND_TEXT, "CONSTANT", NULL, FOR_CHECK | FOR_PROVE, parameter, USED_BY_EVERY,   \
            USED_BY_NONE,                                                                                              \
            "every engine: look for invariants at small values of this constant, which is the size of a scalarset, "   \
            "only (default: of all such constants)")                                                                   \
    SETTING(EVIDENCE, 0, "evidence", KIND_TEXT, "DIR", NULL, FOR_CHECK | FOR_PROVE, evidence_folder, USED_BY_EVERY,    \
            USED_BY_NONE,                                                                                              \
            "every engine: keep the queries of the proof in this folder, as SMT-LIB files that any solver can "        \
            "answer again: each answer must be unsat")                                                                 \
    OPTION(WRITE, 0, "write", KIND_TEXT, "FILE", NULL, FOR_PROVE,                                                      \
           "every engine: write the model with the inductive invariant added, so that other tools can check it")       \
    OPTION(EVERY, 0, "threads", KIND_CHOICE, "any", "any", FOR_PROVE,                                                  \
           "for how many threads of the model: any number (docs/engines.md, cover)")                                   \
    SETTING(CHECKPOINT, 0, "checkpoint", KIND_TEXT, "DIR", NULL, FOR_CHECK, checkpoint_folder, USED_BY_EXPLICIT,       \
            USED_BY_NONE,                                                                                              \
            "explicit engine: keep in this folder what noether resume needs to go on after a limit, a signal or "      \
            "a crash; it is removed when the answer is complete (docs/scale.md)")                                      \
    SETTING(CHECKPOINT_EVERY, 0, "every", KIND_TIME, "TIME", NULL, FOR_CHECK | FOR_RESUME, checkpoint_every,           \
            USED_BY_EXPLICIT, USED_BY_NONE,                                                                            \
            "with --checkpoint: how much work is lost at most, as in 90, 10m or 2h (default: 10m)")                    \
    SETTING(DISK, 0, "disk", KIND_TEXT, "DIR", NULL, FOR_CHECK | FOR_RESUME, disk_folder, USED_BY_EXPLICIT,            \
            USED_BY_NONE,                                                                                              \
            "explicit engine: when memory is short, visited states go to files in this folder, which leave nothing "   \
            "behind (docs/scale.md)")                                                                                  \
    SETTING(DISK_LIMIT, 0, "disk-limit", KIND_SIZE, "SIZE", NULL, FOR_CHECK | FOR_RESUME, disk_limit, USED_BY_EXPLICIT,             \
            USED_BY_NONE, "with --disk: write at most this much there, as in 500G (default: as much as there is)")     \
    SETTING(DISTRIBUTED, 0, "distributed", KIND_FLAG, NULL, NULL, FOR_CHECK | FOR_RESUME, is_distributed, USED_BY_EXPLICIT,         \
            USED_BY_NONE,                                                                                              \
            "explicit engine: search with all processes that mpirun has started (mpirun -n 8 noether check MODEL "     \
            "--distributed; docs/distributed.md)")                                                                     \
    SETTING(STORE, 0, "store", KIND_CHOICE, "compact|plain", "compact", FOR_CHECK, store, USED_BY_EXPLICIT,            \
            USED_BY_NONE,                                                                                              \
            "how states are kept: a few bytes each when memory is short (compact), or numbered, with one thread (plain)")                      \
    SETTING(HASH_COMPACT, 0, "hash-compact", KIND_FLAG, NULL, NULL, FOR_CHECK, hash_compact, USED_BY_EXPLICIT,         \
            USED_BY_NONE,                                                                                              \
            "keep 64-bit fingerprints of the states only: holds up to hash collisions, whose number is "               \
            "estimated")                                                                                               \
    SETTING(KEEP_GOING, 0, "keep-going", KIND_FLAG, NULL, NULL, FOR_CHECK | FOR_PROVE, keep_going, USED_BY_ALL,        \
            USED_BY_ALL,                                                                                               \
            "go on after the first violation until every property is decided, not only the one violated "              \
            "first")                                                                                                   \
    SETTING(WITNESS, 0, "witness", KIND_FLAG, NULL, NULL, FOR_CHECK, witness, USED_BY_ALL, USED_BY_ALL,                \
            "show a run for every CTL property that holds, where one run can show it; for an mdp, put what "           \
            "the best scheduler does in each state into the JSON answer")                                              \
    SETTING(EPSILON, 0, "epsilon", KIND_SHARE, "WIDTH", NULL, FOR_CHECK, epsilon, USED_BY_NONE, USED_BY_ALL,           \
            "how wide the interval of a quantity may be, relative to its value (default: 1e-6)")                       \
    SETTING(EPSILON_ABSOLUTE, 0, "epsilon-absolute", KIND_SHARE, "WIDTH", NULL, FOR_CHECK, epsilon_absolute,           \
            USED_BY_NONE, USED_BY_ALL,                                                                                 \
            "how wide the interval of a quantity may be, whatever its value: 1e-20 makes [0, 1e-20] an answer "        \
            "(default: 0, only --epsilon counts; as PRISM's -absolute, Storm's --absolute)")                           \
    SETTING(EXACT, 0, "exact", KIND_FLAG, NULL, NULL, FOR_CHECK, is_exact, USED_BY_NONE, USED_BY_ALL,                  \
            "compute with fractions; the answer is the exact value, not an interval")                                  \
    SETTING(FAIR, 0, "fair", KIND_FLAG, NULL, NULL, FOR_CHECK, is_fair, USED_BY_NONE, USED_BY_ALL,                     \
            "mdp: only strongly fair schedulers, which take every choice infinitely often where it is "                \
            "possible infinitely often (as PRISM's -fair)")                                                            \
    OPTION(FULL_STATES, 0, "full-states", KIND_FLAG, NULL, NULL, FOR_CHECK | FOR_RESUME | FOR_PROVE | FOR_REPLAY | FOR_SIMULATE,    \
           "show whole states in traces, not only what changed")                                                       \
    OPTION(JSON, 0, "json", KIND_TEXT, "FILE", NULL, FOR_CHECK | FOR_RESUME | FOR_PROVE | FOR_SYMMETRY,                             \
           "write the answer as JSON (docs/json.md); - is standard output, with no text beside it")                    \
    OPTION(CSV, 0, "csv", KIND_TEXT, "FILE", NULL, FOR_CHECK | FOR_PROVE,                                              \
           "write the table of an experiment (-D with ranges) as comma-separated values; - is standard output")        \
    OPTION(TRACE, 0, "trace", KIND_TEXT, "FILE", NULL, FOR_CHECK | FOR_RESUME | FOR_PROVE | FOR_REPLAY | FOR_SIMULATE, \
           "write the counterexample of the first violated property to a file, for replay and explain; with replay, "  \
           "the run once more, in another format")                                                                     \
    OPTION(TRACE_FORMAT, 0, "trace-format", KIND_CHOICE, "json|itf|mermaid|plantuml|shiviz|csv", "json",               \
           FOR_CHECK | FOR_RESUME | FOR_PROVE | FOR_REPLAY | FOR_SIMULATE,                                             \
           "what --trace writes: json and itf are read back; mermaid and plantuml are sequence diagrams, shiviz "      \
           "is a log with vector clocks, csv a table (docs/exchange.md)")                                              \
    OPTION(TRAIL, 0, "trail", KIND_FLAG, NULL, NULL, FOR_CHECK,                                                       \
           "Promela models: do not search, but replay the trail that SPIN's pan has written, MODEL.trail or the "      \
           "second operand, and say what it violates; --trace writes it as a trace of ours")                           \
    OPTION(REPORT, 0, "report", KIND_TEXT, "FILE", NULL, FOR_CHECK | FOR_RESUME | FOR_PROVE,                                        \
           "write the answer as one HTML page: verdicts, counterexamples to step through, coverage "                   \
           "(docs/report.md)")                                                                                         \
    OPTION(FORMAT, 0, "format", KIND_CHOICE, "text|sarif|junit", "text", FOR_CHECK | FOR_RESUME | FOR_PROVE,                  \
           "what is printed: text for people, SARIF for code-review tools, or JUnit XML for test servers")             \
    OPTION(WATCH, 0, "watch", KIND_FLAG, NULL, NULL, FOR_CHECK,                                                        \
           "check again whenever a file of the command line changes, until Ctrl-C")                                    \
    OPTION(LANGUAGE, 0, "language", KIND_CHOICE, "murphi|prism|boolean|tts|promela", NULL, FOR_ALL | FOR_FORMAT | IN_ANSWER,                            \
           "language of the model (default: by its extension)")                                                        \
    OPTION(UNDEFINED, 0, "undefined", KIND_CHOICE, "warn|error", "warn", FOR_ALL | IN_ANSWER,                          \
           "an undefined scalarset or union in a comparison of a Murphi model: it differs from every element, and "    \
           "equals another one, and a warning says where (warn, as CMurphi), or it is an error of the model (error, as rumur)")                     \
    OPTION(DIALECT, 0, "dialect", KIND_CHOICE, "auto|cmurphi|rumur", "auto", FOR_ALL | IN_ANSWER,                      \
           "whose rules hold for undefined values in a Murphi model: those of CMurphi, of rumur (with --undefined "    \
           "error), or auto, which goes on wherever one of them does, except that a function may not return an "        \
           "undefined value; see docs/languages/murphi.md")                                                            \
    OPTION(THREADS_OF_MODEL, 0, "threads-of-model", KIND_COUNT, "N", NULL, FOR_ALL | IN_ANSWER,                        \
           "Boolean programs and thread transition systems: how many threads there are at most, main included "        \
           "(default: as many as the program starts, else any number; docs/languages/boolean.md)")                     \
    OPTION(RECURSION, 0, "recursion", KIND_COUNT, "N", NULL, FOR_ALL | IN_ANSWER,                                      \
           "Boolean programs: how many calls of one procedure may be active in a thread (default: 4); a deeper one "    \
           "is an error of the run")                                                                                    \
    OPTION(PROCESSES, 0, "processes", KIND_COUNT, "N", NULL, FOR_ALL | IN_ANSWER,                                      \
           "Promela: room for N processes where they are started without bound, at most SPIN's 255; a run of more is " \
           "an error (default: 24 more than run from the start)")                                                      \
    OPTION(PROCESS_DEATH, 0, "process-death", KIND_CHOICE, "auto|last|any|never", "auto", FOR_ALL | IN_ANSWER,         \
           "Promela: a process that has ended disappears when it has the highest pid (last, as in SPIN), at any time "  \
           "(any), or not at all (never: refused where something can see it). auto: last; check and symmetry take "    \
           "never where that makes more processes interchangeable")                                                    \
    OPTION(CYCLES, 0, "cycles", KIND_CHOICE, "labels|off", "labels", FOR_ALL | IN_ANSWER,                              \
           "Promela: acceptance and non-progress cycles are looked for where the model has labels that begin with "    \
           "accept or progress (as pan -a, pan -l), or only where --property asks for them")                           \
    OPTION(DUMP, 0, "dump", KIND_CHOICE, "ir|bytecode|c|plan", NULL, FOR_CHECK,                                        \
           "print what the model was translated to, or the plan of the check, and stop")                               \
    SETTING(STEPPER, 0, "stepper", KIND_CHOICE, "auto|native|vm|evaluator", "auto", FOR_CHECK | FOR_RESUME, stepper,                \
            USED_BY_RULES, USED_BY_RULES,                                                                              \
            "what fires the rules: compiled code as soon as a C compiler has made it (auto) or from the "              \
            "start (native), the bytecode machine (vm), or the slow reference evaluator")                              \
    SETTING(PROFILE, 0, "profile", KIND_FLAG, NULL, NULL, FOR_CHECK, profile, USED_BY_EXPLICIT, USED_BY_NONE,          \
            "show for each rule how often it was enabled and fired, for each property how often it was "               \
            "evaluated, and the time that took, guards that were false included")                                      \
    OPTION(GENERATORS, 0, "generators", KIND_FLAG, NULL, NULL, FOR_SYMMETRY,                                           \
           "show permutations that generate the group; --generators=FILE: the group that those of a file generate")                                                                \
    OPTION(GIVEN, 0, "generators", KIND_TEXT, "FILE", NULL, FOR_CHECK | FOR_GRAPH | IN_ANSWER,                         \
           "use the group that the permutations of a file generate, instead of the one that is found: each is "       \
           "proved first (docs/symmetry.md has the form; noether symmetry --generators prints it)")                    \
    OPTION(AUDIT, 0, "audit", KIND_FLAG, NULL, NULL, FOR_SYMMETRY,                                                     \
           "check the group on all states: every generator takes states to states and steps to steps")                 \
    OPTION(QUIET, 'q', "quiet", KIND_FLAG, NULL, NULL, FOR_CHECK | FOR_RESUME | FOR_PROVE,                                          \
           "print the last line only")                                                                                 \
    OPTION(VERBOSE, 'v', "verbose", KIND_FLAG, NULL, NULL, FOR_CHECK | FOR_RESUME | FOR_PROVE | FOR_SYMMETRY | FOR_REPLAY | FOR_EXPLAIN, \
           "show more: in check every assertion, how often each rule fired, the witnesses of covers and why "          \
           "the engine was chosen; in symmetry every class of a rule; in replay the whole run; in explain "            \
           "every rule")                                                                                               \
    OPTION(IS_FORMATTED, 0, "check", KIND_FLAG, NULL, NULL, FOR_FORMAT,                                                \
           "write nothing; name the files whose layout would change, and end with exit status 1 if there are any")     \
    OPTION(IN_PLACE, 'w', "write", KIND_FLAG, NULL, NULL, FOR_FORMAT,                                                     \
           "write each file whose layout changes, instead of standard output")                                         \
    OPTION(STDIO, 0, "stdio", KIND_FLAG, NULL, NULL, FOR_LSP,                                                          \
           "standard input and output, as editors say; there is no other way")                                         \
    OPTION(HELP, 'h', "help", KIND_FLAG, NULL, NULL, FOR_ALL | FOR_RESUME | FOR_FORMAT | FOR_LSP | 1 << COMMAND_INIT | 1 << COMMAND_HELP,                \
           "show this help")
/* Values of a setting whose engines differ from those of the setting: id, value, engines for Murphi and for PRISM
 * models, what a refusal adds (or NULL). */
#define OPTION_VALUES(VALUE)                                                                                           \
    VALUE(METHOD, METHOD_ADAPTIVE, USED_BY_ADAPTIVE, USED_BY_NONE, NULL)                                               \
    VALUE(METHOD, METHOD_STANDARD, USED_BY_ADAPTIVE, USED_BY_NONE, NULL)                                               \
    VALUE(METHOD, METHOD_NONE, USED_BY_SYMBOLIC, USED_BY_SYMBOLIC, NULL)                                               \
    VALUE(METHOD, METHOD_ORBIT, USED_BY_SYMBOLIC, USED_BY_NONE, "for PRISM models there are none and generic")         \
    VALUE(METHOD, METHOD_MULTIPLE, USED_BY_SYMBOLIC, USED_BY_NONE, "for PRISM models there are none and generic")      \
    VALUE(METHOD, METHOD_ONTHEFLY, USED_BY_SYMBOLIC, USED_BY_NONE, "for PRISM models there are none and generic")      \
    VALUE(METHOD, METHOD_DYNAMIC, USED_BY_SYMBOLIC, USED_BY_NONE, "for PRISM models there are none and generic")       \
    VALUE(METHOD, METHOD_GENERIC, USED_BY_SYMBOLIC, USED_BY_SYMBOLIC, NULL)                                            \
    VALUE(METHOD, METHOD_BMC, USED_BY_SAT, USED_BY_NONE, NULL)                                                         \
    VALUE(METHOD, METHOD_INDUCTION, USED_BY_SAT, USED_BY_NONE, NULL)                                                   \
    VALUE(METHOD, METHOD_IC3, USED_BY_SAT, USED_BY_NONE, NULL)                                                         \
    VALUE(METHOD, METHOD_VIEWS, USED_BY_COVER, USED_BY_NONE, NULL)                                                     \
    VALUE(SEARCH, SEARCH_DEPTH_FIRST, USED_BY_EXPLICIT, USED_BY_NONE, NULL)                                            \
    VALUE(SEARCH, SEARCH_BACKWARD, USED_BY_SYMBOLIC, USED_BY_NONE, NULL)                                               \
    VALUE(DEADLOCK, DEADLOCK_STUCK, USED_BY_ALL & ~USED_BY_COVER, USED_BY_NONE,                                        \
          "a PRISM model stays where nothing is enabled (--property 'P=? [ F \"deadlock\" ]' asks whether it does)")   \
    VALUE(FAIR, 0, USED_BY_NONE, USED_BY_ALL, "Murphi and Promela models have --fairness")                                         \
    VALUE(THREADS, 1, USED_BY_ALL, USED_BY_ALL, NULL)

/* Values that only reproduce the methods of papers: id, values, help. Help shows them where it shows the options that
 * are FOR_COMPARING. */
#define OPTION_COMPARISONS(COMPARISON)                                                                                 \
    COMPARISON(METHOD, "standard|orbit|multiple",                                                                      \
               "one partition of the processes for the whole run (standard, of the adaptive engine); the relation of " \
               "orbits, or several representatives of an orbit (orbit, multiple, of the symbolic engine)")             \
    COMPARISON(REPRESENTATIVE, "sorted|segmented|enumerate|local|first|markers|flood|nauty|greedy",                    \
               "other representatives (docs/symmetry.md); markers may miss states, which the verdict then says")
/* clang-format on */

enum option_id {
#define OPTION(id, letter, name, kind, argument, standard, commands, help) OPTION_##id,
#define SETTING(id, letter, name, kind, argument, standard, commands, field, murphi, prism, help) OPTION_##id,
    OPTIONS(OPTION, SETTING)
#undef SETTING
#undef OPTION
        OPTION_COUNT
};

#endif
