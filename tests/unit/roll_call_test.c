/* Ranks that search, and ranks that do not: none waits for ever. Here a rank is a thread. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "ranks/roll_call.h"

enum { RANKS = 3, MOST = 256 };

static struct {
    pthread_barrier_t barrier;
    char said[RANKS][MOST];
    size_t sizes[RANKS];
} room;
static _Thread_local uint32_t rank_of_thread;

static void *share(const void *mine, size_t size, size_t **places)
{
    assert_true(size <= MOST);
    memcpy(room.said[rank_of_thread], mine, size);
    room.sizes[rank_of_thread] = size;
    pthread_barrier_wait(&room.barrier);
    char *all = memory_alloc((size_t)RANKS * MOST);
    size_t *at = memory_zeroed(RANKS + 1, sizeof *at);
    for (uint32_t i = 0; i < RANKS; i++) {
        memcpy(all + at[i], room.said[i], room.sizes[i]);
        at[i + 1] = at[i] + room.sizes[i];
    }
    pthread_barrier_wait(&room.barrier);
    *places = at;
    return all;
}

static bool is_given_up(void)
{
    return false;
}

static const struct transport transport = {.count = RANKS, .share = share, .is_given_up = is_given_up};

/* What a rank does, and what becomes of it. */
struct part {
    pthread_t thread;
    uint32_t rank;
    uint32_t searches;   /* that it wants, one after the other */
    struct stop refuses; /* before the first */
    struct stop leaves;  /* why it searches no more */
    uint64_t topic;
    uint32_t searched;
    struct stop heard; /* why it did not */
};

static void *take_part(void *user)
{
    struct part *part = user;
    rank_of_thread = part->rank;
    struct stop stop = stop_copy(&part->refuses);
    while (part->searched < part->searches && roll_call_answer(&transport, part->topic, &stop))
        part->searched++;
    part->heard = stop;
    roll_call_leave(&transport, &part->leaves);
    return NULL;
}

static void meet(struct part parts[RANKS])
{
    pthread_barrier_init(&room.barrier, NULL, RANKS);
    for (uint32_t i = 0; i < RANKS; i++) {
        parts[i].rank = i;
        assert_int_equal(pthread_create(&parts[i].thread, NULL, take_part, &parts[i]), 0);
    }
    for (uint32_t i = 0; i < RANKS; i++)
        pthread_join(parts[i].thread, NULL);
    pthread_barrier_destroy(&room.barrier);
}

static void part_free(struct part *part)
{
    stop_free(&part->heard);
    stop_free(&part->refuses);
    stop_free(&part->leaves);
}

static void test_all_search(void **unused)
{
    (void)unused;
    struct part parts[RANKS] = {{.searches = 2}, {.searches = 2}, {.searches = 2}};
    meet(parts);
    for (uint32_t i = 0; i < RANKS; i++) {
        assert_int_equal(parts[i].searched, 2);
        assert_false(stop_is_set(&parts[i].heard));
    }
}

/* The time of one was over before it came to its search: it is over for all. */
static void test_one_is_late(void **unused)
{
    (void)unused;
    struct part parts[RANKS] = {{.searches = 1}, {.searches = 1}, {.leaves = stop_time(0.25)}};
    meet(parts);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(parts[i].searched, 0);
        assert_int_equal(parts[i].heard.kind, STOP_TIME);
        assert_true(parts[i].heard.seconds == 0.25);
    }
}

static void test_one_has_enough(void **unused)
{
    (void)unused;
    struct part parts[RANKS] = {{.searches = 3}, {.searches = 1}, {.searches = 2}};
    meet(parts);
    for (uint32_t i = 0; i < RANKS; i++)
        assert_int_equal(parts[i].searched, 1);
    assert_int_equal(parts[0].heard.kind, STOP_FAILED);
    assert_string_equal(parts[0].heard.detail, "rank 1 does not search");
    for (uint32_t i = 0; i < RANKS; i++)
        part_free(&parts[i]);
}

static void test_one_has_another_model(void **unused)
{
    (void)unused;
    struct part parts[RANKS] = {{.searches = 1, .topic = 5}, {.searches = 1, .topic = 5}, {.searches = 1, .topic = 6}};
    meet(parts);
    for (uint32_t i = 0; i < RANKS; i++) {
        assert_int_equal(parts[i].searched, 0);
        assert_string_equal(parts[i].heard.detail, "rank 2 has another model than rank 0, or other options");
        part_free(&parts[i]);
    }
}

static void test_one_refuses(void **unused)
{
    (void)unused;
    struct part parts[RANKS] = {{.searches = 1},
                                {.searches = 1, .refuses = stop_because(STOP_FAILED, "there is no compiler")},
                                {.searches = 1}};
    meet(parts);
    assert_string_equal(parts[0].heard.detail, "rank 1: there is no compiler");
    assert_string_equal(parts[1].heard.detail, "there is no compiler");
    for (uint32_t i = 0; i < RANKS; i++) {
        assert_int_equal(parts[i].searched, 0);
        part_free(&parts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_search),     cmocka_unit_test(test_one_is_late),
        cmocka_unit_test(test_one_has_enough), cmocka_unit_test(test_one_has_another_model),
        cmocka_unit_test(test_one_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
