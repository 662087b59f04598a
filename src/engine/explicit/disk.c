/* Visited states on the disk, when memory is short (--disk).
 *
 * As long as memory suffices the visited set has all states, and the search is the usual one; beside it, every new
 * state is written to a file. When the visited set cannot grow any more these are sorted into a run
 * (store/sorted_run.h), and the set begins again, empty: from then on it has some of the states only. What is new to it
 * may have been visited: it is held back (store/sorter.h) until the end of the level, or until the set is full again.
 * Then all that was held back is looked up in the runs, in order (delayed duplicate detection: Stern, Dill, CAV 1998);
 * what is in none of them is new, goes into the blocks, is judged, and makes a run of its own. Of two runs of about the
 * same size one is made, so there are few.
 *
 * A level is complete before the next one begins: so the counts, the verdicts and the lengths of runs are those of a
 * search in memory. The files have no names, and are gone with the process. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/disk_inner.h"

enum {
    DISK_BUFFER = 64 << 10,      /* bytes of a worker's buffer */
    DISK_PART = 8,               /* of the memory is for sorting, */
    DISK_LEAST_BYTES = 64 << 10, /* at least and at most */
    DISK_LITTLE_OF = 64,         /* of the memory: too little to be all that is made free */
    DISK_LEAST_CAPACITY = 4096   /* states of a visited set that is left as it is */
};
static const uint64_t DISK_MOST_BYTES = 1u << 30;

/* One more state is in the visited set. */
static void disk_note_visited(struct disk *disk)
{
    if (disk->most && atomic_fetch_add_explicit(&disk->held, 1, memory_order_relaxed) + 1 >= disk->most)
        atomic_store(&disk->wants_room, true);
}

void disk_begin(struct explicit_search *search)
{
    const struct engine_options *options = search->options;
    if (!options->disk_folder)
        return;
    struct disk *disk = memory_zeroed(1, sizeof *disk);
    spill_place_open(&disk->place, options->disk_folder, options->disk_limit);
    disk->known = spill_create(&disk->place);
    const char *most = getenv("NOETHER_DISK_STATES");
    disk->most = most ? strtoull(most, NULL, 10) : 0;
    pthread_mutex_init(&disk->lock, NULL);
    search->disk = disk;
}

static void disk_drop_sorter(struct explicit_search *search)
{
    struct disk *disk = search->disk;
    if (disk->sorter)
        budget_give(&search->budget, disk->sorter_bytes);
    sorter_destroy(disk->sorter);
    disk->sorter = NULL;
}

void disk_end(struct explicit_search *search)
{
    struct disk *disk = search->disk;
    if (!disk)
        return;
    disk_drop_sorter(search);
    for (size_t i = 0; i < disk->runs.count; i++)
        sorted_run_destroy(disk->runs.items[i]);
    VEC_FREE(&disk->runs);
    spill_destroy(disk->known);
    free(disk->refused);
    spill_place_close(&disk->place);
    pthread_mutex_destroy(&disk->lock);
    free(disk);
    search->disk = NULL;
}

bool disk_is_used(const struct explicit_search *search)
{
    return search->disk && search->disk->is_used;
}

bool disk_wants_room(const struct explicit_search *search)
{
    return search->disk && atomic_load_explicit(&search->disk->wants_room, memory_order_relaxed);
}

void disk_ask_for_room(struct explicit_search *search)
{
    if (disk_is_used(search) && visited_capacity(search->visited) > DISK_LEAST_CAPACITY)
        atomic_store(&search->disk->wants_room, true);
}

uint64_t disk_states(const struct explicit_search *search)
{
    return atomic_load_explicit(&search->disk->states, memory_order_relaxed);
}

struct spill_place *disk_place(const struct explicit_search *search)
{
    return search->disk ? &search->disk->place : NULL;
}

bool disk_count(struct explicit_search *search)
{
    uint64_t most = search_most_states(search);
    if (!search->disk || atomic_fetch_add_explicit(&search->disk->states, 1, memory_order_relaxed) < most || !most)
        return true;
    disk_uncount(search);
    search_stop_at_state_limit(search);
    return false;
}

void disk_uncount(struct explicit_search *search)
{
    if (search->disk)
        atomic_fetch_sub_explicit(&search->disk->states, 1, memory_order_relaxed);
}

bool disk_stop(struct explicit_search *search)
{
    const struct disk *disk = search->disk;
    if (watch_is_up() || !atomic_load(&disk->place.is_full)) {
        search_stop_full(search);
        return false;
    }
    struct text detail = {0};
    text_format(&detail, "and no more can be written to %s: ", disk->place.folder);
    if (disk->place.limit)
        text_append(&detail, "the disk limit is ");
    text_bytes(&detail, disk->place.limit ? disk->place.limit : atomic_load(&disk->place.used));
    text_append(&detail, disk->place.limit ? "" : " were");
    struct stop stop = stop_limit(STOP_MEMORY, search->budget.limit);
    stop.detail = detail.chars;
    search_stop(search, stop);
    return false;
}

/* --- what workers do --- */

static struct disk_buffer *disk_buffer(struct worker *worker, uint32_t size)
{
    if (worker->disk_buffer)
        return worker->disk_buffer;
    struct disk_buffer *buffer = memory_zeroed(1, sizeof *buffer);
    buffer->capacity = DISK_BUFFER / (size * (uint32_t)sizeof *buffer->records) + 1;
    buffer->records = memory_alloc((size_t)buffer->capacity * size * sizeof *buffer->records);
    worker->disk_buffer = buffer;
    return buffer;
}

void disk_destroy_buffer(struct disk_buffer *buffer)
{
    if (!buffer)
        return;
    free(buffer->records);
    free(buffer);
}

static bool disk_write_known(struct worker *worker)
{
    struct disk *disk = worker->search->disk;
    struct disk_buffer *buffer = worker->disk_buffer;
    uint64_t at;
    if (!buffer || !buffer->count)
        return true;
    uint32_t count = buffer->count;
    buffer->count = 0;
    if (spill_append(disk->known, buffer->records, (size_t)count * worker->search->layout->words * sizeof(uint64_t),
                     &at))
        return true;
    if (disk->is_used)
        return disk_stop(worker->search);
    atomic_store(&disk->is_of_no_use, true);
    return true;
}

bool disk_note(struct worker *worker, const uint64_t *packed)
{
    uint32_t words = worker->search->layout->words;
    if (!worker->search->disk)
        return true;
    disk_note_visited(worker->search->disk);
    if (atomic_load_explicit(&worker->search->disk->is_of_no_use, memory_order_relaxed))
        return true;
    struct disk_buffer *buffer = disk_buffer(worker, words);
    memcpy(buffer->records + (size_t)buffer->count * words, packed, words * sizeof *packed);
    return ++buffer->count < buffer->capacity || disk_write_known(worker);
}

static bool disk_write_held(struct worker *worker)
{
    struct disk *disk = worker->search->disk;
    struct disk_buffer *buffer = worker->disk_buffer;
    if (!buffer || !buffer->count)
        return true;
    uint32_t count = buffer->count;
    buffer->count = 0;
    struct lock lock;
    lock_take(&lock, &disk->lock);
    bool is_added = sorter_add(disk->sorter, buffer->records, count);
    if (sorter_is_full(disk->sorter))
        atomic_store(&disk->wants_room, true);
    lock_give(&lock);
    if (!is_added)
        atomic_store(&disk->is_lost, true);
    return is_added || disk_stop(worker->search);
}

bool disk_hold(struct worker *worker, const struct waiting *waiting, const uint64_t *packed)
{
    uint32_t words = worker->search->layout->words;
    disk_note_visited(worker->search->disk);
    struct disk_buffer *buffer = disk_buffer(worker, words + DISK_MORE);
    uint64_t *record = buffer->records + (size_t)buffer->count * (words + DISK_MORE);
    memcpy(record, packed, words * sizeof *packed);
    record[words] = waiting->parent;
    record[words + 1] = waiting->ordinal;
    record[words + 2] = waiting->classes;
    return ++buffer->count < buffer->capacity || disk_write_held(worker);
}

/* --- while one thread is at work --- */

/* The visited set begins again, with room for so many states if there is memory for that. */
static void disk_clear_visited(struct explicit_search *search, uint64_t capacity)
{
    bool is_there =
        visited_clear(search->visited, capacity) || (limits_forgive(search) && visited_clear(search->visited, 0));
    if (!is_there)
        search_stop_full(search);
    for (uint32_t i = 0; i < search->worker_count; i++)
        visited_hand_clear(search->workers[i].hand);
    atomic_store(&search->disk->wants_room, false);
    atomic_store(&search->disk->held, 0);
}

bool disk_free_some(struct explicit_search *search)
{
    uint64_t freed = blocks_shed(search->blocks), capacity = visited_capacity(search->visited);
    bool is_enough = freed > search->budget.limit / DISK_LITTLE_OF; /* else there would be no end of writing a little */
    if (!is_enough && search->disk->is_used && capacity > DISK_LEAST_CAPACITY) {
        disk_clear_visited(search, capacity / 2);
        freed = capacity;
    }
    limits_reckon(search);
    return freed > 0 && !search_is_stopped(search);
}

void disk_spare(struct explicit_search *search, uint64_t bytes)
{
    limits_reckon(search);
    while (budget_left(&search->budget) < bytes && disk_free_some(search))
        ;
}

/* Memory for sorting; where there is little of it, less. */
static bool disk_make_sorter(struct explicit_search *search, uint32_t more)
{
    struct disk *disk = search->disk;
    uint64_t bytes = search->budget.limit / DISK_PART;
    disk_drop_sorter(search);
    limits_reckon(search);
    if (bytes > DISK_MOST_BYTES || !search->budget.limit)
        bytes = DISK_MOST_BYTES;
    for (; bytes >= DISK_LEAST_BYTES; bytes /= 2) {
        if (!budget_take(&search->budget, bytes))
            continue;
        disk->sorter_bytes = bytes;
        disk->sorter = sorter_create(search->layout->words, more, bytes, &disk->place);
        if (disk->sorter)
            return true;
        budget_give(&search->budget, bytes);
    }
    search_stop_full(search);
    return false;
}

/* --- from memory to the disk --- */

static bool disk_read_known(struct explicit_search *search)
{
    struct disk *disk = search->disk;
    size_t state = search->layout->words * sizeof(uint64_t), most = DISK_BUFFER / state + 1;
    uint64_t *states = memory_alloc(most * state), left = spill_bytes(disk->known) / state;
    bool goes_on = true;
    for (uint64_t at = 0; left && goes_on;) {
        uint32_t some = left < most ? (uint32_t)left : (uint32_t)most;
        goes_on = spill_read(disk->known, states, some * state, at) && sorter_add(disk->sorter, states, some) &&
                  !watch_is_up();
        at += some * state;
        left -= some;
    }
    free(states);
    return goes_on || disk_stop(search);
}

static bool disk_sort_known(struct explicit_search *search)
{
    struct disk *disk = search->disk;
    const uint64_t *state;
    if (!disk_read_known(search) || !sorter_begin(disk->sorter))
        return disk_stop(search);
    struct state_run *run = sorted_run_create(search->layout->words, &search->budget, &disk->place);
    bool goes_on = true;
    while (goes_on && (state = sorter_next(disk->sorter)))
        goes_on = sorted_run_add(run, state) && !watch_is_up();
    goes_on = goes_on && !sorter_has_failed(disk->sorter) && sorted_run_finish(run);
    if (!goes_on) {
        sorted_run_destroy(run);
        return disk_stop(search);
    }
    spill_destroy(disk->known);
    disk->known = NULL;
    return disk_add_run(search, run);
}

/* Their records are of another size from now on. */
static void disk_drop_buffers(struct explicit_search *search)
{
    for (uint32_t i = 0; i < search->worker_count; i++) {
        disk_destroy_buffer(search->workers[i].disk_buffer);
        search->workers[i].disk_buffer = NULL;
    }
}

/* All states that were visited become the first run. */
static bool disk_use(struct explicit_search *search)
{
    struct disk *disk = search->disk;
    uint64_t capacity = visited_capacity(search->visited);
    if (atomic_load(&disk->is_of_no_use))
        return disk_stop(search);
    disk->is_used = true;
    for (uint32_t i = 0; i < search->worker_count; i++)
        if (!disk_write_known(&search->workers[i]))
            return false;
    disk_clear_visited(search, 0);
    blocks_shed(search->blocks);
    if (!disk_make_sorter(search, 0) || !disk_sort_known(search) || !disk_make_sorter(search, DISK_MORE))
        return false;
    disk_drop_buffers(search);
    disk->holds = true;
    limits_reckon(search);
    disk_clear_visited(search, capacity / 2);
    return !search_is_stopped(search);
}

bool disk_write_all_held(struct explicit_search *search)
{
    for (uint32_t i = 0; i < search->worker_count; i++)
        if (!disk_write_held(&search->workers[i]))
            return false;
    return true;
}

/* The visited set begins again, empty; what it had is on the disk, or is looked up there now. */
bool disk_make_room(struct explicit_search *search)
{
    if (!search->disk)
        return false;
    if (!search->disk->is_used)
        return disk_use(search);
    uint64_t capacity = visited_capacity(search->visited);
    if (search->budget.limit && !budget_left(&search->budget)) /* see limits_mind_budget */
        capacity /= 2;
    disk_clear_visited(search, 0);
    if (search_is_stopped(search) || !disk_settle(search))
        return false;
    blocks_shed(search->blocks);
    limits_reckon(search);
    disk_clear_visited(search, capacity);
    return !search_is_stopped(search);
}

/* --- checkpoints --- */

static bool disk_each_buffered(const struct worker *worker, bool (*take)(void *user, const uint64_t *record),
                               void *user)
{
    const struct disk_buffer *buffer = worker->disk_buffer;
    size_t size = worker->search->layout->words + (size_t)DISK_MORE;
    for (uint32_t i = 0; buffer && i < buffer->count; i++)
        if (!take(user, buffer->records + i * size))
            return false;
    return true;
}

bool disk_each_held(struct explicit_search *search, bool (*take)(void *user, const uint64_t *record), void *user)
{
    struct disk *disk = search->disk;
    const uint64_t *record;
    if (!disk || !disk->holds)
        return true;
    bool is_good = !atomic_load(&disk->is_lost) && !sorter_has_failed(disk->sorter) &&
                   (!disk->refused || take(user, disk->refused));
    for (uint32_t i = 0; i < search->worker_count && is_good; i++)
        is_good = disk_each_buffered(&search->workers[i], take, user);
    is_good = is_good && (disk->is_reading || sorter_begin(disk->sorter));
    while (is_good && (record = sorter_next(disk->sorter)))
        is_good = take(user, record);
    return is_good && !sorter_has_failed(disk->sorter);
}

/* As many of them as fit go into the visited set; when there is no more room, all become a run, and from then on they
 * only are written down. */
bool disk_restore(struct worker *worker, const uint64_t *states, uint32_t count)
{
    struct explicit_search *search = worker->search;
    struct disk *disk = search->disk;
    size_t words = search->layout->words;
    if (!disk->is_used && !insert_known(worker, states, count))
        return false;
    if (!disk->known)
        disk->known = spill_create(&disk->place);
    for (uint32_t i = 0; i < count; i++)
        if (!disk_count(search) || !disk_note(worker, states + i * words))
            return false;
    if (disk->is_used || !disk_wants_room(search))
        return true;
    insert_make_room(search);
    worker->plan = visited_plan_number(search->visited);
    return !search_is_stopped(search);
}

bool disk_end_restore(struct explicit_search *search)
{
    struct disk *disk = search->disk;
    if (!disk_is_used(search) || !disk->known)
        return true;
    if (!disk_write_known(&search->workers[0]) || !disk_make_sorter(search, 0) || !disk_sort_known(search) ||
        !disk_make_sorter(search, DISK_MORE))
        return false;
    disk_drop_buffers(search);
    atomic_store(&disk->wants_room, false);
    atomic_store(&disk->held, 0);
    return true;
}
