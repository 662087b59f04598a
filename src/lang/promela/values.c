#include "lang/promela/values_inner.h"

#include <stdlib.h>
#include <string.h>

#include "lang/promela/walk.h"

enum { PATIENCE = 12, LAST_PATIENCE = 60 };

static struct pml_range declaration_range(const struct pml_channels *channels, uint32_t number)
{
    const struct pml_declaration *declaration = &channels->declarations.items[number];
    int64_t count = (int64_t)declaration->processes * declaration->length;
    return (struct pml_range){declaration->first, declaration->first + count - 1};
}

bool pml_values_is_followed(const struct pml_variable *variable)
{
    return variable->owner && !variable->length && variable->type.base != PML_RECORD && variable->type.base != PML_CHAN;
}

/* What a place holds: of a variable that is declared with channels and never written, these. */
static struct pml_range read_range(const struct pml_values *values, const struct pml_place *place)
{
    const struct pml_variable *end = pml_place_end(place);
    if (values->here && pml_values_is_followed(end) && end->owner == values->proctype)
        return values->here[end->id];
    return values->leaves.items[end->leaf].range;
}

static uint32_t most_capacity(const struct pml_values *values)
{
    uint32_t most = 0;
    for (size_t i = 0; i < values->channels->pools.count; i++)
        if (values->channels->pools.items[i].capacity > most)
            most = values->channels->pools.items[i].capacity;
    return most;
}

struct pml_range pml_values_of(const struct pml_values *values, const struct pml_expr *expr)
{
    int64_t last = (int64_t)values->cast->count - 1;
    switch (expr->kind) {
    case PML_NUMBER:
        return (struct pml_range){expr->value, expr->value};
    case PML_READ:
    case PML_REMOTE:
        return read_range(values, expr->place);
    case PML_UNARY:
        if (expr->is_long)
            return pml_range_of_long(expr);
        return pml_range_of_int(pml_range_unary(expr->op, pml_values_of(values, expr->left)));
    case PML_BINARY: {
        if (expr->is_long)
            return pml_range_of_long(expr);
        struct pml_range left = pml_values_of(values, expr->left), right = pml_values_of(values, expr->right);
        return left.hi < left.lo || right.hi < right.lo ? left
                                                        : pml_range_of_int(pml_range_binary(expr->op, left, right));
    }
    case PML_COND:
        return pml_range_join(pml_values_of(values, expr->left), pml_values_of(values, expr->right));
    case PML_LENGTH:
        return (struct pml_range){0, most_capacity(values)};
    case PML_RUN:
    case PML_SELF:
        return (struct pml_range){0, last};
    case PML_LAST:
        return (struct pml_range){0, last};
    case PML_PRIORITY:
        return (struct pml_range){0, PML_MOST_PRIORITY};
    case PML_COUNT:
        return (struct pml_range){0, last + 1};
    default:
        return pml_range_truth;
    }
}

static int64_t bound_above(const struct pml_finding *finding, int64_t value, int64_t last)
{
    for (size_t i = 0; i < finding->bounds.count && finding->round < LAST_PATIENCE; i++)
        if (finding->bounds.items[i] >= value && finding->bounds.items[i] < last)
            return finding->bounds.items[i];
    return last;
}

static int64_t bound_below(const struct pml_finding *finding, int64_t value, int64_t first)
{
    for (size_t i = finding->bounds.count; i-- > 0 && finding->round < LAST_PATIENCE;)
        if (finding->bounds.items[i] <= value && finding->bounds.items[i] > first)
            return finding->bounds.items[i];
    return first;
}

struct pml_range pml_values_widened(const struct pml_finding *finding, struct pml_range old, struct pml_range range,
                                    struct pml_range type)
{
    if (finding->round <= PATIENCE || old.hi < old.lo)
        return range;
    if (range.lo < old.lo)
        range.lo = bound_below(finding, range.lo, type.lo);
    if (range.hi > old.hi)
        range.hi = bound_above(finding, range.hi, type.hi);
    return range;
}

/* The leaf can also be this. */
static void add_range(struct pml_finding *finding, uint32_t number, struct pml_range more)
{
    struct pml_leaf *leaf = &finding->values->leaves.items[number];
    struct pml_range type = pml_type_range(leaf->type), old = leaf->range;
    struct pml_range range = pml_range_join(old, pml_range_covers(type, more) ? more : type);
    if (range.lo == old.lo && range.hi == old.hi)
        return;
    leaf->range = pml_values_widened(finding, old, range, type);
    finding->has_changed = true;
}

static void add_declaration(struct pml_finding *finding, uint32_t number, uint32_t declaration)
{
    struct pml_leaf *leaf = &finding->values->leaves.items[number];
    if (leaf->channels[declaration])
        return;
    leaf->channels[declaration] = true;
    finding->values->mixes |= leaf->type.base != PML_CHAN; /* its number is seen */
    leaf->range = pml_range_join(leaf->range, declaration_range(finding->values->channels, declaration));
    finding->has_changed = true;
}

/* A number that is no channel's, or not known to be one. */
static void add_mixed(struct pml_finding *finding, uint32_t number, struct pml_range more)
{
    struct pml_leaf *leaf = &finding->values->leaves.items[number];
    struct pml_range range = pml_range_join(leaf->range, more);
    finding->values->mixes = true;
    finding->has_changed |= range.lo != leaf->range.lo || range.hi != leaf->range.hi;
    leaf->range = range;
}

static void add_none(struct pml_finding *finding, uint32_t number)
{
    struct pml_leaf *leaf = &finding->values->leaves.items[number];
    if (leaf->can_be_none)
        return;
    leaf->can_be_none = true;
    leaf->range = pml_range_join(leaf->range, (struct pml_range){0, 0});
    finding->has_changed = true;
}

/* One leaf can be whatever another can. */
static void add_channels(struct pml_finding *finding, uint32_t to, const struct pml_leaf *from)
{
    for (uint32_t i = 0; i < finding->values->channels->declarations.count; i++)
        if (from->channels[i])
            add_declaration(finding, to, i);
    if (from->can_be_none)
        add_none(finding, to);
    if (finding->values->leaves.items[to].type.base == PML_CHAN &&
        !pml_range_covers(finding->values->leaves.items[to].range, from->range))
        add_mixed(finding, to, from->range);
}

static bool has_channels(const struct pml_finding *finding, const struct pml_leaf *leaf)
{
    bool found = false;
    for (size_t i = 0; i < finding->values->channels->declarations.count; i++)
        found |= leaf->channels[i];
    return found;
}

static struct pml_range within_byte(struct pml_range range)
{
    const struct pml_range byte = {0, 255};
    return pml_range_covers(byte, range) ? range : byte;
}

static void add_value(struct pml_finding *finding, uint32_t to, const struct pml_expr *value)
{
    const struct pml_leaf *leaf = &finding->values->leaves.items[to];
    if (leaf->type.base != PML_CHAN)
        add_range(finding, to, pml_values_of(finding->values, value));
    if (value->kind == PML_READ || value->kind == PML_REMOTE) {
        struct pml_leaf from = finding->values->leaves.items[pml_place_end(value->place)->leaf];
        if (leaf->type.base == PML_CHAN || has_channels(finding, &from))
            add_channels(finding, to, &from);
    } else if (leaf->type.base != PML_CHAN) {
        return; /* a number, whatever it was computed from */
    } else if (value->kind == PML_COND) {
        add_value(finding, to, value->left);
        add_value(finding, to, value->right);
    } else if (value->kind == PML_NUMBER && !value->value) {
        add_none(finding, to);
    } else {
        add_mixed(finding, to, within_byte(pml_values_of(finding->values, value)));
    }
}

static void add_leaf(struct pml_finding *finding, uint32_t to, uint32_t from)
{
    struct pml_leaf source = finding->values->leaves.items[from];
    bool is_channel = finding->values->leaves.items[to].type.base == PML_CHAN;
    if (is_channel || has_channels(finding, &source))
        add_channels(finding, to, &source);
    if (!is_channel && source.range.lo <= source.range.hi)
        add_range(finding, to, source.range);
}

/* Calls `visit` with each pool that the channel of the statement can be in. */
static void each_pool(struct pml_finding *finding, struct pml_stmt *stmt,
                      void (*visit)(struct pml_finding *, struct pml_stmt *, const struct pml_pool *))
{
    const struct pml_channels *channels = finding->values->channels;
    if (stmt->channel->kind != PML_READ)
        return;
    const struct pml_leaf *leaf = &finding->values->leaves.items[pml_place_end(stmt->channel->place)->leaf];
    for (uint32_t p = 0; p < channels->pools.count; p++)
        for (uint32_t i = 0; i < channels->declarations.count; i++)
            if (channels->declarations.items[i].pool == p && leaf->channels[i]) {
                visit(finding, stmt, &channels->pools.items[p]);
                leaf = &finding->values->leaves.items[pml_place_end(stmt->channel->place)->leaf];
                break;
            }
}

static void add_sent(struct pml_finding *finding, struct pml_stmt *stmt, const struct pml_pool *pool)
{
    uint32_t count = stmt->argument_count;
    const struct pml_argument *arguments = pml_flatten(finding->model->arena, stmt->arguments, &count);
    for (uint32_t i = 0; i < pool->field_count; i++)
        if (i < count && arguments[i].value)
            add_value(finding, pool->first_leaf + i, arguments[i].value);
        else if (finding->values->leaves.items[pool->first_leaf + i].type.base == PML_CHAN)
            add_none(finding, pool->first_leaf + i);
        else
            add_range(finding, pool->first_leaf + i, (struct pml_range){0, 0});
}

static void mark_written(struct pml_finding *finding, const struct pml_place *place)
{
    finding->values->leaves.items[pml_place_end(place)->leaf].is_written = true;
}

static void add_received(struct pml_finding *finding, struct pml_stmt *stmt, const struct pml_pool *pool)
{
    uint32_t count = stmt->argument_count;
    const struct pml_argument *arguments = pml_flatten(finding->model->arena, stmt->arguments, &count);
    for (uint32_t i = 0; i < count && i < pool->field_count; i++)
        if (arguments[i].place) {
            mark_written(finding, arguments[i].place);
            add_leaf(finding, pml_place_end(arguments[i].place)->leaf, pool->first_leaf + i);
        }
}

static void add_initial(struct pml_finding *finding, const struct pml_variable *variable)
{
    uint32_t declaration = pml_channels_declaration(finding->values->channels, variable);
    if (variable->type.base == PML_RECORD)
        return;
    if (declaration != PML_NO_DECLARATION)
        add_declaration(finding, variable->leaf, declaration);
    else if (variable->initial)
        add_value(finding, variable->leaf, variable->initial);
    else if (variable->type.base == PML_CHAN && !variable->is_parameter)
        add_none(finding, variable->leaf);
    else if (variable->type.base != PML_CHAN && (!variable->is_parameter || variable->owner->active))
        add_range(finding, variable->leaf, (struct pml_range){0, 0});
    for (uint32_t i = 0; i < variable->initial_count; i++)
        add_value(finding, variable->leaf, variable->initials[i]);
    bool is_later = variable->is_inner && !variable->channel; /* 0 until it is declared */
    if (variable->initial && (variable->length || is_later))  /* all elements, or the first alone: the others are 0 */
        add_range(finding, variable->leaf, (struct pml_range){0, 0});
}

void pml_values_add_stmt(struct pml_finding *finding, struct pml_stmt *stmt)
{
    if (stmt->kind == PML_ASSIGN) {
        mark_written(finding, stmt->place);
        add_value(finding, pml_place_end(stmt->place)->leaf, stmt->value);
    } else if (stmt->kind == PML_SEND) {
        each_pool(finding, stmt, add_sent);
    } else if (stmt->kind == PML_RECEIVE) {
        each_pool(finding, stmt, add_received);
    } else if (stmt->kind == PML_DECLARE) {
        finding->values->leaves.items[stmt->variable->leaf].is_written = true;
        add_initial(finding, stmt->variable);
    }
}

void pml_values_add_run(void *user, struct pml_expr *expr, bool is_operated)
{
    struct pml_finding *finding = user;
    (void)is_operated;
    for (uint32_t i = 0; expr->kind == PML_RUN && i < expr->argument_count && i < expr->proctype->parameter_count; i++)
        add_value(finding, expr->proctype->locals.items[i]->leaf, expr->arguments[i].value);
}

static void note_read(void *user, struct pml_expr *expr, bool is_operated)
{
    struct pml_finding *finding = user;
    (void)is_operated;
    for (const struct pml_place *place = expr->place; place; place = place->below)
        finding->values->leaves.items[place->variable->leaf].is_read = true;
    if (expr->kind == PML_NUMBER)
        for (int64_t more = -1; more <= 1; more++)
            VEC_PUSH(&finding->bounds, expr->value + more);
}

static int compare_bounds(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void add_leaf_of(struct pml_values *values, struct pml_variable *variable)
{
    variable->leaf = (uint32_t)values->leaves.count;
    VEC_PUSH(&values->leaves,
             ((struct pml_leaf){.type = pml_stored_type(variable->type, variable->length), .range = {0, -1}}));
}

static void make_leaves(struct pml_values *values, struct pml_model *model, struct pml_channels *channels)
{
    for (size_t i = 0; i < model->globals.count; i++)
        add_leaf_of(values, model->globals.items[i]);
    for (size_t r = 0; r < model->records.count; r++)
        for (size_t i = 0; i < model->records.items[r]->fields.count; i++)
            add_leaf_of(values, model->records.items[r]->fields.items[i]);
    for (size_t p = 0; p < model->proctypes.count; p++)
        for (size_t i = 0; i < model->proctypes.items[p]->locals.count; i++)
            add_leaf_of(values, model->proctypes.items[p]->locals.items[i]);
    for (size_t p = 0; p < channels->pools.count; p++) {
        struct pml_pool *pool = &channels->pools.items[p];
        pool->first_leaf = (uint32_t)values->leaves.count;
        for (uint32_t f = 0; f < pool->field_count; f++)
            VEC_PUSH(&values->leaves, ((struct pml_leaf){.type = pool->fields[f], .range = {0, -1}}));
    }
    for (size_t i = 0; i < values->leaves.count; i++) {
        size_t size = channels->declarations.count + 1;
        values->leaves.items[i].channels = ARENA_ARRAY(model->arena, bool, size);
        memset(values->leaves.items[i].channels, 0, size);
    }
}

static void initial_values(struct pml_finding *finding)
{
    struct pml_model *model = finding->model;
    for (size_t i = 0; i < model->globals.count; i++)
        add_initial(finding, model->globals.items[i]);
    for (size_t r = 0; r < model->records.count; r++)
        for (size_t i = 0; i < model->records.items[r]->fields.count; i++)
            add_initial(finding, model->records.items[r]->fields.items[i]);
    for (size_t p = 0; p < model->proctypes.count; p++)
        for (size_t i = 0; i < model->proctypes.items[p]->locals.count; i++)
            add_initial(finding, model->proctypes.items[p]->locals.items[i]);
}

bool pml_values_find(struct pml_values *values, struct pml_model *model, const struct pml_flow *flows,
                     const struct pml_cast *cast, struct pml_channels *channels, struct diagnostics *diagnostics)
{
    *values = (struct pml_values){.cast = cast, .channels = channels};
    struct pml_finding finding = {.values = values, .model = model, .flows = flows, .has_changed = true};
    const struct pml_walk reads = {.user = &finding, .expr = note_read};
    make_leaves(values, model, channels);
    pml_values_make_stations(&finding);
    pml_walk_model(&reads, model);
    if (finding.bounds.count)
        qsort(finding.bounds.items, finding.bounds.count, sizeof *finding.bounds.items, compare_bounds);
    for (; finding.has_changed && !diag_is_late(diagnostics); finding.round++) {
        finding.has_changed = false;
        initial_values(&finding);
        for (size_t p = 0; p < model->proctypes.count; p++)
            pml_values_follow(&finding, &flows[p]);
    }
    for (size_t p = 0; p < model->proctypes.count; p++)
        free(finding.stations[p]);
    free(finding.stations);
    VEC_FREE(&finding.bounds);
    return !diagnostics->errors;
}

void pml_values_free(struct pml_values *values)
{
    VEC_FREE(&values->leaves);
}
