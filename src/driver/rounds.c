#include "driver/rounds.h"

#include "base/clock.h"

/* The first round has so many states, each other so many times as many as the one before. */
enum { ROUNDS_FIRST = 16384, ROUNDS_FACTOR = 4 };
/* A graph has no more: nothing would be found in more. */
#define ROUNDS_MOST ((uint64_t)1 << 32)

void rounds_hurry(const struct plan *plan, struct attempt *attempt)
{
    struct limits *limits = &attempt->options.limits;
    limits->seconds = plan->options.limits.seconds;
    limits->asked_seconds = plan->options.limits.asked_seconds;
    limits_take_seconds(limits, clock_wall() - plan->begin);
}

void rounds_add_time(struct result *result, const struct result *more)
{
    result->statistics.seconds += more->statistics.seconds;
    result->statistics.cpu_seconds += more->statistics.cpu_seconds;
}

/* What is decided on the way is told of where it is about the properties of the model: nothing is to be lifted. */
static struct result *run_heard(const struct attempt *attempt, const struct view *view)
{
    struct result_listener listener = {view->layout, attempt->options.tell};
    bool is_heard = listener.tell && !view->lift && attempt->base != BASE_COMBINED;
    const struct result_listener *before = result_listen(is_heard ? &listener : NULL);
    struct result *result = attempt->engine->run(view->layout, view->symmetry, &attempt->options);
    result_listen(before);
    return result;
}

static bool has_open_ltl(const struct result *result)
{
    const struct system *system = result->system;
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->ltl && result->checked[i] && result->properties[i].verdict == VERDICT_UNKNOWN)
            return true;
    return false;
}

/* Why nothing more is decided. */
static void stop_all(struct result *result, struct stop stop)
{
    result_set_stopped(result, stop);
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (result_is_open(result, i))
            result_settle(result, result->system->properties.items[i]);
}

/* What was found in earlier rounds is known. A round that a limit ended before it was as far as the last says only
 * that.
 */
static struct result *take_found(struct result *result, struct result *before)
{
    if (!before)
        return result;
    if (!result->is_complete && result->statistics.states < before->statistics.states) {
        struct result *cut = result;
        result = before;
        before = cut;
        stop_all(result, stop_copy(&cut->stop));
    }
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (result->properties[i].verdict == VERDICT_UNKNOWN && before->properties[i].verdict == VERDICT_VIOLATED)
            result_fill(result, before, result->system->properties.items[i]);
    result_take_fallbacks(result, before);
    rounds_add_time(result, before);
    result_destroy(before);
    return result;
}

static bool has_violation(const struct result *result)
{
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (result->checked[i] && result->properties[i].verdict == VERDICT_VIOLATED)
            return true;
    return false;
}

/* Looks for violations in as many states as the search has seen before a limit ended it; in fewer, where memory did: a
 * graph takes more. True: that is the answer. */
static bool round_hunt(const struct attempt *attempt, const struct view *view, bool *has_memory, struct result *result)
{
    const struct engine_options *options = &attempt->options;
    bool is_memory = result->stop.kind == STOP_MEMORY;
    bool is_part = is_memory || result->stop.kind == STOP_STATES || result->stop.kind == STOP_DEPTH;
    if (!*has_memory || !has_open_ltl(result) || !is_part)
        return false;
    uint64_t most = result->statistics.states / (is_memory ? ROUNDS_FACTOR : 1);
    *has_memory = temporal_hunt(view->layout, view->symmetry, options, most ? most : 1, result);
    if (!has_violation(result) || options->keep_going)
        return false;
    stop_all(result, stop_of(STOP_VIOLATION)); /* one is enough */
    return true;
}

/* The last round has the limit of the user. */
static struct result *rounds_search(const struct plan *plan, struct attempt *attempt, const struct view *view)
{
    struct limits *limits = &attempt->options.limits;
    struct result *result = NULL;
    uint64_t wanted = limits->states;
    bool has_memory = true; /* to look at more states than in the last round */
    for (uint64_t most = ROUNDS_FIRST;; most *= ROUNDS_FACTOR) {
        struct result *before = result;
        bool is_last = (wanted && wanted <= most) || most > ROUNDS_MOST || (before && !has_open_ltl(before));
        limits->states = is_last ? wanted : most;
        rounds_hurry(plan, attempt);
        result = take_found(run_heard(attempt, view), before);
        if (round_hunt(attempt, view, &has_memory, result) || is_last || result->stop.kind != STOP_STATES)
            break;
        if (watch_is_up()) { /* another round would see nothing */
            stop_all(result, watch_stop(watch_of_thread));
            break;
        }
    }
    limits->states = wanted;
    return result;
}

struct result *rounds_run(const struct plan *plan, struct attempt *attempt, const struct view *view)
{
    struct result *result;
    if (attempt->engine->leaves_ctl && system_has_ltl(view->layout->system) && !attempt->options.on_state) {
        result = rounds_search(plan, attempt, view);
    } else {
        rounds_hurry(plan, attempt);
        result = run_heard(attempt, view);
    }
    if (attempt->engine->leaves_ctl && result->is_complete)
        temporal_decide(view->layout, view->symmetry, &attempt->options, result);
    return result;
}
