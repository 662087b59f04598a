/* Is there a fair accepting run? Regions of the product, each strongly connected, are checked one after the other; a
 * region that does not meet a requirement loses the states that oblige it, and its components are regions again. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/linear.h"

struct emptiness_region {
    uint32_t number;
    uint32_t *members;
    size_t count;
};

struct emptiness {
    struct linear_case *linear;
    struct linear_components components;
    struct linear_components *threads; /* for each requirement */
    VEC(struct emptiness_region) waiting;
    uint32_t last;       /* region that has been given a number */
    uint64_t *collected; /* nodes of all good regions; NULL: the first one is enough */
    /* Of the region and the requirement that are looked at. */
    const struct requirement *requirement;
    VEC(uint32_t) removed;
};

static void emptiness_note(void *user, const uint32_t *members, size_t count, bool is_cyclic)
{
    struct emptiness *e = user;
    struct emptiness_region region = {.count = count};
    if (is_cyclic) {
        region.number = ++e->last;
        region.members = memcpy(memory_alloc(count * sizeof *members), members, count * sizeof *members);
        VEC_PUSH(&e->waiting, region);
    }
    for (size_t i = 0; i < count; i++)
        e->linear->region[members[i]] = region.number;
}

/* Every mark of the automaton stands on an edge inside. False: not so, or stopped. */
static bool region_accepts(const struct emptiness *e, const struct emptiness_region *region)
{
    const struct linear_case *linear = e->linear;
    uint64_t all = marks_all(linear->automaton->mark_count), seen = 0;
    for (size_t i = 0; i < region->count && seen != all && checker_spend(linear->checker, 1); i++) {
        uint64_t cursor = 0;
        struct product_edge edge;
        while (product_next(&linear->product, region->members[i], &cursor, &edge))
            if (linear->region[edge.target] == region->number)
                seen |= edge.marks;
    }
    return seen == all;
}

/* --- fairness --- */

/* Does an edge of its own lead from the state on inside the component? */
static bool thread_moves(const struct emptiness *e, const struct linear_components *c, uint32_t state)
{
    uint64_t cursor = 0;
    struct product_edge edge;
    while (product_next(c->product, state, &cursor, &edge))
        if (edge.graph_edge != PRODUCT_STAYS && requirement_happens(e->requirement->own, edge.graph_edge) &&
            c->number[edge.target] == c->number[state])
            return true;
    return false;
}

/* A component of threads: where it does not meet the requirement, what obliges it is to be removed. (Stopped: the
 * search for components ends, too, and nothing is made of it.) */
static void emptiness_judge(void *user, const uint32_t *members, size_t count, bool is_cyclic)
{
    struct emptiness *e = user;
    const struct requirement *r = e->requirement;
    const struct linear_components *c = &e->threads[r - e->linear->requirements.items];
    const struct linear_product *threads = &r->threads;
    (void)is_cyclic;
    for (size_t i = 0; i < count; i++)
        if (requirement_happens(r->met, product_node(threads, members[i])) || thread_moves(e, c, members[i]) ||
            !checker_spend(e->linear->checker, 1))
            return;
    for (size_t i = 0; i < count; i++)
        if (requirement_happens(r->often, product_node(threads, members[i])))
            VEC_PUSH(&e->removed, product_below(threads, members[i]));
}

/* All threads over the members of a region. */
static uint32_t *region_threads(const struct emptiness *e, const struct emptiness_region *region, size_t *count)
{
    const struct requirement *r = e->requirement;
    const struct linear_product *product = &e->linear->product;
    uint32_t states = e->linear->automaton->state_count;
    VEC(uint32_t) roots = {0};
    for (size_t i = 0; i < region->count; i++) {
        uint32_t node = product_node(product, region->members[i]), place = product_place(product, region->members[i]);
        if (!r->threads.below)
            VEC_PUSH(&roots, region->members[i]);
        for (uint32_t f = r->threads.below ? r->fibre_first[node] : 0; r->threads.below && f < r->fibre_first[node + 1];
             f++)
            VEC_PUSH(&roots, r->fibres[f] * states + place);
    }
    *count = roots.count;
    return roots.items;
}

/* False: stopped. */
static bool emptiness_require(struct emptiness *e, const struct emptiness_region *region)
{
    struct linear_case *linear = e->linear;
    bool is_good = true;
    VEC_CLEAR(&e->removed);
    for (size_t i = 0; is_good && i < linear->requirements.count && !e->removed.count; i++) {
        size_t count;
        e->requirement = &linear->requirements.items[i];
        uint32_t *roots = region_threads(e, region, &count);
        is_good = linear_components_find(&e->threads[i], region->number, roots, count);
        free(roots);
    }
    return is_good;
}

static void emptiness_accept(struct emptiness *e, const struct emptiness_region *region)
{
    if (!e->collected)
        e->linear->good = region->number;
    for (size_t i = 0; e->collected && i < region->count; i++)
        bits_add(e->collected, product_node(&e->linear->product, region->members[i]));
}

/* Decides a region, or splits it up. False: stopped. */
static bool emptiness_check(struct emptiness *e, const struct emptiness_region *region)
{
    struct linear_case *linear = e->linear;
    if (!region_accepts(e, region))
        return !stop_is_set(&linear->checker->stop);
    if (!emptiness_require(e, region))
        return false;
    if (!e->removed.count) {
        emptiness_accept(e, region);
        return true;
    }
    for (size_t i = 0; i < e->removed.count; i++)
        linear->region[e->removed.items[i]] = 0;
    return linear_components_find(&e->components, region->number, region->members, region->count);
}

static bool emptiness_begin(struct emptiness *e, const uint32_t *roots, size_t count)
{
    struct linear_case *linear = e->linear;
    bool is_good = linear_components_create(&e->components, &linear->product);
    e->components.user = e;
    e->components.found = emptiness_note;
    for (size_t i = 0; i < linear->requirements.count; i++) {
        is_good = linear_components_create(&e->threads[i], &linear->requirements.items[i].threads) && is_good;
        e->threads[i].user = e;
        e->threads[i].found = emptiness_judge;
    }
    is_good = is_good && linear_components_find(&e->components, 0, roots, count);
    linear->reached = e->components.seen.count;
    return is_good;
}

/* Bytes of the lists of members, roots and threads, at most; they are not counted one by one. */
static uint64_t emptiness_lists(const struct linear_case *linear)
{
    uint64_t threads = 0;
    for (size_t i = 0; i < linear->requirements.count; i++) {
        uint64_t count = product_count(&linear->requirements.items[i].threads);
        threads = count > threads ? count : threads;
    }
    return (4 * (uint64_t)product_count(&linear->product) + 3 * threads) * sizeof(uint32_t);
}

static bool emptiness_search(struct emptiness *e, const uint32_t *roots, size_t count)
{
    struct linear_case *linear = e->linear;
    size_t size = (size_t)product_count(&linear->product) + 1;
    linear->good = 0;
    if (!linear->automaton->state_count)
        return true;
    linear->region = linear->region ? linear->region : checker_alloc(linear->checker, size, sizeof *linear->region);
    if (!linear->region)
        return false;
    memset(linear->region, 0, size * sizeof *linear->region);
    e->threads = memory_zeroed(linear->requirements.count + 1, sizeof *e->threads);
    bool is_good = emptiness_begin(e, roots, count);
    while (is_good && !linear->good && e->waiting.count) {
        struct emptiness_region region = VEC_POP(&e->waiting);
        is_good = emptiness_check(e, &region);
        free(region.members);
    }
    for (size_t i = 0; i < e->waiting.count; i++)
        free(e->waiting.items[i].members);
    VEC_FREE(&e->waiting);
    VEC_FREE(&e->removed);
    linear_components_destroy(&e->components);
    for (size_t i = 0; i < linear->requirements.count; i++)
        linear_components_destroy(&e->threads[i]);
    free(e->threads);
    return is_good;
}

/* From these states of the product. */
static bool emptiness_run(struct emptiness *e, const uint32_t *roots, size_t count)
{
    struct checker *checker = e->linear->checker;
    uint64_t bytes = emptiness_lists(e->linear);
    if (!budget_take(&checker->budget, bytes)) {
        checker_stop(checker, stop_limit(STOP_MEMORY, checker->budget.limit));
        return false;
    }
    bool is_good = emptiness_search(e, roots, count);
    budget_give(&checker->budget, bytes);
    return is_good;
}

/* From the first `count` nodes, in the start of the automaton. */
static bool emptiness_run_nodes(struct emptiness *e, uint32_t count)
{
    const struct automaton *automaton = e->linear->automaton;
    uint32_t *roots = memory_alloc(((size_t)count + 1) * sizeof *roots);
    for (uint32_t n = 0; n < count; n++)
        roots[n] = n * automaton->state_count + automaton->start;
    bool is_good = emptiness_run(e, roots, count);
    free(roots);
    return is_good;
}

bool emptiness_decide(struct linear_case *linear)
{
    struct emptiness e = {.linear = linear};
    return emptiness_run_nodes(&e, linear->product.graph->starts);
}

bool emptiness_decide_from(struct linear_case *linear, uint32_t state)
{
    struct emptiness e = {.linear = linear};
    return emptiness_run(&e, &state, 1);
}

bool emptiness_collect(struct linear_case *linear, uint64_t *nodes)
{
    struct emptiness e = {.linear = linear, .collected = nodes};
    return emptiness_run_nodes(&e, linear->product.graph->count);
}
