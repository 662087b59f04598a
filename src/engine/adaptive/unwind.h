/* Unwinding (the paper's line 6 of Algorithm 1, and Section 8): an abstract state (s, P) as a set of states over a
 * finer partition R whose orbits cover it exactly.
 *
 * Permutations are never enumerated: what matters is how many elements of each local state fall into each cell of
 * R. For every cell of P that is a contingency table, with the sizes of its R-cells and the counts of its local
 * states as margins. The actors are placed first, then local states that may not be in some cells, then the rest. */
#ifndef NOETHER_ENGINE_ADAPTIVE_UNWIND_H
#define NOETHER_ENGINE_ADAPTIVE_UNWIND_H

#include "engine/adaptive/edge.h"
#include "engine/adaptive/reached.h"

/* An abstract state, spread out. */
struct adaptive_view {
    uint32_t shared, partition_number;
    struct partition partition;
    uint32_t local_count;
    uint32_t *locals; /* that occur */
    uint32_t *counts; /* cell * local_count + position of the local state */
    uint32_t *totals; /* by position of the local state */
    size_t locals_size, counts_size;
};

void view_load(struct adaptive_view *view, const struct reached *reached, uint32_t state);
void view_load_words(struct adaptive_view *view, const struct reached *reached, const uint32_t *words, uint32_t length);
void view_free(struct adaptive_view *view);
/* The position of the local state in `locals`, or WORDS_NONE. */
uint32_t view_find(const struct adaptive_view *view, uint32_t local);

struct unwinding {
    const struct adaptive_view *view;
    struct partition fine; /* R */
    uint32_t fine_number;
    const struct adaptive_edge *edge; /* or NULL: no actors, no condition */
    uint32_t actor_count;
    uint32_t q_cell_count;
    const uint32_t *q_cell_of;            /* by element: the cells of the edge's partition */
    uint32_t place[VARIANT_MOST_ACTORS];  /* the R-cells of the actors */
    uint32_t column[VARIANT_MOST_ACTORS]; /* positions of their local states */
    uint32_t *counts;                     /* R-cell * local_count + position, without the actors */
    uint64_t work;                        /* tables made */
    /* Called for each table. False ends the unwinding. */
    bool (*use)(struct unwinding *unwinding);
    void *user;
    /* private */
    uint32_t *room, *left, *subs, *sub_start;
    bool *is_barred; /* Q-cell * local_count + position */
    struct margin *margins;
    uint32_t margin_count;
    size_t capacity;
};

/* All tables of `view` over the meet of its partition and the edge's that satisfy the ALL leaves of a simple
 * condition. False: ended by `use`. */
bool unwind_edge(struct unwinding *unwinding, struct rulebook *book, const struct adaptive_view *view,
                 const struct adaptive_edge *edge);
/* All tables over the meet with this partition. */
bool unwind_over(struct unwinding *unwinding, struct rulebook *book, const struct adaptive_view *view,
                 uint32_t partition);
/* Does the condition of the edge hold in the table? (The ALL leaves do.) */
bool unwind_holds(const struct unwinding *unwinding, struct rulebook *book);
/* Some state that the table stands for: local states by element, and the actors. */
void unwind_concretise(const struct unwinding *unwinding, uint32_t *locals, uint32_t *actors);
void unwind_free(struct unwinding *unwinding);

#endif
