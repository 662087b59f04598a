/* Successors met not long ago: none is said to have been met that was not, the zero state included; and most are known
 * that were. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/explicit/recent.h"

static bool meet(struct recent *recent, const uint64_t *state)
{
    return recent_meet(recent, recent_find(recent, state), state);
}

static void test_first_time(void **unused)
{
    (void)unused;
    for (uint32_t words = 1; words <= 70; words += words < 5 ? 1 : 13) {
        struct recent recent;
        uint64_t state[70] = {0};
        recent_open(&recent, words);
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
    recent_open(&recent, 2);
    for (uint64_t i = 0; i < 1000; i++)
        meet(&recent, (const uint64_t[]){i, i % 7});
    for (uint64_t i = 0; i < 1000; i++)
        met += meet(&recent, (const uint64_t[]){i, i % 7});
    assert_true(met > 900);
    recent_close(&recent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_time), cmocka_unit_test(test_second_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
