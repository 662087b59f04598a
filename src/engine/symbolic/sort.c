/* Sets of states with multisets out of order, put in order: neighbouring slots are exchanged where they stand wrong,
 * until none do. The slots of a multiset stand bit by bit beside each other (order.c), so an exchange moves variables
 * by one place. */
#include <stdlib.h>

#include "engine/symbolic/shuffle.h"

struct sorter {
    bool is_made;
    dd *wrong; /* by slot but the first: the one before it should come after it; referenced */
    const struct dd_permutation **exchanges;
};

struct sorters {
    struct encoding *encoding;
    struct sorter *items; /* by multiset of the layout; made when they are needed */
};

struct sorters *sorters_create(struct encoding *encoding)
{
    struct sorters *sorters = memory_zeroed(1, sizeof *sorters);
    sorters->encoding = encoding;
    sorters->items = memory_zeroed((size_t)encoding->layout->multiset_count + 1, sizeof *sorters->items);
    return sorters;
}

void sorters_destroy(struct sorters *sorters)
{
    if (!sorters)
        return;
    for (uint32_t i = 0; i < sorters->encoding->layout->multiset_count; i++) {
        struct sorter *sorter = &sorters->items[i];
        for (uint32_t s = 1; sorter->is_made && s < sorters->encoding->layout->multisets[i].type->capacity; s++)
            dd_unref(sorters->encoding->m, sorter->wrong[s]);
        free(sorter->wrong);
        free(sorter->exchanges);
    }
    free(sorters->items);
    free(sorters);
}

static const struct dd_permutation *sorter_exchange(struct encoding *encoding, uint32_t a, uint32_t b, uint32_t cells)
{
    uint32_t count = dd_variable_count(encoding->m);
    uint32_t *images = memory_alloc((count + 1) * sizeof *images);
    for (uint32_t v = 0; v < count; v++)
        images[v] = v;
    for (uint32_t c = 0; c < cells; c++)
        for (uint32_t place = 0; place < encoding_width(encoding, a + c); place++)
            for (uint32_t next = 0; next < 2; next++) {
                uint32_t x = encoding_variable(encoding, a + c, place) + next;
                uint32_t y = encoding_variable(encoding, b + c, place) + next;
                images[x] = y;
                images[y] = x;
            }
    const struct dd_permutation *permutation = dd_permutation(encoding->m, images);
    free(images);
    return permutation;
}

static bool sorter_make(struct sorters *sorters, uint32_t multiset)
{
    struct encoding *encoding = sorters->encoding;
    const struct multiset_site *site = &encoding->layout->multisets[multiset];
    struct sorter *sorter = &sorters->items[multiset];
    uint32_t stride = multiset_stride(site->type);
    struct machine machine;
    machine_open(&machine, encoding->layout, &encoding->algebra);
    sorter->wrong = memory_zeroed(site->type->capacity, sizeof *sorter->wrong);
    sorter->exchanges = memory_zeroed(site->type->capacity, sizeof *sorter->exchanges);
    for (uint32_t s = 1; s < site->type->capacity; s++) {
        uint32_t slot = site->address + s * stride;
        sorter->wrong[s] = dd_ref(encoding->m, machine_slot_is_before(&machine, slot, slot - stride, stride));
        sorter->exchanges[s] = sorter_exchange(encoding, slot - stride, slot, stride);
    }
    sorter->is_made = true;
    bool is_ok = machine_is_ok(&machine);
    machine_close(&machine);
    return is_ok;
}

/* One exchange where it is due. */
static dd sorter_step(struct dd_manager *m, const struct sorter *sorter, uint32_t slot, dd set)
{
    dd keep[3] = {set, DD_FALSE, DD_FALSE};
    dd_register(m, keep, 3);
    keep[1] = dd_and(m, set, sorter->wrong[slot]);
    if (keep[1] != DD_FALSE) {
        keep[2] = dd_difference(m, keep[0], keep[1]);
        keep[1] = dd_permute(m, keep[1], sorter->exchanges[slot]);
        keep[0] = dd_or(m, keep[2], keep[1]);
    }
    dd_unregister(m, keep);
    return keep[0];
}

dd sorters_apply(struct sorters *sorters, uint32_t multiset, dd set)
{
    struct dd_manager *m = sorters->encoding->m;
    const struct sorter *sorter = &sorters->items[multiset];
    uint32_t capacity = sorters->encoding->layout->multisets[multiset].type->capacity;
    dd keep = set;
    bool is_new = true;
    dd_register(m, &keep, 1);
    if (!sorter->is_made && !sorter_make(sorters, multiset))
        keep = DD_NONE;
    while (is_new && keep != DD_NONE) {
        is_new = false;
        for (uint32_t s = capacity - 1; s > 0 && keep != DD_NONE; s--) {
            dd next = sorter_step(m, sorter, s, keep);
            is_new |= next != keep;
            keep = next;
        }
    }
    dd_unregister(m, &keep);
    return keep;
}
