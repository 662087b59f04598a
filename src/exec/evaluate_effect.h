/* What an instance of a rule does, or where a formula is true, as a row of numbers of diagrams: two that do the same
 * have the same row. */
#ifndef NOETHER_EXEC_EVALUATE_EFFECT_H
#define NOETHER_EXEC_EVALUATE_EFFECT_H

#include "exec/evaluate_symbolic.h"

struct effect_row {
    const struct rule *rule; /* NULL: a formula, of this property: */
    const struct property *property;
    uint64_t instance;
    VEC(uint32_t) parts; /* the row: all that follows, in order */
    VEC(diagram) truths; /* of a rule: enabled, fault, dropped */
    VEC(uint32_t) cells; /* that change, and to what: */
    VEC(diagram) results;
    VEC(struct symbolic_add) adds;
};

/* False: it can never fire, nor fail; or it was refused. */
bool effect_fire(struct symbolic *symbolic, const struct rule *rule, uint64_t instance, struct effect_row *effect);
/* Makes the row: what changes in order of cells, and what is added in some order. */
void effect_flatten(struct effect_row *effect);
void effect_free(struct effect_row *effect);
/* With cells of its own. */
struct symbolic_add effect_copy_add(const struct symbolic_add *add);

/* Rows, to be found by what they do. */
struct effect_set {
    VEC(struct effect_row) rows;
    uint32_t *table; /* by hash: position + 1; made by effect_set_finish, when all are there */
    size_t table_size;
};
void effect_set_finish(struct effect_set *set);
bool effect_set_has(const struct effect_set *set, const struct effect_row *effect);
void effect_set_free(struct effect_set *set);

#endif
