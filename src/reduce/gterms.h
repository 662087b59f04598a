/* Private to gterm*.c: the pool.
 *
 *   gterm.c        every term once; those without parts
 *   gterm_join.c   operators with any number of parts
 *   gterm_fixed.c  operators with a fixed number of parts
 *   gterm_swap.c   two modules exchanged
 *   gterm_from.c   from expressions of the IR
 *   gterm_expr.c   to expressions of the IR */
#ifndef NOETHER_REDUCE_GTERMS_H
#define NOETHER_REDUCE_GTERMS_H

#include "base/words.h"
#include "reduce/gterm.h"

struct exchange {
    uint32_t epoch;
    const struct gterm *result;
};

struct made_expr {
    uint32_t epoch;
    struct expr *expr;
};

typedef VEC(const struct gterm *) gterm_list;

struct gterms {
    struct arena *arena;
    const struct system *system;
    const struct census_variable *variables; /* by cell */
    const struct census_module *modules;
    gterm_list all;
    gterm_list of_shared; /* by number of an expression that stands in several places: its term; NULL: not made yet */
    const struct gterm **of_scratch; /* by scratch cell */
    struct words words;              /* what the terms are made of */
    VEC(struct exchange) exchanges;  /* by id: what it becomes under the present exchange */
    uint32_t epoch, a, b;
    VEC(struct made_expr) made; /* by id: its expression in what is being made */
    uint32_t made_epoch;
};

/* The term that is equal to this one, which is copied when there is none. */
const struct gterm *gterms_intern(struct gterms *terms, struct gterm *term);
/* Of pointers to terms, for qsort. */
int gterms_compare_ids(const void *a, const void *b);
/* The value of the operator on two constants. False: it has none (it does not fit 64 bits). */
bool gterms_fold(enum gterm_kind kind, int64_t left, int64_t right, int64_t *value);

#endif
