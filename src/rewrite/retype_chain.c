/* What a chain has besides rules: weights, joints, rewards and quantitative properties. The copy refers to the factors
 * of the original. */
#include "ir/chain.h"
#include "ir/pctl.h"
#include "rewrite/retyping.h"

const struct weight *retype_weight(struct retyping *r, const struct weight *weight)
{
    if (!weight)
        return NULL;
    struct weight *copy = ARENA_NEW(r->new->arena, struct weight);
    *copy = *weight;
    copy->top = retype_number(r, weight->top);
    copy->bottom = retype_number(r, weight->bottom);
    return copy;
}

static struct joint_command retype_command(struct retyping *r, const struct joint_command *command)
{
    struct joint_command copy = *command;
    copy.guard = retype_expr(r, command->guard);
    copy.outcomes = ARENA_ARRAY(r->new->arena, struct joint_outcome, command->outcome_count);
    for (uint32_t i = 0; i < command->outcome_count; i++)
        copy.outcomes[i] = (struct joint_outcome){retype_weight(r, command->outcomes[i].weight),
                                                  retype_block(r, &command->outcomes[i].body)};
    return copy;
}

const struct joint *retype_joint(struct retyping *r, const struct joint *joint)
{
    if (!joint)
        return NULL;
    struct joint *copy = ARENA_NEW(r->new->arena, struct joint);
    *copy = *joint;
    copy->parts = ARENA_ARRAY(r->new->arena, struct joint_part, joint->part_count);
    for (uint32_t p = 0; p < joint->part_count; p++) {
        struct joint_part *part = &copy->parts[p];
        *part = joint->parts[p];
        part->commands = ARENA_ARRAY(r->new->arena, struct joint_command, part->command_count);
        for (uint32_t c = 0; c < part->command_count; c++)
            part->commands[c] = retype_command(r, &joint->parts[p].commands[c]);
    }
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
    new->modules = old->modules; /* of cells by number */
    new->module_count = old->module_count;
    new->order = old->order; /* of cells by number */
    new->order_count = old->order_count;
    new->reward_count = old->reward_count;
    new->rewards = ARENA_ARRAY(r->new->arena, struct reward_structure, old->reward_count);
    for (uint32_t i = 0; i < old->reward_count; i++)
        new->rewards[i] = retype_rewards(r, &old->rewards[i]);
}
