#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/nameless.h"
#include "base/processors.h"
#include "cli/certificate.h"
#include "cli/compose.h"
#include "cli/partial.h"
#include "cli/ranges.h"
#include "cli/stale.h"
#include "driver/dump.h"
#include "driver/keeping.h"
#include "driver/undefined.h"
#include "observe/lint.h"
#include "ranks/roll_call.h"

enum { CHECK_MOST_THREADS = 1024 };
enum warnings { WARNINGS_SHOWN, WARNINGS_OFF, WARNINGS_ERROR };

/* The number, or the greatest one that a field of this size holds. */
static uint64_t fitting(uint64_t number, size_t bytes)
{
    return bytes < sizeof number && number > UINT32_MAX ? UINT32_MAX : number;
}

static struct engine_options engine_options_of(const struct options *options)
{
    struct engine_options engine = {.detail = options->values[OPTION_JSON] || options->values[OPTION_REPORT]};
#define READ_KIND_FLAG(field, id) options->values[id] != NULL
#define READ_KIND_TEXT(field, id) options->values[id]
#define READ_KIND_CHOICE(field, id) options_choice(options, id)
#define READ_KIND_SIZE(field, id) options_number(options, id)
#define READ_KIND_COUNT(field, id) fitting(options_number(options, id), sizeof engine.field)
#define READ_KIND_TIME(field, id) options_seconds(options, id)
#define READ_KIND_SHARE(field, id) options_share(options, id)
#define OPTION(id, letter, name, kind, argument, standard, commands, help)
#define SETTING(id, letter, name, kind, argument, standard, commands, field, murphi, prism, help)                      \
    engine.field = READ_##kind(field, OPTION_##id);
    OPTIONS(OPTION, SETTING)
#undef SETTING
#undef OPTION
    engine.transport = options->transport;
    engine.wants_warnings = options_choice(options, OPTION_WARNINGS) == WARNINGS_ERROR;
    uint32_t neighbours = options->transport ? options->transport->neighbours : 1; /* what there is, they share */
    if (!engine.threads && neighbours > 1)
        engine.threads = processors_available() > neighbours ? processors_available() / neighbours : 1;
    if (engine.threads > CHECK_MOST_THREADS)
        engine.threads = CHECK_MOST_THREADS;
    if (!engine.limits.memory_bytes)
        engine.limits.memory_bytes = check_default_memory() / neighbours;
    return engine;
}

/* The options that decide what is searched, as the user wrote them or by default. */
static size_t list_options(const struct options *options, struct report_option *list)
{
    size_t count = 0;
    for (int id = 0; id < OPTION_COUNT; id++)
        if (option_rows[id].commands & FOR_CHECK && option_rows[id].commands & IN_ANSWER && options->values[id])
            list[count++] = (struct report_option){option_rows[id].name, options->values[id]};
    return count;
}

/* "512 MiB, as asked for", "19 GiB, 80% of this machine" */
static void say_memory(const struct options *options, struct text *out)
{
    uint64_t asked = options_number(options, OPTION_MEMORY);
    struct memory_share share = check_memory_share();
    text_bytes(out, asked ? asked : share.bytes);
    if (asked)
        text_append(out, ", as asked for");
    else
        text_format(out, ", 80%% of the limit of %s", share.of);
}

struct report check_report(const struct options *options, const struct loaded *loaded, const struct check *check,
                           struct report_option *list)
{
    return (struct report){
        .model = options->operands.items[0],
        .properties = options_properties(options),
        .layout = check ? check->layout : NULL,
        .symmetry = check ? check->symmetry : NULL,
        .compares_results = options->values[OPTION_RESULTS] != NULL,
        .symmetry_is_off = options_choice(options, OPTION_SYMMETRY) == SYMMETRY_OFF ||
                           options_choice(options, OPTION_METHOD) == METHOD_NONE,
        .result = check ? check->result : NULL,
        .source = loaded->model ? loaded->model->source : loaded->source,
        .property_source = loaded->model ? loaded->model->properties : loaded->properties,
        .language = model_language(options->values[OPTION_LANGUAGE], options->operands.items[0]),
        .diagnostics = check && check->refused && check->refused->count ? check->refused : &loaded->diagnostics,
        .warnings_are_off = options_choice(options, OPTION_WARNINGS) == WARNINGS_OFF,
        .warnings_are_errors = options_choice(options, OPTION_WARNINGS) == WARNINGS_ERROR,
        .refusal = check ? check->refusal : NULL,
        .why = check ? check->why : NULL,
        .plan = check ? check->planned.chars : NULL,
        .set_aside = check ? check->set_aside : NULL,
        .options = list,
        .option_count = list_options(options, list),
    };
}

static size_t check_sizes(const struct check *check)
{
    return check && check->result ? check->result->system->sized.count : 0;
}

/* The constants that give the index types the sizes of this system. */
static size_t define_sizes(const struct system *system, struct text *values, struct report_option *defines)
{
    size_t count = 0;
    for (size_t i = 0; i < system->sized.count; i++) {
        const struct sized_index *sized = &system->sized.items[i];
        text_format(&values[i], "%u", sized->type->size);
        bool is_known = false; /* two may have the same constant */
        for (size_t d = 0; d < count && !is_known; d++)
            is_known = !strcmp(defines[d].name, sized->constant);
        if (!is_known)
            defines[count++] = (struct report_option){sized->constant, text_chars(&values[i])};
    }
    return count;
}

/* The time is that of the whole process, as a stopwatch has it: reading and preparing the model included, and earlier
 * processes that a checkpoint is of. */
static void take_time(const struct check *check)
{
    if (!check || !check->result)
        return;
    struct statistics *statistics = &check->result->statistics;
    double seconds = statistics->earlier_seconds + interrupt_seconds_spent(),
           cpu_seconds = statistics->earlier_cpu_seconds + clock_cpu();
    statistics->seconds = seconds > statistics->seconds ? seconds : statistics->seconds;
    /* With several ranks it is more: the sum of theirs. */
    statistics->cpu_seconds = cpu_seconds > statistics->cpu_seconds ? cpu_seconds : statistics->cpu_seconds;
}

static int show(const struct options *options, const struct loaded *loaded, const struct check *check,
                const struct stop *unread)
{
    struct report_option list[OPTION_COUNT];
    struct text size = {0};
    take_time(check);
    struct report_option *defines = memory_zeroed(options->defines.count + 2 + check_sizes(check), sizeof *defines);
    for (size_t i = 0; i < options->defines.count; i++)
        defines[i] = (struct report_option){options->defines.items[i].name, options->defines.items[i].value};
    struct report report = check_report(options, loaded, check, list);
    report.defines = defines;
    report.define_count = options->defines.count;
    struct text *sizes = memory_zeroed(check_sizes(check) + 1, sizeof *sizes);
    if (report.result && report.result->every.size && report.result->every.is_by_invariant) {
        report.define_count += define_sizes(report.result->system, sizes, defines + report.define_count);
    } else if (report.result && report.result->every.size && !report.result->every.is_fixed) {
        /* the run is one of the model with this size */
        const char *constant = report.result->system->population_constant;
        text_format(&size, "%u", report.result->system->population->size);
        if (constant)
            defines[report.define_count++] = (struct report_option){constant, text_chars(&size)};
        else
            list[report.option_count++] =
                (struct report_option){option_rows[OPTION_THREADS_OF_MODEL].name, text_chars(&size)};
    }
    struct text memory = {0}, command = {0};
    say_memory(options, &memory);
    report.memory = memory.chars;
    cli_command_line(options, &command);
    report.command = command.chars;
    int code = report.result ? report_exit_code(&report) : unread ? EXIT_UNKNOWN : EXIT_USAGE;
    if (!compose_and_write(options, &report, unread))
        code = EXIT_USAGE;
    text_free(&memory);
    text_free(&command);
    text_free(&size);
    for (size_t i = 0; i < check_sizes(check); i++)
        text_free(&sizes[i]);
    free(sizes);
    free(defines);
    return code;
}

int check_show(const struct options *options, const struct loaded *loaded, const struct check *check)
{
    struct stop stop = watch_stop(watch_of_thread);
    bool is_unread = !loaded->model && loaded->diagnostics.is_late;
    return show(options, loaded, check, is_unread ? &stop : NULL);
}

int check_show_unread(const struct options *options, const struct stop *stop)
{
    return show(options, &(struct loaded){0}, NULL, stop);
}

static void print_refusal(const struct options *options, const struct check *check)
{
    struct text places = {0};
    diag_print(check->refused, &places);
    cli_say(&places);
    cli_fail("%s: %s", options->operands.items[0],
             check->refused->count ? "refused by this engine, see above" : check->refusal);
    text_free(&places);
}

/* What the model compared though it was undefined; not of a search that had to stop. */
static void note_undefined(struct loaded *loaded, const struct check *check)
{
    if (check->result && !check->result->is_defined && !watch_is_up())
        undefined_find(loaded->model, check->result->statistics.seconds, &loaded->diagnostics);
}

/* The model with the invariant that was found; false after a message. */
static bool write_invariant(const struct options *options, const struct loaded *loaded, const struct check *check)
{
    const char *path = options->values[OPTION_WRITE];
    struct text text = {0};
    if (!path || !check->result)
        return true;
    if (!check->result->every.solver) { /* the answer says why nothing is proved */
        cli_note("no invariant was found: %s is not written", path);
        return true;
    }
    text_append_n(&text, loaded->model->source->text, loaded->model->source->length);
    text_format(&text, "\n-- Inductive for every size, found by noether prove.\n%s",
                text_chars(&check->result->every.invariant));
    bool is_written = cli_write_text(path, &text);
    text_free(&text);
    return is_written;
}

/* Threads are decided; other models need an invariant. */
static enum engine_choice prove_choice(const struct options *options, const struct model *model)
{
    enum { AUTO, COVER, EVERY }; /* as in the table */
    int choice = options_choice(options, OPTION_PROVE_ENGINE);
    bool is_every =
        options->values[OPTION_PARAMETER] || options->values[OPTION_EVIDENCE] || options->values[OPTION_WRITE];
    if (choice == AUTO)
        choice = is_every || !check_is_of_threads(model) ? EVERY : COVER;
    return choice == COVER ? ENGINE_COVER : ENGINE_EVERY;
}

struct check check_run(const struct options *options, const struct loaded *loaded, struct checkpoint *checkpoint,
                       bool *is_certified)
{
    struct engine_options engine = engine_options_of(options);
    engine.checkpoint = checkpoint;
    partial_set_model(loaded);
    partial_set_checkpoint(checkpoint);
    struct progress progress;
    progress_begin(&progress, options->values[OPTION_QUIET] != NULL, &engine.limits);
    engine.interrupted = interrupt_flag();
    limits_take_seconds(&engine.limits, interrupt_seconds_spent());
    engine.progress = progress_show;
    engine.progress_user = &progress;
    engine.tell = partial_tell;
    enum engine_choice choice = options->command == COMMAND_PROVE
                                    ? prove_choice(options, loaded->model)
                                    : (enum engine_choice)options_choice(options, OPTION_ENGINE);
    enum symmetry_choice symmetry = (enum symmetry_choice)options_choice(options, OPTION_SYMMETRY);
    struct certifier *certifier = certificate_begin(options, loaded->model, &choice, &symmetry, &engine);
    /* No rank goes without the others, and no search before what it has found is kept. */
    struct watch *watch = engine.transport || checkpoint ? watch_hold() : NULL;
    struct check check = check_model(loaded->model, choice, symmetry, &engine);
    if (engine.transport)
        roll_call_leave(engine.transport, check.result ? &check.result->stop : &(struct stop){0});
    if (watch)
        watch_let_go(watch);
    progress_end(&progress);
    *is_certified = certificate_end(options, certifier, check.result);
    if (!check.result)
        print_refusal(options, &check);
    return check;
}

/* What a checkpoint holds is not what is needed: nothing was checked. */
static bool is_refused_late(const struct options *options, const struct check *check)
{
    if (!options->resumed || !check->result || check->result->stop.kind != STOP_REFUSED)
        return false;
    cli_fail("%s", check->result->stop.detail);
    return true;
}

static int check_loaded(const struct options *options, struct loaded *loaded)
{
    bool is_certified;
    struct checkpoint *checkpoint;
    struct text note = {0};
    int code = EXIT_USAGE;
    if (!keep_open(options, loaded->model, &checkpoint) || !distributed_meet(options, true, &code)) {
        if (checkpoint && checkpoint != options->resumed)
            keeping_close(checkpoint);
        return code;
    }
    struct check check = check_run(options, loaded, checkpoint, &is_certified);
    bool is_refused = is_refused_late(options, &check);
    note_undefined(loaded, &check);
    code = is_refused ? EXIT_USAGE : check_show(options, loaded, &check);
    if (options->command == COMMAND_PROVE && !write_invariant(options, loaded, &check))
        code = EXIT_USAGE;
    partial_set_checkpoint(NULL); /* it goes away */
    keeping_finish(checkpoint, is_refused ? NULL : check.result, &note);
    if (checkpoint != options->resumed)
        keeping_close(checkpoint);
    if (note.length)
        cli_note("%s", note.chars);
    text_free(&note);
    check_free(&check);
    return is_certified ? code : EXIT_USAGE;
}

static int dump_model(const struct options *options, const struct model *model)
{
    struct text text = {0};
    struct engine_options engine = engine_options_of(options);
    enum dump_form form = (enum dump_form)options_choice(options, OPTION_DUMP);
    if (form == DUMP_PLAN)
        check_print_plan(model, (enum engine_choice)options_choice(options, OPTION_ENGINE),
                         (enum symmetry_choice)options_choice(options, OPTION_SYMMETRY), &engine, &text);
    else
        dump_model_text(model, form, &text);
    int code = watch_is_up() ? interrupt_code(options, 0) : cli_print(&text, 0);
    text_free(&text);
    return code;
}

static bool outputs_are_possible(const struct options *options)
{
    static const enum option_id files[] = {OPTION_JSON, OPTION_TRACE, OPTION_REPORT, OPTION_CSV, OPTION_CERTIFICATE};
    enum { COUNT = sizeof files / sizeof *files };
    for (size_t i = 0; i < COUNT; i++) {
        const char *path = options->values[files[i]];
        if (path && !cli_can_write(path, options))
            return false;
        for (size_t j = 0; path && j < i; j++) {
            const char *other = options->values[files[j]];
            if (!other || strcmp(path, other))
                continue;
            cli_fail("--%s and --%s cannot both go to %s", option_rows[files[j]].name, option_rows[files[i]].name,
                     strcmp(path, "-") ? path : "standard output");
            return false;
        }
        if (path && !strcmp(path, "-") && options_choice(options, OPTION_FORMAT) != FORMAT_TEXT) {
            cli_fail("--format %s and --%s cannot both go to standard output", options->values[OPTION_FORMAT],
                     option_rows[files[i]].name);
            return false;
        }
    }
    return true;
}

/* The folder of --disk is looked at before anything is done. (Permissions are not all: in /proc nobody makes a file.)
 */
static bool disk_is_possible(const struct options *options)
{
    const char *folder = options->values[OPTION_DISK];
    struct stat status;
    if (!folder)
        return true;
    bool is_good =
        !stat(folder, &status) && (S_ISDIR(status.st_mode) || (errno = ENOTDIR, false)) && !access(folder, W_OK | X_OK);
    if (!is_good)
        cli_fail("--disk %s: %s", folder, strerror(errno));
    int file = is_good ? nameless_open(folder) : -1;
    if (file >= 0)
        close(file);
    else if (is_good)
        cli_fail("--disk %s: no file can be made there: %s", folder, strerror(errno));
    return file >= 0;
}

static int check_opened(const struct options *given)
{
    struct loaded loaded;
    struct options settled = *given, *options = &settled;
    struct text said = {0};
    int code = EXIT_USAGE;
    if (!cli_open_for_symmetry(options, options->defines.items, options->defines.count, &loaded, &said))
        code = check_show(options, &loaded, NULL);
    else if (options->values[OPTION_DUMP])
        code = dump_model(options, loaded.model);
    else if (certificate_is_possible(options, loaded.model) && distributed_meet(options, false, &code)) {
        lint_variables(loaded.model->system, &loaded.diagnostics);
        code = check_loaded(options, &loaded);
    }
    partial_end();
    cli_close(&loaded);
    text_free(&said);
    return code;
}

static int check_table(const struct options *options)
{
    if (options_choice(options, OPTION_FORMAT) != FORMAT_TEXT)
        return cli_fail("--format %s is about one check, not about a table", options->values[OPTION_FORMAT]);
    if (options->values[OPTION_CERTIFICATE])
        return cli_fail("--certificate is about one model, not about a table");
    if (options->values[OPTION_CHECKPOINT])
        return cli_fail("--checkpoint is for one check, not for a table of them");
    return command_experiment(options);
}

static int check_alone(const struct options *options)
{
    if (!outputs_are_possible(options) || !disk_is_possible(options))
        return EXIT_USAGE;
    stale_expect(options->values[OPTION_JSON]);
    if (options->values[OPTION_TRAIL])
        return command_trail(options);
    if (ranges_are_asked(options) || options->values[OPTION_CSV])
        return check_table(options);
    if (options->values[OPTION_CERTIFICATE] && options->values[OPTION_CHECKPOINT])
        return cli_fail("--certificate needs all states of one run: it cannot be had with --checkpoint");
    return check_opened(options);
}

int command_check(const struct options *options)
{
    return options->values[OPTION_DISTRIBUTED] ? distributed_run(options, check_alone) : check_alone(options);
}
