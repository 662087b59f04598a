/* Models from text, for the tests of what works on loaded models. */
#ifndef NOETHER_TESTS_TEXT_MODEL_H
#define NOETHER_TESTS_TEXT_MODEL_H

#include <stdio.h>
#include <string.h>

#include "driver/model.h"

/* Through a file called `path`, for a moment: a test has its own, as tests run side by side. Free it with
 * model_destroy. */
static inline struct model *text_model_defined(const char *path, const char *text, const struct define *defines,
                                               size_t count)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    struct diagnostics diagnostics = {0};
    struct source *source = NULL;
    struct model *model = model_load(path, NULL, defines, count, &diagnostics, &source);
    remove(path);
    if (!model)
        fail_msg("%s in %s", diagnostics.items[0].message, text);
    diag_free(&diagnostics);
    return model;
}

static inline struct model *text_model(const char *path, const char *text)
{
    return text_model_defined(path, text, NULL, 0);
}

static inline const struct property *text_model_property(const struct model *model, const char *name)
{
    for (size_t i = 0; i < model->system->properties.count; i++)
        if (!strcmp(model->system->properties.items[i]->name, name))
            return model->system->properties.items[i];
    fail_msg("no property %s", name);
    return NULL;
}

#endif
