/* A plan's folds in the order in which they are looked at, and which of them are above one another. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/visited_inner.h"

/* Sorts the folds by level, and says which are where. */
static void plan_order_folds(struct visited_plan *plan)
{
    struct fold *sorted = memory_zeroed(plan->fold_count, sizeof *sorted);
    uint32_t *place = memory_zeroed(plan->fold_count, sizeof *place);
    for (uint32_t i = 0; i < plan->fold_count; i++)
        if (plan->folds[i].level >= plan->level_count)
            plan->level_count = plan->folds[i].level + 1;
    uint32_t *next = memory_zeroed((size_t)plan->level_count + 1, sizeof *next); /* by level: its next place */
    for (uint32_t i = 0; i < plan->fold_count; i++)
        next[plan->folds[i].level + 1]++;
    for (uint32_t level = 0; level < plan->level_count; level++)
        next[level + 1] += next[level];
    for (uint32_t i = 0; i < plan->fold_count; i++) {
        place[i] = next[plan->folds[i].level]++;
        sorted[place[i]] = plan->folds[i];
    }
    memmove(next + 1, next, plan->level_count * sizeof *next); /* each has come to the end of its level */
    next[0] = 0;
    plan->level_begins = next;
    for (uint32_t i = 0; i < plan->fold_count; i++)
        if (!sorted[i].is_leaf) {
            sorted[i].left = place[sorted[i].left];
            sorted[i].right = place[sorted[i].right];
            sorted[sorted[i].left].above = sorted[sorted[i].right].above = i;
        }
    plan->left = place[plan->left];
    plan->right = place[plan->right];
    free(plan->folds);
    free(place);
    plan->folds = sorted;
}

static void plan_add(uint64_t *set, uint32_t fold)
{
    set[fold / 64] |= (uint64_t)1 << fold % 64;
}

/* Larger sets are made by climbing from fold to fold. */
enum { PLAN_PATH_WORDS = 8 };

static void plan_make_paths(struct visited_plan *plan)
{
    uint32_t words = plan->set_words;
    plan->paths = memory_zeroed((size_t)plan->fold_count * words + 1, sizeof *plan->paths);
    for (uint32_t i = 0; i < plan->fold_count; i++)
        for (uint32_t above = i; above != VISITED_TOP; above = plan->folds[above].above)
            plan_add(plan->paths + (size_t)i * words, above);
}

static void plan_make_sets(struct visited_plan *plan)
{
    plan->set_words = plan->fold_count / 64 + 1;
    plan->paths = NULL;
    if (plan->set_words <= PLAN_PATH_WORDS)
        plan_make_paths(plan);
}

void fold_plan_index(struct visited_plan *plan)
{
    plan_order_folds(plan);
    plan_make_sets(plan);
    while (plan->leaf_count < plan->fold_count && plan->folds[plan->leaf_count].is_leaf)
        plan->leaf_count++;
}

void fold_plan_destroy(struct visited_plan *plan)
{
    free(plan->folds);
    free(plan->pieces);
    free(plan->paths);
    free(plan->level_begins);
}
