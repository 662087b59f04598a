/* Why a search ends before its time, and what it says while it runs. */
#include "engine/adaptive/search.h"

void bounds_begin(struct adaptive_search *search)
{
    const struct engine_options *options = search->options;
    pace_begin(&search->pace, &options->limits, options->interrupted, options->progress, options->progress_user);
    search->is_racing = options->race.cpu_seconds > 0;
    if (!search->is_racing)
        return;
    watch_begin_trial(&search->watch, options->race.cpu_seconds, options->interrupted);
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

/* It is won, or lost, or there is nothing more to search. What the watch has cut is lost. */
static void bounds_end_race(struct adaptive_search *search)
{
    enum stop_kind kind = search->stopped ? search->result->stop.kind : STOP_NONE;
    bool is_cut = watch_was_cut(&search->watch) || kind == STOP_TIME || kind == STOP_MEMORY;
    watch_end(&search->watch);
    search->is_racing = false;
    if (is_cut)
        bounds_stop(search, watch_is_up() ? watch_stop(watch_of_thread) : stop_of(STOP_WORK));
}

void bounds_end(struct adaptive_search *search)
{
    if (search->is_racing)
        bounds_end_race(search);
}

static void bounds_race(struct adaptive_search *search)
{
    const struct race *race = &search->options->race;
    if (search->stopped || search->depth >= race->depth)
        bounds_end_race(search);
    else if (pace_cpu_seconds(&search->pace) > race->cpu_seconds)
        bounds_stop(search, stop_of(STOP_WORK));
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
    if (search->is_racing)
        bounds_race(search);
    return !search->stopped;
}
