/* The verdicts and the figures when the search is over. */
#include <string.h>

#include "base/clock.h"
#include "engine/adaptive/search.h"

static void finish_settle_open(struct search *search, const struct property *property)
{
    struct result *result = search->result;
    if (!result->is_complete) {
        bool is_violation = strcmp(result->stopped_by, "first violation") == 0;
        result_set_verdict(result, property, VERDICT_UNKNOWN, "%s",
                           is_violation ? "the search stopped at the first violation" : result->stopped_by);
    } else if (property->kind == PROPERTY_COVER) {
        result_set_violated(result, property, NULL, NULL, "never reached");
    } else {
        result_set_verdict(result, property, VERDICT_HOLDS, NULL);
    }
}

void finish_conclude(struct search *search)
{
    struct result *result = search->result;
    struct statistics *statistics = &result->statistics;
    if (search->is_depth_cut && !search->stopped)
        bounds_stop(search, "depth limit (%lu)", (unsigned long)search->options->limits.depth);
    result->is_complete = !search->stopped;
    for (size_t i = 0; i < search->system->properties.count; i++)
        if (result->checked[i] && !search->decided[i])
            finish_settle_open(search, search->system->properties.items[i]);
    statistics->states = reached_count(&search->reached);
    statistics->depth = search->deepest;
    statistics->store_bytes = reached_bytes(&search->reached);
    if (search->roster)
        represented_count(search);
    statistics->peak_bytes = clock_peak_bytes();
    statistics->seconds = clock_wall() - search->begin;
    statistics->cpu_seconds = clock_cpu() - search->begin_cpu;
}
