/* rumur's shifts: by a negative amount they go the other way, and by more than the width they give 0. */
#include "lang/murphi/lower.h"

enum { WIDTH = 64 };

static struct expr *zero_of(struct lower *lower, struct expr *value, struct span span)
{
    struct expr *zero = expr_const(lower->system, lower->system->integer, 0, span);
    return expr_binary(lower->system, OP_MUL, value, zero, span); /* the value is still read */
}

/* By an amount that is not negative. */
static struct expr *shift_up_to_width(struct lower *lower, enum operator op, struct expr *value, struct expr *amount,
                                      struct span span)
{
    struct expr *width = expr_const(lower->system, lower->system->integer, WIDTH, span);
    struct expr *fits = expr_binary(lower->system, OP_LT, amount, width, span);
    if (fits->kind == EXPR_CONST && !fits->value)
        return zero_of(lower, value, span);
    struct expr *shifted = expr_binary(lower->system, op, value, amount, span);
    return fits->kind == EXPR_CONST ? shifted
                                    : expr_cond(lower->system, fits, shifted, zero_of(lower, value, span), span);
}

struct expr *lower_shift(struct lower *lower, const struct ast_expr *ast, struct expr *value, struct expr *amount)
{
    enum operator other = ast->op == OP_SHL ? OP_SHR : OP_SHL;
    if (amount->kind != EXPR_CONST && has_call(ast->right)) { /* it is evaluated more than once */
        if (report_error(lower->diagnostics, ast->right->span, "the amount of a shift cannot be a call"))
            diag_hint(lower->diagnostics, "assign it to a local variable first");
        return NULL;
    }
    struct expr *zero = expr_const(lower->system, lower->system->integer, 0, ast->span);
    struct expr *is_negative = expr_binary(lower->system, OP_LT, amount, zero, ast->span);
    struct expr *opposite = expr_unary(lower->system, OP_NEGATE, amount, ast->span);
    struct expr *backward = shift_up_to_width(lower, other, value, opposite, ast->span);
    struct expr *forward = shift_up_to_width(lower, ast->op, value, amount, ast->span);
    return expr_cond(lower->system, is_negative, backward, forward, ast->span);
}
