#include "report/quantity_json.h"

#include <math.h>
#include <stdio.h>

#include "ir/chain.h"
#include "report/style.h"
#include "report/trace_file.h"

/* As text: with all digits, so that bounds stay bounds; and JSON has no infinity. */
static struct json *digits_to_json(double number)
{
    char digits[40];
    snprintf(digits, sizeof digits, isfinite(number) ? "%.17g" : number > 0 ? "infinity" : "-infinity", number);
    return json_make_text(digits);
}

/* For drawing; what is infinite is null. */
static struct json *number_to_json(double number)
{
    return isfinite(number) ? json_make_real(number) : json_make_null();
}

static struct json *interval_to_json(double lower, double upper)
{
    struct json *interval = json_make_array();
    json_push(interval, number_to_json(lower));
    json_push(interval, number_to_json(upper));
    return interval;
}

static struct json *convergence_to_json(const struct quantity *quantity)
{
    struct json *series = json_make_array();
    for (size_t i = 0; i < quantity->convergence.count; i++) {
        const struct convergence_point *point = &quantity->convergence.items[i];
        struct json *object = json_make_object();
        json_set(object, "iteration", json_make_count(point->iteration));
        json_set(object, "lower", number_to_json(point->lower));
        json_set(object, "upper", number_to_json(point->upper));
        json_push(series, object);
    }
    return series;
}

static const char *action_of(const struct system *system, const struct rule *rule)
{
    for (uint32_t i = 0; i < system->chain->choice_count; i++) {
        const struct choice *choice = &system->chain->choices[i];
        if (rule->id >= choice->first_rule && rule->id < choice->first_rule + choice->rule_count)
            return choice->action;
    }
    return NULL;
}

static struct json *run_to_json(const struct scheduled_run *run)
{
    struct json *object = json_make_object(), *steps = json_make_array();
    const struct system *system = run->trace->system;
    for (uint32_t i = 0; i < run->trace->count; i++) {
        struct json *step = trace_step_to_json(run->trace, i);
        json_set(step, "action", json_make_text(i ? action_of(system, run->trace->steps[i].rule) : NULL));
        json_set(step, "chance", json_make_real(run->chances[i]));
        json_push(steps, step);
    }
    json_set(object, "chance", json_make_real(run->chance));
    json_set(object, "is_cut", json_make_bool(run->is_cut));
    json_set(object, "steps", steps);
    return object;
}

static struct json *scheduler_to_json(const struct quantity *quantity)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < quantity->scheduler.count; i++) {
        const struct scheduled_choice *choice = &quantity->scheduler.items[i];
        struct json *object = json_make_object();
        json_set(object, "state", state_to_json(quantity->layout, choice->cells));
        json_set(object, "action", json_make_text(choice->action));
        json_set(object, "rule", json_make_text(choice->rule->name));
        json_set(object, "line", json_make_integer(choice->rule->span.line));
        json_push(list, object);
    }
    return list;
}

void pareto_to_json(const struct quantity *quantity, struct json *object)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < quantity->pareto.count; i++) {
        const struct pareto_point *point = &quantity->pareto.items[i];
        struct json *pair = json_make_array();
        for (int k = 0; k < 2; k++) {
            struct json *value = json_make_object();
            json_set(value, "lower", digits_to_json(point->lower[k]));
            json_set(value, "upper", digits_to_json(point->upper[k]));
            if (point->exact[k])
                json_set(value, "exact", json_make_text(point->exact[k]));
            json_push(pair, value);
        }
        json_push(list, pair);
    }
    json_set(object, "pareto", list);
}

/* As the text and the page show it. */
static struct json *shown_to_json(const struct property_result *result)
{
    struct text shown = {0};
    style_number(result, &shown);
    struct json *text = json_make_text(text_chars(&shown));
    text_free(&shown);
    return text;
}

void quantity_to_json(const struct property_result *result, bool with_run, struct json *object)
{
    const struct quantity *quantity = &result->quantity;
    struct json *value = json_make_object();
    json_set(value, "lower", digits_to_json(result->lower));
    json_set(value, "upper", digits_to_json(result->upper));
    json_set(value, "shown", shown_to_json(result));
    if (quantity->exact)
        json_set(value, "exact", json_make_text(quantity->exact));
    if (result->is_range)
        json_set(value, "range", json_make_bool(true));
    json_set(object, "value", value);
    json_set(object, "interval", interval_to_json(result->lower, result->upper));
    if (quantity->convergence.count)
        json_set(object, "convergence", convergence_to_json(quantity));
    if (with_run && quantity->run.trace)
        json_set(object, "scheduler_path", run_to_json(&quantity->run));
    if (with_run && quantity->scheduler.count)
        json_set(object, "scheduler", scheduler_to_json(quantity));
}

struct json *printed_to_json(const struct quantity *quantity)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < quantity->printed.count; i++) {
        const struct state_value *value = &quantity->printed.items[i];
        struct json *object = json_make_object();
        json_set(object, "state", state_to_json(quantity->layout, value->cells));
        if (value->is_truth) {
            json_set(object, "value", json_make_bool(value->holds));
        } else {
            json_set(object, "lower", digits_to_json(value->lower));
            json_set(object, "upper", digits_to_json(value->upper));
        }
        if (value->exact)
            json_set(object, "exact", json_make_text(value->exact));
        json_push(list, object);
    }
    return list;
}
