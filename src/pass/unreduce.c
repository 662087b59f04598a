#include "pass/unreduce.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "result/fair.h"
#include "result/masked.h"

/* --- runs --- */

static bool unreduce_is_too_long(const struct trace *trace, uint64_t more)
{
    return (trace->count + more) * trace->layout->cell_count > UNREDUCE_MOST_CELLS;
}

/* Where a loop of the reduced run has come round, the elements may have changed places. It is gone round again, until
 * the original is in a state it was in before. False: that takes too long, or cannot be done. */
static bool unreduce_loop(struct trace *trace, const struct trace *reduced, unreduce_follow *follow, void *user,
                          bool *is_wrong)
{
    uint32_t length = reduced->count - 1 - reduced->loop;
    size_t size = trace->layout->cell_count * sizeof(int32_t);
    for (;;) {
        uint32_t last = trace->count - 1;
        for (uint32_t head = reduced->loop; head < last; head += length)
            if (!memcmp(trace->steps[head].cells, trace->steps[last].cells, size)) {
                trace->has_loop = true;
                trace->loop = head;
                return true;
            }
        if (!length || unreduce_is_too_long(trace, length) || (last - reduced->loop) / length > UNREDUCE_MOST_ROUNDS)
            return false;
        for (uint32_t i = reduced->loop + 1; i < reduced->count; i++)
            if (!follow(user, trace, reduced, i)) {
                *is_wrong = true;
                return false;
            }
    }
}

struct trace *unreduce_run(const struct layout *layout, const struct trace *reduced, unreduce_follow *follow,
                           void *user, bool *is_wrong)
{
    struct trace *trace = trace_create(layout->system, layout);
    bool fits = !unreduce_is_too_long(trace, reduced->count);
    *is_wrong = false;
    for (uint32_t i = 0; fits && i < reduced->count && !*is_wrong; i++)
        *is_wrong = !follow(user, trace, reduced, i);
    fits &= !*is_wrong;
    if (fits && reduced->has_loop)
        fits = unreduce_loop(trace, reduced, follow, user, is_wrong);
    if (fits)
        return trace;
    trace_destroy(trace);
    return NULL;
}

struct unreducing {
    const struct reduction *reduction;
    struct stepper *stepper;
    int32_t *seen;
};

/* Fires the instance that the step of the reduced run stands for. */
static bool unreduce_step(void *user, struct trace *trace, const struct trace *reduced, uint32_t number)
{
    const struct unreducing *all = user;
    const struct trace_step *from = &reduced->steps[number];
    const int32_t *before = trace->count ? trace->steps[trace->count - 1].cells : NULL;
    const struct rule *rule;
    uint64_t instance;
    struct step step = {0};
    reduction_instance(all->reduction, from->rule, from->instance, before, &rule, &instance);
    if (before)
        stepper_begin_successors(all->stepper, before);
    else
        stepper_begin_starts(all->stepper);
    stepper_seek_evaluator(all->stepper, rule, instance);
    enum step_outcome outcome = stepper_next(all->stepper, &step);
    if (step.rule != rule || step.instance != instance)
        return false;
    if (outcome == STEP_FAULT && !from->cells) {
        trace_push(trace, rule, instance, NULL, &step.fault);
        return true;
    }
    if (outcome != STEP_STATE || !from->cells || !reduction_abstract(all->reduction, step.cells, all->seen))
        return false;
    if (memcmp(all->seen, from->cells, reduction_system(all->reduction)->state_cells * sizeof *all->seen))
        return false;
    trace_push(trace, rule, instance, step.cells, NULL);
    return true;
}

/* A run of the original system that the reduced system sees as this one. `layout`: of the original. NULL when it would
 * be too large to write down (UNREDUCE_MOST_CELLS, UNREDUCE_MOST_ROUNDS), or, *is_wrong, when the original has none. */
static struct trace *unreduce_trace(const struct layout *layout, const struct reduction *reduction,
                                    const struct trace *reduced, bool *is_wrong)
{
    struct unreducing all = {reduction, stepper_create_evaluator(layout->system, layout),
                             memory_alloc((reduction_system(reduction)->state_cells + 1) * sizeof *all.seen)};
    struct trace *trace = unreduce_run(layout, reduced, unreduce_step, &all, is_wrong);
    free(all.seen);
    stepper_destroy(all.stepper);
    return trace;
}

/* --- verdicts --- */

static void unreduce_violated(struct result *result, const struct property *property, const struct layout *layout,
                              const struct reduction *reduction, const struct property_result *reduced, bool *is_wrong)
{
    struct trace *trace = reduced->trace ? unreduce_trace(layout, reduction, reduced->trace, is_wrong) : NULL;
    struct text reason = {0};
    struct fault fault = {0};
    if (*is_wrong)
        return;
    if (trace && !trace->steps[trace->count - 1].cells)
        fault = trace->steps[trace->count - 1].fault;
    if (fault.kind != FAULT_NONE)
        fault_print(&fault, &reason);
    else if (property->ltl && trace && trace->has_loop)
        fair_say_run(trace, false, "", &reason); /* other steps repeat than those of the counters */
    else
        text_append(&reason, reduced->reason ? reduced->reason : "");
    if (reduced->trace && !trace)
        text_format(&reason, "; the run has %u steps through %u cells: too long to be written down",
                    (unsigned)reduced->trace->count, (unsigned)layout->cell_count);
    if (fault.kind != FAULT_NONE)
        property = fault.property;
    result_set_violated(result, property, fault.kind != FAULT_NONE ? &fault : NULL, trace, "%s", text_chars(&reason));
    text_free(&reason);
}

/* Is another run that violates the same property of the original shorter, or as short and before this one? */
static bool unreduce_is_outdone(const struct reduction *reduction, const struct result *reduced, size_t number)
{
    const struct property_result *one = &reduced->properties[number];
    for (size_t i = 0; i < reduced->system->properties.count; i++) {
        const struct property_result *other = &reduced->properties[i];
        if (i == number || other->verdict != VERDICT_VIOLATED || !other->trace ||
            reduction_property(reduction, other->property) != reduction_property(reduction, one->property))
            continue;
        if (!one->trace || other->trace->count < one->trace->count ||
            (other->trace->count == one->trace->count && i < number))
            return true;
    }
    return false;
}

static void unreduce_property(struct result *result, const struct layout *layout, const struct reduction *reduction,
                              const struct property_result *reduced, bool is_checked, bool *is_wrong)
{
    const struct property *property = reduction_property(reduction, reduced->property);
    struct property_result *now = &result->properties[property->id];
    bool is_own = !reduction_is_extra(reduction, reduced->property);
    if (property->fairness) /* nothing stands for it where no formula needs it */
        return;
    if (is_own)
        result->checked[property->id] = is_checked;
    if (!is_checked || now->verdict == VERDICT_VIOLATED)
        return;
    now->is_vacuous = is_own && reduced->is_vacuous;
    now->is_runless = is_own && reduced->is_runless;
    if (reduced->verdict == VERDICT_VIOLATED) {
        unreduce_violated(result, property, layout, reduction, reduced, is_wrong);
    } else if (is_own || reduced->verdict == VERDICT_UNKNOWN) {
        result_set_verdict(result, property, reduced->verdict, reduced->reason ? "%s" : NULL, reduced->reason);
        now->stop = reduced->stop;
        if (reduced->trace && reduced->verdict == VERDICT_HOLDS)
            now->trace = unreduce_trace(layout, reduction, reduced->trace, is_wrong);
    }
}

static struct large_counts *unreduce_large(const struct reduction *reduction, const struct result *reduced,
                                           size_t rule_count)
{
    const struct large_counts *from = reduced->statistics.large;
    if (!from)
        return NULL;
    struct large_counts *to = large_create(rule_count);
    bigint_copy(to->states, from->states);
    bigint_copy(to->rules_fired, from->rules_fired);
    for (size_t r = 0; r < from->rule_count; r++)
        bigint_add(to->fired_by_rule[reduction_rule(reduction, reduced->system->rules.items[r])->id],
                   from->fired_by_rule[r]);
    return to;
}

static const char *const unreduce_mistake =
    "internal error, please report it: the counter abstraction has a run that is none of the model";

static void unreduce_withdraw(struct result *result)
{
    result->is_complete = false;
    result_set_stopped(result, stop_because(STOP_FAILED, "%s", unreduce_mistake));
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (result->checked[i] && (result->properties[i].verdict != VERDICT_VIOLATED || !result->properties[i].trace))
            result_set_verdict(result, result->system->properties.items[i], VERDICT_UNKNOWN, "%s", unreduce_mistake);
}

static void unreduce_statistics(struct result *result, const struct reduction *reduction, struct result *reduced)
{
    struct statistics *to = &result->statistics, *from = &reduced->statistics;
    for (size_t r = 0; r < reduced->system->rules.count && from->fired_by_rule; r++) {
        uint64_t *sum = &to->fired_by_rule[reduction_rule(reduction, reduced->system->rules.items[r])->id];
        *sum = large_add_clipped(*sum, from->fired_by_rule[r]);
    }
    if (!from->fired_by_rule) {
        free(to->fired_by_rule);
        to->fired_by_rule = NULL;
    }
    result_take_statistics(result, reduced);
    large_destroy(to->large);
    to->large = unreduce_large(reduction, reduced, result->system->rules.count);
    bigint_destroy(to->represented);
    to->represented = NULL; /* how many states of the original that are is unknown */
}

struct result *unreduce_result(const struct layout *layout, const struct reduction *reduction, struct result *reduced)
{
    struct result *result = result_create(layout->system, reduced->engine);
    bool is_wrong = false;
    for (size_t i = 0; i < reduced->system->properties.count && !is_wrong; i++)
        if (reduced->properties[i].verdict != VERDICT_VIOLATED || !unreduce_is_outdone(reduction, reduced, i))
            unreduce_property(result, layout, reduction, &reduced->properties[i], reduced->checked[i], &is_wrong);
    for (size_t i = 0; i < layout->system->properties.count; i++)
        if (reduction_left_out(reduction, layout->system->properties.items[i]))
            result_leave_out(result, layout->system->properties.items[i],
                             reduction_left_out(reduction, layout->system->properties.items[i]));
    masked_leave_all_open(result);
    unreduce_statistics(result, reduction, reduced);
    result->is_complete = reduced->is_complete;
    result->stepper = reduced->stepper;
    reduced->stepper = (struct text){0};
    result_set_stopped(result, stop_copy(&reduced->stop));
    if (is_wrong)
        unreduce_withdraw(result);
    result_destroy(reduced);
    return result;
}

void unreduce_deadlocks(struct result *result, const struct reduction *reduction, const char *why)
{
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (reduction_mistakes_deadlocks(reduction, result->system->properties.items[i]))
            result_leave_out(result, result->system->properties.items[i], why);
}
