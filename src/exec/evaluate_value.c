/* Whole values: blank, cleared, in normal order. */
#include <string.h>

#include "exec/evaluate.h"

void evaluate_fill(const struct type *type, int32_t *cells, bool is_cleared)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < type->index->size; i++)
            evaluate_fill(type->element, cells + i * type->element->cells, is_cleared);
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            evaluate_fill(type->fields[f].type, cells + type->fields[f].offset, is_cleared);
        return;
    case TYPE_MULTISET:
        for (uint32_t s = 0; s < type->capacity; s++) {
            cells[s * multiset_stride(type)] = 0;
            evaluate_fill(type->element, cells + s * multiset_stride(type) + 1, false);
        }
        return;
    default:
        *cells = is_cleared ? type_code(type, 0) : UNDEFINED;
        return;
    }
}

/* Before (< 0), same as (0) or after (> 0): taken slots first, then by the element's codes. */
static int evaluate_compare_slots(const int32_t *left, const int32_t *right, uint32_t stride)
{
    if (left[0] != right[0])
        return left[0] ? -1 : 1;
    for (uint32_t c = 1; c < stride; c++)
        if (left[c] != right[c])
            return left[c] < right[c] ? -1 : 1;
    return 0;
}

/* Selection sort: the least of the rest goes next. */
static void evaluate_sort_slots(const struct type *type, int32_t *cells)
{
    uint32_t stride = multiset_stride(type);
    int32_t *kept = memory_alloc(stride * sizeof *kept);
    for (uint32_t s = 0; s < type->capacity; s++) {
        uint32_t least = s;
        for (uint32_t t = s + 1; t < type->capacity; t++)
            if (evaluate_compare_slots(cells + t * stride, cells + least * stride, stride) < 0)
                least = t;
        memcpy(kept, cells + s * stride, stride * sizeof *kept);
        memmove(cells + s * stride, cells + least * stride, stride * sizeof *kept);
        memcpy(cells + least * stride, kept, stride * sizeof *kept);
    }
    free(kept);
}

void evaluate_normalise(const struct type *type, int32_t *cells)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < type->index->size; i++)
            evaluate_normalise(type->element, cells + i * type->element->cells);
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            evaluate_normalise(type->fields[f].type, cells + type->fields[f].offset);
        return;
    case TYPE_MULTISET:
        for (uint32_t s = 0; s < type->capacity; s++) /* inside first: the order of the slots depends on it */
            evaluate_normalise(type->element, cells + s * multiset_stride(type) + 1);
        evaluate_sort_slots(type, cells);
        return;
    default:
        return;
    }
}
