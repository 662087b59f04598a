/* A checkpoint: a folder from which a search can be continued after its process has ended, whatever ended it.
 *
 *   manifest           what the states are, how far the search is, and which bytes of which files count
 *   segment-0-000001   pieces (piece.h), one after the other: every state that was found; 0: of which rank
 *   held-0-000001      pieces of successors of which it is not known whether they were visited
 *
 * A search has one rank, or several processes that share the folder (ranks/transport.h): each writes files of its own,
 * and the first one the manifest. Segments are only ever appended to; what is held back is written anew by each commit.
 * A commit is made by all ranks together: each writes what is buffered and has it on the disk (checkpoint_sync); then
 * the first one writes a new manifest beside the old one, has that on the disk, too, and renames it
 * (checkpoint_commit); then the others hear of it (checkpoint_note_commit). At any time the folder holds the last
 * commit, whole, and perhaps bytes behind it that do not count. What fails (a full disk) leaves the last commit, takes
 * back what was written, and ends the keeping of this search: later calls do nothing.
 *
 * The first line of the manifest is "noether checkpoint VERSION HASH", the hash being that of the rest: a document of
 * JSON (docs/scale.md). The first rank has the folder locked as long as a checkpoint is open. One thread at a time. */
#ifndef NOETHER_STORE_CHECKPOINT_H
#define NOETHER_STORE_CHECKPOINT_H

#include "base/json.h"
#include "store/piece.h"

/* Of the format, and of what decides which states there are: the packing of states, their canonical representatives,
 * the order of the successors of a state. A change of one of these is a new version. */
enum { CHECKPOINT_VERSION = 2 };

struct checkpoint;

enum checkpoint_kind { CHECKPOINT_STATES, CHECKPOINT_HELD };

/* Which rank, of how many. */
struct checkpoint_rank {
    uint32_t rank, count;
};
extern const struct checkpoint_rank checkpoint_alone; /* 0 of 1 */

/* A new one: the folder is made, or is empty. `about`: what the caller wants in every manifest, which is taken. NULL,
 * and why. The first rank comes first, the others when it has succeeded: so also below. */
struct checkpoint *checkpoint_create(const char *folder, struct checkpoint_rank rank, struct json *about,
                                     struct text *why);
/* One that is there. NULL, and why: no checkpoint, of another version, damaged, in use. Where it is of as many ranks as
 * there are now, each goes on with its own files; else (checkpoint_is_dealt_again) all states are to be appended once
 * more before the next commit. */
struct checkpoint *checkpoint_open(const char *folder, struct checkpoint_rank rank, struct text *why);
/* Nothing more is written, and another process may have the folder: it keeps the last commit; without one there is
 * nothing left. */
void checkpoint_release(struct checkpoint *checkpoint);
void checkpoint_close(struct checkpoint *checkpoint); /* NULL: nothing */

/* Of how many ranks the commit is that was opened. */
uint32_t checkpoint_parts(const struct checkpoint *checkpoint);
bool checkpoint_is_dealt_again(const struct checkpoint *checkpoint);
/* How many states it has in the files of that rank. */
uint64_t checkpoint_part_states(const struct checkpoint *checkpoint, uint32_t part);

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
/* False: it could not be written; checkpoint_failure says why. What is held back is what was appended since the last
 * commit. */
bool checkpoint_append(struct checkpoint *checkpoint, enum checkpoint_kind kind, const struct kept_piece *piece,
                       uint32_t words);
/* All that was appended is on the disk: which files these are, for checkpoint_commit. NULL: not. */
struct json *checkpoint_sync(struct checkpoint *checkpoint);
/* By the first rank. `search`: how far it is; `files`: of all ranks, in their order. Both are taken. */
bool checkpoint_commit(struct checkpoint *checkpoint, struct json *search, struct json *files);
/* By the others. */
void checkpoint_note_commit(struct checkpoint *checkpoint);
/* Another rank is lost: whether what was written last is committed is not known here, so it stays. */
void checkpoint_abandon(struct checkpoint *checkpoint);
/* The search is over: there is nothing to continue. The first rank removes the files of all, and the folder if nothing
 * else is in it. */
void checkpoint_remove(struct checkpoint *checkpoint);
bool checkpoint_has_commit(const struct checkpoint *checkpoint);
/* The caller has failed: nothing more is written, and the last commit stays. Returns false. */
bool checkpoint_fail(struct checkpoint *checkpoint, const char *reason);
/* NULL: nothing has failed. */
const char *checkpoint_failure(const struct checkpoint *checkpoint);
/* Of the last commit, all ranks. */
uint64_t checkpoint_bytes(const struct checkpoint *checkpoint);
uint64_t checkpoint_states(const struct checkpoint *checkpoint);

/* All pieces of that rank of the commit that was opened, in the order in which they were appended; what `take` is given
 * is its own until it returns. False: `take` said so, and *why is as it was; or a file is damaged, and *why says which.
 */
bool checkpoint_read(const struct checkpoint *checkpoint, enum checkpoint_kind kind, uint32_t part, uint32_t words,
                     uint32_t most_states, bool (*take)(void *user, const struct kept_piece *piece), void *user,
                     struct text *why);

#endif
