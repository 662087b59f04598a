/* Facts about unknown integers: sums of them, with coefficients, that are at most zero or not zero. Whether there are
 * values that satisfy all facts is decided by adding facts up (a cycle x < y < z < x), by narrowing the bounds of the
 * unknowns, and then by splitting them, within a budget. The answers "possible" (with values) and "impossible" are
 * certain. */
#ifndef NOETHER_SYMMETRY_FACTS_H
#define NOETHER_SYMMETRY_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum { LINEAR_MOST = 6, LINEAR_MOST_FACTOR = 1 << 20 };

struct linear_term {
    uint32_t unknown;
    int32_t factor; /* never 0 */
};

/* A constant, and unknowns with coefficients, in order of unknown. Unknowns fit in 32 bits, so no sum of that size
 * overflows. */
struct linear_sum {
    int64_t constant;
    uint32_t count;
    struct linear_term terms[LINEAR_MOST];
};

static inline struct linear_sum linear_constant(int64_t value)
{
    return (struct linear_sum){.constant = value};
}
struct linear_sum linear_unknown(uint32_t unknown);
struct linear_sum linear_negate(struct linear_sum sum);
/* sum += times * other; false: that has too many terms or too large factors, and `sum` is as it was. */
bool linear_add(struct linear_sum *sum, const struct linear_sum *other, int64_t times);

enum fact_kind { FACT_AT_MOST, /* sum <= 0 */ FACT_NOT /* sum != 0 */ };

struct linear_fact {
    enum fact_kind kind;
    struct linear_sum sum;
};

struct unknown_bounds {
    int64_t lo, hi;
};

struct facts {
    VEC(struct unknown_bounds) unknowns; /* as they are without the facts */
    VEC(struct linear_fact) list;
    uint64_t work; /* done so far: facts looked at */
};

uint32_t facts_add_unknown(struct facts *facts, int64_t lo, int64_t hi);
/* False: the facts contradict each other now. True proves nothing. It is added in both cases. */
bool facts_add(struct facts *facts, enum fact_kind kind, struct linear_sum sum);
/* The same for sum = 0. */
bool facts_add_equal(struct facts *facts, struct linear_sum sum);
void facts_clear(struct facts *facts); /* unknowns, too */
void facts_free(struct facts *facts);

enum facts_answer { FACTS_POSSIBLE, FACTS_IMPOSSIBLE, FACTS_UNDECIDED };
/* `values` has room for all unknowns; set when possible. `work` is lowered; at 0 the question stays undecided. */
enum facts_answer facts_solve(const struct facts *facts, int64_t *values, uint64_t *work);
/* What the bounds alone say of the sum. */
void facts_range(const struct facts *facts, const struct linear_sum *sum, int64_t *lo, int64_t *hi);

#endif
