/* A text that is open in the editor, what the last reading of it has found (analyse.h), and the requests that wait for
 * the next one. */
#ifndef NOETHER_LSP_DOCUMENT_H
#define NOETHER_LSP_DOCUMENT_H

#include "base/json.h"
#include "ir/language.h"
#include "lsp/position.h"

/* What a reading has found (analyse.h), and the text that was read. */
struct found {
    struct json *answer; /* NULL: there was none */
    struct text text;
};

struct document {
    char *uri, *path;
    const struct language *language; /* NULL: unknown, nothing is said of it */
    bool is_properties;
    struct text text;
    int64_t version;       /* as the client counts; -1: it does not */
    struct found last;     /* by the last reading that has come to its end */
    struct found whole;    /* by the last one that has named all: there was no error of syntax */
    bool is_current;       /* the last reading is of this text */
    struct json *symmetry; /* by type, of the last model without errors; or NULL */
    bool is_due;           /* it is to be read again, */
    double due;            /* from then on */
};

/* The path of a file: URI; another URI stands for itself. On the heap. */
char *document_path(const char *uri);
char *document_uri(const char *path);
struct document *document_open(const char *uri, const char *language, const char *chars, int64_t version);
void document_close(struct document *document);
/* A change of the protocol: of a range, or of the whole text. False: it is no change, and nothing is changed. */
bool document_change(struct document *document, const struct json *change, bool is_utf8);

/* As a whole word, in comments and strings, too: what is not in the text is new everywhere. */
bool document_has_word(const char *text, const char *word);
/* What a reading of the text as it is has found; takes it. */
void document_found(struct document *document, struct json *answer);

/* Reads {"line": l, "character": c}; false: it is none. */
bool position_read(const struct json *value, struct position *position);
struct json *range_json(struct position from, struct position to);

#endif
