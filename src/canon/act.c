/* The group's action on states: arrays permuted, values renamed, multisets put back in order.
 *
 * symmetry_act follows the types and is the definition; structure_act does the same from the flat tables of the
 * canonicaliser. The tests compare the two. */
#include <string.h>

#include "canon/canon.h"
#include "canon/structure.h"

struct action {
    const struct symmetry *symmetry;
    const uint32_t *const *images;
    const int32_t *cells;
    int32_t *out;
};

/* The point with this code; degree: none. Most often the points are neighbours. */
static uint32_t act_point(const struct symmetry_factor *factor, int32_t code)
{
    int64_t guess = (int64_t)code - symmetry_code(factor->points[0]);
    if (guess >= 0 && guess < factor->degree && symmetry_code(factor->points[guess]) == code)
        return (uint32_t)guess;
    uint32_t p = 0;
    while (p < factor->degree && symmetry_code(factor->points[p]) != code)
        p++;
    return p;
}

static int32_t act_rename(const struct action *action, const struct type *type, int32_t code)
{
    if (code == UNDEFINED || !type_has_index(type) || !type_has(type, code))
        return code;
    for (uint32_t f = 0; f < action->symmetry->factor_count; f++) {
        const struct symmetry_factor *factor = &action->symmetry->factors[f];
        uint32_t p = factor->is_used && action->images[f] ? act_point(factor, code) : factor->degree;
        if (p < factor->degree)
            return symmetry_code(factor->points[action->images[f][p]]);
    }
    return code;
}

static void act_type(const struct action *action, const struct type *type, uint32_t from, uint32_t to)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < type->index->size; i++) {
            int32_t image = act_rename(action, type->index, type_code(type->index, i));
            uint32_t j = (uint32_t)type_ordinal(type->index, image);
            act_type(action, type->element, from + i * type->element->cells, to + j * type->element->cells);
        }
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            act_type(action, type->fields[f].type, from + type->fields[f].offset, to + type->fields[f].offset);
        return;
    case TYPE_MULTISET:
        for (uint32_t s = 0; s < type->capacity; s++) {
            uint32_t slot = s * multiset_stride(type);
            action->out[to + slot] = action->cells[from + slot];
            act_type(action, type->element, from + slot + 1, to + slot + 1);
        }
        return;
    default:
        action->out[to] = act_rename(action, type, action->cells[from]);
        return;
    }
}

void symmetry_act(const struct symmetry *symmetry, const struct layout *layout, const uint32_t *const *images,
                  const int32_t *cells, int32_t *out)
{
    struct action action = {.symmetry = symmetry, .images = images, .cells = cells, .out = out};
    const struct system *system = layout->system;
    for (size_t g = 0; g < system->globals.count; g++)
        act_type(&action, system->globals.items[g]->type, system->globals.items[g]->address,
                 system->globals.items[g]->address);
    layout_normalise(layout, out);
}

/* Where a permutation takes something at `address` with this tuple. */
static inline uint32_t act_address(const struct structure *s, const uint32_t *image, uint32_t address, uint32_t tuple,
                                   uint32_t arity)
{
    const uint32_t *elements = s->elements + tuple, *strides = s->strides + tuple;
    for (uint32_t p = 0; p < arity; p++)
        address += structure_distance(s, elements[p], image[elements[p]]) * strides[p];
    return address;
}

static inline int32_t act_code(const struct structure *s, const uint32_t *image, int32_t code)
{
    uint32_t element = structure_element(s, code);
    return element == NO_ELEMENT ? code : structure_rename(s, code, element, image[element]);
}

/* Taken slots only (the free ones stay last), in the order layout_normalise keeps. */
static void act_sort_slots(int32_t *slots, uint32_t stride, uint32_t count)
{
    for (uint32_t s = 1; s < count; s++)
        for (int32_t *slot = slots + s * stride; slot > slots; slot -= stride) {
            int32_t *before = slot - stride;
            uint32_t c = 1;
            while (c < stride && slot[c] == before[c])
                c++;
            if (c == stride || slot[c] > before[c])
                break;
            for (; c < stride; c++) {
                int32_t kept = slot[c];
                slot[c] = before[c];
                before[c] = kept;
            }
        }
}

/* The elements that a slot of a bare multiset names, by bit. */
static inline uint64_t act_slot_names(const struct structure *s, const struct slots *slots, const int32_t *slot)
{
    const uint32_t *refs = s->slot_refs + slots->refs;
    uint64_t named = 0;
    for (uint32_t i = 0; i < slots->ref_count; i++)
        named |= structure_bit(s, slot[refs[i]]);
    return named;
}

static inline void act_bare_slot(const struct structure *s, const struct slots *slots, const uint32_t *image,
                                 const int32_t *from, int32_t *to)
{
    const uint32_t *refs = s->slot_refs + slots->refs;
    for (uint32_t c = 0; c < slots->stride; c++)
        to[c] = from[c];
    for (uint32_t i = 0; i < slots->ref_count; i++)
        to[refs[i]] = act_code(s, image, to[refs[i]]);
}

uint64_t structure_act_moved(const struct structure *s, const struct slots *slots, const uint32_t *image,
                             uint64_t named, const int32_t *from, int32_t *to, uint32_t *taken)
{
    uint64_t moved = 0;
    uint32_t i = 0, count = 0;
    const int32_t *slot = from;
    for (; i < slots->capacity && slot[0]; i++, slot += slots->stride)
        moved |= (uint64_t)((act_slot_names(s, slots, slot) & named) != 0) << i;
    *taken = i;
    for (uint64_t left = moved; left; left &= left - 1)
        act_bare_slot(s, slots, image, from + (uint32_t)__builtin_ctzll(left) * slots->stride,
                      to + count++ * slots->stride);
    act_sort_slots(to, slots->stride, count);
    return moved;
}

/* Only names change. */
static uint32_t act_bare_slots(const struct structure *s, const struct slots *slots, const uint32_t *image,
                               const int32_t *from, int32_t *to)
{
    uint32_t stride = slots->stride, taken = 0;
    for (; taken < slots->capacity && from[taken * stride]; taken++)
        act_bare_slot(s, slots, image, from + taken * stride, to + taken * stride);
    act_sort_slots(to, stride, taken);
    return taken;
}

uint32_t structure_act_slots(const struct structure *s, const struct slots *slots, const uint32_t *image,
                             const int32_t *from, int32_t *to)
{
    uint32_t stride = slots->stride, taken = 0;
    if (slots->is_bare)
        return act_bare_slots(s, slots, image, from, to);
    memcpy(to, from, (size_t)stride * slots->capacity * sizeof *to);
    for (; taken < slots->capacity && from[taken * stride]; taken++)
        for (uint32_t u = 0; u < slots->use_count; u++) {
            const struct use *use = &s->slot_uses[slots->uses + u];
            int32_t code = from[taken * stride + use->address];
            uint32_t at = taken * stride + act_address(s, image, use->address, use->tuple, use->arity);
            to[at] = use->is_ref ? act_code(s, image, code) : code;
        }
    act_sort_slots(to, stride, taken);
    return taken;
}

void structure_act(const struct structure *s, const uint32_t *image, const int32_t *cells, int32_t *out)
{
    memcpy(out, cells, s->cell_count * sizeof *out);
    for (uint32_t u = 0; u < s->use_count; u++) {
        const struct use *use = &s->uses[u];
        int32_t code = cells[use->address];
        uint32_t to = act_address(s, image, use->address, use->tuple, use->arity);
        out[to] = use->is_ref ? act_code(s, image, code) : code;
    }
    for (uint32_t i = 0; i < s->slots_count; i++) {
        const struct slots *slots = &s->slots[i];
        uint32_t to = act_address(s, image, slots->address, slots->tuple, slots->arity);
        structure_act_slots(s, slots, image, cells + slots->address, out + to);
    }
}
