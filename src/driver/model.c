#include "driver/model.h"

#include <stdlib.h>
#include <string.h>

#include "ir/pctl.h"
#include "ir/validate.h"
#include "lang/murphi/murphi.h"
#include "lang/prism/prism.h"

struct language {
    const char *name, *extension;
    struct system *(*read)(const struct model_sources *sources, const struct define *defines, size_t define_count,
                           struct diagnostics *diagnostics);
    /* The same once more, with an expression in its scope. */
    struct system *(*ask)(const struct model_sources *sources, const struct define *defines, size_t define_count,
                          struct murphi_question *question, struct diagnostics *diagnostics);
};

static struct system *ask_murphi(const struct model_sources *sources, const struct define *defines, size_t define_count,
                                 struct murphi_question *question, struct diagnostics *diagnostics)
{
    struct murphi_define *list = memory_zeroed(define_count + 1, sizeof *list);
    for (size_t i = 0; i < define_count; i++)
        list[i] = (struct murphi_define){.name = defines[i].name, .value = defines[i].value};
    struct source *properties = sources->properties ? sources->properties : sources->asked;
    struct murphi_options options = {list, define_count, properties, question};
    struct system *system = NULL;
    if (sources->properties && sources->asked)
        diag_error(diagnostics, (struct span){0}, "properties of a Murphi model: a file or --property, not both");
    else
        system = murphi_read(sources->model, &options, diagnostics);
    free(list);
    return system;
}

static struct system *read_murphi(const struct model_sources *sources, const struct define *defines, size_t define_count,
                                  struct diagnostics *diagnostics)
{
    return ask_murphi(sources, defines, define_count, NULL, diagnostics);
}

static struct system *combine_prism(const struct model_sources *sources, const struct define *defines,
                                    size_t define_count, uint64_t most_combined, struct diagnostics *diagnostics)
{
    struct prism_define *list = memory_zeroed(define_count + 1, sizeof *list);
    for (size_t i = 0; i < define_count; i++)
        list[i] = (struct prism_define){.name = defines[i].name, .value = defines[i].value};
    struct prism_options options = {list, define_count, sources->properties, sources->asked, most_combined,
                                    sources->is_lenient};
    struct system *system = prism_read(sources->model, &options, diagnostics);
    free(list);
    return system;
}

/* NOETHER_COMBINED: for tests, how many ways to act together are written out. */
static struct system *read_prism(const struct model_sources *sources, const struct define *defines, size_t define_count,
                                 struct diagnostics *diagnostics)
{
    const char *most = getenv("NOETHER_COMBINED");
    return combine_prism(sources, defines, define_count, most ? strtoull(most, NULL, 10) : 0, diagnostics);
}

/* What is asked is a property of PRISM, too: a condition, or an integer. */
static bool answer_prism(const struct system *system, struct murphi_question *question, struct diagnostics *diagnostics)
{
    const struct property *asked = system->properties.items[system->properties.count - 1];
    const struct pctl *formula = asked->pctl;
    const struct weight *number = formula && formula->kind == PCTL_NUMBER ? formula->number : NULL;
    if (formula && formula->kind == PCTL_TRUTH)
        question->value = formula->proposition->formula;
    else if (number && number->top && !number->bottom && number->value == 1 && !number->is_rounded)
        question->value = number->top;
    if (question->value)
        question->type = question->value->type;
    else
        diag_error(diagnostics, asked->span, "only conditions and integers that depend on the state can be asked for here");
    return question->value;
}

static struct system *ask_prism(const struct model_sources *sources, const struct define *defines, size_t define_count,
                                struct murphi_question *question, struct diagnostics *diagnostics)
{
    struct model_sources own = {sources->model, sources->properties, (struct source *)question->text, sources->is_lenient};
    struct system *system = read_prism(&own, defines, define_count, diagnostics);
    if (!system || answer_prism(system, question, diagnostics))
        return system;
    system_destroy(system);
    return NULL;
}

static const struct language languages[] = {
    {"murphi", ".m", read_murphi, ask_murphi}, {"prism", ".prism", read_prism, ask_prism},
    {"prism", ".pm", read_prism, ask_prism},   {"prism", ".nm", read_prism, ask_prism},
    {"prism", ".sm", read_prism, ask_prism},
};
enum { LANGUAGE_COUNT = sizeof languages / sizeof *languages };

const char *model_languages(void)
{
    return "murphi, prism";
}

static const struct language *find_language(const char *name, const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        size_t tail = strlen(languages[i].extension);
        if (name ? !strcmp(name, languages[i].name)
                 : length > tail && !strcmp(path + length - tail, languages[i].extension))
            return &languages[i];
    }
    return NULL;
}

const char *model_language(const char *name, const char *path)
{
    const struct language *language = find_language(name, path);
    return language ? language->name : NULL;
}

/* The message may quote the path, which a span would print twice. */
static void report_language(const char *name, const char *path, struct diagnostics *diagnostics)
{
    if (name) {
        diag_error(diagnostics, (struct span){0}, "there is no language \"%s\"", name);
        diag_hint(diagnostics, "languages: %s", model_languages());
    } else {
        diag_error(diagnostics, (struct span){0}, "%s: the extension does not tell the language of the model", path);
        diag_hint(diagnostics, "Murphi models end in .m, PRISM models in .prism, .pm, .nm or .sm; else say --language");
    }
}

static struct system *read_system(const struct language *language, const struct model_sources *sources,
                                  const struct define *defines, size_t define_count, struct diagnostics *diagnostics)
{
    struct system *system = language->read(sources, defines, define_count, diagnostics);
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
    if (!source)
        diag_error(diagnostics, (struct span){0}, "cannot read %s: %s", path, reason);
    return source;
}

static void keep_defines(struct model *model, const struct define *defines, size_t count)
{
    model->defines = memory_zeroed(count + 1, sizeof *model->defines);
    model->define_count = count;
    for (size_t i = 0; i < count; i++)
        model->defines[i] = (struct define){memory_string(defines[i].name), memory_string(defines[i].value)};
}

struct system *model_ask(const struct model *model, struct murphi_question *question, struct diagnostics *diagnostics)
{
    struct model_sources sources = {model->source, model->properties, model->asked, model->is_lenient};
    return model->language->ask(&sources, model->defines, model->define_count, question, diagnostics);
}

struct system *model_combine(const struct model *model)
{
    struct model_sources sources = {model->source, model->properties, model->asked, model->is_lenient};
    struct diagnostics diagnostics = {0};
    struct system *system = combine_prism(&sources, model->defines, model->define_count, UINT32_MAX, &diagnostics);
    diag_free(&diagnostics);
    return system;
}

struct model *model_load_with(const char *path, const char *properties, const char *asked, const char *language_name,
                              const struct define *defines, size_t define_count, struct diagnostics *diagnostics,
                              struct model_sources *sources)
{
    *sources = (struct model_sources){.is_lenient = sources->is_lenient};
    const struct language *language = find_language(language_name, path);
    if (!language) {
        report_language(language_name, path, diagnostics);
        return NULL;
    }
    sources->model = read_source(path, diagnostics);
    if (sources->model && properties)
        sources->properties = read_source(properties, diagnostics);
    if (asked)
        sources->asked = source_from_text("--property", asked, strlen(asked));
    if (diagnostics->errors)
        return NULL;
    struct system *system = read_system(language, sources, defines, define_count, diagnostics);
    if (!system)
        return NULL;
    struct model *model = memory_zeroed(1, sizeof *model);
    model->source = sources->model;
    model->properties = sources->properties;
    model->asked = sources->asked;
    model->is_lenient = sources->is_lenient;
    model->system = system;
    model->layout = layout_create(system);
    model->language = language;
    keep_defines(model, defines, define_count);
    *sources = (struct model_sources){0};
    return model;
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
    free(model);
}
