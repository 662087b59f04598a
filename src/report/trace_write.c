#include <string.h>

#include "base/watch.h"
#include "ir/instance.h"
#include "report/fault_name.h"
#include "report/trace_file.h"
#include "report/value_json.h"

struct json *value_to_json(const struct type *type, int32_t code)
{
    if (!type_has_value(type, code))
        return json_make_null();
    if (!type || type->kind == TYPE_BOOL)
        return json_make_bool(code != 0);
    int64_t number;
    bool has_name = type_has_name(type, code);
    if (!has_name && type_number(type, code, &number))
        return json_make_integer(number);
    struct text name = {0};
    type_print_value(type, code, &name);
    bool is_truth = has_name && (!strcmp(name.chars, "true") || !strcmp(name.chars, "false")); /* JSON has these */
    struct json *value = is_truth ? json_make_bool(!strcmp(name.chars, "true")) : json_make_text(text_chars(&name));
    text_free(&name);
    return value;
}

/* The cells of free slots are left out: what is not there is free. */
static bool cell_is_in_free_slot(const struct layout *layout, const int32_t *cells, uint32_t cell)
{
    for (uint32_t i = 0; i < layout->multiset_count; i++) {
        const struct multiset_site *site = &layout->multisets[i];
        if (cell < site->address || cell >= site->address + site->type->cells)
            continue;
        uint32_t stride = multiset_stride(site->type);
        if (!cells[cell - (cell - site->address) % stride])
            return true;
    }
    return false;
}

struct json *state_to_json(const struct layout *layout, const int32_t *cells)
{
    if (layout->system->face)
        return face_to_json(layout, cells);
    struct json *state = json_make_object();
    struct text name = {0};
    for (uint32_t i = 0; i < layout->cell_count && !watch_cuts(); i++) {
        if (cell_is_in_free_slot(layout, cells, i) || system_is_internal_cell(layout->system, i))
            continue;
        text_clear(&name);
        layout_cell_name(layout, i, &name);
        json_set(state, name.chars, value_to_json(layout->cells[i].type, cells[i]));
    }
    text_free(&name);
    return state;
}

struct json *parameters_to_json(const struct rule *rule, uint64_t instance)
{
    struct json *list = json_make_array();
    int32_t *values = memory_zeroed(rule->parameter_count + 1, sizeof *values);
    instance_values(rule, instance, values);
    for (uint32_t i = 0; i < rule->parameter_count; i++) {
        struct json *parameter = json_make_object();
        json_set(parameter, "name", json_make_text(rule->parameters[i].variable->name));
        json_set(parameter, "value", value_to_json(rule->parameters[i].type, values[i]));
        json_push(list, parameter);
    }
    free(values);
    return list;
}

static struct json *fault_to_json(const struct fault *fault)
{
    struct json *object = json_make_object();
    struct text message = {0};
    fault_print(fault, &message);
    json_set(object, "kind", json_make_text(fault_kind_name(fault->kind)));
    json_set(object, "message", json_make_text(text_chars(&message)));
    json_set(object, "property", fault->property ? json_make_integer(fault->property->id) : json_make_null());
    json_set(object, "line", json_make_integer(fault->span.line));
    json_set(object, "column", json_make_integer(fault->span.column));
    json_set(object, "length", json_make_integer(fault->span.length));
    text_free(&message);
    return object;
}

struct json *trace_step_to_json(const struct trace *trace, uint32_t position)
{
    const struct trace_step *step = &trace->steps[position];
    struct json *object = json_make_object();
    json_set(object, "rule", json_make_text(step->rule->name));
    json_set(object, "rule_id", json_make_integer(step->rule->id));
    if (step->rule->shown) {
        struct text shown = {0};
        instance_print(step->rule, step->instance, &shown);
        json_set(object, "step", json_make_text(text_chars(&shown)));
        text_free(&shown);
    }
    json_set(object, "parameters", parameters_to_json(step->rule, step->instance));
    if (step->cells)
        json_set(object, "state", state_to_json(trace->layout, step->cells));
    else
        json_set(object, "fault", fault_to_json(&step->fault));
    return object;
}

struct json *trace_to_json(const struct trace *trace)
{
    struct trace *made;
    const struct trace *shown = trace_show(trace, &made);
    struct json *steps = json_make_array();
    for (uint32_t i = 0; i < shown->count && !watch_cuts(); i++)
        json_push(steps, trace_step_to_json(shown, i));
    trace_destroy(made);
    return steps;
}
