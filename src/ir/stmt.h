/* Statements. A block is a list of them.
 *
 * Order of evaluation: first value or source, then place, then what can go wrong with storing (the multiset is full,
 * then the value is out of range). */
#ifndef NOETHER_IR_STMT_H
#define NOETHER_IR_STMT_H

#include "ir/expr.h"

struct property;

struct block {
    struct stmt **items;
    uint32_t count;
};

enum stmt_kind {
    STMT_ASSIGN,       /* place := value; scalar; a raw UNDEFINED is stored as such, any other value must be in
                        * place->type */
    STMT_COPY,         /* place := source, two aggregates of the same type, cell by cell (overlap allowed) */
    STMT_IF,           /* value, body, otherwise */
    STMT_FOR,          /* variable, domain, body */
    STMT_WHILE,        /* value, body; faults after system->loop_limit iterations */
    STMT_CALL,         /* value: an EXPR_CALL, the result (if any) dropped */
    STMT_RETURN,       /* value, or source (aggregate), or nothing (procedures; also ends a rule's body early) */
    STMT_ASSERT,       /* value, property: faults when false */
    STMT_ASSUME,       /* value, property: when false, the whole step is discarded without a fault. In a function called
                        * by a property's formula: the formula is true for an invariant, else false */
    STMT_COVER,        /* value, property: when true, the goal is met */
    STMT_ERROR,        /* property: always faults */
    STMT_PUT,          /* prints: value, or source, or message. Steppers print nothing, but evaluate for the faults */
    STMT_CLEAR,        /* place: every cell to the first code of its type; multisets emptied */
    STMT_UNDEFINE,     /* place: every cell undefined; multisets emptied */
    STMT_BIND,         /* variable (a reference) := address of place */
    STMT_REQUIRE,      /* value: only in a rule's prelude; when false the instance is disabled */
    STMT_MULTISET_ADD, /* place: the multiset; value (scalar element, may be raw) or source; takes the first free
                        * slot, faults when there is none */
    STMT_MULTISET_REMOVE,   /* place; value: the slot number; faults when the slot is free or does not exist */
    STMT_MULTISET_REMOVE_IF /* place; variable: the slot number; value: predicate. Every taken slot for which it holds
                             * is freed, after the predicate was evaluated for all of them. place is evaluated first */
};

struct stmt {
    enum stmt_kind kind;
    struct span span;
    struct place *place, *source;
    struct expr *value;
    const struct variable *variable;
    struct domain domain;
    struct block body, otherwise;
    const struct property *property;
    const char *message;
};

#endif
