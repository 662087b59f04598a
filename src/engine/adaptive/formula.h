/* Conditions on the local states of elements, interned.
 *
 *   FALSE, TRUE
 *   ALL f J    the function f is true of the local state of every element in J (a bit for each element)
 *   ANY f J    of some element in J
 *   AND, OR    of other formulas, in order of number; no AND directly below an AND, no OR below an OR; ALLs of the
 *              same function below an AND are one, and so are ANYs below an OR
 *
 * Single elements are ALLs. This is the grounded, folded and canonical form of a guard: a permutation that leaves a
 * formula unchanged as a number leaves its meaning unchanged. (The converse does not hold: two formulas may mean
 * the same.) */
#ifndef NOETHER_ENGINE_ADAPTIVE_FORMULA_H
#define NOETHER_ENGINE_ADAPTIVE_FORMULA_H

#include "engine/adaptive/unary.h"

enum formula_kind { FORMULA_CONSTANT, FORMULA_ALL, FORMULA_ANY, FORMULA_AND, FORMULA_OR };
enum { FORMULA_FALSE = 0, FORMULA_TRUE = 1 };

struct formulas {
    struct unaries *unaries;
    uint32_t set_words; /* words of a set of elements */
    struct words words; /* kind, then: value; or function, set; or formulas */
};

/* Formulas to be joined by AND or by OR. */
struct junction {
    enum formula_kind kind;
    bool is_decided; /* by a part that is FALSE (AND) or TRUE (OR) */
    VEC(uint32_t) functions;
    VEC(uint32_t) sets; /* set_words for each function */
    VEC(uint32_t) parts;
};

void formulas_create(struct formulas *formulas, struct unaries *unaries);
void formulas_destroy(struct formulas *formulas);

/* The function, whose entries are truth values, of one element. */
uint32_t formula_of_element(struct formulas *formulas, uint32_t function, uint32_t element);
uint32_t formula_not(struct formulas *formulas, uint32_t formula);
uint32_t formula_and(struct formulas *formulas, uint32_t left, uint32_t right);
uint32_t formula_or(struct formulas *formulas, uint32_t left, uint32_t right);
/* With two elements exchanged. */
uint32_t formula_swap(struct formulas *formulas, uint32_t formula, uint32_t p, uint32_t q);
/* The same for formulas that differ by a permutation only. */
uint64_t formula_signature(const struct formulas *formulas, uint32_t formula);

/* Junctions: add parts to one that is zero but for its kind, then close it (which frees it). */
void junction_add(struct formulas *formulas, struct junction *junction, uint32_t formula);
uint32_t junction_close(struct formulas *formulas, struct junction *junction);

static inline enum formula_kind formula_kind(const struct formulas *formulas, uint32_t formula)
{
    return (enum formula_kind)words_at(&formulas->words, formula)[0];
}
static inline uint32_t formula_function(const struct formulas *formulas, uint32_t formula)
{
    return words_at(&formulas->words, formula)[1];
}
static inline const uint32_t *formula_set(const struct formulas *formulas, uint32_t formula)
{
    return words_at(&formulas->words, formula) + 2;
}
static inline const uint32_t *formula_parts(const struct formulas *formulas, uint32_t formula, uint32_t *count)
{
    *count = words_length(&formulas->words, formula) - 1;
    return words_at(&formulas->words, formula) + 1;
}
static inline bool set_has(const uint32_t *set, uint32_t element)
{
    return set[element / 32] >> element % 32 & 1;
}
static inline void set_add(uint32_t *set, uint32_t element)
{
    set[element / 32] |= UINT32_C(1) << element % 32;
}
static inline void set_swap(uint32_t *set, uint32_t p, uint32_t q)
{
    if (set_has(set, p) != set_has(set, q)) {
        set[p / 32] ^= UINT32_C(1) << p % 32;
        set[q / 32] ^= UINT32_C(1) << q % 32;
    }
}

#endif
