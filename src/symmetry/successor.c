/* The short way: canonical forms of the successors of one state.
 *
 * A rule changes few cells. The signatures of the state are known, so those of a successor are a few sums away; the
 * elements of a representative are in order of signature already, so few have to move; elements that were twins
 * and that no changed cell mentions are twins still; and the packed successor differs from the packed state in the
 * rows that moved, the references to what moved, and the changes. What is decided, and on what, is the same as in
 * canon_apply, so the results are the same. */
#include <string.h>

#include "base/memory.h"
#include "symmetry/canon_inner.h"

struct lane {
    const int32_t *parent; /* NULL: nothing begun */
    const uint64_t *packed;
    bool is_known;         /* the rest is that of the parent */
    uint64_t *signature;   /* by element */
    uint64_t *fact_sum;    /* by fact */
    uint64_t referenced;
    uint32_t *twin;        /* by element: neighbours that are twins have the same number */
    uint64_t *members;     /* by factor: its elements' bits */
    uint64_t *classes;     /* by factor: class starts, when it is settled */
    bool *is_settled;      /* by factor: in order of signature, and every class a set of twins */

    uint32_t *diff;     /* changed cells nobody listed */
    uint32_t *dirty;    /* multisets with changes */
    bool *is_dirty;     /* by multiset */
    uint32_t dirty_count;
    uint32_t *spare;    /* elements of a class of twins that lose their positions */
    int32_t *multiset;
    int32_t *out;       /* cells of the representative that did not just move: */
    uint32_t *list;     /* these */
    uint32_t list_count;
    uint64_t *plain;    /* the packed successor as it stands */
};

struct lane *lane_create(const struct structure *s)
{
    struct lane *lane = memory_zeroed(1, sizeof *lane);
    size_t n = (size_t)s->element_count + 1, cells = (size_t)s->cell_count + 1, factors = (size_t)s->factor_count + 1;
    lane->signature = memory_zeroed(n, sizeof *lane->signature);
    lane->fact_sum = memory_zeroed((size_t)s->fact_count + 1, sizeof *lane->fact_sum);
    lane->twin = memory_zeroed(n, sizeof *lane->twin);
    lane->members = memory_zeroed(factors, sizeof *lane->members);
    lane->classes = memory_zeroed(factors, sizeof *lane->classes);
    lane->is_settled = memory_zeroed(factors, sizeof *lane->is_settled);
    lane->diff = memory_zeroed(cells, sizeof *lane->diff);
    lane->dirty = memory_zeroed((size_t)s->slots_count + 1, sizeof *lane->dirty);
    lane->is_dirty = memory_zeroed((size_t)s->slots_count + 1, sizeof *lane->is_dirty);
    lane->spare = memory_zeroed(n, sizeof *lane->spare);
    lane->multiset = memory_zeroed((size_t)s->largest_multiset + 1, sizeof *lane->multiset);
    lane->out = memory_zeroed(cells, sizeof *lane->out);
    lane->list = memory_zeroed((factors + 1) * cells, sizeof *lane->list); /* once for each factor at most, and slots */
    lane->plain = memory_zeroed(s->layout->words, sizeof *lane->plain);
    for (uint32_t e = 0; e < s->element_count; e++)
        lane->members[s->factor_of[e]] |= canon_bit(e);
    return lane;
}

void lane_destroy(struct lane *lane)
{
    free(lane->signature);
    free(lane->fact_sum);
    free(lane->twin);
    free(lane->members);
    free(lane->classes);
    free(lane->is_settled);
    free(lane->diff);
    free(lane->dirty);
    free(lane->is_dirty);
    free(lane->spare);
    free(lane->multiset);
    free(lane->out);
    free(lane->list);
    free(lane->plain);
    free(lane);
}

void lane_leave(struct lane *lane)
{
    lane->is_known = false;
}

/* --- the parent --- */

static void lane_settle_factor(struct canon *canon, uint32_t f)
{
    const struct moved_factor *factor = &canon->structure->factors[f];
    struct lane *lane = canon->lane;
    const uint64_t *signature = canon->signature;
    lane->is_settled[f] = true;
    lane->classes[f] = canon_bit(factor->first);
    lane->twin[factor->first] = factor->first;
    for (uint32_t e = factor->first + 1; e < factor->first + factor->degree; e++) {
        bool is_twin = signature[e] == signature[e - 1] && canon_are_twins(canon, e - 1, e, lane->parent);
        lane->twin[e] = is_twin ? lane->twin[e - 1] : e;
        if (!is_twin) {
            lane->classes[f] |= canon_bit(e);
            lane->is_settled[f] &= signature[e] > signature[e - 1];
        }
    }
}

static void lane_know_parent(struct canon *canon)
{
    const struct structure *s = canon->structure;
    struct lane *lane = canon->lane;
    canon_sign(canon, lane->parent);
    memcpy(lane->signature, canon->signature, s->element_count * sizeof *lane->signature);
    memcpy(lane->fact_sum + s->wide_fact, canon->fact_sum + s->wide_fact,
           (s->fact_count - s->wide_fact) * sizeof *lane->fact_sum);
    lane->referenced = canon->referenced;
    for (uint32_t f = 0; f < s->factor_count; f++)
        lane_settle_factor(canon, f);
    lane->is_known = true;
}

void canon_begin(struct canon *canon, const int32_t *cells, const uint64_t *packed)
{
    canon->lane->parent = cells;
    canon->lane->packed = packed;
    canon->lane->is_known = false;
}

/* --- signatures of the successor --- */

static void lane_note_dirty(struct lane *lane, uint32_t slots)
{
    if (lane->is_dirty[slots])
        return;
    lane->is_dirty[slots] = true;
    lane->dirty[lane->dirty_count++] = slots;
}

static void lane_sign(struct canon *canon, const int32_t *cells, const uint32_t *changed, uint32_t count)
{
    const struct structure *s = canon->structure;
    struct lane *lane = canon->lane;
    memcpy(canon->signature, lane->signature, s->element_count * sizeof *canon->signature);
    canon->touched = 0;
    canon->referenced = lane->referenced;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cell = changed[i], use = s->cell_use[cell];
        if (use < s->use_count)
            canon_sign_change(canon, use, lane->parent[cell], cells[cell]);
        else if (use != NO_USE)
            lane_note_dirty(lane, structure_slots_at(s, cell));
    }
    for (uint32_t i = 0; i < lane->dirty_count; i++) {
        const struct slots *slots = &s->slots[lane->dirty[i]];
        canon_sign_slots_change(canon, slots, lane->parent + slots->address, cells + slots->address);
    }
}

static void lane_restore(struct canon *canon, const uint32_t *changed, uint32_t count)
{
    const struct structure *s = canon->structure;
    struct lane *lane = canon->lane;
    for (uint32_t i = 0; s->wide_use < s->use_count && i < count; i++) {
        uint32_t use = s->cell_use[changed[i]];
        if (use >= s->wide_use && use < s->use_count)
            canon->fact_sum[s->uses[use].fact] = lane->fact_sum[s->uses[use].fact];
    }
    for (uint32_t i = 0; i < lane->dirty_count; i++)
        lane->is_dirty[lane->dirty[i]] = false;
    lane->dirty_count = 0;
}

/* --- the order of the elements --- */

/* Insertion sort: nearly all are in order. */
static void lane_sort(uint32_t *order, uint32_t first, uint32_t count, const uint64_t *signature)
{
    order[first] = first;
    for (uint32_t e = first + 1; e < first + count; e++) {
        uint64_t key = signature[e];
        uint32_t at = e;
        for (; at > first && signature[order[at - 1]] > key; at--)
            order[at] = order[at - 1];
        order[at] = e;
    }
}

/* Are the elements at start..end-1, of one signature, twins? Those that were and that nothing mentions are. */
static bool lane_are_twins(struct canon *canon, const uint32_t *order, uint32_t start, uint32_t end,
                           const int32_t *cells)
{
    const struct lane *lane = canon->lane;
    uint32_t last = NO_ELEMENT; /* the twin number of the last one that nothing mentions */
    for (uint32_t at = start; at < end; at++) {
        uint32_t e = order[at], twin = canon->touched & canon_bit(e) ? NO_ELEMENT : lane->twin[e];
        if (at > start && (twin == NO_ELEMENT || twin != last) && !canon_are_twins(canon, order[at - 1], e, cells))
            return false;
        last = twin == NO_ELEMENT ? last : twin;
    }
    return true;
}

/* Twins at start..end-1 stay where they are if they can: the fewer rows move the better. */
static void lane_arrange_twins(struct canon *canon, uint32_t *order, uint32_t start, uint32_t end)
{
    uint64_t key = canon->signature[order[start]];
    uint32_t *spare = canon->lane->spare, count = 0;
    for (uint32_t at = start; at < end; at++)
        if (order[at] < start || order[at] >= end)
            spare[count++] = order[at];
    for (uint32_t at = start; at < end; at++)
        order[at] = canon->signature[at] == key ? at : spare[--count];
}

/* Orders the elements of a factor. Returns false when there is a class that is no set of twins. */
static bool lane_order_factor(struct canon *canon, uint32_t f, const int32_t *cells, uint64_t *classes)
{
    const struct moved_factor *factor = &canon->structure->factors[f];
    uint32_t *order = canon->levels[0].partition.order, stop = factor->first + factor->degree;
    bool is_good = true;
    lane_sort(order, factor->first, factor->degree, canon->signature);
    for (uint32_t end, at = factor->first; at < stop; at = end) {
        uint64_t key = canon->signature[order[at]];
        *classes |= canon_bit(at);
        for (end = at + 1; end < stop && canon->signature[order[end]] == key;)
            end++;
        if (end - at == 1)
            continue;
        if (is_good && !lane_are_twins(canon, order, at, end, cells))
            is_good = false;
        lane_arrange_twins(canon, order, at, end);
    }
    return is_good;
}

static bool lane_order(struct canon *canon, const int32_t *cells, uint64_t *classes)
{
    const struct structure *s = canon->structure;
    const struct lane *lane = canon->lane;
    uint32_t *order = canon->levels[0].partition.order;
    bool is_good = true;
    for (uint32_t f = 0; f < s->factor_count; f++) {
        const struct moved_factor *factor = &s->factors[f];
        if (lane->is_settled[f] && !(canon->touched & lane->members[f])) {
            *classes |= lane->classes[f];
            for (uint32_t e = factor->first; e < factor->first + factor->degree; e++)
                order[e] = e;
        } else {
            is_good &= lane_order_factor(canon, f, cells, classes);
        }
    }
    return is_good;
}

/* --- the packed representative --- */

/* Where the labelling takes something with this tuple. */
static inline uint32_t lane_target(const struct structure *s, const uint32_t *image, uint32_t address, uint32_t tuple,
                                   uint32_t arity)
{
    for (uint32_t p = 0; p < arity; p++) {
        uint32_t element = s->elements[tuple + p];
        address += (image[element] - element) * s->strides[tuple + p]; /* unsigned: a move down wraps around */
    }
    return address;
}

/* The first place in the tuple to which another element comes, or NO_ELEMENT. */
static inline uint32_t lane_first_moved(const struct structure *s, const uint32_t *order, uint32_t tuple,
                                        uint32_t arity)
{
    for (uint32_t p = 0; p < arity; p++)
        if (order[s->elements[tuple + p]] != s->elements[tuple + p])
            return s->elements[tuple + p];
    return NO_ELEMENT;
}

/* The bits of a fact of the packed successor to where another fact of the kind is. Most often they are there already;
 * to look first costs less than one write waiting for the other. */
static inline void lane_move_fact(const struct structure *s, const struct fact *from, const struct fact *to,
                                  const uint64_t *plain, uint64_t *packed)
{
    const struct piece *source = s->pieces + from->pieces, *target = s->pieces + to->pieces;
    const struct piece *end = source + from->piece_count;
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

static void lane_move_row(const struct canon *canon, uint32_t place, uint64_t *packed)
{
    const struct structure *s = canon->structure;
    const uint32_t *order = canon->levels[0].partition.order;
    const struct row *row = &s->rows[place];
    if (row->fact != NO_FACT)
        lane_move_fact(s, &s->facts[s->rows[order[place]].fact], &s->facts[row->fact], canon->lane->plain, packed);
    for (uint32_t i = 0; i < row->wide_count; i++) {
        const struct fact *to = &s->facts[s->wide_facts[row->wide + i]];
        if (lane_first_moved(s, order, to->tuple, to->arity) != place)
            continue;
        uint32_t source = lane_target(s, order, s->uses[to->uses].address, to->tuple, to->arity);
        lane_move_fact(s, &s->facts[s->uses[s->cell_use[source]].fact], to, canon->lane->plain, packed);
    }
}

static inline void lane_put(struct lane *lane, uint32_t address, int32_t code)
{
    lane->out[address] = code;
    lane->list[lane->list_count++] = address;
}

/* References to elements that moved have moved with their rows, and still have the old names. */
static void lane_rename_refs(struct canon *canon, uint32_t f, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    const uint32_t *refs = s->factor_refs + s->factors[f].refs, *image = canon->image;
    for (uint32_t r = 0; r < s->factors[f].ref_count; r++) {
        const struct use *use = &s->uses[refs[r]];
        uint32_t element = structure_element(s, cells[use->address]);
        if (element != NO_ELEMENT && image[element] != element)
            lane_put(canon->lane, lane_target(s, image, use->address, use->tuple, use->arity),
                     s->code_of[image[element]]);
    }
}

/* Does a slot name an element that moved? (With arrays in the slots the elements are indices too.) */
static bool lane_slots_move(const struct canon *canon, const struct slots *slots, const int32_t *slot)
{
    const struct structure *s = canon->structure;
    if (!slots->is_bare)
        return true;
    for (uint32_t i = 0; i < slots->capacity && slot[0]; i++, slot += slots->stride)
        for (uint32_t u = 0; u < slots->use_count; u++) {
            const struct use *use = &s->slot_uses[slots->uses + u];
            uint32_t element = use->is_ref ? structure_element(s, slot[use->address]) : NO_ELEMENT;
            if (element != NO_ELEMENT && canon->image[element] != element)
                return true;
        }
    return false;
}

static void lane_move_slots(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    struct lane *lane = canon->lane;
    for (uint32_t i = 0; i < s->slots_count; i++) {
        const struct slots *slots = &s->slots[i];
        if (!lane_slots_move(canon, slots, cells + slots->address))
            continue;
        uint32_t to = lane_target(s, canon->image, slots->address, slots->tuple, slots->arity);
        uint32_t taken = structure_act_slots(s, slots, canon->image, cells + slots->address, lane->multiset);
        uint32_t end = to == slots->address ? taken : slots->capacity;
        for (uint32_t c = 0; c < slots->stride * end; c++)
            if (lane->multiset[c] != cells[to + c])
                lane_put(lane, to + c, lane->multiset[c]);
    }
}

/* Returns whether an element of the factor moved. */
static bool lane_move_factor(struct canon *canon, uint32_t f, uint64_t *packed)
{
    const struct moved_factor *factor = &canon->structure->factors[f];
    const uint32_t *order = canon->levels[0].partition.order;
    bool is_moved = false;
    for (uint32_t place = factor->first; place < factor->first + factor->degree; place++)
        if (order[place] != place) {
            is_moved = true;
            lane_move_row(canon, place, packed);
        }
    return is_moved;
}

static bool lane_set_image(struct canon *canon)
{
    const uint32_t *order = canon->levels[0].partition.order;
    bool is_moved = false;
    for (uint32_t place = 0; place < canon->structure->element_count; place++) {
        canon->image[order[place]] = place;
        is_moved |= order[place] != place;
    }
    return is_moved;
}

/* The successor is packed as it stands; then rows move, and what named their elements is set anew. */
static void lane_pack(struct canon *canon, const int32_t *cells, const uint32_t *changed, uint32_t count,
                      uint64_t *packed)
{
    const struct structure *s = canon->structure;
    struct lane *lane = canon->lane;
    size_t bytes = s->layout->words * sizeof *packed;
    memcpy(packed, lane->packed, bytes);
    layout_repack(s->layout, cells, changed, count, packed);
    if (!lane_set_image(canon))
        return;
    memcpy(lane->plain, packed, bytes);
    lane->list_count = 0;
    for (uint32_t f = 0; f < s->factor_count; f++)
        if (lane_move_factor(canon, f, packed))
            lane_rename_refs(canon, f, cells);
    lane_move_slots(canon, cells);
    layout_repack(s->layout, lane->out, lane->list, lane->list_count, packed);
}

/* The long way, from the signatures on: leaves the order in the root partition. */
static uint64_t lane_order_hard(struct canon *canon, const int32_t *cells)
{
    struct partition *root = &canon->levels[0].partition;
    uint32_t n = canon->structure->element_count;
    const uint32_t *order;
    uint64_t classes = 0;
    canon_colour_sorted(canon);
    if (canon_label_hard(canon, cells, &order) != WAY_TWINS) {
        memcpy(root->order, order, n * sizeof *order);
        return 0;
    }
    for (uint32_t at = 0; at < n; at += root->length[at])
        classes |= canon_bit(at);
    return classes;
}

static uint32_t lane_list_changed(const struct canon *canon, const int32_t *cells)
{
    const struct lane *lane = canon->lane;
    uint32_t count = 0;
    for (uint32_t c = 0; c < canon->structure->cell_count; c++) {
        lane->diff[count] = c;
        count += cells[c] != lane->parent[c];
    }
    return count;
}

uint64_t canon_successor(struct canon *canon, const int32_t *cells, const uint32_t *changed, uint32_t count,
                         uint64_t *packed)
{
    struct lane *lane = canon->lane;
    uint64_t classes = 0;
    ENSURE(lane->parent);
    if (!lane->is_known)
        lane_know_parent(canon);
    if (!changed) {
        count = lane_list_changed(canon, cells);
        changed = lane->diff;
    }
    lane_sign(canon, cells, changed, count);
    if (!lane_order(canon, cells, &classes))
        classes = lane_order_hard(canon, cells);
    lane_pack(canon, cells, changed, count, packed);
    lane_restore(canon, changed, count);
    return canon->structure->element_count <= 64 ? classes : 0;
}

bool canon_is_repeat(struct canon *canon, const struct rule *rule, uint64_t instance)
{
    struct lane *lane = canon->lane;
    if (!lane->is_known)
        lane_know_parent(canon);
    return !repeat_is_least(canon->repeat, canon->structure, lane->twin, lane->parent, rule->id, instance);
}
