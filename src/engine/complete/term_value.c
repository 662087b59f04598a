/* Evaluating terms, as they are or under a permutation, and renaming them. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/complete/term.h"
#include "ir/arith.h"

static uint32_t value_object(const struct complete_scene *scene, uint32_t object)
{
    return scene->map ? scene->map[object] : object;
}

/* The element, in its family, of the object that now has the place of `object`. */
static uint32_t value_element(const struct complete_scene *scene, uint32_t object)
{
    uint32_t other = value_object(scene, object);
    return other - scene->shape->families[scene->shape->family_of[other]].first;
}

bool term_cell_of(const struct complete_term *leaf, const struct complete_scene *scene, uint32_t *cell)
{
    const struct slot *slot = &scene->shape->slots[leaf->slot];
    switch (leaf->kind) {
    case TERM_CELL:
        *cell = leaf->cell;
        return true;
    case TERM_VIEW:
        *cell = leaf->view->cells[value_element(scene, leaf->object)];
        return *cell != SHAPE_NONE;
    default:
        *cell = slot->base;
        for (uint32_t d = 0; d < slot->dimension_count; d++) {
            int64_t index, ordinal;
            if (!term_evaluate(leaf->arguments[d], scene, &index))
                return false;
            ordinal = type_ordinal(slot->dimensions[d].type, index);
            if (ordinal < 0)
                return false;
            *cell += (uint32_t)ordinal * slot->dimensions[d].stride;
        }
        return true;
    }
}

/* A cell, undefined or not, or any other value. */
static bool value_raw(const struct complete_term *term, const struct complete_scene *scene, int64_t *value)
{
    uint32_t cell;
    if (scene->leaf && term == scene->leaf) {
        *value = scene->value;
        return true;
    }
    if (!term_is_leaf(term) || term->kind == TERM_ID)
        return term_evaluate(term, scene, value);
    if (!term_cell_of(term, scene, &cell))
        return false;
    *value = scene->cells[cell];
    return true;
}

static bool value_sum(const struct complete_term *term, const struct complete_scene *scene, int64_t *value)
{
    *value = term->value;
    for (uint32_t i = 0; i < term->count; i++) {
        int64_t item;
        if (!term_evaluate(term->arguments[i], scene, &item))
            return false;
        *value += term->coefficients[i] * item;
    }
    return true;
}

/* One part that decides is enough, whatever stands in the way of the others: the program looks at them in an order that
 * is forgotten here, and that it does not fail on the way is required apart. */
static bool value_junction(const struct complete_term *term, const struct complete_scene *scene, int64_t *value)
{
    bool neutral = term->kind == TERM_AND, is_known = true;
    for (uint32_t i = 0; i < term->count; i++) {
        if (!term_evaluate(term->arguments[i], scene, value))
            is_known = false;
        else if ((*value != 0) != neutral)
            return true;
    }
    *value = neutral;
    return is_known;
}

static bool value_operator(const struct complete_term *term, const struct complete_scene *scene, int64_t *value)
{
    int64_t left, right;
    return term_evaluate(term->arguments[0], scene, &left) && term_evaluate(term->arguments[1], scene, &right) &&
           arith_binary(term->op, left, right, value) == ARITH_OK;
}

static bool value_same(const struct complete_term *term, const struct complete_scene *scene, int64_t *value)
{
    int64_t left, right;
    if (!value_raw(term->arguments[0], scene, &left) || !value_raw(term->arguments[1], scene, &right))
        return false;
    *value = left == right;
    return true;
}

/* Terms of one argument. */
static bool value_unary(const struct complete_term *term, const struct complete_scene *scene, int64_t *value)
{
    if (term->kind == TERM_UNDEFINED) {
        if (!value_raw(term->arguments[0], scene, value))
            return false;
        *value = *value == UNDEFINED;
        return true;
    }
    if (!term_evaluate(term->arguments[0], scene, value))
        return false;
    if (term->kind == TERM_NOT)
        *value = !*value;
    else if (term->kind == TERM_MEMBER)
        *value = type_has(term->type, *value);
    else
        *value = term_mask_has(term->type, (uint64_t)term->value, *value);
    return true;
}

bool term_evaluate(const struct complete_term *term, const struct complete_scene *scene, int64_t *value)
{
    switch (term->kind) {
    case TERM_CONST:
        *value = term->value; /* UNDEFINED too: the same number may be meant, and only SAME has it as an operand */
        return true;
    case TERM_ID:
        *value = term == scene->leaf ? scene->value : scene->shape->codes[value_object(scene, term->object)];
        return true;
    case TERM_ROLE:
        if (scene->leaf && scene->leaf->kind == TERM_ID && scene->leaf->object == term->object)
            *value = term->role->codes[type_ordinal(scene->leaf->type, scene->value)];
        else
            *value = term->role->codes[value_element(scene, term->object)];
        return true;
    case TERM_CELL:
    case TERM_VIEW:
    case TERM_SELECT:
        return value_raw(term, scene, value) && *value != UNDEFINED;
    case TERM_SUM:
        return value_sum(term, scene, value);
    case TERM_LE:
    case TERM_EQ:
    case TERM_NE:
        if (!value_sum(term, scene, value))
            return false;
        *value = term->kind == TERM_LE ? *value <= 0 : (*value == 0) == (term->kind == TERM_EQ);
        return true;
    case TERM_AND:
    case TERM_OR:
        return value_junction(term, scene, value);
    case TERM_OP:
        return value_operator(term, scene, value);
    case TERM_SAME:
        return value_same(term, scene, value);
    case TERM_NOT:
    case TERM_MEMBER:
    case TERM_IN:
    case TERM_UNDEFINED:
        return value_unary(term, scene, value);
    }
    UNREACHABLE("term kind");
}

bool term_holds(const struct complete_term *term, const struct complete_scene *scene)
{
    int64_t value;
    return term_evaluate(term, scene, &value) && value;
}

bool term_mask_has(const struct type *type, uint64_t mask, int64_t code)
{
    if (code == UNDEFINED)
        return mask & TERM_MASK_UNDEFINED;
    int64_t ordinal = type_ordinal(type, code);
    return ordinal >= 0 && ordinal < TERM_MASK_VALUES && (mask >> ordinal & 1);
}

uint64_t term_mask(const struct terms *terms, const struct complete_term *term)
{
    struct complete_scene scene = {.shape = terms->shape, .leaf = term->leaf};
    uint64_t mask = 0;
    for (uint32_t o = 0; o < term->leaf->type->size; o++) {
        scene.value = type_code(term->leaf->type, o);
        if (term_holds(term, &scene))
            mask |= UINT64_C(1) << o;
    }
    scene.value = UNDEFINED;
    if (term->leaf->kind != TERM_ID && term_holds(term, &scene))
        mask |= TERM_MASK_UNDEFINED;
    return mask;
}

const struct complete_term *term_rebuild(struct terms *terms, const struct complete_term *term,
                                         const struct complete_term *const *arguments)
{
    struct complete_term other = {.kind = term->kind,
                                  .op = term->op,
                                  .count = term->count,
                                  .value = term->value,
                                  .type = term->type,
                                  .arguments = arguments};
    switch (term->kind) {
    case TERM_SUM:
    case TERM_LE:
    case TERM_EQ:
    case TERM_NE: {
        struct sum_item *items = memory_alloc((term->count + 1) * sizeof *items);
        for (uint32_t i = 0; i < term->count; i++)
            items[i] = (struct sum_item){arguments[i], term->coefficients[i]};
        const struct complete_term *made = term_sum(terms, term->kind, items, term->count, term->value);
        free(items);
        return made;
    }
    case TERM_AND:
    case TERM_OR:
        return term_junction(terms, term->kind, arguments, term->count);
    case TERM_NOT:
        return term_not(terms, arguments[0]);
    case TERM_OP:
        return term_operator(terms, term->op, arguments[0], arguments[1]);
    case TERM_SELECT:
        return term_cell(terms, &terms->shape->slots[term->slot], arguments);
    case TERM_UNDEFINED:
        return term_undefined(terms, arguments[0]);
    case TERM_SAME:
        return term_same(terms, arguments[0], arguments[1]);
    default:
        return term_intern(terms, &other);
    }
}

const struct complete_term *term_rename(struct terms *terms, const struct complete_term *term, const uint32_t *map)
{
    if (!map || !term->leaf || term->kind == TERM_CELL)
        return term;
    if (term->kind == TERM_ID)
        return terms->ids[map[term->object]];
    if (term->kind == TERM_ROLE || term->kind == TERM_VIEW) {
        struct complete_term other = *term;
        other.object = map[term->object];
        other.simpler = NULL;
        other.leaf = NULL;
        return term_intern(terms, &other);
    }
    const struct complete_term **arguments = memory_alloc((term->count + 1) * sizeof *arguments);
    for (uint32_t i = 0; i < term->count; i++)
        arguments[i] = term_rename(terms, term->arguments[i], map);
    const struct complete_term *made = term_rebuild(terms, term, arguments);
    free(arguments);
    ENSURE(made);
    return made;
}
