#include "canon/canon.h"

#include <string.h>

#include "base/memory.h"
#include "canon/canon_inner.h"
#include "canon/generated.h"
#include "canon/label.h"
#include "canon/strategy.h"

static uint32_t *canon_numbers(uint32_t count)
{
    return memory_zeroed((size_t)count + 1, sizeof(uint32_t));
}

struct canon_level *canon_level(struct canon *canon, uint32_t level)
{
    if (level < canon->level_count)
        return &canon->levels[level];
    uint32_t n = canon->structure->element_count;
    ENSURE(level == canon->level_count && level <= n);
    canon->levels[canon->level_count++] = (struct canon_level){
        .partition = {.order = canon_numbers(n), .rank = canon_numbers(n), .length = canon_numbers(n)},
        .children = canon_numbers(n),
        .weight = canon_numbers(n),
        .parent = canon_numbers(n),
        .leaves = memory_zeroed((size_t)n + 1, sizeof(uint64_t)),
        .trace = memory_zeroed((size_t)n + 1, sizeof(uint64_t)),
    };
    return &canon->levels[level];
}

static struct canon_leaf canon_leaf(const struct structure *s)
{
    return (struct canon_leaf){.packed = memory_zeroed(s->layout->words, sizeof(uint64_t)),
                               .order = canon_numbers(s->element_count),
                               .path = canon_numbers(s->element_count)};
}

/* Facts of one element without references say nothing new when colours change, nor do global references. */
static void canon_list_active(struct canon *canon)
{
    const struct structure *s = canon->structure;
    canon->active = canon_numbers(s->fact_count);
    for (uint32_t f = 0; f < s->fact_count; f++)
        if (s->facts[f].arity > 1 || (s->facts[f].arity == 1 && s->facts[f].ref_count))
            canon->active[canon->active_count++] = f;
}

static void canon_place_slots(struct canon *canon)
{
    const struct structure *s = canon->structure;
    uint32_t total = 0;
    canon->slot_start = canon_numbers(s->slots_count);
    for (uint32_t i = 0; i < s->slots_count; i++) {
        canon->slot_start[i] = total;
        total += s->slots[i].capacity * s->slots[i].part_count;
    }
    canon->slot_hash = memory_zeroed((size_t)total + 1, sizeof(uint64_t));
}

static void canon_count_group(struct canon *canon)
{
    const struct structure *s = canon->structure;
    canon->group_order = canon->generated ? generated_order(canon->generated) : 1;
    for (uint32_t f = 0; f < s->factor_count && !canon->generated; f++)
        for (uint64_t i = 2; i <= s->factors[f].degree; i++)
            if (__builtin_mul_overflow(canon->group_order, i, &canon->group_order)) {
                canon->group_order = 0;
                return;
            }
}

struct canon *canon_create(const struct symmetry *symmetry, const struct layout *layout)
{
    struct canon *canon = memory_zeroed(1, sizeof *canon);
    struct structure *s = structure_create(symmetry, layout);
    uint32_t n = s->element_count;
    canon->structure = s;
    canon->symmetry = symmetry;
    canon->budget = CANON_BUDGET;
    canon->plain_hash = memory_zeroed((size_t)s->fact_count + 1, sizeof(uint64_t));
    canon->signature = memory_zeroed((size_t)n + 1, sizeof(uint64_t));
    canon->row_sum = memory_zeroed((size_t)n + 1, sizeof(uint64_t));
    canon->fact_sum = memory_zeroed((size_t)s->fact_count + 1, sizeof(uint64_t));
    canon_list_active(canon);
    canon_place_slots(canon);
    canon->generated = s->is_generated ? generated_create(s, symmetry) : NULL;
    canon_count_group(canon);
    canon->chase = chase_create(s);
    canon->discovery = discovery_create(s);
    canon->lane = lane_create(s, canon->discovery);
    canon->repeat = repeat_create(s);
    canon->twin = canon_numbers(n);
    canon->buffer = memory_zeroed((size_t)s->largest_multiset + 1, sizeof(int32_t));
    canon->swap = canon_numbers(n);
    for (uint32_t e = 0; e < n; e++)
        canon->swap[e] = e;
    canon->best = canon_leaf(s);
    canon->first = canon_leaf(s);
    canon->leaf = memory_zeroed(s->layout->words, sizeof(uint64_t));
    canon_move_create(canon);
    canon->path = canon_numbers(n);
    canon->generators = memory_zeroed((size_t)CANON_GENERATORS * n + 1, sizeof(uint32_t));
    canon->factors = canon_numbers(n);
    canon->twin_lengths = canon_numbers(n);
    canon->image = canon_numbers(n);
    canon->ordinals = canon_numbers(s->point_count);
    canon->levels = memory_zeroed((size_t)n + 1, sizeof *canon->levels); /* each level splits a class */
    canon_level(canon, 0);
    return canon;
}

static void canon_free_leaf(struct canon_leaf *leaf)
{
    free(leaf->packed);
    free(leaf->order);
    free(leaf->path);
}

static void canon_free_levels(struct canon *canon)
{
    for (uint32_t l = 0; l < canon->level_count; l++) {
        struct canon_level *level = &canon->levels[l];
        free(level->partition.order);
        free(level->partition.rank);
        free(level->partition.length);
        free(level->children);
        free(level->weight);
        free(level->parent);
        free(level->leaves);
        free(level->trace);
    }
    free(canon->levels);
}

void canon_destroy(struct canon *canon)
{
    if (!canon)
        return;
    free(canon->orbit_moves);
    labeller_destroy(canon->labeller);
    canon_free_levels(canon);
    canon_free_leaf(&canon->best);
    canon_free_leaf(&canon->first);
    lane_destroy(canon->lane);
    chase_destroy(canon->chase);
    discovery_destroy(canon->discovery);
    repeat_destroy(canon->repeat);
    generated_destroy(canon->generated);
    strategy_destroy(canon->strategy);
    free(canon->row_sum);
    free(canon->fact_sum);
    free(canon->plain_hash);
    free(canon->slot_hash);
    free(canon->slot_start);
    free(canon->signature);
    free(canon->active);
    free(canon->twin);
    free(canon->buffer);
    free(canon->swap);
    free(canon->leaf);
    canon_move_destroy(canon);
    free(canon->path);
    free(canon->generators);
    free(canon->factors);
    free(canon->twin_lengths);
    free(canon->image);
    free(canon->ordinals);
    structure_destroy(canon->structure);
    free(canon);
}

void canon_choose(struct canon *canon, enum representative representative)
{
    bool is_canonical = representative == REPRESENTATIVE_AUTO || representative == REPRESENTATIVE_CANONICAL ||
                        representative == REPRESENTATIVE_FIRST || representative == REPRESENTATIVE_MARKERS ||
                        representative == REPRESENTATIVE_NAUTY || representative == REPRESENTATIVE_GREEDY;
    strategy_destroy(canon->strategy);
    canon->strategy = is_canonical ? NULL : strategy_create(canon, representative);
    canon->is_nauty = representative == REPRESENTATIVE_NAUTY;
    canon->is_greedy = representative == REPRESENTATIVE_GREEDY;
    lane_leave(canon->lane); /* what is known of its state may not hold of others */
}

uint64_t canon_work(const struct canon *canon)
{
    return canon->work;
}

bool canon_is_unique(const struct canon *canon)
{
    return canon->strategy ? canon->strategy->kind == REPRESENTATIVE_ENUMERATE : !canon->is_greedy;
}

bool canon_is_generated(const struct canon *canon)
{
    return canon->generated;
}

bool canon_was_cut(const struct canon *canon)
{
    return canon->was_cut;
}

void canon_set_exact(struct canon *canon, bool is_exact)
{
    canon->is_exact = is_exact;
}

void canon_set_budget(struct canon *canon, uint64_t leaves)
{
    canon->budget = leaves;
}

/* out = the state relabelled so that the element at each position gets that position's name. */
static void canon_relabel(struct canon *canon, const uint32_t *order, const int32_t *cells, int32_t *out)
{
    const struct structure *s = canon->structure;
    bool is_identity = true;
    canon->move.is_still = false;
    for (uint32_t i = 0; i < s->element_count; i++) {
        canon->image[order[i]] = i;
        is_identity &= order[i] == i;
    }
    if (is_identity)
        memcpy(out, cells, s->cell_count * sizeof *out);
    else
        structure_act(s, canon->image, cells, out);
}

static enum canon_way canon_label_nauty(struct canon *canon, const int32_t *cells)
{
    if (!canon->labeller)
        canon->labeller = labeller_create(canon->structure);
    labeller_label(canon->labeller, &canon->levels[0].partition, cells, canon->best.order);
    canon->work += WORK_NAUTY;
    return WAY_NAUTY;
}

/* Is every class one set of twins? */
static bool canon_is_told(struct canon *canon, const int32_t *cells, const struct canon_partition *partition)
{
    return partition->classes == canon->structure->element_count || canon_find_twins(canon, cells, partition);
}

enum canon_way canon_label_hard(struct canon *canon, const int32_t *cells, const uint32_t **order)
{
    struct canon_partition *root = &canon->levels[0].partition;
    *order = root->order;
    if (canon_chase(canon, cells) && canon_is_told(canon, cells, root))
        return WAY_TWINS;
    canon_refine_root(canon, cells);
    if (canon_is_told(canon, cells, root))
        return WAY_TWINS;
    *order = canon->best.order;
    if (canon_search(canon, cells) == SEARCH_DONE)
        return WAY_SEARCH;
    if (canon_cuts(canon)) {
        *order = root->order;
        return WAY_TWINS;
    }
    return canon_label_nauty(canon, cells);
}

/* Refinement never distinguishes twins, so they are looked for before it: most often that is the end. */
static enum canon_way canon_label(struct canon *canon, const int32_t *cells, const uint32_t **order)
{
    struct canon_partition *root = &canon->levels[0].partition;
    lane_leave(canon->lane);
    canon_sign(canon, cells);
    canon_discover(canon, cells);
    *order = root->order;
    if (canon->is_greedy) {
        canon_order_greedily(canon);
        return WAY_TWINS;
    }
    canon_colour(canon);
    if (canon->is_nauty) {
        *order = canon->best.order;
        return canon_label_nauty(canon, cells);
    }
    if (canon_is_told(canon, cells, root))
        return WAY_TWINS;
    canon_move_pack(canon, cells);
    return canon_label_hard(canon, cells, order);
}

void canon_apply(struct canon *canon, const int32_t *cells, int32_t *out)
{
    const uint32_t *order;
    if (canon->strategy) {
        strategy_apply(canon, cells, out);
        return;
    }
    if (canon->generated) {
        generated_apply(canon, cells, out);
        return;
    }
    enum canon_way way = canon_label(canon, cells, &order);
    if (way != WAY_SEARCH) {
        canon_relabel(canon, order, cells, out);
        return;
    }
    canon->move.is_still = false;
    for (uint32_t i = 0; i < canon->structure->element_count; i++)
        canon->image[order[i]] = i;
    layout_unpack(canon->structure->layout, canon->best.packed, out);
}

const uint32_t *canon_image(const struct canon *canon, uint32_t factor)
{
    const struct structure *s = canon->structure;
    const struct symmetry_factor *factors = canon->symmetry->factors;
    uint32_t *ordinals = canon->ordinals;
    bool is_moved = false;
    for (uint32_t f = 0; f < factor; f++)
        ordinals += factors[f].is_used ? factors[f].degree : 0;
    for (uint32_t p = 0; factors[factor].is_used && p < factors[factor].degree; p++) {
        int32_t code = symmetry_code(factors[factor].points[p]);
        uint32_t e = structure_element(s, code);
        is_moved |= e != NO_ELEMENT;
        ordinals[p] = e == NO_ELEMENT ? p : s->point_at[structure_rename(s, code, e, canon->image[e]) - s->code_low];
    }
    return is_moved ? ordinals : NULL;
}

static void canon_multiply_twins(const struct canon *canon, const uint32_t *length, struct bigint *order)
{
    for (uint32_t at = 0; at < canon->structure->element_count; at += length[at])
        bigint_multiply_factorial(order, length[at]);
}

void canon_orbit_size(struct canon *canon, const int32_t *cells, struct bigint *size)
{
    const uint32_t *labelling;
    if (canon->generated) {
        generated_apply(canon, cells, NULL);
        generated_orbit_size(canon, size);
        return;
    }
    enum canon_way way = canon_label(canon, cells, &labelling);
    struct bigint *stabiliser = bigint_create(1);
    if (way == WAY_NAUTY) {
        labeller_group_order(canon->labeller, stabiliser);
    } else if (way == WAY_SEARCH) {
        for (uint32_t d = 0; d < canon->best.depth; d++)
            bigint_multiply_u64(stabiliser, canon->factors[d]);
        canon_multiply_twins(canon, canon->twin_lengths, stabiliser);
    } else {
        canon_multiply_twins(canon, canon->levels[0].partition.length, stabiliser);
    }
    bigint_set(size, 1);
    for (uint32_t f = 0; f < canon->structure->factor_count; f++)
        bigint_multiply_factorial(size, canon->structure->factors[f].degree);
    bigint_divide_exact(size, stabiliser);
    bigint_destroy(stabiliser);
}

bool canon_orbit_of(const struct canon *canon, uint64_t classes, uint64_t *size)
{
    uint64_t stabiliser = 1;
    uint32_t length = 0;
    if (!classes || !canon->group_order)
        return false;
    if (canon->generated) { /* what generated_successor gave */
        *size = canon->group_order / classes;
        return true;
    }
    for (uint32_t at = 0; at < canon->structure->element_count; at++) {
        length = (length & ((uint32_t)(classes >> at & 1) - 1)) + 1; /* 1 where a class begins */
        stabiliser *= length;                                        /* divides the order of the group, which fits */
    }
    *size = canon->group_order / stabiliser;
    return true;
}
