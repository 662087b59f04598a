/* The PRISM front end: models (dtmc, mdp, ctmc) and properties. */
#ifndef NOETHER_LANG_PRISM_PRISM_H
#define NOETHER_LANG_PRISM_PRISM_H

#include "ir/language.h"
#include "lang/prism/model.h"

struct prism_reader; /* owns all that was read */

/* A system with a chain (ir/chain.h). NULL when diagnostics->errors > 0. The sources must outlive it (spans point into
 * them). */
struct system *prism_read(const struct source *source, const struct reading *reading, struct diagnostics *diagnostics);
extern const struct language language_prism;

/* The model and its properties with interchangeable modules counted instead of named (generic.h), as PRISM text. */
struct prism_reduced {
    struct text model, properties;
    uint32_t counters, modules; /* how many modules are counted */
    size_t commands;
    const char **names;                         /* of the counters, family after family */
    uint32_t *family_counters, *family_modules; /* by family: how many */
    uint32_t family_count;
    /* What is counted: by family, module and variable the names; by family, counter and variable the values there. */
    uint32_t *family_variables;
    char ***variable_names;
    int64_t **local_values;
    const char **left_out; /* by property: why it is not in the counter abstraction, or NULL; property_count */
    uint32_t property_count;
    struct diagnostics warnings; /* the same, with their places */
    bool is_symmetric_start; /* all of a family begin in the same local state (or wherever init...endinit lets them) */
};
/* False when it is outside the class that translates: why is in `diagnostics`. */
bool prism_reduce(const struct source *source, const struct reading *reading, struct diagnostics *diagnostics,
                  struct prism_reduced *reduced);
void prism_reduced_free(struct prism_reduced *reduced);

/* The same before it becomes IR: what was read, resolved and composed. */
struct prism_reader *prism_reader_create(const struct source *source, const struct reading *reading,
                                         struct diagnostics *diagnostics);
void prism_reader_destroy(struct prism_reader *reader);
const struct prism_network *prism_reader_network(const struct prism_reader *reader);

#endif
