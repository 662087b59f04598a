/* The page of an experiment: a plot for each property that has numbers, and the table. It needs no script. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rational.h"
#include "report/experiment.h"
#include "report/page.h"

enum { WIDTH = 640, HEIGHT = 300, LEFT = 80, RIGHT = 16, TOP = 12, BOTTOM = 44, TICKS = 5, MOST_SERIES = 12 };

static const char style[] =
    ".plot text { font: 12px var(--sans); fill: var(--muted); } .plot line { stroke: var(--line); } "
    ".plot { max-width: 100%; height: auto; } .plot polyline { fill: none; stroke-width: 1.6; } "
    ".plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem; "
    "margin-top: 1rem; } "
    ".keys { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .4rem 0 0; padding: 0; list-style: none; } "
    ".keys span { display: inline-block; width: 1.4em; height: .3em; margin-right: .4em; vertical-align: middle; } "
    ".card h2 { overflow-wrap: anywhere; } .scroll { overflow: auto; max-height: 26rem; } "
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums; } "
    "th, td { padding: .2rem .8rem; border-bottom: 1px solid var(--line); text-align: right; } "
    "thead th { position: sticky; top: 0; background: var(--surface); } "
    "th { max-width: 24rem; min-width: 3rem; overflow-wrap: break-word; }\n";

/* --- plots --- */

struct axis {
    double low, high;
};

static void include(struct axis *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

/* A constant as a number: "0.5", "1/3"; false: it is none. */
static bool place_of(const struct experiment_row *row, double *x)
{
    struct rational *number = rational_create(0, 1);
    bool is_number = rational_parse(number, row->values[0]);
    *x = is_number ? rational_to_double(number) : 0;
    rational_destroy(number);
    return is_number;
}

static bool point_of(const struct experiment_row *row, size_t property, double *x, double *y)
{
    const struct experiment_cell *cell = row->cells ? &row->cells[property] : NULL;
    if (!cell || !cell->has_value || !isfinite(cell->lower) || !isfinite(cell->upper) || !place_of(row, x))
        return false;
    *y = cell->lower / 2 + cell->upper / 2;
    return true;
}

/* Rows that differ in the first constant only are one line of the plot. */
static bool are_together(const struct experiment *experiment, size_t a, size_t b)
{
    for (size_t i = 1; i < experiment->constant_count; i++)
        if (strcmp(experiment->rows.items[a].values[i], experiment->rows.items[b].values[i]))
            return false;
    return true;
}

static bool begins_series(const struct experiment *experiment, size_t row)
{
    for (size_t r = 0; r < row; r++)
        if (are_together(experiment, r, row))
            return false;
    return true;
}

static double place(const struct axis *range, double value, double from, double to)
{
    double width = range->high - range->low;
    return from + (to - from) * (width > 0 ? (value - range->low) / width : 0.5);
}

/* A round number (1, 2 or 5 times a power of ten) of which about TICKS fit into the range. */
static double round_step(const struct axis *range)
{
    double rough = (range->high - range->low) / TICKS, power = pow(10, floor(log10(rough))), part = rough / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* Wide enough for whole steps. */
static void widen(struct axis *range)
{
    double step = round_step(range);
    range->low = floor(range->low / step + 1e-9) * step;
    range->high = ceil(range->high / step - 1e-9) * step;
}

/* The round numbers in the range, from the least. 0 is not the -1e-17 that sums of steps may be. */
static double tick(const struct axis *range, double step, int number)
{
    double at = (ceil(range->low / step - 1e-9) + number) * step;
    return fabs(at) < step / 1000 ? 0 : at;
}

static void draw_axes(const struct axis *x, const struct axis *y, const char *name, struct text *out)
{
    double step = round_step(y);
    for (int i = 0; tick(y, step, i) <= y->high + step / 1000; i++) {
        double at = tick(y, step, i), top = place(y, at, HEIGHT - BOTTOM, TOP);
        text_format(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, top, top);
        text_format(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>", LEFT - 6, top + 4, at);
    }
    step = round_step(x);
    for (int i = 0; tick(x, step, i) <= x->high + step / 1000; i++) {
        double at = tick(x, step, i);
        text_format(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>",
                    place(x, at, LEFT, WIDTH - RIGHT), HEIGHT - BOTTOM + 18, at);
    }
    text_format(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH) / 2, HEIGHT - 6);
    page_escape(name, out);
    text_append(out, "</text>\n");
}

/* The constants of a series but the first, which is the axis: "K=2, p=0.1". */
static void name_series(const struct experiment *experiment, size_t row, struct text *out)
{
    for (size_t i = 1; i < experiment->constant_count; i++) {
        struct text pair = {0};
        text_format(&pair, "%s%s=%s", i > 1 ? ", " : "", experiment->constants[i],
                    experiment->rows.items[row].values[i]);
        page_escape(text_chars(&pair), out);
        text_free(&pair);
    }
}

static void print_colour(uint32_t number, struct text *out)
{
    text_format(out, "hsl(%u 60%% 58%%)", 230 + 67 * number);
}

/* The legend: which line is which series, and how many series have no line. */
static void draw_legend(const struct experiment *experiment, struct text *out)
{
    uint32_t number = 0;
    if (experiment->constant_count < 2)
        return;
    text_append(out, "<ul class=\"keys\">");
    for (size_t r = 0; r < experiment->rows.count; r++) {
        if (!begins_series(experiment, r) || number++ >= MOST_SERIES)
            continue;
        text_append(out, "<li><span style=\"background: ");
        print_colour(number - 1, out);
        text_append(out, "\"></span>");
        name_series(experiment, r, out);
        text_append(out, "</li>");
    }
    if (number > MOST_SERIES)
        text_format(out, "<li>and %u more, which are not drawn</li>", number - MOST_SERIES);
    text_append(out, "</ul>\n");
}

static void draw_series(const struct experiment *experiment, size_t property, size_t first, uint32_t number,
                        const struct axis *x, const struct axis *y, struct text *out)
{
    struct text line = {0}, dots = {0};
    for (size_t r = first; r < experiment->rows.count; r++) {
        double at_x, at_y;
        if (!are_together(experiment, first, r) || !point_of(&experiment->rows.items[r], property, &at_x, &at_y))
            continue;
        double left = place(x, at_x, LEFT, WIDTH - RIGHT), top = place(y, at_y, HEIGHT - BOTTOM, TOP);
        text_format(&line, "%.1f,%.1f ", left, top);
        text_format(&dots, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>", left, top);
    }
    text_append(out, "<g stroke=\"");
    print_colour(number, out);
    text_append(out, "\" fill=\"");
    print_colour(number, out);
    text_append(out, "\"><title>"); /* the tooltip of the line */
    name_series(experiment, first, out);
    text_format(out, "</title><polyline points=\"%s\"/>%s</g>\n", text_chars(&line), text_chars(&dots));
    text_free(&line);
    text_free(&dots);
}

static void draw_plot(const struct experiment *experiment, size_t property, struct text *out)
{
    struct axis x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    uint32_t points = 0, series = 0;
    for (size_t r = 0; experiment->constant_count && r < experiment->rows.count; r++) {
        double at_x, at_y;
        if (!point_of(&experiment->rows.items[r], property, &at_x, &at_y))
            continue;
        include(&x, at_x);
        include(&y, at_y);
        points++;
    }
    if (points < 2 || !(x.high > x.low))
        return;
    text_append(out, "<section class=\"card\"><h2>");
    page_escape(experiment->names.items[property], out);
    text_append(out, "</h2>\n");
    if (!(y.high - y.low > 1e-12 * fmax(fabs(y.low), fabs(y.high)))) {
        text_format(out, "<p>%.12g in every row.</p></section>\n", y.low);
        return;
    }
    widen(&y);
    text_format(out, "<svg class=\"plot\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"><title>", WIDTH,
                HEIGHT, WIDTH, HEIGHT);
    page_escape(experiment->names.items[property], out);
    text_append(out, "</title>");
    draw_axes(&x, &y, experiment->constants[0], out);
    for (size_t r = 0; r < experiment->rows.count && series < MOST_SERIES; r++)
        if (begins_series(experiment, r))
            draw_series(experiment, property, r, series++, &x, &y, out);
    text_append(out, "</svg>\n");
    draw_legend(experiment, out);
    text_append(out, "</section>\n");
}

/* --- the table --- */

static void append_tagged(const char *tag, const char *chars, struct text *out)
{
    text_format(out, "<%s>", tag);
    page_escape(chars, out);
    text_format(out, "</%s>", tag);
}

static void append_row(const struct experiment *experiment, const struct experiment_row *row, struct text *out)
{
    text_append(out, "<tr>");
    for (size_t i = 0; i < experiment->constant_count; i++)
        append_tagged("td", row->values[i], out);
    for (size_t i = 0; i < experiment->names.count; i++) {
        const struct experiment_cell *cell = row->cells ? &row->cells[i] : NULL;
        if (cell && cell->has_value)
            text_format(out, "<td title=\"between %.17g and %.17g\">%s</td>", cell->lower, cell->upper, cell->shown);
        else
            append_tagged("td", cell && cell->shown ? cell->shown : "error", out);
    }
    text_format(out, "<td>%llu</td></tr>\n", (unsigned long long)row->states);
}

static void append_table(const struct experiment *experiment, struct text *out)
{
    text_append(out, "<section class=\"card\"><h2>Results</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                     "aria-label=\"Results\"><table><thead><tr>");
    for (size_t i = 0; i < experiment->constant_count; i++)
        append_tagged("th", experiment->constants[i], out);
    for (size_t i = 0; i < experiment->names.count; i++)
        append_tagged("th", experiment->names.items[i], out);
    text_append(out, "<th>states</th></tr></thead><tbody>\n");
    for (size_t r = 0; r < experiment->rows.count; r++)
        append_row(experiment, &experiment->rows.items[r], out);
    text_append(out, "</tbody></table></div>\n");
    if (experiment->rows.count < experiment->asked) {
        struct text why = {0};
        text_format(&why, "%zu of %llu rows. ", experiment->rows.count, (unsigned long long)experiment->asked);
        stop_print(&experiment->stop, &why);
        append_tagged("p", text_chars(&why), out);
        text_free(&why);
    }
    text_append(out, "</section>\n");
}

/* As on the page of a check. */
static void append_foot(const char *command, struct text *out)
{
    struct text line = {0};
    text_append(out, "<footer class=\"wrap\"><p><code>");
    page_escape(command, out);
    text_append(&line, "noether " NOETHER_VERSION " · ");
    page_date(&line);
    text_append(out, "</code></p>");
    append_tagged("p", text_chars(&line), out);
    text_append(out, "</footer>\n");
    text_free(&line);
}

/* "6 rows: N, K" */
static void append_summary(const struct experiment *experiment, struct text *out)
{
    struct text words = {0};
    text_format(&words, "%zu %s, for values of ", experiment->rows.count, experiment->rows.count == 1 ? "row" : "rows");
    for (size_t i = 0; i < experiment->constant_count; i++)
        text_format(&words, "%s%s", i ? ", " : "", experiment->constants[i]);
    text_append(&words, ".");
    text_append(out, "<section class=\"card hero neutral\"><h1>Experiment</h1>");
    append_tagged("p", text_chars(&words), out);
    text_append(out, "</section>\n");
    text_free(&words);
}

void experiment_page(const struct experiment *experiment, const char *command, struct text *out)
{
    text_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'\">\n");
    append_tagged("title", experiment->model, out);
    text_format(out,
                "\n<style>\n%s%s</style>\n</head>\n<body>\n<header class=\"top\"><div class=\"wrap\"><span "
                "class=\"brand\">Noether</span>",
                page_style_text, style);
    text_append(out, "<span class=\"file\">");
    page_escape(experiment->model, out);
    text_append(out, "</span></div></header>\n<main class=\"wrap\">\n");
    append_summary(experiment, out);
    append_table(experiment, out);
    text_append(out, "<div class=\"plots\">\n");
    for (size_t i = 0; i < experiment->names.count; i++)
        draw_plot(experiment, i, out);
    text_append(out, "</div>\n</main>\n");
    append_foot(command, out);
    text_append(out, "</body>\n</html>\n");
}
