/* Arrays over sets of states: the hybrid between diagrams and vectors (M. Kwiatkowska, G. Norman, D. Parker,
 * "Probabilistic symbolic model checking with PRISM: a hybrid approach", STTT 6(2), 2004).
 *
 * An index numbers the states of a set, in the order of the variables: a diagram in which each edge to a high branch is
 * labelled with the number of states in the low one. A relation becomes blocks: a graph, shared like the diagram it
 * comes from, whose paths add up offsets of rows and columns and end in runs, stretches of consecutive states of which
 * each goes to the state as far along another stretch. So a sweep over all transitions is a walk over loops, and the
 * matrix takes the memory of a diagram.
 *
 * The order of the variables must be that of their numbers, and stay so. An index holds references to diagrams. */
#ifndef NOETHER_DD_BLOCKS_H
#define NOETHER_DD_BLOCKS_H

#include "dd/dd.h"

struct dd_index;
/* Of a set over the first `pairs` current variables. NULL: it has more than 2^32 - 1 states, or is DD_NONE. */
struct dd_index *dd_index_create(struct dd_manager *m, dd set, uint32_t pairs);
void dd_index_destroy(struct dd_index *index);
uint64_t dd_index_size(const struct dd_index *index);

/* Consecutive states; relative to what the path to them has added up. */
struct dd_stretch {
    uint32_t row, column, length;
};

/* The rows from row + stretch.row on, each with the column as far from column + stretch.column. */
typedef void dd_visitor(void *user, const struct dd_stretch *stretches, size_t count, uint32_t row, uint32_t column);

struct dd_blocks;
/* The part of a relation (dd/dd.h) that leads from the set into the set: every pair of states once. For
 * a set of states: `changed` is DD_TRUE; row and column are the same then. NULL: it takes more than `bytes` (0: no
 * limit). */
struct dd_blocks *dd_blocks_create(struct dd_index *index, dd relation, dd changed, uint64_t bytes);
void dd_blocks_destroy(struct dd_blocks *blocks);
uint64_t dd_blocks_bytes(const struct dd_blocks *blocks);
/* Every stretch once, in the order of the rows within a call. */
void dd_blocks_visit(const struct dd_blocks *blocks, dd_visitor *visitor, void *user);

/* The states of the index whose byte is not 0, as a set. DD_NONE: no memory. */
dd dd_index_set(struct dd_index *index, const uint8_t *members);

#endif
