#include <string.h>

#include "dd/inner.h"

static void manager_set_tolerance(struct dd_manager *m, double tolerance)
{
    /* A unit of the last place is between 2^-53 and 2^-52 of the value. */
    double units = tolerance * 4503599627370496.0;
    m->tolerance = units >= 1 ? (units < 1e15 ? (uint64_t)units : (uint64_t)1e15) : 0;
}

static void manager_create_workers(struct dd_manager *m, uint32_t threads)
{
    m->worker_count = threads ? threads : 1;
    m->workers = memory_zeroed(m->worker_count, sizeof *m->workers);
    for (uint32_t i = 0; i < m->worker_count; i++) {
        m->workers[i].m = m;
        m->workers[i].number = i;
        m->workers[i].alone = true;
        pthread_mutex_init(&m->workers[i].lock, NULL);
    }
    pthread_mutex_init(&m->leaf_lock, NULL);
}

struct dd_manager *dd_create(const struct dd_options *options)
{
    struct dd_manager *m = memory_zeroed(1, sizeof *m);
    m->memory_limit = options->memory;
    m->stop = options->stop;
    m->stop_data = options->stop_data;
    manager_set_tolerance(m, options->tolerance);
    manager_create_workers(m, options->threads);
    if (!dd_store_create(m, options->nodes ? options->nodes : 1 << 14)) {
        dd_destroy(m);
        return NULL;
    }
    ENSURE(options->variables <= DD_MAX_VARIABLES);
    m->variables = options->variables;
    m->zero = dd_ref(m, dd_make_leaf(&m->workers[0], 0.0));
    m->one = dd_ref(m, dd_make_leaf(&m->workers[0], 1.0));
    if (m->worker_count > 1)
        m->pool = dd_pool_create(m);
    return m;
}

void dd_destroy(struct dd_manager *m)
{
    if (!m)
        return;
    if (m->pool)
        dd_pool_destroy(m->pool);
    dd_deep_destroy(m->deep);
    dd_store_destroy(m);
    for (size_t i = 0; i < m->permutations.count; i++) {
        free(m->permutations.items[i]->images);
        free(m->permutations.items[i]);
    }
    VEC_FREE(&m->permutations);
    VEC_FREE(&m->roots);
    for (uint32_t i = 0; i < m->worker_count; i++)
        pthread_mutex_destroy(&m->workers[i].lock);
    pthread_mutex_destroy(&m->leaf_lock);
    free(m->workers);
    free(m);
}

uint32_t dd_variable_count(const struct dd_manager *m)
{
    return m->variables;
}

enum dd_failure dd_failure(const struct dd_manager *m)
{
    return (enum dd_failure)atomic_load(&m->failure);
}

uint32_t dd_new_number(struct dd_manager *m)
{
    if (++m->next_number == UINT32_MAX) { /* old numbers must not be found again */
        dd_cache_clear(m);
        m->next_number = 1;
    }
    return m->next_number;
}

struct dd_statistics dd_statistics(const struct dd_manager *m)
{
    struct dd_statistics statistics = m->statistics;
    statistics.nodes = dd_store_used(m);
    statistics.live = m->live_count;
    statistics.peak = m->peak > statistics.nodes ? m->peak : statistics.nodes;
    statistics.capacity = m->capacity;
    statistics.bytes = m->bytes;
    return statistics;
}

/* Before an operation: is it time to collect (an eighth of the store is left)? */
static inline bool manager_is_untidy(const struct dd_manager *m)
{
    int64_t left = atomic_load_explicit(&m->free_left, memory_order_relaxed);
    return left < (int64_t)(m->capacity / 8);
}

static void manager_tidy(struct dd_manager *m, const dd *operands, size_t count)
{
    if (m->paused || dd_store_used(m) - m->live_count < m->capacity / 8)
        return;
    dd_collect_with(m, operands, count);
    /* At least half of the store is free afterwards, so a collection's cost is spread over many new nodes. */
    while (m->live_count > m->capacity / 2)
        if (!dd_store_grow(m))
            break;
}

dd dd_stop(struct dd_manager *m)
{
    atomic_store(&m->failure, DD_FAILURE_STOPPED);
    return DD_NONE;
}

static dd manager_launch(struct dd_manager *m, dd_step *step, dd a, dd b, dd c)
{
    for (;;) {
        atomic_store_explicit(&m->failure, DD_FAILURE_NONE, memory_order_relaxed);
        if (DD_UNLIKELY(watch_is_over(m->watch)))
            return dd_stop(m);
        dd result = m->pool ? dd_pool_run(m, step, a, b, c) : step(&m->workers[0], a, b, c);
        if (DD_LIKELY(result != DD_NONE))
            return result;
        if (!atomic_load(&m->wants_growth))
            return result;
        atomic_store(&m->wants_growth, false);
        if (atomic_load(&m->failure))
            return result;
        if (!dd_store_grow(m)) {
            atomic_store(&m->failure, DD_FAILURE_MEMORY);
            return result;
        }
    }
}

struct manager_run {
    struct dd_manager *m;
    dd_step *step;
    uint32_t handles;
    dd operands[3], result;
};

static void run_now(void *data)
{
    struct manager_run *run = data;
    struct dd_manager *m = run->m;
    const dd *o = run->operands;
    if (DD_UNLIKELY(manager_is_untidy(m)))
        manager_tidy(m, o, run->handles);
    run->result = manager_launch(m, run->step, o[0], o[1], o[2]);
    if (DD_LIKELY(run->result != DD_NONE) || m->paused || dd_failure(m) != DD_FAILURE_MEMORY)
        return;
    dd_collect_with(m, o, run->handles);
    run->result = manager_launch(m, run->step, o[0], o[1], o[2]);
}

dd dd_run(struct dd_manager *m, dd_step *step, uint32_t handles, dd a, dd b, dd c)
{
    struct manager_run run = {.m = m, .step = step, .handles = handles, .operands = {a, b, c}};
    for (uint32_t i = 0; i < handles; i++)
        if (DD_UNLIKELY(run.operands[i] == DD_NONE))
            return DD_NONE;
    m->watch = watch_of_thread;
    dd_deep_call(m, run_now, &run);
    return run.result;
}
