/* Expanding one abstract state: Algorithm 1, lines 4 to 12. */
#include <string.h>

#include "engine/adaptive/search.h"

/* The local states of the actors from number `at` on. */
static void unfold_choose(struct adaptive_search *search, const struct adaptive_view *view, uint32_t number,
                          uint32_t at, uint32_t *locals, struct edge_queue *queue)
{
    const struct variant *variant = &search->variants.items[number];
    if (at == variant->actor_count) {
        const struct edge_list *list = rulebook_edges(&search->book, number, view->shared, locals);
        for (uint32_t e = 0; e < list->count; e++)
            VEC_PUSH(queue, &list->items[e]);
        return;
    }
    for (uint32_t l = 0; l < view->local_count && !variant->is_unclear; l++) {
        uint32_t used = 0;
        for (uint32_t a = 0; a < at; a++)
            used += locals[a] == view->locals[l];
        if (used == view->totals[l] || !variant_accepts(variant, &search->scene, at, view->locals[l]))
            continue;
        locals[at] = view->locals[l];
        unfold_choose(search, view, number, at + 1, locals, queue);
    }
}

void unfold_collect(struct adaptive_search *search, const struct adaptive_view *view, size_t first, size_t end,
                    struct edge_queue *queue)
{
    for (size_t v = first; v < end; v++) {
        const struct variant *variant = &search->variants.items[v];
        uint32_t locals[VARIANT_MOST_ACTORS];
        size_t before = queue->count;
        if (variant->is_unclear || !variant_suits(variant, &search->scene, view->shared))
            continue;
        unfold_choose(search, view, (uint32_t)v, 0, locals, queue);
        if (variant->is_unclear) /* found out just now: all of it is done state by state */
            queue->count = before;
    }
}

static void words_push(struct adaptive_search *search, uint32_t word)
{
    VEC_PUSH(&search->words, word);
}

/* Adds to the pairs of the cell that is being made, which begin at `first`. */
static void unfold_add_local(struct adaptive_search *search, size_t first, uint32_t local, uint32_t count)
{
    uint32_t radix = search->reached.radix;
    ENSURE(local < UINT32_MAX / radix);
    size_t at = search->words.count;
    while (at > first && search->words.items[at - 1] / radix > local)
        at--;
    if (at > first && search->words.items[at - 1] / radix == local) {
        search->words.items[at - 1] += count;
        return;
    }
    words_push(search, 0);
    memmove(search->words.items + at + 1, search->words.items + at, (search->words.count - 1 - at) * sizeof(uint32_t));
    search->words.items[at] = local * radix + count;
}

void unfold_build(struct adaptive_search *search, const struct unwinding *unwinding)
{
    const struct adaptive_edge *edge = unwinding->edge;
    const struct adaptive_view *view = unwinding->view;
    VEC_CLEAR(&search->words);
    words_push(search, edge->shared);
    words_push(search, unwinding->fine_number);
    for (uint32_t r = 0; r < unwinding->fine.cell_count; r++) {
        const uint32_t *counts = unwinding->counts + (size_t)r * view->local_count;
        uint32_t map = edge->map_of_cell ? edge->map_of_cell[unwinding->q_cell_of[unwinding->fine.first[r]]] : NO_MAP;
        words_push(search, 0);
        size_t first = search->words.count;
        for (uint32_t l = 0; l < view->local_count; l++)
            if (counts[l])
                unfold_add_local(search, first,
                                 map == NO_MAP ? view->locals[l] : effect_map(&search->book, map, view->locals[l]),
                                 counts[l]);
        for (uint32_t a = 0; a < unwinding->actor_count; a++)
            if (unwinding->place[a] == r)
                unfold_add_local(search, first, edge->locals_after[a], 1);
        search->words.items[first - 1] = (uint32_t)(search->words.count - first);
    }
}

void unfold_build_concrete(struct adaptive_search *search, uint32_t shared, const uint32_t *locals, uint32_t partition)
{
    const struct partition about = *partitions_at(&search->partitions, partition);
    VEC_CLEAR(&search->words);
    words_push(search, shared);
    words_push(search, partition);
    for (uint32_t c = 0; c < about.cell_count; c++) {
        words_push(search, 0);
        size_t first = search->words.count;
        for (uint32_t i = 0; i < about.size[c]; i++)
            unfold_add_local(search, first, locals[about.members[about.start[c] + i]], 1);
        search->words.items[first - 1] = (uint32_t)(search->words.count - first);
    }
}

bool unfold_changes(struct adaptive_search *search, const struct unwinding *unwinding)
{
    const struct adaptive_edge *edge = unwinding->edge;
    const struct adaptive_view *view = unwinding->view;
    if (edge->shared != view->shared)
        return true;
    for (uint32_t a = 0; a < unwinding->actor_count; a++)
        if (edge->locals_after[a] != edge->locals[a])
            return true;
    for (uint32_t r = 0; edge->map_of_cell && r < unwinding->fine.cell_count; r++) {
        uint32_t map = edge->map_of_cell[unwinding->q_cell_of[unwinding->fine.first[r]]];
        for (uint32_t l = 0; map != NO_MAP && l < view->local_count; l++)
            if (unwinding->counts[r * view->local_count + l] &&
                effect_map(&search->book, map, view->locals[l]) != view->locals[l])
                return true;
    }
    return false;
}

/* The state in search->words is a successor (or, without parent, a start state). */
bool unfold_emit(struct adaptive_search *search, uint32_t parent)
{
    const struct limits *limits = &search->options->limits;
    if (search->scene.is_broken) {
        search->must_begin_again = true;
        return false;
    }
    if (!reached_add(&search->reached, search->words.items, (uint32_t)search->words.count, parent, search->level_end))
        return bounds_spend(search, 1);
    uint32_t number = reached_count(&search->reached) - 1;
    if (!judging_state(search, number))
        return false;
    if (limits->states && number >= limits->states) {
        bounds_stop(search, stop_limit(STOP_STATES, limits->states));
        return false;
    }
    return bounds_spend(search, 4);
}

static bool unfold_fault(struct adaptive_search *search, const struct unwinding *unwinding)
{
    const struct adaptive_edge *edge = unwinding->edge;
    struct firing firing = {.variant = edge->variant, .shared = unwinding->view->shared};
    if (search->decided[edge->fault->property->id])
        return true;
    unwind_concretise(unwinding, search->locals, firing.actors);
    return judging_report(search, edge->fault->property, search->current, search->locals, &firing, edge->fault, NULL);
}

static bool unfold_use(struct unwinding *unwinding)
{
    struct adaptive_search *search = unwinding->user;
    const struct adaptive_edge *edge = unwinding->edge;
    struct statistics *statistics = &search->result->statistics;
    /* An edge whose partition splits nothing does in all states of the orbit what it does here. */
    bool is_everywhere = unwinding->fine_number == unwinding->view->partition_number;
    if (!unwind_holds(unwinding, &search->book))
        return bounds_spend(search, 1);
    if (edge->outcome == OUTCOME_DISCARDED)
        return true;
    if (edge->outcome == OUTCOME_FAULT) {
        search->is_alive |= is_everywhere;
        return unfold_fault(search, unwinding);
    }
    search->is_alive |=
        is_everywhere && (search->options->deadlock == DEADLOCK_STUCK || unfold_changes(search, unwinding));
    statistics->transitions++;
    statistics->rules_fired++;
    statistics->fired_by_rule[search->variants.items[edge->variant].rule->id]++;
    unfold_build(search, unwinding);
    return unfold_emit(search, search->current);
}

/* Standard reduction keeps to one partition: where an edge breaks it, it was too coarse from the beginning. */
static bool unfold_keeps_friends(struct adaptive_search *search, uint32_t partition)
{
    uint32_t meet = partitions_meet(&search->partitions, search->friends, partition);
    if (meet == search->friends || search->options->method != METHOD_STANDARD)
        return true;
    search->friends = meet;
    search->must_begin_again = true;
    return false;
}

static bool unfold_edges(struct adaptive_search *search)
{
    for (size_t i = 0; i < search->queue.count; i++)
        if (!unfold_keeps_friends(search, search->queue.items[i]->partition))
            return false;
    /* Symmetric edges first: what they reach subsumes much of what the others do. */
    for (int is_symmetric = 1; is_symmetric >= 0; is_symmetric--)
        for (size_t i = 0; i < search->queue.count; i++)
            if (search->queue.items[i]->is_symmetric == is_symmetric &&
                !unwind_edge(&search->unwinding, &search->book, &search->view, search->queue.items[i]))
                return false;
    return true;
}

bool unfold_state(struct adaptive_search *search, uint32_t number)
{
    search->current = number;
    search->is_alive = search->options->deadlock == DEADLOCK_OFF;
    search->unwinding.use = unfold_use;
    search->unwinding.user = search;
    view_load(&search->view, &search->reached, number);
    VEC_CLEAR(&search->queue);
    unfold_collect(search, &search->view, 0, search->rule_variants, &search->queue);
    if (search->scene.is_broken) {
        search->must_begin_again = true;
        return false;
    }
    if (!unfold_edges(search))
        return false;
    for (uint32_t v = 0; v < search->rule_variants; v++)
        if (search->variants.items[v].is_unclear &&
            (!unfold_keeps_friends(search, search->finest) || !concrete_expand(search, v)))
            return false;
    return search->is_alive || deadlock_check(search);
}
