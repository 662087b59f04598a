#include "consensus.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

struct consensus consensus_create(const struct system *system)
{
    struct consensus consensus = {.count = system->properties.count};
    consensus.opinions = memory_zeroed(consensus.count + 1, sizeof *consensus.opinions);
    return consensus;
}

void consensus_free(struct consensus *consensus)
{
    for (size_t i = 0; i < consensus->count; i++)
        free(consensus->opinions[i].exact);
    free(consensus->opinions);
}

static bool compare_exact(struct opinion *opinion, const struct property_result *answer, struct failure *failure)
{
    const char *exact = answer->quantity.exact;
    if (!exact)
        return true;
    if (!opinion->exact)
        opinion->exact = memory_string(exact);
    return !strcmp(opinion->exact, exact) || failure_set(failure, "\"%s\": the exact value is %s, and %s in run %u",
                                                         answer->property->name, exact, opinion->exact, opinion->by);
}

static bool compare_intervals(struct opinion *opinion, const struct property_result *answer, struct failure *failure)
{
    if (!answer->has_value || answer->is_range || isnan(answer->lower) || isnan(answer->upper))
        return true;
    if (!opinion->has_value) {
        opinion->has_value = true;
        opinion->lower = answer->lower;
        opinion->upper = answer->upper;
    }
    if (answer->lower > opinion->upper || answer->upper < opinion->lower)
        return failure_set(failure, "\"%s\": between %.17g and %.17g, other runs say between %.17g and %.17g",
                           answer->property->name, answer->lower, answer->upper, opinion->lower, opinion->upper);
    opinion->lower = fmax(opinion->lower, answer->lower);
    opinion->upper = fmin(opinion->upper, answer->upper);
    return true;
}

static bool compare_answer(struct opinion *opinion, uint32_t number, const struct property_result *answer,
                           struct failure *failure)
{
    if (answer->reason && strstr(answer->reason, "internal error"))
        return failure_set(failure, "\"%s\": an internal error: %s", answer->property->name, answer->reason);
    if (answer->verdict == VERDICT_UNKNOWN)
        return true;
    if (!opinion->is_set)
        *opinion = (struct opinion){.is_set = true, .verdict = answer->verdict, .by = number};
    if (opinion->verdict != answer->verdict)
        return failure_set(failure, "%s \"%s\": verdict %d, and %d in run %u",
                           property_kind_name(answer->property->kind), answer->property->name, answer->verdict,
                           opinion->verdict, opinion->by);
    return compare_exact(opinion, answer, failure) && compare_intervals(opinion, answer, failure);
}

/* Without symmetry the probabilistic engine stores the states that there are. (Plain exploration also follows outcomes
 * of probability 0.) */
static bool compare_states(struct consensus *consensus, const struct plain *plain, const struct drawn *drawn,
                           const struct result *result, struct failure *failure)
{
    const struct statistics *statistics = &result->statistics;
    bool is_plain = drawn->engine == ENGINE_PROBABILISTIC && drawn->symmetry == SYMMETRY_OFF && result->is_complete;
    if (!is_plain || !system_has_probabilities(plain->system))
        return true;
    if (!consensus->states)
        consensus->states = statistics->states;
    return (consensus->states == statistics->states && statistics->states <= plain_count(plain)) ||
           failure_set(failure, "%llu states, other runs %llu, plain exploration %u",
                       (unsigned long long)statistics->states, (unsigned long long)consensus->states,
                       plain_count(plain));
}

bool consensus_add(struct consensus *consensus, struct plain *plain, const struct drawn *drawn, uint32_t number,
                   const struct result *result, struct failure *failure)
{
    for (size_t i = 0; i < consensus->count; i++) {
        const struct property *property = plain->system->properties.items[i];
        bool is_plain = plain_can_decide(plain, property) && !(property->ltl && drawn->options.drops_finite);
        if (is_plain || !result->checked[i])
            continue;
        if (!compare_answer(&consensus->opinions[i], number, &result->properties[i], failure))
            return false;
    }
    return compare_states(consensus, plain, drawn, result, failure);
}
