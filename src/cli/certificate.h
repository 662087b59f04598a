/* check --certificate: asks for one, and says why there is none. */
#ifndef NOETHER_CLI_CERTIFICATE_H
#define NOETHER_CLI_CERTIFICATE_H

#include "cli/cli.h"
#include "driver/certify.h"

/* Can there be one, by the options and the model? False after a message. */
bool certificate_is_possible(const struct options *options, const struct model *model);
/* NULL: none is asked for. What it will not be about is said now. The engine becomes the one whose states are needed,
 * and the states of a model with probabilities are all of them. */
struct certifier *certificate_begin(const struct options *options, const struct model *model,
                                    enum engine_choice *choice, enum symmetry_choice *symmetry,
                                    struct engine_options *engine);
/* False: it could not be written. */
bool certificate_end(const struct options *options, struct certifier *certifier, const struct result *result);

#endif
