/* The symmetry of a system: which index types are interchangeable, proved, and why others are not.
 *
 * Today every factor is the full symmetric group on one index type (a scalarset), acting on the
 * elements of arrays over it and on the values of cells of it, everywhere at once. */
#ifndef NOETHER_SYMMETRY_SYMMETRY_H
#define NOETHER_SYMMETRY_SYMMETRY_H

#include "base/bigint.h"
#include "ir/layout.h"

enum symmetry_kind { SYMMETRY_FULL };

/* Why an index type is not interchangeable: a place in the source. */
struct symmetry_breach {
    struct span span;
    const char *message; /* "clear picks the first element of Node" */
};

struct symmetry_factor {
    enum symmetry_kind kind;
    const struct type *type; /* an index type */
    uint32_t degree;         /* = type->size */
    bool is_used;            /* false: excluded, see breaches */
    struct symmetry_breach *breaches;
    uint32_t breach_count;
};

struct symmetry {
    const struct system *system;
    struct arena *arena;
    struct symmetry_factor *factors; /* one for each index type, in order of declaration */
    uint32_t factor_count;
};

/* Checks the scalarset discipline over the whole system. Types that break it are excluded, with the reasons. */
struct symmetry *symmetry_find(const struct system *system);
/* No factor in use. */
struct symmetry *symmetry_none(const struct system *system);
void symmetry_destroy(struct symmetry *symmetry);
bool symmetry_is_trivial(const struct symmetry *symmetry);
struct bigint *symmetry_order(const struct symmetry *symmetry);

#endif
