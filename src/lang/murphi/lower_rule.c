#include "lang/murphi/lower.h"

/* A rule as it takes shape: one for each rule or start state, with all that stands around it. */
struct murphi_draft {
    VEC(struct parameter) parameters;
    struct stmts prelude;
    bool is_empty; /* a parameter has no values: the rule never fires */
    bool ok;
};

static void add_parameter(struct murphi_draft *draft, const struct variable *variable, const struct place *choose)
{
    struct parameter parameter = {.variable = variable, .type = variable->type, .choose = choose};
    VEC_PUSH(&draft->parameters, parameter);
}

/* "i := from to to by by" as a parameter: all of from..to, of which the prelude keeps what the steps meet. */
static bool require_steps(struct lower *lower, const struct ast_quantifier *ast, const struct murphi_bound *bound,
                          struct murphi_draft *draft)
{
    const struct domain *domain = &bound->domain;
    if (domain->from->kind != EXPR_CONST || domain->to->kind != EXPR_CONST ||
        (domain->by && domain->by->kind != EXPR_CONST)) {
        report_error(lower->diagnostics, ast->name.span, "the values of a parameter of a rule must be constant");
        return false;
    }
    if (bound->variable->type == lower->system->integer) {
        report_error(lower->diagnostics, ast->name.span, "the values of the parameter do not fit 32 bits");
        return false;
    }
    int64_t by = domain->by ? domain->by->value : 1;
    draft->is_empty |= by > 0 ? domain->from->value > domain->to->value : domain->from->value < domain->to->value;
    if (by == 1 || by == -1)
        return true;
    struct system *system = lower->system;
    struct span span = ast->name.span;
    struct expr *value = expr_read(system, place_variable(system, bound->variable, span), false, span);
    struct expr *steps = expr_binary(system, OP_SUB, value, domain->from, span);
    struct expr *rest = expr_binary(system, OP_MOD, steps, domain->by, span);
    struct expr *zero = expr_const(system, system->integer, 0, span);
    stmts_add(lower, &draft->prelude, STMT_REQUIRE, span)->value = expr_binary(system, OP_EQ, rest, zero, span);
    return true;
}

static void enclose_ruleset(struct lower *lower, const struct ast_rule *ast, struct murphi_draft *draft)
{
    for (size_t i = 0; i < ast->quantifiers.count; i++) {
        struct murphi_bound bound;
        bool ok = lower_quantifier(lower, &ast->quantifiers.items[i], "a parameter of the rule", &bound);
        if (ok && bound.domain.from)
            ok = require_steps(lower, &ast->quantifiers.items[i], &bound, draft);
        if (ok)
            add_parameter(draft, bound.variable, NULL);
        draft->ok &= ok;
    }
}

static void enclose_choose(struct lower *lower, const struct ast_rule *ast, struct murphi_draft *draft)
{
    struct murphi_value set = lower_multiset(lower, ast->set);
    scope_open(&lower->scope);
    const struct variable *slot = set.ok ? declare_slot(lower, ast->name, set.type) : NULL;
    if (!slot) {
        declare(lower, SYMBOL_ERROR, ast->name);
        draft->ok = false;
        return;
    }
    add_parameter(draft, slot, set.place);
    struct span span = ast->name.span;
    struct expr *read = expr_read(lower->system, place_variable(lower->system, slot, span), false, span);
    stmts_add(lower, &draft->prelude, STMT_REQUIRE, span)->value =
        expr_slot_taken(lower->system, set.place, read, span);
}

static void enclose_all(struct lower *lower, struct murphi_draft *draft)
{
    lower->entry = &draft->prelude;
    lower->pure = "an alias of a rule";
    for (size_t i = 0; i < lower->enclosing.count; i++) {
        const struct ast_rule *outer = lower->enclosing.items[i];
        if (outer->kind == AST_RULESET)
            enclose_ruleset(lower, outer, draft);
        else if (outer->kind == AST_CHOOSE)
            enclose_choose(lower, outer, draft);
        else {
            scope_open(&lower->scope);
            draft->ok &= lower_aliases(lower, &outer->aliases, &draft->prelude);
        }
    }
    lower->pure = NULL;
}

static struct block lower_body(struct lower *lower, const struct ast_rule *ast)
{
    struct stmts body = {0}, entry = {0};
    lower->entry = &entry;
    scope_open(&lower->scope);
    lower_decls(lower, &ast->decls, &entry);
    lower_stmts(lower, &ast->body, &body);
    scope_close(&lower->scope);
    for (size_t i = 0; i < body.count; i++)
        VEC_PUSH(&entry, body.items[i]);
    VEC_FREE(&body);
    lower->entry = NULL;
    return stmts_seal(lower, &entry);
}

static struct expr *lower_guard(struct lower *lower, const struct ast_rule *ast, struct murphi_draft *draft)
{
    if (!ast->guard)
        return NULL;
    lower->pure = "the guard of a rule";
    struct expr *guard = lower_condition(lower, ast->guard, "the guard of a rule");
    lower->pure = NULL;
    draft->ok &= guard != NULL;
    return guard;
}

static void add_rule(struct lower *lower, const struct ast_rule *ast, struct murphi_draft *draft, struct expr *guard,
                     struct block body)
{
    struct system *system = lower->system;
    bool is_start = ast->kind == AST_STARTSTATE;
    size_t number = (is_start ? system->starts.count : system->rules.count) + 1;
    const char *name =
        ast->title ? ast->title : arena_format(lower->arena, "%s %zu", is_start ? "startstate" : "rule", number);
    struct rule *rule = is_start ? system_add_start(system, name, ast->span) : system_add_rule(system, name, ast->span);
    rule->parameter_count = (uint32_t)draft->parameters.count;
    rule->parameters = VEC_SEAL(&draft->parameters, system->arena);
    rule->prelude = stmts_seal(lower, &draft->prelude);
    rule->guard = guard;
    rule->body = body;
    if (!is_start && lower->has_priorities)
        note_priority(lower, ast, rule);
}

static void lower_simple_rule(struct lower *lower, const struct ast_rule *ast)
{
    size_t depth = lower->scope.starts.count;
    struct murphi_draft draft = {.ok = true};
    enclose_all(lower, &draft);
    struct expr *guard = lower_guard(lower, ast, &draft);
    struct block body = lower_body(lower, ast);
    scope_close_to(&lower->scope, depth);
    if (draft.ok && !draft.is_empty)
        add_rule(lower, ast, &draft, guard, body);
    VEC_FREE(&draft.parameters);
    VEC_FREE(&draft.prelude);
}

void lower_rule(struct lower *lower, const struct ast_rule *ast)
{
    if (lower->diagnostics->errors >= DIAGNOSTICS_MAX_ERRORS)
        return;
    switch (ast->kind) {
    case AST_RULE:
    case AST_STARTSTATE:
        lower_simple_rule(lower, ast);
        return;
    case AST_PROPERTY:
        lower_property(lower, ast);
        return;
    case AST_RULESET:
    case AST_ALIAS_RULE:
    case AST_CHOOSE:
        VEC_PUSH(&lower->enclosing, ast);
        for (size_t i = 0; i < ast->rules.count; i++)
            lower_rule(lower, ast->rules.items[i]);
        (void)VEC_POP(&lower->enclosing);
        return;
    }
    UNREACHABLE("rule syntax");
}
