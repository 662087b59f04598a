#include "exec/rule_plan.h"

#include "ir/walk.h"

/* How far an item can be moved out of the loops over the parameters. */
struct reach {
    struct vm_emitter *emitter;
    const struct rule *rule;
    uint32_t level;
    bool has_call;
};

static bool reach_place(void *user, const struct place *place, bool is_written)
{
    struct reach *reach = user;
    const struct variable *variable = place->variable;
    (void)is_written;
    if (!variable || variable->is_global || variable->is_reference)
        return true; /* a reference was bound by an item before this one */
    for (uint32_t p = 0; p < reach->rule->parameter_count; p++)
        if (reach->rule->parameters[p].variable == variable) {
            if (p + 1 > reach->level)
                reach->level = p + 1;
            return true;
        }
    if (!emit_facts(reach->emitter, variable)->is_sure) /* some local: may hold anything */
        reach->level = reach->rule->parameter_count;
    return true;
}

static bool reach_expr(void *user, const struct expr *expr)
{
    struct reach *reach = user;
    if (expr->kind == EXPR_CALL) {
        reach->has_call = true;
        if (!reach->emitter->functions[expr->function->id].is_pure)
            reach->level = reach->rule->parameter_count;
    }
    return true;
}

static void plan_item(struct vm_emitter *emitter, struct rule_plan *plan, struct item item)
{
    struct reach reach = {.emitter = emitter, .rule = plan->rule};
    const struct walker walker = {.on_expr = reach_expr, .on_place = reach_place, .user = &reach};
    if (item.conjunct) {
        walk_expr(&walker, item.conjunct);
        plan->is_pure &= expr_is_pure(emitter, item.conjunct);
    } else {
        walk_stmt(&walker, item.stmt);
        bool is_bind = item.stmt->kind == STMT_BIND && emit_facts(emitter, item.stmt->variable)->bindings == 1;
        /* What a call returns does not outlive the next call: it cannot be bound once for many firings. */
        if (item.stmt->kind != STMT_REQUIRE && (!is_bind || reach.has_call))
            reach.level = plan->rule->parameter_count;
        plan->is_pure &= !reach.has_call;
    }
    item.level = reach.level;
    if (plan->items.count && VEC_LAST(&plan->items).level > item.level)
        item.level = VEC_LAST(&plan->items).level;
    VEC_PUSH(&plan->items, item);
}

static void plan_conjuncts(struct vm_emitter *emitter, struct rule_plan *plan, const struct expr *guard)
{
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND) {
        plan_conjuncts(emitter, plan, guard->left);
        plan_conjuncts(emitter, plan, guard->right);
    } else {
        plan_item(emitter, plan, (struct item){.conjunct = guard});
    }
}

struct rule_plan rule_plan_make(struct vm_emitter *emitter, const struct rule *rule)
{
    struct rule_plan plan = {.rule = rule, .is_pure = true};
    for (uint32_t i = 0; i < rule->prelude.count; i++)
        plan_item(emitter, &plan, (struct item){.stmt = rule->prelude.items[i]});
    if (rule->guard)
        plan_conjuncts(emitter, &plan, rule->guard);
    return plan;
}

void rule_plan_free(struct rule_plan *plan)
{
    VEC_FREE(&plan->items);
}
