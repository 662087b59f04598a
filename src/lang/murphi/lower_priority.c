/* Priorities, as CMurphi obeys them: of the rules that are enabled in a state, only those with the smallest number may
 * fire. They are written into the guards, so that nothing after the front end needs to know of them. */
#include "lang/murphi/lower.h"
#include "lang/murphi/parse.h"

/* Does a rule have another priority than the first one met? */
static bool differs(const struct ast_rule *rule, const struct ast_rule **first)
{
    if (rule->kind == AST_RULE) {
        if (!*first)
            *first = rule;
        return rule->priority != (*first)->priority;
    }
    for (size_t i = 0; i < rule->rules.count; i++)
        if (differs(rule->rules.items[i], first))
            return true;
    return false;
}

bool model_has_priorities(const struct ast_model *model)
{
    const struct ast_rule *first = NULL;
    for (size_t i = 0; i < model->count; i++)
        if (model->items[i].rule && differs(model->items[i].rule, &first))
            return true;
    return false;
}

void note_priority(struct lower *lower, const struct ast_rule *ast, struct rule *rule)
{
    struct prioritised prioritised = {rule, lower_enabled(lower, ast), ast->priority};
    if (prioritised.enabled)
        VEC_PUSH(&lower->prioritised, prioritised);
}

void apply_priorities(struct lower *lower)
{
    struct system *system = lower->system;
    if (lower->prioritised.count > PARSE_MAX_DEPTH) {
        report_error(lower->diagnostics, lower->prioritised.items[0].rule->span,
                     "priorities are supported for at most %d rules", PARSE_MAX_DEPTH);
        return;
    }
    for (size_t i = 0; i < lower->prioritised.count; i++) {
        struct rule *rule = lower->prioritised.items[i].rule;
        for (size_t j = 0; j < lower->prioritised.count; j++) {
            const struct prioritised *other = &lower->prioritised.items[j];
            if (other->priority >= lower->prioritised.items[i].priority)
                continue;
            struct expr *yields = expr_unary(system, OP_NOT, other->enabled, rule->span);
            rule->guard = rule->guard ? expr_binary(system, OP_AND, rule->guard, yields, rule->span) : yields;
        }
    }
}
