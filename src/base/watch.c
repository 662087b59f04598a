#include "base/watch.h"

#include <stddef.h>

void watch_begin(struct watch *watch, double seconds, const volatile int *interrupted)
{
    *watch = (struct watch){.limits = {.seconds = seconds}};
    pace_begin(&watch->pace, &watch->limits, interrupted, NULL, NULL);
}

void watch_end(struct watch *watch)
{
    stop_free(&watch->stop);
}

bool watch_is_over(struct watch *watch, uint32_t work)
{
    if (!watch || watch->is_over)
        return watch != NULL;
    if (pace_spend(&watch->pace, work))
        return false;
    watch->is_over = !pace_tick(&watch->pace, (struct progress_sample){0}, &watch->stop);
    return watch->is_over;
}
