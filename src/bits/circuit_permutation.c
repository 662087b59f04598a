/* A permutation of processes as a permutation of state variables.
 *
 * A permutation of processes takes elements of arrays to each other, and values of index types; with a variable for
 * each of those values it permutes variables. In multisets it does not: the slots are put in order again behind it. */
#include <stdlib.h>

#include "base/memory.h"
#include "bits/circuit.h"

struct permuting {
    const struct circuit *circuit;
    circuit_act *act;
    void *user;
    int32_t *cells, *out;
};

static bool is_in_multiset(const struct layout *layout, uint32_t cell)
{
    for (uint32_t m = 0; m < layout->multiset_count; m++)
        if (cell - layout->multisets[m].address < layout->multisets[m].type->cells)
            return true;
    return false;
}

/* Where the permutation takes the value of a cell: probes a state in which everything else is undefined. */
static bool permuting_probe(const struct permuting *p, uint32_t cell, uint32_t ordinal, uint32_t *to,
                            uint32_t *to_ordinal)
{
    const struct layout *layout = p->circuit->layout;
    layout_blank(layout, p->cells);
    p->cells[cell] = type_code(layout->cells[cell].type, ordinal);
    p->act(p->user, p->cells, p->out);
    for (*to = 0; *to < layout->cell_count; ++*to)
        if (layout->cells[*to].type && p->out[*to] != UNDEFINED) {
            *to_ordinal = (uint32_t)type_ordinal(layout->cells[*to].type, p->out[*to]);
            return true;
        }
    return false;
}

/* Maps the variables of one cell. False: their images are no variables. */
static bool permuting_map_cell(const struct permuting *p, uint32_t cell, uint32_t *map)
{
    const struct circuit *circuit = p->circuit;
    const struct type *type = circuit->layout->cells[cell].type;
    uint32_t width = circuit->first[cell + 1] - circuit->first[cell], to, ordinal;
    bool is_listed = circuit->is_listed[cell];
    for (uint32_t i = 0; i < (is_listed ? width : 1); i++) {
        if (!permuting_probe(p, cell, i, &to, &ordinal) || circuit->is_listed[to] != is_listed ||
            (!is_listed && type_has_index(type)) || circuit->first[to + 1] - circuit->first[to] != width)
            return false;
        for (uint32_t b = is_listed ? i : 0; b < (is_listed ? i + 1 : width); b++)
            map[circuit->first[cell] + b] = circuit->first[to] + (is_listed ? ordinal : b);
    }
    return true;
}

bool circuit_permutation(const struct circuit *circuit, circuit_act *act, void *user, uint32_t *map)
{
    const struct layout *layout = circuit->layout;
    struct permuting p = {.circuit = circuit, .act = act, .user = user};
    bool is_ok = true;
    p.cells = memory_alloc((2 * (size_t)layout->cell_count + 1) * sizeof *p.cells);
    p.out = p.cells + layout->cell_count;
    for (uint32_t v = 0; v < circuit->variable_count; v++)
        map[v] = CIRCUIT_NO_IMAGE;
    for (uint32_t c = 0; is_ok && c < layout->cell_count; c++)
        if (!is_in_multiset(layout, c))
            is_ok = permuting_map_cell(&p, c, map);
    free(p.cells);
    return is_ok;
}
