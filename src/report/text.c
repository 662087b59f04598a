#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "ir/language.h"
#include "ir/pctl.h"
#include "report/lasso.h"
#include "report/style.h"
#include "report/text_figures.h"
#include "report/text_states.h"

const struct property_result *report_main_trace(const struct result *result)
{
    const struct property_result *found = NULL;
    for (size_t i = 0; i < result->system->properties.count; i++) {
        const struct property_result *property = &result->properties[i];
        if (!result->checked[i] || !property->trace)
            continue;
        if (property->verdict == VERDICT_VIOLATED)
            return property;
        found = found ? found : property;
    }
    return found;
}

void report_text_ending(const struct property_result *property, struct text *out)
{
    struct text name = {0}, reason = {0};
    style_property(property->property, &name);
    if (property->reason) /* it may be that of a trace file */
        text_printable(&reason, property->reason, strlen(property->reason));
    if (property->property->kind == PROPERTY_DEADLOCK)
        text_append(out, property->trace && !property->trace->system->language->loops_move
                             ? "from here no rule leads to another state"
                             : "from here nothing can move");
    else if (property->property->kind == PROPERTY_LIVENESS)
        text_format(out, "from here on, never again: %s", name.chars);
    else if ((property->property->kind == PROPERTY_CTL || property->property->kind == PROPERTY_LTL) &&
             property->reason && property->fault.kind == FAULT_NONE)
        text_append(out, text_chars(&reason));
    else if (property->reason && (property->fault.kind != FAULT_NONE || !property->property->formula))
        text_format(out, "here %s", text_chars(&reason));
    else if (property->verdict == VERDICT_HOLDS)
        text_format(out, "here it is met: %s", name.chars);
    else
        text_format(out, "here it is false: %s", name.chars);
    if (property->verdict == VERDICT_VIOLATED)
        report_text_undefined(property, out);
    text_free(&name);
    text_free(&reason);
}

static void print_end(const struct property_result *property, const struct report_style *style, struct text *out)
{
    struct text ending = {0};
    if (property->property->kind == PROPERTY_RUNTIME && property->fault.kind != FAULT_NONE) {
        report_text_fault(&property->fault, style, out);
        return;
    }
    report_text_ending(property, &ending);
    text_append(out, "         ");
    style_paint(style, property->verdict == VERDICT_HOLDS ? COLOUR_GOOD : COLOUR_BAD, out, "%s", ending.chars);
    text_char(out, '\n');
    text_free(&ending);
}

void report_text_claim(const struct property_result *property, struct text *out)
{
    bool is_violated = property->verdict == VERDICT_VIOLATED;
    if (property->verdict == VERDICT_UNKNOWN) {
        text_append(out, "a run of the model");
    } else if (property->property->kind == PROPERTY_DEADLOCK || property->property->kind == PROPERTY_RUNTIME) {
        text_append(out, property->property->kind == PROPERTY_DEADLOCK ? "deadlock" : "run-time error");
    } else {
        text_append(out, is_violated ? "counterexample to " : "witness of ");
        style_property(property->property, out);
    }
}

void report_text_evidence(const struct property_result *property, const struct report_style *style, struct text *out)
{
    struct text title = {0};
    report_text_claim(property, &title);
    style_paint(style, COLOUR_STRONG, out, "%s", title.chars);
    text_append(out, " (");
    style_plural(property->trace->count - 1, "step", out);
    text_append(out, ")\n");
    report_text_trace(property->trace, style, out);
    if (property->trace->steps[property->trace->count - 1].cells && property->verdict != VERDICT_UNKNOWN)
        print_end(property, style, out);
    if (style->verbose)
        lasso_print(property, style, out);
    text_free(&title);
}

/* The witness of a cover, and the likeliest run of a quantity, are shown only with -v; that of what is true or false
 * over paths is there only when the user wants it. */
static bool is_shown(const struct property_result *property, const struct report_style *style)
{
    const struct pctl *formula = property->property->pctl;
    return property->verdict == VERDICT_VIOLATED || property->property->kind == PROPERTY_CTL ||
           (formula && !formula->is_number) || style->verbose;
}

static void print_end_hint(const struct language *language, const struct property *deadlock,
                           const struct report_style *style, struct text *out)
{
    bool has_final = deadlock->formula && !language->may_end;
    if (has_final)
        style_paint(style, COLOUR_FAINT, out, "         no final condition is true here%s%s%s\n",
                    deadlock->finals ? " (" : "", deadlock->finals ? deadlock->finals : "",
                    deadlock->finals ? ")" : "");
    style_paint(style, COLOUR_FAINT, out, "         if it may end here%s: %s, or `--deadlock off`\n",
                has_final ? ", too" : "",
                language->may_end          ? language->may_end
                : language->declares_final ? "`final CONDITION;` in the model, `--final CONDITION`"
                                           : "`--final CONDITION`");
}

static void print_counterexamples(const struct result *result, const struct report_style *style, struct text *out)
{
    for (size_t i = 0; i < result->system->properties.count; i++) {
        const struct property_result *property = &result->properties[i];
        if (!result->checked[i] || !property->trace || !is_shown(property, style))
            continue;
        text_char(out, '\n');
        report_text_evidence(property, style, out);
        if (property->property->kind == PROPERTY_DEADLOCK)
            print_end_hint(result->system->language, property->property, style, out);
        if (!strcmp(result->engine, "complete") && property->trace->count > 2)
            style_paint(style, COLOUR_FAINT, out,
                        "         not a shortest run: --engine explicit finds one, where it ends\n");
    }
}

/* A number was asked for: it is computed, and neither true nor false. */
static bool is_number(const struct property_result *property)
{
    return property->property->pctl && property->property->pctl->is_number;
}

static void print_verdict(const struct property_result *property, const struct report_style *style, struct text *out)
{
    bool is_cover = property->property->kind == PROPERTY_COVER;
    text_append(out, "  ");
    switch (property->verdict) {
    case VERDICT_HOLDS:
        style_paint(style, COLOUR_GOOD, out, "%-9s", is_cover ? "met" : is_number(property) ? "value" : "ok");
        break;
    case VERDICT_VIOLATED:
        style_paint(style, COLOUR_BAD, out, "%-9s", is_cover ? "not met" : "violated");
        break;
    case VERDICT_UNKNOWN:
        style_paint(style, COLOUR_DOUBT, out, "%-9s", "unknown");
        break;
    }
    text_char(out, ' ');
}

enum { MOST_STATEMENTS = 6, WIDEST_NAME = 64, VERDICT_INDENT = 12 };

static bool is_foldable(const struct result *result, size_t id)
{
    enum property_kind kind = result->properties[id].property->kind;
    return result->checked[id] && (kind == PROPERTY_ASSERTION || kind == PROPERTY_ERROR) &&
           result->properties[id].verdict != VERDICT_VIOLATED;
}

/* Models have hundreds of assertions; those that are not violated are only counted, unless -v. */
static bool folds_statements(const struct result *result, const struct report_style *style)
{
    size_t statements = 0;
    for (size_t i = 0; i < result->system->properties.count; i++)
        statements += is_foldable(result, i);
    return statements > MOST_STATEMENTS && !style->verbose;
}

static bool is_listed(const struct result *result, size_t id, bool fold)
{
    return result->checked[id] && !(fold && is_foldable(result, id));
}

static void print_folded(const struct result *result, enum verdict verdict, const struct report_style *style,
                         struct text *out)
{
    const struct property_result *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < result->system->properties.count; i++) {
        if (!is_foldable(result, i) || result->properties[i].verdict != verdict)
            continue;
        first = first ? first : &result->properties[i];
        count++;
    }
    if (!first)
        return;
    print_verdict(first, style, out);
    style_plural(count, "assertion and error statement", out);
    if (first->reason)
        text_format(out, "  %s", first->reason);
    text_char(out, '\n');
}

static size_t name_width(const struct result *result, bool fold)
{
    size_t width = 0;
    struct text name = {0};
    for (size_t i = 0; i < result->system->properties.count; i++) {
        if (!is_listed(result, i, fold))
            continue;
        text_clear(&name);
        style_property(result->system->properties.items[i], &name);
        if (name.length > width)
            width = name.length;
    }
    text_free(&name);
    return width < WIDEST_NAME ? width : WIDEST_NAME;
}

/* The last line says why the whole search stopped; it need not stand beside each property. */
static bool is_said_below(const struct result *result, const struct property_result *property)
{
    return property->verdict == VERDICT_UNKNOWN && property->stop != STOP_NONE && property->stop == result->stop.kind &&
           !result->is_complete;
}

static void print_property(const struct result *result, const struct property_result *property, size_t width,
                           const struct report_style *style, struct text *out)
{
    struct text name = {0}, place = {0}, line = {0};
    style_property(property->property, &name);
    style_place(property->property->span, &place);
    print_verdict(property, style, out);
    if (property->has_value && property->verdict != VERDICT_VIOLATED) {
        text_format(&line, "%-*s  ", (int)width, name.chars);
        style_value(property, &line);
    } else if (property->reason && !is_said_below(result, property))
        text_format(&line, "%-*s  %s", (int)width, name.chars, property->reason);
    else
        text_append(&line, name.chars);
    size_t column = VERDICT_INDENT;
    if (style->is_terminal)
        column = style_wrap(text_chars(&line), VERDICT_INDENT, out);
    else
        text_append(out, text_chars(&line));
    if (place.length && property->verdict == VERDICT_VIOLATED) {
        bool fits = !style->is_terminal || column + place.length + 4 <= STYLE_WIDTH;
        text_append(out, fits ? "  " : "\n            ");
        style_paint(style, COLOUR_FAINT, out, "(%s)", place.chars);
    }
    text_char(out, '\n');
    text_print_states(&property->quantity, out);
    text_free(&name);
    text_free(&place);
    text_free(&line);
}

static void print_verdicts(const struct result *result, const struct report_style *style, struct text *out)
{
    bool fold = folds_statements(result, style);
    size_t width = name_width(result, fold);
    text_char(out, '\n');
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (is_listed(result, i, fold))
            print_property(result, &result->properties[i], width, style, out);
    if (fold) {
        print_folded(result, VERDICT_HOLDS, style, out);
        print_folded(result, VERDICT_UNKNOWN, style, out);
    }
}

/* What "holds" is worth. */
static void print_doubt(const struct result *result, struct text *out)
{
    if (result->statistics.doubt)
        text_format(out, " %s", result->statistics.doubt);
    if (result->statistics.is_hash_compact)
        text_format(out, " (%.1g states are expected to have been missed)", result->statistics.expected_omissions);
}

/* What there is to say when nothing is violated or unknown. A chain has no properties of its own, besides that nothing
 * fails; numbers are neither true nor false. */
static void print_success(const struct report *report, struct text *out)
{
    const struct result *result = report->result;
    size_t claims = 0, numbers = 0;
    bool is_chain = system_has_probabilities(result->system);
    for (size_t i = 0; i < result->system->properties.count; i++) {
        bool is_own = result->checked[i] && !(is_chain && i == SYSTEM_RUNTIME);
        numbers += is_own && is_number(&result->properties[i]);
        claims += is_own && !is_number(&result->properties[i]);
    }
    if (report->compares_results)
        text_append(out, "the results are as expected");
    else if (!claims && !numbers)
        text_append(out, "no run-time error (there are no properties to check)");
    else if (claims)
        text_append(out, "every property holds");
    if (!numbers || report->compares_results)
        return;
    text_append(out, claims ? ", " : "");
    style_plural(numbers, "value", out);
    text_append(out, " computed");
}

/* Of an answer about every size, what is not in the table; what "unknown" is about. */
static void print_every_summary(const struct result *result, bool is_unknown, struct text *out)
{
    size_t proved = 0, all = 0;
    bool is_by_threads = !result->every.is_by_invariant && !result->every.is_fixed;
    for (size_t i = 0; i < result->system->properties.count; i++) {
        bool is_claim = result->checked[i] && result->properties[i].property->kind != PROPERTY_COVER;
        all += is_claim;
        proved += is_claim && result->properties[i].verdict == VERDICT_HOLDS;
    }
    if (is_unknown)
        text_format(out, " (%zu of %zu properties are proved for every size%s)", proved, all,
                    is_by_threads ? "; deadlocks are not looked for" : "");
    else if (is_by_threads)
        text_append(out, " for every size (deadlocks are not looked for)");
    else if (result->every.is_fixed)
        text_append(out, " for every size");
}

/* The fewest steps to a violation that was found and not confirmed; false: there is none. */
static bool find_unconfirmed(const struct result *result, uint32_t *steps)
{
    bool is_any = false;
    for (size_t i = 0; i < result->system->properties.count; i++) {
        const struct property_result *entry = &result->properties[i];
        if (!result->checked[i] || !entry->is_found || entry->property->kind == PROPERTY_COVER)
            continue;
        *steps = is_any && *steps < entry->found_steps ? *steps : entry->found_steps;
        is_any = true;
    }
    return is_any;
}

/* How far a search came that ended early and met with no violation, or had no time to confirm one. */
static void print_reach(const struct result *result, struct text *out)
{
    const struct statistics *statistics = &result->statistics;
    uint32_t steps = 0;
    if (find_unconfirmed(result, &steps)) {
        text_append(out, "; a violation was found after ");
        style_plural(steps, "step", out);
        text_append(out, ", and is not confirmed");
        return;
    }
    if (statistics->is_stateless || result->every.is_asked || system_has_probabilities(result->system) ||
        !statistics->states)
        return;
    if (statistics->is_restore_cut) { /* its findings may not have been read */
        text_append(out, "; the checkpoint was not read to its end");
        return;
    }
    text_append(out, result->stop.kind == STOP_DEPTH ? "; no violation within " : "; no violation in ");
    if (result->stop.kind == STOP_DEPTH)
        style_plural(statistics->depth, "step", out);
    else
        style_plural(statistics->states, "state", out);
}

void report_text_summary(const struct report *report, const struct report_style *style, struct text *out)
{
    const struct result *result = report->result;
    struct text words = {0};
    struct span span;
    text_printable(out, report->model, strlen(report->model));
    text_append(out, ": ");
    switch (report_exit_code(report)) {
    case 0:
        if (report_nothing_checked(report, &span, &words)) {
            style_paint(style, COLOUR_DOUBT, out, "%s", text_chars(&words));
            break;
        }
        print_success(report, &words);
        style_paint(style, COLOUR_GOOD, out, "%s", text_chars(&words));
        if (result->every.is_asked)
            print_every_summary(result, false, out);
        print_doubt(result, out);
        break;
    case 1:
        style_paint(style, COLOUR_BAD, out, "%s",
                    !result_exit_code(result) && report->warnings_are_errors ? "there are warnings"
                    : report->compares_results                               ? "not the expected results"
                                                                             : "violated");
        break;
    default:
        style_paint(style, COLOUR_DOUBT, out, "unknown");
        if (result->every.is_asked)
            print_every_summary(result, true, out);
    }
    if (!result->is_complete && stop_is_set(&result->stop)) {
        text_append(out, " (search stopped: ");
        stop_print(&result->stop, out);
        if (report_exit_code(report) == 3)
            print_reach(result, out);
        if (report->is_shortened)
            text_append(out, "; there was no time to write runs");
        if (result->is_abandoned && result->stop.kind != STOP_MEMORY)
            text_append(out, "; it did not wind up in time");
        text_append(out, result->stop.kind == STOP_VIOLATION ? "; --keep-going decides the rest)" : ")");
    }
    text_char(out, '\n');
    text_free(&words);
}

/* The attempts, with why the engine of the first was chosen. */
static void print_plan(const struct report *report, const struct report_style *style, struct text *out)
{
    if (report->why) {
        style_paint(style, COLOUR_STRONG, out, "engine");
        text_format(out, ": %s\n", report->why);
    }
    if (!report->plan)
        return;
    style_paint(style, COLOUR_STRONG, out, "plan");
    text_append(out, ":\n");
    for (const char *line = report->plan; *line; line += strcspn(line, "\n") + 1)
        text_format(out, "  %.*s\n", (int)strcspn(line, "\n"), line);
}

/* The place that a proof for every size does not understand. */
static void print_obstacle(const struct every_size *every, struct text *out)
{
    if (!every->obstacle_at.line || !every->obstacle.length)
        return;
    text_char(out, '\n');
    diag_print_one(&(struct diagnostic){SEVERITY_NOTE, every->obstacle_at, every->obstacle.chars,
                                        (char *)(uintptr_t)every->obstacle_hint, false},
                   out);
}

void report_text(const struct report *report, const struct report_style *style, struct text *out)
{
    if (style->verbose)
        print_plan(report, style, out);
    report_text_symmetry_used(report, false, style, out);
    if (style->verbose && report->symmetry->factor_count && symmetry_is_trivial(report->symmetry) &&
        !report->symmetry_is_off) {
        text_append(out, "  which rules distinguish processes, and where: noether symmetry ");
        text_printable(out, report->model, strlen(report->model));
        text_char(out, '\n');
    }
    if (!report->is_shortened)
        print_counterexamples(report->result, style, out);
    print_verdicts(report->result, style, out);
    print_obstacle(&report->result->every, out);
    if (report->compares_results)
        report_text_results(report->result, style, out);
    report_text_warnings(report, style, out);
    text_print_figures(report, style, out);
    report_text_summary(report, style, out);
}
