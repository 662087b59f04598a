/* Cells of a state that count interchangeable elements. A state of a counter abstraction represents as many states as
 * there are distributions of the elements: the product over the families of n! / (c1! c2! ...). */
#ifndef NOETHER_RESULT_COUNTING_H
#define NOETHER_RESULT_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bigint.h"

enum { COUNTING_NONE = UINT32_MAX };

struct counting {
    const uint32_t *family_of; /* by cell: COUNTING_NONE: it counts nothing */
    uint32_t cell_count;
    const uint32_t *sizes, *counters; /* by family: what its counters add up to, and how many there are */
    uint32_t family_count;
    bool is_exact; /* the initial states are symmetric, so all that is stood for can be reached */
};

struct counter_weights; /* n! / v!, by family and value */
struct counter_weights *counting_weights(const struct counting *counting);
void counting_free(const struct counting *counting, struct counter_weights *weights);
/* n! / v! for a cell; NULL: the cell is no counter. */
const struct bigint *counting_weight(const struct counting *counting, const struct counter_weights *weights,
                                     uint32_t cell, uint32_t value);
/* A sum of products of such weights, one for each counter -> the number of states. */
void counting_settle(const struct counting *counting, const struct counter_weights *weights, struct bigint *sum);

#endif
