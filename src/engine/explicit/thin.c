/* Partial-order reduction (--reduction por): of the successors of a state only those of a stubborn set are followed
 * (stubborn/stubborn.h).
 *
 * A set is enough only if no step is put off for ever. In a breadth-first search it is if one of its steps leads to a
 * state that will be expanded later than this one (Bosnacki, Holzmann, Improving Spin's partial-order reduction for
 * breadth-first search, SPIN 2005). Here it may also lead to a *settled* one: a state is settled when all its
 * successors are followed, or when a step of its set leads to a settled one. If no step does, the next set is tried,
 * and at last all successors are followed.
 *
 * Why that keeps what is promised. Let a run t1 .. tn from an expanded state s end in a violation: by tn, which fails,
 * or which is the observer of a formula. If some ti is in the set of s, take the first one: it can be taken now, and
 * from there the others lead to the same violation in n - 1 steps. If none is, every step of the set that is enabled
 * can be taken now, and t1 .. tn are possible behind it: n stays the same. So steps of sets lead from s to a state that
 * is expanded later, and so on, or to a settled one, and from that to one of which all successors are followed, and
 * there t1 is in the set. There is no way round: a state is called settled when the one is that its step leads to, so
 * these steps lead to states that were called settled before, and the others to states that are expanded later; of both
 * there are finitely many. By induction over n the violation is found. (A step of the set that fails leads to no state:
 * it does not satisfy the proviso, nor does one that goes on for ever.) A deadlock needs no proviso. With symmetry s
 * and its image have violations that are equally far: so orbits are what is expanded, and the proviso asks about
 * representatives.
 *
 * A state that is found to be settled settles those on the way by which it was found: each was found by a step of the
 * set of the one before. (A set that was tried and given up has led to no new state.)
 *
 * "Expanded later" is: of the next level, whoever found it, in a layered search (lineage.h); a greater number, numbered
 * and breadth first; not expanded yet, depth first. In a layered search states become settled between levels, so that
 * the order within a level does not matter. With several threads a state of the next level may be taken for an older
 * one while another thread puts it there: then more is followed than need be. */
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
    int32_t *cells; /* of all steps that lead to a state, one after the other */
    size_t cells_used, cells_size;
    VEC(uint32_t) changed;
    bool meets_settled;
    VEC(uint64_t) settled; /* states of this level, by key */
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
    free(thinner->cells);
    VEC_FREE(&thinner->changed);
    VEC_FREE(&thinner->settled);
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
    /* States are known by what they are looked up by: not where that is the same for others, or many for one. */
    if (thin_is_on(search) && search->visited && !represent_is_marked(search) && !represent_is_alone(search))
        search->lineage = lineage_create(&search->budget);
    search->is_planned |= search->lineage != NULL; /* their keys must stay */
}

/* --- which states are expanded later, or settled --- */

void thin_note_key(struct worker *worker, const struct waiting *waiting, bool is_new)
{
    struct explicit_search *search = worker->search;
    uint64_t key = waiting->key.key;
    bool is_start = waiting->parent == STATE_NONE;
    if (!worker->thinner)
        return;
    if (is_new && search->lineage)
        lineage_add(search->lineage, key, waiting->has_parent_key ? waiting->parent_key : key,
                    is_start ? 0 : search->depth + 1);
    worker->later += is_new || (worker->is_asking && search->lineage &&
                                lineage_leads_on(search->lineage, key, search->depth, &worker->thinner->meets_settled));
}

static bool thin_has(const struct thin_marks *marks, uint32_t number)
{
    return number / 64 < marks->count && marks->items[number / 64] >> number % 64 & 1;
}

static void thin_mark(struct thin_marks *marks, uint32_t number)
{
    while (marks->count <= number / 64)
        VEC_PUSH(marks, 0);
    marks->items[number / 64] |= (uint64_t)1 << number % 64;
}

void thin_note_number(struct worker *worker, uint32_t number, uint32_t parent, bool is_new)
{
    const struct explicit_search *search = worker->search;
    bool is_deep = search->options->order == SEARCH_DEPTH_FIRST, is_settled = thin_has(&search->settled, number);
    worker->thinner->meets_settled |= is_settled;
    worker->later += is_new || is_settled || (is_deep ? !thin_has(&search->expanded, number) : number > parent);
}

/* The state has all its successors, or leads to a settled one. */
static void thin_settle(struct worker *worker, state_id id)
{
    struct explicit_search *search = worker->search;
    if (search->visited && worker->has_parent_key)
        VEC_PUSH(&worker->thinner->settled, worker->parent_key);
    if (search->visited)
        return;
    for (uint32_t n = (uint32_t)id; n != STORE_NO_PARENT && !thin_has(&search->settled, n);
         n = store_parent(search->store, n))
        thin_mark(&search->settled, n);
}

void thin_end_level(struct explicit_search *search)
{
    for (uint32_t w = 0; w < search->worker_count && search->lineage; w++) {
        struct thinner *thinner = search->workers[w].thinner;
        for (size_t i = 0; i < thinner->settled.count; i++)
            lineage_settle(search->lineage, thinner->settled.items[i]);
        VEC_CLEAR(&thinner->settled);
    }
}

/* --- a state --- */

void thin_begin_state(struct worker *worker)
{
    struct thinner *thinner = worker->thinner;
    VEC_CLEAR(&thinner->steps);
    thinner->cells_used = 0;
    VEC_CLEAR(&thinner->changed);
    thinner->meets_settled = false;
    worker->has_parent_key =
        worker->search->lineage && insert_find_key(worker, worker->parent_packed, &worker->parent_key);
    stubborn_begin(thinner->hand, worker->parent);
}

static void thin_keep_cells(struct thinner *thinner, const int32_t *cells, size_t count)
{
    if (thinner->cells_used + count > thinner->cells_size) {
        size_t size = 2 * thinner->cells_size + 16 * count;
        thinner->cells = memory_resize(thinner->cells, size * sizeof *cells);
        thinner->cells_size = size;
    }
    if (count)
        memcpy(thinner->cells + thinner->cells_used, cells, count * sizeof *cells);
    thinner->cells_used += count;
}

/* Keeps the step until it is known whether it is followed. */
bool thin_keep(struct worker *worker, enum step_outcome outcome, const struct step *step)
{
    struct thinner *thinner = worker->thinner;
    uint32_t count = worker->search->layout->cell_count;
    struct thin_step kept = {.outcome = outcome, .step = *step, .ordinal = worker->ordinal, .is_other = true};
    kept.cells = thinner->cells_used;
    kept.changed = SIZE_MAX;
    kept.first = step_first(step, &kept.first_instance);
    if (outcome == STEP_STATE) {
        worker->ordinal++;
        kept.is_other = step_is_other(step, worker->parent, count);
        thin_keep_cells(thinner, step->cells, count);
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
    kept->step.cells = thinner->cells ? thinner->cells + kept->cells : NULL;
    kept->step.changed = kept->changed == SIZE_MAX ? NULL
                         : thinner->changed.items  ? thinner->changed.items + kept->changed
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
        thin_mark(&worker->search->expanded, (uint32_t)id);
    while (!is_enough && stubborn_next(worker->thinner->hand)) {
        if (worker->batch_count && !insert_flush(worker))
            return false;
        worker->later = 0;
        worker->thinner->meets_settled = false;
        worker->is_asking = true;
        bool goes_on = thin_follow_set(worker, id, false) && insert_flush(worker);
        worker->is_asking = false;
        is_enough = worker->later > 0;
        if (!goes_on)
            return false;
    }
    if (!is_enough || worker->thinner->meets_settled)
        thin_settle(worker, id);
    return is_enough || thin_follow_set(worker, id, true);
}
