/* Where compiled libraries are kept: $XDG_CACHE_HOME/noether or ~/.cache/noether.
 *
 * Code from there runs in this process, so a directory or file is used only if it belongs to the user and no other user
 * can write to it. Files appear complete: written under another name, flushed to the disk, then renamed. */
#ifndef NOETHER_EXEC_NATIVE_FILES_H
#define NOETHER_EXEC_NATIVE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* On the heap; made if it is not there. NULL: there is none, or it is not safe. */
char *files_cache(void);
/* A new private directory in `parent` (NULL: in $TMPDIR or /tmp), on the heap; NULL on failure. */
char *files_work(const char *parent);
/* Removes it and the files in it. */
void files_remove_work(const char *directory);
char *files_join(const char *directory, const char *name);
bool files_fill(int file, const char *chars, size_t length);
/* A new file. */
bool files_write(const char *path, const char *chars, size_t length);
/* All of a file, if it is the user's own, closed to others, and no link. What was read before a failure stays in `out`.
 */
bool files_read(const char *path, struct text *out);
/* A file in the directory, complete or not at all, even with concurrent writers or if the machine stops. */
bool files_keep(const char *directory, const char *name, const char *chars, size_t length);
/* The file was used just now. Old ones are removed when there are many. */
void files_touch(const char *path);
void files_prune(const char *cache);

#endif
