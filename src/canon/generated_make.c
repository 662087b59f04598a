#include "canon/generated_inner.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

enum { GENERATED_PAIRED = 256 };

struct group *structure_group(const struct structure *s, const struct symmetry *symmetry)
{
    uint32_t n = s->element_count, count = 0;
    VEC(uint32_t *) generators = {0};
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        const struct symmetry_factor *factor = &symmetry->factors[f];
        if (!factor->is_used)
            continue;
        uint32_t *image = memory_alloc(((size_t)factor->degree + 1) * sizeof *image),
                 *element = memory_alloc(((size_t)factor->degree + 1) * sizeof *element);
        for (uint32_t i = 0; i < factor->degree; i++)
            element[i] = structure_element(s, symmetry_code(factor->points[i]));
        for (uint32_t g = 0; g < symmetry_generator_count(factor); g++) {
            uint32_t *p = memory_alloc(((size_t)n + 1) * sizeof *p);
            symmetry_generator(factor, g, image);
            perm_set_identity(n, p);
            for (uint32_t i = 0; i < factor->degree; i++)
                if (image[i] != i)
                    p[element[i]] = element[image[i]];
            VEC_PUSH(&generators, p);
        }
        free(image);
        free(element);
    }
    count = (uint32_t)generators.count;
    struct group *group = group_create(n, (const uint32_t *const *)generators.items, count);
    for (uint32_t g = 0; g < count; g++)
        free(generators.items[g]);
    VEC_FREE(&generators);
    return group;
}

static uint32_t *generated_numbers(uint32_t count)
{
    return memory_zeroed((size_t)count + 1, sizeof(uint32_t));
}

/* Pairs that the group takes to one another get the same number. */
static uint64_t *generated_number_pairs(const struct group *group)
{
    uint32_t n = group_degree(group);
    if (n > GENERATED_PAIRED)
        return NULL;
    uint32_t *orbit = memory_alloc(((size_t)n * n + 1) * sizeof *orbit);
    uint64_t *pairs = memory_alloc(((size_t)n * n + 1) * sizeof *pairs);
    uint32_t **generators = memory_zeroed((size_t)group_generator_count(group) + 1, sizeof *generators);
    for (uint32_t g = 0; g < group_generator_count(group); g++) {
        generators[g] = memory_alloc(((size_t)n * n + 1) * sizeof **generators);
        for (uint32_t p = 0; p < n * n; p++)
            generators[g][p] = group_generator(group, g)[p / n] * n + group_generator(group, g)[p % n];
    }
    orbits_of(n * n, (const uint32_t *const *)generators, group_generator_count(group), orbit);
    for (uint32_t p = 0; p < n * n; p++)
        pairs[p] = hash_mix(orbit[p]) | 1;
    for (uint32_t g = 0; g < group_generator_count(group); g++)
        free(generators[g]);
    free(generators);
    free(orbit);
    return pairs;
}

struct symmetry_generated *generated_create(const struct structure *s, const struct symmetry *symmetry)
{
    struct symmetry_generated *g = memory_zeroed(1, sizeof *g);
    uint32_t n = s->element_count;
    g->group = structure_group(s, symmetry);
    g->n = n;
    g->level_count = group_level_count(g->group);
    g->levels = memory_zeroed((size_t)g->level_count + 1, sizeof *g->levels);
    for (uint32_t l = 0; l <= g->level_count; l++)
        g->levels[l] = (struct generated_level){
            .elements = memory_zeroed((size_t)n + 1, sizeof(uint32_t *)),
            .right = generated_numbers(n),
            .candidates = generated_numbers(n),
            .trace = memory_zeroed((size_t)n + 1, sizeof(uint64_t)),
            .orbit = generated_numbers(n),
        };
    g->is_path = memory_zeroed((size_t)n + 1, sizeof *g->is_path);
    g->path = generated_numbers(n);
    g->best_path = generated_numbers(n);
    g->inverse = generated_numbers(n);
    g->seen = generated_numbers(n);
    g->pairs = generated_number_pairs(g->group);
    g->shades = memory_zeroed((size_t)n + 1, sizeof *g->shades);
    g->best = memory_zeroed((size_t)s->cell_count + 1, sizeof *g->best);
    g->leaf = memory_zeroed((size_t)s->cell_count + 1, sizeof *g->leaf);
    g->sizes = generated_numbers(g->level_count);
    perm_set_identity(n, g->levels[0].right);
    return g;
}

void generated_destroy(struct symmetry_generated *g)
{
    if (!g)
        return;
    for (uint32_t l = 0; l <= g->level_count; l++) {
        for (uint32_t e = 0; e < g->n; e++)
            free(g->levels[l].elements[e]);
        free(g->levels[l].elements);
        free(g->levels[l].right);
        free(g->levels[l].candidates);
        free(g->levels[l].trace);
        free(g->levels[l].orbit);
    }
    free(g->levels);
    free(g->is_path);
    free(g->path);
    free(g->best_path);
    free(g->inverse);
    free(g->seen);
    free(g->pairs);
    free(g->shades);
    free(g->best);
    free(g->leaf);
    VEC_FREE(&g->automorphisms);
    free(g->sizes);
    group_destroy(g->group);
    free(g);
}
