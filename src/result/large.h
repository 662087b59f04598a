/* Counts of sets of states, exact: 64 bits may not hold them. The uint64_t beside each of them (struct statistics) is
 * then UINT64_MAX, "that many or more", which is enough for a test against zero. */
#ifndef NOETHER_RESULT_LARGE_H
#define NOETHER_RESULT_LARGE_H

#include <stddef.h>

#include "base/bigint.h"
#include "base/text.h"

struct large_counts {
    struct bigint *states, *rules_fired;
    struct bigint **fired_by_rule; /* by rule id */
    size_t rule_count;
};

struct large_counts *large_create(size_t rule_count);
void large_destroy(struct large_counts *large);
/* The number, or UINT64_MAX where it does not fit. */
uint64_t large_clip(const struct bigint *number);
/* The sum, or UINT64_MAX. */
uint64_t large_add_clipped(uint64_t a, uint64_t b);

#endif
