/* Several threads at one piece of work, which is in parts. */
#ifndef NOETHER_BASE_TEAM_H
#define NOETHER_BASE_TEAM_H

#include <stdint.h>

/* Threads that are there and have nothing else to do just now. run calls work(user, part) for every part below `parts`,
 * by as many as there are, and returns when all parts are done. */
struct team {
    void (*run)(struct team *team, uint32_t parts, void (*work)(void *user, uint32_t part), void *user);
};

/* The same by up to `threads` threads that are made for the moment. */
void team_run(uint32_t threads, uint32_t parts, void (*work)(void *user, uint32_t part), void *user);

#endif
