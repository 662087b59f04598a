/* Writing a certificate (verify/certificate.h): the states of the explicit engine as they are stored, with the group
 * and with what identifies the model.
 *
 * The file appears under its name when it is complete and on disk; until then it has no name. A search that begins
 * again (engine/explicit/trial.c), or another attempt of the plan, begins the certificate again. */
#ifndef NOETHER_DRIVER_CERTIFY_H
#define NOETHER_DRIVER_CERTIFY_H

#include "driver/check.h"

struct certifier;

/* Why there can be no certificate, by what is asked for; NULL: there may be one. Lives as long as `words`. */
const char *certify_refusal(const struct model *model, enum engine_choice engine, enum symmetry_choice symmetry,
                            const struct engine_options *options, struct arena *words);
/* Makes the engine tell of its states. `say` is told at once, in words, if a search turns out to have no
 * certificate, or a property to be no part of it. */
struct certifier *certify_begin(const struct model *model, const char *path, struct engine_options *options,
                                void (*say)(const char *why));
/* NULL: it is written. Else why there is none; *is_failure: since it could not be written, not because of the result
 * (NULL: nothing was checked). Frees the certifier. */
const char *certify_end(struct certifier *certifier, const struct result *result, bool *is_failure);

#endif
