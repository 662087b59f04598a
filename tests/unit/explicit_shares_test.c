/* Who expands which states: every state once, whatever is taken in which order, and a stretch for each worker before
 * anybody takes from another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "engine/explicit/search.h"

enum { MOST_WORKERS = 7, BLOCKS = 40 };

/* Blocks are told apart by their addresses; nothing is in them. */
static char blocks[BLOCKS];

struct fixture {
    struct explicit_search search;
    struct worker *workers;
    uint32_t sizes[BLOCKS];
    uint64_t all;
    uint8_t *seen; /* by the number of the state in the level */
};

static void fixture_open(struct fixture *fixture, uint32_t workers, uint32_t seed)
{
    memset(fixture, 0, sizeof *fixture);
    fixture->workers = calloc(workers, sizeof *fixture->workers);
    fixture->search.workers = fixture->workers;
    fixture->search.worker_count = workers;
    pthread_mutex_init(&fixture->search.lock, NULL);
    for (uint32_t i = 0; i < workers; i++)
        fixture->workers[i].search = &fixture->search;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        fixture->sizes[i] = (seed * 7919 + i * i * 104729) % (i % 5 ? 9000 : 3) + (i % 3 ? 0 : 1);
        struct block_range range = {(struct store_block *)&blocks[i], 5, 5 + fixture->sizes[i]};
        if (fixture->sizes[i])
            VEC_PUSH(&fixture->search.level, range);
        fixture->all += fixture->sizes[i];
    }
    fixture->seen = calloc(fixture->all + 1, 1);
}

static void fixture_close(struct fixture *fixture)
{
    for (uint32_t i = 0; i < fixture->search.worker_count; i++)
        VEC_FREE(&fixture->workers[i].share.ranges);
    VEC_FREE(&fixture->search.level);
    pthread_mutex_destroy(&fixture->search.lock);
    free(fixture->workers);
    free(fixture->seen);
}

/* The number of the range's first state. Each of its states is seen for the first time. */
static uint64_t see(struct fixture *fixture, const struct block_range *range)
{
    uint64_t first = range->from - 5;
    uint32_t block = (uint32_t)((char *)range->block - blocks);
    for (uint32_t i = 0; i < block; i++)
        first += fixture->sizes[i];
    assert_true(range->from >= 5 && range->from < range->to && range->to <= 5 + fixture->sizes[block]);
    for (uint64_t i = first; i < first + range->to - range->from; i++)
        assert_int_equal(fixture->seen[i]++, 0);
    return first;
}

static void all_are_seen(const struct fixture *fixture)
{
    for (uint64_t i = 0; i < fixture->all; i++)
        assert_int_equal(fixture->seen[i], 1);
}

static void test_every_state_once(void **unused)
{
    (void)unused;
    for (uint32_t workers = 1; workers <= MOST_WORKERS; workers++)
        for (uint32_t seed = 0; seed < 20; seed++) {
            struct fixture fixture;
            struct block_range range;
            uint64_t rest;
            uint32_t turn = seed;
            fixture_open(&fixture, workers, seed);
            shares_deal(&fixture.search, workers);
            /* Some are slower than others, and the first one of all is asked last. */
            for (uint32_t idle = 0; idle < workers;) {
                turn = turn * 1103515245 + 12345;
                uint32_t who = (turn >> 16) % workers * ((turn >> 20) % 3 > 0);
                idle = shares_take(&fixture.workers[workers - 1 - who], &range, &rest) ? 0 : idle + 1;
                if (!idle)
                    see(&fixture, &range);
            }
            while (shares_take(&fixture.workers[0], &range, &rest))
                see(&fixture, &range);
            all_are_seen(&fixture);
            fixture_close(&fixture);
        }
}

/* In order, and without a gap, as long as all go on at the same pace. */
static void test_stretches(void **unused)
{
    (void)unused;
    struct fixture fixture;
    struct block_range range;
    uint64_t rest;
    uint64_t next[4];
    fixture_open(&fixture, 4, 1);
    shares_deal(&fixture.search, 4);
    for (uint32_t i = 0; i < 4; i++)
        next[i] = fixture.all / 4 * i + fixture.all % 4 * i / 4;
    for (uint32_t step = 0; step < 5; step++)
        for (uint32_t i = 0; i < 4; i++) {
            assert_true(shares_take(&fixture.workers[i], &range, &rest));
            assert_int_equal(see(&fixture, &range), next[i]);
            next[i] += range.to - range.from;
        }
    fixture_close(&fixture);
}

/* What was not taken is the level again, and is dealt to others. */
static void test_collected(void **unused)
{
    (void)unused;
    struct fixture fixture;
    struct block_range range;
    uint64_t rest;
    fixture_open(&fixture, 3, 2);
    shares_deal(&fixture.search, 3);
    uint64_t left = fixture.all;
    for (uint32_t step = 0; step < 10; step++) {
        assert_true(shares_take(&fixture.workers[step % 2], &range, &rest));
        see(&fixture, &range);
        left -= range.to - range.from;
    }
    shares_collect(&fixture.search);
    assert_int_equal(fixture.search.level_states, left);
    shares_deal(&fixture.search, 1); /* the first alone */
    while (shares_take(&fixture.workers[0], &range, &rest))
        see(&fixture, &range);
    all_are_seen(&fixture);
    shares_collect(&fixture.search);
    assert_int_equal(fixture.search.level_states, 0);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_state_once),
        cmocka_unit_test(test_stretches),
        cmocka_unit_test(test_collected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
