/* Why a search ends before its time, and what it says while it runs. */
#include <stdarg.h>

#include "base/clock.h"
#include "engine/adaptive/search.h"

static const double BOUNDS_PROGRESS_SECONDS = 0.2;
static const double BOUNDS_TICK_SECONDS = 0.02;
enum { BOUNDS_FIRST_INTERVAL = 256, BOUNDS_LONGEST_INTERVAL = 1 << 18 };

void bounds_begin(struct search *search)
{
    search->begin = search->last_tick = search->last_progress = clock_wall();
    search->begin_cpu = clock_cpu();
    search->until_tick = search->tick_interval = BOUNDS_FIRST_INTERVAL;
}

void bounds_stop(struct search *search, const char *format, ...)
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

static uint64_t bounds_bytes(const struct search *search)
{
    return reached_bytes(&search->reached) + search->partitions.words.bytes + search->book.formulas.words.bytes +
           search->scene.locals.bytes + search->scene.shared.bytes;
}

static void bounds_show_progress(struct search *search, double now)
{
    const struct engine_options *options = search->options;
    if (!options->progress || now - search->last_progress < BOUNDS_PROGRESS_SECONDS)
        return;
    search->last_progress = now;
    struct progress_sample sample = {
        .states = reached_count(&search->reached),
        .frontier = search->frontier,
        .rules_fired = search->result->statistics.rules_fired,
        .bytes = bounds_bytes(search),
        .depth = search->depth,
        .seconds = now - search->begin,
    };
    options->progress(options->progress_user, &sample);
}

/* The clock is read about every BOUNDS_TICK_SECONDS, however fast or slow the model is. */
static void bounds_adapt(struct search *search, double now)
{
    double elapsed = now - search->last_tick;
    if (elapsed < BOUNDS_TICK_SECONDS / 2 && search->tick_interval < BOUNDS_LONGEST_INTERVAL)
        search->tick_interval *= 2;
    if (elapsed > BOUNDS_TICK_SECONDS * 2 && search->tick_interval > 1)
        search->tick_interval /= 2;
    search->until_tick = search->tick_interval;
    search->last_tick = now;
}

bool bounds_tick(struct search *search)
{
    const struct limits *limits = &search->options->limits;
    double now = clock_wall();
    bounds_adapt(search, now);
    bounds_show_progress(search, now);
    if (search->options->interrupted && *search->options->interrupted)
        bounds_stop(search, "interrupted");
    else if (limits->seconds > 0 && now - search->begin >= limits->seconds)
        bounds_stop(search, "time limit (%g s)", limits->seconds);
    else if (limits->memory_bytes && bounds_bytes(search) >= limits->memory_bytes)
        bounds_stop(search, "memory limit (%llu MiB)", (unsigned long long)limits->memory_bytes >> 20);
    return !search->stopped;
}
