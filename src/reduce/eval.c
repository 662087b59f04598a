/* Expressions. */
#include "ir/arith.h"
#include "ir/walk.h"
#include "reduce/inner.h"

static const struct type *eval_boolean(const struct reduce_run *run)
{
    return run->reducer->system->boolean;
}

/* Both sides were evaluated: one that is already decided does not make the other one go away if it may fault. */
struct reduce_value eval_join(struct reduce_run *run, enum operator op, struct reduce_value left,
                              struct reduce_value right, bool is_exhaustive)
{
    if (left.kind == VALUE_KNOWN && right.kind == VALUE_RESIDUAL) {
        struct reduce_value swap = left;
        left = right;
        right = swap;
    }
    bool is_decided = right.kind == VALUE_KNOWN && (right.code != 0) == (op == OP_OR);
    if (left.kind == VALUE_KNOWN)
        return value_known(op == OP_AND ? left.code && right.code : left.code || right.code);
    if (is_decided && !touch_may_fault(run, left.expr))
        return right;
    /* left & right, and left | right, with both evaluated: where they differ the result is known. */
    if (right.kind == VALUE_RESIDUAL && is_exhaustive && touch_may_fault(run, right.expr))
        return value_of(make_binary(run, op == OP_AND ? OP_AND : OP_IMPLIES,
                                    make_binary(run, OP_EQ, left.expr, right.expr), right.expr));
    return value_of(make_binary(run, op, left.expr, value_expr(run, &right, eval_boolean(run), (struct span){0})));
}

/* AND, OR, IMPLIES: the right side counts only where the left one does not decide. Does that make a difference (a
 * fault, a branch), the left one is looked at first. */
static enum reduce_go eval_logic(struct reduce_run *run, const struct expr *expr, struct reduce_value *value)
{
    struct reduce_value left, right;
    enum reduce_go go = eval_expr(run, expr->left, &left);
    if (go != GO_OK)
        return go;
    bool decider = expr->op == OP_OR; /* the left value that decides */
    if (left.kind == VALUE_KNOWN) {
        if ((left.code != 0) != decider)
            return eval_expr(run, expr->right, value);
        *value = value_known(expr->op != OP_AND);
        return GO_OK;
    }
    struct pending pending = {.condition = decider ? expr_unary(run->out, OP_NOT, left.expr, expr->span) : left.expr};
    size_t at = run->pending.count;
    VEC_PUSH(&run->pending, pending);
    go = eval_expr(run, expr->right, &right);
    pending = run->pending.items[at];
    run->pending.count = at;
    if (pending.state == PENDING_FALSE) {
        *value = value_known(expr->op != OP_AND);
        return go == GO_SKIP ? GO_OK : go;
    }
    if (go != GO_OK)
        return go;
    *value = pending.state == PENDING_TRUE
                 ? right
                 : value_of(expr_binary(run->out, expr->op, left.expr,
                                        value_expr(run, &right, eval_boolean(run), expr->span), expr->span));
    return GO_OK;
}

static bool calls_on_expr(void *user, const struct expr *expr)
{
    *(bool *)user |= expr->kind == EXPR_CALL;
    return true;
}

static bool eval_has_call(const struct argument *next)
{
    bool has_call = false;
    struct walker walker = {.on_expr = calls_on_expr, .user = &has_call};
    if (next->value)
        walk_expr(&walker, next->value);
    else
        walk_place(&walker, next->place, false);
    return has_call;
}

bool eval_disturbs(const struct reduce_run *run, const struct reduce_spot *spot, const struct argument *next)
{
    return !spot->residual && spot->address >= run->reducer->system->state_cells && eval_has_call(next);
}

void eval_before(struct reduce_run *run, const struct reduce_value *value, const struct argument *next)
{
    if (value->kind == VALUE_RESIDUAL && !run->reducer->is_analysis && eval_has_call(next))
        touch_value(run, value);
}

/* A known number. The code of "undefined" is none (struct reduce_value). */
static enum reduce_go eval_number(struct reduce_run *run, const struct expr *expr, int64_t number,
                                  struct reduce_value *value)
{
    *value = value_known(number);
    return number == UNDEFINED ? run_refuse(run, expr->span, "the number -2147483648") : GO_OK;
}

static enum reduce_go eval_arithmetic(struct reduce_run *run, const struct expr *expr, struct reduce_value left,
                                      struct reduce_value right, struct reduce_value *value)
{
    if (left.kind == VALUE_KNOWN && right.kind == VALUE_KNOWN) {
        int64_t result;
        switch (arith_binary(expr->op, left.code, right.code, &result)) {
        case ARITH_OK:
            return eval_number(run, expr, result, value);
        case ARITH_DIVISION:
            return run_fault(run, expr->span, "division by zero");
        case ARITH_OVERFLOW:
            return run_fault(run, expr->span, "arithmetic overflow");
        }
    }
    bool is_plain = (left.kind == VALUE_KNOWN || left.kind == VALUE_RESIDUAL) &&
                    (right.kind == VALUE_KNOWN || right.kind == VALUE_RESIDUAL);
    if (!is_plain)
        return run_refuse(run, expr->span, "an order of the elements of a scalarset");
    const struct type *integer = run->reducer->system->integer;
    *value = value_of(expr_binary(run->out, expr->op, value_expr(run, &left, integer, expr->span),
                                  value_expr(run, &right, integer, expr->span), expr->span));
    return GO_OK;
}

static enum reduce_go eval_binary(struct reduce_run *run, const struct expr *expr, struct reduce_value *value)
{
    struct reduce_value left, right;
    if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES)
        return eval_logic(run, expr, value);
    enum reduce_go go = eval_expr(run, expr->left, &left);
    if (go == GO_OK)
        eval_before(run, &left, &(struct argument){.value = expr->right});
    if (go == GO_OK)
        go = eval_expr(run, expr->right, &right);
    if (go != GO_OK)
        return go;
    if (expr->op != OP_EQ && expr->op != OP_NE)
        return eval_arithmetic(run, expr, left, right, value);
    const struct type *type = left.kind == VALUE_KNOWN ? expr->left->type : expr->right->type;
    go = value_equal(run, left, right, type, expr->span, value);
    if (go != GO_OK || expr->op == OP_EQ)
        return go;
    if (value->kind == VALUE_RESIDUAL && value->expr->kind == EXPR_BINARY && value->expr->op == OP_EQ)
        *value = value_of(expr_binary(run->out, OP_NE, value->expr->left, value->expr->right, expr->span));
    else
        *value = value->kind == VALUE_KNOWN ? value_known(!value->code)
                                            : value_of(expr_unary(run->out, OP_NOT, value->expr, expr->span));
    return GO_OK;
}

static enum reduce_go eval_unary(struct reduce_run *run, const struct expr *expr, struct reduce_value *value)
{
    enum reduce_go go = eval_expr(run, expr->left, value);
    if (go != GO_OK)
        return go;
    if (value->kind == VALUE_RESIDUAL) {
        *value = value_of(expr_unary(run->out, expr->op, value->expr, expr->span));
        return GO_OK;
    }
    int64_t result;
    if (value->kind != VALUE_KNOWN || arith_unary(expr->op, value->code, &result) != ARITH_OK)
        return run_fault(run, expr->span, "arithmetic overflow");
    return eval_number(run, expr, result, value);
}

enum reduce_go eval_condition(struct reduce_run *run, const struct expr *expr, bool *holds)
{
    struct reduce_value value;
    enum reduce_go go = eval_expr(run, expr, &value);
    if (go != GO_OK)
        return go;
    if (value.kind == VALUE_RESIDUAL)
        return run_branch(run, value.expr, holds);
    *holds = value.code != 0;
    return GO_OK;
}

static enum reduce_go eval_cond(struct reduce_run *run, const struct expr *expr, struct reduce_value *value)
{
    bool holds;
    enum reduce_go go = eval_condition(run, expr->condition, &holds);
    return go == GO_OK ? eval_expr(run, holds ? expr->left : expr->right, value) : go;
}

void eval_set_variable(struct reduce_run *run, const struct variable *variable, struct reduce_value value)
{
    uint32_t cell = variable->address - run->reducer->system->state_cells;
    struct reduce_undo undo = {.cell = cell, .value = run->memory[cell]};
    VEC_PUSH(&run->log, undo);
    run->memory[cell] = value;
}

bool eval_is_unordered(const struct domain *domain)
{
    return !domain->from && type_has_index(domain->type);
}

static enum reduce_go eval_bound(struct reduce_run *run, const struct expr *expr, int64_t *number)
{
    struct reduce_value value;
    enum reduce_go go = eval_expr(run, expr, &value);
    if (go == GO_OK && value.kind != VALUE_KNOWN)
        go = run_refuse(run, expr->span, "a loop or quantifier whose bounds depend on shared variables");
    *number = go == GO_OK ? value.code : 0;
    return go;
}

enum reduce_go eval_iteration(struct reduce_run *run, const struct domain *domain, struct span span,
                              struct iteration *iteration)
{
    *iteration = iteration_of(domain);
    if (!domain->from)
        return GO_OK;
    enum reduce_go go = eval_bound(run, domain->from, &iteration->next);
    if (go == GO_OK)
        go = eval_bound(run, domain->to, &iteration->to);
    if (go == GO_OK && domain->by)
        go = eval_bound(run, domain->by, &iteration->by);
    return go == GO_OK && iteration->by == 0 ? run_fault(run, span, "a loop whose step is 0") : go;
}

/* Ordered: stops at the first value that decides. */
static enum reduce_go eval_quantifier(struct reduce_run *run, const struct expr *expr, struct reduce_value *value)
{
    if (eval_is_unordered(&expr->domain))
        return crowd_quantifier(run, expr, value);
    enum operator op = expr->op == OP_FORALL ? OP_AND : OP_OR;
    struct iteration iteration;
    int64_t code;
    size_t base = run->pending.count;
    enum reduce_go go = eval_iteration(run, &expr->domain, expr->span, &iteration);
    *value = value_known(op == OP_AND);
    while (go == GO_OK && iteration_next(&iteration, &code)) {
        struct reduce_value body;
        if (!type_has(expr->variable->type, code)) {
            go = run_fault(run, expr->span, "value out of range");
            break;
        }
        eval_set_variable(run, expr->variable, value_known(code));
        go = eval_expr(run, expr->left, &body);
        if (go != GO_OK)
            break;
        *value = eval_join(run, op, *value, body, false);
        if (value->kind == VALUE_KNOWN && (value->code != 0) == (op == OP_OR))
            break;
        if (body.kind == VALUE_RESIDUAL) {
            struct pending pending = {.condition = op == OP_AND ? body.expr
                                                                : expr_unary(run->out, OP_NOT, body.expr, expr->span)};
            VEC_PUSH(&run->pending, pending);
        }
    }
    bool is_decided = false;
    for (size_t i = base; i < run->pending.count; i++)
        is_decided |= run->pending.items[i].state == PENDING_FALSE;
    run->pending.count = base;
    if (go == GO_SKIP && is_decided) {
        *value = value_known(op == OP_OR);
        return GO_OK;
    }
    return go;
}

static enum reduce_go eval_is_member(struct reduce_run *run, const struct expr *expr, struct reduce_value *value)
{
    enum reduce_go go = eval_expr(run, expr->left, value);
    if (go != GO_OK)
        return go;
    if (value->kind == VALUE_KNOWN)
        *value = value_known(type_has(expr->member, value->code));
    else if (value->kind == VALUE_RESIDUAL && type_has_index(expr->member))
        return run_refuse(run, expr->span, "a test whether a shared value is an element of a scalarset");
    else if (value->kind == VALUE_RESIDUAL)
        *value = value_of(expr_is_member(run->out, value->expr, make_type(run->reducer, expr->member), expr->span));
    else
        *value = value_known(type_has(expr->member, run->reducer->reduction->families[value->family].code));
    return GO_OK;
}

static enum reduce_go eval_place(struct reduce_run *run, const struct expr *expr, struct reduce_value *value)
{
    struct reduce_spot spot, other;
    enum reduce_go go = place_resolve(run, expr->place, &spot);
    if (go != GO_OK)
        return go;
    if (expr->kind == EXPR_READ)
        return spot_read(run, &spot, expr->raw, expr->span, value);
    if (expr->kind == EXPR_IS_UNDEFINED)
        return spot_is_undefined(run, &spot, expr->span, value);
    if (eval_disturbs(run, &spot, &(struct argument){.place = expr->other}))
        return run_refuse(run, expr->span, "a record or array beside a call that may change it");
    go = place_resolve(run, expr->other, &other);
    return go == GO_OK ? spot_equal(run, &spot, &other, expr->span, value) : go;
}

static enum reduce_go eval_call_value(struct reduce_run *run, const struct expr *expr, struct reduce_value *value)
{
    const struct variable *result = expr->function->result;
    enum reduce_go go = eval_call_in_expr(run, expr);
    struct reduce_spot spot = {.type = result->type, .address = result->address, .element = NONE};
    return go == GO_OK ? spot_read(run, &spot, false, expr->span, value) : go;
}

enum reduce_go eval_expr(struct reduce_run *run, const struct expr *expr, struct reduce_value *value)
{
    enum reduce_go go = run_spend(run, expr->span);
    if (go != GO_OK)
        return go;
    switch (expr->kind) {
    case EXPR_CONST:
        return ask_constant(run, expr->type, expr->value, expr->span, value);
    case EXPR_READ:
    case EXPR_IS_UNDEFINED:
    case EXPR_EQUAL:
        return eval_place(run, expr, value);
    case EXPR_UNARY:
        return eval_unary(run, expr, value);
    case EXPR_BINARY:
        return eval_binary(run, expr, value);
    case EXPR_COND:
        return eval_cond(run, expr, value);
    case EXPR_QUANTIFIER:
        return eval_quantifier(run, expr, value);
    case EXPR_IS_MEMBER:
        return eval_is_member(run, expr, value);
    case EXPR_CALL:
        return eval_call_value(run, expr, value);
    case EXPR_SLOT_TAKEN:
    case EXPR_COUNT:
        return run_refuse(run, expr->span, "multisets");
    default:
        return run_refuse(run, expr->span, "this kind of expression");
    }
}
