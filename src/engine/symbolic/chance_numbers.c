#include "engine/symbolic/chance_numbers.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"

static const double DEFAULT_EPSILON = 1e-6;
enum { MOST_PAIRS = 4096 }; /* the recursions of dd/blocks.h have no stack of their own */

/* --- bounds --- */

void chance_bounds_begin(struct chance_bounds *bounds)
{
    *bounds = (struct chance_bounds){INFINITY, INFINITY, -INFINITY, -INFINITY, 0};
}

void chance_bounds_add(struct chance_bounds *bounds, double lower, double upper, bool is_complement)
{
    if (is_complement)
        pctl_complement(&lower, &upper);
    double gap = lower == upper ? 0 : isinf(upper) ? INFINITY : (upper - lower) / fabs(upper);
    bounds->least_lower = fmin(bounds->least_lower, lower);
    bounds->least_upper = fmin(bounds->least_upper, upper);
    bounds->greatest_lower = fmax(bounds->greatest_lower, lower);
    bounds->greatest_upper = fmax(bounds->greatest_upper, upper);
    bounds->gap = fmax(bounds->gap, gap);
}

bool chance_bounds_are_near(const struct chance_bounds *bounds, const struct chance_problem *problem)
{
    switch (problem->watch) {
    case WATCH_LEAST:
        return pctl_is_narrow(bounds->least_lower, bounds->least_upper, problem->epsilon) ||
               pctl_is_tiny(bounds->least_lower, bounds->least_upper, problem->absolute);
    case WATCH_GREATEST:
        return pctl_is_narrow(bounds->greatest_lower, bounds->greatest_upper, problem->epsilon) ||
               pctl_is_tiny(bounds->greatest_lower, bounds->greatest_upper, problem->absolute);
    default:
        return bounds->gap <= problem->epsilon;
    }
}

void chance_known_bounds(struct chance *chance, const struct chance_problem *problem, struct chance_bounds *bounds)
{
    struct dd_manager *m = chance->model.m;
    chance_bounds_begin(bounds);
    if (dd_is_disjoint(m, problem->watched, problem->one) != DD_TRUE)
        chance_bounds_add(bounds, 1, 1, problem->is_complement);
    if (dd_is_subset(m, problem->watched, dd_or(m, problem->one, problem->unknown)) != DD_TRUE)
        chance_bounds_add(bounds, 0, 0, problem->is_complement);
}

void chance_tell(struct chance *chance, uint64_t sweeps, const struct chance_bounds *bounds)
{
    const struct engine_options *options = chance->model.options;
    if (!options->progress)
        return;
    struct dd_statistics statistics = dd_statistics(chance->model.m);
    struct progress_sample sample = {.nodes = statistics.nodes,
                                     .bytes = statistics.bytes,
                                     .seconds = clock_wall() - chance->model.begin,
                                     .iterations = sweeps,
                                     .lower = bounds->least_lower,
                                     .upper = bounds->greatest_upper};
    options->progress(options->progress_user, &sample);
}

/* --- the rows --- */

/* Where it leads to another state at all: waiting never helps to reach anything. */
static dd without_loops(struct chance *chance, const struct chance_choice *choice, dd rows)
{
    struct dd_manager *m = chance->model.m;
    dd keep[2] = {rows, DD_FALSE};
    dd_register(m, keep, 2);
    for (uint32_t i = 0; i < choice->count; i++)
        keep[1] = dd_or(m, keep[1], chance->outcomes.items[choice->first + i].alters);
    dd_unregister(m, keep);
    return dd_and(m, keep[0], keep[1]);
}

static bool find_rows(struct chance *chance, struct chance_problem *problem)
{
    struct dd_manager *m = chance->model.m;
    bool is_greatest = chance_has_choice(chance) && !problem->is_least && !problem->is_bounded && !problem->is_reward;
    bool is_cheapest = chance_has_choice(chance) && problem->is_least && !problem->is_bounded && problem->is_reward;
    if (is_cheapest && !chance_find_safe(chance, problem->inside, problem->rows))
        return false;
    for (size_t c = 0; c < chance->choices.count; c++) {
        const struct chance_choice *choice = &chance->choices.items[c];
        problem->rows[c] = dd_and(m, is_cheapest ? problem->rows[c] : choice->enabled, problem->unknown);
        if (is_greatest)
            problem->rows[c] = without_loops(chance, choice, problem->rows[c]);
        if (problem->rows[c] == DD_NONE)
            return chance_keep(chance, DD_NONE) != DD_NONE;
    }
    return true;
}

/* --- vectors --- */

/* Arrays, if they fit: two bounds, the next one, and what the operator and a guess need. */
static bool fits(const struct chance *chance, const struct dd_index *index)
{
    uint64_t memory = chance->model.options->limits.memory_bytes, arrays = 6 * sizeof(double) * dd_index_size(index);
    return !memory || arrays + dd_statistics(chance->model.m).bytes < memory / 8 * 7;
}

static bool enclose(struct chance *chance, struct chance_problem *problem, struct chance_numbers *numbers)
{
    struct encoding *encoding = chance->model.encoding;
    enum vectors vectors = chance->model.options->vectors;
    if (encoding->pair_count <= MOST_PAIRS && vectors != VECTORS_DIAGRAMS)
        numbers->index = dd_index_create(chance->model.m, problem->unknown, encoding->pair_count);
    if (numbers->index && fits(chance, numbers->index))
        return chance_enclose(chance, problem, numbers);
    dd_index_destroy(numbers->index);
    numbers->index = NULL;
    if (vectors == VECTORS_ARRAYS)
        return pctl_fail(&chance->evaluator,
                         "arrays of a number for each state do not fit into memory (--vectors diagrams, --memory)");
    return chance_enclose_leaves(chance, problem, numbers);
}

/* What the watched states do not lead to does not matter. */
static bool leave_out(struct chance *chance, struct chance_problem *problem)
{
    if (dd_is_subset(chance->model.m, problem->unknown, problem->watched) == DD_TRUE)
        return true;
    problem->unknown = chance_ahead(chance, problem->watched, problem->unknown);
    return problem->unknown != DD_NONE;
}

bool chance_solve(struct chance *chance, struct chance_problem *problem, struct chance_numbers *numbers)
{
    struct dd_manager *m = chance->model.m;
    *numbers = (struct chance_numbers){0};
    if (!leave_out(chance, problem))
        return false;
    double asked = chance->model.options->epsilon;
    *numbers = (struct chance_numbers){.unknown = dd_ref(m, problem->unknown),
                                       .one = dd_ref(m, problem->one),
                                       .is_complement = problem->is_complement};
    problem->epsilon = asked > 0 ? asked : DEFAULT_EPSILON;
    problem->absolute = chance->model.options->epsilon_absolute;
    problem->rows = memory_zeroed(chance->choices.count + 1, sizeof *problem->rows);
    dd_register(m, problem->rows, chance->choices.count);
    bool is_done = chance_find_moves(chance) && find_rows(chance, problem);
    bool is_free = chance_has_choice(chance) && !problem->is_least && !problem->is_bounded && !problem->is_reward;
    if (is_done && is_free) {
        dd stays = chance_can_stay(chance, problem->unknown, problem->rows);
        is_done = stays != DD_NONE;
        problem->may_go_round = stays != DD_FALSE;
    }
    is_done = is_done && enclose(chance, problem, numbers);
    dd_unregister(m, problem->rows);
    free(problem->rows);
    problem->rows = NULL;
    return is_done;
}

void chance_numbers_free(struct chance *chance, struct chance_numbers *numbers)
{
    struct dd_manager *m = chance->model.m;
    dd_index_destroy(numbers->index);
    free(numbers->lower);
    free(numbers->upper);
    dd_unref(m, numbers->unknown);
    dd_unref(m, numbers->one);
    *numbers = (struct chance_numbers){0};
}

/* --- what they say --- */

/* The unknown states of which the answer is `wanted`. */
static dd find_unknown(const struct chance_numbers *numbers, enum operator op, const struct pctl_number *limit,
                       int wanted)
{
    uint64_t size = dd_index_size(numbers->index);
    uint8_t *members = memory_alloc(size + 1);
    for (uint64_t i = 0; i < size; i++) {
        struct pctl_number number = pctl_interval(numbers->lower[i], numbers->upper[i]);
        if (numbers->is_complement)
            pctl_complement(&number.lower, &number.upper);
        members[i] = pctl_number_compare(op, &number, limit) == wanted;
    }
    dd set = dd_index_set(numbers->index, members);
    free(members);
    return set;
}

static bool satisfies(enum operator op, double value, const struct pctl_number *limit)
{
    return pctl_compare_bounds(op, value, value, limit->lower, limit->upper) > 0;
}

bool chance_numbers_compare(struct chance *chance, const struct chance_numbers *numbers, enum operator op,
                            const struct pctl_number *limit, dd *holds, dd *open)
{
    struct dd_manager *m = chance->model.m;
    if (!numbers->index)
        return pctl_fail(&chance->evaluator,
                         "comparing the values of this many states within a formula is not supported");
    *open = chance_keep(chance, find_unknown(numbers, op, limit, 0));
    *holds = chance_keep(chance, find_unknown(numbers, op, limit, 1));
    dd rest = chance_complement(chance, dd_or(m, numbers->unknown, numbers->one));
    if (satisfies(op, !numbers->is_complement, limit))
        *holds = chance_keep(chance, dd_or(m, *holds, numbers->one));
    if (satisfies(op, numbers->is_complement, limit))
        *holds = chance_keep(chance, dd_or(m, *holds, rest));
    return *open != DD_NONE && *holds != DD_NONE && rest != DD_NONE;
}
