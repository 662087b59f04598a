#include "store/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/account.h"
#include "base/memory.h"
#include "store/manifest.h"
#include "store/segment.h"
#include "store/sweep.h"

enum { KINDS = 2 };
static const char *const kind_names[KINDS] = {"segment", "held"}; /* by enum checkpoint_kind */
static const char *const kind_keys[KINDS] = {"segments", "held"}; /* in the manifest */

const struct checkpoint_rank checkpoint_alone = {0, 1};

struct checkpoint {
    struct cleanup cleanup; /* closes what is open */
    char *path;
    struct checkpoint_rank rank;
    int folder;   /* open, and locked by the first rank; -1: closed */
    bool is_made; /* the folder, by us: it goes when there is nothing in it */
    bool has_commit;
    bool is_untidy;         /* some files of the last commit are not of the next one */
    bool is_abandoned;      /* its files stay as they are */
    bool is_dealt_again;    /* it was opened by another number of ranks */
    uint64_t states, bytes; /* of the last commit, all ranks */
    struct segments segments[KINDS];
    struct json *about, *search, *files; /* files: of the commit that was opened, by rank; or NULL */
    struct text failure;                 /* empty: nothing has failed */
};

static void checkpoint_undo(void *data)
{
    struct checkpoint *checkpoint = data;
    if (checkpoint->folder >= 0)
        close(checkpoint->folder);
    checkpoint->folder = -1;
}

static bool checkpoint_is_first(const struct checkpoint *checkpoint)
{
    return !checkpoint->rank.rank;
}

/* --- the folder --- */

/* A process that was killed keeps its lock until it is gone, which takes a moment when it writes to a slow disk:
 * "mpirun ... ; noether resume" in a script must not meet it. */
static bool folder_is_ours(int folder)
{
    enum { NAPS = 40 };
    const struct timespec nap = {0, 50 * 1000 * 1000};
    for (int i = 0; i < NAPS; i++) {
        if (!flock(folder, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
            return true;
        if (nanosleep(&nap, NULL))
            return false; /* a signal: no more patience */
    }
    return false;
}

/* False, and why: it is no folder, or another process uses it. */
static bool checkpoint_lock(struct checkpoint *checkpoint, struct text *why)
{
    checkpoint->folder = open(checkpoint->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (checkpoint->folder < 0) {
        text_format(why, "%s: %s", checkpoint->path, strerror(errno));
        return false;
    }
    if (checkpoint_is_first(checkpoint) && !folder_is_ours(checkpoint->folder)) {
        text_format(why, "%s: another process uses this checkpoint", checkpoint->path);
        return false;
    }
    for (int kind = 0; kind < KINDS; kind++)
        segments_begin(&checkpoint->segments[kind], checkpoint->folder, kind_names[kind], checkpoint->rank.rank);
    return true;
}

static struct checkpoint *checkpoint_begin(const char *folder, struct checkpoint_rank rank)
{
    struct checkpoint *checkpoint = memory_zeroed(1, sizeof *checkpoint);
    checkpoint->path = memory_string(folder);
    checkpoint->rank = rank;
    checkpoint->folder = -1;
    cleanup_push(&checkpoint->cleanup, checkpoint_undo, checkpoint);
    return checkpoint;
}

void checkpoint_release(struct checkpoint *checkpoint)
{
    if (checkpoint->folder < 0)
        return;
    for (int kind = 0; kind < KINDS; kind++)
        segments_end(&checkpoint->segments[kind], checkpoint->is_abandoned);
    if (checkpoint->is_made && !checkpoint->has_commit)
        rmdir(checkpoint->path); /* where nothing else is in it */
    checkpoint_undo(checkpoint);
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    checkpoint_release(checkpoint);
    cleanup_drop(&checkpoint->cleanup);
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
    checkpoint->is_made = checkpoint_is_first(checkpoint) && !mkdir(checkpoint->path, 0777);
    if (checkpoint_is_first(checkpoint) && !checkpoint->is_made && errno != EEXIST) {
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
    if (checkpoint_is_first(checkpoint))
        sweep_files(checkpoint->folder, kind_names, KINDS, NULL);
    checkpoint_sync_parent(checkpoint);
    return true;
}

struct checkpoint *checkpoint_create(const char *folder, struct checkpoint_rank rank, struct json *about,
                                     struct text *why)
{
    struct checkpoint *checkpoint = checkpoint_begin(folder, rank);
    checkpoint->about = about;
    if (checkpoint_make(checkpoint, why))
        return checkpoint;
    checkpoint_close(checkpoint);
    return NULL;
}

/* --- one that is there --- */

/* The files of a rank of that commit are there, and of the size they should have. */
static bool checkpoint_adopt(const struct checkpoint *checkpoint, int kind, uint32_t part, struct segments *segments,
                             struct text *why)
{
    segments_begin(segments, checkpoint->folder, kind_names[kind], part);
    return segments_adopt(segments, json_get(json_item(checkpoint->files, part), kind_keys[kind]),
                          checkpoint_is_first(checkpoint), why);
}

/* Of as many ranks: own segments go on. Else, and of what is held back: new ones begin, behind the numbers of all that
 * are there. */
static bool checkpoint_adopt_all(struct checkpoint *checkpoint, struct text *why)
{
    checkpoint->is_dealt_again = json_size(checkpoint->files) != checkpoint->rank.count;
    bool is_good = true;
    for (uint32_t part = 0; part < json_size(checkpoint->files) && is_good; part++)
        for (int kind = 0; kind < KINDS && is_good; kind++) {
            struct segments *own = &checkpoint->segments[kind], found;
            is_good = checkpoint_adopt(checkpoint, kind, part, &found, why);
            size_t end = found.first + found.list.count;
            bool goes_on = kind == CHECKPOINT_STATES && !checkpoint->is_dealt_again;
            if (is_good && goes_on && part == checkpoint->rank.rank) {
                *own = found;
                continue;
            }
            if (!goes_on && end > own->first)
                own->first = end;
            segments_end(&found, true);
        }
    checkpoint->is_untidy = true;
    return is_good;
}

static uint64_t checkpoint_sum(const struct json *files, size_t part, int kind, const char *key)
{
    const struct json *list = json_get(json_item(files, part), kind_keys[kind]);
    uint64_t sum = 0;
    for (size_t i = 0; i < json_size(list); i++) {
        uint64_t number = 0;
        json_read_count(json_get(json_item(list, i), key), &number);
        sum += number;
    }
    return sum;
}

static void checkpoint_count(struct checkpoint *checkpoint, const struct json *files)
{
    checkpoint->states = checkpoint->bytes = 0;
    for (size_t part = 0; part < json_size(files); part++) {
        checkpoint->states += checkpoint_sum(files, part, CHECKPOINT_STATES, "states");
        for (int kind = 0; kind < KINDS; kind++)
            checkpoint->bytes += checkpoint_sum(files, part, kind, "bytes");
    }
}

uint64_t checkpoint_part_states(const struct checkpoint *checkpoint, uint32_t part)
{
    return checkpoint_sum(checkpoint->files, part, CHECKPOINT_STATES, "states");
}

struct checkpoint *checkpoint_open(const char *folder, struct checkpoint_rank rank, struct text *why)
{
    struct checkpoint *checkpoint = checkpoint_begin(folder, rank);
    struct manifest manifest = {0};
    struct text reason = {0};
    bool is_good = checkpoint_lock(checkpoint, why);
    checkpoint->has_commit = checkpoint->is_made = true; /* or what there is is not ours to remove */
    if (is_good) {
        is_good = manifest_read(checkpoint->folder, &manifest, &reason);
        checkpoint->about = manifest.about;
        checkpoint->search = manifest.search;
        checkpoint->files = manifest.files;
        if (is_good && !json_size(manifest.files)) {
            text_append(&reason, "its manifest is damaged (\"files\")");
            is_good = false;
        }
        is_good = is_good && checkpoint_adopt_all(checkpoint, &reason);
        if (reason.length)
            text_format(why, "%s: %s", folder, reason.chars);
    }
    text_free(&reason);
    if (!is_good) {
        checkpoint->is_abandoned = true;
        checkpoint_close(checkpoint);
        return NULL;
    }
    checkpoint_count(checkpoint, checkpoint->files);
    if (checkpoint_is_first(checkpoint))
        sweep_files(checkpoint->folder, kind_names, KINDS, checkpoint->files);
    return checkpoint;
}

uint32_t checkpoint_parts(const struct checkpoint *checkpoint)
{
    return (uint32_t)json_size(checkpoint->files);
}

bool checkpoint_is_dealt_again(const struct checkpoint *checkpoint)
{
    return checkpoint->is_dealt_again;
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
    if (checkpoint->files)
        json_free(checkpoint->files);
    checkpoint->search = checkpoint->files = NULL;
}

const struct json *checkpoint_search(const struct checkpoint *checkpoint)
{
    return checkpoint->search;
}

/* --- writing --- */

void checkpoint_clear(struct checkpoint *checkpoint)
{
    for (int kind = 0; kind < KINDS; kind++)
        segments_restart(&checkpoint->segments[kind]);
    checkpoint->is_untidy = true;
}

/* What the last commit holds is kept, and nothing more is written. */
bool checkpoint_fail(struct checkpoint *checkpoint, const char *reason)
{
    text_format(&checkpoint->failure, "%s: %s", checkpoint->path, reason);
    for (int kind = 0; kind < KINDS; kind++)
        segments_take_back(&checkpoint->segments[kind]);
    return false;
}

const char *checkpoint_failure(const struct checkpoint *checkpoint)
{
    return checkpoint->failure.chars;
}

bool checkpoint_append(struct checkpoint *checkpoint, enum checkpoint_kind kind, const struct kept_piece *piece,
                       uint32_t words)
{
    if (checkpoint->failure.chars)
        return false;
    const char *reason = segments_append(&checkpoint->segments[kind], piece, words);
    return !reason || checkpoint_fail(checkpoint, reason);
}

struct json *checkpoint_sync(struct checkpoint *checkpoint)
{
    struct json *files = json_make_object();
    for (int kind = 0; kind < KINDS && !checkpoint->failure.chars; kind++) {
        json_set(files, kind_keys[kind], segments_describe(&checkpoint->segments[kind]));
        const char *reason = segments_sync(&checkpoint->segments[kind]);
        if (reason)
            checkpoint_fail(checkpoint, reason);
    }
    if (!checkpoint->failure.chars)
        return files;
    json_free(files);
    return NULL;
}

void checkpoint_note_commit(struct checkpoint *checkpoint)
{
    struct segments *held = &checkpoint->segments[CHECKPOINT_HELD];
    for (int kind = 0; kind < KINDS; kind++)
        segments_commit(&checkpoint->segments[kind]);
    checkpoint->is_untidy = held->list.count > 0;
    checkpoint->has_commit = true;
    segments_restart(held); /* of this commit alone */
}

bool checkpoint_commit(struct checkpoint *checkpoint, struct json *search, struct json *files)
{
    struct manifest manifest = {checkpoint->about, search, files};
    const char *reason = checkpoint->failure.chars ? NULL : manifest_write(checkpoint->folder, &manifest);
    if (reason)
        checkpoint_fail(checkpoint, reason);
    bool is_good = !checkpoint->failure.chars;
    if (is_good) {
        if (checkpoint->is_untidy || checkpoint->rank.count > 1)
            sweep_files(checkpoint->folder, kind_names, KINDS, files);
        checkpoint_count(checkpoint, files);
        checkpoint_note_commit(checkpoint);
    }
    json_free(search);
    json_free(files);
    return is_good;
}

void checkpoint_abandon(struct checkpoint *checkpoint)
{
    checkpoint->is_abandoned = true;
}

void checkpoint_remove(struct checkpoint *checkpoint)
{
    checkpoint->is_abandoned = true; /* what there is of its own goes with the others */
    checkpoint->has_commit = false;
    if (!checkpoint_is_first(checkpoint))
        return;
    manifest_remove(checkpoint->folder);
    sweep_files(checkpoint->folder, kind_names, KINDS, NULL);
    rmdir(checkpoint->path); /* where nothing else is in it */
}

bool checkpoint_has_commit(const struct checkpoint *checkpoint)
{
    return checkpoint->has_commit;
}

uint64_t checkpoint_bytes(const struct checkpoint *checkpoint)
{
    return checkpoint->bytes;
}

uint64_t checkpoint_states(const struct checkpoint *checkpoint)
{
    return checkpoint->states;
}

bool checkpoint_read(const struct checkpoint *checkpoint, enum checkpoint_kind kind, uint32_t part, uint32_t words,
                     uint32_t most_states, bool (*take)(void *user, const struct kept_piece *piece), void *user,
                     struct text *why)
{
    struct segments segments;
    bool is_good = checkpoint_adopt(checkpoint, kind, part, &segments, why) &&
                   segments_read(&segments, words, most_states, take, user, why);
    segments_end(&segments, true);
    return is_good;
}
