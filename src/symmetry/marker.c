/* What is the same for all states of an orbit: a marker (survey section 4.4, ProB: symmetry markers), and labellings that
 * are chosen at random among those that the state's colours leave (SMC: the randomised check for equivalence). */
#include <string.h>

#include "base/hash.h"
#include "symmetry/canon_inner.h"

/* Cells that no permutation moves or renames, references that hold no element, slots that may mention none. */
static uint64_t marker_of_plain(const struct structure *s, const int32_t *cells)
{
    uint64_t hash = 0;
    for (uint32_t c = 0; c < s->cell_count; c++)
        if (s->cell_use[c] == NO_USE)
            hash = hash_combine(hash, (uint64_t)(uint32_t)cells[c] << 32 | c);
    for (uint32_t i = 0; i < s->ref_count; i++) {
        const struct use *use = &s->uses[s->ref_uses[i]];
        uint32_t element = structure_element(s, cells[use->address]);
        if (!use->arity)
            hash = hash_combine(hash, element == NO_ELEMENT ? (uint32_t)cells[use->address]
                                                            : ((uint64_t)s->factor_of[element] + 1) << 32);
    }
    return hash;
}

/* Slots are unordered: a sum. */
static uint64_t marker_of_slots(const struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->slots_count; i++) {
        const struct slots *slots = &s->slots[i];
        const uint64_t *hash = canon->slot_hash + canon->slot_start[i];
        const int32_t *slot = cells + slots->address;
        for (uint32_t j = 0; j < slots->capacity && slot[0]; j++, slot += slots->stride)
            for (uint32_t q = 0; q < slots->part_count; q++) {
                const struct fact *part = &s->parts[slots->parts + q];
                uint64_t whole = hash_combine(slots->seed, *hash++);
                for (uint32_t r = 0; r < part->ref_count; r++) {
                    int32_t code = slot[s->addresses[part->refs + r]];
                    uint32_t element = structure_element(s, code);
                    whole = hash_combine(whole, element == NO_ELEMENT ? (uint32_t)code
                                                                      : ((uint64_t)s->factor_of[element] + 1) << 32);
                }
                sum += hash_mix(whole);
            }
    }
    return sum;
}

uint64_t canon_marker(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    uint64_t marker = marker_of_plain(s, cells), sum = 0;
    lane_leave(canon->lane);
    canon_sign(canon, cells);
    for (uint32_t e = 0; e < s->element_count; e++)
        sum += hash_mix(canon->signature[e] + s->factor_of[e]);
    canon_colour(canon);
    uint64_t trace = canon_refine_root(canon, cells);
    marker = hash_combine(hash_combine(marker, sum), trace);
    return hash_combine(marker, marker_of_slots(canon, cells));
}

/* The first class with several elements, or the number of elements. */
static uint32_t leaf_first_shared(const struct canon *canon, const struct partition *partition)
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
    lane_leave(canon->lane);
    canon_sign(canon, cells);
    canon_colour(canon);
    canon_refine_root(canon, cells);
    const struct partition *partition = &canon->levels[0].partition;
    while ((at = leaf_first_shared(canon, partition)) < s->element_count) {
        uint32_t chosen = at + (uint32_t)(hash_mix(seed++) % partition->length[at]);
        struct partition *child = &canon_level(canon, level + 1)->partition;
        partition = &canon->levels[level].partition;
        partition_single_out(canon, partition, partition->order[chosen], child);
        canon_refine(canon, cells, child);
        partition = child;
        level++;
    }
    canon_move_pack(canon, cells);
    canon_move(canon, partition->order, cells, packed);
}
