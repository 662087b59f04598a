/* About what a CTMC is worth after a time, by some random runs: an estimate that says how exact a method must be, never
 * a bound. The same runs each time. */
#ifndef NOETHER_NUMERIC_SAMPLE_H
#define NOETHER_NUMERIC_SAMPLE_H

#include "numeric/matrix.h"

struct sampling {
    const struct matrix *matrix; /* one row for each state */
    const double *exit_rate;     /* by state */
    const uint8_t *active;       /* by state: a run ends in others */
    const double *values;        /* by state: what it is worth to end there; NULL: nothing */
    const double *gains;         /* by state: what it is worth to be there for a unit of time; NULL: nothing */
    uint32_t start;
    double time;
    bool (*go_on)(void *user); /* asked between runs, and in long ones */
    void *user;
};

/* Hardly ever more than it is. 0: it is next to nothing, the runs are too long, or go_on said no. */
double sample_worth(const struct sampling *sampling);

#endif
