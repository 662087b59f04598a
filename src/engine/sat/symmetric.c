/* The symmetry of the system as permutations of state variables (bits/circuit.h). */
#include <stdlib.h>
#include <string.h>

#include "canon/canon.h"
#include "engine/sat/search.h"

enum { SYMMETRIC_MOST_ROWS = 4096, SYMMETRIC_MOST_WORK = 1 << 26 };

struct symmetric_move {
    const struct sat_search *search;
    const uint32_t *const *images;
};

static void symmetric_act(void *user, const int32_t *cells, int32_t *out)
{
    const struct symmetric_move *move = user;
    symmetry_act(move->search->symmetry, move->search->layout, move->images, cells, out);
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
    struct symmetric_move move = {search, images};
    bool is_ok =
        symmetric_keeps_starts(search, images) && circuit_permutation(&search->circuit, symmetric_act, &move, map);
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
    if (symmetry_is_trivial(symmetry))
        return;
    if (search->row_count > SYMMETRIC_MOST_ROWS || work > SYMMETRIC_MOST_WORK) {
        result_fall_back(search->result, NULL, "symmetry", "%s",
                         search->row_count > SYMMETRIC_MOST_ROWS ? "there are too many start states to compare"
                                                                 : "the state has too many bits to permute");
        return;
    }
    bool keeps_all = true;
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        if (!symmetry->factors[f].is_used)
            continue;
        uint32_t count = symmetry_generator_count(&symmetry->factors[f]);
        for (uint32_t g = 0; g < count; g++)
            keeps_all &= symmetric_add(search, f, g);
    }
    if (!keeps_all)
        result_fall_back(search->result, NULL, search->generators.count ? "a part of the symmetry" : "symmetry",
                         "permutations that do not keep the start states are left out");
}

void sat_symmetry_free(struct sat_search *search)
{
    for (size_t i = 0; i < search->generators.count; i++)
        free(search->generators.items[i]);
    VEC_FREE(&search->generators);
}
