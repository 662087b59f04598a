/* Private to crowd.c, iteration.c and moves.c: loops and quantifiers over families. */
#ifndef NOETHER_REDUCE_CROWD_H
#define NOETHER_REDUCE_CROWD_H

#include "reduce/inner.h"

/* Where the run stood when it began with one element of a crowd. */
struct reduce_iteration {
    size_t pending, log, events, first_read, first_write, outer_write, sums, sum_events;
    uint32_t family, location; /* of the element */
    int32_t offset;            /* of the crowd, the element still in it */
};

/* The element has just been named. */
struct reduce_iteration crowd_begin(struct reduce_run *run, const struct element *element);
/* After the body, which ended with `go`. *is_absent: the run has found that there is no such element; *is_certain: that
 * there is one. Local variables that it has written keep their values, of an element if there is one; but not those of
 * functions that a quantifier has called, which are not read again. */
enum reduce_go crowd_end(struct reduce_run *run, const struct reduce_iteration *iteration, enum reduce_go go,
                         bool is_quantifier, struct span span, bool *is_absent, bool *is_certain);

/* Does what is added up here begin anew in every iteration around the innermost one? In the innermost one itself? */
bool spot_is_fresh(const struct reduce_run *run, const struct reduce_spot *spot);
bool spot_is_new(const struct reduce_run *run, const struct reduce_spot *spot);
/* A local variable: does it outlive the calls in expressions around here, which change nothing that it may depend on?
 */
bool spot_is_kept(const struct reduce_run *run, const struct reduce_spot *spot);

/* All elements of a crowd go from one location to another. */
struct move {
    uint32_t family, from, to;
};
struct moves {
    struct move *items;
    size_t count, capacity;
};
/* Counters and pointers after a loop. */
enum reduce_go moves_apply(struct reduce_run *run, const struct moves *moves, struct span span);

#endif
