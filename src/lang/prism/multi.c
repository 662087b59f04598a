/* multi(...): several objectives of one scheduler. */
#include "lang/prism/resolve.h"

/* F[0,2] is F<=2. */
static void drop_zero(struct prism_window *window)
{
    const struct prism_value *low = window->lower ? window->lower->value : NULL;
    if (low && low->type == PRISM_TYPE_INT && !low->integer && !window->is_lower_strict)
        window->lower = NULL;
}

/* P with a path formula, R with C: what PRISM has there. */
static bool is_objective(struct prism_reader *reader, const struct prism_expr *expr)
{
    bool is_measure = expr->kind == PRISM_EXPR_PROBABILITY || expr->kind == PRISM_EXPR_REWARD;
    if (!is_measure) {
        prism_error(reader, expr->span, "an objective of multi(...) is P or R, with a bound or with =?");
        return false;
    }
    if (!expr->bound.is_query && (expr->bound.relation == PRISM_OP_LT || expr->bound.relation == PRISM_OP_GT)) {
        if (prism_error(reader, expr->span, "an objective of multi(...) is compared with >= or <="))
            diag_hint(reader->diagnostics, "what a scheduler comes near to need not be what one attains");
        return false;
    }
    if (!expr->bound.is_query && expr->bound.extreme != PRISM_NO_EXTREME) {
        if (prism_error(reader, expr->span, "a bound in multi(...) has no min and no max"))
            diag_hint(reader->diagnostics, "multi(...) asks for one scheduler that meets all bounds: P>=0.5 [ ... ]");
        return false;
    }
    if (expr->kind == PRISM_EXPR_REWARD && expr->left->kind != PRISM_EXPR_CUMULATIVE) {
        prism_error(reader, expr->left->span, "the rewards of multi(...) are R [ C ] and R [ C<=k ]");
        return false;
    }
    if (expr->kind == PRISM_EXPR_PROBABILITY && !prism_is_single_path(expr->left))
        return true; /* LTL */
    if (expr->left->kind == PRISM_EXPR_PATH)
        drop_zero(&expr->left->window);
    bool is_path = expr->kind == PRISM_EXPR_REWARD || expr->left->kind != PRISM_EXPR_PATH ||
                   (expr->left->temporal != PRISM_NEXT && !expr->left->window.lower);
    if (!is_path)
        prism_error(reader, expr->left->span, "X and bounds from below are not supported in multi(...)");
    return is_path;
}

struct prism_expr *prism_resolve_multi(struct prism_reader *reader, struct prism_expr *expr)
{
    struct prism_expr **arguments = ARENA_ARRAY(reader->arena, struct prism_expr *, expr->arguments.count);
    bool is_right = expr->arguments.count > 0;
    uint32_t queries = 0;
    for (uint32_t i = 0; i < expr->arguments.count; i++) {
        arguments[i] = prism_resolve(reader, expr->arguments.items[i], NULL);
        is_right = is_right && arguments[i]->type != PRISM_TYPE_NONE && is_objective(reader, arguments[i]);
        queries += arguments[i]->bound.is_query;
    }
    if (is_right && reader->network.type != PRISM_MDP) {
        prism_error(reader, expr->span, "multi(...) is about the schedulers of an mdp");
        is_right = false;
    }
    if (is_right && queries > 1 && (queries != 2 || expr->arguments.count != 2)) {
        prism_error(reader, expr->span, "a Pareto curve of multi(...) has two objectives, both with =?");
        is_right = false;
    }
    expr->kind = PRISM_EXPR_MULTI;
    expr->arguments.items = arguments;
    expr->type = queries ? PRISM_TYPE_REAL : PRISM_TYPE_BOOL;
    return is_right ? expr : prism_broken(expr);
}
