#include "symmetry/symmetry.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "symmetry/discipline.h"

static struct symmetry_point *symmetry_points(struct arena *arena, const struct type *type)
{
    struct symmetry_point *points = ARENA_ARRAY(arena, struct symmetry_point, type->size);
    for (uint32_t i = 0; i < type->size; i++)
        points[i] = (struct symmetry_point){.type = type, .ordinal = i};
    return points;
}

struct symmetry *symmetry_none(const struct system *system)
{
    struct arena *arena = arena_create();
    struct symmetry *symmetry = ARENA_NEW(arena, struct symmetry);
    symmetry->arena = arena;
    symmetry->system = system;
    symmetry->keeps_rules = true;
    for (size_t t = 0; t < system->types.count; t++)
        symmetry->factor_count += system->types.items[t]->kind == TYPE_INDEX;
    symmetry->factors = ARENA_ARRAY(arena, struct symmetry_factor, symmetry->factor_count);
    uint32_t f = 0;
    for (size_t t = 0; t < system->types.count; t++)
        if (system->types.items[t]->kind == TYPE_INDEX) {
            const struct type *type = system->types.items[t];
            symmetry->factors[f++] = (struct symmetry_factor){
                .kind = SYMMETRY_FULL, .type = type, .degree = type->size, .points = symmetry_points(arena, type)};
        }
    return symmetry;
}

struct symmetry *symmetry_find(const struct system *system)
{
    struct symmetry *symmetry = symmetry_none(system);
    discipline_check(symmetry);
    return symmetry;
}

void symmetry_destroy(struct symmetry *symmetry)
{
    if (symmetry)
        arena_destroy(symmetry->arena);
}

bool symmetry_is_trivial(const struct symmetry *symmetry)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        if (symmetry->factors[f].is_used && symmetry->factors[f].degree > 1)
            return false;
    return true;
}

bool symmetry_picks_starts(const struct symmetry *symmetry)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        if (symmetry->factors[f].is_used && symmetry->factors[f].start_choice)
            return true;
    return false;
}

void symmetry_multiply_order(const struct symmetry_factor *factor, struct bigint *order)
{
    if (factor->kind == SYMMETRY_FULL) {
        bigint_multiply_factorial(order, factor->degree);
        return;
    }
    struct group *group = symmetry_factor_group(factor);
    struct bigint *mine = bigint_create(1);
    group_order(group, mine);
    bigint_multiply(order, mine);
    bigint_destroy(mine);
    group_destroy(group);
}

struct bigint *symmetry_order(const struct symmetry *symmetry)
{
    struct bigint *order = bigint_create(1);
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        if (symmetry->factors[f].is_used)
            symmetry_multiply_order(&symmetry->factors[f], order);
    return order;
}

enum { SYMMETRY_SPELLED = 3000 }; /* the factorial of a greater number is named: it has more than 9,130 digits */

char *symmetry_factor_digits(const struct symmetry_factor *factor)
{
    if (factor->kind == SYMMETRY_FULL && factor->degree > SYMMETRY_SPELLED) {
        struct text text = {0};
        text_format(&text, "%u!", factor->degree);
        return text.chars;
    }
    struct bigint *order = bigint_create(1);
    symmetry_multiply_order(factor, order);
    char *digits = bigint_digits(order);
    bigint_destroy(order);
    return digits;
}

char *symmetry_order_digits(const struct symmetry *symmetry)
{
    struct text text = {0};
    bool is_long = false;
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        is_long |= symmetry->factors[f].is_used && symmetry->factors[f].kind == SYMMETRY_FULL &&
                   symmetry->factors[f].degree > SYMMETRY_SPELLED;
    for (uint32_t f = 0; is_long && f < symmetry->factor_count; f++) {
        if (!symmetry->factors[f].is_used)
            continue;
        char *digits = symmetry_factor_digits(&symmetry->factors[f]);
        text_format(&text, "%s%s", text.length ? " * " : "", digits);
        free(digits);
    }
    if (is_long)
        return text.chars;
    struct bigint *order = symmetry_order(symmetry);
    char *digits = bigint_digits(order);
    bigint_destroy(order);
    return digits;
}

void symmetry_orbits(const struct symmetry_factor *factor, uint32_t *orbit)
{
    uint32_t degree = factor->degree;
    if (factor->kind == SYMMETRY_FULL) {
        for (uint32_t p = 0; p < degree; p++)
            orbit[p] = 0;
        return;
    }
    const uint32_t **generators = memory_alloc(((size_t)factor->generator_count + 1) * sizeof *generators);
    for (uint32_t g = 0; g < factor->generator_count; g++)
        generators[g] = factor->generators + (size_t)g * degree;
    orbits_of(degree, generators, factor->generator_count, orbit);
    free(generators);
}

struct group *symmetry_factor_group(const struct symmetry_factor *factor)
{
    uint32_t count = symmetry_generator_count(factor);
    uint32_t *images = memory_alloc(((size_t)count * factor->degree + 1) * sizeof *images);
    const uint32_t **generators = memory_alloc(((size_t)count + 1) * sizeof *generators);
    for (uint32_t g = 0; g < count; g++) {
        symmetry_generator(factor, g, images + (size_t)g * factor->degree);
        generators[g] = images + (size_t)g * factor->degree;
    }
    struct group *group = group_create(factor->degree, generators, count);
    free(generators);
    free(images);
    return group;
}

uint32_t symmetry_generator_count(const struct symmetry_factor *factor)
{
    if (factor->kind == SYMMETRY_FULL)
        return factor->degree ? factor->degree - 1 : 0;
    return factor->generator_count;
}

void symmetry_generator(const struct symmetry_factor *factor, uint32_t number, uint32_t *image)
{
    for (uint32_t p = 0; p < factor->degree; p++)
        image[p] = factor->kind == SYMMETRY_FULL ? p : factor->generators[(size_t)number * factor->degree + p];
    if (factor->kind == SYMMETRY_FULL) {
        image[number] = number + 1;
        image[number + 1] = number;
    }
}
