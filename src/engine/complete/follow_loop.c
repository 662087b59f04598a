/* Loops over a family run in the order of the numbers. That order does not matter, and need not be kept under a
 * permutation, when no iteration touches what another one writes. Local variables may be written by all of them as
 * long as none reads what another wrote; what the last one leaves there is stale. */
#include "base/memory.h"
#include "engine/complete/follow.h"

#define LOOP_SEVERAL UINT32_MAX
#define LOOP_SUM (UINT32_MAX - 1)
enum { LOOP_WRITTEN = 1, LOOP_LOOSE = 2 };

static struct loop_watch *loop_watch_create(const struct follow *follow)
{
    struct loop_watch *watch = memory_zeroed(1, sizeof *watch);
    watch->writer = memory_zeroed((size_t)follow->system->memory_cells + 1, sizeof *watch->writer);
    watch->reader = memory_zeroed((size_t)follow->system->memory_cells + 1, sizeof *watch->reader);
    watch->slot_use = memory_zeroed(follow->shape->slot_count + 1, sizeof *watch->slot_use);
    return watch;
}

void loop_begin(struct follow *follow)
{
    if (follow->loops.count == follow->loop_depth)
        VEC_PUSH(&follow->loops, loop_watch_create(follow));
    struct loop_watch *watch = follow->loops.items[follow->loop_depth++];
    watch->iteration = 0;
    watch->is_ordered = false;
    for (size_t i = 0; i < watch->touched.count; i++)
        watch->writer[watch->touched.items[i]] = watch->reader[watch->touched.items[i]] = 0;
    for (uint32_t s = 0; s < follow->shape->slot_count; s++)
        watch->slot_use[s] = 0;
    VEC_CLEAR(&watch->touched);
    VEC_CLEAR(&watch->sums);
}

void loop_next(struct follow *follow)
{
    follow->loops.items[follow->loop_depth - 1]->iteration++;
}

void loop_end(struct follow *follow)
{
    struct loop_watch *watch = follow->loops.items[--follow->loop_depth];
    for (uint32_t s = 0; s < follow->shape->slot_count; s++)
        if (watch->slot_use[s] == (LOOP_WRITTEN | LOOP_LOOSE))
            watch->is_ordered = true;
    for (size_t i = 0; i < watch->touched.count; i++) {
        uint32_t address = watch->touched.items[i];
        if (address >= follow->system->state_cells && watch->writer[address] && watch->writer[address] != LOOP_SUM)
            follow->is_stale[address] = true;
    }
    if (watch->is_ordered)
        follow_require_order(follow);
}

/* Another element than the one named by the objects' own indices may be meant under another numbering. */
static bool loop_is_loose(const struct follow *follow, const struct complete_spot *spot, uint32_t address)
{
    const struct slot *slot = &follow->shape->slots[follow->shape->slot_of[address]];
    for (uint32_t d = 0; d < slot->dimension_count; d++)
        if (d >= spot->index_count || spot->indices[d]->kind != TERM_ID)
            return true;
    return false;
}

static void loop_touch(struct loop_watch *watch, uint32_t address)
{
    if (!watch->writer[address] && !watch->reader[address])
        VEC_PUSH(&watch->touched, address);
}

void loop_note_read(struct follow *follow, const struct complete_spot *spot, uint32_t address)
{
    bool is_state = address < follow->system->state_cells;
    for (uint32_t l = 0; l < follow->loop_depth; l++) {
        struct loop_watch *watch = follow->loops.items[l];
        if (is_state && loop_is_loose(follow, spot, address))
            watch->slot_use[follow->shape->slot_of[address]] |= LOOP_LOOSE;
        if (watch->writer[address] == watch->iteration)
            continue;
        if (watch->writer[address])
            watch->is_ordered = true;
        loop_touch(watch, address);
        bool is_other = watch->reader[address] && watch->reader[address] != watch->iteration;
        watch->reader[address] = is_other ? LOOP_SEVERAL : watch->iteration;
    }
}

void loop_note_write(struct follow *follow, const struct complete_spot *spot, uint32_t address)
{
    bool is_state = address < follow->system->state_cells;
    for (uint32_t l = 0; l < follow->loop_depth; l++) {
        struct loop_watch *watch = follow->loops.items[l];
        if (is_state) {
            watch->slot_use[follow->shape->slot_of[address]] |= LOOP_WRITTEN;
            if (loop_is_loose(follow, spot, address))
                watch->slot_use[follow->shape->slot_of[address]] |= LOOP_LOOSE;
        }
        bool is_written = watch->writer[address] && watch->writer[address] != watch->iteration;
        bool is_read = watch->reader[address] && watch->reader[address] != watch->iteration;
        if (is_read || (is_state && is_written))
            watch->is_ordered = true;
        loop_touch(watch, address);
        watch->writer[address] = watch->iteration;
    }
}

static struct loop_sum *loop_sum_at(struct loop_watch *watch, uint32_t address, int64_t lo, int64_t hi)
{
    for (size_t i = 0; i < watch->sums.count; i++)
        if (watch->sums.items[i].address == address)
            return &watch->sums.items[i];
    VEC_PUSH(&watch->sums, ((struct loop_sum){address, lo, hi}));
    return &VEC_LAST(&watch->sums);
}

void loop_note_sum(struct follow *follow, uint32_t address, const struct type *type, int64_t lo, int64_t hi,
                   int64_t item_lo, int64_t item_hi)
{
    for (uint32_t l = 0; l < follow->loop_depth; l++) {
        struct loop_watch *watch = follow->loops.items[l];
        int64_t least, most;
        if (watch->writer[address] == watch->iteration)
            continue; /* it begins anew in each iteration of this loop */
        if ((watch->writer[address] && watch->writer[address] != LOOP_SUM) || watch->reader[address] ||
            !type_interval(type, &least, &most)) {
            watch->is_ordered = true;
            continue;
        }
        loop_touch(watch, address);
        watch->writer[address] = LOOP_SUM;
        struct loop_sum *sum = loop_sum_at(watch, address, lo, hi);
        sum->lo += item_lo < 0 ? item_lo : 0;
        sum->hi += item_hi > 0 ? item_hi : 0;
        watch->is_ordered |= sum->lo < least || sum->hi > most;
    }
}
