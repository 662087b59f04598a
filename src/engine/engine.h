/* The interface of an engine: a table of functions. */
#ifndef NOETHER_ENGINE_ENGINE_H
#define NOETHER_ENGINE_ENGINE_H

#include "base/pace.h"
#include "exec/steppers.h"
#include "ir/language.h"
#include "result/counting.h"
#include "result/verdict.h"

struct sizes;
struct reduction;
struct checkpoint;
struct transport;

enum search_order {
    SEARCH_BREADTH_FIRST,
    SEARCH_DEPTH_FIRST,
    SEARCH_BACKWARD /* engine symbolic: backward from the bad states; forward if that is undecided */
};
enum deadlock_mode { DEADLOCK_STUTTERING, DEADLOCK_STUCK, DEADLOCK_OFF };
/* Stuttering is no deadlock in a language in which a step may lead back to its state. */
static inline enum deadlock_mode deadlock_mode_of(const struct system *system, enum deadlock_mode mode)
{
    return system->language->loops_move && mode == DEADLOCK_STUTTERING ? DEADLOCK_STUCK : mode;
}
/* Why a state is a deadlock. */
static inline const char *deadlock_reason(enum deadlock_mode mode)
{
    return mode == DEADLOCK_STUCK ? "no rule is enabled" : "no enabled rule changes the state";
}

enum store_choice {
    STORE_COMPACT, /* a few bytes a state; breadth first only */
    STORE_PLAIN    /* whole states, numbered; one thread. Always so depth first, or with liveness properties */
};
enum partial_order { PARTIAL_ORDER_KEPT, PARTIAL_ORDER_REDUCED };
enum method {
    METHOD_AUTO, /* the engine's own choice */
    /* Of the adaptive engine: partitions that adapt to the run, or one partition for all. */
    METHOD_ADAPTIVE,
    METHOD_STANDARD,
    /* Of the symbolic engine: how it reduces by symmetry. */
    METHOD_NONE,
    METHOD_ORBIT,
    METHOD_MULTIPLE,
    METHOD_ONTHEFLY,
    METHOD_DYNAMIC,
    METHOD_GENERIC, /* counters: pass/counted.h */
    /* Of the sat engine: all three in turn by default. */
    METHOD_BMC,
    METHOD_INDUCTION,
    METHOD_IC3,
    METHOD_VIEWS /* of the cover engine: decision diagrams only; searches of lists take turns with these by default */
};

/* Engine `complete`: which permutations an interpolant is tried under. */
enum complete_method { COMPLETE_ALL, COMPLETE_ROTATION, COMPLETE_NONE };

/* Engine `symbolic`: how it keeps a number for each state. */
enum vectors { VECTORS_AUTO, VECTORS_ARRAYS, VECTORS_DIAGRAMS };

/* A race for the depth that another engine came to: a search that has taken as much processor time and is not there
 * ends, as by a limit of work. */
struct race {
    double cpu_seconds; /* 0: there is none */
    uint32_t depth;
};

/* Another engine that may have the answer sooner. It is run at the end of a level of the search (of the probabilistic
 * engine: while the matrix grows), for at most so many seconds of processor time. True: it has the answer, and the
 * search ends, as by a limit of work. */
struct rival {
    bool (*run)(void *user, double cpu_seconds); /* NULL: there is none */
    void *user;
};

/* A literal of a clause over states: the cell has, or has not, the value at this position of its type. */
struct cell_literal {
    uint32_t cell, ordinal;
    bool is_positive;
};

struct engine_options {
    enum search_order order;
    enum deadlock_mode deadlock;
    enum stepper_choice stepper;
    enum store_choice store;
    enum representative representative; /* engine explicit: which state of an orbit is kept */
    enum partial_order partial_order;   /* engine explicit: are orders of independent steps left out? */
    bool hash_compact; /* the compact store keeps 64-bit fingerprints: a state may be taken for another */
    uint32_t threads;  /* 0: as many as there are processors */
    enum method method;
    bool profile; /* find out where the time goes */
    enum complete_method permutations;
    const char *location; /* engine `complete`: the name of the control location; NULL: inferred */
    bool saturate_first;  /* engine symbolic: all reachable states at once, without a look at the nearest ones first */
    bool only_backward;   /* engine symbolic, order backward: if that decides nothing soon, the work limit is reached */
    uint64_t frontier;    /* method onthefly: nodes of the set that is expanded at a time; 0: all that was found */
    enum vectors vectors;
    bool keep_dead;          /* engine `counter`: do not merge local states that differ in dead values only */
    double epsilon;          /* engine `probabilistic`: how wide an answer may be, relative to the value; 0: 1e-6 */
    double epsilon_absolute; /* engines `probabilistic`, `symbolic`: an answer is never too wide if it is no wider */
    bool is_fair;            /* engine `probabilistic`: only strongly fair schedulers */
    bool is_exact;           /* engine `probabilistic`: rational arithmetic instead of bounds */
    bool detail;             /* engine `probabilistic`: also how the bounds converged, and the best scheduler's run */
    bool leaves_properties; /* counter abstraction: properties that cannot be translated are left open; the model is not
                               refused */
    const struct sizes *sizes; /* engines `cover`, `every`: the model at other sizes (population/sizes.h); NULL: none */
    const struct engine *helper; /* engine `every`: what finds invariants at small sizes; engine `cover`: what answers
                                    with decision diagrams; NULL there: nothing does */
    uint32_t views; /* engine symbolic: threads of a view; what holds then does so for any number of threads
                       (engine/symbolic/views.c). 0: the question is about the system as it is */
    bool is_fixed;  /* engine `cover`: the number of threads is fixed. The answer is what holds for any number, or a run
                       with no more threads; else the work limit is reached */
    const struct engine *explorer; /* engine `every`: what looks for violations at small sizes, state by state */
    const char *parameter;         /* engine `every`: the only constant whose value is changed; NULL: all that can be */
    const char *evidence_folder;   /* engine `every`: where the queries are kept; NULL: nowhere */
    /* Engine sat, method ic3: called with each clause of the inductive invariant that decides all, one for each orbit.
     */
    void (*on_clause)(void *user, const struct layout *layout, const struct cell_literal *literals, uint32_t count);
    void *on_clause_user;
    const struct reduction *reduction; /* the counter abstraction that made the system (reduce/reduce.h); NULL: none */
    bool drops_finite;               /* LTL, fair CTL: runs that end do not count; else they repeat their last state */
    bool witness;                    /* also show runs for properties that hold, if one run is evidence */
    bool keep_going;                 /* go on after the first violation, until every property is decided */
    const struct counting *counting; /* Markov chains: cells that count interchangeable modules; NULL: none */
    /* Of a super-structure (rewrite/weaken.h); NULL: the system is the model. Steps whose guard is weaker than the
     * model's may be none. So the search for deadlocks asks of a state without other exits whether some state of its
     * orbit is a deadlock of the model (by any thread), and who builds a graph tells of one without other edges. */
    bool (*may_be_stuck)(void *guarded, const int32_t *cells);
    void (*note_exits)(void *guarded, const int32_t *cells);
    void *guarded;
    const char *checkpoint_folder; /* engine explicit: where it is to be kept; NULL: nowhere */
    double checkpoint_every;       /* seconds; 0: the engine decides */
    struct checkpoint *checkpoint; /* in that folder; one with a search in it (checkpoint_search) is continued */
    const char *disk_folder;       /* engine explicit: where visited states go when memory is short; NULL: nowhere */
    uint64_t disk_limit;           /* bytes there, at most; 0: no limit */
    bool wants_warnings;           /* they decide: of an engine that looks at every state, where there is one */
    bool is_distributed;           /* engine explicit: the ranks of a distributed search are to work together: */
    const struct transport *transport; /* how they do (ranks/transport.h); NULL: there is one process */
    struct race race;                  /* engine adaptive */
    struct rival rival;                /* engine explicit, breadth first; engine probabilistic */
    struct limits limits;
    const volatile int *interrupted; /* becomes non-zero on Ctrl-C; may be NULL */
    progress_function *progress;
    void *progress_user;
    void (*tell)(enum result_event event, const struct layout *layout,
                 const struct result *result); /* result_listener; or NULL */
    /* For the tests: what is worth it in a large search only is done in a small one (a level of so many states is for
     * all threads; so many states of counters are too many to be counted one by one). 0: the engine decides. */
    uint32_t crowd;
    /* For certificates and tests: called when a search of the explicit engine begins (what was told of before is void),
     * and with every stored state (packed), by one thread at a time. */
    void (*on_search)(void *user, const struct layout *layout, const struct symmetry *symmetry);
    void (*on_state)(void *user, const uint64_t *packed);
    /* The probabilistic engine, for certificates: it tells of its states when all is decided, and then of the vectors
     * of each property that may have some (numeric/inductive.h), by state; lower NULL: none were found. */
    void (*on_measure)(void *user, const struct property *property, const double *lower, const double *upper,
                       const uint64_t *rank);
    void *on_state_user;
    /* For the tests of the adaptive engine: called with every abstract state in words ("N*2,T | C"). */
    void (*on_abstract)(void *user, const char *state);
    void *on_abstract_user;
};

/* Of a state without exits. */
static inline bool options_allow_stuck(const struct engine_options *options, const int32_t *cells)
{
    return !options->may_be_stuck || options->may_be_stuck(options->guarded, cells);
}

struct engine {
    const char *name, *summary;
    bool leaves_ctl; /* CTL and LTL properties are left open, for temporal_decide */
    /* NULL: yes; else the reason why not, which lives as long as `words`: the system may be shared by threads, and is
     * only read. */
    const char *(*supports)(const struct system *system, const struct engine_options *options, struct arena *words);
    struct result *(*run)(const struct layout *layout, const struct symmetry *symmetry,
                          const struct engine_options *options);
};

/* Decides the CTL and LTL properties of a system whose state space is known to be small enough, on the stored graph of
 * its (reduced) states (engine/ctl). `result` is that of an engine that has left them open; they are added to it. */
void temporal_decide(const struct layout *layout, const struct symmetry *symmetry, const struct engine_options *options,
                     struct result *result);

/* Looks for violations of LTL properties in a part of the states: the first `most` of each graph, breadth first. What
 * is found is added to `result`, and nothing else: no other verdicts, and no reasons why there are none. False: there
 * was no memory for as many, and fewer were looked at. */
bool temporal_hunt(const struct layout *layout, const struct symmetry *symmetry, const struct engine_options *options,
                   uint64_t most, struct result *result);

extern const struct engine engine_explicit, engine_adaptive, engine_complete, engine_symbolic, engine_counter,
    engine_cover, engine_sat, engine_every, engine_probabilistic;

#endif
