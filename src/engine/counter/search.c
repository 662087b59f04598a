/* Breadth first: states are expanded in the order of their numbers. */
#include "engine/counter/search.h"

#include <string.h>

void counter_stop(struct counter_search *search, struct stop stop)
{
    stop_once(&search->result->stop, stop);
    search->stopped = true;
}

static bool search_tick(struct counter_search *search)
{
    struct stop stop;
    struct progress_sample sample = {
        .states = search->tally.ends.count,
        .frontier = search->tally.ends.count - search->current,
        .rules_fired = search->result->statistics.rules_fired,
        .bytes = tally_bytes(&search->tally),
        .depth = search->depth,
    };
    if (!pace_tick(&search->pace, sample, &stop))
        counter_stop(search, stop);
    return !search->stopped;
}

/* A successor or start state. */
static void search_meet(struct counter_search *search, uint32_t parent, const struct step *step)
{
    bool is_new;
    uint64_t limit = search->options->limits.states;
    search->result->statistics.transitions++;
    if (!findings_admit(search, step->cells, parent, step))
        return;
    if (search->tally.ends.count >= NO_STATE - 1) {
        counter_stop(search, stop_limit(STOP_STATES, NO_STATE - 1));
        return;
    }
    uint32_t state = tally_insert(&search->tally, step->cells, parent, &is_new);
    if (!is_new)
        return;
    findings_judge(search, state, step->cells);
    if (limit && search->tally.ends.count >= limit)
        counter_stop(search, stop_limit(STOP_STATES, limit));
}

static bool search_is_other(const struct counter_search *search, const struct step *step)
{
    bool is_other = step->changed
                        ? step->changed_count > 0
                        : memcmp(step->cells, search->cells, search->layout->cell_count * sizeof *step->cells) != 0;
    return is_other || reduction_is_exchange(search->reduction, step->rule);
}

static void search_expand(struct counter_search *search, uint32_t state)
{
    enum deadlock_mode deadlock = search->options->deadlock;
    struct statistics *statistics = &search->result->statistics;
    bool is_alive = deadlock == DEADLOCK_OFF;
    struct step step = {0};
    enum step_outcome outcome;
    tally_read(&search->tally, state, search->cells);
    stepper_begin_successors(search->stepper, search->cells);
    while (!search->stopped && (outcome = stepper_next(search->stepper, &step)) != STEP_END) {
        if (outcome == STEP_DISCARDED)
            continue;
        statistics->rules_fired++;
        statistics->fired_by_rule[step.rule->id]++;
        is_alive |= deadlock == DEADLOCK_STUCK || outcome == STEP_FAULT || search_is_other(search, &step);
        findings_cover_statements(search, state, &step);
        if (outcome == STEP_FAULT)
            findings_fault(search, state, &step);
        else
            search_meet(search, state, &step);
    }
    if (!is_alive && !search->stopped && !watch_is_up()) /* else perhaps not all of its successors were seen */
        findings_deadlock(search, state);
}

static void search_starts(struct counter_search *search)
{
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_starts(search->stepper);
    while (!search->stopped && (outcome = stepper_next(search->stepper, &step)) != STEP_END) {
        if (outcome == STEP_DISCARDED)
            continue;
        findings_cover_statements(search, NO_STATE, &step);
        if (outcome == STEP_FAULT)
            findings_fault(search, NO_STATE, &step);
        else
            search_meet(search, NO_STATE, &step);
    }
}

static void search_note_level(struct counter_search *search, uint64_t states)
{
    struct level level = {states, pace_seconds(&search->pace)};
    VEC_PUSH(&search->result->statistics.levels, level);
}

void counter_search(struct counter_search *search)
{
    uint32_t limit = search->options->limits.depth, level_end;
    search_starts(search);
    level_end = (uint32_t)search->tally.ends.count;
    search_note_level(search, level_end);
    for (uint32_t state = 0; state < search->tally.ends.count && !search->stopped; state++) {
        if (state == level_end) {
            search_note_level(search, search->tally.ends.count - level_end);
            level_end = (uint32_t)search->tally.ends.count;
            search->depth++;
        }
        if (limit && search->depth >= limit) {
            search->is_depth_cut = true;
            break;
        }
        search->current = state;
        search_expand(search, state);
        if (!pace_spend(&search->pace, 1))
            search_tick(search);
    }
    search->deepest = search->depth + (search->tally.ends.count > level_end);
}
