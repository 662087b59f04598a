/* The witness path of a CTL formula in a start state: a run of the model that shows why it is true or false, as far as
 * one run can: counterexamples of A-formulas, witnesses of E-formulas, and combinations.
 *
 * The engine finds paths through the states; they may be paths through orbits. The run is real from the
 * start: each step is searched among the successors of the real state before it (as in result/lift.c). A cycle
 * of orbits is traversed until the run is back in the same state. */
#ifndef NOETHER_RESULT_STORY_H
#define NOETHER_RESULT_STORY_H

#include "ir/ctl.h"
#include "result/trace.h"

#define STORY_NO_LOOP SIZE_MAX

/* A way found by the engine, which keeps the states on it. Position 0 is where it begins. */
struct story_way {
    size_t length; /* steps */
    size_t back;   /* it ends in a cycle: its last state is that of this position. STORY_NO_LOOP: it does not */
    bool goes_on;  /* `go_on` has the rest of it */
};

/* What an engine knows. The values of quantified variables are in story->values. */
struct story_source {
    /* TRUTH_FAULT: it cannot be told. */
    enum truth (*truth)(void *user, const struct ctl *ctl, const int32_t *cells);
    /* A way that shows that the temporal formula is_true (else that it is false) in the state: one step for EX and AX,
     * a maximal way for EG and AF, for A[f U g] to where both are false, or a maximal one. False: no memory or time. */
    bool (*find)(void *user, const struct ctl *ctl, bool is_true, const int32_t *cells, struct story_way *way);
    /* Fairness (ir/fairness.h): appends to the run a fair maximal way that shows the formula, which `find` began; or
     * (NULL) any fair one. False: no memory or time. NULL where paths need not be fair. */
    bool (*go_on)(void *user, const struct ctl *ctl, bool is_true, struct trace *trace);
    /* Is the state in the orbit of that position of the way found last? */
    bool (*is_at)(void *user, const struct ctl *ctl, const int32_t *cells, size_t position);
    /* The canonicaliser that has just been applied to the state, with the values of the formula's variables; NULL: the
     * symmetry is trivial. */
    const struct canon *(*canonise)(void *user, const struct ctl *ctl, const int32_t *cells);
    /* May the run begin in this start state, of which it is so? NULL: in any. */
    bool (*begins)(void *user, const int32_t *cells);
};

struct story {
    const struct layout *layout; /* of the model */
    const struct symmetry *symmetry;
    const struct story_source *source;
    void *user;
    bool must_go_on;    /* a run that shows something must be one of infinitely many steps, or end: not all are fair */
    int32_t *values;    /* of quantified variables: by address, from the end of the state on */
    struct text *words; /* what the run shows */
};

static inline int32_t *story_value(const struct story *story, const struct variable *variable)
{
    return &story->values[variable->address - story->layout->cell_count];
}

/* The run, or NULL when there is nothing to show, or no memory or time. */
struct trace *story_tell(const struct story *story, const struct ctl *ctl, bool is_true);

#endif
