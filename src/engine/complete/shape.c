#include "engine/complete/shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void shape_number_objects(struct shape *shape)
{
    for (uint32_t f = 0; f < shape->family_count; f++) {
        shape->families[f].first = shape->object_count;
        shape->object_count += shape->families[f].count;
    }
    shape->codes = memory_zeroed(shape->object_count, sizeof *shape->codes);
    shape->family_of = memory_zeroed(shape->object_count, sizeof *shape->family_of);
    shape->location_of = memory_zeroed(shape->object_count, sizeof *shape->location_of);
    for (uint32_t f = 0; f < shape->family_count; f++) {
        const struct complete_family *family = &shape->families[f];
        const struct slot *slot = &shape->slots[family->slot];
        for (uint32_t e = 0; e < family->count; e++) {
            shape->codes[family->first + e] = type_code(family->type, e);
            shape->family_of[family->first + e] = f;
            shape->location_of[family->first + e] = slot->base + e * slot->dimensions[0].stride;
        }
    }
}

struct shape *shape_create(const struct system *system, const char *location, const char **refusal)
{
    struct shape *shape = memory_zeroed(1, sizeof *shape);
    shape->system = system;
    *refusal = NULL;
    if (!shape_find_slots(shape))
        *refusal = "an array of arrays has more dimensions than the complete engine follows";
    if (!*refusal)
        *refusal = shape_find_families(shape, location);
    if (*refusal) {
        shape_destroy(shape);
        return NULL;
    }
    shape_number_objects(shape);
    shape->is_always_defined = shape_is_always_defined(system);
    return shape;
}

void shape_destroy(struct shape *shape)
{
    if (!shape)
        return;
    free(shape->slots);
    free(shape->slot_of);
    free(shape->families);
    free(shape->codes);
    free(shape->family_of);
    free(shape->location_of);
    free(shape);
}

/* Two ranges are the same index set when they have the same bounds, unless they have different names: then the
 * author means different things. */
static bool shape_is_same_set(const struct type *left, const struct type *right)
{
    if (left == right)
        return true;
    if (left->kind != TYPE_RANGE || right->kind != TYPE_RANGE)
        return false;
    if (left->blocks[0].lo != right->blocks[0].lo || left->blocks[0].hi != right->blocks[0].hi)
        return false;
    return !left->name || !right->name || strcmp(left->name, right->name) == 0;
}

uint32_t shape_family_of_type(const struct shape *shape, const struct type *type)
{
    for (uint32_t f = 0; f < shape->family_count; f++)
        if (shape_is_same_set(shape->families[f].type, type))
            return f;
    return SHAPE_NONE;
}

int32_t shape_index_of_cell(const struct slot *slot, uint32_t cell, uint32_t d)
{
    uint32_t rest = cell - slot->base;
    for (uint32_t i = 0; i < d; i++)
        rest %= slot->dimensions[i].stride;
    return type_code(slot->dimensions[d].type, rest / slot->dimensions[d].stride);
}
