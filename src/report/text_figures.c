#include "report/text_figures.h"

#include <stdlib.h>
#include <string.h>

#include "ir/language.h"
#include "report/style.h"

/* Does the engine find symmetry of its own, rule by rule? */
static bool is_partial(const struct result *result)
{
    return !strcmp(result->engine, "adaptive");
}

static void print_represented(const struct report *report, struct text *out)
{
    const struct statistics *statistics = &report->result->statistics;
    if (!statistics->represented || (statistics->states <= 1 && !statistics->represented_is_exact) ||
        (symmetry_is_trivial(report->symmetry) && !is_partial(report->result) && !report->result->counted.length))
        return;
    char *digits = bigint_digits(statistics->represented);
    text_append(out, report->symmetry->is_assumed       ? " (for at most "
                     : statistics->represented_is_exact ? " (for "
                                                        : " (for about ");
    style_group_digits(digits, out);
    text_append(out, " without symmetry)");
    free(digits);
}

static void print_rules_fired(const struct result *result, struct text *out)
{
    const struct large_counts *large = result->statistics.large;
    if (!result->statistics.fired_by_rule)
        return;
    text_append(out, "rules fired:\n");
    for (size_t i = 0; i < result->system->rules.count; i++) {
        const struct rule *rule = result->system->rules.items[i];
        struct text count = {0};
        style_large(large && large->rule_count ? large->fired_by_rule[i] : NULL, result->statistics.fired_by_rule[i],
                    &count);
        text_format(out, "  %15s  %s", count.chars, rule->name);
        if (result->system->language->outcomes_share_names)
            text_format(out, "  (line %u)", rule->span.line);
        text_char(out, '\n');
        text_free(&count);
    }
}

/* Why there is no state, and yet something to answer (else report_nothing_checked). */
static const char *words_of_no_state(const struct result *result)
{
    return system_has_assumptions(result->system)
               ? "every start state fails or breaks an assumption: nothing else was checked\n"
               : "every start state fails: nothing else was checked\n";
}

static void print_states(const struct report *report, struct text *out)
{
    const struct statistics *statistics = &report->result->statistics;
    const struct large_counts *large = statistics->large;
    if (statistics->is_stateless) {
        text_append(out, "depth ");
        style_count(statistics->depth, out);
        return;
    }
    style_large(large ? large->states : NULL, statistics->states, out);
    text_append(out, statistics->states == 1 ? " state" : " states");
    print_represented(report, out);
    if (statistics->is_thinned)
        text_append(out, " of a partial-order reduction");
    text_append(out, statistics->is_least ? ", at least " : ", ");
    style_large(large ? large->rules_fired : NULL, statistics->rules_fired, out);
    text_append(out, statistics->rules_fired == 1 ? " rule fired, depth " : " rules fired, depth ");
    style_count(statistics->depth, out);
}

/* The invariant that proves it for every size, and what that took. */
static void print_invariant(const struct every_size *every, bool is_verbose, struct text *out)
{
    if (every->invariant.length && is_verbose)
        text_format(out, "Inductive for every size of %s:\n\n%s\n", every->type, every->invariant.chars);
    if (every->size)
        text_format(out, "violated with %s%s", text_chars(&every->sizes), every->covered.length ? ", " : "");
    if (every->covered.length)
        text_format(out, "all states with %s", every->covered.chars);
    else if (!every->size)
        text_append(out, "no size was explored to its end");
    if (every->clauses) {
        text_append(out, ", an invariant of ");
        style_plural(every->clauses, "clause", out);
        text_append(out, is_verbose ? ", " : " (-v shows it, --write keeps it), ");
        style_plural(every->queries, "answer", out);
        text_format(out, " of %s", every->solver);
        if (every->second.length)
            text_format(out, " (%s)", every->second.chars);
        if (every->cutoffs.length)
            text_format(out, "; %s", every->cutoffs.chars);
    }
}

/* Of an answer about every size: how far each of the searches went, if lists were made at all. */
static void print_every_size(const struct result *result, bool is_verbose, struct text *out)
{
    const struct every_size *every = &result->every;
    if (every->is_by_invariant) {
        print_invariant(every, is_verbose, out);
        return;
    }
    if (result->statistics.states) {
        style_plural(result->statistics.states, "configuration", out);
        text_append(out, ", ");
        style_plural(every->basis, "minimal one", out);
        text_append(out, " backward, ");
    }
    text_append(out, "all states with up to ");
    style_count(every->explored, out);
    text_append(out, " explored");
    if (every->cutoff)
        text_format(out, ", cutoff %u", every->cutoff);
    if (every->views)
        text_format(out, ", all views of %u", every->views);
}

static bool is_set(const struct report *report, const char *name, const char *value)
{
    for (size_t i = 0; i < report->option_count; i++)
        if (!strcmp(report->options[i].name, name))
            return report->options[i].value && !strcmp(report->options[i].value, value);
    return false;
}

void text_print_figures(const struct report *report, const struct report_style *style, struct text *out)
{
    const struct statistics *statistics = &report->result->statistics;
    text_char(out, '\n');
    if (report->result->every.is_asked)
        print_every_size(report->result, style->verbose, out);
    else
        print_states(report, out);
    text_append(out, ", ");
    style_seconds(statistics->seconds, out);
    text_append(out, ", ");
    style_bytes(statistics->peak_bytes, out);
    double share = statistics->states ? (double)statistics->store_bytes / (double)statistics->states : 0;
    if (statistics->states >= 1000 && share >= 0.05) /* of a few states it would be the empty table */
        text_format(out, " (%.1f bytes/state)", share);
    text_char(out, '\n');
    if (style_has_no_state(report) && result_exit_code(report->result) == 1)
        style_paint(style, COLOUR_DOUBT, out, "%s", words_of_no_state(report->result));
    if (is_set(report, "process-death", "any"))
        text_append(out, "processes that have ended disappear in any order (--process-death any): not SPIN's states\n");
    if (is_set(report, "process-death", "never"))
        text_append(out, "processes that have ended stay, as nothing can see them disappear: not SPIN's states "
                         "(--process-death last)\n");
    if (statistics->thinning_refusal)
        text_format(out, "partial-order reduction leaves nothing out of this model: %s\n",
                    statistics->thinning_refusal);
    if (style->verbose && report->result->stepper.length)
        text_format(out, "%s\n", report->result->stepper.chars);
    if (style->verbose && report->memory)
        text_format(out, "memory limit: %s\n", report->memory);
    if (style->verbose)
        print_rules_fired(report->result, out);
    if (report->result->profile)
        report_text_profile(report->result->profile, out);
}
