/* What is checked of a state when it is found: assumptions before it is stored, the rest once, when it is new. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/explicit/search.h"

static struct property_list judge_select(const struct system *system, enum property_kind kind, bool has_formula)
{
    struct property_list list = {memory_zeroed(system->properties.count, sizeof *list.items), 0};
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (property->kind == kind && (property->formula != NULL) == has_formula)
            list.items[list.count++] = property;
    }
    return list;
}

void judge_create(struct search *search)
{
    const struct system *system = search->system;
    search->invariants = judge_select(system, PROPERTY_INVARIANT, true);
    search->assumptions = judge_select(system, PROPERTY_ASSUMPTION, true);
    search->covers = judge_select(system, PROPERTY_COVER, true);
    search->cover_statements = judge_select(system, PROPERTY_COVER, false);
    search->livenesses = judge_select(system, PROPERTY_LIVENESS, true);
    search->decided = memory_zeroed(system->properties.count, sizeof *search->decided);
    search->faulted = memory_alloc(system->properties.count * sizeof *search->faulted);
    for (size_t i = 0; i < system->properties.count; i++)
        search->faulted[i] = STORE_NO_PARENT;
    if (search->options->deadlock == DEADLOCK_OFF)
        search->result->checked[SYSTEM_DEADLOCK] = false;
    for (size_t i = 0; i < system->properties.count; i++)
        search->undecided += search->result->checked[i];
}

void judge_destroy(struct search *search)
{
    free(search->invariants.items);
    free(search->assumptions.items);
    free(search->covers.items);
    free(search->cover_statements.items);
    free(search->livenesses.items);
    free(search->decided);
    free(search->faulted);
}

void search_decide(struct search *search, const struct property *property)
{
    if (search->decided[property->id])
        return;
    search->decided[property->id] = true;
    /* An assumption whose formula faults is violated, but nobody waits for it. */
    if (property->kind != PROPERTY_ASSUMPTION)
        search->undecided--;
    if (!search->undecided && !search->stopped)
        search_stop(search, "every property is decided");
}

/* The formula of a property could not be evaluated: that is a violation of this property. */
static bool judge_fault(struct search *search, const struct finding *finding)
{
    struct text reason = {0};
    fault_print(finding->fault, &reason);
    bool goes_on = violation_report(search, finding, text_chars(&reason));
    text_free(&reason);
    return goes_on;
}

bool judge_is_granted(struct search *search, uint32_t parent, const int32_t *cells)
{
    for (uint32_t i = 0; i < search->assumptions.count; i++) {
        const struct property *property = search->assumptions.items[i];
        struct fault fault = {0};
        enum truth truth = stepper_holds(search->worker.judge, property, cells, &fault);
        if (truth == TRUTH_TRUE)
            continue;
        if (truth == TRUTH_FAULT && !search->decided[property->id]) {
            struct worker *worker = &search->worker;
            const int32_t *beyond = cells;
            if (worker->canon) {
                canon_apply(worker->canon, cells, worker->fresh);
                beyond = worker->fresh;
            }
            struct finding finding = {property, TRACE_SHOWS_FALSE, &fault, parent, beyond};
            judge_fault(search, &finding);
        }
        return false;
    }
    return true;
}

static bool judge_invariant(struct search *search, const struct property *property, uint32_t number,
                            const int32_t *cells)
{
    struct fault fault = {0};
    struct finding finding = {property, TRACE_SHOWS_FALSE, NULL, number, NULL};
    if (search->decided[property->id])
        return true;
    switch (stepper_holds(search->worker.judge, property, cells, &fault)) {
    case TRUTH_TRUE:
        return true;
    case TRUTH_FALSE:
        return violation_report(search, &finding, "a reachable state violates it");
    case TRUTH_FAULT:
        break;
    }
    finding.fault = &fault;
    return judge_fault(search, &finding);
}

static bool judge_cover(struct search *search, const struct property *property, uint32_t number, const int32_t *cells)
{
    struct fault fault = {0};
    struct finding finding = {property, TRACE_SHOWS_TRUE, NULL, number, NULL};
    if (search->decided[property->id])
        return true;
    switch (stepper_holds(search->worker.judge, property, cells, &fault)) {
    case TRUTH_FALSE:
        return true;
    case TRUTH_TRUE:
        result_set_verdict(search->result, property, VERDICT_HOLDS, NULL);
        search->result->properties[property->id].trace = violation_trace(search, &finding);
        search_decide(search, property);
        return !search->stopped;
    case TRUTH_FAULT:
        /* Not met here. Whether it is met elsewhere must not depend on the order of the search: remembered for the end. */
        if (search->faulted[property->id] == STORE_NO_PARENT) {
            search->faulted[property->id] = number;
            search->result->properties[property->id].fault = fault;
        }
        return true;
    }
    UNREACHABLE("truth value");
}

/* Big numbers only when they do not fit in a word. */
void judge_count_orbit(struct search *search, const int32_t *cells, uint64_t classes)
{
    uint64_t size;
    if (!canon_orbit_of(search->worker.canon, classes, &size)) {
        canon_orbit_size(search->worker.canon, cells, search->orbit);
        if (!bigint_fits_u64(search->orbit, &size)) {
            bigint_add(search->represented, search->orbit);
            return;
        }
    }
    if (__builtin_add_overflow(search->represented_small, size, &search->represented_small)) {
        /* The sum wrapped round: what is missing is 2^64. */
        bigint_add_u64(search->represented, UINT64_MAX);
        bigint_add_u64(search->represented, 1);
    }
}

bool judge_new_state(struct search *search, uint32_t number, const int32_t *cells)
{
    for (uint32_t i = 0; i < search->invariants.count; i++)
        if (!judge_invariant(search, search->invariants.items[i], number, cells))
            return false;
    for (uint32_t i = 0; i < search->covers.count; i++)
        if (!judge_cover(search, search->covers.items[i], number, cells))
            return false;
    return !search->livenesses.count || liveness_note(search, number, cells);
}
