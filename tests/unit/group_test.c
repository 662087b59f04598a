/* Groups whose order and structure are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "group/factor.h"
#include "perm_read.h"

enum { MOST_GENERATORS = 8 };

/* Generators in cycle notation, points from 1. */
static struct group *parse_group(uint32_t degree, const char *const *cycles)
{
    uint32_t *generators[MOST_GENERATORS] = {0}, count = 0;
    for (; cycles[count]; count++) {
        generators[count] = memory_alloc(degree * sizeof **generators);
        assert_true(perm_read(degree, cycles[count], generators[count]));
    }
    struct group *group = group_create(degree, (const uint32_t *const *)generators, count);
    for (uint32_t g = 0; g < count; g++)
        free(generators[g]);
    return group;
}

#define GROUP(degree, ...) parse_group((degree), (const char *const[]){__VA_ARGS__, NULL})

static void assert_order(const struct group *group, const char *digits)
{
    struct bigint *order = bigint_create(0);
    group_order(group, order);
    char *found = bigint_digits(order);
    assert_string_equal(found, digits);
    free(found);
    bigint_destroy(order);
}

/* All permutations of `size` points, in `copies` sets side by side, moved together or each alone. */
static struct group *symmetric(uint32_t size, uint32_t copies, bool is_together)
{
    uint32_t n = size * copies, count = 0;
    uint32_t **generators = memory_alloc(2 * (size_t)copies * sizeof *generators);
    for (uint32_t c = 0; c < (is_together ? 1 : copies); c++)
        for (uint32_t kind = 0; kind < 2; kind++) {
            uint32_t *p = generators[count++] = memory_alloc(n * sizeof *p);
            perm_set_identity(n, p);
            for (uint32_t k = c; k < (is_together ? copies : c + 1); k++)
                for (uint32_t i = 0; i < size; i++)
                    p[k * size + i] = k * size + (kind ? (i + 1) % size : i < 2 ? 1 - i : i);
        }
    struct group *group = group_create(n, (const uint32_t *const *)generators, count);
    for (uint32_t g = 0; g < count; g++)
        free(generators[g]);
    free(generators);
    return group;
}

/* Sym(inner) wr Sym(outer) on inner * outer points, `inner` side by side. */
static struct group *wreath(uint32_t inner, uint32_t outer)
{
    uint32_t n = inner * outer, *generators[4];
    for (uint32_t g = 0; g < 4; g++) {
        generators[g] = memory_alloc(n * sizeof **generators);
        perm_set_identity(n, generators[g]);
    }
    for (uint32_t i = 0; i < inner; i++) {
        generators[0][i] = (i + 1) % inner;
        generators[1][i] = i < 2 ? 1 - i : i;
        for (uint32_t b = 0; b < outer; b++) {
            generators[2][b * inner + i] = (b + 1) % outer * inner + i;
            generators[3][b * inner + i] = (b < 2 ? 1 - b : b) * inner + i;
        }
    }
    struct group *group = group_create(n, (const uint32_t *const *)generators, 4);
    for (uint32_t g = 0; g < 4; g++)
        free(generators[g]);
    return group;
}

/* The automorphisms of the hypercube, on its corners: exchange of two coordinates, rotation of all, one flipped. */
static struct group *hypercube(uint32_t dimension)
{
    uint32_t n = 1u << dimension, *generators[3];
    for (uint32_t g = 0; g < 3; g++)
        generators[g] = memory_alloc(n * sizeof **generators);
    for (uint32_t x = 0; x < n; x++) {
        generators[0][x] = x ^ 1;
        generators[1][x] = (x << 1 | x >> (dimension - 1)) & (n - 1);
        generators[2][x] = (x & ~3u) | (x & 1) << 1 | (x >> 1 & 1);
    }
    struct group *group = group_create(n, (const uint32_t *const *)generators, 3);
    for (uint32_t g = 0; g < 3; g++)
        free(generators[g]);
    return group;
}

static void expect_order(struct group *group, const char *digits)
{
    assert_order(group, digits);
    group_destroy(group);
}

static void test_symmetric(void **unused)
{
    (void)unused;
    expect_order(symmetric(2, 1, false), "2");
    expect_order(symmetric(25, 1, false), "15511210043330985984000000");
    expect_order(symmetric(30, 1, false), "265252859812191058636308480000000");
    expect_order(symmetric(12, 3, false), "109903340320478724096000000");
    expect_order(symmetric(12, 3, true), "479001600");
}

#define CYCLE_11 "(1 2 3 4 5 6 7 8 9 10 11)"
#define CYCLE_23 "(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23)"

static void test_sporadic(void **unused)
{
    (void)unused;
    expect_order(GROUP(11, CYCLE_11, "(3 7 11 8)(4 10 5 6)"), "7920");
    expect_order(GROUP(12, CYCLE_11, "(3 7 11 8)(4 10 5 6)", "(1 12)(2 11)(3 6)(4 8)(5 9)(7 10)"), "95040");
    expect_order(GROUP(24, CYCLE_23, "(3 17 10 7 9)(4 13 14 19 5)(8 18 11 12 23)(15 20 22 21 16)",
                       "(1 24)(2 23)(3 12)(4 16)(5 18)(6 10)(7 20)(8 14)(9 21)(11 17)(13 22)(15 19)"),
                 "244823040");
    expect_order(GROUP(25, "(1 2 3)", "(3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25)"),
                 "7755605021665492992000000"); /* the alternating group: all generators are even */
}

/* The quarter turns of the six sides; 48 stickers move. */
static struct group *cube(void)
{
    return GROUP(48, "(1 3 8 6)(2 5 7 4)(9 33 25 17)(10 34 26 18)(11 35 27 19)",
                 "(9 11 16 14)(10 13 15 12)(1 17 41 40)(4 20 44 37)(6 22 46 35)",
                 "(17 19 24 22)(18 21 23 20)(6 25 43 16)(7 28 42 13)(8 30 41 11)",
                 "(25 27 32 30)(26 29 31 28)(3 38 43 19)(5 36 45 21)(8 33 48 24)",
                 "(33 35 40 38)(34 37 39 36)(3 9 46 32)(2 12 47 29)(1 14 48 27)",
                 "(41 43 48 46)(42 45 47 44)(14 22 30 38)(15 23 31 39)(16 24 32 40)");
}

static void test_cubes(void **unused)
{
    (void)unused;
    struct group *whole = cube();
    uint32_t orbit[48], corners[24], count = 0, block[48];
    assert_order(whole, "43252003274489856000");
    assert_int_equal(group_orbits(whole, orbit), 2);
    for (uint32_t i = 0; i < 48; i++)
        if (orbit[i] == orbit[0])
            corners[count++] = i;
    assert_int_equal(count, 24);
    assert_int_equal(group_least_blocks(whole, corners, 24, block), 3); /* the stickers of a corner */
    expect_order(group_restrict(whole, corners, 24), "88179840");       /* the cube of side two, with its orientation */
    /* Corners and edges share their parity: one factor. */
    struct group_factors *factors = group_factorise(whole);
    assert_int_equal(factors->count, 1);
    assert_int_equal(factors->items[0].kind, GROUP_GENERATED);
    group_factors_destroy(factors);
    group_destroy(whole);
}

static void test_products(void **unused)
{
    (void)unused;
    expect_order(hypercube(3), "48");
    expect_order(hypercube(4), "384");
    expect_order(hypercube(7), "645120");
    expect_order(wreath(4, 5), "955514880");
    expect_order(wreath(10, 8), "1212340982395236849781609992843267617587200000000000000000");
}

static void assert_words(struct group *group, const char *expected)
{
    struct group_factors *factors = group_factorise(group);
    struct text words = {0};
    for (uint32_t f = 0; f < factors->count; f++) {
        text_append(&words, f ? "; " : "");
        group_factor_print(&factors->items[f], &words);
    }
    assert_string_equal(text_chars(&words), expected);
    text_free(&words);
    group_factors_destroy(factors);
    group_destroy(group);
}

static void test_recognition(void **unused)
{
    (void)unused;
    assert_words(GROUP(4, "()"), "");
    assert_words(symmetric(5, 1, true), "all 5 interchangeable (120)");
    assert_words(symmetric(5, 2, true), "all 5 interchangeable, 2 sets moved together (120)");
    assert_words(symmetric(3, 2, false), "all 3 interchangeable (6); all 3 interchangeable (6)");
    assert_words(GROUP(7, "(1 3 5 7 2 4 6)"), "rotations of the ring of 7 (7)");
    assert_words(GROUP(6, "(1 2 3 4 5 6)", "(2 6)(3 5)"), "rotations and reflections of the ring of 6 (12)");
    assert_words(GROUP(4, "(1 2 3 4)", "(1 3)"), "rotations and reflections of the ring of 4 (8)");
    assert_words(GROUP(8, "(1 2 3 4)(5 6 7 8)"), "rotations of the ring of 4, 2 sets moved together (4)");
    assert_words(wreath(3, 4),
                 "4 blocks of 3: all blocks interchangeable, and within each block all interchangeable (31104)");
    assert_words(GROUP(4, "(1 2)(3 4)", "(1 3)(2 4)"), "a group of permutations of 4 (4)");
    assert_words(hypercube(4), "a group of permutations of 16 (384)");
    /* The third power of the first is (4 5) alone. */
    assert_words(GROUP(5, "(1 2 3)(4 5)", "(1 2)(4 5)"), "all 3 interchangeable (6); all 2 interchangeable (2)");
    /* The sign of one is seen on the other. */
    assert_words(GROUP(5, "(1 2 3)", "(1 2)(4 5)"), "a group of permutations of 5 (6)");
    /* Any two of three sets are independent, the three are not. */
    assert_words(GROUP(6, "(1 2)(3 4)", "(3 4)(5 6)"), "a group of permutations of 6 (4)");
    /* Siblings and their parents. */
    assert_words(GROUP(9, "(1 2)", "(1 3 5)(2 4 6)(7 8 9)", "(1 3)(2 4)(7 8)"),
                 "3 blocks of 2: all blocks interchangeable, and within each block all interchangeable (48)");
}

/* Sym(6) has a second action on six points, in which a transposition moves all of them: not the same as the first. */
static void test_outer_automorphism(void **unused)
{
    (void)unused;
    static const char *const doubled = "(1 2)(7 8)(9 10)(11 12)";
    uint32_t found = 0;
    for (uint32_t a = 7; a <= 12 && !found; a++)
        for (uint32_t b = 7; b <= 12 && !found; b++)
            for (uint32_t c = 7; c <= 12 && !found; c++)
                for (uint32_t d = 7; d <= 12 && !found; d++)
                    for (uint32_t e = 7; e <= 12 && !found; e++) {
                        char cycles[64];
                        uint32_t p[12];
                        snprintf(cycles, sizeof cycles, "(1 2 3 4 5 6)(%u %u %u)(%u %u)", a, b, c, d, e);
                        if (!perm_read(12, cycles, p))
                            continue;
                        struct group *group = GROUP(12, doubled, cycles);
                        uint64_t order;
                        found = group_order_small(group, &order) && order == 720;
                        struct group_factors *factors = found ? group_factorise(group) : NULL;
                        if (found) {
                            assert_int_equal(factors->count, 1);
                            assert_false(factors->items[0].is_parallel);
                            assert_int_equal(factors->items[0].kind, GROUP_GENERATED);
                        }
                        group_factors_destroy(factors);
                        group_destroy(group);
                    }
    assert_true(found);
}

/* All permutations of many points, rotations of some more, and points that stay: in a moment, though the chain has as
 * many levels. */
static void test_free_points(void **unused)
{
    (void)unused;
    enum { FREE = 200, RING = 20, DEGREE = 230 };
    uint32_t exchange[DEGREE], turn[DEGREE], both[DEGREE];
    const uint32_t *generators[] = {exchange, turn};
    perm_set_identity(DEGREE, exchange);
    perm_set_identity(DEGREE, both);
    exchange[7] = 8;
    exchange[8] = 7;
    for (uint32_t i = 0; i < DEGREE; i++)
        turn[i] = i < FREE ? (i + 1) % FREE : i < FREE + RING ? FREE + (i + 1 - FREE) % RING : i;
    struct group *group = group_create(DEGREE, generators, 2);
    struct bigint *order = bigint_create(0), *expected = bigint_create(RING);
    bigint_multiply_factorial(expected, FREE);
    group_order(group, order);
    assert_int_equal(bigint_compare(order, expected), 0);
    both[0] = FREE - 1;
    both[FREE - 1] = 0;
    assert_true(group_has(group, both)); /* the turn of the ring alone is in it, so are all exchanges alone */
    both[FREE] = FREE + 1;
    both[FREE + 1] = FREE;
    assert_false(group_has(group, both));
    struct group_factors *factors = group_factorise(group);
    assert_int_equal(factors->count, 2);
    assert_int_equal(factors->items[0].kind, GROUP_FULL);
    assert_int_equal(factors->items[1].kind, GROUP_CYCLIC);
    uint32_t fixed[] = {3, FREE + 2};
    struct group *rest = group_fix_points(group, fixed, 2);
    bigint_set(expected, 1);
    bigint_multiply_factorial(expected, FREE - 1);
    group_order(rest, order);
    assert_int_equal(bigint_compare(order, expected), 0);
    group_destroy(rest);
    rest = symmetric(60, 3, true);
    bigint_set(expected, 1);
    bigint_multiply_factorial(expected, 60);
    group_order(rest, order);
    assert_int_equal(bigint_compare(order, expected), 0);
    assert_words(rest, "all 60 interchangeable, 3 sets moved together "
                       "(8320987112741390144276341183223364380754172606361245952449277696409600000000000000)");
    group_factors_destroy(factors);
    bigint_destroy(order);
    bigint_destroy(expected);
    group_destroy(group);
}

static const char *number_name(void *user, uint32_t point)
{
    snprintf(user, 16, "%u", point + 1);
    return user;
}

/* Pairs of points, and all permutations of the pairs: a chain of many levels, in which the order of no orbit is
 * reached.
 */
static void test_work(void **unused)
{
    enum { PAIRS = 40, POINTS = 2 * PAIRS };
    uint32_t swap[POINTS], turn[POINTS], first[POINTS];
    const uint32_t *const generators[] = {swap, turn, first};
    struct watch late = {.state = WATCH_GOES_ON};
    (void)unused;
    perm_set_identity(POINTS, swap);
    perm_set_identity(POINTS, first);
    swap[0] = 1, swap[1] = 0;
    first[0] = 2, first[1] = 3, first[2] = 0, first[3] = 1;
    for (uint32_t i = 0; i < POINTS; i++)
        turn[i] = (i + 2) % POINTS;
    assert_null(group_create_within(POINTS, generators, 3, 1000, &late));
    struct group *whole = group_create_within(POINTS, generators, 3, UINT64_MAX, NULL);
    struct bigint *order = bigint_create(1), *expected = bigint_create(1);
    group_order(whole, order);
    bigint_multiply_factorial(expected, PAIRS);
    for (uint32_t i = 0; i < PAIRS; i++)
        bigint_multiply_u64(expected, 2);
    assert_int_equal(bigint_compare(order, expected), 0);
    bigint_destroy(order);
    bigint_destroy(expected);
    group_destroy(whole);
    /* Sets that move together: the order is known without a proof. */
    struct group *together = symmetric(30, 8, true);
    assert_order(together, "265252859812191058636308480000000");
    group_destroy(together);
}

static void test_cycles(void **unused)
{
    (void)unused;
    uint32_t p[5];
    char name[16];
    struct text text = {0};
    assert_true(perm_read(5, "(1 3)(2 5 4)", p));
    perm_print_names(5, p, number_name, name, &text);
    assert_string_equal(text_chars(&text), "(1 3)(2 5 4)");
    text_clear(&text);
    perm_set_identity(5, p);
    perm_print_names(5, p, number_name, name, &text);
    assert_string_equal(text_chars(&text), "()");
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetric), cmocka_unit_test(test_sporadic),    cmocka_unit_test(test_cubes),
        cmocka_unit_test(test_products),  cmocka_unit_test(test_recognition), cmocka_unit_test(test_outer_automorphism),
        cmocka_unit_test(test_work),      cmocka_unit_test(test_cycles),      cmocka_unit_test(test_free_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
