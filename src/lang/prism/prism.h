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

/* What to say of the variables, by cell of the system: on a line before it, and behind it; NULL: nothing. */
struct prism_remarks {
    const char *const *titles, *const *notes;
};

/* A system with a chain as PRISM text: one module. False: something has no spelling; it is in `diagnostics`. Of
 * properties, those are left out, with a warning. */
bool prism_write(const struct system *system, const struct prism_remarks *remarks, struct text *model,
                 struct text *properties, struct diagnostics *diagnostics);

/* The same before it becomes IR: what was read, resolved and composed. */
struct prism_reader *prism_reader_create(const struct source *source, const struct reading *reading,
                                         struct diagnostics *diagnostics);
void prism_reader_destroy(struct prism_reader *reader);
const struct prism_network *prism_reader_network(const struct prism_reader *reader);

#endif
