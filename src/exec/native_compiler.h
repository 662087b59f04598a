/* The system's C compiler as a child process.
 *
 * Environment: NOETHER_CC names another compiler than cc, NOETHER_CFLAGS other options than -O1. */
#ifndef NOETHER_EXEC_NATIVE_COMPILER_H
#define NOETHER_EXEC_NATIVE_COMPILER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/text.h"

/* Which compiler with which options: what makes two libraries of the same text differ. False: none is found. */
bool compiler_identify(struct text *out);
/* Compiles `source` to the library `target`, with everything temporary in `directory` and the messages in `log`. The
 * child leads a process group of its own, so that it can be stopped with all it has started. -1: it cannot start. */
pid_t compiler_start(const char *directory, const char *source, const char *target, const char *log);
/* Has it finished? *is_good: without an error. */
bool compiler_finished(pid_t child, bool *is_good);
void compiler_stop(pid_t child);

#endif
