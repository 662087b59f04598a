/* A stack for deep recursion. Steps recurse as deep as there are levels; with many variables that is more than the
 * stack of the caller's thread can be trusted with. Then a thread of our own with a large stack does the work while the
 * caller waits. */
#include "dd/inner.h"

enum {
    DEEP_VARIABLES = 4096,  /* up to so many the caller's stack will do */
    DEEP_STACK = 512 << 20, /* address space: memory comes when it is used */
    DEEP_STACK_LEAST = 64 << 20
};

struct dd_deep {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*work)(void *);
    void *data;
    struct watch *watch;   /* of the caller */
    bool ends, has_failed; /* memory */
    struct cleanup cleanup;
};

static void *deep_thread(void *argument)
{
    struct dd_deep *deep = argument;
    pthread_mutex_lock(&deep->lock);
    while (!deep->ends) {
        if (!deep->work) {
            pthread_cond_wait(&deep->changed, &deep->lock);
            continue;
        }
        pthread_mutex_unlock(&deep->lock);
        watch_adopt(deep->watch);
        bool is_done = account_try(deep->work, deep->data);
        pthread_mutex_lock(&deep->lock);
        deep->work = NULL;
        deep->has_failed = !is_done;
        pthread_cond_broadcast(&deep->changed);
    }
    pthread_mutex_unlock(&deep->lock);
    return NULL;
}

static void deep_end(void *data)
{
    struct dd_deep *deep = data;
    pthread_mutex_lock(&deep->lock);
    deep->ends = true;
    pthread_cond_broadcast(&deep->changed);
    pthread_mutex_unlock(&deep->lock);
    pthread_join(deep->thread, NULL);
}

static struct dd_deep *deep_create(void)
{
    struct dd_deep *deep = memory_zeroed(1, sizeof *deep);
    pthread_attr_t attributes;
    pthread_mutex_init(&deep->lock, NULL);
    pthread_cond_init(&deep->changed, NULL);
    pthread_attr_init(&attributes);
    bool started = false;
    for (size_t size = DEEP_STACK; !started && size >= DEEP_STACK_LEAST; size /= 2)
        started = !pthread_attr_setstacksize(&attributes, size) &&
                  !pthread_create(&deep->thread, &attributes, deep_thread, deep);
    pthread_attr_destroy(&attributes);
    if (!started)
        memory_fail(DEEP_STACK_LEAST);
    cleanup_push(&deep->cleanup, deep_end, deep);
    return deep;
}

void dd_deep_destroy(struct dd_deep *deep)
{
    if (!deep)
        return;
    cleanup_drop(&deep->cleanup);
    deep_end(deep);
    pthread_mutex_destroy(&deep->lock);
    pthread_cond_destroy(&deep->changed);
    free(deep);
}

static bool dd_deep_is_needed(const struct dd_manager *m)
{
    return m->variables > DEEP_VARIABLES && !m->is_deep;
}

void dd_deep_call(struct dd_manager *m, void (*work)(void *), void *data)
{
    if (!dd_deep_is_needed(m)) {
        work(data);
        return;
    }
    if (!m->deep)
        m->deep = deep_create();
    struct dd_deep *deep = m->deep;
    m->is_deep = true; /* what is called from there stays there */
    pthread_mutex_lock(&deep->lock);
    deep->work = work;
    deep->data = data;
    deep->watch = watch_of_thread;
    pthread_cond_broadcast(&deep->changed);
    while (deep->work)
        pthread_cond_wait(&deep->changed, &deep->lock);
    bool has_failed = deep->has_failed;
    pthread_mutex_unlock(&deep->lock);
    m->is_deep = false;
    if (has_failed)
        account_fail_again();
}
