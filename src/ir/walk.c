#include "ir/walk.h"

#include "ir/chain.h"
#include "ir/pctl.h"

static void walk_domain(const struct walker *walker, const struct domain *domain)
{
    if (domain->from)
        walk_expr(walker, domain->from);
    if (domain->to)
        walk_expr(walker, domain->to);
    if (domain->by)
        walk_expr(walker, domain->by);
}

static void walk_arguments(const struct walker *walker, const struct expr *call)
{
    const struct function *function = call->function;
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        if (call->arguments[p].value)
            walk_expr(walker, call->arguments[p].value);
        if (call->arguments[p].place)
            walk_place(walker, call->arguments[p].place, function->parameters[p]->is_reference);
    }
}

void walk_place(const struct walker *walker, const struct place *place, bool is_written)
{
    if (walker->on_place && !walker->on_place(walker->user, place, is_written))
        return;
    if (place->base)
        walk_place(walker, place->base, is_written);
    if (place->index)
        walk_expr(walker, place->index);
    if (place->call)
        walk_expr(walker, place->call);
}

void walk_expr(const struct walker *walker, const struct expr *expr)
{
    if (walker->on_expr && !walker->on_expr(walker->user, expr))
        return;
    if (expr->place)
        walk_place(walker, expr->place, false);
    if (expr->other)
        walk_place(walker, expr->other, false);
    if (expr->condition)
        walk_expr(walker, expr->condition);
    walk_domain(walker, &expr->domain);
    if (expr->left)
        walk_expr(walker, expr->left);
    if (expr->right)
        walk_expr(walker, expr->right);
    if (expr->kind == EXPR_CALL)
        walk_arguments(walker, expr);
}

void walk_stmt(const struct walker *walker, const struct stmt *stmt)
{
    if (walker->on_stmt && !walker->on_stmt(walker->user, stmt))
        return;
    if (stmt->value)
        walk_expr(walker, stmt->value);
    if (stmt->source)
        walk_place(walker, stmt->source, false);
    if (stmt->place)
        walk_place(walker, stmt->place, stmt->kind != STMT_BIND);
    walk_domain(walker, &stmt->domain);
    walk_block(walker, &stmt->body);
    walk_block(walker, &stmt->otherwise);
}

void walk_block(const struct walker *walker, const struct block *block)
{
    for (uint32_t s = 0; s < block->count; s++)
        walk_stmt(walker, block->items[s]);
}

static void walk_weight(const struct walker *walker, const struct weight *weight)
{
    if (weight && weight->top)
        walk_expr(walker, weight->top);
    if (weight && weight->bottom)
        walk_expr(walker, weight->bottom);
}

/* What the commands of a joint do is in the guard and body of its rule. */
static void walk_joint(const struct walker *walker, const struct joint *joint)
{
    for (uint32_t p = 0; p < joint->part_count; p++)
        for (uint32_t c = 0; c < joint->parts[p].command_count; c++)
            for (uint32_t i = 0; i < joint->parts[p].commands[c].outcome_count; i++)
                walk_weight(walker, joint->parts[p].commands[c].outcomes[i].weight);
}

void walk_rule(const struct walker *walker, const struct rule *rule)
{
    if (rule->joint)
        walk_joint(walker, rule->joint);
    walk_block(walker, &rule->prelude);
    if (rule->guard)
        walk_expr(walker, rule->guard);
    for (uint32_t b = 0; b < rule->branch_count; b++) {
        walk_weight(walker, rule->branches[b].weight);
        walk_block(walker, &rule->branches[b].body);
    }
}

static void walk_ctl(const struct walker *walker, const struct ctl *ctl)
{
    if (ctl->proposition)
        walk_expr(walker, ctl->proposition->formula);
    if (ctl->left)
        walk_ctl(walker, ctl->left);
    if (ctl->right)
        walk_ctl(walker, ctl->right);
}

static void walk_pctl(const struct walker *walker, const struct pctl *pctl)
{
    if (!pctl)
        return;
    if (pctl->proposition)
        walk_expr(walker, pctl->proposition->formula);
    walk_weight(walker, pctl->number);
    walk_weight(walker, pctl->threshold);
    walk_weight(walker, pctl->window.lower);
    walk_weight(walker, pctl->window.upper);
    walk_pctl(walker, pctl->condition_formula);
    walk_pctl(walker, pctl->left);
    walk_pctl(walker, pctl->right);
}

void walk_rewards(const struct walker *walker, const struct system *system)
{
    for (uint32_t i = 0; system->chain && i < system->chain->reward_count; i++)
        for (uint32_t k = 0; k < system->chain->rewards[i].count; k++) {
            const struct reward *item = &system->chain->rewards[i].items[k];
            walk_expr(walker, item->guard->formula);
            walk_weight(walker, item->value);
        }
}

void walk_property(const struct walker *walker, const struct property *property)
{
    if (property->formula)
        walk_expr(walker, property->formula);
    if (property->ctl)
        walk_ctl(walker, property->ctl);
    walk_pctl(walker, property->pctl);
}
