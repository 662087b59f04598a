/* Which of several faults comes first: see result/masked.h. */
#include "engine/explicit/search.h"
#include "result/masked.h"

void dispute_leave_open(struct explicit_search *search, const struct property *property)
{
    masked_leave_open(search->result, property);
    search_decide(search, property);
}

void dispute_settle(struct explicit_search *search)
{
    const struct system *system = search->system;
    if (symmetry_is_trivial(search->symmetry) || !masked_is_possible(search->result))
        return;
    for (size_t i = 0; i < system->properties.count; i++)
        if (masked_concerns(system->properties.items[i]) && !search->decided[i])
            dispute_leave_open(search, system->properties.items[i]);
}
