/* Renaming that cannot change what a model means: the new name is none that the text has, and the renamed text is read
 * again: it has no error that it had not before, and the same names in the same places. */
#include <string.h>

#include "base/memory.h"
#include "lsp/analyse.h"
#include "lsp/answer.h"
#include "lsp/server.h"

enum { RENAME_SECONDS = 10 };

static struct json *places_of(struct server *server, const struct lsp_request *request)
{
    struct position position;
    struct text refusal = {0};
    if (!position_read(json_get(request->params, "position"), &position)) {
        server_fail(server, request->id, LSP_INVALID_PARAMS, "there is no position");
        return NULL;
    }
    struct json *places = answer_rename_places(request->document, position, &refusal);
    if (!places)
        server_fail(server, request->id, LSP_REQUEST_FAILED, "%s", text_chars(&refusal));
    text_free(&refusal);
    return places;
}

struct json *rename_prepare(struct server *server, const struct lsp_request *request)
{
    struct json *places = places_of(server, request);
    if (!places)
        return NULL;
    struct json *answer = json_make_object();
    json_set(answer, "range", json_keep(json_get(places, "range")));
    json_set(answer, "placeholder", json_keep(json_get(places, "name")));
    json_free(places);
    return answer;
}

static int64_t column(const struct json *place, size_t number)
{
    int64_t value = 0;
    json_read_integer(json_item(place, number), &value);
    return value;
}

/* The text with the new name; the places are in order, but for the definition, which comes first. */
static void write_renamed(const struct document *document, const struct json *places, const char *name, bool is_utf8,
                          struct text *out)
{
    struct lined lined;
    VEC(size_t) starts = {0};
    const char *chars = text_chars(&document->text);
    lined_open(&lined, chars, document->text.length, is_utf8);
    size_t old = 0;
    for (size_t i = 0; i < json_size(places); i++) {
        const struct json *place = json_item(places, i);
        struct position from = {(uint32_t)column(place, AT_LINE), (uint32_t)column(place, AT_FROM)};
        struct position to = {from.line, (uint32_t)column(place, AT_TO)};
        size_t start = lined_offset(&lined, from);
        old = lined_offset(&lined, to) - start;
        size_t at = starts.count;
        VEC_PUSH(&starts, start);
        for (; at && starts.items[at - 1] > start; at--)
            starts.items[at] = starts.items[at - 1];
        starts.items[at] = start;
    }
    size_t done = 0;
    for (size_t i = 0; i < starts.count; i++) {
        text_append_n(out, chars + done, starts.items[i] - done);
        text_append(out, name);
        done = starts.items[i] + old;
    }
    text_append_n(out, chars + done, document->text.length - done);
    VEC_FREE(&starts);
    lined_close(&lined);
}

static size_t count_of(const struct json *answer, const char *what)
{
    return json_size(json_get(answer, what));
}

/* Reads the renamed text and compares: as many names, uses and diagnostics, and each use with its definition. */
static bool means_the_same(const struct server *server, const struct document *document, const struct text *renamed)
{
    struct analysis_job job;
    reading_job(server, document, &job);
    job.chars = text_chars(renamed);
    job.length = renamed->length;
    job.only_names = true;
    struct json *now = worker_ask(analyse_run, &job, RENAME_SECONDS), *then = document->last.answer;
    reading_free(&job);
    bool is_same = now && count_of(now, "definitions") == count_of(then, "definitions") &&
                   count_of(now, "uses") == count_of(then, "uses") &&
                   count_of(now, "diagnostics") == count_of(then, "diagnostics");
    for (size_t i = 0; is_same && i < count_of(now, "uses"); i++)
        is_same = column(json_item(json_get(now, "uses"), i), USE_DEFINITION) ==
                  column(json_item(json_get(then, "uses"), i), USE_DEFINITION);
    json_free(now);
    return is_same;
}

static bool is_elsewhere(const struct json *places)
{
    for (size_t i = 0; i < json_size(places); i++)
        if (column(json_item(places, i), AT_FILE))
            return true;
    return false;
}

static struct json *workspace_edit(const struct document *document, const struct json *places, const char *name)
{
    struct json *edits = json_make_array(), *changes = json_make_object(), *edit = json_make_object();
    for (size_t i = 0; i < json_size(places); i++) {
        const struct json *place = json_item(places, i);
        struct position from = {(uint32_t)column(place, AT_LINE), (uint32_t)column(place, AT_FROM)};
        struct position to = {from.line, (uint32_t)column(place, AT_TO)};
        struct json *one = json_make_object();
        json_set(one, "range", range_json(from, to));
        json_set(one, "newText", json_make_text(name));
        json_push(edits, one);
    }
    json_set(changes, document->uri, edits);
    json_set(edit, "changes", changes);
    return edit;
}

struct json *rename_answer(struct server *server, const struct lsp_request *request)
{
    const struct document *document = request->document;
    const char *name = json_read_text(json_get(request->params, "newName"));
    struct json *found = name ? places_of(server, request) : NULL, *answer = NULL;
    const struct json *places = json_get(found, "places");
    struct text renamed = {0};
    if (!name)
        server_fail(server, request->id, LSP_INVALID_PARAMS, "there is no new name");
    if (!found)
        return NULL;
    if (!document->language->is_name || !document->language->is_name(name))
        server_fail(server, request->id, LSP_REQUEST_FAILED, "\"%s\" is no name of a %s model", name,
                    document->language->title);
    else if (document_has_word(text_chars(&document->text), name))
        server_fail(server, request->id, LSP_REQUEST_FAILED, "the text has the word \"%s\" already", name);
    else if (is_elsewhere(places))
        server_fail(server, request->id, LSP_REQUEST_FAILED, "the name stands in other files, too");
    else {
        write_renamed(document, places, name, server->is_utf8, &renamed);
        if (means_the_same(server, document, &renamed))
            answer = workspace_edit(document, places, name);
        else
            server_fail(server, request->id, LSP_REQUEST_FAILED, "the model would mean something else");
    }
    text_free(&renamed);
    json_free(found);
    return answer;
}
