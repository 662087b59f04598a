/* A source text and places in it. */
#ifndef NOETHER_BASE_SOURCE_H
#define NOETHER_BASE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct source {
    const char *path;  /* as the user wrote it */
    const char *shown; /* the same, as it may be printed (base/printable.h) */
    const char *text;  /* terminated, but may contain NUL bytes before length */
    size_t length;
};

/* Lines and columns count from 1 (columns in bytes); line 0: no position.
 * `length` is the number of bytes to underline, at least 1, on that line. */
struct span {
    const struct source *source;
    uint32_t line, column, length;
};

/* Reads a whole file ("-": standard input); NULL and a reason on failure.
 * Free with source_free. */
struct source *source_read(const char *path, const char **reason);
struct source *source_from_text(const char *path, const char *text, size_t length);
void source_free(struct source *source);
/* What identifies the text: never 0, but for NULL. */
uint64_t source_hash(const struct source *source);

/* The line a span stands on, without its end-of-line; *length receives its length. */
const char *source_line(struct span span, size_t *length);

#endif
