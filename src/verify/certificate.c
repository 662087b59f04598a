#include "verify/certificate.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

const char *const certified_deadlock_names[3] = {"stuttering", "stuck", "off"};
enum { MOST_ELEMENTS = 1 << 16 };

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

/* NULL: it is null. */
static const char *read_text(struct head *head, const struct json *value)
{
    const char *text = json_read_text(value);
    head->is_bad |= !text && json_kind(value) != JSON_KIND_NULL;
    return text ? arena_format(head->certificate->action.arena, "%s", text) : NULL;
}

static uint64_t read_hash(struct head *head, const struct json *object, const char *key)
{
    const struct json *value = json_get(object, key);
    uint64_t hash = 0;
    if (json_kind(value) != JSON_KIND_NULL)
        head->is_bad |= !json_read_hash(value, &hash) || strlen(json_read_text(value)) != 16 || !hash;
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

static void expect_kind(struct head *head, const struct json *value, enum json_kind kind)
{
    head->is_bad |= json_kind(value) != kind;
}

/* Each constant once: which of two values the model is read with must not be a question. */
static void read_defines(struct head *head, const struct json *list)
{
    expect_kind(head, list, JSON_KIND_ARRAY);
    for (size_t i = 0; i < json_size(list); i++) {
        const char *name = read_text(head, json_item(json_item(list, i), 0));
        const char *value = read_text(head, json_item(json_item(list, i), 1));
        head->is_bad |= !name || !value || json_size(json_item(list, i)) != 2;
        for (size_t d = 0; d < i && !head->is_bad; d++)
            head->is_bad = !strcmp(name, head->certificate->defines.items[d].name);
        VEC_PUSH(&head->certificate->defines, ((struct define){name, value}));
    }
}

static void read_manner(struct head *head, const struct json *list)
{
    uint32_t numbers[MANNER_NUMBERS];
    head->is_bad |= json_size(list) != MANNER_NUMBERS;
    for (size_t i = 0; i < MANNER_NUMBERS; i++)
        numbers[i] = (uint32_t)read_number(head, json_item(list, i), 0, UINT32_MAX);
    head->is_bad |= !manner_read(&head->certificate->manner, numbers);
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
    head->is_bad |= json_size(list) % 3 != 0;
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

/* A member that is not known could be a condition on what the certificate says. */
static void check_member(void *user, const char *key, const struct json *value)
{
    static const char *const known[] = {"format",  "version", "language", "model",   "properties", "asked",
                                        "defines", "manner",  "deadlock", "cells",   "words",      "elements",
                                        "factors", "classes", "labels",   "measures"};
    struct head *head = user;
    size_t k = 0;
    while (k < sizeof known / sizeof *known && strcmp(known[k], key) != 0)
        k++;
    head->is_bad |= k == sizeof known / sizeof *known || json_kind(value) == JSON_KIND_MISSING;
}

static void read_object(struct head *head, const struct json *object)
{
    expect_kind(head, object, JSON_KIND_OBJECT);
    json_each(object, check_member, head);
    struct certificate *certificate = head->certificate;
    const char *format = json_read_text(json_get(object, "format")),
               *mode = json_read_text(json_get(object, "deadlock"));
    head->is_bad |= !format || strcmp(format, CERTIFICATE_FORMAT) != 0;
    int64_t version = read_number(head, json_get(object, "version"), 1, 3);
    certificate->language = read_text(head, json_get(object, "language"));
    certificate->model = read_hash(head, object, "model");
    certificate->properties = read_hash(head, object, "properties");
    certificate->asked = read_text(head, json_get(object, "asked"));
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
}

struct certificate *certificate_open(const char *path, struct text *failure)
{
    struct certificate *certificate = memory_zeroed(1, sizeof *certificate);
    struct text line = {0}, message = {0};
    struct head head = {.certificate = certificate};
    certificate->action.arena = arena_create();
    bool is_open = sealed_open(&certificate->file, path, &line, failure);
    struct json *object = is_open ? json_parse(text_chars(&line), line.length, &message) : NULL;
    if (object)
        read_object(&head, object);
    if (is_open && (!object || head.is_bad))
        text_append(failure, "this is no certificate of version 1 or 2, or its head is damaged");
    uint32_t more = CERTIFICATE_MEASURE_WORDS * (uint32_t)certificate->measures.count;
    if (failure->length || !sealed_check(&certificate->file, certificate->words + more, failure)) {
        certificate_close(certificate);
        certificate = NULL;
    }
    json_free(object);
    text_free(&line);
    text_free(&message);
    return certificate;
}

void certificate_close(struct certificate *certificate)
{
    sealed_close(&certificate->file);
    action_free(&certificate->action);
    VEC_FREE(&certificate->defines);
    VEC_FREE(&certificate->measures);
    free(certificate);
}
