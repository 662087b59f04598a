#include "engine/probabilistic/markov.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/from_start.h"
#include "engine/probabilistic/witness.h"

bool markov_stop(struct markov *markov, struct stop stop)
{
    stop_once(&markov->evaluator.failure, stop);
    return false;
}

void markov_report_progress(struct markov *markov, uint32_t state)
{
    const struct engine_options *options = markov->options;
    struct progress_sample sample = {.states = markov_count(markov),
                                     .frontier = markov_count(markov) - state,
                                     .rules_fired = markov->result->statistics.rules_fired,
                                     .bytes = budget_used(&markov->budget),
                                     .seconds = clock_wall() - markov->began};
    if (markov->witness.has_bounds) {
        sample.iterations = markov->witness.sweeps + 1;
        sample.lower = markov->witness.lower;
        sample.upper = markov->witness.upper;
    }
    if (options->progress)
        options->progress(options->progress_user, &sample);
}

static bool fail_memory(struct markov *markov)
{
    return markov_stop(markov, stop_limit(STOP_MEMORY, markov->options->limits.memory_bytes));
}

bool markov_is_within_limits(struct markov *markov)
{
    const struct engine_options *options = markov->options;
    if (watch_is_up())
        return markov_stop(markov, watch_stop(watch_of_thread));
    if (flag_is_set(options->interrupted))
        return markov_stop(markov, stop_of(STOP_INTERRUPTED));
    if (options->limits.seconds > 0 && clock_wall() - markov->began > options->limits.seconds)
        return markov_stop(markov, stop_time(limits_asked_seconds(&options->limits)));
    /* Whatever is kept besides (vectors, graphs, fractions of many digits) is seen by how the process has grown. */
    uint64_t limit = options->limits.memory_bytes;
    if (limit && clock_peak_bytes() > markov->began_bytes + limit)
        return fail_memory(markov);
    return true;
}

bool markov_may_go_on(void *user)
{
    struct markov *markov = user;
    if (!markov_is_within_limits(markov))
        return false;
    if (markov->patience == 1 || (markov->patience && --markov->patience == 1))
        return pctl_fail_wide(&markov->evaluator);
    if (markov->witness.has_bounds)
        markov_report_progress(markov, markov_count(markov));
    return true;
}

bool markov_take_steps(struct markov *markov, const struct fixpoint *problem, uint64_t steps, bool is_falling,
                       struct bounds *bounds)
{
    uint32_t patience = markov->patience;
    markov->patience = 0;
    bool is_done = fixpoint_steps(problem, steps, is_falling, bounds);
    markov->patience = patience;
    return is_done;
}

uint64_t markov_bytes(const struct markov *markov)
{
    uint64_t states = markov_count(markov), rows = markov->matrix.row_entry.capacity, rewards = 0;
    for (uint32_t i = 0; i < markov->chain->reward_count; i++)
        rewards += (chain_has_rewards(&markov->chain->rewards[i], false) ? states : 0) +
                   (chain_has_rewards(&markov->chain->rewards[i], true) ? rows : 0);
    return (markov->store ? store_bytes(markov->store) : 0) + matrix_bytes(&markov->matrix) +
           markov->exit_rate.capacity * sizeof(double) + markov->is_deadlock.capacity + rewards * sizeof(double);
}

bool markov_has_room(const struct markov *markov, uint64_t more)
{
    uint64_t limit = markov->options->limits.memory_bytes;
    return !limit || markov->held_elsewhere + markov_bytes(markov) + more < limit;
}

bool markov_fits(struct markov *markov, uint64_t more)
{
    return markov_has_room(markov, more) || fail_memory(markov);
}

static bool has_room(void *user, uint64_t bytes)
{
    return markov_has_room(user, bytes);
}

struct fixpoint markov_fixpoint(struct markov *markov, enum extreme extreme, const uint8_t *unknown, double epsilon)
{
    return (struct fixpoint){.matrix = &markov->matrix,
                             .unknown = unknown,
                             .extreme = extreme,
                             .slack = markov->slack,
                             .threads = markov->threads,
                             .limit = INFINITY,
                             .epsilon = epsilon,
                             .go_on = markov_may_go_on,
                             .user = markov,
                             .has_room = has_room,
                             .sweeps = &markov->sweeps};
}

uint32_t markov_count(const struct markov *markov)
{
    return markov->store ? store_count(markov->store) : matrix_states(&markov->matrix);
}

const struct reverse *markov_reverse(struct markov *markov)
{
    if (!markov->reverse) {
        markov->reverse = reverse_create(&markov->matrix);
        markov->reverse->go_on = markov_may_go_on;
        markov->reverse->user = markov;
    }
    return markov->reverse;
}

const int32_t *markov_cells(struct markov *markov, uint32_t state)
{
    layout_unpack(markov->layout, store_state(markov->store, state), markov->cells);
    return markov->cells;
}

bool markov_fail_with(struct markov *markov, const struct fault *fault)
{
    struct text text = {0};
    if (markov->judge->is_watched && watch_is_up()) /* perhaps it was cut, and there is no fault */
        return markov_stop(markov, watch_stop(watch_of_thread));
    markov->is_mistaken |= !stop_is_set(&markov->evaluator.failure);
    fault_print(fault, &text);
    pctl_fail_at(&markov->evaluator, fault->span.line, "%s", text_chars(&text));
    text_free(&text);
    return false;
}

bool markov_truth(struct markov *markov, const struct proposition *proposition, const int32_t *cells, bool *truth)
{
    struct fault fault;
    enum truth answer = stepper_judge(markov->judge, proposition, cells, NULL, &fault);
    *truth = answer == TRUTH_TRUE;
    bool is_cut = markov->judge->is_watched && watch_is_up();
    return answer == TRUTH_FAULT || is_cut ? markov_fail_with(markov, &fault) : true;
}

/* Most weights are constants: these need no state. */
static void load_for(struct markov *markov, const struct weight *weight, const int32_t *cells)
{
    if (weight->top || weight->bottom)
        chances_load(markov->chances, cells);
}

bool markov_parts(struct markov *markov, const struct weight *weight, const int32_t *cells, int64_t *top,
                  int64_t *bottom)
{
    struct fault fault;
    load_for(markov, weight, cells);
    return chances_parts(markov->chances, weight, top, bottom, &fault) || markov_fail_with(markov, &fault);
}

static bool fits_double(double number)
{
    return number == 0 || (fabs(number) >= DBL_MIN && fabs(number) <= DBL_MAX);
}

bool markov_number(struct markov *markov, const struct weight *weight, const int32_t *cells, double *number)
{
    struct fault fault;
    int64_t top = 1, bottom;
    if (!weight->top && !weight->bottom && isnormal(weight->value)) { /* most are */
        *number = weight->value;
        return true;
    }
    load_for(markov, weight, cells);
    if (!chances_number(markov->chances, weight, number, &fault))
        return markov_fail_with(markov, &fault);
    bool is_zero =
        !rational_sign(weight->factor) ||
        (*number == 0 && weight->top && chances_parts(markov->chances, weight, &top, &bottom, &fault) && !top);
    if (fits_double(*number) && (*number == 0) == is_zero)
        return true;
    if (!markov->options->is_exact)
        return pctl_fail(&markov->evaluator, "a number of the model is too %s for doubles (--exact takes it as it is)",
                         fabs(*number) < 1 ? "small" : "large");
    double nearest = fabs(*number) < 1 ? DBL_MIN : DBL_MAX;
    *number = (rational_sign(weight->factor) < 0) != (top < 0) ? -nearest : nearest;
    return true;
}

bool markov_is_short(struct markov *markov, const struct weight *weight, const int32_t *cells, double number)
{
    if (weight->is_rounded || fabs(number) > 0x1p10 || rint(number * 0x1p40) != number * 0x1p40)
        return false;
    int64_t top, bottom;
    if (!markov_parts(markov, weight, cells, &top, &bottom))
        return false;
    struct rational *exact =
        rational_create(bottom < 0 ? -top : top, bottom < 0 ? -(uint64_t)bottom : (uint64_t)bottom);
    struct rational *near = rational_create(0, 1);
    rational_multiply(exact, weight->factor);
    rational_set_double(near, number);
    bool is_exact = !rational_compare(exact, near);
    rational_destroy(exact);
    rational_destroy(near);
    return is_exact;
}

void markov_free(struct markov *markov)
{
    for (uint32_t i = 0; markov->state_reward && i < markov->chain->reward_count; i++) { /* else it was not built */
        free(markov->state_reward[i]);
        free(markov->row_reward[i]);
    }
    free(markov->state_reward);
    free(markov->row_reward);
    reverse_destroy(markov->reverse);
    from_start_free(markov->from_start);
    matrix_free(&markov->matrix);
    VEC_FREE(&markov->exit_rate);
    VEC_FREE(&markov->is_deadlock);
    explore_destroy(markov->explore);
    free(markov->orbit_sizes);
    stepper_destroy(markov->judge);
    chances_destroy(markov->chances);
    free(markov->cells);
    witness_free(&markov->witness);
    exact_chain_destroy(markov->exact);
    stop_free(&markov->evaluator.failure);
}
