#include "engine/explicit/keep.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"

static const double KEEP_SECONDS = 600; /* where nothing is said */
static const double KEEP_SOON = 10;     /* before the first one */

void keep_begin(struct explicit_search *search, uint32_t rung)
{
    const struct engine_options *options = search->options;
    if (!options->checkpoint || !search->visited)
        return;
    struct keeper *keeper = memory_zeroed(1, sizeof *keeper);
    keeper->checkpoint = options->checkpoint;
    keeper->every = options->checkpoint_every > 0 ? options->checkpoint_every : KEEP_SECONDS;
    keeper->begin = keeper->last = clock_wall();
    keeper->represented = bigint_create(0);
    keeper->rung = rung;
    keeper->is_owned = true;
    search->keeper = keeper;
    if (!search->is_restored)
        checkpoint_clear(keeper->checkpoint);
}

void keep_end(struct explicit_search *search)
{
    struct keeper *keeper = search->keeper;
    if (!keeper)
        return;
    for (size_t i = 0; i < keeper->reported.count; i++)
        finding_destroy(keeper->reported.items[i]);
    VEC_FREE(&keeper->reported);
    bigint_destroy(keeper->represented);
    free(keeper);
    search->keeper = NULL;
}

/* --- what it is about --- */

static uint64_t keep_hash_text(uint64_t hash, const char *text)
{
    return hash_combine(hash, text ? hash_bytes(text, strlen(text)) : 0);
}

static uint64_t keep_hash_factor(uint64_t hash, const struct symmetry_factor *factor)
{
    hash = hash_combine(hash, (uint64_t)factor->kind << 32 | factor->degree);
    for (uint32_t i = 0; i < factor->degree; i++)
        hash = hash_combine(keep_hash_text(hash, factor->points[i].type->name), factor->points[i].ordinal);
    for (uint64_t i = 0; factor->kind == SYMMETRY_GENERATED && i < (uint64_t)factor->degree * factor->generator_count;
         i++)
        hash = hash_combine(hash, factor->generators[i]);
    return hash;
}

uint64_t keep_identity(const struct explicit_search *search)
{
    const struct layout *layout = search->layout;
    uint64_t hash = hash_combine(layout->words, layout->cell_count);
    for (uint32_t i = 0; i < layout->cell_count; i++)
        hash = hash_combine(hash, (uint64_t)layout->cells[i].word << 32 | layout->cells[i].shift << 8 |
                                      layout->cells[i].bits);
    for (uint32_t f = 0; f < search->symmetry->factor_count; f++)
        if (search->symmetry->factors[f].is_used)
            hash = keep_hash_factor(hash, &search->symmetry->factors[f]);
    return keep_hash_text(hash, representative_names[search->options->representative]);
}

/* --- what workers do --- */

void keep_open_range(struct worker *worker, const struct block_range *range)
{
    size_t rules = worker->search->system->rules.count;
    struct keep_mark *mark = worker->mark;
    if (!worker->search->keeper)
        return;
    if (!mark) {
        mark = worker->mark = memory_zeroed(1, sizeof *mark);
        mark->fired = memory_zeroed(rules + 1, sizeof *mark->fired);
        mark->passed = worker->stepper->passed_by_rule ? memory_zeroed(rules + 1, sizeof *mark->passed) : NULL;
    }
    mark->range = *range;
    mark->transitions = worker->transitions;
    mark->unmade = worker->unmade;
    mark->rules_fired = worker->rules_fired;
    mark->expanded = worker->expanded;
    mark->work = worker->canon ? canon_work(worker->canon) : 0;
    memcpy(mark->fired, worker->fired_by_rule, rules * sizeof *mark->fired);
    if (mark->passed)
        memcpy(mark->passed, worker->stepper->passed_by_rule, rules * sizeof *mark->passed);
    mark->is_open = true;
}

/* Successors that wait in the batch must not be lost when the range counts as expanded. */
bool keep_close_range(struct worker *worker)
{
    if (!worker->mark)
        return true;
    if (!insert_flush(worker))
        return false;
    worker->mark->is_open = false;
    return true;
}

void keep_destroy_mark(struct keep_mark *mark)
{
    if (!mark)
        return;
    free(mark->fired);
    free(mark->passed);
    free(mark);
}

/* So many seconds after the last one. At first more often than was asked for: whatever ends the process, about half of
 * the search is kept. */
static double keep_interval(const struct keeper *keeper)
{
    double soon = keeper->last - keeper->begin;
    soon = soon > KEEP_SOON ? soon : KEEP_SOON;
    return soon < keeper->every ? soon : keeper->every;
}

bool keep_is_due(const struct explicit_search *search)
{
    const struct keeper *keeper = search->keeper;
    return keeper && !checkpoint_failure(keeper->checkpoint) && clock_wall() - keeper->last >= keep_interval(keeper);
}

/* --- while one thread is at work --- */

struct keep_appending {
    struct explicit_search *search;
    uint32_t depth; /* of the states */
};

static bool keep_append_piece(void *user, const struct kept_piece *piece)
{
    const struct keep_appending *appending = user;
    struct kept_piece deep = *piece;
    deep.depth = appending->depth;
    return checkpoint_append(appending->search->keeper->checkpoint, CHECKPOINT_STATES, &deep,
                             appending->search->layout->words);
}

static void keep_append(struct explicit_search *search, uint32_t depth)
{
    struct checkpoint *checkpoint = search->keeper->checkpoint;
    struct keep_appending appending = {search, depth};
    /* What could not be read again must not be left out: then the commit before this one stays. */
    if (!checkpoint_failure(checkpoint) && !blocks_each_fresh(search->blocks, keep_append_piece, &appending) &&
        !checkpoint_failure(checkpoint))
        checkpoint_fail(checkpoint, "a temporary file cannot be read");
}

/* The range that the worker was in the middle of is part of the rest again. */
static void keep_take_back(struct explicit_search *search, struct worker *worker)
{
    struct keep_mark *mark = worker->mark;
    size_t rules = search->system->rules.count;
    if (!mark || !mark->is_open)
        return;
    mark->is_open = false;
    VEC_PUSH(&search->level, mark->range);
    worker->transitions = mark->transitions;
    worker->unmade = mark->unmade;
    worker->rules_fired = mark->rules_fired;
    worker->expanded = mark->expanded;
    memcpy(worker->fired_by_rule, mark->fired, rules * sizeof *mark->fired);
    if (mark->passed)
        memcpy(worker->stepper->passed_by_rule, mark->passed, rules * sizeof *mark->passed);
}

void keep_begin_level(struct explicit_search *search)
{
    struct keeper *keeper = search->keeper;
    if (!keeper)
        return;
    keep_append(search, search->depth);
    bigint_set(keeper->represented, 0);
    for (uint32_t i = 0; i < search->worker_count; i++) {
        bigint_add(keeper->represented, search->workers[i].represented);
        bigint_add_u64(keeper->represented, search->workers[i].represented_small);
    }
}

/* The search is over: what is in the middle of something is kept so that it can be done again. */
static void keep_round_off(struct explicit_search *search)
{
    struct checkpoint *checkpoint = search->keeper->checkpoint;
    for (uint32_t i = 0; i < search->worker_count; i++)
        keep_take_back(search, &search->workers[i]);
    if (!checkpoint_failure(checkpoint) && !keep_append_held(search) && !checkpoint_failure(checkpoint))
        checkpoint_fail(checkpoint, "what was still to be looked up is lost: there was no room for it");
}

bool keep_rest(struct explicit_search *search)
{
    const struct keeper *keeper = search->keeper;
    if (!keeper)
        return false;
    if (ranks_are_broken(search)) {
        checkpoint_abandon(keeper->checkpoint);
        return false;
    }
    bool is_over = ranks_sum(search, search_is_stopped(search)) > 0;
    bool is_due = ranks_sum(search, keep_is_due(search)) > 0;
    bool has_rest = ranks_sum(search, search->level.count) > 0;
    keep_append(search, search->depth + 1);
    if (is_over)
        keep_round_off(search);
    if (is_over || is_due)
        keep_commit(search);
    return !is_over && has_rest;
}

void keep_stop(struct explicit_search *search)
{
    if (search->keeper)
        keep_commit(search);
}

double keep_seconds(const struct explicit_search *search)
{
    return search->keeper ? search->keeper->seconds : 0;
}

double keep_cpu_seconds(const struct explicit_search *search)
{
    return search->keeper ? search->keeper->cpu : 0;
}

uint64_t keep_work(const struct explicit_search *search)
{
    return search->keeper ? search->keeper->work : 0;
}

void keep_note_report(struct explicit_search *search, const struct explicit_finding *finding)
{
    if (search->keeper)
        VEC_PUSH(&search->keeper->reported, finding_copy(search, finding));
}
