/* Expressions, as exec/evaluate_expr.c has them, of unknowns. */
#include "base/watch.h"
#include "ir/arith.h"
#include "symmetry/commuting.h"

enum path_end commuting_step(struct commuting *c)
{
    if (c->work <= c->facts.work || watch_is_up())
        return commuting_stuck(c, "there are too many cases");
    c->work -= 1 + c->facts.work;
    c->facts.work = 0;
    return PATH_OK;
}

/* A value that is read: undefined, it is a fault. */
static enum path_end commuting_need(struct commuting *c, struct held *held)
{
    enum path_end end = commuting_resolve(c, held);
    return end == PATH_OK && held->kind == HELD_UNDEFINED ? PATH_FAULT : end;
}

enum path_end commuting_number(struct commuting *c, const struct expr *expr, struct linear_sum *number)
{
    struct held held;
    enum path_end end = commuting_expr(c, expr, &held);
    if (end == PATH_OK && held.kind != HELD_NUMBER)
        return commuting_stuck(c, "an undefined value is an operand");
    *number = held.number;
    return end;
}

enum path_end commuting_truth(struct commuting *c, const struct expr *expr, bool *holds)
{
    struct linear_sum number;
    enum path_end end = commuting_number(c, expr, &number);
    if (end == PATH_OK)
        end = commuting_is_zero(c, number, holds);
    *holds = !*holds;
    return end;
}

static struct held held_number(int64_t value)
{
    return (struct held){.number = linear_constant(value)};
}

static enum path_end commuting_read(struct commuting *c, const struct expr *expr, struct held *held)
{
    uint32_t address;
    enum path_end end = commuting_place(c, expr->place, &address);
    if (end != PATH_OK)
        return end;
    *held = commuting_load(c, address, expr->place->type);
    return expr->raw ? PATH_OK : commuting_need(c, held);
}

static enum path_end commuting_unary(struct commuting *c, const struct expr *expr, struct held *held)
{
    struct linear_sum number;
    int64_t value;
    enum path_end end = commuting_number(c, expr->left, &number);
    if (end != PATH_OK)
        return end;
    *held = (struct held){.number = linear_negate(number)};
    held->number.constant += expr->op == OP_NOT; /* 1 - truth */
    if (expr->op != OP_BIT_NOT)
        return PATH_OK;
    end = commuting_settle(c, number, &value);
    if (end == PATH_OK && arith_unary(expr->op, value, &value) != ARITH_OK)
        return PATH_FAULT;
    *held = held_number(value);
    return end;
}

/* What no sum says: of constants. */
static enum path_end commuting_compute(struct commuting *c, enum operator op, struct linear_sum left,
                                       struct linear_sum right, struct held *held)
{
    int64_t a = 0, b = 0, result = 0;
    enum path_end end = commuting_settle(c, left, &a);
    if (end == PATH_OK)
        end = commuting_settle(c, right, &b);
    if (end == PATH_OK && arith_binary(op, a, b, &result) != ARITH_OK)
        return PATH_FAULT;
    *held = held_number(result);
    return end;
}

static enum path_end commuting_sum(struct commuting *c, struct linear_sum left, const struct linear_sum *right,
                                   int64_t times, struct held *held)
{
    *held = (struct held){.number = left};
    return linear_add(&held->number, right, times) ? PATH_OK : commuting_stuck(c, "a sum is too large");
}

static enum path_end commuting_multiply(struct commuting *c, struct linear_sum left, struct linear_sum right,
                                        struct held *held)
{
    if (right.count && !left.count)
        return commuting_multiply(c, right, left, held);
    if (right.count)
        return commuting_compute(c, OP_MUL, left, right, held);
    return commuting_sum(c, linear_constant(0), &left, right.constant, held);
}

/* left < right and the like. */
static enum path_end commuting_comparison(struct commuting *c, enum operator op, const struct linear_sum *left,
                                          const struct linear_sum *right, struct held *held)
{
    bool is_swapped = op == OP_GT || op == OP_GE, holds = false;
    struct held difference;
    enum path_end end = commuting_sum(c, is_swapped ? *right : *left, is_swapped ? left : right, -1, &difference);
    if (end != PATH_OK)
        return end;
    difference.number.constant += op == OP_LT || op == OP_GT;
    if (op == OP_EQ || op == OP_NE)
        end = commuting_is_zero(c, difference.number, &holds);
    else
        end = commuting_is_at_most(c, difference.number, &holds);
    *held = held_number(holds != (op == OP_NE));
    return end;
}

static enum path_end commuting_operate(struct commuting *c, enum operator op, struct linear_sum left,
                                       struct linear_sum right, struct held *held)
{
    if (op >= OP_EQ && op <= OP_GE)
        return commuting_comparison(c, op, &left, &right, held);
    if (op == OP_ADD || op == OP_SUB)
        return commuting_sum(c, left, &right, op == OP_ADD ? 1 : -1, held);
    return op == OP_MUL ? commuting_multiply(c, left, right, held) : commuting_compute(c, op, left, right, held);
}

static enum path_end commuting_binary(struct commuting *c, const struct expr *expr, struct held *held)
{
    struct linear_sum left, right;
    bool holds = false;
    if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES) {
        enum path_end end = commuting_truth(c, expr->left, &holds);
        *held = held_number(expr->op != OP_AND);
        return end == PATH_OK && holds == (expr->op != OP_OR) ? commuting_expr(c, expr->right, held) : end;
    }
    enum path_end end = commuting_number(c, expr->left, &left);
    if (end == PATH_OK)
        end = commuting_number(c, expr->right, &right);
    return end == PATH_OK ? commuting_operate(c, expr->op, left, right, held) : end;
}

/* --- domains --- */

static enum path_end commuting_visit(struct commuting *c, const struct variable *variable, int64_t value,
                                     const struct commuting_walk *walk, bool *is_over)
{
    enum path_end end = commuting_step(c);
    if (end != PATH_OK)
        return end;
    if (!type_has(variable->type, value))
        return PATH_FAULT;
    commuting_store(c, variable->address, variable->type, held_number(value));
    return walk->visit(c, walk->user, is_over);
}

static enum path_end commuting_bounds(struct commuting *c, const struct domain *domain, int64_t *bounds)
{
    const struct expr *exprs[] = {domain->from, domain->to, domain->by};
    enum path_end end = PATH_OK;
    bounds[2] = 1;
    for (int i = 0; i < 3 && end == PATH_OK; i++) {
        struct linear_sum number;
        if (!exprs[i])
            continue;
        end = commuting_number(c, exprs[i], &number);
        if (end == PATH_OK)
            end = commuting_settle(c, number, &bounds[i]);
    }
    return end == PATH_OK && !bounds[2] ? PATH_FAULT : end;
}

enum path_end commuting_each(struct commuting *c, const struct domain *domain, const struct variable *variable,
                             const struct commuting_walk *walk)
{
    enum path_end end = PATH_OK;
    bool is_over = false;
    int64_t bounds[3];
    if (!domain->from) {
        if (type_mentions(domain->type, c->owner))
            c->mentioned = c->owner->size;
        for (uint32_t o = 0; o < domain->type->size && end == PATH_OK && !is_over; o++)
            end = commuting_visit(c, variable, type_code(domain->type, o), walk, &is_over);
        return end;
    }
    end = commuting_bounds(c, domain, bounds);
    for (int64_t i = bounds[0]; end == PATH_OK && !is_over && (bounds[2] > 0 ? i <= bounds[1] : i >= bounds[1]);
         i += bounds[2])
        end = commuting_visit(c, variable, i, walk, &is_over);
    return end;
}

struct commuting_instances {
    const struct expr *expr;
    bool is_decided, is_exhaustive;
};

static enum path_end commuting_instance(struct commuting *c, void *user, bool *is_over)
{
    struct commuting_instances *quantifying = user;
    bool holds = false;
    enum path_end end = commuting_truth(c, quantifying->expr->left, &holds);
    if (end == PATH_OK && holds == (quantifying->expr->op == OP_EXISTS))
        quantifying->is_decided = true;
    *is_over = quantifying->is_decided && !quantifying->is_exhaustive;
    return end;
}

static enum path_end commuting_quantifier(struct commuting *c, const struct expr *expr, struct held *held)
{
    struct commuting_instances quantifying = {expr, false, !expr->domain.from && type_has_index(expr->domain.type)};
    enum path_end end =
        commuting_each(c, &expr->domain, expr->variable, &(struct commuting_walk){commuting_instance, &quantifying});
    *held = held_number(quantifying.is_decided == (expr->op == OP_EXISTS));
    return end;
}

/* --- whole values --- */

static enum path_end commuting_is_undefined(struct commuting *c, const struct expr *expr, struct held *held)
{
    uint32_t address;
    enum path_end end = commuting_is_copied(c, expr->place->type);
    if (end == PATH_OK)
        end = commuting_place(c, expr->place, &address);
    *held = held_number(0);
    for (uint32_t i = 0; end == PATH_OK && i < expr->place->type->cells; i++) {
        struct held cell = commuting_load(c, address + i, commuting_cell_type(expr->place->type, i));
        end = commuting_resolve(c, &cell);
        if (end == PATH_OK && cell.kind == HELD_UNDEFINED)
            *held = held_number(1);
    }
    return end;
}

static enum path_end commuting_cells_agree(struct commuting *c, struct held left, struct held right, bool *agree)
{
    struct linear_sum difference;
    *agree = true;
    if (left.kind == HELD_UNKNOWN && right.kind == HELD_UNKNOWN && left.unknown == right.unknown)
        return PATH_OK;
    commuting_resolve(c, &left);
    commuting_resolve(c, &right);
    *agree = left.kind == right.kind;
    if (!*agree || left.kind == HELD_UNDEFINED)
        return PATH_OK;
    difference = left.number;
    if (!linear_add(&difference, &right.number, -1))
        return commuting_stuck(c, "a sum is too large");
    return commuting_is_zero(c, difference, agree);
}

/* Cell by cell: of elements that were not named, one comes first. */
static enum path_end commuting_aggregates(struct commuting *c, const struct expr *expr, struct held *held)
{
    uint32_t left = 0, right = 0;
    bool agree = true;
    const struct type *type = expr->place->type;
    enum path_end end = commuting_is_copied(c, type);
    if (end == PATH_OK)
        end = commuting_place(c, expr->place, &left);
    if (end == PATH_OK)
        end = commuting_place(c, expr->other, &right);
    c->mentioned = c->owner->size;
    for (uint32_t i = 0; end == PATH_OK && agree && i < type->cells; i++) {
        const struct type *cell = commuting_cell_type(type, i);
        struct held first = commuting_load(c, left + i, cell);
        end = commuting_cells_agree(c, first, commuting_load(c, right + i, cell), &agree);
    }
    *held = held_number(agree);
    return end;
}

static enum path_end commuting_member(struct commuting *c, const struct expr *expr, struct held *held)
{
    struct linear_sum number;
    int64_t value = 0;
    enum path_end end = commuting_number(c, expr->left, &number);
    if (end == PATH_OK)
        end = commuting_settle(c, number, &value);
    *held = held_number(type_has(expr->member, value));
    return end;
}

static enum path_end commuting_function(struct commuting *c, const struct expr *expr, struct held *held)
{
    enum path_end end = commuting_call(c, expr);
    if (end == PATH_OK && expr->function->result)
        *held = commuting_load(c, expr->function->result->address, expr->function->result->type);
    return end;
}

enum path_end commuting_expr(struct commuting *c, const struct expr *expr, struct held *held)
{
    bool holds = false;
    enum path_end end = commuting_step(c);
    *held = held_number(0);
    if (end != PATH_OK)
        return end;
    switch (expr->kind) {
    case EXPR_CONST:
        *held = held_number(expr->value);
        held->kind = expr->value == UNDEFINED ? HELD_UNDEFINED : HELD_NUMBER;
        return PATH_OK;
    case EXPR_READ:
        return commuting_read(c, expr, held);
    case EXPR_UNARY:
        return commuting_unary(c, expr, held);
    case EXPR_BINARY:
        return commuting_binary(c, expr, held);
    case EXPR_COND:
        end = commuting_truth(c, expr->condition, &holds);
        return end == PATH_OK ? commuting_expr(c, holds ? expr->left : expr->right, held) : end;
    case EXPR_QUANTIFIER:
        return commuting_quantifier(c, expr, held);
    case EXPR_IS_UNDEFINED:
        return commuting_is_undefined(c, expr, held);
    case EXPR_IS_MEMBER:
        return commuting_member(c, expr, held);
    case EXPR_CALL:
        return commuting_function(c, expr, held);
    case EXPR_EQUAL:
        return commuting_aggregates(c, expr, held);
    case EXPR_COUNT:
        return commuting_count(c, expr, &held->number);
    case EXPR_SLOT_TAKEN:
        return commuting_stuck(c, "it looks into a multiset");
    default:
        return commuting_stuck(c, "it has an expression that is not analysed");
    }
}
