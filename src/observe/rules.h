/* The partition of the processes that each rule of a model leaves (portrait/rule_partition.h). */
#ifndef NOETHER_OBSERVE_RULES_H
#define NOETHER_OBSERVE_RULES_H

#include "portrait/rule_partition.h"

/* Effort: of `noether symmetry` about a second at most, of choosing an engine a tenth. */
enum { RULES_WORK_TO_SHOW = 60000000, RULES_WORK_TO_CHOOSE = 1000000, RULES_WORK_WHEN_LATE = 100000 };

/* Destroy with rule_partitions_destroy, before the layout. */
struct rule_partitions *rules_find(const struct layout *layout, const struct symmetry *symmetry, uint64_t work,
                                   bool blames);

#endif
