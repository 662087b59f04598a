/* Successors go into the visited set in waves, as long as it keeps states whole: when there are enough of them they are
 * asked for and compared in one loop of the set's own, so that they wait for memory together and nothing else is done
 * in between. (A small set is asked for their places as soon as they are known.)
 *
 * Those that were new are then in the set and not yet in the frontier. The search pauses in between only for memory
 * for the frontier (insert_append): no plan is made after the frontier's states then, and no checkpoint is written. */
#include "engine/explicit/search.h"

bool wave_is_on(const struct explicit_search *search)
{
    return search->visited && visited_is_whole(search->visited) && !represent_is_alone(search);
}

bool wave_insert(struct worker *worker, uint32_t *done)
{
    size_t words = worker->search->layout->words;
    uint64_t fresh;
    *done = visited_insert_wave(worker->search->visited, worker->hand, worker->batch, worker->hashes,
                                worker->batch_count, &fresh);
    for (; fresh; fresh &= fresh - 1) {
        uint32_t which = (uint32_t)__builtin_ctzll(fresh);
        if (!insert_append(worker, &worker->waiting[which], worker->batch + which * words)) {
            worker->unkept += (uint32_t)__builtin_popcountll(fresh & (fresh - 1));
            return false;
        }
    }
    return true;
}
