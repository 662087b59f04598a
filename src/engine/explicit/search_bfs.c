/* Breadth first: states are expanded in the order of their numbers, so the frontier is the range of
 * numbers not yet reached, and a level ends where the store ended when the level began. The first violation found
 * has a shortest run. */
#include "engine/explicit/search.h"

void search_run_bfs(struct search *search)
{
    uint32_t depth_limit = search->options->limits.depth;
    uint32_t level_end = store_count(search->store);
    for (uint32_t number = 0; number < store_count(search->store); number++) {
        if (number == level_end) {
            level_end = store_count(search->store);
            search->deepest = ++search->depth;
        }
        if (depth_limit && search->depth >= depth_limit) {
            search->is_depth_cut = true;
            return;
        }
        search->frontier = store_count(search->store) - number;
        if (!expand_state(search, number)) {
            /* What it found lies one deeper. */
            if (store_count(search->store) > level_end)
                search->deepest = search->depth + 1;
            return;
        }
    }
}
