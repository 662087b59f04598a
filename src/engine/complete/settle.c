/* Limits while the search runs; verdicts and figures when it is over. */
#include <stdarg.h>
#include <string.h>

#include "base/clock.h"
#include "engine/complete/explore.h"

static const double SETTLE_PROGRESS_SECONDS = 0.2;
enum { SETTLE_TICK = 64 };

void pace_begin(struct search *search)
{
    search->begin = search->last_progress = clock_wall();
    search->begin_cpu = clock_cpu();
    search->until_tick = SETTLE_TICK;
}

void explore_stop(struct search *search, const char *format, ...)
{
    struct text reason = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&reason, format, arguments);
    va_end(arguments);
    result_set_stopped(search->result, "%s", text_chars(&reason));
    text_free(&reason);
    search->stopped = true;
}

static uint64_t pace_bytes(const struct search *search)
{
    return search->node_bytes + search->terms->bytes + search->memos->bytes;
}

static void pace_show_progress(struct search *search, double now)
{
    const struct engine_options *options = search->options;
    if (!options->progress || now - search->last_progress < SETTLE_PROGRESS_SECONDS)
        return;
    search->last_progress = now;
    struct progress_sample sample = {
        .states = search->result->statistics.states,
        .frontier = search->frames.count,
        .rules_fired = search->result->statistics.rules_fired,
        .bytes = pace_bytes(search),
        .depth = (uint32_t)search->frames.count,
        .seconds = now - search->begin,
    };
    options->progress(options->progress_user, &sample);
}

bool pace_tick(struct search *search)
{
    const struct limits *limits = &search->options->limits;
    double now = clock_wall();
    search->until_tick = SETTLE_TICK;
    pace_show_progress(search, now);
    if (search->options->interrupted && *search->options->interrupted)
        explore_stop(search, "interrupted");
    else if (limits->seconds > 0 && now - search->begin >= limits->seconds)
        explore_stop(search, "time limit (%g s)", limits->seconds);
    else if (limits->memory_bytes && pace_bytes(search) > limits->memory_bytes)
        explore_stop(search, "memory limit (%llu MiB)", (unsigned long long)(limits->memory_bytes >> 20));
    return !search->stopped;
}

/* A goal that was never met. Where its formula could not be evaluated, that is what to show. */
static void settle_settle_cover(struct search *search, const struct property *property)
{
    struct fault fault = search->result->properties[property->id].fault;
    if (!search->is_faulted[property->id]) {
        result_set_violated(search->result, property, NULL, NULL, "never reached");
        return;
    }
    struct text why = {0};
    fault_print(&fault, &why);
    result_set_violated(search->result, property, &fault, search->fault_traces[property->id], "never reached; %s",
                        text_chars(&why));
    search->fault_traces[property->id] = NULL;
    text_free(&why);
}

static void settle_settle_open(struct search *search, const struct property *property)
{
    struct result *result = search->result;
    if (!result->is_complete) {
        bool is_violation = strcmp(result->stopped_by, "first violation") == 0;
        result_set_verdict(result, property, VERDICT_UNKNOWN, "%s",
                           is_violation ? "the search stopped at the first violation" : result->stopped_by);
    } else if (property->kind == PROPERTY_COVER) {
        settle_settle_cover(search, property);
    } else {
        result_set_verdict(result, property, VERDICT_HOLDS, NULL);
    }
}

void settle_conclude(struct search *search)
{
    struct result *result = search->result;
    struct statistics *statistics = &result->statistics;
    if (search->is_depth_cut && !search->stopped)
        explore_stop(search, "depth limit (%lu)", (unsigned long)search->options->limits.depth);
    result->is_complete = !search->stopped;
    for (size_t i = 0; i < search->system->properties.count; i++)
        if (result->checked[i] && !search->decided[i])
            settle_settle_open(search, search->system->properties.items[i]);
    statistics->visited = search->visited;
    statistics->subsumed = search->subsumed;
    statistics->depth = search->deepest;
    bigint_set(statistics->represented, statistics->states);
    statistics->represented_is_exact = false;
    statistics->store_bytes = search->terms->bytes + search->memos->bytes;
    statistics->peak_bytes = clock_peak_bytes();
    statistics->seconds = clock_wall() - search->begin;
    statistics->cpu_seconds = clock_cpu() - search->begin_cpu;
}
