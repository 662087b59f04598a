/* The jumps of a CTMC at one rate for all states (uniformisation), in a form for many steps.
 *
 * A state that is active jumps by its row with the probability exit rate / rate, and else stays; the others always
 * stay. Most states of a model have one of a few lists of probabilities: each list is kept once, and states with the
 * same list are neighbours. So vectors are indexed by places, not by states. A step reads four bytes for each entry of
 * the matrix, besides the vectors. */
#ifndef NOETHER_NUMERIC_JUMPS_H
#define NOETHER_NUMERIC_JUMPS_H

#include "numeric/matrix.h"

struct jumps;

/* The matrix has one row for each state; no exit rate of an active state is above `rate`. NULL: the watch of the thread
 * is up. */
struct jumps *jumps_create(const struct matrix *matrix, const double *exit_rate, const uint8_t *active, double rate);
/* The same backwards: the list of a place is that of the active states that lead to it, so that a step follows a
 * distribution. Nothing gets to a state that is not active. */
struct jumps *jumps_create_reverse(const struct matrix *matrix, const double *exit_rate, const uint8_t *active,
                                   double rate);
/* How much either takes at most. */
uint64_t jumps_bytes(const struct matrix *matrix);
void jumps_destroy(struct jumps *jumps);

uint32_t jumps_count(const struct jumps *jumps);
/* Where the state is in the vectors. */
uint32_t jumps_place(const struct jumps *jumps, uint32_t state);

/* The jumps from one place: shares[0] is that of staying, shares[i + 1] that of targets[i]. */
struct jump_row {
    const double *shares;
    const uint32_t *targets;
    uint32_t length;
};

/* Of all places; the rows belong to the jumps. */
struct jump_row *jumps_rows(const struct jumps *jumps);

/* next = what is expected of `now` after a jump, and sums += weight * now. Is next different from now? */
bool jumps_step(const struct jumps *jumps, uint32_t threads, const double *now, double weight, double *sums,
                double *next);

/* What a sum over jumps may lose where numbers are too small for all their digits, or are taken for 0 (SERIES_TINY): of
 * each of up to 10^11 jumps, with weights of up to 10^11 together, and growing by less than e. */
#define JUMPS_UNDERFLOW 0x1p-800

#endif
