/* Every cell of the state, by slot. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "engine/complete/shape.h"

struct slot_finder {
    struct shape *shape;
    VEC(struct slot) slots;
    bool is_too_deep;
};

static void slots_cover(struct slot_finder *finder, const struct slot *slot, uint32_t dimension, uint32_t cell)
{
    if (dimension == slot->dimension_count) {
        finder->shape->slot_of[cell] = slot->id;
        return;
    }
    const struct dimension *about = &slot->dimensions[dimension];
    for (uint32_t e = 0; e < about->type->size; e++)
        slots_cover(finder, slot, dimension + 1, cell + e * about->stride);
}

static void slots_visit(struct slot_finder *finder, const struct type *type, struct slot slot)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        if (slot.dimension_count == SHAPE_MAX_DIMENSIONS) {
            finder->is_too_deep = true;
            return;
        }
        slot.dimensions[slot.dimension_count++] = (struct dimension){type->index, type->element->cells};
        slots_visit(finder, type->element, slot);
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++) {
            struct slot field = slot;
            field.base += type->fields[f].offset;
            slots_visit(finder, type->fields[f].type, field);
        }
        return;
    case TYPE_MULTISET:
        UNREACHABLE("multisets are refused before");
    default:
        slot.id = (uint32_t)finder->slots.count;
        slot.type = type;
        slots_cover(finder, &slot, 0, slot.base);
        VEC_PUSH(&finder->slots, slot);
    }
}

bool shape_find_slots(struct shape *shape)
{
    struct slot_finder finder = {.shape = shape};
    shape->slot_of = memory_zeroed(shape->system->state_cells + 1, sizeof *shape->slot_of);
    for (size_t g = 0; g < shape->system->globals.count; g++) {
        const struct variable *variable = shape->system->globals.items[g];
        slots_visit(&finder, variable->type,
                    (struct slot){.base = variable->address, .variable = variable, .family = SHAPE_NONE});
    }
    shape->slots = finder.slots.items;
    shape->slot_count = (uint32_t)finder.slots.count;
    return !finder.is_too_deep;
}
