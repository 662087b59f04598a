/* States that are squeezed into one number: nothing is lost, nothing is taken for another, also when values appear that
 * were not planned for, when they take too many bits, and when memory is short. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/memory.h"
#include "sanitized.h"
#include "store/narrow.h"
#include "store/store.h"
#include "store/visited.h"

enum { WORDS = 3, FIELDS_OF_WORD = 8, FIELDS = WORDS * FIELDS_OF_WORD, FIELD_BITS = 7 };

static void list_fields(struct visited_field *fields)
{
    for (uint32_t f = 0; f < FIELDS; f++)
        fields[f] = (struct visited_field){f / FIELDS_OF_WORD, f % FIELDS_OF_WORD * FIELD_BITS, FIELD_BITS};
}

static void set_field(const struct visited_field *field, uint64_t *state, uint64_t value)
{
    uint64_t mask = UINT64_MAX >> (64 - field->bits);
    state[field->word] = (state[field->word] & ~(mask << field->shift)) | (value & mask) << field->shift;
}

/* State number i: fields from `base` on, each below `range`. */
static void make_state(const struct visited_field *fields, uint64_t i, uint64_t base, uint64_t range, uint64_t *state)
{
    uint64_t random = hash_mix(i);
    memset(state, 0, WORDS * sizeof *state);
    for (uint32_t f = 0; f < FIELDS; f++, random = hash_mix(random))
        set_field(&fields[f], state, base + (f % 5 ? random % range : 0));
}

static void test_bijection(void **unused)
{
    (void)unused;
    enum { COUNT = 500 };
    struct visited_field fields[FIELDS];
    uint64_t states[COUNT * WORDS], other[WORDS], back[WORDS], number, again;
    list_fields(fields);
    for (uint64_t base = 0; base < 100; base += 33) {
        for (uint64_t i = 0; i < COUNT; i++)
            make_state(fields, i, base, 7, states + i * WORDS);
        struct narrow *narrow = narrow_make(WORDS, fields, FIELDS, NULL, states, COUNT);
        assert_non_null(narrow);
        assert_in_range(narrow->bits, 3 * 19, 64);
        for (uint64_t i = 0; i < COUNT; i++) {
            assert_true(narrow_number(narrow, states + i * WORDS, &number));
            narrow_state(narrow, number, back);
            assert_memory_equal(back, states + i * WORDS, sizeof back);
        }
        /* Values above and below: either it does not fit, or its number is its own. */
        for (uint64_t i = 0; i < 20 * COUNT; i++) {
            uint32_t f = (uint32_t)(i % FIELDS);
            memcpy(other, states + i % COUNT * WORDS, sizeof other);
            set_field(&fields[f], other, hash_mix(i));
            if (!narrow_number(narrow, other, &again))
                continue;
            narrow_state(narrow, again, back);
            assert_memory_equal(back, other, sizeof back);
        }
        make_state(fields, 1, base, 1, other);
        set_field(&fields[1], other, base ? base - 1 : 127);
        assert_false(narrow_number(narrow, other, &again));
        /* A wider one has the same states under other numbers, and this one. */
        struct narrow *wider = narrow_make(WORDS, fields, FIELDS, narrow, other, 1);
        if (wider) {
            assert_true(narrow_number(wider, other, &again));
            for (uint64_t i = 0; i < COUNT; i++) {
                assert_true(narrow_number(narrow, states + i * WORDS, &number));
                assert_true(narrow_number(wider, states + i * WORDS, &again));
                assert_true(narrow_rename(narrow, wider, number) == again);
            }
        }
        narrow_destroy(wider);
        narrow_destroy(narrow);
    }
}

/* Whatever fits fits a wider one, and is the same state there. */
static void test_widening(void **unused)
{
    (void)unused;
    enum { BITS = 4, COUNT = 3 };
    struct visited_field fields[WORDS * COUNT];
    for (uint32_t f = 0; f < WORDS * COUNT; f++)
        fields[f] = (struct visited_field){f / COUNT, f % COUNT * BITS, BITS};
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t states[4 * WORDS] = {0}, more[WORDS] = {0}, state[WORDS], number, again;
        for (uint32_t f = 0; f < WORDS * COUNT; f++) {
            uint64_t low = hash_mix(i * 100 + f) % 16, wide = f % COUNT ? 4 : 2;
            for (uint32_t s = 0; s < 4; s++)
                set_field(&fields[f], states + s * WORDS, low + s < 16 && s < wide ? low + s : low);
            set_field(&fields[f], more, hash_mix(i * 100 + f + 50));
        }
        struct narrow *narrow = narrow_make(WORDS, fields, WORDS * COUNT, NULL, states, 4);
        struct narrow *wider = narrow_make(WORDS, fields, WORDS * COUNT, narrow, more, 1);
        for (uint64_t j = 0; j < 1000; j++) {
            for (uint32_t w = 0; w < WORDS; w++)
                state[w] = hash_mix(i * 1000 + j + w) % (1 << BITS * COUNT);
            if (!narrow_number(narrow, state, &number))
                continue;
            assert_true(narrow_number(wider, state, &again));
            assert_true(narrow_rename(narrow, wider, number) == again);
        }
        narrow_destroy(narrow);
        narrow_destroy(wider);
    }
}

static void test_too_wide(void **unused)
{
    (void)unused;
    struct visited_field fields[FIELDS];
    uint64_t states[64 * WORDS];
    list_fields(fields);
    for (uint64_t i = 0; i < 64; i++)
        make_state(fields, i, 0, 128, states + i * WORDS);
    assert_null(narrow_make(WORDS, fields, FIELDS, NULL, states, 64));
}

struct search {
    struct visited_field fields[FIELDS];
    struct visited *visited;
    struct visited_hand *hand;
    struct store *plain; /* what is in */
    struct budget apart; /* its */
    struct spill *spill;
    uint32_t refused; /* states for which there was no memory */
};

static void search_insert(struct search *search, const uint64_t *state)
{
    uint32_t number;
    struct visited_key key;
    enum visited_outcome outcome = VISITED_GROW;
    bool has_room = true;
    while (outcome == VISITED_GROW && has_room) { /* whatever was announced is announced again */
        visited_announce(search->visited, search->hand, 0, state);
        if (visited_prepare(search->visited, search->hand, 0, 1)) {
            visited_make_key(search->visited, search->hand, 0, &key);
            outcome = visited_insert(search->visited, search->hand, &key);
        }
        has_room = outcome != VISITED_GROW || visited_grow(search->visited, search->spill);
    }
    search->refused += !has_room;
    if (!has_room)
        return;
    enum store_outcome expected =
        store_insert(search->plain, state, store_hash(search->plain, state), STORE_NO_PARENT, &number);
    assert_int_equal(outcome == VISITED_NEW, expected == STORE_NEW);
}

static void search_replan(struct search *search)
{
    uint32_t count = store_count(search->plain);
    uint64_t *states = memory_alloc((size_t)count * WORDS * sizeof *states);
    for (uint32_t i = 0; i < count; i++)
        memcpy(states + (size_t)i * WORDS, store_state(search->plain, i), WORDS * sizeof *states);
    struct visited_sample sample = {states, count};
    assert_true(visited_can_replan(search->visited));
    assert_true(visited_wants_plan(search->visited, count));
    assert_true(visited_replan(search->visited, &sample));
    free(states);
}

static void search_begin(struct search *search, struct budget *budget)
{
    static const uint32_t word_bits[WORDS] = {FIELDS_OF_WORD * FIELD_BITS, FIELDS_OF_WORD * FIELD_BITS,
                                              FIELDS_OF_WORD * FIELD_BITS};
    list_fields(search->fields);
    struct visited_options options = {
        .words = WORDS, .word_bits = word_bits, .fields = search->fields, .field_count = FIELDS};
    search->visited = visited_create(&options, budget);
    search->hand = visited_hand_create(search->visited);
    search->plain = store_create(WORDS, &search->apart, 0);
    search->spill = spill_create(NULL);
}

static void search_end(struct search *search, const struct budget *budget)
{
    assert_int_equal(budget->used, visited_bytes(search->visited));
    visited_hand_destroy(search->hand);
    visited_destroy(search->visited);
    store_destroy(search->plain);
    spill_destroy(search->spill);
    assert_int_equal(budget->used, 0);
}

/* Values drift up to `most` over the search; below 7 all is squeezed, above it is folded in the end. */
static void search_run(struct search *search, uint64_t count, uint64_t most, uint64_t base)
{
    uint64_t state[WORDS];
    for (uint64_t i = 0; i < count && !search->refused; i++) {
        if (i == count / 16) {
            search_replan(search);
            visited_hand_destroy(search->hand); /* one that was made when nothing is folded must do when all is */
            search->hand = visited_hand_create(search->visited);
        }
        make_state(search->fields, i % 3 ? i : i / 3, i < count / 16 ? base : base - i % 2, 2 + i * most / count,
                   state);
        search_insert(search, state);
    }
    for (uint64_t i = 0; i < store_count(search->plain); i++)
        search_insert(search, store_state(search->plain, (uint32_t)i));
}

static void test_values_drift(void **unused)
{
    (void)unused;
    for (uint64_t most = 1; most < 40; most = 3 * most + 1)
        for (uint64_t base = 1; base < 60; base += 29) {
            struct budget budget = {0};
            struct search search = {0};
            search_begin(&search, &budget);
            search_run(&search, IS_SANITIZED ? 20000 : 100000, most, base);
            assert_int_equal(search.refused, 0);
            assert_true(visited_plan_number(search.visited) > 1);
            search_end(&search, &budget);
        }
}

/* Whatever is in is still there when there is no memory for more. */
static void test_memory_is_short(void **unused)
{
    (void)unused;
    for (uint64_t limit = 200000; limit < 1200000; limit += 100000) {
        struct budget budget = {.limit = limit};
        struct search search = {0};
        search_begin(&search, &budget);
        search_run(&search, IS_SANITIZED ? 30000 : 150000, 13, 5);
        assert_true(search.refused <= 1);
        assert_true(budget.used <= limit + limit / 4);
        search_end(&search, &budget);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bijection),    cmocka_unit_test(test_widening),        cmocka_unit_test(test_too_wide),
        cmocka_unit_test(test_values_drift), cmocka_unit_test(test_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
