#include "result/chance.h"

#include "base/memory.h"
#include "exec/probe.h"
#include "ir/chain.h"

struct chances {
    struct probe *probe;
};

struct chances *chances_create(const struct layout *layout)
{
    if (!layout->system->chain)
        return NULL;
    struct chances *chances = memory_zeroed(1, sizeof *chances);
    chances->probe = probe_create(layout);
    return chances;
}

void chances_destroy(struct chances *chances)
{
    if (!chances)
        return;
    probe_destroy(chances->probe);
    free(chances);
}

void chances_load(struct chances *chances, const int32_t *cells)
{
    probe_load(chances->probe, cells);
}

static double part_of_weight(struct chances *chances, const struct expr *part)
{
    struct fault fault;
    int64_t value = 0;
    if (!part)
        return 1;
    return probe_value(chances->probe, part, &value, &fault) == PROBE_VALUE ? (double)value : 0;
}

double chances_weight(struct chances *chances, const struct rule *rule)
{
    const struct weight *weight = rule->branch_count ? rule->branches[0].weight : NULL;
    if (!weight)
        return 1;
    double bottom = part_of_weight(chances, weight->bottom);
    double value = bottom == 0 ? 0 : weight->value * part_of_weight(chances, weight->top) / bottom;
    return value > 0 ? value : 0;
}
