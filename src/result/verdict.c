#include "result/verdict.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"

static _Thread_local const struct result_listener *listener_of_thread;

const struct result_listener *result_listen(const struct result_listener *listener)
{
    const struct result_listener *before = listener_of_thread;
    listener_of_thread = listener;
    return before;
}

static void result_tell(const struct result *result, enum result_event event)
{
    const struct result_listener *listener = listener_of_thread;
    if (listener && listener->layout->system == result->system)
        listener->tell(event, listener->layout, result);
}

struct result *result_create(const struct system *system, const char *engine)
{
    struct result *result = memory_zeroed(1, sizeof *result);
    size_t count = system->properties.count;
    result->system = system;
    result->engine = engine;
    result->properties = memory_zeroed(count, sizeof *result->properties);
    result->checked = memory_zeroed(count, sizeof *result->checked);
    for (size_t i = 0; i < count; i++) {
        const struct property *property = system->properties.items[i];
        result->properties[i].property = property;
        result->properties[i].verdict = VERDICT_UNKNOWN;
        /* An assumption is granted, not proved; it turns up in the answer only when its formula faults. */
        result->checked[i] = property->kind != PROPERTY_ASSUMPTION && property->kind != PROPERTY_FAIRNESS;
    }
    result->statistics.represented = bigint_create(0);
    result->statistics.fired_by_rule = memory_zeroed(system->rules.count, sizeof(uint64_t));
    result_tell(result, RESULT_BEGINS);
    return result;
}

void result_destroy(struct result *result)
{
    if (!result)
        return;
    result_tell(result, RESULT_ENDS);
    for (size_t i = 0; i < result->system->properties.count; i++) {
        free(result->properties[i].reason);
        trace_destroy(result->properties[i].trace);
        quantity_free(&result->properties[i].quantity);
    }
    free(result->properties);
    free(result->checked);
    text_free(&result->counted);
    text_free(&result->every.sizes);
    text_free(&result->every.covered);
    text_free(&result->every.invariant);
    text_free(&result->every.second);
    text_free(&result->every.cutoffs);
    text_free(&result->every.obstacle);
    text_free(&result->stepper);
    fallbacks_free(&result->fallbacks);
    profile_destroy(result->profile);
    stop_free(&result->stop);
    bigint_destroy(result->statistics.represented);
    free(result->statistics.fired_by_rule);
    large_destroy(result->statistics.large);
    VEC_FREE(&result->statistics.levels);
    free(result);
}

static void result_set(struct result *result, const struct property *property, enum verdict verdict, const char *format,
                       va_list arguments)
{
    struct property_result *entry = &result->properties[property->id];
    struct text words = {0};
    char *before = entry->reason, *reason = NULL;
    if (format) {
        text_vformat(&words, format, arguments);
        reason = memory_string(text_chars(&words));
        text_free(&words);
    }
    result_tell(result, RESULT_CHANGES);
    entry->reason = reason;
    entry->stop = STOP_NONE;
    entry->is_found = false;
    entry->is_final = false;
    entry->verdict = verdict;
    result->checked[property->id] = true;
    result_tell(result, RESULT_CHANGED);
    free(before);
}

void result_set_verdict(struct result *result, const struct property *property, enum verdict verdict,
                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    result_set(result, property, verdict, format, arguments);
    va_end(arguments);
}

void result_set_final(struct result *result, const struct property *property)
{
    bool is_final = !watch_is_up();
    result_tell(result, RESULT_CHANGES);
    result->properties[property->id].is_final = is_final;
    result_tell(result, RESULT_CHANGED);
}

static void result_set_trace(struct result *result, struct property_result *entry, struct trace *trace)
{
    struct trace *before = entry->trace;
    result_tell(result, RESULT_CHANGES);
    entry->trace = trace;
    result_tell(result, RESULT_CHANGED);
    trace_destroy(before);
}

void result_leave_out(struct result *result, const struct property *property, const char *why)
{
    struct property_result *entry = &result->properties[property->id];
    result_set_verdict(result, property, VERDICT_UNKNOWN, "%s", why);
    result_set_trace(result, entry, NULL);
    entry->fault = (struct fault){0};
    entry->stop = STOP_REFUSED;
    entry->is_left_out = true;
}

void result_set_violated(struct result *result, const struct property *property, const struct fault *fault,
                         struct trace *trace, const char *format, ...)
{
    struct property_result *entry = &result->properties[property->id];
    va_list arguments;
    va_start(arguments, format);
    result_set(result, property, VERDICT_VIOLATED, format, arguments);
    va_end(arguments);
    result_set_trace(result, entry, trace);
    entry->fault = fault ? *fault : (struct fault){0};
}

void result_set_failed(struct result *result, const struct property *property, const struct fault *fault,
                       struct trace *trace, const char *reason)
{
    struct text words = {0};
    if (fault && property->kind == PROPERTY_COVER)
        text_append(&words, "never reached; ");
    if (fault)
        fault_print(fault, &words);
    else
        text_append(&words, reason);
    result_set_violated(result, property, fault, trace, "%s", text_chars(&words));
    text_free(&words);
}

void result_set_unknown(struct result *result, const struct property *property, const struct stop *stop)
{
    struct text reason = {0};
    if (stop->kind == STOP_VIOLATION)
        text_append(&reason, "the search stopped at the first violation");
    else
        stop_print(stop, &reason);
    result_set_verdict(result, property, VERDICT_UNKNOWN, "%s", text_chars(&reason));
    result->properties[property->id].stop = stop->kind;
    text_free(&reason);
}

void result_set_found(struct result *result, const struct property *property, uint32_t steps)
{
    result_set_verdict(result, property, VERDICT_UNKNOWN,
                       "%s after %u step%s; the search ended before its run was followed and confirmed",
                       property->kind == PROPERTY_COVER ? "it was met" : "a violation was found", steps,
                       steps == 1 ? "" : "s");
    result->properties[property->id].is_found = true;
    result->properties[property->id].found_steps = steps;
}

void result_set_stopped(struct result *result, struct stop stop)
{
    stop_free(&result->stop);
    result->stop = stop;
}

void result_settle(struct result *result, const struct property *property)
{
    if (!result->is_complete) {
        result_set_unknown(result, property, &result->stop);
    } else if (property->kind == PROPERTY_COVER) {
        result_set_violated(result, property, NULL, NULL, "never reached");
    } else {
        result_set_verdict(result, property, VERDICT_HOLDS, NULL);
    }
}

/* A run shows a violation of these, even if the search is not complete. (Of a deadlock, too: that nothing is enabled in
 * its last state is found out again when it is replayed.) */
bool result_is_seen(const struct property_result *entry)
{
    enum property_kind kind = entry->property->kind;
    if (!entry->trace)
        return false;
    return entry->verdict == VERDICT_VIOLATED
               ? kind == PROPERTY_INVARIANT || kind == PROPERTY_ASSERTION || kind == PROPERTY_ERROR ||
                     kind == PROPERTY_RUNTIME || kind == PROPERTY_LTL || kind == PROPERTY_DEADLOCK
               : entry->verdict == VERDICT_HOLDS && kind == PROPERTY_COVER;
}

void result_withdraw(struct result *result, const struct property *property, const struct stop *stop)
{
    struct property_result *entry = &result->properties[property->id];
    if (!result->checked[property->id] || result_is_seen(entry) || entry->is_found || entry->is_left_out ||
        entry->is_final)
        return;
    result_set_trace(result, entry, NULL);
    entry->fault = (struct fault){0};
    entry->has_value = false;
    result_set_unknown(result, property, stop);
}

void result_cut(struct result *result, struct stop stop)
{
    stop_free(&result->stop);
    result->stop = stop;
    result->is_complete = false;
    result->statistics.represented_is_exact = false;
    for (size_t i = 0; i < result->system->properties.count; i++)
        result_withdraw(result, result->system->properties.items[i], &stop);
}

void result_cut_at_bounds(struct result *result)
{
    const char *bound = NULL;
    for (size_t i = 0; i < result->system->properties.count; i++) {
        struct property_result *entry = &result->properties[i];
        if (!entry->property->bound || !result->checked[i] || entry->verdict != VERDICT_VIOLATED)
            continue;
        bound = entry->property->bound;
        result_set_verdict(result, entry->property, VERDICT_UNKNOWN, "%s", bound);
        result_set_trace(result, entry, NULL);
        entry->fault = (struct fault){0};
    }
    for (size_t i = 0; bound && i < result->system->properties.count; i++)
        result->properties[i].is_final = false;
    if (bound)
        result_cut(result, stop_because(STOP_UNDECIDED, "%s", bound));
}

struct result *result_refuse(const struct system *system, const char *engine, const char *why)
{
    struct result *result = result_create(system, engine);
    result_set_stopped(result, stop_because(STOP_REFUSED, "%s", why));
    for (size_t i = 0; i < system->properties.count; i++)
        if (result->checked[i])
            result_settle(result, system->properties.items[i]);
    return result;
}

void result_take_statistics(struct result *result, struct result *from)
{
    struct statistics *to = &result->statistics, own = *to;
    *to = from->statistics;
    to->fired_by_rule = own.fired_by_rule;
    to->represented = NULL;
    to->large = NULL;
    memset(&from->statistics.levels, 0, sizeof from->statistics.levels);
    if (from->statistics.represented) {
        to->represented = own.represented ? own.represented : bigint_create(0);
        bigint_copy(to->represented, from->statistics.represented);
    } else {
        bigint_destroy(own.represented);
    }
    if (from->statistics.large) {
        to->large = large_create(0);
        bigint_copy(to->large->states, from->statistics.large->states);
        bigint_copy(to->large->rules_fired, from->statistics.large->rules_fired);
    }
    large_destroy(own.large);
    result_take_fallbacks(result, from);
}

bool result_is_open(const struct result *result, size_t property)
{
    const struct property_result *answer = &result->properties[property];
    return result->checked[property] && answer->verdict == VERDICT_UNKNOWN && !answer->is_left_out;
}

bool result_has_open(const struct result *result)
{
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (result_is_open(result, i))
            return true;
    return false;
}

void result_fill(struct result *result, struct result *from, const struct property *property)
{
    struct property_result *to = &result->properties[property->id], *found = &from->properties[property->id];
    free(to->reason);
    trace_destroy(to->trace);
    quantity_free(&to->quantity);
    *to = *found;
    result->checked[property->id] = from->checked[property->id];
    *found = (struct property_result){.property = to->property, .verdict = VERDICT_UNKNOWN};
    result_take_fallbacks(result, from);
}

int result_exit_code(const struct result *result)
{
    bool is_unknown = false;
    for (size_t i = 0; i < result->system->properties.count; i++) {
        if (!result->checked[i])
            continue;
        if (result->properties[i].verdict == VERDICT_VIOLATED)
            return 1;
        if (result->properties[i].verdict == VERDICT_UNKNOWN)
            is_unknown = true;
    }
    return is_unknown ? 3 : 0;
}
