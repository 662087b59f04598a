/* The group of a certificate: how it acts on the states of the model (verify/action.h). */
#ifndef NOETHER_DRIVER_CERTIFY_GROUP_H
#define NOETHER_DRIVER_CERTIFY_GROUP_H

#include "base/json.h"
#include "symmetry/symmetry.h"

/* Adds it to the head, unless it is trivial. `layout` is that of the system of the symmetry: the model, or a copy in
 * which the cells have the same values under other codes. NULL, or why there can be no certificate with this group. */
const char *certify_group(const struct symmetry *symmetry, const struct layout *layout, const struct layout *model,
                          struct json *head);

#endif
