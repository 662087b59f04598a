/* Which states represent their orbits: no generator of the group takes the state to one that is larger, in
 * lexicographic order of the state variables (lex-leader constraints of the generators only, so an orbit may have
 * several representatives, and has at least one: its largest state).
 *
 * Only one state of a run may be required to be a representative. A permutation takes the whole run to one that ends in
 * a representative, but the states before are then what they are: with representatives at both ends of a step, runs are
 * lost (Tang, Malik, Gupta, Ip: Symmetry reduction in SAT-based model checking, CAV 2005; sat_representative_test). */
#include <stdlib.h>

#include "engine/sat/search.h"

/* The state is at least its image. Variables without an image come last in the order, and are left out. */
static bit representative_of(struct sat_search *search, const uint32_t *generator)
{
    struct aig *aig = &search->circuit.aig;
    uint32_t count = search->circuit.variable_count;
    uint32_t *source = memory_alloc(count * sizeof *source + 1);
    bit holds = BIT_TRUE;
    for (uint32_t v = 0; v < count; v++)
        source[v] = v;
    for (uint32_t v = 0; v < count; v++)
        if (generator[v] != CIRCUIT_NO_IMAGE)
            source[generator[v]] = v;
    for (uint32_t v = count; v-- > 0;) {
        bit own = circuit_variable(v), image = circuit_variable(source[v]);
        if (source[v] != v)
            holds = aig_ite(aig, aig_xor(aig, own, image), own, holds);
    }
    free(source);
    return holds;
}

bit sat_representative(struct sat_search *search)
{
    bit all = BIT_TRUE;
    for (size_t g = 0; g < search->generators.count; g++)
        all = aig_and(&search->circuit.aig, all, representative_of(search, search->generators.items[g]));
    return all;
}
