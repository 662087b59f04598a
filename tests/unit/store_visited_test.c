/* The compact visited set: nothing is lost, nothing is taken for another, whatever the width, the order, the number of threads and
 * the memory. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/memory.h"
#include "sanitized.h"
#include "store/mixer.h"
#include "store/quotient.h"
#include "store/visited.h"

enum { MAX_WORDS = 12, THREADS = 4 };

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

/* --- the quotient set --- */

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
        uint64_t count = bits == 12 ? 4096 : bits % 8 == 0 && bits > 16 ? 200000 : 8000;
        assert_true(quotient_create(&set, &budget, bits, false, 10));
        for (uint64_t i = 0; i < count; i++) {
            uint64_t number = mixer_apply(&mixer, i);
            enum quotient_outcome outcome;
            while ((outcome = quotient_insert(&set, number)) == QUOTIENT_NO_ROOM || i >= quotient_capacity(&set)) {
                assert_true(quotient_grow(&set, quotient_next_capacity(&set, i % 2)));
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
        assert_true(quotient_grow(&set, 20000));
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
        struct mixer mixer = mixer_make(bits);
        enum { COUNT = 16000 };
        static uint32_t values[COUNT];
        assert_true(quotient_create(&map, &budget, bits, true, 10));
        for (uint32_t i = 0; i < COUNT; i++) {
            uint64_t number = mixer_apply(&mixer, mixer.mask - i);
            uint32_t value;
            while ((value = quotient_intern(&map, number)) == QUOTIENT_NONE) {
                uint64_t capacity = quotient_capacity(&map), larger = quotient_next_capacity(&map, i % 2);
                assert_true(larger > capacity && quotient_grow(&map, larger));
            }
            assert_int_equal(quotient_intern(&map, number), value);
            assert_true(value >= i && value < quotient_capacity(&map));
            assert_true(value >> map.shape.value_bits == 0);
            values[i] = value;
        }
        for (uint32_t i = 0; i < COUNT; i++)
            assert_int_equal(quotient_intern(&map, mixer_apply(&mixer, mixer.mask - i)), values[i]);
        quotient_destroy(&map);
        assert_int_equal(budget.used, 0);
    }
}

/* --- the whole --- */

/* State number i of a test: distinct for distinct i, whatever the number of words. */
static void make_state(uint64_t i, uint32_t words, uint64_t *state)
{
    for (uint32_t w = 0; w < words; w++)
        state[w] = w == words - 1 ? i % 1000 : w == 0 ? i / 1000 : hash_mix(i / 7 % 100 + w);
    if (words == 1)
        state[0] = i;
}

struct inserter {
    struct visited *visited;
    struct visited_hand *hand;
    struct spill *spill;
    uint32_t words;
};

static enum visited_outcome insert(struct inserter *inserter, uint64_t i)
{
    uint64_t state[MAX_WORDS];
    struct visited_key key;
    enum visited_outcome outcome;
    make_state(i, inserter->words, state);
    visited_announce(inserter->visited, inserter->hand, 0, state);
    while (!visited_prepare(inserter->visited, inserter->hand, 0, 1))
        if (!visited_grow(inserter->visited, inserter->spill))
            return VISITED_GROW;
    visited_make_key(inserter->visited, inserter->hand, 0, state, &key);
    while ((outcome = visited_insert(inserter->visited, inserter->hand, &key)) == VISITED_GROW)
        if (!visited_grow(inserter->visited, inserter->spill))
            return VISITED_GROW;
    return outcome;
}

static struct inserter begin(const struct visited_options *options, struct budget *budget)
{
    struct inserter inserter = {.visited = visited_create(options, budget), .spill = spill_create(),
                                .words = options->words};
    assert_non_null(inserter.visited);
    inserter.hand = visited_hand_create(inserter.visited);
    return inserter;
}

static void finish(struct inserter *inserter)
{
    visited_hand_destroy(inserter->hand);
    visited_destroy(inserter->visited);
    spill_destroy(inserter->spill);
}

static void test_growth(void **unused)
{
    (void)unused;
    const struct {
        uint32_t words, bits;
        uint64_t count;
        bool is_fingerprint;
    } cases[] = {{1, 22, 1500000, false}, {1, 64, 300000, false},  {2, 64, 1000000, false}, {3, 64, 300000, false},
                 {4, 64, 300000, false},  {5, 64, 100000, false},  {7, 64, 100000, false},  {12, 64, 100000, false},
                 {3, 64, 300000, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct budget budget = {0};
        struct visited_options options = {cases[c].words, cases[c].words == 1 ? &cases[c].bits : NULL,
                                          cases[c].is_fingerprint, 0};
        struct inserter inserter = begin(&options, &budget);
        uint64_t count = IS_SANITIZED ? cases[c].count / 8 : cases[c].count;
        for (uint64_t i = 0; i < count; i++) {
            assert_int_equal(insert(&inserter, i), VISITED_NEW);
            assert_int_equal(insert(&inserter, i / 3), VISITED_FOUND);
        }
        for (uint64_t i = 0; i < count; i++)
            assert_int_equal(insert(&inserter, i), VISITED_FOUND);
        assert_int_equal(visited_hand_count(inserter.hand), count);
        assert_int_equal(budget.used, visited_bytes(inserter.visited));
        if (cases[c].words > 1 && cases[c].words < 5 && !IS_SANITIZED)
            assert_true(visited_bytes(inserter.visited) < 12 * count);
        finish(&inserter);
        assert_int_equal(budget.used, 0);
    }
}

/* Planned again after the states in it: they are all there, and no others; and it takes less. */
static void test_replanning(void **unused)
{
    (void)unused;
    for (uint32_t words = 2; words <= MAX_WORDS; words += words > 4 ? 4 : 1) {
        struct budget budget = {0};
        struct visited_options options = {words, NULL, false, 0};
        struct inserter inserter = begin(&options, &budget);
        enum { COUNT = 20000 };
        uint64_t *states = memory_alloc((size_t)COUNT * words * sizeof *states);
        for (uint64_t i = 0; i < COUNT; i++) {
            assert_int_equal(insert(&inserter, i), VISITED_NEW);
            make_state(i, words, states + i * words);
        }
        struct visited_sample sample = {states, COUNT};
        uint64_t before = visited_bytes(inserter.visited);
        assert_true(visited_can_replan(inserter.visited));
        assert_true(visited_replan(inserter.visited, &sample));
        assert_int_equal(visited_plan_number(inserter.visited), 1);
        assert_true(visited_bytes(inserter.visited) < 2 * before);
        for (uint64_t i = 0; i < 2 * COUNT; i++)
            assert_int_equal(insert(&inserter, i), i < COUNT ? VISITED_FOUND : VISITED_NEW);
        free(states);
        finish(&inserter);
        assert_int_equal(budget.used, 0);
    }
}

/* Under any limit: it is respected, and what was in stays in. */
static void test_memory_limit(void **unused)
{
    (void)unused;
    for (uint64_t limit = 60000; limit < (IS_SANITIZED ? 2000000 : 20000000); limit = limit * 5 / 3) {
        struct budget budget = {.limit = limit};
        struct visited_options options = {3, NULL, false, 0};
        struct inserter inserter = begin(&options, &budget);
        uint64_t count = 0;
        while (count < 3000000 && insert(&inserter, count) == VISITED_NEW)
            count++;
        assert_true(budget.used <= limit);
        assert_int_equal(visited_hand_count(inserter.hand), count);
        assert_true(count > limit / 100);
        assert_int_not_equal(insert(&inserter, count), VISITED_NEW);
        /* More memory is all it takes to go on, and nothing is missing. */
        budget.limit = 0;
        for (uint64_t i = 0; i < count; i++)
            assert_int_equal(insert(&inserter, i), VISITED_FOUND);
        for (uint64_t i = count; i < count + 1000; i++)
            assert_int_equal(insert(&inserter, i), VISITED_NEW);
        finish(&inserter);
        assert_int_equal(budget.used, 0);
    }
}

static void test_state_limit(void **unused)
{
    (void)unused;
    struct budget budget = {0};
    struct visited_options options = {2, NULL, false, 1000};
    struct inserter inserter = begin(&options, &budget);
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(insert(&inserter, i), VISITED_NEW);
    assert_int_equal(insert(&inserter, 1000), VISITED_LIMIT);
    assert_int_equal(insert(&inserter, 999), VISITED_FOUND);
    finish(&inserter);
}

/* --- threads --- */

struct race {
    struct visited *visited;
    struct spill *spill;
    uint32_t words;
    uint64_t count;
    pthread_rwlock_t pause; /* held for reading while inserting, for writing while growing */
    _Atomic uint32_t *winners; /* for each state, how often it was new */
};

struct racer {
    struct race *race;
    uint32_t number;
};

static void race_grow(struct race *race)
{
    pthread_rwlock_unlock(&race->pause);
    pthread_rwlock_wrlock(&race->pause);
    if (!visited_grow(race->visited, race->spill))
        broken(__FILE__, __LINE__, "no limit, and no room");
    pthread_rwlock_unlock(&race->pause);
    pthread_rwlock_rdlock(&race->pause);
}

static bool race_insert(struct race *race, struct visited_hand *hand, uint64_t i)
{
    uint64_t state[MAX_WORDS];
    struct visited_key key;
    enum visited_outcome outcome;
    make_state(i, race->words, state);
    visited_announce(race->visited, hand, 0, state);
    while (!visited_prepare(race->visited, hand, 0, 1))
        race_grow(race);
    visited_make_key(race->visited, hand, 0, state, &key);
    while ((outcome = visited_insert(race->visited, hand, &key)) == VISITED_GROW)
        race_grow(race);
    return outcome == VISITED_NEW;
}

/* Every thread inserts every state, each from another end and in other steps. */
static void *race_run(void *user)
{
    const struct racer *racer = user;
    struct race *race = racer->race;
    pthread_rwlock_rdlock(&race->pause);
    struct visited_hand *hand = visited_hand_create(race->visited);
    for (uint64_t i = 0; i < race->count; i++) {
        uint64_t j = racer->number % 2 ? race->count - 1 - i : i;
        j = (j + racer->number / 2 * 1000) % race->count;
        if (race_insert(race, hand, j))
            atomic_fetch_add(&race->winners[j], 1);
        if (i % 256 == 0) { /* let others grow */
            pthread_rwlock_unlock(&race->pause);
            pthread_rwlock_rdlock(&race->pause);
        }
    }
    pthread_rwlock_unlock(&race->pause);
    visited_hand_destroy(hand);
    return NULL;
}

static void test_threads(void **unused)
{
    (void)unused;
    const uint32_t words[] = {1, 2, 3, 7};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        struct budget budget = {0};
        struct visited_options options = {words[w], NULL, false, 0};
        struct race race = {.visited = visited_create(&options, &budget), .spill = spill_create(), .words = words[w],
                            .count = IS_SANITIZED ? 50000 : 200000};
        struct racer racers[THREADS];
        pthread_t threads[THREADS];
        race.winners = memory_zeroed(race.count, sizeof *race.winners);
        pthread_rwlock_init(&race.pause, NULL);
        for (uint32_t t = 0; t < THREADS; t++) {
            racers[t] = (struct racer){&race, t};
            assert_int_equal(pthread_create(&threads[t], NULL, race_run, &racers[t]), 0);
        }
        for (uint32_t t = 0; t < THREADS; t++)
            pthread_join(threads[t], NULL);
        for (uint64_t i = 0; i < race.count; i++)
            assert_int_equal(race.winners[i], 1);
        pthread_rwlock_destroy(&race.pause);
        free((void *)race.winners);
        visited_destroy(race.visited);
        spill_destroy(race.spill);
        assert_int_equal(budget.used, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixers_are_bijections), cmocka_unit_test(test_quotient_of_every_width),
        cmocka_unit_test(test_quotient_of_neighbours), cmocka_unit_test(test_map_of_every_width),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_replanning),            cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_state_limit),           cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
