/* The states of a breadth-first search in the order they were found: whole while they wait to be expanded (the
 * frontier), and permanently how each was reached (the log).
 *
 * Every thread writes blocks of its own, one after the other: the packed states, and beside them for each state which
 * state of which block it came from and which of its successors it was. Within a block those parents mostly follow one
 * another, so an entry of the log is mostly one byte. A level of the search is a list of ranges of blocks; a block may
 * hold states of several levels. A block's states are released when all have been expanded, its log is kept.
 *
 * When memory is short, blocks that are complete go to temporary files: states are read back for expansion, the
 * log for a run. */
#ifndef NOETHER_STORE_BLOCKS_H
#define NOETHER_STORE_BLOCKS_H

#include <stddef.h>

#include "store/budget.h"
#include "store/spill.h"

struct blocks;
struct store_block;
struct blocks_writer;

/* A state by its place: the number of its block and its place in the block. */
typedef uint64_t block_ref;
#define BLOCKS_NOWHERE UINT64_MAX

struct block_range {
    struct store_block *block;
    uint32_t from, to;
};

/* `place`: of the files; NULL as in spill_create. */
struct blocks *blocks_create(uint32_t words, struct budget *budget, struct spill_place *place);
/* With all writers. */
void blocks_destroy(struct blocks *blocks);
struct blocks_writer *blocks_add_writer(struct blocks *blocks);

/* `parent`: where the state came from (BLOCKS_NOWHERE: it is a start state), `ordinal`: which of its successors it is;
 * `mark`: anything, for whoever expands it. BLOCKS_NOWHERE: no memory, and nothing has changed. */
block_ref blocks_append(struct blocks_writer *writer, const uint64_t *state, block_ref parent, uint64_t ordinal,
                        uint16_t mark);

/* What the writer has appended since it was last asked, as ranges added to *ranges. */
struct block_ranges {
    struct block_range *items;
    size_t count, capacity;
};
void blocks_end_level(struct blocks_writer *writer, struct block_ranges *ranges);

/* The states of a block, where those of the range are to be expanded; NULL when its file cannot be read. Each writer
 * reads one range at a time, and is done with it when they all are expanded. */
const uint64_t *blocks_open(struct blocks_writer *writer, const struct block_range *range);
/* The marks of these states; 0 of those from a checkpoint. */
const uint16_t *blocks_marks(const struct blocks_writer *writer, const uint64_t *states);
void blocks_done(struct blocks_writer *writer, const struct block_range *range);
block_ref blocks_ref(const struct store_block *block, uint32_t index);

/* At first all states are kept, expanded or not. They are gathered here, in heap memory; then, or if `wants` is false,
 * those that were expanded are let go. No thread may call anything else meanwhile. NULL: not wanted, or some are in a
 * file. */
uint64_t *blocks_gather(struct blocks *blocks, bool wants, uint64_t *count);

/* Where a state came from. false: the log cannot be read, or there is no such state. No thread may write meanwhile. */
bool blocks_parent(struct blocks *blocks, block_ref state, block_ref *parent, uint64_t *ordinal);

/* Writes to files what is complete and not being read; returns how many bytes that has set free. No thread may call
 * anything else meanwhile. */
uint64_t blocks_shed(struct blocks *blocks);

/* --- checkpoints (blocks_keep.c). No thread may call anything else meanwhile --- */

/* Hands over what has been appended since it was last handed over, block by block; the log of each piece begins with a
 * whole entry, so that it can be read alone. False: `take` said so, or a file cannot be read. To be called before a
 * level ends: what is behind its end is taken for handed over. */
struct kept_piece;
bool blocks_each_fresh(struct blocks *blocks, bool (*take)(void *user, const struct kept_piece *piece), void *user);
uint64_t blocks_count(const struct blocks *blocks);
/* The most states of a block. */
uint32_t blocks_most_states(const struct blocks *blocks);

/* Does the piece fit what was restored before it: does it go on where its block ends, and has it a log? (Where that
 * leads is not known before all blocks are there: who walks along parents must expect anything.) */
bool blocks_fits(const struct blocks *blocks, const struct kept_piece *piece);
/* Into blocks that are empty otherwise: the block, or more of it, as it was handed over. `waits`: its states are to be
 * expanded, or some of them; else only the log is kept. False: no memory, or it does not fit what was there before. */
bool blocks_restore(struct blocks *blocks, const struct kept_piece *piece, bool waits);
bool blocks_has(const struct blocks *blocks, block_ref state);
/* Its states wait from `from` to `to`, which were restored so. False: there are none such. */
bool blocks_restore_range(struct blocks *blocks, uint32_t number, uint32_t from, uint32_t to,
                          struct block_range *range);
/* Such a range is a part of the level that is being found. */
void blocks_restore_level(struct blocks_writer *writer, const struct block_range *range);
/* All is restored; until then nothing counts as expanded. `lets_go`: states that were are not kept. */
void blocks_restore_end(struct blocks *blocks, bool lets_go);
/* Bytes of the log (in memory or not) and of the waiting states in memory. */
uint64_t blocks_log_bytes(const struct blocks *blocks);

#endif
