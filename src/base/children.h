/* The programs that this one has started and waits for (a compiler, Graphviz). They are ended when the process ends.
 *
 * A child leads a process group of its own, so that what it has started ends with it. */
#ifndef NOETHER_BASE_CHILDREN_H
#define NOETHER_BASE_CHILDREN_H

#include <stdint.h>
#include <sys/types.h>

void children_add(pid_t child);
/* Before it is waited for: its number may belong to another process after that. */
void children_remove(pid_t child);
/* Resident bytes of all that are there. */
uint64_t children_resident_bytes(void);
/* Kills all that are there, by their number. */
void children_end(void);

#endif
