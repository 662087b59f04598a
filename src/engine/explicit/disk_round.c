/* A round: all that was held back (disk.c) is looked up in the runs, in order, and what is in none of them is new. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/disk_inner.h"

enum { DISK_RATIO = 2 /* a run is at least so many times as large as the one after it */ };

static bool disk_is_over(void)
{
    return watch_is_up();
}

/* The new run takes its place; while it is not much smaller than the one before, they become one. */
bool disk_add_run(struct explicit_search *search, struct state_run *run)
{
    struct disk *disk = search->disk;
    while (disk->runs.count && sorted_run_states(VEC_LAST(&disk->runs)) < DISK_RATIO * sorted_run_states(run)) {
        struct state_run *last = VEC_POP(&disk->runs);
        disk_spare(search, sorted_run_merge_bytes(last, run));
        struct state_run *merged = sorted_run_merge(last, run, disk_is_over);
        sorted_run_destroy(last);
        sorted_run_destroy(run);
        if (!merged)
            return disk_stop(search);
        run = merged;
    }
    VEC_PUSH(&disk->runs, run);
    return true;
}

/* --- a round --- */

struct disk_round {
    struct explicit_search *search;
    struct state_run *run; /* of the new ones */
    uint64_t *last;        /* the state that was looked at before this one, once there was one */
    bool has_last;
    VEC(struct run_cursor *) cursors;
};

static bool round_is_known(const struct disk_round *round, const uint64_t *state)
{
    for (size_t i = 0; i < round->cursors.count; i++)
        if (run_cursor_has(round->cursors.items[i], state))
            return true;
    return false;
}

/* The visited set began again while it was held back, and it came once more. */
static bool round_was_last(struct disk_round *round, const uint64_t *state)
{
    uint32_t words = round->search->layout->words;
    bool was_last = round->has_last && !state_compare(round->last, state, words);
    memcpy(round->last, state, words * sizeof *state);
    round->has_last = true;
    return was_last;
}

static bool round_has_failed(const struct disk_round *round)
{
    for (size_t i = 0; i < round->cursors.count; i++)
        if (run_cursor_has_failed(round->cursors.items[i]))
            return true;
    return sorter_has_failed(round->search->disk->sorter);
}

/* What can go makes room when there is no memory for another block. */
static block_ref round_append(const struct disk_round *round, const struct waiting *waiting, const uint64_t *packed)
{
    struct explicit_search *search = round->search;
    struct blocks_writer *writer = search->workers[0].writer;
    block_ref id;
    do
        id = blocks_append(writer, packed, waiting->parent, waiting->ordinal, waiting->mark);
    while (id == BLOCKS_NOWHERE && disk_free_some(search));
    if (id == BLOCKS_NOWHERE && limits_forgive(search))
        id = blocks_append(writer, packed, waiting->parent, waiting->ordinal, waiting->mark);
    return id;
}

static bool round_take(struct disk_round *round, const uint64_t *record)
{
    struct explicit_search *search = round->search;
    uint32_t words = search->layout->words;
    struct waiting waiting = {.parent = record[words], .ordinal = record[words + 1], .classes = record[words + 2]};
    if (round_was_last(round, record) || round_is_known(round, record))
        return limits_spend(&search->workers[0], 1);
    if (round_has_failed(round))
        return false;
    if (!disk_count(search))
        return false;
    block_ref id = round_append(round, &waiting, record);
    if (id == BLOCKS_NOWHERE) {
        disk_uncount(search);
        return disk_stop(search);
    }
    if (!sorted_run_add(round->run, record))
        return disk_stop(search);
    return insert_settle(&search->workers[0], id | search->rank_mark, &waiting, record) &&
           limits_spend(&search->workers[0], 1);
}

static void round_begin(struct disk_round *round)
{
    struct explicit_search *search = round->search;
    struct disk *disk = search->disk;
    disk_spare(search, (disk->runs.count + 1) * sorted_run_buffer_bytes(search->layout->words, &search->budget));
    round->last = memory_alloc(search->layout->words * sizeof *round->last);
    round->run = sorted_run_create(search->layout->words, &search->budget, &disk->place);
    for (size_t i = 0; i < disk->runs.count; i++)
        VEC_PUSH(&round->cursors, run_cursor_create(disk->runs.items[i]));
}

static void round_end(struct disk_round *round)
{
    for (size_t i = 0; i < round->cursors.count; i++)
        run_cursor_destroy(round->cursors.items[i]);
    VEC_FREE(&round->cursors);
    free(round->last);
}

/* For a checkpoint (disk_each_held); where it is known already, that does no harm. */
static void disk_refuse(struct explicit_search *search, const uint64_t *record)
{
    size_t bytes = (search->layout->words + (size_t)DISK_MORE) * sizeof *record;
    free(search->disk->refused);
    search->disk->refused = memory_alloc(bytes);
    memcpy(search->disk->refused, record, bytes);
}

static bool round_run(struct disk_round *round)
{
    struct explicit_search *search = round->search;
    const uint64_t *record;
    bool goes_on = sorter_begin(search->disk->sorter);
    search->disk->is_reading = goes_on;
    if (!goes_on)
        atomic_store(&search->disk->is_lost, true);
    while (goes_on && (record = sorter_next(search->disk->sorter)))
        if (!(goes_on = round_take(round, record)))
            disk_refuse(search, record);
    goes_on = goes_on && !round_has_failed(round) && sorted_run_finish(round->run);
    return goes_on || search_is_stopped(search) ? goes_on : disk_stop(search);
}

static bool disk_look_up(struct explicit_search *search)
{
    struct disk *disk = search->disk;
    struct disk_round round = {.search = search};
    if (!sorter_count(disk->sorter))
        return true;
    round_begin(&round);
    bool goes_on = round_run(&round);
    round_end(&round);
    if (goes_on && sorted_run_states(round.run))
        goes_on = disk_add_run(search, round.run);
    else
        sorted_run_destroy(round.run);
    if (!goes_on) /* what is left may be wanted (disk_each_held) */
        return false;
    sorter_clear(disk->sorter);
    disk->is_reading = false;
    return true;
}

bool disk_settle(struct explicit_search *search)
{
    if (!disk_is_used(search) || search_is_stopped(search))
        return !search_is_stopped(search);
    return disk_write_all_held(search) && disk_look_up(search);
}
