#include <string.h>

#include "ir/instance.h"
#include "report/fault_name.h"
#include "report/trace_file.h"
#include "report/value_json.h"

static bool code_named(const struct type *type, const char *name, int32_t *code)
{
    struct text printed = {0};
    bool found = false;
    for (uint32_t i = 0; i < type->size && !found; i++) {
        text_clear(&printed);
        *code = type_code(type, i);
        type_print_value(type, *code, &printed);
        found = !strcmp(text_chars(&printed), name);
    }
    text_free(&printed);
    return found;
}

/* A number that has a name goes by that. */
static bool named_number_from_json(const struct type *type, const struct json *value, int32_t *code)
{
    bool truth;
    if (!type->names)
        return false;
    const char *name = json_read_bool(value, &truth) ? (truth ? "true" : "false") : json_read_text(value);
    return name && code_named(type, name, code) && type_has_name(type, *code);
}

bool value_from_json(const struct type *type, const struct json *value, int32_t *code)
{
    int64_t number;
    bool truth;
    if (json_read_bool(value, &truth) && (!type || type->kind == TYPE_BOOL)) {
        *code = truth;
        return true;
    }
    if (!type)
        return false;
    if (json_kind(value) == JSON_KIND_NULL) {
        *code = UNDEFINED;
        return true;
    }
    if (json_read_integer(value, &number) && number == INT32_MIN && type->is_least_undefined) {
        *code = UNDEFINED;
        return true;
    }
    if (json_read_integer(value, &number) && type->kind == TYPE_RANGE && type_has(type, number)) {
        *code = (int32_t)number;
        return true;
    }
    if (named_number_from_json(type, value, code))
        return true;
    const char *name = json_read_text(value);
    return name && type->kind != TYPE_RANGE && type->kind != TYPE_BOOL && code_named(type, name, code);
}

/* A cell may be missing only where it belongs to a free slot: then the blank state has it right already. */
static bool cell_may_be_missing(const struct layout *layout, uint32_t cell)
{
    for (uint32_t i = 0; i < layout->multiset_count; i++) {
        const struct multiset_site *site = &layout->multisets[i];
        if (cell >= site->address && cell < site->address + site->type->cells)
            return true;
    }
    return false;
}

struct stray {
    const struct layout *layout;
    struct text *message;
    bool is_reported;
};

static void report_stray_member(void *user, const char *key, const struct json *value)
{
    (void)value;
    struct stray *stray = user;
    struct text name = {0};
    bool is_cell = false;
    for (uint32_t i = 0; i < stray->layout->cell_count && !is_cell && !stray->is_reported; i++) {
        if (system_is_internal_cell(stray->layout->system, i))
            continue;
        text_clear(&name);
        layout_cell_name(stray->layout, i, &name);
        is_cell = !strcmp(name.chars, key);
    }
    text_free(&name);
    if (is_cell || stray->is_reported)
        return;
    text_format(stray->message, "the model has no variable \"%s\"", key);
    stray->is_reported = true;
}

static bool state_from_json(const struct json *state, const struct layout *layout, int32_t *cells, struct text *message)
{
    struct text name = {0};
    size_t found = 0;
    bool good = true;
    if (layout->system->face)
        return face_from_json(state, layout, cells, message);
    layout_blank(layout, cells);
    for (uint32_t i = 0; i < layout->cell_count && good; i++) {
        if (system_is_internal_cell(layout->system, i)) { /* trace_fold finds them */
            cells[i] = type_code(layout->cells[i].type, 0);
            continue;
        }
        text_clear(&name);
        layout_cell_name(layout, i, &name);
        const struct json *value = json_get(state, name.chars);
        found += value != NULL;
        if (!value && cell_may_be_missing(layout, i))
            continue;
        good = value && value_from_json(layout->cells[i].type, value, &cells[i]);
        if (!good)
            text_format(message, value ? "\"%s\" has a value that is not of its type" : "the state lacks \"%s\"",
                        name.chars);
    }
    if (good && found != json_size(state)) {
        json_each(state, report_stray_member, &(struct stray){layout, message, false});
        good = false;
    }
    text_free(&name);
    return good;
}

static bool rule_has_name(const struct rule *rule, const char *name)
{
    struct json *printed = json_make_text(rule->name); /* the same treatment of other encodings as when written */
    bool same = !strcmp(json_read_text(printed), name);
    json_free(printed);
    return same;
}

static const struct rule *rule_from_json(const struct json *step, const struct system *system, bool is_start,
                                         struct text *message)
{
    size_t count = is_start ? system->starts.count : system->rules.count;
    struct rule *const *rules = is_start ? system->starts.items : system->rules.items;
    const char *name = json_read_text(json_get(step, "rule"));
    int64_t id;
    if (!name) {
        text_append(message, "\"rule\" is missing");
        return NULL;
    }
    if (json_read_integer(json_get(step, "rule_id"), &id) && id >= 0 && (uint64_t)id < count &&
        rule_has_name(rules[id], name))
        return rules[id];
    for (size_t i = 0; i < count; i++)
        if (rule_has_name(rules[i], name))
            return rules[i];
    text_format(message, "the model has no %s \"%s\"", is_start ? "start state" : "rule", name);
    return NULL;
}

static bool parameters_from_json(const struct json *list, const struct rule *rule, uint64_t *instance,
                                 struct text *message)
{
    if (json_size(list) != rule->parameter_count) {
        text_format(message, "the rule has %u parameters", rule->parameter_count);
        return false;
    }
    int32_t *values = memory_zeroed(rule->parameter_count + 1, sizeof *values);
    bool good = true;
    for (uint32_t i = 0; i < rule->parameter_count && good; i++) {
        const struct json *value = json_get(json_item(list, i), "value");
        good = value_from_json(rule->parameters[i].type, value, &values[i]) && values[i] != UNDEFINED;
        if (!good)
            text_format(message, "parameter \"%s\" has no value of its type", rule->parameters[i].variable->name);
    }
    if (good)
        *instance = instance_number(rule, values);
    free(values);
    return good;
}

/* A position that is not in the text of the model is dropped: it is only shown. */
static struct span span_from_json(const struct json *object, const struct source *source)
{
    int64_t line = 0, column = 0, length = 0;
    size_t width;
    json_read_integer(json_get(object, "line"), &line);
    json_read_integer(json_get(object, "column"), &column);
    json_read_integer(json_get(object, "length"), &length);
    struct span span = {source, (uint32_t)line, (uint32_t)column, (uint32_t)length};
    source_line(span, &width);
    if (line != span.line || column < 1 || (uint64_t)column > width || length < 1 ||
        (uint64_t)length > width - (uint64_t)column + 1)
        return (struct span){source, 0, 0, 0};
    return span;
}

static bool fault_from_json(const struct json *object, const struct rule *rule, const struct system *system,
                            struct fault *fault, struct text *message)
{
    const char *kind = json_read_text(json_get(object, "kind"));
    int64_t property = SYSTEM_RUNTIME;
    fault->kind = kind ? fault_kind_named(kind) : FAULT_NONE;
    if (fault->kind == FAULT_NONE) {
        text_append(message, "the fault has no known kind");
        return false;
    }
    json_read_integer(json_get(object, "property"), &property);
    if (property < 0 || (uint64_t)property >= system->properties.count) {
        text_append(message, "the fault names no property of the model");
        return false;
    }
    fault->property = system->properties.items[property];
    fault->span = span_from_json(object, rule->span.source);
    return true;
}

static bool step_from_json(const struct json *step, struct trace *trace, int32_t *cells, struct text *message)
{
    struct fault fault = {0};
    uint64_t instance;
    const struct rule *rule = rule_from_json(step, trace->system, trace->count == 0, message);
    if (!rule || !parameters_from_json(json_get(step, "parameters"), rule, &instance, message))
        return false;
    const struct json *state = json_get(step, "state"), *failure = json_get(step, "fault");
    if (json_kind(state) == JSON_KIND_OBJECT) {
        if (!state_from_json(state, trace->layout, cells, message))
            return false;
        trace_push(trace, rule, instance, cells, &fault);
        return true;
    }
    if (json_kind(failure) != JSON_KIND_OBJECT) {
        text_append(message, "neither \"state\" nor \"fault\" is there");
        return false;
    }
    if (!fault_from_json(failure, rule, trace->system, &fault, message))
        return false;
    trace_push(trace, rule, instance, NULL, &fault);
    return true;
}

struct trace *trace_from_json(const struct json *steps, const struct layout *layout, struct text *message)
{
    if (json_kind(steps) != JSON_KIND_ARRAY || !json_size(steps)) {
        text_append(message, "\"trace\" is not a list of steps");
        return NULL;
    }
    struct trace *trace = trace_create(layout->system, layout);
    int32_t *cells = memory_zeroed(layout->cell_count + 1, sizeof *cells);
    struct text why = {0};
    bool good = true;
    for (size_t i = 0; i < json_size(steps) && good; i++) {
        good = i == 0 || trace->steps[i - 1].cells;
        if (!good)
            text_append(&why, "a step after a fault");
        good = good && step_from_json(json_item(steps, i), trace, cells, &why);
        if (!good)
            text_format(message, "step %zu: %s", i, why.chars);
    }
    free(cells);
    text_free(&why);
    if (good)
        return trace;
    trace_destroy(trace);
    return NULL;
}
