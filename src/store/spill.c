#include "store/spill.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/memory.h"
#include "base/text.h"

struct spill {
    struct cleanup cleanup; /* closes the file */
    pthread_mutex_t lock;
    int file; /* -1: not open yet; -2: it cannot be opened */
    uint64_t size;
};

static void spill_close(void *data)
{
    struct spill *spill = data;
    if (spill->file >= 0)
        close(spill->file);
    spill->file = -2;
}

struct spill *spill_create(void)
{
    struct spill *spill = memory_zeroed(1, sizeof *spill);
    pthread_mutex_init(&spill->lock, NULL);
    spill->file = -1;
    cleanup_push(&spill->cleanup, spill_close, spill);
    return spill;
}

void spill_destroy(struct spill *spill)
{
    if (!spill)
        return;
    cleanup_drop(&spill->cleanup);
    spill_close(spill);
    pthread_mutex_destroy(&spill->lock);
    free(spill);
}

static int spill_open(void)
{
    const char *folder = getenv("TMPDIR");
    struct text path = {0};
    text_format(&path, "%s/noether-XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkostemp(path.chars, O_CLOEXEC);
    if (file >= 0)
        unlink(path.chars);
    text_free(&path);
    return file >= 0 ? file : -2;
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
    return spill_move(spill, data, NULL, size, at);
}

bool spill_append(struct spill *spill, const void *data, size_t size, uint64_t *at)
{
    struct lock lock;
    lock_take(&lock, &spill->lock);
    if (spill->file == -1)
        spill->file = spill_open();
    bool is_open = spill->file >= 0;
    *at = spill->size;
    if (is_open)
        spill->size += size;
    lock_give(&lock);
    return is_open && spill_write(spill, data, size, *at);
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
    if (spill->file >= 0 && size < spill->size && ftruncate(spill->file, (off_t)size) == 0)
        spill->size = size;
}
