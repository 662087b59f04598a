/* Expressions in a form in which equal ones are the same object: nested sums, products, conjunctions and the like are
 * one operator with any number of parts, the order of parts that does not matter is fixed, constants are folded. So
 * whether exchanging two modules changes an expression, a command or a whole model is a comparison of pointers.
 *
 * Owned by the pool that made them. */
#ifndef NOETHER_LANG_PRISM_GTERM_H
#define NOETHER_LANG_PRISM_GTERM_H

#include "lang/prism/model.h"

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
    TERM_POW,
    TERM_COND,
    TERM_CALL,
    TERM_TUPLE
};

struct gterm {
    enum gterm_kind kind;
    enum prism_type type;
    uint32_t id;
    uint64_t hash;
    const struct prism_value *value;
    const struct prism_variable *variable;
    uint32_t counter;
    bool has_counter;
    enum prism_function function; /* CALL */
    const struct gterm *const *parts;
    uint32_t count;
    const uint32_t *modules; /* whose variables are in it, ascending */
    uint32_t module_count;
};

struct gterms;
/* `components` are those of the network: exchanging two of them exchanges their variables, field by field. */
struct gterms *gterms_create(struct prism_values *values, const struct prism_network *network);
void gterms_destroy(struct gterms *terms);

const struct gterm *gterm_value(struct gterms *terms, const struct prism_value *value);
const struct gterm *gterm_int(struct gterms *terms, int64_t value);
const struct gterm *gterm_bool(struct gterms *terms, bool value);
const struct gterm *gterm_variable(struct gterms *terms, const struct prism_variable *variable);
const struct gterm *gterm_counter(struct gterms *terms, uint32_t counter);
/* AND .. BAG. Without parts: the neutral element (BAG: the empty one; MIN and MAX have none). */
const struct gterm *gterm_join(struct gterms *terms, enum gterm_kind kind, const struct gterm *const *parts,
                               uint32_t count);
const struct gterm *gterm_pair(struct gterms *terms, enum gterm_kind kind, const struct gterm *left,
                               const struct gterm *right);
const struct gterm *gterm_not(struct gterms *terms, const struct gterm *term);
const struct gterm *gterm_cond(struct gterms *terms, const struct gterm *condition, const struct gterm *left,
                               const struct gterm *right);
const struct gterm *gterm_call(struct gterms *terms, enum prism_function function, const struct gterm *const *parts,
                               uint32_t count);
const struct gterm *gterm_tuple(struct gterms *terms, const struct gterm *const *parts, uint32_t count);
/* The same operator with other parts. */
const struct gterm *gterm_rebuild(struct gterms *terms, const struct gterm *term, const struct gterm *const *parts);

/* A resolved expression without operators of the property language. */
const struct gterm *gterm_from(struct gterms *terms, const struct prism_expr *expr);

bool gterm_mentions(const struct gterm *term, uint32_t module);
/* With the variables of two modules exchanged. */
const struct gterm *gterm_swap(struct gterms *terms, const struct gterm *term, uint32_t a, uint32_t b);

static inline bool gterm_is_value(const struct gterm *term)
{
    return term->kind == TERM_VALUE;
}
static inline bool gterm_is(const struct gterm *term, bool truth)
{
    return term->kind == TERM_VALUE && term->type == PRISM_TYPE_BOOL && (term->value->integer != 0) == truth;
}
/* All its values are between the two: false when nothing is known. `most` is the greatest value of each counter. */
bool gterm_bounds(const struct gterm *term, const int64_t *most, int64_t *low, int64_t *high);
/* Is it that integer (or the real number of the same value)? */
bool gterm_is_number(const struct gterm *term, int64_t value);

#endif
