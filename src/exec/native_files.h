/* Where compiled libraries are kept: $XDG_CACHE_HOME/noether or ~/.cache/noether.
 *
 * Code from there runs in this process, so a directory or file is used only if it belongs to the user and nobody else
 * can write to it. Files come into being complete: made in a directory of their own, then renamed. */
#ifndef NOETHER_EXEC_NATIVE_FILES_H
#define NOETHER_EXEC_NATIVE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* On the heap; made if it is not there. NULL: there is none, or it is not safe. */
char *files_cache(void);
/* Is it the user's own, and closed to others? */
bool files_are_safe(const char *path, bool is_directory);
/* A new private directory in `parent` (NULL: in $TMPDIR or /tmp), on the heap; NULL on failure. */
char *files_work(const char *parent);
/* Removes it and the files in it. */
void files_remove_work(const char *directory);
char *files_join(const char *directory, const char *name);
bool files_write(const char *path, const char *chars, size_t length);
/* The file was used just now. Old ones are removed when there are many. */
void files_touch(const char *path);
void files_prune(const char *cache);

#endif
