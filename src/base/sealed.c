#include "base/sealed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "base/watch.h"

enum { LONGEST_LINE = 1 << 28 };

/* Opens a regular file: a device may never end, and a FIFO would keep the caller waiting. NULL: errno says why, 0 that
 * it is of another kind. */
static FILE *open_regular(const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    bool is_regular = !fstat(file, &status) && S_ISREG(status.st_mode);
    FILE *stream = is_regular ? fdopen(file, "rb") : NULL;
    if (stream)
        return stream;
    close(file);
    errno = is_regular ? errno : 0;
    return NULL;
}

/* True, and said why, if the time is over: what was read so far is no judgement on the file. */
static bool is_cut(struct text *failure)
{
    struct stop stop = watch_stop(watch_of_thread);
    bool is_set = stop_is_set(&stop);
    if (is_set)
        stop_print(&stop, failure);
    stop_free(&stop);
    return is_set;
}

bool sealed_begins(const char *path, char first)
{
    FILE *file = open_regular(path);
    bool is_so = file && getc(file) == first;
    if (file)
        fclose(file);
    return is_so;
}

bool sealed_open(struct sealed *sealed, const char *path, struct text *line, struct text *failure)
{
    int byte;
    *sealed = (struct sealed){.file = open_regular(path)};
    if (!sealed->file) {
        text_format(failure, "cannot be read: %s", errno ? strerror(errno) : "it is no regular file");
        return false;
    }
    while ((byte = getc(sealed->file)) != '\n' && byte != EOF && line->length < LONGEST_LINE && !watch_is_up())
        text_char(line, (char)byte);
    if (byte != '\n' && !is_cut(failure))
        text_append(failure, "the file is not complete");
    sealed->begin = (uint64_t)ftello(sealed->file);
    return byte == '\n';
}

void sealed_close(struct sealed *sealed)
{
    if (sealed->file)
        fclose(sealed->file);
}

bool sealed_check(struct sealed *sealed, uint32_t record, struct text *failure)
{
    FILE *file = sealed->file;
    uint64_t size = fseeko(file, 0, SEEK_END) ? 0 : (uint64_t)ftello(file), bytes = 8 * (uint64_t)record;
    uint64_t rest = size < sealed->begin + SEALED_TRAILER ? UINT64_MAX : size - sealed->begin - SEALED_TRAILER;
    struct checksum *checksum = memory_zeroed(1, sizeof *checksum);
    unsigned char buffer[4096], trailer[SEALED_TRAILER] = {0};
    rewind(file);
    for (uint64_t left = size < 8 ? 0 : size - 8; left && !watch_is_up();) {
        size_t part = fread(buffer, 1, left < sizeof buffer ? left : sizeof buffer, file);
        checksum_add(checksum, buffer, part);
        left = part ? left - part : 0;
    }
    fseeko(file, (off_t)(size - SEALED_TRAILER), SEEK_SET);
    bool is_read = rest != UINT64_MAX && fread(trailer, 1, sizeof trailer, file) == sizeof trailer;
    sealed->record = record;
    sealed->count = checksum_get_number(trailer);
    if (is_cut(failure))
        sealed->count = 0;
    else if (!is_read || rest % bytes || rest / bytes != sealed->count)
        text_append(failure, "the file is not complete");
    else if (checksum_end(checksum) != checksum_get_number(trailer + 8))
        text_append(failure, "the file is damaged: its checksum is another");
    free(checksum);
    sealed_rewind(sealed);
    return !failure->length;
}

void sealed_rewind(struct sealed *sealed)
{
    sealed->next = sealed->mixed = 0;
    sealed->is_broken |= fseeko(sealed->file, (off_t)sealed->begin, SEEK_SET) != 0;
}

/* All records have been read. */
static void end_pass(struct sealed *sealed)
{
    uint64_t all = sealed->mixed | 1;
    sealed->is_broken |= sealed->before && sealed->before != all;
    sealed->before = all;
}

bool sealed_next(struct sealed *sealed, uint64_t *numbers)
{
    unsigned char bytes[8];
    if (sealed->next >= sealed->count || sealed->is_broken)
        return false;
    for (uint32_t w = 0; w < sealed->record; w++) {
        if (fread(bytes, 1, sizeof bytes, sealed->file) != sizeof bytes) {
            sealed->is_broken = true;
            return false;
        }
        numbers[w] = checksum_get_number(bytes);
        sealed->mixed = (sealed->mixed ^ numbers[w]) * UINT64_C(0x9e3779b97f4a7c15);
        sealed->mixed ^= sealed->mixed >> 29;
    }
    if (++sealed->next == sealed->count)
        end_pass(sealed);
    return true;
}
