/* The limits of a search, and its progress reports.
 *
 * A search tells pace_spend what it has done, in units of its own. Now and then, about fifty times a second for every
 * cost of a unit, and when the watch of the thread is over, the answer is that it is time for pace_tick, which looks at
 * the clock and the limits. */
#ifndef NOETHER_BASE_PACE_H
#define NOETHER_BASE_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/flag.h"
#include "base/watch.h"

/* 0: no limit. */
struct limits {
    uint64_t memory_bytes, states;
    double seconds, asked_seconds; /* asked: what the user said, where a part of it is spent already; else 0 */
    uint32_t depth;
    uint64_t work; /* in units of pace_spend: for a trial that ends the same way every time */
};

/* As the user knows the limit of time. */
static inline double limits_asked_seconds(const struct limits *limits)
{
    return limits->asked_seconds > 0 ? limits->asked_seconds : limits->seconds;
}

/* Subtracts time that has passed. */
static inline void limits_take_seconds(struct limits *limits, double seconds)
{
    if (!(limits->seconds > 0))
        return;
    limits->asked_seconds = limits_asked_seconds(limits);
    limits->seconds = limits->seconds > seconds + 1e-3 ? limits->seconds - seconds : 1e-3;
}

/* Called now and then from the search; must be quick. */
struct progress_sample {
    uint64_t states, frontier, rules_fired, bytes;
    double represented; /* states of the model that the states stand for; 0: not counted */
    uint64_t nodes;     /* of decision diagrams; states are not counted then. 0: there are none */
    uint32_t depth;
    uint32_t frames, clauses; /* of IC3; frames 0: there are none */
    double seconds;
    uint64_t iterations; /* of numbers, once the states are known; what is asked for lies between these by then */
    double lower, upper;
};
typedef void progress_function(void *user, const struct progress_sample *sample);

struct pace {
    const struct limits *limits;
    const volatile int *interrupted; /* or NULL */
    progress_function *progress;     /* or NULL */
    void *progress_user;
    double begin, begin_cpu, last_tick, last_progress;
    int64_t until_tick, interval;
    uint64_t spent; /* at the last tick */
};

void pace_begin(struct pace *pace, const struct limits *limits, const volatile int *interrupted,
                progress_function *progress, void *progress_user);
static inline bool pace_spend(struct pace *pace, uint32_t work)
{
    pace->until_tick -= work;
    return pace->until_tick > 0 && !watch_is_up();
}
/* `sample`: all but the seconds. False: a limit is reached, *stop says which. */
bool pace_tick(struct pace *pace, struct progress_sample sample, struct stop *stop);
double pace_seconds(const struct pace *pace);
double pace_cpu_seconds(const struct pace *pace);

#endif
