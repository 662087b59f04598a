/* Partial-order reduction (--reduction por): of the successors of a state only those of a stubborn set are followed
 * (stubborn/stubborn.h).
 *
 * A set is enough only if no step is put off for ever. The proviso is that of breadth-first searches (Bosnacki,
 * Holzmann, Improving Spin's partial-order reduction for breadth-first search, SPIN 2005): one of its steps leads to a
 * state that will be expanded later than this one. If none does, the next set is tried, and at last all successors are
 * followed.
 *
 * Why that keeps what is promised. Let a run t1 .. tn from an expanded state s end in a violation: by tn, which fails,
 * or which is the observer of a formula. If some ti is in the set of s, take the first one: it can be taken now, and
 * from there the others lead to the same violation in n - 1 steps. If none is, the step of the set that the proviso
 * speaks of can be taken now, and t1 .. tn are possible behind it: n stays the same, and the state is expanded later.
 * There are finitely many states, and one of which all successors are followed has t1 in its set. So by induction over
 * n, and for each n over the states in the reverse order of their expansion, the violation is found. (A step of the set
 * that fails leads to no state: it does not satisfy the proviso, nor does a step that goes on for ever.) A deadlock
 * needs no proviso. With symmetry s and its image have violations that are equally far, so the orbits are what is
 * expanded, and the proviso asks about representatives.
 *
 * "Expanded later" is: of the next level, whoever found it, in a layered search (upcoming.h); a greater number, numbered
 * and breadth first; not expanded yet, depth first. In a layered search with several threads, a state of the next level
 * may be taken for an older one while another thread puts it there: then more is followed than need be. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/search.h"

/* A successor of the state that is being expanded, or a failure. */
struct thin_step {
    enum step_outcome outcome;
    struct step step; /* without cells */
    const struct rule *first;
    uint64_t first_instance, ordinal;
    size_t cells, changed; /* where they begin; changed: SIZE_MAX, not known */
    bool is_other, is_taken;
};

struct thinner {
    struct stubborn_hand *hand;
    VEC(struct thin_step) steps;
    VEC(int32_t) cells;
    VEC(uint32_t) changed;
};

struct thinner *thin_create(const struct explicit_search *search)
{
    if (!thin_is_on(search))
        return NULL;
    struct thinner *thinner = memory_zeroed(1, sizeof *thinner);
    thinner->hand = stubborn_hand_create(search->stubborn);
    return thinner;
}

void thin_destroy(struct thinner *thinner)
{
    if (!thinner)
        return;
    stubborn_hand_destroy(thinner->hand);
    VEC_FREE(&thinner->steps);
    VEC_FREE(&thinner->cells);
    VEC_FREE(&thinner->changed);
    free(thinner);
}

bool thin_is_on(const struct explicit_search *search)
{
    return search->stubborn && !stubborn_refusal(search->stubborn);
}

void thin_begin(struct explicit_search *search)
{
    if (search->options->partial_order != PARTIAL_ORDER_REDUCED)
        return;
    bool *is_observed = memory_zeroed(search->system->properties.count + 1, sizeof *is_observed);
    const struct property_list lists[] = {search->invariants, search->covers};
    for (uint32_t l = 0; l < 2; l++)
        for (uint32_t i = 0; i < lists[l].count; i++)
            is_observed[lists[l].items[i]->id] = search->result->checked[lists[l].items[i]->id];
    search->stubborn = stubborn_create(search->layout, search->symmetry, is_observed);
    free(is_observed);
    if (thin_is_on(search) && search->visited)
        search->upcoming = upcoming_create(&search->budget);
}

/* --- which states are expanded later --- */

void thin_note_key(struct worker *worker, uint64_t key, bool is_new)
{
    struct upcoming *upcoming = worker->search->upcoming;
    if (!upcoming)
        return;
    if (is_new)
        upcoming_add(upcoming, key);
    worker->later += is_new || (worker->is_asking && upcoming_has(upcoming, key));
}

static bool thin_is_expanded(const struct explicit_search *search, uint32_t number)
{
    return number < search->expanded.count * 64 && search->expanded.items[number / 64] >> number % 64 & 1;
}

void thin_note_number(struct worker *worker, uint32_t number, uint32_t parent, bool is_new)
{
    const struct explicit_search *search = worker->search;
    bool is_deep = search->options->order == SEARCH_DEPTH_FIRST;
    worker->later += is_new || (is_deep ? !thin_is_expanded(search, number) : number > parent);
}

void thin_note_expanded(struct explicit_search *search, uint32_t number)
{
    while (search->expanded.count <= number / 64)
        VEC_PUSH(&search->expanded, 0);
    search->expanded.items[number / 64] |= (uint64_t)1 << number % 64;
}

/* --- a state --- */

void thin_begin_state(struct worker *worker)
{
    struct thinner *thinner = worker->thinner;
    VEC_CLEAR(&thinner->steps);
    VEC_CLEAR(&thinner->cells);
    VEC_CLEAR(&thinner->changed);
    stubborn_begin(thinner->hand, worker->parent);
}

/* Keeps the step until it is known whether it is followed. */
bool thin_keep(struct worker *worker, enum step_outcome outcome, const struct step *step)
{
    struct thinner *thinner = worker->thinner;
    uint32_t count = worker->search->layout->cell_count;
    struct thin_step kept = {.outcome = outcome, .step = *step, .ordinal = worker->ordinal, .is_other = true};
    kept.cells = thinner->cells.count;
    kept.changed = SIZE_MAX;
    kept.first = step_first(step, &kept.first_instance);
    if (outcome == STEP_STATE) {
        worker->ordinal++;
        kept.is_other = step_is_other(step, worker->parent, count);
        for (uint32_t c = 0; c < count; c++)
            VEC_PUSH(&thinner->cells, step->cells[c]);
        if (step->changed)
            kept.changed = thinner->changed.count;
        for (uint32_t c = 0; step->changed && c < step->changed_count; c++)
            VEC_PUSH(&thinner->changed, step->changed[c]);
    }
    VEC_PUSH(&thinner->steps, kept);
    stubborn_note(thinner->hand, kept.first, kept.first_instance, kept.is_other);
    return kept.is_other;
}

static bool thin_follow(struct worker *worker, state_id id, struct thin_step *kept)
{
    static const uint32_t none;
    const struct thinner *thinner = worker->thinner;
    bool is_other;
    kept->is_taken = true;
    worker->ordinal = kept->ordinal;
    if (kept->outcome == STEP_FAULT)
        expand_fault(worker, id, &kept->step.fault);
    if (kept->outcome != STEP_STATE)
        return true;
    kept->step.passed = NULL;
    kept->step.cells = VEC_FROM(&thinner->cells, kept->cells);
    kept->step.changed = kept->changed == SIZE_MAX         ? NULL
                         : thinner->changed.items ? thinner->changed.items + kept->changed
                                                  : &none;
    return expand_step(worker, id, &kept->step, &is_other);
}

/* Follows the steps of the set that is at hand, or all that are left. */
static bool thin_follow_set(struct worker *worker, state_id id, bool is_all)
{
    struct thinner *thinner = worker->thinner;
    for (size_t i = 0; i < thinner->steps.count; i++) {
        struct thin_step *kept = &thinner->steps.items[i];
        if (!kept->is_taken && (is_all || stubborn_has(thinner->hand, kept->first, kept->first_instance)) &&
            !thin_follow(worker, id, kept))
            return false;
    }
    return true;
}

bool thin_choose(struct worker *worker, state_id id)
{
    bool is_enough = false;
    if (!worker->search->visited)
        thin_note_expanded(worker->search, (uint32_t)id);
    while (!is_enough && stubborn_next(worker->thinner->hand)) {
        if (worker->batch_count && !insert_flush(worker))
            return false;
        worker->later = 0;
        worker->is_asking = true;
        bool goes_on = thin_follow_set(worker, id, false) && insert_flush(worker);
        worker->is_asking = false;
        is_enough = worker->later > 0;
        if (!goes_on)
            return false;
    }
    return is_enough || thin_follow_set(worker, id, true);
}
