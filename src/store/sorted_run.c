#include "store/sorted_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "store/piece.h"

enum {
    RUN_PIECE_STATES = 512,
    RUN_LEAST_BUFFER = 8 << 10, /* bytes that are written, or read in order, at a time, and a piece more: */
    RUN_MOST_BUFFER = 256 << 10,
    RUN_PARTS = 256 /* of the memory */
};

struct run_piece {
    uint64_t at;
    uint32_t size, count;
};

struct state_run {
    uint32_t words;
    struct budget *budget;
    struct spill_place *place;
    struct spill *spill;
    VEC(struct run_piece) pieces;
    VEC(uint64_t) firsts; /* the first state of each piece */
    uint64_t states, index_bytes;
    /* While it is written: */
    uint64_t *fresh; /* the states of the next piece */
    uint32_t fresh_count;
    uint8_t *buffer;
    size_t buffered, buffer_size;
};

static size_t run_piece_bytes(uint32_t words)
{
    return piece_most_bytes(words, RUN_PIECE_STATES, 0);
}

static size_t run_buffer_bytes(uint32_t words, const struct budget *budget)
{
    uint64_t bytes = budget->limit / RUN_PARTS;
    if (!budget->limit || bytes > RUN_MOST_BUFFER)
        bytes = RUN_MOST_BUFFER;
    return (bytes < RUN_LEAST_BUFFER ? RUN_LEAST_BUFFER : (size_t)bytes) + run_piece_bytes(words);
}

static size_t run_states_bytes(uint32_t words)
{
    return (size_t)RUN_PIECE_STATES * words * sizeof(uint64_t);
}

uint64_t sorted_run_buffer_bytes(uint32_t words, const struct budget *budget)
{
    return run_buffer_bytes(words, budget) + run_states_bytes(words);
}

/* Small, and must be had: beyond the budget where there is no other way. */
static void *run_take(struct budget *budget, size_t bytes)
{
    atomic_fetch_add_explicit(&budget->used, bytes, memory_order_relaxed);
    return memory_alloc(bytes);
}

static void run_give(struct budget *budget, void *memory, size_t bytes)
{
    if (!memory)
        return;
    free(memory);
    budget_give(budget, bytes);
}

struct state_run *sorted_run_create(uint32_t words, struct budget *budget, struct spill_place *place)
{
    struct state_run *run = memory_zeroed(1, sizeof *run);
    run->words = words;
    run->budget = budget;
    run->place = place;
    run->spill = spill_create(place);
    run->fresh = run_take(budget, run_states_bytes(words));
    run->buffer_size = run_buffer_bytes(words, budget);
    run->buffer = run_take(budget, run->buffer_size);
    return run;
}

static void run_end_writing(struct state_run *run)
{
    run_give(run->budget, run->fresh, run_states_bytes(run->words));
    run_give(run->budget, run->buffer, run->buffer_size);
    run->fresh = NULL;
    run->buffer = NULL; /* its size is that of cursors, too */
}

void sorted_run_destroy(struct state_run *run)
{
    if (!run)
        return;
    run_end_writing(run);
    budget_give(run->budget, run->index_bytes);
    VEC_FREE(&run->pieces);
    VEC_FREE(&run->firsts);
    spill_destroy(run->spill);
    free(run);
}

uint64_t sorted_run_states(const struct state_run *run)
{
    return run->states;
}

/* --- writing --- */

static bool run_flush(struct state_run *run)
{
    uint64_t at;
    bool is_written = !run->buffered || spill_append(run->spill, run->buffer, run->buffered, &at);
    run->buffered = 0;
    return is_written;
}

static void run_note_index(struct state_run *run, size_t size)
{
    uint64_t bytes = sizeof *run->pieces.items + run->words * sizeof *run->fresh;
    uint64_t at = run->pieces.count ? VEC_LAST(&run->pieces).at + VEC_LAST(&run->pieces).size : 0;
    VEC_PUSH(&run->pieces, ((struct run_piece){at, (uint32_t)size, run->fresh_count}));
    for (uint32_t w = 0; w < run->words; w++)
        VEC_PUSH(&run->firsts, run->fresh[w]);
    atomic_fetch_add_explicit(&run->budget->used, bytes, memory_order_relaxed);
    run->index_bytes += bytes;
}

static bool run_write_piece(struct state_run *run)
{
    struct kept_piece piece = {.block = 1, .count = run->fresh_count, .states = run->fresh};
    if (!run->fresh_count)
        return true;
    size_t size = piece_write(&piece, run->words, run->buffer + run->buffered);
    run_note_index(run, size);
    run->buffered += size;
    run->states += run->fresh_count;
    run->fresh_count = 0;
    return run->buffered + run_piece_bytes(run->words) <= run->buffer_size || run_flush(run);
}

bool sorted_run_add(struct state_run *run, const uint64_t *state)
{
    memcpy(run->fresh + (size_t)run->fresh_count * run->words, state, run->words * sizeof *state);
    return ++run->fresh_count < RUN_PIECE_STATES || run_write_piece(run);
}

bool sorted_run_finish(struct state_run *run)
{
    bool is_written = run_write_piece(run) && run_flush(run);
    run_end_writing(run);
    return is_written;
}

/* --- reading --- */

struct run_cursor {
    struct state_run *run;
    size_t piece;     /* the next to be decoded: the states are of the one before */
    uint64_t *states; /* of a piece */
    uint32_t count, at;
    uint8_t *bytes; /* of the file, from `from` on */
    uint64_t from;
    size_t size;
    bool has_failed;
};

struct run_cursor *run_cursor_create(struct state_run *run)
{
    struct run_cursor *cursor = memory_zeroed(1, sizeof *cursor);
    cursor->run = run;
    cursor->states = run_take(run->budget, run_states_bytes(run->words));
    cursor->bytes = run_take(run->budget, run->buffer_size);
    return cursor;
}

void run_cursor_destroy(struct run_cursor *cursor)
{
    if (!cursor)
        return;
    run_give(cursor->run->budget, cursor->states, run_states_bytes(cursor->run->words));
    run_give(cursor->run->budget, cursor->bytes, cursor->run->buffer_size);
    free(cursor);
}

/* Reads from the piece on: as far as the buffer goes where the pieces are read one after the other, else that one. */
static bool cursor_fetch(struct run_cursor *cursor, const struct run_piece *piece, bool is_in_order)
{
    const struct state_run *run = cursor->run;
    uint64_t end = VEC_LAST(&run->pieces).at + VEC_LAST(&run->pieces).size, size = piece->size;
    if (piece->at >= cursor->from && piece->at + piece->size <= cursor->from + cursor->size)
        return true;
    if (is_in_order)
        size = end - piece->at < run->buffer_size ? end - piece->at : run->buffer_size;
    cursor->from = piece->at;
    cursor->size = (size_t)size;
    return spill_read(run->spill, cursor->bytes, cursor->size, cursor->from);
}

static bool cursor_decode(struct run_cursor *cursor, size_t which)
{
    const struct run_piece *about = &cursor->run->pieces.items[which];
    struct kept_piece piece = {.states = cursor->states};
    bool is_in_order = which == cursor->piece;
    cursor->piece = which + 1;
    cursor->count = cursor->at = 0;
    if (cursor->has_failed || !cursor_fetch(cursor, about, is_in_order) ||
        !piece_read(cursor->bytes + (about->at - cursor->from), about->size, cursor->run->words, &piece) ||
        piece.count != about->count) {
        cursor->has_failed = true;
        cursor->size = 0;
        return false;
    }
    cursor->count = piece.count;
    return true;
}

/* The last piece from `first` on whose first state is at most `state`; it is a close one mostly, so the steps grow. */
static size_t cursor_seek(const struct run_cursor *cursor, size_t first, const uint64_t *state)
{
    const struct state_run *run = cursor->run;
    size_t low = first, high = first + 1, step = 1;
    while (high < run->pieces.count && state_compare(run->firsts.items + high * run->words, state, run->words) <= 0) {
        low = high;
        high += step;
        step *= 2;
    }
    if (high > run->pieces.count)
        high = run->pieces.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (state_compare(run->firsts.items + middle * run->words, state, run->words) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* In the piece that is decoded. */
static bool cursor_find(struct run_cursor *cursor, const uint64_t *state)
{
    uint32_t words = cursor->run->words, low = cursor->at, high = low, step = 1;
    while (high < cursor->count && state_compare(cursor->states + (size_t)high * words, state, words) < 0) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    if (high > cursor->count)
        high = cursor->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (state_compare(cursor->states + (size_t)middle * words, state, words) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    cursor->at = low;
    return low < cursor->count && !state_compare(cursor->states + (size_t)low * words, state, words);
}

bool run_cursor_has(struct run_cursor *cursor, const uint64_t *state)
{
    const struct state_run *run = cursor->run;
    if (!run->pieces.count || cursor->has_failed)
        return false;
    size_t first = cursor->piece ? cursor->piece - 1 : 0, which = cursor_seek(cursor, first, state);
    if ((which >= cursor->piece || !cursor->piece) && !cursor_decode(cursor, which))
        return false;
    return cursor_find(cursor, state);
}

const uint64_t *run_cursor_next(struct run_cursor *cursor)
{
    if (cursor->at == cursor->count &&
        (cursor->piece == cursor->run->pieces.count || !cursor_decode(cursor, cursor->piece)))
        return NULL;
    return cursor->states + (size_t)cursor->at++ * cursor->run->words;
}

bool run_cursor_has_failed(const struct run_cursor *cursor)
{
    return cursor->has_failed;
}

/* --- merging --- */

uint64_t sorted_run_merge_bytes(const struct state_run *a, const struct state_run *b)
{
    return a->index_bytes + b->index_bytes + 3 * sorted_run_buffer_bytes(a->words, a->budget);
}

struct run_merging {
    struct run_cursor *a, *b;
    struct state_run *out;
    bool (*is_over)(void);
};

/* The index at once as large as it will be: where it grew as a list does, it would take twice that now and then. */
static void run_expect(struct state_run *run, size_t pieces)
{
    VEC_RESERVE(&run->pieces, pieces);
    VEC_RESERVE(&run->firsts, pieces * run->words);
}

static bool merging_is_over(const struct run_merging *merging)
{
    return !merging->out->fresh_count && merging->is_over && merging->is_over();
}

static bool merging_move(struct run_merging *merging)
{
    const uint64_t *a = run_cursor_next(merging->a), *b = run_cursor_next(merging->b);
    while (a || b) {
        bool is_first = a && (!b || state_compare(a, b, merging->out->words) < 0);
        if (merging_is_over(merging) || !sorted_run_add(merging->out, is_first ? a : b))
            return false;
        if (is_first)
            a = run_cursor_next(merging->a);
        else
            b = run_cursor_next(merging->b);
    }
    return !run_cursor_has_failed(merging->a) && !run_cursor_has_failed(merging->b) && sorted_run_finish(merging->out);
}

struct state_run *sorted_run_merge(struct state_run *a, struct state_run *b, bool (*is_over)(void))
{
    struct run_merging merging = {run_cursor_create(a), run_cursor_create(b),
                                  sorted_run_create(a->words, a->budget, a->place), is_over};
    run_expect(merging.out, a->pieces.count + b->pieces.count);
    bool is_whole = merging_move(&merging);
    run_cursor_destroy(merging.a);
    run_cursor_destroy(merging.b);
    if (is_whole)
        return merging.out;
    sorted_run_destroy(merging.out);
    return NULL;
}
