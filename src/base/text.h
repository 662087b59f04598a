/* A growing string. text_format appends; text.chars is always terminated. */
#ifndef NOETHER_BASE_TEXT_H
#define NOETHER_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *chars; /* NULL until something was appended */
    size_t length, capacity;
};

void text_char(struct text *text, char c);
void text_append(struct text *text, const char *chars);
void text_append_n(struct text *text, const char *chars, size_t length);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vformat(struct text *text, const char *format, va_list arguments);
/* A number of bytes in the largest unit that leaves no rest: "512 MiB". */
void text_bytes(struct text *text, uint64_t bytes);
void text_clear(struct text *text);
void text_free(struct text *text);
/* A string of its own in *slot, on the heap, unless there is one already: the first reason for a failure is the one
 * that counts. */
void text_set_once(char **slot, const char *format, va_list arguments);
/* Never NULL. */
const char *text_chars(const struct text *text);

#endif
