#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/children.h"
#include "base/watch.h"
#include "driver/graph.h"

/* Large graphs can keep the layout busy for hours. */
enum { GRAPHVIZ_MOST_SECONDS = 60 };

extern char **environ;

/* 0, or an errno. Unnamed files, not pipes: neither side can block on the other. */
static int spawn_dot(FILE *in, FILE *out, pid_t *child)
{
    char *words[] = {"dot", "-Tsvg", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int reason = posix_spawnp(child, "dot", &actions, NULL, words, environ);
    if (!reason)
        children_add(*child);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

/* Waits for the child; ends it when it takes too long. False, with the reason. */
static bool await_dot(pid_t child, const volatile int *interrupted, struct text *message)
{
    struct timespec nap = {0, 10000000};
    int status = 0;
    pid_t done = 0;
    siginfo_t about = {0};
    for (uint32_t waited = 0; !waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT | WNOHANG) && !about.si_pid;
         waited++) {
        bool is_late = waited > GRAPHVIZ_MOST_SECONDS * 100;
        if (is_late || watch_is_up() || flag_is_set(interrupted)) {
            kill(child, SIGKILL);
            children_remove(child);
            waitpid(child, &status, 0);
            text_append(message, is_late
                                     ? "dot takes too long to draw this graph; try a smaller --max-nodes, or --as dot"
                                     : "stopped while dot was drawing the graph");
            return false;
        }
        nanosleep(&nap, NULL);
    }
    children_remove(child);
    done = waitpid(child, &status, 0);
    if (done < 0 || !WIFEXITED(status) || WEXITSTATUS(status)) {
        text_append(message, "dot (of Graphviz) failed; --as dot writes what it was given");
        return false;
    }
    return true;
}

static bool run_between(const struct text *dot, FILE *in, FILE *out, const volatile int *interrupted, struct text *svg,
                        struct text *message)
{
    pid_t child;
    char chunk[4096];
    size_t length;
    if (fwrite(text_chars(dot), 1, dot->length, in) != dot->length || fflush(in)) {
        text_format(message, "cannot write a temporary file: %s", strerror(errno));
        return false;
    }
    rewind(in);
    int reason = spawn_dot(in, out, &child);
    if (reason) {
        text_format(message,
                    "SVG is drawn by the program dot of Graphviz, which cannot be run (%s); install graphviz, "
                    "or use --as dot",
                    strerror(reason));
        return false;
    }
    if (!await_dot(child, interrupted, message))
        return false;
    rewind(out);
    while ((length = fread(chunk, 1, sizeof chunk, out)) > 0)
        text_append_n(svg, chunk, length);
    return true;
}

bool graphviz_run(const struct text *dot, const volatile int *interrupted, struct text *svg, struct text *message)
{
    FILE *in = tmpfile(), *out = tmpfile();
    bool ok = in && out && run_between(dot, in, out, interrupted, svg, message);
    if (!in || !out)
        text_format(message, "cannot make a temporary file: %s", strerror(errno));
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return ok;
}
