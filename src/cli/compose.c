#include "cli/compose.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/watch.h"
#include "cli/outputs.h"
#include "report/exchange.h"

struct composing {
    const struct options *options;
    struct report *report;
    const struct stop *unread; /* why the model was not read; NULL: it was, or has errors */
    struct outputs outputs;
    struct watch watch;
    bool is_late; /* the watch was over, and has ended */
};

/* Properties that were forgotten. */
static void hint_properties(const struct report *report, struct text *out)
{
    const struct system *system = report->result->system;
    bool has_any = report->properties || !system_has_probabilities(system);
    for (size_t i = 0; i < system->properties.count; i++)
        has_any |= system->properties.items[i]->kind == PROPERTY_PCTL;
    char *beside = has_any ? NULL : model_properties_beside(system->language, report->model);
    if (!beside)
        return;
    text_append(out, "hint: ");
    text_printable(out, beside, strlen(beside));
    text_append(out, " is beside it: noether check ");
    text_printable(out, report->model, strlen(report->model));
    text_char(out, ' ');
    text_printable(out, beside, strlen(beside));
    text_char(out, '\n');
    free(beside);
}

static bool prints_text(const struct options *options)
{
    static const enum option_id files[] = {OPTION_JSON, OPTION_REPORT, OPTION_TRACE};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = options->values[files[i]];
        if (path && !strcmp(path, "-"))
            return false;
    }
    return options_choice(options, OPTION_FORMAT) == FORMAT_TEXT;
}

static void form_text(struct composing *composing)
{
    const struct options *options = composing->options;
    const struct report *report = composing->report;
    if (!report->result || !prints_text(options))
        return;
    struct text *out = outputs_add(&composing->outputs, "-");
    struct report_style style = {
        .colour = cli_wants_colour(STDOUT_FILENO),
        .full_states = options->values[OPTION_FULL_STATES] != NULL,
        .verbose = options->values[OPTION_VERBOSE] != NULL,
        .is_terminal = isatty(STDOUT_FILENO),
    };
    if (options->values[OPTION_QUIET])
        report_text_summary(report, &style, out);
    else
        report_text(report, &style, out);
    hint_properties(report, out);
}

/* A program that reads JSON gets an answer also if nothing was checked. */
static void form_json(struct composing *composing)
{
    const char *path = composing->options->values[OPTION_JSON];
    const struct report *report = composing->report;
    if (path)
        outputs_add_json(&composing->outputs, path,
                         report->result      ? report_json(report)
                         : composing->unread ? report_json_unread(report, composing->unread)
                                             : report_json_errors(report));
}

static void form_trace(struct composing *composing)
{
    const struct report *report = composing->report;
    const char *path = composing->options->values[OPTION_TRACE];
    const struct property_result *shown = path && report->result ? report_main_trace(report->result) : NULL;
    if (!path || !report->result)
        return;
    if (!shown)
        cli_fail("there is no trace to write to %s", path);
    else if (report->is_shortened) /* a part of a run is no run */
        cli_fail("cannot write %s: there was no time to write the run", path);
    else
        exchange_print(report, shown, (enum trace_form)options_choice(composing->options, OPTION_TRACE_FORMAT),
                       outputs_add(&composing->outputs, path));
}

/* The page, SARIF and JUnit are about the model, too: also when it was read and nothing was checked. */
static void form_page(struct composing *composing)
{
    const char *path = composing->options->values[OPTION_REPORT];
    if (path && !composing->unread)
        report_page(composing->report, outputs_add(&composing->outputs, path));
}

static void form_findings(struct composing *composing)
{
    enum format format = (enum format)options_choice(composing->options, OPTION_FORMAT);
    if (format == FORMAT_SARIF && !composing->unread)
        outputs_add_json(&composing->outputs, "-", report_sarif(composing->report));
    if (format == FORMAT_JUNIT && !composing->unread)
        report_junit(composing->report, composing->options->is_one_of_several, outputs_add(&composing->outputs, "-"));
}

/* Once more, without runs, if the time is over before the form is complete. */
static void form(struct composing *composing, void (*add)(struct composing *composing))
{
    size_t before = composing->outputs.list.count;
    add(composing);
    if (composing->is_late || !watch_was_cut(&composing->watch))
        return;
    watch_end(&composing->watch);
    watch_suspend();
    composing->is_late = composing->report->is_shortened = true;
    outputs_drop(&composing->outputs, before);
    add(composing);
    if (composing->outputs.list.count > before && strcmp(VEC_LAST(&composing->outputs.list).path, "-") != 0)
        cli_note("%s: there was no time to write runs", VEC_LAST(&composing->outputs.list).path);
}

bool compose_and_write(const struct options *options, struct report *report, const struct stop *unread)
{
    static void (*const forms[])(struct composing * composing) = {form_text, form_json, form_trace, form_page,
                                                                  form_findings};
    struct composing composing = {.options = options, .report = report, .unread = unread};
    struct watch *watch = watch_of_thread;
    watch_begin_epilogue(&composing.watch);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        form(&composing, forms[i]);
    if (!composing.is_late)
        watch_end(&composing.watch);
    watch_adopt(watch);
    return outputs_write(&composing.outputs);
}
