#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/await.h"
#include "base/output.h"
#include "base/printable.h"
#include "base/thread.h"
#include "cli/cli.h"
#include "cli/partial.h"
#include "cli/process.h"
#include "cli/several.h"
#include "cli/stale.h"
#include "driver/generators.h"
#include "driver/inspect.h"

static void show(FILE *stream, const struct text *text, bool has_colours)
{
    struct text shown = {0};
    text_printable_lines(&shown, text_chars(text), text->length, has_colours);
    fwrite(text_chars(&shown), 1, shown.length, stream);
    text_free(&shown);
}

void cli_say(const struct text *text)
{
    if (!await_writable(STDERR_FILENO))
        return; /* a pipe that nothing reads must not keep the program */
    show(stderr, text, false);
}

void cli_tell(const struct text *text)
{
    show(stdout, text, cli_wants_colour(STDOUT_FILENO));
    fflush(stdout);
}

static void say_line(const char *format, va_list arguments)
{
    struct text message = {0};
    text_append(&message, "noether: ");
    text_vformat(&message, format, arguments);
    text_char(&message, '\n');
    cli_say(&message);
    text_free(&message);
}

int cli_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_line(format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

void cli_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_line(format, arguments);
    va_end(arguments);
}

int cli_worse_code(int one, int other)
{
    static const int ranks[] = {[EXIT_HOLDS] = 0, [EXIT_UNKNOWN] = 1, [EXIT_VIOLATED] = 2, [EXIT_USAGE] = 3};
    return ranks[one] >= ranks[other] ? one : other;
}

int cli_print(const struct text *text, int code)
{
    partial_end();
    struct text shown = {0};
    text_printable_lines(&shown, text_chars(text), text->length, cli_wants_colour(STDOUT_FILENO));
    const char *reason = output_write("-", text_chars(&shown), shown.length);
    text_free(&shown);
    return reason ? cli_fail("cannot write standard output: %s", reason) : code;
}

static bool is_same_file(const char *path, const char *other)
{
    struct stat first, second;
    return !stat(path, &first) && !stat(other, &second) && S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

bool cli_can_write(const char *path, const struct options *options)
{
    const char *reason = output_refusal(path), *properties = options_properties(options);
    if (!reason && is_same_file(path, options->operands.items[0]))
        reason = "it is the model"; /* a slip on the command line must not cost the user the model */
    if (!reason && properties && is_same_file(path, properties))
        reason = "it is the properties file";
    if (reason)
        cli_fail("cannot write %s: %s", path, reason);
    return !reason;
}

bool cli_write_text(const char *path, const struct text *text)
{
    partial_end();
    const char *reason = output_write(path, text_chars(text), text->length);
    if (reason)
        cli_fail("cannot write %s: %s", path, reason);
    else
        stale_note_written(path);
    return !reason;
}

bool cli_end_text(struct watch *epilogue, const char *path)
{
    bool is_whole = !watch_was_cut(epilogue);
    watch_end(epilogue);
    if (!is_whole)
        cli_fail("cannot write %s: there was no time for it", path);
    return is_whole;
}

bool cli_write_json(const char *path, struct json *document)
{
    struct text text = {0};
    json_print(document, &text);
    json_free(document);
    bool is_written = cli_write_text(path, &text);
    text_free(&text);
    return is_written;
}

bool cli_wants_colour(int file)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(file) && !(refused && *refused) && !(terminal && !strcmp(terminal, "dumb"));
}

/* More than fit are too many for any model. */
static uint32_t count_of(const struct options *options, enum option_id id)
{
    uint64_t count = options_number(options, id);
    return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

/* A person who made a mistake may want to read about the language; a program does not. */
static void point_to_docs(const struct options *options)
{
    const char *language = model_language(options->values[OPTION_LANGUAGE], options->operands.items[0]);
    if (language && isatty(STDERR_FILENO))
        cli_note("the language: docs/languages/%s.md", !strcmp(language, "tts") ? "boolean" : language);
}

/* auto is as SPIN does, until cli_open_for_symmetry finds better. */
static enum process_death process_death(const struct options *options)
{
    int choice = options_choice(options, OPTION_PROCESS_DEATH);
    return choice ? (enum process_death)(choice - 1) : DEATH_LAST;
}

static bool cli_open(const struct options *options, const struct define *defines, size_t define_count,
                     struct loaded *loaded, struct text *said)
{
    struct text text = {0};
    *loaded = (struct loaded){0};
    struct model_sources sources = {.manner = {.is_lenient = options->values[OPTION_RESULTS] != NULL,
                                               .undefined_is_error = options_choice(options, OPTION_UNDEFINED) == 1,
                                               .dialect = (enum dialect)options_choice(options, OPTION_DIALECT),
                                               .threads = count_of(options, OPTION_THREADS_OF_MODEL),
                                               .recursion = count_of(options, OPTION_RECURSION),
                                               .processes = count_of(options, OPTION_PROCESSES),
                                               .death = process_death(options),
                                               .keeps_loops = options->values[OPTION_TRAIL] != NULL,
                                               .ignores_labels = options_choice(options, OPTION_CYCLES) == 1}};
    struct watch *watch = options->transport ? watch_suspend() : NULL; /* all ranks read it, or none */
    loaded->model =
        model_load_with(options->operands.items[0], options_properties(options), options->values[OPTION_PROPERTY],
                        options->values[OPTION_LANGUAGE], defines, define_count, &loaded->diagnostics, &sources);
    const char *generators = options->values[OPTION_GIVEN];
    bool is_proved =
        !loaded->model || !generators || model_take_generators(loaded->model, generators, &loaded->diagnostics);
    if (options->transport)
        watch_adopt(watch);
    loaded->source = sources.model;
    loaded->properties = sources.properties;
    loaded->asked = sources.asked;
    bool is_fine = loaded->model && is_proved;
    if (loaded->diagnostics.is_late && !is_fine)
        interrupt_code(options, 0); /* no more is known of the model */
    else if (!is_fine)              /* check shows warnings in its answer */
        diag_print(&loaded->diagnostics, &text);
    if (loaded->model && !is_proved) {
        diag_free(&loaded->diagnostics); /* its places are in texts of the model */
        loaded->diagnostics = (struct diagnostics){.errors = 1, .is_late = loaded->diagnostics.is_late};
        model_destroy(loaded->model);
        loaded->model = NULL;
    }
    bool is_new = text.length && strcmp(text.chars, text_chars(said)) != 0;
    if (is_new) {
        text_clear(said);
        text_append(said, text.chars);
        cli_say(&text);
        point_to_docs(options);
    }
    text_free(&text);
    return loaded->model != NULL;
}

static bool gains_by_keeping_dead(const struct options *options, const struct model *model)
{
    struct watch *watch = options->transport ? watch_suspend() : NULL; /* all ranks find the same */
    bool gains = inspect_keeping_dead(model);
    if (options->transport)
        watch_adopt(watch);
    return gains;
}

bool cli_open_for_symmetry(struct options *options, const struct define *defines, size_t define_count,
                           struct loaded *loaded, struct text *said)
{
    if (!cli_open(options, defines, define_count, loaded, said))
        return false;
    enum symmetry_choice symmetry = options->command == COMMAND_SYMMETRY
                                        ? SYMMETRY_AUTO
                                        : (enum symmetry_choice)options_choice(options, OPTION_SYMMETRY);
    bool is_asked = symmetry == SYMMETRY_AUTO || symmetry == SYMMETRY_DETECTED;
    if (!is_asked || options_choice(options, OPTION_PROCESS_DEATH) || !gains_by_keeping_dead(options, loaded->model))
        return true;
    cli_close(loaded);
    options->values[OPTION_PROCESS_DEATH] = "never";
    return cli_open(options, defines, define_count, loaded, said);
}

void cli_close(struct loaded *loaded)
{
    diag_free(&loaded->diagnostics);
    source_free(loaded->source);
    source_free(loaded->properties);
    source_free(loaded->asked);
    model_destroy(loaded->model);
}

/* The exit code where there is no model. */
static int cli_unread_code(const struct loaded *loaded)
{
    return loaded->diagnostics.is_late ? EXIT_UNKNOWN : EXIT_USAGE;
}

/* The model, which is no longer one of `loaded`. */
static struct model *cli_take_model(struct loaded *loaded, int *code)
{
    struct model *model = loaded->model;
    *code = model ? EXIT_HOLDS : cli_unread_code(loaded);
    loaded->model = NULL;
    cli_close(loaded);
    return model;
}

struct model *cli_load(const struct options *options, const struct define *defines, size_t define_count, int *code)
{
    struct loaded loaded;
    struct text said = {0};
    cli_open(options, defines, define_count, &loaded, &said);
    text_free(&said);
    return cli_take_model(&loaded, code);
}

struct model *cli_load_for_symmetry(struct options *options, int *code)
{
    struct loaded loaded;
    struct text said = {0};
    cli_open_for_symmetry(options, options->defines.items, options->defines.count, &loaded, &said);
    text_free(&said);
    return cli_take_model(&loaded, code);
}

/* Without the name of the option in the message, PRISM would look for properties called so. */
static bool refuse_fairness(const struct options *options)
{
    if (!options->values[OPTION_FAIRNESS])
        return false;
    const char *path = options->operands.items[0];
    const char *language = model_language(options->values[OPTION_LANGUAGE], path);
    bool is_refused = language && strcmp(language, "murphi") != 0 && strcmp(language, "promela") != 0;
    if (is_refused)
        cli_fail("%s: --fairness is for Murphi and Promela models; see --fair", path);
    return is_refused;
}

static int run_here(const struct options *options)
{
    static int (*const commands[])(const struct options *options) = {command_check,
                                                                     command_check /* resume */,
                                                                     command_check /* prove */,
                                                                     command_symmetry,
                                                                     command_replay,
                                                                     command_reduce,
                                                                     command_graph,
                                                                     command_simulate,
                                                                     command_explain,
                                                                     command_init,
                                                                     command_format,
                                                                     command_lsp,
                                                                     command_help};
    return commands[options->command](options);
}

/* Within its limits of memory and time, and with its signals. */
static int run_limited(const struct options *options)
{
    bool is_talk = options->command == COMMAND_SIMULATE && !options->values[OPTION_RANDOM];
    uint64_t memory = options_number(options, OPTION_MEMORY);
    process_limit_memory(memory ? memory : check_default_memory());
    if (options->command != COMMAND_HELP && options->command != COMMAND_INIT && options->command != COMMAND_LSP)
        interrupt_begin(options, !is_talk);
    int code = run_here(options);
    if (code == EXIT_UNKNOWN)
        stale_remove();
    interrupt_end();
    return code;
}

static int run_command(enum command_id command, int count, char **words)
{
    struct options options;
    struct text message = {0}, help = {0};
    int code;
    bool is_read = options_parse(&options, command, count, words, &message);
    if (is_read && !options.values[OPTION_HELP])
        distributed_hint(&options);
    if (!is_read) {
        cli_fail("%s", message.chars);
        code = cli_fail("try \"noether help %s\"", command_rows[command].name);
    } else if (options.values[OPTION_HELP]) {
        help_command(command, &help);
        code = cli_print(&help, 0);
    } else if (refuse_fairness(&options) || (command == COMMAND_RESUME && !resume_begin(&options))) {
        code = EXIT_USAGE;
    } else if (options.values[OPTION_WATCH] || options_are_several(&options)) {
        code = several_run(&options, run_limited);
    } else {
        code = run_limited(&options);
    }
    resume_end(&options);
    options_free(&options);
    text_free(&message);
    text_free(&help);
    return code;
}

/* The word after `noether` is no command: say what was probably meant. */
static int unknown_command(const char *word)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = command_rows[i].name;
    const char *closest = diag_closest(word, names, COMMAND_COUNT);
    if (closest)
        cli_fail("there is no command \"%s\"; did you mean \"%s\"?", word, closest);
    else if (strchr(word, '.'))
        cli_fail("there is no command \"%s\"; did you mean \"noether check %s\"?", word, word);
    else
        cli_fail("there is no command \"%s\"", word);
    return cli_fail("try \"noether --help\"");
}

static int run_line(int count, char **words)
{
    struct text text = {0};
    int code;
    process_begin();
    if (count < 2) {
        help_overview(&text);
        fputs(text.chars, stderr);
        code = EXIT_USAGE;
    } else if (!strcmp(words[1], "--help") || !strcmp(words[1], "-h")) {
        help_overview(&text);
        code = cli_print(&text, 0);
    } else if (!strcmp(words[1], "--version") || !strcmp(words[1], "-V")) {
        text_append(&text, "noether " NOETHER_VERSION "\n");
        code = cli_print(&text, 0);
    } else {
        enum command_id command = options_find_command(words[1]);
        code = command == COMMAND_COUNT ? unknown_command(words[1]) : run_command(command, count - 2, words + 2);
    }
    text_free(&text);
    return code;
}

int cli_main(int count, char **words)
{
    int code;
    stale_expect_in(count, words);
    if (thread_run_command(run_line, count, words, &code))
        return code;
    fputs("noether: there is no memory for a stack of 8 MiB\n", stderr); /* nor for a longer message */
    stale_remove();
    return EXIT_UNKNOWN;
}
