/* Whole states: nothing is lost, nothing is taken for another, whatever the number of words, the word that marks a
 * place, the number of threads, and when the states are made compact. */
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
#include "store/visited_inner.h"

enum { THREADS = 4, COUNT = IS_SANITIZED ? 20000 : 200000, LARGE = 1 << 26 };

/* State number i: distinct for distinct i; the upmost bit of the head is not set, those of the other words are. */
static void make_state(uint64_t i, uint32_t words, uint32_t head, uint64_t *state)
{
    for (uint32_t w = 0; w < words; w++)
        state[w] = w == head ? (i * 0x5851f42d4c957f2du) >> 1 : WHOLE_TAKEN | (i % 7 ? i : i / 3);
    if (words == 1)
        state[0] = i; /* from the state of zeros on */
}

static void test_sets(void **unused)
{
    (void)unused;
    for (uint32_t words = 1; words <= WHOLE_WORDS; words++)
        for (uint32_t head = 0; head < words; head++) {
            struct budget budget = {0};
            struct whole set;
            uint64_t state[WHOLE_WORDS], held = 0;
            assert_true(whole_create(&set, &budget, words, head, LARGE));
            for (uint64_t i = 0; i < COUNT; i++) {
                make_state(i / 2 * (i % 2 ? 1 : 3), words, head, state);
                set.is_alone = i / 64 % 2;
                uint64_t hash = state_hash(state, words);
                enum whole_outcome is_there = whole_insert(&set, state, hash, false);
                assert_int_not_equal(is_there, WHOLE_NEW);
                assert_int_equal(whole_insert(&set, state, hash, true),
                                 is_there == WHOLE_FOUND ? WHOLE_FOUND : WHOLE_NEW);
                assert_int_equal(whole_insert(&set, state, hash, false), WHOLE_FOUND);
                held += is_there != WHOLE_FOUND;
                if (held == whole_capacity(&set))
                    assert_true(whole_grow(&set, words % 2 ? &helpers : NULL, 1 + words / 2 % 2));
            }
            uint64_t *states = memory_alloc(held * words * sizeof *states);
            assert_int_equal(whole_list(&set, states), held);
            for (uint64_t i = 0; i < held; i++)
                assert_int_equal(whole_insert(&set, states + i * words, state_hash(states + i * words, words), false),
                                 WHOLE_FOUND);
            free(states);
            assert_int_equal(budget.used, whole_bytes(&set));
            whole_destroy(&set);
            assert_int_equal(budget.used, 0);
        }
}

/* So many states that belong into few buckets: what does not fit is in the next ones, also behind the last. */
static void test_clusters(void **unused)
{
    (void)unused;
    struct budget budget = {0};
    struct whole set;
    enum { CROWD = 600 };
    uint64_t crowd[CROWD];
    uint32_t count = 0;
    assert_true(whole_create(&set, &budget, 1, 0, LARGE));
    for (uint64_t i = 0; count < CROWD; i++)
        if (whole_bucket(&set, state_hash(&i, 1)) >> 1 == ((uint64_t)1 << set.exponent) / 2 - 1)
            crowd[count++] = i;
    for (uint32_t i = 0; i < CROWD; i++)
        assert_int_equal(whole_insert(&set, &crowd[i], state_hash(&crowd[i], 1), true), WHOLE_NEW);
    for (uint32_t times = 0; times < 6; times++) {
        for (uint32_t i = 0; i < CROWD; i++)
            assert_int_equal(whole_insert(&set, &crowd[i], state_hash(&crowd[i], 1), false), WHOLE_FOUND);
        assert_true(whole_grow(&set, &helpers, 1 + times % 2));
    }
    whole_destroy(&set);
}

static void test_limits(void **unused)
{
    (void)unused;
    struct budget budget = {.limit = 1};
    struct whole set;
    assert_false(whole_create(&set, &budget, 2, 1, LARGE));
    budget.limit = 1 << 17;
    assert_true(whole_create(&set, &budget, 2, 1, LARGE));
    while (whole_grow(&set, NULL, 1))
        ;
    assert_int_equal(whole_bytes(&set), 1 << 17);
    whole_destroy(&set);
    assert_true(whole_create(&set, &budget, 2, 1, LARGE)); /* room for one doubling, and not for two */
    budget.limit = 3 * whole_bytes(&set);
    uint64_t bytes = whole_bytes(&set);
    assert_false(whole_grow(&set, NULL, 2));
    assert_int_equal(whole_bytes(&set), bytes);
    assert_int_equal(budget.used, bytes);
    assert_true(whole_grow(&set, NULL, 1));
    whole_destroy(&set);
    budget.limit = 1 << 17;
    assert_true(whole_create(&set, &budget, 2, 1, 1 << 16));
    while (whole_grow(&set, NULL, 1))
        ;
    assert_int_equal(whole_bytes(&set), 1 << 16);
    whole_destroy(&set);
    assert_int_equal(budget.used, 0);
}

/* --- the visited set, which begins with them --- */

static bool is_whole(const struct visited *visited)
{
    return visited->whole.places;
}

struct inserting {
    struct visited *visited;
    struct visited_hand *hand;
    uint32_t words, head;
    uint64_t from, new_states;
};

/* A state that waits while the plan changes is announced again. */
static enum visited_outcome insert_state(struct visited *visited, struct visited_hand *hand, const uint64_t *state)
{
    enum visited_outcome outcome = VISITED_GROW;
    for (;;) {
        struct visited_key key;
        visited_announce(visited, hand, 0, state);
        if (visited_prepare(visited, hand, 0, 1)) {
            visited_make_key(visited, hand, 0, &key);
            outcome = visited_insert(visited, hand, &key);
        }
        if (outcome != VISITED_GROW)
            return outcome;
        assert_true(visited_grow(visited, NULL));
    }
}

static enum visited_outcome insert(struct inserting *work, uint64_t i)
{
    uint64_t state[WHOLE_WORDS];
    make_state(i, work->words, work->head, state);
    return insert_state(work->visited, work->hand, state);
}

static void test_visited(void **unused)
{
    (void)unused;
    const uint64_t bytes[] = {0, 1 << 9, 1 << 18, LARGE};
    for (uint32_t c = 0; c < 4 * (WHOLE_WORDS + 1); c++) {
        uint32_t words = c / 4 < WHOLE_WORDS ? c / 4 + 1 : 2, head = c / 4 < WHOLE_WORDS ? words - 1 : 0;
        uint32_t bits[WHOLE_WORDS] = {64, 64, 64, 64};
        const uint64_t count = COUNT / 4;
        bits[head] = 63;
        struct budget budget = {0};
        struct visited_options options = {.words = words,
                                          .word_bits = bits,
                                          .whole_bytes = bytes[c % 4],
                                          .team = c % 3 ? NULL : &helpers,
                                          .is_alone = c / 4 % 2};
        struct inserting work = {.visited = visited_create(&options, &budget), .words = words, .head = head};
        work.hand = visited_hand_create(work.visited);
        assert_int_equal(is_whole(work.visited), c % 4 > 0);
        for (uint64_t i = 0; i < count; i++) {
            assert_int_equal(insert(&work, i), VISITED_NEW);
            assert_int_equal(insert(&work, i / 3), VISITED_FOUND);
        }
        for (uint64_t i = 0; i < count; i++)
            assert_int_equal(insert(&work, i), VISITED_FOUND);
        assert_true(is_whole(work.visited) ? c % 4 > 1 : c % 4 < 3);
        assert_int_equal(visited_hand_count(work.hand), count);
        assert_int_equal(budget.used, visited_bytes(work.visited));
        visited_hand_destroy(work.hand);
        visited_destroy(work.visited);
        assert_int_equal(budget.used, 0);
    }
}

/* In waves: what is there, what comes twice in a wave, and what is new; as long as there is room, and states are whole.
 */
static void test_waves(void **unused)
{
    (void)unused;
    for (uint32_t words = 1; words <= WHOLE_WORDS; words++) {
        const uint32_t bits[WHOLE_WORDS] = {63, 63, 63, 63};
        struct budget budget = {0};
        struct visited_options options = {
            .words = words, .word_bits = bits, .whole_bytes = 1 << 18, .is_alone = words % 2};
        struct visited *visited = visited_create(&options, &budget);
        struct visited_hand *hand = visited_hand_create(visited);
        uint64_t states[VISITED_BATCH * WHOLE_WORDS], hashes[VISITED_BATCH], fresh, next = 0;
        while (visited_is_whole(visited)) {
            for (uint32_t i = 0; i < VISITED_BATCH; i++) {
                uint64_t number = i % 4 == 3 ? next / 2 : next + i / 2;
                for (uint32_t w = 0; w < words; w++)
                    states[i * words + w] = number * (w + 1);
                hashes[i] = state_hash(states + (size_t)i * words, words);
            }
            uint64_t before = visited_hand_count(hand);
            uint32_t done = visited_insert_wave(visited, hand, states, hashes, VISITED_BATCH, &fresh);
            assert_int_equal(visited_hand_count(hand), before + (uint64_t)__builtin_popcountll(fresh));
            for (uint32_t i = 0; i < done && next; i++)
                assert_int_equal(fresh >> i & 1, i % 2 == 0);
            for (uint32_t i = done; i < VISITED_BATCH; i++)
                assert_int_equal(fresh >> i & 1, 0);
            for (uint32_t i = done; i < VISITED_BATCH; i++)
                insert_state(visited, hand, states + (size_t)i * words);
            next += VISITED_BATCH / 2;
            assert_int_equal(visited_hand_count(hand), next);
        }
        assert_int_equal(visited_insert_wave(visited, hand, states, hashes, VISITED_BATCH, &fresh), 0);
        assert_int_equal(fresh, 0);
        visited_hand_destroy(hand);
        visited_destroy(visited);
        assert_int_equal(budget.used, 0);
    }
}

/* Fields that take few of their values are squeezed when the set is made compact, also where some states, which a
 * sample may miss, have others; and folded where many have. */
static void test_squeezed(void **unused)
{
    (void)unused;
    enum { FIELDS = 14, WIDTH = 9, MOST = 1 << 18 };
    const uint32_t bits[] = {63, 63}, odd[] = {0, 5000, 3};
    struct visited_field fields[FIELDS];
    for (uint32_t f = 0; f < FIELDS; f++)
        fields[f] = (struct visited_field){f / 7, f % 7 * WIDTH, WIDTH};
    for (uint32_t c = 0; c < 3; c++) {
        struct budget budget = {0};
        struct visited_options options = {
            .words = 2, .word_bits = bits, .fields = fields, .field_count = FIELDS, .whole_bytes = MOST};
        struct visited *visited = visited_create(&options, &budget);
        struct visited_hand *hand = visited_hand_create(visited);
        for (uint32_t turn = 0; turn < 2; turn++)
            for (uint64_t i = 0; i < COUNT / 4; i++) {
                uint64_t state[2] = {0};
                for (uint32_t f = 0; f < FIELDS;
                     f++) /* the digits of i, and now and then a field that is otherwise 0 */
                    state[f / 7] |= (f < 8 ? i >> 2 * f & 3 : odd[c] && i % odd[c] == 1 ? i % 500 : 0) << f % 7 * WIDTH;
                assert_int_equal(insert_state(visited, hand, state), turn ? VISITED_FOUND : VISITED_NEW);
            }
        assert_true(is_whole(visited) ? IS_SANITIZED : (visited->narrow != NULL) == (c < 2));
        assert_int_equal(budget.used, visited_bytes(visited));
        visited_hand_destroy(hand);
        visited_destroy(visited);
        assert_int_equal(budget.used, 0);
    }
}

/* Without a bit that is free, or room for more than one set, states are compact from the beginning. */
static void test_not_suited(void **unused)
{
    (void)unused;
    const uint32_t full[] = {64, 64, 64, 64, 1}, spare[] = {64, 63};
    const struct visited_options cases[] = {
        {.words = 2, .word_bits = full, .whole_bytes = LARGE},
        {.words = 2, .whole_bytes = LARGE},
        {.words = 5, .word_bits = full, .whole_bytes = LARGE},
        {.words = 2, .word_bits = spare, .whole_bytes = LARGE, .is_fingerprint = true},
        {.words = 2, .word_bits = spare},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct budget budget = {0};
        struct visited *visited = visited_create(&cases[c], &budget);
        assert_non_null(visited);
        assert_false(is_whole(visited));
        visited_destroy(visited);
    }
}

static void *insert_many(void *user)
{
    struct inserting *work = user;
    for (uint64_t i = 0; i < COUNT / 2; i++)
        work->new_states += insert(work, (work->from + i * 7919) % (COUNT / 2)) == VISITED_NEW;
    return NULL;
}

static void test_threads(void **unused)
{
    (void)unused;
    for (uint32_t words = 1; words <= WHOLE_WORDS; words++) {
        struct budget budget = {0};
        uint32_t bits[WHOLE_WORDS] = {64, 64, 64, 64};
        bits[words - 1] = 63;
        struct visited_options options = {.words = words, .word_bits = bits, .whole_bytes = LARGE};
        struct inserting works[THREADS] = {{.visited = visited_create(&options, &budget)}};
        pthread_t threads[THREADS];
        uint64_t sum = 0;
        while (visited_capacity(works[0].visited) < 2 * COUNT)
            assert_true(whole_grow(&works[0].visited->whole, NULL, 1));
        for (uint32_t t = 0; t < THREADS; t++) {
            works[t] = (struct inserting){.visited = works[0].visited,
                                          .hand = visited_hand_create(works[0].visited),
                                          .words = words,
                                          .head = words - 1,
                                          .from = t % 2};
            assert_int_equal(pthread_create(&threads[t], NULL, insert_many, &works[t]), 0);
        }
        for (uint32_t t = 0; t < THREADS; t++) {
            pthread_join(threads[t], NULL);
            sum += works[t].new_states;
            visited_hand_destroy(works[t].hand);
        }
        assert_int_equal(sum, COUNT / 2);
        visited_destroy(works[0].visited);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),    cmocka_unit_test(test_clusters), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_visited), cmocka_unit_test(test_waves),    cmocka_unit_test(test_not_suited),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_squeezed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
