/* noether-verify MODEL [PROPERTIES] CERTIFICATE: checks the evidence of `noether check --certificate` with the front
 * end and the evaluator only. Exit status: 0 accepted, 1 rejected, 2 usage or model error, 3 not decided. */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/account.h"
#include "base/amount.h"
#include "base/bigint.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/printable.h"
#include "base/thread.h"
#include "base/watch.h"
#include "driver/model.h"
#include "verify/claims.h"
#include "verify/measure.h"

enum { EXIT_ACCEPTED, EXIT_REJECTED, EXIT_USAGE, EXIT_OPEN };
enum {
    OPTION_LANGUAGE = 256,
    OPTION_SPILL,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_PROPERTIES,
    OPTION_DEADLOCK,
    OPTION_CONDITIONS
};

/* A signal handler, and a request for memory that is refused at any depth, have no other way to reach the program. */
static volatile int interrupted;
static struct watch command;
static struct account account;

/* Work that does not poll is given up so many seconds after the limit or the signal. */
static const double GRACE = 0.7;
enum { BESIDES = 64 << 20 }; /* what the program may take besides --memory */

struct request {
    const char *model, *properties, *certificate, *language;
    VEC(struct define) defines; /* what the certificate must be about */
    struct verify_options options;
    struct claims_wanted wanted;
    double seconds;
    bool is_quiet;
};

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* Names and texts are from outside. */
static void say(FILE *stream, const struct text *text)
{
    struct text shown = {0};
    text_printable_lines(&shown, text_chars(text), text->length, false);
    fprintf(stream, "%s\n", text_chars(&shown));
    text_free(&shown);
}

static int fail(int code, const char *format, ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_append(&text, code == EXIT_REJECTED ? "rejected: " : "noether-verify: ");
    text_vformat(&text, format, arguments);
    va_end(arguments);
    say(code == EXIT_REJECTED ? stdout : stderr, &text);
    text_free(&text);
    return code;
}

/* Called by the thread of the watch: the main thread has not ended in time, or waits for a pipe. */
static void give_up(void *user)
{
    (void)user;
    struct stop stop = watch_stop(&command);
    struct text text = {0};
    stop_print(&stop, &text);
    fail(EXIT_OPEN, "not decided: %s", text_chars(&text));
    _exit(EXIT_OPEN);
}

static void end_without_memory(bool is_limit)
{
    static const char limit[] = "noether-verify: not decided: memory limit (--memory)\n",
                      none[] = "noether-verify: not decided: out of memory\n";
    const char *words = is_limit ? limit : none;
    if (write(STDERR_FILENO, words, strlen(words)) < 0)
        _exit(EXIT_OPEN);
    _exit(EXIT_OPEN);
}

static int print_usage(FILE *stream, int code)
{
    fputs(
        "usage: noether-verify [OPTION...] MODEL [PROPERTIES] CERTIFICATE\n\n"
        "Checks a certificate of `noether check MODEL --certificate FILE`: that every reachable state of the model\n"
        "satisfies its safety properties, or that probabilities and expected rewards are within its bounds. It uses\n"
        "the front end and the evaluator, and none of the code that made the certificate. Exit status: 0 accepted,\n"
        "1 rejected, 2 usage or model error, 3 not decided, or a property is not covered.\n\n"
        "  -D, --define NAME=VALUE  the certificate must be about this value of the constant (repeatable)\n"
        "      --properties NAME    the property that must be covered (repeatable; default: all of the model)\n"
        "      --deadlock MODE      deadlocks that must be covered: stuttering (no step changes the state), stuck (no "
        "step\n"
        "                           is possible), off (default: as noether check has it for the language)\n"
        "      --conditions         accept assumptions and final conditions that the certificate adds to the model\n"
        "      --language NAME      the language of the model (default: by its extension)\n"
        "      --memory SIZE        memory for the states, 512M or 4G (default: 2G); the rest goes to a file (vectors\n"
        "                           must fit). The program needs up to 64M besides\n"
        "      --spill DIR          where that file is (default: TMPDIR, else /tmp)\n"
        "      --time TIME          give up after this time\n"
        "  -q, --quiet              no progress, and no words about what was accepted\n"
        "      --version            print the version\n"
        "  -h, --help               print this\n",
        stream);
    return code;
}

static bool read_deadlock(const char *mode, struct claims_wanted *wanted)
{
    wanted->is_deadlock_given = true;
    for (int m = CERTIFIED_STUTTERING; m <= CERTIFIED_OFF; m++)
        if (!strcmp(mode, certified_deadlock_names[m])) {
            wanted->deadlock = (enum certified_deadlock)m;
            return true;
        }
    return false;
}

static bool parse_options(int count, char **words, struct request *request)
{
    static const struct option options[] = {{"define", required_argument, NULL, 'D'},
                                            {"properties", required_argument, NULL, OPTION_PROPERTIES},
                                            {"deadlock", required_argument, NULL, OPTION_DEADLOCK},
                                            {"conditions", no_argument, NULL, OPTION_CONDITIONS},
                                            {"language", required_argument, NULL, OPTION_LANGUAGE},
                                            {"memory", required_argument, NULL, 'm'},
                                            {"spill", required_argument, NULL, OPTION_SPILL},
                                            {"time", required_argument, NULL, 't'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"version", no_argument, NULL, OPTION_VERSION},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    for (int option; (option = getopt_long(count, words, "D:m:t:qh", options, NULL)) != -1;) {
        char *value = option == 'D' ? strchr(optarg, '=') : NULL;
        if (value) {
            *value = '\0';
            VEC_PUSH(&request->defines, ((struct define){optarg, value + 1}));
        } else if (option == OPTION_LANGUAGE)
            request->language = optarg;
        else if (option == OPTION_PROPERTIES)
            VEC_PUSH(&request->wanted.names, optarg);
        else if (option == OPTION_DEADLOCK && !read_deadlock(optarg, &request->wanted))
            return false;
        else if (option == OPTION_CONDITIONS)
            request->wanted.allows_conditions = true;
        else if (option == 'm' && !amount_size(optarg, &request->options.memory_bytes))
            return false;
        else if (option == OPTION_SPILL)
            request->options.folder = optarg;
        else if (option == 't' && !amount_time(optarg, &request->seconds))
            return false;
        else if (option == 'q')
            request->is_quiet = true;
        else if (option == OPTION_VERSION)
            exit(puts("noether-verify " NOETHER_VERSION) < 0);
        else if (option == 'h')
            exit(print_usage(stdout, 0));
        else if (option == '?' || option == 'D')
            return false;
    }
    if (count - optind < 2 || count - optind > 3)
        return false;
    request->model = words[optind];
    request->properties = count - optind == 3 ? words[optind + 1] : NULL;
    request->certificate = words[count - 1];
    return true;
}

/* NULL, or why the certificate is not about this model. */
static const char *find_difference(const struct certificate *certificate, const struct model *model)
{
    if (source_hash(model->source) != certificate->model)
        return "it is about another model: the text differs";
    if (source_hash(model->properties) != certificate->properties)
        return "it is about other properties: the text of the properties file differs";
    if (strcmp(model->system->language->name, certificate->language) != 0)
        return "it is about a model in another language";
    return NULL;
}

static void show_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    double *shown = user;
    if (clock_wall() - *shown < 0.5)
        return;
    *shown = clock_wall();
    fprintf(stderr, "\r%s %" PRIu64 " of %" PRIu64 " states\033[K", what, done, total);
}

/* What is now known to be true. What the certificate says stays on its line, or behind a margin: else it could add
 * lines of its own. */
static void print_claim(const struct request *request, const struct certificate *certificate,
                        const struct verify_answer *answer, const char *claims, bool is_all)
{
    struct text text = {0};
    struct arena *arena = certificate->action.arena;
    text_format(&text, "accepted%s: %s", is_all ? "" : " in part", request->model);
    for (size_t d = 0; d < certificate->defines.count; d++)
        text_format(&text, "%s%s = %s", d ? ", " : " with ", arena_printable(arena, certificate->defines.items[d].name),
                    arena_printable(arena, certificate->defines.items[d].value));
    text_format(&text, "; %" PRIu64 " states, %" PRIu64 " steps%s", answer->states, answer->transitions,
                answer->has_spilled ? ", sorted on disk" : "");
    if (certificate->asked) {
        text_append(&text, "\n  with these besides the model:");
        text_printable_behind(&text, "\n    | ", certificate->asked);
    }
    manner_print(&certificate->manner, &text);
    text_append(&text, claims);
    say(stdout, &text);
    text_free(&text);
}

static int verify(const struct request *request, struct certificate *certificate, const struct model *model,
                  bool has_values)
{
    struct verify_answer answer;
    double shown = clock_wall();
    struct verify_options options = request->options;
    options.progress = request->is_quiet || !isatty(STDERR_FILENO) ? NULL : show_progress;
    options.progress_user = &shown;
    const char *difference = find_difference(certificate, model);
    if (difference || !has_values)
        return fail(EXIT_REJECTED, "%s", difference ? difference : "it is about other values of the constants");
    const char *unknown = claims_unknown(model->system, &request->wanted);
    if (unknown)
        return fail(EXIT_USAGE, "--properties: the model has no property \"%s\"", unknown);
    struct text claims = {0};
    if (certificate->measures.count)
        verify_measures(certificate, model->layout, &options, &answer, &claims);
    else
        verify_certificate(certificate, model->layout, &options, &answer);
    if (options.progress)
        fputs("\r\033[K", stderr);
    int code = answer.outcome == VERIFY_ACCEPTED   ? EXIT_ACCEPTED
               : answer.outcome == VERIFY_REJECTED ? fail(EXIT_REJECTED, "%s", text_chars(&answer.reason))
                                                   : fail(EXIT_OPEN, "not decided: %s", text_chars(&answer.reason));
    if (code == EXIT_ACCEPTED) {
        struct text missing = {0};
        bool is_all = claims_print(certificate, model->system, model->asked, &request->wanted, &claims, &missing);
        if (!request->is_quiet)
            print_claim(request, certificate, &answer, text_chars(&claims), is_all);
        if (!is_all)
            code = fail(EXIT_OPEN, "not decided: %s", text_chars(&missing));
        text_free(&missing);
    }
    text_free(&claims);
    text_free(&answer.reason);
    return code;
}

/* Says that a limit or a signal ended the work. False: none did. */
static bool fail_at_limit(int *code)
{
    struct stop stop = watch_stop(&command);
    struct text reason = {0};
    if (!stop_is_set(&stop))
        return false;
    stop_print(&stop, &reason);
    *code = fail(EXIT_OPEN, "not decided: %s", text_chars(&reason));
    text_free(&reason);
    return true;
}

/* The file cannot be read, is none, or is damaged; or a limit was reached while it was read. */
static int fail_to_open(const struct request *request, struct text *failure)
{
    int code;
    if (fail_at_limit(&code))
        return code;
    return fail(sealed_begins(request->certificate, '{') ? EXIT_REJECTED : EXIT_USAGE, "%s: %s", request->certificate,
                text_chars(failure));
}

static int run(const struct request *request)
{
    struct text text = {0};
    struct certificate *certificate = certificate_open(request->certificate, &text);
    int code = certificate ? EXIT_OPEN : fail_to_open(request, &text);
    if (certificate) {
        struct diagnostics diagnostics = {0};
        struct model_sources sources = {.manner = certificate->manner};
        struct model *model =
            model_load_with(request->model, request->properties, certificate->asked, request->language,
                            certificate->defines.items, certificate->defines.count, &diagnostics, &sources);
        bool has_values =
            model && model_has_values(model, request->defines.items, request->defines.count, &diagnostics);
        if (!diagnostics.errors)
            code = verify(request, certificate, model, has_values);
        else if (!fail_at_limit(&code)) {
            diag_print(&diagnostics, &text);
            code = fail(EXIT_USAGE, "the model cannot be read as %s\n%s",
                        model ? "these constants say" : "the certificate says", text_chars(&text));
        }
        diag_free(&diagnostics);
        model_free_sources(&sources);
        model_destroy(model);
        certificate_close(certificate);
    }
    text_free(&text);
    return code;
}

static void begin_limits(const struct request *request)
{
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file at its limit (ulimit -f) is a write error */
    account = (struct account){.is_process = true, .exhausted = end_without_memory};
    account_begin(&account, false);
    account.limit = request->options.memory_bytes + BESIDES;
    account_adopt(&account);
    bigint_count_memory();
    json_count_memory();
    watch_begin_strict(&command, request->seconds, &interrupted, GRACE, give_up, NULL);
}

static int run_line(int count, char **words)
{
    const char *folder = getenv("TMPDIR");
    struct request request = {.options = {.memory_bytes = UINT64_C(2) << 30, .folder = folder ? folder : "/tmp"}};
    if (!parse_options(count, words, &request))
        return print_usage(stderr, EXIT_USAGE);
    begin_limits(&request);
    int code = run(&request);
    watch_end(&command);
    VEC_FREE(&request.defines);
    VEC_FREE(&request.wanted.names);
    return code;
}

int main(int count, char **words)
{
    int code;
    if (thread_run_command(run_line, count, words, &code))
        return code;
    fputs("noether-verify: there is no memory for a stack of 8 MiB\n", stderr); /* nor for a longer message */
    return EXIT_OPEN;
}
