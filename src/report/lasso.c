#include "report/lasso.h"

#include <string.h>

#include "ir/fairness.h"
#include "report/style.h"
#include "result/explain_ctl.h"
#include "result/fair.h"

static bool is_temporal(const struct property_result *shown)
{
    const struct property *property = shown->property;
    return (property->ltl || property->ctl) && shown->trace && shown->trace->steps[shown->trace->count - 1].cells &&
           shown->fault.kind == FAULT_NONE && shown->verdict != VERDICT_UNKNOWN;
}

/* Of a formula of linear time: the run decides every part of it. */
static bool find_failure(const struct property_result *shown, struct text *out)
{
    if (!shown->property->ltl || shown->verdict != VERDICT_VIOLATED)
        return false;
    struct explanation *root = explain_ctl(shown->trace, shown->property->ltl, false);
    explain_fails(root, out);
    explanation_destroy(root);
    return true;
}

/* "weak fairness of Proc" */
static void print_requirement(const struct fair_event *event, struct text *out)
{
    fairness_print(event->fairness, out);
}

/* "p: Proc_1, q: Proc_2" */
static void print_values(const struct fair_event *event, struct text *out)
{
    for (uint32_t v = 0; v < event->fairness->variable_count; v++) {
        text_format(out, "%s%s: ", v ? ", " : "", event->fairness->variables[v]->name);
        type_print_value(event->fairness->variables[v]->type, event->values[v], out);
    }
}

static const char *const how_words[] = {
    [FAIR_FREE] = "nothing obliges it",
    [FAIR_MOVES] = "moves in step",
    [FAIR_CANNOT_MOVE] = "cannot move after step",
    [FAIR_IS_TRUE] = "true after step",
};

static void print_event(const struct fair_event *event, struct text *out)
{
    print_requirement(event, out);
    text_append(out, event->fairness->variable_count ? " (" : "");
    print_values(event, out);
    text_format(out, "%s: %s", event->fairness->variable_count ? ")" : "", how_words[event->how]);
    if (event->how != FAIR_FREE)
        text_format(out, " %u", (unsigned)event->step);
}

/* --- text --- */

static const char lasso_indent[] = "         ";
enum { LASSO_EVENTS = 40 }; /* lines at most */

static void print_lines(const char *lines, const struct report_style *style, struct text *out)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        style_paint(style, COLOUR_FAINT, out, "%s  %.*s\n", lasso_indent, (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

void lasso_print(const struct property_result *shown, const struct report_style *style, struct text *out)
{
    struct text words = {0};
    struct fair_events events = {0};
    if (!is_temporal(shown))
        return;
    if (find_failure(shown, &words))
        style_paint(style, COLOUR_FAINT, out, "%swhat fails: %s\n", lasso_indent, words.chars);
    fair_find_events(shown->trace, &events);
    for (size_t i = 0; i < events.items.count && i < LASSO_EVENTS; i++) {
        text_clear(&words);
        print_event(&events.items.items[i], &words);
        style_paint(style, COLOUR_FAINT, out, "%s%s\n", lasso_indent, words.chars);
    }
    if (events.items.count > LASSO_EVENTS)
        style_paint(style, COLOUR_FAINT, out, "%sand %zu more requirements (--json has all)\n", lasso_indent,
                    events.items.count - LASSO_EVENTS);
    if (shown->trace->automaton) {
        style_paint(style, COLOUR_FAINT, out, "%sautomaton of the negation:\n", lasso_indent);
        print_lines(shown->trace->automaton, style, out);
    }
    fair_free_events(&events);
    text_free(&words);
}

/* --- JSON --- */

static struct json *event_to_json(const struct fair_event *event)
{
    static const char *const names[] = {
        [FAIR_FREE] = "free", [FAIR_MOVES] = "moves", [FAIR_CANNOT_MOVE] = "disabled", [FAIR_IS_TRUE] = "true"};
    struct json *object = json_make_object();
    struct text words = {0};
    print_requirement(event, &words);
    json_set(object, "requirement", json_make_text(text_chars(&words)));
    text_clear(&words);
    print_values(event, &words);
    json_set(object, "values", json_make_text(text_chars(&words)));
    json_set(object, "how", json_make_text(names[event->how]));
    json_set(object, "step", event->how == FAIR_FREE ? json_make_null() : json_make_integer(event->step));
    text_free(&words);
    return object;
}

static struct json *automaton_to_json(const struct trace *trace)
{
    struct json *object = json_make_object(), *lines = json_make_array(), *places = json_make_array();
    for (const char *line = trace->automaton; *line;) {
        size_t length = strcspn(line, "\n");
        struct text one = {0};
        text_format(&one, "%.*s", (int)length, line);
        json_push(lines, json_make_text(text_chars(&one)));
        text_free(&one);
        line += length + (line[length] == '\n');
    }
    struct trace *made;
    const struct trace *flat = trace_show(trace, &made);
    for (uint32_t i = 0; i < flat->count; i++)
        json_push(places, json_make_integer(flat->places[i]));
    trace_destroy(made);
    json_set(object, "states", lines);
    json_set(object, "run", places);
    return object;
}

void lasso_to_json(const struct property_result *shown, struct json *object)
{
    struct text words = {0};
    struct fair_events events = {0};
    if (!is_temporal(shown))
        return;
    if (find_failure(shown, &words))
        json_set(object, "fails", json_make_text(words.chars));
    text_free(&words);
    fair_find_events(shown->trace, &events);
    struct json *list = json_make_array();
    for (size_t i = 0; i < events.items.count; i++)
        json_push(list, event_to_json(&events.items.items[i]));
    json_set(object, "fairness", list);
    if (shown->trace->automaton)
        json_set(object, "automaton", automaton_to_json(shown->trace));
    fair_free_events(&events);
}
