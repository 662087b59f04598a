/* The state in variables of decision diagrams.
 *
 * A cell is encoded as ir/layout.h packs it: its ordinal + 1, 0 when undefined (a taken-flag: its value), one pair of
 * variables for each bit. Pair k is variable 2k (current) and 2k + 1 (next). Pairs are numbered as they are to stand in
 * the order (order.c). */
#ifndef NOETHER_ENGINE_SYMBOLIC_ENCODING_H
#define NOETHER_ENGINE_SYMBOLIC_ENCODING_H

#include "bits/machine.h"
#include "dd/dd.h"
#include "ir/layout.h"

enum order_kind {
    ORDER_PROCESSES,    /* process by process */
    ORDER_SLICED,       /* bit by bit, each of all processes */
    ORDER_FOR_EXCHANGES /* that of the two in which neighbours are cheap to compare and exchange */
};

struct encoding {
    const struct layout *layout;
    struct dd_manager *m;
    struct algebra algebra; /* of the machine that runs statements (bits/machine.h) */
    uint32_t pair_count;
    uint32_t *first;                       /* by cell, one more than there are: where its bits begin in `pairs` */
    uint32_t *pairs;                       /* the pair of each bit, lowest bit first */
    dd current;                            /* the cube of all current variables; referenced */
    int8_t *picked;                        /* room for one assignment of all variables */
    uint64_t *words;                       /* room for one packed state */
    const struct dd_permutation *exchange; /* NULL: not made yet */
};

static inline uint32_t encoding_width(const struct encoding *encoding, uint32_t cell)
{
    return encoding->first[cell + 1] - encoding->first[cell];
}
static inline uint32_t encoding_pair(const struct encoding *encoding, uint32_t cell, uint32_t b)
{
    return encoding->pairs[encoding->first[cell] + b];
}
static inline uint32_t encoding_variable(const struct encoding *encoding, uint32_t cell, uint32_t b)
{
    return 2 * encoding_pair(encoding, cell, b);
}

static inline struct encoding *machine_encoding(const struct machine *machine)
{
    return machine->algebra->data;
}

/* How many bits a state takes. */
uint32_t encoding_bits(const struct layout *layout);
/* The manager must have two variables for each bit. NULL: no memory. */
struct encoding *encoding_create(const struct layout *layout, enum order_kind kind, struct dd_manager *m);
void encoding_destroy(struct encoding *encoding);
/* The set of one state; normalised cells. DD_NONE: no memory. */
dd encoding_state(struct encoding *encoding, const int32_t *cells);
/* Some state of the set, which must not be empty. */
void encoding_pick(struct encoding *encoding, dd set, int32_t *cells);

/* Current and next variables exchanged. */
const struct dd_permutation *encoding_exchange(struct encoding *encoding);

/* order.c: the pair of every bit, by cell and bit as in encoding->pairs. */
void order_pairs(const struct layout *layout, const uint32_t *first, enum order_kind kind, uint32_t *pairs);

#endif
