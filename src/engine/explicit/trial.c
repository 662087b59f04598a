/* Does the symmetry pay? (--representative auto)
 *
 * There are three rungs: canonical representatives, greedy ones, which cost less and are more, and none.
 *
 * At the end of the first level after TRIAL_STATES states, or after as much work as many states take: how many states
 * the last level's representatives represent on average, against what it costs to find them. Both are counts, so every
 * run decides the same. Where canonical ones do not pay the search is begun again with greedy ones. How many states
 * these represent is known at the end of the same level, from how many the canonical ones did. Where they do not pay
 * either it is begun again without symmetry: what is lost is a moment. */
#include "engine/explicit/search.h"

enum {
    TRIAL_STATES = 4096,
    TRIAL_RULE = 160,               /* what a successor costs without symmetry, in the unit of canon_work */
    TRIAL_WORK = 1000 * 1000 * 1000 /* of canon_work: few states may cost as much as many */
};

static double trial_represented(struct explicit_search *search)
{
    double sum = 0;
    for (uint32_t i = 0; i < search->worker_count; i++)
        sum += worker_represented(&search->workers[i]);
    return ranks_sum_real(search, sum);
}

static uint64_t trial_work(struct explicit_search *search)
{
    uint64_t work = keep_work(search);
    for (uint32_t i = 0; i < search->worker_count; i++)
        work += canon_work(search->workers[i].canon);
    return ranks_sum(search, work);
}

/* How much longer a successor takes with symmetry than without. */
static double trial_cost(struct explicit_search *search)
{
    uint64_t work = trial_work(search), rules = 0;
    for (uint32_t i = 0; i < search->worker_count; i++)
        rules += search->workers[i].rules_fired;
    rules = ranks_sum(search, rules);
    return rules ? 1 + (double)work / ((double)rules * TRIAL_RULE) : 1;
}

/* How many states a representative stands for, at the end of a level at which that can be said; 0: it is too early. */
static double trial_gain(struct explicit_search *search)
{
    struct trial *trial = &search->trial;
    uint64_t states = ranks_sum(search, search_count_states(search)), before = trial->states;
    trial->levels++;
    trial->states = states;
    if (trial->before)
        return trial->levels < trial->before->levels ? 0 : trial->before->represented / (double)states;
    double represented = trial_represented(search), more = represented - trial->represented;
    trial->represented = represented;
    uint64_t work = trial_work(search);
    if (states < TRIAL_STATES && work < TRIAL_WORK)
        return 0;
    return states > before ? more / (double)(states - before) : 1;
}

bool trial_is_on(const struct explicit_search *search)
{
    bool is_rung = search->options->representative == REPRESENTATIVE_AUTO || search->trial.before;
    return is_rung && !search->trial.is_over && search->workers[0].canon;
}

bool trial_goes_on(struct explicit_search *search)
{
    struct trial *trial = &search->trial;
    if (!trial_is_on(search))
        return true;
    trial->gain = trial_gain(search);
    if (trial->gain <= 0)
        return true;
    trial->is_over = true;
    trial->cost = trial_cost(search);
    trial->is_lost = trial->cost > 1.1 * trial->gain;
    return !trial->is_lost;
}
