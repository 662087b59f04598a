/* The symmetry of the system as permutations of state variables.
 *
 * A permutation of processes takes elements of arrays to each other, and values of index types; with a variable for
 * each of those values it permutes variables. In multisets it does not: the slots are put in order again behind it. */
#include <stdlib.h>
#include <string.h>

#include "canon/canon.h"
#include "engine/sat/search.h"

enum { SYMMETRIC_MOST_ROWS = 4096, SYMMETRIC_MOST_WORK = 1 << 26 };

static bool symmetric_in_multiset(const struct layout *layout, uint32_t cell)
{
    for (uint32_t m = 0; m < layout->multiset_count; m++)
        if (cell - layout->multisets[m].address < layout->multisets[m].type->cells)
            return true;
    return false;
}

/* Where the permutation takes the value of a cell: probes a state in which everything else is undefined. */
static bool symmetric_probe(const struct sat_search *search, const uint32_t *const *images, uint32_t cell,
                            uint32_t ordinal, int32_t *cells, int32_t *out, uint32_t *to, uint32_t *to_ordinal)
{
    const struct layout *layout = search->layout;
    layout_blank(layout, cells);
    cells[cell] = type_code(layout->cells[cell].type, ordinal);
    symmetry_act(search->symmetry, layout, images, cells, out);
    for (*to = 0; *to < layout->cell_count; ++*to)
        if (layout->cells[*to].type && out[*to] != UNDEFINED) {
            *to_ordinal = (uint32_t)type_ordinal(layout->cells[*to].type, out[*to]);
            return true;
        }
    return false;
}

/* The images of the variables of one cell. False: it is no permutation of variables. */
static bool symmetric_map_cell(const struct sat_search *search, const uint32_t *const *images, uint32_t cell,
                               int32_t *cells, int32_t *out, uint32_t *map)
{
    const struct circuit *circuit = &search->circuit;
    const struct type *type = search->layout->cells[cell].type;
    uint32_t width = circuit->first[cell + 1] - circuit->first[cell], to, ordinal;
    bool is_listed = circuit->is_listed[cell];
    for (uint32_t i = 0; i < (is_listed ? width : 1); i++) {
        if (!symmetric_probe(search, images, cell, i, cells, out, &to, &ordinal) ||
            circuit->is_listed[to] != is_listed || (!is_listed && type_has_index(type)) ||
            circuit->first[to + 1] - circuit->first[to] != width)
            return false;
        for (uint32_t b = is_listed ? i : 0; b < (is_listed ? i + 1 : width); b++)
            map[circuit->first[cell] + b] = circuit->first[to] + (is_listed ? ordinal : b);
    }
    return true;
}

static bool symmetric_map(const struct sat_search *search, const uint32_t *const *images, uint32_t *map)
{
    const struct layout *layout = search->layout;
    int32_t *cells = memory_alloc(2 * layout->cell_count * sizeof *cells + 1);
    bool is_ok = true;
    for (uint32_t v = 0; v < search->circuit.variable_count; v++)
        map[v] = SAT_NO_IMAGE;
    for (uint32_t c = 0; is_ok && c < layout->cell_count; c++)
        if (!symmetric_in_multiset(layout, c))
            is_ok = symmetric_map_cell(search, images, c, cells, cells + layout->cell_count, map);
    free(cells);
    return is_ok;
}

/* Are the images of start states start states? */
static bool symmetric_keeps_starts(const struct sat_search *search, const uint32_t *const *images)
{
    size_t width = search->circuit.variable_count;
    int32_t *cells = memory_alloc(2 * search->layout->cell_count * sizeof *cells + 1);
    int32_t *out = cells + search->layout->cell_count;
    bool *row = memory_alloc(width + 1), keeps = true;
    for (size_t r = 0; keeps && r < search->row_count; r++) {
        bool is_found = false;
        circuit_decode(&search->circuit, search->rows + r * width, cells);
        symmetry_act(search->symmetry, search->layout, images, cells, out);
        circuit_encode(&search->circuit, out, row);
        for (size_t i = 0; !is_found && i < search->row_count; i++)
            is_found = !memcmp(search->rows + i * width, row, width);
        keeps = is_found;
    }
    free(row);
    free(cells);
    return keeps;
}

static bool symmetric_add(struct sat_search *search, uint32_t factor, uint32_t number)
{
    const struct symmetry *symmetry = search->symmetry;
    uint32_t *image = memory_alloc(symmetry->factors[factor].degree * sizeof *image + 1);
    const uint32_t **images = memory_zeroed((size_t)symmetry->factor_count + 1, sizeof *images);
    uint32_t *map = memory_alloc(search->circuit.variable_count * sizeof *map + 1);
    symmetry_generator(&symmetry->factors[factor], number, image);
    images[factor] = image;
    bool is_ok = symmetric_keeps_starts(search, images) && symmetric_map(search, images, map);
    if (is_ok)
        VEC_PUSH(&search->generators, map);
    else
        free(map);
    free(images);
    free(image);
    return is_ok;
}

void sat_symmetry_find(struct sat_search *search)
{
    const struct symmetry *symmetry = search->symmetry;
    uint64_t work = (uint64_t)search->circuit.variable_count * search->layout->cell_count;
    if (symmetry_is_trivial(symmetry) || search->row_count > SYMMETRIC_MOST_ROWS || work > SYMMETRIC_MOST_WORK)
        return;
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        if (!symmetry->factors[f].is_used)
            continue;
        uint32_t count = symmetry_generator_count(&symmetry->factors[f]);
        for (uint32_t g = 0; g < count; g++)
            symmetric_add(search, f, g);
    }
}

void sat_symmetry_free(struct sat_search *search)
{
    for (size_t i = 0; i < search->generators.count; i++)
        free(search->generators.items[i]);
    VEC_FREE(&search->generators);
}
