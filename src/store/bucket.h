/* One bucket of a quotient set (quotient.h): eight words. The lowest 16 bits of the first are the header. Entry i is
 * `width` bits: its lower 16 are field i + 1 of the bucket's 32 fields of 16 bits, its upper bits stand behind all of
 * those, and behind all upper bits the values, where entries have values. Words are read and written as atoms, because
 * one thread may read a word while another adds to it. */
#ifndef NOETHER_STORE_BUCKET_H
#define NOETHER_STORE_BUCKET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    BUCKET_TAG = 16, /* bits of a field */
    BUCKET_COUNT = 31,
    BUCKET_FILTER = 5, /* ten bits that say which entries may have overflowed */
    BUCKET_LOCKED = 1 << 15
};

static inline uint32_t bucket_count(uint64_t head)
{
    return head & BUCKET_COUNT;
}

/* The bit of the filter for an entry. It is the upper half of the tag that decides, for every width. */
static inline uint64_t bucket_filter_bit(uint64_t entry)
{
    return (uint64_t)1 << (BUCKET_FILTER + ((entry >> 8 & 0xff) * 10 >> 8));
}

static inline uint64_t bucket_read(const _Atomic uint64_t *bucket, uint32_t word)
{
    return atomic_load_explicit(&bucket[word], memory_order_relaxed);
}

static inline void bucket_write(_Atomic uint64_t *bucket, uint32_t word, uint64_t value)
{
    atomic_store_explicit(&bucket[word], value, memory_order_relaxed);
}

struct bucket_shape {
    uint32_t width;      /* of an entry: 16 bits at least */
    uint32_t value_bits; /* of its value; 0: there are no values */
    uint32_t entries;    /* at most */
};

#define BUCKET_NO_ENTRY UINT32_MAX

static inline uint64_t bucket_field(const _Atomic uint64_t *bucket, uint32_t at, uint32_t size)
{
    uint32_t word = at / 64, shift = at % 64;
    if (!size)
        return 0;
    uint64_t field = bucket_read(bucket, word) >> shift;
    if (shift + size > 64)
        field |= bucket_read(bucket, word + 1) << (64 - shift);
    return field & (((uint64_t)1 << size) - 1);
}

/* Into zeros. */
static inline void bucket_set_field(_Atomic uint64_t *bucket, uint32_t at, uint32_t size, uint64_t field)
{
    uint32_t word = at / 64, shift = at % 64;
    if (size)
        bucket_write(bucket, word, bucket_read(bucket, word) | field << shift);
    if (size && shift + size > 64)
        bucket_write(bucket, word + 1, bucket_read(bucket, word + 1) | field >> (64 - shift));
}

/* Where the upper bits of entry i begin, and where its value. */
static inline uint32_t bucket_upper_at(const struct bucket_shape *shape, uint32_t i)
{
    return BUCKET_TAG * (shape->entries + 1) + i * (shape->width - BUCKET_TAG);
}

static inline uint32_t bucket_value_at(const struct bucket_shape *shape, uint32_t i)
{
    return bucket_upper_at(shape, shape->entries) + i * shape->value_bits;
}

static inline uint64_t bucket_entry(const _Atomic uint64_t *bucket, const struct bucket_shape *shape, uint32_t i)
{
    uint64_t tag = bucket_read(bucket, (i + 1) / 4) >> (i + 1) % 4 * BUCKET_TAG & 0xffff;
    return tag | bucket_field(bucket, bucket_upper_at(shape, i), shape->width - BUCKET_TAG) << BUCKET_TAG;
}

static inline uint32_t bucket_value(const _Atomic uint64_t *bucket, const struct bucket_shape *shape, uint32_t i)
{
    return (uint32_t)bucket_field(bucket, bucket_value_at(shape, i), shape->value_bits);
}

/* Which of the entries that `head` counts it is, or BUCKET_NO_ENTRY. */
static inline __attribute__((always_inline)) uint32_t bucket_find(const _Atomic uint64_t *bucket, uint64_t head,
                                                                  const struct bucket_shape *shape, uint64_t entry)
{
    const uint64_t ones = 0x0001000100010001u, tops = 0x8000800080008000u;
    uint64_t tags = (entry & 0xffff) * ones;
    uint32_t fields = bucket_count(head) + 1;
    for (uint32_t word = 0; word * 4 < fields; word++) {
        uint64_t difference = (word ? bucket_read(bucket, word) : head) ^ tags;
        /* The top bit of every field that is zero, and perhaps of a field above one: each is looked at. */
        uint64_t hits = (difference - ones) & ~difference & tops;
        for (; hits; hits &= hits - 1) {
            uint32_t field = word * 4 + (uint32_t)__builtin_ctzll(hits) / BUCKET_TAG;
            if (field && field < fields && bucket_entry(bucket, shape, field - 1) == entry)
                return field - 1;
        }
    }
    return BUCKET_NO_ENTRY;
}

/* Into a bucket that this thread has locked and that is not full. The header, which makes the entry visible and unlocks
 * the bucket, comes last. */
static inline void bucket_add(_Atomic uint64_t *bucket, uint64_t head, const struct bucket_shape *shape, uint64_t entry,
                              uint32_t value)
{
    uint32_t i = bucket_count(head), field = i + 1;
    uint64_t tag = (entry & 0xffff) << field % 4 * BUCKET_TAG;
    if (field >= 4)
        bucket_write(bucket, field / 4, bucket_read(bucket, field / 4) | tag);
    else
        head |= tag;
    /* (There are three entries at least, so that these are not in the first word.) */
    bucket_set_field(bucket, bucket_upper_at(shape, i), shape->width - BUCKET_TAG, entry >> BUCKET_TAG);
    bucket_set_field(bucket, bucket_value_at(shape, i), shape->value_bits, value);
    atomic_store_explicit(&bucket[0], head + 1, memory_order_release);
}

#endif
