/* The states of a checkpoint. Nothing in it is believed that can be checked. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/keep.h"
#include "engine/explicit/ranks.h"

/* States that the visited set is planned after (insert.c). */
enum { RESTORE_SAMPLE = 4096 };

struct states_restoring {
    struct explicit_search *search;
    const struct json *described;
    const struct keep_places *places;
    uint32_t rank;
    bool is_whole;        /* one part, and one rank: all blocks are as they were */
    bool is_owned;        /* all that it reads are its own */
    uint32_t part;        /* that is being read */
    uint64_t states;      /* there are, in the parts that it reads */
    uint64_t read;        /* so far */
    bool *waits;          /* by number of block: has it states that are to be expanded? */
    uint64_t last;        /* of these blocks */
    uint64_t *own;        /* the states of a piece that are this rank's */
    VEC(uint64_t) sample; /* the first of these, until the visited set is planned: */
    uint64_t sampled;
    bool is_planned;
    struct text *why; /* it is refused; empty: it is not */
};

static bool restore_refuse(const struct states_restoring *restoring, const char *why)
{
    if (!restoring->why->length)
        text_append(restoring->why, why);
    return false;
}

/* --- the visited set --- */

static void restore_plan(struct states_restoring *restoring)
{
    struct explicit_search *search = restoring->search;
    struct visited_sample sample = {restoring->sample.items, restoring->sampled};
    if (restoring->is_planned || restoring->sampled < RESTORE_SAMPLE)
        return;
    if (!disk_is_used(search) && visited_wants_plan(search->visited, restoring->sampled))
        visited_replan(search->visited, &sample);
    restoring->is_planned = true;
    search->workers[0].plan = visited_plan_number(search->visited);
    VEC_FREE(&restoring->sample);
}

static void restore_sample(struct states_restoring *restoring, const uint64_t *states, uint32_t count)
{
    size_t words = (size_t)count * restoring->search->layout->words;
    for (size_t w = 0; w < words && !restoring->is_planned; w++)
        VEC_PUSH(&restoring->sample, states[w]);
    restoring->sampled += count;
    restore_plan(restoring);
}

static uint32_t restore_select(struct states_restoring *restoring, const struct kept_piece *piece)
{
    uint32_t words = restoring->search->layout->words, count = 0;
    for (uint32_t i = 0; i < piece->count; i++) {
        const uint64_t *state = piece->states + (size_t)i * words;
        if (ranks_owns(restoring->search, state))
            memcpy(restoring->own + (size_t)count++ * words, state, words * sizeof *state);
    }
    return count;
}

/* What this rank owns is visited. */
static bool restore_visited(struct states_restoring *restoring, const struct kept_piece *piece)
{
    struct explicit_search *search = restoring->search;
    uint32_t count = restoring->is_owned ? piece->count : restore_select(restoring, piece);
    const uint64_t *states = restoring->is_owned ? piece->states : restoring->own;
    bool is_in = search->disk ? disk_restore(&search->workers[0], states, count)
                              : insert_known(&search->workers[0], states, count);
    if (is_in)
        restore_sample(restoring, states, count);
    return is_in;
}

/* --- the blocks --- */

/* A state of the level that is being found. */
static void restore_judge(struct worker *worker, state_id id, const uint64_t *packed)
{
    if (represent_is_counted(worker))
        judge_count_orbit(worker, packed, 0);
    layout_unpack(worker->search->layout, packed, worker->fresh);
    judge_new_state(worker, id, id, packed, worker->fresh);
}

static bool restore_waits(const struct states_restoring *restoring, uint32_t block)
{
    bool is_few = restoring->states < RESTORE_SAMPLE; /* the visited set is still to be planned after all of them */
    return is_few || (block <= restoring->last && restoring->waits[block]);
}

static void restore_next_level(struct states_restoring *restoring, const struct kept_piece *piece)
{
    struct explicit_search *search = restoring->search;
    struct block_range range;
    if (blocks_restore_range(search->blocks, piece->block, piece->from, piece->from + piece->count, &range))
        blocks_restore_level(search->workers[0].writer, &range);
    for (uint32_t i = 0; i < piece->count; i++)
        restore_judge(&search->workers[0], ((uint64_t)piece->block << 32 | (piece->from + i)) | search->rank_mark,
                      piece->states + (size_t)i * search->layout->words);
}

/* Of a block that is this rank's, with places as they are now. */
static bool restore_block(struct states_restoring *restoring, const struct kept_piece *piece)
{
    struct explicit_search *search = restoring->search;
    struct checkpoint *checkpoint = search->keeper->checkpoint;
    bool is_new = piece->depth > search->depth;
    if (!blocks_fits(search->blocks, piece))
        return restore_refuse(restoring, "its segments are not those of its manifest");
    if (!blocks_restore(search->blocks, piece, is_new || restore_waits(restoring, piece->block))) {
        search_stop_full(search);
        return false;
    }
    if (is_new)
        restore_next_level(restoring, piece);
    else
        search->expanded_before += piece->count; /* but for those that wait: restore_level */
    /* Where it cannot be written, the search goes on without checkpoints. */
    if (checkpoint_is_dealt_again(checkpoint))
        checkpoint_append(checkpoint, CHECKPOINT_STATES, piece, search->layout->words);
    return true;
}

/* The same of a block as it was. */
static bool restore_place(struct states_restoring *restoring, const struct kept_piece *piece)
{
    struct kept_piece now = *piece;
    uint32_t rank;
    if (!keep_place_of(restoring->places, restoring->part, piece->block, &rank, &now.block))
        return restore_refuse(restoring, "its segments are not those of its manifest");
    if (rank != restoring->rank)
        return true;
    if (restoring->is_whole)
        return restore_block(restoring, piece);
    uint8_t *log = keep_place_log(restoring->places, piece, &now.log_size);
    now.log = log;
    bool is_good =
        log ? restore_block(restoring, &now) : restore_refuse(restoring, "its segments are not those of its manifest");
    free(log);
    return is_good;
}

/* Nothing else may come into a visited set, or to those who fire rules. */
static bool restore_is_valid(const struct states_restoring *restoring, const struct kept_piece *piece)
{
    const struct layout *layout = restoring->search->layout;
    for (uint32_t i = 0; i < piece->count; i++)
        if (!layout_is_packed(layout, piece->states + (size_t)i * layout->words))
            return false;
    return piece->count <= restoring->states - restoring->read && piece->depth <= restoring->search->depth + 1;
}

static bool restore_piece(void *user, const struct kept_piece *piece)
{
    struct states_restoring *restoring = user;
    struct explicit_search *search = restoring->search;
    if (!restore_is_valid(restoring, piece))
        return restore_refuse(restoring, "its segments are not those of its manifest");
    if (!restore_place(restoring, piece) || !restore_visited(restoring, piece))
        return false;
    restoring->read += piece->count;
    return limits_tick(&search->workers[0]);
}

/* --- the level --- */

/* Calls `use` with each range that is left to this rank. */
static bool restore_each_rest(struct states_restoring *restoring,
                              bool (*use)(struct states_restoring *restoring, const uint64_t *numbers))
{
    const struct json *parts = json_get(restoring->described, "parts");
    for (uint32_t part = 0; part < restoring->places->parts; part++) {
        const struct json *rest = json_get(json_item(parts, part), "rest");
        for (size_t i = 0; i < json_size(rest); i++) {
            uint64_t numbers[3] = {0};
            uint32_t rank, block;
            bool is_read = true;
            for (uint32_t n = 0; n < 3 && is_read; n++)
                is_read = json_read_count(json_item(json_item(rest, i), n), &numbers[n]) && numbers[n] <= UINT32_MAX;
            if (!is_read || !keep_place_of(restoring->places, part, (uint32_t)numbers[0], &rank, &block))
                return restore_refuse(restoring, "the manifest is damaged (\"rest\")");
            numbers[0] = block;
            if (rank == restoring->rank && !use(restoring, numbers))
                return false;
        }
    }
    return true;
}

static bool restore_find_last(struct states_restoring *restoring, const uint64_t *numbers)
{
    if (numbers[0] > restoring->last)
        restoring->last = numbers[0];
    return true;
}

static bool restore_mark(struct states_restoring *restoring, const uint64_t *numbers)
{
    restoring->waits[numbers[0]] = true;
    return true;
}

/* Before the states: which blocks have some that wait. No block is beyond the states that there are. */
static bool restore_note_waiting(struct states_restoring *restoring)
{
    if (!restore_each_rest(restoring, restore_find_last))
        return false;
    if (restoring->last > restoring->states)
        return restore_refuse(restoring, "the manifest is damaged (\"rest\")");
    restoring->waits = memory_zeroed((size_t)restoring->last + 1, sizeof *restoring->waits);
    return restore_each_rest(restoring, restore_mark);
}

static bool restore_range(struct states_restoring *restoring, const uint64_t *numbers)
{
    struct explicit_search *search = restoring->search;
    struct block_range range;
    if (!blocks_restore_range(search->blocks, (uint32_t)numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2], &range))
        return restore_refuse(restoring, "the manifest is damaged (\"rest\")");
    VEC_PUSH(&search->level, range);
    search->level_states += range.to - range.from;
    return true;
}

static bool restore_level(struct states_restoring *restoring)
{
    struct explicit_search *search = restoring->search;
    if (!restore_each_rest(restoring, restore_range))
        return false;
    search->expanded_before -= search->level_states;
    /* A plan is made of all visited states: where these are not those of the blocks, there is none later. */
    restoring->is_planned |= !restoring->is_owned;
    search->is_planned = restoring->is_planned;
    blocks_restore_end(search->blocks, restoring->is_planned);
    return disk_end_restore(search);
}

/* --- all of it --- */

static bool restore_reads(const struct states_restoring *restoring, uint32_t part)
{
    return !restoring->is_owned || restoring->places->ranks == 1 || part == restoring->rank;
}

/* What the manifest says of the parts that are read; the blocks that it counts have at least one state each. */
static bool restore_count_states(struct states_restoring *restoring)
{
    uint64_t all = 0;
    for (uint32_t part = 0; part < restoring->places->parts; part++) {
        uint64_t states = checkpoint_part_states(restoring->search->keeper->checkpoint, part);
        if (restoring->places->blocks[part] > states)
            return restore_refuse(restoring, "the manifest is damaged (\"blocks\")");
        all += states;
        restoring->states += restore_reads(restoring, part) ? states : 0;
    }
    uint64_t most = restoring->search->options->limits.states;
    return !most || all <= most || restore_refuse(restoring, "it has more states than --states allows");
}

static bool restore_read(struct states_restoring *restoring)
{
    struct explicit_search *search = restoring->search;
    struct text damage = {0};
    bool is_good = true;
    for (uint32_t part = 0; part < restoring->places->parts && is_good; part++) {
        restoring->part = part;
        is_good = !restore_reads(restoring, part) ||
                  checkpoint_read(search->keeper->checkpoint, CHECKPOINT_STATES, part, search->layout->words,
                                  blocks_most_states(search->blocks), restore_piece, restoring, &damage);
    }
    if (damage.length)
        restore_refuse(restoring, damage.chars);
    text_free(&damage);
    bool is_all = restoring->read == restoring->states &&
                  (!restoring->is_owned || search_count_states(search) == restoring->states);
    if (is_good && !is_all)
        return restore_refuse(restoring, "its segments are not those of its manifest");
    return is_good;
}

bool restore_states(struct explicit_search *search, const struct json *described, const struct keep_places *places,
                    struct text *why)
{
    bool was_owned = false;
    json_read_bool(json_get(described, "owned"), &was_owned);
    struct states_restoring restoring = {
        .search = search,
        .described = described,
        .places = places,
        .rank = search->ranks ? search->ranks->rank : 0,
        .is_whole = places->parts == 1 && places->ranks == 1,
        .is_owned = places->ranks == 1 || (was_owned && places->is_same),
        .why = why,
    };
    search->keeper->is_owned = restoring.is_owned;
    restoring.own = memory_alloc((size_t)blocks_most_states(search->blocks) * search->layout->words * sizeof(uint64_t));
    bool is_good = restore_count_states(&restoring) && restore_note_waiting(&restoring) && restore_read(&restoring) &&
                   restore_level(&restoring);
    VEC_FREE(&restoring.sample);
    free(restoring.waits);
    free(restoring.own);
    return is_good;
}
