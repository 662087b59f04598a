/* The public C API (include/noether.h): thin, over what the command line uses too. */
#include "../../include/noether.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/rounding.h"
#include "driver/check.h"
#include "report/report.h"

struct noether_model {
    struct model *model;
    char *path, *properties_path, *properties; /* the last two may be NULL */
    VEC(struct report_option) defines; /* both texts on the heap */
};

struct noether_result {
    const noether_model *model;
    struct check check;
    struct text stop; /* the reason in words */
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

/* What is outside the caller's structure has its default value. */
static noether_options default_options(void)
{
    return (noether_options){.struct_size = sizeof(noether_options), .use_symmetry = 1, .memory_bytes = check_default_memory()};
}

void noether_init_options(noether_options *options, size_t struct_size)
{
    noether_options defaults = default_options();
    if (struct_size < sizeof options->struct_size)
        return; /* not even its size would fit */
    memset(options, 0, struct_size);
    defaults.struct_size = struct_size;
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

/* As far as both know the structure. NULL, or what is wrong with it: a newer program may ask for what this library does not know. */
static const char *take_options(const noether_options *given, noether_options *options)
{
    *options = default_options();
    if (!given)
        return NULL;
    size_t size = given->struct_size;
    if (size < offsetof(noether_options, threads) || size > 1 << 16)
        return "the options are not those of noether_default_options";
    for (size_t i = sizeof *options; i < size; i++)
        if (((const char *)given)[i])
            return "the options ask for what this version of the library does not know";
    memcpy(options, given, size < sizeof *options ? size : sizeof *options);
    return NULL;
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
    struct model_sources sources = {0};
    struct define *list = memory_zeroed(model->defines.count + 1, sizeof *list);
    for (size_t i = 0; i < model->defines.count; i++)
        list[i] = (struct define){model->defines.items[i].name, model->defines.items[i].value};
    enum rounding mode = rounding_mode();
    rounding_set(ROUNDING_NEAREST);
    model->model = model_load_with(model->path, model->properties_path, model->properties, NULL, list, model->defines.count,
                                   &diagnostics, &sources);
    rounding_set(mode);
    if (!model->model) {
        struct text text = {0};
        diag_print(&diagnostics, &text);
        *error = take_text(&text);
    }
    free(list);
    diag_free(&diagnostics);
    source_free(sources.model);
    source_free(sources.properties);
    source_free(sources.asked);
    return model->model != NULL;
}

noether_model *noether_load(const char *path, const char *const *defines, char **error)
{
    return noether_load_with(path, defines, NULL, NULL, error);
}

noether_model *noether_load_with(const char *path, const char *const *defines, const char *properties_path,
                                 const char *properties, char **error)
{
    noether_model *model = memory_zeroed(1, sizeof *model);
    model->path = memory_string(path);
    model->properties_path = properties_path ? memory_string(properties_path) : NULL;
    model->properties = properties ? memory_string(properties) : NULL;
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
    free(model->properties_path);
    free(model->properties);
    free(model);
}

static struct engine_options engine_options_of(const noether_options *options, enum engine_choice choice)
{
    bool has_stepper = choice != ENGINE_ADAPTIVE && choice != ENGINE_COMPLETE && choice != ENGINE_SYMBOLIC;
    return (struct engine_options){
        .order = options->depth_first ? SEARCH_DEPTH_FIRST : SEARCH_BREADTH_FIRST,
        .deadlock = (enum deadlock_mode)options->deadlock,
        .stepper = has_stepper ? STEPPER_VM : STEPPER_AUTO, /* a library starts no compiler in somebody else's program */
        .keep_going = options->keep_going != 0,
        .threads = options->threads,
        .interrupted = options->cancel,
        .limits = {.memory_bytes = options->memory_bytes,
                   .states = options->states,
                   .seconds = options->seconds,
                   .depth = options->depth},
    };
}

static noether_result *refuse(const char *reason, char **error)
{
    if (error)
        *error = memory_string(reason);
    return NULL;
}

noether_result *noether_check_with(const noether_model *model, const noether_options *given, char **error)
{
    noether_options options;
    enum engine_choice choice = ENGINE_AUTO;
    if (error)
        *error = NULL;
    const char *wrong = take_options(given, &options);
    if (!wrong && options.engine && !engine_choice_of(options.engine, &choice))
        wrong = "there is no such engine";
    if (wrong)
        return refuse(wrong, error);
    struct engine_options engine = engine_options_of(&options, choice);
    noether_result *result = memory_zeroed(1, sizeof *result);
    result->model = model;
    result->symmetry_is_off = !options.use_symmetry;
    enum rounding mode = rounding_mode(); /* that of the program we are part of */
    rounding_set(ROUNDING_NEAREST);
    result->check = check_model(model->model, choice, options.use_symmetry ? SYMMETRY_AUTO : SYMMETRY_OFF, &engine);
    rounding_set(mode);
    if (!result->check.result) {
        refuse(result->check.refusal, error);
        noether_free_result(result);
        return NULL;
    }
    stop_print(&result->check.result->stop, &result->stop);
    for (uint32_t i = 0; i < result->check.result->system->properties.count; i++)
        if (result->check.result->checked[i])
            VEC_PUSH(&result->properties, i);
    return result;
}

noether_result *noether_check(const noether_model *model, const noether_options *options)
{
    return noether_check_with(model, options, NULL);
}

void noether_free_result(noether_result *result)
{
    if (!result)
        return;
    check_free(&result->check);
    VEC_FREE(&result->properties);
    text_free(&result->stop);
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

/* The numbers of the header are those of base/stop.h, which may be sorted anew; these may not. */
static noether_stop stop_of_kind(enum stop_kind kind)
{
    static const noether_stop stops[] = {
        [STOP_NONE] = NOETHER_STOP_NONE,           [STOP_INTERRUPTED] = NOETHER_STOP_INTERRUPTED,
        [STOP_TIME] = NOETHER_STOP_TIME,           [STOP_MEMORY] = NOETHER_STOP_MEMORY,
        [STOP_STATES] = NOETHER_STOP_STATES,       [STOP_DEPTH] = NOETHER_STOP_DEPTH,
        [STOP_WORK] = NOETHER_STOP_WORK,           [STOP_VIOLATION] = NOETHER_STOP_VIOLATION,
        [STOP_DECIDED] = NOETHER_STOP_DECIDED,     [STOP_FAULT] = NOETHER_STOP_FAULT,
        [STOP_REFUSED] = NOETHER_STOP_REFUSED,     [STOP_UNDECIDED] = NOETHER_STOP_UNDECIDED,
        [STOP_FAILED] = NOETHER_STOP_FAILED,
    };
    return stops[kind];
}

noether_stop noether_stop_of(const noether_result *result)
{
    return stop_of_kind(result->check.result->stop.kind);
}

const char *noether_stop_reason(const noether_result *result)
{
    return text_chars(&result->stop);
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

noether_stop noether_property_stop(const noether_result *result, size_t property)
{
    return stop_of_kind(property_at(result, property)->stop);
}

int noether_property_value(const noether_result *result, size_t property, double *lower, double *upper)
{
    const struct property_result *found = property_at(result, property);
    if (!found->has_value)
        return 0;
    *lower = found->lower;
    *upper = found->upper;
    return 1;
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
        .properties = result->model->properties_path,
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
