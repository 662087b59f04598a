/* The public C API (include/noether.h): thin, over what the command line uses too. */
#include "../../include/noether.h"

#include <stdlib.h>
#include <string.h>

#include "driver/check.h"
#include "report/report.h"

struct noether_model {
    struct model *model;
    char *path;
    VEC(struct report_option) defines; /* both texts on the heap */
};

struct noether_result {
    const noether_model *model;
    struct check check;
    bool symmetry_is_off;
    VEC(uint32_t) properties; /* ids of those checked */
};

static char *take_text(struct text *text)
{
    return text->chars ? text->chars : memory_string("");
}

const char *noether_version(void)
{
    return NOETHER_VERSION;
}

void noether_default_options(noether_options *options)
{
    *options = (noether_options){.use_symmetry = 1, .memory_bytes = check_default_memory()};
}

static bool take_defines(noether_model *model, const char *const *defines, char **error)
{
    for (; defines && *defines; defines++) {
        const char *equals = strchr(*defines, '=');
        struct text name = {0};
        if (!equals) {
            text_format(&name, "\"%s\" is not NAME=VALUE\n", *defines);
            *error = take_text(&name);
            return false;
        }
        text_append_n(&name, *defines, (size_t)(equals - *defines));
        VEC_PUSH(&model->defines, ((struct report_option){take_text(&name), memory_string(equals + 1)}));
    }
    return true;
}

static bool load(noether_model *model, char **error)
{
    struct diagnostics diagnostics = {0};
    struct source *source;
    struct define *list = memory_zeroed(model->defines.count + 1, sizeof *list);
    for (size_t i = 0; i < model->defines.count; i++)
        list[i] = (struct define){model->defines.items[i].name, model->defines.items[i].value};
    model->model = model_load(model->path, NULL, list, model->defines.count, &diagnostics, &source);
    if (!model->model) {
        struct text text = {0};
        diag_print(&diagnostics, &text);
        *error = take_text(&text);
    }
    free(list);
    diag_free(&diagnostics);
    source_free(source);
    return model->model != NULL;
}

noether_model *noether_load(const char *path, const char *const *defines, char **error)
{
    noether_model *model = memory_zeroed(1, sizeof *model);
    model->path = memory_string(path);
    *error = NULL;
    if (take_defines(model, defines, error) && load(model, error))
        return model;
    noether_free_model(model);
    return NULL;
}

void noether_free_model(noether_model *model)
{
    if (!model)
        return;
    for (size_t i = 0; i < model->defines.count; i++) {
        free((char *)model->defines.items[i].name);
        free((char *)model->defines.items[i].value);
    }
    VEC_FREE(&model->defines);
    model_destroy(model->model);
    free(model->path);
    free(model);
}

static struct engine_options engine_options_of(const noether_options *options)
{
    return (struct engine_options){
        .order = options->depth_first ? SEARCH_DEPTH_FIRST : SEARCH_BREADTH_FIRST,
        .deadlock = (enum deadlock_mode)options->deadlock,
        .stepper = STEPPER_VM, /* a library starts no compiler in somebody else's program */
        .keep_going = options->keep_going != 0,
        .limits = {.memory_bytes = options->memory_bytes,
                   .states = options->states,
                   .seconds = options->seconds,
                   .depth = options->depth},
    };
}

noether_result *noether_check(const noether_model *model, const noether_options *options)
{
    noether_options defaults;
    if (!options) {
        noether_default_options(&defaults);
        options = &defaults;
    }
    struct engine_options engine = engine_options_of(options);
    noether_result *result = memory_zeroed(1, sizeof *result);
    result->model = model;
    result->symmetry_is_off = !options->use_symmetry;
    result->check = check_model(model->model, ENGINE_AUTO, options->use_symmetry ? SYMMETRY_AUTO : SYMMETRY_OFF, &engine);
    if (!result->check.result) {
        noether_free_result(result);
        return NULL;
    }
    for (uint32_t i = 0; i < model->model->system->properties.count; i++)
        if (result->check.result->checked[i])
            VEC_PUSH(&result->properties, i);
    return result;
}

void noether_free_result(noether_result *result)
{
    if (!result)
        return;
    check_free(&result->check);
    VEC_FREE(&result->properties);
    free(result);
}

noether_verdict noether_verdict_of(const noether_result *result)
{
    return (noether_verdict)result_exit_code(result->check.result);
}

const char *noether_verdict_name(noether_verdict verdict)
{
    return verdict == NOETHER_HOLDS ? "holds" : verdict == NOETHER_VIOLATED ? "violated" : "unknown";
}

size_t noether_property_count(const noether_result *result)
{
    return result->properties.count;
}

static const struct property_result *property_at(const noether_result *result, size_t property)
{
    ENSURE(property < result->properties.count);
    return &result->check.result->properties[result->properties.items[property]];
}

const char *noether_property_name(const noether_result *result, size_t property)
{
    const char *name = property_at(result, property)->property->name;
    return name ? name : "";
}

const char *noether_property_kind(const noether_result *result, size_t property)
{
    return property_kind_name(property_at(result, property)->property->kind);
}

noether_verdict noether_property_verdict(const noether_result *result, size_t property)
{
    static const noether_verdict verdicts[] = {NOETHER_HOLDS, NOETHER_VIOLATED, NOETHER_UNKNOWN};
    return verdicts[property_at(result, property)->verdict];
}

const char *noether_property_reason(const noether_result *result, size_t property)
{
    const char *reason = property_at(result, property)->reason;
    return reason ? reason : "";
}

char *noether_property_trace(const noether_result *result, size_t property)
{
    const struct trace *trace = property_at(result, property)->trace;
    struct report_style style = {0};
    struct text text = {0};
    if (!trace)
        return NULL;
    report_text_trace(trace, &style, &text);
    return take_text(&text);
}

uint64_t noether_states(const noether_result *result)
{
    return result->check.result->statistics.states;
}

char *noether_represented(const noether_result *result)
{
    const struct bigint *represented = result->check.result->statistics.represented;
    return represented ? bigint_digits(represented) : NULL;
}

char *noether_json(const noether_result *result)
{
    struct report report = {
        .model = result->model->path,
        .layout = result->check.layout,
        .symmetry = result->check.symmetry,
        .symmetry_is_off = result->symmetry_is_off,
        .result = result->check.result,
        .defines = result->model->defines.items,
        .define_count = result->model->defines.count,
    };
    struct json *document = report_json(&report);
    struct text text = {0};
    json_print(document, &text);
    json_free(document);
    return take_text(&text);
}

void noether_free_text(char *text)
{
    free(text);
}
