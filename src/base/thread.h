/* Threads with a stack that is large enough.
 *
 * Parsers, passes over trees and operations on diagrams recurse: at most as deep as front ends let models be nested,
 * which takes less than 2 MiB of stack. The stack of the program's first thread, and those of new threads by default,
 * have the size that the user's limit says (ulimit -s), and those of a program around the library may have any. */
#ifndef NOETHER_BASE_THREAD_H
#define NOETHER_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* pthread_create with a stack of 8 MiB, or of the default size where that is larger. False: there is no such thread. */
bool thread_start(pthread_t *thread, void *(*work)(void *data), void *data);
/* work(data), in the calling thread if 4 MiB of its stack are left, or else in another one, for which the caller waits.
 * The other one has no watch and no account of memory to begin with, and takes the signals. False: there is no such
 * thread, and nothing was done. */
bool thread_run_deep(void (*work)(void *data), void *data);
/* The same for a command line; *code is what `run` returns. */
bool thread_run_command(int (*run)(int count, char **words), int count, char **words, int *code);

#endif
