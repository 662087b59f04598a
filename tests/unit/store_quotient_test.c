/* The quotient set under the compact visited set: what was put in is in, and nothing else, whatever the width and
 * however often it grows; as a map it gives out numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/hash.h"
#include "helper_team.h"
#include "sanitized.h"
#include "store/mixer.h"
#include "store/quotient.h"

static void test_mixers_are_bijections(void **unused)
{
    (void)unused;
    for (uint32_t bits = 2; bits <= 64; bits++) {
        struct mixer mixer = mixer_make(bits);
        for (uint64_t i = 0; i < 2000; i++) {
            uint64_t x = (i < 1000 ? i : hash_mix(i)) & mixer.mask, y = mixer_apply(&mixer, x);
            assert_true(y <= mixer.mask);
            assert_true(mixer_undo(&mixer, y) == x);
        }
    }
}

static void count_number(void *user, uint64_t number, uint32_t value)
{
    (void)value;
    uint64_t *sums = user;
    sums[0]++;
    sums[1] += number;
}

static void check_quotient(struct quotient *set, const struct mixer *mixer, uint64_t from, uint64_t to)
{
    uint64_t sums[2] = {0}, expected = 0;
    for (uint64_t i = from; i < to; i++) {
        expected += mixer_apply(mixer, i);
        assert_true(quotient_has(set, mixer_apply(mixer, i)));
    }
    for (uint64_t i = to; i < to + 1000 && i <= mixer->mask; i++)
        assert_false(quotient_has(set, mixer_apply(mixer, i)));
    quotient_each(set, false, count_number, sums);
    assert_int_equal(sums[0], to - from);
    assert_true(sums[1] == expected);
}

static void test_quotient_of_every_width(void **unused)
{
    (void)unused;
    for (uint32_t bits = 12; bits <= 64; bits++) {
        struct budget budget = {0};
        struct quotient set;
        struct mixer mixer = mixer_make(bits);
        uint64_t count = bits == 12 ? 4096 : bits % 8 == 0 && bits > 16 ? FEWER(200000) : 8000;
        assert_true(quotient_create(&set, &budget, bits, false, 10));
        for (uint64_t i = 0; i < count; i++) {
            uint64_t number = mixer_apply(&mixer, i);
            enum quotient_outcome outcome;
            while ((outcome = quotient_insert(&set, number)) == QUOTIENT_NO_ROOM || i >= quotient_capacity(&set)) {
                assert_true(quotient_grow(&set, quotient_next_capacity(&set, i % 2), bits % 16 ? NULL : &helpers));
                if (outcome != QUOTIENT_NO_ROOM)
                    break;
            }
            assert_int_equal(outcome, QUOTIENT_NEW);
            assert_int_equal(quotient_insert(&set, number), QUOTIENT_FOUND);
        }
        check_quotient(&set, &mixer, 0, count);
        assert_int_equal(budget.used, quotient_bytes(&set));
        quotient_destroy(&set);
        assert_int_equal(budget.used, 0);
    }
}

/* Numbers that are not scattered at all, the last one included: they overflow, and are kept nevertheless. */
static void test_quotient_of_neighbours(void **unused)
{
    (void)unused;
    for (uint32_t bits = 20; bits <= 64; bits += 44) {
        struct budget budget = {0};
        struct quotient set;
        uint64_t last = UINT64_MAX >> (64 - bits);
        assert_true(quotient_create(&set, &budget, bits, false, 1000));
        for (uint64_t i = 0; i < 5000; i++) {
            quotient_add(&set, last - i, 0);
            assert_int_equal(quotient_insert(&set, last - i), QUOTIENT_FOUND);
        }
        assert_true(quotient_grow(&set, 20000, NULL));
        for (uint64_t i = 0; i < 5000; i++)
            assert_true(quotient_has(&set, last - i));
        assert_false(quotient_has(&set, last - 5000));
        quotient_destroy(&set);
        assert_int_equal(budget.used, 0);
    }
}

/* A map gives out 0, 1, 2, ..., and the same number for the same key, whatever the width and however often it grows. */
static void test_map_of_every_width(void **unused)
{
    (void)unused;
    for (uint32_t bits = 14; bits <= 64; bits += 5) {
        struct budget budget = {0};
        struct quotient map;
        struct quotient_grant grant = {0};
        struct mixer mixer = mixer_make(bits);
        enum { COUNT = 16000 };
        static uint32_t values[COUNT];
        assert_true(quotient_create(&map, &budget, bits, true, 10));
        for (uint32_t i = 0; i < COUNT; i++) {
            uint64_t number = mixer_apply(&mixer, mixer.mask - i);
            uint32_t value;
            while ((value = quotient_intern(&map, &grant, number)) == QUOTIENT_NONE) {
                uint64_t capacity = quotient_capacity(&map), larger = quotient_next_capacity(&map, i % 2);
                assert_true(larger > capacity && quotient_grow(&map, larger, &helpers));
            }
            assert_int_equal(quotient_intern(&map, &grant, number), value);
            assert_true(value >= i && value < quotient_capacity(&map));
            assert_true(value >> map.shape.value_bits == 0);
            values[i] = value;
        }
        for (uint32_t i = 0; i < COUNT; i++)
            assert_int_equal(quotient_intern(&map, &grant, mixer_apply(&mixer, mixer.mask - i)), values[i]);
        quotient_destroy(&map);
        assert_int_equal(budget.used, 0);
    }
}

/* Grants of several threads: no value twice, none beyond the capacity, and the rest of a grant outlives the growth. */
static void test_map_of_several(void **unused)
{
    (void)unused;
    enum { COUNT = 50000, GRANTS = 5 };
    struct budget budget = {0};
    struct quotient map;
    struct quotient_grant grants[GRANTS] = {{0}};
    struct mixer mixer = mixer_make(30);
    uint8_t *is_used = calloc(2 * COUNT, 1);
    assert_true(quotient_create(&map, &budget, 30, true, 10));
    for (uint32_t i = 0; i < COUNT; i++) {
        struct quotient_grant *grant = &grants[hash_mix(i) % GRANTS];
        uint32_t value;
        while ((value = quotient_intern(&map, grant, mixer_apply(&mixer, i))) == QUOTIENT_NONE)
            assert_true(quotient_grow(&map, quotient_next_capacity(&map, true), &helpers));
        assert_true(value < quotient_capacity(&map) && value < quotient_count(&map));
        assert_int_equal(is_used[value]++, 0);
        assert_int_equal(quotient_intern(&map, &grants[i % GRANTS], mixer_apply(&mixer, i)), value);
    }
    assert_true(quotient_count(&map) < COUNT + COUNT / 16);
    free(is_used);
    quotient_destroy(&map);
}

/* More than the overflow table has room for: the set says so, and everything that it took is there. */
static void test_overflow_is_full(void **unused)
{
    (void)unused;
    struct budget budget = {0};
    struct quotient set;
    uint64_t taken = 0;
    assert_true(quotient_create(&set, &budget, 40, false, 200000));
    assert_false(quotient_overflows(&set));
    while (quotient_insert(&set, taken) == QUOTIENT_NEW) /* neighbours: all in one bucket */
        taken++;
    assert_true(quotient_overflows(&set));
    assert_true(taken > set.slot_count / 4 * 3 && taken < set.slot_count + 32);
    for (uint64_t i = 0; i < taken; i++)
        assert_true(quotient_has(&set, i));
    assert_false(quotient_has(&set, taken));
    assert_int_equal(quotient_insert(&set, taken), QUOTIENT_NO_ROOM);
    quotient_add(&set, taken, 0); /* makes room */
    assert_false(quotient_overflows(&set));
    for (uint64_t i = 0; i <= taken; i++)
        assert_true(quotient_has(&set, i));
    quotient_destroy(&set);
    assert_int_equal(budget.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixers_are_bijections),  cmocka_unit_test(test_quotient_of_every_width),
        cmocka_unit_test(test_quotient_of_neighbours), cmocka_unit_test(test_map_of_every_width),
        cmocka_unit_test(test_map_of_several),         cmocka_unit_test(test_overflow_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
