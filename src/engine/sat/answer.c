/* Verdicts and figures. */
#include <stdlib.h>

#include "base/clock.h"
#include "engine/sat/search.h"

static void answer_decide(struct sat_search *search, const struct property *property, bool is_violation)
{
    search->decided[property->id] = true;
    if (is_violation && !search->options->keep_going && !search->is_over) {
        search->is_over = true;
        stop_once(&search->stop, stop_of(STOP_VIOLATION));
    }
    sat_targets_refresh(search);
}

static void answer_violate(struct sat_search *search, const struct sat_target *target, struct trace *trace)
{
    const struct property *property = target->property;
    struct fault fault = {0};
    if (target->kind == SAT_FAULT)
        fault = trace->steps[trace->count - 1].fault;
    else if (target->kind == SAT_BAD)
        fault = trace_last_fault(trace, property);
    const char *reason =
        target->kind == SAT_BAD ? "a reachable state violates it" : deadlock_reason(search->options->deadlock);
    result_set_failed(search->result, property, fault.kind == FAULT_NONE ? NULL : &fault, trace, reason);
    answer_decide(search, property, true);
}

void sat_found(struct sat_search *search, struct sat_target *target, const bool *states, uint32_t count)
{
    if (target->kind == SAT_COVERED) {
        result_set_verdict(search->result, target->property, VERDICT_HOLDS, NULL);
        answer_decide(search, target->property, false);
        return;
    }
    struct trace *trace = sat_run_trace(search, target, states, count);
    if (target->kind == SAT_UNEVALUATED) {
        target->trace = trace;
        sat_targets_refresh(search);
        return;
    }
    if (target->kind != SAT_GOAL) {
        answer_violate(search, target, trace);
        return;
    }
    result_set_verdict(search->result, target->property, VERDICT_HOLDS, NULL);
    search->result->properties[target->property->id].trace = trace;
    answer_decide(search, target->property, false);
}

void sat_start_faults(struct sat_search *search)
{
    struct stepper *stepper = stepper_create_evaluator(search->system, search->layout);
    struct step step = {0};
    enum step_outcome outcome;
    stepper->is_watched = true;
    stepper_begin_starts(stepper);
    while (!search->is_over && (outcome = stepper_next(stepper, &step)) != STEP_END) {
        if (outcome != STEP_FAULT || search->decided[step.fault.property->id])
            continue;
        struct trace *trace = trace_create(search->system, search->layout);
        trace_push(trace, step.rule, step.instance, NULL, &step.fault);
        result_set_failed(search->result, step.fault.property, &step.fault, trace, NULL);
        answer_decide(search, step.fault.property, true);
    }
    stepper_destroy(stepper);
}

enum sat_answer sat_cut(struct sat_search *search)
{
    if (!search->is_over && watch_is_up())
        stop_once(&search->stop, watch_stop(watch_of_thread));
    else if (!search->is_over)
        stop_once(&search->stop, stop_of(STOP_UNDECIDED));
    return SAT_CUT;
}

void sat_tell(struct sat_search *search)
{
    const struct engine_options *options = search->options;
    if (!options->progress)
        return;
    struct progress_sample sample = {.depth = search->depth,
                                     .frames = search->frames,
                                     .clauses = search->clauses,
                                     .bytes = account_held(),
                                     .seconds = clock_wall() - search->begin};
    options->progress(options->progress_user, &sample);
}

/* A goal that is never met: where its formula could not be evaluated, that is what to show. */
static bool answer_unevaluated(struct sat_search *search, const struct property *property)
{
    for (size_t i = 0; search->result->is_complete && i < search->targets.count; i++) {
        struct sat_target *target = &search->targets.items[i];
        if (!target->trace || target->property != property)
            continue;
        struct fault fault = trace_last_fault(target->trace, property);
        result_set_failed(search->result, property, &fault, target->trace, NULL);
        target->trace = NULL;
        return true;
    }
    return false;
}

void sat_conclude(struct sat_search *search)
{
    struct result *result = search->result;
    stop_once(&result->stop, stop_copy(&search->stop));
    if (!search->is_settled)
        stop_once(&result->stop, stop_of(STOP_UNDECIDED));
    result->is_complete = !stop_is_set(&result->stop);
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (result->checked[i] && !search->decided[i] &&
            !answer_unevaluated(search, result->system->properties.items[i]))
            result_settle(result, result->system->properties.items[i]);
    text_append(&result->stepper, text_chars(&search->proof));
    result->statistics.is_stateless = result->statistics.is_least = search->row_count > 0;
    free(result->statistics.fired_by_rule);
    result->statistics.fired_by_rule = NULL;
    bigint_destroy(result->statistics.represented);
    result->statistics.represented = NULL;
    result->statistics.depth = search->depth;
    result->statistics.peak_bytes = clock_peak_bytes();
    result->statistics.seconds = clock_wall() - search->begin;
    result->statistics.cpu_seconds = clock_cpu() - search->begin_cpu;
}
