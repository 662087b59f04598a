/* The value of a PCTL, CSL or reward formula in every state: one evaluator, over carriers.
 *
 * The evaluator walks the formula, refuses what is refused (refusal.h), makes untils of path formulas, and reduces E, A
 * and the filters over truths to operations on sets. A carrier has the sets and the numbers: a byte or a number for
 * each state of a matrix (engine/probabilistic; intervals or fractions, number.h), or decision diagrams
 * (engine/symbolic).
 *
 * Sets belong to who made them; operations that are said to take a set free it, or return it. Of a carrier whose sets
 * are collected otherwise freeing does nothing. A set that a limit cut short is worth nothing: the failure is set, and
 * whoever uses it has no value. */
#ifndef NOETHER_PCTL_EVALUATE_H
#define NOETHER_PCTL_EVALUATE_H

#include "base/stop.h"
#include "pctl/number.h"

/* Whichever the carrier uses. */
union pctl_set {
    uint8_t *bytes; /* by state */
    uint32_t diagram;
};

struct pctl_value {
    bool is_number;
    union pctl_set truth; /* where it is true */
    void *numbers;        /* the carrier's */
};

/* Path formulas as untils. Everything is an until, or the complement of one under the other extreme:
 *   F b = true U b         G b = !(true U !b)
 *   a W b = !(a & !b U !a & !b)     a R b = !(!a U !b) */
struct pctl_until {
    union pctl_set left, goal;
    bool is_complement;
    bool is_least; /* of the until itself */
    bool is_next;  /* X: the goal after one step */
    const struct pctl_window *window;
};

struct pctl_linear; /* linear.h */

enum pctl_join { PCTL_INTERSECTION, PCTL_UNION, PCTL_DIFFERENCE, PCTL_EITHER /* but not both */ };

/* `self` is the evaluator's. Functions that return bool: false when there is no value, and the failure says why. */
struct pctl_carrier {
    /* Sets. `known`: of PCTL_INITIAL and PCTL_DEADLOCK; of PCTL_TRUTH it is all states. */
    bool (*condition)(void *self, const struct pctl *formula, union pctl_set *set);
    union pctl_set (*known)(void *self, enum pctl_kind kind);
    union pctl_set (*copy)(void *self, union pctl_set set);
    union pctl_set (*join)(void *self, enum pctl_join how, union pctl_set a, union pctl_set b); /* takes both */
    bool (*is_empty)(void *self, union pctl_set set);
    void (*free_set)(void *self, union pctl_set set);
    /* The graph: from where some step leads to the set; some path through the first set to the second, which is part of
     * it; some path that stays in the set for ever. */
    union pctl_set (*before)(void *self, union pctl_set set);
    union pctl_set (*reach)(void *self, union pctl_set through, union pctl_set goal);
    union pctl_set (*stay)(void *self, union pctl_set inside);
    /* Numbers: of PCTL_NUMBER; ARITHMETIC, NEGATE and CALL of left and right into left; the other's where the condition
     * does not hold. The last two may be NULL if the arithmetic refuses them. */
    bool (*number)(void *self, const struct pctl *formula, struct pctl_value *value);
    void (*free_numbers)(void *self, void *numbers);
    bool (*calculate)(void *self, const struct pctl *formula, void *left, const void *right);
    void (*choose)(void *self, union pctl_set condition, void *numbers, void *other);
    /* Where left op right; right is NULL: the threshold. */
    bool (*compare)(void *self, const struct pctl *formula, const void *left, const void *right, union pctl_set *set);
    /* P, and R and S: the numbers, or at once where they are within the threshold. `set`: that of R [F] or S. */
    bool (*until)(void *self, const struct pctl *formula, const struct pctl_until *until, struct pctl_value *value);
    bool (*mean)(void *self, const struct pctl *formula, union pctl_set set, struct pctl_value *value);
    /* P, E and R of a formula of LTL. NULL: refused. `linear` is the formula, or its negation: see pctl_turns_linear.
     */
    bool (*linear)(void *self, const struct pctl *formula, struct pctl_linear *linear, struct pctl_value *value);
    /* A filter that is not one of print, forall and exists, over the states. */
    bool (*fold)(void *self, const struct pctl *formula, const struct pctl_value *inner, union pctl_set states,
                 struct pctl_value *value);
};

enum pctl_arithmetic { PCTL_INTERVALS, PCTL_FRACTIONS, PCTL_DIAGRAMS };

struct pctl_evaluator {
    const struct pctl_carrier *carrier;
    void *self;
    const struct chain *chain;
    enum pctl_arithmetic arithmetic;
    bool is_fair;            /* schedulers of an MDP are fair */
    const struct pctl *root; /* the property itself, of which only the initial states matter */
    double absolute;     /* an interval of the property's value is an answer if it is no wider, whatever the value */
    struct stop failure; /* why there is no value */
    bool is_undecided;   /* the failure: a comparison that is too near */
};

/* False when there is none; the failure says why. */
bool pctl_evaluate(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value);
bool pctl_evaluate_truth(struct pctl_evaluator *evaluator, const struct pctl *formula, union pctl_set *truth);
void pctl_value_free(struct pctl_evaluator *evaluator, struct pctl_value *value);
/* Makes it a truth. */
void pctl_value_set_truth(struct pctl_evaluator *evaluator, struct pctl_value *value, union pctl_set truth);
/* Takes the set. */
union pctl_set pctl_set_complement(struct pctl_evaluator *evaluator, union pctl_set set);

/* path.c. Free it in any case. */
bool pctl_make_until(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_until *until);
void pctl_until_free(struct pctl_evaluator *evaluator, struct pctl_until *until);
/* E and A: chances do not matter, only the graph. */
bool pctl_evaluate_branching(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value);
/* filter.c */
bool pctl_evaluate_filter(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value);

/* Sets the failure, if there is none yet; false. */
bool pctl_fail(struct pctl_evaluator *evaluator, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A mistake in this line of the model. */
bool pctl_fail_at(struct pctl_evaluator *evaluator, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A function of numbers that the bounds do not settle: nothing but narrower bounds, or fractions, will do. */
bool pctl_fail_unsettled(struct pctl_evaluator *evaluator, const char *problem);
/* A comparison that the bounds do not settle. */
bool pctl_fail_undecided(struct pctl_evaluator *evaluator, double low, double high);
/* Bounds that are wider than asked for. */
bool pctl_fail_wide(struct pctl_evaluator *evaluator);

#endif
