/* Lifting a quotient run to a run of the model.
 *
 * The quotient has an edge from r to s iff some, hence every, state in the orbit of r has a successor in the orbit of
 * s (Wahl, Donaldson 2010, Theorem 5: the quotient is bisimilar to the model): whatever concrete state the run stands
 * in, one of its successors has the next representative. So a greedy search suffices, never goes back, and needs no
 * permutation from the engine. */
#include "result/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"

struct lifter {
    struct stepper *stepper;
    struct canon *canon; /* NULL: the symmetry is trivial */
    int32_t *image, *representative;
    size_t size; /* of a state, in bytes */
    struct trace *trace;
};

static bool lift_is_member(struct lifter *lifter, const int32_t *cells, const int32_t *representative)
{
    if (!lifter->canon)
        return memcmp(cells, representative, lifter->size) == 0;
    canon_apply(lifter->canon, cells, lifter->image);
    return memcmp(lifter->image, representative, lifter->size) == 0;
}

/* Begins the enumeration of what may come after the trace so far. */
static void lift_begin(struct lifter *lifter)
{
    struct trace *trace = lifter->trace;
    if (trace->count == 0)
        stepper_begin_starts(lifter->stepper);
    else
        stepper_begin_successors(lifter->stepper, trace->steps[trace->count - 1].cells);
}

/* The run may hold any state of an orbit: what is compared is the canonical one. */
static bool lift_state(struct lifter *lifter, const int32_t *member)
{
    struct step step = {0};
    enum step_outcome outcome;
    const int32_t *representative = member;
    if (lifter->canon) {
        canon_apply(lifter->canon, member, lifter->representative);
        representative = lifter->representative;
    }
    lift_begin(lifter);
    while ((outcome = stepper_next(lifter->stepper, &step)) != STEP_END) {
        if (outcome == STEP_STATE && lift_is_member(lifter, step.cells, representative)) {
            trace_push_step(lifter->trace, &step, STEP_STATE);
            return true;
        }
    }
    return false;
}

/* `fault` NULL: any. */
static bool lift_fault_like(struct lifter *lifter, const struct fault *fault)
{
    struct step step = {0};
    enum step_outcome outcome;
    lift_begin(lifter);
    while ((outcome = stepper_next(lifter->stepper, &step)) != STEP_END) {
        if (outcome != STEP_FAULT ||
            (fault && (step.fault.kind != fault->kind || step.fault.property != fault->property)))
            continue;
        trace_push_step(lifter->trace, &step, STEP_FAULT);
        return true;
    }
    return false;
}

static bool lift_fault(struct lifter *lifter, const struct fault *fault)
{
    return lift_fault_like(lifter, fault) || lift_fault_like(lifter, NULL);
}

static bool lift_run(struct lifter *lifter, const int32_t *representatives, uint32_t count, enum trace_goal goal,
                     const struct fault *fault)
{
    size_t cells = lifter->trace->layout->cell_count;
    for (uint32_t i = 0; i < count; i++)
        if (!lift_state(lifter, representatives + i * cells))
            return false;
    return goal == TRACE_GOAL_STATE || lift_fault(lifter, fault);
}

struct trace *trace_lift(const struct layout *layout, const struct symmetry *symmetry, const int32_t *representatives,
                         uint32_t count, enum trace_goal goal, const struct fault *fault)
{
    struct lifter lifter = {
        .stepper = stepper_create_evaluator(layout->system, layout),
        .canon = symmetry_is_trivial(symmetry) ? NULL : canon_create(symmetry, layout),
        .size = layout->cell_count * sizeof(int32_t),
        .trace = trace_create(layout->system, layout),
    };
    lifter.stepper->is_watched = watch_is_epilogue();
    if (lifter.canon && !watch_is_epilogue())
        canon_set_exact(lifter.canon, true);
    lifter.image = memory_alloc(lifter.size);
    lifter.representative = memory_alloc(lifter.size);
    if (!lift_run(&lifter, representatives, count, goal, fault)) {
        trace_destroy(lifter.trace);
        lifter.trace = NULL;
    }
    free(lifter.image);
    free(lifter.representative);
    if (lifter.canon)
        canon_destroy(lifter.canon);
    stepper_destroy(lifter.stepper);
    return lifter.trace;
}
