/* Numbered states and blocks of relations against explicit sets; rounding of leaves. */
#include "dd_truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dd/blocks.h"

enum { BITS = 7, STATES = 1 << BITS, NOWHERE = STATES };

static dd state_is(struct dd_manager *m, uint32_t state, uint32_t mask, bool next)
{
    dd f = DD_TRUE;
    for (uint32_t b = BITS; b-- > 0;)
        if (mask >> (BITS - 1 - b) & 1)
            f = dd_and(m, dd_literal(m, 2 * b + next, state >> (BITS - 1 - b) & 1), f);
    return f;
}

struct example {
    bool is_member[STATES];
    uint32_t number[STATES]; /* of the members */
    uint32_t count;
    uint32_t changed, target[STATES]; /* NOWHERE: no successor */
    dd set, relation, cube;
};

/* A partial function that may change some bits, and reads all of them. */
static void example_create(struct example *example, struct dd_manager *m, struct random *random)
{
    uint32_t variables[BITS], count = 0, density = 1 + random_below(random, 4);
    memset(example, 0, sizeof *example);
    example->changed = random_below(random, 3) ? 1u << random_below(random, BITS) | 1u << random_below(random, BITS)
                                               : random_below(random, STATES);
    uint32_t flip = random_below(random, STATES) & example->changed, test = random_below(random, STATES);
    for (uint32_t s = 0; s < STATES; s++) {
        example->is_member[s] = random_below(random, 4) < density;
        example->number[s] = example->count;
        example->count += example->is_member[s];
        bool is_regular = random_below(random, 8) > 0;
        example->target[s] = is_regular && (s & test) ? s ^ flip
                             : random_below(random, 2)
                                 ? NOWHERE
                                 : (s & ~example->changed) | (random_below(random, STATES) & example->changed);
        if (example->is_member[s])
            example->set = dd_or(m, example->set, state_is(m, s, STATES - 1, false));
        if (example->target[s] == NOWHERE)
            continue;
        dd step = dd_and(m, state_is(m, s, STATES - 1, false), state_is(m, example->target[s], example->changed, true));
        example->relation = dd_or(m, example->relation, step);
    }
    for (uint32_t b = 0; b < BITS; b++)
        if (example->changed >> (BITS - 1 - b) & 1)
            variables[count++] = 2 * b;
    example->cube = dd_cube(m, variables, count);
}

struct pairs {
    uint32_t target[STATES]; /* by row: column + 1 */
    uint32_t count;
};

static void gather(void *user, const struct dd_stretch *stretches, size_t count, uint32_t row, uint32_t column)
{
    struct pairs *pairs = user;
    for (size_t s = 0; s < count; s++)
        for (uint32_t i = 0; i < stretches[s].length; i++) {
            uint32_t at = row + stretches[s].row + i;
            assert_true(at < STATES && pairs->target[at] == 0);
            pairs->target[at] = column + stretches[s].column + i + 1;
            pairs->count++;
        }
}

static void check_blocks(const struct example *example, struct dd_index *index)
{
    struct pairs pairs = {0};
    struct dd_blocks *blocks = dd_blocks_create(index, example->relation, example->cube, 0);
    uint32_t expected = 0;
    dd_blocks_visit(blocks, gather, &pairs);
    for (uint32_t s = 0; s < STATES; s++) {
        uint32_t t = example->target[s];
        if (!example->is_member[s] || t == NOWHERE || !example->is_member[t])
            continue;
        expected++;
        assert_int_equal(pairs.target[example->number[s]], example->number[t] + 1);
    }
    assert_int_equal(pairs.count, expected);
    dd_blocks_destroy(blocks);
    if (expected)
        assert_null(dd_blocks_create(index, example->relation, example->cube, 1));
}

static void check_sets(const struct example *example, struct dd_index *index, struct dd_manager *m,
                       struct random *random)
{
    uint8_t members[STATES] = {0};
    struct pairs pairs = {0};
    dd set = DD_FALSE;
    for (uint32_t s = 0; s < STATES; s++) {
        if (!example->is_member[s] || random_below(random, 2))
            continue;
        members[example->number[s]] = 1;
        set = dd_or(m, set, state_is(m, s, STATES - 1, false));
    }
    assert_int_equal(dd_index_set(index, members), set);
    struct dd_blocks *blocks = dd_blocks_create(index, set, DD_TRUE, 0);
    dd_blocks_visit(blocks, gather, &pairs);
    for (uint32_t i = 0; i < example->count; i++)
        assert_int_equal(pairs.target[i], members[i] ? i + 1 : 0);
    dd_blocks_destroy(blocks);
}

static void random_blocks(void **state)
{
    struct random random = {17};
    (void)state;
    for (uint32_t round = 0; round < 200; round++) {
        struct dd_manager *m = dd_create(&(struct dd_options){.variables = 2 * BITS});
        struct example example;
        dd_pause(m);
        example_create(&example, m, &random);
        struct dd_index *index = dd_index_create(m, example.set, BITS);
        assert_int_equal(dd_index_size(index), example.count);
        check_blocks(&example, index);
        check_sets(&example, index, m, &random);
        dd_index_destroy(index);
        dd_destroy(m);
    }
}

/* Whole levels that do not matter, and more states than an index has room for. */
static void free_levels(void **state)
{
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 80});
    (void)state;
    dd set = dd_ref(m, dd_variable(m, 10));
    struct dd_index *index = dd_index_create(m, set, 12);
    assert_int_equal(dd_index_size(index), 2048);
    dd_index_destroy(index);
    assert_null(dd_index_create(m, set, 40));
    assert_null(dd_index_create(m, DD_NONE, 12));
    dd_unref(m, set);
    dd_destroy(m);
}

static void rounding_down(void **state)
{
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 4});
    struct random random = {5};
    (void)state;
    dd_pause(m);
    dd_round_down(m, true);
    for (uint32_t round = 0; round < 2000; round++) {
        double a = (double)random_below(&random, 1000000) / 999983, b = (double)random_below(&random, 1000000) / 7919;
        a = random_below(&random, 2) ? -a : a;
        dd f = dd_leaf(m, a), g = dd_leaf(m, b);
        double sum = dd_leaf_value(m, dd_apply(m, DD_PLUS, f, g)),
               product = dd_leaf_value(m, dd_apply(m, DD_TIMES, f, g));
        long double exact_sum = (long double)a + (long double)b;
        assert_true((long double)sum <= exact_sum && (long double)nextafter(sum, INFINITY) >= exact_sum);
        assert_true(fma(a, b, -product) >= 0 && (product == a * b || product == nextafter(a * b, -INFINITY)));
        if (b != 0) {
            double quotient = dd_leaf_value(m, dd_apply(m, DD_DIVIDE, f, g));
            assert_true(fma(-quotient, b, a) >= 0);
        }
        double few = dd_leaf_value(m, dd_truncate(m, f, 10));
        assert_true(few <= a && a - few <= fabs(a) / 512 && (few == 0 || ldexp(few, 30) == rint(ldexp(few, 30))));
    }
    dd_round_down(m, false);
    assert_true(dd_leaf_value(m, dd_apply(m, DD_PLUS, dd_leaf(m, 0.1), dd_leaf(m, 0.2))) == 0.1 + 0.2);
    dd_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_blocks),
        cmocka_unit_test(free_levels),
        cmocka_unit_test(rounding_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
