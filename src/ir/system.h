/* The typed system, which front ends make and all other rooms read.
 *
 * Typed and finite. No engine knows which language a model came from. Built
 * with the functions below and ir/build.h, then closed by system_finish, after which it is
 * immutable and may be shared between threads. Everything is owned by the
 * system's arena. */
#ifndef NOETHER_IR_SYSTEM_H
#define NOETHER_IR_SYSTEM_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "ir/stmt.h"

struct chain;
struct ctl;
struct face;
struct face_step;
struct fairness;
struct joint;
struct language;
struct pctl;
struct proposition;
struct weight;

/* A parameter of a rule: a constant finite domain. An instance of a rule is a
 * choice of a value for each parameter, numbered in mixed radix with the last
 * parameter running fastest (see ir/instance.h). */
struct parameter {
    const struct variable *variable;
    const struct type *type;    /* its values in order of code; a slot number of a multiset has a range type */
    const struct place *choose; /* not NULL: the parameter is a slot of this multiset (the prelude requires it taken) */
};

/* Firing an instance: set the parameters; run the prelude (references bound, requirements); evaluate the
 * guard; run the body; normalise the multisets (layout_normalise). Scratch cells keep nothing
 * from one firing to the next: the front end emits UNDEFINE for locals. A start state
 * is a rule that runs on a memory of undefined cells (multisets empty). */
struct rule {
    const char *name; /* never NULL: anonymous rules get "rule 3" */
    struct span span;
    uint32_t id;  /* position in its list */
    bool is_made; /* by the front end, and stands in no text: it is no mistake if it never fires */
    struct parameter *parameters;
    uint32_t parameter_count;
    uint64_t instance_count; /* product of the domains; set by system_finish */
    /* Of a start state: the instances worth trying, in order. Of all others, and of values that the parameters' types
     * leave out, the guard is false. NULL: all. */
    const uint64_t *tried;
    size_t tried_count;
    struct block prelude;
    struct expr *guard; /* NULL: true */
    struct block body;
    /* Of a super-structure (rewrite/weaken.h): what the model has instead, a stronger guard (else NULL), and a body
     * that sets more (else empty). */
    struct expr *own_guard;
    struct block own_body;
    const struct weight *weight; /* NULL: 1. The outcomes of a probabilistic choice are rules (ir/chain.h) */
    const struct joint *joint;   /* of a chain: what the parameters mean, and the weights (ir/chain.h); NULL: nothing */
    const struct face_step *shown; /* how a step of it reads (ir/face.h); NULL: as its name and parameters */
};

struct function {
    const char *name;
    struct span span;
    uint32_t id;
    /* is_reference: by reference; else by value: copied. All arguments are evaluated, each checked against its
     * parameter's type, from left to right, before any parameter is written. */
    const struct variable **parameters;
    uint32_t parameter_count;
    const struct variable *result; /* scratch; NULL: a procedure */
    struct block body;
};

enum property_kind {
    PROPERTY_INVARIANT,  /* formula holds in every reachable state */
    PROPERTY_ASSUMPTION, /* states in which formula is false are not considered */
    PROPERTY_COVER,      /* some reachable state satisfies formula; or a cover statement */
    PROPERTY_LIVENESS,   /* from every reachable state one satisfying formula can be reached (rumur's liveness) */
    PROPERTY_CTL,        /* every start state satisfies the formula of branching time `ctl` */
    PROPERTY_LTL,        /* every run satisfies the formula of linear time `ltl` */
    PROPERTY_FAIRNESS,   /* CTL and LTL formulas are about the runs that meet `fairness` */
    PROPERTY_PCTL,       /* a quantity, or a bound on one, in the start states: `pctl` */
    PROPERTY_ASSERTION,  /* an assert statement */
    PROPERTY_ERROR,      /* an error statement */
    PROPERTY_DEADLOCK,   /* built in */
    PROPERTY_RUNTIME     /* built in: no evaluation faults (undefined value, range, ...) */
};

struct property {
    enum property_kind kind;
    uint32_t id; /* position in system->properties */
    const char *name;
    bool is_unnamed; /* the name is its text */
    struct span span;
    /* NULL for statements, the run-time property, CTL and LTL. Of the deadlock property: the states in which the model
     * may end (final conditions); NULL: none. */
    struct expr *formula;
    const struct proposition *antecedent; /* of a property "if a then b": see rewrite/antecedents.h; NULL: none */
    const struct ctl *ctl;                /* CTL: see ir/ctl.h; else NULL */
    const struct ctl *ltl;                /* LTL: see ir/ctl.h; else NULL */
    const struct fairness *fairness;      /* FAIRNESS: see ir/fairness.h; else NULL */
    const struct pctl *pctl;              /* PCTL: see ir/pctl.h; else NULL */
    bool drops_finite;                    /* LTL: runs that end do not count for it, whatever is asked for */
    const char *refusal;                  /* why nothing can be said of it, whatever the formula; NULL: it can */
    const char *failure; /* ERROR: what has happened then, in a sentence; NULL: the text's own statement was reached */
    const char *bound;  /* ERROR: the limit is the tool's, not the model's: what it is, and the option that raises it */
    const char *finals; /* of the deadlock property: the final conditions, by name or line; NULL: none */
    const char *expected; /* what the model's author says the result is (result/expected.h); NULL: nothing */
};

/* An index type and the constant that is its size. */
struct sized_index {
    const struct type *type;
    const char *constant;
    bool is_only;          /* the constant is this size, and stands nowhere else */
    struct span elsewhere; /* else: one of those places */
};

struct system {
    struct arena *arena;
    const char *name;                /* the model's path */
    const struct language *language; /* it was written in; never NULL */
    VEC(const struct type *) types;
    VEC(struct variable *) globals;
    VEC(struct variable *) scratch;
    VEC(struct rule *) rules;
    VEC(struct rule *) starts;
    VEC(struct function *) functions;
    VEC(struct property *) properties;      /* 0 is the deadlock, 1 the runtime property */
    VEC(struct proposition *) propositions; /* of CTL and PCTL properties, see ir/ctl.h */
    /* The index type whose size is a parameter of the model, so that one can ask about every size, and the constant
     * that is its size and nothing else (-D gives it another value; NULL: --threads-of-model does). NULL: none, or
     * several. */
    const struct type *population;
    const char *population_constant;
    /* All index types whose size is a constant that can be set. */
    VEC(struct sized_index) sized;
    bool is_unbounded; /* the model itself asks for every size of the population */
    /* Steps of several rules, one after the other (atomic sequences): a state in which this variable, a range, is not
     * the least of its values is passed through: it is no state of the system. Its successors are; if it has none, then
     * the state itself is, with the least value instead. In start states and wherever a step begins it is the least.
     * NULL: every step is one rule. */
    const struct variable *holder;
    bool is_never_held; /* no rule gives the holder another value: all steps are single rules (pass/holder.h) */
    /* A boolean, false in every state. Where no rule is enabled it is set, and the rules are tried once more: what is
     * enabled then may happen (timeout). It is false again behind the rule. NULL: none. */
    const struct variable *idle;
    struct face *face;   /* how states are shown (ir/face.h); NULL: as the variables are */
    bool orders_deaths;  /* processes disappear in the order of their pids; they could in any (struct manner) */
    bool hides_deaths;   /* ... and nothing can see when they disappear */
    struct chain *chain; /* NULL: it has no probabilities, see ir/chain.h */
    const struct type *boolean, *integer; /* integer: the type of arithmetic (all 32-bit codes but UNDEFINED) */
    int32_t next_code;
    uint32_t shared_count;              /* expressions that stand in several places: see struct expr */
    uint32_t state_cells, memory_cells; /* set by system_finish */
    /* Of a copy whose variables stand in another order (rewrite/gather.h): by cell of its state, the cell of the
     * original. NULL: the same. */
    const uint32_t *original_cells;
    uint64_t loop_limit; /* iterations of a while; default SYSTEM_LOOP_LIMIT */
    bool finished;
};

enum { SYSTEM_LOOP_LIMIT = 100000, SYSTEM_MAX_CELLS = 1 << 26, SYSTEM_DEADLOCK = 0, SYSTEM_RUNTIME = 1 };

struct system *system_create(const char *name);
void system_destroy(struct system *system);
/* Lays out memory, counts instances (UINT64_MAX: that many or more). No further changes. False when the variables
 * take more than SYSTEM_MAX_CELLS cells (the caller reports it). */
bool system_finish(struct system *system);

struct variable *system_add_global(struct system *system, const char *name, const struct type *type, struct span span);
struct variable *system_add_scratch(struct system *system, const char *name, const struct type *type, struct span span);
struct variable *system_add_reference(struct system *system, const char *name, const struct type *type,
                                      struct span span);
struct rule *system_add_rule(struct system *system, const char *name, struct span span);
struct rule *system_add_start(struct system *system, const char *name, struct span span);
struct function *system_add_function(struct system *system, const char *name, struct span span);
struct property *system_add_property(struct system *system, enum property_kind kind, const char *name,
                                     struct expr *formula, struct span span);
const char *property_kind_name(enum property_kind kind);

/* Is it a Markov chain or decision process (ir/chain.h)? Then a state without an enabled rule stays as it is. */
static inline bool system_has_probabilities(const struct system *system)
{
    return system->chain != NULL;
}
/* Are there steps that are not just one rule that fires in the state as it is? */
static inline bool system_has_macro_steps(const struct system *system)
{
    return (system->holder && !system->is_never_held) || system->idle;
}
/* Why who fires single rules cannot take it; NULL: it can. */
const char *system_refuses_single_rules(const struct system *system);
/* The value of the holder in a state: the first of its type, which is the least (in a copy of the system the codes may
 * be others, in the same order). */
int32_t system_nobody(const struct system *system);
/* The state is none of the system: it is passed through. */
bool system_passes_through(const struct system *system, const int32_t *cells);
/* The holder and the idle flag are not of the model: no user sees them. */
static inline bool system_is_internal(const struct system *system, const struct variable *variable)
{
    return variable == system->holder || variable == system->idle;
}
bool system_is_internal_cell(const struct system *system, uint32_t cell);
/* The cell of the original that a cell of the state is a copy of (struct system, original_cells). */
static inline uint32_t system_original_cell(const struct system *system, uint32_t cell)
{
    return system->original_cells ? system->original_cells[cell] : cell;
}
/* Is one of its properties a formula of linear time? */
bool system_has_ltl(const struct system *system);
bool system_has_cover_statements(const struct system *system);
bool system_has_assumptions(const struct system *system); /* of states, or in statements */
/* Is it an assumption about states? */
static inline bool property_is_assumed(const struct property *property)
{
    return property->kind == PROPERTY_ASSUMPTION && property->formula;
}
/* Of all rules together; no more than `most`. */
uint64_t system_total_instances(const struct system *system, uint64_t most);
/* All instances of all rules are numbered, one after the other, from 1 on: the number of the rule's first. 0: there are
 * more than SYSTEM_NUMBERED of them, and none has a number. */
enum { SYSTEM_NUMBERED = UINT16_MAX };
uint32_t system_first_number(const struct system *system, const struct rule *rule);
/* Does it name every element: no parameters, no quantifiers (struct language)? */
bool system_is_ground(const struct system *system);

#endif
