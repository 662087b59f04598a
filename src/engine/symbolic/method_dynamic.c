/* Dynamic symmetry reduction (survey 5.4; Emerson, Wahl, "Dynamic symmetry reduction", TACAS 2005): images are computed
 * with the relations of the model, and the set that results is sorted.
 *
 * A permutation is tried on those states of the set that it makes less; they are replaced by their images, until no
 * permutation tried finds any. When the permutations tried are enough to make any state less that is not the least of
 * its orbit, the representatives are unique. For a full factor whose cells are local states and shared variables
 * (references to processes included: a process's key is its local state, and which references point to it), exchanges
 * of neighbours are enough. For other groups, all elements are tried if they are not too many, else the generators, and
 * representatives may be several. */
#include "engine/symbolic/method.h"

enum { DYNAMIC_MOST_ELEMENTS = 1000 };

static bool dynamic_add(struct symbolic_reducer *reducer, const uint32_t *const *images)
{
    struct shuffle shuffle;
    bool is_ok = shuffle_make(&reducer->shuffler, images, true, &shuffle);
    VEC_PUSH(&reducer->moves, shuffle);
    return is_ok;
}

static bool dynamic_add_neighbours(struct symbolic_reducer *reducer, uint32_t factor)
{
    bool is_ok = true;
    for (uint32_t p = 0; is_ok && p + 1 < reducer->footprint->symmetry->factors[factor].degree; p++)
        is_ok = reducer_exchange(reducer, factor, p, p + 1, dynamic_add);
    return is_ok;
}

/* All exchanges of a full factor, the generators of another. */
static bool dynamic_add_some(struct symbolic_reducer *reducer, uint32_t factor)
{
    const struct symmetry_factor *about = &reducer->footprint->symmetry->factors[factor];
    bool is_ok = true;
    if (about->kind == SYMMETRY_FULL) {
        for (uint32_t p = 0; is_ok && p < about->degree; p++)
            for (uint32_t q = p + 1; is_ok && q < about->degree; q++)
                is_ok = reducer_exchange(reducer, factor, p, q, dynamic_add);
        return is_ok;
    }
    const uint32_t **images = memory_zeroed(reducer->footprint->factors, sizeof *images);
    uint32_t *image = memory_alloc((about->degree + 1) * sizeof *image);
    images[factor] = image;
    for (uint32_t g = 0; is_ok && g < symmetry_generator_count(about); g++) {
        symmetry_generator(about, g, image);
        is_ok = dynamic_add(reducer, images);
    }
    free(image);
    free(images);
    return is_ok;
}

static bool dynamic_add_cluster(struct symbolic_reducer *reducer, uint32_t cluster)
{
    const struct footprint *footprint = reducer->footprint;
    bool is_ok = true;
    if (reducer_order(reducer, cluster) <= DYNAMIC_MOST_ELEMENTS)
        return reducer_each(reducer, cluster, dynamic_add);
    reducer->is_unique = false;
    for (uint32_t f = 0; is_ok && f < footprint->factors; f++)
        if (footprint->cluster[f] == cluster && footprint->symmetry->factors[f].is_used)
            is_ok = dynamic_add_some(reducer, f);
    return is_ok;
}

bool reducer_open_dynamic(struct symbolic_reducer *reducer)
{
    const struct footprint *footprint = reducer->footprint;
    bool is_ok = true;
    reducer->is_unique = true;
    for (uint32_t f = 0; is_ok && f < footprint->factors; f++) {
        if (!footprint->symmetry->factors[f].is_used)
            continue;
        if (footprint_is_nice(footprint, f))
            is_ok = dynamic_add_neighbours(reducer, f);
        else if (footprint->cluster[f] == f) /* once for each cluster */
            is_ok = dynamic_add_cluster(reducer, f);
    }
    return is_ok;
}

/* The states that the move makes less, replaced by their images. */
static dd dynamic_move(struct symbolic_reducer *reducer, const struct shuffle *move, dd set)
{
    struct dd_manager *m = reducer->shuffler.encoding->m;
    dd keep[3] = {set, DD_FALSE, DD_FALSE};
    dd_register(m, keep, 3);
    keep[1] = dd_and(m, set, move->decreases);
    if (keep[1] != DD_FALSE) {
        keep[2] = dd_difference(m, keep[0], keep[1]);
        keep[1] = shuffle_apply(&reducer->shuffler, move, keep[1]);
        keep[0] = dd_or(m, keep[2], keep[1]);
    }
    dd_unregister(m, keep);
    return keep[0];
}

dd reducer_represent_dynamic(struct symbolic_reducer *reducer, dd set)
{
    struct dd_manager *m = reducer->shuffler.encoding->m;
    bool is_new = true;
    dd keep = set;
    dd_register(m, &keep, 1);
    while (is_new && keep != DD_NONE) {
        is_new = false;
        for (size_t i = 0; i < reducer->moves.count && keep != DD_NONE; i++) {
            dd next = dynamic_move(reducer, &reducer->moves.items[i], keep);
            is_new |= next != keep;
            keep = next;
        }
    }
    dd_unregister(m, &keep);
    return keep;
}
