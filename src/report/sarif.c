/* SARIF 2.1.0 (OASIS): what is wrong with a model, for tools that show findings beside the source. A violated property
 * is a result with its run as a code flow; what breaks a symmetry, and a rule that never fires, are remarks. */
#include <string.h>

#include "ir/instance.h"
#include "ir/language.h"
#include "report/style.h"
#include "report/value.h"

enum { MOST_STEPS = 1000 };

/* The kinds of results; docs/report.md describes them. */
enum sarif_rule { RULE_PROPERTY, RULE_UNDECIDED, RULE_MODEL, RULE_SYMMETRY, RULE_NEVER_FIRED, RULE_COUNT };
static const struct {
    const char *id, *name, *description, *level;
} rules[RULE_COUNT] = {
    {"property", "PropertyViolated", "A property of the model does not hold.", "error"},
    {"undecided", "PropertyUndecided", "It was not decided whether a property of the model holds.", "warning"},
    {"model", "ModelNotAccepted", "The model cannot be read as it is.", "error"},
    {"symmetry", "SymmetryBroken", "Elements of a scalarset are distinguished, so its symmetry cannot be used.",
     "note"},
    {"never-fired", "RuleNeverFired", "A rule is enabled in no reachable state.", "warning"},
};

static struct json *message_of(const char *text)
{
    struct json *message = json_make_object();
    json_set(message, "text", json_make_text(text));
    return message;
}

/* A path may hold what a URI may not. */
static struct json *artifact_of(const char *path)
{
    struct json *artifact = json_make_object();
    struct text uri = {0};
    for (const char *c = path; *c; c++) {
        if (strchr("%#?[]\"<>\\^`{|} ", *c) || (unsigned char)*c >= 0x7f || (unsigned char)*c < 0x20)
            text_format(&uri, "%%%02X", (unsigned char)*c);
        else
            text_char(&uri, *c);
    }
    json_set(artifact, "uri", json_make_text(text_chars(&uri)));
    text_free(&uri);
    return artifact;
}

/* Columns of a span count bytes, those of SARIF characters: how many of them begin before byte `end` of the line. */
static int64_t characters_before(struct span span, uint32_t end)
{
    size_t length;
    const char *line = source_line(span, &length);
    int64_t count = 0;
    for (uint32_t i = 0; i < end; i++)
        count += i >= length || ((unsigned char)line[i] & 0xc0) != 0x80;
    return count;
}

static struct json *region_of(struct span span)
{
    struct json *region = json_make_object();
    uint32_t begin = span.column ? span.column - 1 : 0;
    json_set(region, "startLine", json_make_integer(span.line));
    json_set(region, "startColumn", json_make_integer(characters_before(span, begin) + 1));
    json_set(region, "endColumn", json_make_integer(characters_before(span, begin + span.length) + 1));
    return region;
}

static struct json *location_of(const struct report *report, struct span span, const char *message)
{
    struct json *location = json_make_object(), *physical = json_make_object();
    json_set(physical, "artifactLocation", artifact_of(span.source ? span.source->path : report->model));
    if (span.line)
        json_set(physical, "region", region_of(span));
    json_set(location, "physicalLocation", physical);
    if (message)
        json_set(location, "message", message_of(message));
    return location;
}

static struct json *add_result(const struct report *report, struct json *results, enum sarif_rule rule,
                               const char *message, struct span span)
{
    struct json *result = json_make_object(), *locations = json_make_array();
    json_push(locations, location_of(report, span, NULL));
    json_set(result, "ruleId", json_make_text(rules[rule].id));
    json_set(result, "ruleIndex", json_make_integer(rule));
    json_set(result, "level", json_make_text(rules[rule].level));
    json_set(result, "message", message_of(message));
    json_set(result, "locations", locations);
    json_push(results, result);
    return result;
}

static void describe_step(const struct trace *trace, uint32_t at, struct text *out)
{
    const struct trace_step *step = &trace->steps[at];
    struct value_lines lines = {0};
    text_format(out, "%u: ", at);
    instance_print(step->rule, step->instance, out);
    if (!step->cells) {
        text_append(out, ": ");
        fault_print(&step->fault, out);
    } else if (at > 0) {
        value_list_changes(trace->layout, trace->steps[at - 1].cells, step->cells, &lines);
    }
    for (size_t i = 0; i < lines.items.count; i++)
        text_format(out, "%s%s: %s", i ? "; " : ". ", lines.items.items[i].name, lines.items.items[i].value);
    value_free_lines(&lines);
}

static struct json *flow_of(const struct report *report, const struct trace *run)
{
    struct json *flows = json_make_array(), *flow = json_make_object(), *threads = json_make_array();
    struct json *thread = json_make_object(), *steps = json_make_array();
    struct trace *made;
    const struct trace *trace = trace_show(run, &made);
    uint32_t first = trace->count > MOST_STEPS ? trace->count - MOST_STEPS : 0;
    for (uint32_t i = first; i < trace->count; i++) {
        struct json *step = json_make_object();
        struct text words = {0};
        const struct trace_step *taken = &trace->steps[i];
        describe_step(trace, i, &words);
        json_set(step, "location",
                 location_of(report, taken->cells ? taken->rule->span : taken->fault.span, text_chars(&words)));
        json_set(step, "executionOrder", json_make_integer(i + 1));
        json_push(steps, step);
        text_free(&words);
    }
    trace_destroy(made);
    json_set(thread, "locations", steps);
    json_push(threads, thread);
    json_set(flow, "threadFlows", threads);
    json_push(flows, flow);
    return flows;
}

static void add_property(const struct report *report, const struct property_result *property, struct json *results)
{
    if (property->verdict == VERDICT_HOLDS)
        return;
    bool is_violated = property->verdict == VERDICT_VIOLATED;
    struct text words = {0};
    style_property(property->property, &words);
    text_format(&words, " is %s: %s", is_violated ? "violated" : "not decided",
                property->reason ? property->reason : "a reachable state breaks it");
    struct span span = property->property->span;
    if (!span.line && property->fault.span.line)
        span = property->fault.span;
    struct json *result = add_result(report, results, is_violated ? RULE_PROPERTY : RULE_UNDECIDED, words.chars, span);
    if (property->trace && is_violated)
        json_set(result, "codeFlows", flow_of(report, property->trace));
    text_free(&words);
}

static void add_symmetry(const struct report *report, struct json *results)
{
    for (uint32_t f = 0; f < report->symmetry->factor_count; f++) {
        const struct symmetry_factor *factor = &report->symmetry->factors[f];
        bool is_told =
            !factor->is_used && factor->type->kind == TYPE_INDEX; /* a range was not declared to be symmetric */
        for (uint32_t i = 0; is_told && i < factor->breach_count; i++)
            add_result(report, results, RULE_SYMMETRY, factor->breaches[i].message, factor->breaches[i].span);
    }
}

/* Where nothing was checked, that is said, and not that no rule fires. */
static bool add_nothing_checked(const struct report *report, struct json *results)
{
    struct span span;
    struct text words = {0};
    bool is_empty = report_nothing_checked(report, &span, &words);
    if (is_empty)
        json_set(add_result(report, results, RULE_MODEL, words.chars, span), "level", json_make_text("warning"));
    text_free(&words);
    return is_empty;
}

static void add_never_fired(const struct report *report, struct json *results)
{
    const struct result *result = report->result;
    if (add_nothing_checked(report, results))
        return;
    for (size_t i = 0; i < result->system->rules.count; i++) {
        struct text words = {0};
        if (report_dead_rule(report, i, &words))
            add_result(report, results, RULE_NEVER_FIRED, words.chars, result->system->rules.items[i]->span);
        text_free(&words);
    }
}

static void add_diagnostics(const struct report *report, struct json *results)
{
    static const char *const levels[] = {"error", "warning", "note"};
    for (size_t i = 0; report->diagnostics && i < report->diagnostics->count; i++) {
        const struct diagnostic *diagnostic = &report->diagnostics->items[i];
        struct text words = {0};
        text_append(&words, diagnostic->message);
        if (diagnostic->hint)
            text_format(&words, " (hint: %s)", diagnostic->hint);
        struct json *result = add_result(report, results, RULE_MODEL, words.chars, diagnostic->span);
        json_set(result, "level", json_make_text(levels[diagnostic->severity]));
        text_free(&words);
    }
    if (report->refusal)
        add_result(report, results, RULE_MODEL, report->refusal, (struct span){0});
}

static struct json *tool_of(void)
{
    struct json *tool = json_make_object(), *driver = json_make_object(), *list = json_make_array();
    for (int i = 0; i < RULE_COUNT; i++) {
        struct json *rule = json_make_object(), *configuration = json_make_object();
        json_set(configuration, "level", json_make_text(rules[i].level));
        json_set(rule, "id", json_make_text(rules[i].id));
        json_set(rule, "name", json_make_text(rules[i].name));
        json_set(rule, "shortDescription", message_of(rules[i].description));
        json_set(rule, "defaultConfiguration", configuration);
        json_push(list, rule);
    }
    json_set(driver, "name", json_make_text("noether"));
    json_set(driver, "version", json_make_text(NOETHER_VERSION));
    json_set(driver, "rules", list);
    json_set(tool, "driver", driver);
    return tool;
}

static struct json *results_of(const struct report *report)
{
    struct json *results = json_make_array();
    add_diagnostics(report, results);
    if (!report->result)
        return results;
    for (size_t i = 0; i < report->result->system->properties.count; i++)
        if (report->result->checked[i])
            add_property(report, &report->result->properties[i], results);
    add_symmetry(report, results);
    add_never_fired(report, results);
    return results;
}

struct json *report_sarif(const struct report *report)
{
    struct json *document = json_make_object(), *runs = json_make_array(), *run = json_make_object();
    struct json *invocations = json_make_array(), *invocation = json_make_object();
    json_set(invocation, "executionSuccessful", json_make_bool(report->result != NULL));
    json_push(invocations, invocation);
    json_set(run, "tool", tool_of());
    json_set(run, "columnKind", json_make_text("unicodeCodePoints"));
    json_set(run, "invocations", invocations);
    json_set(run, "results", results_of(report));
    json_push(runs, run);
    json_set(document, "version", json_make_text("2.1.0"));
    json_set(document, "$schema", json_make_text("https://json.schemastore.org/sarif-2.1.0.json"));
    json_set(document, "runs", runs);
    return document;
}
