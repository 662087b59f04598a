#include "driver/certify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/watch.h"
#include "driver/certify_file.h"
#include "driver/certify_group.h"
#include "driver/certify_ranks.h"
#include "driver/certify_sums.h"
#include "driver/certify_vectors.h"
#include "verify/measure.h"

struct certifier {
    const struct model *model;
    enum deadlock_mode deadlock;
    void (*say)(const char *why);
    struct certificate_file file; /* not open: no search has begun, or it has no certificate */
    const char *refusal;          /* why the last search has no certificate; or NULL */
    const struct layout *layout;  /* of the states that are told of: the model's, or that of a copy with other codes */
    int32_t *cells, *copied;      /* a state of the model, and of the copy */
    uint64_t *words;
    uint64_t count;
    struct certified_vectors vectors;  /* of a model with probabilities */
    const struct transport *transport; /* NULL: there is one process */
};

static bool is_about_numbers(const struct model *model)
{
    return system_has_probabilities(model->system);
}

/* NULL: some property has vectors that one sweep checks. */
static const char *refuse_numbers(const struct model *model, enum engine_choice engine,
                                  const struct engine_options *options, struct arena *words)
{
    struct text reasons = {0};
    if (engine != ENGINE_AUTO && engine != ENGINE_PROBABILISTIC)
        return "the vectors are those of the probabilistic engine; use --engine probabilistic";
    if (options->is_exact)
        return "the vectors are doubles; they are checked exactly without --exact, too";
    if (options->is_fair)
        return "the sweep that checks vectors is about all schedulers, not only about fair ones";
    bool is_possible = false;
    for (size_t p = 0; p < model->system->properties.count; p++) {
        const struct property *property = model->system->properties.items[p];
        const char *refusal = property->kind == PROPERTY_PCTL ? measure_refusal(model->system, property) : NULL;
        is_possible |= property->kind == PROPERTY_PCTL && !refusal;
        if (refusal)
            text_format(&reasons, "%s\"%s\" (%s)",
                        reasons.length ? ", " : "there would be nothing in it: ", property->name, refusal);
    }
    const char *why = reasons.length ? arena_string(words, reasons.chars) : "the model has no properties";
    text_free(&reasons);
    return is_possible ? NULL : why;
}

const char *certify_refusal(const struct model *model, enum engine_choice engine, enum symmetry_choice symmetry,
                            const struct engine_options *options, struct arena *words)
{
    if (is_about_numbers(model))
        return refuse_numbers(model, engine, options, words);
    if (engine != ENGINE_AUTO && engine != ENGINE_EXPLICIT)
        return arena_format(words, "the %s engine keeps no set of states that could be checked; use --engine explicit",
                            engine_of(engine)->name);
    if (symmetry == SYMMETRY_GUARDED)
        return "with --symmetry guarded the states are those of another model";
    if (options->partial_order == PARTIAL_ORDER_REDUCED)
        return "with --reduction por not all states are kept";
    if (options->hash_compact || options->representative == REPRESENTATIVE_MARKERS)
        return "states that have the same hash are taken for one: that is no proof";
    return NULL;
}

static struct json *hash_of(const struct source *source)
{
    struct text text = {0};
    if (source)
        text_format(&text, "%016" PRIx64, source_hash(source));
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

static struct json *manner_of(const struct manner *manner)
{
    uint32_t numbers[MANNER_NUMBERS];
    manner_write(manner, numbers);
    struct json *list = json_make_array();
    for (size_t i = 0; i < MANNER_NUMBERS; i++)
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
    json_set(head, "version", json_make_integer(is_about_numbers(model) ? 2 : 1));
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

static bool is_first(const struct certifier *certifier)
{
    return !certifier->transport || !certifier->transport->rank;
}

/* Other ranks have states only. */
static void open_file(struct certifier *certifier, const struct json *head)
{
    struct text line = {0};
    certificate_file_open(&certifier->file);
    if (!is_first(certifier))
        return;
    json_print_compact(head, &line);
    text_char(&line, '\n');
    certificate_file_write(&certifier->file, text_chars(&line), line.length);
    text_free(&line);
}

/* A search begins: what was told of before is void. */
static void begin_search(void *user, const struct layout *layout, const struct symmetry *symmetry)
{
    struct certifier *certifier = user;
    struct json *head = make_head(certifier);
    certifier->refusal = certify_group(symmetry, layout, certifier->model->layout, head);
    certifier->layout = layout;
    certifier->count = 0;
    certified_vectors_clear(&certifier->vectors);
    certificate_file_drop(&certifier->file);
    if (certifier->refusal) {
        struct text why = {0};
        text_format(&why, "there will be no certificate: %s", certifier->refusal);
        certifier->say(text_chars(&why));
        text_free(&why);
    }
    if (!certifier->refusal && !is_about_numbers(certifier->model))
        open_file(certifier, head);
    json_free(head);
}

/* A copy of the model has the same cells, perhaps in another order (rewrite/gather.h); their values have the same
 * places in other blocks of codes (rewrite/retype.h). */
static void translate(struct certifier *certifier, const uint64_t *packed)
{
    const struct layout *from = certifier->layout, *to = certifier->model->layout;
    layout_unpack(from, packed, certifier->copied);
    for (uint32_t c = 0; c < from->cell_count; c++) {
        uint32_t own = system_original_cell(from->system, c);
        const struct type *type = from->cells[c].type, *model = to->cells[own].type;
        certifier->cells[own] = certifier->copied[c];
        if (type && type->block_count == 1 && certifier->cells[own] != UNDEFINED)
            certifier->cells[own] += model->blocks->lo - type->blocks->lo;
    }
    layout_pack(to, certifier->cells, certifier->words);
}

static void note_state(void *user, const uint64_t *packed)
{
    struct certifier *certifier = user;
    bool is_vector = is_about_numbers(certifier->model);
    if (!certifier->file.stream && !is_vector)
        return;
    if (certifier->layout != certifier->model->layout) {
        translate(certifier, packed);
        packed = certifier->words;
    }
    for (uint32_t w = 0; w < certifier->vectors.words && is_vector; w++)
        VEC_PUSH(&certifier->vectors.states, packed[w]);
    if (!is_vector)
        certificate_file_write_numbers(&certifier->file, packed, certifier->model->layout->words);
    certifier->count++;
}

static void note_measure(void *user, const struct property *property, const double *lower, const double *upper,
                         const uint64_t *rank)
{
    struct certifier *certifier = user;
    struct text why = {0};
    if (measure_refusal(certifier->model->system, property))
        return;
    if (lower)
        certified_vectors_add(&certifier->vectors, property, lower, upper, rank);
    else {
        text_format(&why, "not part of the certificate: \"%s\" (no vectors were found that are near enough)",
                    property->name);
        certifier->say(text_chars(&why));
    }
    text_free(&why);
}

/* NULL, or why not. */
static const char *write_vectors(struct certifier *certifier)
{
    if (!certifier->vectors.measures.count)
        return "there are no vectors";
    if (!certify_sums(certifier->model->layout, certifier->vectors.states.items, certifier->count))
        return watch_is_up() ? "the search was not complete"
                             : "the probabilities of a choice do not add up to 1 exactly, in some state";
    struct json *head = make_head(certifier);
    json_set(head, "measures", certified_vectors_list(&certifier->vectors));
    open_file(certifier, head);
    json_free(head);
    certified_vectors_write(&certifier->vectors, &certifier->file);
    return NULL;
}

struct certifier *certify_begin(const struct model *model, const char *path, struct engine_options *options,
                                void (*say)(const char *why))
{
    struct certifier *certifier = memory_zeroed(1, sizeof *certifier);
    certifier->model = model;
    certifier->file.path = path;
    certifier->deadlock = options->deadlock;
    certifier->say = say;
    certifier->transport = options->transport;
    certifier->cells = memory_zeroed((size_t)model->layout->cell_count + 1, sizeof *certifier->cells);
    certifier->copied = memory_zeroed((size_t)model->layout->cell_count + 1, sizeof *certifier->copied);
    certifier->words = memory_zeroed(model->layout->words, sizeof *certifier->words);
    certifier->vectors.words = model->layout->words;
    options->on_search = begin_search;
    options->on_state = note_state;
    options->on_measure = is_about_numbers(model) ? note_measure : NULL;
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

const char *certify_end(struct certifier *certifier, const struct result *result, bool *is_failure)
{
    const char *why = find_open(result);
    if (!why)
        why = certifier->refusal;
    if (!why && is_about_numbers(certifier->model))
        why = write_vectors(certifier);
    else if (!why && !certifier->file.stream && !certifier->file.error)
        why = "no search of the explicit engine was made";
    *is_failure = !why;
    if (!why && certifier->transport)
        certify_gather(certifier->transport, &certifier->file, &certifier->count);
    if (!why && certifier->file.stream && is_first(certifier))
        certificate_file_close(&certifier->file, certifier->count);
    if (!why && certifier->file.error)
        why = strerror(certifier->file.error);
    *is_failure = *is_failure && why;
    certificate_file_drop(&certifier->file);
    certified_vectors_clear(&certifier->vectors);
    free(certifier->cells);
    free(certifier->copied);
    free(certifier->words);
    free(certifier);
    return why;
}
