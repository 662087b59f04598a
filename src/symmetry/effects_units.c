/* Local variables by their parts: a record is followed field by field, anything else (a scalar, an array, a multiset)
 * is one unit. What is known of a unit at this point of the run: whether this iteration wrote it, whether it holds what
 * the last iteration of some loop left there, and the constant or loop variable it was last assigned. */
#include <string.h>

#include "symmetry/effects.h"

enum { MOST_UNITS = 1024 }; /* of one variable: a larger record is one unit */

static void units_of_types(struct effects *e)
{
    const struct system *system = e->symmetry->system;
    e->type_units = ARENA_ARRAY(e->arena, uint32_t, system->types.count);
    for (size_t t = 0; t < system->types.count; t++) {
        const struct type *type = system->types.items[t];
        uint64_t units = 0;
        for (uint32_t f = 0; type->kind == TYPE_RECORD && f < type->field_count; f++)
            units += e->type_units[type->fields[f].type->id]; /* made before the record */
        e->type_units[type->id] = type->kind == TYPE_RECORD && units <= MOST_UNITS ? (uint32_t)units : 1;
    }
}

void effects_number_units(struct effects *e)
{
    const struct system *system = e->symmetry->system;
    units_of_types(e);
    e->unit_count = 1; /* 0 is no variable's */
    e->first_unit = ARENA_ARRAY(e->arena, uint32_t, e->variable_count);
    for (size_t v = 0; v < system->scratch.count; v++) {
        const struct variable *variable = system->scratch.items[v];
        if (variable->is_reference || !variable->type->cells)
            continue;
        e->first_unit[effects_number(e, variable)] = e->unit_count;
        e->unit_count += e->type_units[variable->type->id];
    }
    e->stale = ARENA_ARRAY(e->arena, struct stale, e->unit_count);
    e->held = ARENA_ARRAY(e->arena, struct meaning, e->unit_count);
    e->written = ARENA_ARRAY(e->arena, uint64_t, e->unit_count);
}

/* The same field of the same record type, or of one with the same structure. */
static const struct type *units_enter_field(const struct effects *e, const struct type *type, const struct field *field,
                                            struct units *units)
{
    uint32_t before = 0, all = 0;
    const struct type *found = NULL;
    for (uint32_t f = 0; f < type->field_count; f++) {
        const struct field *own = &type->fields[f];
        if (!found && own->offset == field->offset && own->type->cells == field->type->cells) {
            found = own->type;
            before = all;
        }
        all += e->type_units[own->type->id];
    }
    if (!found || all != units->count)
        return NULL;
    units->first += before;
    units->count = e->type_units[found->id];
    return found;
}

struct units effects_units(const struct effects *e, const struct effects_path *path)
{
    struct units units = {0};
    if (!path->root || path->root->is_global || !path->root->type->cells)
        return units;
    const struct type *type = path->root->type;
    units.first = e->first_unit[effects_number(e, path->root)];
    units.count = e->type_units[type->id];
    units.is_exact = true;
    for (uint32_t s = 0; s < path->count && type; s++) {
        bool is_field = path->steps[s].field && type->kind == TYPE_RECORD;
        type = is_field ? units_enter_field(e, type, path->steps[s].field, &units) : NULL;
    }
    units.is_exact = type != NULL;
    return units;
}

uint32_t effects_unit(const struct effects *e, const struct variable *variable, uint32_t cell)
{
    const struct type *type = variable->type;
    uint32_t unit = e->first_unit[effects_number(e, variable)];
    while (e->type_units[type->id] > 1) {
        uint32_t f = 0;
        while (cell >= type->fields[f].offset + type->fields[f].type->cells)
            unit += e->type_units[type->fields[f++].type->id];
        cell -= type->fields[f].offset;
        type = type->fields[f].type;
    }
    return unit;
}

struct meaning effects_held(const struct effects *e, const struct effects_path *path)
{
    struct units units = effects_units(e, path);
    if (!units.is_exact || units.count != 1)
        return (struct meaning){0};
    return e->held[units.first];
}

/* Outside loops nobody asks. */
void effects_hold(struct effects *e, struct units units, struct meaning value)
{
    bool is_known = e->loop && units.is_exact && (value.kind == MEANS_CONST || value.kind == MEANS_VARIABLE);
    for (uint32_t u = units.first; u < units.first + units.count; u++) {
        e->held[u] = is_known ? value : (struct meaning){0};
        e->written[u] = e->clock;
    }
    e->clock++;
}

void effects_hold_any(struct effects *e)
{
    effects_hold(e, (struct units){.count = e->unit_count}, (struct meaning){0});
}

struct meaning *effects_take_held(struct effects *e, const struct effects_path *path)
{
    struct units units = effects_units(e, path);
    if (!e->loop || !units.is_exact || !units.count)
        return NULL;
    return arena_copy(e->arena, e->held + units.first, units.count * sizeof *e->held);
}

void effects_give_held(struct effects *e, const struct effects_path *path, const struct effects_path *from,
                       const struct meaning *values)
{
    struct units units = effects_units(e, path);
    if (!values || !units.is_exact || units.count != effects_units(e, from).count)
        return;
    memcpy(e->held + units.first, values, units.count * sizeof *values);
}

void effects_forget_since(struct effects *e, uint64_t clock)
{
    for (uint32_t u = 0; e->loop && u < e->unit_count; u++)
        if (e->written[u] >= clock)
            e->held[u] = (struct meaning){0};
}

struct meaning *effects_copy_held(const struct effects *e)
{
    if (!e->loop)
        return NULL;
    struct meaning *copy = memory_alloc(e->unit_count * sizeof *copy);
    memcpy(copy, e->held, e->unit_count * sizeof *copy);
    return copy;
}

void effects_restore_held(struct effects *e, struct meaning *held)
{
    if (held)
        memcpy(e->held, held, e->unit_count * sizeof *held);
    free(held);
}

void effects_join_held(struct effects *e, struct meaning *other)
{
    for (uint32_t u = 0; other && u < e->unit_count; u++)
        if (!meaning_equal(&e->held[u], &other[u]))
            e->held[u] = (struct meaning){0};
    free(other);
}

struct repetition effects_begin_repetition(struct effects *e)
{
    struct repetition repetition = {.clock = e->clock, .held = effects_copy_held(e)};
    if (e->loop)
        memset(e->held, 0, e->unit_count * sizeof *e->held);
    return repetition;
}

void effects_end_repetition(struct effects *e, struct repetition *repetition)
{
    if (!repetition->held)
        memset(e->held, 0, e->unit_count * sizeof *e->held);
    for (uint32_t u = 0; repetition->held && u < e->unit_count; u++)
        e->held[u] = e->written[u] < repetition->clock ? repetition->held[u] : (struct meaning){0};
    free(repetition->held);
}

void effects_make_stale(struct effects *e, uint32_t unit, const struct effects_loop *loop)
{
    e->stale[unit] = (struct stale){.domain = loop->domain, .span = loop->span};
    e->has_stale = true;
}

static void stale_add(const struct effects *e, struct stale *into, const struct stale *other)
{
    for (uint32_t u = 0; u < e->unit_count; u++)
        if (!into[u].domain)
            into[u] = other[u];
}

void effects_join_stale(struct effects *e, struct stale *other)
{
    if (other)
        stale_add(e, e->stale, other);
    free(other);
}

void effects_note_return(struct effects *e)
{
    if (!e->at_return)
        e->at_return = effects_copy_stale(e);
    else
        stale_add(e, e->at_return, e->stale);
}

void effects_restore_stale(struct effects *e, struct stale *stale)
{
    if (stale)
        memcpy(e->stale, stale, e->unit_count * sizeof *stale);
    else if (e->has_stale)
        memset(e->stale, 0, e->unit_count * sizeof *e->stale);
    free(stale);
}

struct stale *effects_copy_stale(const struct effects *e)
{
    if (!e->has_stale)
        return NULL;
    struct stale *copy = memory_alloc(e->unit_count * sizeof *copy);
    memcpy(copy, e->stale, e->unit_count * sizeof *copy);
    return copy;
}

void effects_renew(struct effects *e, struct units units)
{
    for (uint32_t u = units.first; u < units.first + units.count; u++) {
        e->stale[u].domain = NULL;
        for (struct effects_loop *loop = e->loop; loop; loop = loop->outer)
            loop->fresh[u] = 1;
    }
}
