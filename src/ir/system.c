#include "ir/system.h"

#include "ir/chain.h"
#include "ir/face.h"
#include "ir/language.h"

struct system *system_create(const char *name)
{
    struct arena *arena = arena_create();
    struct system *system = ARENA_NEW(arena, struct system);
    system->arena = arena;
    system->name = arena_string(arena, name);
    system->language = &language_none;
    system->loop_limit = SYSTEM_LOOP_LIMIT;
    type_bool(system);
    system->integer = type_range(system, "integer", INT32_MIN + 1, INT32_MAX, (struct span){0});
    system_add_property(system, PROPERTY_DEADLOCK, "deadlock", NULL, (struct span){0});
    system_add_property(system, PROPERTY_RUNTIME, "runtime", NULL, (struct span){0});
    return system;
}

void system_destroy(struct system *system)
{
    if (!system)
        return;
    VEC_FREE(&system->types);
    VEC_FREE(&system->globals);
    VEC_FREE(&system->scratch);
    VEC_FREE(&system->rules);
    VEC_FREE(&system->starts);
    VEC_FREE(&system->functions);
    VEC_FREE(&system->properties);
    VEC_FREE(&system->propositions);
    VEC_FREE(&system->sized);
    face_free(system->face);
    chain_destroy(system->chain);
    arena_destroy(system->arena);
}

static void system_count_instances(struct rule *rule)
{
    rule->instance_count = 1;
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        if (__builtin_mul_overflow(rule->instance_count, rule->parameters[p].type->size, &rule->instance_count)) {
            rule->instance_count = UINT64_MAX;
            return;
        }
}

bool system_finish(struct system *system)
{
    ENSURE(!system->finished);
    uint64_t address = 0;
    for (size_t g = 0; g < system->globals.count; g++) {
        system->globals.items[g]->address = (uint32_t)address;
        address += system->globals.items[g]->type->cells;
        if (address > SYSTEM_MAX_CELLS)
            return false;
    }
    system->state_cells = (uint32_t)address;
    for (size_t s = 0; s < system->scratch.count; s++) {
        struct variable *variable = system->scratch.items[s];
        variable->address = (uint32_t)address;
        /* One without cells (a record without fields) has an address of its own all the same: it is known by it. */
        address += variable->is_reference || !variable->type->cells ? 1 : variable->type->cells;
        if (address > SYSTEM_MAX_CELLS)
            return false;
    }
    system->memory_cells = (uint32_t)address;
    for (size_t r = 0; r < system->rules.count; r++)
        system_count_instances(system->rules.items[r]);
    for (size_t r = 0; r < system->starts.count; r++)
        system_count_instances(system->starts.items[r]);
    system->finished = true;
    return true;
}

static struct variable *system_new_variable(struct system *system, const char *name, const struct type *type,
                                            struct span span)
{
    ENSURE(!system->finished && type);
    struct variable *variable = ARENA_NEW(system->arena, struct variable);
    variable->name = arena_string(system->arena, name);
    variable->type = type;
    variable->span = span;
    return variable;
}

struct variable *system_add_global(struct system *system, const char *name, const struct type *type, struct span span)
{
    struct variable *variable = system_new_variable(system, name, type, span);
    variable->is_global = true;
    VEC_PUSH(&system->globals, variable);
    return variable;
}

struct variable *system_add_scratch(struct system *system, const char *name, const struct type *type, struct span span)
{
    struct variable *variable = system_new_variable(system, name, type, span);
    VEC_PUSH(&system->scratch, variable);
    return variable;
}

struct variable *system_add_reference(struct system *system, const char *name, const struct type *type,
                                      struct span span)
{
    struct variable *variable = system_add_scratch(system, name, type, span);
    variable->is_reference = true;
    return variable;
}

static struct rule *system_new_rule(struct system *system, const char *name, const char *anonymous, size_t position,
                                    struct span span)
{
    ENSURE(!system->finished);
    struct rule *rule = ARENA_NEW(system->arena, struct rule);
    rule->name =
        name ? arena_string(system->arena, name) : arena_format(system->arena, "%s %zu", anonymous, position + 1);
    rule->span = span;
    rule->id = (uint32_t)position;
    return rule;
}

struct rule *system_add_rule(struct system *system, const char *name, struct span span)
{
    struct rule *rule = system_new_rule(system, name, "rule", system->rules.count, span);
    VEC_PUSH(&system->rules, rule);
    return rule;
}

struct rule *system_add_start(struct system *system, const char *name, struct span span)
{
    struct rule *rule = system_new_rule(system, name, "startstate", system->starts.count, span);
    VEC_PUSH(&system->starts, rule);
    return rule;
}

struct function *system_add_function(struct system *system, const char *name, struct span span)
{
    ENSURE(!system->finished);
    struct function *function = ARENA_NEW(system->arena, struct function);
    function->name = arena_string(system->arena, name);
    function->span = span;
    function->id = (uint32_t)system->functions.count;
    VEC_PUSH(&system->functions, function);
    return function;
}

struct property *system_add_property(struct system *system, enum property_kind kind, const char *name,
                                     struct expr *formula, struct span span)
{
    ENSURE(!system->finished);
    struct property *property = ARENA_NEW(system->arena, struct property);
    property->kind = kind;
    property->id = (uint32_t)system->properties.count;
    property->name = name ? arena_string(system->arena, name)
                          : arena_format(system->arena, "%s %u", property_kind_name(kind), property->id);
    property->formula = formula;
    property->span = span;
    VEC_PUSH(&system->properties, property);
    return property;
}

const char *property_kind_name(enum property_kind kind)
{
    switch (kind) {
    case PROPERTY_INVARIANT:
        return "invariant";
    case PROPERTY_ASSUMPTION:
        return "assumption";
    case PROPERTY_COVER:
        return "cover";
    case PROPERTY_LIVENESS:
        return "liveness";
    case PROPERTY_CTL:
        return "ctl";
    case PROPERTY_LTL:
        return "ltl";
    case PROPERTY_FAIRNESS:
        return "fairness";
    case PROPERTY_PCTL:
        return "quantity";
    case PROPERTY_ASSERTION:
        return "assertion";
    case PROPERTY_ERROR:
        return "error";
    case PROPERTY_DEADLOCK:
        return "deadlock";
    case PROPERTY_RUNTIME:
        return "runtime";
    }
    UNREACHABLE("property kind");
}

uint64_t system_total_instances(const struct system *system, uint64_t most)
{
    uint64_t left = most;
    for (size_t r = 0; r < system->rules.count; r++)
        left -= system->rules.items[r]->instance_count < left ? system->rules.items[r]->instance_count : left;
    return most - left;
}

uint32_t system_first_number(const struct system *system, const struct rule *rule)
{
    uint32_t number = 1;
    if (system_total_instances(system, SYSTEM_NUMBERED + 1) > SYSTEM_NUMBERED)
        return 0;
    for (uint32_t r = 0; r < rule->id; r++)
        number += (uint32_t)system->rules.items[r]->instance_count;
    return number;
}

bool system_has_ltl(const struct system *system)
{
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->ltl)
            return true;
    return false;
}

int32_t system_nobody(const struct system *system)
{
    return type_code(system->holder->type, 0);
}

bool system_passes_through(const struct system *system, const int32_t *cells)
{
    return system->holder && cells[system->holder->address] != system_nobody(system);
}

bool system_has_assumptions(const struct system *system)
{
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->kind == PROPERTY_ASSUMPTION)
            return true;
    return false;
}

bool system_has_cover_statements(const struct system *system)
{
    for (size_t p = 0; p < system->properties.count; p++)
        if (system->properties.items[p]->kind == PROPERTY_COVER && !system->properties.items[p]->formula)
            return true;
    return false;
}

bool system_is_internal_cell(const struct system *system, uint32_t cell)
{
    return (system->holder && cell == system->holder->address) || (system->idle && cell == system->idle->address);
}

const char *system_refuses_single_rules(const struct system *system)
{
    return system_has_macro_steps(system)
               ? "a step may fire several rules (atomic sequences, timeouts): only the explicit engine takes such steps"
               : NULL;
}
