/* Quantitative properties (PCTL, CSL, rewards, the path quantifiers of CTL) over a chain.
 *
 * A formula is a tree with a value in each state: true or false, or a number. Its leaves are IR conditions and weights;
 * a path formula stands only directly under PROBABILITY, EXISTS and FORALL. A formula of LTL (LINEAR, COSAFE) is a tree
 * of TEMPORAL, NOT, AND, OR, IMPLIES, COMPARE and COND; its largest parts without TEMPORAL are state formulas, the
 * atoms. */
#ifndef NOETHER_IR_PCTL_H
#define NOETHER_IR_PCTL_H

#include "ir/chain.h"
#include "ir/ctl.h"

enum pctl_kind {
    PCTL_TRUTH,    /* proposition */
    PCTL_NUMBER,   /* number */
    PCTL_INITIAL,  /* the start states */
    PCTL_DEADLOCK, /* no choice is enabled */
    PCTL_NOT,
    PCTL_AND,
    PCTL_OR,
    PCTL_IMPLIES,
    PCTL_COMPARE,     /* left op right: numbers, or truths for OP_EQ and OP_NE */
    PCTL_ARITHMETIC,  /* left op right: OP_ADD, OP_SUB, OP_MUL, OP_DIV */
    PCTL_NEGATE,      /* -left */
    PCTL_CALL,        /* function(left, right); right is NULL for those of one number */
    PCTL_COND,        /* condition_formula ? left : right */
    PCTL_PROBABILITY, /* of the paths with `path` */
    PCTL_STEADY,      /* in the long run, of left */
    PCTL_REWARD,      /* expected, of the structure `reward` */
    PCTL_EXISTS,
    PCTL_FORALL,   /* some path, all paths: `path` */
    PCTL_TEMPORAL, /* inside of LTL only: `path` of left and right, with its window */
    PCTL_FILTER,   /* of left over the states in which right holds (NULL: all) */
    PCTL_MULTI /* left, and what follows (right: another MULTI, or NULL): PROBABILITY and REWARD, by one scheduler */
};

enum pctl_function {
    PCTL_MIN,
    PCTL_MAX,
    PCTL_FLOOR,
    PCTL_CEIL,
    PCTL_ROUND, /* to the nearest integer, a half upwards */
    PCTL_POWER,
    PCTL_REMAINDER, /* of integers, never negative */
    PCTL_LOGARITHM  /* of left to the base right */
};

enum pctl_path {
    PCTL_NEXT,
    PCTL_EVENTUALLY,
    PCTL_ALWAYS,
    PCTL_UNTIL,
    PCTL_WEAK_UNTIL,
    PCTL_RELEASE,
    PCTL_LINEAR /* right: a formula of LTL */
};
enum pctl_goal {
    PCTL_REACH,
    PCTL_TOTAL,
    PCTL_CUMULATED,
    PCTL_INSTANT,
    PCTL_LONG_RUN,
    PCTL_COSAFE /* right: a formula of LTL, until it is certain that it holds */
};
enum pctl_extreme { PCTL_ANY, PCTL_LEAST, PCTL_GREATEST };
enum pctl_filter {
    PCTL_FILTER_MIN,
    PCTL_FILTER_MAX,
    PCTL_FILTER_ARGMIN,
    PCTL_FILTER_ARGMAX,
    PCTL_FILTER_AVERAGE,
    PCTL_FILTER_SUM,
    PCTL_FILTER_COUNT,
    PCTL_FILTER_FORALL,
    PCTL_FILTER_EXISTS,
    PCTL_FILTER_FIRST,
    PCTL_FILTER_RANGE,
    PCTL_FILTER_PRINT,
    PCTL_FILTER_PRINT_ALL,
    PCTL_FILTER_STATE
};

/* NULL: no bound. Steps of a DTMC or MDP are integers. */
struct pctl_window {
    const struct weight *lower, *upper;
    bool is_lower_strict, is_upper_strict;
};

struct pctl {
    enum pctl_kind kind;
    struct span span;
    bool is_number; /* its value is a number, not a truth */
    bool is_whole;  /* CALL: of integers */
    enum pctl_function function;
    enum operator op; /* COMPARE, ARITHMETIC; of a threshold: OP_LT, OP_LE, OP_GT, OP_GE */
    const struct proposition *proposition;
    const struct weight *number;
    struct pctl *left, *right, *condition_formula;
    /* PROBABILITY, STEADY, REWARD: the value is asked for, or compared with the threshold */
    bool is_query;
    enum pctl_extreme extreme;
    const struct weight *threshold;
    /* PROBABILITY, EXISTS, FORALL: left (UNTIL, WEAK_UNTIL, RELEASE) and right are the operands of the path */
    enum pctl_path path;
    struct pctl_window window; /* also the time of CUMULATED and INSTANT: upper */
    enum pctl_goal goal;       /* REWARD; REACH: right are the states */
    uint32_t reward;
    enum pctl_filter filter;
};

/* Is it about the least value over all schedulers? P>=p and P>p hold when that does; Pmax>=p says otherwise. */
bool pctl_is_least(const struct pctl *formula);
/* Is a probability compared with exactly 0 or 1? Then it is enough to know whether it is 0, 1 or in between. */
bool pctl_is_qualitative(const struct pctl *formula);
/* The first, and the last, number of steps in a window (without an upper bound: the first). False: there is none. */
bool pctl_steps(const struct pctl_window *window, uint64_t *from, uint64_t *to);
/* Does its value depend on single states, not only on sets of them (a filter that picks or shows some)? Such a formula
 * is invariant under no symmetry, and is to be evaluated on the states themselves. */
bool pctl_shows_states(const struct pctl *formula);
/* Does it matter which states are initial, besides that it is asked there: does it speak of them, or count the states
 * that are reachable from them? Else it is enough that the steps are symmetric. */
bool pctl_needs_starts(const struct pctl *formula);
/* Does the filter count states, or add up over them? */
bool pctl_filter_counts(enum pctl_filter filter);
/* Is it a formula of LTL, under P, E or A, or R? */
bool pctl_is_linear(const struct pctl *formula);
/* In a formula of LTL: is it a state formula, an atom? */
bool pctl_is_atom(const struct pctl *formula);

#endif
