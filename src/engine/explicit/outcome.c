/* The verdicts and the figures when the search is over. */
#include <string.h>

#include "base/clock.h"
#include "engine/explicit/search.h"

/* A goal that was never met. Where its formula could not be evaluated, that is what to show. */
static void outcome_settle_cover(struct search *search, const struct property *property)
{
    struct fault fault = search->result->properties[property->id].fault;
    if (search->faulted[property->id] == STORE_NO_PARENT) {
        result_set_violated(search->result, property, NULL, NULL, "never reached");
        return;
    }
    struct finding finding = {property, TRACE_SHOWS_FALSE, &fault, search->faulted[property->id], NULL};
    struct text why = {0};
    fault_print(&fault, &why);
    result_set_violated(search->result, property, &fault, violation_trace(search, &finding), "never reached; %s",
                        text_chars(&why));
    text_free(&why);
}

static void outcome_settle_open(struct search *search, const struct property *property)
{
    struct result *result = search->result;
    if (!result->is_complete) {
        bool is_violation = strcmp(result->stopped_by, "first violation") == 0;
        result_set_verdict(result, property, VERDICT_UNKNOWN, "%s",
                           is_violation ? "the search stopped at the first violation" : result->stopped_by);
    } else if (property->kind == PROPERTY_COVER) {
        outcome_settle_cover(search, property);
    } else {
        result_set_verdict(result, property, VERDICT_HOLDS, NULL);
    }
}

static void outcome_fill_statistics(struct search *search)
{
    struct statistics *statistics = &search->result->statistics;
    statistics->states = store_count(search->store);
    if (search->worker.canon) {
        bigint_copy(statistics->represented, search->represented);
        bigint_add_u64(statistics->represented, search->represented_small);
    } else {
        bigint_set(statistics->represented, statistics->states);
    }
    statistics->depth = search->deepest;
    statistics->store_bytes = store_bytes(search->store);
    statistics->peak_bytes = clock_peak_bytes();
    statistics->seconds = clock_wall() - search->begin;
    statistics->cpu_seconds = clock_cpu() - search->begin_cpu;
}

void outcome_conclude(struct search *search)
{
    struct result *result = search->result;
    if (search->is_depth_cut && !search->stopped)
        search_stop(search, "depth limit (%lu)", (unsigned long)search->options->limits.depth);
    result->is_complete = !search->stopped;
    if (result->is_complete) {
        liveness_decide(search);
        dispute_settle(search);
    }
    for (size_t i = 0; i < search->system->properties.count; i++)
        if (result->checked[i] && !search->decided[i])
            outcome_settle_open(search, search->system->properties.items[i]);
    outcome_fill_statistics(search);
}
