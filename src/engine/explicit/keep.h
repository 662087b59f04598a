/* Checkpoints of a layered search (store/checkpoint.h), and its continuation.
 *
 *   keep.c           when one is taken, and of what
 *   keep_search.c    how far the search is, as JSON
 *   keep_findings.c  what was found, as JSON
 *   restore.c        the way back
 *
 * A checkpoint is taken when all workers have come to rest between two ranges of a level, or at its end: every so many
 * seconds, and when a limit or a signal ends the search. It has all states that were found, the ranges of the level
 * that are still to be expanded (its rest), and counts of what was expanded. A range that a worker was in the middle of
 * is expanded again: its counts are taken back to the range's beginning, the states found stay.
 *
 * States of the level that is being found are judged again by the search that goes on, since the end may have cut an
 * evaluation short; so their orbits are counted by that one. The counts of orbits in the checkpoint are therefore those
 * of the level's beginning. */
#ifndef NOETHER_ENGINE_EXPLICIT_KEEP_H
#define NOETHER_ENGINE_EXPLICIT_KEEP_H

#include "base/json.h"
#include "engine/explicit/search.h"
#include "store/checkpoint.h"

/* What a worker expands, and its counts when it began. */
struct keep_mark {
    bool is_open;
    struct block_range range;
    uint64_t transitions, rules_fired, expanded, work;
    uint64_t *fired, *passed; /* by rule id; passed: NULL as in the stepper */
};

struct keeper {
    struct checkpoint *checkpoint;
    double every, last;                      /* seconds */
    double seconds, cpu;                     /* of the searches that this one continues */
    uint64_t settled;                        /* states in the checkpoint when the level began */
    struct bigint *represented;              /* then */
    uint64_t work;                           /* of canonicalisers, in the searches before */
    uint32_t rung;                           /* of trial.c */
    VEC(struct explicit_finding *) reported; /* in their order */
};

/* Whether the layout and the symmetry are those of the search that wrote it. */
uint64_t keep_identity(const struct explicit_search *search);

/* keep_search.c; frees nothing. */
struct json *keep_describe(struct explicit_search *search);
/* keep_findings.c: all of a list; NULL items are passed over. */
struct json *keep_describe_findings(const struct explicit_search *search, struct explicit_finding *const *list,
                                    size_t count);
/* The finding as it was, on the heap, with the failure it is about found once more. NULL: it is nothing of the kind. */
struct explicit_finding *keep_find_again(struct explicit_search *search, const struct json *described);

/* restore.c: from the checkpoint into a search that has found nothing yet. False: refused, and the search is stopped.
 */
bool restore_search(struct explicit_search *search);

#endif
