/* Inside report/: the names of faults in JSON, one table for writing and reading. */
#ifndef NOETHER_REPORT_FAULT_NAME_H
#define NOETHER_REPORT_FAULT_NAME_H

#include <string.h>

#include "result/verdict.h"

static inline const char *fault_kind_name(enum fault_kind kind)
{
    static const char *const names[] = {
        [FAULT_NONE] = "none",           [FAULT_ASSERTION] = "assertion",   [FAULT_ERROR] = "error",
        [FAULT_UNDEFINED] = "undefined", [FAULT_RANGE] = "range",           [FAULT_INDEX] = "index",
        [FAULT_DIVISION] = "division",   [FAULT_OVERFLOW] = "overflow",     [FAULT_MULTISET_FULL] = "multiset_full",
        [FAULT_SLOT_FREE] = "slot_free", [FAULT_LOOP_LIMIT] = "loop_limit", [FAULT_NO_RETURN] = "no_return",
        [FAULT_SUM] = "probabilities",   [FAULT_NEGATIVE] = "negative",     [FAULT_REWARD] = "reward",
    };
    return names[kind];
}

/* FAULT_NONE when there is none of that name. */
static inline enum fault_kind fault_kind_named(const char *name)
{
    for (int kind = FAULT_REWARD; kind > FAULT_NONE; kind--)
        if (!strcmp(fault_kind_name((enum fault_kind)kind), name))
            return (enum fault_kind)kind;
    return FAULT_NONE;
}

#endif
