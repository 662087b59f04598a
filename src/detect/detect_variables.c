/* Which global variables may play the same part: candidates for rewrite/gather.h.
 *
 * Colour refinement on the bipartite graph of variables and units (rules, start states, functions and properties). The
 * colour of a unit depends on its expressions and on the colours of the variables that it reads and writes, but not on
 * their order or on constants, which may be the numbers of processes. Two variables that a symmetry exchanges have the
 * same colour at the end; the model graph decides whether there is such a symmetry. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "detect/detecting.h"
#include "ir/walk.h"

enum { MOST_VARIABLES = 512, MOST_ROUNDS = 16 };

/* The reads and writes of a variable in a unit. */
struct variable_use {
    uint32_t variable, unit;
    uint32_t reads, writes;
};

struct variable_classes {
    const struct system *system;
    uint64_t *colours;    /* by position of the variable */
    VEC(uint64_t) shapes; /* by unit: hash of its expressions and statements, in any order */
    VEC(struct variable_use) uses;
    uint32_t *latest; /* by position: 1 + the number of the use in the current unit; 0: none */
};

static bool classes_on_expr(void *user, const struct expr *expr)
{
    struct variable_classes *classes = user;
    VEC_LAST(&classes->shapes) += hash_mix(2 * ((uint64_t)expr->kind << 8 | (uint64_t)expr->op));
    return true;
}

static bool classes_on_stmt(void *user, const struct stmt *stmt)
{
    struct variable_classes *classes = user;
    VEC_LAST(&classes->shapes) += hash_mix(2 * (uint64_t)stmt->kind + 1);
    return true;
}

static bool classes_on_place(void *user, const struct place *place, bool is_written)
{
    struct variable_classes *classes = user;
    uint32_t position = 0;
    if (place->kind != PLACE_VARIABLE || !place->variable->is_global)
        return true;
    while (classes->system->globals.items[position] != place->variable)
        position++;
    if (!classes->latest[position]) {
        VEC_PUSH(&classes->uses, ((struct variable_use){position, (uint32_t)classes->shapes.count - 1, 0, 0}));
        classes->latest[position] = (uint32_t)classes->uses.count;
    }
    struct variable_use *use = &classes->uses.items[classes->latest[position] - 1];
    use->reads += !is_written;
    use->writes += is_written;
    return true;
}

/* Begins a unit. `kind` tells units apart that no symmetry exchanges. */
static struct walker classes_begin_unit(struct variable_classes *classes, uint32_t kind)
{
    VEC_PUSH(&classes->shapes, hash_mix(kind));
    memset(classes->latest, 0, classes->system->globals.count * sizeof *classes->latest);
    return (struct walker){
        .on_stmt = classes_on_stmt, .on_expr = classes_on_expr, .on_place = classes_on_place, .user = classes};
}

enum { UNIT_RULE, UNIT_START, UNIT_FUNCTION, UNIT_PROPERTY };

static void classes_list_uses(struct variable_classes *classes)
{
    const struct system *system = classes->system;
    struct walker walker;
    for (size_t i = 0; i < system->rules.count; i++) {
        walker = classes_begin_unit(classes, UNIT_RULE);
        walk_rule(&walker, system->rules.items[i]);
    }
    for (size_t i = 0; i < system->starts.count; i++) {
        walker = classes_begin_unit(classes, UNIT_START);
        walk_rule(&walker, system->starts.items[i]);
    }
    for (size_t i = 0; i < system->functions.count; i++) {
        walker = classes_begin_unit(classes, UNIT_FUNCTION + 4 * (uint32_t)i);
        walk_block(&walker, &system->functions.items[i]->body);
    }
    for (size_t i = 0; i < system->properties.count; i++) {
        walker = classes_begin_unit(classes, UNIT_PROPERTY + 4 * (uint32_t)i);
        walk_property(&walker, system->properties.items[i]);
    }
}

static int classes_compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static size_t classes_count_colours(const struct variable_classes *classes)
{
    size_t count = classes->system->globals.count, different = 0;
    uint64_t *sorted = memory_alloc((count + 1) * sizeof *sorted);
    memcpy(sorted, classes->colours, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, classes_compare);
    for (size_t i = 0; i < count; i++)
        different += !i || sorted[i] != sorted[i - 1];
    free(sorted);
    return different;
}

static uint64_t classes_hash_use(const struct variable_use *use, uint64_t colour)
{
    return hash_combine(hash_combine(colour, use->reads), use->writes);
}

static void classes_refine_once(struct variable_classes *classes, uint64_t *units)
{
    for (size_t u = 0; u < classes->shapes.count; u++)
        units[u] = classes->shapes.items[u];
    for (size_t i = 0; i < classes->uses.count; i++) {
        const struct variable_use *use = &classes->uses.items[i];
        units[use->unit] += classes_hash_use(use, classes->colours[use->variable]);
    }
    uint64_t *next = memory_alloc((classes->system->globals.count + 1) * sizeof *next);
    for (size_t v = 0; v < classes->system->globals.count; v++)
        next[v] = hash_mix(classes->colours[v]);
    for (size_t i = 0; i < classes->uses.count; i++) {
        const struct variable_use *use = &classes->uses.items[i];
        next[use->variable] += classes_hash_use(use, hash_mix(units[use->unit]));
    }
    memcpy(classes->colours, next, classes->system->globals.count * sizeof *next);
    free(next);
}

static void classes_refine(struct variable_classes *classes)
{
    uint64_t *units = memory_alloc((classes->shapes.count + 1) * sizeof *units);
    size_t before = 0, now = classes_count_colours(classes);
    for (uint32_t round = 0; round < MOST_ROUNDS && now > before; round++) {
        before = now;
        classes_refine_once(classes, units);
        now = classes_count_colours(classes);
    }
    free(units);
}

/* Variables of one type begin with one colour. A variable that cannot be gathered has a colour of its own. */
static void classes_begin(struct variable_classes *classes)
{
    for (size_t v = 0; v < classes->system->globals.count; v++) {
        const struct variable *variable = classes->system->globals.items[v];
        classes->colours[v] = gather_takes(classes->system, variable) ? hash_mix(variable->type->id)
                                                                      : hash_mix(UINT32_MAX + (uint64_t)v + 1);
    }
}

/* Classes with several variables are numbered. */
static uint32_t classes_number(const struct variable_classes *classes, uint32_t *class_of)
{
    size_t count = classes->system->globals.count;
    uint32_t class_count = 0;
    for (size_t v = 0; v < count; v++)
        class_of[v] = GATHER_NONE;
    for (size_t v = 0; v < count; v++)
        for (size_t w = v + 1; w < count; w++) {
            if (classes->colours[v] != classes->colours[w] || class_of[w] != GATHER_NONE)
                continue;
            class_of[v] = class_of[v] == GATHER_NONE ? class_count++ : class_of[v];
            class_of[w] = class_of[v];
        }
    return class_count;
}

uint32_t detect_variables(const struct system *system, uint32_t *class_of)
{
    struct variable_classes classes = {.system = system};
    if (system->globals.count > MOST_VARIABLES)
        return 0;
    classes.colours = memory_zeroed(system->globals.count + 1, sizeof *classes.colours);
    classes.latest = memory_zeroed(system->globals.count + 1, sizeof *classes.latest);
    classes_begin(&classes);
    classes_list_uses(&classes);
    classes_refine(&classes);
    uint32_t count = classes_number(&classes, class_of);
    VEC_FREE(&classes.shapes);
    VEC_FREE(&classes.uses);
    free(classes.colours);
    free(classes.latest);
    return count;
}
