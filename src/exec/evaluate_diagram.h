/* Functions of the state, as decision diagrams over its cells: a node asks for the value of a cell, a leaf is a number.
 * A diagram is a number; equal functions have equal numbers, since each node is made once, with cells in order and
 * without questions whose answer does not matter. Each cell has the values of a list; others do not occur. */
#ifndef NOETHER_EXEC_EVALUATE_DIAGRAM_H
#define NOETHER_EXEC_EVALUATE_DIAGRAM_H

#include "base/vec.h"
#include "ir/layout.h"

typedef uint32_t diagram;

/* Operations besides those of expressions (enum operator), on two numbers. */
#define DIAGRAM_NOWHERE (-(INT64_C(1) << 40)) /* no address is as low, whatever is added */
enum {
    DIAGRAM_FAILS = 64,    /* does this operator fail? (added to it) */
    DIAGRAM_OUTSIDE = 128, /* the left is no value of the type with this id */
    DIAGRAM_POSITION,      /* of the left among its values; DIAGRAM_NOWHERE: it is none */
    DIAGRAM_MAP            /* from here on: the left, a value of the cell that is the right, under the map */
};

struct diagram_node {
    uint32_t cell;     /* UINT32_MAX: a leaf */
    uint32_t children; /* where they begin, one for each value of the cell */
    int64_t number;    /* of a leaf */
};

struct diagram_entry {
    uint32_t operation, a, b, c, result;
};

struct diagrams {
    const struct layout *layout;
    VEC(int32_t) * domains; /* by cell: the values in order */
    VEC(struct diagram_node) nodes;
    VEC(diagram) children;
    uint32_t *table, table_size; /* node number + 1 */
    struct diagram_entry *memory;
    VEC(uint32_t) seen; /* by node: the last walk that came by */
    uint32_t walk;
    VEC(int64_t) leaves;
    bool is_full; /* there are too many nodes: results mean nothing */
    /* Of DIAGRAM_MAP + n, the n-th map. */
    int32_t (*rename)(void *user, uint32_t cell, int32_t code);
    uint32_t (*target)(void *user, uint32_t cell);
    void *user;
    uint32_t map_number;
};

void diagrams_begin(struct diagrams *diagrams, const struct layout *layout);
void diagrams_end(struct diagrams *diagrams);
/* A value of a cell; before the first diagram is made. False: it was there. */
bool diagram_add_value(struct diagrams *diagrams, uint32_t cell, int32_t code);
diagram diagram_leaf(struct diagrams *diagrams, int64_t number);
/* The value of a cell. */
diagram diagram_cell(struct diagrams *diagrams, uint32_t cell);
diagram diagram_apply(struct diagrams *diagrams, uint32_t operation, diagram left, diagram right);
diagram diagram_choose(struct diagrams *diagrams, diagram condition, diagram yes, diagram no);
/* Is it a leaf? Then its number. */
bool diagram_is_leaf(const struct diagrams *diagrams, diagram d, int64_t *number);
/* The numbers of all leaves, each once, in order: valid until the next call. */
const int64_t *diagram_leaves(struct diagrams *diagrams, diagram d, size_t *count);
/* The same function of the state before the map: d(s) is the result at the image of s. */
diagram diagram_move(struct diagrams *diagrams, diagram d);

static inline diagram diagram_not(struct diagrams *diagrams, diagram d)
{
    return diagram_choose(diagrams, d, diagram_leaf(diagrams, 0), diagram_leaf(diagrams, 1));
}
static inline diagram diagram_and(struct diagrams *diagrams, diagram a, diagram b)
{
    return diagram_choose(diagrams, a, b, diagram_leaf(diagrams, 0));
}
static inline diagram diagram_or(struct diagrams *diagrams, diagram a, diagram b)
{
    return diagram_choose(diagrams, a, diagram_leaf(diagrams, 1), b);
}
static inline diagram diagram_is(struct diagrams *diagrams, diagram d, int64_t number)
{
    return diagram_apply(diagrams, OP_EQ, d, diagram_leaf(diagrams, number));
}

#endif
