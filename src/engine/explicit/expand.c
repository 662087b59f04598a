/* Expanding one state: the inner loop of every search. Nothing here allocates. */
#include <string.h>

#include "engine/explicit/search.h"

/* A new state is in the store. */
static bool expand_settle(struct search *search, uint32_t number, uint64_t classes)
{
    struct worker *worker = &search->worker;
    const uint64_t *packed = store_state(search->store, number);
    if (search->options->on_state)
        search->options->on_state(search->options->on_state_user, packed);
    if (!worker->canon && !search->invariants.count && !search->covers.count && !search->livenesses.count)
        return true;
    layout_unpack(search->layout, packed, worker->fresh);
    if (worker->canon)
        judge_count_orbit(search, worker->fresh, classes);
    return judge_new_state(search, number, worker->fresh);
}

static bool expand_insert(struct search *search, uint32_t which)
{
    const struct worker *worker = &search->worker;
    const uint64_t *packed = worker->batch + (size_t)which * search->layout->words;
    uint32_t number, parent = worker->parents[which];
    enum store_outcome outcome = store_insert(search->store, packed, worker->hashes[which], parent, &number);
    if (outcome == STORE_FULL || (search->edges && parent != STORE_NO_PARENT && !edges_add(search->edges, number))) {
        search_stop_full(search);
        return false;
    }
    return outcome == STORE_FOUND || expand_settle(search, number, worker->classes[which]);
}

bool expand_flush(struct search *search)
{
    struct worker *worker = &search->worker;
    uint32_t count = worker->batch_count;
    worker->batch_count = 0;
    for (uint32_t i = 0; i < count; i++)
        store_prefetch_state(search->store, worker->hashes[i]);
    for (uint32_t i = 0; i < count; i++)
        if (!expand_insert(search, i))
            return false;
    return limits_spend(search, count + 1);
}

/* Packs the representative. Returns the classes of twins in it, as canon_successor does. */
static uint64_t expand_pack(struct search *search, uint32_t parent, const struct step *step, uint64_t *packed)
{
    struct worker *worker = &search->worker;
    if (worker->canon && parent != STORE_NO_PARENT)
        return canon_successor(worker->canon, step->cells, step->changed, step->changed_count, packed);
    if (worker->canon) {
        canon_apply(worker->canon, step->cells, worker->image);
        layout_pack(search->layout, worker->image, packed);
    } else if (step->changed) {
        memcpy(packed, worker->parent_packed, search->layout->words * sizeof *packed);
        layout_repack(search->layout, step->cells, step->changed, step->changed_count, packed);
    } else {
        layout_pack(search->layout, step->cells, packed);
    }
    return 0;
}

bool expand_add(struct search *search, uint32_t parent, const struct step *step)
{
    struct worker *worker = &search->worker;
    if (search->assumptions.count && !judge_is_granted(search, parent, step->cells))
        return !search->stopped;
    search->result->statistics.transitions += parent != STORE_NO_PARENT;
    uint64_t *packed = worker->batch + (size_t)worker->batch_count * search->layout->words;
    worker->classes[worker->batch_count] = expand_pack(search, parent, step, packed);
    uint64_t hash = store_hash(search->store, packed);
    store_prefetch(search->store, hash);
    worker->parents[worker->batch_count] = parent;
    worker->hashes[worker->batch_count++] = hash;
    return worker->batch_count < SEARCH_BATCH || expand_flush(search);
}

/* Cover statements set a flag in the stepper as they run. The step that did it is not always part of a run (the statement
 * may stand in a function that a guard calls), so these goals are met without a witness. */
bool expand_note_covers(struct search *search)
{
    for (uint32_t i = 0; i < search->cover_statements.count; i++) {
        const struct property *property = search->cover_statements.items[i];
        if (search->decided[property->id])
            continue;
        if (!search->worker.stepper->covered[property->id] && !search->worker.judge->covered[property->id])
            continue;
        result_set_verdict(search->result, property, VERDICT_HOLDS, NULL);
        search_decide(search, property);
    }
    return !search->stopped;
}

bool expand_fault(struct search *search, uint32_t parent, const struct fault *fault)
{
    /* What was found before the fault comes first. */
    if (!expand_flush(search))
        return false;
    if (search->decided[fault->property->id])
        return true;
    return violation_report_fault(search, parent, fault);
}

static bool expand_deadlock(struct search *search, uint32_t number)
{
    const struct property *property = search->system->properties.items[SYSTEM_DEADLOCK];
    bool is_stuck = search->options->deadlock == DEADLOCK_STUCK;
    if (!expand_flush(search))
        return false;
    if (search->decided[property->id])
        return true;
    struct finding finding = {property, is_stuck ? TRACE_SHOWS_STUCK : TRACE_SHOWS_STUTTERING, NULL, number, NULL};
    return violation_report(search, &finding, is_stuck ? "no rule is enabled" : "no enabled rule changes the state");
}

static bool expand_is_other(const struct search *search, const struct step *step)
{
    if (step->changed)
        return step->changed_count > 0;
    return memcmp(step->cells, search->worker.parent, search->layout->cell_count * sizeof *step->cells) != 0;
}

/* A successor of the state. Returns whether it is another state, in *is_other. */
static bool expand_step(struct search *search, uint32_t number, const struct step *step, bool *is_other)
{
    struct statistics *statistics = &search->result->statistics;
    statistics->rules_fired++;
    statistics->fired_by_rule[step->rule->id]++;
    *is_other = expand_is_other(search, step);
    if (*is_other)
        return expand_add(search, number, step);
    statistics->transitions++; /* back to where it came from: nothing to look up */
    return limits_spend(search, 1);
}

/* Deadlock, as rumur has it: an instance that an assume statement discards counts as not enabled; one whose
 * successor breaks an assumption of the model counts as enabled. An instance that faults is no deadlock either: the
 * fault itself is reported. */
bool expand_state(struct search *search, uint32_t number)
{
    struct worker *worker = &search->worker;
    struct step step = {0};
    enum step_outcome outcome;
    bool is_alive = search->options->deadlock == DEADLOCK_OFF;
    memcpy(worker->parent_packed, store_state(search->store, number), search->layout->words * sizeof(uint64_t));
    layout_unpack(search->layout, worker->parent_packed, worker->parent);
    if (search->edges && !edges_begin(search->edges, number)) {
        search_stop_full(search);
        return false;
    }
    if (worker->canon)
        canon_begin(worker->canon, worker->parent, worker->parent_packed);
    stepper_begin_successors(worker->stepper, worker->parent);
    while ((outcome = stepper_next(worker->stepper, &step)) != STEP_END) {
        bool is_other = true;
        if (search->cover_statements.count && !expand_note_covers(search))
            return false;
        if (outcome == STEP_STATE && !expand_step(search, number, &step, &is_other))
            return false;
        if (outcome == STEP_FAULT && !expand_fault(search, number, &step.fault))
            return false;
        if (outcome != STEP_DISCARDED && (is_other || search->options->deadlock == DEADLOCK_STUCK))
            is_alive = true;
    }
    /* The log of edges is written source by source. */
    if (search->edges && !expand_flush(search))
        return false;
    return is_alive ? limits_spend(search, 1) : expand_deadlock(search, number);
}
