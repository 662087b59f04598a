/* From a relation to stretches. The recursion goes down the relation and, beside it, the diagram of the set twice: for
 * the row and for the column. Where nothing is left of the relation and both are in the same node, the states below go
 * one to one. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/vec.h"
#include "dd/indexing.h"

/* A block with at most so many parts is copied into those above it: loops are cheaper than calls. */
enum { SMALL_BLOCK = 24, NO_BLOCK = UINT32_MAX };

struct dd_part {
    uint32_t row, column, block;
};

struct dd_block {
    size_t first_stretch, first_part;
    uint32_t stretches, parts;
};

struct dd_blocks {
    VEC(struct dd_stretch) stretches;
    VEC(struct dd_part) parts;
    VEC(struct dd_block) blocks;
    uint32_t root; /* NO_BLOCK: empty */
};

struct key {
    dd relation, row, column;
    uint32_t pair;
};

struct dd_memo {
    struct key key;
    uint32_t block; /* plus 2, so that NO_BLOCK is 1; 0: free */
};

struct dd_building {
    struct dd_index *index;
    struct dd_manager *m;
    struct dd_blocks *blocks;
    bool *is_changed;      /* by pair */
    uint32_t last_changed; /* the pairs from here on keep their values */
    struct dd_memo *memos;
    size_t room, used;
    uint64_t bytes;
    bool is_full;
};

/* The parts of a block that is being put together. */
struct dd_draft {
    VEC(struct dd_stretch) stretches;
    VEC(struct dd_part) parts;
};

static struct dd_memo *find(const struct dd_building *all, const struct key *key)
{
    uint64_t hash = hash_combine(hash_combine(key->relation, key->row), hash_combine(key->column, key->pair));
    size_t at = hash & (all->room - 1);
    for (; all->memos[at].block; at = (at + 1) & (all->room - 1)) {
        const struct key *other = &all->memos[at].key;
        if (other->relation == key->relation && other->row == key->row && other->column == key->column &&
            other->pair == key->pair)
            break;
    }
    return &all->memos[at];
}

static void remember(struct dd_building *all, const struct key *key, uint32_t block)
{
    if (2 * ++all->used > all->room) {
        struct dd_memo *old = all->memos;
        size_t old_room = all->room;
        all->room *= 2;
        all->memos = memory_zeroed(all->room, sizeof *all->memos);
        for (size_t i = 0; i < old_room; i++)
            if (old[i].block)
                *find(all, &old[i].key) = old[i];
        free(old);
    }
    *find(all, key) = (struct dd_memo){*key, block + 2u};
}

static void draft_stretch(struct dd_draft *draft, struct dd_stretch stretch)
{
    if (draft->stretches.count) {
        struct dd_stretch *last = &VEC_LAST(&draft->stretches);
        if (last->row + last->length == stretch.row && last->column + last->length == stretch.column) {
            last->length += stretch.length;
            return;
        }
    }
    VEC_PUSH(&draft->stretches, stretch);
}

/* What is below, shifted. */
static void draft_block(struct dd_draft *draft, const struct dd_blocks *blocks, uint32_t number, uint32_t row,
                        uint32_t column)
{
    const struct dd_block *block = &blocks->blocks.items[number];
    if (block->stretches + block->parts > SMALL_BLOCK) {
        struct dd_part part = {row, column, number};
        VEC_PUSH(&draft->parts, part);
        return;
    }
    for (uint32_t i = 0; i < block->stretches; i++) {
        struct dd_stretch stretch = blocks->stretches.items[block->first_stretch + i];
        stretch.row += row;
        stretch.column += column;
        draft_stretch(draft, stretch);
    }
    for (uint32_t i = 0; i < block->parts; i++) {
        struct dd_part part = blocks->parts.items[block->first_part + i];
        part.row += row;
        part.column += column;
        VEC_PUSH(&draft->parts, part);
    }
}

static uint32_t draft_finish(struct dd_building *all, struct dd_draft *draft)
{
    struct dd_blocks *blocks = all->blocks;
    uint32_t number = NO_BLOCK;
    if (draft->stretches.count || draft->parts.count) {
        struct dd_block block = {blocks->stretches.count, blocks->parts.count, (uint32_t)draft->stretches.count,
                                 (uint32_t)draft->parts.count};
        for (size_t i = 0; i < draft->stretches.count; i++)
            VEC_PUSH(&blocks->stretches, draft->stretches.items[i]);
        for (size_t i = 0; i < draft->parts.count; i++)
            VEC_PUSH(&blocks->parts, draft->parts.items[i]);
        number = (uint32_t)blocks->blocks.count;
        VEC_PUSH(&blocks->blocks, block);
        all->is_full |= all->bytes && dd_blocks_bytes(blocks) + all->room * sizeof *all->memos > all->bytes;
    }
    VEC_FREE(&draft->stretches);
    VEC_FREE(&draft->parts);
    return number;
}

static uint32_t build(struct dd_building *all, dd relation, dd row, dd column, uint32_t pair);

static void add_branch(struct dd_building *all, struct dd_draft *draft, dd relation, const dd rows[2],
                       const dd columns[2], bool row, bool column, uint32_t pair)
{
    uint32_t block = build(all, relation, rows[row], columns[column], pair + 1);
    if (block != NO_BLOCK)
        draft_block(draft, all->blocks, block, row ? (uint32_t)dd_index_count(all->index, rows[0], pair + 1) : 0,
                    column ? (uint32_t)dd_index_count(all->index, columns[0], pair + 1) : 0);
}

static uint32_t build_pair(struct dd_building *all, dd relation, dd row, dd column, uint32_t pair)
{
    struct dd_manager *m = all->m;
    struct dd_draft draft = {0};
    const dd rows[2] = {dd_branch(m, row, 2 * pair, false), dd_branch(m, row, 2 * pair, true)};
    const dd columns[2] = {dd_branch(m, column, 2 * pair, false), dd_branch(m, column, 2 * pair, true)};
    for (int now = 0; now < 2; now++) {
        dd rest = dd_branch(m, relation, 2 * pair, now);
        if (all->is_changed[pair])
            for (int next = 0; next < 2; next++)
                add_branch(all, &draft, dd_branch(m, rest, 2 * pair + 1, next), rows, columns, now, next, pair);
        else
            add_branch(all, &draft, rest, rows, columns, now, now, pair);
    }
    return draft_finish(all, &draft);
}

static uint32_t build(struct dd_building *all, dd relation, dd row, dd column, uint32_t pair)
{
    if (relation == DD_FALSE || row == DD_FALSE || column == DD_FALSE || all->is_full)
        return NO_BLOCK;
    struct key key = {relation, row, column, pair};
    const struct dd_memo *known = find(all, &key);
    if (known->block)
        return known->block - 2u;
    uint32_t block;
    if (relation == DD_TRUE && row == column && pair >= all->last_changed) {
        struct dd_draft draft = {0};
        struct dd_stretch all_below = {0, 0, (uint32_t)dd_index_count(all->index, row, pair)};
        draft_stretch(&draft, all_below);
        block = draft_finish(all, &draft);
    } else
        block = pair < all->index->pairs ? build_pair(all, relation, row, column, pair) : NO_BLOCK;
    remember(all, &key, block);
    return block;
}

static void mark_changed(struct dd_building *all, dd changed)
{
    all->is_changed = memory_zeroed(all->index->pairs + 1, sizeof *all->is_changed);
    for (dd rest = changed; rest > DD_TRUE; rest = dd_high(all->m, rest)) {
        all->is_changed[dd_top(all->m, rest) / 2] = true;
        all->last_changed = dd_top(all->m, rest) / 2 + 1;
    }
}

struct dd_blocks *dd_blocks_create(struct dd_index *index, dd relation, dd changed, uint64_t bytes)
{
    struct dd_blocks *blocks = memory_zeroed(1, sizeof *blocks);
    struct dd_building all = {.index = index, .m = index->m, .blocks = blocks, .room = 1 << 10, .bytes = bytes};
    if (relation == DD_NONE || changed == DD_NONE) {
        dd_blocks_destroy(blocks);
        return NULL;
    }
    all.memos = memory_zeroed(all.room, sizeof *all.memos);
    mark_changed(&all, changed);
    blocks->root = build(&all, relation, index->set, index->set, 0);
    free(all.memos);
    free(all.is_changed);
    if (!all.is_full)
        return blocks;
    dd_blocks_destroy(blocks);
    return NULL;
}

void dd_blocks_destroy(struct dd_blocks *blocks)
{
    if (!blocks)
        return;
    VEC_FREE(&blocks->stretches);
    VEC_FREE(&blocks->parts);
    VEC_FREE(&blocks->blocks);
    free(blocks);
}

uint64_t dd_blocks_bytes(const struct dd_blocks *blocks)
{
    return blocks->stretches.capacity * sizeof *blocks->stretches.items +
           blocks->parts.capacity * sizeof *blocks->parts.items +
           blocks->blocks.capacity * sizeof *blocks->blocks.items;
}

static void visit(const struct dd_blocks *blocks, uint32_t number, uint32_t row, uint32_t column, dd_visitor *visitor,
                  void *user)
{
    const struct dd_block *block = &blocks->blocks.items[number];
    if (block->stretches)
        visitor(user, &blocks->stretches.items[block->first_stretch], block->stretches, row, column);
    const struct dd_part *parts = VEC_FROM(&blocks->parts, block->first_part);
    for (uint32_t i = 0; i < block->parts; i++)
        visit(blocks, parts[i].block, row + parts[i].row, column + parts[i].column, visitor, user);
}

void dd_blocks_visit(const struct dd_blocks *blocks, dd_visitor *visitor, void *user)
{
    if (blocks->root != NO_BLOCK)
        visit(blocks, blocks->root, 0, 0, visitor, user);
}
