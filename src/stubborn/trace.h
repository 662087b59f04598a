/* Following a rule to see what it reads and writes: every branch that may be taken, calls entered with their arguments
 * in place (there is no recursion), loops once with their variable unknown. */
#ifndef NOETHER_STUBBORN_TRACE_H
#define NOETHER_STUBBORN_TRACE_H

#include "stubborn/inner.h"

/* Some cells of the state: `count` pieces of `cells` cells. */
struct region {
    uint32_t *starts;
    uint32_t count, cells;
    bool is_local; /* none: scratch */
    bool is_whole; /* a multiset: no part of it is looked at alone, since slots move */
};

struct trace_binding {
    const struct variable *reference;
    struct region region;
};

struct tracer {
    struct stubborn *stubborn;
    struct unit *unit; /* NULL: only reads are asked for */
    struct footprint_sets sets;
    const struct queue_use *queue;
    bool is_before; /* the guard has seen to it that the rule can do what it does with the queue, and it has not yet */
    bool queue_fails;  /* it is not the same queue in guard and body */
    bool is_too_much;  /* the work is over */
    uint32_t repeated; /* loops and calls around */
    uint32_t calls;    /* so far */
    bool is_sure;      /* what follows surely happens */
    VEC(struct trace_binding) bindings;
};

bool trace_works(struct tracer *tracer);
/* trace_place.c: the region must be freed. The indices are read on the way. */
struct region trace_region(struct tracer *tracer, const struct place *place);
void region_free(struct region *region);
void trace_read(struct tracer *tracer, const struct place *place);
/* With what may be undefined. */
void trace_write(struct tracer *tracer, const struct place *place);
/* place := value */
void trace_store(struct tracer *tracer, const struct place *place, const struct expr *value);
void trace_bind(struct tracer *tracer, const struct variable *reference, struct region region);
/* The queue is sent to, or received from. */
void trace_queue(struct tracer *tracer);

/* trace.c */
void trace_value(struct tracer *tracer, const struct expr *expr);
void trace_call(struct tracer *tracer, const struct expr *call);

#endif
