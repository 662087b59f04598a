/* Depth first: the state found last is expanded next. All successors of a state are generated together and wait
 * on a stack, so no half-finished enumeration has to be kept for each level. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/explicit/search.h"

struct explicit_pending {
    uint32_t number, depth;
};

struct stack {
    struct explicit_pending *items;
    size_t count, capacity;
};

static bool dfs_push(struct explicit_search *search, struct stack *stack, uint32_t number, uint32_t depth)
{
    if (stack->count == stack->capacity) {
        size_t more = stack->capacity ? stack->capacity : 1024;
        if (!budget_take(&search->budget, more * sizeof *stack->items)) {
            search_stop_full(search);
            return false;
        }
        stack->capacity += more;
        stack->items = memory_resize(stack->items, stack->capacity * sizeof *stack->items);
    }
    stack->items[stack->count++] = (struct explicit_pending){number, depth};
    return true;
}

/* The states numbered `from` and on, the first on top. */
static bool dfs_push_new(struct explicit_search *search, struct stack *stack, uint32_t from, uint32_t depth)
{
    for (uint32_t number = store_count(search->store); number > from; number--)
        if (!dfs_push(search, stack, number - 1, depth))
            return false;
    if (store_count(search->store) > from && depth > search->deepest)
        search->deepest = depth;
    return true;
}

static void dfs_loop(struct explicit_search *search, struct stack *stack)
{
    struct worker *worker = &search->workers[0];
    uint32_t depth_limit = search->options->limits.depth;
    bool goes_on = dfs_push_new(search, stack, 0, 0);
    while (goes_on && stack->count) {
        struct explicit_pending next = stack->items[--stack->count];
        if (depth_limit && next.depth >= depth_limit) {
            search->is_depth_cut = true;
            continue;
        }
        uint32_t before = store_count(search->store);
        search->depth = next.depth;
        search->frontier = (uint32_t)stack->count + 1;
        goes_on = expand_state(worker, next.number, store_state(search->store, next.number), 0) &&
                  insert_flush(worker) && findings_settle(search);
        if (!dfs_push_new(search, stack, before, next.depth + 1))
            goes_on = false;
    }
}

void search_run_dfs(struct explicit_search *search)
{
    struct stack stack = {0};
    dfs_loop(search, &stack);
    budget_give(&search->budget, stack.capacity * sizeof *stack.items);
    free(stack.items);
}
