/* The exact number of satisfying assignments. Each edge, complemented or not, is counted once: no subtraction is
 * needed. */
#include "base/bigint.h"
#include "base/hash.h"
#include "dd/inner.h"

struct count_entry {
    dd f;
    struct bigint *count; /* NULL: a free entry */
};

struct dd_counting {
    struct dd_manager *m;
    uint32_t *above; /* by level: how many of the counted variables stand above it */
    uint32_t total;
    struct count_entry *entries;
    uint64_t mask, used;
};

static struct count_entry *counting_find(const struct dd_counting *c, dd f)
{
    uint64_t at = hash_mix(f) & c->mask;
    while (c->entries[at].count && c->entries[at].f != f)
        at = (at + 1) & c->mask;
    return &c->entries[at];
}

static void counting_grow(struct dd_counting *c)
{
    struct count_entry *old = c->entries;
    uint64_t size = c->mask + 1;
    c->mask = 2 * size - 1;
    c->entries = memory_zeroed(2 * size, sizeof *c->entries);
    for (uint64_t i = 0; i < size; i++)
        if (old[i].count)
            *counting_find(c, old[i].f) = old[i];
    free(old);
}

static uint32_t rank_of(const struct dd_counting *c, dd f)
{
    uint32_t level = dd_level_at(c->m, f);
    return level == DD_BOTTOM ? c->total : c->above[level];
}

static bool is_counted(const struct dd_counting *c, dd f)
{
    uint32_t level = dd_level_at(c->m, f);
    return c->above[level + 1] > c->above[level];
}

static void multiply_power(struct bigint *number, uint32_t power)
{
    for (; power >= 32; power -= 32)
        bigint_multiply_u64(number, UINT64_C(1) << 32);
    bigint_multiply_u64(number, UINT64_C(1) << power);
}

/* Assignments of the counted variables from f's own on. The number belongs to the table. */
static const struct bigint *count_edge(struct dd_counting *c, dd f)
{
    struct count_entry *entry = counting_find(c, f);
    if (entry->count)
        return entry->count;
    struct bigint *sum = bigint_create(f == DD_TRUE);
    if (f > DD_TRUE) {
        const struct dd_node *node = dd_at(c->m, f);
        ENSURE(node->index && is_counted(c, f));
        struct bigint *part = bigint_create(0);
        for (uint32_t side = 0; side < 2; side++) {
            dd child = (side ? node->high : node->low) ^ (f & 1u);
            bigint_copy(part, count_edge(c, child));
            multiply_power(part, rank_of(c, child) - rank_of(c, f) - 1);
            bigint_add(sum, part);
        }
        bigint_destroy(part);
    }
    if (2 * ++c->used > c->mask)
        counting_grow(c);
    *counting_find(c, f) = (struct count_entry){f, sum};
    return sum;
}

static void counting_set_ranks(struct dd_counting *c, dd cube)
{
    struct dd_manager *m = c->m;
    for (uint32_t level = 0; level < m->variables; level++) {
        c->above[level] = c->total;
        if (dd_level_at(m, cube) == level) {
            c->total++;
            cube = dd_at(m, cube)->high;
        }
    }
    c->above[m->variables] = c->total;
}

struct count_call {
    struct dd_counting *counting;
    dd f;
};

static void count_now(void *data)
{
    struct count_call *call = data;
    count_edge(call->counting, call->f);
}

struct bigint *dd_count(struct dd_manager *m, dd f, dd cube)
{
    ENSURE(f != DD_NONE && cube != DD_NONE);
    struct dd_counting c = {.m = m, .mask = 1023};
    c.above = memory_zeroed(m->variables + 1, sizeof *c.above);
    c.entries = memory_zeroed(c.mask + 1, sizeof *c.entries);
    counting_set_ranks(&c, cube);
    dd_deep_call(m, count_now, &(struct count_call){&c, f});
    struct bigint *count = bigint_create(0);
    bigint_copy(count, count_edge(&c, f));
    multiply_power(count, rank_of(&c, f));
    for (uint64_t i = 0; i <= c.mask; i++)
        if (c.entries[i].count)
            bigint_destroy(c.entries[i].count);
    free(c.entries);
    free(c.above);
    return count;
}

double dd_count_double(struct dd_manager *m, dd f, dd cube)
{
    struct bigint *count = dd_count(m, f, cube);
    double value = bigint_to_double(count);
    bigint_destroy(count);
    return value;
}
