#include "ir/bounds.h"

#include <math.h>

#include "base/watch.h"
#include "ir/idiom.h"

static const struct interval anything = {-INFINITY, INFINITY};

static struct interval truth(bool may_be_false, bool may_be_true)
{
    return (struct interval){may_be_false ? 0 : 1, may_be_true ? 1 : 0};
}

/* For what rounding may do. */
static struct interval widened(struct interval a)
{
    return (struct interval){a.low - fabs(a.low) * 1e-9 - 1e-300, a.high + fabs(a.high) * 1e-9 + 1e-300};
}

static struct interval checked(struct interval a)
{
    return isnan(a.low) || isnan(a.high) ? anything : fabs(a.low) < 0x1p52 && fabs(a.high) < 0x1p52 ? a : widened(a);
}

static struct interval multiply(struct interval a, struct interval b)
{
    double products[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    struct interval result = {products[0], products[0]};
    for (int i = 0; i < 4; i++) {
        if (isnan(products[i]))
            return anything;
        result.low = fmin(result.low, products[i]);
        result.high = fmax(result.high, products[i]);
    }
    return checked(result);
}

/* By a positive constant, towards zero. */
static struct interval divide(struct interval a, struct interval b)
{
    if (b.low != b.high || b.low < 1)
        return anything;
    return checked((struct interval){trunc(a.low / b.low), trunc(a.high / b.low)});
}

static struct interval rest_of(struct interval a, struct interval b)
{
    if (b.low != b.high || b.low < 1)
        return anything;
    if (a.low == a.high && fabs(a.low) < 0x1p52)
        return (struct interval){fmod(a.low, b.low), fmod(a.low, b.low)};
    return (struct interval){a.low < 0 ? 1 - b.low : 0, a.high > 0 ? b.low - 1 : 0};
}

static struct interval combine(enum operator op, struct interval a, struct interval b)
{
    switch (op) {
    case OP_AND:
        return (struct interval){fmin(a.low, b.low), fmin(a.high, b.high)};
    case OP_OR:
        return (struct interval){fmax(a.low, b.low), fmax(a.high, b.high)};
    case OP_IMPLIES:
        return (struct interval){fmax(1 - a.high, b.low), fmax(1 - a.low, b.high)};
    case OP_EQ:
        return truth(a.low != a.high || b.low != b.high || a.low != b.low, a.low <= b.high && b.low <= a.high);
    case OP_NE:
        return truth(a.low <= b.high && b.low <= a.high, a.low != a.high || b.low != b.high || a.low != b.low);
    case OP_LT:
        return truth(a.high >= b.low, a.low < b.high);
    case OP_LE:
        return truth(a.high > b.low, a.low <= b.high);
    case OP_GT:
        return truth(b.high >= a.low, b.low < a.high);
    case OP_GE:
        return truth(b.high > a.low, b.low <= a.high);
    case OP_ADD:
        return checked((struct interval){a.low + b.low, a.high + b.high});
    case OP_SUB:
        return checked((struct interval){a.low - b.high, a.high - b.low});
    case OP_MUL:
        return multiply(a, b);
    case OP_DIV:
        return divide(a, b);
    case OP_MOD:
        return rest_of(a, b);
    default:
        return anything;
    }
}

static struct interval extreme(enum idiom idiom, struct interval a, struct interval b)
{
    return idiom == IDIOM_MIN ? (struct interval){fmin(a.low, b.low), fmin(a.high, b.high)}
                              : (struct interval){fmax(a.low, b.low), fmax(a.high, b.high)};
}

/* By a positive constant, rounded down; or what is left then. */
static struct interval quotient(enum idiom idiom, struct interval a, struct interval b)
{
    if (b.low != b.high || b.low < 1)
        return anything;
    if (idiom == IDIOM_FLOOR)
        return checked((struct interval){floor(a.low / b.low), floor(a.high / b.low)});
    if (a.low != a.high || fabs(a.low) >= 0x1p52)
        return (struct interval){0, b.low - 1};
    double rest = fmod(a.low, b.low);
    rest += rest < 0 ? b.low : 0;
    return (struct interval){rest, rest};
}

static struct interval bounds_of_cond(struct expr_bounds *bounds, const struct expr *expr)
{
    struct expr *left, *right;
    enum idiom idiom = idiom_of(expr, &left, &right);
    if (idiom) {
        struct interval first = expr_bounds_of(bounds, left), second = expr_bounds_of(bounds, right);
        return idiom == IDIOM_MIN || idiom == IDIOM_MAX ? extreme(idiom, first, second)
                                                        : quotient(idiom, first, second);
    }
    struct interval condition = expr_bounds_of(bounds, expr->condition);
    if (condition.low == condition.high)
        return expr_bounds_of(bounds, condition.low == 1 ? expr->left : expr->right);
    struct interval first = expr_bounds_of(bounds, expr->left), second = expr_bounds_of(bounds, expr->right);
    return (struct interval){fmin(first.low, second.low), fmax(first.high, second.high)};
}

/* Whatever it is. */
static struct interval bounds_of_type(const struct type *type)
{
    if (!type_is_scalar(type))
        return anything;
    return (struct interval){(double)type_code(type, 0), (double)type_code(type, type->size - 1)};
}

static struct interval bounds_of_read(struct expr_bounds *bounds, const struct place *place)
{
    const struct variable *variable = place_root(place)->variable;
    if (!variable)
        return anything;
    return bounds->range ? bounds->range(bounds->user, variable) : bounds_of_type(place->type);
}

struct interval expr_bounds_of(struct expr_bounds *bounds, const struct expr *expr)
{
    if (bounds->most && (watch_is_up() || bounds->nodes >= bounds->most)) {
        bounds->nodes = bounds->most;
        return expr->type->kind == TYPE_BOOL ? (struct interval){0, 1} : anything;
    }
    bounds->nodes++;
    struct interval left;
    switch (expr->kind) {
    case EXPR_CONST:
        return checked((struct interval){(double)expr->value, (double)expr->value});
    case EXPR_READ:
        return bounds_of_read(bounds, expr->place);
    case EXPR_UNARY:
        left = expr_bounds_of(bounds, expr->left);
        return expr->op == OP_NOT      ? (struct interval){1 - left.high, 1 - left.low}
               : expr->op == OP_NEGATE ? (struct interval){-left.high, -left.low}
                                       : anything;
    case EXPR_BINARY:
        left = expr_bounds_of(bounds, expr->left);
        return combine(expr->op, left, expr_bounds_of(bounds, expr->right));
    case EXPR_COND:
        return bounds_of_cond(bounds, expr);
    default:
        return expr->type->kind == TYPE_BOOL ? (struct interval){0, 1} : anything;
    }
}

bool expr_bounds_as_integers(struct interval interval, int64_t *low, int64_t *high)
{
    if (!(fabs(interval.low) < 0x1p52 && fabs(interval.high) < 0x1p52))
        return false;
    *low = (int64_t)ceil(interval.low);
    *high = (int64_t)floor(interval.high);
    return true;
}
