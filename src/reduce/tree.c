/* Paths of runs that branch become if statements, or conditional expressions. Paths come in the order in which they
 * were taken: those on which a condition is true before those on which it is false, so that the paths below one
 * branch are neighbours. */
#include "reduce/inner.h"

/* Of paths that agree before event `at`, which is a branch: how many take it. */
static size_t tree_split(const struct path *paths, size_t count, size_t at)
{
    size_t taken = 0;
    while (taken < count && paths[taken].events[at].taken)
        taken++;
    return taken;
}

static struct block tree_from(struct system *system, const struct path *paths, size_t count, size_t at)
{
    VEC(struct stmt *) list = {0};
    while (at < paths[0].count && paths[0].events[at].kind == EVENT_STMT)
        VEC_PUSH(&list, paths[0].events[at++].stmt);
    if (at < paths[0].count) {
        size_t taken = tree_split(paths, count, at);
        struct expr *condition = paths[0].events[at].condition;
        struct stmt *stmt = stmt_new(system, STMT_IF, condition->span);
        stmt->value = condition;
        if (taken)
            stmt->body = tree_from(system, paths, taken, at + 1);
        if (taken < count)
            stmt->otherwise = tree_from(system, paths + taken, count - taken, at + 1);
        if (!stmt->body.count && stmt->otherwise.count) {
            stmt->value = expr_unary(system, OP_NOT, condition, condition->span);
            stmt->body = stmt->otherwise;
            stmt->otherwise = (struct block){0};
        }
        VEC_PUSH(&list, stmt);
    }
    uint32_t length = (uint32_t)list.count;
    return (struct block){.items = VEC_SEAL(&list, system->arena), .count = length};
}

struct block tree_block(struct system *system, const struct path *paths, size_t count)
{
    if (!count)
        return (struct block){0};
    return tree_from(system, paths, count, 0);
}

static bool tree_is_const(const struct expr *expr, bool value)
{
    return expr->kind == EXPR_CONST && (expr->value != 0) == value;
}

/* condition ? left : right, as people would write it. */
static struct expr *tree_choice(struct system *system, struct expr *condition, struct expr *left, struct expr *right)
{
    struct span span = condition->span;
    if (tree_is_const(right, false))
        return expr_binary(system, OP_AND, condition, left, span);
    if (tree_is_const(right, true))
        return expr_binary(system, OP_IMPLIES, condition, left, span);
    if (tree_is_const(left, true))
        return expr_binary(system, OP_OR, condition, right, span);
    if (tree_is_const(left, false))
        return expr_binary(system, OP_AND, expr_unary(system, OP_NOT, condition, span), right, span);
    return expr_cond(system, condition, left, right, span);
}

bool tree_same_fault(const struct path *a, const struct path *b)
{
    return a->end == GO_FAULT && b->end == GO_FAULT && a->property == b->property && a->what == b->what &&
           a->span.line == b->span.line;
}

/* The way of a fault that is looked for; NULL: the value. */
static struct expr *tree_expr_from(struct system *system, const struct path *paths, size_t count, size_t at,
                                   const struct path *way)
{
    struct span span = {0};
    while (at < paths[0].count && paths[0].events[at].kind == EVENT_STMT)
        at++;
    if (at == paths[0].count) {
        if (way || paths[0].end == GO_FAULT)
            return expr_const(system, system->boolean, way && tree_same_fault(way, &paths[0]), span);
        return paths[0].value;
    }
    size_t taken = tree_split(paths, count, at);
    struct expr *never = expr_const(system, system->boolean, 0, span);
    struct expr *left = taken ? tree_expr_from(system, paths, taken, at + 1, way) : never;
    struct expr *right = taken < count ? tree_expr_from(system, paths + taken, count - taken, at + 1, way) : never;
    if (way && tree_is_const(left, false) && tree_is_const(right, false))
        return never;
    return tree_choice(system, paths[0].events[at].condition, left, right);
}

struct expr *tree_expr(struct system *system, const struct path *paths, size_t count)
{
    return tree_expr_from(system, paths, count, 0, NULL);
}

struct expr *tree_fault(struct system *system, const struct path *paths, size_t count, const struct path *way)
{
    return tree_expr_from(system, paths, count, 0, way);
}
