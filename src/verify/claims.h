/* Which properties of a model an accepted certificate proves, and whether these are all that the user wants.
 *
 * A certificate may leave properties out: formulas about runs, measures without vectors, deadlocks. It may also add
 * conditions to the model (an assumption or a final condition of --property or --final), which make it prove less. */
#ifndef NOETHER_VERIFY_CLAIMS_H
#define NOETHER_VERIFY_CLAIMS_H

#include "verify/certificate.h"

struct claims_wanted {
    VEC(const char *) names;          /* of the properties that must be proved; none: every property of the model */
    enum certified_deadlock deadlock; /* the weakest proof about deadlocks that will do (STUTTERING is the strongest) */
    bool is_deadlock_given;           /* else as the language of the model has it */
    bool allows_conditions;           /* that the certificate adds to the model */
};

/* The first name that no property of the model has; NULL: there is none. */
const char *claims_unknown(const struct system *system, const struct claims_wanted *wanted);
/* A line for each property goes to `claims`; those of measures are there already (verify_measures). False: something
 * that is wanted is not proved, and `missing` gets what. `asked`: the source of certificate->asked in the model. */
bool claims_print(const struct certificate *certificate, const struct system *system, const struct source *asked,
                  const struct claims_wanted *wanted, struct text *claims, struct text *missing);

#endif
