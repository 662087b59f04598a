/* The reachable graph of a loaded model, for `noether graph`. */
#ifndef NOETHER_DRIVER_GRAPH_H
#define NOETHER_DRIVER_GRAPH_H

#include "driver/check.h"
#include "result/chart.h"

struct graph_request {
    enum symmetry_choice symmetry;
    enum deadlock_mode deadlock;
    uint64_t states;    /* how many to explore at most, at least 1 */
    uint32_t most;      /* nodes to show */
    bool is_about_path; /* show the counterexample and its neighbourhood, where there is one */
    const char *around; /* the number of a node, or a condition: the first node where it is true; NULL: none */
    const volatile int *interrupted;
};

/* A check of the same states comes first: its counterexample is the path, its symmetry that of the graph. */
struct drawing {
    struct check check;
    struct chart *chart;
};

/* False, with the reason in `message`. Free it in any case. */
bool graph_draw(const struct model *model, const struct graph_request *request, struct drawing *drawing,
                struct text *message);
void drawing_free(struct drawing *drawing);

/* DOT -> SVG by the program `dot`. False, with the reason in `message`. */
bool graphviz_run(const struct text *dot, const volatile int *interrupted, struct text *svg, struct text *message);

#endif
