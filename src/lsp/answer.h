/* Answers to requests about names and structure, from what was found in a text (analyse.h). All return a value for
 * "result"; null where nothing is known. Where the text has changed since, positions are carried over: before and
 * behind what was changed nothing has moved but lines. */
#ifndef NOETHER_LSP_ANSWER_H
#define NOETHER_LSP_ANSWER_H

#include "lsp/document.h"

struct json *answer_definition(const struct document *document, struct position position, bool is_utf8);
struct json *answer_hover(const struct document *document, struct position position, bool is_utf8);
struct json *answer_references(const struct document *document, struct position position, bool with_definition);
struct json *answer_highlights(const struct document *document, struct position position);
struct json *answer_outline(const struct document *document);
struct json *answer_lenses(const struct document *document);

/* The places of a name, for renaming: {"range": ..., "name": ..., "places": [[file, line, from, to], ...]}; or NULL and
 * why not, in `refusal`. */
struct json *answer_rename_places(const struct document *document, struct position position, struct text *refusal);

#endif
