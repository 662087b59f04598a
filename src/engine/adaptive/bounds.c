/* Why a search ends before its time, and what it says while it runs. */
#include "engine/adaptive/search.h"

void bounds_begin(struct adaptive_search *search)
{
    const struct engine_options *options = search->options;
    pace_begin(&search->pace, &options->limits, options->interrupted, options->progress, options->progress_user);
}

void bounds_stop(struct adaptive_search *search, struct stop stop)
{
    result_set_stopped(search->result, stop);
    search->stopped = true;
}

static uint64_t bounds_bytes(const struct adaptive_search *search)
{
    return reached_bytes(&search->reached) + search->partitions.words.bytes + search->book.formulas.words.bytes +
           search->scene.locals.bytes + search->scene.shared.bytes;
}

bool bounds_tick(struct adaptive_search *search)
{
    struct stop stop;
    struct progress_sample sample = {
        .states = reached_count(&search->reached),
        .frontier = search->frontier,
        .rules_fired = search->result->statistics.rules_fired,
        .bytes = bounds_bytes(search),
        .depth = search->depth,
    };
    if (!pace_tick(&search->pace, sample, &stop))
        bounds_stop(search, stop);
    return !search->stopped;
}
