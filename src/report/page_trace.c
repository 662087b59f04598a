#include <string.h>

#include "base/watch.h"
#include "ir/chain.h"
#include "ir/ctl.h"
#include "ir/face.h"
#include "ir/instance.h"
#include "ir/written.h"
#include "report/lasso.h"
#include "report/messages.h"
#include "report/page.h"
#include "report/value.h"
#include "result/explain_ctl.h"
#include "result/onward.h"

enum { MOST_STEPS_ONWARD = 60 };

static struct json *text_to_json(struct text *text)
{
    struct json *value = json_make_text(text_chars(text));
    text_free(text);
    return value;
}

struct json *page_lanes(const struct lanes *lanes)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < lanes->lanes.count && !watch_cuts(); i++) {
        const struct lane *lane = &lanes->lanes.items[i];
        struct json *object = json_make_object();
        struct text name = {0}, type = {0};
        lanes_print_name(lanes, (int32_t)i, &name);
        if (lane->process)
            text_append(&type, lane->process->kind);
        else
            type_print(lane->type, &type);
        json_set(object, "name", text_to_json(&name));
        json_set(object, "type", text_to_json(&type));
        json_push(list, object);
    }
    return list;
}

struct json *page_entries(const struct lanes *lanes)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < lanes->entries.count && !watch_cuts(); i++) {
        struct json *pair = json_make_array();
        json_push(pair, json_make_text(lanes->entries.items[i].name));
        json_push(pair, json_make_integer(lanes->entries.items[i].lane));
        json_push(list, pair);
    }
    return list;
}

static struct json *messages_to_json(const struct trace *trace, const struct lanes *lanes)
{
    struct messages messages = {0};
    struct json *list = json_make_array();
    messages_find(trace, lanes, &messages);
    for (size_t i = 0; i < messages.items.count && !watch_cuts(); i++) {
        const struct message *message = &messages.items.items[i];
        bool is_in_sight = message->sent >= 0 && page_has_step(trace, (uint32_t)message->sent);
        if (!is_in_sight || (message->has_receiver && message->from == message->to))
            continue;
        struct json *object = json_make_object();
        json_set(object, "from", json_make_integer(message->from));
        json_set(object, "to", message->has_receiver ? json_make_integer(message->to) : json_make_null());
        json_set(object, "sent", json_make_integer(message->sent));
        json_set(object, "received",
                 message->received == MESSAGE_PENDING ? json_make_null() : json_make_integer(message->received));
        json_set(object, "label", json_make_text(message->label));
        json_set(object, "text", json_make_text(message->text));
        json_push(list, object);
    }
    messages_free(&messages);
    return list;
}

static struct json *explanation_to_json(const struct explanation *node)
{
    struct json *object = json_make_object(), *terms = json_make_array(), *parts = json_make_array();
    json_set(object, "text", json_make_text(node->text));
    json_set(object, "outcome", json_make_text(explanation_outcome_name(node->outcome)));
    json_set(object, "value", json_make_text(node->value));
    if (node->has_step)
        json_set(object, "step", json_make_integer(node->step));
    if (node->note)
        json_set(object, "note", json_make_text(node->note));
    if (node->variable) {
        json_set(object, "variable", json_make_text(node->variable->name));
        json_set(object, "witness", json_make_text(node->witness));
    }
    for (uint32_t i = 0; i < node->term_count; i++) {
        struct json *term = json_make_array();
        json_push(term, json_make_text(node->terms[i].name));
        json_push(term, json_make_text(node->terms[i].value));
        json_push(terms, term);
    }
    for (uint32_t i = 0; i < node->part_count; i++)
        json_push(parts, explanation_to_json(node->parts[i]));
    json_set(object, "terms", terms);
    json_set(object, "parts", parts);
    if (node->omitted)
        json_set(object, "omitted", json_make_count(node->omitted));
    return object;
}

static struct json *explain_end(const struct property_result *shown)
{
    const struct trace_step *last = &shown->trace->steps[shown->trace->count - 1];
    const struct property *property = shown->property;
    const struct ctl *formula = property->ctl ? property->ctl : property->ltl;
    if ((!property->formula && !formula) || !last->cells)
        return json_make_null();
    struct explanation *root = formula ? explain_ctl(shown->trace, formula, shown->verdict == VERDICT_HOLDS)
                                       : explain_formula(shown->trace->layout, property->formula, last->cells);
    struct json *object = explanation_to_json(root);
    explanation_destroy(root);
    return object;
}

enum { MOST_RULES = 30 };

/* For a deadlock: why the first instance of each rule cannot be taken (null: it can, and changes nothing). */
static struct json *explain_stuck(const struct property_result *shown)
{
    const struct trace *trace = shown->trace;
    const int32_t *cells = trace->steps[trace->count - 1].cells;
    if (shown->property->kind != PROPERTY_DEADLOCK || !cells)
        return json_make_null();
    struct json *list = json_make_array();
    for (size_t i = 0; i < trace->system->rules.count && i < MOST_RULES && !watch_cuts(); i++) {
        const struct rule *rule = trace->system->rules.items[i];
        struct explanation *root = explain_guard(trace->layout, rule, 0, cells);
        struct json *object = json_make_object();
        struct text name = {0};
        instance_print(rule, 0, &name);
        json_set(object, "rule", text_to_json(&name));
        json_set(object, "line", json_make_integer(rule->span.line));
        json_set(object, "guard",
                 root && root->outcome != EXPLAINED_TRUE ? explanation_to_json(root) : json_make_null());
        json_push(list, object);
        explanation_destroy(root);
    }
    return list;
}

/* As people write it. */
static struct json *formula_of(const struct system *system, const struct property *property)
{
    struct text formula = {0};
    if (property->ctl || property->ltl)
        written_print_ctl(system, property->ctl ? property->ctl : property->ltl, &formula);
    else if (property->formula)
        written_print(system, property->formula, &formula);
    struct json *text = formula.chars ? json_make_text(formula.chars) : json_make_null();
    text_free(&formula);
    return text;
}

static struct json *run_to_json(const struct property_result *shown, const struct trace *real,
                                const struct lanes *lanes)
{
    struct json *object = json_make_object();
    struct text claim = {0}, ending = {0};
    struct trace *made;
    const struct trace *run = trace_show(real, &made);
    uint32_t end = trace_number(shown->trace, shown->trace->count - 1);
    report_text_claim(shown, &claim);
    if (run->steps[end].cells)
        report_text_ending(shown, &ending);
    json_set(object, "property", json_make_integer(shown->property->id));
    json_set(object, "claim", text_to_json(&claim));
    json_set(object, "formula", formula_of(shown->trace->system, shown->property));
    json_set(object, "ending", ending.chars ? json_make_text(ending.chars) : json_make_null());
    json_set(object, "end", json_make_integer(end));
    json_set(object, "loop", run->has_loop ? json_make_integer(run->loop) : json_make_null());
    lasso_to_json(shown, object);
    page_steps(run, lanes, object);
    json_set(object, "messages", messages_to_json(run, lanes));
    json_set(object, "explanation", explain_end(shown));
    json_set(object, "stuck", explain_stuck(shown));
    text_free(&ending);
    trace_destroy(made);
    return object;
}

/* The run that a quantity comes from: how likely each step is, too. */
struct json *page_scheduled_run(const struct property_result *shown, const struct lanes *lanes)
{
    const struct scheduled_run *run = &shown->quantity.run;
    struct property_result own = *shown;
    own.trace = run->trace;
    struct json *object = run_to_json(&own, run->trace, lanes), *chances = json_make_array();
    struct text claim = {0};
    bool is_scheduled = run->trace->system->chain->kind == CHAIN_MDP;
    text_format(&claim, "the most likely run to the goal of %s%s", shown->property->name,
                is_scheduled ? ", under a scheduler that attains the value" : "");
    for (uint32_t i = 0; i < run->trace->count; i++)
        if (page_has_step(run->trace, i))
            json_push(chances, json_make_real(run->chances[i]));
    json_set(object, "claim", text_to_json(&claim));
    json_set(object, "ending", run->is_cut ? json_make_text("and so on") : json_make_null());
    json_set(object, "chances", chances);
    json_set(object, "chance", json_make_real(run->chance));
    json_set(object, "is_cut", json_make_bool(run->is_cut));
    return object;
}

/* What a scheduler does: the state on a line, the choice, its line; at most `most` of them. */
struct json *page_scheduler(const struct quantity *quantity, size_t most)
{
    struct json *list = json_make_array();
    for (size_t i = 0; i < quantity->scheduler.count && i < most && !watch_cuts(); i++) {
        const struct scheduled_choice *choice = &quantity->scheduler.items[i];
        struct json *row = json_make_array();
        struct value_lines lines = {0};
        struct text state = {0};
        value_list_state(quantity->layout, choice->cells, true, &lines);
        for (size_t k = 0; k < lines.items.count; k++)
            text_format(&state, "%s%s = %s", k ? ", " : "", lines.items.items[k].name, lines.items.items[k].value);
        json_push(row, text_to_json(&state));
        json_push(row, json_make_text(choice->rule->name));
        json_push(row, json_make_integer(choice->rule->span.line));
        json_push(list, row);
        value_free_lines(&lines);
    }
    return list;
}

struct json *page_trace(const struct property_result *shown, const struct lanes *lanes)
{
    bool goes_on = shown->property->kind == PROPERTY_LIVENESS && shown->verdict == VERDICT_VIOLATED;
    struct trace *onward = goes_on ? trace_onward(shown->trace, MOST_STEPS_ONWARD) : NULL;
    struct json *object = run_to_json(shown, onward ? onward : shown->trace, lanes);
    trace_destroy(onward);
    return object;
}
