/* The evidence for a number: the convergence of its bounds, and a run under a scheduler that attains it. */
#ifndef NOETHER_RESULT_QUANTITY_H
#define NOETHER_RESULT_QUANTITY_H

#include "base/vec.h"
#include "result/trace.h"

/* The bounds of the value in the initial state after this number of sweeps. */
struct convergence_point {
    uint64_t iteration;
    double lower, upper;
};

/* The most likely run to the goal under a scheduler that attains the number (in a Markov chain: the most likely run).
 */
struct scheduled_run {
    struct trace *trace; /* NULL: none */
    double *chances;     /* by step: of that outcome of the choice; step 0: 1 */
    double chance;       /* of the whole run */
    bool is_cut;         /* it goes on; only its beginning is here */
};

/* What a scheduler that attains the number does in one state (with symmetry: in a representative of the orbit). */
struct scheduled_choice {
    int32_t *cells;
    const char *action;      /* of the choice; NULL: none */
    const struct rule *rule; /* its first outcome */
};

/* A point of a Pareto curve: the bounds of both objectives, and (NULL: not known) their values as fractions. */
struct pareto_point {
    double lower[2], upper[2];
    char *exact[2];
};

/* What filter(print, ...) shows of a state: whether it holds there, or a number between bounds, or exactly. */
struct state_value {
    int32_t *cells;
    bool is_truth, holds;
    double lower, upper;
    char *exact; /* or NULL */
};

struct quantity {
    char *exact; /* the value as a fraction, "infinity", or NULL: only its bounds are known */
    VEC(struct pareto_point)
    pareto; /* of two objectives: the corners of what schedulers attain; empty: no such thing */
    VEC(struct convergence_point) convergence;
    struct scheduled_run run;
    const struct layout *layout;            /* of the states of the scheduler, and of those that are printed */
    VEC(struct state_value) printed;        /* filter(print, ...); empty: not requested, or none */
    VEC(struct scheduled_choice) scheduler; /* in the states it can reach before the goal; empty: not requested */
};

void quantity_free(struct quantity *quantity);
void quantity_drop_scheduler(struct quantity *quantity);

#endif
