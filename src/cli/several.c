#include "cli/several.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/children.h"
#include "base/clock.h"
#include "base/printable.h"

/* A file as it was when it was last looked at. */
struct seen_file {
    const char *path;
    struct timespec changed;
    off_t size;
    ino_t number;
    bool is_there;
};

struct several_outcome {
    const char *model;
    int code;
    double seconds;
};

struct several {
    const struct options *options;
    several_body *body;
    sigset_t caught, usual; /* signals that are waited for, and the mask without them */
    bool is_ended;          /* by a signal */
    int answers[2];         /* a pipe: a check that has given its answer writes its exit code */
    FILE *collected;        /* what the checks print, to be printed later; NULL: they print it themselves */
    VEC(struct seen_file) files;
    VEC(struct several_outcome) outcomes;
};

/* --- the files --- */

static struct seen_file look(const char *path)
{
    struct stat status;
    struct seen_file seen = {.path = path, .is_there = !stat(path, &status)};
    if (seen.is_there) {
        seen.changed = status.st_mtim;
        seen.size = status.st_size;
        seen.number = status.st_ino;
    }
    return seen;
}

static bool is_same(const struct seen_file *one, const struct seen_file *other)
{
    return one->is_there == other->is_there && one->size == other->size && one->number == other->number &&
           one->changed.tv_sec == other->changed.tv_sec && one->changed.tv_nsec == other->changed.tv_nsec;
}

/* An editor may be between removing a file and writing it again: a file that is not there has not changed yet. */
static bool files_have_changed(struct several *several)
{
    bool have_changed = false;
    for (size_t i = 0; i < several->files.count; i++) {
        struct seen_file now = look(several->files.items[i].path);
        if (!now.is_there || is_same(&now, &several->files.items[i]))
            continue;
        several->files.items[i] = now;
        have_changed = true;
    }
    return have_changed;
}

static bool is_any_file_empty(const struct several *several)
{
    for (size_t i = 0; i < several->files.count; i++)
        if (several->files.items[i].is_there && !several->files.items[i].size)
            return true;
    return false;
}

static void note_files(struct several *several)
{
    const struct options *options = several->options;
    for (size_t i = 0; i < options->operands.count; i++)
        VEC_PUSH(&several->files, look(options->operands.items[i]));
    if (options->values[OPTION_PROPERTIES])
        VEC_PUSH(&several->files, look(options->values[OPTION_PROPERTIES]));
}

/* --- one check --- */

static const char *name_of(const char *model)
{
    const char *slash = strrchr(model, '/');
    return slash ? slash + 1 : model;
}

/* {} in the name of a file is the name of the model, without its folder. */
static void expand(const char *pattern, const char *model, struct text *out)
{
    const char *name = name_of(model), *hole;
    for (; (hole = strstr(pattern, "{}")); pattern = hole + 2) {
        text_append_n(out, pattern, (size_t)(hole - pattern));
        text_append(out, name);
    }
    text_append(out, pattern);
}

static const enum option_id files_written[] = {OPTION_JSON, OPTION_TRACE,       OPTION_REPORT,
                                               OPTION_CSV,  OPTION_CERTIFICATE, OPTION_CHECKPOINT};
enum { FILE_OPTIONS = sizeof files_written / sizeof *files_written };

static int run_child(const struct several *several, const struct options *options)
{
    struct text names[FILE_OPTIONS] = {0};
    struct options own = *options;
    own.answers = several->answers[1];
    for (size_t i = 0; i < FILE_OPTIONS; i++) {
        const char *value = options->values[files_written[i]];
        if (!value || !options->is_one_of_several)
            continue;
        expand(value, options->operands.items[0], &names[i]);
        own.values[files_written[i]] = text_chars(&names[i]);
    }
    if (several->collected)
        dup2(fileno(several->collected), STDOUT_FILENO);
    int code = several->body(&own);
    for (size_t i = 0; i < FILE_OPTIONS; i++)
        text_free(&names[i]);
    return code;
}

/* -1 after a message. */
static pid_t start(const struct several *several, const struct options *options)
{
    pid_t parent = getpid();
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        cli_fail("cannot start a check: %s", strerror(errno));
        return -1;
    }
    if (child) {
        children_add(child);
        return child;
    }
    setpgid(0, 0); /* the signals of the terminal come through us, once */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_UNKNOWN);
    sigprocmask(SIG_SETMASK, &several->usual, NULL);
    int code = run_child(several, options);
    fflush(NULL);
    options_note_answer(several->answers[1], code);
    _exit(code);
}

/* Waits for a signal, the end of a child among them, or for `milliseconds`. Other signals end the work. */
static int await(struct several *several, long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    int number = sigtimedwait(&several->caught, NULL, &time);
    if (number > 0 && number != SIGCHLD)
        several->is_ended = true;
    return number;
}

/* The exit code of a check from the status of its process. A process that ends without an answer (a library may call
 * exit) has no verdict, whatever its status is. */
static int code_of(const struct several *several, int status)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_UNKNOWN;
    unsigned char answer = 0;
    if (read(several->answers[0], &answer, sizeof answer) == sizeof answer && WIFEXITED(status) && answer == code)
        return code;
    if (WIFEXITED(status) && code != EXIT_USAGE && code != EXIT_UNKNOWN)
        cli_fail("a check ended without an answer, with exit status %d", code);
    return code == EXIT_USAGE ? EXIT_USAGE : EXIT_UNKNOWN;
}

/* Has the child ended? Then *code is its exit code. `is_stale`: it was told to. */
static bool has_ended(const struct several *several, pid_t child, bool is_stale, int *code)
{
    int status;
    siginfo_t about = {0};
    if (waitid(P_PID, (id_t)child, &about, WEXITED | WNOHANG | WNOWAIT) || about.si_pid != child)
        return false;
    children_remove(child);
    waitpid(child, &status, 0);
    *code = code_of(several, status);
    if (!is_stale && WIFSIGNALED(status) && WTERMSIG(status) != SIGTERM && WTERMSIG(status) != SIGINT)
        cli_fail("a check was ended by signal %d", WTERMSIG(status));
    return true;
}

enum { LOOK_EVERY = 200 }; /* milliseconds */
static const double STALE_SECONDS = 1.5;

/* The exit code of the check. *is_stale: a file has changed in the meantime, and it was ended. */
static int run_one(struct several *several, const struct options *options, bool *is_stale)
{
    int code = EXIT_USAGE, number;
    pid_t child = start(several, options);
    double told = 0; /* when it was */
    while (child > 0 && !has_ended(several, child, *is_stale, &code)) {
        number = await(several, LOOK_EVERY);
        if (number > 0 && number != SIGCHLD)
            kill(child, number);
        if (several->options->values[OPTION_WATCH] && !*is_stale && files_have_changed(several)) {
            *is_stale = true;
            told = clock_wall();
            kill(child, SIGTERM); /* so that it removes what it has made */
        }
        if (*is_stale && clock_wall() - told > STALE_SECONDS)
            kill(-child, SIGKILL);
    }
    return code;
}

/* --- all of them --- */

static bool is_text(const struct options *options)
{
    return options_choice(options, OPTION_FORMAT) == 0;
}

static void print_heading(const struct options *options, const char *model)
{
    struct text text = {0};
    if (!is_text(options) || options->values[OPTION_QUIET])
        return;
    text_append(&text, "== ");
    text_printable(&text, model, strlen(model));
    text_char(&text, '\n');
    cli_tell(&text);
    text_free(&text);
}

/* The check of one model of several: its operands, from position `at` on. */
static struct options options_of_one(const struct options *options, size_t at)
{
    struct options one = *options;
    one.is_one_of_several = options_are_several(options);
    size_t count = 1;
    if (at + 1 < options->operands.count && options_is_properties(options->operands.items[at + 1]))
        count = 2;
    one.operands.items = options->operands.items + at;
    one.operands.count = count;
    return one;
}

static void print_summary(const struct several *several)
{
    static const char *const words[] = {"holds", "violated", "error", "unknown"}; /* by exit code */
    static const char *const plurals[] = {"hold", "violated", "with errors", "unknown"};
    size_t counts[4] = {0};
    struct text text = {0};
    const char *comma = "";
    text_char(&text, '\n');
    for (size_t i = 0; i < several->outcomes.count; i++) {
        const struct several_outcome *outcome = &several->outcomes.items[i];
        counts[outcome->code]++;
        text_format(&text, "  %-9s %8.2f s  ", words[outcome->code], outcome->seconds);
        text_printable(&text, outcome->model, strlen(outcome->model));
        text_char(&text, '\n');
    }
    text_format(&text, "%zu model%s: ", several->outcomes.count, several->outcomes.count == 1 ? "" : "s");
    for (int i = 0; i < 4; i++) {
        if (counts[i])
            text_format(&text, "%s%zu %s", comma, counts[i], counts[i] == 1 ? words[i] : plurals[i]);
        comma = counts[i] ? ", " : comma;
    }
    text_append(&text, several->is_ended ? "; interrupted\n" : "\n");
    cli_tell(&text);
    text_free(&text);
}

/* What was collected, as one document. */
static int print_collected(struct several *several, int code)
{
    char block[4096];
    size_t count;
    struct text text = {0};
    report_junit_begin(&text);
    rewind(several->collected);
    while ((count = fread(block, 1, sizeof block, several->collected)) > 0)
        text_append_n(&text, block, count);
    report_junit_end(&text);
    code = cli_print(&text, code);
    text_free(&text);
    return code;
}

/* One round: every model. */
static int run_round(struct several *several, bool *is_stale)
{
    const struct options *options = several->options;
    bool are_several = options_are_several(options);
    int code = EXIT_HOLDS;
    several->collected = are_several && !is_text(options) ? tmpfile() : NULL;
    if (are_several && !is_text(options) && !several->collected)
        return cli_fail("cannot make a temporary file: %s", strerror(errno));
    VEC_CLEAR(&several->outcomes);
    for (size_t i = 0; i < options->operands.count && !several->is_ended && !*is_stale;) {
        struct options one = options_of_one(options, i);
        double begin = clock_wall();
        if (are_several)
            print_heading(options, one.operands.items[0]);
        int own = run_one(several, &one, is_stale);
        code = cli_worse_code(code, own);
        VEC_PUSH(&several->outcomes, ((struct several_outcome){one.operands.items[0], own, clock_wall() - begin}));
        i += one.operands.count;
    }
    if (several->collected) {
        code = print_collected(several, code);
        fclose(several->collected);
    } else if (are_several) {
        print_summary(several);
    }
    return several->is_ended ? cli_worse_code(code, EXIT_UNKNOWN) : code;
}

/* An editor may be in the middle of a file: it is read when nothing has changed for a moment, and for longer where it
 * is empty, since many empty a file before they write it. */
static void await_stillness(struct several *several)
{
    enum { LOOK_AGAIN = 20 };
    static const double STILL_SECONDS = 0.1, EMPTY_SECONDS = 2;
    double since = clock_wall();
    while (!several->is_ended && clock_wall() - since < (is_any_file_empty(several) ? EMPTY_SECONDS : STILL_SECONDS)) {
        await(several, LOOK_AGAIN);
        if (files_have_changed(several))
            since = clock_wall();
    }
}

static int watch(struct several *several)
{
    int code = EXIT_HOLDS;
    while (!several->is_ended) {
        bool is_stale = false;
        if (isatty(STDOUT_FILENO))
            fputs("\033[H\033[2J", stdout);
        code = run_round(several, &is_stale);
        if (!several->is_ended && !is_stale)
            cli_note("watching; Ctrl-C ends it");
        while (!several->is_ended && !is_stale && !files_have_changed(several))
            await(several, LOOK_EVERY);
        await_stillness(several);
        fflush(NULL);
    }
    return code;
}

/* Two models whose files would have one name, or NULL. */
static const char *find_namesake(const struct options *options)
{
    for (size_t i = 0; i < options->operands.count; i++)
        for (size_t j = 0; j < i && !options_is_properties(options->operands.items[i]); j++)
            if (!strcmp(name_of(options->operands.items[i]), name_of(options->operands.items[j])))
                return options->operands.items[i];
    return NULL;
}

/* False after a message. */
static bool is_possible(const struct options *options)
{
    for (size_t i = 0; options_are_several(options) && i < FILE_OPTIONS; i++) {
        const char *value = options->values[files_written[i]];
        if (value && !strstr(value, "{}")) {
            cli_fail("--%s with several models: {} in the name stands for the model, as in --%s '{}.json'",
                     option_rows[files_written[i]].name, option_rows[files_written[i]].name);
            return false;
        }
        const char *namesake = value ? find_namesake(options) : NULL;
        if (namesake) {
            cli_fail("--%s: another model is called %s, too; check it by itself", option_rows[files_written[i]].name,
                     name_of(namesake));
            return false;
        }
    }
    if (options->values[OPTION_DISTRIBUTED]) { /* MPI can be begun once by what mpirun has started */
        if (!distributed_is_silent())
            cli_fail("--distributed is for one check of one model: run mpirun once for each");
        return false;
    }
    if (options_are_several(options) && options->values[OPTION_PROPERTIES]) {
        cli_fail("-p with several models: a properties file stands behind its model");
        return false;
    }
    if (options_are_several(options) && !strcmp(options->values[OPTION_FORMAT], "sarif")) {
        cli_fail("--format sarif is about one model");
        return false;
    }
    if (options->values[OPTION_WATCH] && !look(options->operands.items[0]).is_there) {
        cli_fail("--watch: there is no file %s", options->operands.items[0]);
        return false;
    }
    return true;
}

int several_run(const struct options *options, several_body *body)
{
    struct several several = {.options = options, .body = body};
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    bool is_stale = false;
    if (!is_possible(options))
        return EXIT_USAGE;
    if (pipe2(several.answers, O_CLOEXEC | O_NONBLOCK))
        return cli_fail("cannot start a check: %s", strerror(errno));
    sigemptyset(&several.caught);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&several.caught, signals[i]);
    sigprocmask(SIG_BLOCK, &several.caught, &several.usual);
    note_files(&several);
    int code = options->values[OPTION_WATCH] ? watch(&several) : run_round(&several, &is_stale);
    sigprocmask(SIG_SETMASK, &several.usual, NULL);
    close(several.answers[0]);
    close(several.answers[1]);
    VEC_FREE(&several.files);
    VEC_FREE(&several.outcomes);
    return code;
}
