/* Real steps along orbits: a step to a state, and the closing of a cycle of orbits to one of states.
 *
 * Steps that led from a state h to p(h), p a symmetry, lead on to p(p(h)) when p is applied to them, and after as many
 * turns as p has order the run is back at h. */
#ifndef NOETHER_RESULT_CLOSE_H
#define NOETHER_RESULT_CLOSE_H

#include "result/trace.h"

/* The evaluators that find the steps of a run: of steps, and of assumptions about where they lead. */
struct closer {
    const struct layout *layout; /* of the model */
    const struct symmetry *symmetry;
    struct stepper *stepper, *judge;
    void *user;
    /* The canonicaliser that has just been applied to the state, with all that must stay as it is; NULL: the symmetry
     * is trivial. */
    const struct canon *(*canonise)(void *user, const int32_t *cells);
};

/* The first step from the last state of the trace that `is_it` accepts, at the end of the trace. */
void close_step(const struct closer *closer, struct trace *trace, bool (*is_it)(void *user, const struct step *step),
                void *user);
/* The last state of the trace is in the orbit of that after step `begin`: appends turns until a state comes back, and
 * sets the loop. Under a virtual symmetry (is_assumed) the first turns may stay in front of the loop; false: that takes
 * too long. */
bool close_loop(const struct closer *closer, struct trace *trace, uint32_t begin);

#endif
