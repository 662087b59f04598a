/* The partial answer, if work does not end within its time, or memory is exhausted.
 *
 * Commands publish what they know here as they come to know it. partial_finish may be called from any thread, at any
 * time; it prints a well-formed answer (what runs have shown, and values; every other property is unknown), writes the
 * JSON that was asked for, and ends the process with status 3, or 1 where a violation is known. What it says can be
 * told from the answer of a search that has wound up: "did not wind up", and `abandoned` in the JSON. */
#ifndef NOETHER_CLI_PARTIAL_H
#define NOETHER_CLI_PARTIAL_H

#include "base/pace.h"
#include "base/stop.h"
#include "cli/cli.h"

/* The options and what is loaded stay where they are until partial_end. */
void partial_begin(const struct options *options);
void partial_set_model(const struct loaded *loaded);
void partial_set_checkpoint(const struct checkpoint *checkpoint);
void partial_set_sample(const struct progress_sample *sample);
/* A result_listener: what a run has shown by then is part of the answer, if that run replays. */
void partial_tell(enum result_event event, const struct layout *layout, const struct result *result);
/* In place of the answer to a single check, until partial_end: `answer` writes what there is and gives the exit code.
 * What it reads is changed between partial_lock and partial_unlock. */
void partial_answer_with(int (*answer)(void *user, const struct stop *stop), void *user);
void partial_lock(void);
void partial_unlock(void);
/* The answer is about to be written, or what was published goes away: from here on there is nothing to finish. Does not
 * return while another thread is finishing. */
void partial_end(void);
/* Takes `stop`. Returns only where there is nothing to finish. */
void partial_finish(struct stop stop);

#endif
