/* Which of several faults comes first.
 *
 * Where two iterations of a loop over an index type fail in different ways (or a predicate on two elements of a multiset,
 * which are in the order of their codes), the numbering of the elements decides which failure is met. A search of the
 * quotient sees one numbering of each state only: what it reports is real, but another assertion in the same loop may
 * fail for another numbering, and "holds" would be too much to say. */
#include "engine/explicit/search.h"
#include "symmetry/failures.h"

static bool dispute_concerns(const struct property *property)
{
    return property->kind == PROPERTY_ASSERTION || property->kind == PROPERTY_ERROR ||
           property->kind == PROPERTY_RUNTIME;
}

void dispute_leave_open(struct search *search, const struct property *property)
{
    result_set_verdict(search->result, property, VERDICT_UNKNOWN,
                       "with symmetry, the failure found may hide this one in a loop over a scalarset");
    search_decide(search, property);
}

void dispute_settle(struct search *search)
{
    const struct system *system = search->system;
    struct result *result = search->result;
    bool has_fault = false;
    for (size_t i = 0; i < system->properties.count; i++)
        has_fault |= dispute_concerns(system->properties.items[i]) &&
                     result->properties[i].verdict == VERDICT_VIOLATED;
    if (symmetry_is_trivial(search->symmetry) || !has_fault || !failures_can_hide(system))
        return;
    for (size_t i = 0; i < system->properties.count; i++)
        if (dispute_concerns(system->properties.items[i]) && !search->decided[i])
            dispute_leave_open(search, system->properties.items[i]);
}
