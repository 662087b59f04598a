/* Writing a whole file at once: a temporary file beside it, then a rename, so that no reader ever sees half of it. */
#ifndef NOETHER_BASE_OUTPUT_H
#define NOETHER_BASE_OUTPUT_H

#include <stddef.h>

/* "-": standard output. A file that is there keeps its mode, and a link its place. NULL, or the reason why not (a
 * static or strerror text). A path that exists and is no regular file (a pipe, /dev/stdout) is written directly, within
 * the limits of the thread or 0.3 s after them. */
const char *output_write(const char *path, const char *chars, size_t length);
/* NULL, or the reason why output_write is bound to fail: to find out before a long run. */
const char *output_refusal(const char *path);

#endif
