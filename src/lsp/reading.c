#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "driver/model.h"
#include "lsp/analyse.h"
#include "lsp/server.h"

/* Processor time of a reading, and how long an answer waits for the symmetry, in seconds. */
enum { READING_SECONDS = 20, SYMMETRY_PATIENCE = 2 };

static bool is_there(void *server, const char *path)
{
    char *uri = document_uri(path);
    bool is_open = server_document(server, uri) != NULL;
    free(uri);
    return is_open || !access(path, R_OK);
}

/* Of properties: the model beside them, as it stands in the editor if it is open there. */
static void find_model(const struct server *server, const struct document *document, struct analysis_job *job)
{
    job->model = model_of_properties(document->path, is_there, (void *)server);
    char *uri = job->model ? document_uri(job->model) : NULL;
    const struct document *model = uri ? server_document(server, uri) : NULL;
    job->model_chars = model ? text_chars(&model->text) : NULL;
    if (job->model)
        job->language = model_find_language(NULL, job->model);
    free(uri);
}

/* The settings are for all models: a constant is given to those that have its name. */
static void choose_defines(const struct server *server, const struct document *document, struct analysis_job *job)
{
    bool is_unseen = job->model && !job->model_chars;
    struct define *chosen = memory_zeroed(server->defines.count + 1, sizeof *chosen);
    for (size_t i = 0; i < server->defines.count; i++) {
        const char *name = server->defines.items[i].name;
        if (is_unseen || document_has_word(text_chars(&document->text), name) ||
            (job->model_chars && document_has_word(job->model_chars, name)))
            chosen[job->define_count++] = server->defines.items[i];
    }
    job->defines = chosen;
}

void reading_job(const struct server *server, const struct document *document, struct analysis_job *job)
{
    *job = (struct analysis_job){.language = document->language,
                                 .path = document->path,
                                 .chars = text_chars(&document->text),
                                 .length = document->text.length,
                                 .is_properties = document->is_properties,
                                 .is_utf8 = server->is_utf8};
    if (document->is_properties)
        find_model(server, document, job);
    choose_defines(server, document, job);
}

void reading_free(struct analysis_job *job)
{
    free((char *)job->model);
    free((struct define *)job->defines);
}

void reading_due(struct document *document, double delay)
{
    document->is_due = document->language != NULL;
    document->due = clock_wall() + delay;
}

/* NULL: whatever is read. */
void reading_stop(struct server *server, const struct document *document)
{
    if (!server->read || (document && server->read != document))
        return;
    worker_stop(&server->worker);
    server->read = NULL;
}

static void publish(struct server *server, const struct document *document)
{
    struct json *params = json_make_object(), *list = json_make_array();
    const struct json *found = json_get(document->last.answer, "diagnostics");
    for (size_t i = 0; i < json_size(found); i++) {
        int64_t file = 0;
        json_read_integer(json_get(json_item(found, i), "file"), &file);
        if (!file)
            json_push(list, json_keep(json_item(found, i)));
    }
    json_set(params, "uri", json_make_text(document->uri));
    if (document->version >= 0)
        json_set(params, "version", json_make_integer(document->version));
    json_set(params, "diagnostics", list);
    server_notify(server, "textDocument/publishDiagnostics", params);
}

/* Nothing was found, since the reading was ended: that is said, and what was found before stays. */
static void publish_failure(struct server *server, const struct document *document)
{
    struct position start = {0, 0};
    struct json *params = json_make_object(), *list = json_make_array(), *item = json_make_object();
    json_set(item, "range", range_json(start, start));
    json_set(item, "severity", json_make_integer(2));
    json_set(item, "source", json_make_text("noether"));
    json_set(item, "message",
             json_make_text("the model could not be read: it took too much time or memory, or the reader failed"));
    json_push(list, item);
    json_set(params, "uri", json_make_text(document->uri));
    json_set(params, "diagnostics", list);
    server_notify(server, "textDocument/publishDiagnostics", params);
}

static void take(struct server *server, struct document *document, struct json *answer)
{
    const struct json *symmetry = json_get(answer, "symmetry");
    if (!symmetry) {
        document_found(document, answer);
        publish(server, document);
        return;
    }
    json_free(document->symmetry);
    document->symmetry = json_keep(symmetry);
    json_free(answer);
}

static bool is_answerable(const struct server *server, const struct lsp_request *request)
{
    const struct document *document = request->document;
    if (!request->method->waits || !document->language)
        return true;
    bool is_read = document->is_current && !document->is_due;
    bool is_being_read = server->read == document;
    if (!is_read)
        return !is_being_read && !document->is_due; /* the reading has failed: what is known has to do */
    return !request->method->waits_for_all || !is_being_read || clock_wall() > server->started + SYMMETRY_PATIENCE;
}

static void answer_waiting(struct server *server)
{
    size_t kept = 0;
    for (size_t i = 0; i < server->waiting.count; i++) {
        struct lsp_request request = server->waiting.items[i];
        if (!is_answerable(server, &request)) {
            server->waiting.items[kept++] = request;
            continue;
        }
        struct json *result = request.method->answer(server, &request);
        if (result) {
            struct json *response = json_make_object();
            json_set(response, "jsonrpc", json_make_text("2.0"));
            json_set(response, "id", json_keep(request.id));
            json_set(response, "result", result);
            transport_send(&server->transport, response);
        }
        json_free(request.id);
        json_free(request.params);
    }
    server->waiting.count = kept;
}

/* The one that is to be read next: what a request waits for comes first. */
static struct document *next_due(const struct server *server)
{
    struct document *next = NULL;
    for (size_t i = 0; i < server->documents.count; i++) {
        struct document *document = server->documents.items[i];
        if (document->is_due && (!next || document->due < next->due))
            next = document;
    }
    return next;
}

static void start(struct server *server)
{
    struct document *document = server->read ? NULL : next_due(server);
    if (!document || document->due > clock_wall())
        return;
    struct analysis_job job;
    document->is_due = false;
    document->is_current = false;
    reading_job(server, document, &job);
    document->language = job.language; /* of properties: that of the model */
    server->started = clock_wall();
    if (worker_start(&server->worker, analyse_run, &job, READING_SECONDS))
        server->read = document;
    reading_free(&job);
}

static void read_answers(struct server *server)
{
    struct document *document = server->read;
    bool goes_on = worker_read(&server->worker);
    for (struct json *answer; (answer = worker_next(&server->worker));)
        take(server, document, answer);
    bool is_late = clock_wall() > server->started + READING_SECONDS;
    if (goes_on && !is_late)
        return;
    if (!document->is_current)
        publish_failure(server, document);
    reading_stop(server, NULL);
}

void reading_go_on(struct server *server)
{
    if (server->read)
        read_answers(server);
    answer_waiting(server);
    start(server);
}

double reading_wait(const struct server *server)
{
    double wait = -1, now = clock_wall();
    const struct document *next = server->read ? NULL : next_due(server);
    if (next)
        wait = next->due > now ? next->due - now : 0;
    if (server->read)
        wait = server->started + READING_SECONDS - now + 0.01;
    if (server->read && server->waiting.count && server->read->is_current)
        wait = server->started + SYMMETRY_PATIENCE - now + 0.01;
    return server->read && wait < 0 ? 0.01 : wait;
}
