#include "report/style.h"
#include "result/expected.h"

static void print_difference(const struct property_result *property, const struct report_style *style,
                             enum agreement agreement, struct text *out)
{
    struct text name = {0};
    style_property(property->property, &name);
    style_paint(style, agreement == AGREEMENT_NO ? COLOUR_BAD : COLOUR_DOUBT, out, "  %-8s", agreement_name(agreement));
    text_format(out, "  %s: expected %s (line %u)\n", name.chars, property->property->expected,
                property->property->span.line);
    text_free(&name);
}

int report_exit_code(const struct report *report)
{
    int code = (report->compares_results ? expected_exit_code : result_exit_code)(report->result);
    return !code && report->warnings_are_errors && report_count_warnings(report) ? 1 : code;
}

void report_text_agreement(const uint64_t *counts, const struct report_style *style, struct text *out)
{
    style_paint(style, COLOUR_STRONG, out, "expected results");
    text_append(out, ": ");
    if (counts[AGREEMENT_YES] + counts[AGREEMENT_NO] + counts[AGREEMENT_UNKNOWN] == 0) {
        text_append(out, "no property says what to expect (a comment \"// RESULT: VALUE\" before it)\n");
        return;
    }
    style_count(counts[AGREEMENT_YES], out);
    text_append(out, " agree, ");
    style_count(counts[AGREEMENT_NO], out);
    text_append(out, " differ, ");
    style_count(counts[AGREEMENT_UNKNOWN], out);
    text_append(out, " unknown\n");
}

void report_text_results(const struct result *result, const struct report_style *style, struct text *out)
{
    uint64_t counts[AGREEMENT_UNKNOWN + 1] = {0};
    text_char(out, '\n');
    for (size_t i = 0; i < result->system->properties.count; i++) {
        if (!result->checked[i])
            continue;
        enum agreement agreement = expected_compare(&result->properties[i]);
        counts[agreement]++;
        if (agreement == AGREEMENT_NO || agreement == AGREEMENT_UNKNOWN)
            print_difference(&result->properties[i], style, agreement, out);
    }
    report_text_agreement(counts, style, out);
}
