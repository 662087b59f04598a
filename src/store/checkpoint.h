/* A checkpoint: a folder from which a search can be continued after its process has ended, whatever ended it.
 *
 *   manifest         what the states are, how far the search is, and which bytes of which segments count
 *   segment-000001   pieces (piece.h), one after the other: every state that was found
 *
 * Segments are only ever appended to. A commit writes what is buffered, has it on the disk (fsync), writes a new
 * manifest beside the old one, has that on the disk, too, and renames it: at any time the folder holds the last commit,
 * whole, and perhaps bytes behind it that do not count. A commit, or an append, that fails (a full disk) leaves the
 * last one, takes back what it has written, and ends the keeping of this search: later calls do nothing.
 *
 * The first line of the manifest is "noether checkpoint VERSION HASH", the hash being that of the rest: a document of
 * JSON (docs/scale.md). The folder is locked as long as a checkpoint is open. One thread at a time. */
#ifndef NOETHER_STORE_CHECKPOINT_H
#define NOETHER_STORE_CHECKPOINT_H

#include "base/json.h"
#include "store/piece.h"

/* Of the format, and of what decides which states there are: the packing of states, their canonical representatives,
 * the order of the successors of a state. A change of one of these is a new version. */
enum { CHECKPOINT_VERSION = 1 };

struct checkpoint;

/* A new one: the folder is made, or is empty. `about`: what the caller wants in every manifest, which is taken. NULL,
 * and why. */
struct checkpoint *checkpoint_create(const char *folder, struct json *about, struct text *why);
/* One that is there. NULL, and why: no checkpoint, of another version, damaged, in use. */
struct checkpoint *checkpoint_open(const char *folder, struct text *why);
/* The folder keeps the last commit; without one there is nothing left. NULL: nothing. */
void checkpoint_close(struct checkpoint *checkpoint);

const char *checkpoint_folder(const struct checkpoint *checkpoint);
const struct json *checkpoint_about(const struct checkpoint *checkpoint);
/* More of it, in all manifests from then on; takes the value. */
void checkpoint_set_about(struct checkpoint *checkpoint, const char *key, struct json *value);
/* Of the commit that was opened, as the engine has given it; NULL: it is a new one, or was taken. */
const struct json *checkpoint_search(const struct checkpoint *checkpoint);
/* What it says is in the search now. */
void checkpoint_take_search(struct checkpoint *checkpoint);

/* Nothing has been found yet: a search begins, or begins again. The last commit stays until the next one. */
void checkpoint_clear(struct checkpoint *checkpoint);
/* False: it could not be written; checkpoint_failure says why. */
bool checkpoint_append(struct checkpoint *checkpoint, const struct kept_piece *piece, uint32_t words);
/* `search`: how far it is, which is taken. */
bool checkpoint_commit(struct checkpoint *checkpoint, struct json *search);
/* The search is over: there is nothing to continue. The files are removed, and the folder if nothing else is in it. */
void checkpoint_remove(struct checkpoint *checkpoint);
bool checkpoint_has_commit(const struct checkpoint *checkpoint);
/* The caller has failed: nothing more is written, and the last commit stays. Returns false. */
bool checkpoint_fail(struct checkpoint *checkpoint, const char *reason);
/* NULL: nothing has failed. */
const char *checkpoint_failure(const struct checkpoint *checkpoint);
uint64_t checkpoint_bytes(const struct checkpoint *checkpoint);  /* of the segments */
uint64_t checkpoint_states(const struct checkpoint *checkpoint); /* in them */

/* All pieces of the commit that was opened, in the order in which they were appended; what `take` is given is its own
 * until it returns. False: `take` said so, and *why is as it was; or a segment is damaged, and *why says which. */
bool checkpoint_read(struct checkpoint *checkpoint, uint32_t words, uint32_t most_states,
                     bool (*take)(void *user, const struct kept_piece *piece), void *user, struct text *why);

#endif
