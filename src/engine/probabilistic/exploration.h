/* The matrix under way: what explore.c and explore_rewards.c share. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_EXPLORATION_H
#define NOETHER_ENGINE_PROBABILISTIC_EXPLORATION_H

#include "engine/probabilistic/weigh.h"

struct outcome {
    uint32_t choice;
    uint64_t way;  /* of the choices that are one rule */
    double weight; /* once its row is known: the share in that */
};

struct markov_numbers {
    double *items;
    size_t count, capacity;
    bool is_wanted; /* some may be other than 0 */
};

/* rival.c */
struct exploration_rivalry {
    double begin, given, next; /* processor time: at the begin; of the rival so far; until it is asked again */
};

struct exploration {
    struct exploration_rivalry rivalry;
    struct markov *markov;
    struct stepper *stepper;
    struct weigher *weigher;
    struct synchronous *synchronous; /* NULL: successors come by rules only */
    uint32_t *choice_of_rule;
    const int32_t *source; /* the state that is being expanded */
    /* Of the states that are expanded and not settled: their outcomes, choice by choice; the ends of the rows of these;
     * and how many rows each state has. */
    VEC(struct outcome) outcomes;
    VEC(size_t) rows;
    VEC(uint32_t) row_counts;
    size_t settled_outcomes, settled_rows, settled_states; /* of these, already in the matrix */
    bool *earns;                                           /* by structure and choice: some reward is for taking it */
    struct markov_numbers *state_rewards, *row_rewards;    /* by structure */
    struct markov_numbers sums;                            /* by state; 0 between uses */
};

/* The end of the run of outcomes of the same choice that begins at `from`, and their sum. */
size_t exploration_end_of_choice(const struct exploration *exploration, size_t from, double *sum);
/* What is wrong, and where, is told by a run (breakdown.h). */
bool exploration_fail(struct exploration *exploration, enum fault_kind kind, double number, struct span span);
/* Of numbers that depend on the state: is it exactly that of the model? */
void exploration_note_number(struct exploration *exploration, const struct weight *weight, double number);

/* Gives another engine some time, now and then. False: it has the answer, and the exploration is over. */
bool exploration_rival_loses(struct exploration *exploration);

/* explore_rewards.c */
void rewards_begin(struct exploration *exploration);
/* Gives what was gathered to the matrix. */
void rewards_end(struct exploration *exploration);
/* Of being in the state. */
bool rewards_of_state(struct exploration *exploration);
/* Of a row that takes the choices of outcomes from..to - 1, each with the share of its weights in `total`. */
bool rewards_of_row(struct exploration *exploration, size_t from, size_t to, double total);

#endif
