#include "verify/certificate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"

const char *const certified_deadlock_names[3] = {"stuttering", "stuck", "off"};
enum { LONGEST_HEAD = 1 << 28, MOST_ELEMENTS = 1 << 16 };

uint64_t certificate_hash(const char *text, size_t length)
{
    uint64_t hash = hash_bytes(text, length);
    return hash ? hash : 1;
}

/* The head while it is read: anything that is not as it should be makes it bad. */
struct head {
    struct certificate *certificate;
    bool is_bad;
};

/* At least `least` and less than `bound`. */
static int64_t read_number(struct head *head, const struct json *value, int64_t least, int64_t bound)
{
    int64_t number;
    if (json_read_integer(value, &number) && number >= least && number < bound)
        return number;
    head->is_bad = true;
    return least;
}

/* On the heap; NULL: there is none. */
static char *read_text(const struct json *object, const char *key)
{
    const char *text = json_read_text(json_get(object, key));
    return text ? memory_string(text) : NULL;
}

static uint64_t read_hash(struct head *head, const struct json *object, const char *key)
{
    const char *text = json_read_text(json_get(object, key));
    char *end = "";
    uint64_t hash = text ? strtoull(text, &end, 16) : 0;
    head->is_bad |= text && (strlen(text) != 16 || *end || !hash);
    return hash;
}

/* The items from `first` on. */
static const uint32_t *read_elements(struct head *head, const struct json *list, size_t first, uint32_t bound)
{
    size_t size = json_size(list);
    uint32_t *items = ARENA_ARRAY(head->certificate->action.arena, uint32_t, size + 1);
    for (size_t i = first; i < size; i++)
        items[i - first] = (uint32_t)read_number(head, json_item(list, i), 0, bound);
    return items;
}

static void read_defines(struct head *head, const struct json *list)
{
    for (size_t i = 0; i < json_size(list); i++) {
        const char *name = json_read_text(json_item(json_item(list, i), 0));
        const char *value = json_read_text(json_item(json_item(list, i), 1));
        head->is_bad |= !name || !value;
        if (name && value)
            VEC_PUSH(&head->certificate->defines, ((struct define){memory_string(name), memory_string(value)}));
    }
}

static void read_manner(struct head *head, const struct json *list)
{
    struct manner *manner = &head->certificate->manner;
    manner->is_lenient = read_number(head, json_item(list, 0), 0, 2);
    manner->undefined_is_error = read_number(head, json_item(list, 1), 0, 2);
    manner->dialect = (enum dialect)read_number(head, json_item(list, 2), 0, DIALECT_RUMUR + 1);
    manner->threads = (uint32_t)read_number(head, json_item(list, 3), 0, UINT32_MAX);
    manner->recursion = (uint32_t)read_number(head, json_item(list, 4), 0, UINT32_MAX);
    manner->processes = (uint32_t)read_number(head, json_item(list, 5), 0, UINT32_MAX);
    manner->dies_anyhow = read_number(head, json_item(list, 6), 0, 2);
    manner->ignores_labels = read_number(head, json_item(list, 7), 0, 2);
}

static void read_factor(struct head *head, const struct json *object)
{
    struct group_action *action = &head->certificate->action;
    struct action_factor factor = {0};
    const struct json *generators = json_get(object, "generators");
    factor.is_full = !generators;
    factor.first = (uint32_t)read_number(head, json_get(object, "first"), 0, action->element_count);
    factor.degree =
        (uint32_t)read_number(head, json_get(object, "degree"), 1, action->element_count - factor.first + 1);
    for (size_t g = 0; g < json_size(generators); g++) {
        head->is_bad |= json_size(json_item(generators, g)) != factor.degree;
        VEC_PUSH(&factor.generators, read_elements(head, json_item(generators, g), 0, factor.degree));
    }
    VEC_PUSH(&action->factors, factor);
}

/* [code, sort, element, code, sort, element ...] */
static void read_class(struct head *head, const struct json *list)
{
    struct group_action *action = &head->certificate->action;
    VEC_PUSH(&action->classes, ((struct action_class){0}));
    for (size_t i = 0; i < json_size(list); i += 3) {
        struct action_value value = {(int32_t)read_number(head, json_item(list, i), -INT32_MAX, INT32_MAX),
                                     (uint32_t)read_number(head, json_item(list, i + 1), 0, UINT32_MAX),
                                     (uint32_t)read_number(head, json_item(list, i + 2), 0, action->element_count)};
        VEC_PUSH(&VEC_LAST(&action->classes).values, value);
    }
}

/* [cell, class, kind, element ...] */
static void read_label(struct head *head, const struct json *list)
{
    struct group_action *action = &head->certificate->action;
    struct action_cell label = {.arity = json_size(list) > 3 ? (uint32_t)json_size(list) - 3 : 0};
    label.cell = (uint32_t)read_number(head, json_item(list, 0), 0, head->certificate->cells);
    label.class = (int32_t)read_number(head, json_item(list, 1), ACTION_NONE, (int64_t)action->classes.count);
    label.kind = (int32_t)read_number(head, json_item(list, 2), ACTION_NONE, INT32_MAX);
    label.tuple = read_elements(head, list, 3, action->element_count);
    head->is_bad |= (label.kind == ACTION_NONE) != !label.arity || label.arity > ACTION_WIDEST;
    head->is_bad |= action->cells.count && VEC_LAST(&action->cells).cell >= label.cell;
    VEC_PUSH(&action->cells, label);
}

static void read_measure(struct head *head, const struct json *number)
{
    VEC_PUSH(&head->certificate->measures, (uint32_t)read_number(head, number, 0, UINT32_MAX));
}

static void read_each(struct head *head, const struct json *list, void (*read)(struct head *, const struct json *))
{
    for (size_t i = 0; i < json_size(list) && !head->is_bad; i++)
        read(head, json_item(list, i));
}

static void read_object(struct head *head, const struct json *object)
{
    struct certificate *certificate = head->certificate;
    const char *format = json_read_text(json_get(object, "format")),
               *mode = json_read_text(json_get(object, "deadlock"));
    head->is_bad |= !format || strcmp(format, CERTIFICATE_FORMAT) != 0;
    int64_t version = read_number(head, json_get(object, "version"), 1, 3);
    certificate->language = read_text(object, "language");
    certificate->model = read_hash(head, object, "model");
    certificate->properties = read_hash(head, object, "properties");
    certificate->asked = read_text(object, "asked");
    read_defines(head, json_get(object, "defines"));
    read_manner(head, json_get(object, "manner"));
    while (certificate->deadlock < 3 && mode && strcmp(mode, certified_deadlock_names[certificate->deadlock]) != 0)
        certificate->deadlock++;
    head->is_bad |= !mode || certificate->deadlock == 3 || !certificate->language || !certificate->model;
    certificate->cells = (uint32_t)read_number(head, json_get(object, "cells"), 0, SYSTEM_MAX_CELLS + 1);
    certificate->words = (uint32_t)read_number(head, json_get(object, "words"), 1, SYSTEM_MAX_CELLS + 1);
    if (json_get(object, "elements"))
        certificate->action.element_count = (uint32_t)read_number(head, json_get(object, "elements"), 1, MOST_ELEMENTS);
    read_each(head, json_get(object, "factors"), read_factor);
    read_each(head, json_get(object, "classes"), read_class);
    read_each(head, json_get(object, "labels"), read_label);
    read_each(head, json_get(object, "measures"), read_measure);
    head->is_bad |= (version == 2) != (certificate->measures.count > 0);
    head->is_bad |= version == 2 && certificate->action.factors.count;
    certificate->record = certificate->words + CERTIFICATE_MEASURE_WORDS * (uint32_t)certificate->measures.count;
}

/* One line of JSON. False after a failure. */
static bool read_head(struct certificate *certificate, struct text *failure)
{
    struct text line = {0}, message = {0};
    struct head head = {.certificate = certificate};
    int byte;
    while ((byte = getc(certificate->file)) != '\n' && byte != EOF && line.length < LONGEST_HEAD)
        text_char(&line, (char)byte);
    struct json *object = byte == '\n' ? json_parse(text_chars(&line), line.length, &message) : NULL;
    if (object)
        read_object(&head, object);
    if (!object || head.is_bad)
        text_append(failure, "this is no certificate of version 1 or 2, or its head is damaged");
    json_free(object);
    text_free(&line);
    text_free(&message);
    return !failure->length;
}

/* The whole file once: its length and its checksum. */
static bool read_trailer(struct certificate *certificate, struct text *failure)
{
    FILE *file = certificate->file;
    certificate->states_at = (uint64_t)ftello(file);
    uint64_t size = fseeko(file, 0, SEEK_END) ? 0 : (uint64_t)ftello(file), bytes = 8 * (uint64_t)certificate->record;
    uint64_t rest = size < certificate->states_at + CERTIFICATE_TRAILER
                        ? UINT64_MAX
                        : size - certificate->states_at - CERTIFICATE_TRAILER;
    struct checksum *checksum = memory_zeroed(1, sizeof *checksum);
    unsigned char buffer[4096], trailer[CERTIFICATE_TRAILER] = {0};
    rewind(file);
    for (uint64_t left = size < 8 ? 0 : size - 8; left;) {
        size_t part = fread(buffer, 1, left < sizeof buffer ? left : sizeof buffer, file);
        checksum_add(checksum, buffer, part);
        left = part ? left - part : 0;
    }
    fseeko(file, (off_t)(size - CERTIFICATE_TRAILER), SEEK_SET);
    bool is_read = rest != UINT64_MAX && fread(trailer, 1, sizeof trailer, file) == sizeof trailer;
    certificate->count = checksum_get_number(trailer);
    if (!is_read || rest % bytes || rest / bytes != certificate->count)
        text_append(failure, "the certificate is not complete");
    else if (checksum_end(checksum) != checksum_get_number(trailer + 8))
        text_append(failure, "the certificate is damaged: its checksum is another");
    free(checksum);
    return !failure->length;
}

struct certificate *certificate_open(const char *path, struct text *failure)
{
    FILE *file = fopen(path, "rbe");
    if (!file) {
        text_format(failure, "cannot be read: %s", strerror(errno));
        return NULL;
    }
    struct certificate *certificate = memory_zeroed(1, sizeof *certificate);
    certificate->file = file;
    certificate->action.arena = arena_create();
    if (read_head(certificate, failure) && read_trailer(certificate, failure)) {
        certificate_rewind(certificate);
        return certificate;
    }
    certificate_close(certificate);
    return NULL;
}

void certificate_close(struct certificate *certificate)
{
    fclose(certificate->file);
    action_free(&certificate->action);
    for (size_t i = 0; i < certificate->defines.count; i++) {
        free((char *)certificate->defines.items[i].name);
        free((char *)certificate->defines.items[i].value);
    }
    VEC_FREE(&certificate->defines);
    VEC_FREE(&certificate->measures);
    free(certificate->language);
    free(certificate->asked);
    free(certificate);
}

void certificate_rewind(struct certificate *certificate)
{
    certificate->next = certificate->mixed = 0;
    certificate->is_broken |= fseeko(certificate->file, (off_t)certificate->states_at, SEEK_SET) != 0;
}

/* All states have been read: each time the same ones, also if somebody writes to the file meanwhile. */
static void end_pass(struct certificate *certificate)
{
    uint64_t all = certificate->mixed | 1;
    certificate->is_broken |= certificate->before && certificate->before != all;
    certificate->before = all;
}

bool certificate_next(struct certificate *certificate, uint64_t *words)
{
    unsigned char bytes[8];
    if (certificate->next >= certificate->count || certificate->is_broken)
        return false;
    for (uint32_t w = 0; w < certificate->record; w++) {
        if (fread(bytes, 1, sizeof bytes, certificate->file) != sizeof bytes) {
            certificate->is_broken = true;
            return false;
        }
        words[w] = checksum_get_number(bytes);
        certificate->mixed = (certificate->mixed ^ words[w]) * UINT64_C(0x9e3779b97f4a7c15);
        certificate->mixed ^= certificate->mixed >> 29;
    }
    if (++certificate->next == certificate->count)
        end_pass(certificate);
    return true;
}
