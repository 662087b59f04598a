/* A plan after states: it begins with the state's fields (neighbours together), each a part, and joins two parts again
 * and again until few are left: always those that make the fewest different parts in the states known. The last few are
 * joined in the best way there is. So what depends on what stands together, wherever it stands in the state. Parts with
 * few values become one leaf, others a pair of numbers. */
#include <stdlib.h>

#include "base/watch.h"
#include "base/memory.h"
#include "store/pages.h"
#include "store/visited_planning.h"

enum {
    PLAN_STATES = 1 << 11, /* the size of the first sample; smaller for very wide states: it should take milliseconds */
    PLAN_VALUES = 1 << 18
};

void *planning_take(struct planning *planning, size_t count, size_t size)
{
    void *taken = planning->block + planning->used;
    planning->used += (count * size + 15) / 16 * 16;
    ENSURE(planning->used <= planning->size);
    return taken;
}

/* --- from clusters to folds --- */

static void planning_gather(struct planning *planning, uint32_t number, struct fold *leaf, uint32_t *offset)
{
    const struct cluster *cluster = &planning->clusters[number];
    if (cluster->left == NO_CLUSTER) {
        const struct visited_field *field = &planning->fields[cluster->field];
        plan_add_piece(&planning->visited->plan, leaf, field, *offset);
        *offset += field->bits;
        return;
    }
    planning_gather(planning, cluster->left, leaf, offset);
    planning_gather(planning, cluster->right, leaf, offset);
}

static int piece_compare(const void *first, const void *second)
{
    const struct piece *x = first, *y = second;
    return x->word != y->word ? (x->word > y->word) - (x->word < y->word) : x->shift - y->shift;
}

/* Neighbours in a word become one piece. */
static void plan_merge_pieces(struct visited_plan *plan, struct fold *leaf)
{
    struct piece *pieces = plan->pieces + leaf->piece;
    uint32_t count = 0, offset = 0;
    qsort(pieces, leaf->piece_count, sizeof *pieces, piece_compare);
    for (uint32_t i = 0; i < leaf->piece_count; i++) {
        struct piece *last = count ? &pieces[count - 1] : NULL;
        uint32_t bits = (uint32_t)__builtin_popcountll(pieces[i].mask);
        if (last && last->word == pieces[i].word && last->shift + (offset - last->offset) == pieces[i].shift) {
            last->mask |= pieces[i].mask << (offset - last->offset);
        } else {
            pieces[count] = pieces[i];
            pieces[count++].offset = (uint8_t)offset;
        }
        offset += bits;
    }
    leaf->piece_count = plan->piece_count = count;
    plan->piece_count += leaf->piece;
}

static uint32_t planning_fold(struct planning *planning, uint32_t number)
{
    struct visited_plan *plan = &planning->visited->plan;
    const struct cluster *cluster = &planning->clusters[number];
    if (!cluster->is_leaf) {
        uint32_t left = planning_fold(planning, cluster->left);
        return plan_add_pair(plan, left, planning_fold(planning, cluster->right));
    }
    struct fold leaf = {.is_leaf = true, .piece = plan->piece_count, .above = VISITED_TOP};
    uint32_t offset = 0;
    planning_gather(planning, number, &leaf, &offset);
    plan_merge_pieces(plan, &leaf);
    plan->folds[plan->fold_count] = leaf;
    return plan->fold_count++;
}

/* --- planning --- */

/* What it takes, with something for what is rounded up. */
static size_t planning_bytes(const struct planning *planning)
{
    size_t clusters = 2 * (size_t)planning->field_count;
    return clusters * (sizeof *planning->clusters + planning->states * sizeof *planning->clusters->values + 16) +
           (planning->is_wide ? 0 : clusters * clusters * sizeof *planning->joint) +
           (planning->mask + 1) * sizeof *planning->table + PLAN_DIRECT * sizeof *planning->seen +
           planning_finish_bytes(planning) + 1024;
}

static void planning_size(struct planning *planning, struct visited *visited, const struct visited_sample *sample)
{
    bool has_fields = visited->field_count > 1;
    *planning = (struct planning){.visited = visited, .sample = sample};
    planning->fields = has_fields ? visited->fields : visited->halves;
    planning->field_count = has_fields ? visited->field_count : visited->half_count;
    planning->is_wide = planning->field_count > PLAN_FIELDS;
    uint64_t most = PLAN_VALUES / planning->field_count + 256;
    most = most < PLAN_STATES ? most : PLAN_STATES;
    planning->states = (uint32_t)(sample->count < most ? sample->count : most);
    for (planning->mask = 1; planning->mask < 2 * (uint64_t)planning->states;)
        planning->mask = 2 * planning->mask + 1;
    planning->size = planning_bytes(planning);
}

static bool planning_begin(struct planning *planning)
{
    size_t clusters = 2 * (size_t)planning->field_count;
    planning->block = pages_alloc(planning->size);
    if (!planning->block)
        return false;
    planning->clusters = planning_take(planning, clusters, sizeof *planning->clusters);
    if (!planning->is_wide)
        planning->joint = planning_take(planning, clusters * clusters, sizeof *planning->joint);
    planning->table = planning_take(planning, planning->mask + 1, sizeof *planning->table);
    planning->seen = planning_take(planning, PLAN_DIRECT, sizeof *planning->seen);
    return true;
}

bool plan_by_states(struct visited *visited, const struct visited_sample *sample)
{
    struct planning planning;
    uint32_t a = 0, b = 0;
    planning_size(&planning, visited, sample);
    if (!budget_take(visited->budget, planning.size))
        return false;
    bool is_good = planning_begin(&planning);
    for (uint32_t i = 0; is_good && i < planning.field_count && !watch_is_up(); i++)
        planning_add_field(&planning, i);
    uint32_t left = planning.field_count;
    for (planning.makes_leaves = true; is_good && left > 2 && !watch_is_up() && planning_choose(&planning, &a, &b);
         left--)
        planning_join(&planning, a, b);
    for (planning.makes_leaves = false;
         is_good && left > PLAN_LAST && !watch_is_up() && planning_choose(&planning, &a, &b); left--)
        planning_join(&planning, a, b);
    if (is_good && !watch_is_up())
        planning_finish(&planning, &a, &b);
    is_good &= !watch_is_up(); /* the search ends, and needs no plan */
    if (is_good) {
        visited->plan.left = planning_fold(&planning, a);
        visited->plan.right = planning_fold(&planning, b);
    }
    pages_free(planning.block, planning.size);
    budget_give(visited->budget, planning.size);
    return is_good;
}
