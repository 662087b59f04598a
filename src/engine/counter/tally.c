#include "engine/counter/tally.h"

#include <string.h>

#include "base/hash.h"

void tally_create(struct tally *tally, const struct layout *layout, uint32_t first, uint32_t count)
{
    *tally = (struct tally){.layout = layout, .first = first, .count = count, .table_size = 1024};
    tally->table = memory_zeroed(tally->table_size, sizeof *tally->table);
}

void tally_destroy(struct tally *tally)
{
    VEC_FREE(&tally->bytes);
    VEC_FREE(&tally->ends);
    VEC_FREE(&tally->parents);
    VEC_FREE(&tally->code);
    free(tally->table);
}

static void tally_put(struct tally *tally, uint32_t number)
{
    for (; number >= 128; number >>= 7)
        VEC_PUSH(&tally->code, (uint8_t)(number | 128));
    VEC_PUSH(&tally->code, (uint8_t)number);
}

static uint32_t tally_get(const uint8_t **at)
{
    uint32_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        number |= (uint32_t)(byte & 127) << shift;
        if (byte < 128)
            return number;
    }
}

static void tally_encode(struct tally *tally, const int32_t *cells)
{
    const struct layout *layout = tally->layout;
    uint32_t last = 0;
    VEC_CLEAR(&tally->code);
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        if (c == tally->first)
            c += tally->count;
        if (c == layout->cell_count)
            break;
        const struct type *type = layout->cells[c].type;
        tally_put(tally, !type                   ? (uint32_t)cells[c]
                         : cells[c] == UNDEFINED ? 0
                                                 : (uint32_t)type_ordinal(type, cells[c]) + 1);
    }
    for (uint32_t k = 0; k < tally->count; k++) {
        int32_t value = cells[tally->first + k];
        if (!value)
            continue;
        tally_put(tally, k - last);
        tally_put(tally, (uint32_t)value);
        last = k;
    }
}

static const uint8_t *tally_string(const struct tally *tally, uint32_t state, size_t *length)
{
    uint64_t begin = state ? tally->ends.items[state - 1] : 0;
    *length = tally->ends.items[state] - begin;
    return tally->bytes.items + begin;
}

void tally_read(const struct tally *tally, uint32_t state, int32_t *cells)
{
    const struct layout *layout = tally->layout;
    size_t length;
    const uint8_t *at = tally_string(tally, state, &length), *end = at + length;
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        if (c >= tally->first && c - tally->first < tally->count) {
            cells[c] = 0;
            continue;
        }
        uint32_t code = tally_get(&at);
        const struct type *type = layout->cells[c].type;
        cells[c] = !type ? (int32_t)code : code ? type_code(type, code - 1) : UNDEFINED;
    }
    for (uint32_t k = 0; at < end;) {
        k += tally_get(&at);
        cells[tally->first + k] = (int32_t)tally_get(&at);
    }
}

static uint32_t *tally_find(const struct tally *tally, const uint8_t *code, size_t length)
{
    size_t at = hash_bytes(code, length) & (tally->table_size - 1);
    for (;; at = (at + 1) & (tally->table_size - 1)) {
        uint32_t entry = tally->table[at];
        if (!entry)
            return &tally->table[at];
        size_t other;
        const uint8_t *string = tally_string(tally, entry - 1, &other);
        if (other == length && !memcmp(string, code, length))
            return &tally->table[at];
    }
}

static void tally_grow(struct tally *tally)
{
    free(tally->table);
    tally->table_size *= 2;
    tally->table = memory_zeroed(tally->table_size, sizeof *tally->table);
    for (uint32_t s = 0; s < tally->ends.count; s++) {
        size_t length;
        const uint8_t *string = tally_string(tally, s, &length);
        size_t at = hash_bytes(string, length) & (tally->table_size - 1);
        while (tally->table[at])
            at = (at + 1) & (tally->table_size - 1);
        tally->table[at] = s + 1;
    }
}

static void tally_append(struct tally *tally)
{
    size_t need = tally->bytes.count + tally->code.count;
    if (need > tally->bytes.capacity) {
        tally->bytes.capacity = need + need / 2 + 4096;
        tally->bytes.items = memory_resize(tally->bytes.items, tally->bytes.capacity);
    }
    memcpy(tally->bytes.items + tally->bytes.count, tally->code.items, tally->code.count);
    tally->bytes.count = need;
    VEC_PUSH(&tally->ends, need);
}

uint32_t tally_insert(struct tally *tally, const int32_t *cells, uint32_t parent, bool *is_new)
{
    if (2 * (tally->ends.count + 1) > tally->table_size)
        tally_grow(tally);
    tally_encode(tally, cells);
    uint32_t *entry = tally_find(tally, tally->code.items, tally->code.count);
    *is_new = !*entry;
    if (*entry)
        return *entry - 1;
    tally_append(tally);
    VEC_PUSH(&tally->parents, parent);
    *entry = (uint32_t)tally->ends.count;
    return *entry - 1;
}

bool tally_is(struct tally *tally, uint32_t state, const int32_t *cells)
{
    size_t length;
    const uint8_t *string = tally_string(tally, state, &length);
    tally_encode(tally, cells);
    return length == tally->code.count && !memcmp(string, tally->code.items, length);
}

uint64_t tally_bytes(const struct tally *tally)
{
    return tally->bytes.capacity + tally->ends.capacity * sizeof(uint64_t) +
           tally->parents.capacity * sizeof(uint32_t) + tally->table_size * sizeof *tally->table;
}
