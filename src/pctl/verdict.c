#include "pctl/verdict.h"

#include <math.h>
#include <string.h>

enum { MOST_DIGITS = 60 }; /* of a fraction in a sentence */

struct result *pctl_result_create(const struct system *system, const char *engine)
{
    struct result *result = result_create(system, engine);
    for (size_t i = 0; i < system->properties.count; i++)
        result->checked[i] = system->properties.items[i]->kind == PROPERTY_PCTL || i == SYSTEM_RUNTIME;
    return result;
}

static const char *subject_of(const struct pctl_evaluator *evaluator, const struct pctl *formula)
{
    if (evaluator->chain->kind != CHAIN_MDP)
        return "it is";
    return pctl_is_least(formula) ? "the least value is" : "the greatest value is";
}

/* `threshold`: where the bound is, which may be so near that both numbers look the same. */
static void print_extent(const struct pctl_extent *extent, double threshold, struct text *out)
{
    const char *exact = extent->exact;
    double near = extent->lower == extent->upper ? extent->lower : extent->lower / 2 + extent->upper / 2;
    double off = fmax(fabs(extent->lower - threshold), fabs(extent->upper - threshold));
    if (isinf(extent->upper))
        text_append(out, "infinite");
    else if (!exact && off > 0 && off <= 5e-7 * fabs(threshold))
        text_format(out, "within %.2g of %.6g", off, threshold);
    else if (extent->is_range)
        text_format(out, "from %.6g to %.6g", extent->lower, extent->upper);
    else if (exact && strchr(exact, '/') && strlen(exact) <= MOST_DIGITS)
        text_format(out, "%s (%.6g)", exact, near);
    else
        text_format(out, "%.6g", near);
}

void pctl_settle_violated(const struct pctl_evaluator *evaluator, struct result *result,
                          const struct property *property, struct trace *trace, const char *reason,
                          const struct pctl_extent *extent)
{
    struct text number = {0};
    if (trace && reason)
        result_set_violated(result, property, NULL, trace, "%s", reason);
    else if (extent) {
        print_extent(extent, property->pctl->threshold->value, &number);
        result_set_violated(result, property, NULL, trace, "%s %s", subject_of(evaluator, property->pctl),
                            text_chars(&number));
    } else
        result_set_violated(result, property, NULL, trace, "%s",
                            property->pctl->kind == PCTL_FILTER ? "what the filter asks for is not so"
                                                                : "an initial state does not satisfy it");
    text_free(&number);
}

void pctl_settle_unknown(const struct pctl_evaluator *evaluator, struct result *result, const struct property *property,
                         const struct pctl_number *bounds)
{
    struct property_result *found = &result->properties[property->id];
    bool is_enough =
        bounds && property->pctl->is_number && pctl_is_tiny(bounds->lower, bounds->upper, evaluator->absolute);
    if (is_enough)
        result_set_verdict(result, property, VERDICT_HOLDS, NULL);
    else
        result_set_unknown(result, property, &evaluator->failure);
    if (!bounds || !property->pctl->is_number)
        return;
    found->has_value = true;
    found->lower = bounds->lower;
    found->upper = bounds->upper;
}

void pctl_give_up(const struct pctl_evaluator *evaluator, struct result *result)
{
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (result->checked[i])
            result_set_unknown(result, result->system->properties.items[i], &evaluator->failure);
    result_set_stopped(result, stop_copy(&evaluator->failure));
}
