/* The standard layout of a text: its tokens and comments in their order, with other blanks between them. Lines stay
 * lines, as their author has broken them; what changes is how far they are indented, blanks inside a line, and more
 * than one empty line.
 *
 * A front end says what the tokens are and how they nest. A text that it cannot parse is not changed. What is written
 * is read again: if it had other tokens or comments, or another layout the second time, that is an internal error and
 * nothing is changed either. */
#ifndef NOETHER_BASE_FORMAT_H
#define NOETHER_BASE_FORMAT_H

#include "base/diag.h"
#include "base/vec.h"

struct format_token {
    struct span span;
    uint32_t drops; /* so many parts that have no end of their own end before it */
    bool opens;     /* a part of which later lines are indented, */
    bool closes;    /* or the end of one, */
    bool turns;     /* or what divides one: "else" */
    bool hangs;     /* at the beginning of a line: goes on with what an earlier line has begun */
    bool is_glued;  /* no blank before it */
    bool is_raw;    /* a line of its own that is not indented: a directive */
};

struct format_tokens {
    struct format_token *items;
    size_t count, capacity;
    const char *indent;       /* of one level; NULL: two blanks */
    const char *line_comment; /* what begins a comment to the end of the line */
    bool has_blocks;          /* and there are comments from slash-star to star-slash */
};

/* Does the second stand at once behind the first? */
bool format_touches(struct span first, struct span second);

/* False, and diagnostics: the text cannot be parsed. `asks`: it is a file of properties. */
typedef bool format_reader(const struct source *source, bool asks, struct format_tokens *tokens,
                           struct diagnostics *diagnostics);

/* The text in its layout; false, with diagnostics, when it has none. */
bool format_source(const struct source *source, bool asks, format_reader *read, struct text *out,
                   struct diagnostics *diagnostics);

#endif
