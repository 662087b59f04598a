/* What a temporal property is decided on: the model of the search, or one of pointed states (rewrite/point.h), or one
 * without symmetry. Open it, decide, close it. */
#ifndef NOETHER_ENGINE_SYMBOLIC_STAGE_H
#define NOETHER_ENGINE_SYMBOLIC_STAGE_H

#include "engine/symbolic/search.h"

struct stage {
    struct symbolic_model *model;
    struct system *system; /* of its own, with what follows; else NULL */
    struct layout *layout;
    struct symmetry *symmetry;
    struct engine_options options; /* with the time that is left */
    struct symbolic_model own;
};

/* The states with values for these variables, for the property. `why`: why orbits cannot decide it (the states are
 * those without symmetry, which is a fallback), or NULL. All reachable ones are found. False: see stage->model->stop.
 * Close it in any case. */
bool stage_open(struct stage *stage, struct symbolic_search *search, const struct property *property,
                const struct variable *const *variables, size_t count, const char *why);
void stage_close(struct stage *stage);

#endif
