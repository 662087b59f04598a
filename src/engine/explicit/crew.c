/* The threads of a layered search. They are made when the first level is worth it, so that a small model pays for one.
 * All meet at the end of a level, and in a pause when the visited set must grow: one of them sees to that, and those
 * that wait help where the work is in parts. Where one of them is refused memory it comes to the meeting all the same,
 * and the failure is handed on there. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/thread.h"
#include "engine/explicit/search.h"

/* Work in parts, for all that wait. */
struct explicit_job {
    void (*work)(void *user, uint32_t part);
    void *user;
    uint32_t parts;
    _Atomic uint32_t next;
    uint32_t helpers; /* at work on it, without the one whose job it is */
};

struct crew {
    struct team team; /* those that wait; must be first */
    struct explicit_search *search;
    void (*work)(struct worker *worker);
    pthread_t *threads; /* of the workers 1, 2, ... */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t active, paused; /* workers at work, and those of them that wait in a pause */
    uint64_t levels, pauses; /* how many there have been */
    bool quits;
    _Atomic bool wants_pause;
    _Atomic bool has_failed; /* memory, of one of them */
    struct cleanup cleanup;
    struct explicit_job job;
};

static void crew_try(struct crew *crew, void (*work)(void *data), void *data)
{
    if (!account_try(work, data))
        atomic_store(&crew->has_failed, true);
}

/* What others rely on was not done. */
static void crew_hand_on_failure(const struct crew *crew)
{
    if (atomic_load(&crew->has_failed))
        account_fail_again();
}

static void job_take_parts(void *data)
{
    struct explicit_job *job = data;
    uint32_t part;
    while ((part = atomic_fetch_add(&job->next, 1)) < job->parts)
        job->work(job->user, part);
}

/* As a team. */
static void crew_run_job(struct team *team, uint32_t parts, void (*work)(void *user, uint32_t part), void *user)
{
    struct crew *crew = (struct crew *)team;
    struct explicit_job *job = &crew->job;
    pthread_mutex_lock(&crew->lock);
    job->work = work;
    job->user = user;
    job->parts = parts;
    atomic_store(&job->next, 0);
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
    crew_try(crew, job_take_parts, job);
    pthread_mutex_lock(&crew->lock);
    while (job->helpers)
        pthread_cond_wait(&crew->changed, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
    crew_hand_on_failure(crew);
}

/* Until something changes; meanwhile a job may be helped with. The lock is held. */
static void crew_wait(struct crew *crew)
{
    struct explicit_job *job = &crew->job;
    if (atomic_load(&job->next) >= job->parts) {
        pthread_cond_wait(&crew->changed, &crew->lock);
        return;
    }
    job->helpers++;
    pthread_mutex_unlock(&crew->lock);
    crew_try(crew, job_take_parts, job);
    pthread_mutex_lock(&crew->lock);
    if (!--job->helpers)
        pthread_cond_broadcast(&crew->changed);
}

static void crew_dismiss(void *data)
{
    struct crew *crew = data;
    pthread_mutex_lock(&crew->lock);
    crew->quits = true;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
    for (uint32_t i = 1; i < crew->search->worker_count; i++)
        pthread_join(crew->threads[i], NULL);
}

struct crew *crew_create(struct explicit_search *search, void (*work)(struct worker *worker))
{
    struct crew *crew = memory_zeroed(1, sizeof *crew);
    crew->team.run = crew_run_job;
    crew->search = search;
    crew->work = work;
    crew->active = 1; /* the thread that puts in the start states */
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->changed, NULL);
    cleanup_push(&crew->cleanup, crew_dismiss, crew);
    return crew;
}

void crew_destroy(struct crew *crew)
{
    if (!crew)
        return;
    cleanup_drop(&crew->cleanup);
    crew_dismiss(crew);
    free(crew->threads);
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->lock);
    free(crew);
}

struct team *crew_team(struct crew *crew)
{
    return &crew->team;
}

static void crew_make_room(void *data)
{
    insert_make_room(data);
}

/* All that are at work wait: the lock is held, and let go meanwhile. */
static void crew_use_pause(struct crew *crew)
{
    pthread_mutex_unlock(&crew->lock);
    crew_try(crew, crew_make_room, crew->search);
    pthread_mutex_lock(&crew->lock);
    crew->paused = 0;
    crew->pauses++;
    atomic_store(&crew->wants_pause, false);
    pthread_cond_broadcast(&crew->changed);
}

void crew_pause(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    uint64_t pause = crew->pauses;
    atomic_store(&crew->wants_pause, true);
    if (++crew->paused == crew->active)
        crew_use_pause(crew);
    while (crew->pauses == pause)
        crew_wait(crew);
    pthread_mutex_unlock(&crew->lock);
    crew_hand_on_failure(crew);
}

bool crew_wants_pause(const struct crew *crew)
{
    return atomic_load_explicit(&crew->wants_pause, memory_order_relaxed);
}

bool crew_is_last(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    bool is_last = crew->active == 1;
    pthread_mutex_unlock(&crew->lock);
    return is_last;
}

static void worker_work(void *data)
{
    struct worker *worker = data;
    worker->search->crew->work(worker);
}

static void crew_work(struct crew *crew, struct worker *worker)
{
    crew_try(crew, worker_work, worker);
    pthread_mutex_lock(&crew->lock);
    crew->active--;
    if (crew->active && crew->paused == crew->active)
        crew_use_pause(crew);
    if (!crew->active)
        pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
}

struct crew_member {
    struct crew *crew;
    struct worker *worker;
    struct watch *watch;
};

static void *crew_live(void *user)
{
    struct crew_member member = *(struct crew_member *)user;
    struct crew *crew = member.crew;
    watch_adopt(member.watch);
    uint64_t levels = 0;
    free(user);
    for (;;) {
        pthread_mutex_lock(&crew->lock);
        while (crew->levels == levels && !crew->quits)
            crew_wait(crew);
        bool quits = crew->quits;
        levels = crew->levels;
        pthread_mutex_unlock(&crew->lock);
        if (quits)
            return NULL;
        crew_work(crew, member.worker);
    }
}

/* As many as there may be, or as the system gives. */
static void crew_hire(struct crew *crew)
{
    struct explicit_search *search = crew->search;
    crew->threads = memory_zeroed(search->thread_count, sizeof *crew->threads);
    while (search->worker_count < search->thread_count) {
        struct worker *worker = &search->workers[search->worker_count];
        struct crew_member *member = memory_alloc(sizeof *member);
        *member = (struct crew_member){crew, worker, watch_of_thread};
        worker_create(worker, search);
        if (!thread_start(&crew->threads[search->worker_count], crew_live, member)) {
            worker_destroy(worker);
            free(member);
            search->thread_count = search->worker_count;
            return;
        }
        search->worker_count++;
        limits_hire(search);
    }
}

uint32_t crew_gather(struct crew *crew, bool is_alone)
{
    if (!is_alone && crew->search->worker_count < crew->search->thread_count)
        crew_hire(crew);
    return is_alone ? 1 : crew->search->worker_count;
}

void crew_run(struct crew *crew, uint32_t count)
{
    struct explicit_search *search = crew->search;
    pthread_mutex_lock(&crew->lock);
    crew->active = count;
    if (count > 1) {
        crew->levels++;
        pthread_cond_broadcast(&crew->changed);
    }
    pthread_mutex_unlock(&crew->lock);
    crew_work(crew, &search->workers[0]);
    pthread_mutex_lock(&crew->lock);
    while (crew->active)
        crew_wait(crew);
    pthread_mutex_unlock(&crew->lock);
    crew_hand_on_failure(crew);
}
