/* Why a search ends before its time, and what it says while it runs. */
#include <stdarg.h>

#include "base/clock.h"
#include "engine/explicit/search.h"

static const double LIMITS_PROGRESS_SECONDS = 0.2;
static const double LIMITS_TICK_SECONDS = 0.02;
enum { LIMITS_FIRST_INTERVAL = 64, LIMITS_LONGEST_INTERVAL = 1 << 16 };

void limits_begin(struct search *search)
{
    search->begin = search->last_tick = search->last_progress = clock_wall();
    search->begin_cpu = clock_cpu();
    search->until_tick = search->tick_interval = LIMITS_FIRST_INTERVAL;
}

void search_stop(struct search *search, const char *format, ...)
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

void limits_print_memory(uint64_t bytes, struct text *out)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    while (unit < 4 && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    text_format(out, "%llu %s", (unsigned long long)bytes, units[unit]);
}

void search_stop_full(struct search *search)
{
    if (store_is_at_state_limit(search->store)) {
        search_stop(search, "state limit (%lu)", (unsigned long)store_count(search->store));
        return;
    }
    if (!search->budget.limit) {
        search_stop(search, "out of memory");
        return;
    }
    struct text limit = {0};
    limits_print_memory(search->budget.limit, &limit);
    search_stop(search, "memory limit (%s)", text_chars(&limit));
    text_free(&limit);
}

static void limits_show_progress(struct search *search, double now)
{
    const struct engine_options *options = search->options;
    if (!options->progress || now - search->last_progress < LIMITS_PROGRESS_SECONDS)
        return;
    search->last_progress = now;
    struct progress_sample sample = {
        .states = store_count(search->store),
        .frontier = search->frontier,
        .rules_fired = search->result->statistics.rules_fired,
        .bytes = search->budget.used,
        .depth = search->depth,
        .seconds = now - search->begin,
    };
    options->progress(options->progress_user, &sample);
}

/* The clock is read about every LIMITS_TICK_SECONDS, however fast or slow the model is. */
static void limits_adapt(struct search *search, double now)
{
    double elapsed = now - search->last_tick;
    if (elapsed < LIMITS_TICK_SECONDS / 2 && search->tick_interval < LIMITS_LONGEST_INTERVAL)
        search->tick_interval *= 2;
    if (elapsed > LIMITS_TICK_SECONDS * 2 && search->tick_interval > 1)
        search->tick_interval /= 2;
    search->until_tick = search->tick_interval;
    search->last_tick = now;
}

bool limits_tick(struct search *search)
{
    const struct limits *limits = &search->options->limits;
    double now = clock_wall();
    limits_adapt(search, now);
    limits_show_progress(search, now);
    if (search->options->interrupted && *search->options->interrupted)
        search_stop(search, "interrupted");
    else if (limits->seconds > 0 && now - search->begin >= limits->seconds)
        search_stop(search, "time limit (%g s)", limits->seconds);
    return !search->stopped;
}
