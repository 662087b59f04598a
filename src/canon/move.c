/* A labelling applied to a packed state.
 *
 * The state is packed as it stands. Then the rows of elements that get another place move, as bits; then what names
 * these elements is set anew: references, and multisets that hold any (they are sorted again). Few elements
 * move, and few references hold an element, so this is much less work than to build the state cell by cell. */
#include <string.h>

#include "base/memory.h"
#include "canon/canon_inner.h"

enum { NO_FACTOR = UINT32_MAX };

/* Where the labelling takes something with this tuple. */
static inline uint32_t move_target(const struct structure *s, const uint32_t *image, uint32_t address, uint32_t tuple,
                                   uint32_t arity)
{
    for (uint32_t p = 0; p < arity; p++) {
        uint32_t element = s->elements[tuple + p];
        address += structure_distance(s, element, image[element]) * s->strides[tuple + p];
    }
    return address;
}

/* The first place in the tuple to which another element comes, or NO_ELEMENT. */
static inline uint32_t move_first_moved(const struct structure *s, const uint32_t *order, uint32_t tuple,
                                        uint32_t arity)
{
    for (uint32_t p = 0; p < arity; p++)
        if (order[s->elements[tuple + p]] != s->elements[tuple + p])
            return s->elements[tuple + p];
    return NO_ELEMENT;
}

/* The bits of a fact of the packed successor to where another fact of the kind is. Most often they are there already;
 * to look first costs less than one write waiting for the other. */
static inline void move_fact(const struct structure *s, const struct fact *from, const struct fact *to,
                             const uint64_t *plain, uint64_t *packed)
{
    const struct structure_piece *source = s->pieces + from->pieces, *target = s->pieces + to->pieces;
    const struct structure_piece *end = source + from->piece_count;
    if (from->piece_count == 1 && to->piece_count == 1) { /* rows are short: most often they are in one word */
        uint64_t bits = plain[source->word] >> source->shift;
        packed[target->word] ^= ((bits ^ plain[target->word] >> target->shift) & source->mask) << target->shift;
        return;
    }
    while (source < end) {
        uint64_t bits = 0;
        do
            bits |= (plain[source->word] >> source->shift & source->mask) << source->offset;
        while (!(source++)->is_last);
        do {
            uint64_t differ = (bits >> target->offset ^ plain[target->word] >> target->shift) & target->mask;
            if (differ)
                packed[target->word] ^= differ << target->shift;
        } while (!(target++)->is_last);
    }
}

static void move_row(const struct canon *canon, const uint32_t *order, uint32_t place, uint64_t *packed)
{
    const struct structure *s = canon->structure;
    const struct row *row = &s->rows[place];
    if (row->fact != NO_FACT)
        move_fact(s, &s->facts[s->rows[order[place]].fact], &s->facts[row->fact], canon->move.plain, packed);
    for (uint32_t i = 0; i < row->wide_count; i++) {
        const struct fact *to = &s->facts[s->wide_facts[row->wide + i]];
        if (move_first_moved(s, order, to->tuple, to->arity) != place)
            continue;
        uint32_t source = move_target(s, order, s->uses[to->uses].address, to->tuple, to->arity);
        move_fact(s, &s->facts[s->uses[s->cell_use[source]].fact], to, canon->move.plain, packed);
    }
}

static inline void move_put(struct canon_move *move, uint32_t address, int32_t code)
{
    move->out[address] = code;
    move->list[move->list_count++] = address;
}

/* A reference to an element that moved has moved with its row, and still has the old name. */
static inline void move_rename_ref(struct canon *canon, uint32_t number, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    const struct use *use = &s->uses[number];
    uint32_t element = structure_element(s, cells[use->address]);
    if (element != NO_ELEMENT && canon->image[element] != element)
        move_put(&canon->move, move_target(s, canon->image, use->address, use->tuple, use->arity),
                 structure_rename(s, cells[use->address], element, canon->image[element]));
}

static void move_rename_changed(struct canon *canon, const int32_t *cells)
{
    const struct canon_move *move = &canon->move;
    for (uint32_t i = 0; i < move->changed_count; i++)
        move_rename_ref(canon, move->changed[i], cells);
}

/* Of two taken slots. */
static inline bool move_slot_precedes(const int32_t *one, const int32_t *other, uint32_t stride)
{
    uint32_t c = 1;
    while (c < stride && one[c] == other[c])
        c++;
    return c < stride && one[c] < other[c];
}

/* A bare multiset that stays where it is: the slots that are renamed go to their places among the others, which are in
 * order. */
static void move_bare_slots(struct canon *canon, const struct slots *slots, const int32_t *cells)
{
    struct canon_move *move = &canon->move;
    uint32_t stride = slots->stride, taken, next = 0;
    const int32_t *from = cells + slots->address, *renamed = move->multiset;
    uint64_t moved =
        structure_act_moved(canon->structure, slots, canon->image, move->moved, from, move->multiset, &taken);
    const int32_t *end = renamed + (uint32_t)__builtin_popcountll(moved) * stride;
    for (uint32_t place = 0; moved && place < taken; place++) {
        while (next < taken && moved >> next & 1)
            next++;
        bool is_other = next < taken && (renamed == end || move_slot_precedes(from + next * stride, renamed, stride));
        const int32_t *slot = is_other ? from + next++ * stride : renamed;
        renamed += is_other ? 0 : stride;
        if (slot == from + place * stride)
            continue;
        for (uint32_t c = 1; c < stride; c++)
            if (slot[c] != from[place * stride + c])
                move_put(move, slots->address + place * stride + c, slot[c]);
    }
}

static void move_slots(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    struct canon_move *move = &canon->move;
    for (uint32_t i = 0; i < s->slots_count; i++) {
        const struct slots *slots = &s->slots[i];
        uint32_t to = move_target(s, canon->image, slots->address, slots->tuple, slots->arity);
        if (slots->is_bare && slots->capacity <= 64 && to == slots->address) {
            move_bare_slots(canon, slots, cells);
            continue;
        }
        uint32_t taken = structure_act_slots(s, slots, canon->image, cells + slots->address, move->multiset);
        uint32_t end = to == slots->address ? taken : slots->capacity;
        for (uint32_t c = 0; c < slots->stride * end; c++)
            if (move->multiset[c] != cells[to + c])
                move_put(move, to + c, move->multiset[c]);
    }
}

static bool move_set_image(struct canon *canon, const uint32_t *order)
{
    bool is_moved = false;
    canon->move.is_still = false;
    canon->move.moved = 0;
    for (uint32_t place = 0; place < canon->structure->element_count; place++) {
        canon->image[order[place]] = place;
        canon->move.moved |= order[place] != place ? canon_bit(order[place]) : 0;
        is_moved |= order[place] != place;
    }
    return is_moved;
}

static void move_list_held(struct canon *canon, uint32_t f)
{
    const struct structure *s = canon->structure;
    const struct moved_factor *factor = &s->factors[f];
    const uint32_t *refs = s->factor_refs + factor->refs;
    uint32_t *held = canon->held + factor->refs, count = 0;
    for (uint32_t r = 0; r < factor->ref_count; r++) {
        uint32_t element = structure_element(s, canon->base[s->uses[refs[r]].address]);
        held[count] = refs[r];
        canon->held_bit[factor->refs + count] = canon_bit(element);
        count += element - factor->first < factor->degree; /* NO_ELEMENT is far above */
    }
    canon->held_count[f] = count;
}

/* The references that hold elements of the factor; those that have changed are looked at by themselves. */
static void move_rename_held(struct canon *canon, uint32_t f, const int32_t *cells)
{
    const struct moved_factor *factor = &canon->structure->factors[f];
    if (canon->held_count[f] == NO_USE)
        move_list_held(canon, f);
    for (uint32_t i = factor->refs, end = i + canon->held_count[f]; i < end; i++)
        if (canon->held_bit[i] & canon->move.moved)
            move_rename_ref(canon, canon->held[i], cells);
}

/* The rows of one factor, and the references that hold its elements. */
static void move_factor(struct canon *canon, const uint32_t *order, uint32_t f, const int32_t *cells, uint64_t *packed)
{
    const struct moved_factor *factor = &canon->structure->factors[f];
    bool is_moved = false;
    for (uint32_t place = factor->first; place < factor->first + factor->degree; place++)
        if (order[place] != place) {
            is_moved = true;
            move_row(canon, order, place, packed);
        }
    if (is_moved)
        move_rename_held(canon, f, cells);
}

void canon_move(struct canon *canon, const uint32_t *order, const int32_t *cells, uint64_t *packed)
{
    const struct structure *s = canon->structure;
    struct canon_move *move = &canon->move;
    memcpy(packed, move->plain, s->layout->words * sizeof *packed);
    if (!move_set_image(canon, order))
        return;
    move->list_count = 0;
    for (uint32_t f = 0; f < s->factor_count; f++)
        move_factor(canon, order, f, cells, packed);
    move_rename_changed(canon, cells);
    move_slots(canon, cells);
    layout_repack(s->layout, move->out, move->list, move->list_count, packed);
}

static void move_hold_still(struct canon *canon)
{
    for (uint32_t e = 0; e < canon->structure->element_count; e++)
        canon->image[e] = e;
    canon->move.is_still = true;
}

/* Do the references of each factor have bits of their own, and its elements? */
static bool move_is_small(const struct structure *s)
{
    for (uint32_t f = 0; f < s->factor_count; f++)
        if (s->factors[f].ref_count > 64)
            return false;
    return s->element_count <= 64;
}

static void move_list_holders(struct canon *canon, uint32_t f)
{
    const struct structure *s = canon->structure;
    const struct moved_factor *factor = &s->factors[f];
    const uint32_t *refs = s->factor_refs + factor->refs;
    for (uint32_t e = factor->first; e < factor->first + factor->degree; e++)
        canon->held_by[e] = 0;
    for (uint32_t r = 0; r < factor->ref_count; r++) {
        uint32_t element = structure_element(s, canon->base[s->uses[refs[r]].address]);
        bool is_in = element - factor->first < factor->degree; /* NO_ELEMENT is far above */
        canon->held_by[is_in ? element : s->element_count] |= (uint64_t)1 << r;
    }
    canon->held_listed |= canon_bit(f);
}

/* The place, with its row, gets the element that the order has there; who is there goes elsewhere. */
static inline void move_to_place(struct canon *canon, const uint32_t *order, uint32_t place, uint64_t *packed)
{
    canon->move.moved |= canon_bit(place);
    canon->image[order[place]] = place;
    move_row(canon, order, place, packed);
}

/* The references that hold elements of the factors of the places listed. */
static void move_rename_listed(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    const struct canon_move *move = &canon->move;
    uint32_t last = NO_FACTOR;
    for (uint32_t i = 0; i < move->place_count; i++) {
        uint32_t f = s->factor_of[move->places[i]];
        if (f != last)
            move_rename_held(canon, f, cells);
        last = f;
    }
}

static void move_places(struct canon *canon, const uint32_t *order, const int32_t *cells, uint64_t *packed)
{
    const struct canon_move *move = &canon->move;
    for (uint32_t i = 0; i < move->place_count; i++)
        move_to_place(canon, order, move->places[i], packed);
    move_rename_listed(canon, cells);
}

/* The same where the structure is small: what holds those that move is gathered on the way. */
static void move_few_places(struct canon *canon, const uint32_t *order, const int32_t *cells, uint64_t *packed)
{
    const struct structure *s = canon->structure;
    const struct canon_move *move = &canon->move;
    uint64_t factors = 0;
    for (uint32_t i = 0; i < move->place_count; i++) {
        uint32_t place = move->places[i], f = s->factor_of[place];
        if (!(canon->held_listed & canon_bit(f)))
            move_list_holders(canon, f);
        factors |= canon_bit(f);
        canon->held_now[f] |= canon->held_by[place];
        move_to_place(canon, order, place, packed);
    }
    for (; factors; factors &= factors - 1) {
        uint32_t f = (uint32_t)__builtin_ctzll(factors);
        for (uint64_t held = canon->held_now[f]; held; held &= held - 1)
            move_rename_ref(canon, s->factor_refs[s->factors[f].refs + (uint32_t)__builtin_ctzll(held)], cells);
        canon->held_now[f] = 0;
    }
}

void canon_move_listed(struct canon *canon, const uint32_t *order, const int32_t *cells, uint64_t *packed)
{
    const struct structure *s = canon->structure;
    struct canon_move *move = &canon->move;
    for (uint32_t w = 0; w < s->layout->words; w++)
        packed[w] = move->plain[w];
    if (!move->place_count)
        return;
    if (!move->is_still)
        move_hold_still(canon);
    move->is_still = false;
    move->moved = 0;
    move->list_count = 0;
    if (move->is_small)
        move_few_places(canon, order, cells, packed);
    else
        move_places(canon, order, cells, packed);
    move_rename_changed(canon, cells);
    move_slots(canon, cells);
    layout_repack(s->layout, move->out, move->list, move->list_count, packed);
}

void canon_move_pack(struct canon *canon, const int32_t *cells)
{
    layout_pack(canon->structure->layout, cells, canon->move.plain);
    canon->move.changed_count = 0;
}

void canon_move_create(struct canon *canon)
{
    const struct structure *s = canon->structure;
    size_t cells = (size_t)s->cell_count + 1;
    canon->move.plain = memory_zeroed(s->layout->words, sizeof *canon->move.plain);
    canon->move.out = memory_zeroed(cells, sizeof *canon->move.out);
    /* Held references by factor, those changed, and what is in slots: each cell once. */
    canon->move.list = memory_zeroed((s->factor_count + 2) * cells, sizeof *canon->move.list);
    canon->move.changed = memory_zeroed(cells, sizeof *canon->move.changed);
    canon->move.places = memory_zeroed((size_t)s->element_count + 1, sizeof *canon->move.places);
    canon->move.multiset = memory_zeroed((size_t)s->largest_multiset + 1, sizeof *canon->move.multiset);
    canon->held = memory_zeroed(cells * s->factor_count + 1, sizeof *canon->held);
    canon->held_bit = memory_zeroed(cells * s->factor_count + 1, sizeof *canon->held_bit);
    canon->move.is_small = move_is_small(s);
    canon->held_now = memory_zeroed((size_t)s->factor_count + 1, sizeof *canon->held_now);
    canon->held_by = memory_zeroed((size_t)s->element_count + 1, sizeof *canon->held_by);
    canon->held_count = memory_zeroed((size_t)s->factor_count + 1, sizeof *canon->held_count);
}

void canon_move_destroy(struct canon *canon)
{
    free(canon->move.plain);
    free(canon->move.out);
    free(canon->move.list);
    free(canon->move.changed);
    free(canon->move.places);
    free(canon->move.multiset);
    free(canon->held);
    free(canon->held_bit);
    free(canon->held_now);
    free(canon->held_by);
    free(canon->held_count);
}
