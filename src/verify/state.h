/* A state of a certificate: read with care, and shown. */
#ifndef NOETHER_VERIFY_STATE_H
#define NOETHER_VERIFY_STATE_H

#include "base/text.h"
#include "ir/layout.h"

/* False: it is none of the model. Each cell must have a value, and multisets be in order. `image`: room for a state. */
bool state_read(const struct layout *layout, const uint64_t *packed, int32_t *cells, uint64_t *image);
/* "\n    x = 3" for each cell that has a value. */
void state_print(const struct layout *layout, const int32_t *cells, struct text *out);

#endif
