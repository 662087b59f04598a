/* Verdicts and figures. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/turns.h"
#include "engine/symbolic/ltl.h"
#include "result/masked.h"

static void answer_decide(struct symbolic_search *search, const struct property *property, bool is_violation)
{
    search->decided[property->id] = true;
    if (is_violation && !search->options->keep_going && !search->is_over) {
        search->is_over = true;
        result_set_stopped(search->result, stop_of(STOP_VIOLATION));
    }
}

static void answer_violate(struct symbolic_search *search, const struct property *property, const struct fault *fault,
                           struct trace *trace, const char *reason)
{
    result_set_failed(search->result, property, fault, trace, reason);
    answer_decide(search, property, true);
}

static void answer_leave_one_open(struct symbolic_search *search, const struct property *property)
{
    masked_leave_open(search->result, property);
    answer_decide(search, property, false);
}

void answer_report(struct symbolic_search *search, const struct target *target, struct trace *trace)
{
    const struct property *property = target->property;
    struct fault fault = {0};
    switch (target->kind) {
    case TARGET_GOAL:
        result_set_verdict(search->result, property, VERDICT_HOLDS, NULL);
        search->result->properties[property->id].trace = trace;
        answer_decide(search, property, false);
        return;
    case TARGET_FAULT:
        /* The lifted run may be numbered differently and end in another failure. */
        fault = trace->steps[trace->count - 1].fault;
        if (!search->decided[fault.property->id]) {
            answer_violate(search, fault.property, &fault, trace, NULL);
            return;
        }
        trace_destroy(trace);
        answer_leave_one_open(search, property);
        return;
    case TARGET_DEADLOCK:
        answer_violate(search, property, NULL, trace, deadlock_reason(search->options->deadlock));
        return;
    case TARGET_LOST:
        result_set_violated(search->result, property, NULL, trace,
                            "from the last state of this run it can never be reached");
        answer_decide(search, property, false); /* all is known by now */
        return;
    default:
        fault = trace_last_fault(trace, property);
        answer_violate(search, property, fault.kind == FAULT_NONE ? NULL : &fault, trace,
                       "a reachable state violates it");
    }
}

/* Start states that fail, one run for each property. */
void answer_report_start_faults(struct symbolic_search *search)
{
    const struct symbolic_model *model = &search->model;
    struct stepper *stepper = stepper_create_evaluator(model->system, model->layout);
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_starts(stepper);
    while (!search->is_over && (outcome = stepper_next(stepper, &step)) != STEP_END) {
        if (outcome != STEP_FAULT || search->decided[step.fault.property->id])
            continue;
        struct trace *trace = trace_create(model->system, model->layout);
        trace_push(trace, step.rule, step.instance, NULL, &step.fault);
        answer_violate(search, step.fault.property, &step.fault, trace, NULL);
    }
    stepper_destroy(stepper);
}

/* A goal that was never met. Where its formula could not be evaluated, that is what to show. */
static void answer_settle_cover(struct symbolic_search *search, const struct property *property)
{
    struct symbolic_model *model = &search->model;
    for (size_t i = 0; i < search->targets.count; i++) {
        const struct target *target = &search->targets.items[i];
        uint32_t depth;
        if (target->kind != TARGET_UNEVALUATED || target->property != property ||
            dd_is_disjoint(model->m, model->reached, target->set) != DD_FALSE || !hunt_nearest(search, target, &depth))
            continue;
        struct trace *trace = route_trace(search, target, depth);
        if (!trace)
            continue;
        struct fault fault = trace_last_fault(trace, property);
        result_set_failed(search->result, property, &fault, trace, NULL);
        return;
    }
    result_set_violated(search->result, property, NULL, NULL, "never reached");
}

/* Is a cover statement executed? DD_NONE: that is not known, for want of memory or time. */
static dd answer_is_covered(const struct symbolic_search *search, const struct property *property)
{
    const struct symbolic_model *model = &search->model;
    dd is_covered = DD_FALSE;
    for (size_t i = 0; i < model->ground.covered.count && is_covered != DD_TRUE; i++) {
        const struct machine_event *event = &model->ground.covered.items[i];
        if (event->property != property)
            continue;
        dd apart = event->is_start             ? DD_FALSE
                   : model->reached == DD_NONE ? DD_NONE
                                               : dd_is_disjoint(model->m, model->reached, event->when);
        if (apart == DD_FALSE)
            is_covered = DD_TRUE;
        else if (apart == DD_NONE)
            is_covered = DD_NONE;
    }
    return is_covered;
}

static void answer_settle(struct symbolic_search *search, const struct property *property)
{
    struct result *result = search->result;
    bool is_statement = property->kind == PROPERTY_COVER && !property->formula;
    dd is_covered = is_statement ? answer_is_covered(search, property) : DD_FALSE;
    if (is_covered == DD_TRUE) {
        result_set_verdict(result, property, VERDICT_HOLDS, NULL);
    } else if (result->is_complete && is_covered == DD_NONE) {
        symbolic_failed(&search->model);
        result_set_unknown(result, property, &search->model.stop);
    } else if (result->is_complete && property->kind == PROPERTY_COVER) {
        answer_settle_cover(search, property);
    } else {
        result_settle(result, property);
    }
}

static struct bigint *answer_count(struct symbolic_model *model, dd set)
{
    return dd_count(model->m, set, model->encoding->current);
}

/* Where there was no room for a set, nothing is said of single rules: one that was not counted might seem to be dead.
 */
static void answer_leave_uncounted(struct statistics *statistics)
{
    statistics->is_least = true;
    free(statistics->fired_by_rule);
    statistics->fired_by_rule = NULL;
}

static void answer_count_rules(struct symbolic_model *model, struct result *result)
{
    struct statistics *statistics = &result->statistics;
    struct large_counts *large = statistics->large;
    for (size_t r = 0; r < model->ground.rules.count; r++) {
        const struct ground_rule *rule = &model->ground.rules.items[r];
        dd fires = dd_and(model->m, model->reached, rule->fires);
        if (fires == DD_NONE) {
            answer_leave_uncounted(statistics);
            break;
        }
        struct bigint *count = answer_count(model, fires);
        bigint_add(large->rules_fired, count);
        bigint_add(large->fired_by_rule[rule->rule->id], count);
        bigint_destroy(count);
    }
    for (size_t r = 0; statistics->fired_by_rule && r < large->rule_count; r++)
        statistics->fired_by_rule[r] = large_clip(large->fired_by_rule[r]);
    statistics->transitions = statistics->rules_fired = large_clip(large->rules_fired);
}

/* The concrete states: exactly those that can be reached when the start states are symmetric, too. */
static void answer_count_represented(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    struct statistics *statistics = &search->result->statistics;
    statistics->represented_is_exact = true;
    if (!model->reducer)
        return;
    dd starts = dd_and(model->m, model->all_starts, model->assumed);
    dd others = symbolic_close_orbits(model, starts);
    statistics->represented_is_exact = others == dd_and(model->m, model->all_starts, model->assumed);
    dd whole = symbolic_close_orbits(model, model->reached);
    if (whole == DD_NONE) { /* they are not counted */
        bigint_destroy(statistics->represented);
        statistics->represented = NULL;
        statistics->represented_is_exact = false;
        return;
    }
    bigint_destroy(statistics->represented);
    statistics->represented = answer_count(model, whole);
}

/* A failure found may hide another one in a loop over a scalarset. */
static void answer_leave_open(struct symbolic_search *search)
{
    const struct system *system = search->model.system;
    if (!search->model.reducer || !masked_is_possible(search->result))
        return;
    for (size_t i = 0; i < system->properties.count; i++)
        if (masked_concerns(system->properties.items[i]) && !search->decided[i])
            answer_leave_one_open(search, system->properties.items[i]);
}

void answer_count_states(struct symbolic_model *model, struct result *result)
{
    struct statistics *statistics = &result->statistics;
    struct bigint *count = answer_count(model, model->reached);
    large_destroy(statistics->large);
    statistics->large = large_create(result->system->rules.count);
    statistics->states = large_clip(count);
    bigint_copy(statistics->represented, count);
    bigint_copy(statistics->large->states, count);
    bigint_destroy(count);
    answer_count_rules(model, result);
}

static void answer_fill_statistics(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    struct statistics *statistics = &search->result->statistics;
    if (model->encoding && model->reached != DD_NONE) {
        answer_count_states(model, search->result);
        answer_count_represented(search);
    }
    if (search->is_backward)
        answer_leave_uncounted(statistics);
    statistics->depth = model->layers.count ? (uint32_t)model->layers.count - 1 : 0;
    if (model->m)
        statistics->store_bytes = dd_statistics(model->m).bytes;
    statistics->peak_bytes = clock_peak_bytes();
    statistics->seconds = clock_wall() - model->begin;
    statistics->cpu_seconds = clock_cpu() - search->begin_cpu;
}

static bool answer_temporal(void *user, size_t item)
{
    struct symbolic_search *search = user;
    const struct property *property = search->model.system->properties.items[item];
    if (property->kind != PROPERTY_CTL && property->kind != PROPERTY_LTL)
        return true;
    (property->kind == PROPERTY_CTL ? ctl_answer : ltl_answer)(search, property);
    const struct property_result *found = &search->result->properties[property->id];
    bool is_decided = found->verdict != VERDICT_UNKNOWN;
    if (!is_decided && search->model.stop.kind == STOP_TIME)
        stop_free(&search->model.stop); /* its share of the time may be over, not that of others */
    return is_decided;
}

/* Evidence is replayed by steppers, which may be cut. */
static void answer_withdraw(void *user, size_t item, const struct stop *stop)
{
    struct symbolic_search *search = user;
    result_withdraw(search->result, search->model.system->properties.items[item], stop);
}

/* What is not temporal: it is settled before others take the time that is left. */
static void answer_settle_rest(struct symbolic_search *search)
{
    const struct result *result = search->result;
    for (size_t i = 0; i < result->system->properties.count; i++) {
        const struct property *property = result->system->properties.items[i];
        bool is_later = result->is_complete && (property->kind == PROPERTY_CTL || property->kind == PROPERTY_LTL);
        if (result->checked[i] && !search->decided[i] && !is_later)
            answer_settle(search, property);
    }
}

void answer_conclude(struct symbolic_search *search)
{
    struct result *result = search->result;
    stop_once(&result->stop, stop_copy(&search->model.stop));
    if (search->is_cut)
        stop_once(&result->stop, stop_limit(STOP_DEPTH, search->options->limits.depth));
    result->is_complete = !stop_is_set(&result->stop);
    if (result->is_complete)
        answer_leave_open(search);
    answer_settle_rest(search);
    if (result->is_complete) {
        struct turn_order turns = {.count = search->model.system->properties.count,
                                   .decide = answer_temporal,
                                   .withdraw = answer_withdraw,
                                   .user = search};
        turns_run(&turns);
    }
    answer_fill_statistics(search);
}
