/* Types of the typed system.
 *
 * A scalar value is a 32-bit *code*; a value of any type occupies `cells`
 * consecutive cells of memory, one code (or UNDEFINED) each:
 *
 *   bool       0, 1
 *   range      the integer itself, lo..hi
 *   enum       a code of its own: every enum and index type has a block of codes
 *   index      that no other enum or index type shares, so a value of a union
 *              needs no tag and no conversion
 *   union      the codes of its members (enum and index types, disjoint); after rewrite/retype.h also a part of one
 *   array      the elements in the order of the index type's codes
 *   record     the fields in order
 *   multiset   `capacity` slots of 1 + element->cells cells: whether the slot is
 *              taken (0 or 1, never undefined), then the element (undefined when free)
 *
 * An *index type* is a named finite set whose elements may turn out to be
 * interchangeable (a Murphi scalarset). Types are compared by pointer; they
 * live in the system's arena and are immutable once made. */
#ifndef NOETHER_IR_TYPE_H
#define NOETHER_IR_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"

struct system;
struct text;

#define UNDEFINED INT32_MIN

enum type_kind { TYPE_BOOL, TYPE_RANGE, TYPE_ENUM, TYPE_INDEX, TYPE_UNION, TYPE_ARRAY, TYPE_RECORD, TYPE_MULTISET };

/* A block of consecutive codes. `owner` is the bool, range, enum or index type it belongs to. */
struct code_block {
    int32_t lo, hi; /* inclusive; empty when hi < lo never occurs */
    const struct type *owner;
};

struct field {
    const char *name;
    const struct type *type;
    uint32_t offset; /* in cells, from the start of the record */
};

struct type {
    enum type_kind kind;
    uint32_t id;      /* position in system->types */
    const char *name; /* as declared; NULL: anonymous */
    struct span span;
    uint32_t cells;

    /* scalars */
    uint32_t size;                   /* number of values */
    const struct code_block *blocks; /* one for all but unions */
    uint32_t block_count;
    const char *const *labels; /* enum, and index with an origin: the names, in the order of the codes */
    const char *const *names;  /* range, and what stands for one: what users call the values, in order; or NULL */
    bool is_cut;               /* range: its first value is INT32_MIN, which no cell can hold: `blocks` leaves it
                                  out: whether a run that stores it goes wrong is not known (fault_is_of_limit) */
    bool is_least_undefined;   /* range: it has INT32_MIN, too, which its cells hold as UNDEFINED (they are never
                                  undefined otherwise): `blocks` leaves it out, who reads a place asks
                                  EXPR_IS_UNDEFINED first, who stores INT32_MIN undefines it */
    bool has_things;           /* range: its values are names of things that may be alike (channels), no numbers;
                                  enum: of places of control, which may be alike, too */
    const struct type *origin; /* index: the range or enum it stands for (rewrite/retype.h); NULL: a scalarset */

    /* aggregates */
    const struct type *index;   /* array: a scalar type */
    const struct type *element; /* array, multiset */
    const struct field *fields; /* record */
    uint32_t field_count;
    uint32_t capacity; /* multiset: number of slots */
};

static inline bool type_is_scalar(const struct type *type)
{
    return type->kind <= TYPE_UNION;
}

/* Constructors; arguments are copied into the system's arena. `name` may be NULL. Sizes, counts and
 * capacities are at least 1; a range has INT32_MIN < lo <= hi; a union's members are enums, index types and
 * unions of them (flattened, repeated members kept once). */
const struct type *type_bool(struct system *system); /* always the same */
const struct type *type_range(struct system *system, const char *name, int32_t lo, int32_t hi, struct span span);
/* The range INT32_MIN..hi, cut (struct type): INT32_MIN + 1 <= hi. */
const struct type *type_cut_range(struct system *system, const char *name, int32_t hi, struct span span);
/* The range INT32_MIN..hi of variables that are never undefined (is_least_undefined). */
const struct type *type_least_range(struct system *system, const char *name, int32_t hi, struct span span);
/* A range whose values have names, perhaps of things (struct type). */
const struct type *type_named_range(struct system *system, int32_t lo, int32_t hi, const char *const *names,
                                    bool has_things, struct span span);
/* NULL when the codes run out (2^31 labels and elements in all; the caller reports it). */
const struct type *type_enum(struct system *system, const char *name, const char *const *labels, uint32_t count,
                             struct span span);
/* An enum of the places at which processes can stand (has_things). */
const struct type *type_places(struct system *system, const char *name, const char *const *labels, uint32_t count,
                               struct span span);
const struct type *type_index(struct system *system, const char *name, uint32_t size, struct span span);
const struct type *type_union(struct system *system, const char *name, const struct type *const *members,
                              uint32_t count, struct span span);
/* NULL when the value would take more than TYPE_MAX_CELLS cells (the caller reports it). */
const struct type *type_array(struct system *system, const char *name, const struct type *index,
                              const struct type *element, struct span span);
const struct type *type_record(struct system *system, const char *name, const struct field *fields, uint32_t count,
                               struct span span);
const struct type *type_multiset(struct system *system, const char *name, const struct type *element, uint32_t capacity,
                                 struct span span);

enum { TYPE_MAX_CELLS = 1 << 20 };

/* Scalars: the position of a code in the domain (0..size-1), or -1 when it is not a value of the type. */
int64_t type_ordinal(const struct type *type, int64_t code);
/* Do the type's codes form one interval? */
bool type_interval(const struct type *type, int64_t *low, int64_t *high);
/* The inverse: the code at a position. */
int32_t type_code(const struct type *type, uint32_t ordinal);
static inline bool type_has(const struct type *type, int64_t code)
{
    return type_ordinal(type, code) >= 0;
}
/* True if a cell of the type that holds the code has a value for users. `type` may be NULL. */
static inline bool type_has_value(const struct type *type, int32_t code)
{
    return code != UNDEFINED || (type && type->is_least_undefined);
}
/* The same codes at the same positions? NULL: of a cell that has no type. */
bool type_has_same_values(const struct type *a, const struct type *b);
/* Is it a number that users call by a name (struct type)? */
static inline bool type_has_name(const struct type *type, int32_t code)
{
    return type->names && type_has(type, code) && type->names[type_ordinal(type, code)];
}
/* Does any cell of a value of `type` hold, or any array in it range over, elements of the index type? */
bool type_mentions(const struct type *type, const struct type *index);
bool type_has_multiset(const struct type *type);
/* Is a range that is cut (struct type) the type of one of its parts, where it has such parts from the start? */
bool type_has_cut(const struct type *type);
/* The same of is_least_undefined. */
bool type_has_least(const struct type *type);
/* Scalars: is some value of it an element of an index type? */
bool type_has_index(const struct type *type);

/* "Cells[Node_2].State"-style pieces: a value as the user knows it ("true", "-3", "Idle", "Node_2", "undefined"). */
void type_print_value(const struct type *type, int32_t code, struct text *out);
/* Is the value a number to the user, and which? Of a range, and of an index type that was one. */
bool type_number(const struct type *type, int32_t code, int64_t *number);
/* The type itself: its name, or its structure when anonymous. */
void type_print(const struct type *type, struct text *out);
void type_print_structure(const struct type *type, struct text *out);

/* The slots of a multiset, as above. */
static inline uint32_t multiset_stride(const struct type *multiset)
{
    return 1 + multiset->element->cells;
}

#endif
