/* Untrusted text made printable: models, file names, options and traces may contain control characters, which a
 * terminal obeys.
 *
 * Letters of every language stay as they are. Control characters (also those from U+0080 to U+009F), marks that change
 * the direction of what follows, other line ends, and bytes that are no UTF-8 become \n, \t, \x1b, \u202e. */
#ifndef NOETHER_BASE_PRINTABLE_H
#define NOETHER_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"

/* How many of the bytes (there is one at least) the first character has; *is_plain: it may be shown as it is. */
size_t printable_step(const char *chars, size_t length, bool *is_plain);
bool printable_is_plain(const char *chars);
/* All of it on one line. */
void text_printable(struct text *out, const char *chars, size_t length);
/* Whole lines: ends of lines and tabulators stay; and the colours of our own, if there are any. */
void text_printable_lines(struct text *out, const char *chars, size_t length, bool has_colours);
/* Each line behind a margin, which tells it from lines of our own. */
void text_printable_behind(struct text *out, const char *margin, const char *chars);
/* The same string when it is plain. */
const char *arena_printable(struct arena *arena, const char *chars);

#endif
