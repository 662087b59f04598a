/* noether check with ranges of constants: one check for each combination, and a table. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/watch.h"
#include "cli/partial.h"
#include "cli/ranges.h"
#include "observe/lint.h"
#include "report/experiment.h"

struct experimenting {
    const struct options *options;
    struct ranges ranges;
    struct experiment experiment;
    const char **varying; /* names of the constants that vary */
    size_t *positions;    /* and which definitions they are */
    struct text errors;   /* of the model, as they were said last */
    int code;             /* the worst so far */
};

/* --- what is written --- */

/* False after a message. */
static bool write_table(const struct options *options, const struct experiment *experiment)
{
    static const enum option_id files[] = {OPTION_CSV, OPTION_JSON, OPTION_REPORT};
    struct report_style style = {.colour = cli_wants_colour(STDOUT_FILENO)};
    struct text text = {0};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (options->values[files[i]] && !strcmp(options->values[files[i]], "-"))
            return true;
    experiment_text(experiment, &style, &text);
    bool is_written = cli_print(&text, EXIT_HOLDS) == EXIT_HOLDS;
    text_free(&text);
    return is_written;
}

static bool write_to(const char *path, struct text *text)
{
    bool is_written = strcmp(path, "-") ? cli_write_text(path, text) : cli_print(text, EXIT_HOLDS) == EXIT_HOLDS;
    text_free(text);
    return is_written;
}

static void write_all(struct experimenting *work)
{
    const struct options *options = work->options;
    struct text csv = {0}, page = {0}, json = {0};
    bool is_written = write_table(options, &work->experiment);
    if (options->values[OPTION_CSV]) {
        bool is_file = strcmp(options->values[OPTION_CSV], "-");
        experiment_csv(&work->experiment, is_file ? "\r\n" : "\n", &csv);
        is_written &= write_to(options->values[OPTION_CSV], &csv);
    }
    if (options->values[OPTION_REPORT]) {
        struct text command = {0};
        cli_command_line(options, &command);
        experiment_page(&work->experiment, text_chars(&command), &page);
        text_free(&command);
        is_written &= write_to(options->values[OPTION_REPORT], &page);
    }
    if (options->values[OPTION_JSON]) {
        struct json *document = experiment_json(&work->experiment);
        json_print(document, &json);
        json_free(document);
        is_written &= write_to(options->values[OPTION_JSON], &json);
    }
    if (!is_written)
        work->code = EXIT_USAGE;
}

/* The rows so far, in place of an answer: for a check that does not end in time. */
static int answer_rows(void *user, const struct stop *stop)
{
    struct experimenting *work = user;
    work->experiment.stop = stop_copy(stop);
    work->code = cli_worse_code(work->code, EXIT_UNKNOWN);
    write_all(work);
    return work->code;
}

/* --- the checks --- */

static void choose_defines(const struct experimenting *work, uint64_t combination, struct define *defines,
                           const char **values)
{
    for (size_t i = 0; i < work->ranges.count; i++)
        defines[i] = (struct define){.name = work->options->defines.items[i].name,
                                     .value = ranges_value(&work->ranges, combination, i)};
    for (size_t i = 0; i < work->experiment.constant_count; i++)
        values[i] = ranges_value(&work->ranges, combination, work->positions[i]);
}

/* Why the answer is not whole, if that is the user's limit of time or a signal: it may be seen by the engine first. */
static struct stop find_stop(const struct options *options, const struct result *result)
{
    struct stop stop = watch_stop(watch_of_thread);
    for (size_t i = 0; result && !stop_is_set(&stop) && i < result->system->properties.count; i++) {
        enum stop_kind kind = result->checked[i] ? result->properties[i].stop : STOP_NONE;
        if (kind == STOP_TIME)
            stop = stop_time(options_seconds(options, OPTION_TIME));
        else if (kind == STOP_INTERRUPTED)
            stop = stop_of(kind);
    }
    return stop;
}

static void keep_row(struct experimenting *work, const struct options *options, const struct define *defines,
                     const char *const *values, const struct loaded *loaded, const struct check *check)
{
    struct report_option list[OPTION_COUNT];
    struct report report = check_report(options, loaded, check, list);
    struct report_option *pairs = memory_zeroed(work->ranges.count + 1, sizeof *pairs);
    for (size_t i = 0; i < work->ranges.count; i++)
        pairs[i] = (struct report_option){defines[i].name, defines[i].value};
    report.defines = pairs;
    report.define_count = work->ranges.count;
    work->code = cli_worse_code(work->code, report_exit_code(&report));
    experiment_add(&work->experiment, values, &report);
    free(pairs);
}

/* False: it was stopped; a row that would be cut short is left out. */
static bool add_row(struct experimenting *work, const struct define *defines, const char *const *values)
{
    struct loaded loaded;
    struct options options = *work->options; /* of this row */
    if (!cli_open_for_symmetry(&options, defines, work->ranges.count, &loaded, &work->errors)) {
        bool is_late = loaded.diagnostics.is_late;
        work->experiment.stop = watch_stop(watch_of_thread);
        work->code = cli_worse_code(work->code, is_late ? EXIT_UNKNOWN : EXIT_USAGE);
        if (!is_late)
            experiment_add(&work->experiment, values, NULL);
        cli_close(&loaded);
        return !is_late;
    }
    if (!distributed_meet(&options, true, &work->code)) {
        cli_close(&loaded);
        return false;
    }
    lint_variables(loaded.model->system, &loaded.diagnostics);
    bool is_certified; /* none is asked for */
    struct check check = check_run(&options, &loaded, NULL, &is_certified);
    work->experiment.stop = find_stop(&options, check.result);
    bool goes_on = check.result && !stop_is_set(&work->experiment.stop);
    if (goes_on)
        keep_row(work, &options, defines, values, &loaded, &check);
    else
        work->code = cli_worse_code(work->code, check.result ? EXIT_UNKNOWN : EXIT_USAGE);
    partial_set_model(NULL);
    check_free(&check);
    cli_close(&loaded);
    return goes_on;
}

static void run_all(struct experimenting *work)
{
    struct define *defines = memory_zeroed(work->ranges.count + 1, sizeof *defines);
    const char **values = memory_zeroed(work->ranges.count + 1, sizeof *values);
    partial_answer_with(answer_rows, work);
    for (uint64_t i = 0; i < work->ranges.combinations; i++) {
        choose_defines(work, i, defines, values);
        if (!add_row(work, defines, values))
            break;
    }
    partial_end();
    write_all(work);
    free(defines);
    free(values);
}

static void begin_experiment(struct experimenting *work)
{
    const struct options *options = work->options;
    work->varying = memory_zeroed(work->ranges.count + 1, sizeof *work->varying);
    work->positions = memory_zeroed(work->ranges.count + 1, sizeof *work->positions);
    work->experiment = (struct experiment){.model = options->operands.items[0],
                                           .properties = options_properties(options),
                                           .constants = work->varying,
                                           .asked = work->ranges.combinations,
                                           .lock = partial_lock,
                                           .unlock = partial_unlock};
    for (size_t i = 0; i < work->ranges.count; i++)
        if (strchr(options->defines.items[i].value, ':')) {
            work->positions[work->experiment.constant_count] = i;
            work->varying[work->experiment.constant_count++] = options->defines.items[i].name;
        }
    experiment_begin(&work->experiment);
}

int command_experiment(const struct options *options)
{
    static const enum option_id others[] = {OPTION_TRACE, OPTION_DUMP};
    struct experimenting work = {.options = options};
    struct text message = {0};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (options->values[others[i]])
            return cli_fail("--%s is about one check, not about ranges of constants", option_rows[others[i]].name);
    if (ranges_read(options, &work.ranges, &message)) {
        begin_experiment(&work);
        run_all(&work);
        experiment_free(&work.experiment);
    } else
        work.code = cli_fail("%s", text_chars(&message));
    free(work.varying);
    free(work.positions);
    ranges_free(&work.ranges);
    text_free(&work.errors);
    text_free(&message);
    return work.code;
}
