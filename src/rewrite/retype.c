#include "rewrite/retype.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ir/build.h"
#include "ir/chain.h"
#include "ir/face.h"
#include "ir/fairness.h"
#include "rewrite/retyping.h"
#include "rewrite/search_loops.h"

static int retype_compare_pairs(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct variable_pair *)a)->old;
    uintptr_t y = (uintptr_t)((const struct variable_pair *)b)->old;
    return x < y ? -1 : x > y;
}

static struct variable *retype_add_variable(struct retyping *r, const struct variable *variable)
{
    struct variable *copy = ARENA_NEW(r->new->arena, struct variable);
    *copy = *variable;
    copy->type = retype_type(r, variable->type);
    r->pairs[r->pair_count++] = (struct variable_pair){.old = variable, .new = copy};
    return copy;
}

/* An array stands where the first of its elements stood. */
static void retype_add_global(struct retyping *r, size_t position)
{
    const struct variable *variable = r->old->globals.items[position];
    const struct gathered *gathered = r->gathered ? &r->gathered[position] : NULL;
    if (!gathered || !gathered->array) {
        VEC_PUSH(&r->new->globals, retype_add_variable(r, variable));
        return;
    }
    if (!gathered->ordinal)
        VEC_PUSH(&r->new->globals, gathered->array);
    r->pairs[r->pair_count++] = (struct variable_pair){variable, gathered->array, gathered};
}

static bool retype_is_pointed(const struct retyping *r, const struct variable *variable)
{
    for (uint32_t p = 0; p < r->pointed_count; p++)
        if (r->pointed[p] == variable)
            return true;
    return false;
}

static void retype_variables(struct retyping *r)
{
    const struct system *old = r->old;
    r->pairs = ARENA_ARRAY(r->new->arena, struct variable_pair, old->globals.count + old->scratch.count + 1);
    for (size_t g = 0; g < old->globals.count; g++)
        retype_add_global(r, g);
    for (uint32_t p = 0; p < r->pointed_count; p++) {
        VEC_PUSH(&r->new->globals, retype_add_variable(r, r->pointed[p]));
        VEC_LAST(&r->new->globals)->is_global = true;
    }
    for (size_t s = 0; s < old->scratch.count; s++)
        if (!retype_is_pointed(r, old->scratch.items[s]))
            VEC_PUSH(&r->new->scratch, retype_add_variable(r, old->scratch.items[s]));
    qsort(r->pairs, r->pair_count, sizeof *r->pairs, retype_compare_pairs);
}

static uint32_t retype_stored(const struct retyping *r, const struct stmt *stmt)
{
    const struct type *type = NULL;
    if (stmt->kind == STMT_ASSIGN)
        type = stmt->place->type;
    else if (stmt->kind == STMT_MULTISET_ADD)
        type = stmt->place->type->element;
    else if (stmt->kind == STMT_RETURN && r->function && r->function->result)
        type = r->function->result->type;
    else if (stmt->value && stmt->kind != STMT_MULTISET_REMOVE) /* that removes the slot of a number */
        return retype_wanted(r, carriers_of_expr(r->carriers, stmt->value));
    return type ? retype_wanted(r, carriers_of_type(r->carriers, type)) : NO_CARRIER;
}

static struct stmt *retype_stmt(struct retyping *r, const struct stmt *stmt)
{
    struct stmt *copy = ARENA_NEW(r->new->arena, struct stmt);
    *copy = *stmt;
    copy->place = retype_place(r, stmt->place);
    copy->source = retype_place(r, stmt->source);
    copy->value = stmt->value ? retype_value(r, stmt->value, retype_stored(r, stmt)) : NULL;
    copy->variable = retype_variable(r, stmt->variable);
    copy->domain = retype_domain(r, &stmt->domain, stmt->kind == STMT_FOR ? stmt->variable : NULL);
    copy->body = retype_block(r, &stmt->body);
    copy->otherwise = retype_block(r, &stmt->otherwise);
    if (stmt->property)
        copy->property = r->new->properties.items[stmt->property->id];
    return copy;
}

struct block retype_block(struct retyping *r, const struct block *block)
{
    struct block copy = {.items = ARENA_ARRAY(r->new->arena, struct stmt *, block->count), .count = block->count};
    for (uint32_t s = 0; s < block->count; s++)
        copy.items[s] = retype_stmt(r, block->items[s]);
    return copy;
}

static struct rule *retype_rule(struct retyping *r, const struct rule *rule)
{
    struct rule *copy = ARENA_NEW(r->new->arena, struct rule);
    *copy = *rule;
    copy->parameters = ARENA_ARRAY(r->new->arena, struct parameter, rule->parameter_count);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        copy->parameters[p] = (struct parameter){
            .variable = retype_variable(r, rule->parameters[p].variable),
            .type = retype_type(r, rule->parameters[p].type),
            .choose = retype_place(r, rule->parameters[p].choose),
        };
    copy->prelude = retype_block(r, &rule->prelude);
    copy->guard = retype_expr(r, rule->guard);
    copy->own_guard = retype_expr(r, rule->own_guard);
    copy->own_body = retype_block(r, &rule->own_body);
    copy->joint = retype_joint(r, rule->joint);
    copy->weight = retype_weight(r, rule->weight);
    copy->body = retype_block(r, &rule->body);
    return copy;
}

/* First all functions and properties, which others refer to; then what is in them. */
static void retype_functions(struct retyping *r)
{
    const struct system *old = r->old;
    for (size_t f = 0; f < old->functions.count; f++) {
        const struct function *function = old->functions.items[f];
        struct function *copy = ARENA_NEW(r->new->arena, struct function);
        *copy = *function;
        copy->result = retype_variable(r, function->result);
        copy->parameters = ARENA_ARRAY(r->new->arena, const struct variable *, function->parameter_count);
        for (uint32_t p = 0; p < function->parameter_count; p++)
            copy->parameters[p] = retype_variable(r, function->parameters[p]);
        VEC_PUSH(&r->new->functions, copy);
    }
    for (size_t f = 0; f < old->functions.count; f++) {
        r->function = old->functions.items[f];
        r->new->functions.items[f]->body = retype_block(r, &r->function->body);
    }
    r->function = NULL;
}

static void retype_properties(struct retyping *r)
{
    for (size_t p = 0; p < r->old->properties.count; p++) {
        struct property *copy = ARENA_NEW(r->new->arena, struct property);
        *copy = *r->old->properties.items[p];
        copy->formula = NULL;
        VEC_PUSH(&r->new->properties, copy);
    }
}

static const struct variable *const *retype_list(struct retyping *r, const struct variable *const *list, uint32_t count)
{
    const struct variable **copy = ARENA_ARRAY(r->new->arena, const struct variable *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        copy[i] = retype_variable(r, list[i]);
    return copy;
}

static void retype_propositions(struct retyping *r)
{
    for (size_t p = 0; p < r->old->propositions.count; p++) {
        struct proposition *copy = ARENA_NEW(r->new->arena, struct proposition);
        *copy = *r->old->propositions.items[p];
        copy->formula = retype_expr(r, copy->formula);
        copy->variables = retype_list(r, copy->variables, copy->variable_count);
        VEC_PUSH(&r->new->propositions, copy);
    }
}

static struct ctl *retype_ctl(struct retyping *r, const struct ctl *ctl)
{
    if (!ctl)
        return NULL;
    struct ctl *copy = ARENA_NEW(r->new->arena, struct ctl);
    *copy = *ctl;
    if (ctl->proposition)
        copy->proposition = r->new->propositions.items[ctl->proposition->id];
    copy->variable = retype_variable(r, ctl->variable);
    copy->free = retype_list(r, ctl->free, ctl->free_count);
    copy->left = retype_ctl(r, ctl->left);
    copy->right = retype_ctl(r, ctl->right);
    return copy;
}

static struct fairness *retype_fairness(struct retyping *r, const struct fairness *fairness)
{
    if (!fairness)
        return NULL;
    struct fairness *copy = ARENA_NEW(r->new->arena, struct fairness);
    *copy = *fairness;
    copy->variables = retype_list(r, fairness->variables, fairness->variable_count);
    copy->rule = fairness->rule ? r->new->rules.items[fairness->rule->id] : NULL;
    copy->when = fairness->when ? r->new->propositions.items[fairness->when->id] : NULL;
    copy->then = fairness->then ? r->new->propositions.items[fairness->then->id] : NULL;
    return copy;
}

static void retype_formulas(struct retyping *r)
{
    retype_propositions(r);
    for (size_t p = 0; p < r->old->properties.count; p++) {
        r->new->properties.items[p]->formula = retype_expr(r, r->old->properties.items[p]->formula);
        if (r->old->properties.items[p]->antecedent)
            r->new->properties.items[p]->antecedent =
                r->new->propositions.items[r->old->properties.items[p]->antecedent->id];
        r->new->properties.items[p]->ctl = retype_ctl(r, r->old->properties.items[p]->ctl);
        r->new->properties.items[p]->ltl = retype_ctl(r, r->old->properties.items[p]->ltl);
        r->new->properties.items[p]->fairness = retype_fairness(r, r->old->properties.items[p]->fairness);
        r->new->properties.items[p]->pctl = retype_pctl(r, r->old->properties.items[p]->pctl);
    }
}

static struct system *retype_begin(const struct system *old)
{
    struct arena *arena = arena_create();
    struct system *new = ARENA_NEW(arena, struct system);
    new->arena = arena;
    new->name = old->name;
    new->boolean = old->boolean;
    new->integer = old->integer;
    new->next_code = old->next_code;
    new->language = old->language;
    new->loop_limit = old->loop_limit;
    return new;
}

static int32_t retype_code(struct retyping *r, const struct type *type, int32_t code)
{
    return type_code(retype_type(r, type), (uint32_t)type_ordinal(type, code));
}

static void retype_face(struct retyping *r)
{
    const struct face *old = r->old->face;
    if (!old)
        return;
    struct face *face = face_create(r->new);
    face->kind_count = old->kind_count;
    for (size_t i = 0; i < old->processes.count; i++) {
        struct face_process copy = old->processes.items[i];
        const struct type *control = face_control_type(&copy);
        copy.home = retype_variable(r, copy.home);
        copy.first = retype_code(r, control, copy.first);
        copy.last = retype_code(r, control, copy.last);
        VEC_PUSH(&face->processes, copy);
    }
    for (size_t i = 0; i < old->parts.count; i++) {
        struct face_part copy = old->parts.items[i];
        copy.home = retype_variable(r, copy.home);
        copy.type = retype_type(r, copy.type);
        VEC_PUSH(&face->parts, copy);
    }
}

void retype_contents(struct retyping *r)
{
    retype_variables(r);
    retype_face(r);
    r->new->holder = retype_variable(r, r->old->holder);
    r->new->is_never_held = r->old->is_never_held;
    r->new->idle = retype_variable(r, r->old->idle);
    retype_properties(r);
    retype_functions(r);
    for (size_t i = 0; i < r->old->rules.count; i++)
        VEC_PUSH(&r->new->rules, retype_rule(r, r->old->rules.items[i]));
    for (size_t i = 0; i < r->old->starts.count; i++)
        VEC_PUSH(&r->new->starts, retype_rule(r, r->old->starts.items[i]));
    retype_formulas(r);
    retype_chain(r);
}

/* --- pointed states --- */

/* The start state chooses a value for the variable first. */
static void point_start(struct retyping *r, struct rule *rule, struct variable *variable)
{
    struct system *new = r->new;
    struct span span = variable->span;
    struct variable *choice = system_add_scratch(new, variable->name, variable->type, span);
    struct parameter *parameters = ARENA_ARRAY(new->arena, struct parameter, rule->parameter_count + 1);
    struct block *body = &rule->body;
    struct stmt **items = ARENA_ARRAY(new->arena, struct stmt *, body->count + 1);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        parameters[p] = rule->parameters[p];
    parameters[rule->parameter_count++] = (struct parameter){.variable = choice, .type = variable->type};
    rule->parameters = parameters;
    rule->tried = NULL; /* numbers with one parameter less */
    items[0] = stmt_new(new, STMT_ASSIGN, span);
    items[0]->place = place_variable(new, variable, span);
    items[0]->value = expr_read(new, place_variable(new, choice, span), false, span);
    for (uint32_t s = 0; s < body->count; s++)
        items[s + 1] = body->items[s];
    body->items = items;
    body->count++;
}

/* The antecedents of formulas of time bind variables that are now part of the state: the original asks about them. */
static void point_antecedents(struct system *new)
{
    for (size_t p = 0; p < new->properties.count; p++) {
        struct property *property = new->properties.items[p];
        if (!property->antecedent || (!property->ctl && !property->ltl))
            continue;
        new->propositions.items[property->antecedent->id]->formula =
            expr_const(new, new->boolean, false, property->span);
        property->antecedent = NULL;
    }
}

struct retyping retype_begin_alike(const struct system *old, struct carriers *none)
{
    struct system *new = retype_begin(old);
    *none = (struct carriers){.system = old,
                              .of_type = ARENA_ARRAY(new->arena, uint32_t, old->types.count),
                              .of_shared = carriers_unasked(new->arena, old)};
    for (size_t t = 0; t < old->types.count; t++)
        none->of_type[t] = NO_CARRIER;
    return (struct retyping){.carriers = none,
                             .old = old,
                             .new = new,
                             .types = ARENA_ARRAY(new->arena, const struct type *, old->types.count),
                             .shared = ARENA_ARRAY(new->arena, struct shared_copy, old->shared_count + 1)};
}

struct system *point_system(const struct system *system, const struct variable *const *variables, uint32_t count)
{
    struct carriers none;
    struct retyping r = retype_begin_alike(system, &none);
    struct system *new = r.new;
    r.pointed = variables;
    r.pointed_count = count;
    bool is_good = retype_types(&r);
    ENSURE(is_good); /* there are no new codes */
    retype_contents(&r);
    if (count)
        point_antecedents(new);
    for (uint32_t v = 0; v < count; v++)
        for (size_t s = 0; s < new->starts.count; s++)
            point_start(&r, new->starts.items[s], retype_variable(&r, variables[v]));
    if (system_finish(new))
        return new;
    system_destroy(new);
    return NULL;
}

bool retype_system(const struct carriers *carriers, struct retyped *retyped)
{
    const struct system *old = carriers->system;
    struct system *new = retype_begin(old);
    struct retyping r = {
        .carriers = carriers,
        .old = old,
        .new = new,
        .types = ARENA_ARRAY(new->arena, const struct type *, old->types.count),
        .indices = ARENA_ARRAY(new->arena, const struct type *, carriers->count),
        .shift = ARENA_ARRAY(new->arena, int64_t, carriers->count),
        .shared = ARENA_ARRAY(new->arena, struct shared_copy, old->shared_count + 1),
    };
    *retyped = (struct retyped){.system = new, .types = r.indices};
    if (!retype_types(&r)) {
        retype_free(retyped);
        return false;
    }
    retype_contents(&r);
    search_loops_complete(new);
    bool fits = system_finish(new);
    ENSURE(fits);
    new->original_cells = old->original_cells;
    retyped->variables = (const struct variable **)new->scratch.items;
    return true;
}

void retype_free(struct retyped *retyped)
{
    system_destroy(retyped->system);
    *retyped = (struct retyped){0};
}
