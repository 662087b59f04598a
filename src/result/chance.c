#include "result/chance.h"

#include "base/memory.h"
#include "exec/probe.h"
#include "ir/chain.h"

struct chances {
    struct probe *probe;
    const struct weight **weights; /* room for those of an instance */
};

struct chances *chances_create(const struct layout *layout)
{
    if (!layout->system->chain)
        return NULL;
    struct chances *chances = memory_zeroed(1, sizeof *chances);
    chances->probe = probe_create(layout);
    chances->weights = memory_alloc(chain_most_weights(layout->system) * sizeof *chances->weights);
    return chances;
}

void chances_destroy(struct chances *chances)
{
    if (!chances)
        return;
    probe_destroy(chances->probe);
    free(chances->weights);
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

static double value_of(struct chances *chances, const struct weight *weight)
{
    double bottom = part_of_weight(chances, weight->bottom);
    return bottom == 0 ? 0 : weight->value * part_of_weight(chances, weight->top) / bottom;
}

double chances_weight(struct chances *chances, const struct rule *rule, uint64_t instance)
{
    double value = 1;
    uint32_t count = rule->branches[0].weight ? chain_weights(rule, instance, chances->weights) : 0;
    for (uint32_t i = 0; i < count; i++)
        value *= value_of(chances, chances->weights[i]);
    return value > 0 ? value : 0;
}
