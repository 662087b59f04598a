/* Random groups of few points against the list of all their elements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/memory.h"
#include "group/factor.h"
#include "sanitized.h"

enum { MOST = 7, ROUNDS = 2000 };

/* Every element, found by multiplying with the generators; `is_in` by rank. */
struct closure {
    uint32_t n, count;
    uint32_t (*elements)[MOST];
    bool *is_in;
};

static uint32_t rank_of(uint32_t n, const uint32_t *p)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t less = 0;
        for (uint32_t j = i + 1; j < n; j++)
            less += p[j] < p[i];
        rank = rank * (n - i) + less;
    }
    return rank;
}

static void closure_add(struct closure *c, const uint32_t *p)
{
    uint32_t rank = rank_of(c->n, p);
    if (c->is_in[rank])
        return;
    c->is_in[rank] = true;
    memcpy(c->elements[c->count++], p, c->n * sizeof *p);
}

static struct closure closure_of(uint32_t n, uint32_t (*generators)[MOST], uint32_t count)
{
    struct closure c = {.n = n};
    uint32_t p[MOST];
    c.elements = memory_zeroed(5040, sizeof *c.elements);
    c.is_in = memory_zeroed(5040, sizeof *c.is_in);
    perm_set_identity(n, p);
    closure_add(&c, p);
    for (uint32_t at = 0; at < c.count; at++)
        for (uint32_t g = 0; g < count; g++) {
            perm_multiply(n, c.elements[at], generators[g], p);
            closure_add(&c, p);
        }
    return c;
}

static void closure_free(struct closure *c)
{
    free(c->elements);
    free(c->is_in);
}

static uint64_t order_of(const struct group *group)
{
    uint64_t order;
    assert_true(group_order_small(group, &order));
    return order;
}

static void random_perm(uint32_t n, uint64_t *seed, uint32_t *p)
{
    perm_set_identity(n, p);
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = (uint32_t)(hash_mix((*seed)++) % i), kept = p[i - 1];
        p[i - 1] = p[j];
        p[j] = kept;
    }
}

/* Powers and products with few moved points give small groups, too. */
static void random_generator(uint32_t n, uint64_t *seed, uint32_t *p)
{
    random_perm(n, seed, p);
    for (uint32_t power = (uint32_t)(hash_mix((*seed)++) % 6); power > 1; power--) {
        uint32_t again[MOST];
        memcpy(again, p, n * sizeof *p);
        perm_multiply(n, again, again, p);
    }
}

struct counter {
    const struct closure *closure;
    bool *is_met;
    uint32_t count;
};

static bool count_element(void *user, const uint32_t *element)
{
    struct counter *counter = user;
    uint32_t rank = rank_of(counter->closure->n, element);
    assert_true(counter->closure->is_in[rank]);
    assert_false(counter->is_met[rank]);
    counter->is_met[rank] = true;
    counter->count++;
    return true;
}

static void compare_elements(const struct group *group, const struct closure *c, uint64_t *seed)
{
    struct counter counter = {.closure = c, .is_met = memory_zeroed(5040, sizeof(bool))};
    uint32_t p[MOST];
    assert_int_equal(order_of(group), c->count);
    assert_true(group_each(group, count_element, &counter));
    assert_int_equal(counter.count, c->count);
    free(counter.is_met);
    for (uint32_t i = 0; i < 20; i++) {
        random_perm(c->n, seed, p);
        assert_int_equal(group_has(group, p), c->is_in[rank_of(c->n, p)]);
    }
}

static void compare_orbits(const struct group *group, const struct closure *c)
{
    uint32_t orbit[MOST];
    group_orbits(group, orbit);
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t least = i;
        for (uint32_t e = 0; e < c->count; e++)
            if (c->elements[e][i] < least)
                least = c->elements[e][i];
        assert_int_equal(orbit[i], least);
    }
}

static void compare_stabilisers(const struct group *group, const struct closure *c, uint64_t *seed)
{
    uint32_t points[MOST], size = 1 + (uint32_t)(hash_mix((*seed)++) % c->n), by_point = 0;
    random_perm(c->n, seed, points);
    for (uint32_t e = 0; e < c->count; e++) {
        bool fixes = true;
        for (uint32_t i = 0; i < size; i++)
            fixes &= c->elements[e][points[i]] == points[i];
        by_point += fixes;
    }
    struct group *fixed = group_fix_points(group, points, size);
    assert_int_equal(order_of(fixed), by_point);
    group_destroy(fixed);
}

/* Is the partition respected by every element? */
static bool is_respected(const struct closure *c, const uint32_t *orbit, uint32_t length, const uint32_t *block)
{
    for (uint32_t e = 0; e < c->count; e++)
        for (uint32_t i = 0; i < length; i++)
            for (uint32_t j = 0; j < length; j++)
                if ((block[orbit[i]] == block[orbit[j]]) !=
                    (block[c->elements[e][orbit[i]]] == block[c->elements[e][orbit[j]]]))
                    return false;
    return true;
}

static void compare_blocks(const struct group *group, const struct closure *c)
{
    uint32_t orbit[MOST], mine[MOST], length = 0, block[MOST];
    group_orbits(group, orbit);
    for (uint32_t i = 0; i < c->n; i++)
        if (orbit[i] == orbit[0])
            mine[length++] = i;
    uint32_t size = group_least_blocks(group, mine, length, block);
    if (size)
        assert_true(is_respected(c, mine, length, block));
    /* Every set with the first point that is a block: none is smaller. */
    for (uint32_t set = 1; set < 1u << length; set += 2) {
        uint32_t points = (uint32_t)__builtin_popcount(set);
        bool is_block = points > 1 && points < length;
        for (uint32_t e = 0; e < c->count && is_block; e++) {
            uint32_t image = 0;
            for (uint32_t i = 0; i < length; i++)
                for (uint32_t j = 0; j < length; j++)
                    if (set >> i & 1 && c->elements[e][mine[i]] == mine[j])
                        image |= 1u << j;
            is_block = image == set || !(image & set);
        }
        if (is_block)
            assert_true(size && size <= points);
    }
}

/* May the points be divided so that each part of an element is an element, with these two on different sides? */
static bool is_separable(const struct closure *c, uint32_t a, uint32_t b)
{
    for (uint32_t set = 0; set < 1u << c->n; set++) {
        bool is_product = (set >> a & 1) && !(set >> b & 1);
        for (uint32_t e = 0; e < c->count && is_product; e++) {
            uint32_t part[MOST];
            for (uint32_t i = 0; i < c->n && is_product; i++) {
                part[i] = set >> i & 1 ? c->elements[e][i] : i;
                is_product = (set >> i & 1) == (set >> c->elements[e][i] & 1);
            }
            is_product = is_product && c->is_in[rank_of(c->n, part)];
        }
        if (is_product)
            return true;
    }
    return false;
}

static void compare_factors(const struct group *group, const struct closure *c)
{
    struct group_factors *factors = group_factorise(group);
    uint32_t factor_of[MOST];
    uint64_t product = 1;
    for (uint32_t i = 0; i < c->n; i++)
        factor_of[i] = UINT32_MAX;
    for (uint32_t f = 0; f < factors->count; f++) {
        product *= order_of(factors->items[f].group);
        for (uint32_t g = 0; g < group_generator_count(factors->items[f].group); g++)
            assert_true(group_has(group, group_generator(factors->items[f].group, g)));
        for (uint32_t o = 0; o < factors->items[f].orbit_count; o++)
            for (uint32_t i = 0; i < factors->items[f].lengths[o]; i++)
                factor_of[factors->items[f].orbits[o][i]] = f;
    }
    assert_int_equal(product, c->count);
    for (uint32_t a = 0; a < c->n; a++)
        for (uint32_t b = 0; b < c->n; b++)
            if (a != b && factor_of[a] != UINT32_MAX)
                assert_int_equal(factor_of[a] != factor_of[b], is_separable(c, a, b));
    group_factors_destroy(factors);
}

static void test_random_groups(void **unused)
{
    (void)unused;
    uint64_t seed = 1;
    for (uint32_t round = 0; round < FEWER(ROUNDS); round++) {
        uint32_t n = 1 + round % MOST, count = (uint32_t)(hash_mix(seed++) % 4), generators[4][MOST];
        const uint32_t *pointers[4];
        for (uint32_t g = 0; g < count; g++) {
            random_generator(n, &seed, generators[g]);
            pointers[g] = generators[g];
        }
        struct closure c = closure_of(n, generators, count);
        struct group *group = group_create(n, pointers, count);
        compare_elements(group, &c, &seed);
        compare_orbits(group, &c);
        compare_stabilisers(group, &c, &seed);
        compare_blocks(group, &c);
        compare_factors(group, &c);
        group_destroy(group);
        closure_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
