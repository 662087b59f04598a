/* What a chain has besides rules: rewards and quantitative properties. The copy refers to the factors of the original. */
#include "ir/chain.h"
#include "ir/pctl.h"
#include "ir/retyping.h"

const struct weight *retype_weight(struct retyping *r, const struct weight *weight)
{
    if (!weight)
        return NULL;
    struct weight *copy = ARENA_NEW(r->new->arena, struct weight);
    *copy = *weight;
    copy->top = retype_expr(r, weight->top);
    copy->bottom = retype_expr(r, weight->bottom);
    return copy;
}

static struct pctl *retype_formula(struct retyping *r, const struct pctl *pctl)
{
    if (!pctl)
        return NULL;
    struct pctl *copy = ARENA_NEW(r->new->arena, struct pctl);
    *copy = *pctl;
    if (pctl->proposition)
        copy->proposition = r->new->propositions.items[pctl->proposition->id];
    copy->number = retype_weight(r, pctl->number);
    copy->threshold = retype_weight(r, pctl->threshold);
    copy->window.lower = retype_weight(r, pctl->window.lower);
    copy->window.upper = retype_weight(r, pctl->window.upper);
    copy->left = retype_formula(r, pctl->left);
    copy->right = retype_formula(r, pctl->right);
    copy->condition_formula = retype_formula(r, pctl->condition_formula);
    return copy;
}

const struct pctl *retype_pctl(struct retyping *r, const struct pctl *pctl)
{
    return retype_formula(r, pctl);
}

static struct reward_structure retype_rewards(struct retyping *r, const struct reward_structure *structure)
{
    struct reward_structure copy = *structure;
    copy.items = ARENA_ARRAY(r->new->arena, struct reward, structure->count);
    for (uint32_t i = 0; i < structure->count; i++) {
        copy.items[i] = structure->items[i];
        copy.items[i].guard = r->new->propositions.items[structure->items[i].guard->id];
        copy.items[i].value = retype_weight(r, structure->items[i].value);
    }
    return copy;
}

void retype_chain(struct retyping *r)
{
    const struct chain *old = r->old->chain;
    if (!old)
        return;
    struct chain *new = chain_create(r->new, old->kind);
    new->choices = old->choices; /* they speak of rules by number */
    new->choice_count = old->choice_count;
    new->reward_count = old->reward_count;
    new->rewards = ARENA_ARRAY(r->new->arena, struct reward_structure, old->reward_count);
    for (uint32_t i = 0; i < old->reward_count; i++)
        new->rewards[i] = retype_rewards(r, &old->rewards[i]);
}
