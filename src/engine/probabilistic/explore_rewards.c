/* The rewards of the states and rows, as they are found. A structure without rewards of states, or of choices, has no
 * numbers for these. */
#include <float.h>

#include "engine/probabilistic/exploration.h"

static bool is_for(const struct reward *reward, const struct choice *choice)
{
    return choice ? reward->is_transition && chain_is_same_action(reward->action, choice->action)
                  : !reward->is_transition;
}

/* What a structure gives for taking a choice in the state (or, NULL, for being in it). */
static bool add_rewards(struct exploration *exploration, const struct reward_structure *structure,
                        const struct choice *choice, double *sum)
{
    struct markov *markov = exploration->markov;
    for (uint32_t i = 0; i < structure->count; i++) {
        const struct reward *item = &structure->items[i];
        bool is_wanted;
        double value;
        if (!is_for(item, choice))
            continue;
        if (!markov_truth(markov, item->guard, exploration->source, &is_wanted))
            return false;
        if (!is_wanted)
            continue;
        if (!markov_number(markov, item->value, exploration->source, &value))
            return false;
        if (value < 0)
            return exploration_fail(exploration, FAULT_REWARD, value, structure->span);
        exploration_note_number(exploration, item->value, value);
        *sum += value;
    }
    return true;
}

void rewards_begin(struct exploration *exploration)
{
    const struct chain *chain = exploration->markov->chain;
    size_t structures = (size_t)chain->reward_count + 1;
    exploration->state_rewards = memory_zeroed(structures, sizeof *exploration->state_rewards);
    exploration->row_rewards = memory_zeroed(structures, sizeof *exploration->row_rewards);
    exploration->earns = memory_zeroed(structures * (chain->choice_count + 1), sizeof *exploration->earns);
    for (uint32_t i = 0; i < chain->reward_count; i++) {
        exploration->state_rewards[i].is_wanted = chain_has_rewards(&chain->rewards[i], false);
        exploration->row_rewards[i].is_wanted = chain_has_rewards(&chain->rewards[i], true);
        for (uint32_t k = 0; k < chain->rewards[i].count; k++)
            for (uint32_t c = 0; c < chain->choice_count; c++)
                exploration->earns[(size_t)i * chain->choice_count + c] |=
                    is_for(&chain->rewards[i].items[k], &chain->choices[c]);
    }
}

void rewards_end(struct exploration *exploration)
{
    struct markov *markov = exploration->markov;
    for (uint32_t i = 0; i < markov->chain->reward_count; i++) {
        markov->state_reward[i] = exploration->state_rewards[i].items;
        markov->row_reward[i] = exploration->row_rewards[i].items;
    }
    free(exploration->state_rewards);
    free(exploration->row_rewards);
    free(exploration->earns);
}

bool rewards_of_state(struct exploration *exploration)
{
    const struct chain *chain = exploration->markov->chain;
    for (uint32_t i = 0; i < chain->reward_count; i++) {
        double sum = 0;
        if (!exploration->state_rewards[i].is_wanted)
            continue;
        if (!add_rewards(exploration, &chain->rewards[i], NULL, &sum))
            return false;
        VEC_PUSH(&exploration->state_rewards[i], sum);
    }
    return true;
}

static bool add_row(struct exploration *exploration, uint32_t structure, size_t from, size_t to, double total)
{
    struct markov *markov = exploration->markov;
    const struct chain *chain = markov->chain;
    double sum = 0;
    for (size_t k = from; k < to;) {
        double share, reward = 0;
        uint32_t choice = exploration->outcomes.items[k].choice;
        k = exploration_end_of_choice(exploration, k, &share);
        if (!exploration->earns[(size_t)structure * chain->choice_count + choice])
            continue;
        if (!add_rewards(exploration, &chain->rewards[structure], &chain->choices[choice], &reward))
            return false;
        markov->is_divided |= reward > 0 && share != total;
        if (reward > 0 && !(reward * share / total >= DBL_MIN) && !markov->options->is_exact)
            return pctl_fail(&markov->evaluator, "a reward is too small for doubles (--exact takes it as it is)");
        sum += reward * share / total;
    }
    VEC_PUSH(&exploration->row_rewards[structure], sum);
    return true;
}

bool rewards_of_row(struct exploration *exploration, size_t from, size_t to, double total)
{
    const struct chain *chain = exploration->markov->chain;
    for (uint32_t i = 0; i < chain->reward_count; i++)
        if (exploration->row_rewards[i].is_wanted && !add_row(exploration, i, from, to, total))
            return false;
    return true;
}
