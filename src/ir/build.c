#include "ir/build.h"

#include "ir/arith.h"

static struct place *place_new(struct system *system, enum place_kind kind, const struct type *type, struct span span)
{
    struct place *place = ARENA_NEW(system->arena, struct place);
    place->kind = kind;
    place->type = type;
    place->span = span;
    return place;
}

struct place *place_variable(struct system *system, const struct variable *variable, struct span span)
{
    enum place_kind kind = variable->is_reference ? PLACE_DEREF : PLACE_VARIABLE;
    struct place *place = place_new(system, kind, variable->type, span);
    place->variable = variable;
    return place;
}

struct place *place_element(struct system *system, struct place *base, struct expr *index, struct span span)
{
    ENSURE(base->type->kind == TYPE_ARRAY);
    struct place *place = place_new(system, PLACE_ELEMENT, base->type->element, span);
    place->base = base;
    place->index = index;
    return place;
}

struct place *place_slot(struct system *system, struct place *base, struct expr *index, struct span span)
{
    ENSURE(base->type->kind == TYPE_MULTISET);
    struct place *place = place_new(system, PLACE_SLOT, base->type->element, span);
    place->base = base;
    place->index = index;
    return place;
}

struct place *place_field(struct system *system, struct place *base, const struct field *field, struct span span)
{
    ENSURE(base->type->kind == TYPE_RECORD);
    struct place *place = place_new(system, PLACE_FIELD, field->type, span);
    place->base = base;
    place->field = field;
    return place;
}

struct place *place_call(struct system *system, struct expr *call, struct span span)
{
    ENSURE(call->kind == EXPR_CALL && call->type);
    struct place *place = place_new(system, PLACE_CALL, call->type, span);
    place->call = call;
    return place;
}

static struct expr *expr_new(struct system *system, enum expr_kind kind, const struct type *type, struct span span)
{
    struct expr *expr = ARENA_NEW(system->arena, struct expr);
    expr->kind = kind;
    expr->size = 1;
    expr->type = type;
    expr->span = span;
    return expr;
}

static void expr_add_size(struct expr *expr, const struct expr *part)
{
    if (__builtin_add_overflow(expr->size, part->size, &expr->size))
        expr->size = UINT32_MAX;
}

static struct expr *expr_with(struct expr *expr, struct expr *left, struct expr *right)
{
    expr->left = left;
    expr->right = right;
    expr_add_size(expr, left);
    if (right)
        expr_add_size(expr, right);
    return expr;
}

/* A constant that can be computed with: not the undefined value. */
static bool expr_is_known(const struct expr *expr)
{
    return expr->kind == EXPR_CONST && expr->value != UNDEFINED;
}

struct expr *expr_const(struct system *system, const struct type *type, int64_t value, struct span span)
{
    if (value == UNDEFINED)
        return expr_unary(system, OP_BIT_NOT, expr_const(system, system->integer, INT32_MAX, span), span);
    struct expr *expr = expr_new(system, EXPR_CONST, type, span);
    expr->value = value;
    return expr;
}

struct expr *expr_undefined(struct system *system, const struct type *type, struct span span)
{
    struct expr *expr = expr_new(system, EXPR_CONST, type, span);
    expr->value = UNDEFINED;
    return expr;
}

bool expr_is_number(const struct expr *expr, int64_t *number)
{
    bool is_least = expr->kind == EXPR_UNARY && expr->op == OP_BIT_NOT && expr->left->kind == EXPR_CONST &&
                    expr->left->value == INT32_MAX;
    *number = is_least ? INT32_MIN : expr->value;
    return is_least || expr_is_known(expr);
}

struct expr *expr_read(struct system *system, struct place *place, bool raw, struct span span)
{
    struct expr *expr = expr_new(system, EXPR_READ, place->type, span);
    expr->place = place;
    expr->raw = raw;
    return expr;
}

/* The type of an operator's result. */
static const struct type *expr_result_type(struct system *system, enum operator op)
{
    bool is_truth = op == OP_NOT || (op >= OP_AND && op <= OP_GE);
    return is_truth ? system->boolean : system->integer;
}

struct expr *expr_unary(struct system *system, enum operator op, struct expr *operand, struct span span)
{
    const struct type *type = expr_result_type(system, op);
    int64_t number, result;
    bool is_least = op == OP_BIT_NOT && expr_is_known(operand) && operand->value == INT32_MAX; /* expr_const */
    if (!is_least && expr_is_number(operand, &number) && arith_unary(op, number, &result) == ARITH_OK)
        return expr_const(system, type, result, span);
    if (op == OP_NOT && operand->kind == EXPR_UNARY && operand->op == OP_NOT)
        return operand->left;
    struct expr *expr = expr_new(system, EXPR_UNARY, type, span);
    expr->op = op;
    return expr_with(expr, operand, NULL);
}

/* AND, OR, IMPLIES when one side is constant; NULL when nothing can be said. The right side goes only
 * where it is neutral: dropping the left one would drop its faults. */
static struct expr *expr_fold_logic(struct system *system, enum operator op, struct expr *left, struct expr *right,
                                    struct span span)
{
    if (expr_is_known(left)) {
        bool decides = op == OP_OR ? left->value : !left->value;
        return decides ? expr_const(system, system->boolean, op != OP_AND, span) : right;
    }
    if (expr_is_known(right) && op != OP_IMPLIES && (op == OP_AND) == (right->value != 0))
        return left;
    if (expr_is_known(right) && op == OP_IMPLIES && !right->value)
        return expr_unary(system, OP_NOT, left, span);
    return NULL;
}

struct expr *expr_binary(struct system *system, enum operator op, struct expr *left, struct expr *right,
                         struct span span)
{
    const struct type *type = expr_result_type(system, op);
    if (op == OP_AND || op == OP_OR || op == OP_IMPLIES) {
        struct expr *folded = expr_fold_logic(system, op, left, right, span);
        if (folded)
            return folded;
    }
    int64_t a, b, result;
    if (expr_is_number(left, &a) && expr_is_number(right, &b) && arith_binary(op, a, b, &result) == ARITH_OK)
        return expr_const(system, type, result, span);
    struct expr *expr = expr_new(system, EXPR_BINARY, type, span);
    expr->op = op;
    return expr_with(expr, left, right);
}

/* A type that has the values of both. */
static const struct type *expr_join_types(struct system *system, const struct type *left, const struct type *right)
{
    if (left == right)
        return left;
    if (left->kind == TYPE_RANGE && right->kind == TYPE_RANGE)
        return system->integer;
    return right->kind == TYPE_UNION ? right : left;
}

struct expr *expr_cond(struct system *system, struct expr *condition, struct expr *left, struct expr *right,
                       struct span span)
{
    if (expr_is_known(condition))
        return condition->value ? left : right;
    struct expr *expr = expr_new(system, EXPR_COND, expr_join_types(system, left->type, right->type), span);
    expr->condition = condition;
    expr_add_size(expr, condition);
    return expr_with(expr, left, right);
}

struct expr *expr_quantifier(struct system *system, enum operator op, const struct variable *variable,
                             struct domain domain, struct expr *body, struct span span)
{
    ENSURE(op == OP_FORALL || op == OP_EXISTS);
    if (!domain.from && expr_is_known(body)) /* a type is never empty */
        return expr_const(system, system->boolean, body->value, span);
    struct expr *expr = expr_new(system, EXPR_QUANTIFIER, system->boolean, span);
    expr->op = op;
    expr->variable = variable;
    expr->domain = domain;
    return expr_with(expr, body, NULL);
}

struct expr *expr_is_undefined(struct system *system, struct place *place, struct span span)
{
    struct expr *expr = expr_new(system, EXPR_IS_UNDEFINED, system->boolean, span);
    expr->place = place;
    return expr;
}

struct expr *expr_is_member(struct system *system, struct expr *value, const struct type *member, struct span span)
{
    if (expr_is_known(value))
        return expr_const(system, system->boolean, type_has(member, value->value), span);
    struct expr *expr = expr_new(system, EXPR_IS_MEMBER, system->boolean, span);
    expr->member = member;
    return expr_with(expr, value, NULL);
}

struct expr *expr_call(struct system *system, const struct function *function, struct argument *arguments,
                       struct span span)
{
    const struct type *type = function->result ? function->result->type : NULL;
    struct expr *expr = expr_new(system, EXPR_CALL, type, span);
    expr->function = function;
    expr->arguments = arguments;
    return expr;
}

struct expr *expr_equal(struct system *system, struct place *left, struct place *right, struct span span)
{
    struct expr *expr = expr_new(system, EXPR_EQUAL, system->boolean, span);
    expr->place = left;
    expr->other = right;
    return expr;
}

struct expr *expr_slot_taken(struct system *system, struct place *multiset, struct expr *slot, struct span span)
{
    ENSURE(multiset->type->kind == TYPE_MULTISET);
    struct expr *expr = expr_new(system, EXPR_SLOT_TAKEN, system->boolean, span);
    expr->place = multiset;
    return expr_with(expr, slot, NULL);
}

struct expr *expr_count(struct system *system, struct place *multiset, const struct variable *slot,
                        struct expr *predicate, struct span span)
{
    ENSURE(multiset->type->kind == TYPE_MULTISET);
    struct expr *expr = expr_new(system, EXPR_COUNT, system->integer, span);
    expr->place = multiset;
    expr->variable = slot;
    return expr_with(expr, predicate, NULL);
}

void expr_share(struct system *system, struct expr *expr)
{
    if (expr->size > 1 && !expr->shared)
        expr->shared = ++system->shared_count;
}

struct stmt *stmt_new(struct system *system, enum stmt_kind kind, struct span span)
{
    struct stmt *stmt = ARENA_NEW(system->arena, struct stmt);
    stmt->kind = kind;
    stmt->span = span;
    return stmt;
}
