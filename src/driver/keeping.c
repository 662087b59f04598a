#include "driver/keeping.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "ir/print.h"
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

static uint64_t hash_system(const struct model *model)
{
    struct text text = {0};
    ir_print_system(model->system, &text);
    const char *body = strchr(text_chars(&text), '\n'); /* the first line has the path, as the user wrote it */
    uint64_t hash = hash_bytes(body, strlen(body));
    text_free(&text);
    return hash;
}

struct checkpoint *keeping_create(const char *folder, const struct model *model, char *const *words, size_t count,
                                  struct text *why)
{
    struct json *about = json_make_object(), *command = json_make_array();
    for (size_t i = 0; i < count; i++)
        json_push(command, json_make_text(words[i]));
    json_set(about, "command", command);
    json_set(about, "model", json_make_text(model->source->path));
    json_set(about, "text", json_make_hash(hash_model(model)));
    json_set(about, "system", json_make_hash(hash_system(model)));
    return checkpoint_create(folder, about, why);
}

struct checkpoint *keeping_open(const char *folder, char ***words, size_t *count, struct text *why)
{
    struct checkpoint *checkpoint = checkpoint_open(folder, why);
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
    else if (system != hash_system(model))
        text_format(why,
                    "%s: %s means something else than when the checkpoint was written (an included file has changed)",
                    checkpoint_folder(checkpoint), model->source->path);
    return text == hash_model(model) && system == hash_system(model);
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

/* "checkpoint: 1200 states in kept, 9 KiB; noether resume kept goes on from there" */
static void print_kept(const struct checkpoint *checkpoint, struct text *out)
{
    const char *folder = checkpoint_folder(checkpoint);
    if (checkpoint_has_commit(checkpoint))
        text_format(out, "checkpoint with %llu states, %llu bytes: noether resume %s goes on from there",
                    (unsigned long long)checkpoint_states(checkpoint), (unsigned long long)checkpoint_bytes(checkpoint),
                    folder);
    else
        text_format(out, "no checkpoint was written: the search ended before its first level");
}

void keeping_finish(struct checkpoint *checkpoint, const struct result *result, struct text *note)
{
    if (!checkpoint || !result)
        return;
    if (checkpoint_failure(checkpoint))
        text_format(note, "the checkpoint could not be written: %s", checkpoint_failure(checkpoint));
    if (is_decided(result)) {
        checkpoint_remove(checkpoint);
        return;
    }
    text_append(note, note->length ? "\n" : "");
    print_kept(checkpoint, note);
}

void keeping_close(struct checkpoint *checkpoint)
{
    checkpoint_close(checkpoint);
}
