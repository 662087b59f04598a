/* Reading a source character by character, with the current position: the common part of all lexers. */
#ifndef NOETHER_BASE_SCAN_H
#define NOETHER_BASE_SCAN_H

#include <stdbool.h>

#include "base/diag.h"

struct scanner {
    const struct source *source;
    size_t at, line_start;
    uint32_t line;
};

/* The text of a token and what it is; in a table longest first among those with a common prefix. */
struct scan_spelling {
    const char *text;
    int kind;
};

/* At the beginning, behind a byte order mark. */
struct scanner scan_begin(const struct source *source);

static inline bool scan_is_over(const struct scanner *scanner)
{
    return scanner->at >= scanner->source->length;
}

/* NUL beyond the end. */
static inline char scan_peek(const struct scanner *scanner, size_t ahead)
{
    return scanner->at + ahead < scanner->source->length ? scanner->source->text[scanner->at + ahead] : '\0';
}

static inline bool scan_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool scan_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Is one of the words (separated by blanks) at the beginning of the text, and no longer word? Case does not matter. */
bool scan_begins_with(const char *text, const char *words);
bool scan_starts_with(const struct scanner *scanner, const char *text);
/* The span of the next `length` bytes. */
struct span scan_span(const struct scanner *scanner, size_t length);
/* Goes past one blank or line end; false: there is none here. */
bool scan_skip_blank(struct scanner *scanner);
/* How many bytes until the line ends. */
size_t scan_line_rest(const struct scanner *scanner);
/* The length of the name that begins here with a letter. */
size_t scan_word_length(const struct scanner *scanner);
/* What stands here of the table, or NULL. */
const struct scan_spelling *scan_find(const struct scanner *scanner, const struct scan_spelling *table, size_t count);
const char *scan_spelling_of(const struct scan_spelling *table, size_t count, int kind); /* or NULL */
/* Reports the character that nothing begins with, and goes past it; behind a byte that no text has past all of the
 * rest, so that a binary file is one error. */
void scan_refuse(struct scanner *scanner, struct diagnostics *diagnostics);
/* Where the end of the file is reported: past the last byte there is nothing to point at, so where the last token
 * (NULL: there is none) ends, or at the last error of the lexer: what is missing behind that is missing because of it.
 */
struct span scan_end_span(const struct scanner *scanner, const struct span *last, const struct diagnostics *lexical);

#endif
