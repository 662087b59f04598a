#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "driver/dump.h"

enum { CHECK_MOST_THREADS = 1024 };

static struct engine_options engine_options_of(const struct options *options)
{
    struct engine_options engine = {
        .order = (enum search_order)options_choice(options, OPTION_SEARCH),
        .deadlock = (enum deadlock_mode)options_choice(options, OPTION_DEADLOCK),
        .stepper = (enum stepper_choice)options_choice(options, OPTION_STEPPER),
        .store = (enum store_choice)options_choice(options, OPTION_STORE),
        .hash_compact = options->values[OPTION_HASH_COMPACT] != NULL,
        .method = (enum adaptive_method)options_choice(options, OPTION_METHOD),
        .profile = options->values[OPTION_PROFILE] != NULL,
        .permutations = (enum complete_method)options_choice(options, OPTION_PERMUTATIONS),
        .location = options->values[OPTION_LOCATION],
        .keep_going = options->values[OPTION_KEEP_GOING] != NULL,
        .limits = {.memory_bytes = options_number(options, OPTION_MEMORY),
                   .states = options_number(options, OPTION_STATES),
                   .seconds = options_seconds(options, OPTION_TIME)},
    };
    uint64_t depth = options_number(options, OPTION_DEPTH), threads = options_number(options, OPTION_THREADS);
    engine.threads = threads > CHECK_MOST_THREADS ? CHECK_MOST_THREADS : (uint32_t)threads;
    engine.limits.depth = depth > UINT32_MAX ? UINT32_MAX : (uint32_t)depth;
    if (!engine.limits.memory_bytes)
        engine.limits.memory_bytes = check_default_memory();
    return engine;
}

/* The options that decide what is searched, as the user wrote them or by default. */
static size_t list_options(const struct options *options, struct report_option *list)
{
    size_t count = 0;
    for (int id = 0; id < OPTION_COUNT; id++) {
        enum option_kind kind = option_rows[id].kind;
        bool counts = kind == KIND_CHOICE || kind == KIND_SIZE || kind == KIND_TIME || kind == KIND_COUNT ||
                      id == OPTION_KEEP_GOING || id == OPTION_HASH_COMPACT;
        if (counts && options->values[id] && id != OPTION_DUMP)
            list[count++] = (struct report_option){option_rows[id].name, options->values[id]};
    }
    return count;
}

static int write_files(const struct options *options, const struct report *report, int code)
{
    const char *json = options->values[OPTION_JSON], *trace = options->values[OPTION_TRACE];
    if (json && !cli_write_json(json, report_json(report)))
        code = EXIT_USAGE;
    if (!trace)
        return code;
    const struct property_result *shown = report_main_trace(report->result);
    if (!shown)
        fprintf(stderr, "noether: there is no trace to write to %s\n", trace);
    else if (!cli_write_json(trace, report_json_trace_file(report, shown)))
        code = EXIT_USAGE;
    return code;
}

static int print_text(const struct options *options, const struct report *report, int code)
{
    struct text text = {0};
    struct report_style style = {
        .colour = cli_wants_colour(STDOUT_FILENO),
        .full_states = options->values[OPTION_FULL_STATES] != NULL,
        .verbose = options->values[OPTION_VERBOSE] != NULL,
    };
    if (options->values[OPTION_QUIET])
        report_text_summary(report, &style, &text);
    else
        report_text(report, &style, &text);
    code = cli_print(&text, code);
    text_free(&text);
    return code;
}

static int show_answer(const struct options *options, const struct check *check)
{
    struct report_option list[OPTION_COUNT];
    struct report_option *defines = memory_zeroed(options->defines.count + 1, sizeof *defines);
    for (size_t i = 0; i < options->defines.count; i++)
        defines[i] = (struct report_option){options->defines.items[i].name, options->defines.items[i].value};
    struct report report = {
        .model = options->operands.items[0],
        .layout = check->layout,
        .symmetry = check->symmetry,
        .symmetry_is_off = options_choice(options, OPTION_SYMMETRY) == SYMMETRY_OFF,
        .result = check->result,
        .options = list,
        .option_count = list_options(options, list),
        .defines = defines,
        .define_count = options->defines.count,
    };
    const char *json = options->values[OPTION_JSON];
    int code = result_exit_code(check->result);
    if (!json || json[0] != '-' || json[1])
        code = print_text(options, &report, code);
    code = write_files(options, &report, code);
    free(defines);
    return code;
}

static int check_loaded(const struct options *options, const struct model *model)
{
    struct engine_options engine = engine_options_of(options);
    struct progress progress;
    progress_begin(&progress, options->values[OPTION_QUIET] != NULL);
    engine.interrupted = interrupt_watch();
    engine.progress = progress_show;
    engine.progress_user = &progress;
    struct check check =
        check_model(model, (enum engine_choice)options_choice(options, OPTION_ENGINE),
                    (enum symmetry_choice)options_choice(options, OPTION_SYMMETRY), &engine);
    progress_end(&progress);
    int code = check.result ? show_answer(options, &check)
                            : cli_fail("%s: %s", options->operands.items[0], check.refusal);
    check_free(&check);
    return code;
}

static int dump_model(const struct options *options, const struct model *model)
{
    struct text text = {0};
    dump_model_text(model, (enum dump_form)options_choice(options, OPTION_DUMP), &text);
    int code = cli_print(&text, 0);
    text_free(&text);
    return code;
}

static bool outputs_are_possible(const struct options *options)
{
    static const enum option_id files[] = {OPTION_JSON, OPTION_TRACE};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = options->values[files[i]];
        if (path && !cli_can_write(path, options->operands.items[0]))
            return false;
    }
    const char *json = options->values[OPTION_JSON], *trace = options->values[OPTION_TRACE];
    if (json && trace && !strcmp(json, trace)) {
        cli_fail("--json and --trace cannot both go to %s", strcmp(json, "-") ? json : "standard output");
        return false;
    }
    return true;
}

int command_check(const struct options *options)
{
    if (!outputs_are_possible(options))
        return EXIT_USAGE;
    struct model *model =
        cli_load(options, options->operands.items[0], options->defines.items, options->defines.count);
    if (!model)
        return EXIT_USAGE;
    int code = options->values[OPTION_DUMP] ? dump_model(options, model) : check_loaded(options, model);
    model_destroy(model);
    return code;
}
