/* Did evaluation itself fail, or might it? Quantifiers over what was found to be interchangeable look at more than
 * those of the model do (rewrite/retype.h), so a failure there says nothing of the model. */
#ifndef NOETHER_DRIVER_DOUBT_H
#define NOETHER_DRIVER_DOUBT_H

#include "result/verdict.h"

/* The property it is about, or NULL. */
const struct property_result *doubt_find(const struct result *result);
/* `"x[p]" is undefined (rule "enter", line 12)` */
void doubt_print(const struct property_result *doubt, struct text *out);

#endif
