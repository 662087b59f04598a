/* Symmetries that exchange variables: detection on a copy in which candidates are elements of arrays
 * (rewrite/gather.h). The copy is taken if some of these elements are exchanged. */
#include <stdlib.h>
#include <string.h>

#include "detect/detecting.h"
#include "ir/fairness.h"

/* The arrays of a copy: by position of the original's variable, its class. */
struct variable_arrays {
    const struct system *system;
    uint32_t *class_of;
    uint32_t class_count;
};

static bool gathering_applies(const struct system *system)
{
    /* Fairness of rules holds for each instance of a rule by itself, and these symmetries exchange rules. */
    return !system->face && !system_has_probabilities(system) && !fairness_is_required(system);
}

/* The position of the variable that an element stands for; GATHER_NONE: the point is no element of such an array. */
static uint32_t gathering_variable(const struct variable_arrays *g, const struct system *copy,
                                   struct symmetry_point point)
{
    uint32_t position = 0;
    for (size_t v = 0; v < copy->globals.count; v++) {
        const struct variable *array = copy->globals.items[v];
        if (!array->is_gathered || array->type->index != point.type)
            continue;
        const char *name = array->element_names[point.ordinal];
        while (g->system->globals.items[position]->name != name) /* the very same string, see gather.c */
            position++;
        return position;
    }
    return GATHER_NONE;
}

/* Classes become the orbits of the group. Returns whether any class is smaller than before. */
static bool gathering_shrink(struct variable_arrays *g, const struct detection *found)
{
    const struct symmetry *symmetry = found->symmetry;
    size_t count = g->system->globals.count;
    uint32_t *classes = memory_alloc((count + 1) * sizeof *classes), classes_made = 0, left_out = 0;
    for (size_t v = 0; v < count; v++)
        classes[v] = GATHER_NONE;
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        const struct symmetry_factor *factor = &symmetry->factors[f];
        uint32_t *orbits = memory_zeroed((size_t)factor->degree + 1, sizeof *orbits);
        if (factor->is_used)
            symmetry_orbits(factor, orbits);
        for (uint32_t p = 0; factor->is_used && p < factor->degree; p++) {
            uint32_t own = gathering_variable(g, found->system, factor->points[p]);
            uint32_t least = own == GATHER_NONE || orbits[p] == p
                                 ? GATHER_NONE
                                 : gathering_variable(g, found->system, factor->points[orbits[p]]);
            if (least == GATHER_NONE)
                continue;
            classes[least] = classes[least] == GATHER_NONE ? classes_made++ : classes[least];
            classes[own] = classes[least];
        }
        free(orbits);
    }
    for (size_t v = 0; v < count; v++)
        left_out += classes[v] == GATHER_NONE && g->class_of[v] != GATHER_NONE;
    bool is_smaller = left_out || classes_made > g->class_count;
    memcpy(g->class_of, classes, count * sizeof *classes);
    g->class_count = classes_made;
    free(classes);
    return is_smaller;
}

/* Of the copy with these arrays. Its symmetry is NULL if there is no such copy. */
static struct detection gathering_detect(const struct variable_arrays *g, const struct detect_options *options)
{
    struct system *copy = gather_system(g->system, g->class_of, g->class_count);
    if (!copy)
        return (struct detection){0};
    struct detection found = detect_variables_kept(copy, options);
    found.gathered = copy;
    return found;
}

struct detection detect_gathered(const struct system *system, const struct detect_options *options)
{
    struct variable_arrays g = {.system = system};
    struct detection found = {0};
    struct detect_options quick = *options;
    if (!gathering_applies(system))
        return found;
    g.class_of = memory_alloc((system->globals.count + 1) * sizeof *g.class_of);
    g.class_count = detect_variables(system, g.class_of);
    quick.explains = false;
    for (bool is_final = false; g.class_count && !watch_is_over(options->watch);) {
        found = gathering_detect(&g, is_final ? options : &quick);
        if (!found.symmetry)
            break;
        bool is_smaller = gathering_shrink(&g, &found);
        if (g.class_count && !is_smaller && (is_final || !options->explains))
            break;
        is_final = !is_smaller;
        detection_free(&found);
    }
    free(g.class_of);
    return found;
}
