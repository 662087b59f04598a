/* SymmSpin's strategies (Bosnacki, Dams, Holenderski 2002; survey section 4.3). */
#include <string.h>

#include "canon/strategy.h"

/* By the id-insensitive part of the local states: cells of the element alone that hold no element. */
static int sort_compare(const struct structure *s, uint32_t a, uint32_t b, const int32_t *cells)
{
    const struct row_cell *x = s->row_cells + s->rows[a].plain, *y = s->row_cells + s->rows[b].plain;
    for (uint32_t i = 0; i < s->rows[a].plain_count; i++)
        if (cells[x[i].address] != cells[y[i].address])
            return cells[x[i].address] < cells[y[i].address] ? -1 : 1;
    return 0;
}

/* Selection sort: the least of what is left is exchanged with the first. */
static void sort_factor(struct canon *canon, const struct moved_factor *factor, const int32_t *cells, uint32_t *order)
{
    const struct structure *s = canon->structure;
    uint32_t end = factor->first + factor->degree;
    for (uint32_t at = factor->first; at < end && !canon_cuts(canon); at++) {
        uint32_t least = at, kept = order[at];
        for (uint32_t i = at + 1; i < end; i++)
            if (sort_compare(s, order[i], order[least], cells) < 0)
                least = i;
        order[at] = order[least];
        order[least] = kept;
    }
}

static void sort_elements(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    uint32_t *order = canon->strategy->order;
    perm_set_identity(s->element_count, order);
    for (uint32_t f = 0; f < s->factor_count; f++)
        if (s->factors[f].is_full)
            sort_factor(canon, &s->factors[f], cells, order);
}

void strategy_sort(struct canon *canon, const int32_t *cells)
{
    struct strategy *strategy = canon->strategy;
    sort_elements(canon, cells);
    perm_invert(canon->structure->element_count, strategy->order, strategy->image);
    structure_act(canon->structure, strategy->image, cells, strategy->current);
}

/* The runs of equal keys in full factors. Returns how many permutations keep them, or more than STRATEGY_SEGMENTS. */
static uint64_t sort_list_segments(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    struct strategy *strategy = canon->strategy;
    uint64_t count = 1;
    strategy->segment_count = 0;
    for (uint32_t at = 0, length = 0; at < s->element_count; at++) {
        bool is_like_last = at > 0 && s->factor_of[at] == s->factor_of[at - 1] &&
                            s->factors[s->factor_of[at]].is_full &&
                            sort_compare(s, strategy->order[at - 1], strategy->order[at], cells) == 0;
        length = is_like_last ? length + 1 : 1;
        if (!is_like_last)
            strategy->segments[strategy->segment_count++] = at;
        count = count > STRATEGY_SEGMENTS ? count : count * length;
        strategy->shuffle[at] = at;
    }
    strategy->segments[strategy->segment_count] = s->element_count;
    return count;
}

/* The next arrangement of shuffle[from..to) in lexicographic order; false: it was the last, and the first is set. */
static bool sort_next(uint32_t *shuffle, uint32_t from, uint32_t to)
{
    uint32_t i = to - 1, j = to - 1;
    while (i > from && shuffle[i - 1] > shuffle[i])
        i--;
    bool has_next = i > from;
    if (has_next) {
        while (shuffle[j] < shuffle[i - 1])
            j--;
        uint32_t kept = shuffle[i - 1];
        shuffle[i - 1] = shuffle[j];
        shuffle[j] = kept;
    }
    for (j = to - 1; i < j; i++, j--) {
        uint32_t kept = shuffle[i];
        shuffle[i] = shuffle[j];
        shuffle[j] = kept;
    }
    return has_next;
}

static bool sort_next_of_all(struct strategy *strategy)
{
    for (uint32_t i = 0; i < strategy->segment_count; i++)
        if (sort_next(strategy->shuffle, strategy->segments[i], strategy->segments[i + 1]))
            return true;
    return false;
}

void strategy_segment(struct canon *canon, const int32_t *cells)
{
    struct strategy *strategy = canon->strategy;
    strategy_sort(canon, cells);
    if (sort_list_segments(canon, cells) > STRATEGY_SEGMENTS)
        return;
    while (!canon_cuts(canon) && sort_next_of_all(strategy)) {
        for (uint32_t at = 0; at < canon->structure->element_count; at++)
            strategy->image[strategy->order[strategy->shuffle[at]]] = at;
        structure_act(canon->structure, strategy->image, cells, strategy->candidate);
        if (strategy_is_less(canon, strategy->candidate, strategy->current)) {
            int32_t *kept = strategy->current;
            strategy->current = strategy->candidate;
            strategy->candidate = kept;
        }
    }
}
