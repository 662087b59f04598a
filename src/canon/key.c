/* Keys of instances: what the rows of the elements that an instance names say, in the state begun with. A permutation
 * of the elements that is applied to both leaves the key as it is, and so does a change of cells that are not in these
 * rows. (The upper bits of the sum: these are the ones that all cells of a row have a say in.) */
#include "base/bits.h"
#include "canon/lane.h"

bool canon_list_key_cells(const struct canon *canon, const struct rule *rule, uint64_t instance, uint64_t *cells)
{
    const struct structure *s = canon->structure;
    uint32_t elements[REPEAT_PARAMETERS], count = repeat_name(canon->repeat, rule->id, instance, elements);
    for (uint32_t i = 0; i < count; i++) {
        const struct row *row = &s->rows[elements[i]];
        for (uint32_t c = 0; c < row->plain_count; c++)
            bits_add(cells, s->row_cells[row->plain + c].address);
        for (uint32_t c = 0; c < row->ref_count; c++)
            bits_add(cells, s->row_cells[row->refs + c].address);
    }
    return count;
}

/* Rows that stand behind others come first: states are found by what fires first. */
static inline uint64_t key_of_row(const struct canon *canon, uint32_t element)
{
    return ~canon->row_sum[element];
}

static uint64_t key_of(const struct canon *canon, const struct rule *rule, uint64_t instance)
{
    uint32_t elements[REPEAT_PARAMETERS], count = repeat_name(canon->repeat, rule->id, instance, elements);
    uint64_t key = 0;
    for (uint32_t i = 0; i < count; i++)
        key += key_of_row(canon, elements[i]) * (2 * i + 1);
    return key;
}

uint32_t canon_key(struct canon *canon, const struct rule *rule, uint64_t instance, uint32_t bits)
{
    lane_know(canon);
    return (uint32_t)(key_of(canon, rule, instance) >> (64 - bits));
}

uint64_t canon_keep_lesser(struct canon *canon, const struct rule *rule, uint64_t first, uint64_t which, uint32_t key,
                           uint32_t bits)
{
    const uint32_t *elements = repeat_elements(canon->repeat, rule->id);
    uint64_t kept = 0, limit = (uint64_t)key << (64 - bits);
    lane_know(canon);
    for (uint64_t left = which; left; left &= left - 1) {
        uint32_t at = (uint32_t)__builtin_ctzll(left);
        uint64_t of = elements ? key_of_row(canon, elements[first + at]) : key_of(canon, rule, first + at);
        kept |= (uint64_t)(of < limit) << at;
    }
    return kept;
}
