#include "lang/promela/channels.h"

#include <string.h>

#include "lang/promela/walk.h"

const struct pml_variable *pml_place_end(const struct pml_place *place)
{
    while (place->below)
        place = place->below;
    return place->variable;
}

uint32_t pml_channels_declaration(const struct pml_channels *channels, const struct pml_variable *variable)
{
    for (uint32_t i = 0; i < channels->declarations.count; i++)
        if (channels->declarations.items[i].variable == variable)
            return i;
    return PML_NO_DECLARATION;
}

struct pml_type pml_stored_type(struct pml_type type, bool is_part)
{
    type.is_truth = is_part && type.base == PML_BOOL;
    if (is_part && type.base <= PML_BOOL)
        type.base = PML_BYTE;
    return type;
}

struct pml_types {
    struct pml_type *items;
    size_t count, capacity;
};

static void flatten_type(struct pml_types *list, struct pml_type type)
{
    if (type.base != PML_RECORD) {
        VEC_PUSH(list, pml_stored_type(type, true));
        return;
    }
    for (size_t i = 0; i < type.record->fields.count; i++) {
        const struct pml_variable *field = type.record->fields.items[i];
        for (uint32_t e = 0; e < (field->length ? field->length : 1); e++)
            flatten_type(list, field->type);
    }
}

static bool is_same_type(const struct pml_type *a, const struct pml_type *b)
{
    return a->base == b->base && a->width == b->width;
}

static bool is_same_pool(const struct pml_pool *a, const struct pml_pool *b)
{
    bool is_same = a->capacity == b->capacity && a->field_count == b->field_count;
    for (uint32_t i = 0; is_same && i < a->field_count; i++)
        is_same = is_same_type(&a->fields[i], &b->fields[i]);
    return is_same;
}

/* Channels of different mtypes, or of bools and bits: their values have no names in common. */
static void join_names(struct pml_pool *pool, const struct pml_pool *other)
{
    for (uint32_t i = 0; i < pool->field_count; i++) {
        if (pool->fields[i].set != other->fields[i].set)
            pool->fields[i].set = NULL;
        pool->fields[i].is_truth &= other->fields[i].is_truth;
    }
}

/* The pool of a channel that is used as a value is that of all of its kind. */
static uint32_t pool_of(struct pml_channels *channels, struct arena *arena, uint32_t declaration)
{
    struct pml_declaration *own = &channels->declarations.items[declaration];
    const struct pml_channel *channel = own->variable->channel;
    struct pml_types types = {0};
    for (uint32_t i = 0; i < channel->field_count; i++)
        flatten_type(&types, channel->fields[i]);
    struct pml_pool pool = {
        .capacity = channel->capacity, .field_count = (uint32_t)types.count, .declaration = declaration};
    pool.fields = VEC_SEAL(&types, arena);
    for (uint32_t i = 0; own->is_value && i < channels->pools.count; i++)
        if (channels->pools.items[i].count && is_same_pool(&pool, &channels->pools.items[i])) {
            join_names(&channels->pools.items[i], &pool);
            return i;
        }
    pool.count = own->is_value;
    VEC_PUSH(&channels->pools, pool);
    return (uint32_t)channels->pools.count - 1;
}

static void declare(struct pml_channels *channels, const struct pml_variable *variable, const struct pml_role *role)
{
    if (!variable->channel || (role && role->last < role->first))
        return;
    struct pml_declaration declaration = {.variable = variable,
                                          .processes = role ? role->last - role->first + 1 : 1,
                                          .length = variable->length ? variable->length : 1};
    VEC_PUSH(&channels->declarations, declaration);
}

static void note_value(void *user, struct pml_expr *expr, bool is_operated)
{
    struct pml_channels *channels = user;
    if (expr->kind != PML_READ || is_operated)
        return;
    uint32_t declaration = pml_channels_declaration(channels, pml_place_end(expr->place));
    if (declaration != PML_NO_DECLARATION)
        channels->declarations.items[declaration].is_value = true;
}

/* A variable that is declared with a channel and may hold another one later is a variable: its own is a value. */
static void note_written(void *user, struct pml_stmt *stmt)
{
    struct pml_channels *channels = user;
    for (uint32_t i = 0; i <= stmt->argument_count; i++) {
        const struct pml_place *place = i < stmt->argument_count ? stmt->arguments[i].place : stmt->place;
        uint32_t declaration = place ? pml_channels_declaration(channels, pml_place_end(place)) : PML_NO_DECLARATION;
        if (declaration != PML_NO_DECLARATION)
            channels->declarations.items[declaration].is_value = true;
    }
}

static void number_pools(struct pml_channels *channels)
{
    for (size_t p = 0; p < channels->pools.count; p++) {
        struct pml_pool *pool = &channels->pools.items[p];
        if (!pool->count)
            continue;
        pool->first = channels->last + 1;
        for (size_t i = 0; i < channels->declarations.count; i++) {
            struct pml_declaration *declaration = &channels->declarations.items[i];
            if (declaration->pool != p)
                continue;
            declaration->first = channels->last + 1;
            channels->last += declaration->processes * declaration->length;
        }
        pool->count = channels->last + 1 - pool->first;
    }
}

void pml_channels_order(struct pml_channels *channels)
{
    channels->is_in_order = true;
    channels->last = 0;
    for (size_t p = 0; p < channels->pools.count; p++)
        channels->pools.items[p].first = 0;
    for (size_t i = 0; i < channels->declarations.count; i++) {
        struct pml_declaration *declaration = &channels->declarations.items[i];
        struct pml_pool *pool = &channels->pools.items[declaration->pool];
        declaration->first = channels->last + 1;
        channels->last += declaration->processes * declaration->length;
        if (!pool->count)
            continue;
        pool->first = pool->first ? pool->first : declaration->first;
        pool->count = channels->last + 1 - pool->first;
    }
}

static void refuse_in_records(const struct pml_model *model, struct diagnostics *diagnostics)
{
    for (size_t r = 0; r < model->records.count; r++)
        for (size_t i = 0; i < model->records.items[r]->fields.count; i++)
            if (model->records.items[r]->fields.items[i]->channel) {
                diag_error(diagnostics, model->records.items[r]->fields.items[i]->span,
                           "channels that are made inside a typedef are not supported");
                diag_hint(diagnostics, "make the channel outside, and put it into the field when the model starts: %s",
                          "chan q = [2] of { byte } ... s.c = q");
            }
}

struct pml_channels pml_channels_find(struct pml_model *model, const struct pml_cast *cast,
                                      struct diagnostics *diagnostics)
{
    struct pml_channels channels = {0};
    const struct pml_walk walk = {.user = &channels, .stmt = note_written, .expr = note_value};
    refuse_in_records(model, diagnostics);
    for (size_t i = 0; i < model->globals.count; i++)
        declare(&channels, model->globals.items[i], NULL);
    for (size_t p = 0; p < model->proctypes.count; p++)
        for (size_t i = 0; i < model->proctypes.items[p]->locals.count; i++)
            declare(&channels, model->proctypes.items[p]->locals.items[i], &cast->roles[p]);
    pml_walk_model(&walk, model);
    for (uint32_t i = 0; i < channels.declarations.count; i++) {
        uint32_t pool = pool_of(&channels, model->arena, i);
        channels.declarations.items[i].pool = pool;
    }
    number_pools(&channels);
    return channels;
}

void pml_channels_free(struct pml_channels *channels)
{
    VEC_FREE(&channels->declarations);
    VEC_FREE(&channels->pools);
}

struct pml_argument_list {
    struct pml_argument *items;
    size_t count, capacity;
};

/* A copy of the place, with one part more at its end. */
static struct pml_place *extend(struct arena *arena, const struct pml_place *place, struct pml_place *end)
{
    struct pml_place *copy = ARENA_NEW(arena, struct pml_place);
    *copy = *place;
    copy->below = place->below ? extend(arena, place->below, end) : end;
    return copy;
}

static struct pml_expr *number(struct arena *arena, uint32_t value, struct span span)
{
    struct pml_expr *expr = ARENA_NEW(arena, struct pml_expr);
    *expr = (struct pml_expr){.kind = PML_NUMBER, .value = value, .span = span};
    return expr;
}

static void flatten_place(struct arena *arena, struct pml_argument_list *list, struct pml_place *place, bool is_value)
{
    const struct pml_variable *end = pml_place_end(place);
    if (end->type.base != PML_RECORD) {
        struct pml_argument argument = {.place = place};
        if (is_value) {
            argument.value = ARENA_NEW(arena, struct pml_expr);
            *argument.value = (struct pml_expr){.kind = PML_READ, .place = place, .span = place->span};
            argument.place = NULL;
        }
        VEC_PUSH(list, argument);
        return;
    }
    for (size_t i = 0; i < end->type.record->fields.count; i++) {
        const struct pml_variable *field = end->type.record->fields.items[i];
        for (uint32_t e = 0; e < (field->length ? field->length : 1); e++) {
            struct pml_place *part = ARENA_NEW(arena, struct pml_place);
            *part = (struct pml_place){.span = place->span, .variable = field};
            part->index = field->length ? number(arena, e, place->span) : NULL;
            flatten_place(arena, list, extend(arena, place, part), is_value);
        }
    }
}

struct pml_argument *pml_flatten(struct arena *arena, const struct pml_argument *arguments, uint32_t *count)
{
    struct pml_argument_list list = {0};
    for (uint32_t i = 0; i < *count; i++) {
        if (arguments[i].place)
            flatten_place(arena, &list, arguments[i].place, false);
        else if (arguments[i].value && arguments[i].value->kind == PML_READ)
            flatten_place(arena, &list, arguments[i].value->place, true);
        else
            VEC_PUSH(&list, arguments[i]);
    }
    *count = (uint32_t)list.count;
    return VEC_SEAL(&list, arena);
}
