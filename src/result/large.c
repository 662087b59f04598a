#include "result/large.h"

#include <stdlib.h>

#include "base/memory.h"

struct large_counts *large_create(size_t rule_count)
{
    struct large_counts *large = memory_zeroed(1, sizeof *large);
    large->states = bigint_create(0);
    large->rules_fired = bigint_create(0);
    large->rule_count = rule_count;
    large->fired_by_rule = memory_zeroed(rule_count + 1, sizeof(struct bigint *));
    for (size_t i = 0; i < rule_count; i++)
        large->fired_by_rule[i] = bigint_create(0);
    return large;
}

void large_destroy(struct large_counts *large)
{
    if (!large)
        return;
    bigint_destroy(large->states);
    bigint_destroy(large->rules_fired);
    for (size_t i = 0; i < large->rule_count; i++)
        bigint_destroy(large->fired_by_rule[i]);
    free(large->fired_by_rule);
    free(large);
}

uint64_t large_clip(const struct bigint *number)
{
    uint64_t value;
    return bigint_fits_u64(number, &value) ? value : UINT64_MAX;
}

uint64_t large_add_clipped(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}
