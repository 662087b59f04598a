#include "base/thread.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

enum { THREAD_STACK = 8 << 20, THREAD_ENOUGH = 4 << 20 };

bool thread_start(pthread_t *thread, void *(*work)(void *data), void *data)
{
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_attr_init(&attributes))
        return false;
    if (!pthread_attr_getstacksize(&attributes, &size) && size < THREAD_STACK)
        pthread_attr_setstacksize(&attributes, THREAD_STACK);
    bool is_started = !pthread_create(thread, &attributes, work, data);
    pthread_attr_destroy(&attributes);
    return is_started;
}

/* Bytes of the stack of this thread that are left. Of the first thread: until the limit that it has now. Where there is
 * no memory to find out, the stack counts as large enough: another one could not be had either. */
static size_t thread_stack_left(void)
{
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes))
        return THREAD_ENOUGH;
    bool is_known = !pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), end = is_known ? (uintptr_t)lowest : here;
    return here > end && here - end <= size ? here - end : 0;
}

struct deep_work {
    void (*work)(void *data);
    void *data;
};

static void *thread_live_deep(void *data)
{
    const struct deep_work *deep = data;
    deep->work(deep->data);
    return NULL;
}

bool thread_run_deep(void (*work)(void *data), void *data)
{
    struct deep_work deep = {work, data};
    pthread_t thread;
    sigset_t all, before;
    if (thread_stack_left() >= THREAD_ENOUGH) {
        work(data);
        return true;
    }
    if (!thread_start(&thread, thread_live_deep, &deep))
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return true;
}

struct command_line {
    int (*run)(int count, char **words);
    int count, code;
    char **words;
};

static void run_line(void *data)
{
    struct command_line *line = data;
    line->code = line->run(line->count, line->words);
}

bool thread_run_command(int (*run)(int count, char **words), int count, char **words, int *code)
{
    struct command_line line = {.run = run, .count = count, .words = words};
    if (!thread_run_deep(run_line, &line))
        return false;
    *code = line.code;
    return true;
}
