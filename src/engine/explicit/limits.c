/* Why a search ends before its time, and what it says while it runs. */
#include <stdarg.h>

#include "base/account.h"
#include "base/clock.h"
#include "engine/explicit/search.h"
#include "ranks/transport.h"

static const double LIMITS_PROGRESS_SECONDS = 0.2;
static const double LIMITS_TICK_SECONDS = 0.02;
enum { LIMITS_FIRST_INTERVAL = 64, LIMITS_LONGEST_INTERVAL = 1 << 16, LIMITS_SLACK = 4 << 20, LIMITS_WORKER = 2 << 20 };

static uint64_t limits_slack(uint64_t limit)
{
    return limit / 8 < LIMITS_SLACK ? limit / 8 : LIMITS_SLACK;
}

/* What the process has before the search counts too, and something for what is not counted (stacks, gaps in the heap,
 * half-used huge pages), as long as that leaves the search something. */
static uint64_t limits_memory_before(uint64_t limit)
{
    uint64_t before = clock_resident_bytes() + limits_slack(limit);
    return before < limit / 2 ? before : limit / 2;
}

void limits_begin(struct explicit_search *search)
{
    uint64_t memory = search->options->limits.memory_bytes;
    search->begin = search->last_progress = clock_wall();
    search->begin_cpu = clock_cpu();
    search->budget.limit = memory;
    search->budget.used = search->begin_bytes = memory ? limits_memory_before(memory) : 0;
}

void limits_hire(struct explicit_search *search)
{
    uint64_t most = search->budget.limit / 10, bytes = most < LIMITS_WORKER ? most : LIMITS_WORKER;
    atomic_fetch_add_explicit(&search->budget.used, bytes, memory_order_relaxed);
    search->begin_bytes += bytes;
}

static void limits_note_unseen(struct explicit_search *search, int64_t unseen)
{
    atomic_fetch_add_explicit(&search->budget.used, (uint64_t)(unseen - search->unseen_bytes), memory_order_relaxed);
    search->unseen_bytes = unseen;
}

/* What was asked for, and what was there before. */
static int64_t limits_known(const struct explicit_search *search)
{
    return (int64_t)budget_used(&search->budget) - search->unseen_bytes;
}

void limits_reckon(struct explicit_search *search)
{
    int64_t limit = (int64_t)search->budget.limit, most = limit / 4 * 3 - (int64_t)search->begin_bytes;
    if (!search->disk || !limit)
        return;
    uint64_t left = account_unclaimed();
    if (left == UINT64_MAX)
        return;
    int64_t unseen = limit - limits_known(search) - ((int64_t)left - (int64_t)limits_slack((uint64_t)limit));
    unseen = unseen < most ? unseen : most;
    limits_note_unseen(search, unseen > 0 ? unseen : 0);
}

bool limits_forgive(struct explicit_search *search)
{
    int64_t least = -(int64_t)search->begin_bytes;
    uint64_t left = account_unclaimed();
    int64_t unseen = (int64_t)search->budget.limit - limits_known(search) - (int64_t)left;
    unseen = unseen > least ? unseen : least;
    if (left == UINT64_MAX || unseen >= search->unseen_bytes)
        return false;
    limits_note_unseen(search, unseen);
    return true;
}

void limits_begin_worker(struct worker *worker)
{
    worker->last_tick = clock_wall();
    worker->until_tick = worker->tick_interval = LIMITS_FIRST_INTERVAL;
}

void search_stop(struct explicit_search *search, struct stop stop)
{
    pthread_mutex_lock(&search->lock);
    stop_once(&search->result->stop, stop);
    search->stopped = true;
    pthread_mutex_unlock(&search->lock);
}

/* While one thread is at work, or of a search with one. */
uint64_t search_count_states(const struct explicit_search *search)
{
    uint64_t count = search->store ? store_count(search->store) : 0;
    if (search->disk)
        return disk_states(search);
    for (uint32_t i = 0; i < search->worker_count && search->visited; i++)
        count += visited_hand_count(search->workers[i].hand) - search->workers[i].unkept;
    return count;
}

/* Ranks have equal parts. */
uint64_t search_most_states(const struct explicit_search *search)
{
    uint32_t ranks = search->options->transport ? search->options->transport->count : 1;
    return (search->options->limits.states + ranks - 1) / ranks;
}

void search_stop_at_state_limit(struct explicit_search *search)
{
    search_stop(search, stop_limit(STOP_STATES, search->options->limits.states));
}

void search_stop_full(struct explicit_search *search)
{
    bool is_late = watch_is_up(); /* what was not made for want of time looks as if there was no room */
    if (!is_late && search->visited && visited_is_at_end(search->visited)) {
        search_stop(search,
                    stop_because(STOP_FAILED, "states have more different parts than the visited set can number: "
                                              "--hash-compact keeps none"));
        return;
    }
    search_stop(search, is_late ? watch_stop(watch_of_thread) : stop_limit(STOP_MEMORY, search->budget.limit));
}

static void limits_publish(struct worker *worker)
{
    const struct explicit_search *search = worker->search;
    bool is_first = worker == search->workers;
    uint64_t states = search->store  ? store_count(search->store)
                      : search->disk ? (is_first ? disk_states(search) : 0)
                                     : visited_hand_count(worker->hand);
    atomic_store_explicit(&worker->shown_states, states, memory_order_relaxed);
    atomic_store_explicit(&worker->shown_rules, worker->rules_fired, memory_order_relaxed);
    atomic_store_explicit(&worker->shown_expanded, worker->expanded + (is_first ? search->expanded_before : 0),
                          memory_order_relaxed);
    if (represent_is_counted(worker))
        atomic_store_explicit(&worker->shown_represented, worker_represented(worker), memory_order_relaxed);
}

static void limits_show_progress(struct explicit_search *search, double now)
{
    const struct engine_options *options = search->options;
    uint64_t expanded = 0;
    if (!options->progress || now - search->last_progress < LIMITS_PROGRESS_SECONDS)
        return;
    search->last_progress = now;
    struct progress_sample sample = {
        .bytes = (uint64_t)limits_known(search) - search->begin_bytes,
        .depth = search->depth,
        .seconds = now - search->begin,
    };
    for (uint32_t i = 0; i < search->worker_count; i++) {
        const struct worker *worker = &search->workers[i];
        sample.states += atomic_load_explicit(&worker->shown_states, memory_order_relaxed);
        sample.rules_fired += atomic_load_explicit(&worker->shown_rules, memory_order_relaxed);
        expanded += atomic_load_explicit(&worker->shown_expanded, memory_order_relaxed);
        sample.represented += atomic_load_explicit(&worker->shown_represented, memory_order_relaxed);
    }
    if (search->ranks) /* that of the others is not known here */
        sample.represented = 0;
    ranks_add_progress(search, &sample, &expanded);
    sample.frontier = search->store ? search->frontier : sample.states > expanded ? sample.states - expanded : 0;
    options->progress(options->progress_user, &sample);
}

/* The clock is read about every LIMITS_TICK_SECONDS, however fast or slow the model is. */
static void limits_adapt(struct worker *worker, double now)
{
    double elapsed = now - worker->last_tick;
    if (elapsed < LIMITS_TICK_SECONDS / 2 && worker->tick_interval < LIMITS_LONGEST_INTERVAL)
        worker->tick_interval *= 2;
    if (elapsed > LIMITS_TICK_SECONDS * 2 && worker->tick_interval > 1)
        worker->tick_interval /= 2;
    worker->until_tick = worker->tick_interval;
    worker->last_tick = now;
}

/* What was taken is used bit by bit, so that gaps beside it are seen late, when nobody asks for more. */
static void limits_mind_budget(struct explicit_search *search)
{
    uint64_t limit = search->budget.limit;
    if (limit && budget_used(&search->budget) > limit + limits_slack(limit) / 2)
        disk_ask_for_room(search);
}

bool limits_tick(struct worker *worker)
{
    struct explicit_search *search = worker->search;
    const struct limits *limits = &search->options->limits;
    double now = clock_wall();
    limits_adapt(worker, now);
    limits_publish(worker);
    if (worker == search->workers) {
        limits_reckon(search);
        limits_mind_budget(search);
        limits_show_progress(search, now);
    }
    if (watch_is_up())
        search_stop(search, watch_stop(watch_of_thread));
    else if (flag_is_set(search->options->interrupted))
        search_stop(search, stop_of(STOP_INTERRUPTED));
    else if (limits->seconds > 0 && now - search->begin >= limits->seconds)
        search_stop(search, stop_time(limits_asked_seconds(limits)));
    return !search_is_stopped(search);
}
