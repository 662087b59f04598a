/* The representation of an operator: chance_operator.c applies it, chance_compile.c makes it. */
#ifndef NOETHER_ENGINE_SYMBOLIC_CHANCE_OPERATOR_H
#define NOETHER_ENGINE_SYMBOLIC_CHANCE_OPERATOR_H

#include "engine/symbolic/chance_numbers.h"

/* An outcome with one weight: into the unknown states, into those of value 1, and into those of value 0. */
struct sweep_move {
    struct dd_blocks *pairs, *ones, *zeros; /* NULL: none */
    double weight[2];                       /* by side */
};

/* Rows with a number. */
struct sweep_number {
    struct dd_blocks *rows;
    double number[2];
};

struct sweep_choice {
    uint32_t first, count;           /* its moves */
    uint32_t first_gain, gain_count; /* what taking it earns */
    struct dd_blocks *rows;
    bool is_direct; /* one move for certain, and nothing to earn: no sum to make */
};

struct chance_operator {
    const struct chance_problem *problem;
    struct dd_index *index;
    uint64_t size;
    bool is_rate;  /* states earn by time: before that is divided by the rate */
    bool is_chain; /* no choice: all moves are added up, and divided by what they add up to */
    VEC(struct sweep_move) moves;
    VEC(struct sweep_choice) choices;
    VEC(struct sweep_number) gains;     /* of choices */
    VEC(struct sweep_number) own_gains; /* of states */
    VEC(struct sweep_number) divisors;
    struct dd_blocks *dead; /* these stay */
    double *sum, *widest;   /* of the choice under way */
    uint64_t limit, bytes;  /* of the blocks */
    bool is_failed;
};

#endif
