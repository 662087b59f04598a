/* What may be a mistake in the model: as diagnostics say, and rules that never fire. */
#include <string.h>

#include "base/printable.h"
#include "ir/ctl.h"
#include "ir/language.h"
#include "report/style.h"

enum { MOST_WARNINGS = 8 }; /* without -v */

/* A rule that always fails does not fire, and is not dead. */
static bool has_failure(const struct result *result)
{
    for (size_t i = 0; i < result->system->properties.count; i++) {
        enum property_kind kind = result->system->properties.items[i]->kind;
        bool is_step = kind == PROPERTY_ASSERTION || kind == PROPERTY_ERROR || kind == PROPERTY_RUNTIME;
        if (is_step && result->properties[i].verdict == VERDICT_VIOLATED)
            return true;
    }
    return false;
}

static bool is_same_place(struct span a, struct span b)
{
    return a.source == b.source && a.line == b.line && a.column == b.column;
}

/* The rules of one statement are dead together, and the first one is told of. */
static bool is_dead_statement(const struct result *result, size_t number)
{
    for (size_t i = 0; i < result->system->rules.count; i++) {
        const struct rule *rule = result->system->rules.items[i];
        bool is_part = !rule->is_made && is_same_place(rule->span, result->system->rules.items[number]->span);
        if (is_part && (i < number || result->statistics.fired_by_rule[i]))
            return false;
    }
    return true;
}

bool report_dead_rule(const struct report *report, size_t number, struct text *out)
{
    const struct result *result = report->result;
    const struct rule *rule = result->system->rules.items[number],
                      *before = number ? result->system->rules.items[number - 1] : NULL;
    /* The outcomes of one choice are dead together. */
    bool is_same = before && result->system->language->outcomes_share_names && before->span.line == rule->span.line &&
                   !strcmp(before->name, rule->name);
    if (!style_knows_dead_rules(report) || result->statistics.fired_by_rule[number] || is_same || rule->is_made ||
        has_failure(result))
        return false;
    if (!result->system->language->statements_are_rules)
        text_format(out, "rule \"%s\" fires in no reachable state", rule->name);
    else if (is_dead_statement(result, number))
        text_format(out, "statement \"%s\" is executed in no reachable state", rule->name);
    return out->length > 0;
}

/* Why a property that holds says nothing; NULL: it says something. */
static const char *vacuity_of(const struct property_result *answer)
{
    const struct property *property = answer->property;
    const struct ctl *formula = property->ctl ? property->ctl : property->ltl;
    bool is_everywhere = true;
    if (answer->verdict != VERDICT_HOLDS)
        return NULL;
    if (answer->is_runless)
        return "is vacuous: no run of the model is fair, or goes on for ever";
    if (formula && !ctl_has_temporal(formula))
        return property->ctl ? "has no temporal operator: it is about the start states only; AG is about all states"
                             : "has no temporal operator: it is about the start states only; G is about all states";
    if (property->kind == PROPERTY_INVARIANT && property->formula->kind == EXPR_CONST)
        return "is vacuous: it is true whatever the state is";
    if (formula)
        ctl_antecedent(formula, &is_everywhere);
    if (!answer->is_vacuous)
        return NULL;
    if (is_everywhere)
        return "is vacuous: its antecedent is true in no reachable state";
    return property->ctl ? "is vacuous: without AG it is about the start states only, and there its antecedent is false"
                         : "is vacuous: without G it is about the start states only, and there its antecedent is false";
}

static bool warn_of_vacuity(const struct property_result *answer, struct text *out)
{
    const char *vacuity = vacuity_of(answer);
    if (vacuity)
        text_format(out, "%s \"%s\" %s", property_kind_name(answer->property->kind), answer->property->name, vacuity);
    return vacuity;
}

typedef void use_warning(void *user, size_t number, const struct diagnostic *warning);

/* Calls `use` for every warning; how many there are. */
static size_t each_warning(const struct report *report, use_warning *use, void *user)
{
    size_t count = 0;
    const struct system *system = report->result->system;
    if (report->warnings_are_off)
        return 0;
    for (size_t i = 0; report->diagnostics && i < report->diagnostics->count; i++)
        if (report->diagnostics->items[i].severity == SEVERITY_WARNING)
            use(user, count++, &report->diagnostics->items[i]);
    for (size_t i = 0; i < system->properties.count + system->rules.count; i++) {
        bool is_rule = i >= system->properties.count;
        size_t rule = i - system->properties.count;
        struct text words = {0};
        if (is_rule ? report_dead_rule(report, rule, &words) : warn_of_vacuity(&report->result->properties[i], &words))
            use(user, count++,
                &(struct diagnostic){SEVERITY_WARNING,
                                     is_rule ? system->rules.items[rule]->span : system->properties.items[i]->span,
                                     words.chars, NULL});
        text_free(&words);
    }
    return count;
}

static void count_only(void *user, size_t number, const struct diagnostic *warning)
{
    (void)user, (void)number, (void)warning;
}

size_t report_count_warnings(const struct report *report)
{
    return each_warning(report, count_only, NULL);
}

struct warning_lines {
    size_t most;
    const struct report_style *style;
    struct text *out;
};

static void print_line(void *user, size_t number, const struct diagnostic *warning)
{
    struct warning_lines *lines = user;
    struct text place = {0};
    if (number >= lines->most)
        return;
    text_append(lines->out, number ? "  " : "\n  ");
    style_paint(lines->style, COLOUR_DOUBT, lines->out, "%-9s", "warning");
    text_char(lines->out, ' ');
    text_printable(lines->out, warning->message, strlen(warning->message));
    style_place(warning->span, &place);
    if (place.length)
        style_paint(lines->style, COLOUR_FAINT, lines->out, "  (%s)", place.chars);
    if (warning->hint)
        text_format(lines->out, "\n            %s", warning->hint);
    text_char(lines->out, '\n');
    text_free(&place);
}

void report_text_warnings(const struct report *report, const struct report_style *style, struct text *out)
{
    struct warning_lines lines = {style->verbose ? SIZE_MAX : MOST_WARNINGS, style, out};
    size_t count = each_warning(report, print_line, &lines);
    if (count > lines.most)
        text_format(out, "            and %zu more (-v shows all, --warnings off none)\n", count - lines.most);
}

struct json *report_json_diagnostic(const struct diagnostic *item)
{
    struct json *object = json_make_object();
    json_set(object, "line", json_make_integer(item->span.line));
    json_set(object, "column", json_make_integer(item->span.column));
    json_set(object, "message", json_make_text(item->message));
    json_set(object, "hint", json_make_text(item->hint));
    return object;
}

static void push_warning(void *user, size_t number, const struct diagnostic *warning)
{
    (void)number;
    json_push(user, report_json_diagnostic(warning));
}

struct json *report_json_warnings(const struct report *report)
{
    struct json *list = json_make_array();
    each_warning(report, push_warning, list);
    return list;
}
