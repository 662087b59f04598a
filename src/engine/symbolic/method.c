#include "engine/symbolic/method.h"

#include <stdlib.h>

const char *method_refusal(enum method method, const struct symmetry *symmetry, const struct layout *layout)
{
    bool is_in_multiset = false;
    struct footprint *footprint = footprint_create(symmetry, layout);
    for (uint32_t c = 0; c < layout->cell_count; c++)
        for (uint32_t f = 0; f < footprint->factors; f++)
            is_in_multiset |= footprint->is_in_multiset[c] && footprint_touches(footprint, c, f);
    footprint_destroy(footprint);
    if (is_in_multiset && (method == METHOD_ORBIT || method == METHOD_MULTIPLE))
        return "a multiset holds elements of a symmetric type: its order is no part of the relations of this --method "
               "(dynamic and onthefly know multisets)";
    return NULL;
}

bool reduction_exchange(struct reduction *reduction, uint32_t factor, uint32_t a, uint32_t b, reduction_visit *visit)
{
    const struct symmetry *symmetry = reduction->footprint->symmetry;
    uint32_t degree = symmetry->factors[factor].degree;
    const uint32_t **images = memory_zeroed(symmetry->factor_count, sizeof *images);
    uint32_t *image = memory_alloc(degree * sizeof *image);
    for (uint32_t p = 0; p < degree; p++)
        image[p] = p;
    image[a] = b;
    image[b] = a;
    images[factor] = image;
    bool is_ok = visit(reduction, images);
    free(image);
    free(images);
    return is_ok;
}

/* The elements of a cluster: those of its factors one after the other. */
struct product {
    struct reduction *reduction;
    uint32_t cluster, factor; /* the factor being chosen */
    const uint32_t **images;
    reduction_visit *visit;
};

static bool product_walk(struct product *product);

static bool product_choose(void *user, const uint32_t *element)
{
    struct product *product = user;
    uint32_t factor = product->factor;
    product->images[factor] = element;
    product->factor = factor + 1;
    bool goes_on = product_walk(product);
    product->factor = factor;
    return goes_on;
}

static bool product_walk(struct product *product)
{
    const struct footprint *footprint = product->reduction->footprint;
    while (product->factor < footprint->factors && (footprint->cluster[product->factor] != product->cluster ||
                                                    !footprint->symmetry->factors[product->factor].is_used))
        product->images[product->factor++] = NULL;
    if (product->factor == footprint->factors)
        return product->visit(product->reduction, product->images);
    struct group *group = symmetry_factor_group(&footprint->symmetry->factors[product->factor]);
    bool goes_on = group_each(group, product_choose, product);
    group_destroy(group);
    return goes_on;
}

bool reduction_each(struct reduction *reduction, uint32_t cluster, reduction_visit *visit)
{
    struct product product = {.reduction = reduction, .cluster = cluster, .visit = visit};
    product.images = memory_zeroed((size_t)reduction->footprint->factors + 1, sizeof *product.images);
    bool is_ok = product_walk(&product);
    free(product.images);
    return is_ok;
}

uint64_t reduction_order(const struct reduction *reduction, uint32_t cluster)
{
    const struct footprint *footprint = reduction->footprint;
    uint64_t order = 1, part;
    for (uint32_t f = 0; f < footprint->factors; f++) {
        if (footprint->cluster[f] != cluster || !footprint->symmetry->factors[f].is_used)
            continue;
        struct group *group = symmetry_factor_group(&footprint->symmetry->factors[f]);
        bool is_small = group_order_small(group, &part) && !__builtin_mul_overflow(order, part, &order);
        group_destroy(group);
        if (!is_small)
            return UINT64_MAX;
    }
    return order;
}

static bool reduction_add_generator(struct reduction *reduction, const uint32_t *const *images)
{
    struct shuffle shuffle;
    bool is_ok = shuffle_make(&reduction->shuffler, images, false, &shuffle);
    VEC_PUSH(&reduction->generators, shuffle);
    return is_ok;
}

static bool reduction_add_generators(struct reduction *reduction)
{
    const struct symmetry *symmetry = reduction->footprint->symmetry;
    const uint32_t **images = memory_zeroed((size_t)symmetry->factor_count + 1, sizeof *images);
    bool is_ok = true;
    for (uint32_t f = 0; is_ok && f < symmetry->factor_count; f++) {
        const struct symmetry_factor *factor = &symmetry->factors[f];
        uint32_t *image = memory_alloc((factor->degree + 1) * sizeof *image);
        images[f] = image;
        for (uint32_t g = 0; factor->is_used && is_ok && g < symmetry_generator_count(factor); g++) {
            symmetry_generator(factor, g, image);
            is_ok = reduction_add_generator(reduction, images);
        }
        images[f] = NULL;
        free(image);
    }
    free(images);
    return is_ok;
}

static bool reduction_open(struct reduction *reduction)
{
    if (!reduction_add_generators(reduction))
        return false;
    switch (reduction->method) {
    case METHOD_DYNAMIC:
        return reduction_open_dynamic(reduction);
    case METHOD_ORBIT:
        return reduction_open_orbit(reduction);
    case METHOD_MULTIPLE:
        return reduction_open_multiple(reduction);
    default:
        return true;
    }
}

struct reduction *reduction_create(enum method method, const struct symmetry *symmetry, struct encoding *encoding)
{
    struct reduction *reduction = memory_zeroed(1, sizeof *reduction);
    reduction->method = method;
    reduction->footprint = footprint_create(symmetry, encoding->layout);
    reduction->shuffler = (struct shuffler){reduction->footprint, encoding, sorters_create(encoding)};
    if (reduction_open(reduction))
        return reduction;
    reduction_destroy(reduction);
    return NULL;
}

void reduction_destroy(struct reduction *reduction)
{
    if (!reduction)
        return;
    struct dd_manager *m = reduction->shuffler.encoding->m;
    for (size_t i = 0; i < reduction->generators.count; i++)
        shuffle_free(m, &reduction->generators.items[i]);
    for (size_t i = 0; i < reduction->moves.count; i++)
        shuffle_free(m, &reduction->moves.items[i]);
    for (size_t i = 0; i < reduction->maps.count; i++) {
        dd_unref(m, reduction->maps.items[i].relation);
        dd_unref(m, reduction->maps.items[i].changed);
    }
    VEC_FREE(&reduction->generators);
    VEC_FREE(&reduction->moves);
    VEC_FREE(&reduction->maps);
    sorters_destroy(reduction->shuffler.sorters);
    footprint_destroy(reduction->footprint);
    free(reduction);
}

dd reduction_represent(struct reduction *reduction, dd set)
{
    struct dd_manager *m = reduction->shuffler.encoding->m;
    if (reduction->method == METHOD_DYNAMIC)
        return reduction_represent_dynamic(reduction, set);
    for (size_t i = 0; i < reduction->maps.count; i++)
        set = dd_next(m, set, reduction->maps.items[i].relation, reduction->maps.items[i].changed);
    return set;
}

dd reduction_close(struct reduction *reduction, dd set)
{
    struct dd_manager *m = reduction->shuffler.encoding->m;
    bool is_new = true;
    dd keep = set;
    dd_register(m, &keep, 1);
    while (is_new && keep != DD_NONE) {
        is_new = false;
        for (size_t i = 0; i < reduction->generators.count && keep != DD_NONE; i++) {
            dd image = shuffle_apply(&reduction->shuffler, &reduction->generators.items[i], keep);
            dd all = dd_or(m, keep, image);
            is_new |= all != keep;
            keep = all;
        }
    }
    dd_unregister(m, &keep);
    return keep;
}
