/* The vectors of a certificate about probabilities (verify/measure.h), as the probabilistic engine tells of them: all
 * states, then a lower and an upper bound and a rank of each for every measure. */
#ifndef NOETHER_DRIVER_CERTIFY_VECTORS_H
#define NOETHER_DRIVER_CERTIFY_VECTORS_H

#include "base/json.h"
#include "base/vec.h"
#include "driver/certify_file.h"
#include "ir/system.h"

struct certified_vectors {
    uint32_t words;         /* of a state */
    VEC(uint64_t) states;   /* their words, in the order of their numbers */
    VEC(uint32_t) measures; /* the numbers of the properties */
    VEC(uint64_t *) values; /* of each measure: three words a state */
};

/* All states are told of before the first measure. */
void certified_vectors_add(struct certified_vectors *vectors, const struct property *property, const double *lower,
                           const double *upper, const uint64_t *rank);
/* "measures", for the head. */
struct json *certified_vectors_list(const struct certified_vectors *vectors);
/* The records, in the order of the states; returns how many. */
uint64_t certified_vectors_write(const struct certified_vectors *vectors, struct certificate_file *file);
void certified_vectors_clear(struct certified_vectors *vectors);

#endif
