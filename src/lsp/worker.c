#include "lsp/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

void worker_answer(struct worker_output *output, struct json *answer)
{
    struct text line = {0};
    json_print_compact(answer, &line);
    json_free(answer);
    text_char(&line, '\n');
    for (size_t done = 0; done < line.length;) {
        ssize_t count = write(output->file, line.chars + done, line.length - done);
        if (count <= 0 && errno != EINTR)
            _exit(1); /* nobody listens */
        done += count > 0 ? (size_t)count : 0;
    }
    text_free(&line);
}

/* The child: it never returns, and runs nothing that the server has set up for its own end. */
static _Noreturn void run(worker_task *task, void *job, unsigned seconds, int file)
{
    struct rlimit limit = {.rlim_cur = seconds, .rlim_max = seconds + 1};
    struct worker_output output = {file};
    setrlimit(RLIMIT_CPU, &limit);
    signal(SIGPIPE, SIG_DFL);
    task(job, &output);
    _exit(0);
}

bool worker_start(struct lsp_worker *worker, worker_task *task, void *job, unsigned seconds)
{
    int ends[2];
    *worker = (struct lsp_worker){.answers = -1};
    if (pipe(ends))
        return false;
    pid_t process = fork();
    if (!process) {
        close(ends[0]);
        run(task, job, seconds, ends[1]);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    worker->process = process;
    worker->answers = ends[0];
    return true;
}

bool worker_read(struct lsp_worker *worker)
{
    char buffer[1 << 16];
    ssize_t count = read(worker->answers, buffer, sizeof buffer);
    if (count > 0)
        text_append_n(&worker->got, buffer, (size_t)count);
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

struct json *worker_next(struct lsp_worker *worker)
{
    const char *line = text_chars(&worker->got) + worker->taken;
    const char *end = memchr(line, '\n', worker->got.length - worker->taken);
    if (!end)
        return NULL;
    struct text message = {0};
    struct json *answer = json_parse(line, (size_t)(end - line), &message);
    worker->taken += (size_t)(end - line) + 1;
    text_free(&message);
    return answer;
}

void worker_stop(struct lsp_worker *worker)
{
    if (!worker->process)
        return;
    kill(worker->process, SIGKILL);
    while (waitpid(worker->process, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(worker->answers);
    text_free(&worker->got);
    *worker = (struct lsp_worker){.answers = -1};
}

struct json *worker_ask(worker_task *task, void *job, unsigned seconds)
{
    struct lsp_worker worker;
    if (!worker_start(&worker, task, job, seconds))
        return NULL;
    double end = clock_wall() + seconds;
    struct json *answer = NULL;
    while (!answer) {
        struct pollfd file = {.fd = worker.answers, .events = POLLIN};
        double left = end - clock_wall();
        int ready = left > 0 ? poll(&file, 1, (int)(1000 * left) + 1) : 0;
        bool is_over = ready > 0 ? !worker_read(&worker) : !(ready < 0 && errno == EINTR);
        answer = worker_next(&worker);
        if (is_over)
            break;
    }
    worker_stop(&worker);
    return answer;
}
