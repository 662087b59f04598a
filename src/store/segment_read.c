/* Reading the segments of a checkpoint: nothing in them is believed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/hash.h"
#include "base/memory.h"
#include "store/segment.h"

enum { SEGMENT_AHEAD = 1 << 20 };

struct segment_reader {
    int file;
    uint8_t *bytes; /* read and not used: from `at` to `end` */
    size_t at, end, capacity;
    uint64_t left; /* of the segment, not read yet */
    uint32_t words, most_states;
    struct kept_piece piece;
    uint64_t hash;
    const char *wrong; /* NULL: nothing */
};

/* So many bytes from `at` on. */
static bool reader_fill(struct segment_reader *reader, size_t size)
{
    memmove(reader->bytes, reader->bytes + reader->at, reader->end - reader->at);
    reader->end -= reader->at;
    reader->at = 0;
    if (size > reader->capacity) {
        reader->bytes = memory_resize(reader->bytes, size);
        reader->capacity = size;
    }
    while (reader->end < size) {
        size_t room = reader->capacity - reader->end, most = reader->left < room ? (size_t)reader->left : room;
        ssize_t got = most ? read(reader->file, reader->bytes + reader->end, most) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            reader->wrong = got < 0 ? strerror(errno) : "it ends within a piece";
            return false;
        }
        reader->end += (size_t)got;
        reader->left -= (uint64_t)got;
    }
    return true;
}

static bool reader_has(struct segment_reader *reader, size_t size)
{
    return reader->end - reader->at >= size || reader_fill(reader, size);
}

/* The next piece; its log is in the buffer. */
static bool reader_next(struct segment_reader *reader)
{
    size_t size;
    if (!reader_has(reader, PIECE_HEAD))
        return false;
    if (!piece_read_head(reader->bytes + reader->at, reader->words, reader->most_states, &size)) {
        reader->wrong = "it is damaged";
        return false;
    }
    if (!reader_has(reader, size))
        return false;
    const uint8_t *bytes = reader->bytes + reader->at;
    if (!piece_read(bytes, size, reader->words, &reader->piece)) {
        reader->wrong = "it is damaged";
        return false;
    }
    reader->hash = hash_combine(reader->hash, piece_hash(bytes));
    reader->at += size;
    return true;
}

static bool reader_is_done(const struct segment_reader *reader)
{
    return !reader->left && reader->at == reader->end;
}

static bool reader_read(struct segment_reader *reader, const struct segment_extent *extent,
                        bool (*take)(void *user, const struct kept_piece *piece), void *user)
{
    uint64_t states = 0;
    reader->at = reader->end = 0;
    reader->left = extent->bytes;
    reader->hash = 0;
    while (!reader_is_done(reader)) {
        if (!reader_next(reader) || !take(user, &reader->piece))
            return false;
        states += reader->piece.count;
    }
    if (states != extent->states || reader->hash != extent->hash)
        reader->wrong = "it is not the one that the manifest names";
    return !reader->wrong;
}

bool segments_read(const struct segments *segments, uint32_t words, uint32_t most_states,
                   bool (*take)(void *user, const struct kept_piece *piece), void *user, struct text *why)
{
    struct segment_reader reader = {.words = words, .most_states = most_states};
    reader.capacity = SEGMENT_AHEAD;
    reader.bytes = memory_alloc(reader.capacity);
    reader.piece.states = memory_alloc((size_t)most_states * words * sizeof *reader.piece.states);
    bool is_good = true;
    for (size_t i = 0; i < segments->list.count && is_good; i++) {
        char name[SEGMENT_NAME];
        segment_name(segments, segments->first + i, name);
        reader.wrong = folder_open_file(segments->folder, name, O_RDONLY, &reader.file);
        is_good = reader.file >= 0 && reader_read(&reader, &segments->list.items[i].committed, take, user);
        if (reader.wrong)
            text_format(why, "%s: %s", name, reader.wrong);
        if (reader.file >= 0)
            close(reader.file);
    }
    free(reader.piece.states);
    free(reader.bytes);
    return is_good;
}
