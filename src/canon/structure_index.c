/* The same cells seen from three sides: by address (a cell has changed: what of it?), by element (its row moves), and
 * by factor (its elements are renamed: who mentions them?). */
#include <string.h>

#include "base/vec.h"
#include "canon/structure.h"

typedef VEC(uint32_t) number_list;
typedef VEC(struct row_cell) cell_list;
typedef VEC(struct structure_piece) piece_list;

static void index_cells(struct structure *s)
{
    s->cell_use = ARENA_ARRAY(s->arena, uint32_t, s->cell_count + 1);
    memset(s->cell_use, 0xff, s->cell_count * sizeof *s->cell_use);
    for (uint32_t u = 0; u < s->use_count; u++)
        s->cell_use[s->uses[u].address] = u;
    for (uint32_t i = 0; i < s->slots_count; i++)
        for (uint32_t c = 0; c < s->slots[i].stride * s->slots[i].capacity; c++)
            s->cell_use[s->slots[i].address + c] = NO_USE - 1 - i;
}

static uint32_t index_row_cells(const struct structure *s, const struct fact *fact, bool is_ref, cell_list *cells)
{
    size_t before = cells->count;
    for (uint32_t u = fact->uses; u < fact->uses + fact->use_count; u++) {
        struct row_cell cell = {.weight = s->uses[u].weight, .mixed = s->uses[u].mixed, .address = s->uses[u].address};
        if (s->uses[u].is_ref == is_ref)
            VEC_PUSH(cells, cell);
    }
    return (uint32_t)(cells->count - before);
}

static void index_rows(struct structure *s)
{
    cell_list cells = {0};
    s->rows = ARENA_ARRAY(s->arena, struct row, s->element_count);
    for (uint32_t e = 0; e < s->element_count; e++)
        s->rows[e].fact = NO_FACT;
    for (uint32_t f = 0; f < s->wide_fact; f++) {
        if (!s->facts[f].arity)
            continue;
        struct row *row = &s->rows[s->elements[s->facts[f].tuple]];
        row->fact = f;
        row->plain = (uint32_t)cells.count;
        row->plain_count = index_row_cells(s, &s->facts[f], false, &cells);
        row->refs = (uint32_t)cells.count;
        row->ref_count = index_row_cells(s, &s->facts[f], true, &cells);
    }
    s->row_cells = VEC_SEAL(&cells, s->arena);
}

/* Is this the first position of the tuple that holds the element? */
static bool index_is_first(const struct structure *s, const struct fact *fact, uint32_t position)
{
    for (uint32_t p = 0; p < position; p++)
        if (s->elements[fact->tuple + p] == s->elements[fact->tuple + position])
            return false;
    return true;
}

static void index_wide_facts(struct structure *s, bool is_counted)
{
    for (uint32_t f = s->wide_fact; f < s->fact_count; f++)
        for (uint32_t p = 0; p < s->facts[f].arity; p++) {
            struct row *row = &s->rows[s->elements[s->facts[f].tuple + p]];
            if (!index_is_first(s, &s->facts[f], p))
                continue;
            if (is_counted)
                s->wide_facts[row->wide + row->wide_count] = f;
            row->wide_count++;
        }
}

/* The facts of longer tuples by element: counted first, then listed. */
static void index_wide(struct structure *s)
{
    uint32_t total = 0;
    index_wide_facts(s, false);
    for (uint32_t e = 0; e < s->element_count; e++) {
        s->rows[e].wide = total;
        total += s->rows[e].wide_count;
        s->rows[e].wide_count = 0;
    }
    s->wide_facts = ARENA_ARRAY(s->arena, uint32_t, total + 1);
    index_wide_facts(s, true);
}

static void index_refs(struct structure *s)
{
    number_list refs = {0}, by_factor = {0};
    for (uint32_t u = 0; u < s->use_count; u++)
        if (s->uses[u].is_ref)
            VEC_PUSH(&refs, u);
    for (uint32_t f = 0; f < s->factor_count; f++) {
        s->factors[f].refs = (uint32_t)by_factor.count;
        for (size_t i = 0; i < refs.count; i++)
            if (structure_type_names(s->layout->cells[s->uses[refs.items[i]].address].type, &s->factors[f]))
                VEC_PUSH(&by_factor, refs.items[i]);
        s->factors[f].ref_count = (uint32_t)by_factor.count - s->factors[f].refs;
    }
    s->ref_count = (uint32_t)refs.count;
    s->ref_uses = VEC_SEAL(&refs, s->arena);
    s->factor_refs = VEC_SEAL(&by_factor, s->arena);
}

static void index_cut_fact(const struct structure *s, struct fact *fact, piece_list *pieces)
{
    uint32_t filled = 0; /* bits of the fact's word */
    fact->pieces = (uint32_t)pieces->count;
    for (uint32_t i = 0; i < fact->use_count; i++) {
        const struct cell *cell = &s->layout->cells[s->uses[fact->uses + i].address];
        struct structure_piece *last = pieces->count > fact->pieces ? &VEC_LAST(pieces) : NULL;
        uint64_t mask = UINT64_MAX >> (64 - cell->bits);
        if (filled + cell->bits > 64) {
            last->is_last = true;
            filled = 0;
        }
        if (last && !last->is_last && last->word == cell->word && last->shift + filled - last->offset == cell->shift) {
            last->mask |= mask << (filled - last->offset);
        } else {
            struct structure_piece piece = {.mask = mask, .word = cell->word, .shift = (uint8_t)cell->shift};
            piece.offset = (uint8_t)filled;
            VEC_PUSH(pieces, piece);
        }
        filled += cell->bits;
    }
    VEC_LAST(pieces).is_last = true;
    fact->piece_count = (uint32_t)pieces->count - fact->pieces;
}

static void index_pieces(struct structure *s)
{
    piece_list pieces = {0};
    for (uint32_t f = 0; f < s->fact_count; f++)
        if (s->facts[f].arity)
            index_cut_fact(s, &s->facts[f], &pieces);
    s->pieces = VEC_SEAL(&pieces, s->arena);
}

static void index_slots(struct structure *s)
{
    number_list refs = {0};
    for (uint32_t i = 0; i < s->slots_count; i++) {
        struct slots *slots = &s->slots[i];
        slots->refs = (uint32_t)refs.count;
        for (uint32_t u = slots->uses; u < slots->uses + slots->use_count; u++)
            if (s->slot_uses[u].is_ref)
                VEC_PUSH(&refs, s->slot_uses[u].address);
        slots->ref_count = (uint32_t)refs.count - slots->refs;
    }
    s->slot_refs = VEC_SEAL(&refs, s->arena);
    s->bit_at = ARENA_ARRAY(s->arena, uint64_t, s->code_span + 1);
    for (uint32_t at = 0; at < s->code_span; at++)
        s->bit_at[at] = s->element_at[at] == NO_ELEMENT ? 0 : (uint64_t)1 << (s->element_at[at] & 63);
}

void structure_index(struct structure *s)
{
    while (s->wide_fact < s->fact_count && s->facts[s->wide_fact].arity < 2) /* in order of arity */
        s->wide_fact++;
    while (s->wide_use < s->use_count && s->uses[s->wide_use].arity < 2)
        s->wide_use++;
    index_cells(s);
    index_rows(s);
    index_wide(s);
    index_refs(s);
    index_pieces(s);
    index_slots(s);
}
