/* Symbolic probabilities: qualitative properties of a Markov chain or decision process.
 *
 * The graph decides whether a probability is 0 or 1: fixed points of sets (the algorithms of numeric/reverse.c, on
 * decision diagrams; C. Baier, J.-P. Katoen, "Principles of Model Checking", section 10.6). That decides every bound of
 * 0 and 1, and every query whose answer is 0 or 1. For values in between: chance_numbers.h.
 *
 *   chance.c          the choices of the model; the run of the engine
 *   chance_weights.c  weights: where an outcome has none, and that those of a choice add up to 1
 *   chance_moves.c    the same as numbers: which outcome has which weight where
 *   chance_sets.c     preimages, and the states where a probability is 0 or 1
 *   chance_path.c     numbers of paths, and thresholds
 *   chance_carrier.c  sets and numbers for the evaluator of formulas */
#ifndef NOETHER_ENGINE_SYMBOLIC_CHANCE_H
#define NOETHER_ENGINE_SYMBOLIC_CHANCE_H

#include "engine/symbolic/model.h"
#include "pctl/verdict.h"

/* One outcome of a choice: a rule that is enabled somewhere, where its weight is not 0. Referenced. */
struct chance_outcome {
    const struct rule *rule;
    struct dd_relation step;
    struct dd_relation back; /* from a state to those before it */
    dd happens;
    dd alters; /* where it leads to another state */
};

/* An outcome, in those reached states in which its weight is between these. Referenced. */
struct chance_move {
    uint32_t outcome;
    dd where;
    double lower, upper;
};

struct chance_choice {
    const struct choice *choice;
    uint32_t first, count;           /* its outcomes */
    uint32_t first_move, move_count; /* once they are known */
    dd enabled;                      /* referenced */
};

struct chance_turning {
    dd changed; /* referenced */
    const struct dd_permutation *permutation;
};

struct chance {
    struct symbolic_model model;
    const struct chain *chain;
    struct result *result;
    VEC(struct chance_outcome) outcomes;
    VEC(struct chance_choice) choices;
    VEC(struct chance_move) moves; /* of chance_find_moves */
    bool has_moves;
    VEC(struct chance_turning) turnings;
    struct pctl_evaluator evaluator; /* of the property under way; its failure: why there is no answer */
    bool has_partial;                /* what is known of it, although there is no answer */
    struct pctl_number partial;
    bool has_extent; /* of a bound that is compared: what the number was found to be */
    struct pctl_extent extent;
    dd dead;      /* the reached states in which nothing is enabled; they stay as they are */
    VEC(dd) kept; /* referenced, until the property under way is decided */
};

struct result *chance_run(const struct layout *layout, const struct symmetry *symmetry,
                          const struct engine_options *options);

/* For the reason for which the diagrams failed. */
bool chance_stop(struct chance *chance);
/* Is there a scheduler? */
bool chance_has_choice(const struct chance *chance);
/* Kept until the property under way is decided. DD_NONE is a failure. */
dd chance_keep(struct chance *chance, dd set);

/* chance_weights.c: `step` and `happens` of a rule's outcome (referenced), where its weight is not 0. False: a failure.
 */
bool chance_weigh(struct chance *chance, const struct ground_rule *rule, struct chance_outcome *outcome);
/* In every reached state the weights of each enabled choice add up to 1 (or are rates), and no outcome is wrong. */
bool chance_check_weights(struct chance *chance);

/* chance_moves.c: fills in the moves, choice by choice, once. False: a failure. */
bool chance_find_moves(struct chance *chance);
/* weight * value, between the nearest doubles. */
void chance_multiply(const struct weight *weight, int64_t value, double *lower, double *upper);

/* The relation in the other direction: current and next variables exchanged where it changes something. */
dd chance_turn(struct chance *chance, dd relation, dd changed);

/* chance_sets.c: kept sets. */
dd chance_complement(struct chance *chance, dd set); /* among the reached states */
/* From which states of `through` there is a way into the goal, which is part of the answer. `safe`: by choice, where it
 * may be taken; NULL: wherever it is enabled. */
dd chance_reach(struct chance *chance, dd through, dd goal, const dd *safe);
/* Where the minimal or maximal probability of "left until goal" is 0, and where it is 1. */
dd chance_zero(struct chance *chance, dd left, dd goal, bool is_least);
dd chance_one(struct chance *chance, dd left, dd goal, bool is_least);
struct chance_until;
/* Where an until with a bound on steps has a chance above 0, or (is_sure) of 1: steps and graph say all of that. */
dd chance_within(struct chance *chance, const struct chance_until *until, bool is_sure);
/* Where the set can be stayed in forever: some path does. */
dd chance_forever(struct chance *chance, dd set);
/* The states of the set in which some choice can be taken in `rows` (by choice) again and again without ever leaving
 * it. */
dd chance_can_stay(struct chance *chance, dd set, const dd *rows);
/* Where the choice never leaves the set; by choice, registered by the caller. False: a failure. */
bool chance_find_safe(struct chance *chance, dd set, dd *safe);
/* The states of `through` that are reached from `from` by no others. */
dd chance_ahead(struct chance *chance, dd from, dd through);
/* The states before: some successor is in the set; a dead state is before itself. */
dd chance_before(struct chance *chance, dd set);

/* chance_count.c: the number of states that the reached ones represent, when some of their cells count. */
void chance_count_represented(struct symbolic_model *model, const struct counting *counting,
                              struct statistics *statistics);

/* chance_path.c. "left until goal" (pctl/evaluate.h). */
struct chance_until {
    dd left, goal;
    bool is_complement, is_least;
    bool is_bounded; /* with a step bound */
    bool is_next;    /* the goal after exactly one step */
    uint64_t steps;
    dd zero, one; /* of the until itself: where it is known to be 0, or 1; elsewhere it is a matter of numbers */
};

enum chance_kind { CHANCE_SHARE, CHANCE_REWARD, CHANCE_NUMBER };

struct chance_value {
    enum chance_kind kind;
    struct chance_until until; /* SHARE */
    dd zero, one; /* SHARE: where it is 0, where 1; elsewhere in between (or, with bounds on steps, not known) */
    const struct pctl *reward; /* REWARD: its formula, and the states until which it is earned */
    dd goal;
    struct pctl_number number; /* NUMBER: everywhere the same */
};
extern const struct pctl_carrier chance_carrier;
/* The chance of an until: what the graph decides of it. */
bool chance_measure_path(struct chance *chance, const struct pctl_until *made, struct chance_value *value);
/* Where it is within the threshold of the formula. */
bool chance_decide(struct chance *chance, const struct pctl *formula, const struct chance_value *value, dd *truth);
/* Of these states the smallest and the greatest value; numbers are found where they are needed. `formula` is what asks.
 * False: a failure. */
struct chance_bounds;
bool chance_range(struct chance *chance, const struct pctl *formula, const struct chance_value *value, dd states,
                  struct chance_bounds *bounds);

#endif
