/* The three queries of multi(...): is it achievable, what is the best value of one objective within the bounds of the
 * others, and the Pareto curve of two. */
#include "engine/probabilistic/multi.h"

#include <math.h>
#include <string.h>

#include "numeric/game.h"
#include "pctl/verdict.h"

enum { MOST_QUESTIONS = 400, MOST_EXACT_STATES = 2000, NO_QUERY = UINT32_MAX };
static const double EPSILON = 1e-6, ABSOLUTE = 1e-12;

enum multi_outcome { OUTCOME_YES, OUTCOME_NO, OUTCOME_OPEN, OUTCOME_FAILED };

struct search {
    struct multi *multi;
    VEC(struct rational **) points; /* each is below what some scheduler attains */
    VEC(struct rational **) tops;   /* and these above the same */
    struct multi_answer *answer;    /* the last */
    struct game *game;
    struct rational **target;
    struct rational *sum, *scratch;
    bool is_met; /* the points meet the bounds */
};

/* What is known of a number when there is no answer. */
struct multi_partial {
    bool is_known;
    struct pctl_number bounds;
};

/* --- points --- */

static struct rational **copy_point(struct rational *const *point, uint32_t count)
{
    struct rational **copy = memory_zeroed(count + 1, sizeof *copy);
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = rational_create(0, 1);
        rational_copy(copy[i], point[i]);
    }
    return copy;
}

static void search_begin(struct search *search, struct multi *multi)
{
    uint32_t count = multi->count;
    *search = (struct search){.multi = multi,
                              .answer = multi_answer_create(count),
                              .game = game_create(count),
                              .target = memory_zeroed(count + 1, sizeof *search->target),
                              .sum = rational_create(0, 1),
                              .scratch = rational_create(0, 1)};
    for (uint32_t i = 0; i < count; i++) {
        search->target[i] = rational_create(0, 1);
        if (multi->objectives[i].bound)
            rational_copy(search->target[i], multi->objectives[i].bound);
    }
}

static void search_free(struct search *search)
{
    uint32_t count = search->multi->count;
    for (size_t i = 0; i < search->points.count; i++) {
        exact_free_numbers(search->points.items[i], count);
        exact_free_numbers(search->tops.items[i], count);
    }
    VEC_FREE(&search->points);
    VEC_FREE(&search->tops);
    exact_free_numbers(search->target, count);
    multi_answer_destroy(search->answer);
    game_destroy(search->game);
    rational_destroy(search->sum);
    rational_destroy(search->scratch);
}

/* weights * point, but for the coordinate `without`; until the next call. */
static const struct rational *times(struct search *search, struct rational *const *weights,
                                    struct rational *const *point, uint32_t without)
{
    rational_set(search->sum, 0);
    for (uint32_t i = 0; i < search->multi->count; i++)
        if (i != without)
            rational_add_product(search->sum, weights[i], point[i], search->scratch);
    return search->sum;
}

/* Asks for the best scheduler. `is_new`: its point is beyond all others, in the direction of the weights. */
static bool ask(struct search *search, struct rational *const *weights, bool *is_new)
{
    if (!multi_solve(search->multi, weights, search->answer))
        return false;
    struct rational *own = rational_create(0, 1);
    *is_new = true;
    rational_copy(own, times(search, search->answer->weights, search->answer->lower, NO_QUERY));
    for (size_t i = 0; i < search->points.count && *is_new; i++)
        *is_new = rational_compare(times(search, search->answer->weights, search->points.items[i], NO_QUERY), own) < 0;
    rational_destroy(own);
    VEC_PUSH(&search->points, copy_point(search->answer->lower, search->multi->count));
    VEC_PUSH(&search->tops, copy_point(search->answer->upper, search->multi->count));
    return true;
}

/* Only that coordinate counts; NO_QUERY: all the same. */
static bool ask_about(struct search *search, uint32_t objective)
{
    uint32_t count = search->multi->count;
    struct rational **weights = memory_zeroed(count + 1, sizeof *weights);
    bool is_new;
    for (uint32_t i = 0; i < count; i++)
        weights[i] = rational_create(objective == NO_QUERY || objective == i, 1);
    bool is_done = ask(search, weights, &is_new);
    exact_free_numbers(weights, count);
    return is_done;
}

static void play(struct search *search, struct rational *const *target)
{
    game_solve(search->game, (struct rational *const *const *)search->points.items, (uint32_t)search->points.count,
               target);
}

/* --- values --- */

/* From what was made large to the value of the formula. */
static void to_value(const struct multi_objective *objective, struct rational *number)
{
    if (objective->is_less)
        rational_negate(number);
    if (objective->is_inverse) {
        struct rational *one = rational_create(1, 1);
        rational_negate(number);
        rational_add(number, one);
        rational_destroy(one);
    }
}

static void set_bounds(const struct multi_objective *objective, const struct rational *low, const struct rational *high,
                       double *lower, double *upper, char **exact)
{
    struct rational *ends[2] = {rational_create(0, 1), rational_create(0, 1)};
    rational_copy(ends[0], low);
    rational_copy(ends[1], high);
    to_value(objective, ends[0]);
    to_value(objective, ends[1]);
    int order = rational_compare(ends[0], ends[1]);
    *lower = fmax(0, rational_to_double_below(ends[order > 0]));
    *upper = fmax(0, rational_to_double_above(ends[order <= 0]));
    if (!objective->is_reward) {
        *lower = fmin(1, *lower);
        *upper = fmin(1, *upper);
    }
    *exact = order == 0 ? rational_digits(ends[0]) : NULL;
    rational_destroy(ends[0]);
    rational_destroy(ends[1]);
}

/* Differences of numbers near 1 have no digits of their own near 0. */
static bool is_near(const struct multi_objective *objective, const struct rational *low, const struct rational *high,
                    double epsilon)
{
    double lower, upper;
    char *exact;
    set_bounds(objective, low, high, &lower, &upper, &exact);
    free(exact);
    return pctl_is_narrow(lower, upper, epsilon) || (epsilon > 0 && upper - lower <= ABSOLUTE);
}

/* --- is it achievable? --- */

static enum multi_outcome achieve(struct search *search)
{
    if (!ask_about(search, NO_QUERY))
        return OUTCOME_FAILED;
    for (uint32_t k = 0; k < MOST_QUESTIONS; k++) {
        bool is_new;
        play(search, search->target);
        if (rational_sign(search->game->value) >= 0)
            return OUTCOME_YES;
        if (!ask(search, search->game->weights, &is_new))
            return OUTCOME_FAILED;
        const struct multi_answer *answer = search->answer;
        if (rational_compare(answer->limit, times(search, answer->weights, search->target, NO_QUERY)) < 0)
            return OUTCOME_NO;
        if (!is_new)
            return OUTCOME_OPEN;
    }
    return OUTCOME_OPEN;
}

/* --- the best value within bounds --- */

/* The greatest value of the objective that the points have together with the bounds, into `least`: Newton's method on
 * the value of the game, which falls and is concave. False: they do not meet the bounds. */
static bool find_least(struct search *search, uint32_t query, struct rational *least)
{
    struct rational **target = copy_point(search->target, search->multi->count);
    bool is_met = false;
    for (uint32_t k = 0; k < MOST_QUESTIONS; k++) {
        play(search, target);
        is_met = rational_sign(search->game->value) >= 0;
        if (is_met || !rational_sign(search->game->weights[query]))
            break;
        rational_divide(search->game->value, search->game->weights[query]);
        rational_add(target[query], search->game->value);
    }
    if (is_met)
        rational_copy(least, target[query]);
    search->is_met |= is_met;
    exact_free_numbers(target, search->multi->count);
    return is_met;
}

/* What the half-space of the answer says of the objective, given the bounds. False: no scheduler meets them.
 * `is_lower`: it says more than those before. */
static bool lower_limit(struct search *search, uint32_t query, bool *is_lower)
{
    const struct multi_answer *answer = search->answer;
    struct rational *room = rational_create(0, 1);
    rational_copy(room, answer->limit);
    rational_subtract(room, times(search, answer->weights, search->target, query));
    bool is_possible = rational_sign(answer->weights[query]) > 0 || rational_sign(room) >= 0;
    if (rational_sign(answer->weights[query]) > 0) {
        rational_divide(room, answer->weights[query]);
        *is_lower = rational_compare(room, search->target[query]) < 0;
        if (*is_lower)
            rational_copy(search->target[query], room);
        /* an expectation is not below 0 */
        is_possible = search->multi->objectives[query].is_less || rational_sign(search->target[query]) >= 0;
    }
    rational_destroy(room);
    return is_possible;
}

/* YES, or where the points meet the bounds: the best value lies between `least` and the target. */
static enum multi_outcome maximise(struct search *search, uint32_t query, double epsilon, struct rational *least)
{
    bool is_new;
    if (!ask_about(search, query))
        return OUTCOME_FAILED;
    rational_copy(search->target[query], search->answer->limit);
    for (uint32_t k = 0; k < MOST_QUESTIONS; k++) {
        play(search, search->target);
        if (rational_sign(search->game->value) >= 0) {
            rational_copy(least, search->target[query]);
            return OUTCOME_YES;
        }
        bool is_lower = false;
        if (!ask(search, search->game->weights, &is_new))
            return OUTCOME_FAILED;
        if (!lower_limit(search, query, &is_lower))
            return OUTCOME_NO;
        bool is_met = find_least(search, query, least);
        if (is_met && is_near(&search->multi->objectives[query], least, search->target[query],
                              search->multi->markov->exact ? 0 : epsilon))
            return OUTCOME_YES;
        if (!is_new && !is_lower)
            return OUTCOME_OPEN;
    }
    return OUTCOME_OPEN;
}

/* --- the Pareto curve of two objectives --- */

static bool is_close(const struct rational *low, const struct rational *high, double epsilon)
{
    double from = rational_to_double_below(low), to = rational_to_double_above(high);
    return pctl_is_narrow(from, to, epsilon) || to - from <= ABSOLUTE;
}

/* Between two points, each the best in its direction, asks for what is beyond the line through them. */
static enum multi_outcome trace_curve(struct search *search, size_t left, size_t right, double epsilon)
{
    if (search->points.count > MOST_QUESTIONS)
        return OUTCOME_OPEN;
    struct rational **a = search->points.items[left], **b = search->points.items[right];
    struct rational *weights[2] = {rational_create(0, 1), rational_create(0, 1)}, *reached = rational_create(0, 1);
    enum multi_outcome outcome = OUTCOME_YES;
    bool is_new;
    for (int k = 0; k < 2; k++) { /* the left one has more of the first objective, the right one of the second */
        rational_copy(weights[k], k ? a[0] : b[1]);
        rational_subtract(weights[k], k ? b[0] : a[1]);
    }
    bool is_slope = rational_sign(weights[0]) > 0 && rational_sign(weights[1]) > 0;
    if (is_slope && !ask(search, weights, &is_new))
        outcome = OUTCOME_FAILED;
    else if (is_slope) {
        rational_copy(reached, times(search, search->answer->weights, search->points.items[left], NO_QUERY));
        bool is_reached = rational_compare(search->answer->limit, reached) <= 0 ||
                          (!search->multi->markov->exact && is_close(reached, search->answer->limit, epsilon));
        size_t middle = search->points.count - 1;
        if (!is_reached)
            outcome = !is_new ? OUTCOME_OPEN : trace_curve(search, left, middle, epsilon);
        if (!is_reached && outcome == OUTCOME_YES)
            outcome = trace_curve(search, middle, right, epsilon);
    }
    rational_destroy(weights[0]);
    rational_destroy(weights[1]);
    rational_destroy(reached);
    return outcome;
}

static enum multi_outcome find_curve(struct search *search, double epsilon)
{
    if (!ask_about(search, 0) || !ask_about(search, 1))
        return OUTCOME_FAILED;
    return trace_curve(search, 0, 1, epsilon);
}

/* Is another point at least as good in both, and better in one or the first of those that look the same? */
static bool is_dominated(const struct search *search, size_t at, double slack)
{
    struct rational *const *own = search->points.items[at];
    for (size_t i = 0; i < search->points.count; i++) {
        struct rational *const *other = search->points.items[i];
        bool is_least = true, is_same = true;
        for (int k = 0; k < 2; k++) {
            double gap = rational_to_double(other[k]) - rational_to_double(own[k]);
            double room = slack * fabs(rational_to_double(own[k]));
            is_least &= slack > 0 ? gap >= -room : rational_compare(other[k], own[k]) >= 0;
            is_same &= slack > 0 ? fabs(gap) <= room : !rational_compare(other[k], own[k]);
        }
        if (i != at && is_least && (!is_same || i < at))
            return true;
    }
    return false;
}

/* Is it between two others, no corner? With a tolerance of intervals. */
static bool is_between(struct search *search, size_t at, double slack)
{
    double x = rational_to_double(search->points.items[at][0]), y = rational_to_double(search->points.items[at][1]);
    for (size_t i = 0; i < search->points.count; i++)
        for (size_t j = 0; j < search->points.count; j++) {
            double left = rational_to_double(search->points.items[i][0]);
            double right = rational_to_double(search->points.items[j][0]);
            double room = fmax(slack, 1e-14) * fabs(x);
            if (i == at || j == at || !(left < x - room && x + room < right))
                continue;
            double top = rational_to_double(search->points.items[i][1]);
            double line = top + (rational_to_double(search->points.items[j][1]) - top) * (x - left) / (right - left);
            if (y <= line + fmax(slack, 1e-14) * fabs(y))
                return true;
        }
    return false;
}

/* --- what is found --- */

/* Of an interval around 0 it is 0. */
static double middle_of(const struct pareto_point *point, int k)
{
    bool is_zero = point->lower[k] <= ABSOLUTE && point->upper[k] <= ABSOLUTE;
    return is_zero ? 0 : point->lower[k] / 2 + point->upper[k] / 2;
}

static void settle_curve(struct search *search, const struct property *property, double slack)
{
    struct markov *markov = search->multi->markov;
    struct property_result *found = &markov->result->properties[property->id];
    struct text words = {0};
    for (size_t i = 0; i < search->points.count; i++) {
        struct pareto_point point;
        if (is_dominated(search, i, slack) || is_between(search, i, slack))
            continue;
        for (int k = 0; k < 2; k++) {
            set_bounds(&search->multi->objectives[k], search->points.items[i][k], search->tops.items[i][k],
                       &point.lower[k], &point.upper[k], &point.exact[k]);
            if (!markov->exact) {
                free(point.exact[k]);
                point.exact[k] = NULL;
            }
        }
        text_format(&words, words.length ? ", (%.8g, %.8g)" : "corners: (%.8g, %.8g)", middle_of(&point, 0),
                    middle_of(&point, 1));
        VEC_PUSH(&found->quantity.pareto, point);
    }
    result_set_verdict(markov->result, property, VERDICT_HOLDS, "%s", text_chars(&words));
    text_free(&words);
}

static void settle_number(struct search *search, const struct property *property, uint32_t query,
                          const struct rational *least)
{
    struct markov *markov = search->multi->markov;
    struct property_result *found = &markov->result->properties[property->id];
    char *exact;
    result_set_verdict(markov->result, property, VERDICT_HOLDS, NULL);
    set_bounds(&search->multi->objectives[query], least, search->target[query], &found->lower, &found->upper, &exact);
    found->has_value = true;
    free(found->quantity.exact);
    found->quantity.exact = markov->exact ? exact : NULL;
    if (!markov->exact)
        free(exact);
}

static void settle_impossible(struct markov *markov, const struct property *property, bool is_number)
{
    struct property_result *found = &markov->result->properties[property->id];
    result_set_violated(markov->result, property, NULL, NULL, "no scheduler meets all bounds");
    found->lower = found->upper = is_number ? NAN : 0;
}

static void keep_partial(const struct search *search, uint32_t query, const struct rational *least,
                         struct multi_partial *partial)
{
    double lower, upper;
    char *exact;
    set_bounds(&search->multi->objectives[query], least, search->target[query], &lower, &upper, &exact);
    free(exact);
    *partial = (struct multi_partial){true, pctl_interval(lower, upper)};
}

/* False: it is open, and narrower bounds or fractions may settle it. */
static bool decide_once(struct multi *multi, const struct property *property, double epsilon,
                        struct multi_partial *partial)
{
    struct search search;
    uint32_t queries = 0, query = NO_QUERY;
    for (uint32_t i = multi->count; i-- > 0;)
        if (!multi->objectives[i].bound) {
            query = i;
            queries++;
        }
    search_begin(&search, multi);
    struct rational *least = rational_create(0, 1);
    enum multi_outcome outcome = queries == 0   ? achieve(&search)
                                 : queries == 1 ? maximise(&search, query, epsilon, least)
                                                : find_curve(&search, epsilon);
    if (outcome == OUTCOME_YES && queries > 1)
        settle_curve(&search, property, multi->markov->exact ? 0 : 8 * epsilon);
    else if (outcome == OUTCOME_YES && queries)
        settle_number(&search, property, query, least);
    else if (outcome == OUTCOME_YES)
        result_set_verdict(multi->markov->result, property, VERDICT_HOLDS, NULL);
    else if (outcome == OUTCOME_NO)
        settle_impossible(multi->markov, property, queries > 0);
    else if (outcome == OUTCOME_OPEN)
        pctl_fail_unsettled(&multi->markov->evaluator, "the bounds of the objectives do not settle it");
    if ((outcome == OUTCOME_OPEN || outcome == OUTCOME_FAILED) && search.is_met)
        keep_partial(&search, query, least, partial);
    rational_destroy(least);
    search_free(&search);
    return outcome == OUTCOME_YES || outcome == OUTCOME_NO;
}

static bool decide(struct markov *markov, const struct property *property, double epsilon, uint32_t *states,
                   struct multi_partial *partial)
{
    struct multi multi;
    bool is_built = multi_create(markov, property->pctl, &multi);
    *states = is_built ? matrix_states(&multi.matrix) : UINT32_MAX;
    bool is_decided = is_built && decide_once(&multi, property, epsilon, partial);
    multi_free(&multi);
    return is_decided;
}

void multi_decide(struct markov *markov, const struct property *property)
{
    double epsilon = markov->options->epsilon > 0 ? markov->options->epsilon : EPSILON;
    uint32_t states;
    struct multi_partial partial = {0};
    markov->patience = 0;
    if (markov->evaluator.is_fair)
        pctl_fail(&markov->evaluator, "multi(...): not supported under fairness (--fair)");
    else if (decide(markov, property, epsilon, &states, &partial))
        return;
    bool is_open = markov->evaluator.is_undecided && !markov->exact && states <= MOST_EXACT_STATES;
    if (is_open) {
        struct stop failure = markov->evaluator.failure;
        markov->evaluator.failure = (struct stop){0};
        markov->evaluator.is_undecided = false;
        bool is_decided = exact_chain_build(markov) && decide(markov, property, epsilon, &states, &partial);
        exact_chain_destroy(markov->exact);
        markov->exact = NULL;
        if (is_decided) {
            stop_free(&failure);
            return;
        }
        stop_free(&markov->evaluator.failure);
        markov->evaluator.failure = failure;
    }
    pctl_settle_unknown(&markov->evaluator, markov->result, property, partial.is_known ? &partial.bounds : NULL);
}
