/* A result compared with the expected result in the model.
 *
 * The forms are those of PRISM's regression suite: "true", "false", a number or a fraction, "~" and a number
 * (approximate), "[a,b]" (between them), "Infinity", "NaN", and "Error..." (there is no result). A decimal number
 * counts as rounded: it may be off by 1e-5 of itself, as in that suite; an integer or a fraction is exact. */
#ifndef NOETHER_RESULT_EXPECTED_H
#define NOETHER_RESULT_EXPECTED_H

#include "result/verdict.h"

enum agreement {
    AGREEMENT_NONE, /* nothing is said, or nothing that can be compared */
    AGREEMENT_YES,
    AGREEMENT_NO,
    AGREEMENT_UNKNOWN /* there is no result to compare */
};

enum agreement expected_compare(const struct property_result *result);
/* For all properties that were checked: 0 all agree, 1 some do not, 3 some are unknown, or there is nothing to compare.
 */
int expected_exit_code(const struct result *result);
const char *agreement_name(enum agreement agreement);

#endif
