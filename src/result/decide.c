#include "result/decide.h"

uint32_t decide_count(const struct result *result)
{
    uint32_t count = 0;
    for (size_t i = 0; i < result->system->properties.count; i++)
        count += result->checked[i];
    return count;
}

bool decide_property(const struct property *property, bool *decided, uint32_t *undecided)
{
    if (decided[property->id])
        return false;
    decided[property->id] = true;
    /* An assumption whose formula faults is violated, but the search does not wait for it. */
    if (property->kind != PROPERTY_ASSUMPTION)
        --*undecided;
    return !*undecided;
}
