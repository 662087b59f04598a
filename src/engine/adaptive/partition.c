#include "engine/adaptive/partition.h"

void partitions_create(struct partitions *partitions, uint32_t element_count)
{
    *partitions = (struct partitions){.element_count = element_count};
    partitions->scratch = memory_alloc((3 * (size_t)element_count + 1) * sizeof(uint32_t));
}

void partitions_destroy(struct partitions *partitions)
{
    for (size_t i = 0; i < partitions->items.count; i++)
        free(partitions->items.items[i].size);
    VEC_FREE(&partitions->items);
    words_free(&partitions->words);
    pairs_free(&partitions->meets);
    free(partitions->scratch);
}

static struct partition partition_describe(const uint32_t *cell_of, uint32_t element_count, uint32_t cell_count)
{
    struct partition partition = {.cell_of = cell_of, .cell_count = cell_count};
    partition.size = memory_zeroed(3 * (size_t)cell_count + element_count + 1, sizeof(uint32_t));
    partition.first = partition.size + cell_count;
    partition.start = partition.first + cell_count;
    partition.members = partition.start + cell_count;
    for (uint32_t e = element_count; e-- > 0;) {
        partition.size[cell_of[e]]++;
        partition.first[cell_of[e]] = e;
    }
    for (uint32_t c = 1; c < cell_count; c++)
        partition.start[c] = partition.start[c - 1] + partition.size[c - 1];
    for (uint32_t e = 0; e < element_count; e++)
        partition.members[partition.start[cell_of[e]]++] = e;
    for (uint32_t c = 0; c < cell_count; c++)
        partition.start[c] -= partition.size[c];
    return partition;
}

uint32_t partitions_intern(struct partitions *partitions, const uint32_t *labels)
{
    uint32_t n = partitions->element_count, count = 0;
    uint32_t *cells = partitions->scratch, *seen = partitions->scratch + n;
    for (uint32_t e = 0; e < n; e++)
        seen[e] = WORDS_NONE;
    for (uint32_t e = 0; e < n; e++) {
        if (seen[labels[e]] == WORDS_NONE)
            seen[labels[e]] = count++;
        cells[e] = seen[labels[e]];
    }
    uint32_t number = words_intern(&partitions->words, cells, n);
    if (number == partitions->items.count)
        VEC_PUSH(&partitions->items, partition_describe(words_at(&partitions->words, number), n, count));
    return number;
}

uint32_t partitions_meet(struct partitions *partitions, uint32_t left, uint32_t right)
{
    if (left == right)
        return left;
    uint64_t key = left < right ? pairs_key(left, right) : pairs_key(right, left);
    uint32_t known = pairs_get(&partitions->meets, key), n = partitions->element_count;
    if (known != WORDS_NONE)
        return known;
    const uint32_t *a = partitions_at(partitions, left)->cell_of, *b = partitions_at(partitions, right)->cell_of;
    uint32_t *labels = partitions->scratch + 2 * n; /* of an element: the first one in the same cell of both */
    struct pairs firsts = {0};
    for (uint32_t e = 0; e < n; e++) {
        uint64_t both = pairs_key(a[e], b[e]);
        labels[e] = pairs_get(&firsts, both);
        if (labels[e] == WORDS_NONE)
            pairs_set(&firsts, both, labels[e] = e);
    }
    pairs_free(&firsts);
    uint32_t number = partitions_intern(partitions, labels);
    pairs_set(&partitions->meets, key, number);
    return number;
}
