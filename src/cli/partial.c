#include "cli/partial.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "base/children.h"
#include "base/clock.h"

/* What has been published. As with the flag of a signal handler, whoever needs it can be handed nothing. */
static struct {
    pthread_mutex_t lock;
    const struct options *options; /* NULL: there is nothing to answer */
    const struct loaded *loaded;
    struct progress_sample sample;
    double begin;
} partial = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local bool is_finishing; /* it writes as the others do, and does not wait for itself */

void partial_begin(const struct options *options)
{
    pthread_mutex_lock(&partial.lock);
    partial.options = options;
    partial.loaded = NULL;
    partial.sample = (struct progress_sample){0};
    partial.begin = clock_wall();
    pthread_mutex_unlock(&partial.lock);
}

void partial_set_model(const struct loaded *loaded)
{
    pthread_mutex_lock(&partial.lock);
    partial.loaded = loaded;
    pthread_mutex_unlock(&partial.lock);
}

void partial_set_sample(const struct progress_sample *sample)
{
    pthread_mutex_lock(&partial.lock);
    partial.sample = *sample;
    pthread_mutex_unlock(&partial.lock);
}

void partial_end(void)
{
    if (is_finishing)
        return;
    pthread_mutex_lock(&partial.lock);
    partial.options = NULL;
    pthread_mutex_unlock(&partial.lock);
}

/* Every property is unknown. */
static void answer_check(const struct options *options, struct stop stop)
{
    const struct system *system = partial.loaded->model->system;
    struct result *result = result_create(system, "none");
    result->stop = stop;
    result->is_abandoned = true;
    result->statistics.states = partial.sample.states;
    result->statistics.rules_fired = partial.sample.rules_fired;
    result->statistics.depth = partial.sample.depth;
    result->statistics.seconds = clock_wall() - partial.begin;
    result->statistics.cpu_seconds = clock_cpu();
    result->statistics.peak_bytes = clock_peak_bytes();
    for (size_t i = 0; i < system->properties.count; i++)
        if (result->checked[i])
            result_settle(result, system->properties.items[i]);
    struct check check = {.layout = partial.loaded->model->layout, .symmetry = symmetry_none(system), .result = result};
    check_show(options, partial.loaded, &check);
}

void partial_finish(struct stop stop)
{
    if (is_finishing)
        return; /* the answer is the one that there is no memory for */
    pthread_mutex_lock(&partial.lock);
    const struct options *options = partial.options;
    if (!options) {
        pthread_mutex_unlock(&partial.lock);
        return;
    }
    is_finishing = true;
    children_end();
    struct text why = {0};
    stop_print(&stop, &why);
    fprintf(stderr, "noether: %s: %s; the work did not wind up in time\n", options->operands.items[0], text_chars(&why));
    if (options->command == COMMAND_CHECK && partial.loaded && !options->values[OPTION_DUMP])
        answer_check(options, stop);
    text_free(&why);
    fflush(stdout);
    _exit(EXIT_UNKNOWN);
}
