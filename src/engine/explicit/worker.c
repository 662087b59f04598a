#include <stdlib.h>

#include "base/memory.h"
#include "engine/explicit/search.h"

enum {
    WORKER_LEAST_BURST = 4,
    WORKER_BURST_BYTES = 1 << 16,
    WORKER_RECENT_BYTES = 512 << 10 /* what a processor has near itself */
};

/* How many successors of so many bytes come at once. */
static uint32_t worker_burst(size_t bytes)
{
    uint32_t most = BURST_MOST;
    while (most > WORKER_LEAST_BURST && most * bytes > WORKER_BURST_BYTES)
        most /= 2;
    return most;
}

void worker_create(struct worker *worker, struct explicit_search *search)
{
    const struct layout *layout = search->layout;
    size_t cells = layout->cell_count * sizeof(int32_t), packed = layout->words * sizeof(uint64_t);
    worker->search = search;
    worker->stepper = steppers_make(search->steppers);
    worker->judge = steppers_make(search->steppers);
    worker->stepper->is_brief = true;
    worker->stepper->is_watched = worker->judge->is_watched = true;
    worker->canon = symmetry_is_trivial(search->symmetry) ? NULL : canon_create(search->symmetry, layout);
    if (worker->canon)
        canon_choose(worker->canon, search->options->representative);
    worker->parent = memory_alloc(cells);
    worker->image = memory_alloc(cells);
    worker->fresh = memory_alloc(cells);
    worker->parent_packed = memory_alloc(packed);
    worker->flooded = memory_alloc(packed);
    worker->batch = memory_alloc(SEARCH_BATCH * packed);
    worker->fired_by_rule = memory_zeroed(search->system->rules.count + 1, sizeof *worker->fired_by_rule);
    worker->represented = bigint_create(0);
    worker->orbit = bigint_create(0);
    if (search->visited) {
        worker->hand = visited_hand_create(search->visited);
        worker->plan = visited_plan_number(search->visited);
        worker->is_wave = wave_is_on(search);
        worker->writer = blocks_add_writer(search->blocks);
        recent_open(&worker->recent, layout->words, WORKER_RECENT_BYTES);
        if (worker->canon)
            sieve_open(&worker->sieve, layout->words);
        worker->burst = (struct burst){.words = layout->words, .most = worker_burst(packed)};
        worker->burst.states = memory_alloc(worker->burst.most * packed);
        worker->visits.states = memory_alloc(worker->burst.most * packed);
        for (uint32_t i = 0; i < 2; i++) {
            worker->held[i].states = memory_alloc(worker->burst.most * packed);
            worker->held[i].parent_packed = memory_alloc(packed);
        }
    }
    judge_create_state(worker);
    worker->thinner = thin_create(search);
    vacuity_begin(worker);
    limits_begin_worker(worker);
}

void worker_destroy(struct worker *worker)
{
    stepper_destroy(worker->stepper);
    stepper_destroy(worker->judge);
    keep_destroy_mark(worker->mark);
    disk_destroy_buffer(worker->disk_buffer);
    ranks_destroy_outgoing(worker);
    thin_destroy(worker->thinner);
    vacuity_end(worker);
    judge_destroy_state(worker);
    if (worker->canon)
        canon_destroy(worker->canon);
    free(worker->parent);
    free(worker->image);
    free(worker->fresh);
    free(worker->parent_packed);
    free(worker->flooded);
    free(worker->batch);
    free(worker->fired_by_rule);
    bigint_destroy(worker->represented);
    bigint_destroy(worker->orbit);
    visited_hand_destroy(worker->hand);
    VEC_FREE(&worker->share.ranges);
    recent_close(&worker->recent);
    sieve_close(&worker->sieve);
    free(worker->burst.states);
    free(worker->visits.states);
    for (uint32_t i = 0; i < 2; i++) {
        free(worker->held[i].states);
        free(worker->held[i].parent_packed);
    }
}

double worker_represented(const struct worker *worker)
{
    return bigint_to_double(worker->represented) + (double)worker->represented_small;
}
