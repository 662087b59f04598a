/* And-inverter graphs, numbers over them and their clauses, against truth tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/hash.h"
#include "bits/cnf.h"
#include "bits/number.h"

enum { INPUTS = 8, ROWS = 1 << INPUTS, POOL = 60, WIDTH = 4, LIMIT = 1 << WIDTH };

static void row_inputs(uint32_t row, bool *inputs)
{
    for (uint32_t i = 0; i < INPUTS; i++)
        inputs[i] = row >> i & 1;
}

static bool graph_at(const struct aig *aig, bit f, uint32_t row)
{
    bool inputs[INPUTS];
    struct aig_values values;
    row_inputs(row, inputs);
    aig_evaluate(aig, &f, 1, inputs, &values);
    bool value = aig_value(&values, f);
    aig_values_free(&values);
    return value;
}

/* Random functions with their tables. */
struct pool {
    struct aig aig;
    bit f[POOL];
    bool table[POOL][ROWS];
    uint64_t seed;
};

static uint32_t pool_below(struct pool *pool, uint32_t bound)
{
    return (uint32_t)((hash_mix(++pool->seed) >> 32) % bound);
}

static void pool_combine(struct pool *pool, uint32_t to)
{
    uint32_t a = pool_below(pool, to), b = pool_below(pool, to), c = pool_below(pool, to);
    uint32_t kind = pool_below(pool, 4), negate = pool_below(pool, 2);
    bit f = pool->f[a] ^ negate, g = pool->f[b], h = pool->f[c];
    pool->f[to] = kind == 0   ? aig_and(&pool->aig, f, g)
                  : kind == 1 ? aig_or(&pool->aig, f, g)
                  : kind == 2 ? aig_xor(&pool->aig, f, g)
                              : aig_ite(&pool->aig, f, g, h);
    for (uint32_t r = 0; r < ROWS; r++) {
        bool x = pool->table[a][r] ^ negate, y = pool->table[b][r], z = pool->table[c][r];
        pool->table[to][r] = kind == 0 ? x && y : kind == 1 ? x || y : kind == 2 ? x != y : x ? y : z;
    }
}

static void pool_fill(struct pool *pool, uint64_t seed)
{
    pool->seed = seed << 32;
    aig_create(&pool->aig);
    for (uint32_t i = 0; i < INPUTS; i++) {
        pool->f[i] = aig_input(&pool->aig);
        for (uint32_t r = 0; r < ROWS; r++)
            pool->table[i][r] = r >> i & 1;
    }
    for (uint32_t i = INPUTS; i < POOL; i++)
        pool_combine(pool, i);
}

static void functions_are_their_tables(void **state)
{
    struct pool *pool = calloc(1, sizeof *pool);
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        pool_fill(pool, seed);
        for (uint32_t i = 0; i < POOL; i++)
            for (uint32_t r = 0; r < ROWS; r += 7)
                assert_int_equal(graph_at(&pool->aig, pool->f[i], r), pool->table[i][r]);
        aig_destroy(&pool->aig);
    }
    free(pool);
}

static void inputs_are_replaced(void **state)
{
    struct pool *pool = calloc(1, sizeof *pool);
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        bit images[INPUTS];
        uint32_t chosen[INPUTS];
        pool_fill(pool, seed);
        for (uint32_t i = 0; i < INPUTS; i++) {
            chosen[i] = pool_below(pool, POOL);
            images[i] = pool->f[chosen[i]];
        }
        bit f = aig_compose(&pool->aig, pool->f[POOL - 1], images);
        for (uint32_t r = 0; r < ROWS; r += 3) {
            uint32_t row = 0;
            for (uint32_t i = 0; i < INPUTS; i++)
                row |= (uint32_t)pool->table[chosen[i]][r] << i;
            assert_int_equal(graph_at(&pool->aig, f, r), pool->table[POOL - 1][row]);
        }
        aig_destroy(&pool->aig);
    }
    free(pool);
}

/* Whatever the other inputs are, the marked ones give the root its value. */
static void marked_inputs_decide(void **state)
{
    struct pool *pool = calloc(1, sizeof *pool);
    uint32_t unmarked = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        pool_fill(pool, seed);
        bit root = pool->f[POOL - 1];
        uint32_t row = pool_below(pool, ROWS);
        bool inputs[INPUTS], marked[INPUTS] = {false};
        struct aig_values values;
        row_inputs(row, inputs);
        aig_evaluate(&pool->aig, &root, 1, inputs, &values);
        aig_justify(&pool->aig, &values, &root, 1, marked);
        for (uint32_t r = 0; r < ROWS; r++) {
            bool agrees = true;
            for (uint32_t i = 0; i < INPUTS; i++)
                agrees &= !marked[i] || (r >> i & 1) == inputs[i];
            if (agrees)
                assert_int_equal(pool->table[POOL - 1][r], aig_value(&values, root));
        }
        for (uint32_t i = 0; i < INPUTS; i++)
            unmarked += !marked[i];
        aig_values_free(&values);
        aig_destroy(&pool->aig);
    }
    assert_true(unmarked > 40); /* else there is nothing in it */
    free(pool);
}

/* The solver finds a row in which all of some functions are true exactly if there is one. */
static void clauses_are_the_graph(void **state)
{
    struct pool *pool = calloc(1, sizeof *pool);
    uint32_t found = 0, none = 0;
    (void)state;
    if (!solver_is_available())
        skip();
    for (uint64_t seed = 1; seed <= 60; seed++) {
        pool_fill(pool, seed);
        struct solver *solver = solver_create();
        struct cnf cnf;
        uint32_t wanted[4];
        bool is_possible = false;
        cnf_open(&cnf, &pool->aig, solver);
        for (uint32_t i = 0; i < 4; i++) {
            wanted[i] = pool_below(pool, POOL);
            cnf_require(&cnf, pool->f[wanted[i]]);
        }
        for (uint32_t r = 0; r < ROWS; r++)
            is_possible |= pool->table[wanted[0]][r] && pool->table[wanted[1]][r] && pool->table[wanted[2]][r] &&
                           pool->table[wanted[3]][r];
        assert_int_equal(solver_ask(solver, 0), is_possible ? SOLVER_SATISFIABLE : SOLVER_UNSATISFIABLE);
        found += is_possible;
        none += !is_possible;
        cnf_close(&cnf);
        solver_destroy(solver);
        aig_destroy(&pool->aig);
    }
    assert_true(found > 5 && none > 5);
    free(pool);
}

/* -- Numbers: inputs 0..3 are the first, 4..7 the second -- */

static bit algebra_and(void *data, bit f, bit g)
{
    return aig_and(data, f, g);
}

static bit algebra_xor(void *data, bit f, bit g)
{
    return aig_xor(data, f, g);
}

static bit algebra_ite(void *data, bit f, bit g, bit h)
{
    return aig_ite(data, f, g, h);
}

static uint64_t number_at(const struct aig *aig, const bit *bits, uint32_t row)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < WIDTH; i++)
        number |= (uint64_t)graph_at(aig, bits[i], row) << i;
    return number;
}

static void sums_and_differences(void **state)
{
    struct aig aig;
    struct algebra algebra = {
        .conjunction = algebra_and, .difference = algebra_xor, .choice = algebra_ite, .data = &aig};
    struct calculator calculator;
    bit a[WIDTH], b[WIDTH], sum[WIDTH], difference[WIDTH], product[WIDTH];
    (void)state;
    aig_create(&aig);
    calculator_open(&calculator, &algebra);
    for (uint32_t i = 0; i < WIDTH; i++)
        a[i] = aig_input(&aig);
    for (uint32_t i = 0; i < WIDTH; i++)
        b[i] = aig_input(&aig);
    bit carry = bits_add(&calculator, sum, a, b, WIDTH), borrow = bits_subtract(&calculator, difference, a, b, WIDTH);
    bit less = bits_less(&calculator, a, b, WIDTH), equal = bits_equal(&calculator, a, b, WIDTH);
    bit seven = bits_are(&calculator, a, WIDTH, 7);
    assert_int_equal(bits_are(&calculator, a, WIDTH, LIMIT + 7), BIT_FALSE);
    bits_multiply(&calculator, product, a, WIDTH, 11);
    for (uint32_t row = 0; row < ROWS; row++) {
        uint32_t x = row % LIMIT, y = row / LIMIT;
        assert_int_equal(number_at(&aig, sum, row), (x + y) % LIMIT);
        assert_int_equal(graph_at(&aig, carry, row), x + y >= LIMIT);
        assert_int_equal(number_at(&aig, difference, row), (x - y) % LIMIT);
        assert_int_equal(graph_at(&aig, borrow, row), x < y);
        assert_int_equal(graph_at(&aig, less, row), x < y);
        assert_int_equal(graph_at(&aig, equal, row), x == y);
        assert_int_equal(graph_at(&aig, seven, row), x == 7);
        assert_int_equal(number_at(&aig, product, row), x * 11 % LIMIT);
    }
    bits_add(&calculator, a, a, b, WIDTH); /* the result may take an operand's place */
    for (uint32_t row = 0; row < ROWS; row++)
        assert_int_equal(number_at(&aig, a, row), (row % LIMIT + row / LIMIT) % LIMIT);
    calculator_close(&calculator);
    aig_destroy(&aig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_their_tables), cmocka_unit_test(inputs_are_replaced),
        cmocka_unit_test(marked_inputs_decide),       cmocka_unit_test(clauses_are_the_graph),
        cmocka_unit_test(sums_and_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
