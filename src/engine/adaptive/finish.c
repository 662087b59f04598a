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

/* A rule that partial evaluation does not follow is fired in each state that an abstract state stands for. */
static void finish_name_unclear(struct adaptive_search *search)
{
    for (size_t v = 0; v < search->variants.count; v++) {
        const struct variant *variant = &search->variants.items[v];
        if (variant->is_unclear && variant->rule)
            result_fall_back(search->result, NULL, "partitions",
                             "rule \"%s\" of line %u is too involved for them: it was fired state by state",
                             variant->rule->name, variant->rule->span.line);
        else if (variant->is_unclear)
            result_fall_back(search->result, variant->property, "partitions",
                             "the formula is too involved for them: it was evaluated state by state");
    }
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
    finish_name_unclear(search);
    statistics->peak_bytes = clock_peak_bytes();
    statistics->seconds = pace_seconds(&search->pace);
    statistics->cpu_seconds = pace_cpu_seconds(&search->pace);
}
