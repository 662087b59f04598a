/* Truth tables of ten variables beside diagrams: whatever a diagram says, its table says too. */
#ifndef NOETHER_TESTS_DD_TRUTH_H
#define NOETHER_TESTS_DD_TRUTH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "dd/dd.h"

enum { TRUTH_VARIABLES = 10, TRUTH_ROWS = 1 << TRUTH_VARIABLES, TRUTH_POOL = 24 };

/* Row r gives variable v the value of bit v. */
struct truth {
    bool rows[TRUTH_ROWS];
};

struct random {
    uint64_t state;
};

static inline uint32_t random_below(struct random *random, uint32_t bound)
{
    random->state++;
    return (uint32_t)((hash_mix(random->state) >> 32) % bound);
}

/* Functions with their tables; each function is referenced. */
struct truth_pool {
    struct dd_manager *m;
    dd f[TRUTH_POOL];
    struct truth t[TRUTH_POOL];
};

static inline void truth_values(uint32_t row, bool *values)
{
    for (uint32_t v = 0; v < TRUTH_VARIABLES; v++)
        values[v] = row >> v & 1;
}

static inline void truth_check(struct dd_manager *m, dd f, const struct truth *t)
{
    bool values[TRUTH_VARIABLES];
    assert_int_not_equal(f, DD_NONE);
    for (uint32_t row = 0; row < TRUTH_ROWS; row++) {
        truth_values(row, values);
        if (dd_evaluate(m, f, values) != t->rows[row])
            fail_msg("row %u differs", row);
    }
}

static inline void truth_put(struct truth_pool *pool, uint32_t place, dd f, const struct truth *t)
{
    dd_ref(pool->m, f);
    dd_unref(pool->m, pool->f[place]);
    pool->f[place] = f;
    pool->t[place] = *t;
}

static inline void truth_start(struct truth_pool *pool, struct dd_manager *m)
{
    pool->m = m;
    for (uint32_t i = 0; i < TRUTH_POOL; i++) {
        uint32_t v = i % TRUTH_VARIABLES;
        pool->f[i] = dd_ref(m, dd_literal(m, v, i < TRUTH_VARIABLES));
        for (uint32_t row = 0; row < TRUTH_ROWS; row++)
            pool->t[i].rows[row] = (row >> v & 1) == (i < TRUTH_VARIABLES);
    }
}

static inline void truth_end(struct truth_pool *pool)
{
    for (uint32_t i = 0; i < TRUTH_POOL; i++)
        dd_unref(pool->m, pool->f[i]);
}

static inline dd truth_apply(struct dd_manager *m, uint32_t kind, dd f, dd g, dd h)
{
    switch (kind) {
    case 0:
        return dd_and(m, f, g);
    case 1:
        return dd_or(m, f, g);
    case 2:
        return dd_xor(m, f, g);
    case 3:
        return dd_ite(m, f, g, h);
    case 4:
        return dd_difference(m, f, g);
    default:
        return dd_iff(m, f, g);
    }
}

/* One random operation on two or three members of the pool; the result takes the place of another. False: no memory. */
static inline bool truth_step(struct truth_pool *pool, struct random *random)
{
    uint32_t a = random_below(random, TRUTH_POOL), b = random_below(random, TRUTH_POOL);
    uint32_t c = random_below(random, TRUTH_POOL);
    uint32_t kind = random_below(random, 6), to = random_below(random, TRUTH_POOL);
    struct truth t;
    dd r = truth_apply(pool->m, kind, pool->f[a], pool->f[b], pool->f[c]);
    if (r == DD_NONE)
        return false;
    for (uint32_t row = 0; row < TRUTH_ROWS; row++) {
        bool x = pool->t[a].rows[row], y = pool->t[b].rows[row], z = pool->t[c].rows[row];
        const bool by_kind[6] = {x && y, x || y, x != y, x ? y : z, x && !y, x == y};
        t.rows[row] = by_kind[kind];
    }
    truth_put(pool, to, r, &t);
    /* A pool of constants tests nothing. */
    if (random_below(random, 4) == 0) {
        uint32_t v = random_below(random, TRUTH_VARIABLES), place = random_below(random, TRUTH_POOL);
        dd literal = dd_variable(pool->m, v);
        if (literal == DD_NONE)
            return false;
        for (uint32_t row = 0; row < TRUTH_ROWS; row++)
            t.rows[row] = row >> v & 1;
        truth_put(pool, place, literal, &t);
    }
    return true;
}

#endif
