#include "base/sorted.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/vec.h"
#include "base/watch.h"

enum { RUN_BUFFER = 64 }; /* states of a run that are read at a time */

struct sorted_run {
    uint64_t at, left; /* in the file: the first state that is not read, and how many there are */
    uint64_t *buffer;  /* RUN_BUFFER states */
    uint32_t next, filled;
};

struct sorted {
    uint32_t words;
    uint64_t room, capacity, count; /* of the states in memory */
    uint64_t *states, *last;
    uint64_t next;
    int file; /* -1: none */
    uint64_t written;
    VEC(struct sorted_run) runs;
    const char *folder;
    struct text failure;
};

struct sorted *sorted_create(uint32_t words, uint64_t bytes, const char *folder)
{
    struct sorted *set = memory_zeroed(1, sizeof *set);
    set->words = words;
    set->room = bytes / 2 / (8 * (uint64_t)words); /* sorting takes as much again */
    set->room = set->room > 16 ? set->room : 16;
    set->file = -1;
    set->folder = folder;
    set->last = memory_zeroed(words, 8);
    return set;
}

void sorted_destroy(struct sorted *set)
{
    for (size_t r = 0; r < set->runs.count; r++)
        free(set->runs.items[r].buffer);
    VEC_FREE(&set->runs);
    if (set->file >= 0)
        close(set->file);
    free(set->states);
    free(set->last);
    text_free(&set->failure);
    free(set);
}

int sorted_compare(const uint64_t *left, const uint64_t *right, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (left[w] != right[w])
            return left[w] < right[w] ? -1 : 1;
    return 0;
}

static int compare_states(const void *left, const void *right, void *words)
{
    return sorted_compare(left, right, *(const uint32_t *)words);
}

/* What is in memory, in order, each state once. */
static void sort_states(struct sorted *set)
{
    uint64_t kept = 0;
    size_t words = set->words;
    if (set->count)
        qsort_r(set->states, set->count, 8 * words, compare_states, &set->words);
    for (uint64_t i = 0; i < set->count; i++)
        if (!kept || sorted_compare(set->states + (kept - 1) * words, set->states + i * words, set->words))
            memmove(set->states + kept++ * words, set->states + i * words, 8 * words);
    set->count = kept;
}

static bool fail(struct sorted *set)
{
    text_format(&set->failure, "%s: %s", set->folder, strerror(errno));
    return false;
}

const char *sorted_failure(const struct sorted *set)
{
    return set->failure.chars;
}

static bool open_file(struct sorted *set)
{
    struct text path = {0};
    text_format(&path, "%s/noether-sorted.XXXXXX", set->folder);
    set->file = mkstemp(path.chars);
    bool is_open = set->file >= 0 ? true : fail(set);
    if (is_open)
        unlink(path.chars);
    text_free(&path);
    return is_open;
}

static bool write_run(struct sorted *set)
{
    const char *bytes = (const char *)set->states;
    uint64_t left = set->count * set->words * 8;
    if (set->file < 0 && !open_file(set))
        return false;
    VEC_PUSH(&set->runs, ((struct sorted_run){.at = set->written, .left = set->count}));
    while (left) {
        ssize_t done = pwrite(set->file, bytes, left, (off_t)set->written);
        if (done <= 0)
            return fail(set);
        bytes += done;
        left -= (uint64_t)done;
        set->written += (uint64_t)done;
    }
    set->count = 0;
    return true;
}

bool sorted_add(struct sorted *set, const uint64_t *words)
{
    if (set->count == set->room) {
        sort_states(set);
        if (set->count > set->room / 2 && !write_run(set))
            return false;
    }
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? 2 * set->capacity : 16;
        set->capacity = set->capacity < set->room ? set->capacity : set->room;
        set->states = memory_resize(set->states, set->capacity * set->words * 8);
    }
    memcpy(set->states + set->count++ * set->words, words, (size_t)set->words * 8);
    return true;
}

bool sorted_finish(struct sorted *set)
{
    sort_states(set);
    if (set->file < 0)
        return true;
    if (set->count && !write_run(set))
        return false;
    free(set->states);
    set->states = NULL;
    for (size_t r = 0; r < set->runs.count; r++)
        set->runs.items[r].buffer = memory_alloc(RUN_BUFFER * (size_t)set->words * 8);
    return true;
}

bool sorted_is_here(const struct sorted *set)
{
    return set->file < 0;
}

bool sorted_has(const struct sorted *set, const uint64_t *words)
{
    uint64_t low = 0, high = set->count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        int order = sorted_compare(set->states + middle * set->words, words, set->words);
        if (!order)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* The first state of a run that was not taken; NULL: there is none, or it cannot be read. */
static const uint64_t *run_head(struct sorted *set, struct sorted_run *run, bool *is_broken)
{
    if (run->next == run->filled) {
        uint32_t wanted = run->left < RUN_BUFFER ? (uint32_t)run->left : RUN_BUFFER;
        size_t bytes = (size_t)wanted * set->words * 8;
        if (bytes && pread(set->file, run->buffer, bytes, (off_t)run->at) != (ssize_t)bytes)
            *is_broken = true;
        run->at += bytes;
        run->left -= wanted;
        run->next = 0;
        run->filled = *is_broken ? 0 : wanted;
    }
    return run->next < run->filled ? run->buffer + (size_t)run->next * set->words : NULL;
}

static const uint64_t *next_of_runs(struct sorted *set, bool *is_broken)
{
    const uint64_t *least = NULL;
    struct sorted_run *from = NULL;
    for (size_t r = 0; r < set->runs.count; r++) {
        const uint64_t *head = run_head(set, &set->runs.items[r], is_broken);
        if (head && (!least || sorted_compare(head, least, set->words) < 0)) {
            least = head;
            from = &set->runs.items[r];
        }
    }
    if (from)
        from->next++;
    return *is_broken ? NULL : least;
}

/* The records in order, each once; NULL: there are no more, or (*is_broken) the file cannot be read. */
static const uint64_t *sorted_next(struct sorted *set, bool *is_broken)
{
    const uint64_t *found;
    if (set->file < 0)
        return set->next < set->count ? set->states + set->next++ * set->words : NULL;
    do
        found = next_of_runs(set, is_broken);
    while (found && set->next && !sorted_compare(found, set->last, set->words));
    if (found)
        memcpy(set->last, found, (size_t)set->words * 8);
    set->next += found != NULL;
    return found;
}

const uint64_t *sorted_next_missing(struct sorted *set, struct sorted *known, bool *is_broken)
{
    const uint64_t *other = sorted_next(known, is_broken), *record;
    while ((record = sorted_next(set, is_broken)) && !*is_broken && !watch_is_up()) {
        while (other && sorted_compare(other, record, set->words) < 0)
            other = sorted_next(known, is_broken);
        if (!*is_broken && (!other || sorted_compare(other, record, set->words)))
            return record;
    }
    return NULL;
}
