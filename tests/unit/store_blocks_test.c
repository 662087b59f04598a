/* The frontier and the log: states come back in order, parents and ordinals as they were given, from memory or from
 * files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/vec.h"
#include "sanitized.h"
#include "store/blocks.h"
#include "store/log.h"
#include "store/piece.h"

enum { WORDS = 3, STATES = 60000, WRITERS = 3 };

static void test_log(void **unused)
{
    (void)unused;
    struct log_writer writer = {0};
    const uint32_t blocks[] = {0, 7, 7, 7, 7, 7, 8, 7, UINT32_MAX};
    const uint32_t indices[] = {0, 0, 0, 2, 5, 1000000, 3, 2, UINT32_MAX};
    const uint64_t ordinals[] = {0, 62, 63, 64, 1, 1u << 20, UINT64_MAX, 5, 63};
    log_begin(&writer);
    for (size_t i = 0; i < 9; i++)
        log_append(&writer, blocks[i], indices[i], ordinals[i]);
    struct log_reader reader = {writer.bytes, writer.bytes + writer.size, 0, 0};
    for (size_t i = 0; i < 9; i++) {
        uint64_t ordinal;
        log_next(&reader, &ordinal);
        assert_int_equal(reader.block, blocks[i]);
        assert_int_equal(reader.index, indices[i]);
        assert_true(ordinal == ordinals[i]);
    }
    assert_ptr_equal(reader.bytes, reader.end);
    free(writer.bytes);
}

/* The usual case: the next parent is the same or near, the ordinals are small. */
static void test_log_is_small(void **unused)
{
    (void)unused;
    struct log_writer writer = {0};
    log_begin(&writer);
    for (uint32_t i = 0; i < 10000; i++)
        log_append(&writer, 3, i, i % 20);
    assert_true(writer.size < 10010);
    free(writer.bytes);
}

struct note {
    block_ref id, parent;
    uint64_t ordinal, state[WORDS];
};

static void make_note(struct note *note, uint64_t i, block_ref parent)
{
    note->parent = parent;
    note->ordinal = hash_mix(i) % (i % 10 ? 20 : 5000);
    for (uint32_t w = 0; w < WORDS; w++)
        note->state[w] = hash_mix(i * WORDS + w);
}

/* Reads the level back through the writers in turn, and compares with what was written. */
static void check_level(struct blocks_writer **writers, const struct block_ranges *level, const struct note *notes,
                        size_t from)
{
    for (size_t r = 0; r < level->count; r++) {
        const struct block_range *range = &level->items[r];
        const uint64_t *states = blocks_open(writers[r % WRITERS], range);
        assert_non_null(states);
        const struct note *note = &notes[from]; /* those of a range are in order */
        for (uint32_t i = range->from; i < range->to; i++) {
            while (note->id != blocks_ref(range->block, i))
                note++;
            assert_memory_equal(states + (size_t)i * WORDS, note->state, sizeof note->state);
            assert_int_equal(blocks_marks(writers[r % WRITERS], states)[i], (uint16_t)note->ordinal);
        }
        blocks_done(writers[r % WRITERS], range);
    }
}

static void run_levels(uint64_t limit, bool sheds)
{
    struct budget budget = {.limit = limit};
    struct blocks *blocks = blocks_create(WORDS, &budget, NULL);
    struct blocks_writer *writers[WRITERS];
    struct note *notes = memory_zeroed(STATES, sizeof *notes);
    struct block_ranges level = {0};
    size_t count = 0, level_from = 0;
    for (uint32_t w = 0; w < WRITERS; w++)
        writers[w] = blocks_add_writer(blocks);
    for (uint64_t size = 1; count<STATES; size = size * 2> 20000 ? 20000 : size * 2) {
        size_t begin = count, parent = level_from;
        for (; count < begin + size && count < STATES; count++) {
            struct note *note = &notes[count];
            /* Parents in order, by each writer a run of them. */
            if (begin && parent + 1 < begin && hash_mix(count) % 2)
                parent++;
            make_note(note, count, begin ? notes[parent].id : BLOCKS_NOWHERE);
            struct blocks_writer *writer = writers[count / 64 % WRITERS];
            note->id = blocks_append(writer, note->state, note->parent, note->ordinal, (uint16_t)note->ordinal);
            if (note->id == BLOCKS_NOWHERE && blocks_shed(blocks))
                note->id = blocks_append(writer, note->state, note->parent, note->ordinal, (uint16_t)note->ordinal);
            assert_true(note->id != BLOCKS_NOWHERE);
        }
        if (sheds)
            blocks_shed(blocks);
        level.count = 0;
        for (uint32_t w = 0; w < WRITERS; w++)
            blocks_end_level(writers[w], &level);
        check_level(writers, &level, notes, begin);
        level_from = begin;
        /* The log has no limit of its own; the buffers to read with are few. */
        assert_true(!limit || budget.used <= limit + 400000);
    }
    for (size_t i = 0; i < STATES; i++) {
        block_ref parent;
        uint64_t ordinal;
        assert_true(blocks_parent(blocks, notes[i].id, &parent, &ordinal));
        assert_true(parent == notes[i].parent && ordinal == notes[i].ordinal);
        i += i > 1000 ? (IS_SANITIZED ? 997 : 37) : 0;
    }
    assert_true(blocks_log_bytes(blocks) < 3 * STATES);
    VEC_FREE(&level);
    free(notes);
    blocks_destroy(blocks);
    assert_int_equal(budget.used, 0);
}

static void test_in_memory(void **unused)
{
    (void)unused;
    run_levels(0, false);
}

static void test_in_files(void **unused)
{
    (void)unused;
    run_levels(0, true);
    run_levels(700000, false);
    run_levels(500000, true);
}

static void test_no_file(void **unused)
{
    (void)unused;
    struct budget budget = {.limit = 300000};
    const char *before = getenv("TMPDIR");
    char *kept = before ? memory_string(before) : NULL;
    setenv("TMPDIR", "/nonexistent/folder", 1);
    struct blocks *blocks = blocks_create(WORDS, &budget, NULL);
    struct blocks_writer *writer = blocks_add_writer(blocks);
    uint64_t state[WORDS] = {0}, count = 0;
    while (count < STATES && blocks_append(writer, state, BLOCKS_NOWHERE, count, 0) != BLOCKS_NOWHERE)
        count++;
    assert_true(count > 1000 && count < STATES);
    assert_int_equal(blocks_shed(blocks), 0);
    blocks_destroy(blocks);
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
}

static bool restore_piece(void *user, const struct kept_piece *piece)
{
    struct blocks *blocks = user;
    blocks_shed(blocks); /* memory is short all the time */
    return blocks_fits(blocks, piece) && blocks_restore(blocks, piece, true);
}

/* Blocks that come back piece by piece, while what there is of them goes to files. */
static void test_restoring_in_files(void **unused)
{
    (void)unused;
    enum { KEPT = 3000 };
    struct budget budget = {0}, other = {0};
    struct blocks *blocks = blocks_create(WORDS, &budget, NULL), *restored = blocks_create(WORDS, &other, NULL);
    struct blocks_writer *writer = blocks_add_writer(blocks);
    struct note *notes = memory_zeroed(KEPT, sizeof *notes);
    for (uint32_t i = 0; i < KEPT; i++) {
        make_note(&notes[i], i, i ? notes[i / 2].id : BLOCKS_NOWHERE);
        notes[i].id = blocks_append(writer, notes[i].state, notes[i].parent, notes[i].ordinal, 7);
        if (i % 100 == 99)
            assert_true(blocks_each_fresh(blocks, restore_piece, restored));
    }
    for (uint32_t i = 0; i < KEPT; i++) {
        block_ref parent;
        uint64_t ordinal;
        assert_true(blocks_parent(restored, notes[i].id, &parent, &ordinal));
        assert_true(parent == notes[i].parent && ordinal == notes[i].ordinal);
    }
    blocks_destroy(restored);
    blocks_destroy(blocks);
    assert_int_equal(other.used, 0);
    free(notes);
}

/* A piece whose log is none does not fit. Where the log leads is another matter: parents may come later, and who
 * follows them asks whether they are there, and does not go further than the depth. */
static void test_forged_pieces(void **unused)
{
    (void)unused;
    static const uint8_t start[] = {3 << 6, 0, 0, 0}, of_itself[] = {3 << 6, 0, 1, 1}, of_first[] = {3 << 6, 0, 1, 0};
    static const uint8_t elsewhere[] = {3 << 6, 0, 9, 0}, cut[] = {3 << 6, 0, 1}, long_number[] = {63, 255, 255};
    static const uint8_t endless[] = {63, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, two[] = {0, 0};
    static const struct {
        const uint8_t *log;
        uint32_t size;
        bool fits;
    } logs[] = {{of_itself, sizeof of_itself, true},      {elsewhere, sizeof elsewhere, true}, {cut, sizeof cut, false},
                {long_number, sizeof long_number, false}, {endless, sizeof endless, false},    {two, sizeof two, false},
                {of_first, sizeof of_first, true}};
    struct budget budget = {0};
    struct blocks *blocks = blocks_create(WORDS, &budget, NULL);
    uint64_t state[WORDS] = {0};
    struct kept_piece piece = {.block = 1, .count = 1, .states = state, .log = start, .log_size = sizeof start};
    assert_true(blocks_fits(blocks, &piece) && blocks_restore(blocks, &piece, true));
    assert_false(blocks_fits(blocks, &piece)); /* the block goes on behind it */
    piece.from = 1;
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        piece.log = logs[i].log;
        piece.log_size = logs[i].size;
        assert_int_equal(blocks_fits(blocks, &piece), logs[i].fits);
    }
    piece.from = 0;
    piece.count = UINT32_MAX;
    assert_false(blocks_fits(blocks, &piece));
    piece = (struct kept_piece){
        .block = 1, .from = 1, .count = 1, .states = state, .log = elsewhere, .log_size = sizeof elsewhere};
    block_ref parent;
    uint64_t ordinal;
    assert_true(blocks_restore(blocks, &piece, true));
    assert_true(blocks_parent(blocks, (block_ref)1 << 32 | 1, &parent, &ordinal));
    assert_false(blocks_parent(blocks, parent, &parent, &ordinal));
    blocks_destroy(blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log),           cmocka_unit_test(test_log_is_small),
        cmocka_unit_test(test_in_memory),     cmocka_unit_test(test_in_files),
        cmocka_unit_test(test_no_file),       cmocka_unit_test(test_restoring_in_files),
        cmocka_unit_test(test_forged_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
