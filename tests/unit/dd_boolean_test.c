/* Every operation on BDDs against truth tables. */
#include "dd_truth.h"

#include <stdlib.h>
#include <string.h>

#include "base/bigint.h"

static bool tables_equal(const struct truth *a, const struct truth *b)
{
    return !memcmp(a, b, sizeof *a);
}

static struct dd_manager *small_manager(void)
{
    return dd_create(&(struct dd_options){.variables = TRUTH_VARIABLES, .nodes = 1});
}

static void random_formulas(void **state)
{
    (void)state;
    struct dd_manager *m = small_manager();
    struct truth_pool *pool = malloc(sizeof *pool);
    struct random random = {1};
    truth_start(pool, m);
    for (uint32_t i = 0; i < 3000; i++) {
        truth_step(pool, &random);
        uint32_t a = random_below(&random, TRUTH_POOL), b = random_below(&random, TRUTH_POOL);
        truth_check(m, pool->f[a], &pool->t[a]);
        assert_int_equal(pool->f[a] == pool->f[b], tables_equal(&pool->t[a], &pool->t[b]));
    }
    assert_true(dd_statistics(m).collections > 0);
    truth_end(pool);
    free(pool);
    dd_destroy(m);
}

/* The rows of f with variable v at a value, everywhere. */
static void cofactor(const struct truth *t, uint32_t v, bool value, struct truth *out)
{
    for (uint32_t row = 0; row < TRUTH_ROWS; row++)
        out->rows[row] = t->rows[value ? row | 1u << v : row & ~(1u << v)];
}

static void quantify(const struct truth *t, uint32_t set, bool all, struct truth *out)
{
    struct truth low, high;
    *out = *t;
    for (uint32_t v = 0; v < TRUTH_VARIABLES; v++) {
        if (!(set >> v & 1))
            continue;
        cofactor(out, v, false, &low);
        cofactor(out, v, true, &high);
        for (uint32_t row = 0; row < TRUTH_ROWS; row++)
            out->rows[row] = all ? low.rows[row] && high.rows[row] : low.rows[row] || high.rows[row];
    }
}

static dd cube_of(struct dd_manager *m, uint32_t set)
{
    uint32_t variables[TRUTH_VARIABLES], count = 0;
    for (uint32_t v = 0; v < TRUTH_VARIABLES; v++)
        if (set >> v & 1)
            variables[count++] = v;
    return dd_ref(m, dd_cube(m, variables, count));
}

static void check_quantifiers(struct truth_pool *pool, struct random *random)
{
    struct dd_manager *m = pool->m;
    uint32_t a = random_below(random, TRUTH_POOL), b = random_below(random, TRUTH_POOL);
    uint32_t set = random_below(random, TRUTH_ROWS);
    struct truth expected, both;
    dd cube = cube_of(m, set);
    quantify(&pool->t[a], set, false, &expected);
    truth_check(m, dd_exists(m, pool->f[a], cube), &expected);
    quantify(&pool->t[a], set, true, &expected);
    truth_check(m, dd_not(dd_exists(m, dd_not(pool->f[a]), cube)), &expected);
    for (uint32_t row = 0; row < TRUTH_ROWS; row++)
        both.rows[row] = pool->t[a].rows[row] && pool->t[b].rows[row];
    quantify(&both, set, false, &expected);
    truth_check(m, dd_and_exists(m, pool->f[a], pool->f[b], cube), &expected);
    dd_unref(m, cube);
}

static void check_substitution(struct truth_pool *pool, struct random *random)
{
    struct dd_manager *m = pool->m;
    uint32_t a = random_below(random, TRUTH_POOL), images[TRUTH_VARIABLES], places[3], variables[3],
             order[TRUTH_VARIABLES];
    struct truth expected;
    for (uint32_t i = 0; i < TRUTH_VARIABLES; i++)
        order[i] = i;
    for (uint32_t i = TRUTH_VARIABLES; i-- > 1;) {
        uint32_t j = random_below(random, i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    dd functions[3];
    for (uint32_t i = 0; i < 3; i++) {
        places[i] = random_below(random, TRUTH_POOL);
        variables[i] = order[i];
        functions[i] = pool->f[places[i]];
    }
    for (uint32_t row = 0; row < TRUTH_ROWS; row++) {
        uint32_t image = row;
        for (uint32_t i = 0; i < 3; i++)
            image = (image & ~(1u << variables[i])) | (uint32_t)pool->t[places[i]].rows[row] << variables[i];
        expected.rows[row] = pool->t[a].rows[image];
    }
    truth_check(m, dd_compose_all(m, pool->f[a], variables, functions, 3), &expected);
    for (uint32_t i = 0; i < TRUTH_VARIABLES; i++)
        images[i] = order[i];
    for (uint32_t row = 0; row < TRUTH_ROWS; row++) {
        uint32_t image = 0;
        for (uint32_t v = 0; v < TRUTH_VARIABLES; v++)
            image |= (row >> images[v] & 1) << v;
        expected.rows[row] = pool->t[a].rows[image];
    }
    truth_check(m, dd_permute(m, pool->f[a], dd_permutation(m, images)), &expected);
}

static void check_cofactor(struct truth_pool *pool, struct random *random)
{
    struct dd_manager *m = pool->m;
    bool values[TRUTH_VARIABLES];
    uint32_t a = random_below(random, TRUTH_POOL), b = random_below(random, TRUTH_POOL);
    if (pool->f[b] == DD_FALSE)
        return;
    dd r = dd_ref(m, dd_restrict(m, pool->f[a], pool->f[b]));
    assert_int_not_equal(r, DD_NONE);
    for (uint32_t row = 0; row < TRUTH_ROWS; row++) {
        truth_values(row, values);
        if (pool->t[b].rows[row])
            assert_int_equal(dd_evaluate(m, r, values), pool->t[a].rows[row]);
    }
    dd more = dd_ref(m, dd_support(m, r)), support = dd_ref(m, dd_support(m, pool->f[a]));
    assert_int_equal(dd_is_subset(m, support, more), DD_TRUE);
    dd_unref(m, more);
    dd_unref(m, support);
    dd_unref(m, r);
}

/* One path of f to true, as a conjunction of literals. */
static dd path_of(struct dd_manager *m, dd f)
{
    int8_t values[TRUTH_VARIABLES];
    dd path = dd_pick_values(m, f, values) ? DD_TRUE : DD_FALSE;
    dd_register(m, &path, 1);
    for (uint32_t v = TRUTH_VARIABLES; v-- > 0;)
        if (path != DD_FALSE && values[v] >= 0)
            path = dd_and(m, dd_literal(m, v, values[v]), path);
    dd_unregister(m, &path);
    return dd_ref(m, path);
}

/* A subset, small enough or a cube, and empty only where the set is. */
static void check_thin(struct truth_pool *pool, struct random *random)
{
    struct dd_manager *m = pool->m;
    dd f = pool->f[random_below(random, TRUTH_POOL)];
    uint64_t most = 1 + random_below(random, 8);
    dd thin = dd_ref(m, dd_thin(m, f, most));
    dd cube = path_of(m, thin);
    assert_int_equal(dd_is_subset(m, thin, f), DD_TRUE);
    assert_int_equal(thin == DD_FALSE, f == DD_FALSE);
    assert_true(dd_size(m, thin) <= most || cube == thin);
    assert_true(dd_size(m, f) > most || thin == f);
    dd_unref(m, thin);
    dd_unref(m, cube);
}

static void check_looking(struct truth_pool *pool, struct random *random)
{
    struct dd_manager *m = pool->m;
    uint32_t a = random_below(random, TRUTH_POOL), b = random_below(random, TRUTH_POOL), rows = 0, support = 0;
    bool subset = true, disjoint = true;
    const struct truth *t = &pool->t[a], *u = &pool->t[b];
    for (uint32_t row = 0; row < TRUTH_ROWS; row++) {
        rows += t->rows[row];
        subset = subset && (!t->rows[row] || u->rows[row]);
        disjoint = disjoint && !(t->rows[row] && u->rows[row]);
        for (uint32_t v = 0; v < TRUTH_VARIABLES; v++)
            support |= (uint32_t)(t->rows[row] != t->rows[row ^ 1u << v]) << v;
    }
    dd all = cube_of(m, TRUTH_ROWS - 1), expected = cube_of(m, support);
    assert_int_equal(dd_is_subset(m, pool->f[a], pool->f[b]), subset);
    assert_int_equal(dd_is_disjoint(m, pool->f[a], pool->f[b]), disjoint);
    assert_int_equal(dd_support(m, pool->f[a]), expected);
    struct bigint *count = dd_count(m, pool->f[a], all);
    uint64_t value;
    assert_true(bigint_fits_u64(count, &value));
    assert_int_equal(value, rows);
    bigint_destroy(count);
    dd path = path_of(m, pool->f[a]);
    assert_int_equal(path == DD_FALSE, !rows);
    assert_int_equal(dd_is_subset(m, path, pool->f[a]), DD_TRUE);
    int8_t values[TRUTH_VARIABLES];
    assert_int_equal(dd_pick_values(m, pool->f[a], values), rows > 0);
    uint32_t row = 0;
    for (uint32_t v = 0; v < TRUTH_VARIABLES; v++)
        row |= (uint32_t)(values[v] == 1) << v;
    assert_true(!rows || t->rows[row]);
    dd_unref(m, path);
    dd_unref(m, all);
    dd_unref(m, expected);
}

static void all_operations(void **state)
{
    (void)state;
    struct dd_manager *m = small_manager();
    struct truth_pool *pool = malloc(sizeof *pool);
    struct random random = {2};
    truth_start(pool, m);
    for (uint32_t i = 0; i < 400; i++) {
        for (uint32_t j = 0; j < 3; j++)
            truth_step(pool, &random);
        check_quantifiers(pool, &random);
        check_substitution(pool, &random);
        check_cofactor(pool, &random);
        check_thin(pool, &random);
        check_looking(pool, &random);
    }
    truth_end(pool);
    free(pool);
    dd_destroy(m);
}

static void large_counts(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 300});
    uint32_t all[300];
    for (uint32_t i = 0; i < 300; i++)
        all[i] = i;
    dd cube = dd_ref(m, dd_cube(m, all, 300));
    struct bigint *count = dd_count(m, dd_not(dd_literal(m, 7, true)), cube);
    char *digits = bigint_digits(count);
    assert_string_equal(digits, "1018517988167243043134222844204689080525734"
                                "196832968125318070224677190649881668353091698688");
    free(digits);
    bigint_destroy(count);
    dd_destroy(m);
}

static void nothing_from_nothing(void **state)
{
    (void)state;
    struct dd_manager *m = small_manager();
    dd x = dd_variable(m, 0);
    assert_int_equal(dd_not(DD_NONE), DD_NONE);
    assert_int_equal(dd_and(m, x, DD_NONE), DD_NONE);
    assert_int_equal(dd_or(m, DD_NONE, x), DD_NONE);
    assert_int_equal(dd_ite(m, x, x, DD_NONE), DD_NONE);
    assert_int_equal(dd_exists(m, DD_NONE, x), DD_NONE);
    assert_int_equal(dd_compose_all(m, x, (const uint32_t[1]){0}, (const dd[1]){DD_NONE}, 1), DD_NONE);
    assert_int_equal(dd_next(m, x, x, DD_NONE), DD_NONE);
    assert_int_equal(dd_support(m, DD_NONE), DD_NONE);
    dd_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_formulas),
        cmocka_unit_test(all_operations),
        cmocka_unit_test(large_counts),
        cmocka_unit_test(nothing_from_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
