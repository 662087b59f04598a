#include "rewrite/carriers.h"

#include "ir/walk.h"

struct flow {
    const struct system *system;
    uint32_t *parent;                /* by type id */
    const struct function *function; /* whose body is being walked */
    const struct type **source;      /* by number of an expression that stands in several places */
    bool *has_source;                /* ... where that is known */
};

static uint32_t flow_find(struct flow *flow, uint32_t type)
{
    while (flow->parent[type] != type)
        type = flow->parent[type] = flow->parent[flow->parent[type]];
    return type;
}

static bool flow_is_range(const struct flow *flow, const struct type *type)
{
    return type && type->kind == TYPE_RANGE && type != flow->system->integer;
}

/* Two types between which values flow: cell by cell the same. */
static void flow_join(struct flow *flow, const struct type *a, const struct type *b)
{
    if (!a || !b || a == b)
        return;
    if (flow_is_range(flow, a) && flow_is_range(flow, b)) {
        flow->parent[flow_find(flow, a->id)] = flow_find(flow, b->id);
        return;
    }
    if (a->kind != b->kind)
        return;
    if (a->kind == TYPE_ARRAY) {
        flow_join(flow, a->index, b->index);
        flow_join(flow, a->element, b->element);
    } else if (a->kind == TYPE_MULTISET) {
        flow_join(flow, a->element, b->element);
    } else if (a->kind == TYPE_RECORD) {
        for (uint32_t f = 0; f < a->field_count && f < b->field_count; f++)
            flow_join(flow, a->fields[f].type, b->fields[f].type);
    }
}

static const struct type *flow_source(struct flow *flow, const struct expr *expr);

/* The type of the variable a value comes from. A choice between two joins them. */
static const struct type *flow_source_of_kind(struct flow *flow, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_READ:
    case EXPR_CALL:
        return flow_is_range(flow, expr->type) ? expr->type : NULL;
    case EXPR_COND: {
        const struct type *left = flow_source(flow, expr->left), *right = flow_source(flow, expr->right);
        flow_join(flow, left, right);
        return left ? left : right;
    }
    default:
        return NULL;
    }
}

static const struct type *flow_source(struct flow *flow, const struct expr *expr)
{
    if (!expr->shared)
        return flow_source_of_kind(flow, expr);
    if (!flow->has_source[expr->shared]) {
        flow->source[expr->shared] = flow_source_of_kind(flow, expr);
        flow->has_source[expr->shared] = true;
    }
    return flow->source[expr->shared];
}

static void flow_value(struct flow *flow, const struct expr *value, const struct type *type)
{
    if (value && flow_is_range(flow, type))
        flow_join(flow, flow_source(flow, value), type);
}

static void flow_domain(struct flow *flow, const struct domain *domain, const struct variable *variable)
{
    if (domain->type)
        flow_join(flow, domain->type, variable->type);
    if (domain->from)
        flow_value(flow, domain->from, variable->type);
    if (domain->to)
        flow_value(flow, domain->to, variable->type);
}

static void flow_arguments(struct flow *flow, const struct expr *call)
{
    for (uint32_t p = 0; p < call->function->parameter_count; p++) {
        const struct type *type = call->function->parameters[p]->type;
        flow_value(flow, call->arguments[p].value, type);
        if (call->arguments[p].place)
            flow_join(flow, call->arguments[p].place->type, type);
    }
}

static bool flow_on_expr(void *user, const struct expr *expr)
{
    struct flow *flow = user;
    switch (expr->kind) {
    case EXPR_BINARY:
        if (expr->op == OP_EQ || expr->op == OP_NE)
            flow_join(flow, flow_source(flow, expr->left), flow_source(flow, expr->right));
        break;
    case EXPR_COND:
        flow_source(flow, expr);
        break;
    case EXPR_QUANTIFIER:
        flow_domain(flow, &expr->domain, expr->variable);
        break;
    case EXPR_IS_MEMBER:
        flow_value(flow, expr->left, expr->member);
        break;
    case EXPR_CALL:
        flow_arguments(flow, expr);
        break;
    case EXPR_EQUAL:
        flow_join(flow, expr->place->type, expr->other->type);
        break;
    default:
        break;
    }
    return true;
}

static bool flow_on_place(void *user, const struct place *place, bool is_written)
{
    struct flow *flow = user;
    (void)is_written;
    if (place->kind == PLACE_ELEMENT)
        flow_value(flow, place->index, place->base->type->index);
    return true;
}

static bool flow_on_stmt(void *user, const struct stmt *stmt)
{
    struct flow *flow = user;
    switch (stmt->kind) {
    case STMT_ASSIGN:
        flow_value(flow, stmt->value, stmt->place->type);
        break;
    case STMT_COPY:
        flow_join(flow, stmt->place->type, stmt->source->type);
        break;
    case STMT_FOR:
        flow_domain(flow, &stmt->domain, stmt->variable);
        break;
    case STMT_RETURN:
        if (flow->function && flow->function->result && stmt->value)
            flow_value(flow, stmt->value, flow->function->result->type);
        if (flow->function && flow->function->result && stmt->source)
            flow_join(flow, stmt->source->type, flow->function->result->type);
        break;
    case STMT_BIND:
        flow_join(flow, stmt->variable->type, stmt->place->type);
        break;
    case STMT_MULTISET_ADD:
        if (stmt->value)
            flow_value(flow, stmt->value, stmt->place->type->element);
        if (stmt->source)
            flow_join(flow, stmt->source->type, stmt->place->type->element);
        break;
    default:
        break;
    }
    return true;
}

static void flow_rule(struct flow *flow, const struct walker *walker, const struct rule *rule)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        flow_join(flow, rule->parameters[p].type, rule->parameters[p].variable->type);
    walk_rule(walker, rule);
}

static void flow_system(struct flow *flow)
{
    const struct system *system = flow->system;
    struct walker walker = {.on_stmt = flow_on_stmt, .on_expr = flow_on_expr, .on_place = flow_on_place, .user = flow};
    for (size_t r = 0; r < system->rules.count; r++)
        flow_rule(flow, &walker, system->rules.items[r]);
    for (size_t r = 0; r < system->starts.count; r++)
        flow_rule(flow, &walker, system->starts.items[r]);
    for (size_t f = 0; f < system->functions.count; f++) {
        flow->function = system->functions.items[f];
        walk_block(&walker, &flow->function->body);
    }
    flow->function = NULL;
    for (size_t p = 0; p < system->properties.count; p++)
        walk_property(&walker, system->properties.items[p]);
    walk_rewards(&walker, system);
}

/* --- the carriers --- */

static bool carrier_is_wider(const struct type *type, const struct type *than)
{
    if (type->size != than->size)
        return type->size > than->size;
    return type->name && !than->name;
}

static void carriers_add_type(struct carriers *c, const struct type *type, uint32_t number)
{
    struct carrier *carrier = &c->items[number];
    c->of_type[type->id] = number;
    if (!carrier->type) {
        *carrier = (struct carrier){.lo = type->blocks->lo,
                                    .hi = type->blocks->hi,
                                    .type = type,
                                    .is_declared = type->kind == TYPE_INDEX,
                                    .has_things = type->has_things,
                                    .is_places = type->has_things && type->kind == TYPE_ENUM};
        return;
    }
    carrier->has_things |= type->has_things;
    carrier->lo = type->blocks->lo < carrier->lo ? type->blocks->lo : carrier->lo;
    carrier->hi = type->blocks->hi > carrier->hi ? type->blocks->hi : carrier->hi;
    if (carrier_is_wider(type, carrier->type))
        carrier->type = type;
}

static void carriers_number(struct carriers *c, struct flow *flow)
{
    const struct system *system = c->system;
    uint32_t *number = ARENA_ARRAY(c->arena, uint32_t, system->types.count);
    c->items = ARENA_ARRAY(c->arena, struct carrier, system->types.count);
    for (size_t t = 0; t < system->types.count; t++)
        c->of_type[t] = number[t] = NO_CARRIER;
    for (size_t t = 0; t < system->types.count; t++) {
        const struct type *type = system->types.items[t];
        bool is_named = type->kind == TYPE_ENUM || type->kind == TYPE_INDEX;
        if (!is_named && !flow_is_range(flow, type))
            continue;
        uint32_t root = is_named ? (uint32_t)t : flow_find(flow, (uint32_t)t);
        if (number[root] == NO_CARRIER)
            number[root] = c->count++;
        carriers_add_type(c, type, number[root]);
    }
}

/* Blocks, so that the members of unions are met too. */
static void carriers_mark(struct carriers *c, const struct type *type, bool is_index)
{
    for (uint32_t b = 0; type_is_scalar(type) && b < type->block_count; b++) {
        uint32_t number = c->of_type[type->blocks[b].owner->id];
        if (number == NO_CARRIER)
            continue;
        c->items[number].is_index |= is_index;
        c->items[number].is_domain |= !is_index;
    }
}

static void carriers_mark_state(struct carriers *c, const struct type *type)
{
    for (uint32_t b = 0; type_is_scalar(type) && b < type->block_count; b++)
        if (c->of_type[type->blocks[b].owner->id] != NO_CARRIER)
            c->items[c->of_type[type->blocks[b].owner->id]].is_state = true;
    if (type->index)
        carriers_mark_state(c, type->index);
    if (type->element)
        carriers_mark_state(c, type->element);
    for (uint32_t f = 0; f < type->field_count; f++)
        carriers_mark_state(c, type->fields[f].type);
}

static void carriers_mark_slot(struct carriers *c, const struct variable *variable)
{
    uint32_t number = carriers_of_type(c, variable->type);
    if (number != NO_CARRIER)
        c->items[number].is_slot = true;
}

static bool carriers_on_expr(void *user, const struct expr *expr)
{
    if (expr->kind == EXPR_QUANTIFIER)
        carriers_mark(user, expr->variable->type, false);
    if (expr->kind == EXPR_COUNT)
        carriers_mark_slot(user, expr->variable);
    return true;
}

static bool carriers_on_stmt(void *user, const struct stmt *stmt)
{
    if (stmt->kind == STMT_FOR)
        carriers_mark(user, stmt->variable->type, false);
    if (stmt->kind == STMT_MULTISET_REMOVE_IF)
        carriers_mark_slot(user, stmt->variable);
    return true;
}

static void carriers_mark_rule(struct carriers *c, const struct walker *walker, const struct rule *rule)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        if (rule->parameters[p].choose)
            carriers_mark_slot(c, rule->parameters[p].variable);
        else
            carriers_mark(c, rule->parameters[p].type, false);
    walk_rule(walker, rule);
}

static void carriers_mark_uses(struct carriers *c)
{
    const struct system *system = c->system;
    struct walker walker = {.on_stmt = carriers_on_stmt, .on_expr = carriers_on_expr, .user = c};
    for (size_t g = 0; g < system->globals.count; g++)
        carriers_mark_state(c, system->globals.items[g]->type);
    for (size_t t = 0; t < system->types.count; t++)
        if (system->types.items[t]->kind == TYPE_ARRAY)
            carriers_mark(c, system->types.items[t]->index, true);
    for (size_t r = 0; r < system->rules.count; r++)
        carriers_mark_rule(c, &walker, system->rules.items[r]);
    for (size_t r = 0; r < system->starts.count; r++)
        carriers_mark_rule(c, &walker, system->starts.items[r]);
    for (size_t f = 0; f < system->functions.count; f++)
        walk_block(&walker, &system->functions.items[f]->body);
    for (size_t p = 0; p < system->properties.count; p++)
        walk_property(&walker, system->properties.items[p]);
    walk_rewards(&walker, system);
}

uint32_t *carriers_unasked(struct arena *arena, const struct system *system)
{
    uint32_t *of_shared = ARENA_ARRAY(arena, uint32_t, system->shared_count + 1);
    for (uint32_t i = 0; i <= system->shared_count; i++)
        of_shared[i] = CARRIER_UNASKED;
    return of_shared;
}

struct carriers *carriers_find(const struct system *system)
{
    struct arena *arena = arena_create();
    struct carriers *c = ARENA_NEW(arena, struct carriers);
    c->arena = arena;
    c->system = system;
    c->of_type = ARENA_ARRAY(arena, uint32_t, system->types.count);
    struct flow flow = {.system = system, .parent = ARENA_ARRAY(arena, uint32_t, system->types.count)};
    flow.source = ARENA_ARRAY(arena, const struct type *, system->shared_count + 1);
    flow.has_source = ARENA_ARRAY(arena, bool, system->shared_count + 1);
    c->of_shared = carriers_unasked(arena, system);
    for (uint32_t t = 0; t < system->types.count; t++)
        flow.parent[t] = t;
    flow_system(&flow);
    carriers_number(c, &flow);
    carriers_mark_uses(c);
    return c;
}

void carriers_destroy(struct carriers *carriers)
{
    if (carriers)
        arena_destroy(carriers->arena);
}

static uint32_t carriers_of_kind(const struct carriers *c, const struct expr *expr)
{
    uint32_t left;
    switch (expr->kind) {
    case EXPR_READ:
    case EXPR_CALL:
        return carriers_of_type(c, expr->type);
    case EXPR_COND:
        left = carriers_of_expr(c, expr->left);
        return left == NO_CARRIER ? carriers_of_expr(c, expr->right) : left;
    default:
        return expr->type->kind == TYPE_RANGE ? NO_CARRIER : carriers_of_type(c, expr->type);
    }
}

uint32_t carriers_of_expr(const struct carriers *c, const struct expr *expr)
{
    if (!expr->shared)
        return carriers_of_kind(c, expr);
    if (c->of_shared[expr->shared] == CARRIER_UNASKED)
        c->of_shared[expr->shared] = carriers_of_kind(c, expr);
    return c->of_shared[expr->shared];
}

bool carriers_has(const struct carriers *carriers, uint32_t carrier, int64_t code)
{
    for (size_t t = 0; t < carriers->system->types.count; t++)
        if (carriers->of_type[t] == carrier && type_has(carriers->system->types.items[t], code))
            return true;
    return false;
}
