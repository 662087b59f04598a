#include "ir/bounds.h"
#include "lang/murphi/lower.h"

/* The smallest type for a variable that runs from one value to another. */
static const struct type *counter_type(struct lower *lower, const struct domain *domain, struct span span)
{
    if (domain->from->kind != EXPR_CONST || domain->to->kind != EXPR_CONST)
        return lower->system->integer;
    int64_t a = domain->from->value, b = domain->to->value;
    int64_t lo = a < b ? a : b, hi = a < b ? b : a;
    if (lo <= INT32_MIN || hi > INT32_MAX)
        return lower->system->integer;
    return type_range(lower->system, NULL, (int32_t)lo, (int32_t)hi, span);
}

/* Which way `for i := from to to` can go, by the types of what stands in the bounds. */
struct directions {
    bool may_be_up, may_be_down; /* neither: from = to */
};

static struct directions directions_of(const struct domain *domain)
{
    struct expr_bounds bounds = {.most = 0};
    struct interval from = expr_bounds_of(&bounds, domain->from), to = expr_bounds_of(&bounds, domain->to);
    return (struct directions){.may_be_up = from.low<to.high, .may_be_down = from.high> to.low};
}

/* A comparison of the bounds, which are lowered again for it. */
static struct expr *compare_bounds(struct lower *lower, const struct ast_quantifier *ast, enum operator op)
{
    struct expr *to = lower_integer(lower, ast->to, "the last value");
    struct expr *from = lower_integer(lower, ast->from, "the first value");
    return to && from ? expr_binary(lower->system, op, to, from, ast->name.span) : NULL;
}

static struct expr *number(struct lower *lower, int64_t value, struct span span)
{
    return expr_const(lower->system, lower->system->integer, value, span);
}

/* to >= from ? 1 : -1; of two constants it must be 1. */
static struct expr *step_towards(struct lower *lower, const struct ast_quantifier *ast)
{
    struct span span = ast->name.span;
    struct expr *is_up = compare_bounds(lower, ast, OP_GE);
    if (!is_up)
        return NULL;
    if (is_up->kind == EXPR_CONST && !is_up->value) {
        report_error(lower->diagnostics, span, "rumur refuses a loop from a constant to a smaller one without a step");
        return NULL;
    }
    return expr_cond(lower->system, is_up, number(lower, 1, span), number(lower, -1, span), span);
}

/* The step, or 0 where it goes the wrong way: rumur stops there, too. */
static struct expr *step_or_error(struct lower *lower, const struct ast_quantifier *ast, struct expr *by)
{
    struct system *system = lower->system;
    struct span span = ast->by->span;
    struct expr *again = lower_integer(lower, ast->by, "the step"), *other = lower_integer(lower, ast->by, "the step");
    struct expr *up = compare_bounds(lower, ast, OP_GT), *down = compare_bounds(lower, ast, OP_LT), *wrong;
    if (!again || !other || !up || !down)
        return NULL;
    up = expr_binary(system, OP_AND, up, expr_binary(system, OP_LT, again, number(lower, 0, span), span), span);
    down = expr_binary(system, OP_AND, down, expr_binary(system, OP_GT, other, number(lower, 0, span), span), span);
    wrong = expr_binary(system, OP_OR, up, down, span);
    if (wrong->kind == EXPR_CONST && wrong->value) {
        report_error(lower->diagnostics, span, "rumur refuses a step that leads away from the last value");
        return NULL;
    }
    return expr_cond(system, wrong, number(lower, 0, span), by, span);
}

/* --dialect rumur: loops count down where the last value is less than the first. False: an error was reported. */
static bool lower_steps_of_rumur(struct lower *lower, const struct ast_quantifier *ast, struct domain *domain)
{
    struct directions directions = directions_of(domain);
    uint64_t effects = lower->done.effects;
    int64_t by;
    bool is_right = ast->by
                        ? expr_is_number(domain->by, &by) && (by > 0 ? !directions.may_be_down : !directions.may_be_up)
                        : !directions.may_be_down;
    if (is_right)
        return true;
    domain->by = ast->by ? step_or_error(lower, ast, domain->by) : step_towards(lower, ast);
    if (domain->by && lower->done.effects != effects) /* it would be computed again */
        report_error(
            lower->diagnostics, ast->name.span,
            "with --dialect rumur a function that changes variables cannot be a bound of a loop that may count down");
    return domain->by && lower->done.effects == effects;
}

/* Loops from a value to a smaller one are empty in CMurphi, in rumur they count down. */
static void warn_of_direction(struct lower *lower, const struct ast_quantifier *ast, const struct domain *domain)
{
    bool are_constant = domain->from->kind == EXPR_CONST && domain->to->kind == EXPR_CONST; /* rumur refuses it */
    if (ast->by || are_constant || !directions_of(domain).may_be_down)
        return;
    diag_warning(
        lower->diagnostics, ast->name.span,
        "where the last value is less than the first, this loop is empty, as in CMurphi; in rumur it counts down");
    diag_hint(lower->diagnostics, "--dialect rumur counts down, --dialect cmurphi does without this warning");
}

static const struct type *lower_steps(struct lower *lower, const struct ast_quantifier *ast, struct domain *domain)
{
    enum dialect dialect = lower->reading->manner.dialect;
    domain->from = lower_integer(lower, ast->from, "the first value");
    domain->to = lower_integer(lower, ast->to, "the last value");
    if (ast->by)
        domain->by = lower_integer(lower, ast->by, "the step");
    if (!domain->from || !domain->to || (ast->by && !domain->by))
        return NULL;
    if (domain->by && domain->by->kind == EXPR_CONST && !domain->by->value) {
        report_error(lower->diagnostics, ast->by->span, "the step is 0");
        return NULL;
    }
    if (dialect == DIALECT_RUMUR && !lower_steps_of_rumur(lower, ast, domain))
        return NULL;
    if (dialect == DIALECT_AUTO)
        warn_of_direction(lower, ast, domain);
    return counter_type(lower, domain, ast->name.span);
}

static const struct type *lower_simple_type(struct lower *lower, const struct ast_quantifier *ast)
{
    const struct type *type = lower_type(lower, ast->type, NULL);
    if (!type)
        return NULL;
    if (type_is_scalar(type))
        return check_first_value(lower, type, "what a variable runs over", ast->type->span) ? type : NULL;
    report_error(lower->diagnostics, ast->type->span, "a variable cannot run over %s", type_text(lower, type));
    return NULL;
}

bool lower_quantifier(struct lower *lower, const struct ast_quantifier *ast, const char *role,
                      struct murphi_bound *bound)
{
    *bound = (struct murphi_bound){0};
    const struct type *type;
    if (ast->type)
        bound->domain.type = type = lower_simple_type(lower, ast);
    else
        type = lower_steps(lower, ast, &bound->domain);
    scope_open(&lower->scope);
    struct symbol *symbol = declare(lower, type ? SYMBOL_PLACE : SYMBOL_ERROR, ast->name);
    if (!type || !symbol)
        return false;
    bound->variable = system_add_scratch(lower->system, ast->name.text, type, ast->name.span);
    symbol->place = place_variable(lower->system, bound->variable, ast->name.span);
    symbol->read_only = role;
    symbol->is_fixed = true;
    return true;
}

struct murphi_value lower_quantified(struct lower *lower, const struct ast_expr *ast)
{
    size_t depth = lower->scope.starts.count, count = ast->quantifiers.count;
    struct murphi_bound *bounds = ARENA_ARRAY(lower->arena, struct murphi_bound, count);
    bool ok = true;
    for (size_t i = 0; i < count; i++)
        ok &= lower_quantifier(lower, &ast->quantifiers.items[i], "a quantified variable", &bounds[i]);
    struct expr *expr = lower_condition(lower, ast->left, "what is quantified");
    scope_close_to(&lower->scope, depth);
    if (!ok || !expr)
        return (struct murphi_value){0};
    for (size_t i = count; i > 0; i--)
        expr = expr_quantifier(lower->system, ast->op, bounds[i - 1].variable, bounds[i - 1].domain, expr, ast->span);
    return (struct murphi_value){.ok = true, .expr = expr, .type = expr->type};
}

struct murphi_value lower_count(struct lower *lower, const struct ast_expr *ast)
{
    struct murphi_value set = lower_multiset(lower, ast->left);
    if (!set.ok)
        return set;
    scope_open(&lower->scope);
    const struct variable *slot = declare_slot(lower, ast->name, set.type);
    struct expr *predicate = lower_condition(lower, ast->right, "the condition of multisetcount");
    scope_close(&lower->scope);
    if (!slot || !predicate)
        return (struct murphi_value){0};
    struct expr *expr = expr_count(lower->system, set.place, slot, predicate, ast->span);
    return (struct murphi_value){.ok = true, .expr = expr, .type = expr->type};
}
