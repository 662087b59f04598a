/* Counter abstraction of a system that names every element (a chain): interchangeable modules are counted by local
 * state (A. F. Donaldson and A. Miller, "Symmetry Reduction for Probabilistic Model Checking Using Generic
 * Representatives", ATVA 2006, section 5), beyond the paper's language: several local variables and module types,
 * global variables, modules of one kind only, synchronisation, rewards.
 *
 * Such a system has no parameters and quantifiers that say what is the same for all modules (reduce/reduce.h is about
 * systems that have); it is found by exchanging modules and comparing. A module outside every family, for instance
 * because a property names it, stays as it is. */
#ifndef NOETHER_REDUCE_CENSUS_H
#define NOETHER_REDUCE_CENSUS_H

#include "ir/chain.h"

struct census;

struct census_facts {
    uint32_t counters, modules; /* how many modules are counted */
    size_t commands;
    uint32_t first_counter; /* the cell: the counters come last, family after family */
    uint32_t family_count;
    const uint32_t *family_counters, *family_modules; /* by family: how many */
    const char **left_out;       /* by property of the system: why it is not in the counter abstraction, or NULL */
    struct diagnostics warnings; /* the same, with their places */
    bool is_symmetric_start; /* all of a family begin in the same local state (or wherever the start states let them) */
    const char *const *titles, *const *notes; /* by global of the counter abstraction: what to say before it, and of
                                                 it; or NULL */
};

/* NULL when the system is outside the class that translates: why is in `diagnostics`. The system must outlive it. */
struct census *census_reduce(const struct system *system, struct diagnostics *diagnostics);
void census_destroy(struct census *census);

/* The system over counters: finished, owned by `census`. Its properties are those of the original that are not left
 * out, in their order. */
const struct system *census_system(const struct census *census);
const struct census_facts *census_facts(const struct census *census);
/* The state of that system that a state of the original belongs to. False: a module has a local state that static
 * analysis excludes. */
bool census_abstract(const struct census *census, const int32_t *original, int32_t *counted);

#endif
