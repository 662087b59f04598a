/* A state as a relational structure over the elements of the factors in use.
 *
 * The elements of all factors with at least two elements are numbered through: 0..element_count-1. A cell of the
 * state belongs to a *kind* (its path with the positions indexed by elements left open) applied to a *tuple* of
 * elements, and holds a plain value or (is_ref) possibly an element:
 *
 *   address = kind + sum over positions p of elements[tuple + p] (as its distance from the first of the factor) *
 *             strides[tuple + p]
 *
 * so a kind is named by the address of its instance at the first elements. All cells with the same tuple form a *fact*.
 * A multiset whose elements mention a factor is kept apart: its slots are unordered, each a fact (or, with arrays
 * over a factor inside the slot, a few). All other multisets never change their order, so their cells are plain.
 *
 * Built once; read-only afterwards. */
#ifndef NOETHER_CANON_STRUCTURE_H
#define NOETHER_CANON_STRUCTURE_H

#include "symmetry/symmetry.h"

/* A cell that the group moves or whose value it renames. In a slot: address and kind count from the slot. */
struct use {
    uint32_t address, kind;
    uint32_t tuple, arity;
    uint32_t fact; /* outside slots: its number */
    bool is_ref;
    uint64_t weight; /* outside slots: odd, of the kind and of which positions of the tuple are equal */
    uint64_t mixed;  /* the same, mixed */
};

/* The cells of one tuple, in order of kind. Facts with the same `kind` have the same kinds of cells. */
struct fact {
    uint64_t seed; /* hash of the kind and of which positions of the tuple are equal */
    uint32_t kind; /* the least kind of its cells */
    uint32_t tuple, arity;
    uint32_t plain, plain_count;  /* range in addresses */
    uint32_t refs, ref_count;     /* range in addresses */
    uint32_t uses, use_count;     /* outside slots: range in uses */
    uint32_t pieces, piece_count; /* outside slots: range in pieces */
};

/* Neighbouring bits of a packed state that belong to one fact. The cells of a fact, side by side in order of kind, make
 * words of 64 bits or less, the same for all facts of a kind; a piece is where a part of such a word is in the state.
 */
struct structure_piece {
    uint64_t mask;
    uint32_t word;
    uint8_t shift, offset; /* in the state's word, in the fact's */
    bool is_last;          /* of the fact's word */
};

/* A multiset whose elements mention a factor. */
struct slots {
    uint64_t seed;
    uint32_t address, kind, stride, capacity;
    uint32_t tuple, arity;
    uint32_t uses, use_count;   /* range in slot_uses */
    uint32_t parts, part_count; /* range in parts: facts with addresses that count from the slot */
    uint32_t refs, ref_count;   /* range in slot_refs: its references, which count from the slot, too */
    bool is_bare;               /* elements are mentioned by references in slots only */
};

/* What stands with one element: the cells with the tuple (e), plain and references, and the facts of longer tuples with
 * e in them. Rows of elements of one factor have the same lengths, and their cells correspond one by one. */
struct row_cell {
    uint64_t weight, mixed; /* as of its use */
    uint32_t address;
};

struct row {
    uint32_t plain, plain_count; /* ranges in row_cells */
    uint32_t refs, ref_count;
    uint32_t fact;             /* theirs; NO_FACT: there are none */
    uint32_t wide, wide_count; /* range in wide_facts */
};

/* An orbit of a factor of the symmetry; or all its orbits, when one element stands for a point of each (families.h). */
struct moved_factor {
    const struct type **types; /* of its points, by orbit */
    uint32_t type_count;
    uint32_t index; /* in symmetry->factors */
    bool is_full;   /* all permutations of it are in the group */
    uint32_t first; /* its first element */
    uint32_t degree;
    uint32_t refs, ref_count; /* range in factor_refs: uses outside slots that may hold its elements */
};

struct structure {
    struct arena *arena;
    const struct layout *layout;
    uint32_t cell_count;
    struct moved_factor *factors;
    uint32_t factor_count;
    uint32_t element_count;
    uint32_t *factor_of;  /* by element */
    int32_t *code_of;     /* by element: of its first point */
    uint32_t point_count; /* of all factors in use, moved or not */
    bool is_generated;    /* there are factors that are not full */
    int32_t code_low;     /* element_at[code - code_low]: the element, or NO_ELEMENT */
    uint32_t code_span;
    uint32_t *element_at;
    uint32_t *point_at; /* the same: its number in the factor of the symmetry */

    uint32_t *elements, *strides; /* tuples */
    uint32_t *addresses;
    struct use *uses; /* outside slots */
    uint32_t use_count;
    uint32_t *cell_use; /* by cell: its use, or slots_count multisets below NO_USE: the multiset it is in, or NO_USE */
    struct row *rows;   /* by element */
    struct row_cell *row_cells;
    uint32_t *wide_facts;
    struct structure_piece *pieces;
    uint32_t *factor_refs;
    uint32_t *ref_uses; /* the reference cells among uses */
    uint32_t ref_count;
    uint32_t wide_fact, wide_use; /* facts and uses from here on have tuples of two and more */
    struct fact *facts;
    uint32_t fact_count;
    struct slots *slots;
    uint32_t slots_count;
    struct use *slot_uses;
    struct fact *parts;
    uint32_t *slot_refs;
    uint64_t *bit_at;          /* as element_at: the bit of the element, shared by those that agree modulo 64; or 0 */
    uint32_t largest_multiset; /* cells of the largest one among slots */
};

#define NO_ELEMENT UINT32_MAX
#define NO_USE UINT32_MAX
#define NO_FACT UINT32_MAX

struct structure *structure_create(const struct symmetry *symmetry, const struct layout *layout);
/* The tables by cell, element and factor; structure_create calls it last. */
void structure_index(struct structure *structure);
void structure_destroy(struct structure *structure);

/* The element a reference cell holds, or NO_ELEMENT (undefined, or another member of a union). */
static inline uint32_t structure_element(const struct structure *structure, int32_t code)
{
    uint32_t at = (uint32_t)code - (uint32_t)structure->code_low;
    return at < structure->code_span ? structure->element_at[at] : NO_ELEMENT;
}

/* The bit of the element that a reference cell holds, or 0. */
static inline uint64_t structure_bit(const struct structure *structure, int32_t code)
{
    uint32_t at = (uint32_t)code - (uint32_t)structure->code_low;
    return at < structure->code_span ? structure->bit_at[at] : 0;
}

/* How far apart two elements of a factor are in an array over their type, and their codes: the same in all its types.
 * Unsigned: down wraps around. */
static inline uint32_t structure_distance(const struct structure *structure, uint32_t from, uint32_t to)
{
    return (uint32_t)structure->code_of[to] - (uint32_t)structure->code_of[from];
}

/* The code of the element, when that is renamed to another one of its factor. */
static inline int32_t structure_rename(const struct structure *structure, int32_t code, uint32_t from, uint32_t to)
{
    return (int32_t)((uint32_t)code + structure_distance(structure, from, to));
}

/* Are there elements of the factor that the type has? */
static inline bool structure_type_names(const struct type *type, const struct moved_factor *factor)
{
    for (uint32_t t = 0; t < factor->type_count; t++)
        if (type_mentions(type, factor->types[t]))
            return true;
    return false;
}

/* Is the factor of the symmetry, by its index, one whose elements are exchanged as they are? */
bool structure_is_full(const struct structure *structure, uint32_t index);

/* The multiset among slots that a cell is in, or NO_USE. */
static inline uint32_t structure_slots_at(const struct structure *structure, uint32_t cell)
{
    uint32_t slots = NO_USE - 1 - structure->cell_use[cell]; /* NO_USE wraps around */
    return slots < structure->slots_count ? slots : NO_USE;
}

/* out = the state with every element e renamed to image[e] (an element of the same factor); multisets sorted. */
void structure_act(const struct structure *structure, const uint32_t *image, const int32_t *cells, int32_t *out);
/* The same for one multiset: from and to are its first cells. Returns how many slots are taken; of a bare one no others
 * are written. */
uint32_t structure_act_slots(const struct structure *structure, const struct slots *slots, const uint32_t *image,
                             const int32_t *from, int32_t *to);
/* Of a bare multiset of up to 64 slots only the slots that name one of these elements (by bit; those that get another
 * name are among them), sorted. Returns which they were, a bit for each, and how many slots are taken. */
uint64_t structure_act_moved(const struct structure *structure, const struct slots *slots, const uint32_t *image,
                             uint64_t named, const int32_t *from, int32_t *to, uint32_t *taken);

#endif
