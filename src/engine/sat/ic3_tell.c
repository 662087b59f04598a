/* The invariant that IC3 ends with, as clauses over cells: one of each orbit. */
#include <stdlib.h>

#include "engine/sat/ic3.h"

/* The cell and the value that a state variable stands for. False: it is a bit of several values. */
static bool tell_literal(const struct circuit *circuit, uint32_t variable, struct cell_literal *literal)
{
    uint32_t cell = 0;
    while (circuit->first[cell + 1] <= variable)
        cell++;
    const struct type *type = circuit->layout->cells[cell].type;
    literal->cell = cell;
    literal->ordinal = variable - circuit->first[cell];
    return circuit->is_listed[cell] || (type && type->size == 1); /* of one value the packed bit says: defined */
}

static void tell_clause(const struct sat_search *search, const struct cube *cube)
{
    struct cell_literal *literals = memory_zeroed((size_t)cube->count + 1, sizeof *literals);
    bool is_known = true;
    for (uint32_t i = 0; i < cube->count && is_known; i++) {
        is_known = tell_literal(&search->circuit, cube->literals[i] / 2 - 1, &literals[i]);
        literals[i].is_positive = cube->literals[i] & 1u; /* the clause is the negated cube */
    }
    if (is_known)
        search->options->on_clause(search->options->on_clause_user, search->layout, literals, cube->count);
    free(literals);
}

void sat_ic3_tell(const struct sat_search *search)
{
    const struct sat_ic3 *ic3 = search->ic3;
    if (!search->options->on_clause)
        return;
    bool *is_told = memory_zeroed((size_t)ic3->orbits + 1, sizeof *is_told);
    for (uint32_t l = ic3->proved; l < ic3->levels.count; l++)
        for (size_t i = 0; i < ic3->levels.items[l].cubes.count; i++) {
            const struct cube *cube = &ic3->levels.items[l].cubes.items[i];
            if (!is_told[cube->orbit])
                tell_clause(search, cube);
            is_told[cube->orbit] = true;
        }
    free(is_told);
}
