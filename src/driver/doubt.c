#include "driver/doubt.h"

/* Is it a deadlock only because the final conditions cannot be evaluated? */
static bool has_faulty_end(const struct property_result *deadlock)
{
    const struct trace *trace = deadlock->trace;
    return deadlock->property->kind == PROPERTY_DEADLOCK && deadlock->property->formula &&
           deadlock->verdict == VERDICT_VIOLATED && trace && trace->count && trace->steps[trace->count - 1].cells &&
           trace_last_fault(trace, deadlock->property).kind != FAULT_NONE;
}

const struct property_result *doubt_find(const struct result *result)
{
    if (system_has_probabilities(result->system))
        return NULL; /* they have no quantifiers */
    for (size_t i = 0; i < result->system->properties.count; i++) {
        const struct property_result *property = &result->properties[i];
        bool is_failure = property->property->kind == PROPERTY_RUNTIME && property->verdict == VERDICT_VIOLATED;
        bool is_open = property->verdict == VERDICT_UNKNOWN && result->is_complete &&
                       property->property->kind != PROPERTY_CTL && /* a limit was reached */
                       property->property->kind != PROPERTY_LTL &&
                       property->property->kind != PROPERTY_DEADLOCK; /* counters cannot tell an exchange */
        if (result->checked[i] && !property->is_left_out &&
            (is_failure || is_open || property->fault.kind >= FAULT_UNDEFINED || has_faulty_end(property)))
            return property;
    }
    return NULL;
}

void doubt_print(const struct property_result *doubt, struct text *out)
{
    const struct trace *trace = doubt->trace;
    const struct trace_step *last = trace && trace->count ? &trace->steps[trace->count - 1] : NULL;
    uint32_t line = doubt->fault.span.line ? doubt->fault.span.line : doubt->property->span.line;
    text_append(out, doubt->reason ? doubt->reason : "something cannot be evaluated");
    if (last && !last->cells)
        text_format(out, " (rule \"%s\"", last->rule->name);
    else
        text_format(out, " (%s%s%s", property_kind_name(doubt->property->kind), doubt->property->name ? " " : "",
                    doubt->property->name ? doubt->property->name : "");
    text_format(out, line ? ", line %u)" : ")", line);
}
