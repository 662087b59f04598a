#include "result/factored.h"

#include "ir/prenex.h"
#include "result/unreduce.h"

bool factored_open(struct factored *factored, const struct layout *original, const struct property *property,
                   const struct reduce_options *options, struct diagnostics *diagnostics)
{
    *factored = (struct factored){.original = original, .property = property};
    factored->pointed = prenex_system(original->system, property);
    if (!factored->pointed) {
        diag_error(diagnostics, property->span, "the formula has too many variables");
        return false;
    }
    factored->pointed_layout = layout_create(factored->pointed);
    factored->reduction = reduce_system(factored->pointed, options, diagnostics);
    if (factored->reduction)
        factored->layout = layout_create(reduction_system(factored->reduction));
    return factored->reduction != NULL;
}

void factored_close(struct factored *factored)
{
    layout_destroy(factored->layout);
    reduction_destroy(factored->reduction);
    layout_destroy(factored->pointed_layout);
    system_destroy(factored->pointed);
    *factored = (struct factored){0};
}

/* Instances of start states: the values of the variables run fastest. */
static uint64_t factored_choices(const struct factored *factored)
{
    uint64_t choices = 1;
    for (size_t g = factored->original->system->globals.count; g < factored->pointed->globals.count; g++)
        choices *= factored->pointed->globals.items[g]->type->size;
    return choices;
}

static struct trace *factored_trace(const struct factored *factored, const struct trace *pointed)
{
    const struct system *system = factored->original->system;
    struct trace *trace = trace_create(system, factored->original);
    for (uint32_t i = 0; i < pointed->count; i++) {
        const struct trace_step *step = &pointed->steps[i];
        if (i)
            trace_push(trace, system->rules.items[step->rule->id], step->instance, step->cells, NULL);
        else
            trace_push(trace, system->starts.items[step->rule->id], step->instance / factored_choices(factored),
                       step->cells, NULL);
    }
    trace->has_loop = pointed->has_loop;
    trace->loop = pointed->loop;
    return trace;
}

/* " (p: P_1)" */
static void factored_say_values(const struct factored *factored, const struct trace *pointed, struct text *words)
{
    size_t first = factored->original->system->globals.count;
    for (size_t g = first; g < factored->pointed->globals.count; g++) {
        const struct variable *variable = factored->pointed->globals.items[g];
        text_format(words, "%s%s: ", g == first ? " (" : ", ", variable->name);
        type_print_value(variable->type, pointed->steps[0].cells[variable->address], words);
    }
    if (factored->pointed->globals.count > first)
        text_char(words, ')');
}

void factored_answer(const struct factored *factored, struct result *reduced, struct result *result)
{
    struct result *pointed = unreduce_result(factored->pointed_layout, factored->reduction, reduced, result->engine);
    const struct property *own = VEC_LAST(&factored->pointed->properties);
    const struct property_result *answer = &pointed->properties[own->id];
    struct trace *trace = answer->trace ? factored_trace(factored, answer->trace) : NULL;
    struct text words = {0};
    text_append(&words, answer->reason ? answer->reason : "");
    if (trace && answer->verdict == VERDICT_VIOLATED)
        factored_say_values(factored, answer->trace, &words);
    if (answer->verdict == VERDICT_VIOLATED) {
        result_set_violated(result, factored->property, NULL, trace, "%s", text_chars(&words));
    } else { /* that it holds, no one run shows: it does for all values */
        trace_destroy(trace);
        result_set_verdict(result, factored->property, answer->verdict,
                           answer->verdict == VERDICT_UNKNOWN && answer->reason ? "%s" : NULL, text_chars(&words));
    }
    text_free(&words);
    result_destroy(pointed);
}
