/* A CTMC after a time: uniformisation. The jumps of all states are made a little more frequent (rate q) than those of
 * the fastest, by jumps that stay; then the number of jumps within the time has the Poisson distribution with mean q *
 * time, and what is expected is a sum over that number. What is cut off on the right is added to the upper bound. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/probabilistic/formula.h"
#include "engine/probabilistic/from_start.h"
#include "engine/probabilistic/nearest.h"
#include "engine/probabilistic/stiff.h"
#include "numeric/series.h"
#include "numeric/vector.h"

/* With it the chance to stay is never near 0, where one minus the chance to leave would have few digits. */
#define RATE_MARGIN 1.02

/* The time of a chain in which the states that are not active keep their value. */
struct lapse {
    struct markov *markov;
    const uint8_t *active;
    double rate, mean;    /* q, and q * time */
    uint64_t most_sweeps; /* 0: as many as it takes */
    struct jumps *jumps;
    struct poisson poisson;
    struct nearest nearest;
};

static double rate_of(const struct markov *markov, const uint8_t *active)
{
    double rate = 0;
    for (uint32_t s = 0; s < markov_count(markov); s++)
        rate = fmax(rate, active[s] ? RATE_MARGIN * markov->exit_rate.items[s] : 0);
    return rate;
}

/* False: a limit, and it is not open. */
static bool lapse_open(struct lapse *lapse)
{
    struct markov *markov = lapse->markov;
    lapse->jumps = markov_may_go_on(markov)
                       ? jumps_create(&markov->matrix, markov->exit_rate.items, lapse->active, lapse->rate)
                       : NULL;
    if (!lapse->jumps)
        return false;
    lapse->poisson = poisson_make(lapse->mean);
    return true;
}

static void lapse_close(struct lapse *lapse)
{
    jumps_destroy(lapse->jumps);
    poisson_free(&lapse->poisson);
}

/* False: the weights of so many jumps would not fit, or their matrix. */
static bool is_possible(struct markov *markov, double mean)
{
    if (mean > 1e11)
        return pctl_fail(&markov->evaluator, "more than 10^11 jumps are expected within the time");
    return markov_fits(markov, jumps_bytes(&markov->matrix));
}

/* By how much of the greatest value the sums may be off: each jump by a few roundings and by what its chances are off,
 * and there are `mean` of them, on average; then by what the weights are off. */
static double error_of(const struct markov *markov, double mean, const struct poisson *poisson)
{
    double jump = ((double)markov->most_outcomes + 10) * 0x1p-53 + 4 * markov->slack;
    return mean == 0 ? 0 : 1.1 * (mean + 1) * jump + poisson->error + poisson->missing + 0x1p-50;
}

/* By how much of itself a sum may be off. All numbers are at least 0, so a jump makes no error that is large beside its
 * own result, except that the chance to stay, at least 1 - 1/RATE_MARGIN, is off by up to 51 times what the chance to
 * leave is off. A sum that ended early is what it would be if it had gone on with values that no longer change, but for
 * its last weight: that is a difference. */
static double relative_error_of(const struct lapse *lapse)
{
    const struct poisson *poisson = &lapse->poisson;
    double jump = ((double)lapse->markov->most_outcomes + 120) * 0x1p-53 + 60 * lapse->markov->slack;
    double error = 1.1 * (double)(poisson->last + 2) * jump + poisson->error + poisson->missing;
    return error > 0.05 ? INFINITY : error;
}

/* What the last weight of a sum that ended early may be off by: all weights are so much together, and each of them was
 * added. */
static double error_of_rest(const struct series *series)
{
    const struct poisson *poisson = series->poisson;
    double count = (double)(poisson->last + 2);
    return series->is_settled ? series->total * (poisson->error + poisson->missing + count * 0x1p-52) : 0;
}

/* What the sums of the states may be off by. */
struct sum_error {
    double absolute; /* the same in all states; infinite where the sum ended with factors, whose errors are relative */
    double relative; /* or by so much of itself, */
    double rest;     /* and so much of the value that a sum ended with */
    double spread;   /* and, upwards, by so much of it */
    double left;     /* upwards, in all states, since some weights were not added */
};

static double sum_from_below(const struct series *series, uint32_t place, const struct sum_error *error)
{
    double sum = series->sums[place], off = error->rest * series->now[place];
    return fmax(0, fmax(sum - error->absolute, (sum - off) * (1 - fmin(error->relative, 1)) - JUMPS_UNDERFLOW));
}

static double sum_from_above(const struct series *series, uint32_t place, const struct sum_error *error)
{
    double sum = series->sums[place], off = (error->rest + error->spread) * series->now[place];
    return error->left +
           fmin(sum + error->absolute, (sum + off) * (1 + error->relative) * (1 + 0x1p-50) + JUMPS_UNDERFLOW);
}

static struct series begin_series(const struct lapse *lapse, const double *values)
{
    struct markov *markov = lapse->markov;
    struct series series = {.jumps = lapse->jumps, .poisson = &lapse->poisson, .total = 1, .threads = markov->threads};
    series.most_steps = lapse->most_sweeps;
    series.go_on = markov_may_go_on;
    series.user = markov;
    series_open(&series);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        series.now[jumps_place(lapse->jumps, s)] = values[s];
    return series;
}

/* What is not added is worth no more than the greatest at first or, but for what the weights lack, now: a jump makes
 * the greatest no greater. */
static double left_of(const struct series *series, double most, double relative)
{
    double now = vector_greatest(series->now, jumps_count(series->jumps)) * (1 + relative) + JUMPS_UNDERFLOW;
    return series->missing * most + (series->left - series->missing) * (1 + 0x1p-50) * fmin(most, now);
}

/* Sums up; false: a limit. */
static bool sum_series(const struct lapse *lapse, struct series *series, struct sum_error *error)
{
    struct markov *markov = lapse->markov;
    uint32_t count = markov_count(markov);
    double most = vector_greatest(series->now, count);
    *error = (struct sum_error){.absolute = error_of(markov, lapse->mean, &lapse->poisson) * most * series->total,
                                .relative = relative_error_of(lapse)};
    if (error->relative < markov->epsilon / 8)
        series->epsilon = markov->epsilon / 4096; /* the factors of a jump become equal so fast that this is cheap */
    bool is_whole = series_sum(series);
    markov->sweeps += series->steps;
    error->absolute = series->is_regular ? INFINITY : error->absolute;
    error->rest = error_of_rest(series);
    error->spread = series->spread;
    error->left = left_of(series, most, error->relative);
    return is_whole;
}

/* The states from which something positive can be reached through the active ones. */
static uint8_t *find_positive(struct markov *markov, const uint8_t *active, const double *values)
{
    uint8_t *goal = numbers_new_set(markov, false);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        goal[s] = values[s] > 0;
    uint8_t *set = markov_some_until(markov, active, goal);
    free(goal);
    return set;
}

/* What the graph decides: where it is 0, and, if no more is wanted, where it is not. */
static void decide_signs(const struct markov *markov, const uint8_t *may, const uint8_t *must, bool is_sign,
                         struct bounds *bounds)
{
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        if (!may[s])
            bounds->lower[s] = bounds->upper[s] = 0;
        else if (is_sign && must[s] && bounds->lower[s] == 0)
            bounds->lower[s] = DBL_TRUE_MIN;
    }
}

/* Have all active states the value 0? */
static bool is_zero_inside(const struct lapse *lapse, const double *values)
{
    for (uint32_t s = 0; s < markov_count(lapse->markov); s++)
        if (lapse->active[s] && values[s] != 0)
            return false;
    return true;
}

/* From the values to by how much the first jump changes them: where it begins with 0 in all active states, the value
 * after k jumps is the sum of what the jumps add, and the weight of the k-th is the probability of at least so many.
 * What they add has a factor sooner than the values. */
static void take_differences(const struct lapse *lapse, struct series *series)
{
    uint32_t count = markov_count(lapse->markov);
    jumps_step(lapse->jumps, lapse->markov->threads, series->now, 0, series->sums, series->next);
    for (uint32_t s = 0; s < count; s++) {
        uint32_t place = jumps_place(lapse->jumps, s);
        series->now[place] = lapse->active[s] ? series->next[place] : 0;
    }
    series->is_tail = true;
    series->total = lapse->mean;
}

/* Bounds from values: the one below, the one above, or (not NULL) both. */
static bool pass_time(const struct lapse *lapse, const double *values, double *lower, double *upper)
{
    struct series series = begin_series(lapse, values);
    struct sum_error error;
    double most = vector_greatest(values, markov_count(lapse->markov));
    if (is_zero_inside(lapse, values))
        take_differences(lapse, &series);
    bool is_whole = sum_series(lapse, &series, &error);
    for (uint32_t s = 0; s < markov_count(lapse->markov); s++) {
        uint32_t place = jumps_place(lapse->jumps, s);
        if (lapse->active[s] && lower)
            lower[s] = sum_from_below(&series, place, &error);
        if (lapse->active[s] && upper)
            upper[s] = fmin(most, sum_from_above(&series, place, &error));
    }
    series_close(&series);
    return is_whole;
}

/* Where nothing else is known. */
static void set_active(const struct lapse *lapse, double value, double *bounds)
{
    for (uint32_t s = 0; s < markov_count(lapse->markov); s++)
        bounds[s] = lapse->active[s] ? value : bounds[s];
}

static bool pass_stiff(const struct lapse *lapse, struct stiff *stiff, double most, struct bounds *bounds)
{
    bool is_below = stiff_transient(stiff, false, bounds->lower);
    bool is_above = is_below && stiff_transient(stiff, true, bounds->upper);
    if (!is_below)
        set_active(lapse, 0, bounds->lower);
    if (!is_above)
        set_active(lapse, most, bounds->upper);
    return is_above;
}

/* By what share of the upper values the lower ones are less, at most. */
static double share_between(const struct markov *markov, const struct bounds *bounds)
{
    double most = 0;
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (bounds->lower[s] != bounds->upper[s])
            most =
                fmax(most, isfinite(bounds->upper[s]) ? 1 - bounds->lower[s] / bounds->upper[s] + 0x1p-52 : INFINITY);
    return most;
}

/* Both bounds at once where they hardly differ, by what numbers of the model are rounded, say: what is at least a share
 * of the values stays so. */
static bool pass_near(struct lapse *lapse, double share, struct bounds *bounds)
{
    bool is_whole = pass_time(lapse, bounds->upper, bounds->lower, bounds->upper);
    for (uint32_t s = 0; s < markov_count(lapse->markov) && share > 0; s++)
        if (lapse->active[s])
            bounds->lower[s] = fmax(0, nextafter(bounds->lower[s] * (1 - share), 0));
    return is_whole;
}

static bool pass_uniform(struct lapse *lapse, double most, struct bounds *bounds)
{
    bool is_whole = is_possible(lapse->markov, lapse->mean);
    if (!is_whole || (lapse->mean > 0 && !lapse_open(lapse))) {
        is_whole = false;
        set_active(lapse, 0, bounds->lower);
        set_active(lapse, most, bounds->upper);
    } else if (lapse->mean > 0) {
        double share = share_between(lapse->markov, bounds);
        bool is_near = share <= lapse->markov->epsilon / 64;
        is_whole = is_near ? pass_near(lapse, share, bounds) : pass_time(lapse, bounds->lower, bounds->lower, NULL);
        if (!is_near && is_whole)
            is_whole = pass_time(lapse, bounds->upper, NULL, bounds->upper);
        else if (!is_near)
            set_active(lapse, most, bounds->upper);
        lapse_close(lapse);
    }
    return is_whole;
}

enum transient_scope transient_scope(const struct markov *markov, const struct pctl *formula)
{
    if (markov_is_sign(formula))
        return TRANSIENT_SIGN;
    return formula == markov->evaluator.root && markov->initial_count == 1 ? TRANSIENT_START : TRANSIENT_ALL;
}

/* So many states are needed before few of them are worth a list; so many multiplications are too many, and so many, and
 * sweeps, are few. */
enum { MANY_STATES = 50000, FEW_SWEEPS = 1000, LEAST_SWEEPS = 64, FEW_JUMPS = 10000 };
#define TOO_MANY_PRODUCTS 2e11
#define FEW_PRODUCTS 4e9

static double products_of_sweep(const struct lapse *lapse)
{
    const struct matrix *matrix = &lapse->markov->matrix;
    return (double)matrix->entries.count + (double)matrix_states(matrix);
}

static bool is_too_long(const struct lapse *lapse)
{
    return lapse->mean * products_of_sweep(lapse) > TOO_MANY_PRODUCTS;
}

/* Rare failures within a long time take few sweeps backward (series.h), and many jumps forward. So these come first. */
static uint64_t few_sweeps(const struct lapse *lapse)
{
    return (uint64_t)fmax(LEAST_SWEEPS, fmin(FEW_SWEEPS, FEW_PRODUCTS / products_of_sweep(lapse)));
}

/* Forward from the only initial state; then the other states are anywhere between 0 and the most. */
static bool pass_from_start(struct lapse *lapse, struct from_start_question *question, struct bounds *bounds)
{
    struct markov *markov = lapse->markov;
    double lower, upper;
    question->active = lapse->active;
    question->rate = lapse->rate;
    question->may_be_small = markov->evaluator.root->is_query && is_too_long(lapse);
    if (markov_count(markov) < MANY_STATES)
        return false;
    if (!from_start_answer(markov, question, &lower, &upper)) {
        nearest_add(&lapse->nearest, lower, upper);
        return false;
    }
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (question->active[s]) {
            bounds->lower[s] = s ? 0 : lower;
            bounds->upper[s] = s ? question->most : upper;
        }
    return true;
}

/* The distribution is there: another property has made it. */
static bool has_distribution(const struct lapse *lapse, double time)
{
    struct from_start_question question = {.active = lapse->active, .rate = lapse->rate, .time = time};
    return from_start_is_kept(lapse->markov, &question);
}

/* A value that is next to nothing may be less than what the weights lack; forward they lack less (from_start.c), which
 * is soon over where there are few jumps. */
static bool is_near_enough(const struct lapse *lapse, const struct bounds *bounds)
{
    return lapse->mean > FEW_JUMPS || bounds->upper[0] - bounds->lower[0] <= lapse->markov->epsilon * bounds->upper[0];
}

/* False: that was not enough, and the bounds are as before. */
static bool pass_briefly(struct lapse *lapse, double most, struct bounds *bounds)
{
    uint32_t count = markov_count(lapse->markov);
    size_t bytes = ((size_t)count + 1) * sizeof(double);
    if (count < MANY_STATES)
        return false;
    double *lower = memcpy(memory_alloc(bytes), bounds->lower, count * sizeof *lower);
    double *upper = memcpy(memory_alloc(bytes), bounds->upper, count * sizeof *upper);
    lapse->most_sweeps = few_sweeps(lapse);
    bool is_whole = pass_uniform(lapse, most, bounds) && is_near_enough(lapse, bounds);
    lapse->most_sweeps = 0;
    if (!is_whole) {
        nearest_add(&lapse->nearest, bounds->lower[0], bounds->upper[0]);
        memcpy(bounds->lower, lower, count * sizeof *lower);
        memcpy(bounds->upper, upper, count * sizeof *upper);
    }
    free(lower);
    free(upper);
    return is_whole;
}

static bool mean_from_start(struct lapse *lapse, double time, double most, struct bounds *bounds)
{
    if (lapse->mean == 0 || !is_possible(lapse->markov, lapse->mean))
        return false;
    struct from_start_question question = {.time = time, .values = bounds, .most = most};
    return pass_from_start(lapse, &question, bounds);
}

/* As the initial state only matters. */
static bool mean_of_start(struct lapse *lapse, double time, double most, struct bounds *bounds)
{
    return (!has_distribution(lapse, time) && pass_briefly(lapse, most, bounds)) ||
           mean_from_start(lapse, time, most, bounds);
}

bool transient_mean(struct markov *markov, const uint8_t *active, double time, enum transient_scope scope,
                    struct bounds *bounds)
{
    if (scope == TRANSIENT_START && !active[0])
        return true; /* which keeps its value */
    uint8_t *may = find_positive(markov, active, bounds->upper), *must = find_positive(markov, active, bounds->lower);
    struct lapse lapse = {.markov = markov, .active = active, .rate = rate_of(markov, active)};
    lapse.mean = lapse.rate * time;
    double most = vector_greatest(bounds->upper, markov_count(markov));
    struct stiff *stiff = stiff_create(markov, active, lapse.rate, time);
    bool is_done = stiff ? pass_stiff(&lapse, stiff, most, bounds)
                         : (scope == TRANSIENT_START && mean_of_start(&lapse, time, most, bounds)) ||
                               pass_uniform(&lapse, most, bounds);
    stiff_destroy(stiff);
    nearest_use(&lapse.nearest, bounds);
    if (time > 0)
        decide_signs(markov, may, must, scope == TRANSIENT_SIGN, bounds);
    free(may);
    free(must);
    return is_done;
}

/* The states do not change, or there is a limit: between nothing and the most all the time. */
static void earn_constantly(const struct lapse *lapse, const double *rates, double time, struct bounds *bounds)
{
    const struct markov *markov = lapse->markov;
    double most = vector_greatest(rates, markov_count(markov));
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        bounds->lower[s] = lapse->mean > 0 ? 0 : nextafter(rates[s] * time * (1 - 4 * markov->slack), 0);
        bounds->upper[s] = nextafter((lapse->mean > 0 ? most : rates[s]) * time * (1 + 4 * markov->slack), INFINITY);
    }
}

/* What is earned within the time, as a sum over the jumps. */
static bool earn_uniform(struct lapse *lapse, const double *rates, double time, struct bounds *bounds)
{
    if (!lapse_open(lapse)) {
        earn_constantly(lapse, rates, time, bounds);
        return false;
    }
    struct series series = begin_series(lapse, rates);
    struct sum_error error;
    series.is_tail = true;
    series.total = lapse->mean;
    bool is_whole = sum_series(lapse, &series, &error);
    for (uint32_t s = 0; s < markov_count(lapse->markov); s++) {
        uint32_t place = jumps_place(lapse->jumps, s);
        bounds->lower[s] = nextafter(sum_from_below(&series, place, &error) / lapse->rate * (1 - 0x1p-50), 0);
        bounds->upper[s] = nextafter(sum_from_above(&series, place, &error) / lapse->rate * (1 + 0x1p-50), INFINITY);
    }
    series_close(&series);
    lapse_close(lapse);
    return is_whole;
}

static bool earn_briefly(struct lapse *lapse, const double *rates, double time, struct bounds *bounds)
{
    lapse->most_sweeps = few_sweeps(lapse);
    bool is_whole = earn_uniform(lapse, rates, time, bounds);
    lapse->most_sweeps = 0;
    return is_whole;
}

static bool sum_from_start(struct lapse *lapse, const double *rates, double time, double most, struct bounds *bounds)
{
    double usual = vector_greatest(rates, markov_count(lapse->markov)) * time;
    usual *= 1 + 4 * lapse->markov->slack + 0x1p-50;
    struct from_start_question question = {.time = time, .gains = rates, .most = fmin(most, usual)};
    return pass_from_start(lapse, &question, bounds);
}

/* A brief sum says what can be earned at most, from any state: often far less than by being in the best one all the
 * time. */
static bool sum_of_start(struct lapse *lapse, const double *rates, double time, struct bounds *bounds)
{
    double most = INFINITY;
    if (!has_distribution(lapse, time) && markov_count(lapse->markov) >= MANY_STATES) {
        if (earn_briefly(lapse, rates, time, bounds))
            return true;
        most = vector_greatest(bounds->upper, markov_count(lapse->markov));
        nearest_add(&lapse->nearest, bounds->lower[0], bounds->upper[0]);
    }
    return sum_from_start(lapse, rates, time, most, bounds);
}

bool transient_sum(struct markov *markov, const double *rates, double time, enum transient_scope scope,
                   struct bounds *bounds)
{
    uint8_t *all = numbers_new_set(markov, true), *earns = find_positive(markov, all, rates);
    struct lapse lapse = {.markov = markov, .active = all, .rate = rate_of(markov, all)};
    lapse.mean = lapse.rate * time;
    struct stiff *stiff = stiff_create(markov, all, lapse.rate, time);
    bool is_whole = stiff ? stiff_accumulate(stiff, rates, bounds) : is_possible(markov, lapse.mean);
    if (!stiff && is_whole && lapse.mean > 0)
        is_whole = (scope == TRANSIENT_START && sum_of_start(&lapse, rates, time, bounds)) ||
                   earn_uniform(&lapse, rates, time, bounds);
    else if (!stiff || !is_whole)
        earn_constantly(&lapse, rates, time, bounds);
    stiff_destroy(stiff);
    nearest_use(&lapse.nearest, bounds);
    if (time > 0)
        decide_signs(markov, earns, earns, scope == TRANSIENT_SIGN, bounds);
    else
        memset(bounds->upper, 0, markov_count(markov) * sizeof(double));
    free(all);
    free(earns);
    return is_whole;
}
