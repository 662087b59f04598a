#include <stdlib.h>
#include <string.h>

#include "engine/sat/ic3.h"

static struct cube cube_make(const bit *literals, uint32_t count)
{
    struct cube cube = {.literals = memory_alloc(count * sizeof *literals + 1), .count = count};
    if (count)
        memcpy(cube.literals, literals, count * sizeof *literals);
    return cube;
}

struct cube cube_copy(const struct cube *cube)
{
    struct cube copy = cube_make(cube->literals, cube->count);
    copy.orbit = cube->orbit;
    return copy;
}

void cube_free(struct cube *cube)
{
    free(cube->literals);
    *cube = (struct cube){0};
}

void cubes_free(cube_list *cubes)
{
    for (size_t i = 0; i < cubes->count; i++)
        cube_free(&cubes->items[i]);
    VEC_FREE(cubes);
}

struct cube cube_without(const struct cube *cube, uint32_t place)
{
    struct cube smaller = cube_copy(cube);
    memmove(smaller.literals + place, smaller.literals + place + 1,
            (smaller.count - place - 1) * sizeof *smaller.literals);
    smaller.count--;
    return smaller;
}

bool cube_contains(const struct cube *cube, const struct cube *smaller)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < cube->count; i++) {
        while (at < smaller->count && smaller->literals[at] < cube->literals[i])
            at++;
        if (at == smaller->count || smaller->literals[at] != cube->literals[i])
            return false;
    }
    return true;
}

static bool cube_has_row(const struct cube *cube, const bool *row)
{
    for (uint32_t i = 0; i < cube->count; i++)
        if (row[cube->literals[i] / 2 - 1] == (cube->literals[i] & 1u))
            return false;
    return true;
}

size_t cube_start(const struct sat_search *search, const struct cube *cube)
{
    for (size_t r = 0; r < search->row_count; r++)
        if (cube_has_row(cube, search->rows + r * search->circuit.variable_count))
            return r;
    return SIZE_MAX;
}

struct cube cube_marked(const struct sat_ic3 *ic3)
{
    uint32_t count = ic3->search->circuit.variable_count;
    bit *literals = memory_alloc(count * sizeof *literals + 1);
    struct cube cube = {.literals = literals};
    for (uint32_t v = 0; v < count; v++)
        if (ic3->marked[v])
            literals[cube.count++] = circuit_variable(v) ^ !ic3->inputs[v];
    return cube;
}
