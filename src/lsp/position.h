/* Positions in a text as the protocol has them: a line and a character, both from 0, where the character counts bytes
 * (UTF-8) or units of UTF-16. Lines end in \n, \r\n or \r. Front ends count lines by \n and columns in bytes. */
#ifndef NOETHER_LSP_POSITION_H
#define NOETHER_LSP_POSITION_H

#include <stdbool.h>

#include "base/source.h"
#include "base/vec.h"

struct position {
    uint32_t line, character;
};

/* A text with its lines. The chars are borrowed. */
struct lined {
    const char *chars;
    size_t length;
    bool is_utf8;        /* characters are bytes */
    VEC(size_t) starts;  /* of lines, as the protocol has them */
    VEC(size_t) sources; /* of lines, as front ends have them */
};

void lined_open(struct lined *lined, const char *chars, size_t length, bool is_utf8);
void lined_close(struct lined *lined);
/* Behind the end of a line is its end, behind the last line the end of the text, inside a character its beginning. */
size_t lined_offset(const struct lined *lined, struct position position);
struct position lined_position(const struct lined *lined, size_t offset);
/* Where a span begins and ends, in bytes; it ends on its line. */
void lined_span(const struct lined *lined, struct span span, size_t *from, size_t *to);

static inline bool position_is_before(struct position a, struct position b)
{
    return a.line != b.line ? a.line < b.line : a.character < b.character;
}

#endif
