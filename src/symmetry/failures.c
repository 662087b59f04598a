#include "symmetry/failures.h"

#include "ir/walk.h"

static bool failures_on_inner_stmt(void *user, const struct stmt *stmt)
{
    *(bool *)user |= stmt->kind == STMT_ASSERT || stmt->kind == STMT_ERROR;
    return true;
}

/* Bodies of functions are not entered: a call may do anything. */
static bool failures_on_inner_expr(void *user, const struct expr *expr)
{
    *(bool *)user |= expr->kind == EXPR_CALL;
    return true;
}

static bool failures_on_stmt(void *user, const struct stmt *stmt)
{
    struct walker inner = {.on_stmt = failures_on_inner_stmt, .on_expr = failures_on_inner_expr, .user = user};
    if (stmt->kind == STMT_FOR && stmt->domain.type && type_has_index(stmt->domain.type))
        walk_block(&inner, &stmt->body);
    if (stmt->kind == STMT_MULTISET_REMOVE_IF)
        walk_expr(&inner, stmt->value);
    return true;
}

static bool failures_on_expr(void *user, const struct expr *expr)
{
    struct walker inner = {.on_stmt = failures_on_inner_stmt, .on_expr = failures_on_inner_expr, .user = user};
    bool is_unordered = expr->kind == EXPR_COUNT ||
                        (expr->kind == EXPR_QUANTIFIER && expr->domain.type && type_has_index(expr->domain.type));
    if (is_unordered)
        walk_expr(&inner, expr->left);
    return true;
}

bool failures_can_hide(const struct system *system)
{
    bool is_possible = false;
    struct walker walker = {.on_stmt = failures_on_stmt, .on_expr = failures_on_expr, .user = &is_possible};
    walk_steps(&walker, system);
    return is_possible;
}
