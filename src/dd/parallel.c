/* Several workers for one operation. The caller's thread is worker 0. It begins alone; when an operation turns out to
 * be large the others are woken. An idle worker counts itself as hungry; a busy one that sees so offers the second of
 * its next two recursive calls as a task. A task is on the stack of the worker that offers it, which waits for it if it
 * was stolen, and while it waits takes tasks only from the thief (Wagner and Calder, "Leapfrogging", PPoPP 1993): they
 * are parts of its own work, so its stack is never deeper than there are levels. */
#include <sched.h>

#include "dd/inner.h"

enum {
    POOL_STACK = 256 << 20, /* address space: memory comes when it is used */
    POOL_OFFERED = 4,       /* a worker offers so many tasks at most */
    POOL_LEVELS = 8         /* calls this near to the last level are not worth a task */
};

struct dd_task {
    dd_step *step;
    const dd *operands;
    dd result;
    uint32_t thief;
    _Atomic bool is_done;
};

struct dd_pool {
    struct dd_manager *m;
    pthread_t *threads;
    uint32_t thread_count;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    _Atomic bool is_open; /* an operation runs that wants help */
    uint32_t round;       /* of such operations; under the lock, as the next two */
    uint32_t inside;      /* threads that help */
    bool ends;
    struct account *account; /* that of the caller */
    struct cleanup cleanup;
};

static bool task_steal(struct dd_worker *thief, struct dd_worker *victim)
{
    struct dd_task *task = NULL;
    pthread_mutex_lock(&victim->lock);
    if (victim->task_first < victim->task_end) {
        task = victim->tasks[victim->task_first++];
        task->thief = thief->number;
    }
    pthread_mutex_unlock(&victim->lock);
    if (!task)
        return false;
    task->result = task->step(thief, task->operands[0], task->operands[1], task->operands[2]);
    atomic_store_explicit(&task->is_done, true, memory_order_release);
    return true;
}

static bool task_offer(struct dd_worker *w, struct dd_task *task)
{
    pthread_mutex_lock(&w->lock);
    if (w->task_first == w->task_end)
        w->task_first = w->task_end = 0;
    bool offered = w->task_end - w->task_first < POOL_OFFERED && w->task_end < sizeof w->tasks / sizeof *w->tasks;
    if (offered)
        w->tasks[w->task_end++] = task;
    pthread_mutex_unlock(&w->lock);
    return offered;
}

/* True: nobody took it. */
static bool task_withdraw(struct dd_worker *w, struct dd_task *task)
{
    pthread_mutex_lock(&w->lock);
    bool mine = w->task_first < w->task_end && w->tasks[w->task_end - 1] == task;
    if (mine)
        w->task_end--;
    pthread_mutex_unlock(&w->lock);
    return mine;
}

static void task_await(struct dd_worker *w, struct dd_task *task)
{
    struct dd_worker *thief = &w->m->workers[task->thief];
    while (!atomic_load_explicit(&task->is_done, memory_order_acquire))
        if (!task_steal(w, thief))
            sched_yield();
}

static bool call_both(struct dd_worker *w, dd_step *step, const dd first[3], const dd second[3], dd results[2])
{
    results[0] = step(w, first[0], first[1], first[2]);
    if (results[0] == DD_NONE)
        return false;
    results[1] = step(w, second[0], second[1], second[2]);
    return results[1] != DD_NONE;
}

bool dd_fork(struct dd_worker *w, dd_step *step, const dd first[3], const dd second[3], dd results[2])
{
    struct dd_task task = {.step = step, .operands = second};
    uint32_t level = dd_level_at(w->m, second[0]);
    if (level == DD_BOTTOM || level + POOL_LEVELS > w->m->variables || !task_offer(w, &task))
        return call_both(w, step, first, second, results);
    results[0] = step(w, first[0], first[1], first[2]);
    if (task_withdraw(w, &task)) {
        if (results[0] == DD_NONE)
            return false;
        results[1] = step(w, second[0], second[1], second[2]);
    } else {
        task_await(w, &task);
        results[1] = task.result;
    }
    return results[0] != DD_NONE && results[1] != DD_NONE;
}

static void pool_help(struct dd_pool *pool, struct dd_worker *w)
{
    struct dd_manager *m = pool->m;
    uint32_t victim = w->number;
    atomic_fetch_add(&m->hungry, 1);
    while (atomic_load(&pool->is_open)) {
        victim = victim + 1 == m->worker_count ? 0 : victim + 1;
        if (victim == w->number)
            continue;
        struct dd_worker *other = &m->workers[victim];
        pthread_mutex_lock(&other->lock);
        bool has_task = other->task_first < other->task_end;
        pthread_mutex_unlock(&other->lock);
        if (!has_task) {
            sched_yield();
            continue;
        }
        atomic_fetch_sub(&m->hungry, 1);
        task_steal(w, other);
        atomic_fetch_add(&m->hungry, 1);
    }
    atomic_fetch_sub(&m->hungry, 1);
}

struct pool_start {
    struct dd_pool *pool;
    uint32_t number;
};

static void *pool_thread(void *data)
{
    struct pool_start start = *(struct pool_start *)data;
    struct dd_pool *pool = start.pool;
    uint32_t round = 0;
    free(data);
    pthread_mutex_lock(&pool->lock);
    while (!pool->ends) {
        if (round == pool->round || !atomic_load(&pool->is_open)) {
            round = pool->round;
            pthread_cond_wait(&pool->changed, &pool->lock);
            continue;
        }
        round = pool->round;
        pool->inside++;
        account_adopt(pool->account);
        pthread_mutex_unlock(&pool->lock);
        pool_help(pool, &pool->m->workers[start.number]);
        pthread_mutex_lock(&pool->lock);
        pool->inside--;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void pool_end(void *data)
{
    struct dd_pool *pool = data;
    pthread_mutex_lock(&pool->lock);
    pool->ends = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->thread_count; i++)
        pthread_join(pool->threads[i], NULL);
}

struct dd_pool *dd_pool_create(struct dd_manager *m)
{
    struct dd_pool *pool = memory_zeroed(1, sizeof *pool);
    pthread_attr_t attributes;
    pool->m = m;
    pool->threads = memory_zeroed(m->worker_count, sizeof *pool->threads);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    cleanup_push(&pool->cleanup, pool_end, pool);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, POOL_STACK);
    for (uint32_t number = 1; number < m->worker_count; number++) {
        struct pool_start *start = memory_alloc(sizeof *start);
        *start = (struct pool_start){pool, number};
        if (pthread_create(&pool->threads[pool->thread_count], &attributes, pool_thread, start)) {
            free(start); /* fewer threads than asked for do the same work */
            break;
        }
        pool->thread_count++;
    }
    pthread_attr_destroy(&attributes);
    return pool;
}

void dd_pool_destroy(struct dd_pool *pool)
{
    cleanup_drop(&pool->cleanup);
    pool_end(pool);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->changed);
    free(pool->threads);
    free(pool);
}

void dd_pool_open(struct dd_manager *m)
{
    struct dd_pool *pool = m->pool;
    pthread_mutex_lock(&pool->lock);
    for (uint32_t i = 0; i < m->worker_count; i++)
        m->workers[i].alone = false;
    pool->account = account_current();
    atomic_store(&pool->is_open, true);
    pool->round++;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

static void pool_close(struct dd_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->is_open, false);
    while (pool->inside)
        pthread_cond_wait(&pool->changed, &pool->lock);
    for (uint32_t i = 0; i < pool->m->worker_count; i++)
        pool->m->workers[i].alone = true;
    pthread_mutex_unlock(&pool->lock);
}

dd dd_pool_run(struct dd_manager *m, dd_step *step, dd a, dd b, dd c)
{
    m->pool_regions = 0;
    dd result = step(&m->workers[0], a, b, c);
    if (!m->workers[0].alone)
        pool_close(m->pool);
    return result;
}
