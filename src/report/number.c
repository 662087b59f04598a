/* Numbers between bounds, as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/style.h"

enum { MOST_DIGITS = 60, ENOUGH_DIGITS = 11 }; /* of a fraction on a line; of a number, to leave out its interval */

/* To how many digits the ends of the interval round to the same number. */
static int certain_digits(double lower, double upper)
{
    char low[40], high[40];
    int digits = 15;
    for (; digits > 0; digits--) {
        snprintf(low, sizeof low, "%.*g", digits, lower);
        snprintf(high, sizeof high, "%.*g", digits, upper);
        if (!strcmp(low, high))
            break;
    }
    return digits;
}

/* Do both ends look the same? */
static bool is_one_number(double lower, double upper)
{
    char ends[2][40];
    snprintf(ends[0], sizeof ends[0], "%.15g", lower);
    snprintf(ends[1], sizeof ends[1], "%.15g", upper);
    return !strcmp(ends[0], ends[1]);
}

/* The shortest number between them: 0, or 48, not the 47.99999639 of the middle. What is shown lies in its interval;
 * where 15 digits are enough for it, a large one has no exponent: 300, not 3e+02. */
void style_bounds(double lower, double upper, struct text *out)
{
    char number[40];
    double value = 0;
    int digits = 0;
    if (lower <= 0 && upper >= 0) {
        text_append(out, "0");
        return;
    }
    do {
        digits++;
        snprintf(number, sizeof number, "%.*g", digits, lower / 2 + upper / 2);
        value = strtod(number, NULL);
    } while (digits < 17 && !(lower <= value && value <= upper));
    text_format(out, "%.*g", digits < 15 ? 15 : digits, value);
}

/* The digits that are certain where these are enough, else a number of the interval, and the interval. */
void style_value(const struct property_result *property, struct text *out)
{
    double lower = property->lower, upper = property->upper;
    if (property->verdict == VERDICT_UNKNOWN) {
        text_format(out, "between %.10g and %.10g: %s", lower, upper, property->reason);
        return;
    }
    if (property->quantity.exact && strlen(property->quantity.exact) > MOST_DIGITS)
        text_format(out, "= %.15g  (a fraction of %zu digits: see --json)", lower,
                    strlen(property->quantity.exact) - 1);
    else if (property->quantity.exact && strchr(property->quantity.exact, '/'))
        text_format(out, "= %s  (%.15g)", property->quantity.exact, lower);
    else if (property->quantity.exact)
        text_format(out, "= %s", property->quantity.exact);
    else if (property->is_range)
        text_format(out, "from %.10g to %.10g, depending on the state", lower, upper);
    else if (is_one_number(lower, upper))
        text_format(out, "= %.15g", lower);
    else {
        text_append(out, "= ");
        style_bounds(lower, upper, out);
        if (certain_digits(lower, upper) < ENOUGH_DIGITS)
            text_format(out, "  (between %.15g and %.15g)", lower, upper);
    }
}

void style_number(const struct property_result *property, struct text *out)
{
    double lower = property->lower, upper = property->upper;
    const char *exact = property->quantity.exact;
    if (exact && strlen(exact) <= ENOUGH_DIGITS)
        text_append(out, exact);
    else if (property->is_range)
        text_format(out, "%.6g..%.6g", lower, upper);
    else
        style_bounds(lower, upper, out);
}

void style_exact(const struct property_result *property, struct text *out)
{
    if (strlen(property->quantity.exact) <= MOST_DIGITS)
        text_append(out, property->quantity.exact);
    else
        style_number(property, out);
}
