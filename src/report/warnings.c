/* What may be a mistake in the model: as diagnostics say, and rules that never fire. */
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/vec.h"
#include "exec/conditions.h"
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

/* By property: which leave out every start state; where none does so by itself, which leave out some. *is_each: the
 * former. */
static bool *cutting_assumptions(const struct system *system, bool *is_each)
{
    size_t count = system->properties.count;
    enum condition_cut *cuts = memory_zeroed(count + 1, sizeof *cuts);
    bool *is_named = memory_zeroed(count + 1, sizeof *is_named);
    struct layout *layout = layout_create(system);
    struct stepper *judge = stepper_create_evaluator(system, layout);
    conditions_cut(judge, cuts);
    stepper_destroy(judge);
    layout_destroy(layout);
    *is_each = false;
    for (size_t i = 0; i < count; i++)
        *is_each |= cuts[i] == CUTS_ALL;
    for (size_t i = 0; i < count; i++)
        is_named[i] = *is_each ? cuts[i] == CUTS_ALL : cuts[i] == CUTS_SOME;
    free(cuts);
    return is_named;
}

/* One of several start states breaks this, another that, or each breaks all that are named. */
static const char *breach_words(size_t count, bool is_each)
{
    return count == 1 ? "assumption" : is_each ? "each of the assumptions" : "one of the assumptions";
}

bool report_nothing_checked(const struct report *report, struct span *span, struct text *out)
{
    const struct result *result = report->result;
    const struct system *system = result->system;
    size_t count = 0;
    bool is_failing = false; /* a start state fails */
    for (size_t i = 0; i < system->properties.count; i++)
        is_failing |= result->properties[i].verdict == VERDICT_VIOLATED;
    if (!style_has_no_state(report) || !system_has_assumptions(system) || is_failing)
        return false;
    struct text names = {0};
    bool is_each, *is_named = cutting_assumptions(system, &is_each);
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (!is_named[i])
            continue;
        *span = count ? *span : property->span;
        text_format(&names, "%s\"%s\"", count++ ? ", " : "", property->name);
    }
    text_format(out, "every start state breaks %s %s: nothing was checked", breach_words(count, is_each),
                text_chars(&names));
    text_free(&names);
    free(is_named);
    return true;
}

struct warning {
    struct diagnostic item;
    size_t number; /* as they were found */
};

typedef VEC(struct warning) warnings;

static void add_warning(warnings *list, enum warning_kind kind, struct span span, const char *message, const char *hint)
{
    struct diagnostic item = {SEVERITY_WARNING, span, memory_string(message), hint ? memory_string(hint) : NULL, kind};
    struct warning warning = {item, list->count};
    VEC_PUSH(list, warning);
}

static void free_warnings(warnings *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].item.message);
        free(list->items[i].item.hint);
    }
    VEC_FREE(list);
}

static int compare_files(const struct source *a, const struct source *b)
{
    if (a == b || !a || !b)
        return !!a - !!b;
    return strcmp(a->path, b->path);
}

/* The most important first: of many only the first are shown. Those about names are equally unimportant. */
static int rank_of(enum warning_kind kind)
{
    switch (kind) {
    case WARNING_READING:
    case WARNING_UNDEFINED:
        return 0;
    case WARNING_ASSUMPTION:
        return 1;
    case WARNING_VACUOUS:
        return 2;
    case WARNING_DEAD_RULE:
        return 3;
    case WARNING_UNUSED:
    case WARNING_HIDES:
        return 4;
    }
    UNREACHABLE("kind of warning");
}

/* By rank; then by place. */
static int compare_warnings(const void *left, const void *right)
{
    const struct warning *a = left, *b = right;
    const struct span *s = &a->item.span, *t = &b->item.span;
    int files = compare_files(s->source, t->source), ranks = rank_of(a->item.kind) - rank_of(b->item.kind);
    if (ranks)
        return ranks;
    if (files)
        return files;
    if (s->line != t->line)
        return s->line < t->line ? -1 : 1;
    if (s->column != t->column)
        return s->column < t->column ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void collect_vacuity_and_rules(const struct report *report, warnings *list)
{
    const struct system *system = report->result->system;
    for (size_t i = 0; i < system->properties.count + system->rules.count; i++) {
        bool is_rule = i >= system->properties.count;
        size_t rule = i - system->properties.count;
        struct text words = {0};
        if (is_rule ? report_dead_rule(report, rule, &words) : warn_of_vacuity(&report->result->properties[i], &words))
            add_warning(list, is_rule ? WARNING_DEAD_RULE : WARNING_VACUOUS,
                        is_rule ? system->rules.items[rule]->span : system->properties.items[i]->span, words.chars,
                        NULL);
        text_free(&words);
    }
}

/* The most important first. Where nothing was checked, it goes without saying that nothing happened. */
static warnings collect(const struct report *report)
{
    warnings list = {0};
    struct text words = {0};
    struct span span = {0};
    if (report->warnings_are_off)
        return list;
    for (size_t i = 0; report->diagnostics && i < report->diagnostics->count; i++) {
        const struct diagnostic *item = &report->diagnostics->items[i];
        if (item->severity == SEVERITY_WARNING)
            add_warning(&list, item->kind, item->span, item->message, item->hint);
    }
    if (report_nothing_checked(report, &span, &words))
        add_warning(&list, WARNING_ASSUMPTION, span, words.chars, NULL);
    else
        collect_vacuity_and_rules(report, &list);
    text_free(&words);
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, compare_warnings);
    return list;
}

size_t report_count_warnings(const struct report *report)
{
    warnings list = collect(report);
    size_t count = list.count;
    free_warnings(&list);
    return count;
}

static void print_line(const struct diagnostic *warning, const struct report_style *style, struct text *out)
{
    struct text place = {0};
    text_append(out, "  ");
    style_paint(style, COLOUR_DOUBT, out, "%-9s", "warning");
    text_char(out, ' ');
    text_printable(out, warning->message, strlen(warning->message));
    style_place(warning->span, &place);
    if (place.length)
        style_paint(style, COLOUR_FAINT, out, "  (%s)", place.chars);
    if (warning->hint)
        text_format(out, "\n            %s", warning->hint);
    text_char(out, '\n');
    text_free(&place);
}

void report_text_warnings(const struct report *report, const struct report_style *style, struct text *out)
{
    warnings list = collect(report);
    size_t most = style->verbose || list.count < MOST_WARNINGS ? list.count : MOST_WARNINGS;
    text_append(out, list.count ? "\n" : "");
    for (size_t i = 0; i < most; i++)
        print_line(&list.items[i].item, style, out);
    if (list.count > most)
        text_format(out, "            and %zu more (-v shows all, --warnings off none)\n", list.count - most);
    free_warnings(&list);
}

void report_new_warnings(const struct report *report, struct text *lines)
{
    static const struct report_style plain;
    warnings list = collect(report);
    for (size_t i = 0; i < list.count; i++) {
        struct text line = {0};
        print_line(&list.items[i].item, &plain, &line);
        if (!strstr(text_chars(lines), line.chars))
            text_append(lines, line.chars);
        text_free(&line);
    }
    free_warnings(&list);
}

static const char *kind_name(enum warning_kind kind)
{
    static const char *const names[] = {
        [WARNING_READING] = "reading", [WARNING_UNDEFINED] = "undefined", [WARNING_ASSUMPTION] = "assumption",
        [WARNING_VACUOUS] = "vacuous", [WARNING_DEAD_RULE] = "dead-rule", [WARNING_UNUSED] = "unused",
        [WARNING_HIDES] = "hides"};
    return names[kind];
}

struct json *report_json_diagnostic(const struct diagnostic *item)
{
    struct json *object = json_make_object();
    json_set(object, "kind", json_make_text(item->severity == SEVERITY_WARNING ? kind_name(item->kind) : NULL));
    json_set(object, "line", json_make_integer(item->span.line));
    json_set(object, "column", json_make_integer(item->span.column));
    json_set(object, "message", json_make_text(item->message));
    json_set(object, "hint", json_make_text(item->hint));
    return object;
}

struct json *report_json_warnings(const struct report *report)
{
    struct json *array = json_make_array();
    warnings list = collect(report);
    for (size_t i = 0; i < list.count; i++)
        json_push(array, report_json_diagnostic(&list.items[i].item));
    free_warnings(&list);
    return array;
}
