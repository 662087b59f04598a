#include "base/pace.h"

#include "base/clock.h"
#include "base/stop.h"

static const double PACE_PROGRESS_SECONDS = 0.2;
static const double PACE_TICK_SECONDS = 0.02;
enum { PACE_FIRST_INTERVAL = 64, PACE_LONGEST_INTERVAL = 1 << 18 };

void pace_begin(struct pace *pace, const struct limits *limits, const volatile int *interrupted,
                progress_function *progress, void *progress_user)
{
    *pace = (struct pace){
        .limits = limits, .interrupted = interrupted, .progress = progress, .progress_user = progress_user};
    pace->begin = pace->last_tick = pace->last_progress = clock_wall();
    pace->begin_cpu = clock_cpu();
    pace->until_tick = pace->interval = PACE_FIRST_INTERVAL;
}

/* The clock is read about every PACE_TICK_SECONDS, however fast or slow the model is. */
static void pace_adapt(struct pace *pace, double now)
{
    double elapsed = now - pace->last_tick;
    pace->spent += (uint64_t)(pace->interval - pace->until_tick);
    if (elapsed < PACE_TICK_SECONDS / 2 && pace->interval < PACE_LONGEST_INTERVAL)
        pace->interval *= 2;
    if (elapsed > PACE_TICK_SECONDS * 2 && pace->interval > 1)
        pace->interval /= 2;
    /* A limit on the work must not depend on the clock. */
    if (pace->limits->work > pace->spent && (uint64_t)pace->interval > pace->limits->work - pace->spent)
        pace->interval = (int64_t)(pace->limits->work - pace->spent);
    pace->until_tick = pace->interval;
    pace->last_tick = now;
}

static void pace_show(struct pace *pace, struct progress_sample *sample, double now)
{
    if (!pace->progress || now - pace->last_progress < PACE_PROGRESS_SECONDS)
        return;
    pace->last_progress = now;
    sample->seconds = now - pace->begin;
    pace->progress(pace->progress_user, sample);
}

bool pace_tick(struct pace *pace, struct progress_sample sample, struct stop *stop)
{
    const struct limits *limits = pace->limits;
    double now = clock_wall();
    pace_adapt(pace, now);
    pace_show(pace, &sample, now);
    if (watch_is_up())
        *stop = watch_stop(watch_of_thread);
    else if (flag_is_set(pace->interrupted))
        *stop = stop_of(STOP_INTERRUPTED);
    else if (limits->seconds > 0 && now - pace->begin >= limits->seconds)
        *stop = stop_time(limits_asked_seconds(limits));
    else if (limits->memory_bytes && sample.bytes >= limits->memory_bytes)
        *stop = stop_limit(STOP_MEMORY, limits->memory_bytes);
    else if (limits->work && pace->spent >= limits->work)
        *stop = stop_of(STOP_WORK);
    else
        return true;
    return false;
}

double pace_seconds(const struct pace *pace)
{
    return clock_wall() - pace->begin;
}

double pace_cpu_seconds(const struct pace *pace)
{
    return clock_cpu() - pace->begin_cpu;
}
