/* Shares of the time limit: what is easy is decided behind what is hard, and what is hard gets the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/turns.h"
#include "base/watch.h"

enum { ITEMS = 5, HARD = 1 };

struct items {
    int calls[ITEMS], withdrawn[ITEMS];
    size_t last;
    bool is_sloppy; /* the hard item says that it is decided, though it was cut */
};

static bool decide(void *user, size_t item)
{
    struct items *items = user;
    items->calls[item]++;
    items->last = item;
    if (item != HARD)
        return true;
    while (!watch_cuts())
        ;
    return items->is_sloppy;
}

static bool decide_at_once(void *user, size_t item)
{
    struct items *items = user;
    items->calls[item]++;
    assert_true(watch_seconds_left() > 1e9);
    return item != HARD;
}

static void withdraw(void *user, size_t item, const struct stop *stop)
{
    struct items *items = user;
    assert_int_equal(stop->kind, STOP_TIME);
    assert_true(stop->seconds == 0.5); /* as the user gave it */
    items->withdrawn[item]++;
}

static void one_hard_item_does_not_take_all(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        struct items items = {.is_sloppy = round == 1};
        struct turn_order turns = {.count = ITEMS, .decide = decide, .withdraw = withdraw, .user = &items};
        struct watch watch;
        watch_begin(&watch, 0.5, NULL);
        turns_run(&turns);
        assert_true(watch_is_up() && watch_was_cut(&watch)); /* by the last attempt, which had all the rest */
        watch_end(&watch);
        for (size_t i = 0; i < ITEMS; i++)
            assert_int_equal(items.calls[i], i == HARD ? 2 : 1);
        assert_int_equal(items.last, HARD);
        assert_int_equal(items.withdrawn[HARD], 1);
    }
}

static void without_a_limit_nothing_changes(void **state)
{
    (void)state;
    struct items items = {0};
    struct turn_order turns = {.count = ITEMS, .later = 3, .decide = decide_at_once, .user = &items};
    turns_run(&turns);
    for (size_t i = 0; i < ITEMS; i++)
        assert_int_equal(items.calls[i], 1);
}

static void time_is_kept_for_what_comes_later(void **state)
{
    (void)state;
    struct items items = {0};
    struct turn_order turns = {.count = HARD + 1, .later = 2, .decide = decide, .user = &items};
    struct watch watch;
    watch_begin(&watch, 0.5, NULL);
    turns_run(&turns);
    bool is_late = watch_seconds(&watch) >= 0.5; /* on a machine that did nothing for so long */
    assert_true(is_late || watch_seconds_left() > 0);
    assert_int_equal(items.calls[0], 1);
    watch_end(&watch);
}

static void graphs_are_built_outside_a_share(void **state)
{
    (void)state;
    struct watch outer, share;
    watch_begin(&outer, 1000, NULL);
    watch_begin_share(&share, 0.001);
    while (!watch_is_up())
        ;
    struct watch *left = watch_leave_share();
    assert_ptr_equal(left, &share);
    assert_false(watch_is_up());
    watch_adopt(left);
    assert_true(watch_is_up());
    watch_end(&share);
    assert_ptr_equal(watch_leave_share(), &outer);
    assert_ptr_equal(watch_of_thread, &outer);
    watch_end(&outer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_hard_item_does_not_take_all),
        cmocka_unit_test(without_a_limit_nothing_changes),
        cmocka_unit_test(time_is_kept_for_what_comes_later),
        cmocka_unit_test(graphs_are_built_outside_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
