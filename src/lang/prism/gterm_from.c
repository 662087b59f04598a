/* Resolved expressions -> terms. */
#include "lang/prism/gterms.h"

/* The parts of a chain like a & b & c, or a + b - c, which is as deep as it is long. */
static void collect(struct gterms *terms, const struct prism_expr *expr, enum prism_operator op, gterm_list *parts)
{
    while (expr->kind == PRISM_EXPR_BINARY && (expr->op == op || (op == PRISM_OP_ADD && expr->op == PRISM_OP_SUB))) {
        const struct gterm *right = gterm_from(terms, expr->right);
        if (expr->op == PRISM_OP_SUB)
            right = gterm_pair(terms, TERM_MUL, gterm_int(terms, -1), right);
        VEC_PUSH(parts, right);
        expr = expr->left;
    }
    VEC_PUSH(parts, gterm_from(terms, expr));
}

static const struct gterm *chain(struct gterms *terms, const struct prism_expr *expr, enum prism_operator op,
                                 enum gterm_kind kind)
{
    gterm_list parts = {0};
    collect(terms, expr, op, &parts);
    const struct gterm *result = gterm_join(terms, kind, parts.items, (uint32_t)parts.count);
    VEC_FREE(&parts);
    return result;
}

static const struct gterm *from_binary(struct gterms *terms, const struct prism_expr *expr)
{
    switch (expr->op) {
    case PRISM_OP_AND:
        return chain(terms, expr, PRISM_OP_AND, TERM_AND);
    case PRISM_OP_OR:
        return chain(terms, expr, PRISM_OP_OR, TERM_OR);
    case PRISM_OP_ADD:
    case PRISM_OP_SUB:
        return chain(terms, expr, PRISM_OP_ADD, TERM_ADD);
    case PRISM_OP_MUL:
        return chain(terms, expr, PRISM_OP_MUL, TERM_MUL);
    default:
        break;
    }
    const struct gterm *left = gterm_from(terms, expr->left), *right = gterm_from(terms, expr->right);
    switch (expr->op) {
    case PRISM_OP_IMPLIES:
        return gterm_pair(terms, TERM_OR, gterm_not(terms, left), right);
    case PRISM_OP_NE:
        return gterm_not(terms, gterm_pair(terms, TERM_EQ, left, right));
    case PRISM_OP_LT:
        return gterm_pair(terms, TERM_LT, left, right);
    case PRISM_OP_LE:
        return gterm_pair(terms, TERM_LE, left, right);
    case PRISM_OP_GT:
        return gterm_pair(terms, TERM_LT, right, left);
    case PRISM_OP_GE:
        return gterm_pair(terms, TERM_LE, right, left);
    case PRISM_OP_DIV:
        return gterm_pair(terms, TERM_DIV, left, right);
    case PRISM_OP_POW:
        return gterm_pair(terms, TERM_POW, left, right);
    default:
        return gterm_pair(terms, TERM_EQ, left, right);
    }
}

static const struct gterm *from_call(struct gterms *terms, const struct prism_expr *expr)
{
    gterm_list parts = {0};
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        VEC_PUSH(&parts, gterm_from(terms, expr->arguments.items[i]));
    const struct gterm *result = gterm_call(terms, expr->function, parts.items, (uint32_t)parts.count);
    VEC_FREE(&parts);
    return result;
}

static const struct gterm *from_kind(struct gterms *terms, const struct prism_expr *expr)
{
    switch (expr->kind) {
    case PRISM_EXPR_VALUE:
        return gterm_value(terms, expr->value);
    case PRISM_EXPR_VARIABLE:
        return gterm_variable(terms, expr->variable);
    case PRISM_EXPR_UNARY:
        return expr->op == PRISM_OP_NOT
                   ? gterm_not(terms, gterm_from(terms, expr->left))
                   : gterm_pair(terms, TERM_MUL, gterm_int(terms, -1), gterm_from(terms, expr->left));
    case PRISM_EXPR_BINARY:
        return from_binary(terms, expr);
    case PRISM_EXPR_COND:
        return gterm_cond(terms, gterm_from(terms, expr->condition), gterm_from(terms, expr->left),
                          gterm_from(terms, expr->right));
    case PRISM_EXPR_CALL:
        return from_call(terms, expr);
    default:
        UNREACHABLE("an operator of the property language in a term");
    }
}

const struct gterm *gterm_from(struct gterms *terms, const struct prism_expr *expr)
{
    if (!expr->shared)
        return from_kind(terms, expr);
    while (terms->of_shared.count <= expr->shared)
        VEC_PUSH(&terms->of_shared, NULL);
    if (!terms->of_shared.items[expr->shared]) {
        const struct gterm *term = from_kind(terms, expr);
        terms->of_shared.items[expr->shared] = term;
    }
    return terms->of_shared.items[expr->shared];
}
