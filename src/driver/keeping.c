#include "driver/keeping.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "ir/print.h"
#include "ranks/transport.h"
#include "store/checkpoint.h"

static uint64_t hash_source(const struct source *source)
{
    return source ? hash_bytes(source->text, source->length) : 0;
}

static uint64_t hash_model(const struct model *model)
{
    return hash_combine(hash_source(model->source),
                        hash_combine(hash_source(model->properties), hash_source(model->asked)));
}

/* --- all ranks, or none --- */

static struct checkpoint_rank keeping_rank(const struct transport *transport)
{
    return transport ? (struct checkpoint_rank){transport->rank, transport->count} : checkpoint_alone;
}

/* What the first rank that has something to say says becomes *why of all. False: there is one. */
static bool keeping_agree(const struct transport *transport, struct text *why)
{
    size_t *places;
    if (!transport)
        return !why->length;
    char *bytes = transport->share(text_chars(why), why->length, &places);
    uint32_t rank = 0;
    while (rank < transport->count && places[rank] == places[rank + 1])
        rank++;
    bool is_good = rank == transport->count;
    if (!is_good && rank != transport->rank) {
        text_clear(why);
        text_append_n(why, bytes + places[rank], places[rank + 1] - places[rank]);
    }
    free(bytes);
    free(places);
    return is_good;
}

/* The first rank makes the folder, and looks at what is in it; then the others may. */
struct keeping_way {
    const char *folder;
    struct json *about; /* NULL: it is there */
};

static struct checkpoint *keeping_try(const struct keeping_way *way, struct checkpoint_rank rank, struct text *why)
{
    return way->about ? checkpoint_create(way->folder, rank, json_keep(way->about), why)
                      : checkpoint_open(way->folder, rank, why);
}

static struct checkpoint *keeping_try_all(const struct keeping_way *way, const struct transport *transport,
                                          struct text *why)
{
    struct checkpoint_rank rank = keeping_rank(transport);
    struct checkpoint *checkpoint = rank.rank ? NULL : keeping_try(way, rank, why);
    bool is_good = keeping_agree(transport, why);
    if (is_good && transport) {
        if (rank.rank)
            checkpoint = keeping_try(way, rank, why);
        is_good = keeping_agree(transport, why);
    }
    if (is_good)
        return checkpoint;
    checkpoint_close(checkpoint);
    return NULL;
}

struct checkpoint *keeping_create(const char *folder, const struct transport *transport, const struct model *model,
                                  char *const *words, size_t count, struct text *why)
{
    struct json *about = json_make_object(), *command = json_make_array();
    for (size_t i = 0; i < count; i++)
        json_push(command, json_make_text(words[i]));
    json_set(about, "command", command);
    json_set(about, "model", json_make_text(model->source->path));
    json_set(about, "text", json_make_hash(hash_model(model)));
    json_set(about, "system", json_make_hash(ir_hash_system(model->system)));
    struct keeping_way way = {folder, about};
    struct checkpoint *checkpoint = keeping_try_all(&way, transport, why);
    json_free(about);
    return checkpoint;
}

struct checkpoint *keeping_open(const char *folder, const struct transport *transport, char ***words, size_t *count,
                                struct text *why)
{
    struct keeping_way way = {folder, NULL};
    struct checkpoint *checkpoint = keeping_try_all(&way, transport, why);
    if (!checkpoint)
        return NULL;
    const struct json *command = json_get(checkpoint_about(checkpoint), "command");
    *count = json_size(command);
    *words = memory_zeroed(*count + 1, sizeof **words);
    for (size_t i = 0; i < *count; i++) {
        const char *word = json_read_text(json_item(command, i));
        (*words)[i] = memory_string(word ? word : "");
    }
    return checkpoint;
}

bool keeping_fits(const struct checkpoint *checkpoint, const struct model *model, struct text *why)
{
    const struct json *about = checkpoint_about(checkpoint);
    uint64_t text, system;
    if (!json_read_hash(json_get(about, "text"), &text) || !json_read_hash(json_get(about, "system"), &system)) {
        text_format(why, "%s: the manifest is damaged (\"about\")", checkpoint_folder(checkpoint));
        return false;
    }
    if (text != hash_model(model))
        text_format(why, "%s: %s, or its properties, are not what they were when the checkpoint was written",
                    checkpoint_folder(checkpoint), model->source->path);
    else if (system != ir_hash_system(model->system))
        text_format(why,
                    "%s: %s means something else than when the checkpoint was written (an included file has changed)",
                    checkpoint_folder(checkpoint), model->source->path);
    return text == hash_model(model) && system == ir_hash_system(model->system);
}

void keeping_note_attempt(struct checkpoint *checkpoint, size_t attempt, const char *set_aside)
{
    if (!checkpoint)
        return;
    checkpoint_set_about(checkpoint, "attempt", json_make_count(attempt));
    checkpoint_set_about(checkpoint, "set_aside", json_make_text(set_aside));
}

size_t keeping_attempt(const struct checkpoint *checkpoint, const char **set_aside)
{
    uint64_t attempt = 0;
    *set_aside = NULL;
    if (!checkpoint || !checkpoint_search(checkpoint))
        return 0;
    const struct json *about = checkpoint_about(checkpoint);
    json_read_count(json_get(about, "attempt"), &attempt);
    *set_aside = json_read_text(json_get(about, "set_aside"));
    return attempt;
}

static bool is_decided(const struct result *result)
{
    return result->is_complete || result->stop.kind == STOP_VIOLATION || result->stop.kind == STOP_DECIDED;
}

/* What has to be given anew: with the limit of the command, which has been reached, the next run ends at once. The time
 * is that of a run. */
static const char *raised_limit(const struct stop *stop)
{
    return stop->kind == STOP_STATES   ? " --states N, with more than now,"
           : stop->kind == STOP_DEPTH  ? " --depth N, with more than now,"
           : stop->kind == STOP_MEMORY ? " --memory SIZE, with more than now,"
                                       : "";
}

void keeping_print(const struct checkpoint *checkpoint, const struct stop *stop, struct text *out)
{
    const char *folder = checkpoint_folder(checkpoint);
    if (checkpoint_has_commit(checkpoint))
        text_format(out, "checkpoint with %llu states, %llu bytes: noether resume %s%s goes on from there",
                    (unsigned long long)checkpoint_states(checkpoint), (unsigned long long)checkpoint_bytes(checkpoint),
                    folder, raised_limit(stop));
    else
        text_format(out, "no checkpoint was written: the search ended before its first level, or before one was due");
}

static void keeping_settle(struct checkpoint *checkpoint, const struct result *result, struct text *note)
{
    if (checkpoint_failure(checkpoint))
        text_format(note, "the checkpoint could not be written: %s", checkpoint_failure(checkpoint));
    if (is_decided(result)) {
        checkpoint_remove(checkpoint);
        return;
    }
    text_append(note, note->length ? "\n" : "");
    keeping_print(checkpoint, &result->stop, note);
}

void keeping_finish(struct checkpoint *checkpoint, const struct result *result, struct text *note)
{
    if (!checkpoint)
        return;
    if (result)
        keeping_settle(checkpoint, result, note);
    checkpoint_release(checkpoint);
}

const char *keeping_folder(const struct checkpoint *checkpoint)
{
    return checkpoint_folder(checkpoint);
}

void keeping_close(struct checkpoint *checkpoint)
{
    checkpoint_close(checkpoint);
}
