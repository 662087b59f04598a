/* Multiple representatives (survey 5.2; Clarke, Enders, Filkorn, Jha 1996): a state is a representative when no process
 * has a lesser local state than the first one, and it is related to those representatives that exchanges of two
 * processes, one of them the first, make of it. Every state has one, most orbits have several. */
#include <stdlib.h>

#include "engine/symbolic/method.h"

struct multiple {
    struct symbolic_reducer *reducer;
    uint32_t factor;
    bool *concerns;     /* by cell: what the factor touches */
    dd relation, least; /* registered, in this order */
    dd changed;
};

/* Local cells of the factor: one index, no points of it as values. */
static bool multiple_is_key(const struct multiple *multiple, uint32_t cell)
{
    const struct footprint *footprint = multiple->reducer->footprint;
    size_t at = (size_t)cell * footprint->factors + multiple->factor;
    return footprint->indexed[at] == 1 && !footprint->holds[at];
}

/* For the exchange of the first point with another: adds its relation, and the condition that the other is not less. */
static bool multiple_add(struct multiple *multiple, const uint32_t *const *images)
{
    const struct shuffler *shuffler = &multiple->reducer->shuffler;
    struct dd_manager *m = shuffler->encoding->m;
    struct dd_relation relation;
    bool *is_key = memory_zeroed((size_t)multiple->reducer->footprint->layout->cell_count + 1, sizeof *is_key);
    for (uint32_t c = 0; c < multiple->reducer->footprint->layout->cell_count; c++)
        is_key[c] = multiple_is_key(multiple, c);
    dd less = shuffle_compare(shuffler, images, is_key);
    multiple->least = dd_difference(m, multiple->least, less);
    free(is_key);
    if (!shuffle_relation(shuffler, images, multiple->concerns, &relation))
        multiple->relation = DD_NONE;
    multiple->relation = dd_or(m, multiple->relation, relation.relation);
    dd_unref(m, multiple->changed);
    multiple->changed = relation.changed; /* the same for all */
    dd_unref(m, relation.relation);
    return multiple->relation != DD_NONE && multiple->least != DD_NONE;
}

static bool multiple_exchange_all(struct multiple *multiple)
{
    const struct symmetry *symmetry = multiple->reducer->footprint->symmetry;
    uint32_t degree = symmetry->factors[multiple->factor].degree;
    const uint32_t **images = memory_zeroed(symmetry->factor_count, sizeof *images);
    uint32_t *image = memory_alloc(degree * sizeof *image);
    bool is_ok = true;
    images[multiple->factor] = image;
    for (uint32_t p = 0; p < degree; p++)
        image[p] = p;
    for (uint32_t p = 0; is_ok && p < degree; p++) {
        image[0] = p;
        image[p] = 0;
        is_ok = multiple_add(multiple, images);
        image[p] = p;
        image[0] = 0;
    }
    free(image);
    free(images);
    return is_ok;
}

static bool multiple_add_factor(struct symbolic_reducer *reducer, uint32_t factor)
{
    struct multiple multiple = {.reducer = reducer, .factor = factor, .relation = DD_FALSE, .least = DD_TRUE};
    struct dd_manager *m = reducer->shuffler.encoding->m;
    uint32_t cells = reducer->footprint->layout->cell_count;
    bool has_key = false, is_ok = true;
    multiple.concerns = memory_zeroed((size_t)cells + 1, sizeof *multiple.concerns);
    for (uint32_t c = 0; c < cells; c++) {
        multiple.concerns[c] = footprint_touches(reducer->footprint, c, factor);
        has_key |= multiple_is_key(&multiple, c);
    }
    dd_register(m, &multiple.relation, 2);
    if (has_key) { /* else there is nothing to go by, and every state represents itself */
        is_ok = multiple_exchange_all(&multiple);
        dd representatives = dd_permute(m, multiple.least, encoding_exchange(reducer->shuffler.encoding));
        struct dd_relation map = {dd_ref(m, dd_and(m, multiple.relation, representatives)), multiple.changed};
        VEC_PUSH(&reducer->maps, map);
        is_ok = is_ok && map.relation != DD_NONE;
    } else {
        reducer->loose = reducer->footprint->symmetry->factors[factor].type;
    }
    dd_unregister(m, &multiple.relation);
    free(multiple.concerns);
    return is_ok;
}

bool reducer_open_multiple(struct symbolic_reducer *reducer)
{
    const struct symmetry *symmetry = reducer->footprint->symmetry;
    bool is_ok = true;
    for (uint32_t f = 0; is_ok && f < symmetry->factor_count; f++) {
        if (!symmetry->factors[f].is_used)
            continue;
        if (symmetry->factors[f].kind == SYMMETRY_FULL)
            is_ok = multiple_add_factor(reducer, f);
        else
            reducer->loose = symmetry->factors[f].type;
    }
    return is_ok;
}
