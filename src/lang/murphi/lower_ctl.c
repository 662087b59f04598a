/* Formulas of branching time: what has no temporal operator in it is a proposition, lowered like any condition. */
#include <string.h>

#include "lang/murphi/lower.h"

static struct ctl *lower_ctl(struct lower *lower, const struct ast_expr *ast);

/* The word is free for models to use as a name. */
static bool is_deadlock(const struct lower *lower, const struct ast_expr *ast)
{
    return ast->kind == AST_NAME && !strcmp(ast->name.text, "deadlock") && !scope_find(&lower->scope, "deadlock");
}

/* The first part that no IR condition can have, or NULL. */
static const struct ast_expr *find_temporal(const struct lower *lower, const struct ast_expr *ast)
{
    if (!ast || ast->kind == AST_TEMPORAL || is_deadlock(lower, ast))
        return ast;
    const struct ast_expr *found = find_temporal(lower, ast->left);
    if (!found)
        found = find_temporal(lower, ast->right);
    if (!found)
        found = find_temporal(lower, ast->third);
    for (size_t i = 0; !found && i < ast->arguments.count; i++)
        found = find_temporal(lower, ast->arguments.items[i]);
    for (size_t i = 0; !found && i < ast->quantifiers.count; i++) {
        const struct ast_quantifier *quantifier = &ast->quantifiers.items[i];
        found = find_temporal(lower, quantifier->from);
        if (!found)
            found = find_temporal(lower, quantifier->to);
        if (!found)
            found = find_temporal(lower, quantifier->by);
    }
    return found;
}

static struct ctl *make_proposition(struct lower *lower, struct expr *formula, struct span span)
{
    return ctl_proposition(lower->system, formula, lower->quantified.items, lower->quantified.count, span);
}

static struct ctl *lower_operator(struct lower *lower, const struct ast_expr *ast, enum ctl_kind kind)
{
    struct ctl *left = lower_ctl(lower, ast->left);
    struct ctl *right = ast->right ? lower_ctl(lower, ast->right) : NULL;
    if (!left || (ast->right && !right))
        return NULL;
    return ctl_operator(lower->system, kind, left, right, ast->span);
}

/* The values are those of a type: of the variable's own. */
static bool check_domain(struct lower *lower, const struct ast_quantifier *ast, const struct murphi_bound *bound,
                         bool *is_empty)
{
    const struct domain *domain = &bound->domain;
    *is_empty = false;
    if (!domain->from)
        return true;
    if (bound->variable->type == lower->system->integer || (domain->by && domain->by->kind != EXPR_CONST)) {
        report_error(lower->diagnostics, ast->name.span,
                     "the values of a variable around temporal operators must be "
                     "constant");
        return false;
    }
    int64_t by = domain->by ? domain->by->value : 1;
    if (by != 1 && by != -1) {
        report_error(lower->diagnostics, ast->by->span,
                     "a variable around temporal operators takes every value: the "
                     "step cannot be %lld",
                     (long long)by);
        return false;
    }
    *is_empty = by > 0 ? domain->from->value > domain->to->value : domain->from->value < domain->to->value;
    return true;
}

/* Quantifiers number `at` and on, around the formula that `finish` lowers. */
struct quantification {
    enum ctl_kind kind;
    const struct ast_quantifiers *quantifiers;
    struct span span;
    struct ctl *(*finish)(struct lower *lower, void *user);
    void *user;
};

static struct ctl *lower_quantifiers(struct lower *lower, const struct quantification *all, size_t at)
{
    if (at == all->quantifiers->count)
        return all->finish(lower, all->user);
    const struct ast_quantifier *ast = &all->quantifiers->items[at];
    struct murphi_bound bound;
    bool is_empty = false;
    bool ok =
        lower_quantifier(lower, ast, "a quantified variable", &bound) && check_domain(lower, ast, &bound, &is_empty);
    if (ok)
        VEC_PUSH(&lower->quantified, bound.variable);
    struct ctl *body = lower_quantifiers(lower, all, at + 1);
    if (ok)
        (void)VEC_POP(&lower->quantified);
    scope_close(&lower->scope);
    if (!ok || !body)
        return NULL;
    if (is_empty)
        return make_proposition(
            lower, expr_const(lower->system, lower->system->boolean, all->kind == CTL_FORALL, all->span), all->span);
    return ctl_quantifier(lower->system, all->kind, bound.variable, body, all->span);
}

static struct ctl *finish_quantified(struct lower *lower, void *user)
{
    return lower_ctl(lower, ((const struct ast_expr *)user)->left);
}

static struct ctl *lower_quantified_ctl(struct lower *lower, const struct ast_expr *ast)
{
    struct quantification all = {.kind = ast->op == OP_FORALL ? CTL_FORALL : CTL_EXISTS,
                                 .quantifiers = &ast->quantifiers,
                                 .span = ast->span,
                                 .finish = finish_quantified,
                                 .user = (void *)ast};
    return lower_quantifiers(lower, &all, 0);
}

void report_temporal(struct lower *lower, struct span span)
{
    if (report_error(lower->diagnostics, span, "a temporal formula cannot be part of an expression"))
        diag_hint(lower->diagnostics, "temporal formulas are combined with !, &, |, ->, forall and exists");
}

static struct ctl *lower_combination(struct lower *lower, const struct ast_expr *ast, const struct ast_expr *inner)
{
    if (ast->kind == AST_TEMPORAL)
        return lower_operator(lower, ast, (enum ctl_kind)ast->value);
    if (ast->kind == AST_QUANTIFIED)
        return lower_quantified_ctl(lower, ast);
    if (ast->kind == AST_UNARY && ast->op == OP_NOT)
        return lower_operator(lower, ast, CTL_NOT);
    if (ast->kind == AST_BINARY && (ast->op == OP_AND || (ast->op == OP_BIT_AND && ast->is_ambiguous)))
        return lower_operator(lower, ast, CTL_AND);
    if (ast->kind == AST_BINARY && (ast->op == OP_OR || (ast->op == OP_BIT_OR && ast->is_ambiguous)))
        return lower_operator(lower, ast, CTL_OR);
    if (ast->kind == AST_BINARY && ast->op == OP_IMPLIES)
        return lower_operator(lower, ast, CTL_IMPLIES);
    report_temporal(lower, inner->span);
    return NULL;
}

static struct ctl *lower_ctl(struct lower *lower, const struct ast_expr *ast)
{
    if (is_deadlock(lower, ast))
        return ctl_deadlock(lower->system, ast->span);
    const struct ast_expr *inner = find_temporal(lower, ast);
    if (inner)
        return lower_combination(lower, ast, inner);
    struct expr *formula = lower_condition(lower, ast, "a property");
    return formula ? make_proposition(lower, formula, ast->span) : NULL;
}

/* Rulesets and aliases number `outer` and on around the property. */
struct surroundings {
    const struct ast_rule *ast;
    size_t outer;
};

static struct ctl *lower_surrounded(struct lower *lower, void *user)
{
    const struct surroundings *here = user;
    struct surroundings inner = {here->ast, here->outer + 1};
    if (here->outer == lower->enclosing.count)
        return lower_ctl(lower, here->ast->guard);
    const struct ast_rule *around = lower->enclosing.items[here->outer];
    if (around->kind == AST_CHOOSE) {
        report_error(lower->diagnostics, here->ast->span, "a ctl property cannot stand inside a choose");
        return NULL;
    }
    if (around->kind == AST_ALIAS_RULE) {
        scope_open(&lower->scope);
        bool ok = lower_aliases(lower, &around->aliases, NULL);
        struct ctl *ctl = lower_surrounded(lower, &inner);
        scope_close(&lower->scope);
        return ok ? ctl : NULL;
    }
    struct quantification all = {.kind = CTL_FORALL,
                                 .quantifiers = &around->quantifiers,
                                 .span = here->ast->span,
                                 .finish = lower_surrounded,
                                 .user = &inner};
    return lower_quantifiers(lower, &all, 0);
}

void lower_ctl_property(struct lower *lower, const struct ast_rule *ast)
{
    struct surroundings surroundings = {ast, 0};
    struct ctl *ctl = lower_surrounded(lower, &surroundings);
    if (ctl)
        lower_add_property(lower, PROPERTY_CTL, ast->title, NULL, ast->span)->ctl = ctl;
}
