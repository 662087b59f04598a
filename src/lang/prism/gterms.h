/* Private to gterm*.c: the pool.
 *
 *   gterm.c        every term once; those without parts
 *   gterm_join.c   operators with any number of parts
 *   gterm_fixed.c  operators with a fixed number of parts
 *   gterm_swap.c   two modules exchanged */
#ifndef NOETHER_LANG_PRISM_GTERMS_H
#define NOETHER_LANG_PRISM_GTERMS_H

#include "base/vec.h"
#include "lang/prism/gterm.h"

struct exchange {
    uint32_t epoch;
    const struct gterm *result;
};

typedef VEC(const struct gterm *) gterm_list;

struct gterms {
    struct arena *arena;
    struct prism_values *values;
    const struct prism_network *network;
    gterm_list all;
    gterm_list of_shared; /* by number of an expression that stands in several places: its term; NULL: not made yet */
    const struct gterm **table; /* open addressing */
    size_t size;
    VEC(struct exchange) exchanges; /* by id: what it becomes under the present exchange */
    uint32_t epoch, a, b;
};

/* The term that is equal to this one, which is copied when there is none. */
const struct gterm *gterms_intern(struct gterms *terms, struct gterm *term);
/* Of pointers to terms, for qsort. */
int gterms_compare_ids(const void *a, const void *b);

/* The type of such an operator with these parts. */
enum prism_type gterms_join_type(enum gterm_kind kind, const struct gterm *const *parts, size_t count);

#endif
