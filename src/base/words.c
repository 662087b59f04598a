#include "base/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { WORDS_CHUNK = 1 << 16, WORDS_FIRST_TABLE = 64 };

static uint64_t words_hash(const uint32_t *vector, uint32_t length)
{
    return hash_bytes(vector, length * sizeof *vector);
}

static bool words_is(const struct words *words, uint32_t number, const uint32_t *vector, uint32_t length)
{
    const uint32_t *item = words->items.items[number];
    return item[0] == length && (!length || !memcmp(item + 1, vector, length * sizeof *vector));
}

/* Where the vector stands in the table, or the free place where it belongs. */
static size_t words_probe(const struct words *words, uint64_t hash, const uint32_t *vector, uint32_t length)
{
    size_t mask = words->table_size - 1, at = hash & mask;
    for (; words->table[at]; at = (at + 1) & mask)
        if (words->table[at] >> 32 == hash >> 32 && words_is(words, (uint32_t)words->table[at] - 1, vector, length))
            break;
    return at;
}

static void words_grow_table(struct words *words)
{
    free(words->table);
    words->bytes -= words->table_size * sizeof *words->table;
    words->table_size = words->table_size ? 2 * words->table_size : WORDS_FIRST_TABLE;
    words->table = memory_zeroed(words->table_size, sizeof *words->table);
    words->bytes += words->table_size * sizeof *words->table;
    for (uint32_t i = 0; i < words->items.count; i++) {
        const uint32_t *item = words->items.items[i];
        uint64_t hash = words_hash(item + 1, item[0]);
        size_t at = hash & (words->table_size - 1);
        while (words->table[at])
            at = (at + 1) & (words->table_size - 1);
        words->table[at] = hash >> 32 << 32 | (i + 1);
    }
}

static uint32_t *words_take(struct words *words, size_t count)
{
    if (!words->chunks.count || words->chunk_size - words->chunk_used < count) {
        words->chunk_size = count > WORDS_CHUNK ? count : words->chunks.count ? WORDS_CHUNK : WORDS_CHUNK / 64;
        if (words->chunk_size < count)
            words->chunk_size = count;
        VEC_PUSH(&words->chunks, memory_alloc(words->chunk_size * sizeof(uint32_t)));
        words->bytes += words->chunk_size * sizeof(uint32_t);
        words->chunk_used = 0;
    }
    uint32_t *taken = VEC_LAST(&words->chunks) + words->chunk_used;
    words->chunk_used += count;
    return taken;
}

uint32_t words_intern(struct words *words, const uint32_t *vector, uint32_t length)
{
    if (4 * (words->items.count + 1) > 3 * words->table_size)
        words_grow_table(words);
    uint64_t hash = words_hash(vector, length);
    size_t at = words_probe(words, hash, vector, length);
    if (words->table[at])
        return (uint32_t)words->table[at] - 1;
    uint32_t *item = words_take(words, length + 1);
    item[0] = length;
    if (length) /* of nothing there may be no address */
        memcpy(item + 1, vector, length * sizeof *vector);
    words->bytes += sizeof item;
    VEC_PUSH(&words->items, item);
    words->table[at] = hash >> 32 << 32 | words->items.count;
    return (uint32_t)words->items.count - 1;
}

uint32_t words_find(const struct words *words, const uint32_t *vector, uint32_t length)
{
    if (!words->table_size)
        return WORDS_NONE;
    size_t at = words_probe(words, words_hash(vector, length), vector, length);
    return words->table[at] ? (uint32_t)words->table[at] - 1 : WORDS_NONE;
}

void words_free(struct words *words)
{
    for (size_t i = 0; i < words->chunks.count; i++)
        free(words->chunks.items[i]);
    VEC_FREE(&words->chunks);
    VEC_FREE(&words->items);
    free(words->table);
    *words = (struct words){0};
}

static size_t pairs_probe(const struct pairs *pairs, uint64_t key)
{
    size_t mask = pairs->size - 1, at = hash_mix(key) & mask;
    while (pairs->keys[at] && pairs->keys[at] != key + 1)
        at = (at + 1) & mask;
    return at;
}

uint32_t pairs_get(const struct pairs *pairs, uint64_t key)
{
    if (!pairs->size)
        return WORDS_NONE;
    size_t at = pairs_probe(pairs, key);
    return pairs->keys[at] ? pairs->values[at] : WORDS_NONE;
}

static void pairs_grow(struct pairs *pairs)
{
    struct pairs old = *pairs;
    pairs->size = old.size ? 2 * old.size : WORDS_FIRST_TABLE;
    pairs->keys = memory_zeroed(pairs->size, sizeof *pairs->keys);
    pairs->values = memory_zeroed(pairs->size, sizeof *pairs->values);
    for (size_t i = 0; i < old.size; i++) {
        if (!old.keys[i])
            continue;
        size_t at = pairs_probe(pairs, old.keys[i] - 1);
        pairs->keys[at] = old.keys[i];
        pairs->values[at] = old.values[i];
    }
    free(old.keys);
    free(old.values);
}

void pairs_set(struct pairs *pairs, uint64_t key, uint32_t value)
{
    if (4 * (pairs->count + 1) > 3 * pairs->size)
        pairs_grow(pairs);
    size_t at = pairs_probe(pairs, key);
    pairs->count += !pairs->keys[at];
    pairs->keys[at] = key + 1;
    pairs->values[at] = value;
}

void pairs_free(struct pairs *pairs)
{
    free(pairs->keys);
    free(pairs->values);
    *pairs = (struct pairs){0};
}

static int words_compare(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

void words_sort(uint32_t *words, size_t count, size_t width)
{
    if (count)
        qsort(words, count, width * sizeof *words, words_compare);
}

size_t words_sort_unique(uint32_t *words, size_t count)
{
    size_t kept = 0;
    words_sort(words, count, 1);
    for (size_t i = 0; i < count; i++)
        if (!kept || words[kept - 1] != words[i])
            words[kept++] = words[i];
    return kept;
}
