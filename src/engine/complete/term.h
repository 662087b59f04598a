/* Terms over a state in which the processes have names instead of numbers.
 *
 * The index of an object is an unknown constant: ID. A proof about a term in which no index was
 * read holds for every numbering of the objects, and so under every permutation of them (Chu, Jaffar, section 4,
 * Theorem 1: the proof is renamed). If an index *was* read, as in "id < 3" or "the cell left of i",
 * it stands in the term and is evaluated again after the permutation.
 *
 *   CONST   value
 *   ID      the index of `object`
 *   ROLE    a function of it, tabulated: "left of i"
 *   CELL    a cell at fixed indices
 *   VIEW    a cell of a slot with one index, which is an ID or ROLE
 *   SELECT  a cell whose indices are the arguments
 *   SUM     value + sum of coefficient * argument
 *   LE EQ NE   the same sum compared with 0
 *   AND OR NOT
 *   OP      any other operator on the arguments
 *   MEMBER  is the argument one of the codes of `type`?
 *   IN      is its ordinal in `type` one of the bits of `value`?
 *   UNDEFINED  is the argument, a cell, undefined?
 *   SAME    are two cells the same, undefined or not?
 *
 * ID, CELL, VIEW and SELECT are the *leaves*. Terms are immutable, unique (compared by pointer) and live until the
 * end of the run. */
#ifndef NOETHER_ENGINE_COMPLETE_TERM_H
#define NOETHER_ENGINE_COMPLETE_TERM_H

#include "base/vec.h"
#include "engine/complete/shape.h"

enum term_kind {
    TERM_CONST,
    TERM_ID,
    TERM_ROLE,
    TERM_CELL,
    TERM_VIEW,
    TERM_SELECT,
    TERM_SUM,
    TERM_LE,
    TERM_EQ,
    TERM_NE,
    TERM_AND,
    TERM_OR,
    TERM_NOT,
    TERM_OP,
    TERM_MEMBER,
    TERM_IN,
    TERM_UNDEFINED,
    TERM_SAME
};

/* A function from the elements of a family to codes. */
struct term_role {
    uint32_t family;
    int32_t *codes; /* by element */
};

/* A slot seen through a role: the cell of each element. */
struct complete_view {
    uint32_t slot;
    const struct term_role *role;
    uint32_t *cells; /* by element */
};

struct complete_term {
    enum term_kind kind;
    enum operator op;
    uint32_t id, count, object, slot, cell;
    int64_t value;
    const struct type *type;      /* leaves, ROLE: what its values are of; MEMBER, IN: the type asked about */
    const struct term_role *role; /* ROLE, VIEW */
    const struct complete_view *view;
    const struct complete_term *const *arguments;
    const int64_t *coefficients;
    uint64_t hash;
    int64_t lo, hi;                      /* bounds of its values */
    const struct complete_term *leaf;    /* the only one in it; NULL: none; TERM_MANY */
    bool is_rigid;                       /* all leaves are IDs: no step changes it */
    bool asks_defined;                   /* UNDEFINED or SAME is part of it */
    uint32_t weight;                     /* how large it is; IDs do not count */
    uint64_t objects;                    /* that it names, as bits; not kept when there are more than 64 */
    const struct complete_term *simpler; /* what is used instead of it, or NULL */
};

extern const struct complete_term term_many_leaves;
#define TERM_MANY (&term_many_leaves)

struct terms {
    const struct shape *shape;
    struct arena *arena;
    const struct complete_term **table; /* open addressing; capacity a power of two */
    size_t capacity, count;
    const struct complete_term **ids;      /* by object */
    const struct complete_term *small[64]; /* the constants from 0 on, once made */
    const struct term_role **identities;   /* by family, once made */
    VEC(struct term_role *) roles;
    VEC(struct complete_view *) views;
    uint64_t bytes;
    bool is_heavy_met; /* what some term depends on was kept as it is (TERM_HEAVY) */
};

/* What a term is evaluated in. */
struct complete_scene {
    const struct shape *shape;
    const int32_t *cells;
    const uint32_t *map;              /* object -> object; NULL: itself */
    const struct complete_term *leaf; /* a leaf that has another value, or NULL */
    int64_t value;                    /* ... this one */
};

struct terms *terms_create(const struct shape *shape);
void terms_destroy(struct terms *terms);

/* The unique term like this one (or what is used instead of it); arguments are copied. For term*.c only. */
const struct complete_term *term_intern(struct terms *terms, const struct complete_term *wanted);

/* Constructors fold. Those that return NULL cannot say it (too wide a number). */
const struct complete_term *term_const(struct terms *terms, int64_t value);
const struct complete_term *term_cell(struct terms *terms, const struct slot *slot,
                                      const struct complete_term *const *indices);
const struct complete_term *term_combine(struct terms *terms, const struct complete_term *left, int64_t factor,
                                         const struct complete_term *right, int64_t other_factor, int64_t constant);
const struct complete_term *term_compare(struct terms *terms, enum operator op, const struct complete_term *left,
                                         const struct complete_term *right);
/* From a sum that may have repeated, nested and zero items; they are sorted in place. SUM, LE, EQ or NE. */
struct sum_item {
    const struct complete_term *term;
    int64_t coefficient;
};
/* term_bounds.c: sets lo and hi of a new term. */
void term_note_bounds(const struct terms *terms, struct complete_term *term);
/* The largest absolute value, and whether no such sum is larger than `most`. */
int64_t term_magnitude(const struct complete_term *term);
bool term_is_sum_within(const struct sum_item *items, size_t count, int64_t constant, uint64_t most);
const struct complete_term *term_sum(struct terms *terms, enum term_kind kind, const struct sum_item *items,
                                     size_t count, int64_t constant);
const struct complete_term *term_junction(struct terms *terms, enum term_kind kind,
                                          const struct complete_term *const *items, size_t count);
const struct complete_term *term_not(struct terms *terms, const struct complete_term *term);
const struct complete_term *term_operator(struct terms *terms, enum operator op, const struct complete_term *left,
                                          const struct complete_term *right);
const struct complete_term *term_member(struct terms *terms, const struct complete_term *term, const struct type *type);
const struct complete_term *term_in(struct terms *terms, const struct complete_term *term, const struct type *type,
                                    uint64_t mask);
const struct complete_term *term_undefined(struct terms *terms, const struct complete_term *leaf);
const struct complete_term *term_same(struct terms *terms, const struct complete_term *left,
                                      const struct complete_term *right);
/* A term as one that is true or false: a cell that holds a truth value is compared with 0. */
const struct complete_term *term_truth(struct terms *terms, const struct complete_term *term);
/* The indices of a CELL, VIEW or SELECT. */
void term_indices(struct terms *terms, const struct complete_term *leaf, const struct complete_term **indices);

static inline bool term_is_const(const struct complete_term *term)
{
    return term->kind == TERM_CONST;
}
static inline bool term_is_leaf(const struct complete_term *term)
{
    return term->kind == TERM_ID || (term->kind >= TERM_CELL && term->kind <= TERM_SELECT);
}

/* False: an undefined cell, a division by zero and the like stands in the way. */
bool term_evaluate(const struct complete_term *term, const struct complete_scene *scene, int64_t *value);
bool term_holds(const struct complete_term *term, const struct complete_scene *scene);
/* A leaf that is a cell, undefined or not. False: an index is out of range. */
bool term_cell_of(const struct complete_term *leaf, const struct complete_scene *scene, uint32_t *cell);

/* Sets of values of a leaf with few of them: bit o for ordinal o, and the last for "undefined". */
enum { TERM_MASK_VALUES = 63 };
#define TERM_MASK_UNDEFINED (UINT64_C(1) << TERM_MASK_VALUES)
static inline bool term_has_masks(const struct complete_term *leaf)
{
    return leaf && leaf != TERM_MANY && leaf->type->size <= TERM_MASK_VALUES;
}
static inline uint64_t term_mask_of_all(const struct complete_term *leaf)
{
    return (UINT64_C(1) << leaf->type->size) - 1;
}
/* The values of its only leaf (which has masks) for which the term is true. */
uint64_t term_mask(const struct terms *terms, const struct complete_term *term);
bool term_mask_has(const struct type *type, uint64_t mask, int64_t code);

/* Larger terms are not worth their cost: what they depend on is then kept as it is. A condition on all others grows
 * with the number of objects. */
enum { TERM_HEAVY = 12, TERM_HEAVY_FOR_EACH = 8, TERM_HEAVIEST = 400 };
static inline bool term_is_heavy(struct terms *terms, uint32_t weight)
{
    uint32_t objects = terms->shape->object_count;
    uint32_t most = objects < TERM_HEAVIEST / TERM_HEAVY_FOR_EACH ? TERM_HEAVY_FOR_EACH * objects : TERM_HEAVIEST;
    bool is_heavy = weight > (most > TERM_HEAVY ? most : TERM_HEAVY);
    terms->is_heavy_met |= is_heavy;
    return is_heavy;
}

/* The same term of renamed objects. */
const struct complete_term *term_rename(struct terms *terms, const struct complete_term *term, const uint32_t *map);
/* The same term with other arguments. NULL: too wide. */
const struct complete_term *term_rebuild(struct terms *terms, const struct complete_term *term,
                                         const struct complete_term *const *arguments);

#endif
