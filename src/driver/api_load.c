/* The public C API: models are loaded, within limits. */
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "driver/api.h"
#include "driver/guard.h"

struct loading {
    noether_model *model;
    const char *path, *properties_path, *properties;
    const char *const *defines;
    bool is_limited; /* by these: */
    double seconds;  /* 0: no limit */
    const volatile int *cancel;
    struct text error; /* empty: none */
    struct stop stop;  /* the limit that ended it, if one did */
};

static bool take_defines(struct loading *loading)
{
    for (const char *const *define = loading->defines; define && *define; define++) {
        const char *equals = strchr(*define, '=');
        struct text name = {0};
        if (!equals) {
            text_format(&loading->error, "\"%s\" is not NAME=VALUE\n", *define);
            return false;
        }
        text_append_n(&name, *define, (size_t)(equals - *define));
        VEC_PUSH(&loading->model->defines, ((struct report_option){api_take_text(&name), memory_string(equals + 1)}));
    }
    return true;
}

static void load_model(struct loading *loading)
{
    noether_model *model = loading->model;
    struct diagnostics diagnostics = {0};
    struct model_sources sources = {0};
    struct define *list = memory_zeroed(model->defines.count + 1, sizeof *list);
    for (size_t i = 0; i < model->defines.count; i++)
        list[i] = (struct define){model->defines.items[i].name, model->defines.items[i].value};
    model->model = model_load_with(model->path, model->properties_path, model->properties, NULL, list,
                                   model->defines.count, &diagnostics, &sources);
    loading->stop = diagnostics.is_late ? watch_stop(watch_of_thread) : stop_of(STOP_NONE);
    if (stop_is_set(&loading->stop)) {
        stop_print(&loading->stop, &loading->error);
        text_char(&loading->error, '\n');
    } else if (!model->model) {
        diag_print(&diagnostics, &loading->error);
    }
    free(list);
    diag_free(&diagnostics);
    model_free_sources(&sources);
}

static void load(void *data)
{
    struct loading *loading = data;
    noether_model *model = loading->model;
    model->path = memory_string(loading->path);
    model->properties_path = loading->properties_path ? memory_string(loading->properties_path) : NULL;
    model->properties = loading->properties ? memory_string(loading->properties) : NULL;
    if (!take_defines(loading))
        return;
    struct watch watch;
    if (loading->is_limited)
        watch_begin(&watch, loading->seconds, loading->cancel);
    load_model(loading);
    if (loading->is_limited)
        watch_end(&watch);
}

static char *print_stop(const void *stop)
{
    struct text text = {0};
    stop_print(stop, &text);
    text_char(&text, '\n');
    return text.chars;
}

/* Where memory ran out. */
static noether_model *load_failed(struct loading *loading, uint64_t memory, char **error)
{
    bool is_limit = loading->model && account_failed_by_limit(&loading->model->account);
    loading->stop = stop_limit(STOP_MEMORY, is_limit ? memory : 0);
    free(loading->model);
    *error = guard_text(print_stop, &loading->stop);
    *error = *error ? *error : api_out_of_memory;
    return NULL;
}

/* The model, or NULL and the reason. `memory`: the limit in bytes, or 0. */
static noether_model *load_guarded(struct loading *loading, uint64_t memory, char **error)
{
    loading->model = api_give_object(sizeof *loading->model);
    *error = NULL;
    if (!loading->model || !guard_run(&loading->model->account, memory, load, loading))
        return load_failed(loading, memory, error);
    if (loading->model->model) {
        loading->model->account.limit = 0; /* of the loading, not of the model */
        return loading->model;
    }
    *error = api_give_text(text_chars(&loading->error));
    text_free(&loading->error);
    noether_free_model(loading->model);
    return NULL;
}

noether_model *noether_load(const char *path, const char *const *defines, char **error)
{
    return noether_load_with(path, defines, NULL, NULL, error);
}

noether_model *noether_load_with(const char *path, const char *const *defines, const char *properties_path,
                                 const char *properties, char **error)
{
    struct loading loading = {
        .path = path, .defines = defines, .properties_path = properties_path, .properties = properties};
    return load_guarded(&loading, 0, error);
}

noether_model *noether_load_within(const char *path, const char *const *defines, const char *properties_path,
                                   const char *properties, const noether_options *given, char **error,
                                   noether_stop *stop)
{
    noether_options options;
    const char *wrong = api_take_options(given, &options);
    struct loading loading = {.path = path,
                              .defines = defines,
                              .properties_path = properties_path,
                              .properties = properties,
                              .is_limited = true,
                              .seconds = options.seconds,
                              .cancel = options.cancel};
    noether_model *model = wrong ? NULL : load_guarded(&loading, options.memory_bytes, error);
    if (wrong)
        *error = api_give_text(wrong);
    if (stop)
        *stop = api_stop(loading.stop.kind);
    return model;
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
    guard_release(&model->account);
    free(model);
}
