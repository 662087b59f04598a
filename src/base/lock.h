/* A lock that is held while memory is asked for: where there is none, it is let go (base/account.h). Others may look at
 * what it guards from then on, so that must be in order whenever memory is asked for. */
#ifndef NOETHER_BASE_LOCK_H
#define NOETHER_BASE_LOCK_H

#include <pthread.h>

#include "base/account.h"

struct lock {
    pthread_mutex_t *mutex;
    struct cleanup cleanup;
};

static inline void lock_undo(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

static inline void lock_take(struct lock *lock, pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    lock->mutex = mutex;
    cleanup_push(&lock->cleanup, lock_undo, mutex);
}

static inline void lock_give(struct lock *lock)
{
    cleanup_drop(&lock->cleanup);
    pthread_mutex_unlock(lock->mutex);
}

#endif
