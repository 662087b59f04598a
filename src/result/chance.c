#include "result/chance.h"

#include "base/memory.h"
#include "base/text.h"
#include "exec/probe.h"
#include "ir/chain.h"

struct chances {
    const struct system *system;
    struct probe *probe;
    const struct weight **weights; /* room for those of an instance */
};

struct chances *chances_create(const struct layout *layout)
{
    if (!system_has_probabilities(layout->system))
        return NULL;
    struct chances *chances = memory_zeroed(1, sizeof *chances);
    chances->system = layout->system;
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

void chances_watch(struct chances *chances)
{
    if (chances)
        probe_watch(chances->probe);
}

void chances_load(struct chances *chances, const int32_t *cells)
{
    probe_load(chances->probe, cells);
}

static bool part_of_weight(struct chances *chances, const struct expr *part, int64_t *value, struct fault *fault)
{
    *value = 1;
    return !part || probe_value(chances->probe, part, value, fault) == PROBE_VALUE;
}

bool chances_parts(struct chances *chances, const struct weight *weight, int64_t *top, int64_t *bottom,
                   struct fault *fault)
{
    if (!part_of_weight(chances, weight->top, top, fault) || !part_of_weight(chances, weight->bottom, bottom, fault))
        return false;
    if (*bottom)
        return true;
    *fault = (struct fault){.kind = FAULT_DIVISION,
                            .span = weight->bottom->span,
                            .property = chances->system->properties.items[SYSTEM_RUNTIME]};
    return false;
}

bool chances_number(struct chances *chances, const struct weight *weight, double *number, struct fault *fault)
{
    int64_t top, bottom;
    if (!chances_parts(chances, weight, &top, &bottom, fault))
        return false;
    *number = weight->bottom ? weight->value * (double)top / (double)bottom : weight->value * (double)top;
    return true;
}

bool chances_outcome(struct chances *chances, const struct rule *rule, uint64_t instance, double *number,
                     struct fault *fault)
{
    double part;
    uint32_t count = rule->weight ? chain_weights(rule, instance, chances->weights) : 0;
    *number = 1;
    for (uint32_t i = 0; i < count; i++) {
        if (!chances_number(chances, chances->weights[i], &part, fault))
            return false;
        *number *= part;
    }
    return true;
}

double chances_weight(struct chances *chances, const struct rule *rule, uint64_t instance)
{
    struct fault fault;
    double value;
    if (!chances_outcome(chances, rule, instance, &value, &fault))
        return 0;
    return value > 0 ? value : 0;
}

static bool multiply_weight(struct chances *chances, const struct weight *weight, struct rational *product)
{
    int64_t top, bottom;
    struct fault fault;
    if (!chances_parts(chances, weight, &top, &bottom, &fault))
        return false;
    struct rational *part = rational_create(top, 1);
    rational_multiply(product, weight->factor);
    rational_multiply(product, part);
    rational_set(part, bottom);
    rational_divide(product, part);
    rational_destroy(part);
    return true;
}

char *chances_weight_digits(struct chances *chances, const struct rule *rule, uint64_t instance)
{
    uint32_t count = rule->weight ? chain_weights(rule, instance, chances->weights) : 0;
    bool is_known = true, is_rounded = false;
    struct rational *product = rational_create(1, 1);
    for (uint32_t i = 0; i < count && is_known; i++) {
        is_rounded |= chances->weights[i]->is_rounded;
        is_known = multiply_weight(chances, chances->weights[i], product);
    }
    struct text digits = {0};
    char *exact = is_known && !is_rounded ? rational_digits(product) : NULL;
    if (is_known && is_rounded)
        text_format(&digits, "%.17g", rational_to_double(product));
    rational_destroy(product);
    return exact ? exact : digits.chars;
}

bool chances_hold(struct chances *chances, const struct expr *formula)
{
    struct fault fault;
    int64_t value;
    return probe_value(chances->probe, formula, &value, &fault) == PROBE_VALUE && value;
}
