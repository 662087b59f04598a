/* Files of a checkpoint that no commit names: of a process that was killed before, or after, a commit; of a search that
 * began again; of another number of ranks. */
#ifndef NOETHER_STORE_SWEEP_H
#define NOETHER_STORE_SWEEP_H

#include "base/json.h"

/* Removes what is named KIND-NUMBER-NUMBER in the folder, of one of the kinds, unless `files` (the manifest's; NULL:
 * none) has it. */
void sweep_files(int folder, const char *const *kinds, int count, const struct json *files);

#endif
