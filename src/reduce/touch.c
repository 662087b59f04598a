/* Evaluation here and now. A residual expression is evaluated where it ends up in the reduced system. Where it ends up
 * nowhere, or after a change of what it reads, it must be evaluated where the original system evaluates it: for its
 * faults (touch_value, touch_place), or to keep which cells a place denotes (touch_keep). */
#include "ir/same.h"
#include "reduce/inner.h"

static const struct span nowhere;

/* --- what may fault --- */

static bool touch_is_parameter(const struct reduce_run *run, const struct variable *variable)
{
    for (uint32_t p = 0; run->rule && p < run->rule->parameter_count; p++)
        if (run->reducer->mirrors[run->rule->parameters[p].variable->address] == variable)
            return true;
    return false;
}

bool touch_is_temporary(const struct reduce_run *run, const struct variable *variable)
{
    for (size_t t = 0; t < run->reducer->temporaries.count; t++)
        if (run->reducer->temporaries.items[t].variable == variable)
            return true;
    return false;
}

/* A variable that is always defined where it is read: a counter, a rule's parameter, a temporary. */
static bool touch_is_defined(const struct reduce_run *run, const struct place *place)
{
    const struct reduction *reduction = run->reducer->reduction;
    place = place_root(place);
    for (uint32_t f = 0; f < reduction->family_count; f++)
        if (place->variable == reduction->families[f].count)
            return true;
    return place->variable == run->reducer->counter || touch_is_parameter(run, place->variable) ||
           touch_is_temporary(run, place->variable);
}

static bool touch_is_within(const struct type *inner, const struct type *outer)
{
    for (uint32_t b = 0; b < inner->block_count; b++) {
        bool is_inside = false;
        for (uint32_t o = 0; o < outer->block_count; o++)
            is_inside |= inner->blocks[b].lo >= outer->blocks[o].lo && inner->blocks[b].hi <= outer->blocks[o].hi;
        if (!is_inside)
            return false;
    }
    return true;
}

static bool touch_index_may_fault(const struct reduce_run *run, const struct expr *index, const struct type *type)
{
    if (index->kind == EXPR_CONST)
        return !type_has(type, index->value);
    return !touch_is_within(index->type, type) || touch_may_fault(run, index);
}

static bool touch_place_may_fault(const struct reduce_run *run, const struct place *place)
{
    for (; place->base; place = place->base)
        if (place->kind != PLACE_FIELD && touch_index_may_fault(run, place->index, place->base->type->index))
            return true;
    return false;
}

/* Sums of numbers of 32 bits stay within 64; products of products may not. */
static bool touch_operator_may_fault(const struct expr *expr)
{
    bool is_flat = expr->left->kind != EXPR_BINARY && expr->right->kind != EXPR_BINARY;
    switch (expr->op) {
    case OP_MUL:
        return !is_flat;
    case OP_DIV:
    case OP_MOD:
        return expr->right->kind != EXPR_CONST || expr->right->value == 0;
    case OP_SHL:
    case OP_SHR:
        return true;
    default:
        return false;
    }
}

bool touch_may_fault(const struct reduce_run *run, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_CONST:
        return false;
    case EXPR_READ:
        return (!expr->raw && !touch_is_defined(run, expr->place)) || touch_place_may_fault(run, expr->place);
    case EXPR_IS_UNDEFINED:
        return touch_place_may_fault(run, expr->place);
    case EXPR_EQUAL:
        return touch_place_may_fault(run, expr->place) || touch_place_may_fault(run, expr->other);
    case EXPR_UNARY:
    case EXPR_IS_MEMBER:
        return touch_may_fault(run, expr->left);
    case EXPR_BINARY:
        return touch_operator_may_fault(expr) || touch_may_fault(run, expr->left) || touch_may_fault(run, expr->right);
    case EXPR_COND:
        return touch_may_fault(run, expr->condition) || touch_may_fault(run, expr->left) ||
               touch_may_fault(run, expr->right);
    default:
        return true;
    }
}

/* --- for the faults --- */

/* The conditions under which the run goes on, and which are still open. NULL: none. */
static struct expr *touch_reached(struct reduce_run *run)
{
    struct expr *all = NULL;
    for (size_t i = 0; i < run->pending.count; i++) {
        struct pending *pending = &run->pending.items[i];
        if (pending->state == PENDING_OPEN)
            all = make_and(run, all, run_presence(run, pending));
    }
    return all;
}

/* In a body as a statement, in a guard or formula as a condition that is always true. */
static void touch_evaluate(struct reduce_run *run, struct expr *test)
{
    struct expr *reached = touch_reached(run);
    if (reached)
        test = make_binary(run, OP_IMPLIES, reached, test);
    for (size_t i = 0; i < run->touched.count; i++)
        if (same_expr(run->touched.items[i], test))
            return;
    VEC_PUSH(&run->touched, test);
    struct reduce_event event = {.kind = EVENT_BRANCH, .taken = true};
    if (run->is_body) {
        event.kind = EVENT_STMT;
        event.stmt = make_assign(run, make_place(run, make_temporary(run, run->out->boolean)), test);
    } else {
        event.condition = make_binary(run, OP_OR, test, expr_const(run->out, run->out->boolean, 1, nowhere));
    }
    VEC_PUSH(&run->events, event);
}

void touch_place(struct reduce_run *run, struct place *place)
{
    if (!run->reducer->is_analysis && touch_place_may_fault(run, place))
        touch_evaluate(run, expr_is_undefined(run->out, place, place->span));
}

static void touch_expr(struct reduce_run *run, struct expr *expr)
{
    if (run->reducer->is_analysis || !touch_may_fault(run, expr))
        return;
    if (expr->type->kind == TYPE_RANGE)
        expr = make_binary(run, OP_EQ, expr, make_number(run, 0));
    else if (expr->type->kind != TYPE_BOOL)
        expr = make_binary(run, OP_EQ, expr, expr_const(run->out, expr->type, type_code(expr->type, 0), nowhere));
    touch_evaluate(run, expr);
}

void touch_value(struct reduce_run *run, const struct reduce_value *value)
{
    if (value->kind != VALUE_RESIDUAL)
        return;
    if (value->expr->kind == EXPR_READ && value->expr->raw)
        touch_place(run, value->expr->place);
    else
        touch_expr(run, value->expr);
}

/* --- for the cells --- */

/* Can nothing that the run does change it? */
static bool touch_is_lasting(const struct reduce_run *run, const struct expr *index)
{
    if (index->kind == EXPR_CONST)
        return true;
    return index->kind == EXPR_READ && index->place->kind == PLACE_VARIABLE &&
           (touch_is_parameter(run, index->place->variable) || touch_is_temporary(run, index->place->variable));
}

struct expr *touch_take(struct reduce_run *run, struct expr *expr, const struct type *type, struct expr *otherwise)
{
    struct expr *reached = touch_reached(run), *value = expr;
    bool is_raw = expr->kind == EXPR_READ && expr->raw;
    if (!run->is_body || (is_raw && reached))
        return NULL;
    if (reached && !otherwise)
        otherwise = expr_const(run->out, type, type_code(type, 0), nowhere);
    if (reached)
        value = expr_cond(run->out, reached, expr, otherwise, nowhere);
    struct place *kept = make_place(run, make_temporary(run, type));
    struct stmt *stmt = make_assign(run, kept, value);
    stmt->span = expr->span;
    struct reduce_event event = {.kind = EVENT_STMT, .stmt = stmt};
    VEC_PUSH(&run->events, event);
    return expr_read(run->out, kept, is_raw, expr->span);
}

static struct expr *touch_keep_index(struct reduce_run *run, struct expr *index, const struct type *type)
{
    if (touch_is_lasting(run, index) && !touch_index_may_fault(run, index, type))
        return index;
    return touch_take(run, index, type, NULL);
}

static struct place *touch_keep_place(struct reduce_run *run, struct place *place)
{
    struct place *base = place->base ? touch_keep_place(run, place->base) : NULL;
    struct expr *index = NULL;
    if (place->kind == PLACE_ELEMENT)
        index = touch_keep_index(run, place->index, base->type->index);
    if (base == place->base && index == place->index)
        return place;
    return index ? place_element(run->out, base, index, place->span)
                 : place_field(run->out, base, place->field, place->span);
}

void touch_keep(struct reduce_run *run, struct reduce_spot *spot)
{
    if (!spot->residual || run->reducer->is_analysis)
        return;
    if (run->is_body && !run->pure)
        spot->residual = touch_keep_place(run, spot->residual);
    else /* nothing changes before it is used */
        touch_place(run, spot->residual);
}
