#include "store/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/account.h"
#include "base/memory.h"
#include "store/manifest.h"
#include "store/segment.h"

struct checkpoint {
    struct cleanup cleanup; /* closes what is open */
    char *path;
    int folder;   /* open and locked; -1: closed */
    bool is_made; /* the folder, by us: it goes when there is nothing in it */
    bool has_commit;
    struct segments segments;
    struct json *about, *search;
    struct text failure; /* empty: nothing has failed */
};

static void checkpoint_undo(void *data)
{
    struct checkpoint *checkpoint = data;
    if (checkpoint->folder >= 0)
        close(checkpoint->folder);
    checkpoint->folder = -1;
}

/* --- the folder --- */

/* False, and why: it is no folder, or another process uses it. */
static bool checkpoint_lock(struct checkpoint *checkpoint, struct text *why)
{
    checkpoint->folder = open(checkpoint->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (checkpoint->folder < 0) {
        text_format(why, "%s: %s", checkpoint->path, strerror(errno));
        return false;
    }
    if (flock(checkpoint->folder, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        text_format(why, "%s: another process uses this checkpoint", checkpoint->path);
        return false;
    }
    segments_begin(&checkpoint->segments, checkpoint->folder);
    return true;
}

static struct checkpoint *checkpoint_begin(const char *folder)
{
    struct checkpoint *checkpoint = memory_zeroed(1, sizeof *checkpoint);
    checkpoint->path = memory_string(folder);
    checkpoint->folder = -1;
    cleanup_push(&checkpoint->cleanup, checkpoint_undo, checkpoint);
    return checkpoint;
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    if (checkpoint->folder >= 0)
        segments_end(&checkpoint->segments);
    cleanup_drop(&checkpoint->cleanup);
    checkpoint_undo(checkpoint);
    if (checkpoint->is_made && !checkpoint->has_commit)
        rmdir(checkpoint->path); /* where nothing else is in it */
    if (checkpoint->about)
        json_free(checkpoint->about);
    checkpoint_take_search(checkpoint);
    text_free(&checkpoint->failure);
    free(checkpoint->path);
    free(checkpoint);
}

/* The name of a new folder is in the one above: it must be on the disk, too. */
static void checkpoint_sync_parent(const struct checkpoint *checkpoint)
{
    int above = checkpoint->is_made ? openat(checkpoint->folder, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (above < 0)
        return;
    fsync(above);
    close(above);
}

static bool checkpoint_make(struct checkpoint *checkpoint, struct text *why)
{
    checkpoint->is_made = !mkdir(checkpoint->path, 0777);
    if (!checkpoint->is_made && errno != EEXIST) {
        text_format(why, "%s: %s", checkpoint->path, strerror(errno));
        return false;
    }
    if (!checkpoint_lock(checkpoint, why))
        return false;
    if (manifest_is_there(checkpoint->folder)) {
        text_format(why, "%s holds a checkpoint: \"noether resume %s\" continues it; remove it to begin again",
                    checkpoint->path, checkpoint->path);
        return false;
    }
    if (faccessat(checkpoint->folder, ".", W_OK | X_OK, 0)) {
        text_format(why, "%s: %s", checkpoint->path, strerror(errno));
        return false;
    }
    segments_sweep(&checkpoint->segments);
    checkpoint_sync_parent(checkpoint);
    return true;
}

struct checkpoint *checkpoint_create(const char *folder, struct json *about, struct text *why)
{
    struct checkpoint *checkpoint = checkpoint_begin(folder);
    checkpoint->about = about;
    if (checkpoint_make(checkpoint, why))
        return checkpoint;
    checkpoint_close(checkpoint);
    return NULL;
}

struct checkpoint *checkpoint_open(const char *folder, struct text *why)
{
    struct checkpoint *checkpoint = checkpoint_begin(folder);
    struct manifest manifest = {0};
    struct text reason = {0};
    bool is_good = checkpoint_lock(checkpoint, why);
    if (is_good && !(is_good = manifest_read(checkpoint->folder, &manifest, &reason) &&
                               segments_adopt(&checkpoint->segments, manifest.segments, &reason)))
        text_format(why, "%s: %s", folder, text_chars(&reason));
    checkpoint->has_commit = checkpoint->is_made = true; /* or what there is is not ours to remove */
    checkpoint->about = manifest.about;
    checkpoint->search = manifest.search;
    if (manifest.segments)
        json_free(manifest.segments);
    text_free(&reason);
    if (is_good)
        return checkpoint;
    checkpoint_close(checkpoint);
    return NULL;
}

const char *checkpoint_folder(const struct checkpoint *checkpoint)
{
    return checkpoint->path;
}

const struct json *checkpoint_about(const struct checkpoint *checkpoint)
{
    return checkpoint->about;
}

void checkpoint_set_about(struct checkpoint *checkpoint, const char *key, struct json *value)
{
    json_set(checkpoint->about, key, value);
}

void checkpoint_take_search(struct checkpoint *checkpoint)
{
    if (checkpoint->search)
        json_free(checkpoint->search);
    checkpoint->search = NULL;
}

const struct json *checkpoint_search(const struct checkpoint *checkpoint)
{
    return checkpoint->search;
}

/* --- writing --- */

void checkpoint_clear(struct checkpoint *checkpoint)
{
    segments_restart(&checkpoint->segments);
}

/* What the last commit holds is kept, and nothing more is written. */
bool checkpoint_fail(struct checkpoint *checkpoint, const char *reason)
{
    text_format(&checkpoint->failure, "%s: %s", checkpoint->path, reason);
    segments_take_back(&checkpoint->segments);
    return false;
}

const char *checkpoint_failure(const struct checkpoint *checkpoint)
{
    return checkpoint->failure.chars;
}

bool checkpoint_append(struct checkpoint *checkpoint, const struct kept_piece *piece, uint32_t words)
{
    if (checkpoint->failure.chars)
        return false;
    const char *reason = segments_append(&checkpoint->segments, piece, words);
    return !reason || checkpoint_fail(checkpoint, reason);
}

bool checkpoint_commit(struct checkpoint *checkpoint, struct json *search)
{
    if (checkpoint->failure.chars) {
        json_free(search);
        return false;
    }
    struct manifest manifest = {checkpoint->about, search, segments_describe(&checkpoint->segments)};
    const char *reason = segments_sync(&checkpoint->segments);
    if (!reason)
        reason = manifest_write(checkpoint->folder, &manifest);
    json_free(manifest.segments);
    json_free(search);
    if (reason)
        return checkpoint_fail(checkpoint, reason);
    segments_commit(&checkpoint->segments);
    checkpoint->has_commit = true;
    return true;
}

void checkpoint_remove(struct checkpoint *checkpoint)
{
    manifest_remove(checkpoint->folder);
    segments_remove(&checkpoint->segments);
    checkpoint->has_commit = false;
    rmdir(checkpoint->path); /* where nothing else is in it */
}

bool checkpoint_has_commit(const struct checkpoint *checkpoint)
{
    return checkpoint->has_commit;
}

uint64_t checkpoint_bytes(const struct checkpoint *checkpoint)
{
    return segments_bytes(&checkpoint->segments);
}

uint64_t checkpoint_states(const struct checkpoint *checkpoint)
{
    return segments_states(&checkpoint->segments);
}

bool checkpoint_read(struct checkpoint *checkpoint, uint32_t words, uint32_t most_states,
                     bool (*take)(void *user, const struct kept_piece *piece), void *user, struct text *why)
{
    struct text reason = {0};
    bool is_good = segments_read(&checkpoint->segments, words, most_states, take, user, &reason);
    if (reason.length)
        text_format(why, "%s/%s", checkpoint->path, reason.chars);
    text_free(&reason);
    return is_good;
}
