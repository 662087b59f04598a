#include "store/spill.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/memory.h"
#include "base/nameless.h"

struct spill {
    struct cleanup cleanup; /* closes the file */
    pthread_mutex_t lock;
    struct spill_place *place; /* or NULL; its files are a list: */
    struct spill *before, *after;
    int file; /* -1: not open yet; -2: it cannot be opened */
    uint64_t size;
};

/* --- the place --- */

static bool spill_take(struct spill *spill, uint64_t bytes)
{
    struct spill_place *place = spill->place;
    if (!place)
        return true;
    uint64_t used = atomic_fetch_add(&place->used, bytes);
    if (!place->limit || used + bytes <= place->limit)
        return true;
    atomic_fetch_sub(&place->used, bytes);
    return false;
}

static void spill_give(struct spill *spill, uint64_t bytes)
{
    if (spill->place)
        atomic_fetch_sub(&spill->place->used, bytes);
}

static bool spill_note_full(struct spill *spill, bool is_written)
{
    if (!is_written && spill->place)
        atomic_store(&spill->place->is_full, true);
    return is_written;
}

/* --- the file --- */

static void spill_close(void *data)
{
    struct spill *spill = data;
    if (spill->file >= 0)
        close(spill->file);
    spill->file = -2;
}

static void place_close_files(void *data)
{
    struct spill_place *place = data;
    for (struct spill *spill = place->first; spill; spill = spill->after)
        spill_close(spill);
}

void spill_place_open(struct spill_place *place, const char *folder, uint64_t limit)
{
    place->folder = folder;
    place->limit = limit;
    pthread_mutex_init(&place->lock, NULL);
    cleanup_push(&place->cleanup, place_close_files, place);
}

void spill_place_close(struct spill_place *place)
{
    cleanup_drop(&place->cleanup);
    pthread_mutex_destroy(&place->lock);
}

static void place_add(struct spill_place *place, struct spill *spill)
{
    pthread_mutex_lock(&place->lock);
    spill->after = place->first;
    if (place->first)
        place->first->before = spill;
    place->first = spill;
    pthread_mutex_unlock(&place->lock);
}

static void place_remove(struct spill_place *place, const struct spill *spill)
{
    pthread_mutex_lock(&place->lock);
    if (spill->before)
        spill->before->after = spill->after;
    else
        place->first = spill->after;
    if (spill->after)
        spill->after->before = spill->before;
    pthread_mutex_unlock(&place->lock);
}

struct spill *spill_create(struct spill_place *place)
{
    struct spill *spill = memory_zeroed(1, sizeof *spill);
    spill->place = place;
    pthread_mutex_init(&spill->lock, NULL);
    spill->file = -1;
    if (place)
        place_add(place, spill);
    else
        cleanup_push(&spill->cleanup, spill_close, spill);
    return spill;
}

void spill_destroy(struct spill *spill)
{
    if (!spill)
        return;
    if (spill->place)
        place_remove(spill->place, spill);
    cleanup_drop(&spill->cleanup);
    spill_close(spill);
    spill_give(spill, spill->size);
    pthread_mutex_destroy(&spill->lock);
    free(spill);
}

static const char *spill_folder(const struct spill_place *place)
{
    const char *folder = place ? place->folder : getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

static void spill_open(struct spill *spill)
{
    int file = nameless_open(spill_folder(spill->place));
    spill->file = file >= 0 ? file : -2;
}

/* Writes the bytes at `from` to the file, or (from NULL) reads them into `to`. */
static bool spill_move(const struct spill *spill, const char *from, char *to, size_t size, uint64_t at)
{
    for (size_t moved = 0; moved < size;) {
        off_t place = (off_t)(at + moved);
        ssize_t done = from ? pwrite(spill->file, from + moved, size - moved, place)
                            : pread(spill->file, to + moved, size - moved, place);
        if (done <= 0)
            return false;
        moved += (size_t)done;
    }
    return true;
}

bool spill_write(struct spill *spill, const void *data, size_t size, uint64_t at)
{
    return spill_note_full(spill, spill_move(spill, data, NULL, size, at));
}

bool spill_append(struct spill *spill, const void *data, size_t size, uint64_t *at)
{
    struct lock lock;
    lock_take(&lock, &spill->lock);
    if (spill->file == -1)
        spill_open(spill);
    bool has_room = spill->file >= 0 && spill_take(spill, size);
    *at = spill->size;
    if (has_room)
        spill->size += size;
    lock_give(&lock);
    return spill_note_full(spill, has_room && spill_write(spill, data, size, *at));
}

bool spill_read(struct spill *spill, void *data, size_t size, uint64_t at)
{
    return spill_move(spill, NULL, data, size, at);
}

uint64_t spill_bytes(const struct spill *spill)
{
    return spill->size;
}

void spill_cut(struct spill *spill, uint64_t size)
{
    if (spill->file < 0 || size >= spill->size || ftruncate(spill->file, (off_t)size))
        return;
    spill_give(spill, spill->size - size);
    spill->size = size;
}
