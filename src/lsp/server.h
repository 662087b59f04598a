/* The language server: one loop that waits for the client and for the worker that reads a text (worker.h).
 *
 * A text is read when nothing has come for a moment, or when a request waits for it; a change stops the worker. A
 * request that needs the reading waits for it, and can be cancelled. */
#ifndef NOETHER_LSP_SERVER_H
#define NOETHER_LSP_SERVER_H

#include "lsp/document.h"
#include "lsp/transport.h"
#include "lsp/worker.h"

/* Codes of errors, of JSON-RPC and of the protocol. */
enum {
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_METHOD_NOT_FOUND = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_NOT_INITIALIZED = -32002,
    LSP_REQUEST_FAILED = -32803,
    LSP_CONTENT_MODIFIED = -32801,
    LSP_CANCELLED = -32800
};

struct lsp_request {
    struct json *id;
    const struct lsp_method *method;
    struct json *params;
    struct document *document;
    double asked; /* when */
};

struct server {
    struct lsp_transport transport;
    bool is_initialized, is_shut_down, is_over;
    bool is_utf8;
    bool runs_commands; /* itself; else the client does */
    int exit_code;
    VEC(struct document *) documents;
    VEC(struct lsp_request) waiting;
    VEC(struct define) defines; /* of constants, as with -D; on the heap */
    struct lsp_worker worker;
    struct document *read;   /* by the worker, or NULL */
    double started;          /* the worker */
    struct lsp_worker check; /* a check that a client has asked for */
    char *check_path;
};

/* A request: answered at once, or when the text has been read. NULL for the result: an error was sent. */
struct lsp_method {
    const char *name;
    struct json *(*answer)(struct server *server, const struct lsp_request *request);
    bool waits;         /* for the reading */
    bool waits_for_all; /* also for the symmetry */
};

/* Serves until the client says exit or is gone; the exit code of the program. */
int server_run(int in, int out);

/* requests.c */
const struct lsp_method *method_find(const char *name);
void server_fail(struct server *server, const struct json *id, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void server_notify(struct server *server, const char *method, struct json *params);
struct document *server_document(const struct server *server, const char *uri);

/* notifications.c */
void server_notified(struct server *server, const char *method, const struct json *params);
void server_configure(struct server *server, const struct json *settings);

/* reading.c: the worker and what it finds. */
struct analysis_job;
/* What the worker has to know of the text; `model` is on the heap. */
void reading_job(const struct server *server, const struct document *document, struct analysis_job *job);
void reading_free(struct analysis_job *job);
void reading_due(struct document *document, double delay);
void reading_stop(struct server *server, const struct document *document);
/* Starts one, takes what it has found, ends one that takes too long. */
void reading_go_on(struct server *server);
/* Seconds until something is to be done; negative: nothing. */
double reading_wait(const struct server *server);

/* rename.c */
struct json *rename_prepare(struct server *server, const struct lsp_request *request);
struct json *rename_answer(struct server *server, const struct lsp_request *request);

/* command.c: a check in a process of its own. */
struct json *command_execute(struct server *server, const struct lsp_request *request);
void command_read(struct server *server);
void command_stop(struct server *server);

#endif
