/* The walk that proves the shape, in the context of a rule or formula. */
#ifndef NOETHER_POPULATION_SHAPE_INNER_H
#define NOETHER_POPULATION_SHAPE_INNER_H

#include "base/vec.h"
#include "population/shape.h"

/* What a reference was bound to: an array of locals, or NULL. */
struct shape_binding {
    const struct variable *reference, *array;
};

/* Where a quantifier over the threads may stand. */
enum polarity {
    POLARITY_DENIED = -1,  /* under a negation: a universal one asks for a witness */
    POLARITY_NONE,         /* nowhere */
    POLARITY_ASSERTED = 1, /* an existential one asks for a witness */
};

struct prover {
    const struct thread_shape *shape;
    const struct type *thread;
    struct diagnostics *diagnostics;
    VEC(const struct variable *) threads; /* variables that hold a thread, in scope */
    VEC(struct shape_binding) bindings;
    /* In a loop over the threads; else NULL: its variable, and the arrays that it writes. */
    const struct variable *looping;
    VEC(const struct variable *) looped;
    uint32_t witnesses;
    bool is_broadcast, has_failed;
};

/* Adds an error at a place, once; false. */
bool prover_fail(struct prover *prover, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *prover_name(const struct prover *prover); /* of the type of the threads */

/* Each returns false after an error. */
bool prove_expr(struct prover *prover, const struct expr *expr, enum polarity polarity);
bool prove_place(struct prover *prover, const struct place *place, bool is_written);
bool prove_domain(struct prover *prover, const struct domain *domain);
bool prove_block(struct prover *prover, const struct block *block);

/* Does the domain run over all threads? */
static inline bool domain_is_threads(const struct prover *prover, const struct domain *domain)
{
    return !domain->from && domain->type == prover->thread;
}
/* The array of locals that the place is one element of, or NULL. *thread: whose. */
const struct variable *place_local(const struct prover *prover, const struct place *place,
                                   const struct variable **thread);

#endif
