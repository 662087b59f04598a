/* Elements of a multiset by what one of their parts holds: `multisetremovepred(i: m, m[i].src = n & ...)` looks at no
 * element but those whose src is n, as far as it matters. Two iterations for different n have to do with different
 * elements.
 *
 * The test must come first: what stands behind it is then not evaluated for other elements, so no failure there depends
 * on whether an element was removed before. The test itself fails, or not, for an element whose part is undefined, and
 * no test of this kind is true for such an element, so none removes it. */
#include "ir/written.h"
#include "symmetry/effects.h"

/* The operand that is part of the element in the slot: its cell + 1; 0: it is none. */
static uint32_t key_part(const struct place *multiset, const struct variable *slot, const struct expr *operand)
{
    if (operand->kind != EXPR_READ)
        return 0;
    uint32_t cell = 0;
    const struct place *place = operand->place;
    for (; place->kind == PLACE_FIELD; place = place->base)
        cell += place->field->offset;
    bool is_slot = place->kind == PLACE_SLOT && place->index->kind == EXPR_READ &&
                   place->index->place->kind == PLACE_VARIABLE && place->index->place->variable == slot;
    return is_slot && effects_same_place(place->base, multiset) ? cell + 1 : 0;
}

/* What is compared with the part of an element is a variable of a loop, and always defined: where the part is not, the
 * comparison is false. */
const struct effects_path *effects_key(struct effects *e, const struct place *multiset, const struct effects_path *path,
                                       const struct variable *slot, const struct expr *predicate)
{
    while ((predicate->kind == EXPR_BINARY && predicate->op == OP_AND) || predicate->kind == EXPR_COND)
        if (predicate->kind == EXPR_COND && !written_is_test(predicate->condition))
            return path;
        else if (predicate->kind == EXPR_COND)
            predicate = predicate->right;
        else
            predicate = written_is_test(predicate->left) ? predicate->right : predicate->left;
    if (predicate->kind != EXPR_BINARY || predicate->op != OP_EQ)
        return path;
    const struct expr *sides[2] = {predicate->left, predicate->right};
    for (int i = 0; i < 2; i++) {
        uint32_t part = key_part(multiset, slot, sides[i]);
        if (!part || sides[1 - i]->kind != EXPR_READ || sides[1 - i]->place->kind != PLACE_VARIABLE)
            continue;
        struct meaning value = effects_meaning(e, sides[1 - i]);
        if (value.kind == MEANS_VARIABLE)
            return effects_extend(e, path, (struct path_step){.index = value, .key = part});
    }
    return path;
}
