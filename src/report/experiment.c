#include "report/experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "report/csv.h"
#include "report/style.h"

enum { WIDEST_TITLE = 32 };

/* --- rows --- */

static bool is_column(const struct result *result, size_t i)
{
    return result->checked[i] && i != SYSTEM_DEADLOCK && i != SYSTEM_RUNTIME;
}

static struct experiment_cell cell_of(const struct property_result *found)
{
    static const char *const truths[] = {"true", "false", "unknown"};
    bool is_number = found->has_value && found->verdict == VERDICT_HOLDS;
    struct experiment_cell cell = {found->verdict, is_number, found->lower, found->upper, .agreement = AGREEMENT_NONE};
    struct text shown = {0};
    if (is_number && found->quantity.exact) {
        cell.exact = memory_string(found->quantity.exact);
        style_exact(found, &shown);
    } else if (is_number)
        style_number(found, &shown);
    else if (found->quantity.pareto.count && found->reason)
        text_append(&shown, found->reason); /* the corners of the curve */
    else
        text_append(&shown, truths[found->verdict]);
    cell.shown = shown.chars;
    cell.agreement = expected_compare(found);
    cell.expected = found->property->expected ? memory_string(found->property->expected) : NULL;
    return cell;
}

static void make_names(const struct result *result, struct experiment_names *names)
{
    for (size_t i = 0; i < result->system->properties.count; i++)
        if (is_column(result, i))
            VEC_PUSH(names, memory_string(result->system->properties.items[i]->name));
}

static void make_cells(const struct result *result, size_t most, struct experiment_row *row)
{
    size_t count = 0;
    row->cells = memory_zeroed(most + 1, sizeof *row->cells);
    for (size_t i = 0; i < result->system->properties.count && count < most; i++)
        if (is_column(result, i))
            row->cells[count++] = cell_of(&result->properties[i]);
    row->states = result->statistics.states;
}

/* What no column has. */
static char *fault_of(const struct result *result)
{
    static const size_t faults[] = {SYSTEM_RUNTIME, SYSTEM_DEADLOCK};
    struct text words = {0};
    for (size_t i = 0; i < sizeof faults / sizeof *faults && !words.length; i++) {
        const struct property_result *found = &result->properties[faults[i]];
        if (result->checked[faults[i]] && found->verdict == VERDICT_VIOLATED)
            text_format(&words, "%s%s%s", faults[i] == SYSTEM_RUNTIME ? "run-time error" : "deadlock",
                        found->reason ? ": " : "", found->reason ? found->reason : "");
    }
    return words.chars;
}

void experiment_begin(struct experiment *experiment)
{
    experiment->rows.items = memory_zeroed(experiment->asked + 1, sizeof *experiment->rows.items);
    experiment->rows.capacity = experiment->asked + 1;
}

void experiment_add(struct experiment *experiment, const char *const *values, const struct report *report)
{
    struct experiment_row row = {.values = memory_zeroed(experiment->constant_count + 1, sizeof *row.values)};
    struct experiment_names names = experiment->names;
    for (size_t i = 0; i < experiment->constant_count; i++)
        row.values[i] = memory_string(values[i]);
    if (report && !names.count)
        make_names(report->result, &names);
    if (report) {
        make_cells(report->result, names.count, &row);
        row.fault = fault_of(report->result);
        row.answer = report_json(report);
    }
    struct text warnings = {0}, before = experiment->warnings;
    text_append(&warnings, text_chars(&before));
    if (report)
        report_new_warnings(report, &warnings);
    experiment->compares_results |= report && report->compares_results;
    experiment->warnings_are_errors |= report && report->warnings_are_errors;
    experiment->lock();
    experiment->names = names;
    experiment->warnings = warnings;
    experiment->rows.items[experiment->rows.count++] = row;
    experiment->unlock();
    text_free(&before);
}

static void free_cell(struct experiment_cell *cell)
{
    free(cell->shown);
    free(cell->exact);
    free(cell->expected);
}

void experiment_free(struct experiment *experiment)
{
    text_free(&experiment->warnings);
    for (size_t r = 0; r < experiment->rows.count; r++) {
        struct experiment_row *row = &experiment->rows.items[r];
        for (size_t i = 0; i < experiment->constant_count; i++)
            free(row->values[i]);
        for (size_t i = 0; row->cells && i < experiment->names.count; i++)
            free_cell(&row->cells[i]);
        free(row->values);
        free(row->cells);
        free(row->fault);
        json_free(row->answer);
    }
    for (size_t i = 0; i < experiment->names.count; i++)
        free(experiment->names.items[i]);
    VEC_FREE(&experiment->names);
    VEC_FREE(&experiment->rows);
    stop_free(&experiment->stop);
}

/* --- text --- */

static size_t column_count(const struct experiment *experiment)
{
    return experiment->constant_count + experiment->names.count + 1;
}

/* Of a column: a constant, a property, or the states. Row 0 are the titles; a long name is a number. */
static void print_cell(const struct experiment *experiment, size_t line, size_t column, struct text *out)
{
    const struct experiment_row *row = line ? &experiment->rows.items[line - 1] : NULL;
    size_t property = column - experiment->constant_count;
    if (column < experiment->constant_count)
        text_append(out, row ? row->values[column] : experiment->constants[column]);
    else if (property == experiment->names.count && !row)
        text_append(out, "states");
    else if (property == experiment->names.count && row->cells)
        text_format(out, "%llu", (unsigned long long)row->states);
    else if (row)
        text_append(out, row->cells && row->cells[property].shown ? row->cells[property].shown : "-");
    else if (strlen(experiment->names.items[property]) <= WIDEST_TITLE)
        text_append(out, experiment->names.items[property]);
    else
        text_format(out, "(%zu)", property + 1);
}

static size_t width_of(const struct experiment *experiment, size_t column)
{
    size_t width = 0;
    for (size_t line = 0; line <= experiment->rows.count; line++) {
        struct text cell = {0};
        print_cell(experiment, line, column, &cell);
        width = cell.length > width ? cell.length : width;
        text_free(&cell);
    }
    return width;
}

static void print_line(const struct experiment *experiment, size_t line, const size_t *widths, struct text *out)
{
    for (size_t column = 0; column < column_count(experiment); column++) {
        struct text cell = {0};
        print_cell(experiment, line, column, &cell);
        text_format(out, "%*s%s", (int)(widths[column] - cell.length) + (column ? 2 : 0), "", text_chars(&cell));
        text_free(&cell);
    }
    text_char(out, '\n');
}

static void print_missing(const struct experiment *experiment, struct text *out)
{
    if (experiment->rows.count == experiment->asked)
        return;
    text_format(out, "%zu of %llu rows", experiment->rows.count, (unsigned long long)experiment->asked);
    if (stop_is_set(&experiment->stop)) {
        text_append(out, ": ");
        stop_print(&experiment->stop, out);
    }
    text_char(out, '\n');
}

/* "N=3, K=2" */
static void print_values(const struct experiment *experiment, const struct experiment_row *row, struct text *out)
{
    for (size_t i = 0; i < experiment->constant_count; i++)
        text_format(out, "%s%s=%s", i ? ", " : "", experiment->constants[i], row->values[i]);
}

/* "N=3: run-time error: ..." */
static void print_faults(const struct experiment *experiment, struct text *out)
{
    for (size_t r = 0; r < experiment->rows.count; r++) {
        const struct experiment_row *row = &experiment->rows.items[r];
        if (!row->fault)
            continue;
        print_values(experiment, row, out);
        text_format(out, ": %s\n", row->fault);
    }
}

/* What is not as expected, row by row. */
static void print_differences(const struct experiment *experiment, const struct report_style *style, struct text *out)
{
    uint64_t counts[AGREEMENT_UNKNOWN + 1] = {0};
    text_char(out, '\n');
    for (size_t r = 0; r < experiment->rows.count; r++)
        for (size_t i = 0; experiment->rows.items[r].cells && i < experiment->names.count; i++) {
            const struct experiment_cell *cell = &experiment->rows.items[r].cells[i];
            counts[cell->agreement]++;
            if (cell->agreement == AGREEMENT_NONE || cell->agreement == AGREEMENT_YES)
                continue;
            style_paint(style, cell->agreement == AGREEMENT_NO ? COLOUR_BAD : COLOUR_DOUBT, out, "  %-8s",
                        agreement_name(cell->agreement));
            text_append(out, "  ");
            print_values(experiment, &experiment->rows.items[r], out);
            text_format(out, ": %s: expected %s\n", experiment->names.items[i], cell->expected);
        }
    report_text_agreement(counts, style, out);
}

static void print_warnings(const struct experiment *experiment, const struct report_style *style, struct text *out)
{
    if (!experiment->warnings.length)
        return;
    text_format(out, "\nof one row or more:\n%s", experiment->warnings.chars);
    if (experiment->warnings_are_errors) {
        text_char(out, '\n');
        text_printable(out, experiment->model, strlen(experiment->model));
        text_append(out, ": ");
        style_paint(style, COLOUR_BAD, out, "there are warnings");
        text_char(out, '\n');
    }
}

static bool has_answer(const struct experiment *experiment)
{
    bool has_any = !experiment->rows.count;
    for (size_t r = 0; r < experiment->rows.count; r++)
        has_any |= experiment->rows.items[r].cells != NULL;
    return has_any;
}

void experiment_text(const struct experiment *experiment, const struct report_style *style, struct text *out)
{
    size_t columns = column_count(experiment);
    if (!has_answer(experiment))
        return;
    size_t *widths = memory_zeroed(columns + 1, sizeof *widths);
    for (size_t i = 0; i < experiment->names.count; i++)
        if (strlen(experiment->names.items[i]) > WIDEST_TITLE)
            text_format(out, "(%zu) %s\n", i + 1, experiment->names.items[i]);
    for (size_t column = 0; column < columns; column++)
        widths[column] = width_of(experiment, column);
    struct text titles = {0};
    print_line(experiment, 0, widths, &titles);
    style_paint(style, COLOUR_STRONG, out, "%s", text_chars(&titles));
    for (size_t line = 1; line <= experiment->rows.count; line++)
        print_line(experiment, line, widths, out);
    print_faults(experiment, out);
    print_missing(experiment, out);
    if (experiment->compares_results)
        print_differences(experiment, style, out);
    print_warnings(experiment, style, out);
    text_free(&titles);
    free(widths);
}

/* --- CSV --- */

/* As RFC 4180 has it: quotes around what has a comma, a quote or a line end, and quotes in it twice. */
static void append_bound(double bound, struct text *out)
{
    text_format(out, isfinite(bound) ? ",%.17g" : bound > 0 ? ",Infinity" : ",-Infinity", bound);
}

static void append_expected(const struct experiment_cell *cell, struct text *out)
{
    text_char(out, ',');
    csv_field(cell && cell->expected ? cell->expected : "", out);
    text_format(out, ",%s", cell && cell->agreement != AGREEMENT_NONE ? agreement_name(cell->agreement) : "");
}

static void append_cells(const struct experiment *experiment, const struct experiment_row *row, struct text *out)
{
    for (size_t i = 0; i < experiment->names.count; i++) {
        const struct experiment_cell *cell = row->cells ? &row->cells[i] : NULL;
        text_char(out, ',');
        csv_field(cell && cell->exact ? cell->exact : cell && cell->shown ? cell->shown : "error", out);
        if (cell && cell->has_value) {
            append_bound(cell->lower, out);
            append_bound(cell->upper, out);
        } else {
            text_append(out, ",,");
        }
        if (experiment->compares_results)
            append_expected(cell, out);
    }
}

void experiment_csv(const struct experiment *experiment, const char *line_end, struct text *out)
{
    for (size_t i = 0; i < experiment->constant_count; i++) {
        csv_field(experiment->constants[i], out);
        text_char(out, ',');
    }
    text_append(out, "states");
    static const char *const parts[] = {"", " lower", " upper", " expected", " agreement"};
    for (size_t i = 0; i < experiment->names.count; i++)
        for (int part = 0; part < (experiment->compares_results ? 5 : 3); part++) {
            struct text name = {0};
            text_format(&name, "%s%s", experiment->names.items[i], parts[part]);
            text_char(out, ',');
            csv_field(text_chars(&name), out);
            text_free(&name);
        }
    text_format(out, ",errors%s", line_end);
    for (size_t r = 0; r < experiment->rows.count; r++) {
        const struct experiment_row *row = &experiment->rows.items[r];
        for (size_t i = 0; i < experiment->constant_count; i++) {
            csv_field(row->values[i], out);
            text_char(out, ',');
        }
        text_format(out, "%llu", (unsigned long long)row->states);
        append_cells(experiment, row, out);
        text_char(out, ',');
        csv_field(row->fault ? row->fault : row->cells ? "" : "the model has errors", out);
        text_append(out, line_end);
    }
}

/* --- JSON --- */

static struct json *row_to_json(const struct experiment *experiment, struct experiment_row *row)
{
    struct json *object = json_make_object(), *values = json_make_object();
    for (size_t i = 0; i < experiment->constant_count; i++)
        json_set(values, experiment->constants[i], json_make_text(row->values[i]));
    json_set(object, "constants", values);
    json_set(object, "answer", row->answer ? row->answer : json_make_null());
    row->answer = NULL; /* it belongs to the object now */
    return object;
}

struct json *experiment_json(struct experiment *experiment)
{
    struct json *object = json_make_object(), *constants = json_make_array(), *rows = json_make_array();
    struct text words = {0};
    json_set(object, "version", json_make_integer(REPORT_JSON_VERSION));
    json_set(object, "tool", json_make_text("noether " NOETHER_VERSION));
    json_set(object, "model", json_make_text(experiment->model));
    json_set(object, "properties", json_make_text(experiment->properties));
    for (size_t i = 0; i < experiment->constant_count; i++)
        json_push(constants, json_make_text(experiment->constants[i]));
    json_set(object, "constants", constants);
    json_set(object, "asked", json_make_count(experiment->asked));
    stop_print(&experiment->stop, &words);
    json_set(object, "stopped_by", json_make_text(stop_is_set(&experiment->stop) ? text_chars(&words) : NULL));
    json_set(object, "stopped_kind", json_make_text(stop_kind_name(experiment->stop.kind)));
    text_free(&words);
    for (size_t r = 0; r < experiment->rows.count; r++)
        json_push(rows, row_to_json(experiment, &experiment->rows.items[r]));
    json_set(object, "rows", rows);
    return object;
}
