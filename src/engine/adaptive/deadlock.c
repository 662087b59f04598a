/* Deadlocks. When an abstract state was expanded and no edge was found that is enabled in all states it stands for,
 * each kind of state that the edges tell apart is looked at. */
#include <stdlib.h>
#include <string.h>

#include "engine/adaptive/search.h"
#include "exec/conditions.h"

struct deadlock {
    struct adaptive_search *search;
    struct adaptive_view view; /* one kind of state */
    struct unwinding inner;
    uint32_t *locals;
    bool is_alive, goes_on;
};

/* An instance that an assume statement discards counts as not enabled; one that faults is no deadlock. */
static bool deadlock_use_edge(struct unwinding *unwinding)
{
    struct deadlock *deadlock = unwinding->user;
    struct adaptive_search *search = deadlock->search;
    const struct adaptive_edge *edge = unwinding->edge;
    if (edge->outcome == OUTCOME_DISCARDED || !unwind_holds(unwinding, &search->book))
        return true;
    deadlock->is_alive = edge->outcome == OUTCOME_FAULT || search->options->deadlock == DEADLOCK_STUCK ||
                         unfold_changes(search, unwinding);
    return !deadlock->is_alive;
}

static bool deadlock_fire(struct adaptive_search *search, uint32_t variant, const uint32_t *actors, void *user)
{
    struct deadlock *deadlock = user;
    uint32_t shared, *after = memory_alloc(search->roster->element_count * sizeof *after);
    enum go go = rulebook_run_concrete(&search->book, &search->variants.items[variant], search->view.shared,
                                       deadlock->locals, actors);
    deadlock->is_alive = go == GO_FAULT || (go == GO_OK && search->options->deadlock == DEADLOCK_STUCK);
    if (go == GO_OK && !deadlock->is_alive) {
        scene_read(&search->scene, search->book.partial.memory, &shared, after);
        deadlock->is_alive = shared != search->view.shared ||
                             memcmp(after, deadlock->locals, search->roster->element_count * sizeof *after);
    }
    free(after);
    return !deadlock->is_alive;
}

/* A final condition is evaluated in the state itself: with one, every kind of state is one state. */
static bool deadlock_is_allowed(struct deadlock *deadlock)
{
    struct adaptive_search *search = deadlock->search;
    if (!search->system->properties.items[SYSTEM_DEADLOCK]->formula)
        return false;
    int32_t *cells = memory_alloc((search->layout->cell_count + 1) * sizeof *cells);
    struct stepper *judge = stepper_create_evaluator(search->system, search->layout);
    scene_write(&search->scene, search->view.shared, deadlock->locals, cells);
    bool is_allowed = conditions_allow_end(judge, cells);
    stepper_destroy(judge);
    free(cells);
    return is_allowed;
}

/* The kind of state as a view of its own. */
static void deadlock_view(struct deadlock *deadlock, const struct unwinding *unwinding)
{
    struct adaptive_search *search = deadlock->search;
    uint32_t none[VARIANT_MOST_ACTORS];
    unwind_concretise(unwinding, deadlock->locals, none);
    unfold_build_concrete(search, search->view.shared, deadlock->locals, unwinding->fine_number);
    view_load_words(&deadlock->view, &search->reached, search->words.items, (uint32_t)search->words.count);
}

static bool deadlock_use(struct unwinding *unwinding)
{
    struct deadlock *deadlock = unwinding->user;
    struct adaptive_search *search = deadlock->search;
    const struct property *property = search->system->properties.items[SYSTEM_DEADLOCK];
    deadlock_view(deadlock, unwinding);
    deadlock->is_alive = false;
    for (size_t i = 0; i < search->queue.count && !deadlock->is_alive; i++)
        unwind_edge(&deadlock->inner, &search->book, &deadlock->view, search->queue.items[i]);
    for (uint32_t v = 0; v < search->rule_variants && !deadlock->is_alive; v++)
        if (search->variants.items[v].is_unclear)
            concrete_each(search, v, search->view.shared, deadlock->locals, deadlock_fire, deadlock);
    if (deadlock->is_alive || deadlock_is_allowed(deadlock))
        return bounds_spend(search, 4) || (deadlock->goes_on = false);
    deadlock->goes_on = judging_report(search, property, search->current, deadlock->locals, NULL, NULL,
                                       deadlock_reason(search->options->deadlock));
    return false;
}

bool deadlock_check(struct adaptive_search *search)
{
    struct deadlock deadlock = {.search = search, .goes_on = true};
    struct unwinding outer = {.use = deadlock_use, .user = &deadlock};
    bool has_final = search->system->properties.items[SYSTEM_DEADLOCK]->formula;
    uint32_t partition = has_final ? search->finest : search->view.partition_number;
    if (search->decided[SYSTEM_DEADLOCK])
        return true;
    for (size_t i = 0; i < search->queue.count; i++)
        partition = partitions_meet(&search->partitions, partition, search->queue.items[i]->partition);
    for (uint32_t v = 0; v < search->rule_variants; v++)
        if (search->variants.items[v].is_unclear)
            partition = search->finest;
    deadlock.locals = memory_alloc(search->roster->element_count * sizeof *deadlock.locals);
    deadlock.inner = (struct unwinding){.use = deadlock_use_edge, .user = &deadlock};
    unwind_over(&outer, &search->book, &search->view, partition);
    free(deadlock.locals);
    view_free(&deadlock.view);
    unwind_free(&deadlock.inner);
    unwind_free(&outer);
    return deadlock.goes_on;
}
