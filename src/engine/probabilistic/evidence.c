#include "engine/probabilistic/evidence.h"

#include "numeric/inductive.h"

struct evidence {
    struct markov *markov;
    const struct pctl *formula;
    bool is_complement;
    double epsilon;
};

static bool may_have_vectors(const struct property *property)
{
    const struct pctl *formula = property->pctl;
    if (property->kind != PROPERTY_PCTL || formula->window.lower || formula->window.upper)
        return false;
    return formula->kind == PCTL_PROBABILITY ? formula->path != PCTL_NEXT && formula->path != PCTL_LINEAR
                                             : formula->kind == PCTL_REWARD && formula->goal == PCTL_REACH;
}

/* In every initial state a number has to be near, a bound to be decided. */
static bool is_enough(void *user, const struct inductive_vectors *vectors)
{
    const struct evidence *evidence = user;
    const struct pctl *formula = evidence->formula;
    bool is_enough = true;
    for (uint32_t s = 0; s < evidence->markov->initial_count && is_enough; s++) {
        double lower = vectors->lower[s], upper = vectors->upper[s];
        if (evidence->is_complement)
            pctl_complement(&lower, &upper);
        if (formula->is_query)
            is_enough = pctl_is_narrow(lower, upper, evidence->epsilon) ||
                        pctl_is_tiny(lower, upper, evidence->markov->options->epsilon_absolute);
        else {
            struct pctl_number limit = pctl_limit(formula->threshold);
            is_enough = pctl_compare_bounds(formula->op, lower, upper, limit.lower, limit.upper) != 0;
        }
    }
    return is_enough;
}

static bool may_go_on(void *user)
{
    return markov_may_go_on(((struct evidence *)user)->markov);
}

/* `live` is freed. */
static void find_vectors(struct evidence *evidence, struct inductive *problem, const struct property *property)
{
    struct markov *markov = evidence->markov;
    struct inductive_vectors vectors;
    problem->matrix = &markov->matrix;
    problem->reverse = markov_reverse(markov);
    problem->slack = markov->slack;
    problem->go_on = may_go_on;
    problem->is_enough = is_enough;
    problem->user = evidence;
    bool is_found = inductive_find(problem, &vectors) && is_enough(evidence, &vectors);
    markov->options->on_measure(markov->options->on_state_user, property, is_found ? vectors.lower : NULL,
                                vectors.upper, vectors.rank);
    inductive_free(&vectors);
}

/* Of the states of `through`, those that are not at the goal. */
static uint8_t *live_states(const struct markov *markov, const uint8_t *through, const uint8_t *goal)
{
    uint8_t *live = numbers_new_set(markov, false);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        live[s] = (!through || through[s]) && !goal[s];
    return live;
}

static void tell_probability(struct evidence *evidence, const struct property *property)
{
    struct markov *markov = evidence->markov;
    struct pctl_until until;
    if (pctl_make_until(&markov->evaluator, property->pctl, &until)) {
        uint8_t *live = live_states(markov, until.left.bytes, until.goal.bytes);
        struct inductive problem = {.extreme = markov_extreme(until.is_least), .live = live, .goal = until.goal.bytes};
        evidence->is_complement = until.is_complement;
        find_vectors(evidence, &problem, property);
        free(live);
    }
    pctl_until_free(&markov->evaluator, &until);
}

static void tell_reward(struct evidence *evidence, const struct property *property)
{
    struct markov *markov = evidence->markov;
    uint8_t *goal = NULL;
    if (!markov_evaluate_set(markov, property->pctl->right, &goal))
        return;
    struct markov_earnings earnings = earnings_by_row(markov, property->pctl->reward);
    uint8_t *live = live_states(markov, NULL, goal);
    struct inductive problem = {.extreme = markov_extreme(pctl_is_least(property->pctl)),
                                .row_reward = earnings.near,
                                .live = live,
                                .goal = goal};
    find_vectors(evidence, &problem, property);
    earnings_free(&earnings);
    free(live);
    free(goal);
}

static void tell_states(struct markov *markov)
{
    const struct engine_options *options = markov->options;
    uint64_t *packed = memory_zeroed(markov->layout->words, sizeof *packed);
    options->on_search(options->on_state_user, markov->layout, markov->symmetry);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        layout_pack(markov->layout, markov_cells(markov, s), packed);
        options->on_state(options->on_state_user, packed);
    }
    free(packed);
}

void evidence_tell(struct markov *markov)
{
    const struct system *system = markov->layout->system;
    if (!markov->options->on_measure || markov->canon)
        return;
    tell_states(markov);
    for (size_t p = 0; p < system->properties.count && markov_may_go_on(markov); p++) {
        const struct property *property = system->properties.items[p];
        struct evidence evidence = {.markov = markov, .formula = property->pctl, .epsilon = markov->options->epsilon};
        evidence.epsilon = evidence.epsilon > 0 ? evidence.epsilon : MARKOV_EPSILON;
        if (!may_have_vectors(property))
            continue;
        (property->pctl->kind == PCTL_REWARD ? tell_reward : tell_probability)(&evidence, property);
    }
}
