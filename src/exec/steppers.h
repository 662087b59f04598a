/* Which stepper fires the rules: one choice for a search, a stepper of its own for each thread. */
#ifndef NOETHER_EXEC_STEPPERS_H
#define NOETHER_EXEC_STEPPERS_H

#include "exec/profile.h"

enum stepper_choice {
    STEPPER_AUTO,   /* the VM until native code is ready, if ever */
    STEPPER_NATIVE, /* native code from the start: waits for the compiler */
    STEPPER_VM,
    STEPPER_EVALUATOR
};

struct steppers;

/* The layout must outlive it. */
struct steppers *steppers_create(const struct layout *layout, enum stepper_choice choice, bool is_profiled);
/* No stepper made of it may be left. Stops the compiler if it runs. */
void steppers_destroy(struct steppers *steppers);
/* Why STEPPER_NATIVE cannot be had, or NULL. */
const char *steppers_refusal(const struct steppers *steppers);
/* ... as the reason why a search ends. */
struct stop steppers_stop(const struct steppers *steppers);
/* By any thread. */
struct stepper *steppers_make(struct steppers *steppers);
/* What the search has yet to do, as far as it can tell, as a part of what it has done: whether a compiler pays. By any
 * thread. */
void steppers_foresee(struct steppers *steppers, double left);
/* When all steppers are destroyed: where the time went. NULL when it was not asked for; the caller's from then on. */
struct profile *steppers_profile(struct steppers *steppers);
/* What became of native code, in words; nothing when it was not asked for. */
void steppers_describe(const struct steppers *steppers, struct text *out);

#endif
