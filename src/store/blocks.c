#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "base/memory.h"
#include "store/blocks_inner.h"
#include "store/pages.h"

enum { BLOCKS_BYTES = 64 << 10, BLOCKS_MOST_STATES = 2048, BLOCKS_LEAST_STATES = 16 };

struct blocks *blocks_create(uint32_t words, struct budget *budget, struct spill_place *place)
{
    struct blocks *blocks = memory_zeroed(1, sizeof *blocks);
    uint32_t states = BLOCKS_BYTES / (words * (uint32_t)sizeof(uint64_t));
    blocks->budget = budget;
    blocks->words = words;
    blocks->block_states = states > BLOCKS_MOST_STATES    ? BLOCKS_MOST_STATES
                           : states < BLOCKS_LEAST_STATES ? BLOCKS_LEAST_STATES
                                                          : states;
    pthread_mutex_init(&blocks->lock, NULL);
    blocks->states = spill_create(place);
    blocks->logs = spill_create(place);
    return blocks;
}

static void blocks_destroy_writer(struct blocks_writer *writer)
{
    free(writer->log.bytes);
    VEC_FREE(&writer->done);
    if (writer->buffer) {
        free(writer->buffer);
        budget_give(writer->blocks->budget, blocks_state_bytes(writer->blocks));
    }
    free(writer);
}

static void blocks_destroy_block(struct blocks *blocks, struct store_block *block)
{
    if (block->states) {
        free(block->states);
        budget_give(blocks->budget, blocks_state_bytes(blocks));
    }
    uint64_t log = block->log ? block->log_size : 0;
    free(block->log);
    free(block);
    budget_give(blocks->budget, log + sizeof *block);
}

void blocks_destroy(struct blocks *blocks)
{
    if (!blocks)
        return;
    for (size_t i = 0; i < blocks->writers.count; i++)
        blocks_destroy_writer(blocks->writers.items[i]);
    for (size_t i = 0; i < blocks->items.count; i++)
        blocks_destroy_block(blocks, blocks->items.items[i]);
    for (size_t i = 0; i < blocks->idle.count; i++)
        free(blocks->idle.items[i]);
    budget_give(blocks->budget, blocks->idle.count * blocks_state_bytes(blocks));
    VEC_FREE(&blocks->items);
    VEC_FREE(&blocks->writers);
    VEC_FREE(&blocks->idle);
    VEC_FREE(&blocks->idle_slots);
    spill_destroy(blocks->states);
    spill_destroy(blocks->logs);
    pthread_mutex_destroy(&blocks->lock);
    free(blocks);
}

struct blocks_writer *blocks_add_writer(struct blocks *blocks)
{
    struct blocks_writer *writer = memory_zeroed(1, sizeof *writer);
    writer->blocks = blocks;
    struct lock lock;
    lock_take(&lock, &blocks->lock);
    VEC_PUSH(&blocks->writers, writer);
    lock_give(&lock);
    return writer;
}

/* --- memory for the states of a block; the lock is held --- */

uint64_t *blocks_take_states(struct blocks *blocks)
{
    if (blocks->idle.count)
        return VEC_POP(&blocks->idle);
    return budget_take(blocks->budget, blocks_state_bytes(blocks)) ? memory_alloc(blocks_state_bytes(blocks)) : NULL;
}

static void blocks_drop_idle(struct blocks *blocks)
{
    while (blocks->idle.count) {
        free(VEC_POP(&blocks->idle));
        budget_give(blocks->budget, blocks_state_bytes(blocks));
    }
}

/* Writes the states of a complete block to the file and lets go of their memory. */
static bool blocks_spill_states(struct blocks *blocks, struct store_block *block)
{
    size_t size = blocks_state_bytes(blocks);
    bool is_written;
    if (!block->states || block->readers)
        return false;
    if (blocks->idle_slots.count) {
        block->slot = VEC_POP(&blocks->idle_slots);
        is_written = spill_write(blocks->states, block->states, size, block->slot);
    } else {
        is_written = spill_append(blocks->states, block->states, size, &block->slot);
    }
    if (!is_written) {
        block->slot = BLOCKS_NO_SLOT;
        return false;
    }
    VEC_PUSH(&blocks->idle, block->states);
    block->states = NULL;
    return true;
}

static void blocks_release_states(struct blocks *blocks, struct store_block *block)
{
    if (!blocks->lets_go)
        return;
    if (block->states)
        VEC_PUSH(&blocks->idle, block->states);
    if (block->slot != BLOCKS_NO_SLOT)
        VEC_PUSH(&blocks->idle_slots, block->slot);
    block->states = NULL;
    block->slot = BLOCKS_NO_SLOT;
}

/* --- writing --- */

/* The log of a complete block in as many bytes as it has, even beyond the budget: it is small, and must not be lost. */
static void blocks_keep_log(struct blocks_writer *writer)
{
    struct store_block *block = writer->block;
    block->log_size = (uint32_t)writer->log.size;
    block->log = memory_alloc(writer->log.size);
    memcpy(block->log, writer->log.bytes, writer->log.size);
    atomic_fetch_add_explicit(&writer->blocks->budget->used, block->log_size, memory_order_relaxed);
    writer->blocks->log_bytes += block->log_size;
}

static bool block_is_spent(const struct store_block *block)
{
    return block->is_complete && block->expanded == block->count;
}

static void blocks_complete(struct blocks_writer *writer)
{
    struct store_block *block = writer->block;
    blocks_keep_log(writer);
    block->is_complete = true;
    block->writer = NULL;
    if (writer->level_from < block->count)
        VEC_PUSH(&writer->done, ((struct block_range){block, writer->level_from, block->count}));
    if (block_is_spent(block))
        blocks_release_states(writer->blocks, block);
    writer->block = NULL;
    writer->level_from = 0;
}

static bool blocks_begin_block(struct blocks_writer *writer)
{
    struct blocks *blocks = writer->blocks;
    if (!budget_take(blocks->budget, sizeof *writer->block))
        return false;
    uint64_t *states = blocks_take_states(blocks);
    if (!states) {
        budget_give(blocks->budget, sizeof *writer->block);
        return false;
    }
    struct store_block *block = memory_zeroed(1, sizeof *block);
    block->states = states;
    block->slot = BLOCKS_NO_SLOT;
    block->writer = writer;
    VEC_PUSH(&blocks->items, block);
    block->number = (uint32_t)blocks->items.count;
    writer->block = block;
    log_begin(&writer->log);
    return true;
}

/* Where there is no memory for more states, the block that is now complete makes room for the next one. */
static bool blocks_next_block(struct blocks_writer *writer)
{
    struct blocks *blocks = writer->blocks;
    struct store_block *last = writer->block;
    struct lock lock;
    lock_take(&lock, &blocks->lock);
    if (last)
        blocks_complete(writer);
    bool is_begun =
        blocks_begin_block(writer) || (last && blocks_spill_states(blocks, last) && blocks_begin_block(writer));
    lock_give(&lock);
    return is_begun;
}

block_ref blocks_ref(const struct store_block *block, uint32_t index)
{
    return (uint64_t)block->number << 32 | index;
}

block_ref blocks_append(struct blocks_writer *writer, const uint64_t *state, block_ref parent, uint64_t ordinal,
                        uint16_t mark)
{
    const struct blocks *blocks = writer->blocks;
    if ((!writer->block || writer->block->count == blocks->block_states) && !blocks_next_block(writer))
        return BLOCKS_NOWHERE;
    struct store_block *block = writer->block;
    uint64_t *place = block->states + (size_t)block->count * blocks->words;
    for (uint32_t w = 0; w < blocks->words; w++) /* few: memcpy would be called */
        place[w] = state[w];
    ((uint16_t *)(block->states + (size_t)blocks->block_states * blocks->words))[block->count] = mark;
    bool is_start = parent == BLOCKS_NOWHERE;
    log_append(&writer->log, is_start ? 0 : (uint32_t)(parent >> 32), is_start ? 0 : (uint32_t)parent, ordinal);
    return blocks_ref(block, block->count++);
}

void blocks_end_level(struct blocks_writer *writer, struct block_ranges *ranges)
{
    for (size_t i = 0; i < writer->done.count; i++)
        VEC_PUSH(ranges, writer->done.items[i]);
    VEC_CLEAR(&writer->done);
    if (writer->block && writer->level_from < writer->block->count) {
        VEC_PUSH(ranges, ((struct block_range){writer->block, writer->level_from, writer->block->count}));
        writer->level_from = writer->block->count;
    }
}

/* --- reading --- */

static bool blocks_read_back(struct blocks_writer *writer, const struct store_block *block)
{
    struct blocks *blocks = writer->blocks;
    size_t size = blocks_state_bytes(blocks);
    if (!writer->buffer) {
        writer->buffer = memory_alloc(size);
        atomic_fetch_add_explicit(&blocks->budget->used, size, memory_order_relaxed);
    }
    writer->buffered = NULL;
    return spill_read(blocks->states, writer->buffer, size, block->slot);
}

const uint64_t *blocks_open(struct blocks_writer *writer, const struct block_range *range)
{
    struct blocks *blocks = writer->blocks;
    struct store_block *block = range->block;
    pthread_mutex_lock(&blocks->lock);
    block->readers++;
    const uint64_t *states = block->states;
    pthread_mutex_unlock(&blocks->lock);
    if (states)
        return states;
    if (writer->buffered != block && !blocks_read_back(writer, block))
        return NULL;
    writer->buffered = block;
    return writer->buffer;
}

const uint16_t *blocks_marks(const struct blocks_writer *writer, const uint64_t *states)
{
    return (const uint16_t *)(states + (size_t)writer->blocks->block_states * writer->blocks->words);
}

void blocks_done(struct blocks_writer *writer, const struct block_range *range)
{
    struct store_block *block = range->block;
    struct lock lock;
    lock_take(&lock, &writer->blocks->lock);
    block->expanded += range->to - range->from;
    block->readers--;
    if (block_is_spent(block))
        blocks_release_states(writer->blocks, block);
    lock_give(&lock);
}

bool blocks_parent(struct blocks *blocks, block_ref state, block_ref *parent, uint64_t *ordinal)
{
    if (!blocks_has(blocks, state)) /* a checkpoint may say anything */
        return false;
    const struct store_block *block = blocks->items.items[(state >> 32) - 1];
    const uint8_t *bytes = block->is_complete ? block->log : block->writer->log.bytes;
    size_t size = block->is_complete ? block->log_size : block->writer->log.size;
    uint8_t *read = NULL;
    if (!bytes) {
        bytes = read = memory_alloc(size);
        if (!spill_read(blocks->logs, read, size, block->log_at)) {
            free(read);
            return false;
        }
    }
    struct log_reader log = {bytes, bytes + size, 0, 0};
    for (uint32_t i = 0; i <= (uint32_t)state; i++)
        log_next(&log, ordinal);
    *parent = log.block ? (uint64_t)log.block << 32 | log.index : BLOCKS_NOWHERE;
    free(read);
    return true;
}

static uint64_t blocks_count_whole(const struct blocks *blocks)
{
    uint64_t count = 0;
    for (size_t i = 0; i < blocks->items.count; i++) {
        if (!blocks->items.items[i]->states)
            return 0;
        count += blocks->items.items[i]->count;
    }
    return count;
}

uint64_t *blocks_gather(struct blocks *blocks, bool wants, uint64_t *count)
{
    uint64_t *states = NULL, done = 0;
    *count = wants ? blocks_count_whole(blocks) : 0;
    if (*count)
        states = memory_alloc(*count * blocks->words * sizeof *states);
    blocks->lets_go = true;
    for (size_t i = 0; i < blocks->items.count; i++) {
        struct store_block *block = blocks->items.items[i];
        size_t size = (size_t)block->count * blocks->words;
        if (states)
            memcpy(states + done, block->states, size * sizeof *states);
        done += size;
        if (block_is_spent(block))
            blocks_release_states(blocks, block);
    }
    return states;
}

/* --- when memory is short --- */

static void blocks_spill_log(struct blocks *blocks, struct store_block *block)
{
    if (!block->log || !spill_append(blocks->logs, block->log, block->log_size, &block->log_at))
        return;
    free(block->log);
    block->log = NULL;
    budget_give(blocks->budget, block->log_size);
}

uint64_t blocks_shed(struct blocks *blocks)
{
    uint64_t count;
    blocks_gather(blocks, false, &count);
    uint64_t before = budget_used(blocks->budget);
    for (size_t i = 0; i < blocks->items.count; i++) {
        struct store_block *block = blocks->items.items[i];
        if (!block->is_complete)
            continue;
        blocks_spill_log(blocks, block);
        blocks_spill_states(blocks, block);
        blocks_drop_idle(blocks);
    }
    blocks_drop_idle(blocks);
    uint64_t freed = before - budget_used(blocks->budget);
    if (freed)
        pages_return_heap();
    return freed;
}

uint64_t blocks_log_bytes(const struct blocks *blocks)
{
    return blocks->log_bytes + blocks->items.count * (sizeof(struct store_block) + sizeof(struct store_block *));
}
