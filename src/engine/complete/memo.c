#include "engine/complete/memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

struct memos *memos_create(const struct shape *shape, enum complete_method method)
{
    struct memos *memos = memory_zeroed(1, sizeof *memos);
    uint32_t values = 1;
    for (uint32_t f = 0; f < shape->family_count; f++)
        if (shape->slots[shape->families[f].slot].type->size > values)
            values = shape->slots[shape->families[f].slot].type->size;
    memos->shape = shape;
    memos->method = method;
    memos->point.order = memory_zeroed(shape->object_count, sizeof(uint32_t));
    memos->point.locations = memory_zeroed(shape->object_count, sizeof(int32_t));
    memos->map = memory_zeroed(shape->object_count, sizeof(uint32_t));
    memos->tally = memory_zeroed((size_t)values + 2, sizeof(uint32_t));
    return memos;
}

static void memo_destroy(struct memo *memo)
{
    plan_destroy(memo->plan);
    interpolant_free(&memo->interpolant);
    free(memo->order);
    free(memo->locations);
    free(memo);
}

void memos_destroy(struct memos *memos)
{
    if (!memos)
        return;
    for (size_t i = 0; i < memos->capacity; i++) {
        if (!memos->table[i])
            continue;
        for (size_t m = 0; m < memos->table[i]->memos.count; m++)
            memo_destroy(memos->table[i]->memos.items[m]);
        VEC_FREE(&memos->table[i]->memos);
        free(memos->table[i]);
    }
    free(memos->table);
    free(memos->point.order);
    free(memos->point.locations);
    free(memos->map);
    free(memos->tally);
    free(memos);
}

/* One family by counting: stable, so objects at the same location stay in order. */
static void memos_sort_family(struct memos *memos, const struct family *family, const int32_t *cells)
{
    const struct shape *shape = memos->shape;
    const struct type *type = shape->slots[family->slot].type;
    memset(memos->tally, 0, ((size_t)type->size + 2) * sizeof *memos->tally);
    for (uint32_t o = family->first; o < family->first + family->count; o++)
        memos->tally[type_ordinal(type, cells[shape->location_of[o]]) + 2]++;
    for (uint32_t v = 1; v <= type->size; v++)
        memos->tally[v + 1] += memos->tally[v];
    for (uint32_t o = family->first; o < family->first + family->count; o++) {
        int32_t location = cells[shape->location_of[o]];
        uint32_t at = family->first + memos->tally[type_ordinal(type, location) + 1]++;
        memos->point.order[at] = o;
        memos->point.locations[at] = location;
    }
}

void memos_find_point(struct memos *memos, const int32_t *cells)
{
    for (uint32_t f = 0; f < memos->shape->family_count; f++)
        memos_sort_family(memos, &memos->shape->families[f], cells);
    memos->point.hash = hash_bytes(memos->point.locations, memos->shape->object_count * sizeof(int32_t));
}

/* The bucket of the point looked at last, or the free place for it. */
static size_t memos_place(const struct memos *memos, uint64_t hash, const int32_t *locations)
{
    size_t size = memos->shape->object_count * sizeof *locations, at = hash & (memos->capacity - 1);
    for (; memos->table[at]; at = (at + 1) & (memos->capacity - 1)) {
        const struct bucket *bucket = memos->table[at];
        if (bucket->hash == hash && memcmp(bucket->memos.items[0]->locations, locations, size) == 0)
            break;
    }
    return at;
}

static void memos_grow(struct memos *memos)
{
    struct bucket **old = memos->table;
    size_t capacity = memos->capacity;
    memos->capacity = capacity ? 2 * capacity : 256;
    memos->table = memory_zeroed(memos->capacity, sizeof *memos->table);
    memos->bytes += (memos->capacity - capacity) * sizeof *memos->table;
    for (size_t i = 0; i < capacity; i++)
        if (old[i])
            memos->table[memos_place(memos, old[i]->hash, old[i]->memos.items[0]->locations)] = old[i];
    free(old);
}

bool interpolant_holds(const struct interpolant *interpolant, const struct scene *scene)
{
    for (size_t i = 0; i < interpolant->masks.count; i++)
        if (!mask_atom_holds(&interpolant->masks.items[i], scene))
            return false;
    for (size_t i = 0; i < interpolant->bounds.count; i++)
        if (!bound_holds(interpolant->bounds.items[i], scene))
            return false;
    for (size_t i = 0; i < interpolant->facts.count; i++)
        if (!term_holds(interpolant->facts.items[i], scene))
            return false;
    return true;
}

static bool memos_try_map(const struct memos *memos, const struct memo *memo, const int32_t *cells)
{
    struct scene scene = {.shape = memos->shape, .cells = cells, .map = memos->map};
    return interpolant_holds(&memo->interpolant, &scene);
}

/* The k-th object at a location goes to the k-th at it. */
static bool memos_try_stable(struct memos *memos, const struct memo *memo, const int32_t *cells)
{
    for (uint32_t k = 0; k < memos->shape->object_count; k++)
        memos->map[memo->order[k]] = memos->point.order[k];
    return memos_try_map(memos, memo, cells);
}

static bool memos_try_identity(struct memos *memos, const struct memo *memo, const int32_t *cells)
{
    uint32_t count = memos->shape->object_count;
    if (memcmp(memo->order, memos->point.order, count * sizeof *memo->order) != 0)
        return false;
    for (uint32_t o = 0; o < count; o++)
        memos->map[o] = o;
    return memos_try_map(memos, memo, cells);
}

/* All families that have as many elements as the first turn together. */
static bool memos_try_rotation(struct memos *memos, const struct memo *memo, const int32_t *cells, uint32_t by)
{
    const struct shape *shape = memos->shape;
    uint32_t count = shape->families[0].count;
    for (uint32_t o = 0; o < shape->object_count; o++) {
        const struct family *family = &shape->families[shape->family_of[o]];
        uint32_t element = o - family->first;
        memos->map[o] = family->count == count ? family->first + (element + by) % count : o;
    }
    for (uint32_t k = 0; k < shape->object_count; k++)
        if (cells[shape->location_of[memos->map[memo->order[k]]]] != memo->locations[k])
            return false;
    return memos_try_map(memos, memo, cells);
}

static bool memos_try(struct memos *memos, const struct memo *memo, const int32_t *cells)
{
    if (memos->method == COMPLETE_NONE)
        return memos_try_identity(memos, memo, cells);
    if (memos->method == COMPLETE_ALL)
        return memos_try_stable(memos, memo, cells);
    for (uint32_t by = 0; by < memos->shape->families[0].count; by++)
        if (memos_try_rotation(memos, memo, cells, by))
            return true;
    return false;
}

const struct memo *memos_find(struct memos *memos, const int32_t *cells)
{
    memos_find_point(memos, cells);
    if (!memos->capacity)
        return NULL;
    struct bucket *bucket = memos->table[memos_place(memos, memos->point.hash, memos->point.locations)];
    if (!bucket)
        return NULL;
    for (size_t m = 0; m < bucket->memos.count; m++)
        if (memos_try(memos, bucket->memos.items[m], cells))
            return bucket->memos.items[m];
    if (memos->method != COMPLETE_ALL)
        return NULL;
    for (size_t m = 0; m < bucket->memos.count; m++)
        if (plan_search(memos, bucket->memos.items[m], cells))
            return bucket->memos.items[m];
    return NULL;
}

const struct memo *memos_add(struct memos *memos, const int32_t *cells, struct interpolant *interpolant)
{
    uint32_t count = memos->shape->object_count;
    memos_find_point(memos, cells);
    if (4 * (memos->count + 1) > 3 * memos->capacity)
        memos_grow(memos);
    struct memo *memo = memory_zeroed(1, sizeof *memo);
    memo->order = memory_alloc(count * sizeof *memo->order);
    memo->locations = memory_alloc(count * sizeof *memo->locations);
    memcpy(memo->order, memos->point.order, count * sizeof *memo->order);
    memcpy(memo->locations, memos->point.locations, count * sizeof *memo->locations);
    memo->interpolant = *interpolant;
    *interpolant = (struct interpolant){0};
    size_t at = memos_place(memos, memos->point.hash, memo->locations);
    if (!memos->table[at]) {
        memos->table[at] = memory_zeroed(1, sizeof **memos->table);
        memos->table[at]->hash = memos->point.hash;
        memos->count++;
    }
    VEC_PUSH(&memos->table[at]->memos, memo);
    memos->bytes += sizeof *memo + count * 8 + interpolant_bytes(&memo->interpolant);
    return memo;
}
