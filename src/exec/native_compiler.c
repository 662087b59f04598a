#include "exec/native_compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/children.h"
#include "base/vec.h"

extern char **environ;

static const char *compiler_name(void)
{
    const char *name = getenv("NOETHER_CC");
    return name && *name ? name : "cc";
}

static const char *compiler_options(void)
{
    const char *options = getenv("NOETHER_CFLAGS");
    return options ? options : "-Og -fstrict-aliasing";
}

/* Where execvp would find it. */
static bool find_program(const char *name, struct text *path)
{
    const char *list = getenv("PATH");
    if (strchr(name, '/') || !list) {
        text_append(path, name);
        return !access(name, X_OK);
    }
    while (*list) {
        size_t length = strcspn(list, ":");
        text_clear(path);
        text_append_n(path, length ? list : ".", length ? length : 1);
        text_format(path, "/%s", name);
        struct stat about;
        if (!access(path->chars, X_OK) && !stat(path->chars, &about) && S_ISREG(about.st_mode))
            return true;
        list += length + (list[length] == ':');
    }
    return false;
}

/* The file that is run says which version it is: its size and time change with it, and asking it would take longer. */
bool compiler_identify(struct text *out)
{
    struct text path = {0};
    struct stat about;
    bool is_found = find_program(compiler_name(), &path) && !stat(path.chars, &about);
    if (is_found)
        text_format(out, "%s %lld %lld.%ld %s", path.chars, (long long)about.st_size, (long long)about.st_mtim.tv_sec,
                    (long)about.st_mtim.tv_nsec, compiler_options());
    text_free(&path);
    return is_found;
}

struct compiler_words {
    VEC(char *) list;
};

static void words_add(struct compiler_words *words, const char *word, size_t length)
{
    struct text copy = {0};
    text_append_n(&copy, word, length);
    VEC_PUSH(&words->list, copy.chars);
}

static void words_add_text(struct compiler_words *words, const char *word)
{
    words_add(words, word, strlen(word));
}

static void words_split(struct compiler_words *words, const char *text)
{
    while (*(text += strspn(text, " \t"))) {
        size_t length = strcspn(text, " \t");
        words_add(words, text, length);
        text += length;
    }
}

/* Terminated, as exec wants it. */
static char **words_array(struct compiler_words *words)
{
    VEC_PUSH(&words->list, NULL);
    return words->list.items;
}

static void words_free(struct compiler_words *words)
{
    for (size_t i = 0; i < words->list.count; i++)
        free(words->list.items[i]);
    VEC_FREE(&words->list);
}

/* (The program needs nothing that is not in this process already: without libraries the linker is done in half the
 * time.) */
static void list_arguments(struct compiler_words *words, const char *source, const char *target)
{
    words_add_text(words, compiler_name());
    words_split(words, compiler_options());
    words_split(words, "-std=gnu11 -w -pipe -shared -nostdlib -fPIC -o");
    words_add_text(words, target);
    words_add_text(words, source);
}

/* The environment, but temporary files go to `directory`: whoever stops the compiler removes them with it. */
static void list_environment(struct compiler_words *words, const char *directory)
{
    struct text temporary = {0};
    text_format(&temporary, "TMPDIR=%s", directory);
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "TMPDIR=", 7))
            words_add_text(words, *variable);
    words_add_text(words, temporary.chars);
    text_free(&temporary);
}

static bool attributes_prepare(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigemptyset(&none);
    return !posix_spawnattr_setpgroup(attributes, 0) && !posix_spawnattr_setsigmask(attributes, &none) &&
           !posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
}

pid_t compiler_start(const char *directory, const char *source, const char *target, const char *log)
{
    struct compiler_words arguments = {0}, variables = {0};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t child = -1;
    list_arguments(&arguments, source, target);
    list_environment(&variables, directory);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    bool is_good =
        !posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) &&
        !posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT, S_IRUSR | S_IWUSR) &&
        !posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO) && attributes_prepare(&attributes) &&
        !posix_spawnp(&child, compiler_name(), &files, &attributes, words_array(&arguments), words_array(&variables));
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    words_free(&arguments);
    words_free(&variables);
    if (!is_good)
        return -1;
    children_add(child);
    return child;
}

/* Until it is waited for, its number stays its own. */
static bool compiler_reap(pid_t child)
{
    int status = 0;
    pid_t done;
    children_remove(child);
    do
        done = waitpid(child, &status, 0);
    while (done < 0 && errno == EINTR);
    return done == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool compiler_finished(pid_t child, bool *is_good)
{
    siginfo_t about = {0};
    if (!waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT | WNOHANG) && about.si_pid != child)
        return false;
    *is_good = compiler_reap(child);
    return true;
}

void compiler_stop(pid_t child)
{
    kill(-child, SIGKILL);
    kill(child, SIGKILL); /* it may not lead its group yet */
    compiler_reap(child);
}
