/* How a state was reached: the representatives on the way, from the numbers of a numbered search, or from the log of a
 * layered one by taking the same steps again. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "engine/explicit/search.h"
#include "explore/explore.h"

/* --- numbered --- */

static int32_t *path_by_number(const struct explicit_search *search, uint32_t last, uint32_t *count)
{
    size_t cells = search->layout->cell_count;
    uint32_t *numbers = explore_path(search->store, last, count);
    int32_t *path = memory_alloc(*count * cells * sizeof *path);
    for (uint32_t i = 0; i < *count; i++)
        layout_unpack(search->layout, store_state(search->store, numbers[i]), path + i * cells);
    free(numbers);
    return path;
}

/* --- layered --- */

struct ordinals {
    VEC(uint64_t) items; /* the last step first */
};

/* A log that others have written may go round: no run is longer than the search is deep. */
static bool path_read_log(struct explicit_search *search, state_id last, struct ordinals *ordinals)
{
    for (block_ref at = last; at != BLOCKS_NOWHERE;) {
        uint64_t ordinal;
        block_ref parent;
        if (ordinals->items.count > (size_t)search->depth + 1 || !ranks_parent(search, at, &parent, &ordinal))
            return false;
        VEC_PUSH(&ordinals->items, ordinal);
        at = parent;
    }
    return true;
}

/* The representative of the start state or successor of that number, among those that are states. False: the time is
 * over, or there is no such one, which only a log that others have written says. */
static bool path_step(struct worker *worker, uint64_t ordinal, int32_t *out)
{
    struct step step = {0};
    enum step_outcome outcome;
    while ((outcome = stepper_next(worker->stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE || ordinal-- > 0)
            continue;
        represent_cells(worker, step.cells, out);
        return true;
    }
    return false;
}

static int32_t *path_by_log(struct explicit_search *search, state_id last, uint32_t *count)
{
    struct worker *worker = &search->workers[0]; /* it is not in the middle of anything */
    struct ordinals ordinals = {0};
    size_t cells = search->layout->cell_count;
    int32_t *path = NULL;
    bool is_whole = path_read_log(search, last, &ordinals);
    if (is_whole) {
        *count = (uint32_t)ordinals.items.count;
        path = memory_alloc(*count * cells * sizeof *path);
        for (uint32_t i = 0; i < *count && is_whole; i++) {
            if (i == 0)
                stepper_begin_starts(worker->stepper);
            else
                stepper_begin_successors(worker->stepper, path + (i - 1) * cells);
            is_whole = path_step(worker, ordinals.items.items[*count - 1 - i], path + i * cells);
        }
    }
    VEC_FREE(&ordinals.items);
    if (!is_whole)
        free(path);
    return is_whole ? path : NULL;
}

uint64_t *path_keep_counts(const struct worker *worker)
{
    const uint64_t *passed = worker->stepper->passed_by_rule;
    size_t bytes = worker->search->system->rules.count * sizeof *passed;
    return passed && bytes ? memcpy(memory_alloc(bytes), passed, bytes) : NULL;
}

void path_restore_counts(struct worker *worker, uint64_t *kept)
{
    if (kept)
        memcpy(worker->stepper->passed_by_rule, kept, worker->search->system->rules.count * sizeof *kept);
    free(kept);
}

static int32_t *path_uncounted(struct explicit_search *search, state_id last, uint32_t *count)
{
    uint64_t *kept = path_keep_counts(&search->workers[0]);
    search->workers[0].stepper->is_uncounted = true;
    int32_t *path = path_by_log(search, last, count);
    search->workers[0].stepper->is_uncounted = false;
    path_restore_counts(&search->workers[0], kept);
    return path;
}

int32_t *path_to(struct explicit_search *search, state_id last, uint32_t *count)
{
    *count = 0;
    if (last == STATE_NONE)
        return memory_alloc(0);
    return search->visited ? path_uncounted(search, last, count) : path_by_number(search, (uint32_t)last, count);
}
