/* The start states, and the partition they begin with: the coarsest for which an orbit holds start states only. */
#include <string.h>

#include "engine/adaptive/search.h"

enum { ORIGIN_MOST_COMPARED = 20000 };

static bool origin_report(struct adaptive_search *search, const struct step *step)
{
    const struct property *property = step->fault.property;
    if (search->decided[property->id])
        return true;
    struct trace *trace = trace_create(search->system, search->layout);
    trace_push(trace, step->rule, step->instance, NULL, &step->fault);
    result_set_failed(search->result, property, &step->fault, trace, NULL);
    if (!search->options->keep_going && !search->stopped)
        bounds_stop(search, stop_of(STOP_VIOLATION));
    judging_decide(search, property);
    return !search->stopped;
}

bool origin_read(struct adaptive_search *search)
{
    struct stepper *stepper = stepper_create_vm(search->system, search->layout);
    struct step step = {0};
    enum step_outcome outcome;
    bool goes_on = true;
    stepper_begin_starts(stepper);
    while (goes_on && (outcome = stepper_next(stepper, &step)) != STEP_END) {
        if (outcome == STEP_FAULT)
            goes_on = origin_report(search, &step);
        if (outcome != STEP_STATE)
            continue;
        for (uint32_t c = 0; c < search->layout->cell_count; c++)
            VEC_PUSH(&search->starts, step.cells[c]);
        search->start_count++;
        goes_on = bounds_spend(search, 1);
    }
    stepper_destroy(stepper);
    return goes_on;
}

/* The start states, each: shared values, local states by element. */
struct adaptive_origin {
    const struct words *starts;
    uint32_t element_count, *image;
};

/* Does exchanging p and q map the set of start states to itself? */
static bool origin_are_alike(void *user, uint32_t p, uint32_t q)
{
    struct adaptive_origin *origin = user;
    if (words_count(origin->starts) > ORIGIN_MOST_COMPARED)
        return false;
    for (uint32_t s = 0; s < words_count(origin->starts); s++) {
        const uint32_t *words = words_at(origin->starts, s);
        memcpy(origin->image, words, (origin->element_count + 1) * sizeof *words);
        origin->image[1 + p] = words[1 + q];
        origin->image[1 + q] = words[1 + p];
        if (words_find(origin->starts, origin->image, origin->element_count + 1) == WORDS_NONE)
            return false;
    }
    return true;
}

static void origin_label(const struct adaptive_search *search, const struct words *starts, uint32_t *labels)
{
    uint32_t n = search->roster->element_count;
    struct adaptive_origin origin = {starts, n, memory_alloc((n + 1) * sizeof *origin.image)};
    roster_label(search->roster, origin_are_alike, &origin, labels);
    free(origin.image);
}

/* Cells whose elements are all in the same local state may be joined: the orbit stays the same. */
static uint32_t origin_partition(struct adaptive_search *search, const uint32_t *labels, const uint32_t *locals)
{
    uint32_t n = search->roster->element_count;
    uint32_t *joined = memory_alloc(2 * (size_t)n * sizeof *joined), *mixed = joined + n;
    for (uint32_t e = 0; e < n; e++)
        mixed[e] = 0;
    for (uint32_t e = 0; e < n; e++)
        mixed[labels[e]] |= locals[e] != locals[labels[e]];
    for (uint32_t e = 0; e < n; e++) {
        joined[e] = labels[e];
        for (uint32_t f = 0; f < e && !mixed[labels[e]]; f++)
            if (!mixed[labels[f]] && locals[f] == locals[e]) {
                joined[e] = joined[f];
                break;
            }
    }
    uint32_t partition = partitions_intern(&search->partitions, joined);
    free(joined);
    return partition;
}

bool origin_insert(struct adaptive_search *search)
{
    uint32_t n = search->roster->element_count;
    uint32_t *labels = memory_alloc(n * sizeof *labels), *words = memory_alloc((n + 1) * sizeof *words);
    struct words starts = {0};
    bool goes_on = true;
    for (size_t s = 0; s < search->start_count; s++) {
        scene_read(&search->scene, search->starts.items + s * search->layout->cell_count, &words[0], words + 1);
        words_intern(&starts, words, n + 1);
    }
    search->scene.is_broken = false; /* nothing was tabulated yet */
    origin_label(search, &starts, labels);
    for (uint32_t s = 0; s < words_count(&starts) && goes_on; s++) {
        const uint32_t *start = words_at(&starts, s);
        uint32_t partition = origin_partition(search, labels, start + 1);
        partition = partitions_meet(&search->partitions, partition, search->friends);
        unfold_build_concrete(search, start[0], start + 1, partition);
        goes_on = unfold_emit(search, NO_STATE);
    }
    words_free(&starts);
    free(labels);
    free(words);
    return goes_on;
}
