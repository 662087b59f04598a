#include "ir/chain.h"

#include <math.h>

#include <string.h>

#include "ir/instance.h"

struct chain *chain_create(struct system *system, enum chain_kind kind)
{
    struct chain *chain = ARENA_NEW(system->arena, struct chain);
    chain->kind = kind;
    system->chain = chain;
    return chain;
}

void chain_destroy(struct chain *chain)
{
    if (!chain)
        return;
    for (size_t i = 0; i < chain->rationals.count; i++)
        rational_destroy(chain->rationals.items[i]);
    VEC_FREE(&chain->rationals);
}

const struct rational *chain_keep(struct chain *chain, const struct rational *factor)
{
    VEC_PUSH(&chain->rationals, rational_create(0, 1));
    rational_copy(VEC_LAST(&chain->rationals), factor);
    return VEC_LAST(&chain->rationals);
}

/* They are in the order of their rules. */
bool chain_has_rewards(const struct reward_structure *structure, bool of_transitions)
{
    for (uint32_t i = 0; i < structure->count; i++)
        if (structure->items[i].is_transition == of_transitions)
            return true;
    return false;
}

uint32_t chain_choice(const struct chain *chain, const struct rule *rule)
{
    uint32_t low = 0, high = chain->choice_count;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        *(chain->choices[middle].first_rule <= rule->id ? &low : &high) = middle;
    }
    return low;
}

uint64_t chain_way(const struct rule *rule, uint64_t instance)
{
    return rule->joint ? instance / rule->joint->outcome_ways : instance;
}

/* By more than this from 1: the sum is wrong, not rounded. */
static const double UNEVEN = 1e-6;

bool chain_is_uneven(double sum)
{
    return fabs(sum - 1) > UNEVEN;
}

static bool is_uneven_command(const struct joint_command *command, double *sum)
{
    *sum = 0;
    for (uint32_t i = 0; i < command->outcome_count; i++) {
        const struct weight *weight = command->outcomes[i].weight;
        if (weight->top || weight->bottom)
            return false;
        *sum += weight->value;
    }
    return chain_is_uneven(*sum);
}

struct uneven chain_uneven(const struct choice *choice, const struct rule *rule, uint64_t way)
{
    const struct joint *joint = rule->joint;
    struct uneven found = choice->uneven;
    for (uint32_t p = joint ? joint->part_count : 0; p-- > 0;) { /* the first parameter counts most */
        const struct joint_part *part = &joint->parts[p];
        const struct joint_command *command = &part->commands[way % part->command_count];
        double sum;
        way /= part->command_count;
        if (is_uneven_command(command, &sum))
            found = (struct uneven){part->name, command->span, sum};
    }
    return found;
}

uint32_t chain_weights(const struct rule *rule, uint64_t instance, const struct weight **weights)
{
    const struct joint *joint = rule->joint;
    if (!joint) {
        weights[0] = rule->weight;
        return 1;
    }
    int32_t *values = memory_alloc(((size_t)rule->parameter_count + 1) * sizeof *values);
    instance_values(rule, instance, values);
    for (uint32_t p = 0; p < joint->part_count; p++) {
        const struct joint_part *part = &joint->parts[p];
        int32_t command = part->command_parameter == JOINT_ALONE ? 0 : values[part->command_parameter];
        int32_t outcome = part->outcome_parameter == JOINT_ALONE ? 0 : values[part->outcome_parameter];
        weights[p] = part->commands[command].outcomes[outcome].weight;
    }
    free(values);
    return joint->part_count;
}

uint32_t chain_most_weights(const struct system *system)
{
    uint32_t most = 1;
    for (size_t i = 0; i < system->rules.count; i++)
        if (system->rules.items[i]->joint && system->rules.items[i]->joint->part_count > most)
            most = system->rules.items[i]->joint->part_count;
    return most;
}

bool chain_is_rounded(const struct rule *rule)
{
    const struct joint *joint = rule->joint;
    bool is_rounded = !joint && rule->weight && rule->weight->is_rounded;
    for (uint32_t p = 0; joint && p < joint->part_count; p++)
        for (uint32_t c = 0; c < joint->parts[p].command_count; c++)
            for (uint32_t i = 0; i < joint->parts[p].commands[c].outcome_count; i++)
                is_rounded |= joint->parts[p].commands[c].outcomes[i].weight->is_rounded;
    return is_rounded;
}

bool chain_is_same_action(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}
