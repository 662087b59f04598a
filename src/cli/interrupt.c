#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/watch.h"
#include "cli/cli.h"
#include "cli/partial.h"

/* A signal handler has no other way to reach the program. */
static volatile int interrupted;
static struct watch command;
static bool is_watched;

/* Work that has not ended so long after the limit, or the signal, is given up: all in all it is a second. */
static const double INTERRUPT_GRACE = 0.7;

static void note_interrupt(int signal_number)
{
    (void)signal_number;
    __atomic_store_n(&interrupted, 1, __ATOMIC_RELAXED);
}

/* What was ignored when the program was started (nohup, a job of a script) stays so. A second signal ends it at once.
 */
static void catch_signal(int number)
{
    struct sigaction before, action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (!sigaction(number, NULL, &before) && before.sa_handler == SIG_IGN)
        return;
    sigaction(number, &action, NULL);
}

/* The same for a command of a conversation, which ends without the conversation. */
static volatile int stopped;

static void note_stop(int signal_number)
{
    (void)signal_number;
    __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
}

void interrupt_begin_talk(void)
{
    struct sigaction action = {.sa_handler = note_stop};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

const volatile int *interrupt_talk_flag(void)
{
    return &stopped;
}

bool interrupt_take_talk(void)
{
    return __atomic_exchange_n(&stopped, 0, __ATOMIC_RELAXED);
}

static void give_up(void *user)
{
    (void)user;
    partial_finish(watch_stop(&command));
}

/* Ends a simulation by hand: there is no answer to print, and a thread that reads a line cannot poll the watch. */
static void leave(void *user)
{
    interrupt_code(user, 0);
    fflush(stdout);
    _exit(EXIT_UNKNOWN);
}

void interrupt_begin(const struct options *options, bool catches_signals)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; catches_signals && i < sizeof signals / sizeof *signals; i++)
        catch_signal(signals[i]);
    partial_begin(options);
    watch_begin_strict(&command, options_seconds(options, OPTION_TIME), &interrupted,
                       catches_signals ? INTERRUPT_GRACE : 0, catches_signals ? give_up : leave, (void *)options);
    is_watched = true;
}

void interrupt_end(void)
{
    partial_end();
    if (is_watched)
        watch_end(&command);
    is_watched = false;
}

const volatile int *interrupt_flag(void)
{
    return &interrupted;
}

double interrupt_seconds_spent(void)
{
    return watch_seconds(&command);
}

int interrupt_code(const struct options *options, int code)
{
    struct stop stop = watch_stop(&command);
    struct text why = {0};
    if (!stop_is_set(&stop))
        return code;
    stop_print(&stop, &why);
    cli_fail("%s: %s", options->operands.items[0], text_chars(&why));
    text_free(&why);
    return EXIT_UNKNOWN;
}
