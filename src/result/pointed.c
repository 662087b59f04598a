#include "result/pointed.h"

/* Instances of start states: the values of the variables run fastest. */
static uint64_t pointed_choices(const struct system *pointed, const struct system *original)
{
    uint64_t choices = 1;
    for (size_t g = original->globals.count; g < pointed->globals.count; g++)
        choices *= pointed->globals.items[g]->type->size;
    return choices;
}

static void push_original(struct trace *trace, const struct trace_step *step)
{
    struct rule *const *rules = trace->system->rules.items;
    trace_push_copy(trace, step);
    struct trace_step *pushed = &trace->steps[trace->count - 1];
    pushed->rule = rules[step->rule->id];
    for (uint32_t p = 0; p < pushed->passed_count; p++)
        pushed->passed[p].rule = rules[step->passed[p].rule->id];
}

struct trace *pointed_trace(const struct trace *pointed, const struct layout *original)
{
    const struct system *system = original->system;
    struct trace *trace = trace_create(system, original);
    for (uint32_t i = 0; i < pointed->count; i++) {
        const struct trace_step *step = &pointed->steps[i];
        if (i)
            push_original(trace, step);
        else
            trace_push(trace, system->starts.items[step->rule->id],
                       step->instance / pointed_choices(pointed->system, system), step->cells, NULL);
    }
    trace->has_loop = pointed->has_loop;
    trace->loop = pointed->loop;
    return trace;
}

void pointed_say_values(const struct trace *pointed, const struct layout *original, struct text *words)
{
    size_t first = original->system->globals.count;
    for (size_t g = first; g < pointed->system->globals.count; g++) {
        const struct variable *variable = pointed->system->globals.items[g];
        text_format(words, "%s%s: ", g == first ? " (" : ", ", variable->name);
        type_print_value(variable->type, pointed->steps[0].cells[variable->address], words);
    }
    if (pointed->system->globals.count > first)
        text_char(words, ')');
}
