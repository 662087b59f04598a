#include "engine/probabilistic/markov.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/witness.h"

bool markov_fail(struct markov *markov, const char *format, ...)
{
    if (markov->failure)
        return false;
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&text, format, arguments);
    va_end(arguments);
    markov->failure = text.chars;
    return false;
}

void markov_report_progress(struct markov *markov, uint32_t state)
{
    const struct engine_options *options = markov->options;
    struct progress_sample sample = {.states = markov_count(markov), .frontier = markov_count(markov) - state,
                                     .rules_fired = markov->result->statistics.rules_fired,
                                     .bytes = budget_used(&markov->budget), .seconds = clock_wall() - markov->began};
    if (markov->witness.has_bounds) {
        sample.iterations = markov->witness.sweeps + 1;
        sample.lower = markov->witness.lower;
        sample.upper = markov->witness.upper;
    }
    if (options->progress)
        options->progress(options->progress_user, &sample);
}

bool markov_may_go_on(void *user)
{
    struct markov *markov = user;
    const struct engine_options *options = markov->options;
    if (options->interrupted && *options->interrupted)
        return markov_fail(markov, "interrupted");
    if (options->limits.seconds > 0 && clock_wall() - markov->began > options->limits.seconds)
        return markov_fail(markov, "time limit (%g s)", limits_asked_seconds(&options->limits));
    if (markov->witness.has_bounds)
        markov_report_progress(markov, markov_count(markov));
    return true;
}

uint32_t markov_count(const struct markov *markov)
{
    return store_count(markov->store);
}

const struct reverse *markov_reverse(struct markov *markov)
{
    if (!markov->reverse)
        markov->reverse = reverse_create(&markov->matrix);
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
    fault_print(fault, &text);
    markov_fail(markov, "%s (line %u)", text_chars(&text), fault->span.line);
    text_free(&text);
    return false;
}

bool markov_truth(struct markov *markov, const struct proposition *proposition, const int32_t *cells, bool *truth)
{
    struct fault fault;
    enum truth answer = stepper_judge(markov->judge, proposition, cells, NULL, &fault);
    *truth = answer == TRUTH_TRUE;
    return answer == TRUTH_FAULT ? markov_fail_with(markov, &fault) : true;
}

static bool part_of_weight(struct markov *markov, const struct expr *expr, const int32_t *cells, int64_t *value)
{
    struct fault fault;
    *value = 1;
    if (!expr)
        return true;
    probe_load(markov->probe, cells);
    return probe_value(markov->probe, expr, value, &fault) == PROBE_VALUE || markov_fail_with(markov, &fault);
}

bool markov_parts(struct markov *markov, const struct weight *weight, const int32_t *cells, int64_t *top,
                  int64_t *bottom)
{
    if (!part_of_weight(markov, weight->top, cells, top) || !part_of_weight(markov, weight->bottom, cells, bottom))
        return false;
    return *bottom || markov_fail(markov, "division by zero (line %u)", weight->bottom->span.line);
}

bool markov_number(struct markov *markov, const struct weight *weight, const int32_t *cells, double *number)
{
    int64_t top, bottom;
    if (!markov_parts(markov, weight, cells, &top, &bottom))
        return false;
    *number = weight->bottom ? weight->value * (double)top / (double)bottom : weight->value * (double)top;
    return true;
}

void markov_free(struct markov *markov)
{
    for (uint32_t i = 0; i < markov->chain->reward_count; i++) {
        free(markov->state_reward[i]);
        free(markov->row_reward[i]);
    }
    free(markov->state_reward);
    free(markov->row_reward);
    reverse_destroy(markov->reverse);
    matrix_free(&markov->matrix);
    VEC_FREE(&markov->exit_rate);
    VEC_FREE(&markov->is_deadlock);
    store_destroy(markov->store);
    canon_destroy(markov->canon);
    free(markov->orbit_sizes);
    stepper_destroy(markov->judge);
    probe_destroy(markov->probe);
    free(markov->cells);
    witness_free(&markov->witness);
    exact_chain_destroy(markov->exact);
    free(markov->failure);
}
