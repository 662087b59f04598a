/* How a state is cut into parts: at first by the number of bits in use; and once some states are known, where that is
 * likely to pay, so that few parts are different (visited_plan_states.c). */
#include <stdlib.h>

#include "base/memory.h"
#include "store/visited_planning.h"

enum { PLAN_FIELD_BITS = 16 /* neighbours are merged up to this width: fewer pieces are gathered faster */ };

void visited_list_halves(struct visited *visited)
{
    const struct visited_options *options = &visited->options;
    visited->halves = memory_zeroed(2 * (size_t)options->words, sizeof *visited->halves);
    for (uint32_t i = 0; i < 2 * options->words; i++) {
        uint32_t in_word = options->word_bits ? options->word_bits[i / 2] : 64;
        uint32_t bits = i % 2 ? (in_word > 32 ? in_word - 32 : 0) : in_word < 32 ? in_word : 32;
        if (bits)
            visited->halves[visited->half_count++] = (struct visited_field){i / 2, i % 2 * 32, bits};
        visited->bits += bits;
    }
}

/* Neighbours are taken together as long as they have no more than `most` bits. Returns how many fields there are then.
 */
static uint32_t fields_join(const struct visited_field *from, uint32_t count, uint32_t most, struct visited_field *to)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct visited_field *last = made ? &to[made - 1] : NULL;
        if (last && last->word == from[i].word && last->shift + last->bits == from[i].shift &&
            last->bits + from[i].bits <= most)
            last->bits += from[i].bits;
        else
            to[made++] = from[i];
    }
    return made;
}

void visited_list_fields(struct visited *visited)
{
    const struct visited_options *options = &visited->options;
    uint32_t bits = 0;
    if (!options->fields)
        return;
    for (uint32_t i = 0; i < options->field_count; i++)
        bits += options->fields[i].bits;
    ENSURE(bits == visited->bits); /* a bit in no field would be lost */
    visited->fields = memory_zeroed((size_t)options->field_count + 1, sizeof *visited->fields);
    for (uint32_t most = PLAN_FIELD_BITS; most <= 32; most *= 2) {
        visited->field_count = fields_join(options->fields, options->field_count, most, visited->fields);
        if (visited->field_count <= PLAN_FIELDS)
            return;
    }
}

/* What goes on where the leaf's last piece ends, in the state and in the key, is one piece with it. */
static bool plan_widen_piece(struct visited_plan *plan, const struct fold *leaf, const struct visited_field *field,
                             uint32_t offset)
{
    struct piece *last = leaf->piece_count ? &plan->pieces[plan->piece_count - 1] : NULL;
    uint32_t bits = last ? (uint32_t)__builtin_popcountll(last->mask) : 0;
    if (!last || last->word != field->word || last->shift + bits != field->shift || last->offset + bits != offset)
        return false;
    last->mask = UINT64_MAX >> (64 - bits - field->bits);
    return true;
}

void plan_add_piece(struct visited_plan *plan, struct fold *leaf, const struct visited_field *field, uint32_t offset)
{
    ENSURE(leaf->piece + leaf->piece_count == plan->piece_count);
    if (plan_widen_piece(plan, leaf, field, offset))
        return;
    leaf->piece_count++;
    plan->pieces[plan->piece_count++] = (struct piece){
        .mask = UINT64_MAX >> (64 - field->bits),
        .word = field->word,
        .shift = (uint8_t)field->shift,
        .offset = (uint8_t)offset,
    };
}

uint32_t plan_add_pair(struct visited_plan *plan, uint32_t left, uint32_t right)
{
    uint32_t low = plan->folds[left].level, high = plan->folds[right].level;
    plan->folds[plan->fold_count] =
        (struct fold){.left = left, .right = right, .level = 1 + (low > high ? low : high), .above = VISITED_TOP};
    return plan->fold_count++;
}

/* How many of the `size` half words from `from` go to the left: about as many bits as to the right. */
static uint32_t plan_halve(const struct visited *visited, uint32_t from, uint32_t size)
{
    uint32_t all = 0, sum = 0, left = 0;
    for (uint32_t i = 0; i < size; i++)
        all += visited->halves[from + i].bits;
    do
        sum += visited->halves[from + left++].bits;
    while (left + 1 < size && 2 * sum + visited->halves[from + left].bits <= all);
    return left;
}

/* Returns the fold that stands for `size` half words from `from`. */
static uint32_t plan_by_bits(struct visited *visited, uint32_t from, uint32_t size)
{
    struct visited_plan *plan = &visited->plan;
    if (size > 2) {
        uint32_t cut = plan_halve(visited, from, size), left = plan_by_bits(visited, from, cut);
        return plan_add_pair(plan, left, plan_by_bits(visited, from + cut, size - cut));
    }
    struct fold leaf = {.is_leaf = true, .piece = plan->piece_count, .above = VISITED_TOP};
    for (uint32_t i = 0; i < size; i++)
        plan_add_piece(plan, &leaf, &visited->halves[from + i], i ? visited->halves[from].bits : 0);
    plan->folds[plan->fold_count] = leaf;
    return plan->fold_count++;
}

bool visited_make_plan(struct visited *visited, const struct visited_sample *sample)
{
    struct visited_plan *plan = &visited->plan;
    plan->folds = memory_zeroed(visited_most_folds(visited), sizeof *plan->folds);
    plan->pieces = memory_zeroed(visited_most_folds(visited), sizeof *plan->pieces);
    if (sample && !plan_by_states(visited, sample))
        return false;
    if (!sample) {
        uint32_t cut = plan_halve(visited, 0, visited->half_count);
        plan->left = plan_by_bits(visited, 0, cut);
        plan->right = plan_by_bits(visited, cut, visited->half_count - cut);
    }
    fold_plan_index(plan);
    return true;
}
