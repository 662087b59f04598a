/* A search that is distributed over several processes, the ranks (--distributed; ranks/transport.h).
 *
 *   ranks.c         states on their way to their owners, level by level
 *   ranks_merge.c   what the ranks tell one another at the end of a level, and of the search
 *
 * Each state, canonical and packed, has an owner, by its hash: the owner has it in its visited set, its frontier and
 * its log (Stern, Dill, Parallelizing the Murphi verifier, CAV 1997). Successors go to their owners in batches. A rank
 * has at most RANKS_CREDITS batches on their way to another one: it gets a credit back when a batch has been inserted,
 * so no receiver is flooded. A rank that waits for credits inserts what has come meanwhile; inserting sends nothing, so
 * no rank waits for ever.
 *
 * A level is over when every rank has expanded its states and has its credits back: then it begins a barrier, and goes
 * on inserting until the barrier is over (Hoefler, Siebert, Lumsdaine, Scalable communication protocols for dynamic
 * sparse data exchange, PPoPP 2010). Then all ranks tell all others what they have found, and each comes to the same
 * conclusions: counts, verdicts and lengths of runs do not depend on the number of ranks or threads.
 *
 * A search that is over inserts nothing more. What is on its way then is dropped, or rescued for the checkpoint: it is
 * sent again when the search goes on (keep_held.c).
 *
 * The place of a state in a log (block_ref) has the rank of its owner in the bits that blocks do not use. A run is
 * collected by walking from rank to rank; each rank then takes its steps again, and all have it. */
#ifndef NOETHER_ENGINE_EXPLICIT_RANKS_H
#define NOETHER_ENGINE_EXPLICIT_RANKS_H

#include "base/json.h"
#include "engine/explicit/search.h"
#include "ranks/transport.h"

enum {
    RANKS_SHIFT = 12, /* a block has fewer than 2^12 states */
    RANKS_BITS = 20
};

enum rank_kind { RANK_STATES, RANK_CREDIT, RANK_STOP, RANK_PROGRESS };

/* Records on their way to a rank that has no credit for them. */
struct rank_batch {
    uint32_t to;
    size_t size;
    uint64_t *records;
};

struct rank_progress {
    uint64_t states, rules_fired, expanded, bytes;
};

struct ranks {
    const struct transport *transport;
    uint32_t rank, count, record; /* words of a record */
    uint32_t batch_records;
    pthread_mutex_t lock; /* of the transport and of all that follows */
    uint32_t *credits;    /* by rank */
    VEC(struct rank_batch) outbox;
    VEC(struct rank_message) inbox;
    VEC(struct rank_batch) rescued; /* where checkpoints are kept: what a search that is over has not inserted */
    uint64_t unanswered;            /* messages that have not been acknowledged */
    uint32_t inserting;             /* batches that workers are inserting now */
    bool has_told_stop;
    double told_stop; /* when */
    bool *knows_stop; /* by rank: it has answered */
    bool is_broken;   /* a rank is lost: there is nobody to talk to */
    double last_progress;
    struct rank_progress *others; /* by rank: what they said last */
    /* How much there was, for -v and script/bench. */
    uint64_t sent_states, sent_bytes, sent_batches, waits;
    struct {
        uint64_t sent_states, sent_bytes, sent_batches, least, most; /* the last two: states of a rank */
    } all;
};

/* By worker: for each rank records that are still to be sent. */
struct rank_outgoing {
    uint64_t *records;
    uint32_t count;
};

/* ranks_merge.c: all that each rank says, by rank, as JSON (NULL: nothing that can be read); takes `mine`. */
struct json **ranks_share(struct explicit_search *search, struct json *mine);

#endif
