#include "engine/symbolic/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The factor of which the code is a point, or `factors`. */
static uint32_t footprint_factor(const struct footprint *footprint, int32_t code)
{
    for (uint32_t f = 0; f < footprint->factors; f++) {
        const struct symmetry_factor *factor = &footprint->symmetry->factors[f];
        for (uint32_t p = 0; factor->is_used && p < factor->degree; p++)
            if (symmetry_code(factor->points[p]) == code)
                return f;
    }
    return footprint->factors;
}

static void footprint_note_values(struct footprint *footprint, const struct type *type, uint32_t cell)
{
    for (uint32_t i = 0; type_has_index(type) && i < type->size; i++) {
        uint32_t f = footprint_factor(footprint, type_code(type, i));
        if (f < footprint->factors)
            footprint->holds[(size_t)cell * footprint->factors + f] = true;
    }
}

/* `met`: by factor, how many indices on the way were points of it. */
static void footprint_walk(struct footprint *footprint, const struct type *type, uint32_t address, uint8_t *met,
                           bool is_in_multiset)
{
    uint32_t factors = footprint->factors, f;
    switch (type->kind) {
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < type->index->size; i++) {
            f = type_has_index(type->index) ? footprint_factor(footprint, type_code(type->index, i)) : factors;
            uint8_t before = f < factors ? met[f] : 0;
            if (f < factors && met[f] < 2)
                met[f]++;
            footprint_walk(footprint, type->element, address + i * type->element->cells, met, is_in_multiset);
            if (f < factors)
                met[f] = before;
        }
        return;
    case TYPE_RECORD:
        for (f = 0; f < type->field_count; f++)
            footprint_walk(footprint, type->fields[f].type, address + type->fields[f].offset, met, is_in_multiset);
        return;
    case TYPE_MULTISET:
        for (uint32_t s = 0; s < type->capacity; s++) {
            uint32_t slot = address + s * multiset_stride(type);
            memcpy(footprint->indexed + (size_t)slot * factors, met, factors);
            footprint->is_in_multiset[slot] = true;
            footprint_walk(footprint, type->element, slot + 1, met, true);
        }
        return;
    default:
        memcpy(footprint->indexed + (size_t)address * factors, met, factors);
        footprint->is_in_multiset[address] = is_in_multiset;
        footprint_note_values(footprint, type, address);
        return;
    }
}

static void footprint_join(struct footprint *footprint, uint32_t a, uint32_t b)
{
    uint32_t from = footprint->cluster[a], to = footprint->cluster[b];
    for (uint32_t f = 0; f < footprint->factors; f++)
        if (footprint->cluster[f] == from)
            footprint->cluster[f] = to;
}

bool footprint_touches(const struct footprint *footprint, uint32_t cell, uint32_t factor)
{
    size_t at = (size_t)cell * footprint->factors + factor;
    return footprint->indexed[at] || footprint->holds[at];
}

/* Two factors that touch a cell are entangled, unless both only rename its values: it holds a point of one at most. */
static void footprint_cluster(struct footprint *footprint, uint32_t cell)
{
    uint32_t factors = footprint->factors;
    const uint8_t *indexed = footprint->indexed + (size_t)cell * factors;
    for (uint32_t a = 0; a < factors; a++)
        for (uint32_t b = a + 1; b < factors; b++)
            if (footprint_touches(footprint, cell, a) && footprint_touches(footprint, cell, b) &&
                (indexed[a] || indexed[b] || footprint->is_in_multiset[cell]))
                footprint_join(footprint, a, b);
}

/* The elements of a multiset stand in one order: factors that touch different cells of them are entangled, too. */
static void footprint_cluster_multiset(struct footprint *footprint, const struct multiset_site *site)
{
    uint32_t first = footprint->factors;
    for (uint32_t c = 0; c < site->type->cells; c++)
        for (uint32_t f = 0; f < footprint->factors; f++) {
            if (!footprint_touches(footprint, site->address + c, f))
                continue;
            if (first < footprint->factors)
                footprint_join(footprint, first, f);
            first = f;
        }
}

struct footprint *footprint_create(const struct symmetry *symmetry, const struct layout *layout)
{
    struct footprint *footprint = memory_zeroed(1, sizeof *footprint);
    size_t cells = (size_t)layout->cell_count + 1, factors = symmetry->factor_count;
    *footprint = (struct footprint){.layout = layout, .symmetry = symmetry, .factors = symmetry->factor_count};
    footprint->indexed = memory_zeroed(cells * factors + 1, sizeof *footprint->indexed);
    footprint->holds = memory_zeroed(cells * factors + 1, sizeof *footprint->holds);
    footprint->is_in_multiset = memory_zeroed(cells, sizeof *footprint->is_in_multiset);
    footprint->cluster = memory_zeroed(factors + 1, sizeof *footprint->cluster);
    for (uint32_t f = 0; f < factors; f++)
        footprint->cluster[f] = f;
    uint8_t *met = memory_zeroed(factors + 1, sizeof *met);
    for (size_t g = 0; g < layout->system->globals.count; g++)
        footprint_walk(footprint, layout->system->globals.items[g]->type, layout->system->globals.items[g]->address,
                       met, false);
    free(met);
    for (uint32_t c = 0; c < layout->cell_count; c++)
        footprint_cluster(footprint, c);
    for (uint32_t i = 0; i < layout->multiset_count; i++)
        footprint_cluster_multiset(footprint, &layout->multisets[i]);
    return footprint;
}

void footprint_destroy(struct footprint *footprint)
{
    if (!footprint)
        return;
    free(footprint->indexed);
    free(footprint->holds);
    free(footprint->is_in_multiset);
    free(footprint->cluster);
    free(footprint);
}

bool footprint_is_nice(const struct footprint *footprint, uint32_t factor)
{
    if (footprint->symmetry->factors[factor].kind != SYMMETRY_FULL)
        return false;
    for (uint32_t f = 0; f < footprint->factors; f++)
        if (f != factor && footprint->cluster[f] == footprint->cluster[factor])
            return false;
    for (uint32_t c = 0; c < footprint->layout->cell_count; c++) {
        size_t at = (size_t)c * footprint->factors + factor;
        bool is_local = footprint->indexed[at] == 1 && !footprint->holds[at];
        bool is_shared = !footprint->indexed[at] && !(footprint->holds[at] && footprint->is_in_multiset[c]);
        if (!is_local && !is_shared)
            return false;
    }
    return true;
}
