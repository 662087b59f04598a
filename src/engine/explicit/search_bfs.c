/* Breadth first over a numbered store: states are expanded in the order of their numbers, so the frontier is the range
 * of numbers not yet reached, and a level ends where the store ended when the level began. */
#include "engine/explicit/search.h"

/* Is there a state of this number? Successors still wait in the batch when the store seems exhausted. */
static bool bfs_has(struct explicit_search *search, uint32_t number)
{
    return number < store_count(search->store) ||
           (insert_flush(&search->workers[0]) && number < store_count(search->store));
}

/* The number where the next level ends: all of it must be in the store. */
static bool bfs_begin_level(struct explicit_search *search, uint32_t *level_end)
{
    if (!insert_flush(&search->workers[0]) || !findings_settle(search) || !trial_goes_on(search))
        return false;
    uint32_t level = store_count(search->store) - *level_end;
    outcome_note_level(search, level);
    *level_end += level;
    search->deepest = ++search->depth;
    return rival_lets_go_on(search, level);
}

static void bfs_loop(struct explicit_search *search, uint32_t *level_end)
{
    uint32_t depth_limit = search->options->limits.depth;
    for (uint32_t number = 0; bfs_has(search, number); number++) {
        if (number == *level_end && !bfs_begin_level(search, level_end))
            return;
        if (depth_limit && search->depth >= depth_limit) {
            search->is_depth_cut = true;
            return;
        }
        search->frontier = store_count(search->store) - number;
        if (!expand_state(&search->workers[0], number, store_state(search->store, number), 0))
            return;
    }
}

void search_run_bfs(struct explicit_search *search)
{
    uint32_t level_end = store_count(search->store);
    if (level_end)
        outcome_note_level(search, level_end);
    bfs_loop(search, &level_end);
    /* States beyond the level that was being expanded lie one deeper. */
    if (store_count(search->store) > level_end) {
        search->deepest = search->depth + 1;
        outcome_note_level(search, store_count(search->store) - level_end);
    }
}
