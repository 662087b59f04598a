/* Terms: expressions of a system that names every element, in a form in which equal ones are the same object. Nested
 * sums, products, conjunctions and the like are one operator with any number of parts, the order of parts that does not
 * matter is fixed, constants are folded. So whether exchanging two modules changes an expression, a command or a whole
 * model is a comparison of pointers.
 *
 * Owned by the pool that made them. */
#ifndef NOETHER_REDUCE_GTERM_H
#define NOETHER_REDUCE_GTERM_H

#include "ir/build.h"

enum { CENSUS_GLOBAL = UINT32_MAX };

/* A cell of the state. */
struct census_variable {
    const char *name;
    struct span span;
    bool is_bool;
    int64_t low, high;
    int64_t initial; /* where there is one start state */
    uint32_t cell;
    uint32_t module; /* or CENSUS_GLOBAL */
    uint32_t field;  /* its position in its module */
};

struct census_module {
    const char *name;
    struct span span;
    uint32_t original; /* it is a copy of */
    const struct census_variable **variables;
    uint32_t variable_count;
};

enum gterm_kind {
    TERM_VALUE,    /* value */
    TERM_VARIABLE, /* variable */
    TERM_COUNTER,  /* counter: its number */
    /* any number of parts, in any order */
    TERM_AND,
    TERM_OR,
    TERM_ADD,
    TERM_MUL,
    TERM_MIN,
    TERM_MAX,
    TERM_BAG,
    /* a fixed number of parts */
    TERM_EQ, /* in any order */
    TERM_NOT,
    TERM_LT,
    TERM_LE,
    TERM_DIV,
    TERM_MOD,       /* as the IR has them */
    TERM_FLOOR,     /* ir/idiom.h */
    TERM_REMAINDER, /* ir/idiom.h */
    TERM_COND,
    TERM_TUPLE
};

struct gterm {
    enum gterm_kind kind;
    bool is_bool;
    uint32_t id;
    int64_t value;
    const struct census_variable *variable;
    uint32_t counter;
    bool has_counter;
    const struct gterm *const *parts;
    uint32_t count;
    const uint32_t *modules; /* whose variables are in it, ascending */
    uint32_t module_count;
};

struct gterms;
/* variables: by cell. Exchanging two modules exchanges their variables, field by field. */
struct gterms *gterms_create(struct arena *arena, const struct system *system, const struct census_variable *variables,
                             const struct census_module *modules);
void gterms_destroy(struct gterms *terms);

const struct gterm *gterm_int(struct gterms *terms, int64_t value);
const struct gterm *gterm_bool(struct gterms *terms, bool value);
const struct gterm *gterm_variable(struct gterms *terms, const struct census_variable *variable);
const struct gterm *gterm_counter(struct gterms *terms, uint32_t counter);
/* AND .. BAG. Without parts: the neutral element (BAG: the empty one; MIN and MAX have none). */
const struct gterm *gterm_join(struct gterms *terms, enum gterm_kind kind, const struct gterm *const *parts,
                               uint32_t count);
const struct gterm *gterm_pair(struct gterms *terms, enum gterm_kind kind, const struct gterm *left,
                               const struct gterm *right);
const struct gterm *gterm_not(struct gterms *terms, const struct gterm *term);
const struct gterm *gterm_cond(struct gterms *terms, const struct gterm *condition, const struct gterm *left,
                               const struct gterm *right);
const struct gterm *gterm_tuple(struct gterms *terms, const struct gterm *const *parts, uint32_t count);
/* The same operator with other parts. */
const struct gterm *gterm_rebuild(struct gterms *terms, const struct gterm *term, const struct gterm *const *parts);

/* What a scratch variable stands for where it is read from here on. */
void gterms_bind(struct gterms *terms, const struct variable *scratch, const struct gterm *term);
const struct gterm *gterm_from(struct gterms *terms, const struct expr *expr);
/* Of a scalar in the state: the variable. */
const struct census_variable *gterms_variable(const struct gterms *terms, const struct place *place);

/* An expression of another system. `reads`: by cell, and behind the cells by counter, what stands for them there. */
struct expr *gterm_expr(struct gterms *terms, const struct gterm *term, struct system *system,
                        const struct variable *const *reads, struct span span);

/* With the variables of two modules exchanged. */
const struct gterm *gterm_swap(struct gterms *terms, const struct gterm *term, uint32_t a, uint32_t b);

static inline bool gterm_is_value(const struct gterm *term)
{
    return term->kind == TERM_VALUE;
}
static inline bool gterm_is(const struct gterm *term, bool truth)
{
    return term->kind == TERM_VALUE && term->is_bool && (term->value != 0) == truth;
}
static inline bool gterm_is_number(const struct gterm *term, int64_t value)
{
    return term->kind == TERM_VALUE && !term->is_bool && term->value == value;
}

#endif
