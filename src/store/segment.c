#include "store/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/hash.h"
#include "base/memory.h"

enum { SEGMENT_BUFFER = 1 << 20 };
static const uint64_t SEGMENT_BYTES = (uint64_t)1 << 30; /* from so many bytes on, the next one begins */

void segment_name(const struct segments *segments, size_t number, char *name)
{
    snprintf(name, SEGMENT_NAME, "%s-%u-%06zu", segments->kind, segments->rank, number + 1);
}

void segments_begin(struct segments *segments, int folder, const char *kind, uint32_t rank)
{
    *segments = (struct segments){.folder = folder, .kind = kind, .rank = rank, .file = -1};
}

static void segments_close(struct segments *segments)
{
    if (segments->file >= 0)
        close(segments->file);
    segments->file = -1;
    segments->size = 0;
}

void segments_end(struct segments *segments, bool keeps)
{
    if (keeps)
        segments_close(segments);
    else
        segments_take_back(segments);
    free(segments->buffer);
    VEC_FREE(&segments->list);
}

/* --- writing --- */

static const char *segments_flush(struct segments *segments)
{
    size_t done = 0;
    while (done < segments->size) {
        ssize_t written = write(segments->file, segments->buffer + done, segments->size - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? strerror(errno) : "it cannot be written";
        done += (size_t)written;
    }
    segments->size = 0;
    return NULL;
}

static const char *segments_open_last(struct segments *segments, bool is_new)
{
    char name[SEGMENT_NAME];
    segment_name(segments, segments->first + segments->list.count - 1, name);
    return is_new ? folder_create_file(segments->folder, name, &segments->file)
                  : folder_open_file(segments->folder, name, O_WRONLY | O_APPEND, &segments->file);
}

static const char *segments_next(struct segments *segments)
{
    const char *reason = segments->file >= 0 ? segments_sync(segments) : NULL;
    if (reason)
        return reason;
    segments_close(segments);
    VEC_PUSH(&segments->list, (struct segment){0});
    return segments_open_last(segments, true);
}

/* A file to append to, and room for so many bytes. */
static const char *segments_make_room(struct segments *segments, size_t bytes)
{
    const char *reason = NULL;
    if (!segments->list.count || VEC_LAST(&segments->list).now.bytes >= SEGMENT_BYTES)
        reason = segments_next(segments);
    else if (segments->file < 0)
        reason = segments_open_last(segments, false);
    if (!reason && segments->size && segments->size + bytes > segments->capacity)
        reason = segments_flush(segments);
    if (reason || bytes <= segments->capacity)
        return reason;
    segments->capacity = bytes > SEGMENT_BUFFER ? bytes : SEGMENT_BUFFER;
    segments->buffer = memory_resize(segments->buffer, segments->capacity);
    return NULL;
}

const char *segments_append(struct segments *segments, const struct kept_piece *piece, uint32_t words)
{
    const char *reason = segments_make_room(segments, piece_most_bytes(words, piece->count, piece->log_size));
    if (reason)
        return reason;
    uint8_t *bytes = segments->buffer + segments->size;
    size_t size = piece_write(piece, words, bytes);
    struct segment_extent *now = &VEC_LAST(&segments->list).now;
    now->bytes += size;
    now->states += piece->count;
    now->hash = hash_combine(now->hash, piece_hash(bytes));
    segments->size += size;
    return NULL;
}

const char *segments_sync(struct segments *segments)
{
    if (segments->file < 0)
        return NULL;
    const char *reason = segments_flush(segments);
    return reason ? reason : fsync(segments->file) ? strerror(errno) : NULL;
}

static void segment_cut(const struct segments *segments, size_t number, uint64_t bytes)
{
    char name[SEGMENT_NAME];
    segment_name(segments, number, name);
    if (!bytes) {
        unlinkat(segments->folder, name, 0);
        return;
    }
    int file;
    if (folder_open_file(segments->folder, name, O_WRONLY, &file))
        return;
    if (ftruncate(file, (off_t)bytes))
        errno = 0; /* what is behind does not count anyway */
    close(file);
}

void segments_commit(struct segments *segments)
{
    for (size_t i = 0; i < segments->list.count; i++)
        segments->list.items[i].committed = segments->list.items[i].now;
}

void segments_take_back(struct segments *segments)
{
    segments_close(segments);
    for (size_t i = 0; i < segments->list.count; i++) {
        struct segment *segment = &segments->list.items[i];
        if (segment->now.bytes != segment->committed.bytes || !segment->committed.bytes)
            segment_cut(segments, segments->first + i, segment->committed.bytes);
        segment->now = segment->committed;
    }
    while (segments->list.count && !VEC_LAST(&segments->list).now.bytes)
        (void)VEC_POP(&segments->list);
}

void segments_restart(struct segments *segments)
{
    segments_take_back(segments);
    segments->first += segments->list.count;
    VEC_CLEAR(&segments->list);
}

/* --- in the manifest --- */

struct json *segments_describe(const struct segments *segments)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < segments->list.count; i++) {
        const struct segment_extent *now = &segments->list.items[i].now;
        struct json *one = json_make_object();
        char name[SEGMENT_NAME];
        segment_name(segments, segments->first + i, name);
        json_set(one, "file", json_make_text(name));
        json_set(one, "bytes", json_make_count(now->bytes));
        json_set(one, "states", json_make_count(now->states));
        json_set(one, "hash", json_make_hash(now->hash));
        json_push(list, one);
    }
    return list;
}

/* What was written behind the commit is taken back. */
static const char *segment_check(const struct segments *segments, size_t number, uint64_t bytes, bool cuts)
{
    struct stat status;
    char name[SEGMENT_NAME];
    segment_name(segments, number, name);
    if (fstatat(segments->folder, name, &status, AT_SYMLINK_NOFOLLOW))
        return strerror(errno);
    if (!S_ISREG(status.st_mode))
        return S_ISLNK(status.st_mode) ? "it is a symbolic link, which is not followed" : "it is no regular file";
    if ((uint64_t)status.st_size < bytes)
        return "it is shorter than the manifest says";
    if (cuts && (uint64_t)status.st_size > bytes)
        segment_cut(segments, number, bytes);
    return NULL;
}

static bool segments_add(struct segments *segments, const struct json *described, bool cuts, struct text *why)
{
    struct segment_extent extent;
    size_t number = segments->first + segments->list.count;
    if (!json_read_count(json_get(described, "bytes"), &extent.bytes) || !extent.bytes ||
        !json_read_count(json_get(described, "states"), &extent.states) ||
        !json_read_hash(json_get(described, "hash"), &extent.hash)) {
        text_append(why, "the list of segments is damaged");
        return false;
    }
    const char *file = json_read_text(json_get(described, "file"));
    char name[SEGMENT_NAME];
    segment_name(segments, number, name);
    if (!file || strcmp(file, name) != 0) {
        text_append(why, "the list of segments is damaged");
        return false;
    }
    const char *reason = segment_check(segments, number, extent.bytes, cuts);
    if (reason)
        text_format(why, "%s: %s", name, reason);
    VEC_PUSH(&segments->list, ((struct segment){.now = extent, .committed = extent}));
    return !reason;
}

/* Which number the first one has. */
static size_t segments_read_first(const struct json *described)
{
    const char *name = json_read_text(json_get(json_item(described, 0), "file"));
    const char *digits = name ? strrchr(name, '-') : NULL;
    size_t number = 0;
    return digits && sscanf(digits, "-%9zu", &number) == 1 && number ? number - 1 : 0;
}

bool segments_adopt(struct segments *segments, const struct json *described, bool cuts, struct text *why)
{
    segments->first = segments_read_first(described);
    for (size_t i = 0; i < json_size(described); i++)
        if (!segments_add(segments, json_item(described, i), cuts, why))
            return false;
    return true;
}
