#include "lsp/server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

struct document *server_document(const struct server *server, const char *uri)
{
    for (size_t i = 0; uri && i < server->documents.count; i++)
        if (!strcmp(server->documents.items[i]->uri, uri))
            return server->documents.items[i];
    return NULL;
}

void server_fail(struct server *server, const struct json *id, int code, const char *format, ...)
{
    struct text message = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&message, format, arguments);
    va_end(arguments);
    struct json *response = json_make_object(), *error = json_make_object();
    json_set(error, "code", json_make_integer(code));
    json_set(error, "message", json_make_text(text_chars(&message)));
    json_set(response, "jsonrpc", json_make_text("2.0"));
    json_set(response, "id", id ? json_keep(id) : json_make_null());
    json_set(response, "error", error);
    transport_send(&server->transport, response);
    text_free(&message);
}

void server_notify(struct server *server, const char *method, struct json *params)
{
    struct json *message = json_make_object();
    json_set(message, "jsonrpc", json_make_text("2.0"));
    json_set(message, "method", json_make_text(method));
    json_set(message, "params", params);
    transport_send(&server->transport, message);
}

/* It waits for the reading of its text, which then is not put off; others are answered at once. */
static void request(struct server *server, const struct json *id, const char *name, const struct json *params)
{
    const struct lsp_method *method = method_find(name);
    bool is_first = !strcmp(name, "initialize");
    if (server->is_shut_down)
        server_fail(server, id, LSP_INVALID_REQUEST, "the server is shut down");
    else if (!server->is_initialized && !is_first)
        server_fail(server, id, LSP_NOT_INITIALIZED, "the server is not initialized");
    else if (server->is_initialized && is_first)
        server_fail(server, id, LSP_INVALID_REQUEST, "the server is initialized already");
    else if (!method)
        server_fail(server, id, LSP_METHOD_NOT_FOUND, "unknown method \"%s\"", name);
    else {
        const char *uri = json_read_text(json_get(json_get(params, "textDocument"), "uri"));
        struct document *document = server_document(server, uri);
        if (method->waits && !document) {
            server_fail(server, id, LSP_INVALID_PARAMS, "the document is not open");
            return;
        }
        if (method->waits && document->is_due)
            reading_due(document, 0);
        struct lsp_request made = {.id = json_keep(id),
                                   .method = method,
                                   .params = params ? json_keep(params) : NULL,
                                   .document = document,
                                   .asked = clock_wall()};
        VEC_PUSH(&server->waiting, made);
    }
}

static void receive_one(struct server *server, const struct json *message)
{
    const char *method = json_read_text(json_get(message, "method"));
    const struct json *id = json_get(message, "id"), *params = json_get(message, "params");
    enum json_kind kind = json_kind(id);
    if (!method && (json_get(message, "result") || json_get(message, "error")))
        return; /* of a request of ours */
    if (json_kind(message) != JSON_KIND_OBJECT || !method ||
        (kind != JSON_KIND_MISSING && kind != JSON_KIND_TEXT && kind != JSON_KIND_NUMBER && kind != JSON_KIND_NULL))
        server_fail(server, NULL, LSP_INVALID_REQUEST, "this is no request");
    else if (kind == JSON_KIND_MISSING)
        server_notified(server, method, params);
    else
        request(server, id, method, params);
}

/* A batch is several messages. */
static void receive(struct server *server, const char *chars, size_t length)
{
    struct text why = {0};
    struct json *message = json_parse(chars, length, &why);
    if (!message)
        server_fail(server, NULL, LSP_PARSE_ERROR, "%s", text_chars(&why));
    else if (json_kind(message) == JSON_KIND_ARRAY)
        for (size_t i = 0; i < json_size(message) && !server->is_over; i++)
            receive_one(server, json_item(message, i));
    else
        receive_one(server, message);
    json_free(message);
    text_free(&why);
}

static void receive_all(struct server *server)
{
    const char *chars;
    size_t length;
    transport_fill(&server->transport);
    for (;;) {
        enum lsp_transport_event event = transport_next(&server->transport, &chars, &length);
        if (event == TRANSPORT_WAIT || server->is_over)
            break;
        if (event == TRANSPORT_TOO_LONG)
            server_fail(server, NULL, LSP_INVALID_REQUEST, "a message may have at most %d bytes", TRANSPORT_MOST);
        else
            receive(server, chars, length);
    }
}

static void wait_and_work(struct server *server)
{
    struct pollfd files[3] = {{.fd = server->transport.in, .events = POLLIN},
                              {.fd = server->read ? server->worker.answers : -1, .events = POLLIN},
                              {.fd = server->check.process ? server->check.answers : -1, .events = POLLIN}};
    double wait = reading_wait(server);
    int ready = poll(files, 3, wait < 0 ? -1 : (int)(1000 * wait) + 1);
    if (ready < 0 && errno != EINTR)
        server->is_over = true;
    if (ready > 0 && files[0].revents)
        receive_all(server);
    if (ready > 0 && files[2].revents && server->check.process)
        command_read(server);
    if (!server->is_over)
        reading_go_on(server);
}

static void release(struct server *server)
{
    reading_stop(server, NULL);
    command_stop(server);
    for (size_t i = 0; i < server->waiting.count; i++) {
        json_free(server->waiting.items[i].id);
        json_free(server->waiting.items[i].params);
    }
    for (size_t i = 0; i < server->documents.count; i++)
        document_close(server->documents.items[i]);
    server_configure(server, NULL);
    VEC_FREE(&server->waiting);
    VEC_FREE(&server->documents);
    VEC_FREE(&server->defines);
    transport_free(&server->transport);
}

int server_run(int in, int out)
{
    struct server server = {
        .transport = {.in = in, .out = out}, .exit_code = 1, .worker = {.answers = -1}, .check = {.answers = -1}};
    signal(SIGPIPE, SIG_IGN); /* a client that is gone ends the loop */
    while (!server.is_over && !server.transport.is_over)
        wait_and_work(&server);
    release(&server);
    return server.exit_code;
}
