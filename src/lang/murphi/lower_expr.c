#include "lang/murphi/lower.h"

#include "ir/arith.h"

struct murphi_value value_from(struct expr *expr)
{
    return (struct murphi_value){.ok = expr != NULL, .expr = expr, .type = expr ? expr->type : NULL};
}

struct expr *value_read(struct lower *lower, const struct murphi_value *value, struct span span)
{
    return value->place ? expr_read(lower->system, value->place, false, span) : value->expr;
}

bool value_is_sure(const struct murphi_value *value)
{
    if (!value->place)
        return value->expr->kind == EXPR_CONST;
    return value->root && value->root->is_fixed && value->place->kind == PLACE_VARIABLE;
}

struct expr *value_copy(struct lower *lower, const struct murphi_value *value, struct span span)
{
    if (!value->place)
        return value->expr;
    return expr_read(lower->system, value->place, !value_is_sure(value) && value->place->kind != PLACE_CALL, span);
}

bool check_scalar(struct lower *lower, const struct murphi_value *value, struct span span, const char *what)
{
    if (value->is_undefined) {
        if (report_error(lower->diagnostics, span, "UNDEFINED cannot be %s", what))
            diag_hint(lower->diagnostics, "it can be assigned or passed; isundefined(x) tests for it");
        return false;
    }
    if (value->slot_of) {
        report_error(lower->diagnostics, span, "a slot of a multiset cannot be %s", what);
        return false;
    }
    if (!type_is_scalar(value->type)) {
        report_error(lower->diagnostics, span, "%s cannot be %s", type_text(lower, value->type), what);
        return false;
    }
    return true;
}

struct expr *lower_scalar(struct lower *lower, const struct ast_expr *ast, const char *what)
{
    struct murphi_value value = lower_value(lower, ast);
    if (!value.ok || !check_scalar(lower, &value, ast->span, what))
        return NULL;
    return value_read(lower, &value, ast->span);
}

struct expr *lower_condition(struct lower *lower, const struct ast_expr *ast, const char *what)
{
    struct expr *expr = lower_scalar(lower, ast, what);
    if (!expr || expr->type == lower->system->boolean)
        return expr;
    report_error(lower->diagnostics, ast->span, "%s must be boolean, not %s", what, type_text(lower, expr->type));
    return NULL;
}

static void report_scalarset(struct lower *lower, struct span span, const struct type *scalarset, const char *what)
{
    const char *name = scalarset->name ? scalarset->name : "(anonymous)";
    if (report_error(lower->diagnostics, span, "an element of the scalarset %s cannot be %s", name, what))
        diag_hint(lower->diagnostics, "the elements of a scalarset are interchangeable: they are only compared with = "
                                      "and !=, assigned, and used as indices");
}

static bool check_integer(struct lower *lower, const struct expr *expr, struct span span, const char *what)
{
    if (type_is_integer(expr->type))
        return true;
    const struct type *scalarset = type_scalarset_in(expr->type);
    if (scalarset)
        report_scalarset(lower, span, scalarset, what);
    else
        report_error(lower->diagnostics, span, "%s must be an integer, not %s", what, type_text(lower, expr->type));
    return false;
}

struct expr *lower_integer(struct lower *lower, const struct ast_expr *ast, const char *what)
{
    struct expr *expr = lower_scalar(lower, ast, what);
    return expr && check_integer(lower, expr, ast->span, what) ? expr : NULL;
}

static const struct expr *find_fault(const struct expr *expr, enum arith_status *status)
{
    int64_t result;
    if (expr->kind == EXPR_UNARY && expr->left->kind == EXPR_CONST)
        *status = arith_unary(expr->op, expr->left->value, &result);
    else if (expr->kind == EXPR_BINARY && expr->left->kind == EXPR_CONST && expr->right->kind == EXPR_CONST)
        *status = arith_binary(expr->op, expr->left->value, expr->right->value, &result);
    else if (expr->kind == EXPR_UNARY)
        return find_fault(expr->left, status);
    else if (expr->kind == EXPR_BINARY) {
        const struct expr *fault = find_fault(expr->left, status);
        return fault ? fault : find_fault(expr->right, status);
    } else
        return NULL;
    return *status == ARITH_OK ? NULL : expr;
}

bool constant_value(const struct expr *expr, int64_t *value)
{
    int64_t left, right;
    switch (expr->kind) {
    case EXPR_CONST:
        *value = expr->value;
        return true;
    case EXPR_UNARY:
        return constant_value(expr->left, &left) && arith_unary(expr->op, left, value) == ARITH_OK;
    case EXPR_BINARY:
        return constant_value(expr->left, &left) && constant_value(expr->right, &right) &&
               arith_binary(expr->op, left, right, value) == ARITH_OK;
    default:
        return false;
    }
}

void report_not_constant(struct lower *lower, const struct ast_expr *ast, const struct expr *expr, const char *what)
{
    enum arith_status status = ARITH_OK;
    const struct expr *fault = find_fault(expr, &status);
    if (fault)
        report_error(lower->diagnostics, fault->span, "%s",
                     status == ARITH_DIVISION ? "division by zero" : "the value does not fit 64 bits");
    else
        report_error(lower->diagnostics, ast->span, "%s must be a constant", what);
}

bool lower_constant(struct lower *lower, const struct ast_expr *ast, const char *what, int64_t *value)
{
    struct expr *expr = lower_integer(lower, ast, what);
    if (!expr)
        return false;
    if (constant_value(expr, value))
        return true;
    report_not_constant(lower, ast, expr, what);
    return false;
}

static const char *operator_spelling(enum operator op)
{
    static const char *const spellings[] = {
        [OP_NOT] = "!",    [OP_NEGATE] = "-",  [OP_BIT_NOT] = "~", [OP_AND] = "&",  [OP_OR] = "|",  [OP_IMPLIES] = "->",
        [OP_EQ] = "=",     [OP_NE] = "!=",     [OP_LT] = "<",      [OP_LE] = "<=",  [OP_GT] = ">",  [OP_GE] = ">=",
        [OP_ADD] = "+",    [OP_SUB] = "-",     [OP_MUL] = "*",     [OP_DIV] = "/",  [OP_MOD] = "%", [OP_BIT_AND] = "&",
        [OP_BIT_OR] = "|", [OP_BIT_XOR] = "^", [OP_SHL] = "<<",    [OP_SHR] = ">>",
    };
    return spellings[op];
}

const char *operand_of(struct lower *lower, enum operator op)
{
    return arena_format(lower->arena, "an operand of \"%s\"", operator_spelling(op));
}

static struct murphi_value lower_unary(struct lower *lower, const struct ast_expr *ast)
{
    const char *what = operand_of(lower, ast->op);
    struct expr *operand =
        ast->op == OP_NOT ? lower_condition(lower, ast->left, what) : lower_integer(lower, ast->left, what);
    return value_from(operand ? expr_unary(lower->system, ast->op, operand, ast->span) : NULL);
}

/* & and | are logical on booleans and bitwise on integers (rumur). */
static enum operator resolve_operator(struct lower *lower, const struct ast_expr *ast, const struct expr *left)
{
    if (!ast->is_ambiguous || left->type != lower->system->boolean)
        return ast->op;
    return ast->op == OP_BIT_AND ? OP_AND : OP_OR;
}

static bool check_operand(struct lower *lower, enum operator op, const struct expr *expr, const struct ast_expr *ast)
{
    const char *what = operand_of(lower, op);
    if (op != OP_AND && op != OP_OR && op != OP_IMPLIES)
        return check_integer(lower, expr, ast->span, what);
    if (expr->type == lower->system->boolean)
        return true;
    report_error(lower->diagnostics, ast->span, "%s must be boolean, not %s", what, type_text(lower, expr->type));
    return false;
}

static struct murphi_value lower_arithmetic(struct lower *lower, const struct ast_expr *ast)
{
    struct expr *left = lower_scalar(lower, ast->left, operand_of(lower, ast->op));
    struct expr *right = lower_scalar(lower, ast->right, operand_of(lower, ast->op));
    if (!left || !right)
        return (struct murphi_value){0};
    enum operator op = resolve_operator(lower, ast, left);
    if (!check_operand(lower, op, left, ast->left) || !check_operand(lower, op, right, ast->right))
        return (struct murphi_value){0};
    return value_from(expr_binary(lower->system, op, left, right, ast->span));
}

static struct murphi_value lower_cond(struct lower *lower, const struct ast_expr *ast)
{
    struct expr *condition = lower_condition(lower, ast->left, "the condition of ?:");
    struct expr *left = lower_scalar(lower, ast->right, "a value of ?:");
    struct expr *right = lower_scalar(lower, ast->third, "a value of ?:");
    if (!condition || !left || !right)
        return (struct murphi_value){0};
    if (!types_compatible(left->type, right->type)) {
        report_error(lower->diagnostics, ast->span, "the values of ?: differ in type: %s and %s",
                     type_text(lower, left->type), type_text(lower, right->type));
        return (struct murphi_value){0};
    }
    return value_from(expr_cond(lower->system, condition, left, right, ast->span));
}

static struct murphi_value lower_is_undefined(struct lower *lower, const struct ast_expr *ast)
{
    struct murphi_value value = lower_value(lower, ast->left);
    if (!value.ok)
        return value;
    if (!value.place || !value.root || !type_is_scalar(value.type)) {
        if (report_error(lower->diagnostics, ast->left->span, "isundefined needs a simple variable") && value.place)
            diag_hint(lower->diagnostics, "test its parts one by one");
        return (struct murphi_value){0};
    }
    return value_from(expr_is_undefined(lower->system, value.place, ast->span));
}

static struct murphi_value lower_binary(struct lower *lower, const struct ast_expr *ast)
{
    return ast->op == OP_EQ || ast->op == OP_NE ? lower_equality(lower, ast) : lower_arithmetic(lower, ast);
}

struct murphi_value lower_value(struct lower *lower, const struct ast_expr *ast)
{
    struct system *system = lower->system;
    switch (ast->kind) {
    case AST_NAME:
    case AST_UNDEFINED:
        return lower_name(lower, ast);
    case AST_NUMBER:
        return value_from(expr_const(system, system->integer, ast->value, ast->span));
    case AST_TRUTH:
        return value_from(expr_const(system, system->boolean, ast->value, ast->span));
    case AST_UNARY:
        return lower_unary(lower, ast);
    case AST_PLUS:
        return value_from(lower_integer(lower, ast->left, "an operand of \"+\""));
    case AST_BINARY:
        return lower_binary(lower, ast);
    case AST_COND:
        return lower_cond(lower, ast);
    case AST_INDEX:
        return lower_index(lower, ast);
    case AST_FIELD:
        return lower_field(lower, ast);
    case AST_CALL:
        return lower_call(lower, ast, false);
    case AST_QUANTIFIED:
        return lower_quantified(lower, ast);
    case AST_IS_MEMBER:
        return lower_is_member(lower, ast);
    case AST_IS_UNDEFINED:
        return lower_is_undefined(lower, ast);
    case AST_COUNT:
        return lower_count(lower, ast);
    case AST_TEMPORAL:
        report_temporal(lower, ast->span);
        return (struct murphi_value){0};
    }
    UNREACHABLE("expression syntax");
}
