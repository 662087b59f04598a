/* How long an analysis may go on: it asks now and then, and ends with what it has when the answer is no. */
#ifndef NOETHER_BASE_WATCH_H
#define NOETHER_BASE_WATCH_H

#include "base/pace.h"
#include "base/stop.h"

struct watch {
    struct limits limits;
    struct pace pace;
    struct stop stop; /* none while it may go on */
    bool is_over;
};

/* The watch must stay where it is. seconds 0: no limit; interrupted may be NULL. */
void watch_begin(struct watch *watch, double seconds, const volatile int *interrupted);
void watch_end(struct watch *watch);
/* `work`: done since the last question, in any unit. NULL is a watch that is never over. */
bool watch_is_over(struct watch *watch, uint32_t work);

#endif
