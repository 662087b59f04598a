/* Reporting for the front ends: at most DIAGNOSTICS_MAX_ERRORS errors, none of them twice. */
#ifndef NOETHER_BASE_REPORT_H
#define NOETHER_BASE_REPORT_H

#include "base/diag.h"

/* Was it added? A hint (diag_hint) belongs only to an error that was. */
bool report_error(struct diagnostics *list, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* From the start of one span to the end of another; just the first when they stand on different lines. */
struct span span_join(struct span from, struct span to);

#endif
