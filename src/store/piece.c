#include "store/piece.h"

#include <string.h>

#include "base/hash.h"

enum {
    PIECE_HASH_BYTES = 8,
    PIECE_WORD_BYTES = 9,     /* of a word whose bytes all differ */
    PIECE_LOG_ENTRY_MOST = 48 /* as log.c */
};

static void put_number(uint8_t *out, uint64_t number, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t get_number(const uint8_t *bytes, uint32_t count)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < count; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

size_t piece_most_bytes(uint32_t words, uint32_t count, uint32_t log_size)
{
    return PIECE_HEAD + (size_t)count * words * PIECE_WORD_BYTES + log_size;
}

/* --- writing --- */

static uint8_t *piece_put_word(uint64_t difference, uint8_t *mask, uint8_t *out)
{
    *mask = 0;
    while (difference) {
        uint32_t byte = (uint32_t)__builtin_ctzll(difference) / 8;
        *mask |= (uint8_t)(1u << byte);
        *out++ = (uint8_t)(difference >> 8 * byte);
        difference &= ~((uint64_t)255 << 8 * byte);
    }
    return out;
}

static uint8_t *piece_put_state(const uint64_t *state, const uint64_t *before, uint32_t words, uint8_t *out)
{
    uint8_t *masks = out;
    out += words;
    for (uint32_t w = 0; w < words; w++)
        out = piece_put_word(state[w] ^ (before ? before[w] : 0), &masks[w], out);
    return out;
}

size_t piece_write(const struct kept_piece *piece, uint32_t words, uint8_t *out)
{
    uint8_t *at = out + PIECE_HEAD;
    for (uint32_t i = 0; i < piece->count; i++) {
        const uint64_t *state = piece->states + (size_t)i * words;
        at = piece_put_state(state, i ? state - words : NULL, words, at);
    }
    size_t state_bytes = (size_t)(at - out) - PIECE_HEAD;
    if (piece->log_size)
        memcpy(at, piece->log, piece->log_size);
    at += piece->log_size;
    put_number(out + 8, piece->block, 4);
    put_number(out + 12, piece->from, 4);
    put_number(out + 16, piece->count, 4);
    put_number(out + 20, state_bytes, 4);
    put_number(out + 24, piece->log_size, 4);
    put_number(out + 28, piece->depth, 4);
    size_t size = (size_t)(at - out);
    put_number(out, hash_bytes(out + PIECE_HASH_BYTES, size - PIECE_HASH_BYTES), PIECE_HASH_BYTES);
    return size;
}

/* --- reading --- */

uint64_t piece_hash(const uint8_t *bytes)
{
    return get_number(bytes, PIECE_HASH_BYTES);
}

bool piece_read_head(const uint8_t *head, uint32_t words, uint32_t most_states, size_t *size)
{
    uint64_t from = get_number(head + 12, 4), count = get_number(head + 16, 4);
    uint64_t state_bytes = get_number(head + 20, 4), log_bytes = get_number(head + 24, 4);
    *size = (size_t)(PIECE_HEAD + state_bytes + log_bytes);
    return get_number(head + 8, 4) && count && count <= most_states && from <= most_states - count &&
           state_bytes >= count * words && state_bytes <= count * words * PIECE_WORD_BYTES && log_bytes >= count &&
           log_bytes <= count * PIECE_LOG_ENTRY_MOST;
}

/* NULL: the bytes end before the state does. */
static const uint8_t *piece_get_state(const uint8_t *at, const uint8_t *end, const uint64_t *before, uint32_t words,
                                      uint64_t *state)
{
    const uint8_t *masks = at;
    if ((size_t)(end - at) < words)
        return NULL;
    at += words;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t difference = 0;
        for (uint32_t b = 0; b < 8; b++) {
            if (!(masks[w] >> b & 1))
                continue;
            if (at == end)
                return NULL;
            difference |= (uint64_t)*at++ << 8 * b;
        }
        state[w] = difference ^ (before ? before[w] : 0);
    }
    return at;
}

bool piece_read(const uint8_t *bytes, size_t size, uint32_t words, struct kept_piece *piece)
{
    if (hash_bytes(bytes + PIECE_HASH_BYTES, size - PIECE_HASH_BYTES) != piece_hash(bytes))
        return false;
    piece->block = (uint32_t)get_number(bytes + 8, 4);
    piece->from = (uint32_t)get_number(bytes + 12, 4);
    piece->count = (uint32_t)get_number(bytes + 16, 4);
    piece->log_size = (uint32_t)get_number(bytes + 24, 4);
    piece->depth = (uint32_t)get_number(bytes + 28, 4);
    const uint8_t *at = bytes + PIECE_HEAD, *end = at + get_number(bytes + 20, 4);
    for (uint32_t i = 0; i < piece->count && at; i++) {
        uint64_t *state = piece->states + (size_t)i * words;
        at = piece_get_state(at, end, i ? state - words : NULL, words, state);
    }
    piece->log = end;
    return at == end;
}
