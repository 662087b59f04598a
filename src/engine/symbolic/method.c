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

bool reducer_exchange(struct symbolic_reducer *reducer, uint32_t factor, uint32_t a, uint32_t b, reducer_visit *visit)
{
    const struct symmetry *symmetry = reducer->footprint->symmetry;
    uint32_t degree = symmetry->factors[factor].degree;
    const uint32_t **images = memory_zeroed(symmetry->factor_count, sizeof *images);
    uint32_t *image = memory_alloc(degree * sizeof *image);
    for (uint32_t p = 0; p < degree; p++)
        image[p] = p;
    image[a] = b;
    image[b] = a;
    images[factor] = image;
    bool is_ok = visit(reducer, images);
    free(image);
    free(images);
    return is_ok;
}

/* The elements of a cluster: those of its factors one after the other. */
struct product {
    struct symbolic_reducer *reducer;
    uint32_t cluster, factor; /* the factor being chosen */
    const uint32_t **images;
    reducer_visit *visit;
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
    const struct footprint *footprint = product->reducer->footprint;
    while (product->factor < footprint->factors && (footprint->cluster[product->factor] != product->cluster ||
                                                    !footprint->symmetry->factors[product->factor].is_used))
        product->images[product->factor++] = NULL;
    if (product->factor == footprint->factors)
        return product->visit(product->reducer, product->images);
    struct group *group = symmetry_factor_group(&footprint->symmetry->factors[product->factor]);
    bool goes_on = group_each(group, product_choose, product);
    group_destroy(group);
    return goes_on;
}

bool reducer_each(struct symbolic_reducer *reducer, uint32_t cluster, reducer_visit *visit)
{
    struct product product = {.reducer = reducer, .cluster = cluster, .visit = visit};
    product.images = memory_zeroed((size_t)reducer->footprint->factors + 1, sizeof *product.images);
    bool is_ok = product_walk(&product);
    free(product.images);
    return is_ok;
}

uint64_t reducer_order(const struct symbolic_reducer *reducer, uint32_t cluster)
{
    const struct footprint *footprint = reducer->footprint;
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

static bool reducer_add_generator(struct symbolic_reducer *reducer, const uint32_t *const *images)
{
    struct shuffle shuffle;
    bool is_ok = shuffle_make(&reducer->shuffler, images, false, &shuffle);
    VEC_PUSH(&reducer->generators, shuffle);
    return is_ok;
}

static bool reducer_add_generators(struct symbolic_reducer *reducer)
{
    const struct symmetry *symmetry = reducer->footprint->symmetry;
    const uint32_t **images = memory_zeroed((size_t)symmetry->factor_count + 1, sizeof *images);
    bool is_ok = true;
    for (uint32_t f = 0; is_ok && f < symmetry->factor_count; f++) {
        const struct symmetry_factor *factor = &symmetry->factors[f];
        uint32_t *image = memory_alloc((factor->degree + 1) * sizeof *image);
        images[f] = image;
        for (uint32_t g = 0; factor->is_used && is_ok && g < symmetry_generator_count(factor); g++) {
            symmetry_generator(factor, g, image);
            is_ok = reducer_add_generator(reducer, images);
        }
        images[f] = NULL;
        free(image);
    }
    free(images);
    return is_ok;
}

static bool reducer_open(struct symbolic_reducer *reducer)
{
    if (!reducer_add_generators(reducer))
        return false;
    switch (reducer->method) {
    case METHOD_DYNAMIC:
        return reducer_open_dynamic(reducer);
    case METHOD_ORBIT:
        return reducer_open_orbit(reducer);
    case METHOD_MULTIPLE:
        return reducer_open_multiple(reducer);
    default:
        return true;
    }
}

struct symbolic_reducer *reducer_create(enum method method, const struct symmetry *symmetry, struct encoding *encoding)
{
    struct symbolic_reducer *reducer = memory_zeroed(1, sizeof *reducer);
    reducer->method = method;
    reducer->footprint = footprint_create(symmetry, encoding->layout);
    reducer->shuffler = (struct shuffler){reducer->footprint, encoding, sorters_create(encoding)};
    if (reducer_open(reducer))
        return reducer;
    reducer_destroy(reducer);
    return NULL;
}

void reducer_destroy(struct symbolic_reducer *reducer)
{
    if (!reducer)
        return;
    struct dd_manager *m = reducer->shuffler.encoding->m;
    for (size_t i = 0; i < reducer->generators.count; i++)
        shuffle_free(m, &reducer->generators.items[i]);
    for (size_t i = 0; i < reducer->moves.count; i++)
        shuffle_free(m, &reducer->moves.items[i]);
    for (size_t i = 0; i < reducer->maps.count; i++) {
        dd_unref(m, reducer->maps.items[i].relation);
        dd_unref(m, reducer->maps.items[i].changed);
    }
    VEC_FREE(&reducer->generators);
    VEC_FREE(&reducer->moves);
    VEC_FREE(&reducer->maps);
    sorters_destroy(reducer->shuffler.sorters);
    footprint_destroy(reducer->footprint);
    free(reducer);
}

dd reducer_represent(struct symbolic_reducer *reducer, dd set)
{
    struct dd_manager *m = reducer->shuffler.encoding->m;
    if (reducer->method == METHOD_DYNAMIC)
        return reducer_represent_dynamic(reducer, set);
    for (size_t i = 0; i < reducer->maps.count; i++)
        set = dd_next(m, set, reducer->maps.items[i].relation, reducer->maps.items[i].changed);
    return set;
}

dd reducer_close(struct symbolic_reducer *reducer, dd set)
{
    struct dd_manager *m = reducer->shuffler.encoding->m;
    bool is_new = true;
    dd keep = set;
    dd_register(m, &keep, 1);
    while (is_new && keep != DD_NONE) {
        is_new = false;
        for (size_t i = 0; i < reducer->generators.count && keep != DD_NONE; i++) {
            dd image = shuffle_apply(&reducer->shuffler, &reducer->generators.items[i], keep);
            dd all = dd_or(m, keep, image);
            is_new |= all != keep;
            keep = all;
        }
    }
    dd_unregister(m, &keep);
    return keep;
}
