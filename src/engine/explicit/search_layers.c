/* Breadth first, level by level, by any number of threads: the threads take the states of a level in ranges, and new
 * states go to the next level. The states of a level do not depend on the distribution; neither do the counts, nor the
 * length of the shortest run to a violation. */
#include "base/vec.h"
#include "engine/explicit/search.h"

enum { LAYERS_WORTHWHILE = 200 /* states in a level before the other threads are called */ };

static bool layers_expand_range(struct worker *worker, const struct block_range *range)
{
    struct explicit_search *search = worker->search;
    keep_open_range(worker, range);
    const uint64_t *states = blocks_open(worker->writer, range);
    if (!states) {
        search_stop(search, stop_because(STOP_FAILED, "a temporary file cannot be read"));
        return false;
    }
    const uint16_t *marks = blocks_marks(worker->writer, states);
    for (uint32_t i = range->from; i < range->to; i++) {
        const uint64_t *state = states + (size_t)i * search->layout->words;
        if (i + 1 < range->to)
            visited_hint(search->visited, worker->hand, state + search->layout->words);
        if (!expand_state(worker, blocks_ref(range->block, i) | search->rank_mark, state, marks[i]) ||
            !ranks_poll(worker))
            return false;
    }
    if (!keep_close_range(worker))
        return false;
    blocks_done(worker->writer, range);
    return true;
}

void search_work_layer(struct worker *worker)
{
    struct block_range range;
    uint64_t rest;
    bool is_cut = false;
    worker->stepper = stepper_settle(worker->stepper);
    worker->judge = stepper_settle(worker->judge);
    while (!is_cut && shares_take(worker, &range, &rest)) {
        is_cut = !layers_expand_range(worker, &range);
        if (!is_cut && (keep_is_due(worker->search) || rival_waits(worker->search, rest)))
            break;
    }
    if (!is_cut)
        insert_flush(worker);
    ranks_end_level(worker); /* also of a search that has stopped: other ranks wait for this one */
}

/* What was found becomes the level to be expanded. */
static uint64_t layers_begin_level(struct explicit_search *search)
{
    VEC_CLEAR(&search->level);
    thin_end_level(search);
    vacuity_end_level(search);
    keep_begin_level(search);
    for (uint32_t i = 0; i < search->worker_count; i++)
        blocks_end_level(search->workers[i].writer, &search->level);
    shares_collect(search);
    return ranks_sum(search, search->level_states);
}

/* False: the search is over. */
static bool layers_expand(struct explicit_search *search)
{
    uint32_t crowd = search->options->crowd ? search->options->crowd : LAYERS_WORTHWHILE;
    bool has_rest;
    foresee_level(search);
    asleep_begin_level(search);
    do {
        uint32_t workers = crew_gather(search->crew, search->level_states < crowd);
        shares_deal(search, workers);
        crew_run(search->crew, workers);
        shares_collect(search);
        disk_settle(search);
        has_rest = keep_rest(search) || (!search->ranks && !search_is_stopped(search) && search->level.count > 0);
    } while (has_rest && rival_loses(search));
    ranks_meet(search);
    return findings_settle(search) && trial_goes_on(search);
}

/* The level is not expanded: it is too deep. */
static bool layers_is_cut(struct explicit_search *search)
{
    uint32_t limit = search->options->limits.depth;
    search->is_depth_cut |= limit && search->depth >= limit;
    return search->is_depth_cut;
}

void search_run_layers(struct explicit_search *search)
{
    uint64_t states = 1;
    if (search->is_restored && layers_is_cut(search))
        return; /* the commit that was read stays: it has what was held back */
    bool goes_on = !search->is_restored || layers_expand(search);
    search->depth += goes_on && search->is_restored;
    for (; goes_on && (states = layers_begin_level(search)) > 0; search->depth++) {
        search->deepest = search->depth;
        outcome_note_level(search, states);
        if (layers_is_cut(search)) {
            keep_stop(search);
            return;
        }
        if (!rival_lets_go_on(search, states))
            return;
        if (!layers_expand(search))
            break;
    }
    /* States beyond the level that was being expanded lie one deeper. */
    if (states && (states = layers_begin_level(search)) > 0) {
        search->deepest = search->depth + 1;
        outcome_note_level(search, states);
    }
}
