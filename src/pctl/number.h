/* A number of one of two classes: an interval that contains the value, or the value itself as a fraction.
 *
 * Operations take numbers of the same class and keep it. An interval is rounded outwards, and a comparison that its
 * ends do not settle has no answer; fractions always have one. */
#ifndef NOETHER_PCTL_NUMBER_H
#define NOETHER_PCTL_NUMBER_H

#include "ir/pctl.h"

struct pctl_number {
    double lower, upper;
    bool is_exact;
    struct rational *exact; /* of a fraction; NULL: it is infinite */
};

static inline struct pctl_number pctl_interval(double lower, double upper)
{
    return (struct pctl_number){.lower = lower, .upper = upper};
}

static inline struct pctl_number pctl_fraction(struct rational *exact)
{
    return (struct pctl_number){.is_exact = true, .exact = exact};
}

void pctl_number_free(struct pctl_number *number);
/* A fraction of its own. */
struct pctl_number pctl_number_copy(const struct pctl_number *number);

/* "left op right", of bounds: -1 certainly not, 1 certainly, 0 not known. */
int pctl_compare_bounds(enum operator op, double low, double high, double other_low, double other_high);
int pctl_number_compare(enum operator op, const struct pctl_number *left, const struct pctl_number *right);
/* left op right into left. NULL, or why there is no such number. */
const char *pctl_number_calculate(enum operator op, struct pctl_number *left, const struct pctl_number *right);
const char *pctl_number_negate(struct pctl_number *number);
/* function.c: function(left, right) into left. `is_whole`: both are integers, and so is the result. NULL, or why there
 * is no such number; `is_open`: narrower bounds may have one. */
const char *pctl_number_apply(enum pctl_function function, bool is_whole, struct pctl_number *left,
                              const struct pctl_number *right, bool *is_open);
/* The less, or the greater, of the two into `number`. */
void pctl_number_take(struct pctl_number *number, const struct pctl_number *other, bool is_least);
/* number += other * size, which is a number of states: an integer that may have been rounded. */
void pctl_number_add_times(struct pctl_number *number, const struct pctl_number *other, double size);
/* number /= a number of states between these, which are equal if it is a fraction. */
void pctl_number_share(struct pctl_number *number, double least, double most);

/* A threshold may lie between two doubles. */
struct pctl_number pctl_limit(const struct weight *threshold);
/* Bounds of a probability become bounds of its complement, rounded outwards. */
void pctl_complement(double *lower, double *upper);
/* Near enough to each other, relative to the value? */
bool pctl_is_narrow(double lower, double upper, double epsilon);
/* No wider than that, whatever the value; absolute 0: never. */
bool pctl_is_tiny(double lower, double upper, double absolute);

#endif
