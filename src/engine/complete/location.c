/* Which local variable is the control location of a process.
 *
 * Any choice is sound: the location only decides which states are compared at all. Inferred is the variable that most
 * rules of the family test in a conjunct of their guards, enumerations first. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "engine/complete/shape.h"

struct location_search {
    const struct shape *shape;
    const struct rule *rule;
    uint32_t slot;
};

/* Does the place denote the slot, with a parameter of the rule as its only index? */
static bool location_is_tested_place(const struct location_search *search, const struct place *place, uint32_t *offset)
{
    const struct slot *slot = &search->shape->slots[search->slot];
    switch (place->kind) {
    case PLACE_VARIABLE:
        return place->variable == slot->variable;
    case PLACE_FIELD:
        *offset += place->field->offset;
        return location_is_tested_place(search, place->base, offset);
    case PLACE_ELEMENT: {
        const struct expr *index = place->index;
        if (index->kind != EXPR_READ || index->place->kind != PLACE_VARIABLE)
            return false;
        for (uint32_t p = 0; p < search->rule->parameter_count; p++)
            if (search->rule->parameters[p].variable == index->place->variable)
                return location_is_tested_place(search, place->base, offset);
        return false;
    }
    default:
        return false;
    }
}

static bool location_is_tested_read(const struct location_search *search, const struct expr *expr)
{
    const struct slot *slot = &search->shape->slots[search->slot];
    uint32_t offset = slot->variable->address;
    return expr->kind == EXPR_READ && location_is_tested_place(search, expr->place, &offset) && offset == slot->base;
}

static bool location_is_tested(const struct location_search *search, const struct expr *guard)
{
    if (!guard)
        return false;
    if (guard->kind == EXPR_UNARY && guard->op == OP_NOT)
        return location_is_tested(search, guard->left);
    if (guard->kind != EXPR_BINARY)
        return location_is_tested_read(search, guard);
    if (guard->op == OP_AND || guard->op == OP_OR)
        return location_is_tested(search, guard->left) || location_is_tested(search, guard->right);
    if (guard->op == OP_EQ || guard->op == OP_NE)
        return (location_is_tested_read(search, guard->left) && guard->right->kind == EXPR_CONST) ||
               (location_is_tested_read(search, guard->right) && guard->left->kind == EXPR_CONST);
    return false;
}

/* Every value of a location is counted apart: of more it is a number. */
static const uint32_t LOCATION_MOST_VALUES = 1 << 16;

static bool location_is_candidate(const struct slot *slot)
{
    if (slot->dimension_count != 1 || slot->type->size > LOCATION_MOST_VALUES)
        return false;
    enum type_kind kind = slot->dimensions[0].type->kind;
    return kind == TYPE_RANGE || kind == TYPE_INDEX;
}

/* How many rules test it, doubled, and one more for an enumeration. */
static uint64_t location_score(const struct shape *shape, uint32_t slot)
{
    struct location_search search = {shape, NULL, slot};
    uint64_t score = 0;
    for (size_t r = 0; r < shape->system->rules.count; r++) {
        search.rule = shape->system->rules.items[r];
        score += location_is_tested(&search, search.rule->guard) ? 2 : 0;
    }
    return score ? score + (shape->slots[slot].type->kind == TYPE_ENUM) : 0;
}

/* The name of a slot without its indices: "process.state". */
static bool location_has_name(const struct slot *slot, const struct type *type, uint32_t offset, struct text *name,
                              const char *wanted)
{
    while (type->kind == TYPE_ARRAY)
        type = type->element;
    if (type->kind != TYPE_RECORD)
        return slot->base == offset && strcmp(text_chars(name), wanted) == 0;
    for (uint32_t f = 0; f < type->field_count; f++) {
        size_t length = name->length;
        text_format(name, ".%s", type->fields[f].name);
        if (location_has_name(slot, type->fields[f].type, offset + type->fields[f].offset, name, wanted))
            return true;
        name->length = length;
        name->chars[length] = '\0';
    }
    return false;
}

static bool location_is_named(const struct slot *slot, const char *wanted)
{
    struct text name = {0};
    text_append(&name, slot->variable->name);
    bool is_named = location_has_name(slot, slot->variable->type, slot->variable->address, &name, wanted);
    text_free(&name);
    return is_named;
}

/* The family of an index type that has no better location yet. */
static void location_offer(struct shape *shape, uint64_t *scores, uint32_t slot, uint64_t score)
{
    const struct type *type = shape->slots[slot].dimensions[0].type;
    uint32_t f = shape_family_of_type(shape, type);
    if (f == SHAPE_NONE) {
        f = shape->family_count++;
        shape->families[f] = (struct complete_family){.type = type, .count = type->size, .slot = slot};
    } else if (score <= scores[f]) {
        return;
    }
    shape->families[f].slot = slot;
    scores[f] = score;
}

const char *shape_find_families(struct shape *shape, const char *location)
{
    uint64_t *scores = memory_zeroed(shape->slot_count + 1, sizeof *scores);
    shape->families = memory_zeroed(shape->slot_count + 1, sizeof *shape->families);
    for (uint32_t s = 0; s < shape->slot_count; s++) {
        if (!location_is_candidate(&shape->slots[s]))
            continue;
        bool is_named = location && location_is_named(&shape->slots[s], location);
        uint64_t score = is_named ? UINT64_MAX : location ? 0 : location_score(shape, s);
        if (score)
            location_offer(shape, scores, s, score);
    }
    free(scores);
    for (uint32_t f = 0; f < shape->family_count; f++)
        shape->slots[shape->families[f].slot].family = f;
    if (shape->family_count)
        return NULL;
    return location ? "--location names no variable of the processes: a scalar with one index that is a range or "
                      "scalarset (as in \"pc\" or \"process.state\")"
                    : "no control location was found: no variable with one index is compared with a constant in a "
                      "guard; --location names one";
}
