/* The state of one search over counters, and its files.
 *
 *   counter.c   the engine
 *   search.c    breadth first over the reduced system
 *   findings.c  the checks of states and steps; the runs of violations
 *
 * The result is about the reduced system; the pass that made the system lifts it (pass/counted.h). */
#ifndef NOETHER_ENGINE_COUNTER_SEARCH_H
#define NOETHER_ENGINE_COUNTER_SEARCH_H

#include "engine/counter/tally.h"
#include "engine/engine.h"
#include "reduce/reduce.h"

struct counter_search {
    const struct reduction *reduction;
    const struct layout *layout; /* of the reduced system */
    const struct system *system;
    const struct engine_options *options;
    struct result *result;
    struct tally tally;
    struct steppers *steppers;
    struct stepper *stepper, *judge; /* successors; formulas */
    int32_t *cells;                  /* the state being expanded */
    bool *decided;                   /* by property */
    uint32_t undecided;
    VEC(const struct property *) unmet; /* invariants whose antecedent was true in no state so far */
    struct stepper *lens;               /* evaluates these; NULL: there are none */
    uint32_t depth, deepest, current;
    bool stopped, is_depth_cut;
    struct pace pace;
};

/* search.c */
void counter_search(struct counter_search *search);
/* Takes the reason; the first one is kept. */
void counter_stop(struct counter_search *search, struct stop stop);

/* findings.c */
void findings_begin(struct counter_search *search);
/* May the state be considered at all? `parent` and `step`: how it is reached. */
bool findings_admit(struct counter_search *search, const int32_t *cells, uint32_t parent, const struct step *step);
void findings_judge(struct counter_search *search, uint32_t state, const int32_t *cells);
void findings_fault(struct counter_search *search, uint32_t state, const struct step *step);
void findings_deadlock(struct counter_search *search, uint32_t state);
void findings_cover_statements(struct counter_search *search, uint32_t state, const struct step *step);
void findings_conclude(struct counter_search *search);

#endif
