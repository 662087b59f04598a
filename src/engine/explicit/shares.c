/* Who expands which states of a level. Each worker is given one stretch of the level, in the order in which the states
 * were found, so mostly what it has found itself: neighbours have parts and successors in common, which are then in
 * this worker's memory (visited_fold.c, recent.h) and in its processor's caches. One that has finished takes up to half
 * of what is left to the one with the most, from its end. */
#include "base/vec.h"
#include "engine/explicit/search.h"

enum {
    SHARES_RANGE = 4096, /* states at a time, at most */
    SHARES_CROWD = 4     /* and at most a quarter of the share, so that the others find something to take */
};

static uint32_t range_size(const struct block_range *range)
{
    return range->to - range->from;
}

static void share_add(struct share *share, struct block_range range)
{
    VEC_PUSH(&share->ranges, range);
    share->states += range_size(&range);
}

void shares_deal(struct explicit_search *search, uint32_t count)
{
    uint64_t all = 0, dealt = 0;
    uint32_t worker = 0;
    for (size_t i = 0; i < search->level.count; i++)
        all += range_size(&search->level.items[i]);
    for (size_t i = 0; i < search->level.count; i++)
        for (struct block_range left = search->level.items[i]; range_size(&left);) {
            uint64_t end = all / count * (worker + 1) + all % count * (worker + 1) / count, room = end - dealt;
            uint32_t size = range_size(&left) < room ? range_size(&left) : (uint32_t)room;
            if (size)
                share_add(&search->workers[worker].share,
                          (struct block_range){left.block, left.from, left.from + size});
            left.from += size;
            dealt += size;
            worker += dealt == end && worker + 1 < count;
        }
    VEC_CLEAR(&search->level);
}

/* States from the end of one share, at most half of them, go to the other, which is empty. */
static void share_halve(struct share *from, struct share *to)
{
    struct block_range *last = &VEC_LAST(&from->ranges);
    uint64_t half = (from->states + 1) / 2;
    uint32_t size = range_size(last) < half ? range_size(last) : (uint32_t)half;
    share_add(to, (struct block_range){last->block, last->to - size, last->to}); /* no memory: nothing has changed */
    last->to -= size;
    from->ranges.count -= last->from == last->to;
    from->states -= size;
}

static void share_clear(struct share *share)
{
    VEC_CLEAR(&share->ranges);
    share->next = 0;
    share->states = 0;
}

static void shares_relieve(struct worker *worker)
{
    struct explicit_search *search = worker->search;
    struct share *most = &search->workers[0].share;
    for (uint32_t i = 1; i < search->worker_count; i++)
        if (search->workers[i].share.states > most->states)
            most = &search->workers[i].share;
    share_clear(&worker->share);
    if (most->states)
        share_halve(most, &worker->share);
}

bool shares_take(struct worker *worker, struct block_range *range, uint64_t *rest)
{
    struct share *share = &worker->share;
    struct lock lock;
    lock_take(&lock, &worker->search->lock);
    if (!share->states)
        shares_relieve(worker);
    bool is_any = share->states > 0;
    if (is_any) {
        struct block_range *left = &share->ranges.items[share->next];
        uint64_t most = share->states / SHARES_CROWD + 1;
        uint32_t size = range_size(left) < SHARES_RANGE ? range_size(left) : SHARES_RANGE;
        size = size > most ? (uint32_t)most : size;
        *range = (struct block_range){left->block, left->from, left->from + size};
        left->from += size;
        share->next += left->from == left->to;
        share->states -= size;
    }
    *rest = share->states;
    lock_give(&lock);
    return is_any;
}

void shares_collect(struct explicit_search *search)
{
    for (uint32_t w = 0; w < search->worker_count; w++) {
        struct share *share = &search->workers[w].share;
        for (size_t i = share->next; i < share->ranges.count; i++)
            VEC_PUSH(&search->level, share->ranges.items[i]);
        share_clear(share);
    }
    search->level_states = 0;
    for (size_t i = 0; i < search->level.count; i++)
        search->level_states += range_size(&search->level.items[i]);
}
