/* What an editor wants to know of a model, found in a process of its own (worker.h): diagnostics, names, outline and
 * symmetry, as JSON. Positions are those of the protocol.
 *
 * The first answer:
 *   files        the paths of the files that positions are in: the first is the text itself
 *   diagnostics  as the protocol has them, each with its `file`
 *   definitions  [file, line, from, to, kind, name, detail, type, is_fixed]: kind is an enum name_kind
 *   uses         [file, line, from, to, definition]
 *   outline      [file, kind, title, line, from, to, first line, character, last line, character, depth]
 *   is_whole     all names are in the table
 * The second, of a model without errors: its symmetry, words for each type. */
#ifndef NOETHER_LSP_ANALYSE_H
#define NOETHER_LSP_ANALYSE_H

#include "lsp/document.h"
#include "lsp/worker.h"

/* Columns of the arrays above. */
enum { AT_FILE, AT_LINE, AT_FROM, AT_TO };
enum { DEFINITION_KIND = AT_TO + 1, DEFINITION_NAME, DEFINITION_DETAIL, DEFINITION_TYPE, DEFINITION_IS_FIXED };
enum { USE_DEFINITION = AT_TO + 1 };
enum {
    OUTLINE_KIND = 1,
    OUTLINE_TITLE,
    OUTLINE_LINE,
    OUTLINE_FROM,
    OUTLINE_TO,
    OUTLINE_FIRST,
    OUTLINE_LAST = 8,
    OUTLINE_DEPTH = 10
};

struct analysis_job {
    const struct language *language;
    const char *path, *chars; /* the text */
    size_t length;
    const char *model;       /* of properties: the path of the model they are for, or NULL, */
    const char *model_chars; /* and its text, where that is open in the editor; or NULL */
    bool is_properties, is_utf8;
    bool only_names; /* no symmetry */
    const struct define *defines;
    size_t define_count;
};

worker_task analyse_run; /* of a struct analysis_job */
worker_task format_run;  /* the same: answers the text in its standard layout, or null */

#endif
