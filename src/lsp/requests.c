#include <string.h>

#include "base/memory.h"
#include "lsp/analyse.h"
#include "lsp/answer.h"
#include "lsp/server.h"

enum { FORMAT_SECONDS = 10 };

/* The position of a request; NULL after an error was sent. */
static bool read_position(struct server *server, const struct lsp_request *request, struct position *position)
{
    if (position_read(json_get(request->params, "position"), position))
        return true;
    server_fail(server, request->id, LSP_INVALID_PARAMS, "there is no position");
    return false;
}

/* --- life --- */

static bool offers_utf8(const struct json *params)
{
    const struct json *offered = json_get(json_get(json_get(params, "capabilities"), "general"), "positionEncodings");
    for (size_t i = 0; json_kind(offered) == JSON_KIND_ARRAY && i < json_size(offered); i++) {
        const char *name = json_read_text(json_item(offered, i));
        if (name && !strcmp(name, "utf-8"))
            return true;
    }
    return false;
}

static struct json *sync_options(void)
{
    enum { INCREMENTAL = 2 };
    struct json *sync = json_make_object();
    json_set(sync, "openClose", json_make_bool(true));
    json_set(sync, "change", json_make_integer(INCREMENTAL));
    return sync;
}

static struct json *command_options(void)
{
    struct json *options = json_make_object(), *names = json_make_array();
    json_push(names, json_make_text("noether.check"));
    json_push(names, json_make_text("noether.showSymmetry"));
    json_set(options, "commands", names);
    return options;
}

static struct json *capabilities(const struct server *server)
{
    static const char *const plain[] = {
        "definitionProvider",     "referencesProvider",        "hoverProvider",
        "documentSymbolProvider", "documentHighlightProvider", "documentFormattingProvider"};
    struct json *list = json_make_object(), *rename = json_make_object(), *lens = json_make_object();
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        json_set(list, plain[i], json_make_bool(true));
    json_set(rename, "prepareProvider", json_make_bool(true));
    json_set(lens, "resolveProvider", json_make_bool(false));
    json_set(list, "renameProvider", rename);
    json_set(list, "codeLensProvider", lens);
    json_set(list, "positionEncoding", json_make_text(server->is_utf8 ? "utf-8" : "utf-16"));
    json_set(list, "textDocumentSync", sync_options());
    if (server->runs_commands)
        json_set(list, "executeCommandProvider", command_options());
    return list;
}

static struct json *initialize(struct server *server, const struct lsp_request *request)
{
    const struct json *options = json_get(request->params, "initializationOptions");
    const char *commands = json_read_text(json_get(options, "commands"));
    server->is_initialized = true;
    server->is_utf8 = offers_utf8(request->params);
    server->runs_commands = !commands || strcmp(commands, "client") != 0;
    server_configure(server, options);
    struct json *result = json_make_object(), *info = json_make_object();
    json_set(info, "name", json_make_text("noether"));
    json_set(info, "version", json_make_text(NOETHER_VERSION));
    json_set(result, "capabilities", capabilities(server));
    json_set(result, "serverInfo", info);
    return result;
}

static struct json *shut_down(struct server *server, const struct lsp_request *request)
{
    (void)request;
    server->is_shut_down = true;
    reading_stop(server, NULL);
    command_stop(server);
    return json_make_null();
}

/* --- names and structure --- */

static struct json *definition(struct server *server, const struct lsp_request *request)
{
    struct position position;
    return read_position(server, request, &position) ? answer_definition(request->document, position, server->is_utf8)
                                                     : NULL;
}

static struct json *hover(struct server *server, const struct lsp_request *request)
{
    struct position position;
    return read_position(server, request, &position) ? answer_hover(request->document, position, server->is_utf8)
                                                     : NULL;
}

static struct json *references(struct server *server, const struct lsp_request *request)
{
    struct position position;
    bool with_definition = false;
    json_read_bool(json_get(json_get(request->params, "context"), "includeDeclaration"), &with_definition);
    return read_position(server, request, &position) ? answer_references(request->document, position, with_definition)
                                                     : NULL;
}

static struct json *highlights(struct server *server, const struct lsp_request *request)
{
    struct position position;
    return read_position(server, request, &position) ? answer_highlights(request->document, position) : NULL;
}

static struct json *outline(struct server *server, const struct lsp_request *request)
{
    (void)server;
    return answer_outline(request->document);
}

static struct json *lenses(struct server *server, const struct lsp_request *request)
{
    (void)server;
    return answer_lenses(request->document);
}

/* --- layout --- */

/* One edit of the lines that differ; none when none do. */
static struct json *edits_to(const struct document *document, const char *wanted, bool is_utf8)
{
    const struct text *text = &document->text;
    size_t length = strlen(wanted), least = text->length < length ? text->length : length, before = 0, behind = 0;
    struct json *edits = json_make_array();
    while (before < least && text->chars[before] == wanted[before])
        before++;
    if (before == text->length && before == length)
        return edits;
    while (before && text->chars[before - 1] != '\n')
        before--;
    while (behind < least - before && text->chars[text->length - 1 - behind] == wanted[length - 1 - behind])
        behind++;
    while (behind && text->chars[text->length - behind - 1] != '\n')
        behind--;
    struct lined lined;
    lined_open(&lined, text_chars(text), text->length, is_utf8);
    struct position from = lined_position(&lined, before), to = lined_position(&lined, text->length - behind);
    lined_close(&lined);
    struct text middle = {0};
    text_append_n(&middle, wanted + before, length - behind - before);
    struct json *edit = json_make_object();
    json_set(edit, "range", range_json(from, to));
    json_set(edit, "newText", json_make_text(text_chars(&middle)));
    json_push(edits, edit);
    text_free(&middle);
    return edits;
}

static struct json *formatting(struct server *server, const struct lsp_request *request)
{
    struct document *document = request->document;
    if (!document || !document->language) {
        server_fail(server, request->id, LSP_INVALID_PARAMS, "the document is not open, or of no known language");
        return NULL;
    }
    struct analysis_job job;
    reading_job(server, document, &job);
    struct json *answer = worker_ask(format_run, &job, FORMAT_SECONDS), *edits = NULL;
    const char *text = json_read_text(json_get(answer, "text"));
    const char *refusal = json_read_text(json_get(answer, "refusal"));
    if (text)
        edits = edits_to(document, text, server->is_utf8);
    else
        server_fail(server, request->id, LSP_REQUEST_FAILED, "%s", refusal ? refusal : "the text could not be read");
    json_free(answer);
    reading_free(&job);
    return edits;
}

static const struct lsp_method methods[] = {
    {"initialize", initialize, false, false},
    {"shutdown", shut_down, false, false},
    {"textDocument/definition", definition, true, false},
    {"textDocument/hover", hover, true, true},
    {"textDocument/references", references, true, false},
    {"textDocument/documentHighlight", highlights, true, false},
    {"textDocument/documentSymbol", outline, true, false},
    {"textDocument/codeLens", lenses, true, true},
    {"textDocument/prepareRename", rename_prepare, true, false},
    {"textDocument/rename", rename_answer, true, false},
    {"textDocument/formatting", formatting, false, false},
    {"workspace/executeCommand", command_execute, false, false},
};

const struct lsp_method *method_find(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (!strcmp(methods[i].name, name))
            return &methods[i];
    return NULL;
}
