/* The verdicts and the figures when the search is over. */
#include "base/clock.h"
#include "engine/adaptive/search.h"

/* A goal that was never met. Where its formula could not be evaluated, that is what to show. */
static void finish_settle(struct adaptive_search *search, const struct property *property)
{
    struct unevaluated *noted = &search->unevaluated[property->id];
    if (!search->result->is_complete || !noted->trace) {
        result_settle(search->result, property);
        return;
    }
    result_set_failed(search->result, property, &noted->fault, noted->trace, NULL);
    noted->trace = NULL;
}

void finish_conclude(struct adaptive_search *search)
{
    struct result *result = search->result;
    struct statistics *statistics = &result->statistics;
    if (search->is_depth_cut && !search->stopped)
        bounds_stop(search, stop_limit(STOP_DEPTH, search->options->limits.depth));
    result->is_complete = !search->stopped;
    for (size_t i = 0; i < search->system->properties.count; i++)
        if (result->checked[i] && !search->decided[i])
            finish_settle(search, search->system->properties.items[i]);
    statistics->states = reached_count(&search->reached);
    statistics->depth = search->deepest;
    statistics->store_bytes = reached_bytes(&search->reached);
    if (search->roster)
        represented_count(search);
    statistics->peak_bytes = clock_peak_bytes();
    statistics->seconds = pace_seconds(&search->pace);
    statistics->cpu_seconds = pace_cpu_seconds(&search->pace);
}
