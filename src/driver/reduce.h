/* Counter abstraction of a loaded model, as a model. */
#ifndef NOETHER_DRIVER_REDUCE_H
#define NOETHER_DRIVER_REDUCE_H

#include "driver/model.h"

struct reduce_summary {
    uint32_t locations; /* counters */
    size_t rules;
    const char *remark; /* something the user should know, or NULL; static */
    size_t left_out;    /* properties that cannot be translated: warnings say which and why */
};

/* The reduced model as text of its own language, and (PRISM) its properties. False when the model is outside the
 * translatable class: why is in `diagnostics`; else there are warnings, if any. */
bool reduce_model(const struct model *model, bool keep_dead, struct diagnostics *diagnostics, struct text *out,
                  struct text *properties, struct reduce_summary *summary);

#endif
