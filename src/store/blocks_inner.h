/* Blocks from inside: blocks.c is the search's, blocks_keep.c the checkpoint's. */
#ifndef NOETHER_STORE_BLOCKS_INNER_H
#define NOETHER_STORE_BLOCKS_INNER_H

#include <pthread.h>

#include "base/vec.h"
#include "store/blocks.h"
#include "store/log.h"

#define BLOCKS_NO_SLOT UINT64_MAX

struct store_block {
    uint32_t number, count;
    bool is_complete;
    uint32_t expanded; /* states that are not needed any more */
    uint32_t readers;
    uint64_t *states;             /* NULL: let go, or in the file */
    uint64_t slot;                /* place in the file of states, or BLOCKS_NO_SLOT */
    struct blocks_writer *writer; /* as long as it is not complete */
    uint8_t *log;                 /* of a complete block; NULL: in the file */
    uint64_t log_at;
    uint32_t log_size;
    uint32_t waiting;        /* while blocks are restored: states that are to be expanded */
    uint32_t kept, kept_log; /* states, and bytes of the log, that are in a checkpoint */
};

struct blocks_writer {
    struct blocks *blocks;
    struct store_block *block;
    struct log_writer log;
    uint32_t level_from;          /* where the level began in the block */
    VEC(struct block_range) done; /* of the level, in earlier blocks */
    uint64_t *buffer;             /* states read back */
    struct store_block *buffered;
};

struct blocks {
    struct budget *budget;
    uint32_t words, block_states;
    pthread_mutex_t lock;            /* of all that follows */
    VEC(struct store_block *) items; /* by number - 1 */
    VEC(struct blocks_writer *) writers;
    VEC(uint64_t *) idle;     /* memory for states */
    VEC(uint64_t) idle_slots; /* places in the file of states */
    struct spill *states, *logs;
    uint64_t log_bytes;
    bool lets_go; /* of states that were expanded */
};

/* The states, and behind them their marks. */
static inline uint64_t blocks_state_bytes(const struct blocks *blocks)
{
    return (uint64_t)blocks->block_states * (blocks->words * sizeof(uint64_t) + sizeof(uint16_t));
}

/* Memory for the states of a block; NULL: there is none. The lock is held. */
uint64_t *blocks_take_states(struct blocks *blocks);

#endif
