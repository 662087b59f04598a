/* Expressions and places.
 *
 * Memory is one flat array of cells: the state first (the global variables),
 * then the scratch cells of all rules and functions. Recursion is excluded, so
 * every local variable, parameter and quantified variable has a fixed address
 * of its own, and a reference (alias, var parameter) is a scratch cell that holds an address.
 *
 * A *place* denotes some cells; an *expression* a scalar value. Evaluation may
 * fault (see exec/fault.h): reading an undefined cell, an index or value out of range,
 * division by zero, overflow of 64 bits.
 *
 * Order independence: a quantifier or multiset count over an index type
 * (its domain's type has a block owned by an index type) evaluates its body for every element even
 * when the result is already decided, so that a fault does not depend on the
 * numbering of the elements. All other quantifiers, and AND OR IMPLIES COND, stop early, left to right.
 *
 * Order of evaluation: operands, arguments and the parts of a place (base, then index) from left to right.
 * An aggregate operand (EQUAL, an argument by value, the source of a statement) is a value: it is taken
 * when it is evaluated, before what stands to its right. Only a function called there could tell the
 * difference, so where none is called no copy need be made.
 *
 * Arithmetic is on 64 bits, see ir/arith.h. A value stored in a variable (assigned, passed by value, returned, given
 * to a loop or quantified variable by from/to) must be in the variable's type, else it faults (RANGE). */
#ifndef NOETHER_IR_EXPR_H
#define NOETHER_IR_EXPR_H

#include "ir/type.h"

struct function;
struct expr;

struct variable {
    const char *name;
    const struct type *type;          /* for a reference: the type referred to */
    bool is_global;                   /* part of the state */
    bool is_reference;                /* one scratch cell that holds an address */
    bool is_folded;                   /* the text reads it where the front end has put its value */
    bool is_gathered;                 /* an array of variables (rewrite/gather.h) */
    uint32_t address;                 /* set by system_finish */
    const char *const *element_names; /* array: what the user calls the elements; NULL: name[index] */
    struct span span;
};

enum place_kind {
    PLACE_VARIABLE, /* variable (not a reference) */
    PLACE_DEREF,    /* what the reference `variable` was bound to */
    PLACE_ELEMENT,  /* base[index]: base is an array */
    PLACE_FIELD,    /* base.field */
    PLACE_SLOT,     /* base[index]: base is a multiset, index a slot number; denotes the element; faults when free */
    PLACE_CALL      /* the result of a function that returns an aggregate; valid until its next call */
};

struct place {
    enum place_kind kind;
    const struct type *type;
    struct span span;
    const struct variable *variable; /* VARIABLE, DEREF */
    struct place *base;              /* ELEMENT, FIELD, SLOT */
    struct expr *index;              /* ELEMENT, SLOT */
    const struct field *field;       /* FIELD */
    struct expr *call;               /* CALL: an EXPR_CALL */
};

/* What the place is a part of: a variable, what a reference refers to, or what a call returns. */
static inline const struct place *place_root(const struct place *place)
{
    while (place->base)
        place = place->base;
    return place;
}
/* The variable that it is a part of; NULL: it is reached by a reference or a call. */
static inline const struct variable *place_home(const struct place *place)
{
    const struct place *root = place_root(place);
    return root->kind == PLACE_VARIABLE ? root->variable : NULL;
}

enum expr_kind {
    EXPR_CONST,        /* value (possibly UNDEFINED, only where the consumer copies, see `raw`) */
    EXPR_READ,         /* place, a scalar */
    EXPR_UNARY,        /* op, left */
    EXPR_BINARY,       /* op, left, right */
    EXPR_COND,         /* condition ? left : right */
    EXPR_QUANTIFIER,   /* op FORALL | EXISTS, variable, domain, left = body */
    EXPR_IS_UNDEFINED, /* place: true iff the scalar is undefined (any cell of it, for an aggregate;
                        * no multiset in it) */
    EXPR_IS_MEMBER,    /* left, member: is the value one of that type's codes? */
    EXPR_CALL,         /* function, arguments: scalar result */
    EXPR_EQUAL,        /* place, other: two aggregates of the same type, cell by cell (undefined equals undefined); no
                        * multiset in it */
    EXPR_SLOT_TAKEN,   /* place: a multiset; left: slot number; faults (SLOT_FREE) when there is no such slot */
    EXPR_COUNT         /* number of taken slots of the multiset `place` for which left holds, with `variable` the slot
                        * number. All of them are looked at. */
};

enum operator{
    OP_NOT,
    OP_NEGATE,
    OP_BIT_NOT,
    OP_AND,
    OP_OR,
    OP_IMPLIES,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD, /* DIV and MOD as in C: towards zero */
    OP_BIT_AND,
    OP_BIT_OR,
    OP_BIT_XOR,
    OP_SHL,
    OP_SHR,
    OP_FORALL,
    OP_EXISTS
};

/* What a quantified or loop variable runs over: all values of a type in the order of its codes, or
 * from, from+by, ... up to (down to, when by < 0) `to`, with the bounds evaluated once. by = 0 faults. */
struct domain {
    const struct type *type;     /* when from is NULL */
    struct expr *from, *to, *by; /* by may be NULL: 1 */
};

struct argument {
    struct expr *value;  /* scalar by value (may be raw) */
    struct place *place; /* by reference, or an aggregate by value */
};

struct expr {
    enum expr_kind kind;
    /* READ: yield UNDEFINED instead of a fault. Only as the whole right-hand side of an assignment,
     * a by-value argument, an element to add to a multiset, or what PUT prints: the consumer copies it. */
    bool raw;
    bool is_implied;     /* IS_UNDEFINED: not in the text; a comparison that tolerates undefined values asks it */
    const char *outcome; /* of one that is implied: what follows where it is true, in words, for a warning */
    enum operator op;
    uint32_t size; /* nodes of the tree below it, places not counted: what a walk that takes it for a tree costs;
                      saturates */
    /* Not 0: it stands in several places, and has this number (of system->shared_count). It calls no function, and
     * binds no variable. Walks take it once: expressions are graphs. */
    uint32_t shared;
    const struct type *type; /* the static type; for arithmetic the system's integer type */
    struct span span;
    int64_t value;
    struct place *place, *other;
    struct expr *condition, *left, *right;
    const struct variable *variable;
    struct domain domain;
    const struct type *member;
    const struct function *function;
    struct argument *arguments; /* one for each parameter */
};

#endif
