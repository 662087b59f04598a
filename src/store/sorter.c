#include "store/sorter.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "store/pages.h"
#include "store/sorted_run.h"

enum {
    SORTER_FEW = 12,       /* records are sorted by insertion */
    SORTER_LEAST_PART = 64 /* records of each chunk in memory while they are merged */
};

/* What was sorted and written at once, while it is merged. */
struct sorter_chunk {
    uint64_t at, count;   /* in the file: what is still to be read */
    uint64_t *part;       /* in the buffer */
    size_t loaded, taken; /* records of the part */
};

struct record_sorter {
    uint32_t words, size; /* of a state, and of a record */
    uint64_t *buffer;
    size_t bytes, capacity, held; /* records in the buffer */
    uint64_t count;
    struct spill *spill;
    VEC(struct sorter_chunk) chunks;
    VEC(uint32_t) heap; /* chunks with the least record first */
    bool has_failed;
    size_t next; /* without chunks: the next record of the buffer */
};

struct record_sorter *sorter_create(uint32_t words, uint32_t more, size_t bytes, struct spill_place *place)
{
    struct record_sorter *sorter = memory_zeroed(1, sizeof *sorter);
    sorter->words = words;
    sorter->size = words + more;
    sorter->capacity = bytes / (sorter->size * sizeof *sorter->buffer);
    if (sorter->capacity < 4 * SORTER_LEAST_PART)
        sorter->capacity = 4 * SORTER_LEAST_PART;
    sorter->bytes = sorter->capacity * sorter->size * sizeof *sorter->buffer;
    sorter->buffer = pages_alloc(sorter->bytes);
    if (!sorter->buffer) {
        free(sorter);
        return NULL;
    }
    sorter->spill = spill_create(place);
    return sorter;
}

void sorter_destroy(struct record_sorter *sorter)
{
    if (!sorter)
        return;
    pages_free(sorter->buffer, sorter->bytes);
    spill_destroy(sorter->spill);
    VEC_FREE(&sorter->chunks);
    VEC_FREE(&sorter->heap);
    free(sorter);
}

uint64_t sorter_count(const struct record_sorter *sorter)
{
    return sorter->count;
}

bool sorter_has_failed(const struct record_sorter *sorter)
{
    return sorter->has_failed;
}

bool sorter_is_full(const struct record_sorter *sorter)
{
    return (sorter->chunks.count + 2) * SORTER_LEAST_PART > sorter->capacity;
}

/* --- in memory --- */

struct record_sorting {
    uint64_t *records;
    uint32_t words, size;
};

static inline uint64_t *sorting_at(const struct record_sorting *sorting, size_t i)
{
    return sorting->records + i * sorting->size;
}

static inline bool sorting_is_less(const struct record_sorting *sorting, size_t i, size_t j)
{
    return state_compare(sorting_at(sorting, i), sorting_at(sorting, j), sorting->words) < 0;
}

static inline void sorting_swap(const struct record_sorting *sorting, size_t i, size_t j)
{
    uint64_t *a = sorting_at(sorting, i), *b = sorting_at(sorting, j);
    for (uint32_t w = 0; w < sorting->size; w++) {
        uint64_t word = a[w];
        a[w] = b[w];
        b[w] = word;
    }
}

static void sorting_insert(const struct record_sorting *sorting, size_t from, size_t to)
{
    for (size_t i = from + 1; i < to; i++)
        for (size_t j = i; j > from && sorting_is_less(sorting, j, j - 1); j--)
            sorting_swap(sorting, j, j - 1);
}

/* The pivot of the range goes to its front: the middle one of three, from places that no pattern of states meets. */
static void sorting_choose(const struct record_sorting *sorting, size_t from, size_t to)
{
    size_t third = (to - from) / 3, a = from + third / 2, b = from + third + third / 3, c = to - 1 - third / 5;
    if (sorting_is_less(sorting, b, a))
        sorting_swap(sorting, a, b);
    if (sorting_is_less(sorting, c, b))
        sorting_swap(sorting, b, c);
    if (sorting_is_less(sorting, b, a))
        sorting_swap(sorting, a, b);
    sorting_swap(sorting, from, b);
}

/* Where the pivot is then: less before it, more behind it. */
static size_t sorting_split(const struct record_sorting *sorting, size_t from, size_t to)
{
    size_t low = from + 1, high = to - 1;
    sorting_choose(sorting, from, to);
    for (;;) {
        while (low <= high && sorting_is_less(sorting, low, from))
            low++;
        while (low <= high && sorting_is_less(sorting, from, high))
            high--;
        if (low >= high)
            break;
        sorting_swap(sorting, low++, high--);
    }
    sorting_swap(sorting, from, low - 1);
    return low - 1;
}

static void sorting_run(const struct record_sorting *sorting, size_t from, size_t to)
{
    while (to - from > SORTER_FEW) {
        size_t pivot = sorting_split(sorting, from, to);
        bool is_left_less = pivot - from < to - pivot;
        if (is_left_less)
            sorting_run(sorting, from, pivot);
        else
            sorting_run(sorting, pivot + 1, to);
        if (is_left_less)
            from = pivot + 1;
        else
            to = pivot;
    }
    sorting_insert(sorting, from, to);
}

static void sorter_sort(struct record_sorter *sorter)
{
    struct record_sorting sorting = {sorter->buffer, sorter->words, sorter->size};
    sorting_run(&sorting, 0, sorter->held);
}

/* --- in the file --- */

static bool sorter_write(struct record_sorter *sorter)
{
    struct sorter_chunk chunk = {.count = sorter->held};
    if (!sorter->held)
        return true;
    sorter_sort(sorter);
    if (!spill_append(sorter->spill, sorter->buffer, sorter->held * sorter->size * sizeof *sorter->buffer, &chunk.at)) {
        sorter->has_failed = true;
        return false;
    }
    VEC_PUSH(&sorter->chunks, chunk);
    sorter->held = 0;
    return true;
}

bool sorter_add(struct record_sorter *sorter, const uint64_t *records, uint32_t count)
{
    while (count) {
        if (sorter->held == sorter->capacity && !sorter_write(sorter))
            return false;
        size_t room = sorter->capacity - sorter->held, some = count < room ? count : room;
        memcpy(sorter->buffer + sorter->held * sorter->size, records, some * sorter->size * sizeof *records);
        sorter->held += some;
        sorter->count += some;
        records += some * sorter->size;
        count -= (uint32_t)some;
    }
    return true;
}

void sorter_clear(struct record_sorter *sorter)
{
    sorter->held = sorter->next = 0;
    sorter->count = 0;
    sorter->has_failed = false;
    VEC_CLEAR(&sorter->chunks);
    VEC_CLEAR(&sorter->heap);
    spill_cut(sorter->spill, 0);
}

/* --- the merge --- */

static bool sorter_load(struct record_sorter *sorter, struct sorter_chunk *chunk)
{
    size_t most = sorter->capacity / sorter->chunks.count, record = sorter->size * sizeof *sorter->buffer;
    chunk->loaded = chunk->count < most ? (size_t)chunk->count : most;
    chunk->taken = 0;
    if (!spill_read(sorter->spill, chunk->part, chunk->loaded * record, chunk->at)) {
        sorter->has_failed = true;
        return false;
    }
    chunk->at += chunk->loaded * record;
    chunk->count -= chunk->loaded;
    return true;
}

static const uint64_t *sorter_first(const struct record_sorter *sorter, size_t place)
{
    const struct sorter_chunk *chunk = &sorter->chunks.items[sorter->heap.items[place]];
    return chunk->part + chunk->taken * sorter->size;
}

static void heap_sink(struct record_sorter *sorter, size_t place)
{
    size_t count = sorter->heap.count, child;
    uint32_t *heap = sorter->heap.items;
    for (; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count &&
            state_compare(sorter_first(sorter, child + 1), sorter_first(sorter, child), sorter->words) < 0)
            child++;
        if (state_compare(sorter_first(sorter, place), sorter_first(sorter, child), sorter->words) <= 0)
            return;
        uint32_t chunk = heap[place];
        heap[place] = heap[child];
        heap[child] = chunk;
    }
}

bool sorter_begin(struct record_sorter *sorter)
{
    if (sorter->has_failed)
        return false;
    sorter->next = 0;
    if (!sorter->chunks.count) {
        sorter_sort(sorter);
        return true;
    }
    if (!sorter_write(sorter))
        return false;
    size_t most = sorter->capacity / sorter->chunks.count;
    if (!most) /* more chunks than records that fit */
        sorter->has_failed = true;
    for (size_t i = 0; i < sorter->chunks.count; i++) {
        sorter->chunks.items[i].part = sorter->buffer + i * most * sorter->size;
        if (!most || !sorter_load(sorter, &sorter->chunks.items[i]))
            return false;
        VEC_PUSH(&sorter->heap, (uint32_t)i);
    }
    for (size_t i = sorter->heap.count; i--;)
        heap_sink(sorter, i);
    sorter->next = SIZE_MAX; /* nothing was taken from the first chunk of the heap */
    return true;
}

/* The record that was handed out last is done with. */
static bool sorter_step(struct record_sorter *sorter)
{
    struct sorter_chunk *chunk = &sorter->chunks.items[sorter->heap.items[0]];
    if (++chunk->taken == chunk->loaded) {
        if (chunk->count && !sorter_load(sorter, chunk))
            return false;
        if (chunk->taken) { /* nothing more was loaded */
            uint32_t last = VEC_POP(&sorter->heap);
            sorter->heap.items[0] = last;
        }
    }
    heap_sink(sorter, 0);
    return true;
}

const uint64_t *sorter_next(struct record_sorter *sorter)
{
    if (!sorter->chunks.count) {
        if (sorter->next < sorter->held)
            return sorter->buffer + sorter->next++ * sorter->size;
        sorter_clear(sorter);
        return NULL;
    }
    if (sorter->next == SIZE_MAX)
        sorter->next = 0;
    else if (!sorter_step(sorter))
        return NULL;
    if (sorter->heap.count)
        return sorter_first(sorter, 0);
    sorter_clear(sorter);
    return NULL;
}
