#include "report/exchange.h"

#include <string.h>

#include "base/watch.h"
#include "report/csv.h"

/* --- a table: a line for each step, a column for each variable that is ever there --- */

struct csv_columns {
    VEC(const char *) names; /* the keys of `is_known`, in the order in which they were met */
    struct json *is_known;
};

static void note_column(void *user, const char *key, const struct json *value)
{
    (void)value;
    struct csv_columns *columns = user;
    if (json_get(columns->is_known, key))
        return;
    json_set(columns->is_known, key, json_make_bool(true));
    VEC_PUSH(&columns->names, key);
}

/* Only states that have more than those before are asked for their names. */
static void find_columns(const struct json *steps, struct csv_columns *columns)
{
    size_t most = 0;
    for (size_t i = 0; i < json_size(steps) && !watch_cuts(); i++) {
        const struct json *state = json_get(json_item(steps, i), "state");
        bool is_known = json_size(state) <= most;
        for (size_t c = 0, found = 0; is_known && c < columns->names.count; c++) {
            found += json_get(state, columns->names.items[c]) != NULL;
            is_known = c + 1 < columns->names.count || found == json_size(state);
        }
        if (!is_known || !i)
            json_each(state, note_column, columns);
        most = columns->names.count;
    }
}

static void print_plain(const struct json *value, struct text *out)
{
    struct text text = {0};
    if (json_read_text(value))
        text_append(&text, json_read_text(value));
    else if (json_kind(value) != JSON_KIND_NULL && value)
        json_print_compact(value, &text);
    csv_field(text_chars(&text), out);
    text_free(&text);
}

static void print_parameters(const struct json *list, struct text *out)
{
    struct text text = {0}, value = {0};
    for (size_t i = 0; i < json_size(list); i++) {
        const struct json *given = json_get(json_item(list, i), "value");
        text_clear(&value);
        if (!json_read_text(given))
            json_print_compact(given, &value);
        text_format(&text, "%s%s=%s", i ? " " : "", json_read_text(json_get(json_item(list, i), "name")),
                    json_read_text(given) ? json_read_text(given) : text_chars(&value));
    }
    csv_field(text_chars(&text), out);
    text_free(&text);
    text_free(&value);
}

static void print_csv(const struct json *steps, struct text *out)
{
    struct csv_columns columns = {.is_known = json_make_object()};
    find_columns(steps, &columns);
    text_append(out, "step,rule,parameters,fault");
    for (size_t c = 0; c < columns.names.count; c++) {
        text_char(out, ',');
        csv_field(columns.names.items[c], out);
    }
    text_append(out, "\r\n");
    for (size_t i = 0; i < json_size(steps) && !watch_cuts(); i++) {
        const struct json *step = json_item(steps, i), *shown = json_get(step, "step");
        text_format(out, "%zu,", i);
        print_plain(shown ? shown : json_get(step, "rule"), out);
        text_char(out, ',');
        print_parameters(json_get(step, "parameters"), out);
        text_char(out, ',');
        print_plain(json_get(json_get(step, "fault"), "message"), out);
        for (size_t c = 0; c < columns.names.count && !watch_cuts(); c++) {
            text_char(out, ',');
            print_plain(json_get(json_get(step, "state"), columns.names.items[c]), out);
        }
        text_append(out, "\r\n");
    }
    VEC_FREE(&columns.names);
    json_free(columns.is_known);
}

/* Do names like a[1].b say what is a part of what? Not where the language gives names of its own. */
static bool names_nest(const struct system *system)
{
    if (system->face)
        return false;
    for (size_t i = 0; i < system->globals.count; i++) {
        const struct variable *variable = system->globals.items[i];
        bool has_other_names = variable->element_names && !variable->is_gathered;
        if (has_other_names || type_has_multiset(variable->type))
            return false; /* a slot of a multiset is a part and a name of parts */
    }
    return true;
}

void exchange_print(const struct report *report, const struct property_result *shown, enum trace_form form,
                    struct text *out)
{
    if (form == TRACE_FORM_SHIVIZ) {
        exchange_print_shiviz(shown, out);
        return;
    }
    if (form == TRACE_FORM_MERMAID || form == TRACE_FORM_PLANTUML) {
        exchange_print_sequence(shown, form == TRACE_FORM_PLANTUML, out);
        return;
    }
    struct json *document = report_json_trace_file(report, shown);
    if (form == TRACE_FORM_CSV) {
        print_csv(json_get(json_get(document, "result"), "trace"), out);
    } else if (form == TRACE_FORM_ITF) {
        struct json *itf = itf_from_trace_file(document, names_nest(shown->trace->system));
        json_print_within(itf, false, out);
        json_free(itf);
    } else {
        json_print_within(document, false, out);
    }
    json_free(document);
}
