#include "lsp/document.h"

#include <string.h>

#include "base/memory.h"
#include "base/scan.h"
#include "driver/model.h"

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char *document_path(const char *uri)
{
    static const char scheme[] = "file://";
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0)
        return memory_string(uri);
    const char *at = strchr(uri + sizeof scheme - 1, '/'); /* behind the host, which is this one */
    struct text path = {0};
    for (at = at ? at : ""; *at; at++) {
        int high = *at == '%' ? hex_digit(at[1]) : -1, low = high >= 0 ? hex_digit(at[2]) : -1;
        if (low >= 0 && 16 * high + low) {
            text_char(&path, (char)(16 * high + low));
            at += 2;
        } else
            text_char(&path, *at);
    }
    char *found = memory_string(text_chars(&path));
    text_free(&path);
    return found;
}

char *document_uri(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    struct text uri = {0};
    text_append(&uri, "file://");
    for (; *path; path++)
        if (strchr(plain, *path))
            text_char(&uri, *path);
        else
            text_format(&uri, "%%%02X", (unsigned)(unsigned char)*path);
    char *made = memory_string(text_chars(&uri));
    text_free(&uri);
    return made;
}

struct document *document_open(const char *uri, const char *language, const char *chars, int64_t version)
{
    struct document *document = memory_zeroed(1, sizeof *document);
    document->uri = memory_string(uri);
    document->path = document_path(uri);
    document->version = version;
    text_append(&document->text, chars);
    document->language = model_find_language(NULL, document->path);
    const struct language *asks = document->language ? NULL : model_asked_language(document->path);
    if (!document->language && !asks && language)
        document->language = model_find_language(language, "");
    document->is_properties = asks != NULL;
    document->language = asks ? asks : document->language;
    return document;
}

void document_close(struct document *document)
{
    free(document->uri);
    free(document->path);
    text_free(&document->text);
    json_free(document->last.answer);
    text_free(&document->last.text);
    json_free(document->whole.answer);
    text_free(&document->whole.text);
    json_free(document->symmetry);
    free(document);
}

static void keep(struct found *found, struct json *answer, const struct text *text)
{
    json_free(found->answer);
    found->answer = answer;
    text_clear(&found->text);
    text_append_n(&found->text, text_chars(text), text->length);
}

void document_found(struct document *document, struct json *answer)
{
    bool is_whole = false;
    json_read_bool(json_get(answer, "is_whole"), &is_whole);
    keep(&document->last, answer, &document->text);
    if (is_whole)
        keep(&document->whole, json_keep(answer), &document->text);
    document->is_current = true;
}

bool position_read(const struct json *value, struct position *position)
{
    int64_t line, character;
    if (!json_read_integer(json_get(value, "line"), &line) ||
        !json_read_integer(json_get(value, "character"), &character) || line < 0 || character < 0)
        return false;
    position->line = line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
    position->character = character < UINT32_MAX ? (uint32_t)character : UINT32_MAX;
    return true;
}

static struct json *position_json(struct position position)
{
    struct json *value = json_make_object();
    json_set(value, "line", json_make_integer(position.line));
    json_set(value, "character", json_make_integer(position.character));
    return value;
}

struct json *range_json(struct position from, struct position to)
{
    struct json *value = json_make_object();
    json_set(value, "start", position_json(from));
    json_set(value, "end", position_json(to));
    return value;
}

bool document_has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        bool begins = at == text || !(scan_is_letter(at[-1]) || scan_is_digit(at[-1]));
        if (begins && !scan_is_letter(at[length]) && !scan_is_digit(at[length]))
            return true;
    }
    return false;
}

static void replace(struct text *text, size_t from, size_t to, const char *chars)
{
    struct text changed = {0};
    text_append_n(&changed, text_chars(text), from);
    text_append(&changed, chars);
    text_append_n(&changed, text_chars(text) + to, text->length - to);
    text_free(text);
    *text = changed;
}

bool document_change(struct document *document, const struct json *change, bool is_utf8)
{
    const char *chars = json_read_text(json_get(change, "text"));
    const struct json *range = json_get(change, "range");
    struct position start, end;
    if (!chars)
        return false;
    if (json_kind(range) == JSON_KIND_MISSING || json_kind(range) == JSON_KIND_NULL) {
        replace(&document->text, 0, document->text.length, chars);
        return true;
    }
    if (!position_read(json_get(range, "start"), &start) || !position_read(json_get(range, "end"), &end) ||
        position_is_before(end, start))
        return false;
    struct lined lined;
    lined_open(&lined, text_chars(&document->text), document->text.length, is_utf8);
    size_t from = lined_offset(&lined, start), to = lined_offset(&lined, end);
    lined_close(&lined);
    replace(&document->text, from, to, chars);
    return true;
}
