#include "result/masked.h"

#include "symmetry/failures.h"

bool masked_concerns(const struct property *property)
{
    return property->kind == PROPERTY_ASSERTION || property->kind == PROPERTY_ERROR ||
           property->kind == PROPERTY_RUNTIME;
}

bool masked_is_possible(const struct result *result)
{
    const struct system *system = result->system;
    bool has_fault = false;
    for (size_t i = 0; i < system->properties.count; i++)
        has_fault |= masked_concerns(system->properties.items[i]) && result->properties[i].verdict == VERDICT_VIOLATED;
    return has_fault && failures_can_hide(system);
}

void masked_leave_open(struct result *result, const struct property *property)
{
    result_set_verdict(result, property, VERDICT_UNKNOWN,
                       "with symmetry, the failure found may hide this one in a loop over a scalarset");
    result->properties[property->id].is_masked = true;
}

void masked_leave_all_open(struct result *result)
{
    const struct system *system = result->system;
    if (!masked_is_possible(result))
        return;
    for (size_t i = 0; i < system->properties.count; i++)
        if (masked_concerns(system->properties.items[i]) && result->checked[i] &&
            result->properties[i].verdict == VERDICT_HOLDS)
            masked_leave_open(result, system->properties.items[i]);
}
