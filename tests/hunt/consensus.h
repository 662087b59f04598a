/* What the runs so far say of properties that plain exploration does not decide: formulas of linear time, formulas
 * under fairness, probabilities and rewards. Runs must agree with each other; exact values must be the same, and the
 * intervals of all runs must meet. */
#ifndef NOETHER_TESTS_CONSENSUS_H
#define NOETHER_TESTS_CONSENSUS_H

#include "draw.h"
#include "../differential/failure.h"
#include "../differential/plain.h"

struct opinion {
    bool is_set, has_value;
    enum verdict verdict;
    double lower, upper; /* the intersection of all intervals */
    char *exact;         /* NULL: not known */
    uint32_t by;         /* number of the run that said so first */
};

struct consensus {
    struct opinion *opinions; /* by property id */
    size_t count;
    uint64_t states; /* of a chain without symmetry; 0: not known */
};

struct consensus consensus_create(const struct system *system);
void consensus_free(struct consensus *consensus);
/* Compares a result with the earlier ones and adds it. False after a difference. */
bool consensus_add(struct consensus *consensus, struct plain *plain, const struct drawn *drawn, uint32_t number,
                   const struct result *result, struct failure *failure);

#endif
