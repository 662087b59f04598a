/* Blocks of a checkpoint, dealt to another number of ranks: all blocks in their order, first those of rank 0, then
 * those of rank 1 and so on; each goes to the next rank in turn. So where a state lies is found by counting, and the
 * logs, which name parents by their places, are written with the new ones. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/explicit/keep.h"
#include "engine/explicit/ranks.h"
#include "store/log.h"

bool keep_places_read(struct keep_places *places, const struct json *described, uint32_t ranks)
{
    const struct json *parts = json_get(described, "parts");
    uint64_t sum = 0;
    *places = (struct keep_places){.parts = (uint32_t)json_size(parts), .ranks = ranks};
    places->is_same = places->parts == ranks;
    places->blocks = memory_zeroed(places->parts + 1u, sizeof *places->blocks);
    places->before = memory_zeroed(places->parts + 1u, sizeof *places->before);
    if (!places->parts || places->parts > 1u << RANKS_BITS)
        return false;
    for (uint32_t i = 0; i < places->parts; i++) {
        if (!json_read_count(json_get(json_item(parts, i), "blocks"), &places->blocks[i]) ||
            places->blocks[i] > UINT32_MAX - 1)
            return false;
        places->before[i] = sum;
        sum += places->blocks[i];
    }
    return sum / ranks < UINT32_MAX - 1;
}

void keep_places_free(struct keep_places *places)
{
    free(places->blocks);
    free(places->before);
}

bool keep_place_of(const struct keep_places *places, uint32_t part, uint32_t block, uint32_t *rank, uint32_t *new_block)
{
    if (part >= places->parts || !block || block > places->blocks[part])
        return false;
    uint64_t number = places->before[part] + block - 1;
    *rank = places->is_same ? part : (uint32_t)(number % places->ranks);
    *new_block = places->is_same ? block : (uint32_t)(number / places->ranks) + 1;
    return true;
}

bool keep_place_of_state(const struct keep_places *places, block_ref state, block_ref *now)
{
    const uint32_t index_mask = (1u << RANKS_SHIFT) - 1;
    uint32_t rank, block;
    *now = state;
    if (state == BLOCKS_NOWHERE)
        return true;
    if (!keep_place_of(places, (uint32_t)state >> RANKS_SHIFT, (uint32_t)(state >> 32), &rank, &block))
        return false;
    *now = (uint64_t)block << 32 | rank << RANKS_SHIFT | ((uint32_t)state & index_mask);
    return true;
}

uint8_t *keep_place_log(const struct keep_places *places, const struct kept_piece *piece, uint32_t *size)
{
    struct log_reader old = {piece->log, piece->log + piece->log_size, 0, 0};
    struct log_writer log = {0};
    bool is_good = true;
    log_begin(&log);
    for (uint32_t i = 0; i < piece->count && is_good; i++) {
        uint64_t ordinal;
        block_ref parent = 0;
        is_good = log_try_next(&old, &ordinal) &&
                  (!old.block || keep_place_of_state(places, (uint64_t)old.block << 32 | old.index, &parent));
        if (is_good)
            log_append(&log, (uint32_t)(parent >> 32), (uint32_t)parent, ordinal);
    }
    if (is_good && old.bytes == old.end) {
        *size = (uint32_t)log.size;
        return log.bytes;
    }
    free(log.bytes);
    return NULL;
}
