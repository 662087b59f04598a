/* Weak and strong fairness of rules and processes: what the names stand for, when all rules are known. */
#include <string.h>

#include "lang/murphi/lower.h"

static void add_fairness(struct lower *lower, const struct ast_rule *ast, const struct rule *rule,
                         const struct variable **variables, uint32_t count)
{
    struct fairness *fairness = ARENA_NEW(lower->system->arena, struct fairness);
    *fairness = (struct fairness){.kind = ast->fairness, .rule = rule, .variables = variables, .variable_count = count};
    lower_add_property(lower, PROPERTY_FAIRNESS, NULL, NULL, ast->span)->fairness = fairness;
}

/* --- of a rule --- */

static bool check_rule(struct lower *lower, const struct ast_rule *ast, const struct rule *rule)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        if (rule->parameters[p].choose) {
            report_error(lower->diagnostics, ast->span, "rule \"%s\" chooses from a multiset: it cannot be fair",
                         rule->name);
            return false;
        }
    return true;
}

static void fair_rule(struct lower *lower, const struct ast_rule *ast, const struct rule *rule)
{
    const struct variable **variables =
        ARENA_ARRAY(lower->system->arena, const struct variable *, rule->parameter_count + 1);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        variables[p] = rule->parameters[p].variable;
    if (check_rule(lower, ast, rule))
        add_fairness(lower, ast, rule, variables, rule->parameter_count);
}

static void suggest_rule(struct lower *lower, const char *title)
{
    size_t count = lower->system->rules.count;
    const char **names = ARENA_ARRAY(lower->arena, const char *, count + 1);
    for (size_t r = 0; r < count; r++)
        names[r] = lower->system->rules.items[r]->name;
    const char *closest = diag_closest(title, names, count);
    if (closest)
        diag_hint(lower->diagnostics, "did you mean \"%s\"?", closest);
}

static void fair_rules(struct lower *lower, const struct ast_rule *ast)
{
    bool is_found = false;
    for (size_t r = 0; r < lower->system->rules.count; r++)
        if (!strcmp(lower->system->rules.items[r]->name, ast->title)) {
            fair_rule(lower, ast, lower->system->rules.items[r]);
            is_found = true;
        }
    if (!is_found && report_error(lower->diagnostics, ast->span, "there is no rule \"%s\"", ast->title))
        suggest_rule(lower, ast->title);
}

/* --- of processes --- */

static bool is_parameter_type(const struct lower *lower, const struct type *type)
{
    for (size_t r = 0; r < lower->system->rules.count; r++) {
        const struct rule *rule = lower->system->rules.items[r];
        for (uint32_t p = 0; p < rule->parameter_count; p++)
            if (!rule->parameters[p].choose && rule->parameters[p].type == type)
                return true;
    }
    return false;
}

static void fair_processes(struct lower *lower, const struct ast_rule *ast, const struct type *type)
{
    const struct variable **variables = ARENA_ARRAY(lower->system->arena, const struct variable *, 1);
    variables[0] = system_add_scratch(lower->system, "process", type, ast->span);
    add_fairness(lower, ast, NULL, variables, 1);
}

static void fair_type(struct lower *lower, const struct ast_rule *ast)
{
    struct symbol *symbol = scope_find(&lower->scope, ast->name.text);
    const struct type *type = symbol && symbol->kind == SYMBOL_TYPE ? symbol->type : NULL;
    if (symbol)
        note_use(lower, symbol, ast->name.span);
    if (!type && report_error(lower->diagnostics, ast->name.span, "\"%s\" is not a type", ast->name.text))
        diag_hint(lower->diagnostics, "the name of a rule stands in quotes");
    else if (type && !is_parameter_type(lower, type))
        report_error(lower->diagnostics, ast->name.span, "no rule has a parameter of type \"%s\": it has no processes",
                     ast->name.text);
    else if (type)
        fair_processes(lower, ast, type);
}

/* "fairness weak;": the scalarsets that rules have parameters of; or else the only type of parameters. */
static void fair_all(struct lower *lower, const struct ast_rule *ast)
{
    const struct system *system = lower->system;
    size_t count = system->types.count, fair = 0, others = 0;
    const struct type *other = NULL;
    for (size_t t = 0; t < count; t++) {
        const struct type *type = system->types.items[t];
        if (!is_parameter_type(lower, type))
            continue;
        if (type->kind == TYPE_INDEX) {
            fair_processes(lower, ast, type);
            fair++;
        } else {
            other = type;
            others++;
        }
    }
    if (!fair && others == 1)
        fair_processes(lower, ast, other);
    else if (!fair && report_error(lower->diagnostics, ast->span, "it is not clear which parameters are processes"))
        diag_hint(lower->diagnostics, others ? "name their type: fairness weak TYPE" : "no rule has a parameter");
}

void lower_fairness(struct lower *lower)
{
    for (size_t i = 0; i < lower->fairness.count; i++) {
        const struct ast_rule *ast = lower->fairness.items[i];
        if (ast->title)
            fair_rules(lower, ast);
        else if (ast->name.text)
            fair_type(lower, ast);
        else
            fair_all(lower, ast);
    }
}
