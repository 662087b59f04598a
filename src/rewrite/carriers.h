/* Index domains (here: carriers): which plain types denote the same set of elements.
 *
 * A range `1..N` written in three places may number the same processes in all of them, and a range with the same bounds
 * may count messages. The flow of values decides: types between whose variables values are
 * assigned, compared for equality, passed, or used to index are one *carrier*. Numbers that are computed, and order
 * comparisons, join nothing. A carrier of ranges spans all of them (a process, or 0 for none: 0..N); an enum is a
 * carrier of its own, and so is a declared index type. */
#ifndef NOETHER_REWRITE_CARRIERS_H
#define NOETHER_REWRITE_CARRIERS_H

#include "ir/system.h"

#define NO_CARRIER UINT32_MAX
#define CARRIER_UNASKED (UINT32_MAX - 1)

struct carrier {
    int32_t lo, hi;           /* codes: the numbers of ranges, the labels' codes of an enum */
    const struct type *type;  /* its widest type, of those a named one if there is any */
    bool is_declared;         /* an index type */
    bool is_index, is_domain; /* it indexes arrays; rule parameters, quantifiers or loops run over it */
    bool is_state;            /* states mention it */
    bool has_things;          /* its values name things (struct type) */
    bool is_places;           /* these things are places of control */
    bool is_slot;             /* it numbers the slots of a multiset */
    bool is_wanted;           /* is to become an index type; set by the user of this */
};

struct carriers {
    const struct system *system;
    struct arena *arena;
    uint32_t *of_type; /* by type id: the carrier of a scalar type (not of unions); NO_CARRIER: none */
    struct carrier *items;
    uint32_t count;
    uint32_t *of_shared; /* by number of an expression that stands in several places: its carrier; CARRIER_UNASKED: not
                            known yet */
};

struct carriers *carriers_find(const struct system *system);
void carriers_destroy(struct carriers *carriers);
uint32_t *carriers_unasked(struct arena *arena, const struct system *system);

/* The carrier of the values of an expression; NO_CARRIER: a truth value, a union's, or a number that is a constant or
 * computed. */
uint32_t carriers_of_expr(const struct carriers *carriers, const struct expr *expr);
/* Is the code a value of some type of the carrier? One of ranges may span numbers between them that nothing has. */
bool carriers_has(const struct carriers *carriers, uint32_t carrier, int64_t code);
static inline uint32_t carriers_of_type(const struct carriers *carriers, const struct type *type)
{
    return type ? carriers->of_type[type->id] : NO_CARRIER;
}

#endif
