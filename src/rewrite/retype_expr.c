#include "base/memory.h"
#include "ir/build.h"
#include "rewrite/retyping.h"

static int retype_compare(const void *key, const void *pair)
{
    const struct variable *old = ((const struct variable_pair *)pair)->old;
    return (uintptr_t)key < (uintptr_t)old ? -1 : (uintptr_t)key > (uintptr_t)old;
}

static const struct variable_pair *retype_find(const struct retyping *r, const struct variable *variable)
{
    const struct variable_pair *pair = bsearch(variable, r->pairs, r->pair_count, sizeof *pair, retype_compare);
    ENSURE(pair);
    return pair;
}

struct variable *retype_variable(struct retyping *r, const struct variable *variable)
{
    if (!variable)
        return NULL;
    const struct variable_pair *pair = retype_find(r, variable);
    ENSURE(!pair->gathered);
    return pair->new;
}

static uint32_t retype_of_type(const struct retyping *r, const struct type *type)
{
    return retype_wanted(r, carriers_of_type(r->carriers, type));
}

static uint32_t retype_of_expr(const struct retyping *r, const struct expr *expr)
{
    return retype_wanted(r, carriers_of_expr(r->carriers, expr));
}

static const struct field *retype_field(const struct type *record, const struct type *old, const struct field *field)
{
    return &record->fields[field - old->fields];
}

struct expr *retype_number(struct retyping *r, const struct expr *expr)
{
    return expr ? retype_value(r, expr, NO_CARRIER) : NULL;
}

static struct place *retype_gathered(struct retyping *r, const struct variable_pair *pair, struct span span)
{
    struct place *array = place_variable(r->new, pair->new, span);
    const struct type *index = array->type->index;
    struct expr *name = expr_const(r->new, index, type_code(index, pair->gathered->ordinal), span);
    return place_element(r->new, array, name, span);
}

struct place *retype_place(struct retyping *r, const struct place *place)
{
    if (!place)
        return NULL;
    const struct variable_pair *pair = place->kind == PLACE_VARIABLE ? retype_find(r, place->variable) : NULL;
    if (pair && pair->gathered)
        return retype_gathered(r, pair, place->span);
    struct place *copy = ARENA_NEW(r->new->arena, struct place);
    *copy = *place;
    copy->type = retype_type(r, place->type);
    copy->variable = retype_variable(r, place->variable);
    copy->base = retype_place(r, place->base);
    if (place->kind == PLACE_ELEMENT)
        copy->index = retype_value(r, place->index, retype_of_type(r, place->base->type->index));
    else if (place->kind == PLACE_SLOT)
        copy->index = retype_number(r, place->index);
    if (place->field)
        copy->field = retype_field(copy->base->type, place->base->type, place->field);
    copy->call = retype_expr(r, place->call);
    return copy;
}

static bool retype_is_number(const struct expr *expr, int64_t value)
{
    return expr->kind == EXPR_CONST && expr->value == value;
}

/* All of a type counted up is that type. */
static bool retype_is_whole(const struct domain *domain, const struct type *type)
{
    return domain->from && retype_is_number(domain->from, type->blocks->lo) &&
           retype_is_number(domain->to, type->blocks->hi) && (!domain->by || retype_is_number(domain->by, 1));
}

struct domain retype_domain(struct retyping *r, const struct domain *domain, const struct variable *variable)
{
    uint32_t want = variable ? retype_of_type(r, variable->type) : NO_CARRIER;
    if (want != NO_CARRIER && retype_is_whole(domain, variable->type))
        return (struct domain){.type = retype_type(r, variable->type)};
    return (struct domain){
        .type = retype_type(r, domain->type),
        .from = domain->from ? retype_value(r, domain->from, want) : NULL,
        .to = domain->to ? retype_value(r, domain->to, want) : NULL,
        .by = retype_number(r, domain->by),
    };
}

static struct argument *retype_arguments(struct retyping *r, const struct expr *call)
{
    const struct function *function = call->function;
    struct argument *copies = ARENA_ARRAY(r->new->arena, struct argument, function->parameter_count);
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        if (call->arguments[p].value)
            copies[p].value =
                retype_value(r, call->arguments[p].value, retype_of_type(r, function->parameters[p]->type));
        copies[p].place = retype_place(r, call->arguments[p].place);
    }
    return copies;
}

/* Compared for equality, both sides are elements; by order, when one is a constant or both are of one carrier: codes
 * are in order. */
static void retype_sides(struct retyping *r, const struct expr *expr, struct expr *copy)
{
    uint32_t left = retype_of_expr(r, expr->left), right = retype_of_expr(r, expr->right), want = NO_CARRIER;
    bool is_equality = expr->op == OP_EQ || expr->op == OP_NE;
    bool is_order = expr->op >= OP_LT && expr->op <= OP_GE;
    bool has_constant = expr->left->kind == EXPR_CONST || expr->right->kind == EXPR_CONST;
    if (is_equality || (is_order && (left == right || has_constant)))
        want = left == NO_CARRIER ? right : left;
    copy->left = retype_value(r, expr->left, want);
    copy->right = retype_value(r, expr->right, want);
}

struct expr *retype_expr(struct retyping *r, const struct expr *expr)
{
    return expr ? retype_value(r, expr, retype_of_expr(r, expr)) : NULL;
}

static struct expr *retype_shift(struct retyping *r, struct expr *value, enum operator op, int64_t shift)
{
    value->raw = false;
    struct expr *amount = expr_const(r->new, r->new->integer, shift, value->span);
    return shift ? expr_binary(r->new, op, value, amount, value->span) : value;
}

/* A number that is no element stays a number; a sum beyond 64 bits is not folded, and faults. */
static struct expr *retype_constant(struct retyping *r, const struct expr *expr, uint32_t want)
{
    const struct carrier *carrier = want == NO_CARRIER ? NULL : &r->carriers->items[want];
    const struct type *type = retype_type(r, expr->type);
    if (carrier && carrier->type->kind == TYPE_RANGE && expr->value == UNDEFINED)
        return expr_undefined(r->new, r->indices[want], expr->span);
    if (!carrier || carrier->type->kind != TYPE_RANGE)
        return expr->value == UNDEFINED ? expr_undefined(r->new, type, expr->span)
                                        : expr_const(r->new, type, expr->value, expr->span);
    if (expr->value >= carrier->lo && expr->value <= carrier->hi)
        return expr_const(r->new, r->indices[want], expr->value + r->shift[want], expr->span);
    return retype_shift(r, expr_const(r->new, r->new->integer, expr->value, expr->span), OP_ADD, r->shift[want]);
}

/* The node itself; its value is of the carrier `want` only where that passes through. */
static struct expr *retype_node(struct retyping *r, const struct expr *expr, uint32_t want)
{
    struct expr *copy = ARENA_NEW(r->new->arena, struct expr);
    *copy = *expr;
    copy->shared = 0; /* that is its number in the old system */
    copy->type = retype_type(r, expr->type);
    copy->member = retype_type(r, expr->member);
    copy->variable = retype_variable(r, expr->variable);
    copy->place = retype_place(r, expr->place);
    copy->other = retype_place(r, expr->other);
    copy->condition = retype_expr(r, expr->condition);
    copy->domain = retype_domain(r, &expr->domain, expr->kind == EXPR_QUANTIFIER ? expr->variable : NULL);
    if (expr->function) {
        copy->function = r->new->functions.items[expr->function->id];
        copy->arguments = retype_arguments(r, expr);
    }
    if (expr->kind == EXPR_BINARY) {
        retype_sides(r, expr, copy);
    } else if (expr->kind == EXPR_COND) {
        copy->left = retype_value(r, expr->left, want);
        copy->right = retype_value(r, expr->right, want);
        copy->type = want == NO_CARRIER ? copy->type : r->indices[want];
    } else if (expr->kind == EXPR_IS_MEMBER) {
        copy->left = retype_value(r, expr->left, retype_of_type(r, expr->member));
    } else if (expr->kind == EXPR_UNARY || expr->kind == EXPR_SLOT_TAKEN) {
        copy->left = retype_number(r, expr->left);
    } else {
        copy->left = retype_expr(r, expr->left);
        copy->right = retype_expr(r, expr->right);
    }
    return copy;
}

static struct expr *retype_fresh(struct retyping *r, const struct expr *expr, uint32_t want)
{
    uint32_t have = expr->kind == EXPR_COND ? want : retype_of_expr(r, expr);
    struct expr *copy = retype_node(r, expr, want);
    if (have == want || expr->type->kind == TYPE_UNION)
        return copy;
    if (have != NO_CARRIER)
        copy = retype_shift(r, copy, OP_SUB, r->shift[have]);
    if (want != NO_CARRIER)
        copy = retype_shift(r, copy, OP_ADD, r->shift[want]);
    return copy;
}

/* What is shared in the old system is shared in the new one, once for each carrier it is wanted as in turn. */
struct expr *retype_value(struct retyping *r, const struct expr *expr, uint32_t want)
{
    if (expr->kind == EXPR_CONST)
        return retype_constant(r, expr, want);
    struct shared_copy *known = &r->shared[expr->shared];
    if (expr->shared && known->copy && known->want == want)
        return known->copy;
    struct expr *copy = retype_fresh(r, expr, want);
    if (!expr->shared)
        return copy;
    expr_share(r->new, copy);
    *known = (struct shared_copy){copy, want};
    return copy;
}
