/* Limits while the search runs; verdicts and figures when it is over. */
#include "base/clock.h"
#include "engine/complete/explore.h"

void explore_begin(struct complete_search *search)
{
    const struct engine_options *options = search->options;
    pace_begin(&search->pace, &options->limits, options->interrupted, options->progress, options->progress_user);
}

void explore_stop(struct complete_search *search, struct stop stop)
{
    result_set_stopped(search->result, stop);
    search->stopped = true;
}

bool explore_tick(struct complete_search *search)
{
    struct stop stop;
    struct progress_sample sample = {
        .states = search->result->statistics.states,
        .frontier = search->frames.count,
        .rules_fired = search->result->statistics.rules_fired,
        .bytes = search->node_bytes + search->terms->bytes + search->memos->bytes,
        .depth = (uint32_t)search->frames.count,
    };
    if (!pace_tick(&search->pace, sample, &stop))
        explore_stop(search, stop);
    return !search->stopped;
}

/* A goal that was never met, whose formula could not be evaluated somewhere: that is what to show. */
static void settle_faulted_cover(struct complete_search *search, const struct property *property)
{
    struct fault fault = search->result->properties[property->id].fault;
    result_set_failed(search->result, property, &fault, search->fault_traces[property->id], NULL);
    search->fault_traces[property->id] = NULL;
}

static void settle_open(struct complete_search *search, const struct property *property)
{
    bool is_cover = search->result->is_complete && property->kind == PROPERTY_COVER;
    if (is_cover && search->is_faulted[property->id])
        settle_faulted_cover(search, property);
    else
        result_settle(search->result, property);
}

void settle_conclude(struct complete_search *search)
{
    struct result *result = search->result;
    struct statistics *statistics = &result->statistics;
    if (search->is_depth_cut && !search->stopped)
        explore_stop(search, stop_limit(STOP_DEPTH, search->options->limits.depth));
    result->is_complete = !search->stopped;
    for (size_t i = 0; i < search->system->properties.count; i++)
        if (result->checked[i] && !search->decided[i])
            settle_open(search, search->system->properties.items[i]);
    statistics->visited = search->visited;
    statistics->subsumed = search->subsumed;
    statistics->depth = search->deepest;
    bigint_set(statistics->represented, statistics->states);
    statistics->represented_is_exact = false;
    if (search->terms->is_heavy_met && search->options->permutations != COMPLETE_NONE)
        result_fall_back(result, NULL, "permutations",
                         "they are not followed through large terms, and what these depend on is kept as it is: fewer "
                         "states are subsumed");
    if (search->memos->is_cut && search->options->permutations != COMPLETE_NONE)
        result_fall_back(result, NULL, "permutations",
                         "for some states none was found among the first ones tried: fewer states are subsumed");
    statistics->store_bytes = search->terms->bytes + search->memos->bytes;
    statistics->peak_bytes = clock_peak_bytes();
    statistics->seconds = pace_seconds(&search->pace);
    statistics->cpu_seconds = pace_cpu_seconds(&search->pace);
}
