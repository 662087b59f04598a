#include "store/narrow.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Below so many bits, each field that varies has room for twice as many values as were met. */
enum { NARROW_SPARING = 52 };

struct value_span {
    uint64_t low, high;
};

static uint64_t field_value(const struct visited_field *field, const uint64_t *state)
{
    return state[field->word] >> field->shift & UINT64_MAX >> (64 - field->bits);
}

static uint32_t bit_length(uint64_t value)
{
    return value ? 64 - (uint32_t)__builtin_clzll(value) : 0;
}

static void span_add(struct value_span *span, uint64_t value)
{
    span->low = value < span->low ? value : span->low;
    span->high = value > span->high ? value : span->high;
}

/* The values of a field. */
static struct value_span span_of(const struct visited_field *field, const struct narrow_range *old, uint32_t words,
                                 const uint64_t *states, uint64_t count)
{
    struct value_span span = {UINT64_MAX, 0};
    if (old)
        span = (struct value_span){old->low, old->low + (old->bits ? UINT64_MAX >> (64 - old->bits) : 0)};
    for (uint64_t i = 0; i < count; i++)
        span_add(&span, field_value(field, states + i * words));
    return span;
}

/* No range leaves its field: then the states that fit are those with every field in its range, and what fits an old
 * one fits a wider one, too. (Else a field could be below its range by borrowing from the next one.) */
static void range_fit(struct narrow_range *range, const struct visited_field *field)
{
    uint64_t most = UINT64_MAX >> (64 - field->bits), reach = range->bits ? UINT64_MAX >> (64 - range->bits) : 0;
    if (range->low > most - reach)
        range->low = most - reach;
}

/* Tells of each field how many bits it has, and returns how many these are together. */
static uint32_t narrow_fit(struct narrow *narrow, const struct visited_field *fields, uint32_t field_count,
                           const struct narrow *old, const uint64_t *states, uint64_t count)
{
    uint32_t bits = 0, sparing = 0;
    for (uint32_t f = 0; f < field_count; f++) {
        struct narrow_range *range = &narrow->ranges[f];
        if (!fields[f].bits)
            continue;
        struct value_span span = span_of(&fields[f], old ? &old->ranges[f] : NULL, narrow->words, states, count);
        *range = (struct narrow_range){span.low, bit_length(span.high - span.low)};
        bits += range->bits;
        sparing += range->bits + (range->bits && range->bits < fields[f].bits);
    }
    for (uint32_t f = 0; f < field_count; f++) {
        struct narrow_range *range = &narrow->ranges[f];
        range->bits += sparing <= NARROW_SPARING && range->bits && range->bits < fields[f].bits;
        if (fields[f].bits)
            range_fit(range, &fields[f]);
    }
    return sparing <= NARROW_SPARING ? sparing : bits;
}

/* Which bits each step moves (Hacker's Delight, figure 7-10). */
static void word_squeeze(struct narrow_word *word)
{
    uint64_t kept = word->kept, gaps = ~kept << 1; /* the gaps to the right of each bit are counted */
    for (uint32_t i = 0; i < NARROW_STEPS; i++) {
        uint64_t parity = gaps;
        for (uint32_t shift = 1; shift < 64; shift *= 2)
            parity ^= parity << shift;
        uint64_t moved = parity & kept;
        word->moved[i] = moved;
        kept = (kept ^ moved) | moved >> (1u << i);
        gaps &= ~parity;
    }
}

static void narrow_index(struct narrow *narrow, const struct visited_field *fields, uint32_t field_count)
{
    for (uint32_t f = 0; f < field_count; f++) {
        const struct narrow_range *range = &narrow->ranges[f];
        struct narrow_word *word = &narrow->at[fields[f].word];
        if (!fields[f].bits)
            continue;
        word->least += range->low << fields[f].shift;
        if (range->bits)
            word->kept |= UINT64_MAX >> (64 - range->bits) << fields[f].shift;
    }
    for (uint32_t w = 0; w < narrow->words; w++) {
        struct narrow_word *word = &narrow->at[w];
        word->offset = word->kept ? narrow->bits : 0;
        uint32_t bits = (uint32_t)__builtin_popcountll(word->kept);
        word->squeezed = bits ? UINT64_MAX >> (64 - bits) : 0;
        narrow->bits += bits;
        word_squeeze(word);
    }
}

struct narrow *narrow_make(uint32_t words, const struct visited_field *fields, uint32_t field_count,
                           const struct narrow *old, const uint64_t *states, uint64_t count)
{
    struct narrow *narrow = memory_zeroed(1, sizeof *narrow);
    narrow->words = words;
    narrow->at = memory_zeroed(words, sizeof *narrow->at);
    narrow->ranges = memory_zeroed((size_t)field_count + 1, sizeof *narrow->ranges);
    if ((count > 0 || old) && narrow_fit(narrow, fields, field_count, old, states, count) <= NARROW_MOST) {
        narrow_index(narrow, fields, field_count);
        return narrow;
    }
    narrow_destroy(narrow);
    return NULL;
}

void narrow_destroy(struct narrow *narrow)
{
    if (!narrow)
        return;
    free(narrow->at);
    free(narrow->ranges);
    free(narrow);
}

/* A word of the state. */
static uint64_t narrow_spread(const struct narrow_word *word, uint64_t number)
{
    uint64_t rest = number >> word->offset & word->squeezed;
    for (uint32_t i = NARROW_STEPS; i-- > 0;)
        rest = (rest & ~word->moved[i]) | (rest << (1u << i) & word->moved[i]);
    return (rest & word->kept) + word->least;
}

void narrow_state(const struct narrow *narrow, uint64_t number, uint64_t *state)
{
    for (uint32_t w = 0; w < narrow->words; w++)
        state[w] = narrow_spread(&narrow->at[w], number);
}

uint64_t narrow_rename(const struct narrow *narrow, const struct narrow *wider, uint64_t number)
{
    uint64_t all = 0, beyond = 0;
    for (uint32_t w = 0; w < narrow->words; w++)
        all |= narrow_squeeze(&wider->at[w], narrow_spread(&narrow->at[w], number), &beyond);
    ENSURE(!beyond);
    return all;
}
