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

bool spill_write(struct spill *spill, const void *data, size_t size, uint64_t at)
{
    const char *bytes = data;
    while (size) {
        ssize_t done = pwrite(spill->file, bytes, size, (off_t)at);
        if (done <= 0)
            return false;
        bytes += done;
        at += (uint64_t)done;
        size -= (size_t)done;
    }
    return true;
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
    char *bytes = data;
    while (size) {
        ssize_t done = pread(spill->file, bytes, size, (off_t)at);
        if (done <= 0)
            return false;
        bytes += done;
        at += (uint64_t)done;
        size -= (size_t)done;
    }
    return true;
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
