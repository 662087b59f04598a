/* Formulas and terms of first-order logic over index types, which are sorts of unknown size.
 *
 * A term is a handle to a node, made once (hash-consed). Sort 0 is Boolean; every other sort is an index type. A
 * *variable* is a node of its own number: bound where a quantifier above binds it, else it stands for some element.
 * Every binder gets a variable that no other binder has, so substitution captures nothing. Nodes live as long as the
 * store. Each node knows its free variables. */
#ifndef NOETHER_SMT_TERM_H
#define NOETHER_SMT_TERM_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/words.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t term;

#define TERM_FALSE 0u
#define TERM_TRUE 1u
#define SORT_BOOLEAN 0u

enum fol_kind {
    TERM_CONSTANT, /* the two above */
    TERM_VARIABLE,
    TERM_APPLICATION, /* of a symbol to arguments */
    TERM_EQUALITY,    /* of two elements */
    TERM_NEGATION,
    TERM_CONJUNCTION,
    TERM_DISJUNCTION,
    TERM_CHOICE, /* between two elements */
    TERM_UNIVERSAL,
    TERM_EXISTENTIAL
};

/* The free variables of a node, sorted. */
struct term_frees {
    const term *items;
    uint32_t count;
};

struct fol_node {
    enum fol_kind kind;
    uint32_t sort;
    uint32_t symbol;   /* APPLICATION */
    uint32_t count;    /* of arguments */
    const term *parts; /* arguments, operands; of a quantifier: the variable and the body */
    struct term_frees frees;
};

/* A predicate (sort 0) or function of elements. */
struct symbol_about {
    const char *name; /* unique */
    uint32_t sort;
    uint32_t count;
    const uint32_t *sorts; /* of the arguments */
};

struct fol_store {
    struct arena *arena;
    VEC(struct fol_node) nodes;
    VEC(struct symbol_about) symbols;
    VEC(const char *) sorts; /* names; the first is Boolean */
    struct words known;      /* a vector for each node: equal ones are one */
    VEC(uint32_t) key;       /* scratch */
    uint32_t variables;
};

void terms_open(struct fol_store *terms);
void terms_close(struct fol_store *terms);
uint32_t terms_sort(struct fol_store *terms, const char *name);
/* The name is made unique by a number, if it is not. */
uint32_t terms_symbol(struct fol_store *terms, const char *name, uint32_t sort, uint32_t count, const uint32_t *sorts);

term fol_variable(struct fol_store *terms, uint32_t sort);
term fol_apply(struct fol_store *terms, uint32_t symbol, const term *arguments);
term fol_equal(struct fol_store *terms, term a, term b);
term fol_not(struct fol_store *terms, term a);
term fol_and(struct fol_store *terms, term a, term b);
term fol_or(struct fol_store *terms, term a, term b);
static inline term fol_implies(struct fol_store *terms, term a, term b)
{
    return fol_or(terms, fol_not(terms, a), b);
}
/* Boolean, or of elements. */
term fol_choose(struct fol_store *terms, term condition, term a, term b);
term fol_forall(struct fol_store *terms, term variable, term body);
term fol_exists(struct fol_store *terms, term variable, term body);
bool fol_has_free(const struct fol_store *terms, term t, term variable);
term fol_substitute(struct fol_store *terms, term t, term variable, term by);

static inline const struct fol_node *fol_at(const struct fol_store *terms, term t)
{
    return &terms->nodes.items[t];
}

/* -- print.c: SMT-LIB -- */
/* (set-logic UF), the sorts and the symbols. */
void terms_print_declarations(const struct fol_store *terms, struct text *out);
/* What several formulas share is defined once: functions of their free variables. Free variables of the asserted
 * formulas are declared. */
struct term_writer {
    const struct fol_store *terms;
    struct text *out;
    uint32_t *uses;    /* by node */
    uint32_t *names;   /* by node: the number of its definition, plus 1; 0: none */
    uint32_t defined;  /* so many */
    bool *is_declared; /* by node: a variable */
    uint32_t room;
};
void writer_open(struct term_writer *writer, const struct fol_store *terms, struct text *out);
void writer_close(struct term_writer *writer);
/* Counts what it uses: of all formulas, before the first is written. */
void writer_count(struct term_writer *writer, term t);
/* Any number of times, after writer_prepare. */
void writer_put(struct term_writer *writer, term t);
/* Definitions, and declarations of its free variables. */
void writer_prepare(struct term_writer *writer, term t);

#endif
