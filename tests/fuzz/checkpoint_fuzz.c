/* Any bytes as a checkpoint: opened and read, or refused with a message. Up to a NUL they are the manifest, from there
 * on a segment. Both are read as they are, and with hashes that fit, so that what is behind them is reached; a piece
 * that is read is written and read again. The first byte says how many words a state has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/checkpoint.h"
#include "store/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_STATES = 2048, MOST_WORDS = 4 };

static char folder[] = "/tmp/noether-fuzz-XXXXXX";

static void remove_folder(void)
{
    rmdir(folder);
}

/* A checkpoint that is removed takes its folder with it. */
static void make_folder(void)
{
    ENSURE(!mkdir(folder, 0700));
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    struct text path = {0};
    text_format(&path, "%s/%s", folder, name);
    FILE *file = fopen(path.chars, "wb");
    ENSURE(file && fwrite(bytes, 1, size, file) == size);
    fclose(file);
    text_free(&path);
}

/* --- the manifest --- */

static void read_manifest(const char *chars, size_t length)
{
    struct manifest manifest = {0};
    struct text why = {0};
    bool is_good = manifest_parse(chars, length, &manifest, &why);
    ENSURE(is_good == !why.length);
    if (manifest.about)
        json_free(manifest.about);
    if (manifest.search)
        json_free(manifest.search);
    if (manifest.files)
        json_free(manifest.files);
    text_free(&why);
}

static void read_manifest_with_hash(const char *body, size_t length)
{
    struct text text = {0};
    text_format(&text, "noether checkpoint %d %016llx\n", CHECKPOINT_VERSION,
                (unsigned long long)hash_bytes(body, length));
    text_append_n(&text, body, length);
    read_manifest(text.chars, text.length);
    text_free(&text);
}

/* --- a segment --- */

struct checking {
    uint32_t words;
    uint64_t states;
};

/* Read, written, and read again, it is the same. */
static bool take(void *user, const struct kept_piece *piece)
{
    struct checking *checking = user;
    size_t room = (size_t)piece->count * checking->words * sizeof *piece->states;
    uint8_t *bytes = memory_alloc(piece_most_bytes(checking->words, piece->count, piece->log_size));
    struct kept_piece again = {.states = memory_alloc(room)};
    size_t size = piece_write(piece, checking->words, bytes);
    ENSURE(piece_read(bytes, size, checking->words, &again));
    ENSURE(again.block == piece->block && again.from == piece->from && again.count == piece->count);
    ENSURE(!memcmp(again.states, piece->states, room));
    ENSURE(again.log_size == piece->log_size && !memcmp(again.log, piece->log, again.log_size));
    checking->states += piece->count;
    free(again.states);
    free(bytes);
    return true;
}

/* Puts hashes in that fit, as far as there are pieces; returns where these end. */
static size_t mend_hashes(uint8_t *bytes, size_t size, uint32_t words, uint64_t *states, uint64_t *hash)
{
    size_t at = 0, length;
    while (size - at >= PIECE_HEAD && piece_read_head(bytes + at, words, MOST_STATES, &length) && length <= size - at) {
        uint64_t own = hash_bytes(bytes + at + 8, length - 8);
        for (uint32_t i = 0; i < 8; i++)
            bytes[at + i] = (uint8_t)(own >> 8 * i);
        *hash = hash_combine(*hash, own);
        for (uint32_t i = 0; i < 4; i++)
            *states += (uint64_t)bytes[at + 16 + i] << 8 * i;
        at += length;
    }
    return at;
}

static void read_folder(uint32_t words, uint64_t expected)
{
    struct text why = {0};
    struct checking checking = {.words = words};
    struct checkpoint *checkpoint = checkpoint_open(folder, checkpoint_alone, &why);
    ENSURE(checkpoint);
    bool is_good = checkpoint_read(checkpoint, CHECKPOINT_STATES, 0, words, MOST_STATES, take, &checking, &why);
    ENSURE(is_good == !why.length);
    ENSURE(!is_good || checking.states == expected);
    checkpoint_remove(checkpoint);
    checkpoint_close(checkpoint);
    make_folder();
    text_free(&why);
}

static void read_segment(uint8_t *bytes, size_t size, uint32_t words, bool is_mended)
{
    uint64_t states = 0, hash = 0;
    size_t end = mend_hashes(bytes, size, words, &states, &hash);
    if (is_mended)
        size = end;
    if (!size)
        return;
    struct manifest manifest = {json_make_object(), json_make_object(), json_make_array()};
    struct json *segment = json_make_object();
    json_set(segment, "file", json_make_text("segment-0-000001"));
    json_set(segment, "bytes", json_make_count(size));
    json_set(segment, "states", json_make_count(states));
    json_set(segment, "hash", json_make_hash(hash));
    struct json *segments = json_make_array(), *part = json_make_object();
    json_push(segments, segment);
    json_set(part, "segments", segments);
    json_push(manifest.files, part);
    struct text text = {0};
    manifest_print(&manifest, &text);
    write_file("manifest", text.chars, text.length);
    write_file("segment-0-000001", bytes, size);
    read_folder(words, states);
    text_free(&text);
    json_free(manifest.about);
    json_free(manifest.search);
    json_free(manifest.files);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool is_made;
    if (!is_made) {
        ENSURE(mkdtemp(folder));
        atexit(remove_folder);
        is_made = true;
    }
    if (!size)
        return 0;
    uint32_t words = data[0] % MOST_WORDS + 1;
    const char *text = (const char *)data + 1;
    const char *end = memchr(text, 0, size - 1);
    size_t length = end ? (size_t)(end - text) : size - 1;
    read_manifest(text, length);
    read_manifest_with_hash(text, length);
    if (!end)
        return 0;
    size_t rest = size - 1 - length - 1;
    uint8_t *bytes = memory_alloc(rest + 1);
    for (int is_mended = 0; is_mended < 2; is_mended++) {
        memcpy(bytes, end + 1, rest);
        read_segment(bytes, rest, words, is_mended);
    }
    free(bytes);
    return 0;
}
