#include "lang/murphi/lower.h"
#include "lang/murphi/parse.h"

/* Each arm of an if or switch is nested in the one before it, so long chains count as deep nesting. */
static bool enter_arm(struct lower *lower, struct span span)
{
    if (lower->depth++ < PARSE_MAX_DEPTH)
        return true;
    report_error(lower->diagnostics, span, "more than %d arms and levels of statements", PARSE_MAX_DEPTH);
    return false;
}

/* The value that a switch looks at, evaluated once. */
struct subject {
    const struct variable *variable;
    const struct type *type;
    struct symbol root; /* of the variable */
};

static struct expr *lower_case_value(struct lower *lower, const struct subject *subject, const struct ast_expr *ast)
{
    struct progress_mark before = lower->done;
    struct murphi_value value = lower_value(lower, ast);
    if (!value.ok || !check_scalar(lower, &value, ast->span, "the value of a case"))
        return NULL;
    if (!types_compatible(subject->type, value.type)) {
        report_error(lower->diagnostics, ast->span, "the case is %s, but the switch is on %s",
                     type_text(lower, value.type), type_text(lower, subject->type));
        return NULL;
    }
    struct murphi_value switched = {.ok = true,
                                    .place = place_variable(lower->system, subject->variable, ast->span),
                                    .type = subject->type,
                                    .root = (struct symbol *)&subject->root};
    return compare_scalars(lower, OP_EQ, &switched, &value, &before, ast->span);
}

/* Halves, so that many values make a low tree. */
static struct expr *lower_case_values(struct lower *lower, const struct subject *subject, struct ast_expr **values,
                                      size_t count)
{
    if (count == 1)
        return lower_case_value(lower, subject, values[0]);
    struct expr *left = lower_case_values(lower, subject, values, count / 2);
    struct expr *right = lower_case_values(lower, subject, values + count / 2, count - count / 2);
    return left && right ? expr_binary(lower->system, OP_OR, left, right, values[0]->span) : NULL;
}

static struct expr *lower_arm_condition(struct lower *lower, const struct subject *subject, const struct ast_arm *arm)
{
    if (!subject)
        return lower_condition(lower, arm->values.items[0], "the condition of an if");
    return arm->values.count ? lower_case_values(lower, subject, arm->values.items, arm->values.count)
                             : expr_const(lower->system, lower->system->boolean, 0, arm->span);
}

/* The arms of a switch on `subject`; NULL: of an if. */
static void lower_arms(struct lower *lower, const struct subject *subject, const struct ast_arm *arms, size_t count,
                       struct stmts *out)
{
    if (!count)
        return;
    if (arms->is_else) {
        lower_stmts(lower, &arms->body, out);
        return;
    }
    if (enter_arm(lower, arms->span)) {
        struct expr *condition = lower_arm_condition(lower, subject, arms);
        struct block body = lower_block(lower, &arms->body);
        struct stmts rest = {0};
        lower_arms(lower, subject, arms + 1, count - 1, &rest);
        struct stmt *stmt = stmts_add(lower, out, STMT_IF, arms->span);
        stmt->value = condition;
        stmt->body = body;
        stmt->otherwise = stmts_seal(lower, &rest);
    }
    lower->depth--;
}

void lower_if(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    lower_arms(lower, NULL, ast->arms, ast->arm_count, out);
}

void lower_switch(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    struct murphi_value value = lower_value(lower, ast->value);
    if (!value.ok || !check_scalar(lower, &value, ast->value->span, "what a switch is on"))
        return;
    bool is_copied = value_is_tolerated(lower, &value);
    struct subject subject = {.type = value.type, .root = {.is_fixed = !is_copied}};
    subject.variable = system_add_scratch(lower->system, "switched", value.type, ast->value->span);
    struct stmt *stmt = stmts_add(lower, out, STMT_ASSIGN, ast->value->span);
    stmt->place = place_variable(lower->system, subject.variable, ast->value->span);
    stmt->value = is_copied ? value_copy(lower, &value, ast->value->span) : value_read(lower, &value, ast->value->span);
    lower_arms(lower, &subject, ast->arms, ast->arm_count, out);
}

static void lower_loops(struct lower *lower, const struct ast_stmt *ast, size_t first, struct stmts *out)
{
    if (first == ast->quantifiers.count) {
        lower_stmts(lower, &ast->body, out);
        return;
    }
    if (enter_arm(lower, ast->span)) {
        struct murphi_bound bound;
        struct stmts body = {0};
        bool ok = lower_quantifier(lower, &ast->quantifiers.items[first], "a loop variable", &bound);
        lower_loops(lower, ast, first + 1, &body);
        scope_close(&lower->scope);
        struct block block = stmts_seal(lower, &body);
        if (ok) {
            struct stmt *stmt = stmts_add(lower, out, STMT_FOR, ast->span);
            stmt->variable = bound.variable;
            stmt->domain = bound.domain;
            stmt->body = block;
        }
    }
    lower->depth--;
}

void lower_for(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    lower_loops(lower, ast, 0, out);
}

static bool stmt_always_leaves(const struct ast_stmt *stmt)
{
    switch (stmt->kind) {
    case AST_RETURN:
    case AST_ERROR:
        return true;
    case AST_ALIAS:
        return stmts_always_leave(&stmt->body);
    case AST_IF:
    case AST_SWITCH:
        for (size_t i = 0; i < stmt->arm_count; i++)
            if (!stmts_always_leave(&stmt->arms[i].body))
                return false;
        return stmt->arm_count && stmt->arms[stmt->arm_count - 1].is_else;
    default:
        return false;
    }
}

bool stmts_always_leave(const struct ast_stmts *list)
{
    for (size_t i = list->count; i > 0; i--)
        if (stmt_always_leaves(list->items[i - 1]))
            return true;
    return false;
}
