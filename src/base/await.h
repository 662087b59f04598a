/* Waiting for a pipe, a terminal or another device, within the limits of the thread (base/watch.h): a call that blocks
 * would not end with them. */
#ifndef NOETHER_BASE_AWAIT_H
#define NOETHER_BASE_AWAIT_H

#include <stdbool.h>

/* Waits until the file can be read (or written): then a read, or a write of at most PIPE_BUF bytes, does not block.
 * False: the watch of the thread is over. */
bool await_readable(int file);
bool await_writable(int file);
/* open(2) for a path that is no regular file: never blocks. A pipe that is to be written is waited for until someone
 * reads it. -1 with errno; ETIMEDOUT: the watch of the thread is over. */
int await_open_to_read(const char *path);
int await_open_to_write(const char *path);

#endif
