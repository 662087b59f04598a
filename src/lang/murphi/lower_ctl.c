/* Formulas of branching and linear time: what has no temporal operator in it is a proposition, lowered like any
 * condition. */
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

/* An operator of the other logic. */
static struct ctl *refuse_operator(struct lower *lower, const struct ast_expr *ast)
{
    const char *name = ctl_kind_name((enum ctl_kind)ast->value);
    if (report_error(lower->diagnostics, ast->span, "\"%s\" is an operator of branching time (ctl), not of ltl", name))
        diag_hint(lower->diagnostics, "ltl formulas have X, F, G, U, W, R and M");
    return NULL;
}

static struct ctl *lower_combination(struct lower *lower, const struct ast_expr *ast, const struct ast_expr *inner)
{
    if (ast->kind == AST_TEMPORAL && lower->is_linear && ast->value < LTL_X)
        return refuse_operator(lower, ast);
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
    if (is_deadlock(lower, ast) && lower->is_linear) {
        report_error(lower->diagnostics, ast->span, "\"deadlock\" is a word of ctl formulas, not of ltl");
        return NULL;
    }
    if (is_deadlock(lower, ast))
        return ctl_deadlock(lower->system, ast->span);
    const struct ast_expr *inner = find_temporal(lower, ast);
    if (inner)
        return lower_combination(lower, ast, inner);
    struct expr *formula = lower_condition(lower, ast, "a property");
    return formula ? make_proposition(lower, formula, ast->span) : NULL;
}

/* Rulesets and aliases number `outer` and on around what `inner` lowers. */
struct surroundings {
    const struct ast_rule *ast;
    size_t outer;
    struct ctl *(*inner)(struct lower *lower, void *user);
    void *user;
};

static struct ctl *lower_surrounded(struct lower *lower, void *user)
{
    const struct surroundings *here = user;
    struct surroundings inner = *here;
    inner.outer++;
    if (here->outer == lower->enclosing.count)
        return here->inner(lower, here->user);
    const struct ast_rule *around = lower->enclosing.items[here->outer];
    if (around->kind == AST_CHOOSE) {
        report_error(lower->diagnostics, here->ast->span, "a temporal formula cannot stand inside a choose");
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

static struct ctl *lower_whole(struct lower *lower, void *user)
{
    return lower_ctl(lower, ((const struct ast_rule *)user)->guard);
}

void lower_ctl_property(struct lower *lower, const struct ast_rule *ast)
{
    enum property_kind kind = (enum property_kind)ast->property;
    struct surroundings surroundings = {.ast = ast, .inner = lower_whole, .user = (void *)ast};
    lower->is_linear = kind == PROPERTY_LTL;
    struct ctl *formula = lower_surrounded(lower, &surroundings);
    lower->is_linear = false;
    if (!formula)
        return;
    struct property *property = lower_add_property(lower, kind, ast->title, NULL, ast->span);
    if (kind == PROPERTY_LTL)
        property->ltl = formula;
    else
        property->ctl = formula;
}

/* --- fair conditions --- */

struct fair_lowering {
    const struct ast_rule *ast;
    struct fairness *fairness;
};

static struct ctl *lower_fair_operand(struct lower *lower, const struct ast_expr *ast)
{
    struct expr *formula = lower_condition(lower, ast, "a fairness condition");
    return formula ? make_proposition(lower, formula, ast->span) : NULL;
}

/* The conjunction of both: its free variables are those of the requirement. */
static struct ctl *lower_fair_operands(struct lower *lower, void *user)
{
    struct fair_lowering *lowering = user;
    struct ctl *then = lower_fair_operand(lower, lowering->ast->guard);
    struct ctl *when = lowering->ast->set ? lower_fair_operand(lower, lowering->ast->set) : then;
    if (!then || !when)
        return NULL;
    struct ctl *both = ctl_operator(lower->system, CTL_AND, when, then, lowering->ast->span);
    struct fairness *fairness = ARENA_NEW(lower->system->arena, struct fairness);
    *fairness = (struct fairness){.kind = FAIRNESS_CONDITION,
                                  .when = when == then ? NULL : when->proposition,
                                  .then = then->proposition,
                                  .variables = both->free,
                                  .variable_count = both->free_count};
    lowering->fairness = fairness;
    return both;
}

void lower_fair_condition(struct lower *lower, const struct ast_rule *ast)
{
    struct fair_lowering lowering = {.ast = ast};
    struct surroundings surroundings = {.ast = ast, .inner = lower_fair_operands, .user = &lowering};
    const struct ctl *formula = lower_surrounded(lower, &surroundings);
    while (formula && formula->kind == CTL_FORALL)
        formula = formula->left;
    if (formula && formula->kind == CTL_AND) /* else there is no value for a variable */
        lower_add_property(lower, PROPERTY_FAIRNESS, ast->title, NULL, ast->span)->fairness = lowering.fairness;
}
