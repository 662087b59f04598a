/* Opening files in a folder that somebody else may have filled: names in it may be symbolic links, FIFOs or hard links
 * to files elsewhere. No link is followed and nothing but a regular file is opened, so that what is written stays in
 * the folder. `folder` is the descriptor of the open folder, `name` has no slash.
 *
 * The result is NULL, or the reason why not (static, or of strerror); *file is then -1. */
#ifndef NOETHER_BASE_FOLDER_H
#define NOETHER_BASE_FOLDER_H

/* A new file, for writing, in place of the one with that name (a link is removed, not what it leads to). */
const char *folder_create_file(int folder, const char *name, int *file);
/* One that is there. `flags` as for open: O_RDONLY, or O_WRONLY perhaps with O_APPEND. For writing, the file must not
 * have other names (hard links). */
const char *folder_open_file(int folder, const char *name, int flags, int *file);

#endif
