/* Finding a better order: sifting (Rudell, ICCAD 1993) of groups of variables (Panda and Somenzi, "Who are the
 * variables in your neighborhood", ICCAD 1995): each group is moved through all places and stays where the diagrams
 * were smallest. */
#include <string.h>

#include "dd/swap.h"

enum {
    SIFT_GROWTH = 120, /* a direction is given up when the size is so many percent of the best */
    SIFT_BLOCKS = 1000 /* the largest ones; the rest is too small to matter */
};

struct reorder_block {
    uint32_t group, size;
    uint64_t nodes;
};

struct sifting {
    struct swapper swapper;
    struct dd_manager *m;
    struct reorder_block *blocks; /* from the root down */
    uint32_t count;
};

static uint32_t block_level(const struct sifting *s, uint32_t place)
{
    uint32_t level = 0;
    for (uint32_t i = 0; i < place; i++)
        level += s->blocks[i].size;
    return level;
}

static void sifting_find_blocks(struct sifting *s)
{
    struct dd_manager *m = s->m;
    s->blocks = memory_zeroed(m->variables + 1, sizeof *s->blocks);
    for (uint32_t level = 0; level < m->variables; level++) {
        uint32_t index = m->index_at[level], group = m->group_of[index];
        if (!s->count || s->blocks[s->count - 1].group != group)
            s->blocks[s->count++].group = group;
        struct reorder_block *block = &s->blocks[s->count - 1];
        block->size++;
        block->nodes += s->swapper.tables[index].count;
    }
}

/* Where the swaps happen that carry a block of `below` variables over one of `above` that begins at `level`: one
 * variable after the other climbs over the upper block. */
static uint32_t swap_level(uint32_t level, uint32_t above, uint32_t step)
{
    return level + step / above + above - 1 - step % above;
}

static void blocks_exchange(struct sifting *s, uint32_t place)
{
    struct reorder_block swap = s->blocks[place];
    s->blocks[place] = s->blocks[place + 1];
    s->blocks[place + 1] = swap;
}

/* Exchanges a block with the next. False, and no change, when there is no room. */
static bool blocks_swap(struct sifting *s, uint32_t place)
{
    uint32_t above = s->blocks[place].size, steps = above * s->blocks[place + 1].size, level = block_level(s, place);
    for (uint32_t step = 0; step < steps; step++) {
        if (swapper_swap(&s->swapper, swap_level(level, above, step)))
            continue;
        while (step-- > 0)
            swapper_undo(&s->swapper, swap_level(level, above, step));
        return false;
    }
    blocks_exchange(s, place);
    return true;
}

static void blocks_undo(struct sifting *s, uint32_t place)
{
    uint32_t above = s->blocks[place + 1].size, steps = above * s->blocks[place].size, level = block_level(s, place);
    for (uint32_t step = steps; step-- > 0;)
        swapper_undo(&s->swapper, swap_level(level, above, step));
    blocks_exchange(s, place);
}

static bool is_stopped(const struct dd_manager *m)
{
    return watch_is_over(m->watch) || (m->stop && m->stop(m->stop_data));
}

/* Moves the block at `place` in one direction as long as it may pay; returns where it ends. */
static uint32_t sift_towards(struct sifting *s, uint32_t place, int direction, uint32_t *best_place, uint64_t *best)
{
    for (;;) {
        if (direction > 0 ? place + 1 >= s->count : place == 0)
            return place;
        if (!blocks_swap(s, direction > 0 ? place : place - 1))
            return place;
        place = direction > 0 ? place + 1 : place - 1;
        if (s->swapper.live < *best) {
            *best = s->swapper.live;
            *best_place = place;
        }
        if (s->swapper.live > *best * SIFT_GROWTH / 100)
            return place;
    }
}

/* The way back: there is room for it. */
static void sift_back(struct sifting *s, uint32_t place, uint32_t target)
{
    for (; place < target; place++)
        blocks_undo(s, place);
    for (; place > target; place--)
        blocks_undo(s, place - 1);
}

static void sift_block(struct sifting *s, uint32_t start)
{
    uint32_t best_place = start;
    uint64_t best = s->swapper.live;
    int first = start >= s->count / 2 ? 1 : -1; /* the nearer end first */
    sift_back(s, sift_towards(s, start, first, &best_place, &best), start);
    uint32_t best_before = best_place, place = sift_towards(s, start, -first, &best_place, &best);
    if (best_place != best_before || best_place == start) {
        sift_back(s, place, best_place);
        return;
    }
    sift_back(s, place, start);
    for (place = start; place != best_place;) { /* as the first time, when there was room */
        ENSURE(blocks_swap(s, first > 0 ? place : place - 1));
        place = first > 0 ? place + 1 : place - 1;
    }
}

static int block_compare(const void *a, const void *b)
{
    const struct reorder_block *x = a, *y = b;
    if (x->nodes != y->nodes)
        return x->nodes < y->nodes ? 1 : -1;
    return (x->group > y->group) - (x->group < y->group);
}

static void sift_all(struct sifting *s)
{
    struct reorder_block *largest_first = memory_alloc((s->count + 1) * sizeof *largest_first);
    memcpy(largest_first, s->blocks, s->count * sizeof *largest_first);
    qsort(largest_first, s->count, sizeof *largest_first, block_compare);
    for (uint32_t i = 0; i < s->count && i < SIFT_BLOCKS && !is_stopped(s->m); i++) {
        uint32_t place = 0;
        while (s->blocks[place].group != largest_first[i].group)
            place++;
        sift_block(s, place);
    }
    free(largest_first);
}

bool dd_reorder_with(struct dd_manager *m, const dd *operands, size_t count)
{
    struct sifting s = {.m = m};
    if (!swapper_begin(&s.swapper, m, operands, count))
        return false;
    sifting_find_blocks(&s);
    sift_all(&s);
    swapper_end(&s.swapper);
    free(s.blocks);
    m->statistics.reorderings++;
    return true;
}

static void reorder_now(void *m)
{
    dd_reorder_with(m, NULL, 0);
}

bool dd_reorder(struct dd_manager *m)
{
    uint64_t before = m->statistics.reorderings;
    dd_deep_call(m, reorder_now, m);
    return m->statistics.reorderings > before;
}

void dd_reorder_automatically(struct dd_manager *m, bool on)
{
    m->reorder_on = on;
}

struct order_call {
    struct dd_manager *m;
    const uint32_t *variables;
    bool done;
};

static void set_order_now(void *data)
{
    struct order_call *call = data;
    struct dd_manager *m = call->m;
    struct swapper s;
    call->done = swapper_begin(&s, m, NULL, 0);
    if (!call->done)
        return;
    for (uint32_t target = 0; target < m->variables && call->done; target++) {
        uint32_t variable = call->variables[target];
        ENSURE(variable < m->variables && m->level_of[variable + 1] >= target);
        for (uint32_t level = m->level_of[variable + 1]; level > target && call->done; level--)
            call->done = swapper_swap(&s, level - 1);
    }
    swapper_end(&s);
}

bool dd_set_order(struct dd_manager *m, const uint32_t *variables)
{
    struct order_call call = {m, variables, false};
    dd_deep_call(m, set_order_now, &call);
    return call.done;
}

uint32_t dd_level(const struct dd_manager *m, uint32_t variable)
{
    ENSURE(variable < m->variables);
    return m->level_of[variable + 1];
}

uint32_t dd_variable_at(const struct dd_manager *m, uint32_t level)
{
    ENSURE(level < m->variables);
    return m->index_at[level] - 1;
}

void dd_group(struct dd_manager *m, uint32_t variable, uint32_t count)
{
    uint32_t level = dd_level(m, variable), group = ++m->groups;
    ENSURE(count <= m->variables - level);
    for (uint32_t i = 0; i < count; i++)
        m->group_of[m->index_at[level + i]] = group;
}
