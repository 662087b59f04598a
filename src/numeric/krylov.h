/* Inside numeric/: BiCGStab on the equations of a component of a chain, with an incomplete elimination (factor.h) or
 * sweeps of Gauss and Seidel, to and fro, as the preconditioner. Nothing is guaranteed: who uses it verifies what comes
 * out. */
#ifndef NOETHER_NUMERIC_KRYLOV_H
#define NOETHER_NUMERIC_KRYLOV_H

#include "numeric/matrix.h"

/* By state: its number in the component, plus 1, 0: it is not in it; and by number: the state. */
struct krylov_numbering {
    uint32_t *number, *state;
    uint32_t count;
};

/* In the order of their numbers in the matrix, in which the search has found them. */
struct krylov_numbering krylov_number_as_found(const struct matrix *matrix, const uint32_t *states, uint32_t count);
/* From then on by the least number of steps to this state, which is one of them: the farthest first, itself last. All
 * get there. */
void krylov_number_towards(const struct matrix *matrix, struct krylov_numbering *numbering, uint32_t state);
void krylov_numbering_free(struct krylov_numbering *numbering);

/* The component by itself. Entries of a row to smaller numbers come first; none stays. */
struct krylov_chain {
    uint32_t count;
    uint64_t *first, *middle; /* entries of i: first[i] .. first[i + 1] - 1; from middle[i] on to larger numbers */
    uint32_t *target;
    double *value;
    double *rate;         /* by number: what the equation is multiplied by */
    double *away, *leave; /* by number: the chance to get to another state, and out of the component */
};

/* Each state has one row. `row_rate` may be NULL: 1. */
struct krylov_chain krylov_chain_create(const struct matrix *matrix, const double *row_rate,
                                        const struct krylov_numbering *numbering);
void krylov_chain_free(struct krylov_chain *chain);

struct chain_factor;

struct krylov {
    const struct krylov_chain *chain;
    const struct chain_factor *factor; /* of the chain; NULL: sweeps are the preconditioner */
    const double *share; /* by number, adding up to 1: vectors are taken less their means by it; NULL: as they are */
    /* By number. The unknown, the residual, its shadow, the direction and what it does, and two for a moment. */
    double *x, *residual, *shadow, *direction, *effect, *smooth, *other;
    double rho, alpha, omega;
};

void krylov_create(struct krylov *krylov, const struct krylov_chain *chain, const double *share);
void krylov_free(struct krylov *krylov);

double krylov_product(const struct krylov *krylov, const double *a, const double *b);
void krylov_take_mean_off(const struct krylov *krylov, double *x);
/* out = rate * (x - row * x), less its mean. */
void krylov_apply(const struct krylov *krylov, const double *x, double *out);
/* A sweep to and fro. */
void krylov_smooth(const struct krylov_chain *chain, const double *x, double *out);
/* From the x and the residual that are there. */
void krylov_begin(struct krylov *krylov);
/* Moves x, and the residual with it. The least and the greatest residual then. False: it breaks down, and has to begin
 * again from the true residual. */
bool krylov_step(struct krylov *krylov, double *least, double *most);

#endif
