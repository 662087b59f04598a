#include "base/watch.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/locale.h"
#include "base/thread.h"

_Thread_local struct watch *watch_of_thread;

static const double WATCH_NAP = 0.01; /* seconds between two looks at the flags */

/* Of an epilogue. The command line waits 0.7 s for what winds up (cli/interrupt.c): an engine and the driver may follow
 * a run each. */
static const double EPILOGUE_SECONDS = 0.3;

/* For tests: with NOETHER_POLLS=n in the environment the process works until its n-th poll (docs/testing.md). */
static struct {
    pthread_once_t once;
    bool is_on;
    int64_t allowed;
    _Atomic int64_t left;
} polls = {.once = PTHREAD_ONCE_INIT};

static void polls_read(void)
{
    const char *allowed = getenv("NOETHER_POLLS");
    polls.is_on = allowed != NULL;
    polls.allowed = allowed ? strtoll(allowed, NULL, 10) : 0;
    atomic_store(&polls.left, polls.allowed);
}

/* Without a time limit the process gets a signal, as it would from a user. */
static enum watch_state watch_count(const struct watch *watch)
{
    int64_t left = atomic_fetch_sub(watch->questions, 1);
    if (left > 0)
        return WATCH_GOES_ON;
    if (left == 0 && watch->questions == &polls.left && watch->seconds <= 0 && watch->interrupted)
        raise(SIGTERM);
    return watch->seconds > 0 ? WATCH_TIME_IS_OVER : WATCH_INTERRUPTED;
}

static enum watch_state watch_read(const struct watch *watch)
{
    if (watch->is_epilogue && (polls.is_on || clock_wall() - watch->begin < EPILOGUE_SECONDS))
        return WATCH_GOES_ON;
    if (flag_is_set(watch->interrupted))
        return WATCH_INTERRUPTED;
    enum watch_state counted = watch->questions ? watch_count(watch) : WATCH_GOES_ON;
    if (counted != WATCH_GOES_ON)
        return counted;
    if (watch->seconds > 0 && clock_wall() - watch->begin >= watch->seconds)
        return WATCH_TIME_IS_OVER;
    if (watch->cpu_seconds > 0 && clock_cpu() - watch->begin_cpu >= watch->cpu_seconds)
        return WATCH_TIME_IS_OVER;
    if (watch->most_memory && account_holds_more(watch->account, watch->most_memory))
        return WATCH_MEMORY_IS_OVER;
    if (watch->outer && watch_is_over(watch->outer)) {
        enum stop_kind kind = watch_stop(watch->outer).kind;
        return kind == STOP_TIME ? WATCH_TIME_IS_OVER : kind == STOP_MEMORY ? WATCH_MEMORY_IS_OVER : WATCH_INTERRUPTED;
    }
    return !polls.is_on && account_is_over(watch->account) ? WATCH_MEMORY_IS_OVER : WATCH_GOES_ON;
}

/* With the lock held; the end of the watch wakes it. */
static void keeper_nap(struct watch *watch, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    long nanoseconds = until.tv_nsec + (long)(seconds * 1e9);
    until.tv_sec += nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    while (!watch->is_ended && pthread_cond_timedwait(&watch->end, &watch->lock, &until) != ETIMEDOUT)
        ;
}

static void *keeper_live(void *user)
{
    struct watch *watch = user;
    enum watch_state state = WATCH_GOES_ON;
    account_adopt(watch->account); /* `late` asks for memory */
    pthread_mutex_lock(&watch->lock);
    while (!watch->is_ended && (state = watch_read(watch)) == WATCH_GOES_ON)
        keeper_nap(watch, WATCH_NAP);
    if (!watch->is_ended)
        atomic_store_explicit(&watch->state, state, memory_order_relaxed);
    double over = clock_wall();
    while (watch->late && !watch->is_ended && clock_wall() - over < watch->grace) {
        keeper_nap(watch, WATCH_NAP);
        if (atomic_load(&watch->held))
            over = clock_wall();
    }
    if (watch->late && !watch->is_ended)
        watch->late(watch->late_user);
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

/* Signals are for the other threads: those that may be blocked in a call that a signal is to end. */
static bool keeper_start(struct watch *watch)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&watch->lock, NULL);
    pthread_cond_init(&watch->end, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_there = thread_start(&watch->keeper, keeper_live, watch);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_there;
}

static void watch_undo(void *data)
{
    watch_end(data);
}

/* What is limited is filled in. */
static void watch_start(struct watch *watch)
{
    watch->begin = clock_wall();
    watch->asked_seconds = watch->seconds;
    watch->outer = watch_of_thread;
    watch->account = account_current();
    if (watch->outer && watch->outer->asked_seconds > 0)
        watch->asked_seconds = watch->outer->asked_seconds; /* a part of it is spent already */
    watch_of_thread = watch;
    cleanup_push(&watch->cleanup, watch_undo, watch);
    bool is_limited = watch->seconds > 0 || watch->cpu_seconds > 0 || watch->is_epilogue;
    if (!is_limited && !watch->interrupted && !watch->outer && !watch->account)
        return;
    pthread_once(&polls.once, polls_read);
    if (polls.is_on && !watch->outer)
        watch->questions = &polls.left;
    watch->has_keeper = !polls.is_on && keeper_start(watch);
    if (!watch->has_keeper)
        atomic_store_explicit(&watch->state, WATCH_IS_UNKEPT, memory_order_relaxed);
}

void watch_begin_strict(struct watch *watch, double seconds, const volatile int *interrupted, double grace,
                        void (*late)(void *user), void *user)
{
    *watch =
        (struct watch){.seconds = seconds, .interrupted = interrupted, .grace = grace, .late = late, .late_user = user};
    watch_start(watch);
}

void watch_begin_trial(struct watch *watch, double cpu_seconds, const volatile int *interrupted)
{
    uint64_t room = account_room();
    *watch = (struct watch){
        .is_trial = true, .cpu_seconds = cpu_seconds, .begin_cpu = clock_cpu(), .interrupted = interrupted};
    if (room != UINT64_MAX)
        watch->most_memory = account_held() + room / 2;
    watch_start(watch);
}

void watch_begin_share(struct watch *watch, double seconds)
{
    *watch = (struct watch){.is_trial = true, .is_share = true, .seconds = fmax(seconds, 1e-3)};
    watch_start(watch);
}

struct watch *watch_leave_share(void)
{
    struct watch *watch = watch_of_thread;
    if (watch && watch->is_share)
        watch_of_thread = watch->outer;
    return watch;
}

void watch_begin_epilogue(struct watch *watch)
{
    *watch = (struct watch){.is_epilogue = true};
    watch_start(watch);
}

void watch_begin(struct watch *watch, double seconds, const volatile int *interrupted)
{
    watch_begin_strict(watch, seconds, interrupted, 0, NULL, NULL);
}

void watch_end(struct watch *watch)
{
    watch_of_thread = watch->outer;
    cleanup_drop(&watch->cleanup);
    if (watch->questions == &polls.left)
        fprintf(stderr, "%" PRId64 " polls\n", polls.allowed - atomic_load(&polls.left));
    if (!watch->has_keeper)
        return;
    pthread_mutex_lock(&watch->lock);
    watch->is_ended = true;
    pthread_cond_signal(&watch->end);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->keeper, NULL);
    pthread_mutex_destroy(&watch->lock);
    pthread_cond_destroy(&watch->end);
}

struct watch *watch_hold(void)
{
    for (struct watch *watch = watch_of_thread; watch; watch = watch->outer)
        atomic_fetch_add(&watch->held, 1);
    return watch_of_thread;
}

void watch_let_go(struct watch *watch)
{
    for (; watch; watch = watch->outer)
        atomic_fetch_sub(&watch->held, 1);
}

void watch_adopt(struct watch *watch)
{
    watch_of_thread = watch;
    account_adopt(watch ? watch->account : NULL);
    locale_use_plain(); /* new threads have that of the process */
}

bool watch_look(const struct watch *watch)
{
    int state = atomic_load_explicit(&watch->state, memory_order_relaxed);
    return state != WATCH_IS_UNKEPT || watch_read(watch) != WATCH_GOES_ON;
}

bool watch_note_cut(void)
{
    for (struct watch *watch = watch_of_thread, *outer; watch; watch = outer) {
        outer = watch->is_trial ? NULL : watch->outer;
        atomic_store_explicit(&watch->was_cut, true, memory_order_relaxed);
    }
    return true;
}

static const int never;

const int *watch_hint(bool is_watched)
{
    const struct watch *watch = watch_of_thread;
    _Static_assert(sizeof watch->state == sizeof(int), "generated code reads it as one");
    return is_watched && watch ? (const int *)&watch->state : &never;
}

const int *watch_flag(bool is_watched)
{
    const int *hint = watch_hint(is_watched);
    return __atomic_load_n(hint, __ATOMIC_RELAXED) == WATCH_IS_UNKEPT ? &never : hint;
}

struct stop watch_stop(const struct watch *watch)
{
    int state = watch ? atomic_load_explicit(&watch->state, memory_order_relaxed) : WATCH_GOES_ON;
    if (state == WATCH_IS_UNKEPT)
        state = watch_read(watch);
    switch (state) {
    case WATCH_TIME_IS_OVER:
        return stop_time(watch->asked_seconds);
    case WATCH_MEMORY_IS_OVER:
        return stop_limit(STOP_MEMORY, watch->account ? watch->account->limit : 0);
    case WATCH_INTERRUPTED:
        return stop_of(STOP_INTERRUPTED);
    default:
        return stop_of(STOP_NONE);
    }
}

double watch_seconds(const struct watch *watch)
{
    return clock_wall() - watch->begin;
}

double watch_seconds_left(void)
{
    double left = INFINITY;
    for (const struct watch *watch = watch_of_thread; watch; watch = watch->outer)
        if (watch->seconds > 0)
            left = fmin(left, fmax(0, watch->seconds - watch_seconds(watch)));
    return left;
}
