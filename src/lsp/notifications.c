#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "lsp/server.h"

#define DEBOUNCE 0.15 /* seconds without a change until the text is read */

static struct document *find(const struct server *server, const struct json *params)
{
    return server_document(server, json_read_text(json_get(json_get(params, "textDocument"), "uri")));
}

/* What waits for the text is answered with an error: it is another text now, or none. */
static void drop_waiting(struct server *server, const struct document *document)
{
    size_t kept = 0;
    for (size_t i = 0; i < server->waiting.count; i++) {
        struct lsp_request request = server->waiting.items[i];
        if (request.document != document || !request.method->waits) {
            server->waiting.items[kept++] = request;
            continue;
        }
        server_fail(server, request.id, LSP_CONTENT_MODIFIED, "the text has changed");
        json_free(request.id);
        json_free(request.params);
    }
    server->waiting.count = kept;
}

/* Properties are read with the model that they are for. */
static void changed(struct server *server, struct document *document)
{
    drop_waiting(server, document);
    reading_stop(server, document);
    document->is_current = false;
    reading_due(document, DEBOUNCE);
    for (size_t i = 0; i < server->documents.count; i++)
        if (server->documents.items[i]->is_properties && server->documents.items[i] != document)
            reading_due(server->documents.items[i], DEBOUNCE);
}

static void forget(struct server *server, struct document *document)
{
    drop_waiting(server, document);
    reading_stop(server, document);
    size_t kept = 0;
    for (size_t i = 0; i < server->documents.count; i++)
        if (server->documents.items[i] != document)
            server->documents.items[kept++] = server->documents.items[i];
    server->documents.count = kept;
    for (size_t i = 0; i < server->waiting.count; i++)
        if (server->waiting.items[i].document == document)
            server->waiting.items[i].document = NULL;
    document_close(document);
}

static void did_open(struct server *server, const struct json *params)
{
    const struct json *item = json_get(params, "textDocument");
    const char *uri = json_read_text(json_get(item, "uri")), *chars = json_read_text(json_get(item, "text"));
    int64_t version = -1;
    json_read_integer(json_get(item, "version"), &version);
    if (!uri || !chars)
        return;
    struct document *open = server_document(server, uri);
    if (open)
        forget(server, open);
    struct document *made = document_open(uri, json_read_text(json_get(item, "languageId")), chars, version);
    VEC_PUSH(&server->documents, made);
    reading_due(made, 0);
}

static void did_change(struct server *server, const struct json *params)
{
    struct document *document = find(server, params);
    const struct json *changes = json_get(params, "contentChanges");
    if (!document)
        return;
    json_read_integer(json_get(json_get(params, "textDocument"), "version"), &document->version);
    for (size_t i = 0; json_kind(changes) == JSON_KIND_ARRAY && i < json_size(changes); i++)
        document_change(document, json_item(changes, i), server->is_utf8);
    changed(server, document);
}

static void did_close(struct server *server, const struct json *params)
{
    struct document *document = find(server, params);
    if (!document)
        return;
    struct json *none = json_make_object();
    json_set(none, "uri", json_make_text(document->uri));
    json_set(none, "diagnostics", json_make_array());
    server_notify(server, "textDocument/publishDiagnostics", none);
    forget(server, document);
}

static bool is_same_id(const struct json *a, const struct json *b)
{
    int64_t first, second;
    if (json_read_integer(a, &first) && json_read_integer(b, &second))
        return first == second;
    const char *x = json_read_text(a), *y = json_read_text(b);
    return x && y && !strcmp(x, y);
}

static void cancel(struct server *server, const struct json *params)
{
    size_t kept = 0;
    for (size_t i = 0; i < server->waiting.count; i++) {
        struct lsp_request request = server->waiting.items[i];
        if (!is_same_id(request.id, json_get(params, "id")) || !strcmp(request.method->name, "initialize") ||
            !strcmp(request.method->name, "shutdown")) {
            server->waiting.items[kept++] = request;
            continue;
        }
        server_fail(server, request.id, LSP_CANCELLED, "cancelled");
        json_free(request.id);
        json_free(request.params);
    }
    server->waiting.count = kept;
}

/* --- settings --- */

static void add_define(void *user, const char *key, const struct json *value)
{
    struct server *server = user;
    struct text printed = {0};
    const char *words = json_read_text(value);
    if (words)
        text_append(&printed, words);
    else
        json_print_compact(value, &printed);
    struct define define = {memory_string(key), memory_string(text_chars(&printed))};
    VEC_PUSH(&server->defines, define);
    text_free(&printed);
}

/* {"defines": {"N": 4}}: constants, as with -D. */
void server_configure(struct server *server, const struct json *settings)
{
    for (size_t i = 0; i < server->defines.count; i++) {
        free((char *)server->defines.items[i].name);
        free((char *)server->defines.items[i].value);
    }
    VEC_CLEAR(&server->defines);
    const struct json *defines = json_get(settings, "defines");
    if (json_kind(defines) == JSON_KIND_OBJECT)
        json_each(defines, add_define, server);
}

static void did_configure(struct server *server, const struct json *params)
{
    const struct json *settings = json_get(params, "settings"), *own = json_get(settings, "noether");
    server_configure(server, own ? own : settings);
    for (size_t i = 0; i < server->documents.count; i++)
        changed(server, server->documents.items[i]);
}

static void leave(struct server *server, const struct json *params)
{
    (void)params;
    server->exit_code = server->is_shut_down ? 0 : 1;
    server->is_over = true;
}

void server_notified(struct server *server, const char *method, const struct json *params)
{
    static const struct {
        const char *name;
        void (*take)(struct server *server, const struct json *params);
        bool is_always; /* before the beginning and behind the end, too */
    } known[] = {
        {"textDocument/didOpen", did_open, false},   {"textDocument/didChange", did_change, false},
        {"textDocument/didClose", did_close, false}, {"workspace/didChangeConfiguration", did_configure, false},
        {"$/cancelRequest", cancel, true},           {"exit", leave, true}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, method) && (known[i].is_always || (server->is_initialized && !server->is_shut_down)))
            known[i].take(server, params);
}
