#include "lang/promela/lower.h"

#include <string.h>

#include "lang/promela/set_loop.h"

const struct type *pml_leaf_type(struct pml_lower *lower, uint32_t leaf, const struct pml_type *declared,
                                 struct span span)
{
    struct pml_range range = lower->values.leaves.items[leaf].range;
    if (range.hi < range.lo)
        range = (struct pml_range){0, 0};
    if (range.lo <= INT32_MIN)
        return type_least_range(lower->system, NULL, (int32_t)range.hi, span);
    return pml_named_type(lower, range, declared, span);
}

static const struct type *type_of(struct pml_lower *lower, const struct pml_variable *variable);

static const struct type *record_type(struct pml_lower *lower, const struct pml_record *record)
{
    uint32_t number = 0;
    while (lower->model->records.items[number] != record)
        number++;
    if (lower->record_types[number])
        return lower->record_types[number];
    struct field *fields = ARENA_ARRAY(lower->arena, struct field, record->fields.count);
    for (size_t i = 0; i < record->fields.count; i++)
        fields[i] =
            (struct field){.name = record->fields.items[i]->name, .type = type_of(lower, record->fields.items[i])};
    lower->record_types[number] =
        type_record(lower->system, record->name, fields, (uint32_t)record->fields.count, record->span);
    return lower->record_types[number];
}

static const struct type *array_over(struct pml_lower *lower, int64_t lo, int64_t hi, const struct type *element,
                                     struct span span)
{
    const struct type *index = type_range(lower->system, NULL, (int32_t)lo, (int32_t)hi, span);
    const struct type *type = element ? type_array(lower->system, NULL, index, element, span) : NULL;
    if (!type && !lower->diagnostics->errors)
        diag_error(lower->diagnostics, span, "this takes too much memory");
    return type;
}

static const struct type *type_of(struct pml_lower *lower, const struct pml_variable *variable)
{
    const struct type *type = variable->type.base == PML_RECORD
                                  ? record_type(lower, variable->type.record)
                                  : pml_leaf_type(lower, variable->leaf, &variable->type, variable->span);
    return variable->length ? array_over(lower, 0, (int64_t)variable->length - 1, type, variable->span) : type;
}

static const struct type *by_pid(struct pml_lower *lower, const struct pml_proctype *proctype, const struct type *type,
                                 struct span span)
{
    const struct pml_role *role = &lower->cast.roles[proctype->id];
    return pml_is_single(lower, proctype) ? type : array_over(lower, role->first, role->last, type, span);
}

/* A channel that keeps its name is no variable; a hidden variable that is never read is no part of the state. */
static bool is_stored(struct pml_lower *lower, const struct pml_variable *variable)
{
    const struct pml_leaf *leaf = &lower->values.leaves.items[variable->leaf];
    return !(variable->channel && !leaf->is_written) && !(variable->is_hidden && !leaf->is_read);
}

static void declare_variable(struct pml_lower *lower, const struct pml_variable *variable, const char *name)
{
    if (!is_stored(lower, variable))
        return;
    const struct type *type = type_of(lower, variable);
    if (type && variable->owner)
        type = by_pid(lower, variable->owner, type, variable->span);
    if (!type)
        return;
    struct variable *home = system_add_global(lower->system, name, type, variable->span);
    home->is_folded = variable->is_folded;
    lower->homes[variable->leaf] = home;
}

static bool runs(struct pml_lower *lower, const struct pml_proctype *proctype)
{
    return lower->cast.roles[proctype->id].first <= lower->cast.roles[proctype->id].last;
}

static void declare_variables(struct pml_lower *lower)
{
    struct pml_model *model = lower->model;
    lower->homes = ARENA_ARRAY(lower->arena, const struct variable *, lower->values.leaves.count + 1);
    memset(lower->homes, 0, sizeof *lower->homes * (lower->values.leaves.count + 1));
    lower->record_types = ARENA_ARRAY(lower->arena, const struct type *, model->records.count + 1);
    memset(lower->record_types, 0, sizeof *lower->record_types * (model->records.count + 1));
    for (size_t i = 0; i < model->globals.count; i++)
        declare_variable(lower, model->globals.items[i], model->globals.items[i]->name);
    for (size_t p = 0; p < model->proctypes.count; p++)
        for (size_t i = 0; runs(lower, model->proctypes.items[p]) && i < model->proctypes.items[p]->locals.count; i++)
            declare_variable(
                lower, model->proctypes.items[p]->locals.items[i],
                pml_local_name(lower, model->proctypes.items[p]->locals.items[i], model->proctypes.items[p]->name));
}

const char *pml_place_label(struct pml_lower *lower, const struct pml_flow *flow, uint32_t number)
{
    uint32_t same = 0, line = flow->nodes.items[number].span.line;
    if (number == flow->end)
        return arena_format(lower->system->arena, "%s.end", flow->proctype->name);
    for (uint32_t n = 0; n < number; n++)
        same += flow->nodes.items[n].is_reached && flow->nodes.items[n].span.line == line;
    if (!same)
        return arena_format(lower->system->arena, "%s:%u", flow->proctype->name, line);
    return same < 26 ? arena_format(lower->system->arena, "%s:%u%c", flow->proctype->name, line, (char)('a' + same))
                     : arena_format(lower->system->arena, "%s:%u.%u", flow->proctype->name, line, same);
}

static void declare_places(struct pml_lower *lower, struct span span)
{
    VEC(const char *) labels = {0};
    struct pml_model *model = lower->model;
    VEC_PUSH(&labels, "off");
    lower->ordinals = ARENA_ARRAY(lower->arena, uint32_t *, model->proctypes.count + 1);
    for (size_t p = 0; p < model->proctypes.count; p++) {
        struct pml_flow *flow = &lower->flows[p];
        lower->ordinals[p] = ARENA_ARRAY(lower->arena, uint32_t, flow->nodes.count);
        for (uint32_t n = 0; n < flow->nodes.count; n++) {
            bool is_there = flow->nodes.items[n].is_reached && runs(lower, flow->proctype);
            lower->ordinals[p][n] = is_there ? (uint32_t)labels.count : UINT32_MAX;
            if (is_there)
                VEC_PUSH(&labels, pml_place_label(lower, flow, n));
        }
    }
    lower->places = type_places(lower->system, "place", labels.items, (uint32_t)labels.count, span);
    VEC_FREE(&labels);
}

static void declare_pool(struct pml_lower *lower, struct pml_pool *pool)
{
    struct system *system = lower->system;
    const struct pml_variable *variable = lower->channels.declarations.items[pool->declaration].variable;
    struct span span = variable->span;
    if (!pool->capacity)
        return;
    struct field *fields = ARENA_ARRAY(lower->arena, struct field, pool->field_count + 1);
    for (uint32_t f = 0; f < pool->field_count; f++)
        fields[f] = (struct field){.name = arena_format(system->arena, "%u", f + 1),
                                   .type = pml_leaf_type(lower, pool->first_leaf + f, &pool->fields[f], span)};
    const struct type *message = type_record(system, NULL, fields, pool->field_count, span);
    struct field parts[] = {
        {.name = "length", .type = type_range(system, NULL, 0, (int32_t)pool->capacity, span)},
        {.name = "message", .type = array_over(lower, 0, (int64_t)pool->capacity - 1, message, span)}};
    const struct type *type = parts[1].type ? type_record(system, NULL, parts, 2, span) : NULL;
    const char *name = variable->owner ? pml_local_name(lower, variable, variable->owner->name) : variable->name;
    if (pool->count)
        type = array_over(lower, pool->first, (int64_t)pool->first + pool->count - 1, type, span);
    if (!pool->count && variable->length)
        type = array_over(lower, 0, (int64_t)variable->length - 1, type, span);
    if (!pool->count && variable->owner && type)
        type = by_pid(lower, variable->owner, type, span);
    if (pool->count)
        name = arena_format(system->arena, "channels%u", (uint32_t)(pool - lower->channels.pools.items) + 1);
    if (type)
        pool->home = system_add_global(system, name, type, span);
}

static void declare_scratch(struct pml_lower *lower, struct span span)
{
    struct system *system = lower->system;
    for (size_t p = 0; p < lower->channels.pools.count; p++)
        if (lower->channels.pools.items[p].field_count > lower->sent_count)
            lower->sent_count = lower->channels.pools.items[p].field_count;
    lower->sent = ARENA_ARRAY(lower->arena, const struct variable *, lower->sent_count + 1);
    lower->position = system_add_scratch(system, "position", system->integer, span);
    lower->each = system_add_scratch(system, "each", system->integer, span);
    lower->child = system_add_scratch(system, "child", lower->pids, span);
}

void pml_renew_sent(struct pml_lower *lower, const struct pml_pool *pool, struct span span)
{
    for (uint32_t f = 0; f < pool->field_count; f++)
        lower->sent[f] = system_add_scratch(lower->system, arena_format(lower->system->arena, "sent%u", f + 1),
                                            pml_leaf_type(lower, pool->first_leaf + f, &pool->fields[f], span), span);
}

/* With 255 processes a run of more is an error in SPIN, too; less room is the tool's affair. */
static const struct property *declare_room(struct pml_lower *lower, struct span span)
{
    struct arena *arena = lower->system->arena;
    const char *name = arena_format(arena, "there are never more than %u processes", lower->cast.count);
    struct property *property = system_add_property(lower->system, PROPERTY_ERROR, name, NULL, span);
    if (lower->cast.count < PML_MAX_PIDS)
        property->bound = arena_format(
            arena, "there is room for %u processes only, and more are started (--processes N: room for more, up to %u)",
            lower->cast.count, PML_MAX_PIDS);
    return property;
}

/* Is there a state in which a process goes on alone? Where all of an atomic sequence is one step, there is none. */
static bool is_held(const struct pml_flow *flow)
{
    bool is_held = false;
    for (size_t n = 0; n < flow->nodes.count; n++)
        for (size_t m = 0; flow->nodes.items[n].is_reached && m < flow->nodes.items[n].moves.count; m++) {
            const struct pml_move *move = &flow->nodes.items[n].moves.items[m];
            while (flow->nodes.items[move->target].is_fused)
                move = pml_fused_move(&flow->nodes.items[move->target]);
            is_held |= move->keeps;
        }
    return is_held;
}

bool pml_declare_state(struct pml_lower *lower)
{
    struct system *system = lower->system;
    struct span span = lower->model->proctypes.items[0]->span;
    bool has_atomic = false;
    declare_places(lower, span);
    lower->pids = type_range(system, "pid", 0, (int32_t)lower->cast.count - 1, span);
    declare_variables(lower);
    for (size_t p = 0; p < lower->channels.pools.count; p++)
        declare_pool(lower, &lower->channels.pools.items[p]);
    if (lower->diagnostics->errors)
        return false;
    lower->at = system_add_global(system, "at", type_array(system, NULL, lower->pids, lower->places, span), span);
    if (lower->cast.needs_count)
        lower->count =
            system_add_global(system, "_nr_pr", type_range(system, NULL, 0, (int32_t)lower->cast.count, span), span);
    for (size_t p = 0; p < lower->model->proctypes.count; p++)
        has_atomic |= runs(lower, lower->model->proctypes.items[p]) && is_held(&lower->flows[p]);
    if (has_atomic)
        lower->holder = system->holder = system_add_global(
            system, "holder", type_range(system, NULL, -1, (int32_t)lower->cast.count - 1, span), span);
    declare_scratch(lower, span);
    if (lower->has_last)
        lower->last = system_add_global(system, "_last", lower->pids, span);
    if (!pml_declare_priority(lower) || !pml_declare_trace(lower))
        return false;
    if (!lower->cast.is_bounded)
        lower->crowded = declare_room(lower, span);
    return true;
}
