/* The states of an orbit, one by one. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "canon/canon_inner.h"
#include "canon/generated.h"
#include "group/group.h"

/* Generators of the group, on the elements of all factors. */
static void orbit_prepare(struct canon *canon)
{
    size_t n = canon->structure->element_count;
    struct group *group = structure_group(canon->structure, canon->symmetry);
    canon->orbit_move_count = group_strong_count(group);
    canon->orbit_moves = memory_alloc((n * canon->orbit_move_count + 1) * sizeof *canon->orbit_moves);
    for (uint32_t g = 0; g < canon->orbit_move_count; g++)
        memcpy(canon->orbit_moves + n * g, group_strong(group, g), n * sizeof *canon->orbit_moves);
    group_destroy(group);
}

bool canon_visit_orbit(struct canon *canon, const int32_t *cells, uint32_t most,
                       bool (*visit)(void *user, const int32_t *image), void *user)
{
    const struct structure *structure = canon->structure;
    struct words states = {0};
    int32_t *image = memory_alloc((structure->cell_count + 1) * sizeof *image);
    bool goes_on = true;
    if (!canon->orbit_moves)
        orbit_prepare(canon);
    words_intern(&states, (const uint32_t *)cells, structure->cell_count);
    for (uint32_t s = 0; goes_on && s < words_count(&states) && words_count(&states) <= most; s++) {
        const int32_t *state = (const int32_t *)words_at(&states, s);
        goes_on = visit(user, state);
        for (uint32_t g = 0; goes_on && g < canon->orbit_move_count; g++) {
            structure_act(structure, canon->orbit_moves + (size_t)g * structure->element_count, state, image);
            words_intern(&states, (const uint32_t *)image, structure->cell_count);
        }
    }
    bool is_whole = !goes_on || words_count(&states) <= most;
    words_free(&states);
    free(image);
    return is_whole;
}
