/* Twins: elements whose exchange leaves the state as it is. Decided on the cells, exactly.
 *
 * If (a b) and (b c) are automorphisms so is (a c): twins form equivalence classes, and the full symmetric group
 * on each fixes the state. So the order among twins does not matter, and one of them stands for all when
 * branching. */
#include <string.h>

#include "canon/canon_inner.h"

struct twins_exchange {
    uint32_t a, b;
};

static inline int32_t twins_code(const struct structure *s, const struct twins_exchange *x, int32_t code)
{
    uint32_t element = structure_element(s, code);
    return element == x->a   ? structure_rename(s, code, x->a, x->b)
           : element == x->b ? structure_rename(s, code, x->b, x->a)
                             : code;
}

static inline bool twins_name(const struct structure *s, const struct twins_exchange *x, int32_t code)
{
    uint32_t element = structure_element(s, code);
    return element == x->a || element == x->b;
}

/* Where the exchange takes something with this tuple. */
static inline uint32_t twins_address(const struct structure *s, const struct twins_exchange *x, uint32_t address,
                                     uint32_t tuple, uint32_t arity)
{
    for (uint32_t p = 0; p < arity; p++) {
        uint32_t element = s->elements[tuple + p];
        if (element == x->a)
            address += structure_distance(s, x->a, x->b) * s->strides[tuple + p];
        else if (element == x->b)
            address -= structure_distance(s, x->a, x->b) * s->strides[tuple + p];
    }
    return address;
}

/* Cells of one tuple: all go the same way. */
static bool twins_facts_agree(const struct structure *s, const struct fact *fact, const struct twins_exchange *x,
                              const int32_t *cells)
{
    uint32_t away = twins_address(s, x, 0, fact->tuple, fact->arity); /* modulo 2^32 */
    const uint32_t *plain = s->addresses + fact->plain, *refs = s->addresses + fact->refs;
    for (uint32_t i = 0; i < fact->plain_count; i++)
        if (cells[plain[i] + away] != cells[plain[i]])
            return false;
    for (uint32_t i = 0; i < fact->ref_count; i++)
        if (cells[refs[i] + away] != twins_code(s, x, cells[refs[i]]))
            return false;
    return true;
}

/* Cells with a in their tuple. Those with b are their images, and the exchange is its own inverse. */
static bool twins_rows_agree(const struct structure *s, const struct twins_exchange *x, const int32_t *cells)
{
    const struct row *row_a = &s->rows[x->a], *row_b = &s->rows[x->b];
    const struct row_cell *a = s->row_cells + row_a->plain, *b = s->row_cells + row_b->plain;
    for (uint32_t i = 0; i < row_a->plain_count; i++)
        if (cells[a[i].address] != cells[b[i].address])
            return false;
    a = s->row_cells + row_a->refs;
    b = s->row_cells + row_b->refs;
    for (uint32_t i = 0; i < row_a->ref_count; i++)
        if (cells[b[i].address] != twins_code(s, x, cells[a[i].address]))
            return false;
    for (uint32_t i = 0; i < row_a->wide_count; i++)
        if (!twins_facts_agree(s, &s->facts[s->wide_facts[row_a->wide + i]], x, cells))
            return false;
    return true;
}

/* Cells that stay where they are may hold neither a nor b. (Strides of one tuple differ, so a cell stays only when
 * its tuple has neither.) */
static bool twins_unreferenced(const struct structure *s, const struct twins_exchange *x, const int32_t *cells)
{
    const struct moved_factor *factor = &s->factors[s->factor_of[x->a]];
    for (uint32_t r = 0; r < factor->ref_count; r++) {
        const struct use *use = &s->uses[s->factor_refs[factor->refs + r]];
        int32_t code = cells[use->address];
        if (twins_name(s, x, code) && twins_address(s, x, use->address, use->tuple, use->arity) == use->address)
            return false;
    }
    return true;
}

static bool twins_slots_touched(const struct structure *s, const struct slots *slots, const struct twins_exchange *x,
                                const int32_t *slot)
{
    for (uint32_t u = 0; u < slots->use_count; u++) {
        const struct use *use = &s->slot_uses[slots->uses + u];
        for (uint32_t p = 0; p < use->arity; p++)
            if (s->elements[use->tuple + p] == x->a)
                return true;
        if (!use->is_ref)
            continue;
        const int32_t *cell = slot + use->address;
        for (uint32_t i = 0; i < slots->capacity && slot[i * slots->stride]; i++)
            if (twins_name(s, x, cell[i * slots->stride]))
                return true;
    }
    return false;
}

/* A bare multiset of up to 64 slots: those that name one of the two, renamed, are the same ones again. */
static bool twins_bare_slots_agree(const struct canon *canon, const struct slots *slots, const struct twins_exchange *x,
                                   const int32_t *from)
{
    uint32_t taken;
    uint64_t moved = structure_act_moved(canon->structure, slots, canon->swap, canon_bit(x->a) | canon_bit(x->b), from,
                                         canon->buffer, &taken);
    for (const int32_t *slot = canon->buffer; moved; moved &= moved - 1, slot += slots->stride)
        for (uint32_t c = 1; c < slots->stride; c++)
            if (slot[c] != from[(uint32_t)__builtin_ctzll(moved) * slots->stride + c])
                return false;
    return true;
}

static bool twins_slots_agree(struct canon *canon, const struct twins_exchange *x, const int32_t *cells,
                              bool is_referenced)
{
    const struct structure *s = canon->structure;
    for (uint32_t i = 0; i < s->slots_count; i++) {
        const struct slots *slots = &s->slots[i];
        const int32_t *from = cells + slots->address;
        const int32_t *to = cells + twins_address(s, x, slots->address, slots->tuple, slots->arity);
        if (slots->is_bare && !is_referenced)
            continue;
        if (slots->is_bare && slots->capacity <= 64) {
            if (!twins_bare_slots_agree(canon, slots, x, from))
                return false;
            continue;
        }
        if (from == to && !twins_slots_touched(s, slots, x, from))
            continue;
        uint32_t taken = structure_act_slots(s, slots, canon->swap, from, canon->buffer);
        uint32_t count = slots->is_bare ? taken : slots->capacity;
        if (memcmp(canon->buffer, to, (size_t)slots->stride * count * sizeof *to) != 0)
            return false;
    }
    return true;
}

bool canon_are_twins(struct canon *canon, uint32_t a, uint32_t b, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    struct twins_exchange x = {a, b};
    bool is_referenced = canon->referenced & (canon_bit(a) | canon_bit(b));
    if (!twins_rows_agree(s, &x, cells) || (is_referenced && !twins_unreferenced(s, &x, cells)))
        return false;
    if (!s->slots_count)
        return true;
    canon->swap[a] = b;
    canon->swap[b] = a;
    bool agree = twins_slots_agree(canon, &x, cells, is_referenced);
    canon->swap[a] = a;
    canon->swap[b] = b;
    return agree;
}

/* A twin is named by the first of its set that was met. When the time is over nobody is compared any more, and "all are
 * twins" saves the search for a representative: whatever order there is will do, as nothing is complete then. */
bool canon_find_twins(struct canon *canon, const int32_t *cells, const struct canon_partition *partition)
{
    bool all = true, is_cut = false;
    for (uint32_t end, at = 0; at < canon->structure->element_count; at = end) {
        const uint32_t *order = partition->order;
        end = at + partition->length[at];
        canon->twin[order[at]] = order[at];
        for (uint32_t i = at + 1; i < end; i++) {
            canon->twin[order[i]] = order[i];
            is_cut = is_cut || canon_cuts(canon);
            for (uint32_t j = i; j-- > at && !is_cut;) /* the neighbour first: most often all are alike */
                if (canon->twin[order[j]] == order[j] || j + 1 == i) {
                    if (canon_are_twins(canon, order[j], order[i], cells)) {
                        canon->twin[order[i]] = canon->twin[order[j]];
                        break;
                    }
                }
            all &= canon->twin[order[i]] == order[at];
        }
    }
    return all || is_cut;
}
