/* Instances by the value of a cell that says which element of an array they touch (stubborn.h). */
#include <stdlib.h>

#include "base/memory.h"
#include "stubborn/inner.h"

enum { VARIANTS_VALUES = 64 /* of the cell */ };

static uint32_t footprint_size(const struct stubborn *stubborn, const struct footprint_sets *sets)
{
    uint32_t size = 0;
    for (uint32_t w = 0; w < stubborn->cell_words; w++)
        size += (uint32_t)(__builtin_popcountll(sets->reads[w]) + __builtin_popcountll(sets->writes[w]) +
                           __builtin_popcountll(sets->sends[w]) + __builtin_popcountll(sets->receives[w]));
    return size;
}

static struct unit unit_copy(struct stubborn *stubborn, const struct unit *unit)
{
    struct unit copy = {.rule = unit->rule, .instance = unit->instance, .varied_by = UINT32_MAX};
    copy.touched = units_new_sets(stubborn);
    for (size_t i = 0; i < unit->known.count; i++)
        VEC_PUSH(&copy.known, unit->known.items[i]);
    return copy;
}

/* The unit as it runs where the cell has the value. False: it may have another one where it is used, or there is too
 * much of it. */
static bool variant_trace(struct stubborn *stubborn, const struct unit *unit, struct known_cell known,
                          struct unit *variant)
{
    *variant = unit_copy(stubborn, unit);
    variant->varied_by = known.cell;
    VEC_PUSH(&variant->known, known);
    bool is_done = trace_unit(stubborn, variant) && !variant->is_loose;
    bits_add(variant->touched.reads, known.cell);
    return is_done;
}

/* One for each value of the cell. False: none, it is not worth it, or not possible. */
static bool variants_try(struct stubborn *stubborn, uint32_t number, uint32_t cell, uint32_t most)
{
    const struct unit *unit = &stubborn->units[number - 1];
    const struct type *type = stubborn->layout->cells[cell].type;
    uint32_t before = stubborn->varied.count, whole = footprint_size(stubborn, &unit->touched);
    bool is_done = true, is_smaller = false;
    int64_t low, high;
    if (!type || !type_interval(type, &low, &high) || high - low >= VARIANTS_VALUES ||
        stubborn->unit_count + before + (high - low + 1) > most)
        return false;
    for (int64_t value = low; value <= high && is_done; value++) {
        struct unit variant;
        is_done = variant_trace(stubborn, unit, (struct known_cell){cell, (int32_t)value}, &variant);
        is_smaller |= footprint_size(stubborn, &variant.touched) < whole;
        VEC_PUSH(&stubborn->varied, variant);
    }
    if (is_done && is_smaller) {
        stubborn->variants[number] = (struct stubborn_variants){cell, (int32_t)low, (uint32_t)(high - low + 1),
                                                                stubborn->unit_count + before + 1};
        return true;
    }
    while (stubborn->varied.count > before)
        unit_free(&stubborn->varied.items[--stubborn->varied.count]);
    return false;
}

/* By the first of the cells that it looks into for the place of something. False: it takes too long. */
static bool variants_find_of(struct stubborn *stubborn, uint32_t number, uint32_t most)
{
    uint32_t words = stubborn->cell_words, cells = stubborn->layout->cell_count;
    uint64_t *wanted = memory_alloc(words * sizeof *wanted);
    struct unit copy = unit_copy(stubborn, &stubborn->units[number - 1]);
    for (uint32_t w = 0; w < words; w++)
        stubborn->wanted[w] = 0;
    bool is_done = trace_unit(stubborn, &copy);
    unit_free(&copy);
    for (uint32_t w = 0; w < words; w++)
        wanted[w] = stubborn->wanted[w] & ~stubborn->unseen[w];
    for (uint32_t cell = bits_next(wanted, words, 0); cell < cells && is_done;
         cell = bits_next(wanted, words, cell + 1))
        if (variants_try(stubborn, number, cell, most))
            break;
    free(wanted);
    return is_done && stubborn->work <= STUBBORN_WORK;
}

void variants_find(struct stubborn *stubborn, uint32_t most)
{
    stubborn->variants = memory_zeroed((size_t)stubborn->unit_count + 1, sizeof *stubborn->variants);
    for (uint32_t number = 1; number <= stubborn->unit_count && stubborn->unit_count < most && !watch_is_up(); number++)
        if (!variants_find_of(stubborn, number, most))
            return;
}

const struct stubborn_variants *stubborn_variants_of(const struct stubborn *stubborn, uint32_t *count)
{
    *count = stubborn->unit_count + (uint32_t)stubborn->varied.count;
    return stubborn->variants;
}

/* By number: an instance, or one of the variants behind them. */
static const struct footprint_sets *variant_sets(const struct stubborn *stubborn, uint32_t number)
{
    return number <= stubborn->unit_count ? &stubborn->units[number - 1].touched
                                          : &stubborn->varied.items[number - stubborn->unit_count - 1].touched;
}

bool stubborn_is_apart(const struct stubborn *stubborn, uint32_t one, uint32_t other)
{
    const struct footprint_sets *a = variant_sets(stubborn, one), *b = variant_sets(stubborn, other);
    uint64_t shared = 0;
    for (uint32_t w = 0; w < stubborn->cell_words; w++) {
        uint64_t by_a = a->writes[w] | a->sends[w] | a->receives[w], by_b = b->writes[w] | b->sends[w] | b->receives[w];
        shared |= (by_a & (b->reads[w] | by_b)) | (by_b & a->reads[w]);
    }
    return !shared;
}
