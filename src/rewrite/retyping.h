/* Private to retype*.c: the copy being made. */
#ifndef NOETHER_REWRITE_RETYPING_H
#define NOETHER_REWRITE_RETYPING_H

#include "rewrite/gather.h"
#include "rewrite/point.h"
#include "rewrite/retype.h"

/* The copy of a global variable is an element of an array (rewrite/gather.h). */
struct gathered {
    struct variable *array; /* NULL: it is a variable of its own */
    uint32_t ordinal;       /* of the element */
};

struct variable_pair {
    const struct variable *old;
    struct variable *new;            /* or the array that has it */
    const struct gathered *gathered; /* NULL: it is a variable of its own */
};

/* Of an expression that stands in several places: the last copy that was made. */
struct shared_copy {
    struct expr *copy; /* NULL: none yet */
    uint32_t want;
};

struct retyping {
    const struct carriers *carriers;
    const struct system *old;
    struct system *new;
    const struct type **types;   /* by id */
    const struct type **indices; /* by carrier */
    int64_t *shift;              /* by carrier: new code - old code */
    struct variable_pair *pairs; /* by address of the old variable */
    size_t pair_count;
    struct shared_copy *shared;            /* by number in the old system */
    const struct variable *const *pointed; /* scratch variables that become part of the state (rewrite/point.h) */
    uint32_t pointed_count;
    struct gathered *gathered;       /* by position of the old global variable; NULL: none is in an array */
    const struct function *function; /* of the old system: whose body is being copied */
};

/* retype_type.c */
bool retype_types(struct retyping *r);
static inline const struct type *retype_type(const struct retyping *r, const struct type *type)
{
    return type ? r->types[type->id] : NULL;
}

/* retype_expr.c: copies of nodes; NULL for NULL. `want` is the carrier the value is to be of; NO_CARRIER: a number. */
struct expr *retype_expr(struct retyping *r, const struct expr *expr);
struct expr *retype_value(struct retyping *r, const struct expr *expr, uint32_t want);
struct expr *retype_number(struct retyping *r, const struct expr *expr); /* its value as it was */
struct place *retype_place(struct retyping *r, const struct place *place);
struct domain retype_domain(struct retyping *r, const struct domain *domain, const struct variable *variable);
struct variable *retype_variable(struct retyping *r, const struct variable *variable);

/* retype.c */
/* A copy in which every type keeps its elements. `none` is written to, and must live as long as the result. */
struct retyping retype_begin_alike(const struct system *old, struct carriers *none);
void retype_contents(struct retyping *r);
struct block retype_block(struct retyping *r, const struct block *block);

/* retype_chain.c: NULL for NULL; formulas and the chain after the propositions. */
const struct joint *retype_joint(struct retyping *r, const struct joint *joint);
const struct weight *retype_weight(struct retyping *r, const struct weight *weight);
const struct pctl *retype_pctl(struct retyping *r, const struct pctl *pctl);
void retype_chain(struct retyping *r);

/* The carrier of a type, or an expression, when it changes. */
static inline uint32_t retype_wanted(const struct retyping *r, uint32_t carrier)
{
    return carrier != NO_CARRIER && r->carriers->items[carrier].is_wanted ? carrier : NO_CARRIER;
}

#endif
