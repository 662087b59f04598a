/* Where a state is cut into parts: first by the number of bits in use, and once some states are known, so that few parts are
 * different. (In most models some variables hardly ever change, and those that do stand together.) */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/visited_inner.h"

/* So many states say enough; of very wide states fewer, because planning should take milliseconds. */
enum { PLAN_STATES = 1 << 13, PLAN_HALVES = 1 << 18, PLAN_RARE = 4 };

struct planning {
    const struct visited_sample *sample; /* or NULL */
    uint64_t count;   /* of its states, those looked at */
    uint64_t *hashes; /* of each, of the part so far */
    uint64_t *seen;   /* a set of hashes */
    uint64_t mask;
    uint64_t *left, *right; /* what there is in the parts up to a half word, and from it on */
};

void visited_list_halves(struct visited *visited)
{
    const struct visited_options *options = &visited->options;
    visited->halves = memory_zeroed(2 * (size_t)options->words, sizeof *visited->halves);
    for (uint32_t i = 0; i < 2 * options->words; i++) {
        uint32_t in_word = options->word_bits ? options->word_bits[i / 2] : 64;
        uint32_t bits = i % 2 ? (in_word > 32 ? in_word - 32 : 0) : in_word < 32 ? in_word : 32;
        if (bits)
            visited->halves[visited->half_count++] = (struct half){i, bits};
        visited->bits += bits;
    }
}

/* Adds a half word to the part, and counts how many different parts there are now. (Hashes stand for the parts: the plan need
 * not be exact.) */
static uint64_t visited_extend_parts(const struct visited *visited, struct planning *planning, uint32_t half)
{
    uint32_t index = visited->halves[half].index;
    uint64_t count = 0;
    memset(planning->seen, 0, (planning->mask + 1) * sizeof *planning->seen);
    for (uint64_t s = 0; s < planning->count; s++) {
        const uint64_t *state = planning->sample->states + s * visited->options.words;
        uint64_t hash = hash_mix(planning->hashes[s] + (uint32_t)(state[index / 2] >> index % 2 * 32)), at = hash;
        planning->hashes[s] = hash;
        for (at &= planning->mask; planning->seen[at] && planning->seen[at] != hash; at = (at + 1) & planning->mask)
            ;
        count += !planning->seen[at];
        planning->seen[at] = hash;
    }
    return count;
}

static void visited_begin_parts(struct planning *planning)
{
    for (uint64_t s = 0; s < planning->count; s++)
        planning->hashes[s] = 1;
}

/* What there is in a part when the half word joins it: of a sample the number of different ones, else the bits. */
static uint64_t visited_weigh(const struct visited *visited, struct planning *planning, uint32_t half, uint64_t before)
{
    return planning->sample ? visited_extend_parts(visited, planning, half) : before + visited->halves[half].bits;
}

/* Both sides of every cut of the `size` half words from `from`. */
static void visited_weigh_sides(const struct visited *visited, struct planning *planning, uint32_t from, uint32_t size)
{
    uint64_t weight = 0;
    visited_begin_parts(planning);
    for (uint32_t i = 0; i < size - 1; i++)
        planning->left[i + 1] = weight = visited_weigh(visited, planning, from + i, weight);
    weight = 0;
    visited_begin_parts(planning);
    for (uint32_t i = size - 1; i > 0; i--)
        planning->right[i] = weight = visited_weigh(visited, planning, from + i, weight);
}

/* How many of the `size` half words from `from` go to the left. Both sides should have as few different parts as can be, and it
 * is the larger side that costs; of a few states only, nearly all parts are different, and then it is the balance that counts. */
static uint32_t visited_balance(const struct visited *visited, struct planning *planning, uint32_t from,
                                uint32_t size)
{
    uint64_t best_most = UINT64_MAX, best_sum = UINT64_MAX;
    uint32_t best = 1;
    visited_weigh_sides(visited, planning, from, size);
    for (uint32_t i = 1; i < size; i++) {
        uint64_t left = planning->left[i], right = planning->right[i], most = left > right ? left : right;
        if (most < best_most || (most == best_most && left + right < best_sum)) {
            best = i;
            best_most = most;
            best_sum = left + right;
        }
    }
    return best;
}

/* Is the part kept whole? One of two half words is split where there are many different ones: pairs of small numbers take less. */
static bool visited_is_leaf(const struct visited *visited, struct planning *planning, uint32_t from, uint32_t size)
{
    uint64_t weight = 0;
    if (size != VISITED_LEAF || !planning->sample)
        return size <= VISITED_LEAF;
    visited_begin_parts(planning);
    for (uint32_t i = 0; i < size; i++)
        weight = visited_weigh(visited, planning, from + i, weight);
    return weight <= planning->count / PLAN_RARE;
}

/* Returns the fold that stands for `size` half words from `from`. */
static uint32_t visited_plan_part(struct visited *visited, struct planning *planning, uint32_t from, uint32_t size)
{
    struct fold fold = {.from = from, .size = size, .above = VISITED_TOP};
    fold.is_leaf = visited_is_leaf(visited, planning, from, size);
    fold.shift = visited->halves[from].bits;
    for (uint32_t i = 0; i < size && fold.is_leaf; i++)
        fold.halves[i] = visited->halves[from + i].index;
    if (!fold.is_leaf) {
        uint32_t left = visited_balance(visited, planning, from, size);
        fold.left = visited_plan_part(visited, planning, from, left);
        fold.right = visited_plan_part(visited, planning, from + left, size - left);
        fold.level = 1 + (visited->folds[fold.left].level > visited->folds[fold.right].level
                              ? visited->folds[fold.left].level
                              : visited->folds[fold.right].level);
    }
    visited->folds[visited->fold_count] = fold;
    return visited->fold_count++;
}

/* Sorts the folds by level, and says which are where. */
static void visited_order_folds(struct visited *visited)
{
    struct fold *sorted = memory_zeroed(visited->fold_count, sizeof *sorted);
    uint32_t *place = memory_zeroed(visited->fold_count, sizeof *place), count = 0;
    for (uint32_t level = 0; count < visited->fold_count; level++)
        for (uint32_t i = 0; i < visited->fold_count; i++)
            if (visited->folds[i].level == level) {
                place[i] = count;
                sorted[count++] = visited->folds[i];
            }
    for (uint32_t i = 0; i < count; i++)
        if (!sorted[i].is_leaf) {
            sorted[i].left = place[sorted[i].left];
            sorted[i].right = place[sorted[i].right];
            sorted[sorted[i].left].above = sorted[sorted[i].right].above = i;
        }
    visited->left = place[visited->left];
    visited->right = place[visited->right];
    free(visited->folds);
    free(place);
    visited->folds = sorted;
}

static void planning_begin(struct planning *planning, const struct visited *visited,
                           const struct visited_sample *sample)
{
    uint64_t most = PLAN_HALVES / visited->half_count + 256;
    most = most < PLAN_STATES ? most : PLAN_STATES;
    *planning = (struct planning){.sample = sample, .mask = 1};
    planning->count = !sample ? 0 : sample->count < most ? sample->count : most;
    while (planning->mask < 2 * planning->count)
        planning->mask = 2 * planning->mask + 1;
    planning->hashes = memory_alloc((planning->count + 1) * sizeof *planning->hashes);
    planning->seen = memory_alloc((planning->mask + 1) * sizeof *planning->seen);
    planning->left = memory_zeroed(visited->half_count, sizeof *planning->left);
    planning->right = memory_zeroed(visited->half_count, sizeof *planning->right);
}

static void planning_end(struct planning *planning)
{
    free(planning->hashes);
    free(planning->seen);
    free(planning->left);
    free(planning->right);
}

void visited_plan_folds(struct visited *visited, const struct visited_sample *sample)
{
    struct planning planning;
    planning_begin(&planning, visited, sample);
    visited->folds = memory_zeroed(2 * (size_t)visited->half_count, sizeof *visited->folds);
    uint32_t left = visited_balance(visited, &planning, 0, visited->half_count);
    visited->left = visited_plan_part(visited, &planning, 0, left);
    visited->right = visited_plan_part(visited, &planning, left, visited->half_count - left);
    visited_order_folds(visited);
    planning_end(&planning);
}
