/* Successors that a search has found and not looked up when it is ended: in the checkpoint, and out of it. A record is
 * the packed state, its parent, which successor it is, and its classes (which are not kept: they only save time). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/keep.h"
#include "engine/explicit/ranks.h"
#include "store/log.h"

/* --- into it --- */

struct held_writing {
    struct explicit_search *search;
    uint64_t *states;
    struct log_writer log;
    uint32_t count, most;
};

static bool holding_flush(struct held_writing *holding)
{
    struct explicit_search *search = holding->search;
    struct kept_piece piece = {
        .block = 1, /* of no meaning here */
        .count = holding->count,
        .depth = search->depth + 1,
        .states = holding->states,
        .log = holding->log.bytes,
        .log_size = (uint32_t)holding->log.size,
    };
    bool is_good = !holding->count ||
                   checkpoint_append(search->keeper->checkpoint, CHECKPOINT_HELD, &piece, search->layout->words);
    holding->count = 0;
    log_begin(&holding->log);
    return is_good;
}

static bool holding_take(void *user, const uint64_t *record)
{
    struct held_writing *holding = user;
    size_t words = holding->search->layout->words;
    block_ref parent = record[words];
    memcpy(holding->states + holding->count * words, record, words * sizeof *record);
    log_append(&holding->log, parent == BLOCKS_NOWHERE ? 0 : (uint32_t)(parent >> 32),
               parent == BLOCKS_NOWHERE ? 0 : (uint32_t)parent, record[words + 1]);
    return ++holding->count < holding->most || holding_flush(holding);
}

bool keep_append_held(struct explicit_search *search)
{
    struct held_writing holding = {.search = search, .most = blocks_most_states(search->blocks)};
    holding.states = memory_alloc((size_t)holding.most * search->layout->words * sizeof *holding.states);
    log_begin(&holding.log);
    bool is_good = disk_each_held(search, holding_take, &holding) &&
                   ranks_each_rescued(search, holding_take, &holding) && holding_flush(&holding);
    free(holding.states);
    free(holding.log.bytes);
    return is_good;
}

/* --- out of it --- */

struct feeding {
    struct explicit_search *search;
    const struct keep_places *places;
    struct text *why;
};

static bool feeding_refuse(const struct feeding *feeding)
{
    text_append(feeding->why, "what it holds back is not of its manifest");
    return false;
}

/* As if it had just been found. */
static bool feeding_insert(struct explicit_search *search, state_id parent, uint64_t ordinal, const uint64_t *packed)
{
    struct worker *worker = &search->workers[0];
    struct waiting waiting = {.parent = parent, .ordinal = ordinal};
    return search->ranks && !ranks_owns(search, packed) ? ranks_send(worker, &waiting, packed)
                                                        : insert_received(worker, parent, ordinal, 0, packed);
}

static bool feeding_take(void *user, const struct kept_piece *piece)
{
    const struct feeding *feeding = user;
    struct explicit_search *search = feeding->search;
    struct log_reader log = {piece->log, piece->log + piece->log_size, 0, 0};
    for (uint32_t i = 0; i < piece->count; i++) {
        const uint64_t *packed = piece->states + (size_t)i * search->layout->words;
        uint64_t ordinal;
        block_ref parent;
        if (!layout_is_packed(search->layout, packed) || !log_try_next(&log, &ordinal) || !log.block ||
            !keep_place_of_state(feeding->places, (uint64_t)log.block << 32 | log.index, &parent))
            return feeding_refuse(feeding);
        if (!feeding_insert(search, parent, ordinal, packed))
            return false;
    }
    return log.bytes == log.end || feeding_refuse(feeding);
}

bool keep_feed_held(struct explicit_search *search, const struct keep_places *places, struct text *why)
{
    struct feeding feeding = {search, places, why};
    struct text damage = {0};
    uint32_t rank = search->ranks ? search->ranks->rank : 0;
    bool goes_on = true;
    for (uint32_t part = rank; part < places->parts && goes_on; part += places->ranks)
        goes_on = checkpoint_read(search->keeper->checkpoint, CHECKPOINT_HELD, part, search->layout->words,
                                  blocks_most_states(search->blocks), feeding_take, &feeding, &damage);
    if (damage.length && !why->length)
        text_append(why, damage.chars);
    text_free(&damage);
    return goes_on && insert_flush(&search->workers[0]);
}
