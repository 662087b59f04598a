/* The edges of the state graph, kept only when a liveness property needs them: a log of
 * [source, count, target, ...] in chunks, four bytes an edge. */
#ifndef NOETHER_ENGINE_EXPLICIT_EDGES_H
#define NOETHER_ENGINE_EXPLICIT_EDGES_H

#include "store/budget.h"

struct edges;

struct edges *edges_create(struct budget *budget);
void edges_destroy(struct edges *edges);
/* The edges added from here on leave `source`. false: no memory. */
bool edges_begin(struct edges *edges, uint32_t source);
/* Loops and immediate repetitions are left out: they do not matter to what can be reached. */
bool edges_add(struct edges *edges, uint32_t target);

/* Marks every one of the `states` states from which a marked one can be reached. `marks`: a bit for each state.
 * false: no memory for the work. */
bool edges_close_backwards(const struct edges *edges, uint32_t states, uint64_t *marks);

#endif
