/* The HTML page: a template, its style, its script, and the run as JSON. Names in a model may be anything, so nothing
 * of it is ever written as HTML: the script puts it in place as text. */
#include "report/page.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/printable.h"
#include "report/answer.h"
#include "report/lanes.h"
#include "report/style.h"

static struct json *diagnostics_to_json(const struct report *report)
{
    static const char *const severities[] = {"error", "warning", "note"};
    struct json *array = json_make_array();
    const struct diagnostics *list = report->diagnostics;
    for (size_t i = 0; list && i < list->count; i++) {
        const struct diagnostic *diagnostic = &list->items[i];
        struct json *object = json_make_object();
        json_set(object, "severity", json_make_text(severities[diagnostic->severity]));
        json_set(object, "message", json_make_text(diagnostic->message));
        json_set(object, "hint", json_make_text(diagnostic->hint));
        const struct source *source = diagnostic->span.source;
        bool is_in_properties = source && source == report->property_source;
        bool is_shown = !report->source || source == report->source || is_in_properties;
        if (!is_shown && source)
            json_set(object, "file", json_make_text(source->path));
        if (is_in_properties)
            json_set(object, "in_properties", json_make_bool(true));
        json_set(object, "line", json_make_integer(is_shown ? diagnostic->span.line : 0));
        json_set(object, "column", json_make_integer(diagnostic->span.column));
        json_set(object, "length", json_make_integer(diagnostic->span.length));
        json_push(array, object);
    }
    return array;
}

/* Where the types are declared, for the source to show. `declared`: the model says that its elements are
 * symmetric; a plain range may only be found to be. */
static struct json *types_to_json(const struct symmetry *symmetry)
{
    struct json *array = json_make_array();
    for (uint32_t i = 0; i < symmetry->factor_count; i++) {
        const struct symmetry_factor *factor = &symmetry->factors[i];
        struct json *object = json_make_object();
        struct text name = {0};
        type_print(factor->type, &name);
        json_set(object, "name", json_make_text(text_chars(&name)));
        text_free(&name);
        json_set(object, "line", json_make_integer(factor->type->span.line));
        json_set(object, "degree", json_make_integer(factor->degree));
        json_set(object, "used", json_make_bool(factor->is_used));
        json_set(object, "declared", json_make_bool(factor->type->kind == TYPE_INDEX));
        json_push(array, object);
    }
    return array;
}

static struct json *words_of_symmetry(const struct report *report)
{
    struct text words = {0};
    const struct report_style plain = {0};
    report_text_symmetry_used(report, true, &plain, &words);
    struct json *text = json_make_text(text_chars(&words));
    text_free(&words);
    return text;
}

static struct json *traces_to_json(const struct report *report, const struct lanes *lanes)
{
    struct json *array = json_make_array();
    if (report->is_shortened)
        return array;
    for (int wanted = VERDICT_VIOLATED; wanted >= VERDICT_HOLDS; wanted--) /* counterexamples before witnesses */
        for (size_t i = 0; i < report->result->system->properties.count; i++) {
            const struct property_result *property = &report->result->properties[i];
            if (report->result->checked[i] && property->trace && (int)property->verdict == wanted)
                json_push(array, page_trace(property, lanes));
        }
    for (size_t i = 0; i < report->result->system->properties.count; i++)
        if (report->result->checked[i] && report->result->properties[i].quantity.run.trace)
            json_push(array, page_scheduled_run(&report->result->properties[i], lanes));
    return array;
}

static struct json *property_file_to_json(const struct report *report)
{
    if (!report->property_source)
        return json_make_null();
    struct json *object = json_make_object();
    json_set(object, "path", json_make_text(report->property_source->path));
    json_set(object, "text", json_make_text(report->property_source->text));
    return object;
}

/* Properties that stand in this text; NULL: neither in the model nor in the file of properties (--property). */
static struct json *properties_of(const struct report *report, const struct source *source)
{
    struct json *array = json_make_array();
    for (size_t i = 0; i < report->result->system->properties.count; i++) {
        const struct property *property = report->result->system->properties.items[i];
        const struct source *own = property->span.source;
        bool is_known = own == report->source || own == report->property_source;
        if (property->span.line && (source ? own == source : !is_known))
            json_push(array, json_make_integer(property->id));
    }
    return array;
}

enum { MOST_CHOICES = 200 };

/* By the number of the property, where there is one. */
static struct json *schedulers_to_json(const struct report *report)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < report->result->system->properties.count; i++) {
        const struct quantity *quantity = &report->result->properties[i].quantity;
        if (!report->result->checked[i] || !quantity->scheduler.count || report->is_shortened)
            continue;
        struct json *object = json_make_object();
        json_set(object, "property", json_make_integer((int64_t)i));
        json_set(object, "count", json_make_count(quantity->scheduler.count));
        json_set(object, "choices", page_scheduler(quantity, MOST_CHOICES));
        json_push(list, object);
    }
    return list;
}

enum { MOST_LEVELS = 1000 };

/* Pairs of the states and when they were begun with; of deep searches several levels together. */
static struct json *levels_to_json(const struct statistics *statistics)
{
    struct json *object = json_make_object(), *list = json_make_array();
    size_t count = statistics->levels.count, together = (count + MOST_LEVELS - 1) / MOST_LEVELS;
    for (size_t i = 0; i < count; i += together) {
        uint64_t states = 0;
        for (size_t j = i; j < i + together && j < count; j++)
            states += statistics->levels.items[j].states;
        struct json *pair = json_make_array();
        json_push(pair, json_make_count(states));
        json_push(pair, json_make_real((double)(int64_t)(statistics->levels.items[i].seconds * 1e6) / 1e6));
        json_push(list, pair);
    }
    json_set(object, "count", json_make_count(count));
    json_set(object, "together", json_make_count(together));
    json_set(object, "items", list);
    return object;
}

static void add_result(const struct report *report, struct json *data)
{
    struct lanes lanes = {0};
    if (!report->is_shortened)
        lanes_find(report->layout, &lanes);
    json_set(data, "answer", answer_to_json(report, false));
    json_set(data, "levels", levels_to_json(&report->result->statistics));
    json_set(data, "words", words_of_symmetry(report));
    json_set(data, "knows_dead_rules", json_make_bool(style_knows_dead_rules(report)));
    json_set(data, "chain", json_make_bool(system_has_probabilities(report->result->system)));
    json_set(data, "faced", json_make_bool(report->layout->system->face != NULL));
    json_set(data, "elsewhere",
             report->property_source ? properties_of(report, report->property_source) : json_make_array());
    json_set(data, "schedulers", schedulers_to_json(report));
    json_set(data, "given", properties_of(report, NULL));
    json_set(data, "types", types_to_json(report->symmetry));
    json_set(data, "lanes", page_lanes(&lanes));
    json_set(data, "entries", page_entries(&lanes));
    json_set(data, "traces", traces_to_json(report, &lanes));
    lanes_free(&lanes);
}

/* When the page was made; a build that is to be repeated exactly says when (SOURCE_DATE_EPOCH). */
void page_date(struct text *out)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    time_t now = fixed ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
    struct tm parts;
    char date[40] = "";
    if (gmtime_r(&now, &parts))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &parts);
    text_append(out, date);
}

static struct json *date_to_json(void)
{
    struct text date = {0};
    page_date(&date);
    struct json *json = json_make_text(text_chars(&date));
    text_free(&date);
    return json;
}

static struct json *page_data(const struct report *report)
{
    struct json *data = json_make_object();
    json_set(data, "tool", json_make_text("noether " NOETHER_VERSION));
    json_set(data, "model", json_make_text(report->model));
    json_set(data, "date", date_to_json());
    json_set(data, "command", json_make_text(report->command));
    if (report->source)
        json_set(data, "hash", json_make_hash(hash_bytes(report->source->text, report->source->length)));
    json_set(data, "source", report->source ? json_make_text(report->source->text) : json_make_null());
    json_set(data, "language", json_make_text(report->language));
    json_set(data, "properties", property_file_to_json(report));
    json_set(data, "diagnostics", diagnostics_to_json(report));
    json_set(data, "refusal", json_make_text(report->refusal));
    if (report->result)
        add_result(report, data);
    return data;
}

/* Inside a script element only "<" could end it or begin a comment; in JSON it stands in strings only. */
static void append_data(const struct report *report, struct text *out)
{
    struct json *data = page_data(report);
    struct text plain = {0};
    json_print_within(data, true, &plain);
    json_free(data);
    for (const char *at = text_chars(&plain); *at;) {
        size_t length = strcspn(at, "<");
        text_append_n(out, at, length);
        at += length;
        if (*at) {
            text_append(out, "\\u003c");
            at++;
        }
    }
    text_free(&plain);
}

void page_escape(const char *chars, struct text *out)
{
    struct text plain = {0};
    text_printable(&plain, chars, strlen(chars));
    for (const char *c = text_chars(&plain); *c; c++) {
        if (*c == '<')
            text_append(out, "&lt;");
        else if (*c == '&')
            text_append(out, "&amp;");
        else
            text_char(out, *c);
    }
    text_free(&plain);
}

static void append_title(const struct report *report, struct text *out)
{
    static const char *const verdicts[] = {"every property holds", "violated", "not checked", "unknown"};
    const char *slash = strrchr(report->model, '/');
    struct span span;
    struct text words = {0};
    bool is_empty = report->result && report_nothing_checked(report, &span, &words);
    page_escape(slash ? slash + 1 : report->model, out);
    text_format(out, ": %s", verdicts[report->result && !is_empty ? result_exit_code(report->result) : 2]);
    text_free(&words);
}

/* The template names its parts: {{title}}, {{style}}, {{data}}, {{script}}. */
void report_page(const struct report *report, struct text *out)
{
    const char *at = page_template_text, *mark;
    while ((mark = strstr(at, "{{"))) {
        text_append_n(out, at, (size_t)(mark - at));
        if (!strncmp(mark, "{{title}}", 9))
            append_title(report, out);
        else if (!strncmp(mark, "{{style}}", 9))
            text_append(out, page_style_text);
        else if (!strncmp(mark, "{{data}}", 8))
            append_data(report, out);
        else
            text_append(out, page_script_text);
        at = strstr(mark, "}}") + 2;
    }
    text_append(out, at);
}
