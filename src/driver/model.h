/* A model, loaded: text -> system and layout, by the front end of its language. */
#ifndef NOETHER_DRIVER_MODEL_H
#define NOETHER_DRIVER_MODEL_H

#include "ir/language.h"
#include "ir/layout.h"

struct model {
    struct source *source;
    struct source *properties, *asked; /* of a file, of the command line; NULL: none */
    struct system *system;
    struct layout *layout;
    struct source *generators; /* of the group that is to be used (driver/generators.h); NULL: what is found */
    struct define *defines;    /* what it was loaded with */
    size_t define_count;
    struct manner manner;
};

/* Texts that spans point into. */
struct model_sources {
    struct source *model, *properties, *asked;
    struct manner manner;
};
void model_free_sources(struct model_sources *sources);

/* `properties`: a file with more properties, or NULL; `asked`: the text of more, or NULL. `language` NULL: by the
 * extension of the path. NULL when diagnostics->errors > 0; of *sources, `manner` is what the caller wants; spans
 * point into *sources, which the caller frees after printing them (empty when the model was loaded). */
struct model *model_load_with(const char *path, const char *properties, const char *asked, const char *language,
                              const struct define *defines, size_t define_count, struct diagnostics *diagnostics,
                              struct model_sources *sources);
/* Without such a file. *source is freed with source_free. */
struct model *model_load(const char *path, const char *language, const struct define *defines, size_t define_count,
                         struct diagnostics *diagnostics, struct source **source);
/* Of texts that may be newer than files: takes the sources, of which `properties` may be NULL. */
struct model *model_load_text(const struct language *language, struct source *source, struct source *properties,
                              const struct define *defines, size_t define_count, struct names *names,
                              struct diagnostics *diagnostics, struct model_sources *sources);
void model_destroy(struct model *model);

/* The system once more (equal in everything but its address), with an expression read in its scope (driver/inquiry.h).
 * NULL after an error. */
struct system *model_ask(const struct model *model, struct question *question, struct diagnostics *diagnostics);

/* Do the constants have these values, whoever gave them? False with diagnostics->errors: the model cannot be read with
 * them, as when it has no such constant. */
bool model_has_values(const struct model *model, const struct define *defines, size_t count,
                      struct diagnostics *diagnostics);

/* The system of a chain once more, without synchronising rules (ir/chain.h): each combination of synchronised commands
 * is written out. NULL: there are too many. */
struct system *model_combine(const struct model *model);

/* The system once more, with processes that disappear at another time (Promela). NULL: it cannot be read so. */
struct system *model_with_death(const struct model *model, enum process_death death);

/* The system once more, with another size of its population (ir/system.h). NULL: it cannot be read so. */
struct system *model_resize(const struct model *model, uint32_t size);

/* The same, with a size for each of system->sized. */
struct system *model_with_sizes(const struct model *model, const uint32_t *sizes);

/* Its name: the one given, or by the extension of the path; NULL: unknown. */
const char *model_language(const char *name, const char *path);
/* The same, with all that is known of it; NULL: unknown. */
const struct language *model_find_language(const char *name, const char *path);
/* The path of the model that a file of properties stands beside, on the heap: of its name, with the extension of a
 * language, and there. NULL: none. */
char *model_of_properties(const char *path, bool (*is_there)(void *user, const char *path), void *user);
/* The other way round, on the heap: a file of properties that stands beside the model and has its name. NULL: none. */
char *model_properties_beside(const struct language *language, const char *path);
/* The language of models that such a file of properties is for; NULL: the extension does not tell. */
const struct language *model_asked_language(const char *path);

#endif
