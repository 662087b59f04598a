/* Terms: the reads and results of a rule instance, as functions of the state before it.
 *
 * Each is kept once, in a form that does not depend on the order in which processes were looked at: conjunctions,
 * disjunctions and the cases of a read are sets, sums are linear combinations. So two terms that differ by the order
 * only have the same number; two that mean the same may still have different ones.
 *
 * Exchanging two processes p and q turns the term t into the one that has the value of t in the exchanged state
 * (roster.h says what moves). Where the term names a process (a reference, or a constant compared with one or stored in
 * one), the name is exchanged too: PTERM_AS_ELEMENT. A reference that is used as a number is not expressible that way
 * and becomes a term that equals no other (MOVED). */
#ifndef NOETHER_PORTRAIT_PORTRAIT_TERM_H
#define NOETHER_PORTRAIT_PORTRAIT_TERM_H

#include "base/words.h"
#include "ir/expr.h"
#include "portrait/roster.h"

enum pterm_kind {
    PTERM_CONST, /* value, two words */
    PTERM_CELL,  /* what the cell of the state holds */
    PTERM_SUM,   /* constant, two words; (term, coefficient)... in order of term */
    PTERM_AND,   /* terms in order */
    PTERM_OR,
    PTERM_NOT,          /* term */
    PTERM_EQ,           /* two terms in order */
    PTERM_OP,           /* operator, left, right (PTERM_NONE: unary) */
    PTERM_ITE,          /* condition, value if true, value if false */
    PTERM_CASES,        /* (condition, value)... in order of condition; the conditions exclude each other */
    PTERM_IS_UNDEFINED, /* term */
    PTERM_IS_MEMBER,    /* term, number of the type */
    PTERM_MOVED         /* term, p, q */
};

enum { PTERM_FALSE = 0, PTERM_TRUE = 1 };
#define PTERM_NONE UINT32_MAX
enum pterm_mode { PTERM_AS_DATA, PTERM_AS_ELEMENT };

struct pterm_list {
    uint32_t *items;
    size_t count, capacity;
};

struct pterm_memo {
    uint64_t *stamps;
    uint64_t *values;
    size_t count;
};

struct pterms {
    const struct roster *roster;
    struct words words;
    VEC(uint32_t)
    named; /* by term: 1 + the cell of a reference that it is, or may be by choice; 0: it names no process */
    uint64_t work, budget;                       /* words looked at; above the budget all results are meaningless */
    struct pterm_memo swapped[2], signatures[2]; /* by mode */
    uint64_t stamp;
    uint32_t p, q; /* of the stamp */
};

void pterms_create(struct pterms *terms, const struct roster *roster, uint64_t budget);
void pterms_destroy(struct pterms *terms);
/* So much work from now on. */
void pterms_allow(struct pterms *terms, uint64_t work);
static inline bool pterms_is_exhausted(const struct pterms *terms)
{
    return terms->work > terms->budget;
}

/* A term from its words. */
uint32_t pterm_intern(struct pterms *terms, const uint32_t *words, uint32_t length);
uint32_t pterm_const(struct pterms *terms, int64_t value);
uint32_t pterm_cell(struct pterms *terms, uint32_t cell);
uint32_t pterm_not(struct pterms *terms, uint32_t term);
uint32_t pterm_and(struct pterms *terms, uint32_t left, uint32_t right);
uint32_t pterm_or(struct pterms *terms, uint32_t left, uint32_t right);
/* AND or OR of a list, which may be reordered. */
uint32_t pterm_junction(struct pterms *terms, enum pterm_kind kind, struct pterm_list *list);
uint32_t pterm_eq(struct pterms *terms, uint32_t left, uint32_t right);
/* Operators whose operands are not both constant; all but AND, OR, IMPLIES and NOT. */
uint32_t pterm_unary(struct pterms *terms, enum operator op, uint32_t term);
uint32_t pterm_binary(struct pterms *terms, enum operator op, uint32_t left, uint32_t right);
/* `is_boolean`: the values are truth values. */
uint32_t pterm_ite(struct pterms *terms, uint32_t condition, uint32_t yes, uint32_t no, bool is_boolean);
/* Conditions and values by turns; reordered. */
uint32_t pterm_cases(struct pterms *terms, uint32_t *pairs, uint32_t count);
uint32_t pterm_is_undefined(struct pterms *terms, uint32_t term);
uint32_t pterm_is_member(struct pterms *terms, uint32_t term, const struct type *type);

bool pterm_get_const(const struct pterms *terms, uint32_t term, int64_t *value);
/* The type of a reference that is the term or a choice in it; NULL: it names no process. */
const struct type *pterm_names_element(const struct pterms *terms, uint32_t term);

/* portrait_swap.c */
uint32_t pterm_swap(struct pterms *terms, uint32_t term, enum pterm_mode mode, uint32_t p, uint32_t q);
/* What the value of a cell of the state is: a name, when the cell refers to the family of p. */
enum pterm_mode pterm_mode_of_cell(const struct pterms *terms, uint32_t cell, uint32_t p);
uint32_t pterm_swap_cell(const struct roster *roster, uint32_t cell, uint32_t p, uint32_t q);
/* The same for terms that differ by a permutation only. */
uint64_t pterm_signature(struct pterms *terms, uint32_t term, enum pterm_mode mode);

#endif
