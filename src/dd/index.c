#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "dd/indexing.h"

static const uint64_t MOST_STATES = UINT32_MAX;

static struct dd_count_entry *find(const struct dd_index *index, dd node)
{
    size_t at = hash_mix(node) & (index->room - 1);
    while (index->counts[at].node != DD_NONE && index->counts[at].node != node)
        at = (at + 1) & (index->room - 1);
    return &index->counts[at];
}

static void make_room(struct dd_index *index, size_t room)
{
    struct dd_count_entry *old = index->counts;
    size_t old_room = index->room;
    index->room = room;
    index->counts = memory_alloc(room * sizeof *index->counts);
    for (size_t i = 0; i < room; i++)
        index->counts[i].node = DD_NONE;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].node != DD_NONE)
            *find(index, old[i].node) = old[i];
    free(old);
}

/* What is beyond all bounds stays there. */
static uint64_t times_two(uint64_t count, uint32_t times)
{
    return !count ? 0 : times >= 32 || count > MOST_STATES ? MOST_STATES + 1 : count << times;
}

uint64_t dd_index_count(const struct dd_index *index, dd part, uint32_t pair)
{
    if (part == DD_FALSE)
        return 0;
    uint64_t count = part == DD_TRUE ? 1 : find(index, part)->states;
    return times_two(count, dd_index_pair(index, part) - pair);
}

static void count_from(struct dd_index *index, dd node)
{
    if (node <= DD_TRUE || find(index, node)->node == node)
        return;
    uint32_t below = dd_index_pair(index, node) + 1;
    dd low = dd_low(index->m, node), high = dd_high(index->m, node);
    count_from(index, low);
    count_from(index, high);
    uint64_t states = dd_index_count(index, low, below) + dd_index_count(index, high, below);
    if (2 * ++index->used > index->room)
        make_room(index, 2 * index->room);
    *find(index, node) = (struct dd_count_entry){node, states < MOST_STATES ? states : MOST_STATES + 1};
}

struct dd_index *dd_index_create(struct dd_manager *m, dd set, uint32_t pairs)
{
    if (set == DD_NONE)
        return NULL;
    struct dd_index *index = memory_zeroed(1, sizeof *index);
    *index = (struct dd_index){.m = m, .set = dd_ref(m, set), .pairs = pairs};
    make_room(index, 1 << 10);
    count_from(index, set);
    if (dd_index_size(index) <= MOST_STATES)
        return index;
    dd_index_destroy(index);
    return NULL;
}

void dd_index_destroy(struct dd_index *index)
{
    if (!index)
        return;
    dd_unref(index->m, index->set);
    free(index->counts);
    free(index);
}

uint64_t dd_index_size(const struct dd_index *index)
{
    return dd_index_count(index, index->set, 0);
}

/* --- back to a set --- */

struct gathering {
    struct dd_index *index;
    const uint8_t *members;
};

/* Collection is paused. */
static dd gather(const struct gathering *all, dd part, uint32_t pair, uint64_t first)
{
    struct dd_manager *m = all->index->m;
    if (part == DD_FALSE)
        return DD_FALSE;
    if (pair == all->index->pairs)
        return all->members[first] ? DD_TRUE : DD_FALSE;
    uint64_t count = dd_index_count(all->index, part, pair), present = 0;
    for (uint64_t i = 0; i < count && (present == i || !present); i++)
        present += all->members[first + i] != 0;
    if (!present)
        return DD_FALSE;
    if (present == count)
        return part;
    dd low_part = dd_branch(m, part, 2 * pair, false), high_part = dd_branch(m, part, 2 * pair, true);
    dd low = gather(all, low_part, pair + 1, first);
    dd high = gather(all, high_part, pair + 1, first + dd_index_count(all->index, low_part, pair + 1));
    return low == DD_NONE || high == DD_NONE ? DD_NONE : dd_ite(m, dd_variable(m, 2 * pair), high, low);
}

dd dd_index_set(struct dd_index *index, const uint8_t *members)
{
    struct gathering all = {index, members};
    dd_pause(index->m);
    dd set = gather(&all, index->set, 0, 0);
    dd_resume(index->m);
    return set;
}
