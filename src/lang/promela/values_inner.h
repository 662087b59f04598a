/* Finding values: what is shared by the statements, which add to what variables can be (values.c), and the automata,
 * along which locals are followed (values_follow.c). */
#ifndef NOETHER_LANG_PROMELA_VALUES_INNER_H
#define NOETHER_LANG_PROMELA_VALUES_INNER_H

#include "lang/promela/values.h"

/* What the locals of a proctype can be where control stands. */
struct pml_station {
    struct pml_range *locals;
    bool is_reached;
};

struct pml_finding {
    struct pml_values *values;
    struct pml_model *model;
    const struct pml_flow *flows;
    struct pml_station **stations; /* by proctype and node */
    VEC(int64_t) bounds;           /* numbers of the model and their neighbours, in order */
    int round;
    bool has_changed;
};

/* Is what it can be known place by place? */
bool pml_values_is_followed(const struct pml_variable *variable);
/* What grows for long grows to the next number of the model. */
struct pml_range pml_values_widened(const struct pml_finding *finding, struct pml_range old, struct pml_range range,
                                    struct pml_range type);
/* What is assigned, sent, received or declared; and given to processes that are started (struct pml_walk). */
void pml_values_add_stmt(struct pml_finding *finding, struct pml_stmt *stmt);
void pml_values_add_run(void *user, struct pml_expr *expr, bool is_operated);

/* The stations are freed by who asked for them. */
void pml_values_make_stations(struct pml_finding *finding);
/* All places of a proctype once more, with what is known now. */
void pml_values_follow(struct pml_finding *finding, const struct pml_flow *flow);

#endif
