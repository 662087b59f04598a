/* The Markov chain or decision process as a matrix: its reachable states, numbered as they were found, and the
 * probabilities between them.
 *
 * With a group: one state of each orbit, and the probabilities of all states of an orbit added up (Donaldson and
 * Miller, "Symmetry reduction for probabilistic model checking using generic representatives", section 3). The
 * properties must be invariant under the group. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_MARKOV_H
#define NOETHER_ENGINE_PROBABILISTIC_MARKOV_H

#include "engine/engine.h"
#include "explore/explore.h"
#include "numeric/fixpoint.h"
#include "pctl/evaluate.h"
#include "result/chance.h"

/* witness.h */
struct witness {
    VEC(struct convergence_point) series;
    uint64_t stride; /* one in so many sweeps is kept */
    /* Of the root of the evaluation, the property itself: what is certain of the initial state, whatever happens. */
    bool is_root; /* of the problem under way: it is that of the root */
    bool has_bounds;
    double lower, upper;
    uint64_t sweeps;
    uint32_t *rows;          /* by state: what the scheduler takes; NULL: no such thing */
    uint8_t *through, *goal; /* where the run may pass, and where it ends */
};

enum { MARKOV_START = UINT32_MAX };
/* How wide an answer may be, relative to the value, if nothing is said about it. */
#define MARKOV_EPSILON 1e-6

struct markov {
    const struct layout *layout;
    const struct symmetry *symmetry;
    const struct chain *chain;
    const struct engine_options *options;
    struct result *result;
    double began;
    struct budget budget;
    uint64_t held_elsewhere; /* bytes of another matrix that is kept meanwhile: they count, too */
    uint64_t began_bytes;    /* how large the process had been */
    struct explore *explore;
    struct canon *canon;      /* its own; NULL: every state represents itself */
    struct store *store;      /* its own; NULL: a product (product.h), which has no states of its own */
    double *orbit_sizes;      /* by state, made when they are needed first */
    struct matrix matrix;     /* probabilities; in a CTMC those of the next jump */
    VEC(double) exit_rate;    /* CTMC: by state */
    VEC(uint8_t) is_deadlock; /* by state: nothing is enabled; it has a row that stays */
    bool is_divided;          /* some probabilities are quotients: by a sum of rates, or a number of choices */
    size_t most_outcomes;     /* of a state */
    uint32_t threads;
    double slack;           /* the relative error of a probability or reward of the model */
    uint32_t expanded;      /* the state that is being explored, or was when that failed; MARKOV_START: none yet */
    uint32_t initial_count; /* the states 0 .. initial_count - 1 are initial */
    bool has_whole_orbits;  /* all states of an initial state's orbit are initial, so all that orbits have are reachable
                             */
    double **state_reward;  /* by structure and state; NULL: all are 0 */
    double **row_reward;    /* by structure and row: of transitions only; NULL: all are 0 */
    struct reverse *reverse;       /* made when it is needed first */
    struct from_start *from_start; /* likewise: sums over the time from the initial state (from_start.h) */
    struct stepper *judge;
    struct chances *chances;
    int32_t *cells;
    uint64_t sweeps;
    struct witness witness;
    struct exact_chain *exact;       /* NULL: numbers are doubles between bounds (exact.h) */
    struct pctl_evaluator evaluator; /* its failure: why there is no matrix, or no value */
    double epsilon;                  /* how narrow the intervals have to be, relative to the value */
    bool is_small;                   /* the bounds of the property's value are near to 0, not to each other */
    uint32_t patience;               /* go_on says no after so many questions, less one; 1: it has; 0: no such limit */
    bool is_mistaken;                /* the failure: a mistake of the model, not a limit */
};

/* Explores; where the symmetry is not trivial, the quotient. False: the evaluator's failure says why (a limit, or a
 * mistake of the model that was found on the way). */
bool markov_build(struct markov *markov);
void markov_free(struct markov *markov);
uint32_t markov_count(const struct markov *markov);
static inline double markov_state_reward(const struct markov *markov, uint32_t structure, uint32_t state)
{
    return markov->state_reward[structure] ? markov->state_reward[structure][state] : 0;
}
static inline double markov_row_reward(const struct markov *markov, uint32_t structure, uint32_t row)
{
    return markov->row_reward[structure] ? markov->row_reward[structure][row] : 0;
}
/* At which rate the chain leaves the state; 1 for a step, as for the self-loop where nothing is enabled. */
static inline double markov_pace(const struct markov *markov, uint32_t state)
{
    bool is_timed = markov->chain->kind == CHAIN_CTMC && !markov->is_deadlock.items[state];
    return is_timed ? markov->exit_rate.items[state] : 1;
}
/* How many states this one represents, rounded to the nearest double; and all together, exactly. */
double markov_orbit_size(struct markov *markov, uint32_t state);
/* False: it was interrupted, and `count` is not all of it. */
bool markov_represented(struct markov *markov, struct bigint *count);
bool markov_represents(struct markov *markov, uint64_t count);
const struct reverse *markov_reverse(struct markov *markov);
/* The cells of a state, until the next call. */
const int32_t *markov_cells(struct markov *markov, uint32_t state);
/* In one state. False: it cannot be evaluated there, and the failure says why. */
bool markov_truth(struct markov *markov, const struct proposition *proposition, const int32_t *cells, bool *truth);
/* Its factor is to be multiplied by top / bottom; bottom is not 0. */
bool markov_parts(struct markov *markov, const struct weight *weight, const int32_t *cells, int64_t *top,
                  int64_t *bottom);
/* The nearest double, or nearly so. A number that no double is near to (it would be 0, or infinite) is a failure,
 * unless numbers are only hints, as in exact arithmetic: then it is the least, or the greatest. */
bool markov_number(struct markov *markov, const struct weight *weight, const int32_t *cells, double *number);
/* Is the number exactly that of the model, and a multiple of 2^-40 no greater than 2^10? Then sums of a few of them are
 * exact. */
bool markov_is_short(struct markov *markov, const struct weight *weight, const int32_t *cells, double number);
/* slack.c: what `slack` is, once all states are there. */
double markov_find_slack(struct markov *markov);
/* Takes the reason; the first one is kept. */
bool markov_stop(struct markov *markov, struct stop stop);
/* The same, with what went wrong. */
bool markov_fail_with(struct markov *markov, const struct fault *fault);
/* Reports progress: `state` is being expanded. */
void markov_report_progress(struct markov *markov, uint32_t state);
/* A problem about all that the matrix says; without rewards, and without a limit of the values. */
struct fixpoint markov_fixpoint(struct markov *markov, enum extreme extreme, const uint8_t *unknown, double epsilon);
/* As fixpoint_steps, and no patience is lost: how many steps it takes is known, and fractions would take as many, with
 * more digits in each. */
bool markov_take_steps(struct markov *markov, const struct fixpoint *problem, uint64_t steps, bool is_falling,
                       struct bounds *bounds);
/* False: the failure says which one is reached. */
bool markov_is_within_limits(struct markov *markov);
/* For `go_on` of the numeric room: no limit is reached yet, nor has it taken too long (patience). */
bool markov_may_go_on(void *markov);
/* States, matrix and rewards, in bytes. */
uint64_t markov_bytes(const struct markov *markov);
/* Is there room for so much more? */
bool markov_has_room(const struct markov *markov, uint64_t more);
/* The same. False: the failure says that there is not. */
bool markov_fits(struct markov *markov, uint64_t more);

#endif
