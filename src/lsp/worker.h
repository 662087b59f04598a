/* Work in a process of its own: a model that makes a front end slow, or takes all memory, or breaks it, costs that
 * process and not the server. The worker writes its answers, a line of JSON each, and ends. */
#ifndef NOETHER_LSP_WORKER_H
#define NOETHER_LSP_WORKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/json.h"

struct lsp_worker {
    pid_t process; /* 0: none */
    int answers;   /* where they are read; -1: none */
    struct text got;
    size_t taken;
};

/* Answers of a worker. */
struct worker_output {
    int file;
};
void worker_answer(struct worker_output *output, struct json *answer); /* takes it */

typedef void worker_task(void *job, struct worker_output *output);

/* Starts it, with at most so many seconds of processor time; false: no process can be started. */
bool worker_start(struct lsp_worker *worker, worker_task *task, void *job, unsigned seconds);
/* Reads what it has written; false: it has ended. */
bool worker_read(struct lsp_worker *worker);
/* The next whole answer, or NULL. */
struct json *worker_next(struct lsp_worker *worker);
/* Ends it, whatever it does. */
void worker_stop(struct lsp_worker *worker);
/* All of it at once: the first answer, or NULL when there is none in time. */
struct json *worker_ask(worker_task *task, void *job, unsigned seconds);

#endif
