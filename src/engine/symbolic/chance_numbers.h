/* Probabilities between 0 and 1 and expected rewards, enclosed from both sides, in all states of a set at once.
 *
 * The value of a state is the least fixed point of an operator: the mean of the best (or only) choice over its
 * successors. Lower bounds are iterated from 0 and rounded down. Upper bounds are iterated from 1 and rounded up, and,
 * if that is slow or there is no initial bound, guessed from below and verified (as in numeric/fixpoint.h). In an end
 * component, iteration from above may not converge: there the values are also bounded by the widest path to the goal.
 * On each path some choice has to be taken, and the value is at most its mean (K. Phalakarn, T. Takisaka, T. Haas, I.
 * Hasuo, "Widest paths and global propagation in bounded value iteration for stochastic games", CAV 2020).
 *
 * Two forms of vectors. Arrays, by the numbers of the states (dd/blocks.h), if they fit in memory; else MTBDDs
 * (chance_leaves.c), whose values are rounded to fewer digits, each bound to its side, so that there are few of them.
 *
 *   chance_numbers.c   from a formula's sets to a problem and its answer
 *   chance_groups.c    equal moves, grouped
 *   chance_compile.c   the operator on arrays: made (chance_operator.h)
 *   chance_operator.c  and applied
 *   chance_enclose.c   iteration with arrays
 *   chance_leaves.c    iteration with diagrams
 *   chance_reward.c    rewards */
#ifndef NOETHER_ENGINE_SYMBOLIC_CHANCE_NUMBERS_H
#define NOETHER_ENGINE_SYMBOLIC_CHANCE_NUMBERS_H

#include "dd/blocks.h"
#include "engine/symbolic/chance.h"

/* How near the bounds have to be. */
enum chance_watch {
    WATCH_EACH,  /* in every state that is watched */
    WATCH_LEAST, /* of the least value among them */
    WATCH_GREATEST
};

/* What is earned: by being in a state or by taking a choice there. Not negative. */
struct chance_gain {
    dd where;        /* kept */
    uint32_t choice; /* GAIN_OF_STATE: none */
    double lower, upper;
};
enum { GAIN_OF_STATE = UINT32_MAX };

struct chance_problem {
    dd unknown; /* the states whose values are asked for; kept */
    dd one;     /* these have the value 1, all others 0; kept */
    dd inside;  /* least rewards: the states that choices must not leave; kept */
    dd begin;   /* those of the unknown with 1 for a beginning: with steps only; kept */
    dd watched; /* kept */
    enum chance_watch watch;
    bool is_least;
    bool is_complement; /* what is asked for is 1 - the value */
    bool is_bounded;    /* by steps */
    uint64_t steps;
    bool is_reward;  /* without limit; else at most 1 */
    bool is_instant; /* the gains of states are what it begins with, and nothing is earned on the way */
    const struct chance_gain *gains;
    size_t gain_count;
    /* Filled in by chance_solve. */
    dd *rows; /* by choice: where it may be taken among the unknown; registered */
    bool may_go_round;
    double epsilon, absolute; /* the width that is enough, relative to the value, and whatever the value */
};

/* Only the steps that are still to come can lead away from 1: the values never rise. */
static inline bool chance_is_falling(const struct chance_problem *problem)
{
    return problem->is_bounded && problem->begin != DD_FALSE && problem->begin == problem->unknown;
}

/* Bounds of the least and of the greatest of some values, of what is asked for. */
struct chance_bounds {
    double least_lower, least_upper, greatest_lower, greatest_upper;
    double gap; /* the greatest distance of the bounds of one state, relative to its value */
};

struct chance_numbers {
    dd unknown, one; /* referenced */
    bool is_complement;
    struct dd_index *index; /* arrays; NULL: of diagrams no more is kept than what was watched */
    double *lower, *upper;
    bool has_watched; /* these are the bounds of the states that were watched */
    struct chance_bounds watched;
    bool is_narrow; /* as near as wanted */
    uint64_t sweeps;
};

/* chance_numbers.c. False: a failure; what is known by then is in `watched`. Free the numbers in any case. */
bool chance_solve(struct chance *chance, struct chance_problem *problem, struct chance_numbers *numbers);
void chance_numbers_free(struct chance *chance, struct chance_numbers *numbers);
/* Where "value op limit" certainly holds, and where that is not known; kept. */
bool chance_numbers_compare(struct chance *chance, const struct chance_numbers *numbers, enum operator op,
                            const struct pctl_number *limit, dd *holds, dd *open);
/* Adds the bounds of one state. */
void chance_bounds_begin(struct chance_bounds *bounds);
void chance_bounds_add(struct chance_bounds *bounds, double lower, double upper, bool is_complement);
/* Near enough? */
bool chance_bounds_are_near(const struct chance_bounds *bounds, const struct chance_problem *problem);

/* chance_groups.c: of a chain, the moves with the same weight that may change the same. */
struct chance_group {
    dd changed;
    double lower, upper; /* the weight */
    dd matrix;           /* as leaves: how often it leads from row to column; referenced */
};
typedef VEC(struct chance_group) chance_groups;
/* False: no memory or time. */
bool chance_find_groups(struct chance *chance, const struct chance_problem *problem, chance_groups *groups);
void chance_groups_free(struct chance *chance, chance_groups *groups);

/* chance_operator.c */
struct chance_operator;
enum chance_side { SIDE_LOWER, SIDE_UPPER };
/* NULL: no memory for it, or a failure. */
struct chance_operator *chance_operator_create(struct chance *chance, const struct chance_problem *problem,
                                               struct dd_index *index);
void chance_operator_destroy(struct chance_operator *all);
/* y = the operator of x, rounded to that side, at most 1 unless it is a reward. */
void chance_operator_apply(struct chance_operator *all, const double *x, double *y, enum chance_side side);
/* w = at least the choice's min(mean of u, greatest of w where it leads). Was anything raised? */
bool chance_operator_widen(struct chance_operator *all, const double *u, double *w);

/* chance_enclose.c: with arrays. False: a limit was reached; the bounds are bounds all the same. */
bool chance_enclose(struct chance *chance, const struct chance_problem *problem, struct chance_numbers *numbers);
/* Begins with what is watched and known: 0 and 1. */
void chance_known_bounds(struct chance *chance, const struct chance_problem *problem, struct chance_bounds *bounds);
/* chance_leaves.c: with diagrams. */
bool chance_enclose_leaves(struct chance *chance, const struct chance_problem *problem, struct chance_numbers *numbers);

/* chance_reward.c: of the states the bounds of a reward. False: a failure. */
bool chance_reward_range(struct chance *chance, const struct chance_value *value, dd states, enum chance_watch watch,
                         struct chance_bounds *bounds);

/* Reports progress. */
void chance_tell(struct chance *chance, uint64_t sweeps, const struct chance_bounds *bounds);

#endif
