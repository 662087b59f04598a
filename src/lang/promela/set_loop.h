/* Loops over a set: `i = 0; do :: i < N -> ...; i++ :: else -> break od` inside a d_step or an atomic sequence.
 *
 * Such a loop is part of the step that leads to it: nothing comes between its iterations, and none of them can block
 * or has a choice. It is lowered to a loop over first .. last (lower_set_loop.c) with a variable of its own, so
 * that the proof of symmetry (symmetry/loops.h) decides whether the order of the iterations matters. Behind it the
 * counter has the value that ended the loop, as in SPIN: states and their number stay the same. */
#ifndef NOETHER_LANG_PROMELA_SET_LOOP_H
#define NOETHER_LANG_PROMELA_SET_LOOP_H

#include "lang/promela/flow.h"

struct pml_option {
    const struct pml_expr *condition; /* NULL: always (of the last option that counts) */
    const struct pml_block *block;
    uint32_t begin, end; /* its statements, without the guard and what counts */
};

struct pml_set_loop {
    const struct pml_variable *counter;
    int64_t first, last;
    struct pml_option *options; /* of an iteration: the first whose condition holds; none: the d_step blocks */
    uint32_t option_count;
    bool is_dstep;
    uint32_t exit; /* the move of the loop's node that leaves it */
};

/* select (x : first .. last) in an atomic sequence: the step that leads to it has one outcome for each number. */
struct pml_set_choice {
    const struct pml_variable *counter;
    int64_t first, last;
    uint32_t exit; /* the move of its node that leaves it */
};

/* Sets the loop or choice of the node of each `do` that is one, and of those inside. The moves of the flow are there
 * already. */
void pml_set_loops_find(struct pml_flow *flow, struct arena *arena);
/* The move of a fused node. */
const struct pml_move *pml_fused_move(const struct pml_node *node);
/* The options of an `if` inside a loop, in the order in which they are tried. False: it is not known which is taken. */
bool pml_options_of(const struct pml_stmt *choice, bool is_dstep, struct arena *arena, struct pml_option **options,
                    uint32_t *count);

#endif
