/* What is the same for all states of an orbit: a marker (survey section 4.4, ProB: symmetry markers), and labellings
 * that are chosen at random among those that the state's colours leave (SMC: the randomised check for equivalence). */
#include <string.h>

#include "base/hash.h"
#include "canon/generated.h"

/* Cells that no permutation moves or renames. */
static uint64_t marker_of_plain(const struct structure *s, const int32_t *cells)
{
    uint64_t hash = 0;
    for (uint32_t c = 0; c < s->cell_count; c++)
        if (s->cell_use[c] == NO_USE)
            hash = hash_combine(hash, (uint64_t)(uint32_t)cells[c] << 32 | c);
    return hash;
}

/* With the state's elements known by their refined colours, all that it says. */
uint64_t canon_marker(struct canon *canon, const int32_t *cells)
{
    struct canon_partition *root = &canon->levels[0].partition;
    uint64_t marker = marker_of_plain(canon->structure, cells);
    lane_leave(canon->lane);
    canon_sign(canon, cells);
    canon_colour(canon);
    canon_refine_root(canon, cells);
    if (canon->generated)
        marker = hash_combine(marker, generated_refine_root(canon, cells));
    return hash_combine(marker, canon_sum_facts(canon, cells, root));
}

/* The first class with several elements, or the number of elements. */
static uint32_t leaf_first_shared(const struct canon *canon, const struct canon_partition *partition)
{
    uint32_t at = 0;
    while (at < canon->structure->element_count && partition->length[at] == 1)
        at++;
    return at;
}

void canon_random_leaf(struct canon *canon, const int32_t *cells, uint64_t seed, uint64_t *packed)
{
    const struct structure *s = canon->structure;
    uint32_t level = 0, at;
    if (canon->generated) {
        generated_random_leaf(canon, cells, seed, packed);
        return;
    }
    lane_leave(canon->lane);
    canon_sign(canon, cells);
    canon_colour(canon);
    canon_refine_root(canon, cells);
    const struct canon_partition *partition = &canon->levels[0].partition;
    while ((at = leaf_first_shared(canon, partition)) < s->element_count) {
        uint32_t chosen = at + (uint32_t)(hash_mix(seed++) % partition->length[at]);
        struct canon_partition *child = &canon_level(canon, level + 1)->partition;
        partition = &canon->levels[level].partition;
        partition_single_out(canon, partition, partition->order[chosen], child);
        canon_refine(canon, cells, child);
        partition = child;
        level++;
    }
    canon_move_pack(canon, cells);
    canon_move(canon, partition->order, cells, packed);
}
