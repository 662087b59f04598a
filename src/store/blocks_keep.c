/* Blocks into a checkpoint, and out of it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/blocks_inner.h"
#include "store/piece.h"

/* --- into it --- */

struct handing {
    struct blocks *blocks;
    uint64_t *states; /* read back, or NULL */
    uint8_t *log;
    bool (*take)(void *user, const struct kept_piece *piece);
    void *user;
};

static uint64_t *handing_states(struct handing *handing, const struct store_block *block)
{
    struct blocks *blocks = handing->blocks;
    if (block->states)
        return block->states;
    if (!handing->states)
        handing->states = memory_alloc(blocks_state_bytes(blocks));
    bool is_read = spill_read(blocks->states, handing->states, blocks_state_bytes(blocks), block->slot);
    return is_read ? handing->states : NULL;
}

static const uint8_t *handing_log(struct handing *handing, const struct store_block *block, uint32_t *size)
{
    if (!block->is_complete) {
        *size = (uint32_t)block->writer->log.size;
        return block->writer->log.bytes;
    }
    *size = block->log_size;
    if (block->log)
        return block->log;
    handing->log = memory_resize(handing->log, block->log_size);
    return spill_read(handing->blocks->logs, handing->log, block->log_size, block->log_at) ? handing->log : NULL;
}

static bool handing_block(struct handing *handing, struct store_block *block)
{
    uint32_t size;
    if (block->kept == block->count)
        return true;
    uint64_t *states = handing_states(handing, block);
    const uint8_t *log = handing_log(handing, block, &size);
    if (!states || !log)
        return false;
    struct kept_piece piece = {
        .block = block->number,
        .from = block->kept,
        .count = block->count - block->kept,
        .states = states + (size_t)block->kept * handing->blocks->words,
        .log = log + block->kept_log,
        .log_size = size - block->kept_log,
    };
    block->kept = block->count;
    block->kept_log = size;
    if (!block->is_complete)
        block->writer->log.has_parent = false; /* each piece can be read alone */
    return handing->take(handing->user, &piece);
}

bool blocks_each_fresh(struct blocks *blocks, bool (*take)(void *user, const struct kept_piece *piece), void *user)
{
    struct handing handing = {.blocks = blocks, .take = take, .user = user};
    bool is_good = true;
    for (size_t w = 0; w < blocks->writers.count && is_good; w++) {
        struct blocks_writer *writer = blocks->writers.items[w];
        for (size_t i = 0; i < writer->done.count && is_good; i++)
            is_good = handing_block(&handing, writer->done.items[i].block);
        if (writer->block && is_good)
            is_good = handing_block(&handing, writer->block);
    }
    free(handing.states);
    free(handing.log);
    return is_good;
}

uint64_t blocks_count(const struct blocks *blocks)
{
    return blocks->items.count;
}

uint32_t blocks_most_states(const struct blocks *blocks)
{
    return blocks->block_states;
}

/* --- out of it --- */

static struct store_block *blocks_find(const struct blocks *blocks, uint32_t number)
{
    return number && number <= blocks->items.count ? blocks->items.items[number - 1] : NULL;
}

bool blocks_has(const struct blocks *blocks, block_ref state)
{
    const struct store_block *block = blocks_find(blocks, (uint32_t)(state >> 32));
    return block && (uint32_t)state < block->count;
}

/* Is its log one, for all of its states? */
static bool piece_has_log(const struct kept_piece *piece)
{
    struct log_reader log = {piece->log, piece->log + piece->log_size, 0, 0};
    uint64_t ordinal;
    for (uint32_t i = 0; i < piece->count; i++) {
        if (!log_try_next(&log, &ordinal))
            return false;
    }
    return log.bytes == log.end;
}

bool blocks_fits(const struct blocks *blocks, const struct kept_piece *piece)
{
    const struct store_block *block = blocks_find(blocks, piece->block);
    return piece->from == (block ? block->count : 0) && piece->count <= blocks->block_states - piece->from &&
           piece_has_log(piece);
}

/* Empty and complete ones up to that number. */
static struct store_block *blocks_reach(struct blocks *blocks, uint32_t number)
{
    while (blocks->items.count < number) {
        struct store_block *block = memory_zeroed(1, sizeof *block);
        block->slot = BLOCKS_NO_SLOT;
        block->is_complete = true;
        atomic_fetch_add_explicit(&blocks->budget->used, sizeof *block, memory_order_relaxed);
        VEC_PUSH(&blocks->items, block);
        block->number = (uint32_t)blocks->items.count;
    }
    return blocks->items.items[number - 1];
}

/* Room for the states of a block; what there are of them may be in the file. */
static bool blocks_restore_room(struct blocks *blocks, struct store_block *block)
{
    uint64_t *states = blocks_take_states(blocks);
    if (!states && blocks_shed(blocks))
        states = blocks_take_states(blocks);
    if (!states)
        return false;
    memset(states, 0, blocks_state_bytes(blocks));
    block->states = states;
    if (block->slot == BLOCKS_NO_SLOT)
        return true;
    bool is_read = spill_read(blocks->states, states, blocks_state_bytes(blocks), block->slot);
    VEC_PUSH(&blocks->idle_slots, block->slot);
    block->slot = BLOCKS_NO_SLOT;
    return is_read;
}

static bool blocks_restore_states(struct blocks *blocks, struct store_block *block, const struct kept_piece *piece)
{
    size_t words = blocks->words;
    if (!block->states && !blocks_restore_room(blocks, block))
        return false;
    memcpy(block->states + piece->from * words, piece->states, piece->count * words * sizeof *piece->states);
    return true;
}

/* What there is of the log of a block may be in the file: it comes back first. */
static bool blocks_recall_log(struct blocks *blocks, struct store_block *block)
{
    if (block->log || !block->log_size)
        return true;
    uint8_t *log = memory_alloc(block->log_size);
    if (!spill_read(blocks->logs, log, block->log_size, block->log_at)) {
        free(log);
        return false;
    }
    block->log = log;
    atomic_fetch_add_explicit(&blocks->budget->used, block->log_size, memory_order_relaxed);
    return true;
}

static bool blocks_restore_log(struct blocks *blocks, struct store_block *block, const struct kept_piece *piece)
{
    if (!blocks_recall_log(blocks, block))
        return false;
    block->log = memory_resize(block->log, block->log_size + piece->log_size);
    memcpy(block->log + block->log_size, piece->log, piece->log_size);
    block->log_size += piece->log_size;
    blocks->log_bytes += piece->log_size;
    atomic_fetch_add_explicit(&blocks->budget->used, piece->log_size, memory_order_relaxed);
    return true;
}

bool blocks_restore(struct blocks *blocks, const struct kept_piece *piece, bool waits)
{
    struct store_block *block = blocks_reach(blocks, piece->block);
    if (piece->from != block->count)
        return false;
    if (waits && !blocks_restore_states(blocks, block, piece))
        return false;
    if (!blocks_restore_log(blocks, block, piece))
        return false;
    block->count += piece->count;
    block->kept = block->count;
    block->kept_log = block->log_size;
    return true;
}

bool blocks_restore_range(struct blocks *blocks, uint32_t number, uint32_t from, uint32_t to, struct block_range *range)
{
    struct store_block *block = blocks_find(blocks, number);
    bool has_states = block && (block->states || block->slot != BLOCKS_NO_SLOT);
    if (!has_states || from >= to || to > block->count || to - from > block->count - block->waiting)
        return false;
    block->waiting += to - from;
    *range = (struct block_range){block, from, to};
    return true;
}

void blocks_restore_level(struct blocks_writer *writer, const struct block_range *range)
{
    VEC_PUSH(&writer->done, *range);
}

void blocks_restore_end(struct blocks *blocks, bool lets_go)
{
    for (size_t i = 0; i < blocks->items.count; i++)
        blocks->items.items[i]->expanded = blocks->items.items[i]->count - blocks->items.items[i]->waiting;
    blocks->lets_go = lets_go;
}
