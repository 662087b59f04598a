/* A team of helpers that are made when they are needed. */
#ifndef NOETHER_TESTS_HELPER_TEAM_H
#define NOETHER_TESTS_HELPER_TEAM_H

#include "base/team.h"

static void run_by_threads(struct team *team, uint32_t parts, void (*work)(void *user, uint32_t part), void *user)
{
    (void)team;
    team_run(3, parts, work, user);
}

static struct team helpers = {run_by_threads};

#endif
