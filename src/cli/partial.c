#include "cli/partial.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/children.h"
#include "base/clock.h"
#include "base/watch.h"
#include "cli/ranges.h"
#include "cli/stale.h"
#include "driver/keeping.h"

/* Seconds to replay runs that were found, and to write the answer. */
static const double PARTIAL_SECONDS = 0.5;

/* What has been published. It is global, as the flag of a signal handler: its readers get no argument. */
static struct {
    pthread_mutex_t lock;
    const struct options *options; /* NULL: there is nothing to answer */
    const struct loaded *loaded;
    const struct checkpoint *checkpoint; /* NULL: there is none */
    struct progress_sample sample;
    double begin;
    const struct result *result;                        /* that is being made, or NULL */
    const struct layout *layout;                        /* of that */
    int (*answer)(void *user, const struct stop *stop); /* NULL: that of a check */
    void *user;
} partial = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local bool is_finishing; /* it writes as the others do, and does not wait for itself */

void partial_begin(const struct options *options)
{
    pthread_mutex_lock(&partial.lock);
    partial.options = options;
    partial.loaded = NULL;
    partial.checkpoint = NULL;
    partial.result = NULL;
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

void partial_set_checkpoint(const struct checkpoint *checkpoint)
{
    pthread_mutex_lock(&partial.lock);
    partial.checkpoint = checkpoint;
    pthread_mutex_unlock(&partial.lock);
}

void partial_set_sample(const struct progress_sample *sample)
{
    pthread_mutex_lock(&partial.lock);
    partial.sample = *sample;
    pthread_mutex_unlock(&partial.lock);
}

void partial_answer_with(int (*answer)(void *user, const struct stop *stop), void *user)
{
    pthread_mutex_lock(&partial.lock);
    partial.answer = answer;
    partial.user = user;
    pthread_mutex_unlock(&partial.lock);
}

void partial_lock(void)
{
    pthread_mutex_lock(&partial.lock);
}

void partial_unlock(void)
{
    pthread_mutex_unlock(&partial.lock);
}

void partial_tell(enum result_event event, const struct layout *layout, const struct result *result)
{
    if (is_finishing)
        return;
    if (event != RESULT_CHANGED)
        pthread_mutex_lock(&partial.lock);
    if (event == RESULT_BEGINS) {
        partial.result = result;
        partial.layout = layout;
    } else if (event == RESULT_ENDS && partial.result == result) {
        partial.result = NULL;
    }
    if (event != RESULT_CHANGES)
        pthread_mutex_unlock(&partial.lock);
}

void partial_end(void)
{
    if (is_finishing)
        return;
    pthread_mutex_lock(&partial.lock);
    partial.options = NULL;
    partial.answer = NULL;
    pthread_mutex_unlock(&partial.lock);
}

/* A failure to evaluate something may be none of the model, where ranges were taken for index types. */
static bool is_doubtful(const struct property_result *entry)
{
    return partial.layout->system != partial.loaded->model->system &&
           (entry->property->kind == PROPERTY_RUNTIME || entry->fault.kind >= FAULT_UNDEFINED);
}

/* What runs have shown by now, and replay; and values. The traces, and what belongs to a value, stay the search's. */
static void take_seen(struct result *result, const struct evidence_mode *mode)
{
    for (size_t i = 0; i < result->system->properties.count; i++) {
        const struct property_result *entry = &partial.result->properties[i];
        struct property_result *own = &result->properties[i];
        if (partial.result->checked[i] && entry->is_final && !is_doubtful(entry)) {
            *own = *entry;
            result->checked[i] = true;
            continue;
        }
        if (partial.result->checked[i] && entry->is_found && !is_doubtful(entry))
            result_set_found(result, entry->property, entry->found_steps);
        if (!partial.result->checked[i] || !result_is_seen(entry) || is_doubtful(entry))
            continue;
        result_set_verdict(result, entry->property, entry->verdict, entry->reason ? "%s" : NULL, entry->reason);
        own->trace = entry->trace;
        own->fault = entry->fault;
    }
    check_confirm(result, mode);
}

struct answering {
    const struct options *options;
    struct stop stop;
    bool takes_seen;
    int code;
};

static void answer_check(void *data)
{
    struct answering *answering = data;
    const struct model *model = partial.loaded->model;
    bool takes_seen = answering->takes_seen && partial.result;
    const struct layout *layout = takes_seen ? partial.layout : model->layout;
    const struct system *system = layout->system;
    struct result *result = result_create(system, takes_seen ? partial.result->engine : "none");
    result->stop = stop_copy(&answering->stop);
    result->is_abandoned = true;
    result->statistics.states = partial.sample.states;
    result->statistics.rules_fired = partial.sample.rules_fired;
    free(result->statistics.fired_by_rule); /* that is not known */
    result->statistics.fired_by_rule = NULL;
    result->statistics.depth = partial.sample.depth;
    result->statistics.seconds = clock_wall() - partial.begin;
    result->statistics.cpu_seconds = clock_cpu();
    result->statistics.peak_bytes = clock_peak_bytes();
    for (size_t i = 0; i < system->properties.count; i++) {
        result->checked[i] = takes_seen ? partial.result->checked[i] : result->checked[i];
        if (result->checked[i])
            result_settle(result, system->properties.items[i]);
    }
    if (takes_seen)
        take_seen(result, &(struct evidence_mode){
                              .deadlock = (enum deadlock_mode)options_choice(answering->options, OPTION_DEADLOCK),
                              .drops_finite = options_choice(answering->options, OPTION_FINITE_RUNS)});
    struct check check = {.layout = layout, .symmetry = symmetry_none(system), .result = result};
    answering->code = check_show(answering->options, partial.loaded, &check);
}

/* No symmetry is known, and why. */
static void answer_symmetry(void *data)
{
    const struct answering *answering = data;
    const struct system *system = partial.loaded->model->system;
    struct symmetry *symmetry = symmetry_none(system);
    struct text why = {0};
    stop_print(&answering->stop, &why);
    symmetry->cut_short = text_chars(&why);
    struct json *document = report_json_symmetry(symmetry);
    json_set(document, "rules", json_make_array());
    cli_write_json(answering->options->values[OPTION_JSON], document);
}

static void say_why(const struct answering *answering)
{
    struct text why = {0};
    stop_print(&answering->stop, &why);
    bool is_memory = answering->stop.kind == STOP_MEMORY;
    cli_note("%s: %s%s", answering->options->operands.items[0], text_chars(&why),
             is_memory ? "" : "; the work did not wind up in time");
    text_clear(&why);
    if (partial.checkpoint) {
        keeping_print(partial.checkpoint, &answering->stop, &why);
        cli_note("%s", text_chars(&why));
    }
    text_free(&why);
}

/* Is there to be one answer about one model? */
static bool is_single_check(const struct options *options)
{
    return (options->command == COMMAND_CHECK || options->command == COMMAND_PROVE) && !options->values[OPTION_DUMP] &&
           !options->values[OPTION_TRAIL] && !options->values[OPTION_CSV] && !ranges_are_asked(options);
}

void partial_finish(struct stop stop)
{
    if (is_finishing)
        return; /* the answer is the one that there is no memory for */
    pthread_mutex_lock(&partial.lock);
    struct answering answering = {.options = partial.options, .stop = stop, .takes_seen = true, .code = EXIT_UNKNOWN};
    const struct options *options = partial.options;
    if (!options) {
        pthread_mutex_unlock(&partial.lock);
        return;
    }
    is_finishing = true;
    children_end();
    say_why(&answering);
    struct watch watch; /* never ends: the process does */
    watch_adopt(NULL);
    watch_begin(&watch, PARTIAL_SECONDS, NULL);
    if (partial.answer)
        answering.code = partial.answer(partial.user, &stop);
    else if (is_single_check(options) && !partial.loaded)
        answering.code = check_show_unread(options, &stop);
    else if (is_single_check(options) && !account_try(answer_check, &answering)) {
        answering.takes_seen = false; /* there was no memory for that */
        answer_check(&answering);
    }
    if (options->command == COMMAND_SYMMETRY && partial.loaded && options->values[OPTION_JSON])
        answer_symmetry(&answering);
    else if (options->command == COMMAND_SYMMETRY && options->values[OPTION_JSON])
        cli_write_json(options->values[OPTION_JSON], report_json_unread_symmetry(&stop));
    fflush(stdout);
    stale_remove();
    options_note_answer(options->answers, answering.code);
    _exit(answering.code);
}
