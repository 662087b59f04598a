#include "driver/certify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory.h"
#include "driver/certify_group.h"
#include "verify/certificate.h"
#include "verify/check.h"

struct certifier {
    const struct model *model;
    const char *path;
    enum deadlock_mode deadlock;
    void (*say)(const char *why);
    FILE *file;                  /* NULL: no search has begun, or it has no certificate */
    char *temporary;             /* its name; NULL: it has none */
    const char *refusal;         /* why the last search has no certificate; or NULL */
    int error;                   /* of writing; 0: none */
    const struct layout *layout; /* of the states that are told of: the model's, or that of a copy with other codes */
    int32_t *cells;
    uint64_t *words;
    uint64_t count;
    struct checksum checksum;
};

const char *certify_refusal(const struct model *model, enum engine_choice engine, enum symmetry_choice symmetry,
                            const struct engine_options *options, struct arena *words)
{
    if (engine != ENGINE_AUTO && engine != ENGINE_EXPLICIT)
        return arena_format(words, "the %s engine keeps no set of states that could be checked; use --engine explicit",
                            engine_of(engine)->name);
    if (system_has_probabilities(model->system))
        return "a certificate is about states and steps; the model has probabilities";
    if (symmetry == SYMMETRY_GUARDED)
        return "with --symmetry guarded the states are those of another model";
    if (options->partial_order == PARTIAL_ORDER_REDUCED)
        return "with --reduction por not all states are kept";
    if (options->hash_compact || options->representative == REPRESENTATIVE_MARKERS)
        return "states that have the same hash are taken for one: that is no proof";
    return NULL;
}

static void write_bytes(struct certifier *certifier, const void *bytes, size_t length)
{
    if (!certifier->file || certifier->error)
        return;
    checksum_add(&certifier->checksum, bytes, length);
    errno = EIO;
    if (fwrite(bytes, 1, length, certifier->file) != length)
        certifier->error = errno;
}

static void drop_file(struct certifier *certifier)
{
    if (certifier->file)
        fclose(certifier->file);
    if (certifier->temporary)
        unlink(certifier->temporary);
    free(certifier->temporary);
    certifier->file = NULL;
    certifier->temporary = NULL;
}

/* Beside the path, without a name where the file system can do that: then nothing is left behind, whatever happens. */
static void open_file(struct certifier *certifier)
{
    const char *slash = strrchr(certifier->path, '/');
    struct text name = {0};
    drop_file(certifier);
    text_append_n(&name, slash ? certifier->path : ".", slash ? (size_t)(slash - certifier->path) + 1 : 1);
    int file = open(text_chars(&name), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (file < 0) {
        text_clear(&name);
        text_format(&name, "%s.XXXXXX", certifier->path);
        file = mkstemp(name.chars);
        certifier->temporary = file < 0 ? NULL : memory_string(name.chars);
    }
    certifier->error = file < 0 ? errno : 0;
    certifier->file = file < 0 ? NULL : fdopen(file, "w+");
    text_free(&name);
}

static struct json *hash_of(const struct source *source)
{
    struct text text = {0};
    if (source)
        text_format(&text, "%016" PRIx64, certificate_hash(source->text, source->length));
    struct json *value = json_make_text(source ? text_chars(&text) : NULL);
    text_free(&text);
    return value;
}

static struct json *pair_of(const char *name, const char *value)
{
    struct json *pair = json_make_array();
    json_push(pair, json_make_text(name));
    json_push(pair, json_make_text(value));
    return pair;
}

/* As certificate.c reads it. */
static struct json *manner_of(const struct manner *manner)
{
    const uint32_t numbers[] = {manner->is_lenient,  manner->undefined_is_error, manner->dialect,
                                manner->threads,     manner->recursion,          manner->processes,
                                manner->dies_anyhow, manner->ignores_labels};
    struct json *list = json_make_array();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_push(list, json_make_integer(numbers[i]));
    return list;
}

static struct json *make_head(const struct certifier *certifier)
{
    const struct model *model = certifier->model;
    struct json *head = json_make_object(), *defines = json_make_array();
    enum deadlock_mode mode = deadlock_mode_of(model->system, certifier->deadlock);
    for (size_t d = 0; d < model->define_count; d++)
        json_push(defines, pair_of(model->defines[d].name, model->defines[d].value));
    json_set(head, "format", json_make_text(CERTIFICATE_FORMAT));
    json_set(head, "version", json_make_integer(1));
    json_set(head, "language", json_make_text(model->system->language->name));
    json_set(head, "model", hash_of(model->source));
    json_set(head, "properties", hash_of(model->properties));
    json_set(head, "asked", json_make_text(model->asked ? model->asked->text : NULL));
    json_set(head, "defines", defines);
    json_set(head, "manner", manner_of(&model->manner));
    json_set(head, "deadlock", json_make_text(certified_deadlock_names[mode]));
    json_set(head, "cells", json_make_integer(model->layout->cell_count));
    json_set(head, "words", json_make_integer(model->layout->words));
    return head;
}

/* A search begins: what was told of before is void. */
static void begin_search(void *user, const struct layout *layout, const struct symmetry *symmetry)
{
    struct certifier *certifier = user;
    struct json *head = make_head(certifier);
    struct text line = {0};
    certifier->refusal = certify_group(symmetry, layout, certifier->model->layout, head);
    certifier->layout = layout;
    certifier->count = 0;
    certifier->checksum.hash = 0;
    certifier->checksum.filled = 0;
    if (certifier->refusal) {
        drop_file(certifier);
        certifier->say(certifier->refusal);
    } else {
        open_file(certifier);
        json_print_compact(head, &line);
        text_char(&line, '\n');
        write_bytes(certifier, text_chars(&line), line.length);
    }
    json_free(head);
    text_free(&line);
}

/* A copy of the model has the same cells; their values have the same places in other blocks of codes
 * (rewrite/retype.h). */
static void translate(struct certifier *certifier, const uint64_t *packed)
{
    const struct layout *from = certifier->layout, *to = certifier->model->layout;
    layout_unpack(from, packed, certifier->cells);
    for (uint32_t c = 0; c < from->cell_count; c++) {
        const struct type *type = from->cells[c].type, *model = to->cells[c].type;
        if (type && type->block_count == 1 && certifier->cells[c] != UNDEFINED)
            certifier->cells[c] += model->blocks->lo - type->blocks->lo;
    }
    layout_pack(to, certifier->cells, certifier->words);
}

static void note_state(void *user, const uint64_t *packed)
{
    struct certifier *certifier = user;
    unsigned char bytes[8];
    if (!certifier->file)
        return;
    if (certifier->layout != certifier->model->layout) {
        translate(certifier, packed);
        packed = certifier->words;
    }
    for (uint32_t w = 0; w < certifier->model->layout->words; w++) {
        checksum_put_number(bytes, packed[w]);
        write_bytes(certifier, bytes, sizeof bytes);
    }
    certifier->count++;
}

struct certifier *certify_begin(const struct model *model, const char *path, struct engine_options *options,
                                void (*say)(const char *why))
{
    struct certifier *certifier = memory_zeroed(1, sizeof *certifier);
    certifier->model = model;
    certifier->path = path;
    certifier->deadlock = options->deadlock;
    certifier->say = say;
    certifier->cells = memory_zeroed((size_t)model->layout->cell_count + 1, sizeof *certifier->cells);
    certifier->words = memory_zeroed(model->layout->words, sizeof *certifier->words);
    options->on_search = begin_search;
    options->on_state = note_state;
    options->on_state_user = certifier;
    return certifier;
}

/* NULL: all that a certificate is about holds. */
static const char *find_open(const struct result *result)
{
    if (!result)
        return "nothing was checked";
    bool is_open = !result->is_complete;
    for (size_t p = 0; p < result->system->properties.count; p++) {
        const struct property *property = result->system->properties.items[p];
        if (!verify_covers(property) || property->kind == PROPERTY_ASSUMPTION || !result->checked[p])
            continue;
        if (result->properties[p].verdict == VERDICT_VIOLATED)
            return "a property is violated";
        is_open |= result->properties[p].verdict == VERDICT_UNKNOWN;
    }
    return is_open ? "the search was not complete" : NULL;
}

/* Gives a file without a name one, beside the path. */
static bool name_file(struct certifier *certifier)
{
    struct text from = {0}, to = {0};
    bool is_done = certifier->temporary != NULL;
    text_format(&from, "/proc/self/fd/%d", fileno(certifier->file));
    for (unsigned try = 0; try < 1000 && !is_done; try++) {
        text_clear(&to);
        text_format(&to, "%s.%ld.%u", certifier->path, (long)getpid(), try);
        is_done = !linkat(AT_FDCWD, from.chars, AT_FDCWD, to.chars, AT_SYMLINK_FOLLOW);
        if (is_done)
            certifier->temporary = memory_string(to.chars);
        else if (errno != EEXIST)
            break;
    }
    text_free(&from);
    text_free(&to);
    return is_done;
}

/* On disk first, then under its name. */
static void close_file(struct certifier *certifier)
{
    unsigned char trailer[CERTIFICATE_TRAILER];
    checksum_put_number(trailer, certifier->count);
    write_bytes(certifier, trailer, 8);
    checksum_put_number(trailer + 8, checksum_end(&certifier->checksum));
    write_bytes(certifier, trailer + 8, 8);
    if (certifier->error)
        return;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fileno(certifier->file), 0666 & ~mask);
    if (fflush(certifier->file) || fsync(fileno(certifier->file)) || !name_file(certifier) ||
        rename(certifier->temporary, certifier->path)) {
        certifier->error = errno;
        return;
    }
    free(certifier->temporary);
    certifier->temporary = NULL;
}

const char *certify_end(struct certifier *certifier, const struct result *result, bool *is_failure)
{
    const char *why = find_open(result);
    if (!why)
        why = certifier->refusal;
    if (!why && !certifier->file && !certifier->error)
        why = "no search of the explicit engine was made";
    *is_failure = !why;
    if (!why && certifier->file)
        close_file(certifier);
    if (!why && certifier->error)
        why = strerror(certifier->error);
    *is_failure = *is_failure && why;
    drop_file(certifier);
    free(certifier->cells);
    free(certifier->words);
    free(certifier);
    return why;
}
