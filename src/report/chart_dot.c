/* A graph for Graphviz: nodes with the states they stand for, edges with the rules. */
#include <string.h>

#include "base/printable.h"
#include "ir/instance.h"
#include "ir/walk.h"
#include "report/report.h"
#include "report/style.h"
#include "report/value.h"
#include "result/chance.h"
#include "result/chart.h"

enum { DOT_MOST_LINES = 8, DOT_MOST_CHARS = 48 };

/* Inside a string in double quotes. Lines end in \l: aligned to the left. */
static void dot_escape(const char *chars, struct text *out)
{
    struct text plain = {0};
    text_printable_lines(&plain, chars, strlen(chars), false);
    for (chars = text_chars(&plain); *chars; chars++) {
        if (*chars == '"' || *chars == '\\')
            text_char(out, '\\');
        if (*chars == '\n')
            text_append(out, "\\l");
        else
            text_char(out, *chars);
    }
    text_free(&plain);
}

static void append_short(const char *chars, struct text *out)
{
    size_t length = strlen(chars);
    if (length > DOT_MOST_CHARS) {
        length = DOT_MOST_CHARS;
        while (length && ((unsigned char)chars[length] & 0xC0) == 0x80)
            length--; /* not in the middle of a character */
    }
    text_append_n(out, chars, length);
    text_append(out, chars[length] ? "…" : "");
}

static void append_state(const struct chart *chart, const struct chart_node *node, struct text *out)
{
    struct value_lines lines = {0};
    value_list_state(chart->layout, node->cells, true, &lines);
    size_t count = lines.items.count, shown = count > DOT_MOST_LINES ? DOT_MOST_LINES - 1 : count;
    struct text line = {0};
    for (size_t i = 0; i < shown; i++) {
        text_clear(&line);
        text_format(&line, "%s = %s", lines.items.items[i].name, lines.items.items[i].value);
        append_short(text_chars(&line), out);
        text_char(out, '\n');
    }
    if (shown < count)
        text_format(out, "and %zu more\n", count - shown);
    text_free(&line);
    value_free_lines(&lines);
}

static void append_whole_state(const struct chart *chart, const struct chart_node *node, struct text *out)
{
    struct value_lines lines = {0};
    value_list_state(chart->layout, node->cells, false, &lines);
    for (size_t i = 0; i < lines.items.count; i++)
        text_format(out, "%s = %s\n", lines.items.items[i].name, lines.items.items[i].value);
    value_free_lines(&lines);
}

static bool node_is_violation(const struct chart *chart, uint32_t number)
{
    return chart->shown && chart->path.count && chart->path.items[chart->path.count - 1] == number &&
           chart->shown->trace->steps[chart->shown->trace->count - 1].cells;
}

static void dot_node(const struct chart *chart, uint32_t number, struct text *out)
{
    const struct chart_node *node = &chart->nodes.items[number];
    struct text label = {0}, tip = {0};
    text_format(&label, "%u", number);
    if (chart->is_reduced)
        text_format(&label, "  ×%s", node->orbit);
    text_char(&label, '\n');
    append_state(chart, node, &label);
    append_whole_state(chart, node, &tip);
    text_format(out, "  n%u [label=\"", number);
    dot_escape(text_chars(&label), out);
    text_append(out, "\", tooltip=\"");
    dot_escape(text_chars(&tip), out);
    text_append(out, "\"");
    if (node->is_start)
        text_append(out, ", peripheries=2");
    if (number == chart->around)
        text_append(out, ", style=\"rounded,filled\", fillcolor=\"#fff3bf\"");
    if (node_is_violation(chart, number))
        text_append(out, ", style=\"rounded,filled\", fillcolor=\"#ffd5d5\"");
    if (node->is_on_path)
        text_append(out, ", color=\"#c92a2a\", penwidth=2");
    text_append(out, "];\n");
    text_free(&label);
    text_free(&tip);
}

/* Where the picture ends: how many edges lead from the node to what is not shown. */
static void dot_cut(uint32_t number, uint64_t hidden, bool is_expanded, struct text *out)
{
    text_format(out, "  cut%u [label=\"%s", number, hidden ? "" : "not explored");
    if (hidden)
        text_format(out, "%llu%s more", (unsigned long long)hidden, is_expanded ? "" : "+");
    text_format(out, "\", shape=plaintext, fontcolor=\"#666666\"];\n");
    text_format(out, "  n%u -> cut%u [style=dotted, color=\"#666666\"];\n", number, number);
}

static bool is_shown(const struct chart *chart, const struct chart_edge *edge)
{
    return chart->nodes.items[edge->from].is_shown &&
           (edge->to == CHART_FAULT || chart->nodes.items[edge->to].is_shown);
}

/* Names of chains are those of choices: what tells their outcomes apart is how likely they are. */
static void dot_edge(const struct chart *chart, const struct chart_edge *edge, struct chances *chances,
                     struct text *out)
{
    struct text rule = {0};
    instance_print(edge->rule, edge->instance, &rule);
    if (chances) {
        chances_load(chances, chart->nodes.items[edge->from].cells);
        text_format(&rule, " %.4g", chances_weight(chances, edge->rule, edge->instance));
    }
    if (edge->count > 1)
        text_format(&rule, " and %u more", edge->count - 1);
    if (edge->to == CHART_FAULT)
        text_format(out, "  n%u -> fault [label=\"", edge->from);
    else
        text_format(out, "  n%u -> n%u [label=\"", edge->from, edge->to);
    dot_escape(text_chars(&rule), out);
    text_append(out, "\"");
    if (edge->is_on_path)
        text_append(out, ", color=\"#c92a2a\", fontcolor=\"#c92a2a\", penwidth=2");
    text_append(out, "];\n");
    text_free(&rule);
}

static void dot_edges(const struct chart *chart, struct text *out)
{
    bool has_fault = false;
    struct chances *chances = walk_is_overgrown(chart->layout->system) ? NULL : chances_create(chart->layout);
    uint64_t *hidden = memory_zeroed(chart->nodes.count + 1, sizeof *hidden);
    for (size_t i = 0; i < chart->edges.count; i++) {
        const struct chart_edge *edge = &chart->edges.items[i];
        if (is_shown(chart, edge)) {
            dot_edge(chart, edge, chances, out);
            has_fault |= edge->to == CHART_FAULT;
        } else {
            hidden[edge->from]++;
        }
    }
    for (uint32_t i = 0; i < chart->nodes.count; i++) {
        const struct chart_node *node = &chart->nodes.items[i];
        if (node->is_shown && (hidden[i] || !node->is_expanded))
            dot_cut(i, hidden[i], node->is_expanded, out);
    }
    if (has_fault)
        text_append(out, "  fault [label=\"fails\", shape=octagon, color=\"#c92a2a\", fontcolor=\"#c92a2a\"];\n");
    chances_destroy(chances);
    free(hidden);
}

void report_text_chart_cut(const struct chart *chart, struct text *out)
{
    if (chart->is_complete && chart->shown_count == chart->nodes.count)
        return;
    style_plural(chart->shown_count, chart->is_reduced ? "orbit" : "state", out);
    text_append(out, chart->is_complete ? " of " : " of at least ");
    style_count(chart->nodes.count, out);
    text_append(out, " shown");
    bool is_cut = chart->shown_count < chart->nodes.count;
    text_format(out, " (%s%s%s)", is_cut ? "--max-nodes N shows more" : "", is_cut && !chart->is_complete ? ", " : "",
                chart->is_complete ? "" : "--states N explores more");
}

static void dot_title(const struct report *report, const struct chart *chart, struct text *out)
{
    struct text title = {0};
    text_printable(&title, report->model, strlen(report->model));
    for (size_t i = 0; i < report->define_count; i++)
        text_format(&title, " -D %s=%s", report->defines[i].name, report->defines[i].value);
    text_append(&title, chart->is_reduced ? ": orbits of states; ×n: of n states\n" : ": states\n");
    if (chart->shown) {
        text_append(&title, "red: ");
        report_text_claim(chart->shown, &title);
        text_char(&title, '\n');
    }
    size_t before = title.length;
    report_text_chart_cut(chart, &title);
    if (title.length > before)
        text_char(&title, '\n');
    dot_escape(text_chars(&title), out);
    text_free(&title);
}

void report_dot_chart(const struct report *report, const struct chart *chart, struct text *out)
{
    text_append(out, "digraph noether {\n  graph [labelloc=t, labeljust=l, fontname=\"sans-serif\", label=\"");
    dot_title(report, chart, out);
    text_append(out, "\"];\n  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=10];\n"
                     "  edge [fontname=\"sans-serif\", fontsize=9];\n");
    for (uint32_t i = 0; i < chart->nodes.count; i++)
        if (chart->nodes.items[i].is_shown)
            dot_node(chart, i, out);
    dot_edges(chart, out);
    text_append(out, "}\n");
}
