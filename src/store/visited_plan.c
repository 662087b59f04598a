/* Where a state is cut into parts: first by the number of bits in use, and once some states are known, so that few parts are
 * different. (In most models some variables hardly ever change, and those that do stand together.) */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/visited_inner.h"

struct planning {
    const struct visited_sample *sample; /* or NULL */
    uint64_t *seen; /* a set of hashes */
    uint64_t mask;
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

static uint32_t visited_bits_of(const struct visited *visited, uint32_t from, uint32_t size)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < size; i++)
        bits += visited->halves[from + i].bits;
    return bits;
}

/* How many different parts there are in the sample, of `size` half words from `from`. (Hashes stand for the parts: the plan
 * need not be exact.) */
static uint64_t visited_count_parts(const struct visited *visited, struct planning *planning, uint32_t from,
                                    uint32_t size)
{
    const struct visited_sample *sample = planning->sample;
    uint64_t count = 0;
    memset(planning->seen, 0, (planning->mask + 1) * sizeof *planning->seen);
    for (uint64_t s = 0; s < sample->count; s++) {
        const uint64_t *state = sample->states + s * visited->options.words;
        uint64_t hash = 1;
        for (uint32_t i = 0; i < size; i++) {
            uint32_t index = visited->halves[from + i].index;
            hash = hash_mix(hash + (uint32_t)(state[index / 2] >> index % 2 * 32));
        }
        uint64_t at = hash & planning->mask;
        while (planning->seen[at] && planning->seen[at] != hash)
            at = (at + 1) & planning->mask;
        count += !planning->seen[at];
        planning->seen[at] = hash;
    }
    return count;
}

/* How much there is in a part: of a sample the number of different ones, else the bits. */
static uint64_t visited_weigh(const struct visited *visited, struct planning *planning, uint32_t from, uint32_t size)
{
    return planning->sample ? visited_count_parts(visited, planning, from, size)
                            : visited_bits_of(visited, from, size);
}

/* How many of the `size` half words from `from` go to the left. Both sides should have as few different parts as can be, and it
 * is the larger side that costs; of a few states only, nearly all parts are different, and then it is the balance that counts. */
static uint32_t visited_balance(const struct visited *visited, struct planning *planning, uint32_t from,
                                uint32_t size)
{
    uint64_t best = 1, best_most = UINT64_MAX, best_sum = UINT64_MAX;
    for (uint32_t i = 1; i < size; i++) {
        uint64_t left = visited_weigh(visited, planning, from, i);
        uint64_t right = visited_weigh(visited, planning, from + i, size - i);
        uint64_t most = left > right ? left : right;
        if (most < best_most || (most == best_most && left + right < best_sum)) {
            best = i;
            best_most = most;
            best_sum = left + right;
        }
    }
    return (uint32_t)best;
}

/* Returns the fold that stands for `size` half words from `from`. */
static uint32_t visited_plan_part(struct visited *visited, struct planning *planning, uint32_t from, uint32_t size)
{
    struct fold fold = {.from = from, .size = size};
    for (uint32_t i = 0; i < size && size <= VISITED_LEAF; i++)
        fold.halves[i] = visited->halves[from + i].index;
    if (size > VISITED_LEAF) {
        uint32_t left = visited_balance(visited, planning, from, size);
        fold.left = visited_plan_part(visited, planning, from, left);
        fold.right = visited_plan_part(visited, planning, from + left, size - left);
    }
    visited->folds[visited->fold_count] = fold;
    return visited->fold_count++;
}

void visited_plan_folds(struct visited *visited, const struct visited_sample *sample)
{
    struct planning planning = {.sample = sample, .mask = 1};
    while (sample && planning.mask < 2 * sample->count)
        planning.mask = 2 * planning.mask + 1;
    planning.seen = memory_alloc((planning.mask + 1) * sizeof *planning.seen);
    visited->folds = memory_zeroed(2 * (size_t)visited->half_count, sizeof *visited->folds);
    uint32_t left = visited_balance(visited, &planning, 0, visited->half_count);
    visited->left = visited_plan_part(visited, &planning, 0, left);
    visited->right = visited_plan_part(visited, &planning, left, visited->half_count - left);
    free(planning.seen);
}
