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

/* The ordinal of a location plus 1; 0: undefined. Written out: this is done for every object of every state. */
static inline uint32_t memos_rank(const struct type *type, int32_t location)
{
    if (type->block_count == 1)
        return location == UNDEFINED ? 0 : (uint32_t)(location - type->blocks[0].lo) + 1;
    return (uint32_t)(type_ordinal(type, location) + 1);
}

/* One family by counting: stable, so objects at the same location stay in order. */
static void memos_sort_family(struct memos *memos, const struct complete_family *family, const int32_t *cells)
{
    const struct slot *slot = &memos->shape->slots[family->slot];
    const struct type *type = slot->type;
    const uint32_t stride = slot->dimensions[0].stride, first = family->first;
    const int32_t *locations = cells + slot->base;
    uint32_t *tally = memos->tally, *order = memos->point.order + first;
    int32_t *sorted = memos->point.locations + first;
    memset(tally, 0, ((size_t)type->size + 2) * sizeof *tally);
    for (uint32_t e = 0; e < family->count; e++)
        tally[memos_rank(type, locations[e * stride]) + 1]++;
    for (uint32_t v = 1; v <= type->size; v++)
        tally[v + 1] += tally[v];
    for (uint32_t e = 0; e < family->count; e++) {
        uint32_t at = tally[memos_rank(type, locations[e * stride])]++;
        order[at] = first + e;
        sorted[at] = locations[e * stride];
    }
}

void memos_find_point(struct memos *memos, const int32_t *cells)
{
    for (uint32_t f = 0; f < memos->shape->family_count; f++)
        memos_sort_family(memos, &memos->shape->families[f], cells);
}

void point_keep(const struct memos *memos, struct point *point)
{
    size_t size = memos->shape->object_count * sizeof(uint32_t);
    point->order = memory_alloc(size);
    point->locations = memory_alloc(size);
    memcpy(point->order, memos->point.order, size);
    memcpy(point->locations, memos->point.locations, size);
}

void point_free(struct point *point)
{
    free(point->order);
    free(point->locations);
    *point = (struct point){0};
}

void memos_set_point(struct memos *memos, const struct point *point)
{
    size_t size = memos->shape->object_count * sizeof(uint32_t);
    memcpy(memos->point.order, point->order, size);
    memcpy(memos->point.locations, point->locations, size);
}

/* The first place, among those of the family, that does not come before the object at the location. */
static uint32_t memos_place_of(const struct memos *memos, uint32_t object, int32_t location, uint32_t count)
{
    const struct complete_family *family = &memos->shape->families[memos->shape->family_of[object]];
    const struct type *type = memos->shape->slots[family->slot].type;
    uint32_t rank = memos_rank(type, location), low = family->first, high = family->first + count;
    while (low < high) {
        uint32_t middle = (low + high) / 2, other = memos_rank(type, memos->point.locations[middle]);
        if (other < rank || (other == rank && memos->point.order[middle] < object))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void memos_move_object(struct memos *memos, uint32_t object, int32_t from, int32_t to)
{
    const struct complete_family *family = &memos->shape->families[memos->shape->family_of[object]];
    uint32_t *order = memos->point.order, last = family->first + family->count - 1;
    int32_t *locations = memos->point.locations;
    uint32_t at = memos_place_of(memos, object, from, family->count);
    memmove(order + at, order + at + 1, (last - at) * sizeof *order);
    memmove(locations + at, locations + at + 1, (last - at) * sizeof *locations);
    at = memos_place_of(memos, object, to, family->count - 1);
    memmove(order + at + 1, order + at, (last - at) * sizeof *order);
    memmove(locations + at + 1, locations + at, (last - at) * sizeof *locations);
    order[at] = object;
    locations[at] = to;
}

static uint64_t memos_hash(const struct memos *memos)
{
    return hash_bytes(memos->point.locations, memos->shape->object_count * sizeof(int32_t));
}

/* The bucket of the point looked at last, or the free place for it. */
static size_t memos_place(const struct memos *memos, uint64_t hash, const int32_t *locations)
{
    size_t size = memos->shape->object_count * sizeof *locations, at = hash & (memos->capacity - 1);
    for (; memos->table[at]; at = (at + 1) & (memos->capacity - 1)) {
        const struct complete_bucket *bucket = memos->table[at];
        if (bucket->hash == hash && memcmp(bucket->memos.items[0]->locations, locations, size) == 0)
            break;
    }
    return at;
}

static void memos_grow(struct memos *memos)
{
    struct complete_bucket **old = memos->table;
    size_t capacity = memos->capacity;
    memos->capacity = capacity ? 2 * capacity : 256;
    memos->table = memory_zeroed(memos->capacity, sizeof *memos->table);
    memos->bytes += (memos->capacity - capacity) * sizeof *memos->table;
    for (size_t i = 0; i < capacity; i++)
        if (old[i])
            memos->table[memos_place(memos, old[i]->hash, old[i]->memos.items[0]->locations)] = old[i];
    free(old);
}

bool interpolant_holds(const struct interpolant *interpolant, const struct complete_scene *scene)
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
    struct complete_scene scene = {.shape = memos->shape, .cells = cells, .map = memos->map};
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
        const struct complete_family *family = &shape->families[shape->family_of[o]];
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
    if (!memos->capacity)
        return NULL;
    struct complete_bucket *bucket = memos->table[memos_place(memos, memos_hash(memos), memos->point.locations)];
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
    uint64_t hash = memos_hash(memos);
    size_t at = memos_place(memos, hash, memo->locations);
    if (!memos->table[at]) {
        memos->table[at] = memory_zeroed(1, sizeof **memos->table);
        memos->table[at]->hash = hash;
        memos->count++;
    }
    VEC_PUSH(&memos->table[at]->memos, memo);
    memos->bytes += sizeof *memo + count * 8 + interpolant_bytes(&memo->interpolant);
    return memo;
}
