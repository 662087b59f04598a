/* Successors met not long ago: none is said to have been met that was not, the zero state included; and most are known
 * that were. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/explicit/sieve.h"
#include "small_system.h"

enum { BYTES = 512 << 10, VALUES = 1 << 15 };

/* Who asks without meeting is told the same. */
static bool meet(struct recent *recent, const uint64_t *state)
{
    uint64_t hash = recent_find(recent, state);
    bool was_met = recent_has(recent, hash, state);
    assert_int_equal(recent_has(recent, hash, state), was_met);
    assert_int_equal(recent_meet(recent, hash, state), was_met);
    assert_true(recent_has(recent, hash, state));
    return was_met;
}

static void test_first_time(void **unused)
{
    (void)unused;
    for (uint32_t words = 1; words <= 70; words += words < 5 ? 1 : 13) {
        struct recent recent;
        uint64_t state[70] = {0};
        recent_open(&recent, words, BYTES);
        assert_false(meet(&recent, state));
        assert_true(meet(&recent, state));
        for (uint64_t i = 1; i < 200000; i++) {
            state[i % words] = i * 0x9e3779b97f4a7c15u;
            state[0] = i;
            assert_false(meet(&recent, state));
        }
        recent_close(&recent);
    }
}

static void test_second_time(void **unused)
{
    (void)unused;
    struct recent recent;
    uint32_t met = 0;
    recent_open(&recent, 2, BYTES);
    for (uint64_t i = 0; i < 1000; i++)
        meet(&recent, (const uint64_t[]){i, i % 7});
    for (uint64_t i = 0; i < 1000; i++)
        met += meet(&recent, (const uint64_t[]){i, i % 7});
    assert_true(met > 900);
    recent_close(&recent);
}

/* Successors of states of a counter: none is sieved out that was not met, and many are, as long as they pay. */
static void test_sieve(void **unused)
{
    (void)unused;
    struct small small = small_counter(VALUES - 1);
    small_finish(&small, false);
    static bool is_met[VALUES];
    struct sieve sieve;
    uint32_t asked[2] = {0}, met[2] = {0}, changed = 0;
    sieve_open(&sieve, small.layout->words);
    for (uint32_t state = 0; state < VALUES; state++) {
        bool is_late = state >= VALUES / 2; /* nothing recurs */
        int32_t parent = type_code(small.layout->cells[0].type, state), next;
        uint64_t packed;
        layout_pack(small.layout, &parent, &packed);
        if (!sieve_is_asked(&sieve))
            continue;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t to = is_late ? state * 4 % VALUES + i : (state + i * i) % (VALUES / 2);
            next = type_code(small.layout->cells[0].type, to);
            bool is_known = sieve_meet(&sieve, small.layout, &packed,
                                       &(struct step){.cells = &next, .changed = &changed, .changed_count = 1});
            assert_true(!is_known || is_met[to]);
            is_met[to] = true;
            asked[is_late]++;
            met[is_late] += is_known;
        }
    }
    assert_int_equal(asked[0], VALUES / 2 * 4);
    assert_true(met[0] > asked[0] / 2);
    assert_true(asked[1] < asked[0] / 4);
    sieve_close(&sieve);
    small_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_time), cmocka_unit_test(test_second_time),
                                       cmocka_unit_test(test_sieve)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
