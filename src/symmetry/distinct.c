#include "symmetry/distinct.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

/* Also two of which nothing is known: the comparison treats them alike. */
static bool meaning_same(const struct meaning *a, const struct meaning *b)
{
    return (a->kind == MEANS_UNKNOWN && b->kind == MEANS_UNKNOWN) || meaning_equal(a, b);
}

static bool path_same(const struct effects_path *a, const struct effects_path *b)
{
    if (a == b)
        return true;
    if (a->root != b->root || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->steps[i].field != b->steps[i].field || a->steps[i].key != b->steps[i].key ||
            !meaning_same(&a->steps[i].index, &b->steps[i].index))
            return false;
    return true;
}

static bool access_same(const struct access *a, const struct access *b)
{
    return a->mode == b->mode && a->is_private == b->is_private && a->units.first == b->units.first &&
           a->units.count == b->units.count && a->guards == b->guards && meaning_same(&a->value, &b->value) &&
           path_same(a->path, b->path);
}

static uint64_t meaning_hash(uint64_t hash, const struct meaning *meaning)
{
    return hash_combine(hash_combine(hash_combine(hash, meaning->kind), (uint64_t)meaning->code),
                        (uintptr_t)meaning->variable);
}

static uint64_t access_hash(const struct access *access)
{
    const struct effects_path *path = access->path;
    uint64_t hash = hash_combine(hash_combine((uint64_t)access->mode, access->units.first), access->units.count);
    hash = meaning_hash(hash_combine(hash_combine(hash, (uintptr_t)path->root), (uintptr_t)access->guards),
                        &access->value);
    for (uint32_t i = 0; i < path->count; i++)
        hash = meaning_hash(hash_combine(hash, (uintptr_t)path->steps[i].field), &path->steps[i].index);
    return hash;
}

/* Where the table has the access, or has room for it. */
static size_t table_find(const struct distinct *distinct, const uint32_t *table, size_t mask,
                         const struct distinct_access *wanted)
{
    size_t at = wanted->hash & mask;
    for (; table[at]; at = (at + 1) & mask) {
        const struct distinct_access *item = &distinct->items[table[at] - 1];
        if (item->hash == wanted->hash && access_same(item->access, wanted->access))
            break;
    }
    return at;
}

struct distinct distinct_find(const struct effects_loop *loop)
{
    size_t size = 16, count = loop->accesses.count;
    while (size < 2 * count)
        size *= 2;
    struct distinct distinct = {.items = memory_alloc((count + 1) * sizeof *distinct.items)};
    uint32_t *table = memory_zeroed(size, sizeof *table); /* number of the item, plus one */
    for (size_t i = 0; i < count; i++) {
        const struct access *access = &loop->accesses.items[i];
        struct distinct_access item = {access_hash(access), access};
        size_t at = table_find(&distinct, table, size - 1, &item);
        if (table[at])
            continue;
        distinct.items[distinct.count++] = item;
        table[at] = (uint32_t)distinct.count;
    }
    free(table);
    return distinct;
}
