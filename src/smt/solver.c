#include "smt/solver.h"

#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/children.h"
#include "base/folder.h"
#include "base/watch.h"

extern char **environ;

static const char *const smt_solver_names[] = {"z3", "cvc5", NULL};

bool smt_solver_is_found(const char *name)
{
    const char *path = getenv("PATH");
    bool is_found = false;
    while (path && *path && !is_found) {
        struct text file = {0};
        size_t length = strcspn(path, ":");
        text_append_n(&file, path, length);
        text_format(&file, "/%s", name);
        is_found = length && !access(file.chars, X_OK);
        text_free(&file);
        path += length;
        path += *path == ':';
    }
    return is_found;
}

/* -- The folder -- */

bool smt_folder_open(struct smt_folder *folder, const char *kept)
{
    *folder = (struct smt_folder){.is_kept = kept != NULL};
    if (kept) {
        text_append(&folder->path, kept);
        return !mkdir(kept, 0777) || errno == EEXIST;
    }
    const char *temporary = getenv("TMPDIR");
    text_format(&folder->path, "%s/noether-smt-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (mkdtemp(folder->path.chars))
        return true;
    text_free(&folder->path);
    return false;
}

static void folder_empty(const struct smt_folder *folder)
{
    DIR *directory = opendir(text_chars(&folder->path));
    struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory)
        closedir(directory);
}

void smt_folder_close(struct smt_folder *folder)
{
    if (!folder->is_kept && folder->path.length) {
        folder_empty(folder);
        rmdir(folder->path.chars);
    }
    text_free(&folder->path);
}

bool smt_folder_write(const struct smt_folder *folder, const char *name, const struct text *content)
{
    int here = open(text_chars(&folder->path), O_RDONLY | O_DIRECTORY | O_CLOEXEC), number = -1;
    const char *reason = here < 0 ? strerror(errno) : folder_create_file(here, name, &number);
    if (here >= 0)
        close(here);
    FILE *file = reason ? NULL : fdopen(number, "w");
    if (!file && number >= 0)
        close(number);
    if (!file)
        return false;
    bool is_written = fwrite(text_chars(content), 1, content->length, file) == content->length;
    return !fclose(file) && is_written;
}

void smt_folder_forget(const struct smt_folder *folder, const char *name)
{
    struct text path = {0};
    text_format(&path, "%s/%s", text_chars(&folder->path), name);
    size_t length = path.length;
    unlink(path.chars);
    for (size_t s = 0; smt_solver_names[s]; s++) {
        path.length = length;
        text_format(&path, ".%s", smt_solver_names[s]);
        unlink(path.chars);
    }
    text_free(&path);
}

/* -- The program -- */

/* The folder may be one that the user keeps evidence in: a link in it is not followed. */
enum { LOG_FLAGS = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW };

static pid_t solver_start(const char *solver, const char *file, const char *log, double seconds)
{
    char limit[64];
    bool is_z3 = !strcmp(solver, "z3");
    snprintf(limit, sizeof limit, is_z3 ? "-t:%.0f" : "--tlimit-per=%.0f", 1000 * seconds);
    char *arguments[] = {(char *)solver, limit, (char *)(is_z3 ? "-smt2" : "--incremental"), (char *)file, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child = -1;
    sigemptyset(&none);
    unlink(log);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    bool is_good = !posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) &&
                   !posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, LOG_FLAGS, S_IRUSR | S_IWUSR) &&
                   !posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0) &&
                   !posix_spawnattr_setpgroup(&attributes, 0) && !posix_spawnattr_setsigmask(&attributes, &none) &&
                   !posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK) &&
                   !posix_spawnp(&child, solver, &files, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (!is_good)
        return -1;
    children_add(child);
    return child;
}

/* False: the watch was up, and it is ended. */
static bool solver_wait(pid_t child)
{
    const struct timespec pause = {0, 2000000};
    siginfo_t about = {0};
    bool is_cut = false;
    while (!is_cut && (waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT | WNOHANG) || about.si_pid != child)) {
        nanosleep(&pause, NULL);
        is_cut = watch_is_up();
    }
    if (is_cut)
        kill(-child, SIGKILL);
    children_remove(child);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return !is_cut;
}

/* One word a line; anything else is an error. */
static bool answers_read(const char *log, smt_answer_list *answers)
{
    char line[256];
    FILE *file = fopen(log, "r");
    bool is_good = file != NULL;
    while (file && is_good && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        enum smt_answer answer = !strcmp(line, "unsat") ? SMT_UNSATISFIABLE
                                 : !strcmp(line, "sat") ? SMT_SATISFIABLE
                                                        : SMT_UNKNOWN;
        is_good = answer != SMT_UNKNOWN || !strcmp(line, "unknown") || !strcmp(line, "timeout");
        if (is_good)
            VEC_PUSH(answers, answer);
    }
    if (file)
        fclose(file);
    return is_good;
}

/* True: the log is there. */
static bool solver_run(const struct smt_folder *folder, const char *solver, const char *file, double seconds,
                       struct text *log)
{
    struct text path = {0};
    text_format(&path, "%s/%s", text_chars(&folder->path), file);
    text_format(log, "%s.%s", path.chars, solver);
    pid_t child = solver_start(solver, path.chars, log->chars, seconds);
    bool is_good = child > 0 && solver_wait(child);
    text_free(&path);
    return is_good;
}

bool smt_solve(const struct smt_folder *folder, const char *solver, const char *file, double seconds,
               smt_answer_list *answers)
{
    struct text log = {0};
    VEC_CLEAR(answers);
    bool is_good = solver_run(folder, solver, file, seconds, &log) && answers_read(log.chars, answers);
    text_free(&log);
    return is_good;
}

static void core_read(char *line, uint32_t question, void (*take)(void *user, uint32_t question, uint32_t name),
                      void *user)
{
    for (char *word = strtok(line, "() \r\n"); word; word = strtok(NULL, "() \r\n"))
        if (word[0] == 'c')
            take(user, question, (uint32_t)strtoul(word + 1, NULL, 10));
}

bool smt_solve_cores(const struct smt_folder *folder, const char *solver, const char *file, double seconds,
                     void (*take)(void *user, uint32_t question, uint32_t name), void *user)
{
    struct text log = {0};
    char *line = NULL;
    size_t room = 0;
    uint32_t question = 0;
    FILE *stream = solver_run(folder, solver, file, seconds, &log) ? fopen(log.chars, "r") : NULL;
    bool is_good = stream != NULL;
    while (is_good && getline(&line, &room, stream) >= 0) {
        if (!strncmp(line, "unsat", 5))
            question++;
        else if (line[0] == '(' && strncmp(line, "(error", 6) && question)
            core_read(line, question - 1, take, user);
        else
            is_good = false;
    }
    if (stream)
        fclose(stream);
    free(line);
    text_free(&log);
    return is_good;
}
