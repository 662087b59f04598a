/* The short way: canonical forms of the successors of one state.
 *
 * A rule changes few cells. The signatures of the state are known, so those of a successor are a few sums away; the
 * elements of a representative are in order of signature already, so few have to move; elements that were twins
 * and that no changed cell mentions are twins still; and the packed successor differs from the packed state in the
 * rows that moved, the references to what moved, and the changes. What is decided, and on what, is the same as in
 * canon_apply, so the results are the same. */
#include <string.h>

#include "base/memory.h"
#include "canon/generated.h"
#include "canon/lane.h"

static void lane_list_cells(struct successor_lane *lane, const struct structure *s, const struct discovery *discovery)
{
    uint64_t *links = memory_zeroed((size_t)s->use_count + 1, sizeof *links);
    discovery_list_links(discovery, s, links);
    lane->cell_of = memory_zeroed((size_t)s->cell_count + 1, sizeof *lane->cell_of);
    for (uint32_t c = 0; c < s->cell_count; c++) {
        uint32_t number = s->cell_use[c];
        const struct use *use = number < s->use_count ? &s->uses[number] : NULL;
        lane->cell_of[c].use = number;
        if (use && use->arity == 1 && !use->is_ref)
            lane->cell_of[c] =
                (struct lane_cell){.weight = use->weight, .element = s->elements[use->tuple], .use = number};
        else if (use) {
            lane->cell_of[c].links = links[number];
            lane->cell_of[c].is_ref = use->is_ref;
        }
    }
    free(links);
}

struct successor_lane *lane_create(const struct structure *s, const struct discovery *discovery)
{
    struct successor_lane *lane = memory_zeroed(1, sizeof *lane);
    lane_list_cells(lane, s, discovery);
    size_t n = (size_t)s->element_count + 1, factors = (size_t)s->factor_count + 1;
    lane->signature = memory_zeroed(n, sizeof *lane->signature);
    lane->ranked = memory_zeroed(n, sizeof *lane->ranked);
    lane->fact_sum = memory_zeroed((size_t)s->fact_count + 1, sizeof *lane->fact_sum);
    lane->twin = memory_zeroed(n, sizeof *lane->twin);
    lane->members = memory_zeroed(factors, sizeof *lane->members);
    lane->named = memory_zeroed(factors, sizeof *lane->named);
    lane->classes = memory_zeroed(factors, sizeof *lane->classes);
    lane->is_settled = memory_zeroed(factors, sizeof *lane->is_settled);
    lane->diff = memory_zeroed((size_t)s->cell_count + 1, sizeof *lane->diff);
    lane->dirty = memory_zeroed((size_t)s->slots_count + 1, sizeof *lane->dirty);
    lane->slots = memory_zeroed((size_t)s->slots_count + 1, sizeof *lane->slots);
    lane->spare = memory_zeroed(n, sizeof *lane->spare);
    lane->cells = memory_zeroed((size_t)s->cell_count + 1, sizeof *lane->cells);
    for (uint32_t e = 0; e < s->element_count; e++)
        lane->members[s->factor_of[e]] |= canon_bit(e);
    return lane;
}

void lane_destroy(struct successor_lane *lane)
{
    free(lane->cell_of);
    free(lane->signature);
    free(lane->ranked);
    free(lane->fact_sum);
    free(lane->twin);
    free(lane->members);
    free(lane->named);
    free(lane->classes);
    free(lane->is_settled);
    free(lane->diff);
    free(lane->dirty);
    free(lane->slots);
    free(lane->spare);
    free(lane->cells);
    free(lane);
}

void lane_leave(struct successor_lane *lane)
{
    lane->is_known = false;
}

/* --- the parent --- */

static void lane_settle_factor(struct canon *canon, uint32_t f)
{
    const struct moved_factor *factor = &canon->structure->factors[f];
    struct successor_lane *lane = canon->lane;
    const uint64_t *signature = canon->signature;
    lane->is_settled[f] = true;
    lane->classes[f] = canon_bit(factor->first);
    lane->twin[factor->first] = factor->first;
    for (uint32_t e = factor->first + 1; e < factor->first + factor->degree; e++) {
        bool is_twin = signature[e] == signature[e - 1] && canon_are_twins(canon, e - 1, e, lane->parent);
        lane->twin[e] = is_twin ? lane->twin[e - 1] : e;
        lane->has_twins |= is_twin;
        if (!is_twin) {
            lane->classes[f] |= canon_bit(e);
            lane->is_settled[f] &= signature[e] > signature[e - 1];
        }
    }
}

void lane_know_parent(struct canon *canon)
{
    const struct structure *s = canon->structure;
    struct successor_lane *lane = canon->lane;
    canon_sign(canon, lane->parent);
    canon->work += WORK_PARENT + WORK_CELL / 2 * s->use_count;
    memcpy(lane->signature, canon->signature, s->element_count * sizeof *lane->signature);
    memcpy(lane->fact_sum + s->wide_fact, canon->fact_sum + s->wide_fact,
           (s->fact_count - s->wide_fact) * sizeof *lane->fact_sum);
    lane->referenced = canon->referenced;
    lane->has_twins = false;
    lane->found = canon_discover(canon, lane->parent);
    lane_note_named(canon);
    memcpy(lane->ranked, canon->signature, s->element_count * sizeof *lane->ranked);
    lane->is_fresh = true;
    lane->is_ordered = false;
    lane->all_classes = 0;
    for (uint32_t f = 0; f < s->factor_count; f++) {
        lane_settle_factor(canon, f);
        lane->all_classes |= lane->classes[f];
    }
    lane->has_twins &= canon->symmetry->keeps_rules;
    lane->is_known = true;
}

void canon_begin(struct canon *canon, const int32_t *cells, const uint64_t *packed)
{
    canon->lane->parent = cells;
    canon->lane->packed = packed;
    canon->lane->is_known = false;
}

/* --- signatures of the successor --- */

static void lane_note_dirty(struct successor_lane *lane, uint32_t slots, uint32_t cell)
{
    struct lane_slots *of = &lane->slots[slots];
    if (of->begin == of->end) {
        lane->dirty[lane->dirty_count++] = slots;
        *of = (struct lane_slots){cell, cell + 1};
    }
    of->begin = cell < of->begin ? cell : of->begin;
    of->end = cell < of->end ? of->end : cell + 1;
}

/* A cell that is not a plain one of a row. */
static void lane_sign_other(struct canon *canon, uint32_t cell, const struct lane_cell *of, int32_t old, int32_t new)
{
    const struct structure *s = canon->structure;
    struct successor_lane *lane = canon->lane;
    if (of->use >= s->use_count) {
        lane_note_dirty(lane, structure_slots_at(s, cell), cell);
        return;
    }
    if (of->is_ref)
        canon->move.changed[canon->move.changed_count++] = of->use;
    canon_sign_change(canon, of->use, old, new);
    if (of->links && (structure_element(s, old) != NO_ELEMENT || structure_element(s, new) != NO_ELEMENT)) {
        lane->relinked |= of->links;
        lane->affected |= discovery_change(canon->discovery, s, of->use, old, new);
    }
}

/* From the first slot that has changed to the last. */
static void lane_sign_slots(struct canon *canon, uint32_t number, const int32_t *cells)
{
    const struct slots *slots = &canon->structure->slots[number];
    const struct lane_slots *of = &canon->lane->slots[number];
    uint32_t first = (of->begin - slots->address) / slots->stride;
    uint32_t last = (of->end - 1 - slots->address) / slots->stride, at = slots->address + first * slots->stride;
    canon_sign_slots_change(canon, slots, last + 1 - first, canon->lane->parent + at, cells + at);
}

/* The state as it stands; its changes are to come. */
static inline void lane_begin_pack(struct canon *canon)
{
    for (uint32_t w = 0; w < canon->structure->layout->words; w++)
        canon->move.plain[w] = canon->lane->packed[w];
    canon->move.changed_count = 0;
}

/* And packs it as it stands. (What the loop needs is in locals: nothing that it stores into can be one of them.) */
static void lane_sign(struct canon *canon, const int32_t *cells, const uint32_t *changed, uint32_t count)
{
    struct successor_lane *lane = canon->lane;
    const struct layout *layout = canon->structure->layout;
    const struct lane_cell *cell_of = lane->cell_of;
    const int32_t *parent = lane->parent;
    uint64_t *signature = canon->signature, *plain = canon->move.plain, touched = 0;
    if (!lane->is_fresh)
        memcpy(signature, lane->ranked, canon->structure->element_count * sizeof *signature);
    canon->touched = 0;
    lane->relinked = lane->affected = 0;
    canon->referenced = lane->referenced;
    lane_begin_pack(canon);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cell = changed[i];
        const struct lane_cell *of = &cell_of[cell];
        int32_t old = parent[cell], new = cells[cell];
        layout_place(layout, cell, new, plain);
        if (of->weight) {
            touched |= canon_bit(of->element);
            signature[of->element] += canon_row_change(of->weight, old, new);
        } else if (of->use != NO_USE) {
            lane_sign_other(canon, cell, of, old, new);
        }
    }
    canon->touched |= touched;
    for (uint32_t i = 0; i < lane->dirty_count; i++)
        lane_sign_slots(canon, lane->dirty[i], cells);
}

/* Only those that were touched have changed, where no others were (is_local). */
static void lane_restore_signatures(struct canon *canon, bool is_local)
{
    struct successor_lane *lane = canon->lane;
    lane->is_fresh = is_local && canon->structure->element_count <= 64;
    for (uint64_t touched = lane->is_fresh ? canon->touched : 0; touched; touched &= touched - 1) {
        uint32_t element = (uint32_t)__builtin_ctzll(touched);
        canon->signature[element] = lane->ranked[element];
    }
}

static void lane_restore(struct canon *canon, const int32_t *cells, const uint32_t *changed, uint32_t count)
{
    const struct structure *s = canon->structure;
    struct successor_lane *lane = canon->lane;
    if (!lane->relinked && !lane->dirty_count && s->wide_use == s->use_count)
        return;
    for (uint32_t i = 0; lane->relinked && i < count; i++)
        if (lane->cell_of[changed[i]].links)
            discovery_change(canon->discovery, s, lane->cell_of[changed[i]].use, cells[changed[i]],
                             lane->parent[changed[i]]);
    for (uint32_t i = 0; s->wide_use < s->use_count && i < count; i++) {
        uint32_t use = s->cell_use[changed[i]];
        if (use >= s->wide_use && use < s->use_count)
            canon->fact_sum[s->uses[use].fact] = lane->fact_sum[s->uses[use].fact];
    }
    for (uint32_t i = 0; i < lane->dirty_count; i++)
        lane->slots[lane->dirty[i]] = (struct lane_slots){0};
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
    const struct successor_lane *lane = canon->lane;
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

void canon_order_greedily(struct canon *canon)
{
    const struct structure *s = canon->structure;
    uint32_t *order = canon->levels[0].partition.order;
    for (uint32_t f = 0; f < s->factor_count; f++) {
        uint32_t first = s->factors[f].first, stop = first + s->factors[f].degree;
        lane_sort(order, first, s->factors[f].degree, canon->signature);
        for (uint32_t end, at = first; at < stop; at = end) {
            for (end = at + 1; end < stop && canon->signature[order[end]] == canon->signature[order[at]];)
                end++;
            lane_arrange_twins(canon, order, at, end);
        }
    }
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
    for (uint32_t place = factor->first; place < stop; place++)
        if (order[place] != place)
            canon->move.places[canon->move.place_count++] = place;
    return is_good;
}

/* Of up to 64 elements of a settled factor, without those that were alone with their signatures, and have them still.
 */
static uint64_t lane_list_moved(const struct canon *canon, uint32_t f, uint64_t touched)
{
    const struct successor_lane *lane = canon->lane;
    const struct moved_factor *factor = &canon->structure->factors[f];
    uint64_t starts = lane->classes[f], moved = touched;
    for (uint64_t left = touched & starts & (starts >> 1 | canon_bit(factor->first + factor->degree - 1)); left;
         left &= left - 1) {
        uint32_t e = (uint32_t)__builtin_ctzll(left);
        moved &= canon->signature[e] == lane->ranked[e] ? ~canon_bit(e) : UINT64_MAX;
    }
    return moved;
}

/* The order of a settled factor in which at most one element has changed. False: more have, or it makes a class that is
 * no set of twins. */
static bool lane_reorder(struct canon *canon, uint32_t f, uint64_t touched, const int32_t *cells, uint64_t *classes)
{
    uint64_t moved = touched & (touched - 1) ? lane_list_moved(canon, f, touched) : touched;
    if (moved & (moved - 1))
        return false;
    return !moved ||
           canon_reinsert(canon, &canon->structure->factors[f], (uint32_t)__builtin_ctzll(moved), cells, classes);
}

static void lane_reset_order(struct canon *canon)
{
    uint32_t *order = canon->levels[0].partition.order;
    for (uint32_t e = 0; e < canon->structure->element_count; e++)
        order[e] = e;
    canon->lane->is_ordered = true;
}

static bool lane_order(struct canon *canon, const int32_t *cells, uint64_t redone, uint64_t *classes)
{
    const struct structure *s = canon->structure;
    const struct successor_lane *lane = canon->lane;
    bool is_good = true, is_small = s->element_count <= 64;
    if (!lane->is_ordered)
        lane_reset_order(canon);
    canon->move.place_count = 0;
    *classes = lane->all_classes;
    for (uint32_t f = 0; f < s->factor_count; f++) {
        uint64_t members = lane->members[f], touched = canon->touched & members, starts = lane->classes[f];
        bool is_settled = lane->is_settled[f] && !(redone & canon_bit(f));
        if (is_settled && !touched)
            continue;
        if (!is_settled || !is_small || !lane_reorder(canon, f, touched, cells, &starts)) {
            starts = 0;
            is_good &= lane_order_factor(canon, f, cells, &starts);
        }
        *classes = (*classes & ~members) | starts;
    }
    return is_good;
}

/* The long way, from the signatures on. */
static uint64_t lane_finish_hard(struct canon *canon, const int32_t *cells, uint64_t *packed)
{
    const struct structure *s = canon->structure;
    const struct canon_partition *root = &canon->levels[0].partition;
    const uint32_t *order;
    uint64_t classes = 0;
    canon_colour_sorted(canon);
    enum canon_way way = canon_label_hard(canon, cells, &order);
    if (way == WAY_SEARCH)
        memcpy(packed, canon->best.packed, s->layout->words * sizeof *packed);
    else
        canon_move(canon, order, cells, packed);
    for (uint32_t at = 0; way == WAY_TWINS && at < s->element_count; at += root->length[at])
        classes |= canon_bit(at);
    return classes;
}

static uint32_t lane_list_changed(const struct canon *canon, const int32_t *cells)
{
    const struct successor_lane *lane = canon->lane;
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
    struct successor_lane *lane = canon->lane;
    uint64_t classes = 0;
    lane->moved_count = SIZE_MAX;
    if (canon->strategy || canon->is_nauty) {
        canon_apply(canon, cells, lane->cells);
        layout_pack(canon->structure->layout, lane->cells, packed);
        return 0;
    }
    if (canon->generated)
        return generated_successor(canon, cells, packed);
    ENSURE(lane->parent);
    canon->work += WORK_SUCCESSOR;
    lane_know(canon);
    if (!changed) {
        count = lane_list_changed(canon, cells);
        changed = lane->diff;
    }
    lane_sign(canon, cells, changed, count);
    uint64_t redone = lane_discover(canon, cells);
    bool is_local = !redone;
    if (canon->is_greedy) {
        canon_order_greedily(canon);
        lane->is_ordered = false;
        canon_move(canon, canon->levels[0].partition.order, cells, packed);
    } else if (lane_order(canon, cells, redone, &classes)) {
        canon_move_listed(canon, canon->levels[0].partition.order, cells, packed);
        lane->moved_count = canon->move.place_count;
        lane->is_ordered = !canon->move.place_count; /* made anew then: to undo each move would take longer */
    } else {
        classes = lane_finish_hard(canon, cells, packed);
        lane->is_ordered = is_local = false;
    }
    lane_restore_signatures(canon, is_local);
    lane_restore(canon, cells, changed, count);
    return canon->structure->element_count <= 64 ? classes : 0;
}

const uint64_t *canon_plain(const struct canon *canon)
{
    return canon->strategy || canon->is_nauty || canon->generated ? NULL : canon->move.plain;
}

bool canon_image_of(const struct canon *canon, const struct rule *rule, uint64_t instance, uint64_t *image)
{
    const struct successor_lane *lane = canon->lane;
    *image = instance;
    if (lane->moved_count == SIZE_MAX || !canon->symmetry->keeps_rules)
        return false;
    return !lane->moved_count || repeat_image(canon->repeat, rule->id, canon->image, image);
}

bool canon_has_repeats(struct canon *canon)
{
    struct successor_lane *lane = canon->lane;
    if (canon->generated || canon->strategy || canon->is_nauty)
        return false;
    lane_know(canon);
    return lane->has_twins;
}
