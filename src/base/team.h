/* A few threads for a moment: parts of one piece of work. */
#ifndef NOETHER_BASE_TEAM_H
#define NOETHER_BASE_TEAM_H

#include <stdint.h>

/* Calls work(user, part) for every part below `parts`, by up to `threads` threads at a time; returns when all are done. */
void team_run(uint32_t threads, uint32_t parts, void (*work)(void *user, uint32_t part), void *user);

#endif
