#include "result/expected.h"

#include <math.h>
#include <string.h>

#include "base/rational.h"

static const double ROUNDED = 1e-5, EXACT = 1e-12;

/* Does it overlap low .. high, if these may have a relative error of `slack`? */
static bool overlaps(const struct property_result *result, double low, double high, double slack)
{
    return result->lower <= high + slack * fabs(high) && low - slack * fabs(low) <= result->upper;
}

/* Values from the least to the greatest: both must be those. */
static bool is_range(const struct property_result *result, double low, double high, double slack)
{
    bool is_least = result->lower == low || fabs(result->lower - low) <= slack * fabs(high);
    return is_least && (result->upper == high || fabs(result->upper - high) <= slack * fabs(high));
}

static enum agreement compare_interval(const struct property_result *result, const char *text)
{
    char *end;
    double low = strtod(text + 1, &end);
    if (*end != ',')
        return AGREEMENT_NONE;
    double high = strtod(end + 1, &end);
    if (*end != ']')
        return AGREEMENT_NONE;
    return (result->is_range ? is_range : overlaps)(result, low, high, ROUNDED) ? AGREEMENT_YES : AGREEMENT_NO;
}

static bool is_near(const struct pareto_point *point, const double *wanted)
{
    bool is_near = true;
    for (int k = 0; k < 2; k++)
        is_near = is_near && point->lower[k] - ROUNDED * fmax(1, fabs(wanted[k])) <= wanted[k] &&
                  wanted[k] <= point->upper[k] + ROUNDED * fmax(1, fabs(wanted[k]));
    return is_near;
}

/* "[(0,1),(0.6,0.4)]": the same points, in any order. */
static enum agreement compare_pareto(const struct property_result *result, const char *text)
{
    const struct quantity *quantity = &result->quantity;
    size_t count = 0, found = 0;
    for (const char *at = strchr(text, '('); at; at = strchr(at + 1, '('), count++) {
        char *end;
        double wanted[2] = {strtod(at + 1, &end), 0};
        if (*end != ',')
            return AGREEMENT_NONE;
        wanted[1] = strtod(end + 1, &end);
        bool is_found = false;
        for (size_t i = 0; i < quantity->pareto.count; i++)
            is_found |= is_near(&quantity->pareto.items[i], wanted);
        found += is_found;
    }
    return count == found && count == quantity->pareto.count ? AGREEMENT_YES : AGREEMENT_NO;
}

static enum agreement compare_number(const struct property_result *result, const char *text)
{
    bool is_about = *text == '~', is_rounded = is_about || strpbrk(text, ".eE");
    struct rational *number = rational_create(0, 1);
    enum agreement agreement = AGREEMENT_NONE;
    if (rational_parse(number, text + is_about)) {
        double value = rational_to_double(number);
        agreement = !result->is_range && overlaps(result, value, value, is_rounded ? ROUNDED : EXACT) ? AGREEMENT_YES
                                                                                                      : AGREEMENT_NO;
    }
    rational_destroy(number);
    return agreement;
}

enum agreement expected_compare(const struct property_result *result)
{
    const char *text = result->property->expected;
    if (!text)
        return AGREEMENT_NONE;
    bool is_truth = !strcmp(text, "true") || !strcmp(text, "false");
    if (result->verdict != VERDICT_UNKNOWN && result->quantity.pareto.count)
        return compare_pareto(result, text);
    if (!strcmp(text, "NaN") && result->verdict != VERDICT_UNKNOWN) /* no scheduler meets the bounds of multi(...) */
        return isnan(result->lower) ? AGREEMENT_YES : AGREEMENT_NO;
    if (!strncmp(text, "Error", strlen("Error")))
        return result->verdict == VERDICT_UNKNOWN ? AGREEMENT_YES : AGREEMENT_NO;
    if (result->verdict == VERDICT_UNKNOWN)
        return AGREEMENT_UNKNOWN;
    if (is_truth !=
        (!result->has_value || result->verdict == VERDICT_VIOLATED)) /* of a violated bound the number is there, too */
        return AGREEMENT_NO;
    if (is_truth)
        return (result->verdict == VERDICT_HOLDS) == !strcmp(text, "true") ? AGREEMENT_YES : AGREEMENT_NO;
    if (!strcmp(text, "Infinity"))
        return result->lower == INFINITY ? AGREEMENT_YES : AGREEMENT_NO;
    return (*text == '[' ? compare_interval : compare_number)(result, text);
}

int expected_exit_code(const struct result *result)
{
    int code = 0;
    bool is_any = false;
    for (size_t i = 0; i < result->system->properties.count; i++) {
        enum agreement agreement = result->checked[i] ? expected_compare(&result->properties[i]) : AGREEMENT_NONE;
        bool is_open = agreement == AGREEMENT_UNKNOWN || (agreement == AGREEMENT_NONE && result->checked[i] &&
                                                          result->properties[i].verdict == VERDICT_UNKNOWN);
        if (agreement == AGREEMENT_NO)
            return 1;
        code = is_open ? 3 : code;
        is_any |= agreement != AGREEMENT_NONE;
    }
    return is_any ? code : 3;
}

const char *agreement_name(enum agreement agreement)
{
    static const char *const names[] = {"none", "agrees", "differs", "unknown"};
    return names[agreement];
}
