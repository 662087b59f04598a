#include "ir/walk.h"

#include "base/words.h"
#include "ir/chain.h"
#include "ir/fairness.h"
#include "ir/pctl.h"

enum { WALK_MOST_NODES = 1 << 22 };

struct ir_walk {
    const struct walker *walker;
    struct pairs seen; /* expressions that stand in several places, by number */
};

static void go_place(struct ir_walk *walk, const struct place *place, bool is_written);
static void go_expr(struct ir_walk *walk, const struct expr *expr);
static void go_block(struct ir_walk *walk, const struct block *block);

static bool walk_was_here(struct ir_walk *walk, const struct expr *expr)
{
    if (!expr->shared)
        return false;
    bool was_here = pairs_get(&walk->seen, expr->shared) != WORDS_NONE;
    if (!was_here)
        pairs_set(&walk->seen, expr->shared, 1);
    return was_here;
}

static void go_domain(struct ir_walk *walk, const struct domain *domain)
{
    if (domain->from)
        go_expr(walk, domain->from);
    if (domain->to)
        go_expr(walk, domain->to);
    if (domain->by)
        go_expr(walk, domain->by);
}

static void go_arguments(struct ir_walk *walk, const struct expr *call)
{
    const struct function *function = call->function;
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        if (call->arguments[p].value)
            go_expr(walk, call->arguments[p].value);
        if (call->arguments[p].place)
            go_place(walk, call->arguments[p].place, function->parameters[p]->is_reference);
    }
}

static void go_place(struct ir_walk *walk, const struct place *place, bool is_written)
{
    if (walk->walker->on_place && !walk->walker->on_place(walk->walker->user, place, is_written))
        return;
    if (place->base)
        go_place(walk, place->base, is_written);
    if (place->index)
        go_expr(walk, place->index);
    if (place->call)
        go_expr(walk, place->call);
}

static void go_expr(struct ir_walk *walk, const struct expr *expr)
{
    if (walk_was_here(walk, expr) || (walk->walker->on_expr && !walk->walker->on_expr(walk->walker->user, expr)))
        return;
    if (expr->place)
        go_place(walk, expr->place, false);
    if (expr->other)
        go_place(walk, expr->other, false);
    if (expr->condition)
        go_expr(walk, expr->condition);
    go_domain(walk, &expr->domain);
    if (expr->left)
        go_expr(walk, expr->left);
    if (expr->right)
        go_expr(walk, expr->right);
    if (expr->kind == EXPR_CALL)
        go_arguments(walk, expr);
}

static void go_stmt(struct ir_walk *walk, const struct stmt *stmt)
{
    if (walk->walker->on_stmt && !walk->walker->on_stmt(walk->walker->user, stmt))
        return;
    if (stmt->value)
        go_expr(walk, stmt->value);
    if (stmt->source)
        go_place(walk, stmt->source, false);
    if (stmt->place)
        go_place(walk, stmt->place, stmt->kind != STMT_BIND);
    go_domain(walk, &stmt->domain);
    go_block(walk, &stmt->body);
    go_block(walk, &stmt->otherwise);
}

static void go_block(struct ir_walk *walk, const struct block *block)
{
    for (uint32_t s = 0; s < block->count; s++)
        go_stmt(walk, block->items[s]);
}

static void go_weight(struct ir_walk *walk, const struct weight *weight)
{
    if (weight && weight->top)
        go_expr(walk, weight->top);
    if (weight && weight->bottom)
        go_expr(walk, weight->bottom);
}

/* What the commands of a joint do is in the guard and body of its rule. */
static void go_joint(struct ir_walk *walk, const struct joint *joint)
{
    for (uint32_t p = 0; p < joint->part_count; p++)
        for (uint32_t c = 0; c < joint->parts[p].command_count; c++)
            for (uint32_t i = 0; i < joint->parts[p].commands[c].outcome_count; i++)
                go_weight(walk, joint->parts[p].commands[c].outcomes[i].weight);
}

static void go_rule(struct ir_walk *walk, const struct rule *rule)
{
    if (rule->joint)
        go_joint(walk, rule->joint);
    go_block(walk, &rule->prelude);
    if (rule->guard)
        go_expr(walk, rule->guard);
    go_weight(walk, rule->weight);
    go_block(walk, &rule->body);
}

static void go_ctl(struct ir_walk *walk, const struct ctl *ctl)
{
    if (ctl->proposition)
        go_expr(walk, ctl->proposition->formula);
    if (ctl->left)
        go_ctl(walk, ctl->left);
    if (ctl->right)
        go_ctl(walk, ctl->right);
}

static void go_pctl(struct ir_walk *walk, const struct pctl *pctl)
{
    if (!pctl)
        return;
    if (pctl->proposition)
        go_expr(walk, pctl->proposition->formula);
    go_weight(walk, pctl->number);
    go_weight(walk, pctl->threshold);
    go_weight(walk, pctl->window.lower);
    go_weight(walk, pctl->window.upper);
    go_pctl(walk, pctl->condition_formula);
    go_pctl(walk, pctl->left);
    go_pctl(walk, pctl->right);
}

static void go_rewards(struct ir_walk *walk, const struct system *system)
{
    for (uint32_t i = 0; system->chain && i < system->chain->reward_count; i++)
        for (uint32_t k = 0; k < system->chain->rewards[i].count; k++) {
            const struct reward *item = &system->chain->rewards[i].items[k];
            go_expr(walk, item->guard->formula);
            go_weight(walk, item->value);
        }
}

static void go_fairness(struct ir_walk *walk, const struct fairness *fairness)
{
    if (fairness->when)
        go_expr(walk, fairness->when->formula);
    if (fairness->then)
        go_expr(walk, fairness->then->formula);
}

static void go_property(struct ir_walk *walk, const struct property *property)
{
    if (property->formula)
        go_expr(walk, property->formula);
    if (property->ctl)
        go_ctl(walk, property->ctl);
    if (property->ltl)
        go_ctl(walk, property->ltl);
    if (property->fairness)
        go_fairness(walk, property->fairness);
    go_pctl(walk, property->pctl);
}

void walk_block(const struct walker *walker, const struct block *block)
{
    struct ir_walk walk = {.walker = walker};
    go_block(&walk, block);
    pairs_free(&walk.seen);
}

void walk_stmt(const struct walker *walker, const struct stmt *stmt)
{
    struct ir_walk walk = {.walker = walker};
    go_stmt(&walk, stmt);
    pairs_free(&walk.seen);
}

void walk_expr(const struct walker *walker, const struct expr *expr)
{
    struct ir_walk walk = {.walker = walker};
    go_expr(&walk, expr);
    pairs_free(&walk.seen);
}

void walk_place(const struct walker *walker, const struct place *place, bool is_written)
{
    struct ir_walk walk = {.walker = walker};
    go_place(&walk, place, is_written);
    pairs_free(&walk.seen);
}

void walk_property(const struct walker *walker, const struct property *property)
{
    struct ir_walk walk = {.walker = walker};
    go_property(&walk, property);
    pairs_free(&walk.seen);
}

void walk_rule(const struct walker *walker, const struct rule *rule)
{
    struct ir_walk walk = {.walker = walker};
    go_rule(&walk, rule);
    pairs_free(&walk.seen);
}

void walk_rewards(const struct walker *walker, const struct system *system)
{
    struct ir_walk walk = {.walker = walker};
    go_rewards(&walk, system);
    pairs_free(&walk.seen);
}

void walk_starts(const struct walker *walker, const struct system *system)
{
    for (size_t r = 0; r < system->starts.count; r++)
        walk_rule(walker, system->starts.items[r]);
}

static void walk_functions(const struct walker *walker, const struct system *system)
{
    for (size_t f = 0; f < system->functions.count; f++)
        walk_block(walker, &system->functions.items[f]->body);
}

static void walk_rules(const struct walker *walker, const struct system *system)
{
    for (size_t r = 0; r < system->rules.count; r++)
        walk_rule(walker, system->rules.items[r]);
}

static void walk_properties(const struct walker *walker, const struct system *system)
{
    for (size_t p = 0; p < system->properties.count; p++)
        walk_property(walker, system->properties.items[p]);
    walk_rewards(walker, system);
}

void walk_steps(const struct walker *walker, const struct system *system)
{
    walk_rules(walker, system);
    walk_starts(walker, system);
    walk_functions(walker, system);
}

void walk_system(const struct walker *walker, const struct system *system)
{
    walk_steps(walker, system);
    walk_properties(walker, system);
}

void walk_all_but_starts(const struct walker *walker, const struct system *system)
{
    walk_rules(walker, system);
    walk_functions(walker, system);
    walk_properties(walker, system);
}

static bool size_on_expr(void *user, const struct expr *expr)
{
    *(uint64_t *)user += expr->size;
    return false;
}

bool walk_is_overgrown(const struct system *system)
{
    uint64_t size = 0;
    if (!system->shared_count)
        return false;
    struct walker walker = {.on_expr = size_on_expr, .user = &size};
    walk_system(&walker, system);
    return size > WALK_MOST_NODES;
}
