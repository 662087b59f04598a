/* The group found, as factors of the copy's symmetry, and what is distinguished. */
#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "detect/detecting.h"

static struct symmetry_point result_point(const struct detecting *d, uint32_t point)
{
    for (uint32_t c = 0; c < d->carriers->count; c++) {
        const struct carrier *carrier = &d->carriers->items[c];
        uint32_t first = d->first[c];
        if (first != NO_CARRIER && point >= first && point - first <= (uint32_t)(carrier->hi - carrier->lo))
            return (struct symmetry_point){.type = d->found.retyped.types[c], .ordinal = point - first};
    }
    UNREACHABLE("a point of no carrier");
}

/* What the discipline has to say of start states and loops over a type holds for any of its permutations. */
static void result_keep_notes(const struct detecting *d, struct symmetry_factor *factor)
{
    const struct symmetry *symmetry = d->found.symmetry;
    for (uint32_t p = 0; p < factor->degree; p++)
        for (uint32_t f = 0; (!p || factor->points[p].type != factor->points[p - 1].type) && f < symmetry->factor_count;
             f++) {
            if (symmetry->factors[f].type != factor->points[p].type || !symmetry->factors[f].is_used)
                continue;
            if (symmetry->factors[f].start_choice)
                factor->start_choice = symmetry->factors[f].start_choice;
            if (symmetry->factors[f].loop_by_cases)
                factor->loop_by_cases = symmetry->factors[f].loop_by_cases;
        }
}

/* The points of a factor, in order, and its generators on them. */
static struct symmetry_factor result_factor(const struct detecting *d, const struct group_factor *from)
{
    struct arena *arena = d->found.symmetry->arena;
    struct symmetry_factor factor = {.kind = SYMMETRY_GENERATED, .is_used = true};
    for (uint32_t o = 0; o < from->orbit_count; o++)
        factor.degree += from->lengths[o];
    uint32_t *points = ARENA_ARRAY(arena, uint32_t, factor.degree), count = 0;
    uint32_t *position = ARENA_ARRAY(arena, uint32_t, d->point_count);
    for (uint32_t o = 0; o < from->orbit_count; o++)
        for (uint32_t i = 0; i < from->lengths[o]; i++)
            points[count++] = from->orbits[o][i];
    words_sort(points, count, 1);
    struct symmetry_point *list = ARENA_ARRAY(arena, struct symmetry_point, factor.degree);
    for (uint32_t p = 0; p < factor.degree; p++) {
        list[p] = result_point(d, points[p]);
        position[points[p]] = p;
    }
    factor.points = list;
    factor.type = list[0].type;
    result_keep_notes(d, &factor);
    factor.generator_count = group_generator_count(from->group);
    uint32_t *images = ARENA_ARRAY(arena, uint32_t, (size_t)factor.generator_count * factor.degree);
    for (uint32_t g = 0; g < factor.generator_count; g++)
        for (uint32_t p = 0; p < factor.degree; p++)
            images[(size_t)g * factor.degree + p] = position[group_generator(from->group, g)[points[p]]];
    factor.generators = images;
    if (from->kind == GROUP_FULL && from->orbit_count == 1)
        factor.kind = SYMMETRY_FULL;
    static const char *const shapes[] = {[GROUP_CYCLIC] = "cyclic",
                                         [GROUP_DIHEDRAL] = "dihedral",
                                         [GROUP_WREATH] = "wreath",
                                         [GROUP_GENERATED] = "generic"};
    factor.shape = shapes[from->kind];
    struct text words = {0};
    group_factor_print(from, &words);
    factor.words = arena_string(arena, text_chars(&words));
    text_free(&words);
    return factor;
}

/* Is this factor's type one of those the graph decides about? */
static bool result_is_graphed(const struct detecting *d, const struct type *type)
{
    for (uint32_t c = 0; d->found.retyped.system && c < d->carriers->count; c++)
        if (d->found.retyped.types[c] == type)
            return d->is_graphed[c];
    return false;
}

/* A set of twins: the full group on it. */
static struct symmetry_factor result_twins(const struct detecting *d, uint32_t least)
{
    struct arena *arena = d->found.symmetry->arena;
    struct symmetry_factor factor = {.kind = SYMMETRY_FULL, .is_used = true};
    for (uint32_t p = least; p < d->point_count; p++)
        factor.degree += d->twins[p] == least;
    struct symmetry_point *points = ARENA_ARRAY(arena, struct symmetry_point, factor.degree);
    uint32_t count = 0;
    for (uint32_t p = least; p < d->point_count; p++)
        if (d->twins[p] == least)
            points[count++] = result_point(d, p);
    factor.points = points;
    factor.type = points[0].type;
    factor.words = arena_format(arena, "all %u interchangeable", factor.degree);
    return factor;
}

/* Is it the least of several twins that are not idle? */
static bool result_leads_twins(const struct detecting *d, uint32_t point)
{
    bool has_twin = false;
    for (uint32_t p = point + 1; d->twins[point] == point && p < d->point_count; p++)
        has_twin |= d->twins[p] == point;
    for (uint32_t c = 0; has_twin && c < d->carriers->count; c++) {
        uint32_t first = d->first[c];
        if (first != NO_CARRIER && point >= first &&
            point - first <= (uint32_t)(d->carriers->items[c].hi - d->carriers->items[c].lo))
            return !detect_is_idle(d, c, point - first);
    }
    return false;
}

void detect_factors(struct detecting *d)
{
    struct symmetry *symmetry = d->found.symmetry;
    struct group_factors *parts =
        d->group && d->found.retyped.system && !group_is_trivial(d->group) ? group_factorise(d->group) : NULL;
    bool has_twins = d->twins && d->found.retyped.system;
    uint32_t count = 0, most = symmetry->factor_count + (parts ? parts->count : 0);
    most += has_twins ? d->point_count : 0;
    struct symmetry_factor *factors = ARENA_ARRAY(symmetry->arena, struct symmetry_factor, most);
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        if (!result_is_graphed(d, symmetry->factors[f].type))
            factors[count++] = symmetry->factors[f];
    for (uint32_t p = 0; parts && p < parts->count; p++)
        factors[count++] = result_factor(d, &parts->items[p]);
    for (uint32_t p = 0; has_twins && p < d->point_count; p++)
        if (result_leads_twins(d, p))
            factors[count++] = result_twins(d, p);
    group_factors_destroy(parts);
    symmetry->factors = factors;
    symmetry->factor_count = count;
    symmetry->keeps_rules = d->keeps_rules;
}
