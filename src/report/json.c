#include <stdlib.h>

#include "base/watch.h"
#include "report/lasso.h"
#include "report/answer.h"
#include "report/fallbacks.h"
#include "report/quantity_json.h"
#include "report/trace_file.h"
#include "result/expected.h"

static struct json *pairs_to_json(const struct report_option *pairs, size_t count)
{
    struct json *object = json_make_object();
    for (size_t i = 0; i < count; i++)
        json_set(object, pairs[i].name, json_make_text(pairs[i].value));
    return object;
}

static struct json *bigint_to_json(const struct bigint *number)
{
    char *digits = bigint_digits(number);
    struct json *text = json_make_text(digits);
    free(digits);
    return text;
}

/* The exact number where 64 bits may not hold it. */
static struct json *large_to_json(const struct bigint *number, uint64_t clipped)
{
    return number && clipped == UINT64_MAX ? bigint_to_json(number) : json_make_count(clipped);
}

static struct json *type_to_json(const struct type *type)
{
    struct text name = {0};
    type_print(type, &name);
    struct json *text = json_make_text(name.chars);
    text_free(&name);
    return text;
}

/* The points, type by type. */
static struct json *sets_to_json(const struct symmetry_factor *factor)
{
    struct json *sets = json_make_array();
    for (uint32_t p = 0; p < factor->degree;) {
        struct json *set = json_make_object(), *elements = json_make_array();
        const struct type *type = factor->points[p].type;
        uint32_t first = p;
        for (; p < factor->degree && factor->points[p].type == type; p++) {
            struct text name = {0};
            type_print_value(type, symmetry_code(factor->points[p]), &name);
            json_push(elements, json_make_text(name.chars));
            text_free(&name);
        }
        json_set(set, "type", type_to_json(type));
        json_set(set, "elements", elements);
        json_set(set, "is_whole", json_make_bool(p - first == type->size));
        json_push(sets, set);
    }
    return sets;
}

enum { MOST_GENERATORS = 64 }; /* of a factor: those of larger full groups go without saying */

static struct json *generators_to_json(const struct symmetry_factor *factor)
{
    struct json *list = json_make_array();
    uint32_t count = symmetry_generator_count(factor);
    for (uint32_t g = 0; count <= MOST_GENERATORS && g < count; g++) {
        struct text cycles = {0};
        report_text_generator(factor, g, &cycles);
        json_push(list, json_make_text(text_chars(&cycles)));
        text_free(&cycles);
    }
    return list;
}

static struct json *factor_to_json(const struct symmetry_factor *factor)
{
    struct json *object = json_make_object();
    char *order = symmetry_factor_digits(factor);
    json_set(object, "kind", json_make_text(factor->shape ? factor->shape : "full"));
    json_set(object, "type", type_to_json(factor->type));
    json_set(object, "degree", json_make_integer(factor->degree));
    json_set(object, "order", json_make_text(order));
    if (factor->is_assumed)
        json_set(object, "is_virtual", json_make_bool(true));
    if (factor->words)
        json_set(object, "sets", sets_to_json(factor));
    json_set(object, "generators", generators_to_json(factor));
    free(order);
    return object;
}

static struct json *hope_to_json(const struct symmetry_hope *hope)
{
    struct json *object = json_make_object(), *lines = json_make_array();
    for (uint32_t i = 0; i < hope->place_count; i++)
        json_push(lines, json_make_integer(hope->places[i].line));
    json_set(object, "lines", lines);
    json_set(object, "group", json_make_text(hope->words));
    json_set(object, "order", json_make_text(hope->order));
    return object;
}

static struct json *excluded_to_json(const struct symmetry_factor *factor)
{
    struct json *object = json_make_object(), *reasons = json_make_array(), *larger = json_make_array();
    for (uint32_t i = 0; i < factor->hope_count; i++)
        json_push(larger, hope_to_json(&factor->hopes[i]));
    for (uint32_t i = 0; i < factor->breach_count; i++) {
        struct json *reason = json_make_object();
        json_set(reason, "line", json_make_integer(factor->breaches[i].span.line));
        json_set(reason, "column", json_make_integer(factor->breaches[i].span.column));
        json_set(reason, "message", json_make_text(factor->breaches[i].message));
        json_push(reasons, reason);
    }
    json_set(object, "type", type_to_json(factor->type));
    json_set(object, "degree", json_make_integer(factor->degree));
    json_set(object, "reasons", reasons);
    json_set(object, "larger_without", larger);
    return object;
}

static struct json *shrinks_to_json(const struct symmetry *symmetry)
{
    struct json *list = json_make_array();
    for (uint32_t i = 0; i < symmetry->shrink_count; i++) {
        struct json *object = json_make_object();
        const struct property *property = symmetry->shrinks[i].property;
        json_set(object, "property", property ? json_make_text(property->name) : json_make_null());
        json_set(object, "order", json_make_text(symmetry->shrinks[i].order));
        json_push(list, object);
    }
    return list;
}

/* The groups of properties that would make the whole one smaller. */
static struct json *parts_to_json(const struct symmetry *symmetry)
{
    struct json *parts = json_make_array();
    for (uint32_t i = 0; i < symmetry->part_count; i++) {
        const struct symmetry *part = symmetry->parts[i].symmetry;
        struct json *object = json_make_object(), *names = json_make_array();
        char *order = symmetry_order_digits(part);
        for (size_t p = 0; p < part->system->properties.count; p++)
            if (part->system->properties.items[p]->pctl && symmetry_keeps(part, part->system->properties.items[p]))
                json_push(names, json_make_text(part->system->properties.items[p]->name));
        json_set(object, "order", json_make_text(order));
        json_set(object, "properties", names);
        json_push(parts, object);
        free(order);
    }
    return parts;
}

struct json *report_json_symmetry(const struct symmetry *symmetry)
{
    struct json *object = json_make_object(), *factors = json_make_array(), *excluded = json_make_array();
    char *order = symmetry_order_digits(symmetry);
    for (uint32_t i = 0; i < symmetry->factor_count; i++) {
        if (symmetry->factors[i].is_used)
            json_push(factors, factor_to_json(&symmetry->factors[i]));
        else
            json_push(excluded, excluded_to_json(&symmetry->factors[i]));
    }
    json_set(object, "order", json_make_text(order));
    json_set(object, "factors", factors);
    json_set(object, "excluded", excluded);
    json_set(object, "shrunk_by", shrinks_to_json(symmetry));
    if (symmetry->part_count)
        json_set(object, "parts", parts_to_json(symmetry));
    json_set(object, "cut_short", json_make_text(symmetry->cut_short));
    free(order);
    return object;
}

struct json *report_json_unread_symmetry(const struct stop *stop)
{
    struct json *object = json_make_object();
    struct text why = {0};
    stop_print(stop, &why);
    json_set(object, "order", json_make_text("1"));
    json_set(object, "factors", json_make_array());
    json_set(object, "excluded", json_make_array());
    json_set(object, "shrunk_by", json_make_array());
    json_set(object, "cut_short", json_make_text(text_chars(&why)));
    json_set(object, "rules", json_make_array());
    text_free(&why);
    return object;
}

static const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {"holds", "violated", "unknown"};
    return names[verdict];
}

static struct json *property_to_json(const struct property_result *result, bool with_trace)
{
    const struct property *property = result->property;
    struct json *object = json_make_object();
    json_set(object, "id", json_make_integer(property->id));
    json_set(object, "name", json_make_text(property->name));
    json_set(object, "kind", json_make_text(property_kind_name(property->kind)));
    json_set(object, "line", json_make_integer(property->span.line));
    json_set(object, "verdict", json_make_text(verdict_name(result->verdict)));
    json_set(object, "reason", json_make_text(result->reason));
    json_set(object, "stopped_kind", json_make_text(stop_kind_name(result->stop)));
    if (result->product_states)
        json_set(object, "product_states", json_make_integer((int64_t)result->product_states));
    if (property->expected) {
        json_set(object, "expected", json_make_text(property->expected));
        json_set(object, "agreement", json_make_text(agreement_name(expected_compare(result))));
    }
    if (result->has_value)
        quantity_to_json(result, with_trace, object);
    if (with_trace && result->quantity.printed.count)
        json_set(object, "states", printed_to_json(&result->quantity));
    if (result->quantity.pareto.count)
        pareto_to_json(&result->quantity, object);
    json_set(object, "trace", with_trace && result->trace ? trace_to_json(result->trace) : json_make_null());
    if (result->trace && result->trace->has_loop)
        json_set(object, "loop", json_make_integer(trace_number(result->trace, result->trace->loop)));
    if (with_trace)
        lasso_to_json(result, object);
    return object;
}

static struct json *properties_to_json(const struct result *result, bool with_traces)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < result->system->properties.count && !watch_cuts(); i++)
        if (result->checked[i])
            json_push(list, property_to_json(&result->properties[i], with_traces));
    return list;
}

static struct json *rules_to_json(const struct result *result)
{
    const struct large_counts *large = result->statistics.large;
    struct json *list = json_make_array();
    for (size_t i = 0; i < result->system->rules.count; i++) {
        struct json *rule = json_make_object();
        json_set(rule, "name", json_make_text(result->system->rules.items[i]->name));
        json_set(rule, "line", json_make_integer(result->system->rules.items[i]->span.line));
        json_set(rule, "fired",
                 large_to_json(large && large->rule_count ? large->fired_by_rule[i] : NULL,
                               result->statistics.fired_by_rule[i]));
        json_push(list, rule);
    }
    return list;
}

static struct json *levels_to_json(const struct statistics *statistics)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < statistics->levels.count; i++) {
        struct json *level = json_make_object();
        json_set(level, "states", json_make_count(statistics->levels.items[i].states));
        json_set(level, "seconds", json_make_real(statistics->levels.items[i].seconds));
        json_push(list, level);
    }
    return list;
}

static struct json *every_size_to_json(const struct every_size *every)
{
    struct json *object = json_make_object();
    json_set(object, "type", every->type ? json_make_text(every->type) : json_make_null());
    json_set(object, "violated_with", every->size ? json_make_integer(every->size) : json_make_null());
    json_set(object, "explored", json_make_integer(every->explored));
    json_set(object, "cutoff", every->cutoff ? json_make_integer(every->cutoff) : json_make_null());
    if (every->is_by_invariant) {
        json_set(object, "obstacle", json_make_text(every->obstacle.length ? every->obstacle.chars : NULL));
        json_set(object, "obstacle_line",
                 every->obstacle_at.line ? json_make_integer(every->obstacle_at.line) : json_make_null());
        json_set(object, "violated_sizes", every->size ? json_make_text(text_chars(&every->sizes)) : json_make_null());
        json_set(object, "covered", json_make_text(text_chars(&every->covered)));
        json_set(object, "clauses", json_make_integer(every->clauses));
        json_set(object, "queries", json_make_integer(every->queries));
        json_set(object, "invariant", json_make_text(text_chars(&every->invariant)));
        json_set(object, "second_solver", json_make_text(text_chars(&every->second)));
        json_set(object, "cutoffs", json_make_text(text_chars(&every->cutoffs)));
        return object;
    }
    json_set(object, "views", every->views ? json_make_integer(every->views) : json_make_null());
    json_set(object, "shared_states", json_make_integer(every->shared));
    json_set(object, "local_states", json_make_integer(every->locals));
    json_set(object, "steps", json_make_integer(every->steps));
    json_set(object, "basis", json_make_integer(every->basis));
    return object;
}

static struct json *statistics_to_json(const struct result *result, bool with_levels)
{
    const struct statistics *statistics = &result->statistics;
    const struct large_counts *large = statistics->large;
    struct json *object = json_make_object();
    json_set(object, "states", large_to_json(large ? large->states : NULL, statistics->states));
    json_set(object, "represented",
             statistics->represented ? bigint_to_json(statistics->represented) : json_make_null());
    json_set(object, "represented_is_exact", json_make_bool(statistics->represented_is_exact));
    json_set(object, "is_partial_order_reduced", json_make_bool(statistics->is_thinned));
    json_set(object, "transitions",
             large_to_json(large && statistics->transitions == statistics->rules_fired ? large->rules_fired : NULL,
                           statistics->transitions));
    if (statistics->unmade)
        json_set(object, "unmade", json_make_count(statistics->unmade));
    if (result->every.is_asked)
        json_set(object, "every_size", every_size_to_json(&result->every));
    if (statistics->visited) {
        json_set(object, "visited", json_make_count(statistics->visited));
        json_set(object, "subsumed", json_make_count(statistics->subsumed));
    }
    json_set(object, "rules_fired", large_to_json(large ? large->rules_fired : NULL, statistics->rules_fired));
    json_set(object, "rules_fired_is_exact", json_make_bool(!statistics->is_least));
    json_set(object, "depth", json_make_integer(statistics->depth));
    json_set(object, "seconds", json_make_real(statistics->seconds));
    json_set(object, "cpu_seconds", json_make_real(statistics->cpu_seconds));
    json_set(object, "peak_bytes", json_make_count(statistics->peak_bytes));
    json_set(object, "bytes_per_state",
             statistics->states ? json_make_real((double)statistics->store_bytes / (double)statistics->states)
                                : json_make_null());
    json_set(object, "expected_omissions",
             statistics->is_hash_compact ? json_make_real(statistics->expected_omissions) : json_make_null());
    if (statistics->fired_by_rule)
        json_set(object, "rules", rules_to_json(result));
    if (with_levels && statistics->levels.count)
        json_set(object, "levels", levels_to_json(statistics));
    return object;
}

static const char *overall_verdict(const struct result *result)
{
    int code = result_exit_code(result);
    return code == 0 ? "holds" : code == 1 ? "violated" : "unknown";
}

static void set_stop(struct json *object, const struct stop *stop)
{
    struct text words = {0};
    stop_print(stop, &words);
    json_set(object, "stopped_by", json_make_text(stop_is_set(stop) ? text_chars(&words) : NULL));
    json_set(object, "stopped_kind", json_make_text(stop_kind_name(stop->kind)));
    text_free(&words);
}

static struct json *begin_document(const struct report *report, int version)
{
    struct json *object = json_make_object();
    json_set(object, "version", json_make_integer(version));
    json_set(object, "tool", json_make_text("noether " NOETHER_VERSION));
    json_set(object, "model", json_make_text(report->model));
    json_set(object, "properties", json_make_text(report->properties));
    json_set(object, "defines", pairs_to_json(report->defines, report->define_count));
    json_set(object, "options", pairs_to_json(report->options, report->option_count));
    return object;
}

struct json *answer_to_json(const struct report *report, bool is_whole)
{
    const struct result *result = report->result;
    struct json *object = begin_document(report, REPORT_JSON_VERSION);
    json_set(object, "engine", json_make_text(result->engine));
    if (report->why)
        json_set(object, "engine_reason", json_make_text(report->why));
    if (result->representative)
        json_set(object, "representative", json_make_text(result->representative));
    json_set(object, "symmetry", report_json_symmetry(report->symmetry));
    json_set(object, "fallbacks", report_json_fallbacks(report));
    json_set(object, "verdict", json_make_text(overall_verdict(result)));
    json_set(object, "complete", json_make_bool(result->is_complete));
    set_stop(object, &result->stop);
    json_set(object, "abandoned", json_make_bool(result->is_abandoned));
    if (report->is_shortened)
        json_set(object, "shortened", json_make_bool(true));
    json_set(object, "results", properties_to_json(result, is_whole));
    json_set(object, "warnings", report_json_warnings(report));
    json_set(object, "statistics", statistics_to_json(result, is_whole));
    if (result->profile)
        json_set(object, "profile", report_json_profile(result->profile));
    return object;
}

struct json *report_json(const struct report *report)
{
    return answer_to_json(report, !report->is_shortened);
}

/* Nothing was checked. */
static struct json *unchecked_to_json(const struct report *report, const char *verdict, const struct stop *stop)
{
    struct json *object = begin_document(report, REPORT_JSON_VERSION);
    json_set(object, "engine", json_make_text("none"));
    json_set(object, "verdict", json_make_text(verdict));
    json_set(object, "complete", json_make_bool(false));
    set_stop(object, stop);
    json_set(object, "abandoned", json_make_bool(false));
    json_set(object, "results", json_make_array());
    return object;
}

static struct json *error_to_json(const struct diagnostic *item)
{
    const struct source *source = item->span.source;
    struct json *object = report_json_diagnostic(item);
    json_set(object, "severity", json_make_text(item->severity == SEVERITY_ERROR ? "error" : "warning"));
    json_set(object, "file", json_make_text(source ? source->shown : NULL));
    return object;
}

struct json *report_json_errors(const struct report *report)
{
    struct json *object = unchecked_to_json(report, "error", &(struct stop){0}), *errors = json_make_array();
    for (size_t i = 0; report->diagnostics && i < report->diagnostics->count; i++)
        json_push(errors, error_to_json(&report->diagnostics->items[i]));
    json_set(object, "refusal", json_make_text(report->refusal));
    json_set(object, "diagnostics", errors);
    return object;
}

struct json *report_json_unread(const struct report *report, const struct stop *stop)
{
    return unchecked_to_json(report, "unknown", stop);
}

struct json *report_json_trace_file(const struct report *report, const struct property_result *shown)
{
    struct json *document = begin_document(report, REPORT_TRACE_VERSION);
    json_set(document, "result", property_to_json(shown, true));
    return document;
}
