#include "driver/model.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scan.h"
#include "driver/languages.h"
#include "ir/validate.h"
#include "pass/holder.h"
#include "pass/prologue.h"

static bool has_extension(const char *extension, const char *path)
{
    size_t length = strlen(path);
    while (*extension) {
        size_t size = strcspn(extension, " ");
        if (length > size && !strncmp(path + length - size, extension, size))
            return true;
        extension += size + (extension[size] == ' ');
    }
    return false;
}

const struct language *model_find_language(const char *name, const char *path)
{
    for (size_t i = 0; i < LANGUAGE_COUNT; i++)
        if (name ? !strcmp(name, languages[i]->name) : has_extension(languages[i]->extensions, path))
            return languages[i];
    return NULL;
}

static bool is_file_of(const struct language *language, const char *stem, size_t length,
                       bool (*is_there)(void *user, const char *path), void *user, struct text *found)
{
    for (const char *extension = language->extensions; *extension; extension += *extension == ' ') {
        size_t size = strcspn(extension, " ");
        text_clear(found);
        text_append_n(found, stem, length);
        text_append_n(found, extension, size);
        if (is_there(user, text_chars(found)))
            return true;
        extension += size;
    }
    return false;
}

char *model_properties_beside(const struct language *language, const char *path)
{
    const char *dot = strrchr(path, '.');
    struct text beside = {0};
    char *found = NULL;
    for (const char *extension = language->asks; dot && extension && *extension && !found;) {
        size_t size = strcspn(extension, " ");
        text_clear(&beside);
        text_append_n(&beside, path, (size_t)(dot - path));
        text_append_n(&beside, extension, size);
        if (!access(text_chars(&beside), R_OK))
            found = memory_string(text_chars(&beside));
        extension += size + (extension[size] == ' ');
    }
    text_free(&beside);
    return found;
}

char *model_of_properties(const char *path, bool (*is_there)(void *user, const char *path), void *user)
{
    const char *dot = strrchr(path, '.');
    struct text beside = {0};
    char *found = NULL;
    for (size_t i = 0; dot && i < LANGUAGE_COUNT && !found; i++)
        if (is_file_of(languages[i], path, (size_t)(dot - path), is_there, user, &beside))
            found = memory_string(text_chars(&beside));
    text_free(&beside);
    return found;
}

const struct language *model_asked_language(const char *path)
{
    for (size_t i = 0; i < LANGUAGE_COUNT; i++)
        if (languages[i]->asks && has_extension(languages[i]->asks, path))
            return languages[i];
    return NULL;
}

const char *model_language(const char *name, const char *path)
{
    const struct language *language = model_find_language(name, path);
    return language ? language->name : NULL;
}

/* "murphi, prism", or "Murphi models end in .m, PRISM models in .prism .pm": for a hint. */
static void list_languages(bool with_extensions, struct text *out)
{
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        text_append(out, i ? ", " : "");
        if (with_extensions)
            text_format(out, "%s models %s %s", languages[i]->title, i ? "in" : "end in", languages[i]->extensions);
        else
            text_append(out, languages[i]->name);
    }
}

/* The message may quote the path, which a span would print twice. */
static void report_language(const char *name, const char *path, struct diagnostics *diagnostics)
{
    struct text list = {0};
    list_languages(!name, &list);
    if (name) {
        diag_error(diagnostics, (struct span){0}, "there is no language \"%s\"", name);
        diag_hint(diagnostics, "languages: %s", text_chars(&list));
    } else {
        diag_error(diagnostics, (struct span){0}, "%s: the extension does not tell the language of the model", path);
        diag_hint(diagnostics, "%s; else say --language", text_chars(&list));
    }
    text_free(&list);
}

/* NOETHER_COMBINED: for tests, how many combinations of synchronised commands are written out. */
static uint64_t most_combined(void)
{
    const char *most = getenv("NOETHER_COMBINED");
    return most ? strtoull(most, NULL, 10) : 0;
}

static struct system *read_system(const struct language *language, const struct source *source,
                                  const struct reading *reading, struct diagnostics *diagnostics)
{
    struct system *system = language->read(source, reading, diagnostics);
    if (system) {
        prologue_fold(system);
        holder_strip(system);
    }
#ifndef NDEBUG
    const char *broken_promise = system ? ir_validate(system) : NULL;
    if (broken_promise)
        UNREACHABLE(broken_promise);
#endif
    return system;
}

void model_free_sources(struct model_sources *sources)
{
    source_free(sources->model);
    source_free(sources->properties);
    source_free(sources->asked);
    *sources = (struct model_sources){0};
}

/* NULL after an error. */
static struct source *read_source(const char *path, struct diagnostics *diagnostics)
{
    const char *reason;
    struct source *source = source_read(path, &reason);
    if (!source && !diag_is_late(diagnostics))
        diag_error(diagnostics, (struct span){0}, "cannot read %s: %s", path, reason);
    else if (!source)
        return NULL;
    else if (memchr(source->text, '\0', source->length))
        diag_error(diagnostics, (struct span){.source = source}, "this is not a text file");
    return source;
}

/* The file of properties beside the model: of its name, with the extension that the language has for it. NULL: there is
 * none, or the model has another extension. */
static char *path_beside(const struct language *language, const char *path)
{
    if (!language->beside || !has_extension(language->extensions, path))
        return NULL;
    struct text beside = {0};
    text_append_n(&beside, path, (size_t)(strrchr(path, '.') - path));
    text_append(&beside, language->beside);
    char *found = access(text_chars(&beside), R_OK) ? NULL : memory_string(text_chars(&beside));
    text_free(&beside);
    return found;
}

static void read_properties(const struct language *language, const char *path, const char *properties,
                            struct diagnostics *diagnostics, struct model_sources *sources)
{
    char *beside = properties ? NULL : path_beside(language, path);
    if (properties || beside)
        sources->properties = read_source(properties ? properties : beside, diagnostics);
    free(beside);
}

/* "Boolean program and thread transition system" */
static void list_users(const char *option, struct text *out)
{
    for (size_t i = 0; i < LANGUAGE_COUNT; i++)
        if (languages[i]->manners && scan_begins_with(option, languages[i]->manners))
            text_format(out, "%s%s", out->length ? " and " : "", languages[i]->title);
}

/* An option for models of other languages would be ignored. */
static void refuse_manner(const struct language *language, const struct manner *manner, const struct source *source,
                          struct diagnostics *diagnostics)
{
    const char *option;
    bool is_given;
    for (size_t i = 0; (option = manner_option(manner, i, &is_given)); i++) {
        struct text users = {0};
        if (!is_given || (language->manners && scan_begins_with(option, language->manners)))
            continue;
        list_users(option, &users);
        diag_error(diagnostics, (struct span){.source = source}, "--%s is for %s models, not for %s models", option,
                   text_chars(&users), language->title);
        text_free(&users);
    }
}

static void keep_defines(struct model *model, const struct define *defines, size_t count)
{
    model->defines = memory_zeroed(count + 1, sizeof *model->defines);
    model->define_count = count;
    for (size_t i = 0; i < count; i++)
        model->defines[i] =
            (struct define){.name = memory_string(defines[i].name), .value = memory_string(defines[i].value)};
}

/* What the model was read with besides its text. */
static struct reading model_reading(const struct model *model)
{
    return (struct reading){.defines = model->defines,
                            .define_count = model->define_count,
                            .properties = model->properties,
                            .asked = model->asked,
                            .most_combined = most_combined(),
                            .manner = model->manner};
}

struct system *model_ask(const struct model *model, struct question *question, struct diagnostics *diagnostics)
{
    struct reading reading = model_reading(model);
    reading.question = question;
    return read_system(model->system->language, model->source, &reading, diagnostics);
}

/* The language itself says whether both are the same number, however they are written. */
static bool has_value(const struct model *model, const struct define *define, bool *is_constant)
{
    const struct language *language = model->system->language;
    struct diagnostics diagnostics = {0};
    struct text words = {0};
    text_format(&words, "(%s) %s (%s)", define->name, language->equality ? language->equality : "=", define->value);
    struct source *source = source_from_text("expression", text_chars(&words), words.length);
    struct question question = {.text = source};
    struct system *system =
        language->is_name && language->is_name(define->name) ? model_ask(model, &question, &diagnostics) : NULL;
    *is_constant = system && question.value && question.value->kind == EXPR_CONST;
    bool is_so = *is_constant && question.value->value == 1;
    system_destroy(system);
    source_free(source);
    text_free(&words);
    diag_free(&diagnostics);
    return is_so;
}

bool model_has_values(const struct model *model, const struct define *defines, size_t count,
                      struct diagnostics *diagnostics)
{
    bool is_known = true, is_so = true;
    for (size_t i = 0; i < count; i++) {
        bool is_constant;
        is_so &= has_value(model, &defines[i], &is_constant);
        is_known &= is_constant;
    }
    if (is_known)
        return is_so;
    struct reading reading = model_reading(model);
    struct define *all = memory_zeroed(model->define_count + count + 1, sizeof *all);
    for (size_t i = 0; i < model->define_count + count; i++)
        all[i] = i < model->define_count ? model->defines[i] : defines[i - model->define_count];
    reading.defines = all;
    reading.define_count = model->define_count + count;
    system_destroy(read_system(model->system->language, model->source, &reading, diagnostics));
    free(all);
    return false;
}

struct system *model_combine(const struct model *model)
{
    struct diagnostics diagnostics = {0};
    struct reading reading = model_reading(model);
    reading.most_combined = UINT32_MAX;
    struct system *system = read_system(model->system->language, model->source, &reading, &diagnostics);
    diag_free(&diagnostics);
    return system;
}

struct system *model_resize(const struct model *model, uint32_t size)
{
    struct diagnostics diagnostics = {0};
    struct reading reading = model_reading(model);
    struct define *defines = memory_zeroed(model->define_count + 1, sizeof *defines);
    struct text value = {0};
    text_format(&value, "%u", size);
    for (size_t i = 0; i < model->define_count; i++)
        defines[i] = model->defines[i];
    defines[model->define_count] = (struct define){model->system->population_constant, text_chars(&value)};
    reading.defines = defines;
    reading.define_count = model->define_count + (model->system->population_constant != NULL);
    reading.manner.threads = model->system->population_constant ? 0 : size;
    struct system *system = read_system(model->system->language, model->source, &reading, &diagnostics);
    free(defines);
    text_free(&value);
    diag_free(&diagnostics);
    if (!system || (system->population && system->population->size == size))
        return system;
    system_destroy(system);
    return NULL;
}

struct system *model_with_death(const struct model *model, enum process_death death)
{
    struct diagnostics diagnostics = {0};
    struct reading reading = model_reading(model);
    reading.manner.death = death;
    struct system *system = read_system(model->system->language, model->source, &reading, &diagnostics);
    diag_free(&diagnostics);
    return system;
}

struct system *model_with_sizes(const struct model *model, const uint32_t *sizes)
{
    struct diagnostics diagnostics = {0};
    struct reading reading = model_reading(model);
    size_t count = model->system->sized.count, defined = model->define_count;
    struct define *defines = memory_zeroed(model->define_count + count + 1, sizeof *defines);
    struct text *values = memory_zeroed(count + 1, sizeof *values);
    for (size_t i = 0; i < model->define_count; i++)
        defines[i] = model->defines[i];
    for (size_t i = 0; i < count; i++) {
        const struct sized_index *sized = &model->system->sized.items[i];
        if (sized->type->size == sizes[i])
            continue;
        text_format(&values[i], "%u", sizes[i]);
        defines[defined++] = (struct define){sized->constant, text_chars(&values[i])};
    }
    reading.defines = defines;
    reading.define_count = defined;
    struct system *system = read_system(model->system->language, model->source, &reading, &diagnostics);
    for (size_t i = 0; i < count; i++)
        text_free(&values[i]);
    free(values);
    free(defines);
    diag_free(&diagnostics);
    bool is_good = system && system->sized.count == count;
    for (size_t i = 0; is_good && i < count; i++)
        is_good = system->sized.items[i].type->size == sizes[i];
    if (system && !is_good)
        system_destroy(system);
    return is_good ? system : NULL;
}

static bool all_lines_begin(const char *lines, const char *word)
{
    for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
        if (strncmp(lines, word, strlen(word)) != 0)
            return false;
    return true;
}

/* The option of the command line that properties are from; several add up to one text. */
static const char *asked_option(const char *asked)
{
    return all_lines_begin(asked, "fairness ") ? "--fairness"
           : all_lines_begin(asked, "final ")  ? "--final"
                                               : "--property";
}

static bool is_blank(const struct source *source)
{
    return source->text[strspn(source->text, " \t\r\n")] == '\0';
}

static void report_blank(const struct source *source, struct diagnostics *diagnostics)
{
    diag_error(diagnostics, (struct span){.source = source}, "the file is empty");
    diag_hint(diagnostics, "\"noether init\" writes a model to begin with");
}

/* Its language and its text do not matter then. */
static bool refuse_folder(const char *path, struct diagnostics *diagnostics)
{
    struct stat about;
    if (stat(path, &about) || !S_ISDIR(about.st_mode))
        return false;
    diag_error(diagnostics, (struct span){0}, "cannot read %s: it is a folder", path);
    diag_hint(diagnostics, "name a model in it");
    return true;
}

/* What is wrong may be that a text is of another language. */
static void report_languages(const struct language *language, bool is_guessed, const struct model *model,
                             struct diagnostics *diagnostics)
{
    if (is_guessed)
        report_other_language(language, model->source, diagnostics);
    report_other_properties(language, model->properties, diagnostics);
    if (model->asked && !strcmp(model->asked->path, "--property"))
        report_other_properties(language, model->asked, diagnostics);
}

/* Of the sources, which become those of the model. `is_guessed`: the language is known by the extension only. */
static struct model *read_model(const struct language *language, bool is_guessed, const struct define *defines,
                                size_t define_count, struct names *names, struct diagnostics *diagnostics,
                                struct model_sources *sources)
{
    struct model *model = memory_zeroed(1, sizeof *model);
    model->source = sources->model;
    model->properties = sources->properties;
    model->asked = sources->asked;
    model->manner = sources->manner;
    keep_defines(model, defines, define_count);
    struct reading reading = model_reading(model);
    reading.names = names;
    if (is_blank(model->source))
        report_blank(model->source, diagnostics);
    else
        model->system = read_system(language, model->source, &reading, diagnostics);
    if (model->system) {
        model->layout = layout_create(model->system);
        *sources = (struct model_sources){0};
        return model;
    }
    if (!diagnostics->is_late)
        report_languages(language, is_guessed, model, diagnostics);
    model->source = model->properties = model->asked = NULL; /* the diagnostics point into them */
    model_destroy(model);
    return NULL;
}

struct model *model_load_with(const char *path, const char *properties, const char *asked, const char *language_name,
                              const struct define *defines, size_t define_count, struct diagnostics *diagnostics,
                              struct model_sources *sources)
{
    *sources = (struct model_sources){.manner = sources->manner};
    if (refuse_folder(path, diagnostics))
        return NULL;
    const struct language *language = model_find_language(language_name, path);
    if (!language) {
        report_language(language_name, path, diagnostics);
        return NULL;
    }
    sources->model = read_source(path, diagnostics);
    refuse_manner(language, &sources->manner, sources->model, diagnostics);
    if (sources->model)
        read_properties(language, path, properties, diagnostics, sources);
    if (asked)
        sources->asked = source_from_text(asked_option(asked), asked, strlen(asked));
    if (diagnostics->errors)
        return NULL;
    return read_model(language, !language_name, defines, define_count, NULL, diagnostics, sources);
}

struct model *model_load_text(const struct language *language, struct source *source, struct source *properties,
                              const struct define *defines, size_t define_count, struct names *names,
                              struct diagnostics *diagnostics, struct model_sources *sources)
{
    *sources = (struct model_sources){.model = source, .properties = properties, .manner = sources->manner};
    return read_model(language, true, defines, define_count, names, diagnostics, sources);
}

struct model *model_load(const char *path, const char *language, const struct define *defines, size_t define_count,
                         struct diagnostics *diagnostics, struct source **source)
{
    struct model_sources sources = {0};
    struct model *model = model_load_with(path, NULL, NULL, language, defines, define_count, diagnostics, &sources);
    *source = sources.model;
    return model;
}

void model_destroy(struct model *model)
{
    if (!model)
        return;
    for (size_t i = 0; i < model->define_count; i++) {
        free((char *)model->defines[i].name);
        free((char *)model->defines[i].value);
    }
    free(model->defines);
    layout_destroy(model->layout);
    system_destroy(model->system);
    source_free(model->source);
    source_free(model->properties);
    source_free(model->asked);
    source_free(model->generators);
    free(model);
}
