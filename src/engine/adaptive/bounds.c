/* Why a search ends before its time, and what it says while it runs. */
#include <stdarg.h>

#include "engine/adaptive/search.h"

void bounds_begin(struct search *search)
{
    const struct engine_options *options = search->options;
    pace_begin(&search->pace, &options->limits, options->interrupted, options->progress, options->progress_user);
}

void bounds_stop(struct search *search, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    result_vset_stopped(search->result, format, arguments);
    va_end(arguments);
    search->stopped = true;
}

static uint64_t bounds_bytes(const struct search *search)
{
    return reached_bytes(&search->reached) + search->partitions.words.bytes + search->book.formulas.words.bytes +
           search->scene.locals.bytes + search->scene.shared.bytes;
}

bool bounds_tick(struct search *search)
{
    struct text why = {0};
    struct progress_sample sample = {
        .states = reached_count(&search->reached),
        .frontier = search->frontier,
        .rules_fired = search->result->statistics.rules_fired,
        .bytes = bounds_bytes(search),
        .depth = search->depth,
    };
    if (!pace_tick(&search->pace, sample, &why))
        bounds_stop(search, "%s", why.chars);
    text_free(&why);
    return !search->stopped;
}
