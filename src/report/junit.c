/* JUnit's XML as servers of continuous integration read it: a violated property is a failure with its run, one that is
 * not decided is an error, and so is a model that was not checked. */
#include <string.h>

#include "report/style.h"

/* Characters that XML has not are left out (a terminal would not show them, either). */
static void print_escaped(const char *chars, struct text *out)
{
    for (; *chars; chars++) {
        unsigned char c = (unsigned char)*chars;
        if (c == '<')
            text_append(out, "&lt;");
        else if (c == '>')
            text_append(out, "&gt;");
        else if (c == '&')
            text_append(out, "&amp;");
        else if (c == '"')
            text_append(out, "&quot;");
        else if (c >= ' ' || c == '\n' || c == '\t')
            text_char(out, (char)c);
    }
}

/* Text in any encoding: as JSON has it, in UTF-8. */
static void print_text(const char *chars, struct text *out)
{
    struct json *text = json_make_text(chars);
    print_escaped(json_read_text(text), out);
    json_free(text);
}

static void begin_case(const struct report *report, const char *name, struct text *out)
{
    text_append(out, "    <testcase classname=\"");
    print_text(report->model, out);
    text_append(out, "\" name=\"");
    print_text(name, out);
    text_append(out, "\">");
}

static void print_problem(const char *element, const char *kind, const char *message, const char *body,
                          struct text *out)
{
    text_format(out, "\n      <%s type=\"%s\" message=\"", element, kind);
    print_text(message, out);
    text_append(out, "\">");
    print_text(body, out);
    text_format(out, "</%s>\n    ", element);
}

/* The search ended at a violation before this was decided, as the user wanted it to. */
static bool is_skipped(const struct property_result *property)
{
    return property->verdict == VERDICT_UNKNOWN && property->stop == STOP_VIOLATION;
}

static void print_property(const struct report *report, const struct property_result *property, struct text *out)
{
    struct text name = {0}, run = {0};
    style_property(property->property, &name);
    begin_case(report, text_chars(&name), out);
    if (property->verdict == VERDICT_VIOLATED) {
        if (property->trace)
            report_text_evidence(property, &(struct report_style){0}, &run);
        print_problem("failure", "violated", property->reason ? property->reason : "a reachable state breaks it",
                      text_chars(&run), out);
    } else if (is_skipped(property)) {
        text_append(out, "\n      <skipped message=\"");
        print_text(property->reason ? property->reason : "", out);
        text_append(out, "\"/>\n    ");
    } else if (property->verdict == VERDICT_UNKNOWN) {
        print_problem("error", "unknown", property->reason ? property->reason : "not decided", "", out);
    }
    text_append(out, "</testcase>\n");
    text_free(&name);
    text_free(&run);
}

struct junit_counts {
    size_t cases, failures, errors, skipped;
};

static void begin_suite(const struct report *report, struct junit_counts counts, double seconds, struct text *out)
{
    text_append(out, "  <testsuite name=\"");
    print_text(report->model, out);
    text_format(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n", counts.cases,
                counts.failures, counts.errors, counts.skipped, seconds);
}

static void print_unchecked(const struct report *report, struct text *out)
{
    struct text errors = {0};
    if (report->diagnostics)
        diag_print(report->diagnostics, &errors);
    begin_suite(report, (struct junit_counts){.cases = 1, .errors = 1}, 0, out);
    begin_case(report, "model", out);
    print_problem("error", "model", report->refusal ? report->refusal : "the model was not checked",
                  text_chars(&errors), out);
    text_append(out, "</testcase>\n  </testsuite>\n");
    text_free(&errors);
}

/* Where warnings are errors, they are a case that fails: else nothing would say why the exit status is 1. */
static void print_warnings(const struct report *report, struct text *out)
{
    struct text lines = {0};
    report_new_warnings(report, &lines);
    begin_case(report, "no warnings", out);
    if (lines.length)
        print_problem("failure", "warnings", "there are warnings", text_chars(&lines), out);
    text_append(out, "</testcase>\n");
    text_free(&lines);
}

static void print_checked(const struct report *report, struct text *out)
{
    const struct result *result = report->result;
    struct junit_counts counts = {.cases = report->warnings_are_errors,
                                  .failures = report->warnings_are_errors && report_count_warnings(report)};
    for (size_t i = 0; i < result->system->properties.count; i++) {
        const struct property_result *property = &result->properties[i];
        if (!result->checked[i])
            continue;
        counts.cases++;
        counts.failures += property->verdict == VERDICT_VIOLATED;
        counts.skipped += is_skipped(property);
        counts.errors += property->verdict == VERDICT_UNKNOWN && !is_skipped(property);
    }
    begin_suite(report, counts, result->statistics.seconds, out);
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (result->checked[i])
            print_property(report, &result->properties[i], out);
    if (report->warnings_are_errors)
        print_warnings(report, out);
    text_append(out, "  </testsuite>\n");
}

void report_junit_begin(struct text *out)
{
    text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"noether\">\n");
}

void report_junit_end(struct text *out)
{
    text_append(out, "</testsuites>\n");
}

void report_junit(const struct report *report, bool is_part, struct text *out)
{
    if (!is_part)
        report_junit_begin(out);
    if (report->result)
        print_checked(report, out);
    else
        print_unchecked(report, out);
    if (!is_part)
        report_junit_end(out);
}
