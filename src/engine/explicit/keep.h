/* Checkpoints of a layered search (store/checkpoint.h), and its continuation.
 *
 *   keep.c           when one is taken, and of what
 *   keep_commit.c    how it is committed, by all ranks together
 *   keep_search.c    how far the search is, as JSON
 *   keep_findings.c  what was found, as JSON
 *   keep_held.c      successors that are not looked up yet
 *   keep_places.c    where a state lies when the number of ranks is another one
 *   restore.c        the way back
 *   restore_states.c the states
 *
 * A checkpoint is taken when all workers (of all ranks) have come to rest between two ranges of a level, or at its end:
 * every so many seconds, and when a limit or a signal ends the search. It has all states that were found, the ranges of
 * the level that are still to be expanded (its rest), and counts of what was expanded. A range that a worker was in the
 * middle of is expanded again: its counts are taken back to the range's beginning, the states found stay.
 *
 * A search that is ended may have successors of ranges that were expanded which are in no block yet: held back until
 * they are looked up on the disk (disk.c), or on their way to their owners (ranks.c). These are kept, too, and are
 * inserted when the search goes on; one that is there already is then found.
 *
 * States of the level that is being found are judged again by the search that goes on, since the end may have cut an
 * evaluation short; so their orbits are counted by that one. The counts of orbits in the checkpoint are therefore those
 * of the level's beginning.
 *
 * Each rank keeps its blocks. Where as many ranks go on, each has its own again. Other numbers of ranks deal the blocks
 * (keep_places.c) and write the checkpoint anew. Then a state may lie in a block of one rank and have another rank as
 * its owner, which has it in its visited set: such a checkpoint (`owned` is false) is read whole by each rank. */
#ifndef NOETHER_ENGINE_EXPLICIT_KEEP_H
#define NOETHER_ENGINE_EXPLICIT_KEEP_H

#include "base/json.h"
#include "engine/explicit/search.h"
#include "store/checkpoint.h"

/* What a worker expands, and its counts when it began. */
struct keep_mark {
    bool is_open;
    struct block_range range;
    uint64_t transitions, unmade, rules_fired, expanded, work;
    uint64_t *fired, *passed; /* by rule id; passed: NULL as in the stepper */
};

struct keeper {
    struct checkpoint *checkpoint;
    double every;                            /* seconds between two commits, at most */
    double begin, last;                      /* when this process began, and committed last */
    double seconds, cpu;                     /* of the searches that this one continues */
    bool is_owned;                           /* each state is in a block of its owner */
    struct bigint *represented;              /* when the level began */
    uint64_t work;                           /* of canonicalisers, in the searches before */
    uint32_t rung;                           /* of trial.c */
    VEC(struct explicit_finding *) reported; /* in their order */
};

/* Whether the layout and the symmetry are those of the search that wrote it. */
uint64_t keep_identity(const struct explicit_search *search);

/* keep_commit.c: what was appended counts, if all ranks have written theirs. By all ranks at the same time. */
void keep_commit(struct explicit_search *search);
/* keep_search.c: what is the same for all ranks, and what is this one's. */
struct json *keep_describe(struct explicit_search *search);
struct json *keep_describe_part(struct explicit_search *search);

/* keep_held.c: all that is held back goes to the checkpoint. False: some of it is lost, or cannot be written. */
bool keep_append_held(struct explicit_search *search);
/* What the checkpoint has of it goes on its way again. False: the search is over, or *why it is refused. */
struct keep_places;
bool keep_feed_held(struct explicit_search *search, const struct keep_places *places, struct text *why);

/* keep_places.c: where what lay in a block of one of `parts` ranks lies now. */
struct keep_places {
    uint32_t parts, ranks;
    bool is_same;
    uint64_t *blocks, *before; /* by part: how many it has, and how many those before it have */
};
/* From the manifest. False: it is nothing of the kind. */
bool keep_places_read(struct keep_places *places, const struct json *described, uint32_t ranks);
void keep_places_free(struct keep_places *places);
/* False: there is no such block. */
bool keep_place_of(const struct keep_places *places, uint32_t part, uint32_t block, uint32_t *rank,
                   uint32_t *new_block);
/* Of a state, as ranks.h says. BLOCKS_NOWHERE stays that. */
bool keep_place_of_state(const struct keep_places *places, block_ref state, block_ref *now);
/* The log of a piece with places as they are now, on the heap; NULL: it is none. */
uint8_t *keep_place_log(const struct keep_places *places, const struct kept_piece *piece, uint32_t *size);

/* keep_findings.c: all of a list; NULL items are passed over. */
struct json *keep_describe_findings(const struct explicit_search *search, struct explicit_finding *const *list,
                                    size_t count);
/* The finding as it was, on the heap, with the failure it is about found once more. NULL: it is nothing of the kind.
 * `places` NULL: its place is still the same. */
struct explicit_finding *keep_find_again(struct explicit_search *search, const struct json *described,
                                         const struct keep_places *places);

/* restore_states.c: all states into the visited set and the blocks of this rank, the rest of the level, and what was
 * found of the next one. False: the search is over, or *why it is refused. */
bool restore_states(struct explicit_search *search, const struct json *described, const struct keep_places *places,
                    struct text *why);

/* restore.c: from the checkpoint into a search that has found nothing yet. False: refused, and the search is stopped.
 */
bool restore_search(struct explicit_search *search);

#endif
