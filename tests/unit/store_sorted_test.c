/* Sorted runs and the external sorter, compared with arrays. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "store/sorted_run.h"
#include "store/sorter.h"

enum { WORDS = 2, MORE = 1, RECORD = WORDS + MORE };

/* Different for different i, in no order; neighbours share their first word. */
static void make_state(uint64_t i, uint64_t *state)
{
    state[0] = hash_mix(i / 4) >> 20;
    state[1] = hash_mix(i);
}

static int compare(const void *a, const void *b)
{
    return state_compare(a, b, WORDS);
}

static uint64_t *make_sorted(uint64_t count)
{
    uint64_t *states = malloc((count + 1) * WORDS * sizeof *states);
    for (uint64_t i = 0; i < count; i++)
        make_state(i, states + i * WORDS);
    qsort(states, count, WORDS * sizeof *states, compare);
    return states;
}

static struct state_run *make_run(struct budget *budget, struct spill_place *place, const uint64_t *states,
                                  uint64_t first, uint64_t count, uint64_t step)
{
    struct state_run *run = sorted_run_create(WORDS, budget, place);
    for (uint64_t i = first; i < count; i += step)
        assert_true(sorted_run_add(run, states + i * WORDS));
    assert_true(sorted_run_finish(run));
    return run;
}

static void test_sorter(void **user)
{
    (void)user;
    static const uint64_t counts[] = {0, 1, 2, 255, 256, 257, 5000, 60000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        uint64_t count = counts[c], *sorted = make_sorted(count), found = 0;
        struct spill_place place = {0};
        spill_place_open(&place, "/tmp", 0);
        struct record_sorter *sorter = sorter_create(WORDS, MORE, 16 << 10, &place);
        for (uint64_t i = 0; i < count; i++) {
            uint64_t record[RECORD];
            make_state(i, record);
            record[WORDS] = ~record[1];
            assert_true(sorter_add(sorter, record, 1));
        }
        assert_int_equal(sorter_count(sorter), count);
        assert_true(sorter_begin(sorter));
        for (const uint64_t *record; (record = sorter_next(sorter)); found++) {
            assert_memory_equal(record, sorted + found * WORDS, WORDS * sizeof *record);
            assert_true(record[WORDS] == ~record[1]);
        }
        assert_int_equal(found, count);
        assert_false(sorter_has_failed(sorter));
        assert_int_equal(sorter_count(sorter), 0); /* and can be used again */
        assert_int_equal(atomic_load(&place.used), 0);
        sorter_destroy(sorter);
        spill_place_close(&place);
        free(sorted);
    }
}

/* Every third state is in the run. All are asked for, or every 1,000th; what is in there is found, and nothing else. */
static void test_run(void **user)
{
    (void)user;
    const uint64_t count = 30000;
    uint64_t *states = make_sorted(count);
    struct budget budget = {.limit = 1 << 20};
    struct state_run *run = make_run(&budget, NULL, states, 1, count, 3);
    assert_int_equal(sorted_run_states(run), count / 3);
    for (uint64_t step = 1; step <= 1000; step *= 10) {
        struct run_cursor *cursor = run_cursor_create(run);
        for (uint64_t i = 0; i < count; i += step)
            assert_int_equal(run_cursor_has(cursor, states + i * WORDS), i % 3 == 1);
        assert_false(run_cursor_has_failed(cursor));
        run_cursor_destroy(cursor);
    }
    sorted_run_destroy(run);
    assert_int_equal(budget_used(&budget), 0);
    free(states);
}

static void test_merge(void **user)
{
    (void)user;
    const uint64_t count = 10000;
    uint64_t *states = make_sorted(count), found = 0;
    struct budget budget = {0};
    struct state_run *even = make_run(&budget, NULL, states, 0, count, 2);
    struct state_run *odd = make_run(&budget, NULL, states, 1, count, 2);
    struct state_run *all = sorted_run_merge(even, odd, NULL);
    assert_non_null(all);
    struct run_cursor *cursor = run_cursor_create(all);
    for (const uint64_t *state; (state = run_cursor_next(cursor)); found++)
        assert_memory_equal(state, states + found * WORDS, WORDS * sizeof *state);
    assert_int_equal(found, count);
    run_cursor_destroy(cursor);
    sorted_run_destroy(all);
    sorted_run_destroy(odd);
    sorted_run_destroy(even);
    assert_int_equal(budget_used(&budget), 0);
    free(states);
}

/* Whatever the limit is: each call says whether it could write, and nothing is left. */
static void test_full(void **user)
{
    (void)user;
    const uint64_t count = 3000;
    uint64_t *states = make_sorted(count);
    bool has_failed = false, has_passed = false;
    for (uint64_t limit = 1; limit < 200000; limit = limit * 3 / 2 + 1) {
        struct budget budget = {.limit = 64 << 10};
        struct spill_place place = {0};
        spill_place_open(&place, "/tmp", limit);
        struct record_sorter *sorter = sorter_create(WORDS, 0, 1, &place);
        bool is_good = sorter_add(sorter, states, (uint32_t)count) && sorter_begin(sorter);
        struct state_run *run = sorted_run_create(WORDS, &budget, &place);
        uint64_t found = 0;
        for (const uint64_t *state; is_good && (state = sorter_next(sorter)); found++)
            is_good = sorted_run_add(run, state);
        is_good = is_good && sorted_run_finish(run);
        assert_true(!is_good || found == count);
        assert_true(is_good || atomic_load(&place.is_full));
        assert_true(atomic_load(&place.used) <= limit);
        has_failed |= !is_good;
        has_passed |= is_good;
        sorter_destroy(sorter);
        sorted_run_destroy(run);
        assert_int_equal(atomic_load(&place.used), 0);
        spill_place_close(&place);
    }
    assert_true(has_failed && has_passed);
    free(states);
}

static void test_no_folder(void **user)
{
    (void)user;
    struct spill_place place = {0};
    uint64_t state[WORDS] = {1, 2};
    struct budget budget = {0};
    spill_place_open(&place, "/tmp/there/is/no/such/folder", 0);
    struct state_run *run = sorted_run_create(WORDS, &budget, &place);
    assert_true(sorted_run_add(run, state));
    assert_false(sorted_run_finish(run));
    sorted_run_destroy(run);
    spill_place_close(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorter), cmocka_unit_test(test_run),       cmocka_unit_test(test_merge),
        cmocka_unit_test(test_full),   cmocka_unit_test(test_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
