/* The compact visited set: nothing is lost, nothing is taken for another, whatever the width, the order, the number of
 * threads and the memory. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/memory.h"
#include "helper_team.h"
#include "sanitized.h"
#include "store/store.h"
#include "store/visited.h"

enum { MAX_WORDS = 12, THREADS = 4, CROWD = 100 /* states; no set must grow for them */ };

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
    visited_make_key(inserter->visited, inserter->hand, 0, &key);
    while ((outcome = visited_insert(inserter->visited, inserter->hand, &key)) == VISITED_GROW)
        if (!visited_grow(inserter->visited, inserter->spill))
            return VISITED_GROW;
    return outcome;
}

static struct inserter begin(const struct visited_options *options, struct budget *budget)
{
    struct inserter inserter = {
        .visited = visited_create(options, budget), .spill = spill_create(NULL), .words = options->words};
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
    } cases[] = {{1, 22, 1500000, false}, {1, 64, 300000, false},  {2, 64, 1000000, false},
                 {3, 64, 300000, false},  {4, 64, 300000, false},  {5, 64, 100000, false},
                 {7, 64, 100000, false},  {12, 64, 100000, false}, {3, 64, 300000, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint64_t count = IS_SANITIZED ? cases[c].count / 30 : cases[c].count;
        bool is_dear = cases[c].words > 1 && cases[c].words < 5 && !IS_SANITIZED; /* it grows in small steps */
        struct budget budget = {.limit = is_dear ? 64 * count : 0};
        struct visited_options options = {.words = cases[c].words,
                                          .word_bits = cases[c].words == 1 ? &cases[c].bits : NULL,
                                          .is_fingerprint = cases[c].is_fingerprint};
        struct inserter inserter = begin(&options, &budget);
        for (uint64_t i = 0; i < count; i++) {
            assert_int_equal(insert(&inserter, i), VISITED_NEW);
            assert_int_equal(insert(&inserter, i / 3), VISITED_FOUND);
        }
        for (uint64_t i = 0; i < count; i++)
            assert_int_equal(insert(&inserter, i), VISITED_FOUND);
        assert_int_equal(visited_hand_count(inserter.hand), count);
        assert_int_equal(budget.used, visited_bytes(inserter.visited));
        if (is_dear)
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
        struct visited_options options = {.words = words};
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

/* --- a search: successors differ in a few fields from parents that change, and wait in batches over several of them
 * --- */

enum { WALK_WORDS = 40, WALK_FIELDS = 16 * WALK_WORDS };

struct walk {
    struct visited *visited;
    struct visited_hand *hand;
    struct store *plain; /* what is known to be in */
    struct visited_field fields[WALK_FIELDS];
    uint32_t words, field_count, bits[WALK_WORDS];
    uint64_t batch[VISITED_BATCH][WALK_WORDS];
    uint32_t batch_count;
    uint64_t random;
};

static uint64_t walk_random(struct walk *walk, uint64_t below)
{
    walk->random = hash_mix(walk->random);
    return walk->random % below;
}

/* Every third word full, the others not; fields of 1 to 20 bits. */
static void walk_cut(struct walk *walk)
{
    for (uint32_t w = 0; w < walk->words; w++) {
        walk->bits[w] = w % 3 ? 40 + (uint32_t)walk_random(walk, 24) : 64;
        for (uint32_t shift = 0, bits; shift < walk->bits[w]; shift += bits) {
            uint32_t left = walk->bits[w] - shift;
            bits = 4 + (uint32_t)walk_random(walk, 17);
            bits = bits < left ? bits : left;
            walk->fields[walk->field_count++] = (struct visited_field){w, shift, bits};
        }
    }
}

static void walk_step(struct walk *walk, uint64_t *state)
{
    uint32_t changes = 1 + (uint32_t)walk_random(walk, 3);
    for (uint32_t i = 0; i < changes; i++) {
        const struct visited_field *field = &walk->fields[walk_random(walk, walk->field_count)];
        uint64_t mask = UINT64_MAX >> (64 - field->bits);
        uint64_t value = walk_random(walk, 8) ? walk_random(walk, 3) : walk_random(walk, UINT64_MAX);
        state[field->word] = (state[field->word] & ~(mask << field->shift)) | (value & mask) << field->shift;
    }
}

static void walk_insert(struct walk *walk)
{
    struct visited_key keys[VISITED_BATCH];
    while (!visited_prepare(walk->visited, walk->hand, 0, walk->batch_count))
        assert_true(visited_grow(walk->visited, NULL));
    for (uint32_t i = 0; i < walk->batch_count; i++)
        visited_make_key(walk->visited, walk->hand, i, &keys[i]);
    for (uint32_t i = 0; i < walk->batch_count; i++) {
        uint32_t number;
        enum visited_outcome outcome;
        enum store_outcome expected = store_insert(walk->plain, walk->batch[i], store_hash(walk->plain, walk->batch[i]),
                                                   STORE_NO_PARENT, &number);
        while ((outcome = visited_insert(walk->visited, walk->hand, &keys[i])) == VISITED_GROW)
            assert_true(visited_grow(walk->visited, NULL));
        assert_int_equal(outcome == VISITED_NEW, expected == STORE_NEW);
    }
    walk->batch_count = 0;
}

static void walk_replan(struct walk *walk)
{
    uint32_t count = store_count(walk->plain);
    if (!visited_can_replan(walk->visited))
        return;
    uint64_t *states = memory_alloc((size_t)count * walk->words * sizeof *states);
    for (uint32_t i = 0; i < count; i++)
        memcpy(states + (size_t)i * walk->words, store_state(walk->plain, i), walk->words * sizeof *states);
    struct visited_sample sample = {states, count};
    assert_true(visited_replan(walk->visited, &sample));
    free(states);
}

static void walk_run(struct walk *walk, uint32_t parents)
{
    uint64_t state[WALK_WORDS] = {0};
    for (uint32_t p = 0; p < parents; p++) {
        if (p == parents / 4 || p == parents / 2) {
            walk_insert(walk);
            walk_replan(walk);
        }
        if (store_count(walk->plain)) {
            const uint64_t *parent = store_state(walk->plain, (uint32_t)walk_random(walk, store_count(walk->plain)));
            memcpy(state, parent, walk->words * sizeof *state);
            visited_hint(walk->visited, walk->hand, state);
            visited_begin(walk->visited, walk->hand, state);
        }
        for (uint32_t i = 0; i < 5; i++) {
            uint64_t *next = walk->batch[walk->batch_count];
            memcpy(next, state, sizeof state);
            walk_step(walk, next);
            visited_announce(walk->visited, walk->hand, walk->batch_count++, next);
            if (walk->batch_count == VISITED_BATCH)
                walk_insert(walk);
        }
    }
    walk_insert(walk);
}

static void test_search(void **unused)
{
    (void)unused;
    const uint32_t words[] = {1, 2, 3, 5, 12, WALK_WORDS};
    for (size_t w = 0; w < 2 * sizeof words / sizeof *words; w++) {
        struct budget budget = {0}, plain = {0};
        struct walk *walk = memory_zeroed(1, sizeof *walk);
        walk->words = words[w / 2];
        walk->random = w;
        walk_cut(walk);
        struct visited_options options = {.words = walk->words,
                                          .word_bits = walk->bits,
                                          .fields = w % 2 ? walk->fields : NULL,
                                          .field_count = walk->field_count};
        walk->visited = visited_create(&options, &budget);
        walk->hand = visited_hand_create(walk->visited);
        walk->plain = store_create(walk->words, &plain, 0);
        walk_run(walk, IS_SANITIZED ? 1000 : 8000);
        assert_int_equal(visited_hand_count(walk->hand), store_count(walk->plain));
        store_destroy(walk->plain);
        visited_hand_destroy(walk->hand);
        visited_destroy(walk->visited);
        assert_int_equal(budget.used, 0);
        free(walk);
    }
}

/* Large tables of states and of parts, moved and widened by several threads. */
static void test_growth_by_a_team(void **unused)
{
    (void)unused;
    struct budget budget = {0};
    struct visited_options options = {.words = 3, .team = &helpers};
    struct inserter inserter = begin(&options, &budget);
    const uint64_t count = IS_SANITIZED ? 200000 : 600000;
    for (uint64_t i = 0; i < count; i++)
        assert_int_equal(insert(&inserter, i), VISITED_NEW);
    for (uint64_t i = 0; i < count; i++)
        assert_int_equal(insert(&inserter, i), VISITED_FOUND);
    finish(&inserter);
    assert_int_equal(budget.used, 0);
}

/* Under any limit: it is respected, and what was in stays in. */
static void test_memory_limit(void **unused)
{
    (void)unused;
    for (uint64_t limit = 60000; limit < (IS_SANITIZED ? 600000 : 12000000); limit = limit * 5 / 3) {
        struct budget budget = {.limit = limit};
        struct visited_options options = {.words = 3};
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
    struct visited_options options = {.words = 2, .max_states = 1000};
    struct inserter inserter = begin(&options, &budget);
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(insert(&inserter, i), VISITED_NEW);
    assert_int_equal(insert(&inserter, 1000), VISITED_LIMIT);
    assert_int_equal(insert(&inserter, 999), VISITED_FOUND);
    finish(&inserter);
}

/* More different parts than a map of parts can number: growing says so at last, and nothing is lost. */
static void test_full_map(void **unused)
{
    (void)unused;
    struct budget budget = {.most_map_bits = 5};
    struct visited_options options = {.words = 2};
    struct inserter inserter = begin(&options, &budget);
    enum { MOST = 100000 };
    enum visited_outcome outcome = VISITED_NEW;
    uint64_t count = 0;
    for (; count < MOST && outcome == VISITED_NEW; count += outcome == VISITED_NEW)
        outcome = insert(&inserter, hash_mix(count));
    assert_int_equal(outcome, VISITED_GROW);
    assert_true(count > 500 && count < MOST);
    assert_true(visited_is_at_end(inserter.visited));
    for (uint64_t i = 0; i < count; i++)
        assert_int_equal(insert(&inserter, hash_mix(i)), VISITED_FOUND);
    finish(&inserter);
    assert_int_equal(budget.used, 0);
}

/* --- threads --- */

/* All insert the same states, as many as there may be: the limit is met by none. */
struct crowd {
    struct visited *visited;
    pthread_barrier_t begin;
    _Atomic bool was_refused;
};

static void *crowd_insert(void *user)
{
    struct crowd *crowd = user;
    struct visited_hand *hand = visited_hand_create(crowd->visited);
    pthread_barrier_wait(&crowd->begin);
    for (uint64_t i = 0; i < CROWD; i++) {
        struct visited_key key;
        visited_announce(crowd->visited, hand, 0, &i);
        visited_prepare(crowd->visited, hand, 0, 1); /* nothing to prepare: the states are not cut into parts */
        visited_make_key(crowd->visited, hand, 0, &key);
        enum visited_outcome outcome = visited_insert(crowd->visited, hand, &key);
        if (outcome != VISITED_NEW && outcome != VISITED_FOUND)
            crowd->was_refused = true;
    }
    uint64_t *inserted = malloc(sizeof *inserted);
    *inserted = visited_hand_count(hand);
    visited_hand_destroy(hand);
    return inserted;
}

static void test_limit_of_threads(void **unused)
{
    (void)unused;
    const uint32_t bits = 22;
    for (int round = 0; round < (IS_SANITIZED ? 20 : 200); round++) {
        struct budget budget = {0};
        struct visited_options options = {
            .words = 1, .word_bits = &bits, .max_states = CROWD, .whole_bytes = round % 2 ? 1 << 20 : 0};
        struct crowd crowd = {.visited = visited_create(&options, &budget)};
        pthread_t threads[THREADS];
        uint64_t sum = 0;
        pthread_barrier_init(&crowd.begin, NULL, THREADS);
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_create(&threads[t], NULL, crowd_insert, &crowd), 0);
        for (int t = 0; t < THREADS; t++) {
            void *inserted;
            pthread_join(threads[t], &inserted);
            sum += *(uint64_t *)inserted;
            free(inserted);
        }
        assert_false(crowd.was_refused);
        assert_int_equal(sum, CROWD);
        pthread_barrier_destroy(&crowd.begin);
        visited_destroy(crowd.visited);
    }
}

struct race {
    struct visited *visited;
    struct spill *spill;
    uint32_t words;
    uint64_t count;
    pthread_rwlock_t pause;    /* held for reading while inserting, for writing while growing */
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
    visited_make_key(race->visited, hand, 0, &key);
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
        struct visited_options options = {.words = words[w]};
        struct race race = {.visited = visited_create(&options, &budget),
                            .spill = spill_create(NULL),
                            .words = words[w],
                            .count = IS_SANITIZED ? 20000 : 200000};
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
        cmocka_unit_test(test_growth),     cmocka_unit_test(test_growth_by_a_team), cmocka_unit_test(test_search),
        cmocka_unit_test(test_replanning), cmocka_unit_test(test_memory_limit),     cmocka_unit_test(test_state_limit),
        cmocka_unit_test(test_full_map),   cmocka_unit_test(test_limit_of_threads), cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
