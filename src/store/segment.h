/* The segments of a checkpoint (checkpoint.h): files of pieces in one folder, which are appended to, one after the
 * other. What follows the last commit can be taken back. Each rank has its own, of two kinds: states that were found
 * ("segment"), and successors that were still to be looked up ("held"). */
#ifndef NOETHER_STORE_SEGMENT_H
#define NOETHER_STORE_SEGMENT_H

#include "base/json.h"
#include "base/vec.h"
#include "store/piece.h"

/* How much of a segment counts: so many bytes, the first of the file. */
struct segment_extent {
    uint64_t bytes, states;
    uint64_t hash; /* of the hashes of its pieces, in their order */
};

struct segment {
    struct segment_extent now, committed;
};

struct segments {
    int folder;       /* open */
    const char *kind; /* how their names begin */
    uint32_t rank;
    VEC(struct segment) list;
    size_t first;    /* number of the first one of the list */
    int file;        /* of the last one, -1: not open */
    uint8_t *buffer; /* what is not in the file yet */
    size_t size, capacity;
};

enum { SEGMENT_NAME = 64 };
/* The first one of rank 2: segment-2-000001 */
void segment_name(const struct segments *segments, size_t number, char *name);

void segments_begin(struct segments *segments, int folder, const char *kind, uint32_t rank);
/* `keeps`: what follows the last commit stays, too: it is not known here whether it has been committed. */
void segments_end(struct segments *segments, bool keeps);
/* NULL, or the reason why it could not be written. */
const char *segments_append(struct segments *segments, const struct kept_piece *piece, uint32_t words);
/* All that was appended is on the disk. */
const char *segments_sync(struct segments *segments);
/* What there is now is what counts. */
void segments_commit(struct segments *segments);
/* Back to the last commit, in the files, too. */
void segments_take_back(struct segments *segments);
/* What was appended is not wanted any more. The files of the last commit stay. */
void segments_restart(struct segments *segments);

struct json *segments_describe(const struct segments *segments);
/* From what segments_describe made, into an empty list; `cuts`: bytes behind what counts are cut off. False, and why:
 * it is nothing of the kind, or the files are shorter. */
bool segments_adopt(struct segments *segments, const struct json *described, bool cuts, struct text *why);

/* As checkpoint_read. */
bool segments_read(const struct segments *segments, uint32_t words, uint32_t most_states,
                   bool (*take)(void *user, const struct kept_piece *piece), void *user, struct text *why);

#endif
