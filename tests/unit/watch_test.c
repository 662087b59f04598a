/* Limits of time: when a watch is over, for whom, and who is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/team.h"
#include "base/watch.h"

static void nap(double seconds)
{
    nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}, NULL);
}

/* A loaded machine may wake us late; it is a hang that must be seen. */
static bool comes_up(void)
{
    for (double begin = clock_wall(); clock_wall() - begin < 20;)
        if (watch_is_up())
            return true;
    return false;
}

static void without_a_watch_nothing_is_over(void **state)
{
    (void)state;
    assert_false(watch_is_up());
    assert_false(watch_is_over(NULL));
    assert_int_equal(watch_stop(NULL).kind, STOP_NONE);
}

static void it_is_over_at_its_time(void **state)
{
    (void)state;
    struct watch watch;
    watch_begin(&watch, 0.05, NULL);
    assert_ptr_equal(watch_of_thread, &watch);
    assert_true(comes_up());
    assert_true(watch_seconds(&watch) >= 0.05);
    assert_int_equal(watch_stop(&watch).kind, STOP_TIME);
    assert_true(watch_stop(&watch).seconds == 0.05);
    watch_end(&watch);
    assert_null(watch_of_thread);
}

static void it_is_over_when_interrupted(void **state)
{
    (void)state;
    volatile int flag = 0;
    struct watch watch;
    watch_begin(&watch, 0, &flag);
    nap(0.05);
    assert_false(watch_is_up());
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED); /* the keeper of the watch reads it */
    assert_true(comes_up());
    assert_int_equal(watch_stop(&watch).kind, STOP_INTERRUPTED);
    watch_end(&watch);
}

static void the_outer_watch_ends_the_inner_one(void **state)
{
    (void)state;
    struct watch outer, inner;
    watch_begin(&outer, 0.05, NULL);
    watch_begin(&inner, 3600, NULL);
    assert_true(comes_up());
    assert_int_equal(watch_stop(&inner).kind, STOP_TIME);
    assert_true(watch_stop(&inner).seconds == 0.05); /* what the user asked for */
    watch_end(&inner);
    assert_ptr_equal(watch_of_thread, &outer);
    assert_true(watch_is_up());
    watch_end(&outer);
}

static void count_late(void *user)
{
    atomic_fetch_add((atomic_int *)user, 1);
}

static void who_is_late_is_told_once(void **state)
{
    (void)state;
    atomic_int late = 0;
    struct watch watch;
    watch_begin_strict(&watch, 0.02, NULL, 0.02, count_late, &late);
    for (double begin = clock_wall(); !atomic_load(&late) && clock_wall() - begin < 20;)
        nap(0.01);
    watch_end(&watch);
    assert_int_equal(atomic_load(&late), 1);
    watch_begin_strict(&watch, 0.01, NULL, 3600, count_late, &late);
    assert_true(comes_up());
    watch_end(&watch); /* in time */
    assert_int_equal(atomic_load(&late), 1);
}

static void note_watch(void *user, uint32_t part)
{
    ((const struct watch **)user)[part] = watch_of_thread;
}

static void a_team_works_under_the_watch_of_its_caller(void **state)
{
    (void)state;
    const struct watch *seen[64] = {0};
    struct watch watch;
    watch_begin(&watch, 3600, NULL);
    team_run(4, 64, note_watch, seen);
    for (int i = 0; i < 64; i++)
        assert_ptr_equal(seen[i], &watch);
    watch_end(&watch);
}

/* A run that was found at the last moment is followed a little longer; one that takes very long is not. */
static void an_epilogue_is_over_later(void **state)
{
    (void)state;
    struct watch watch, epilogue;
    watch_begin(&watch, 0.01, NULL);
    assert_true(comes_up());
    double begin = clock_wall();
    watch_begin_epilogue(&epilogue);
    assert_true(watch_is_epilogue());
    assert_true(!watch_is_up() || clock_wall() - begin > 0.2); /* unless somebody else had the processor */
    assert_true(comes_up());
    assert_true(clock_wall() - begin > 0.2);
    assert_int_equal(watch_stop(&epilogue).kind, STOP_TIME);
    assert_true(watch_cuts() && watch_was_cut(&watch));
    watch_end(&epilogue);
    assert_false(watch_is_epilogue());
    watch_end(&watch);
    watch_begin_epilogue(&epilogue); /* without a limit a run is followed as long as it takes */
    nanosleep(&(struct timespec){0, 500000000}, NULL);
    assert_false(watch_is_up());
    watch_end(&epilogue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_watch_nothing_is_over),
        cmocka_unit_test(it_is_over_at_its_time),
        cmocka_unit_test(an_epilogue_is_over_later),
        cmocka_unit_test(it_is_over_when_interrupted),
        cmocka_unit_test(the_outer_watch_ends_the_inner_one),
        cmocka_unit_test(who_is_late_is_told_once),
        cmocka_unit_test(a_team_works_under_the_watch_of_its_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
