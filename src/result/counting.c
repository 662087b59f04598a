#include "result/counting.h"

#include <stdlib.h>

#include "base/memory.h"

struct counter_weights {
    struct bigint **by_value; /* family after family, size + 1 each */
    uint32_t *first;
};

struct counter_weights *counting_weights(const struct counting *counting)
{
    struct counter_weights *weights = memory_zeroed(1, sizeof *weights);
    uint32_t all = 0;
    weights->first = memory_zeroed(counting->family_count + 1, sizeof *weights->first);
    for (uint32_t f = 0; f < counting->family_count; f++) {
        weights->first[f] = all;
        all += counting->sizes[f] + 1;
    }
    weights->by_value = memory_zeroed(all + 1, sizeof *weights->by_value);
    for (uint32_t f = 0; f < counting->family_count; f++) {
        uint32_t size = counting->sizes[f];
        for (uint32_t v = size + 1; v-- > 0;) {
            struct bigint *number = bigint_create(1);
            if (v < size) {
                bigint_copy(number, weights->by_value[weights->first[f] + v + 1]);
                bigint_multiply_u64(number, v + 1);
            }
            weights->by_value[weights->first[f] + v] = number;
        }
    }
    return weights;
}

void counting_free(const struct counting *counting, struct counter_weights *weights)
{
    for (uint32_t f = 0; f < counting->family_count; f++)
        for (uint32_t v = 0; v <= counting->sizes[f]; v++)
            bigint_destroy(weights->by_value[weights->first[f] + v]);
    free(weights->by_value);
    free(weights->first);
    free(weights);
}

const struct bigint *counting_weight(const struct counting *counting, const struct counter_weights *weights,
                                     uint32_t cell, uint32_t value)
{
    uint32_t family = counting->family_of[cell];
    return family == COUNTING_NONE ? NULL : weights->by_value[weights->first[family] + value];
}

void counting_settle(const struct counting *counting, const struct counter_weights *weights, struct bigint *sum)
{
    for (uint32_t f = 0; f < counting->family_count; f++)
        for (uint32_t i = 1; i < counting->counters[f]; i++)
            bigint_divide_exact(sum, weights->by_value[weights->first[f]]);
}
