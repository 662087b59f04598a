#include "base/watch.h"
#include "ir/instance.h"
#include "report/style.h"
#include "report/value.h"

static const char step_indent[] = "         ";

static void print_changes(const struct trace *trace, uint32_t at, const struct report_style *style, struct text *out)
{
    const int32_t *after = trace->steps[at].cells;
    struct value_lines lines = {0};
    if (style->full_states)
        value_list_state(trace->layout, after, false, &lines);
    else if (at == 0)
        value_list_state(trace->layout, after, true, &lines);
    else
        value_list_changes(trace->layout, trace->steps[at - 1].cells, after, &lines);
    value_print_lines(&lines, step_indent, out);
    if (!lines.items.count)
        style_paint(style, COLOUR_FAINT, out, "%s%s\n", step_indent,
                    at ? "nothing changes" : "everything is undefined");
    value_free_lines(&lines);
}

void report_text_fault(const struct fault *fault, const struct report_style *style, struct text *out)
{
    struct text what = {0};
    fault_print(fault, &what);
    struct diagnostic error = {SEVERITY_ERROR, fault->span, (char *)text_chars(&what), NULL, false};
    style_paint(style, COLOUR_BAD, out, "%sfails:\n", step_indent);
    diag_print_one(&error, out);
    text_free(&what);
}

/* Of a trace whose steps are single rules. */
static void print_step(const struct trace *trace, uint32_t at, const struct report_style *style, struct text *out)
{
    const struct trace_step *step = &trace->steps[at];
    struct text rule = {0};
    instance_print(step->rule, step->instance, &rule);
    text_format(out, "%5u  ", at);
    style_paint(style, COLOUR_STRONG, out, "%s%s", at ? "" : "start: ", rule.chars);
    if (style->verbose && trace->places)
        style_paint(style, COLOUR_FAINT, out, "  [automaton: state %u]", (unsigned)trace->places[at]);
    text_char(out, '\n');
    if (step->cells)
        print_changes(trace, at, style, out);
    else
        report_text_fault(&step->fault, style, out);
    text_free(&rule);
}

void report_text_step(const struct trace *trace, uint32_t at, const struct report_style *style, struct text *out)
{
    struct trace *made;
    const struct trace *shown = trace_show(trace, &made);
    uint32_t last = trace_number(trace, at);
    for (uint32_t i = last - trace->steps[at].passed_count; i <= last; i++)
        print_step(shown, i, style, out);
    trace_destroy(made);
}

void report_text_trace(const struct trace *trace, const struct report_style *style, struct text *out)
{
    struct trace *made;
    const struct trace *shown = trace_show(trace, &made);
    for (uint32_t i = 0; i < shown->count && !watch_cuts(); i++)
        print_step(shown, i, style, out);
    if (shown->has_loop)
        style_paint(style, COLOUR_STRONG, out, "       and so on for ever, as after step %u\n", shown->loop);
    trace_destroy(made);
}
