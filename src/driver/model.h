/* A model, loaded: text -> system and layout, by the front end of its language. */
#ifndef NOETHER_DRIVER_MODEL_H
#define NOETHER_DRIVER_MODEL_H

#include "ir/layout.h"

struct define {
    const char *name, *value;
};

struct model {
    struct source *source;
    struct system *system;
    struct layout *layout;
};

/* `language` NULL: by the extension of the path. NULL when diagnostics->errors > 0; spans point into *source,
 * which the caller frees with source_free after printing them (NULL when the model was loaded). */
struct model *model_load(const char *path, const char *language, const struct define *defines, size_t define_count,
                         struct diagnostics *diagnostics, struct source **source);
void model_destroy(struct model *model);

/* The names --language takes, comma separated. */
const char *model_languages(void);

#endif
