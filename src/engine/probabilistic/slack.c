/* How far the numbers of the matrix may be from those of the model. */
#include <math.h>

#include "engine/probabilistic/markov.h"

/* So many numbers that are short (markov_is_short) have an exact sum. */
enum { MOST_EXACT_SUMMANDS = 8 };

static bool is_short_constant(struct markov *markov, const struct weight *weight)
{
    return weight->top || weight->bottom || markov_is_short(markov, weight, NULL, weight->value);
}

/* Are all products of weights of a joint short, too? */
static bool is_short_joint(struct markov *markov, const struct joint *joint)
{
    double most = 1;
    int digits = 0; /* behind the point */
    for (uint32_t p = 0; p < joint->part_count; p++) {
        double own = 1;
        int own_digits = 0;
        for (uint32_t c = 0; c < joint->parts[p].command_count; c++)
            for (uint32_t i = 0; i < joint->parts[p].commands[c].outcome_count; i++) {
                const struct weight *weight = joint->parts[p].commands[c].outcomes[i].weight;
                if (weight->top || weight->bottom || !markov_is_short(markov, weight, NULL, weight->value))
                    return false;
                own = fmax(own, fabs(weight->value));
                while (rint(ldexp(weight->value, own_digits)) != ldexp(weight->value, own_digits))
                    own_digits++;
            }
        most *= own;
        digits += own_digits;
    }
    return most <= 0x1p10 && digits <= 40;
}

/* Every number is within half a unit in the last place of the model's, and so is every sum, product and quotient. What
 * a logarithm or a root is near to, a few units more. */
double markov_find_slack(struct markov *markov)
{
    const struct system *system = markov->layout->system;
    bool is_rounded = false, is_exact = !markov->is_divided;
    size_t most = markov->most_outcomes, factors = 0;
    for (size_t i = 0; i < system->rules.count; i++) {
        const struct rule *rule = system->rules.items[i];
        is_rounded |= chain_is_rounded(rule);
        is_exact =
            is_exact && (rule->joint ? is_short_joint(markov, rule->joint) : is_short_constant(markov, rule->weight));
        factors = rule->joint && rule->joint->part_count > factors ? rule->joint->part_count : factors;
    }
    for (uint32_t i = 0; i < markov->chain->reward_count; i++) {
        const struct reward_structure *structure = &markov->chain->rewards[i];
        most = structure->count > most ? structure->count : most;
        is_exact = is_exact && structure->count <= MOST_EXACT_SUMMANDS;
        for (uint32_t k = 0; k < structure->count; k++) {
            is_rounded |= structure->items[k].value->is_rounded;
            is_exact = is_exact && is_short_constant(markov, structure->items[k].value);
        }
    }
    return is_exact
               ? 0
               : (8 + 2 * (double)most + (is_rounded ? 36 : 4) * (double)factors + (is_rounded ? 32 : 0)) * 0x1p-53;
}
