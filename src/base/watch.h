/* The time limit of a thread: until a time, or until an interruption.
 *
 * A watch has a thread of its own that looks at the clock and at the flag of the user, and sets one flag of its own
 * when it is over. Asking costs a load on every machine and in every build, so that the question can stand in every
 * loop that may be long; the promise is that a command ends within a second of its limit.
 *
 * The watch that a thread works under is thread-local (watch_is_up), since otherwise every loop would
 * need it as a parameter. watch_begin makes a watch the caller's, inside the one it had, which ends the new one, too; a
 * thread that works for another adopts its watch.
 *
 * Work that was cut must not look as if it were complete: a search that was cut is not complete, a state
 * whose successors were cut is no deadlock. A loop deep below, whose callers have no way to be told, asks watch_cuts
 * instead, which remembers that something was cut; the caller that began the watch then treats no result as complete
 * (result_cut). */
#ifndef NOETHER_BASE_WATCH_H
#define NOETHER_BASE_WATCH_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/account.h"
#include "base/stop.h"

enum watch_state {
    WATCH_GOES_ON,
    WATCH_IS_UNKEPT, /* there is no thread for it: each question reads the clock */
    WATCH_INTERRUPTED,
    WATCH_TIME_IS_OVER,
    WATCH_MEMORY_IS_OVER
};

struct watch {
    _Atomic int state; /* enum watch_state */
    _Atomic bool was_cut;
    bool is_trial;    /* what is cut is given up, and the outer watches are not told */
    bool is_share;    /* watch_begin_share */
    bool is_epilogue; /* it is never over in its first moments, whatever the outer watches are */
    double begin, seconds, asked_seconds;
    double begin_cpu, cpu_seconds; /* of a trial */
    uint64_t most_memory;          /* of the run, while the trial lasts; 0: the limit of the run */
    _Atomic int64_t *questions;    /* for tests: an unkept watch is over after so many questions; NULL: not */
    const volatile int *interrupted;
    struct watch *outer;
    struct account *account; /* of the thread that began it, or NULL */
    _Atomic int held;        /* by so many: `late` waits */
    /* Private. */
    struct cleanup cleanup;
    double grace;
    void (*late)(void *user);
    void *late_user;
    bool has_keeper, is_ended;
    pthread_t keeper;
    pthread_mutex_t lock;
    pthread_cond_t end;
};

extern _Thread_local struct watch *watch_of_thread;

/* The watch must stay where it is, and ends in the thread that began it. seconds 0: no limit; interrupted may be NULL.
 */
void watch_begin(struct watch *watch, double seconds, const volatile int *interrupted);
/* The same; where the watch has not ended `grace` seconds after it is over, its thread calls `late`. */
void watch_begin_strict(struct watch *watch, double seconds, const volatile int *interrupted, double grace,
                        void (*late)(void *user), void *user);
/* Of something that is given so much processor time (of all threads) and half of the memory that is left, and given up
 * if that is not enough. */
void watch_begin_trial(struct watch *watch, double cpu_seconds, const volatile int *interrupted);
/* Of a part of the work that gets so many seconds of the time that is left. The watches outside it are not told of what
 * is cut (watch_note_cut), because the work may be done again. */
void watch_begin_share(struct watch *watch, double seconds);
/* Leaves the share of the thread, if it is in one, for work that serves other parts, too. Returns the watch to adopt
 * afterwards. */
struct watch *watch_leave_share(void);
/* For following a run that was found, which is shown also when it was found at the last moment: over when the watch of
 * the thread is, but not within the first 0.3 s. Inside no watch, time does not end it. */
void watch_begin_epilogue(struct watch *watch);
void watch_end(struct watch *watch);
/* For a thread that works for another one, with the same account of memory. NULL: none. */
void watch_adopt(struct watch *watch);

/* What must not be left half done, such as a file: however long it takes, nobody gives it up (`late`) until the watch
 * that this returns is let go. */
struct watch *watch_hold(void);
void watch_let_go(struct watch *watch);

/* What was found is shown, also when the time is over: no watch until the one it returns is adopted again. */
static inline struct watch *watch_suspend(void)
{
    struct watch *watch = watch_of_thread;
    watch_of_thread = NULL;
    return watch;
}

/* Is the watch of this thread one for following a run? */
static inline bool watch_is_epilogue(void)
{
    return watch_of_thread && watch_of_thread->is_epilogue;
}

bool watch_look(const struct watch *watch);
/* NULL is a watch that is never over. */
static inline bool watch_is_over(const struct watch *watch)
{
    int state = watch ? atomic_load_explicit(&watch->state, memory_order_relaxed) : WATCH_GOES_ON;
    return __builtin_expect(state != WATCH_GOES_ON, 0) && watch_look(watch);
}
/* Is the watch of this thread over? */
static inline bool watch_is_up(void)
{
    return watch_is_over(watch_of_thread);
}
/* The same; when it is, what the caller does now is not done whole. */
bool watch_note_cut(void);
static inline bool watch_cuts(void)
{
    return watch_is_up() && watch_note_cut();
}
static inline bool watch_was_cut(const struct watch *watch)
{
    return atomic_load_explicit(&watch->was_cut, memory_order_relaxed);
}
/* A number that is other than 0 when watch_cuts must be asked. Not is_watched: one that stays 0. */
const int *watch_hint(bool is_watched);
/* The same, for code that can ask nothing: it becomes other than 0 only when the watch of this thread is over. */
const int *watch_flag(bool is_watched);
/* Why it is over; none while it is not. */
struct stop watch_stop(const struct watch *watch);
double watch_seconds(const struct watch *watch); /* since it began */
/* Until the watch of this thread is over; INFINITY: it has no time limit. Not negative. */
double watch_seconds_left(void);

#endif
