/* The values of constants in an experiment: -D N=1:2:9 is 1, 3, 5, 7 and 9.
 *
 * Each definition has a list of values, one if it is no range; all combinations are enumerated, the last definition
 * changing fastest. Numbers are rational, so that 0:0.1:1 ends with 1. */
#ifndef NOETHER_CLI_RANGES_H
#define NOETHER_CLI_RANGES_H

#include "cli/options.h"

struct range_values {
    VEC(char *) items;
};

struct ranges {
    struct range_values *lists; /* by definition */
    size_t count;
    uint64_t combinations;
};

/* Is some definition a range? */
bool ranges_are_asked(const struct options *options);
/* False: with what is wrong in `message`. Free it in any case. */
bool ranges_read(const struct options *options, struct ranges *ranges, struct text *message);
void ranges_free(struct ranges *ranges);
/* The value of a definition in a combination. */
const char *ranges_value(const struct ranges *ranges, uint64_t combination, size_t definition);

#endif
