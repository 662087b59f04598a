/* Whole orbits of cubes: what no run reaches, no run reaches with other names (Tang, Malik, Gupta, Ip: Symmetry
 * reduction in SAT-based model checking, CAV 2005; Goel, Sakallah: On symmetry and quantification, NFM 2021). A level
 * with all images of its clauses is symmetric, so one question stands for the whole orbit. */
#include <stdlib.h>
#include <string.h>

#include "engine/sat/ic3.h"

enum { ORBIT_MOST = 720 };

static int literal_compare(const void *a, const void *b)
{
    bit x = *(const bit *)a, y = *(const bit *)b;
    return (x > y) - (x < y);
}

/* False: some variable has no image. */
static bool orbit_image(const struct cube *cube, const uint32_t *generator, struct cube *image)
{
    *image = cube_copy(cube);
    for (uint32_t i = 0; i < cube->count; i++) {
        uint32_t to = generator[cube->literals[i] / 2 - 1];
        if (to == CIRCUIT_NO_IMAGE) {
            cube_free(image);
            return false;
        }
        image->literals[i] = circuit_variable(to) ^ (cube->literals[i] & 1u);
    }
    qsort(image->literals, image->count, sizeof *image->literals, literal_compare);
    return true;
}

static bool orbit_has(const cube_list *orbit, const struct cube *cube)
{
    for (size_t i = 0; i < orbit->count; i++)
        if (!memcmp(orbit->items[i].literals, cube->literals, cube->count * sizeof *cube->literals))
            return true;
    return false;
}

bool ic3_orbit(const struct sat_ic3 *ic3, const struct cube *cube, cube_list *orbit)
{
    const struct sat_search *search = ic3->search;
    struct cube image, first = cube_copy(cube);
    VEC_PUSH(orbit, first);
    if (!ic3->is_symmetric)
        return false;
    for (size_t i = 0; i < orbit->count; i++)
        for (size_t g = 0; g < search->generators.count; g++) {
            if (!orbit_image(&orbit->items[i], search->generators.items[g], &image))
                return false;
            if (orbit_has(orbit, &image))
                cube_free(&image);
            else
                VEC_PUSH(orbit, image);
            if (orbit->count > ORBIT_MOST)
                return false;
        }
    return true;
}
