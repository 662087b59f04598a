/* A commit: each rank has its files on the disk and says so to all; the first one writes the manifest, and says whether
 * that went well. A rank that could not write ends the keeping of all. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/explicit/keep.h"
#include "engine/explicit/ranks.h"

static struct json *commit_describe(struct explicit_search *search)
{
    struct checkpoint *checkpoint = search->keeper->checkpoint;
    struct json *mine = json_make_object(), *files = checkpoint_sync(checkpoint);
    if (files) {
        json_set(mine, "files", files);
        json_set(mine, "part", keep_describe_part(search));
    } else {
        json_set(mine, "failure", json_make_text(checkpoint_failure(checkpoint)));
    }
    return mine;
}

static struct json **commit_share(struct explicit_search *search, struct json *mine, uint32_t *count)
{
    *count = search->ranks ? search->ranks->count : 1;
    if (search->ranks)
        return ranks_share(search, mine);
    struct json **all = memory_zeroed(1, sizeof *all);
    all[0] = mine;
    return all;
}

static void commit_forget(struct json **all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        json_free(all[i]);
    free(all);
}

/* False: a rank could not write. */
static bool commit_is_good(struct explicit_search *search, struct json *const *all, uint32_t count)
{
    struct checkpoint *checkpoint = search->keeper->checkpoint;
    for (uint32_t i = 0; i < count; i++) {
        const char *failure = json_read_text(json_get(all[i], "failure"));
        if (all[i] && !failure)
            continue;
        if (!checkpoint_failure(checkpoint)) {
            struct text why = {0};
            text_format(&why, "rank %u: %s", i, failure ? failure : "it cannot say what it has written");
            checkpoint_fail(checkpoint, why.chars);
            text_free(&why);
        }
        return false;
    }
    return true;
}

static void commit_write(struct explicit_search *search, struct json *const *all, uint32_t count)
{
    struct json *described = keep_describe(search), *parts = json_make_array(), *files = json_make_array();
    for (uint32_t i = 0; i < count; i++) {
        json_push(parts, json_keep(json_get(all[i], "part")));
        json_push(files, json_keep(json_get(all[i], "files")));
    }
    json_set(described, "parts", parts);
    checkpoint_commit(search->keeper->checkpoint, described, files);
}

/* The first rank says whether there is a manifest. */
static void commit_hear(struct explicit_search *search)
{
    struct checkpoint *checkpoint = search->keeper->checkpoint;
    struct json *mine = json_make_object();
    uint32_t count;
    if (checkpoint_failure(checkpoint))
        json_set(mine, "failure", json_make_text(checkpoint_failure(checkpoint)));
    struct json **all = commit_share(search, mine, &count);
    if (commit_is_good(search, all, count) && search->ranks->rank)
        checkpoint_note_commit(checkpoint);
    commit_forget(all, count);
}

void keep_commit(struct explicit_search *search)
{
    struct keeper *keeper = search->keeper;
    uint32_t count;
    if (!search->ranks && checkpoint_failure(keeper->checkpoint))
        return;
    struct json **all = commit_share(search, commit_describe(search), &count);
    bool is_good = commit_is_good(search, all, count);
    if (is_good && (!search->ranks || !search->ranks->rank))
        commit_write(search, all, count);
    commit_forget(all, count);
    if (is_good && search->ranks)
        commit_hear(search);
    keeper->last = clock_wall();
}
