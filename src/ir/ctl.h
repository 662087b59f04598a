/* CTL and LTL formulas, with quantifiers over finite types; CTL with past-time operators.
 *
 * A formula is a tree. Its leaves are *propositions*: IR conditions without temporal operators, as large as
 * possible, in which variables of the quantifiers around them may stand free. The meaning is over maximal paths: a
 * path ends only in a state without successors, so there EX f is false, AX f true, and AF f, EG f and f the same. Past
 * operators look back over the reachable states.
 *
 * A formula of linear time (LTL) is a tree of the same kind with the operators from LTL_X on in place of those of CTL.
 * It is about infinite runs; docs/languages/properties.md has the full definition of both. */
#ifndef NOETHER_IR_CTL_H
#define NOETHER_IR_CTL_H

#include "ir/system.h"

enum ctl_kind {
    CTL_PROPOSITION,
    CTL_DEADLOCK, /* nothing can move: as the built-in property has it */
    CTL_NOT,
    CTL_AND,
    CTL_OR,
    CTL_IMPLIES,
    CTL_FORALL,
    CTL_EXISTS, /* variable over all values of its type; left */
    /* Temporal: left; UNTIL: left until right. */
    CTL_EX,
    CTL_EF,
    CTL_EG,
    CTL_EU,
    CTL_AX,
    CTL_AF,
    CTL_AG,
    CTL_AU,
    CTL_EY, /* some predecessor */
    CTL_EP, /* now, or at some time before on some way here */
    /* Linear time: left; from LTL_U on: left and right. */
    LTL_X,
    LTL_F,
    LTL_G,
    LTL_NEVER, /* `never` accepts no run; left: its conditions, joined by CTL_AND in the order of their numbers */
    LTL_U,     /* right comes, left until then */
    LTL_W,     /* left until right comes, or for ever */
    LTL_R,     /* right until and when left comes, or for ever */
    LTL_M      /* the same, and left comes */
};

/* An automaton that is given with the model (Promela's never claim): it reads the states of a run one by one, and
 * accepts the run when it can be in an accepting state again and again. `positive` and `negative`: sets of its
 * conditions, by number; all of the first hold, none of the second. */
enum { NEVER_MOST_CONDITIONS = 64 };

struct never_edge {
    uint64_t positive, negative;
    uint32_t target;
};

struct never {
    uint32_t state_count, start, condition_count;
    const uint32_t *first; /* edges of s: edges[first[s]] .. edges[first[s + 1] - 1] */
    const struct never_edge *edges;
    const bool *is_accepting;
    bool is_finite; /* the accepting states accept whatever follows: a finite run shows that it is accepted */
};

/* An IR condition to be evaluated with values for its free variables (stepper_judge). */
struct proposition {
    uint32_t id; /* position in system->propositions */
    struct expr *formula;
    const struct variable *const *variables; /* free in it: scratch variables of quantifiers */
    uint32_t variable_count;
};

struct ctl {
    enum ctl_kind kind;
    struct span span;
    const struct proposition *proposition;
    const struct variable *variable;
    const struct never *never;
    struct ctl *left, *right;
    const struct variable *const *free; /* variables that are free in it */
    uint32_t free_count;
    bool is_past; /* a past operator is in it */
};

/* A condition without free variables, to be asked about by stepper_judge. */
const struct proposition *proposition_create(struct system *system, struct expr *formula);
/* `bound`: the variables of the quantifiers around. */
struct ctl *ctl_proposition(struct system *system, struct expr *formula, const struct variable *const *bound,
                            size_t bound_count, struct span span);
struct ctl *ctl_deadlock(struct system *system, struct span span);
/* NOT, AND, OR, IMPLIES and the temporal ones; right may be NULL. */
struct ctl *ctl_operator(struct system *system, enum ctl_kind kind, struct ctl *left, struct ctl *right,
                         struct span span);
/* The formula itself, where the variable does not occur in it: a value for it would be a part of the state. */
struct ctl *ctl_quantifier(struct system *system, enum ctl_kind kind, const struct variable *variable, struct ctl *body,
                           struct span span);

/* `conditions`: of no free variables, at least one, so many as the automaton has (or one that does not matter). */
struct ctl *ctl_never(struct system *system, const struct never *never, struct ctl *conditions, struct span span);
/* The condition of that number. */
const struct ctl *ctl_never_condition(const struct ctl *ctl, uint32_t number);

static inline bool ctl_is_temporal(const struct ctl *ctl)
{
    return ctl->kind >= CTL_EX;
}
/* Is the operator one of linear time? */
static inline bool ctl_is_linear(const struct ctl *ctl)
{
    return ctl->kind >= LTL_X;
}
/* Does an operator of time stand in it? */
bool ctl_has_temporal(const struct ctl *ctl);
/* Does an operator stand in it that is about paths onwards? */
bool ctl_has_future(const struct ctl *ctl);
/* Does a node of this kind stand in it? */
bool ctl_has(const struct ctl *ctl, enum ctl_kind kind);
/* Of a claim "if a then b", for all parameters: a. is_everywhere: it is about every reachable state (AG, G), not only
 * about start states. NULL: it is no such claim. */
const struct ctl *ctl_antecedent(const struct ctl *ctl, bool *is_everywhere);
/* "AF", "->", ... */
const char *ctl_kind_name(enum ctl_kind kind);
/* As people write it. */
void ctl_print(const struct ctl *ctl, struct text *out);

#endif
