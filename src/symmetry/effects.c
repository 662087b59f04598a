#include "symmetry/effects.h"

#include <string.h>

#include "ir/chain.h"
#include "ir/walk.h"
#include "symmetry/commute.h"
#include "ir/definite.h"

static void effects_mark_root(struct effects *e, const struct place *place)
{
    const struct variable *home = place_home(place);
    if (home)
        e->is_assigned[effects_number(e, home)] = true;
}

static bool effects_mark_place(void *user, const struct place *place, bool is_written)
{
    if (is_written)
        effects_mark_root(user, place);
    return true;
}

/* A variable with a reference to it may be assigned to through that. */
static bool effects_mark_stmt(void *user, const struct stmt *stmt)
{
    if (stmt->kind == STMT_BIND)
        effects_mark_root(user, stmt->place);
    return true;
}

static void effects_mark_assigned(struct effects *e)
{
    const struct system *system = e->symmetry->system;
    struct walker walker = {.on_place = effects_mark_place, .on_stmt = effects_mark_stmt, .user = e};
    walk_system(&walker, system);
}

/* Variables without cells have no address of their own; they get number 0, which no other variable has. */
static void effects_number_variables(struct effects *e)
{
    const struct system *system = e->symmetry->system;
    e->numbers = ARENA_ARRAY(e->arena, uint32_t, system->memory_cells + 1);
    e->variable_count = 1;
    for (size_t v = 0; v < system->globals.count; v++)
        if (system->globals.items[v]->type->cells)
            e->numbers[system->globals.items[v]->address] = e->variable_count++;
    for (size_t v = 0; v < system->scratch.count; v++)
        if (system->scratch.items[v]->is_reference || system->scratch.items[v]->type->cells)
            e->numbers[system->scratch.items[v]->address] = e->variable_count++;
}

struct effects *effects_create(const struct symmetry *symmetry)
{
    struct arena *arena = arena_create();
    struct effects *e = ARENA_NEW(arena, struct effects);
    e->arena = arena;
    e->symmetry = symmetry;
    effects_number_variables(e);
    e->is_assigned = ARENA_ARRAY(arena, bool, e->variable_count);
    e->bound = ARENA_ARRAY(arena, const struct effects_path *, e->variable_count);
    e->values = ARENA_ARRAY(arena, struct meaning, e->variable_count);
    e->bound_depth = ARENA_ARRAY(arena, uint32_t, e->variable_count);
    e->has_removed = ARENA_ARRAY(arena, bool, e->variable_count);
    e->is_unordered = ARENA_ARRAY(arena, bool, e->variable_count);
    e->homes = ARENA_ARRAY(arena, struct effect_home, e->variable_count);
    e->plainness = ARENA_ARRAY(arena, uint8_t, symmetry->system->functions.count);
    effects_number_units(e);
    e->clock = 1;
    effects_mark_assigned(e);
    e->is_definite = definite_find(symmetry->system, arena);
    e->proof_work = COMMUTE_ALL_WORK;
    return e;
}

void effects_destroy(struct effects *effects)
{
    if (effects)
        arena_destroy(effects->arena);
}

/* Nothing is left from one firing to the next. */
static void effects_reset(struct effects *e)
{
    memset(e->bound, 0, e->variable_count * sizeof *e->bound);
    memset(e->values, 0, e->variable_count * sizeof *e->values);
    memset(e->bound_depth, 0, e->variable_count * sizeof *e->bound_depth);
    if (e->has_stale)
        memset(e->stale, 0, e->unit_count * sizeof *e->stale);
    e->has_stale = false;
    memset(e->held, 0, e->unit_count * sizeof *e->held);
    memset(e->has_removed, 0, e->variable_count * sizeof *e->has_removed);
    memset(e->is_unordered, 0, e->variable_count * sizeof *e->is_unordered);
    memset(e->homes, 0, e->variable_count * sizeof *e->homes);
}

void effects_walk_rule(struct effects *e, const struct rule *rule)
{
    effects_reset(e);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        effects_bind(e, rule->parameters[p].variable);
    effects_block(e, &rule->prelude);
    if (rule->guard)
        effects_expr(e, rule->guard);
    const struct weight *weight = rule->weight;
    if (weight && weight->top)
        effects_expr(e, weight->top);
    if (weight && weight->bottom)
        effects_expr(e, weight->bottom);
    effects_block(e, &rule->body);
}

void effects_walk_formula(struct effects *e, const struct expr *formula)
{
    effects_reset(e);
    effects_expr(e, formula);
}

void effects_walk_proposition(struct effects *e, const struct proposition *proposition)
{
    effects_reset(e);
    for (uint32_t v = 0; v < proposition->variable_count; v++)
        effects_bind(e, proposition->variables[v]);
    effects_expr(e, proposition->formula);
}
