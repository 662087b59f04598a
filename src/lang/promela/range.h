/* Intervals of numbers, and what operators make of them. */
#ifndef NOETHER_LANG_PROMELA_RANGE_H
#define NOETHER_LANG_PROMELA_RANGE_H

#include "lang/promela/ast.h"

struct pml_range {
    int64_t lo, hi; /* hi < lo: none */
};

extern const struct pml_range pml_range_truth;

/* What a type can hold. */
struct pml_range pml_type_range(struct pml_type type);
/* The least that has both. */
struct pml_range pml_range_join(struct pml_range a, struct pml_range b);
/* As it is, or, where that is more than an int can be, all ints. */
struct pml_range pml_range_of_int(struct pml_range range);
/* A long: what is computed with the literal 2147483648. Exact where that is the operand of a minus. */
struct pml_range pml_range_of_long(const struct pml_expr *expr);
struct pml_range pml_range_binary(enum pml_op op, struct pml_range a, struct pml_range b);
struct pml_range pml_range_unary(enum pml_op op, struct pml_range a);

static inline bool pml_range_covers(struct pml_range outer, struct pml_range inner)
{
    return inner.hi < inner.lo || (outer.lo <= inner.lo && inner.hi <= outer.hi);
}

#endif
