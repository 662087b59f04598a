#include "base/team.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/thread.h"
#include "base/watch.h"

enum { TEAM_MOST = 63 };

struct moment {
    void (*work)(void *user, uint32_t part);
    void *user;
    uint32_t parts;
    struct watch *watch;
    _Atomic uint32_t next;
    _Atomic bool has_failed; /* memory, in one of the threads */
};

static void team_take_parts(void *user)
{
    struct moment *moment = user;
    uint32_t part;
    while ((part = atomic_fetch_add_explicit(&moment->next, 1, memory_order_relaxed)) < moment->parts)
        moment->work(moment->user, part);
}

static void team_work(struct moment *moment)
{
    if (!account_try(team_take_parts, moment))
        atomic_store(&moment->has_failed, true);
}

static void *team_live(void *user)
{
    struct moment *moment = user;
    watch_adopt(moment->watch);
    team_work(moment);
    return NULL;
}

void team_run(uint32_t threads, uint32_t parts, void (*work)(void *user, uint32_t part), void *user)
{
    struct moment moment = {.work = work, .user = user, .parts = parts, .watch = watch_of_thread};
    pthread_t others[TEAM_MOST];
    uint32_t count = 0;
    while (count + 1 < threads && count + 1 < parts && count < TEAM_MOST &&
           thread_start(&others[count], team_live, &moment))
        count++;
    team_work(&moment); /* where no thread can be had, all of it */
    while (count)
        pthread_join(others[--count], NULL);
    if (atomic_load(&moment.has_failed))
        account_fail_again();
}
