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

static const struct type *lower_steps(struct lower *lower, const struct ast_quantifier *ast, struct domain *domain)
{
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
