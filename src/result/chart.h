/* The reachable states and the steps between them, for drawing.
 *
 * With symmetry a node is an orbit, shown by its representative, and the graph is the quotient. Nodes are numbered in
 * the order of a breadth-first search, the same in every run. Built by driver/graph.h, shown by report/chart_*.c. */
#ifndef NOETHER_RESULT_CHART_H
#define NOETHER_RESULT_CHART_H

#include "base/vec.h"
#include "result/verdict.h"

#define CHART_FAULT UINT32_MAX /* the end of an edge: the step fails */

struct chart_node {
    const int32_t *cells; /* the representative */
    char *orbit;          /* how many states it represents, in digits */
    uint32_t depth;       /* steps from a start state */
    bool is_start, is_expanded, is_on_path, is_shown;
};

/* All instances of a rule that lead from one node to another are one edge. */
struct chart_edge {
    uint32_t from, to;
    const struct rule *rule;
    uint64_t instance; /* the first of them */
    uint32_t count;    /* how many */
    bool is_on_path;
};

struct chart {
    const struct layout *layout;
    struct arena *arena;
    VEC(struct chart_node) nodes; /* by number */
    VEC(struct chart_edge) edges;
    bool is_reduced;                     /* nodes are orbits */
    bool is_complete;                    /* no reachable state is missing */
    const struct property_result *shown; /* whose run is the path; NULL: none */
    VEC(uint32_t) path;                  /* nodes */
    uint32_t around;                     /* the node asked for, or UINT32_MAX */
    uint32_t shown_count;
};

struct chart *chart_create(const struct layout *layout);
void chart_destroy(struct chart *chart);
uint32_t chart_add_node(struct chart *chart, const int32_t *cells, const char *orbit, uint32_t depth);
/* One more instance of an edge, when it is among the last ones and has the same source: add edges source by source. */
void chart_add_edge(struct chart *chart, uint32_t from, uint32_t to, const struct rule *rule, uint64_t instance);
/* Extends the path by a node (CHART_FAULT: its last step fails), along an edge of the rule where there is one, else by
 * any, else by a new one. */
void chart_add_to_path(struct chart *chart, uint32_t node, const struct rule *rule, uint64_t instance);
/* Shows the path and the nodes one step from it, at most `most`. */
void chart_select_path(struct chart *chart, uint32_t most);
/* Shows the path and the first nodes, or those nearest to `around` (UINT32_MAX: none) in either direction, at most
 * `most`. */
void chart_select(struct chart *chart, uint32_t around, uint32_t most);

#endif
