/* "check" and "showSymmetry" of clients that do not run the program themselves: it is run once more, and what it says
 * is shown as a message. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "lsp/server.h"

enum { COMMAND_SECONDS = 600, MESSAGE_MOST = 4000 };

struct command_job {
    const char *command, *path;
};

/* The child becomes the program, which writes to the pipe. */
static void run(void *user, struct worker_output *output)
{
    const struct command_job *job = user;
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(output->file, STDOUT_FILENO);
    dup2(output->file, STDERR_FILENO);
    bool checks = !strcmp(job->command, "check");
    char *const words[] = {
        "noether", (char *)job->command, (char *)job->path, checks ? "--time" : NULL, checks ? "60" : NULL, NULL};
    execv("/proc/self/exe", words);
    execvp("noether", words);
}

struct json *command_execute(struct server *server, const struct lsp_request *request)
{
    const char *name = json_read_text(json_get(request->params, "command"));
    const char *uri = json_read_text(json_item(json_get(request->params, "arguments"), 0));
    bool checks = name && !strcmp(name, "noether.check"), shows = name && !strcmp(name, "noether.showSymmetry");
    if ((!checks && !shows) || !uri) {
        server_fail(server, request->id, LSP_INVALID_PARAMS, "unknown command, or no file");
        return NULL;
    }
    command_stop(server);
    char *path = document_path(uri);
    struct command_job job = {checks ? "check" : "symmetry", path};
    if (worker_start(&server->check, run, &job, COMMAND_SECONDS))
        server->check_path = path;
    else {
        server_fail(server, request->id, LSP_REQUEST_FAILED, "no process can be started");
        free(path);
        return NULL;
    }
    return json_make_null();
}

void command_read(struct server *server)
{
    enum { INFO = 3 };
    if (worker_read(&server->check))
        return;
    struct text *said = &server->check.got;
    size_t first = said->length > MESSAGE_MOST ? said->length - MESSAGE_MOST : 0;
    struct json *params = json_make_object();
    json_set(params, "type", json_make_integer(INFO));
    json_set(params, "message", json_make_text(text_chars(said) + first));
    server_notify(server, "window/showMessage", params);
    command_stop(server);
}

void command_stop(struct server *server)
{
    worker_stop(&server->check);
    free(server->check_path);
    server->check_path = NULL;
}
