/* The visited set: exact, numbered in order, refusing to grow past its budget without losing anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/store.h"

enum { MAX_WORDS = 12 };

/* State number i of a test: distinct for distinct i, whatever the number of words. */
static void make_state(uint64_t i, uint32_t words, uint64_t *state)
{
    for (uint32_t w = 0; w < words; w++)
        state[w] = w == words - 1 ? i : hash_mix(i / 7 + w);
}

static enum store_outcome insert(struct store *store, uint64_t i, uint32_t words, uint32_t parent, uint32_t *number)
{
    uint64_t state[MAX_WORDS];
    make_state(i, words, state);
    uint64_t hash = store_hash(store, state);
    store_prefetch(store, hash);
    return store_insert(store, state, hash, parent, number);
}

static void check_contents(const struct store *store, uint32_t count, uint32_t words)
{
    uint64_t state[MAX_WORDS];
    assert_int_equal(store_count(store), count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = UINT32_MAX;
        make_state(i, words, state);
        assert_memory_equal(store_state(store, i), state, words * sizeof *state);
        assert_int_equal(store_parent(store, i), i ? i / 2 : STORE_NO_PARENT);
        assert_int_equal(store_find(store, state, store_hash(store, state), &number), STORE_FOUND);
        assert_int_equal(number, i);
    }
}

static void fill(struct store *store, uint32_t count, uint32_t words)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = UINT32_MAX;
        assert_int_equal(insert(store, i, words, i ? i / 2 : STORE_NO_PARENT, &number), STORE_NEW);
        assert_int_equal(number, i);
        assert_int_equal(insert(store, i / 3, words, 0, &number), STORE_FOUND);
        assert_int_equal(number, i / 3);
    }
}

static void test_growth(void **unused)
{
    (void)unused;
    const struct {
        uint32_t words, count;
    } cases[] = {{1, 1500000}, {2, 300000}, {3, 100000}, {12, 100000}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct budget budget = {0};
        struct store *store = store_create(cases[c].words, &budget, 0);
        fill(store, cases[c].count, cases[c].words);
        check_contents(store, cases[c].count, cases[c].words);
        assert_true(store_bytes(store) >= (uint64_t)cases[c].count * cases[c].words * 8);
        assert_true(store_bytes(store) <= budget.used);
        store_destroy(store);
        assert_int_equal(budget.used, 0);
    }
}

static void test_one_bit_apart(void **unused)
{
    (void)unused;
    struct budget budget = {0};
    struct store *store = store_create(2, &budget, 0);
    for (uint32_t bit = 0; bit < 128; bit++) {
        uint64_t state[2] = {0};
        uint32_t number;
        state[bit / 64] = (uint64_t)1 << bit % 64;
        assert_int_equal(store_insert(store, state, store_hash(store, state), 0, &number), STORE_NEW);
        /* The hash only says where to look: a state is never taken for another of the same hash. */
        state[0] ^= 3;
        assert_int_equal(store_find(store, state, store_hash(store, (uint64_t[2]){state[0] ^ 3, state[1]}), &number),
                         STORE_FULL);
    }
    store_destroy(store);
}

static void test_memory_limit(void **unused)
{
    (void)unused;
    const uint64_t limits[] = {1000, 100000, 1 << 20, 10 << 20, 100 << 20};
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
        struct budget budget = {.limit = limits[l]};
        struct store *store = store_create(3, &budget, 0);
        uint32_t count = 0, number = 0;
        while (count < 4000000 && insert(store, count, 3, count ? count / 2 : STORE_NO_PARENT, &number) == STORE_NEW) {
            assert_int_equal(number, count);
            count++;
        }
        assert_true(budget.used <= budget.limit);
        assert_false(store_is_at_state_limit(store));
        /* Full is no end: what is there is still found, and a new insertion fails again. */
        assert_int_equal(insert(store, count, 3, 0, &number), STORE_FULL);
        if (count)
            assert_int_equal(insert(store, count / 2, 3, 0, &number), STORE_FOUND);
        if (limits[l] >= 1 << 20)
            assert_true(count > limits[l] / 100);
        check_contents(store, count, 3);
        store_destroy(store);
        assert_int_equal(budget.used, 0);
    }
}

static void test_state_limit(void **unused)
{
    (void)unused;
    struct budget budget = {0};
    struct store *store = store_create(1, &budget, 1000);
    uint32_t number;
    fill(store, 1000, 1);
    assert_true(store_is_at_state_limit(store));
    assert_int_equal(insert(store, 1000, 1, 0, &number), STORE_FULL);
    assert_int_equal(insert(store, 999, 1, 0, &number), STORE_FOUND);
    check_contents(store, 1000, 1);
    store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_one_bit_apart),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_state_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
