/* Does the symmetry pay? (--representative auto)
 *
 * At the end of the first level after TRIAL_STATES states: how many states the last level's representatives stand for on average, against
 * what it costs to find representatives. Both are counts, so every run decides alike. A search that does not pay is begun again without
 * symmetry: what is lost is a moment. */
#include "engine/explicit/search.h"

enum {
    TRIAL_STATES = 4096,
    TRIAL_RULE = 160 /* what a successor costs without symmetry, in the unit of canon_work */
};

static double trial_represented(const struct search *search)
{
    double sum = 0;
    for (uint32_t i = 0; i < search->worker_count; i++)
        sum += bigint_to_double(search->workers[i].represented) + (double)search->workers[i].represented_small;
    return sum;
}

/* How much longer a successor takes with symmetry than without. */
static double trial_cost(const struct search *search)
{
    uint64_t work = 0, rules = 0;
    for (uint32_t i = 0; i < search->worker_count; i++) {
        work += canon_work(search->workers[i].canon);
        rules += search->workers[i].rules_fired;
    }
    return rules ? 1 + (double)work / ((double)rules * TRIAL_RULE) : 1;
}

bool trial_goes_on(struct search *search)
{
    struct trial *trial = &search->trial;
    if (trial->is_over || search->options->representative != REPRESENTATIVE_AUTO || !search->workers[0].canon)
        return true;
    uint64_t states = search_count_states(search);
    double represented = trial_represented(search);
    double gain = states > trial->states ? (represented - trial->represented) / (double)(states - trial->states) : 1;
    trial->states = states;
    trial->represented = represented;
    if (states < TRIAL_STATES)
        return true;
    trial->is_over = true;
    trial->gain = gain;
    trial->cost = trial_cost(search);
    trial->is_lost = trial->cost > 1.1 * gain;
    return !trial->is_lost;
}
