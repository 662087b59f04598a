#include "engine/cover/answer.h"

#include <string.h>

static void cover_answer_stop(struct cover_answer *answer, struct stop stop)
{
    stop_once(&answer->stop, stop);
}

void cover_answer_open(struct cover_answer *answer)
{
    for (size_t p = 0; p < answer->shape->system->properties.count; p++)
        answer->cover->is_open[p] = !answer->shape->properties[p].left_out && p != SYSTEM_DEADLOCK;
}

bool cover_answer_begin(struct cover_answer *answer)
{
    const struct thread_system *threads = answer->cover->threads;
    if (watch_is_up()) /* also where the model could not be read in time */
        cover_answer_stop(answer, watch_stop(watch_of_thread));
    else if (!threads)
        cover_answer_stop(answer, stop_because(STOP_FAILED, "the model cannot be read with other numbers of threads"));
    else if (threads->is_cut)
        cover_answer_stop(answer, watch_stop(watch_of_thread));
    else if (threads->faulty_start)
        cover_answer_stop(answer, stop_because(STOP_FAULT, "a start state fails with two threads"));
    else if (threads->doubtful)
        cover_answer_stop(answer, stop_because(STOP_FAULT,
                                               "evaluation may fail in rule \"%s\", whose guard asks for other threads",
                                               threads->doubtful->name));
    return !stop_is_set(&answer->stop);
}

/* The number of the property that the run violates. */
static uint32_t run_property(const struct cover_answer *answer, const struct cover_run *run)
{
    return run->trace ? run->property : answer->cover->threads->generators.items[run->generator].property;
}

void cover_answer_violate(struct cover_answer *answer, struct cover_run *run)
{
    if (!run->trace && run->generator == WORDS_NONE) {
        cover_answer_stop(answer, stop_because(STOP_FAULT, "a run-time error is in the way of a violation"));
        return;
    }
    answer->cover->is_open[run_property(answer, run)] = false;
    if (!answer->least || run->size < answer->least)
        answer->least = run->size;
    VEC_PUSH(&answer->runs, *run);
    *run = (struct cover_run){0};
}

/* --- a run with more threads: those that are not needed stay where they are --- */

/* The step between two configurations of a run. */
static uint32_t find_step(const struct thread_system *threads, const uint32_t *from, const uint32_t *to, uint32_t size)
{
    const struct thread_numbers *leaving = &threads->leaving.items[from[0]];
    uint32_t *scratch = memory_zeroed(size + 1, sizeof *scratch), found = WORDS_NONE;
    for (size_t i = 0; i < leaving->list.count && found == WORDS_NONE; i++) {
        memcpy(scratch, from, (size + 1) * sizeof *scratch);
        if (configuration_step(threads, leaving->list.items[i], scratch, size) &&
            !memcmp(scratch, to, (size + 1) * sizeof *scratch))
            found = leaving->list.items[i];
    }
    free(scratch);
    return found;
}

static const struct thread_start *find_start(const struct thread_system *threads, const uint32_t *first, uint32_t size)
{
    uint32_t *scratch = memory_zeroed(size + 1, sizeof *scratch);
    const struct thread_start *found = NULL;
    for (size_t i = 0; i < threads->starts.count && !found; i++) {
        configuration_start(&threads->starts.items[i], scratch, size);
        if (!memcmp(scratch, first, (size + 1) * sizeof *scratch))
            found = &threads->starts.items[i];
    }
    free(scratch);
    return found;
}

/* False: a thread more makes a step fault. */
static bool run_widen(const struct thread_system *threads, struct cover_run *run, uint32_t size)
{
    struct cover_run wide = {.size = size, .generator = run->generator};
    uint32_t *configuration = memory_zeroed(size + 1, sizeof *configuration), length = run->size + 1;
    bool is_fine = true;
    configuration_start(find_start(threads, run->words.items, run->size), configuration, size);
    for (size_t at = 0; is_fine; at += length) {
        for (uint32_t w = 0; w <= size; w++)
            VEC_PUSH(&wide.words, configuration[w]);
        if (at + length >= run->words.count)
            break;
        uint32_t step = find_step(threads, run->words.items + at, run->words.items + at + length, run->size);
        is_fine = configuration_step(threads, step, configuration, size);
    }
    free(configuration);
    VEC_FREE(&run->words);
    *run = wide;
    return is_fine;
}

/* --- a run of the model --- */

static int32_t *run_cells(const struct cover_answer *answer, const struct cover_run *run, struct instance *instance)
{
    const struct thread_system *threads = answer->cover->threads;
    uint32_t length = run->size + 1, cells = instance->layout->cell_count;
    size_t count = run->words.count / length;
    int32_t *states = memory_zeroed(count * cells + 1, sizeof *states);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *configuration = run->words.items + i * length;
        instance_put_shared(instance, words_at(&threads->shared, configuration[0]));
        for (uint32_t t = 0; t < run->size; t++)
            instance_put_local(instance, t, words_at(&threads->locals, configuration[1 + t]));
        memcpy(states + i * cells, instance->cells, cells * sizeof *states);
    }
    return states;
}

static struct trace *run_lift(const struct cover_answer *answer, const struct cover_run *run,
                              const struct layout *layout)
{
    struct instance *instance = instance_create(answer->shape, layout);
    struct symmetry *symmetry = symmetry_find(layout->system);
    int32_t *states = run_cells(answer, run, instance);
    struct trace *trace =
        trace_lift(layout, symmetry, states, (uint32_t)(run->words.count / (run->size + 1)), TRACE_GOAL_STATE, NULL);
    free(states);
    symmetry_destroy(symmetry);
    instance_destroy(instance);
    return trace;
}

/* The step that violates the property in the last state. */
static bool push_fault(struct trace *trace, const struct property *property, struct fault *fault)
{
    struct stepper *stepper = stepper_create_evaluator(trace->system, trace->layout);
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_successors(stepper, trace->steps[trace->count - 1].cells);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END)
        if (outcome == STEP_FAULT && step.fault.property == property)
            break;
    if (outcome == STEP_FAULT) {
        *fault = step.fault;
        trace_push(trace, step.rule, step.instance, NULL, &step.fault);
    }
    stepper_destroy(stepper);
    return outcome == STEP_FAULT;
}

/* "threads", or "elements of Proc": as the model calls them. */
static void print_threads(const struct thread_shape *shape, bool is_one, struct text *out)
{
    if (shape->system->population_constant)
        text_format(out, "element%s of %s", is_one ? "" : "s", shape->thread->name);
    else
        text_format(out, "thread%s", is_one ? "" : "s");
}

static void say_size(const struct cover_answer *answer, uint32_t size, struct text *out)
{
    text_format(out, "%u ", size);
    print_threads(answer->shape, size == 1, out);
}

/* A run that was found as such: if the formula cannot be evaluated in its last state, that is the fault. */
static struct trace *show_trace(const struct cover_run *run, const struct layout *layout, struct fault *fault)
{
    struct trace *trace = widen_trace(run->trace, layout);
    const struct trace_step *last = trace ? &trace->steps[trace->count - 1] : NULL;
    if (last)
        *fault = last->cells ? trace_last_fault(trace, layout->system->properties.items[run->property]) : last->fault;
    return trace;
}

/* The run with as many threads as the layout has; NULL: it fails before its end with so many. */
static struct trace *show_run(const struct cover_answer *answer, struct cover_run *run, const struct layout *layout,
                              struct fault *fault)
{
    uint32_t size = layout->system->population->size;
    if (run->trace)
        return show_trace(run, layout, fault);
    const struct thread_generator *generator = &answer->cover->threads->generators.items[run->generator];
    if (run->size != size && !run_widen(answer->cover->threads, run, size))
        return NULL;
    struct trace *trace = run_lift(answer, run, layout);
    if (!trace || !generator->is_fault ||
        push_fault(trace, layout->system->properties.items[generator->property], fault))
        return trace;
    trace_destroy(trace);
    return NULL;
}

bool cover_answer_shows(const struct cover_answer *answer, const struct cover_run *run)
{
    struct trace *trace = widen_trace(run->trace, answer->layout);
    trace_destroy(trace);
    return trace != NULL;
}

/* A run for which there is no model with as many threads. */
static void leave_run_open(const struct cover_answer *answer, const struct cover_run *run, struct result *result)
{
    const struct property *property = result->system->properties.items[run_property(answer, run)];
    struct text size = {0};
    say_size(answer, run->size, &size);
    result_set_verdict(result, property, VERDICT_UNKNOWN,
                       "a reachable state violates it, with %s, but its run was not followed", text_chars(&size));
    text_free(&size);
}

static void judge_run(struct cover_answer *answer, struct cover_run *run, const struct layout *layout,
                      struct result *result)
{
    const struct property *property = layout->system->properties.items[run_property(answer, run)];
    uint32_t least = run->size;
    struct fault fault = {0};
    struct text reason = {0};
    struct trace *trace = show_run(answer, run, layout, &fault);
    bool is_fault = trace && fault.kind != FAULT_NONE;
    if (is_fault)
        fault_print(&fault, &reason);
    else
        text_append(&reason, "a reachable state violates it");
    text_append(&reason, ", with ");
    say_size(answer, least, &reason);
    text_append(&reason, least > 1 ? " and no fewer" : "");
    if (trace)
        result_set_violated(result, property, is_fault ? &fault : NULL, trace, "%s", text_chars(&reason));
    else
        result_set_verdict(result, property, VERDICT_UNKNOWN,
                           "%s, but a run with more threads, as another property needs, fails before that",
                           reason.chars);
    text_free(&reason);
}

/* --- the answer --- */

static const struct layout *largest_layout(const struct cover_answer *answer)
{
    uint32_t size = 0;
    for (size_t i = 0; i < answer->runs.count && !answer->options->is_fixed; i++)
        size = answer->runs.items[i].size > size ? answer->runs.items[i].size : size;
    return size ? answer->options->sizes->at(answer->options->sizes->user, size) : answer->layout;
}

/* What is open at the end: nothing was found about it. */
static void settle_open(struct cover_answer *answer, struct result *result)
{
    struct text name = {0};
    print_threads(answer->shape, false, &name);
    for (size_t p = 0; p < result->system->properties.count; p++) {
        const struct property *property = result->system->properties.items[p];
        if (answer->shape->properties[p].left_out)
            result_leave_out(result, property, answer->shape->properties[p].left_out);
        else if (!answer->cover->is_open[p])
            continue;
        else if (result->is_complete)
            result_set_verdict(result, property, VERDICT_HOLDS, "for every number of %s", text_chars(&name));
        else
            result_set_unknown(result, property, &result->stop);
    }
    if (answer->options->is_fixed && answer->options->deadlock != DEADLOCK_OFF && result->is_complete)
        result_set_verdict(result, result->system->properties.items[SYSTEM_DEADLOCK], VERDICT_HOLDS, NULL);
    else
        result->checked[SYSTEM_DEADLOCK] = false;
    text_free(&name);
}

static void fill_figures(const struct cover_answer *answer, struct result *result)
{
    const struct cover *cover = answer->cover;
    const struct thread_system *threads = cover->threads;
    struct every_size *every = &result->every;
    *every = (struct every_size){.type = answer->shape->thread->name,
                                 .size = answer->least,
                                 .explored = answer->explored,
                                 .cutoff = answer->cutoff,
                                 .views = answer->views,
                                 .basis = answer->basis,
                                 .is_asked = true,
                                 .is_fixed = answer->options->is_fixed};
    if (threads) {
        every->shared = words_count(&threads->shared);
        every->locals = words_count(&threads->locals);
        every->steps = (uint32_t)threads->steps.count;
    }
    text_append(&result->counted, "any number of ");
    print_threads(answer->shape, false, &result->counted);
    if (threads)
        text_format(&result->counted, ", %u shared and %u local states", every->shared, every->locals);
    text_append(&result->counted, " (engine cover)");
    bigint_destroy(result->statistics.represented);
    result->statistics.represented = NULL; /* infinitely many */
    result->statistics.states = cover->stored;
    result->statistics.store_bytes = cover->bytes;
    result->statistics.seconds = pace_seconds(&cover->pace);
    result->statistics.cpu_seconds = pace_cpu_seconds(&cover->pace);
}

struct result *cover_answer_conclude(struct cover_answer *answer)
{
    bool is_violated = answer->runs.count > 0;
    const struct layout *layout = largest_layout(answer);
    if (!layout)
        cover_answer_stop(answer, watch_is_up()
                                      ? watch_stop(watch_of_thread)
                                      : stop_because(STOP_FAILED, "the model cannot be read with as many threads"));
    struct result *result = result_create((layout ? layout : answer->layout)->system, engine_cover.name);
    if (is_violated && !answer->options->keep_going)
        cover_answer_stop(answer, stop_of(STOP_VIOLATION));
    else if (stop_is_set(&answer->cover->stop))
        cover_answer_stop(answer, stop_copy(&answer->cover->stop));
    result->is_complete = !stop_is_set(&answer->stop);
    result_set_stopped(result, stop_copy(&answer->stop));
    settle_open(answer, result);
    for (size_t i = 0; i < answer->runs.count; i++) {
        if (layout)
            judge_run(answer, &answer->runs.items[i], layout, result);
        else
            leave_run_open(answer, &answer->runs.items[i], result);
        cover_run_free(&answer->runs.items[i]);
    }
    fill_figures(answer, result);
    VEC_FREE(&answer->runs);
    stop_free(&answer->stop);
    return result;
}
