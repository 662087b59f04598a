/* More than one check by one command: several models, and --watch. Each check has a process of its own, so that its
 * limits, its memory and its failure are its own. */
#ifndef NOETHER_CLI_SEVERAL_H
#define NOETHER_CLI_SEVERAL_H

#include "cli/cli.h"

typedef int several_body(const struct options *options);

/* Runs `body` for the models of the command, or again and again (--watch); the exit code: the worst, of the last round.
 */
int several_run(const struct options *options, several_body *body);

#endif
